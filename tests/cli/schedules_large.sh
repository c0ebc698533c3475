#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Schedules of more processors, or steps, than anybody walks through: figures from formulas, at once.
. "$SRC/tests/lib.sh"

script() { # LINE...: what it answers, both streams, in $TMP/out
	printf '%s\n' "$@" >"$TMP/script.sw"
	"$SHARDWALK" --quiet "$TMP/script.sw" >"$TMP/out" 2>&1
}

square='mesh {x: 1048576, y: 1048576}'
sizes='m=1048576 n=1048576 k=1048576'

for name in cannon pumma summa; do
	script "$square" "schedule $name $sizes chunk=1"
	[ "$name" = summa ] || script "$square" "schedule $name $sizes"
	says "$name on 2^40 processors has a volume" '1 048 576 steps, 2 305 840 810 190 438 400 elements moved'
	says "$name has what one receives" '2 097 150 received, 3 held, 5 live'
done

script 'mesh {x: 2048, y: 2048, z: 2048}' "schedule johnson $sizes"
says 'a cube of 2^33 processors has a volume' '1 step, 6 752 100 906 172 416 elements moved'

# The session stays as it was.
script "$square" "schedule cannon $sizes" 'schedule'
says 'figures alone are no schedule of the session' 'L07'

printf '%s\n' "$square" "schedule cannon $sizes" >"$TMP/script.sw"
"$SHARDWALK" --quiet --json "$TMP/script.sw" >"$TMP/out" 2>/dev/null
equal 'JSON has the same figures' '2305840810190438400 2097150 5' "$(tail -n 1 "$TMP/out" | python3 -c '
import json, sys
line = json.load(sys.stdin)
print(line["volume"], line["max_received"], line["max_peak"])' 2>/dev/null)"

script 'mesh {x: 2097152, y: 1048576}'
says 'more than 2^40 processors are refused' 'error[M'

script 'mesh {x: 4, y: 4}' 'type A = f64[4096, 4096] xy->xy' 'type B = A' 'type C = A' \
	'compute A(i,j) = B(i,k) * C(k,j)' 'schedule .distribute({i,j}, {io,jo}, {ii,ji}, Grid(4,4))'
says 'four billion steps are not walked' '4 294 967 296 steps, 103 079 215 104 elements moved'

# Nobody asks who sends in four billion steps: all else is there, without `sent`.
printf '%s\n' 'mesh {x: 4, y: 4}' 'type A = f64[4096, 4096] xy->xy' 'type B = A' 'type C = A' \
	'compute A(i,j) = B(i,k) * C(k,j)' 'schedule .distribute({i,j}, {io,jo}, {ii,ji}, Grid(4,4))' 'schedule' >"$TMP/script.sw"
"$SHARDWALK" --quiet --json "$TMP/script.sw" 2>/dev/null | tail -n 1 >"$TMP/out"
equal 'JSON of four billion steps has figures and no senders' '4294967296 103079215104 6442450944 False' "$(python3 -c '
import json, sys
line = json.load(sys.stdin)
print(line["steps"], line["volume"], line["received"][0], "sent" in line)' <"$TMP/out" 2>/dev/null)"
cat >"$TMP/naive.jsonl" <<'END'
{"name": "naive", "machine": [[4, 4]], "statement": "A(i,j) = B(i,k) * C(k,j)", "shapes": {"A": [4096, 4096], "B": [4096, 4096], "C": [4096, 4096]}, "distributions": {"A": "xy->xy", "B": "xy->xy", "C": "xy->xy"}, "schedule": ["distribute({i,j}, {io,jo}, {ii,ji}, Grid(4,4))"]}
END
"$SHARDWALK" batch "$TMP/naive.jsonl" >"$TMP/out" 2>&1
holds 'and so has a line of a batch' '4294967296 steps, 103079215104 elements, live'

# Steps of one's own are looked at processor by processor; the refusal says what has formulas.
script 'mesh {x: 2048, y: 1024}' 'type A = f64[4096, 4096] xy->xy' 'type B = A' 'type C = A' 'compute A(i,j) = B(i,k) * C(k,j)'
says 'a formula on more than 2^20 devices is refused' 'error[S08]'
holds 'with what works there' 'schedule cannon m=N'
sed 's/\[4, 4\]/[2048, 1024]/; s/Grid(4,4)/Grid(2048,1024)/' "$TMP/naive.jsonl" >"$TMP/wide.jsonl"
"$SHARDWALK" batch "$TMP/wide.jsonl" >"$TMP/out" 2>&1
says 'and so is its line of a batch' '2097152 devices are more than 1048576'
holds 'with the same way out' 'schedule cannon m=N'
