#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `run` and what belongs to it, with a launcher of the test's own in the place of MPI: what can go wrong, what is shown
# of it, and that nothing is left.
. "$SRC/tests/lib.sh"
mesh='mesh {x: 2, y: 2}'
ends='[4{x}8, 4{y}8] ~> [8, 2{y,x}8]'
bin=$TMP/bin
mkdir -p "$bin" "$TMP/scratch"
export TMPDIR="$TMP/scratch"

# A launcher that says it is MPICH and then does what standard input says.
launcher() {
	{
		printf '#!/bin/sh\ncase $1 in --version) echo "HYDRA build details:"; echo "    Version: 4.0.2"; exit ;; esac\n'
		cat
	} >"$bin/launcher"
	chmod +x "$bin/launcher"
	export SHARDWALK_MPIEXEC="$bin/launcher"
}

records() { # PLAN
	cat <<-END
	{"schema": "shardwalk.run/1", "record": "start", "plan": "$1", "host": "here", "hosts": 1, "cores": 2, "ranks": 4, "mpi": "MPICH 4.0.2", "yield": true, "transport": "shared", "reps": 5, "warmup": 3, "launch": 1}
	{"record": "step", "step": 1, "op": "alltoall", "transport": "shared", "seconds": {"median": 0.002, "p10": 0.001, "p90": 0.003, "max": 0.004}, "reference_seconds": {"median": 0.001, "p10": 0.001, "p90": 0.001, "max": 0.001}, "bytes": 4000000, "predicted_seconds": null}
	END
}

rest() {
	cat <<-END
	{"record": "total", "seconds": {"median": 0.002, "p10": 0.001, "p90": 0.003, "max": 0.004}, "reference_seconds": {"median": 0.001, "p10": 0.001, "p90": 0.001, "max": 0.001}, "bytes": 4000000}
	{"record": "memory", "predicted_bytes": 128, "tile_bytes": 4096, "buffer_bytes": 0, "process_bytes": 9000000}
	{"record": "check", "verified": true, "first_wrong": null}
	{"record": "complete"}
	END
}

printf '#!/bin/sh\n' >"$bin/shardwalk-exec"
chmod +x "$bin/shardwalk-exec"
export SHARDWALK_EXEC="$bin/shardwalk-exec"

run() { # OPTIONS...
	"$SHARDWALK" run "$mesh" "$ends" "$@"
}

# Nothing with this mark in its command line runs any more; no file is left.
gone() { # NAME MARK
	ends "$1: nothing runs any more" "$2"
	await is_empty "$TMP/scratch"
	equal "$1: no file is left" '' "$(ls -A "$TMP/scratch")"
}

## It works

(records alltoall; rest) >"$TMP/result.jsonl"
name=$("$SHARDWALK" plan "$mesh" "$ends" --json | sed -n 's/.*"strategy": "\([a-z]*\)".*/\1/p')
(records "$name"; rest) >"$TMP/records"
launcher <<-END
	echo "\$@" >"$TMP/words"
	cat "$TMP/records"
END
status 'a run' 0 run --reps 5 --transport messages --launcher ssh
holds 'the launcher is shown how many ranks' '^-launcher ssh -n 4 ' "$TMP/words"
holds 'the executor gets its options' 'shardwalk-exec --transport messages --reps 5 --timeout 60 --launch 1 .*plan-1.json$' "$TMP/words"
holds 'the table has the median' '2.00 ms' "$TMP/out"
holds 'and the share of the copy' '50 %' "$TMP/out"
holds 'and the proof' 'every element of every rank was right' "$TMP/out"
status 'two names of one host' 0 run --hosts localhost,127.0.0.1
holds 'are shown to be one' 'names 2 hosts, but the ranks are on 1' "$TMP/err"
status 'one name' 0 run --hosts localhost
lacks 'is one host' 'names' "$TMP/err"
gone 'a run' "$bin/launcher"
status 'a run in JSON' 0 run --json
equal 'prints the records' 6 "$(grep -c '"record"' "$TMP/out")"
holds 'with predicted times' '"predicted_seconds":[0-9]' "$TMP/out"
status 'samples need a folder' 3 run --samples "$TMP/none/samples.csv"
holds 'and say so at once' 'B02' "$TMP/err"
status 'several launches' 0 run --launches 3
holds 'are shown of' 'medians of 3 launches' "$TMP/out"

cp "$TMP/out" "$TMP/before"
status 'a result is opened' 0 "$SHARDWALK" open "$TMP/result.jsonl"
holds 'and shown' 'alltoall.* 2.00 ms  █.*┃' "$TMP/out"
status 'and shown again by its number' 0 "$SHARDWALK" -c "open $TMP/result.jsonl; show times \$1; show times"
status 'another number is refused' 1 "$SHARDWALK" -c "open $TMP/result.jsonl; show times \$2"
status 'there is no result yet' 1 "$SHARDWALK" show times
head -n 2 "$TMP/result.jsonl" >"$TMP/half.jsonl"
status 'half a result is opened' 0 "$SHARDWALK" open "$TMP/half.jsonl"
holds 'and called so' 'did not finish' "$TMP/out"
(cat "$TMP/result.jsonl"; echo '{"record": ') >"$TMP/cut.jsonl"
status 'a damaged result is refused' 1 "$SHARDWALK" open "$TMP/cut.jsonl"
holds 'with the place' 'line 7' "$TMP/err"
sed 's,run/1,run/2,' "$TMP/result.jsonl" >"$TMP/newer.jsonl"
status 'a result of another version is refused' 1 "$SHARDWALK" open "$TMP/newer.jsonl"
holds 'by its code' 'P02' "$TMP/err"
sed 's/"ranks": 4/"ranks": "4"/' "$TMP/result.jsonl" >"$TMP/wrong.jsonl"
status 'a value that cannot be is refused' 1 "$SHARDWALK" open "$TMP/wrong.jsonl"
holds 'with its key' "P01.*'ranks' is not a whole number" "$TMP/err"
holds 'and its place' 'line 1, column 1[0-9]* of the file' "$TMP/err"

## Programs that are not there

status 'no mpiexec' 3 env -u SHARDWALK_MPIEXEC PATH="$TMP/none" "$SHARDWALK" run "$mesh" "$ends"
holds 'says which packages' 'mpich and libmpich-dev' "$TMP/err"
printf '#!/bin/sh\necho "mpiexec (OpenRTE) 4.1.4"\n' >"$bin/mpiexec"
chmod +x "$bin/mpiexec"
status 'another MPI' 3 env -u SHARDWALK_MPIEXEC PATH="$bin" "$SHARDWALK" run "$mesh" "$ends"
holds 'is named' 'Open MPI 4.1.4, not of MPICH' "$TMP/err"
launcher <<-END
	while read -r line; do echo "\$line"; done <"$TMP/records"
END
cp "$bin/launcher" "$bin/mpiexec.mpich"
status 'MPICH beside another MPI' 0 env -u SHARDWALK_MPIEXEC PATH="$bin" "$SHARDWALK" run "$mesh" "$ends"
rm "$bin/mpiexec" "$bin/mpiexec.mpich"
status 'a launcher that is not there' 3 env SHARDWALK_MPIEXEC="$bin/none" "$SHARDWALK" run "$mesh" "$ends"
holds 'is named as the user did' 'SHARDWALK_MPIEXEC' "$TMP/err"
status 'no executor' 3 env SHARDWALK_EXEC="$bin/none" "$SHARDWALK" run "$mesh" "$ends"
holds 'says so' 'SHARDWALK_EXEC' "$TMP/err"
status 'info tells of both' 0 "$SHARDWALK" info
holds 'of the launcher' "launcher: $bin/launcher (MPICH 4.0.2)" "$TMP/out"

## Ranks that fail

launcher <<-END
	cat "$TMP/half.jsonl"
	exit 0
END
status 'status 0 without a complete record' 3 "$SHARDWALK" -c "$mesh; $ends; run; show mesh"
holds 'is a failure' 'error\[E04\].*ended early' "$TMP/err"
holds 'and the session goes on' '4 devices' "$TMP/out"
gone 'ranks that leave' "$bin/launcher"

launcher <<-'END'
	echo '=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES'
	echo 'YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)'
	exit 9
END
status 'a rank that is killed' 3 run
holds 'is called so' 'a rank was killed (signal 9)' "$TMP/err"

launcher <<-'END'
	echo '{"schema":"shardwalk.run/1","record":"error","plan":"p","error":{"code":"E01","message":"host needs 5 GiB and has 1 GiB","hint":"a smaller array","status":3}}'
	exit 3
END
status 'what the executor refuses' 3 run
holds 'is shown in its words' 'error\[E01\]: host needs 5 GiB and has 1 GiB' "$TMP/err"
holds 'with its advice' 'help: a smaller array' "$TMP/err"

launcher <<-'END'
	echo 'shardwalk-exec: rank 2 (process 17) hangs: no progress for 1 s in step 1 (alltoall)' >&2
	echo '  raise --timeout where the machine is slow' >&2
	exit 3
END
status 'what a rank says on standard error' 3 run
holds 'is shown too' 'rank 2 (process 17) hangs' "$TMP/err"

launcher <<-END
	sed 's/"verified": true/"verified": false/' "$TMP/records"
	echo 'shardwalk-exec: p.json: P04: element [0, 1] of the tile on device 2 is wrong' >&2
	exit 1
END
status 'a wrong element' 1 run
holds 'is shown with its place' 'error\[P04\]: element \[0, 1\] of the tile on device 2' "$TMP/err"

## Ranks that hang, and children that hide

launcher <<-END
	trap '' INT TERM
	cat "$TMP/half.jsonl"
	setsid sh -c 'trap "" INT TERM HUP; while :; do sleep 997; done' "$TMP/hidden" &
	sleep 997 & wait; wait
END
status 'a hang ends the run in time' 3 timeout "$PATIENCE" "$SHARDWALK" run "$mesh" "$ends" --timeout 1
holds 'and is reported' 'hang: no progress for 1 s' "$TMP/err"
gone 'a hang' "$TMP/hidden"

for signal in INT:130 TERM:143 HUP:129 KILL:137; do
	: >"$TMP/out"
	sh -c 'trap - INT; exec "$@"' sh "$SHARDWALK" run "$mesh" "$ends" --json >"$TMP/out" 2>"$TMP/err" &
	await grep -q '"step"' "$TMP/out"
	kill -"${signal%:*}" $!
	wait $! 2>/dev/null
	equal "SIG${signal%:*} ends the program" "${signal#*:}" $?
	gone "SIG${signal%:*}" "$TMP/hidden"
done

## Numbers of ranks

launcher <<-END
	cat "$TMP/records"
END
wide='mesh {x: 4, y: 12}'
across='[3{x}12, 2{y}24] ~> [12, 24]'
status 'more ranks than max_ranks' 1 "$SHARDWALK" run "$wide" "$across"
holds 'says how many would do' 'run --ranks 16' "$TMP/err"
status 'a part of the mesh' 0 "$SHARDWALK" run "$wide" "$across" --ranks 16
holds 'leaves the largest prime factor out' 'on a part of the mesh: {x: 4, y: 4}, f32\[3{x}12, 2{y}8\]' "$TMP/err"
status 'a number that no part has' 1 "$SHARDWALK" run "$wide" "$across" --ranks 7
status 'more than the mesh has' 1 "$SHARDWALK" run "$mesh" "$ends" --ranks 5
status 'max_ranks may be raised' 0 "$SHARDWALK" -c "set max_ranks 48; $wide; $across; run"

## Wrong options, no room

for words in '--transport pigeons' '--timeout 0' '--timeout x' '--reps 0' '--sweep 1KiB' '--sweep 2MiB:1MiB' '--compare fused,best' '--ranks x'; do
	status "$words" 1 run $words
done
status 'no place for the files of a run' 3 env TMPDIR="$TMP/none" "$SHARDWALK" run "$mesh" "$ends"
holds 'says where' "$TMP/none" "$TMP/err"
launcher <<-END
	while [ \$# -gt 0 ]; do [ "\$1" != --samples ] || echo plan,what,step,repetition,seconds >"\$2"; shift; done
	cat "$TMP/records"
END
status 'samples' 0 run --samples "$TMP/samples.csv"
equal 'are in the file' 1 "$(grep -c '^plan,what' "$TMP/samples.csv")"
status 'samples without room' 3 run --samples /dev/full
holds 'say so' 'No space left' "$TMP/err"
gone 'samples' "$bin/launcher"

## Calibration

# A probe that came too late for the first plan, or for all: a launcher that measures them so.
probed() { # FIRST OTHERS
	launcher <<-END
		for word; do
			shift
			case \$word in *.json) set -- "\$@" "\$word" ;; esac
		done
		exec awk -v hop=$1 -v others=$2 '
			NR == FNR { records = records \$0 "\n"; next }
			FNR == 1 { named = 0 }
			!named && match(\$0, /"name": *"[^"]*"/) {
				split(substr(\$0, RSTART, RLENGTH), word, "\"")
				text = records; gsub(/PLAN/, word[4], text); gsub(/HOP/, hop, text); printf "%s", text
				hop = others; named = 1
			}' "$TMP/calibration" "\$@"
	END
}
{
	records PLAN | sed 's/"launch": 1/&, "probe": {"hop_seconds": HOP, "stream_bytes_per_second": 2e10}/;p;$!d;s/"step": 1/"step": 2/'
	rest | sed 's/"record": "total"/&, "step_seconds": [0.001, 0.001]/'
} >"$TMP/calibration"
probed null 1.7e-7
status 'calibrating where the first probe failed' 0 "$SHARDWALK" calibrate --ranks 2
holds 'takes the others' 'regime: 170 ns from core to core, 20 GB/s copied' "$TMP/out"
probed 0 0
status 'calibrating where all failed' 0 "$SHARDWALK" calibrate --ranks 2
holds 'names what was not measured' 'regime: from core to core not measured, 20 GB/s' "$TMP/out"
holds 'in JSON too' '"hop_seconds": *null' "$XDG_STATE_HOME/shardwalk/calibration.json"
status 'and info' 0 "$SHARDWALK" info
holds 'does' 'from core to core not measured' "$TMP/out"
rm "$XDG_STATE_HOME/shardwalk/calibration.json"

mkdir -p "$XDG_STATE_HOME/shardwalk"
echo '{"schema": "shardwalk.calibration/1", "host"' >"$XDG_STATE_HOME/shardwalk/calibration.json"
status 'a damaged calibration' 0 "$SHARDWALK" info
holds 'is reported' 'damaged' "$TMP/err"
[ -f "$XDG_STATE_HOME/shardwalk/calibration.json.damaged" ] && ok 'and set aside' || not_ok 'and set aside' 'it is not there'
[ ! -f "$XDG_STATE_HOME/shardwalk/calibration.json" ] && ok 'and not used' || not_ok 'and not used' 'it is still there'
status 'times beside those of hardware' 0 "$SHARDWALK" -c "$mesh; $ends; run; compare"
holds 'know nothing of this machine' 'predicted on hardware default, which' "$TMP/out"
status 'and nothing is said of it' 0 "$SHARDWALK" -c "$mesh; $ends; compare"
holds 'where nothing was measured' 'predicted on hardware default$' "$TMP/out"
cat >"$XDG_STATE_HOME/shardwalk/calibration.json" <<-END
	{"schema": "shardwalk.calibration/1", "host": "$(uname -n)", "date": "2026-01-01T00:00:00Z", "mpi": "MPICH 4.0.2", "ranks": 4,
	 "cores": $(nproc), "regime": {"hop_seconds": 1e-7, "stream_bytes_per_second": 1e10}, "rates": [{"transport": "shared",
	 "op": "alltoall", "group": 2, "bytes": 0, "alpha": 0.5, "bandwidth": 1e9, "copy": 0},
	 {"transport": "shared", "op": "allgather", "group": 2, "bytes": 0, "alpha": 0.5, "bandwidth": 1e9, "copy": 0}]}
END
launcher <<-END
	cat "$TMP/records"
END
status 'a calibration' 0 run
holds 'predicts' 'predicted by the model calibrated' "$TMP/out"
holds 'by its rates' 'alltoall.* 500 ms$' "$TMP/out"

status 'a comparison' 0 "$SHARDWALK" -c "$mesh; $ends; run; compare"
holds 'names the model that knows this machine' 'model *calibrated does\|^ *calibrated does' "$TMP/out"
status 'a comparison by it' 0 "$SHARDWALK" -c "$mesh; $ends; run; compare --model calibrated"
equal 'has no such line' 0 "$(grep -c 'knows nothing' "$TMP/out")"

# A calibration of before has no sums: a reducescatter goes as an alltoall, an allreduce as two.  One that has them counts theirs.
file=$XDG_STATE_HOME/shardwalk/calibration.json
sums() { # NAME COST ENDS
	status "$1" 0 "$SHARDWALK" plan 'mesh {x: 4}' "$3" --model calibrated --strategy sum-first --json
	holds 'costs' "\"model_cost\": $2" "$TMP/out"
}
cp "$file" "$TMP/before.json"
status 'what a calibration lacks' 0 "$SHARDWALK" info
holds 'is shown' 'adding was not measured: .*alltoall.*calibrate' "$TMP/out"
sums 'an allreduce without rates' '3\.0000006' 'f32[100]+{x} ~> f32[100]'
rate() { # OP ALPHA
	echo "{\"transport\": \"shared\", \"op\": \"$1\", \"group\": 2, \"bytes\": 0, \"alpha\": $2, \"bandwidth\": 1e9, \"copy\": 0},"
}
sed "s|\"rates\": \[|&$(rate reducescatter 3)$(rate allreduce 2)|" "$TMP/before.json" >"$file"
status 'one that has it' 0 "$SHARDWALK" info
equal 'tells of nothing' 0 "$(grep -c 'was not measured' "$TMP/out")"
sums 'an allreduce by its rate' '12\.0000006' 'f32[100]+{x} ~> f32[100]'
cp "$TMP/before.json" "$file"

# Products have times by what was measured of them; kernels of a later version are passed over.
status 'no products' 0 "$SHARDWALK" info
holds 'are shown of' 'products were not measured' "$TMP/out"
kernels='"library": "libours.so", "kernels": [{"kernel": "product", "size": 64, "alpha": 1e-6, "rate": 1e9},
 {"kernel": "each", "size": 4096, "alpha": 1e-6, "rate": 1e9}, {"kernel": "later", "size": 1, "alpha": 1, "rate": 1}],'
sed "s|\"rates\": \[|$(echo "$kernels" | tr -d '\n')&|" "$TMP/before.json" >"$file"
status 'products' 0 "$SHARDWALK" info
holds 'are shown' 'products by libours.so: 1 us to begin, 1 Gflop/s per rank; relu 1 GB/s' "$TMP/out"
status 'a program' 0 "$SHARDWALK" -c "program $SRC/samples/matrices/blocks.spmd; model calibrated; program"
holds 'counts them' '99.3 us for products' "$TMP/out"
cp "$TMP/before.json" "$file"

# One of another machine is not used, and it is said what differs.
file=$XDG_STATE_HOME/shardwalk/calibration.json
cp "$file" "$TMP/good.json"
strange() { # NAME SED WHAT
	sed "$2" "$TMP/good.json" >"$file"
	status "a calibration of another $1" 1 "$SHARDWALK" plan 'mesh {x: 2}' '[2{x}4] ~> [4]' --model calibrated
	holds 'is refused' "error\[S10\].*$3" "$TMP/err"
	status 'info' 0 "$SHARDWALK" info
	holds 'says it too' "not used: $3" "$TMP/out"
	status 'run' 0 run
	holds 'predicts by round figures' 'predicted by the model latency' "$TMP/out"
}
strange host 's/"host": "[^"]*"/"host": "elsewhere"/' "it is from the host elsewhere, but this is $(uname -n)"
strange 'number of cores' 's/"cores": [0-9]*/"cores": 4096/' "it is from 4096 cores, but this machine has $(nproc)"
strange MPI 's/MPICH 4.0.2/Open MPI 4.1/' 'it is from Open MPI 4.1, but here is MPICH 4.0.2'

# What cannot be read is reported, and is not called missing.
unread() { # NAME WHAT
	status "$1" 1 "$SHARDWALK" plan 'mesh {x: 2}' '[2{x}4] ~> [4]' --model calibrated
	holds 'is reported' "error\[S10\].*cannot read.*$2" "$TMP/err"
	status 'info' 0 "$SHARDWALK" info
	holds 'says it too' 'calibrated: its file cannot be read' "$TMP/out"
}
rm "$file"
mkdir "$file"
unread 'a folder' 'Is a directory'
rmdir "$file"
ln -s "$TMP/nowhere" "$file"
unread 'a link to nowhere' 'No such file.*it is a link'
rm "$file"
cp "$TMP/good.json" "$file"

status 'hardware' 0 "$SHARDWALK" hardware
holds 'has this machine' '^calibrated  *1GB/s 500ms  *4 ranks' "$TMP/out"
holds 'and says how it was measured' 'this machine, for .model calibrated.. Measured' "$TMP/out"

# Nothing is started.
launcher <<-END
	touch "$TMP/started"
END
rm -f "$TMP/started"
status 'a run that is only said' 0 "$SHARDWALK" run "$mesh" "$ends" --dry-run --reps 5
holds 'its ranks' '^ranks    4, for each of 1 plan$' "$TMP/out"
holds 'its memory' '^memory   128 B a rank .*, 512 B in all$' "$TMP/out"
holds 'its buffers' '^buffers  at most 8 KiB a rank if messages are sent' "$TMP/out"
holds 'its command line' "^command  $bin/launcher -n 4 .*shardwalk-exec .*--reps 5 .*plan.json$" "$TMP/out"
status 'for programs' 0 "$SHARDWALK" run "$mesh" "$ends" --dry-run --json
holds 'as numbers' '"schema": "shardwalk.dry_run/1", "ranks": 4, "plans": 1, "tile_bytes_per_rank": 128' "$TMP/out"
status 'above what may be run here' 0 "$SHARDWALK" run 'mesh {x: 4096}' '[2{x}8192] ~> [8192]' --dry-run
equal 'no rank was started' no "$([ -e "$TMP/started" ] && echo yes || echo no)"

# A link that the mesh gives counts before what was measured: 8 bytes at 1 B/s.
status 'a link of the mesh' 0 "$SHARDWALK" plan 'mesh {x: 2 @ 1B/s 1us}' '[2{x}4] ~> [4]' naive --model calibrated --json
holds 'counts under calibrated' '"model_cost": 8\.0' "$TMP/out"
finish
