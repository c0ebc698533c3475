#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Steps by hand, and plans of files, that do not end on `to`: nobody calls them right, and beginnings are executed
# where one asks for it.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

misses() { # NAME SCRIPT PATTERN: a statement is refused because the steps end elsewhere
	sw "$2"
	[ $? = 1 ] && grep -q 'error\[P07\]: ends on .*, not on `to`: device [0-9]* holds tile .*, needs ' err && grep -q -F -e "$3" err &&
		ok "$1" || not_ok "$1" "$(head -c 400 err)"
}

## By hand

astray="mesh {x: 4, y: 2}; shape f32[8,8,8]; P(None,'x','y') -> P(None,None,('x','y')); apply alltoall(1, 2)"
says='ends on [8, 8, 1{x,y}8], not on `to`: device 1 holds tile [0:8, 0:8, 4:5], needs [0:8, 0:8, 1:2]'
misses 'verify' "$astray; verify" "$says"
misses 'run' "$astray; run" "$says"
for format in plan jax shard_map hlo stablehlo shardy dtensor mpi; do
	misses "export $format" "$astray; export $format out.txt" "$says"
	[ ! -e out.txt ] && ok "export $format writes nothing" || not_ok "export $format writes nothing" "$(ls)"
done
misses 'a plan by its number' "$astray; verify \$1" "$says"
misses 'no step towards it' 'mesh {x: 4}; [2{x}8, 4] ~> [8, 1{x}4]; apply allgather(0); verify' 'device 0 holds tile [0:8, 0:4], needs [0:8, 0:1]'
sw "$astray; verify --json"
holds 'as JSON' '"code": "P07", "message": "ends on' out
sw "$astray; verify --prefix"
equal 'a prefix is executed' 0 $?
holds 'up to where it is' '^executed as far as it goes: all 512 elements on 8 devices are as the steps say' out
holds 'and is no solution' '^this is not a solution: it ends on' out
sw "$astray; verify --prefix --json"
holds 'a prefix as JSON' '"verified": true, "solution": false, "steps": 1,' out
sw "$astray; show plan"
holds 'the picture of the plan says so' 'not a solution: it ends on' out
sw "$astray; export markdown -"
holds 'and the report' 'It is not a solution: it ends on' out
sw "$astray; compare"
equal 'no row of a comparison' '' "$(grep 'by hand' out)"
misses 'compare by number' "$astray; compare \$1" "$says"
sw "$astray; apply allpermute; verify; verify --prefix --json; compare"
equal 'with the permute it is a solution' 0 $?
holds 'verified' '^verified: all 512 elements' out
holds 'also as a prefix' '"solution": true, "steps": 2,' out
holds 'and a row of a comparison' 'by hand' out
sw "$astray; verify --prefix; undo; apply allgather(1); verify --prefix"
holds 'after undo too' 'it ends on \[8, 8, 4{y}8\]' out
sw 'mesh {x: 4, y: 2}; from [8, 2{x}8]; apply allgather(1); verify'
equal 'without an end nothing is missed' 0 $?
holds 'which is said' 'no `to` is defined' out

## Padding

padded='set uneven pad; mesh {x: 4}; [{x}9, 4] ~> [9, 1{x}4]'
misses 'padding is no part of a tile' "$padded; apply alltoall(0, 1, 2); verify" "holds tile [0:6, 0:2], needs [0:9, 0:1]"
sw "$padded; apply allgather(0); verify --prefix"
holds 'elements of a prefix without padding' '; 144 of them are the array, the others padding' out
sw "$padded; apply alltoall(0, 1); verify"
holds 'padded and right' '^verified: all 48 elements' out

## Orders of devices

turned='f32[16,8] {devices=[4,1]<=[4]} ~> {devices=[4,1]3,2,1,0}'
misses 'the same tiles on other devices' "$turned; apply alltoall(0, 1); apply alltoall(1, 0); undo; verify" 'device 0 holds tile [0:16, 0:2], needs [12:16, 0:8]'
sw "$turned; apply allpermute; verify"
equal 'a permute brings them over' 0 $?
turned='f32[16,8] {devices=[4,1]<=[4]} ~> {devices=[1,4]3,2,1,0}'
sw "$turned; apply alltoall(0, 1); verify"
equal 'an alltoall may change over as well' 0 $?
misses 'half of it does not' "$turned; apply alltoall(0, 1, 2); verify" 'device 0 holds tile [0:8, 0:4], needs [0:16, 6:8]'
sw 'mesh {x: 2, y: 2}; f32[8,8] (Shard(0), Shard(0)) ~> S(0)[1]S(0)[0]; apply allpermute; verify'
equal 'an order of axes is one of tiles' 0 $?

## From a file

if command -v python3 >/dev/null; then
	cat >cut.py <<'END'
import json, math, sys
plan = json.load(sys.stdin)
plan["steps"] = plan["steps"][:int(sys.argv[1])]
first = math.prod(int(d.split("{")[0]) for d in plan["from"].strip("[]").split(", "))
sizes = [first] + [s["localsize"] for s in plan["steps"]]
plan.update(strategy="cut", optimal=False, lower_bound=0, weak_cost=0, cost=sum(s["cost"] for s in plan["steps"]), height=max(sizes),
            live_peak=max([first] + [a + b for a, b in zip(sizes, sizes[1:])]), permutes=sum(s["op"] == "allpermute" for s in plan["steps"]))
if len(sys.argv) > 2:
    plan["to_devices"] = json.loads(sys.argv[2])
json.dump(plan, sys.stdout)
END
	plan_of() { # SCRIPT, arguments of cut.py
		plan_script=$1
		shift
		"$SHARDWALK" --quiet -c "$plan_script; plan --json" | python3 -S cut.py "$@"
	}
	plan_of "mesh {x: 4, y: 2}; shape f32[8,8,8]; P(None,'x','y') -> P(None,None,('x','y'))" 1 >short.json
	plan_of "mesh {x: 4, y: 2}; shape f32[8,8,8]; P(None,'x','y') -> P(None,None,('x','y'))" 0 >empty.json
	plan_of "set uneven pad; mesh {x: 4, y: 2}; shape f32[9,7]; P('x','y') -> P('y','x')" 1 >padded.json
	plan_of 'f32[16,8] {devices=[4,1]<=[4]} ~> {devices=[1,4]3,2,1,0}' 1 '[0, 1, 3, 2]' >turned.json
	for file in short empty padded turned; do
		sw "open $file.json; verify"
		equal "open $file.json" 1 $?
		holds "$file.json says where it ends" 'error\[P03\]: ends on .*, not on `to`: device [0-9]* holds tile .*, needs ' err
		holds "$file.json can be opened as a beginning" 'open --prefix FILE' err
		misses "$file.json: verify" "open --prefix $file.json; verify" 'not on `to`'
		misses "$file.json: run" "open --prefix $file.json; run" 'not on `to`'
		misses "$file.json: export" "open --prefix $file.json; export mpi -" 'not on `to`'
		sw "open --prefix $file.json; verify --prefix"
		equal "$file.json: verify --prefix" 0 $?
		holds "$file.json is no solution" '^this is not a solution: it ends on' out
	done
	"$SHARDWALK" --quiet -c "mesh {x: 4}; [2{x}8, 4] ~> [8, 1{x}4]; plan --json" >whole.json
	sw 'open --prefix whole.json; verify'
	equal 'a whole plan may be opened so as well' 0 $?
	sed 's/"cost": 8,/"cost": 7,/' whole.json >wrong.json
	sw 'open --prefix wrong.json'
	holds 'its numbers are checked all the same' 'error\[P03\]' err

	## What a file claims

	"$SHARDWALK" --quiet -c "mesh {x: 4, y: 2}; shape f32[8,8,8]; P(None,'x','y') -> P(None,None,('x','y')); plan naive --json" >naive.json
	forge() { # FILE, PYTHON: a change to the naive plan
		python3 -S -c "import json; p = json.load(open('naive.json')); $2; json.dump(p, open('$1', 'w'))"
	}
	forge optimal.json 'p.update(lower_bound=768, optimal=True, weak_cost=768)'
	sw 'open optimal.json'
	equal 'a forged optimum can be opened' 0 $?
	holds 'and is claimed' 'optimal, as the file claims; `plan` proves what it finds' out
	holds 'so is the optimum over local types' 'optimum over local types 768, .*: claimed by the file' out
	holds 'and the strategy' 'strategy naive (claimed by the file)' out
	equal 'nothing is called proved' '' "$(grep proved out)"
	sw 'open optimal.json --json'
	holds 'as JSON' '"claimed_by_file": \["strategy", "lower_bound", "optimal", "weak_cost", "search"\]' out
	"$SHARDWALK" -c 'open optimal.json --json' >out 2>err
	holds 'with what to do' '`plan` proves what it finds' err
	sw 'open optimal.json; export plan again.json; open again.json'
	holds 'a plan that is written again claims no less' 'optimal, as the file claims' out
	sw 'open optimal.json; export markdown report.md' && cat report.md >out
	holds 'the report says so' 'the file claims, without a proof here, that no plan of this kind costs less than 768' out
	equal 'and calls nothing proved' '' "$(grep 'optimal: proved' out)"
	sw 'open optimal.json; plan'
	holds 'plan proves' 'optimal: proved' out
	forge bound.json 'p.update(lower_bound=600, optimal=False)'
	sw 'open bound.json'
	holds 'a bound' 'costs less than 600' out
	sw 'mesh {x: 4}; [2{x}8, 4] ~> [8, 1{x}4]; plan --json'
	sed 's/"strategy": "fused"/"strategy": "direct"/' out >own.json
	sw 'open own.json'
	holds 'our own plans are claims as well' 'optimal, as the file claims' out
	sw 'mesh {x: 4}; [2{x}8, 4] ~> [8, 1{x}4]; plan --model latency --json' && cp out timed.json
	sw 'open timed.json'
	holds 'seconds of hardware that is known are computed again' 'model latency: [0-9.]* us on hardware default$' out
	cp out own
	equal 'and say the same' '' "$(cat err | grep 'the file says')"
	python3 -S -c "import json; p = json.load(open('timed.json')); p['model_cost'] *= 10
for s in p['steps']: s['model_cost'] *= 10
json.dump(p, open('forged.json', 'w'))"
	sw 'open forged.json'
	equal 'whatever the file says' "$(grep 'model latency' own)" "$(grep 'model latency' out)"
	"$SHARDWALK" -c 'open forged.json' >out 2>err
	holds 'which is shown' 'the file says 160.*us; on hardware default as defined here it takes 16.0.*us' err
	sed 's/"machine": "default"/"machine": "elsewhere"/' timed.json >other.json
	sw 'open other.json'
	holds 'those of other hardware are claimed' 'on hardware elsewhere, claimed by the file' out
	sw 'open other.json --json'
	holds 'as JSON' '"claimed_by_file": \[.*"model_cost"' out

	forged() { # NAME, PYTHON, PATTERN
		forge bad.json "$2"
		sw 'open bad.json'
		[ $? = 1 ] && grep -q -e "$3" err && grep -q 'line 1, column [0-9]* of the file' err && ok "$1" || not_ok "$1" "$(head -c 300 err)"
	}
	for number in budget:0 budget:-4 live_budget:0 live_budget:-1 cost:-1 lower_bound:-1 weak_cost:-1 height:0 live_peak:0 permutes:-1; do
		key=${number%:*} least=0
		case $key in budget | live_budget | height | live_peak) least=1 ;; esac
		forged "$key of ${number#*:}" "p.update(lower_bound=0, optimal=False); p['$key'] = ${number#*:}" "'$key' is too small"
		holds "$key: its least value" "expected: at least $least" err
	done
	for key in settled seen edges seconds; do
		forged "$key of -1" "p['search']['$key'] = -1" "'search.$key' is too small"
	done
	forged 'a step of no elements' "p['steps'][0]['localsize'] = 0" "'steps\[0\].localsize' is too small"
	forged 'a budget of 0 for an exchange' "p['strategy'] = 'direct'; p['budget'] = 0" "'budget' is too small"
	forged 'a bound above the cost, of any strategy' 'p.update(lower_bound=769, optimal=False)' 'the lower bound 769 is above the cost 768'
	forged 'an optimum above its bound' 'p.update(lower_bound=1, optimal=True)' 'called optimal'
	forged 'a cost of elements that is none' "p['model_cost'] = 5" "'model_cost' is not the sum"
	forged 'a cost of a step that is none' "p['steps'][0]['model_cost'] = 5" "'steps\[0\].model_cost' is not the cost of the step"
	"$SHARDWALK" --quiet -c 'mesh {x: 4}; [2{x}8, 4] ~> [8, 1{x}4]; plan --model volume --json' >naive.json
	forged 'a volume' "p['model_cost'] = p['model_bound'] = 5; p['steps'][0]['model_cost'] = 5" 'is not the cost of the step under the model volume: 6'
	"$SHARDWALK" --quiet -c 'set uneven pad; mesh {x: 4}; [{x}9, 4] ~> [9, 1{x}4]; plan --json' >naive.json
	forged 'padding' "p['padding'][1]['elements'] = 7" "'padding\[1\].elements' does not match the tiles"
	forged 'padding below 0' "p['padding'][0]['empty_devices'] = -1" "'padding\[0\].empty_devices' is too small"
else
	skip 'plans of files' 'no python3'
fi
finish
