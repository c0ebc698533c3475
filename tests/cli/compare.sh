#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Comparing: times and reasons, many problems, trades of memory against time, hardware by name; and what is refused.
. "$SRC/tests/lib.sh"
mesh='mesh {a: 2, c: 2}'
ends='[4, 2{c}4, 4, 4] ~> [4, 4, 2{a}4, 2{c}4]'

status 'a comparison' 0 "$SHARDWALK" compare "$mesh" "$ends"
holds 'has a column of volumes' '^strategy .* volume '
holds 'has a column of times' ' time'
holds 'says why the winner wins' 'times as much as'
holds 'says on what hardware' 'on hardware default'
status 'on other hardware' 0 "$SHARDWALK" -c "$mesh; $ends; hardware h100; compare"
holds 'says so' 'on hardware h100'
status 'under a model of time' 0 "$SHARDWALK" compare "$mesh" "$ends" --model latency --json
holds 'its unit is seconds' '"model": "latency", "machine": "default".*"predicted_s": [0-9.]*e-0[56]'
holds 'and there is a reason' '"why": "fused, the next, costs [0-9]* % more than direct: fused spends [0-9.]* us on 1 alltoall and [0-9.]* us on '

printf '%s\n' '{x: 4} [3{x}12, 12] ~> [12, 3{x}12] # one' '{a: 2, c: 2} [4, 2{c}4, 4, 4] ~> [4, 4, 2{a}4, 2{c}4]' \
	'{"name": "three", "mesh": "{x: 2, y: 2}", "from": "[4{x}8, 8]", "to": "[4{y}8, 8]"}' >"$TMP/problems"
status 'many problems' 0 "$SHARDWALK" compare "$TMP/problems"
holds 'fused against itself' '^fused  *1.000  *1.000  *1.000  *1.000  *3 '
holds 'has a picture of naive' '^naive$'
status 'many problems as JSON' 0 "$SHARDWALK" compare "$TMP/problems" --json
equal 'a line for each, and one for all' 4 "$(wc -l <"$TMP/out")"
holds 'names are kept' '"schema": "shardwalk.compare/1", "name": "three"'
holds 'means' '"schema": "shardwalk.compare-many/1", "problems": 3.*"strategy": "fused", "count": 3, "geometric_mean": 1,'
status 'a limit' 0 "$SHARDWALK" compare "$TMP/problems" --limit 1
holds 'is kept' '^fused  *1.000  *1.000  *1.000  *1.000  *1 '
echo nonsense >>"$TMP/problems"
status 'a bad line' 1 "$SHARDWALK" compare "$TMP/problems"
holds 'the others are compared' '^fused  *1.000  *1.000  *1.000  *1.000  *3 '
status 'ends behind it' 0 "$SHARDWALK" -c 'mesh {x: 4}; compare f32[3{x}12, 12] ~> f32[12, 3{x}12] --to [12,12]; undo'
holds 'against another target' 'to B costs 4 times as much as to A' "$TMP/out"
status 'are the present redistribution' 0 "$SHARDWALK" -c 'mesh {x: 4}; compare f32[3{x}12, 12] ~> f32[12, 3{x}12]; show type to'
holds 'which shows' '12, 3{x}12' "$TMP/out"
refused 'two files' L04 'no further argument' "$SHARDWALK" -c 'compare one two'
refused 'no such file' B01 'nowhere' "$SHARDWALK" compare "$TMP/nowhere"

status 'pareto' 0 "$SHARDWALK" pareto "$mesh" "$ends" --model latency
holds 'the fastest plan gathers and slices' '^  1  *256 .*allgather, dynslice'
holds 'the smallest one does not' '^  2  *128 .*dynslice, alltoall'
status 'pareto as JSON' 0 "$SHARDWALK" pareto "$mesh" "$ends" --model latency --json
holds 'has its schema' '^{"schema": "shardwalk.pareto/1", "memory": "height", "model": "latency", "plans": \[{.*}, {.*}\], "program": .*, "units": {.*}}$'
status 'pareto by live memory' 0 "$SHARDWALK" pareto "$mesh" "$ends" --model latency --measure live
holds 'says so' 'in both live memory and time'
status 'one of them as the plan' 0 "$SHARDWALK" -c "$mesh; $ends; model latency; pareto 1; verify; show heights \$1"
holds 'is verified' '^verified: all'
linked='mesh {a: 4 @ 10GB/s 20us, b: 4 @ 100GB/s 1us, c: 4 @ 10GB/s 20us}; [{a}64, {c}128] ~> [{b,a,c}64, 128]; model latency'
status 'pareto where a search gives up' 0 "$SHARDWALK" -c "$linked; pareto"
holds 'has the plan of plan' '^  1  *512  *640  *256  24.1 us'
holds 'claims nothing' 'no other trade was found; more memory may'
status 'pareto of one best plan' 0 "$SHARDWALK" -c "$linked; model paper; pareto"
holds 'says that it is' 'one plan is best for every trade'
status 'pareto of a strategy without bounds' 0 "$SHARDWALK" -c "$linked; pareto --strategy xla"
holds 'has one plan' 'strategy xla makes the same plan'
refused 'a plan that is not there' L12 '1 to 2' "$SHARDWALK" -c "$mesh; $ends; model latency; pareto 3"

# A plan is taken from the table that was shown, whatever options it had; another problem has its own.
near='mesh {a: 2, b: 2, c: 2}; [59360, 160{b,a,c}1280] ~> [59360, 1280]; model latency; budget 8x'
status 'from the table' 0 "$SHARDWALK" -c "$near; pareto --measure live; pareto 2; verify"
holds 'the second of it' '^  model latency: 33.3 ms'
holds 'with its peak memory' '^  peak memory 94 976 000'
holds 'is verified' '^verified'
status 'the table of before' 0 "$SHARDWALK" -c "$mesh; $ends; pareto --model latency; pareto 1; undo; model volume; pareto 2; save -"
holds 'is that which was shown' '^  model latency: '
refused 'a plan that the table has not' L12 '1 to 2' "$SHARDWALK" -c "$mesh; $ends; pareto --model latency; pareto 3"
refused 'options make a table of their own' L12 '1 to 1' "$SHARDWALK" -c "$near; pareto --measure live; pareto 2 --measure height"
refused 'another problem' L12 '1 to 1' "$SHARDWALK" -c "$mesh; $ends; pareto --model latency; [4, 2{c}4, 4, 4] ~> [4, 4, 4, 4]; pareto 2"

# Times of neighbours have as many digits as tell them apart, and what they are made of is whole.
status 'plans that differ little' 0 "$SHARDWALK" -c "$near; pareto --measure live"
holds 'one' '33\.29 ms .* 4  alltoall, allgather,$'
holds 'goes on' '^  *allgather, allgather$'
holds 'another' '33\.30 ms .* 3  alltoall, allgather,$'
holds 'the axis has both ends' '^33\.31 ms .* 3$'

refused 'a measure that is none' L13 'height or live' "$SHARDWALK" pareto "$mesh" "$ends" --measure width

status 'hardware' 0 "$SHARDWALK" hardware
for name in default v4p v5e v5p a100 h100; do holds "knows $name" "^$name "; done
status 'own hardware' 0 "$SHARDWALK" -c "hardware mine = 20GB/s 3us node 4 5GB/s 10us; set hardware; $mesh; $ends; plan --model latency"
holds 'is used' 'on hardware mine'
status 'hardware says all that it is made of' 0 "$SHARDWALK" -c 'hardware tiny = 1B/s 1ns; hardware mine = 20GB/s 3us node 4 5GB/s 10us copy 8GB/s start 1us; hardware'
holds 'small numbers' '^tiny  *1B/s 1ns  *all '
holds 'the network and its latency, and start' '^mine \*  *20GB/s 3us  *nodes of 4  *5GB/s 10us  *8GB/s 1us$'
holds 'what packing is' '^packing  *half of the bandwidth of memory'
holds 'the machine in front of you' '^calibrated  this machine, for `model calibrated`. Not measured yet'
equal 'fits 80 columns' '' "$(awk 'length > 80' "$TMP/out")"
status 'hardware as JSON' 0 "$SHARDWALK" hardware --json
holds 'has its schema' '^{"schema": "shardwalk.hardware/1", "hardware": \[{"name": "default", "chosen": true, .*"calibrated": {"used": false, .*}}$'
status 'one of it as JSON' 0 "$SHARDWALK" -c 'hardware h100 --json'
holds 'has its numbers' '\[{"name": "h100", "chosen": true, .*"node": 8, "network_bandwidth": 50000000000, "network_latency": 2.7e-06, .*}\], "c'
refused 'this machine is a model' S11 'model calibrated' "$SHARDWALK" -c 'hardware calibrated'
refused 'and its name is taken' S11 'already' "$SHARDWALK" -c 'hardware calibrated = 1GB/s 1us'
refused 'unknown hardware' S11 "did you mean 'h100'" "$SHARDWALK" -c 'hardware h1000'
refused 'unknown hardware as a setting' S11 'default, v4p, v5e' "$SHARDWALK" -c 'set hardware nothing'
refused 'a negative bandwidth' L11 'above 0' "$SHARDWALK" -c 'hardware bad = -3GB/s 1us'
refused 'a negative bandwidth of an axis' 'M[0-9]*' '' "$SHARDWALK" -c 'mesh {x: 4 @ -3GB/s 1us}'
refused 'a name of the table' S11 'already' "$SHARDWALK" -c 'hardware h100 = 3GB/s 1us'
refused 'an unknown model' S05 "latency" "$SHARDWALK" -c 'model latenci'
refused 'an unknown strategy' S04 '' "$SHARDWALK" -c "$mesh; $ends; plan fuse_all"
refused 'what was not calibrated' S10 'calibrate' "$SHARDWALK" plan "$mesh" "$ends" --model calibrated
refused 'a budget under the minimum' S01 'at least 128' "$SHARDWALK" plan "$mesh" "$ends" --model latency --budget 3

# A calibration of another machine is refused; a damaged one is set aside, and said of.
state=$XDG_STATE_HOME/shardwalk
mkdir -p "$state"
echo '{damaged' >"$state/calibration.json"
refused 'a damaged calibration' S10 'damaged' "$SHARDWALK" plan "$mesh" "$ends" --model calibrated
[ ! -f "$state/calibration.json" ] && ok 'is set aside' || not_ok 'is set aside' 'it is still there'
finish
