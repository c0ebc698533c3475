#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `evaluate --run`: problems on ranks, every element checked, times kept and gone on from; what was found stays where it is ended.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'evaluations on ranks'
light_start
cd "$TMP" || exit

few='--devices 4 --scale 0.001 --reps 3'
holds() { # NAME PATTERN
	if grep -qa -- "$2" out; then ok "$1"; else not_ok "$1" "no '$2' in: $(tail -c 600 out) $(head -c 600 err)"; fi
}
ran() { grep -ac '"shardwalk.evaluate-run/1"' "$1"; }

status 'problems on ranks' 0 "$SHARDWALK" evaluate --problems 20 --run 3 $few --resume kept.jsonl
holds 'the scale is named' '^RQ2:  time of paper against fused; 3 problems run, arrays to 0.001$'
holds 'times are measured' '^time: measured, with arrays to 0.001 of their elements$'
holds 'the worst cases are by time' '^worst cases  by time, of paper and fused$'
equal 'each is kept' 3 "$(ran kept.jsonl)"
equal 'with a time for every strategy' 9 "$(grep -o '"measured_s": [0-9.e-]*, "model_cost"' kept.jsonl | wc -l)"
cp kept.jsonl before.jsonl
status 'the same again' 0 "$SHARDWALK" evaluate --problems 20 --run 3 $few --resume kept.jsonl
status 'runs nothing' 0 cmp before.jsonl kept.jsonl
status 'more of them, as JSON' 0 "$SHARDWALK" evaluate --problems 20 --run 5 $few --resume kept.jsonl --json
equal 'go on from there' 5 "$(ran kept.jsonl)"
holds 'all count' '"ran": 5, "scale": 0.001, "time_ratios": \[{"strategy": "paper", "count": 5,'
holds 'and are measured' '"times": "measured", "order": '
refused 'another scale' L13 'at a scale of 0.001' "$SHARDWALK" evaluate --problems 20 --run 6 --devices 4 --scale 0.002 --resume kept.jsonl
status 'what was run is shown without running' 0 "$SHARDWALK" evaluate --problems 20 --devices 4 --resume kept.jsonl
holds 'at its scale' '; 5 problems run, arrays to 0.001$'

printf '%s\n' '{x: 4} [3{x}12, 12] ~> [12, 3{x}12]' '{x: 2} [6{x}12, 12] ~> [12, 6{x}12] # small' \
	'{"mesh": "{x: 2}", "from": "[6{x}12]", "to": "[12]", "mesh_device_ids": [1, 0]}' >problems
status 'problems of a file' 0 "$SHARDWALK" evaluate problems --run 3 --scale 1 --reps 3 --strategies naive,fused
holds 'on as many ranks as each has devices' '; 2 problems run, arrays to 1$'
equal 'what is left out is said' 1 "$(grep -c '^problem 3 is not run: its devices are not in the usual order$' err)"

## Ended

sh -c 'trap - INT; exec "$@"' sh "$SHARDWALK" evaluate --problems 400 --run 400 $few --resume long.jsonl >out 2>err &
pid=$!
await sh -c '[ -f long.jsonl ] && [ "$(grep -c evaluate-run long.jsonl)" -gt 7 ]'
kill -INT $pid
wait $pid
equal 'a signal ends it' 130 $?
holds 'what was measured is shown' '^RQ2:  time of paper'
equal 'how to go on is said' 1 "$(grep -ac "^help: the same line continues from the results in 'long.jsonl'$" err)"
equal 'every line of the file is whole' "$(wc -l <long.jsonl)" "$(grep -c '^{.*}$' long.jsonl)"
status 'it goes on from there' 0 "$SHARDWALK" evaluate --problems 400 --run 4 $few --resume long.jsonl

PATH=/nowhere status 'without a launcher' 3 "$SHARDWALK" evaluate --problems 5 --run 2 $few
holds 'the plans are shown of' '^RQ2:  cost of paper'

finish
