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
