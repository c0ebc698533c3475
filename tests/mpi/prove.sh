#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The proof of the data can fail: one byte is flipped, or two elements change places, before the last check.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'prove'
light_start

names() { # NAME TEXT
	if grep -q -- "$2" "$TMP/out"; then ok "$1"; else not_ok "$1" "'$2' is not in: $(grep first_wrong "$TMP/out")"; fi
}

for type in i8 bf16 f32 f64 c128; do
	plan $type fused '{x: 4}' "$type[{x}16, 12] ~> $type[16, {x}12]"
done
size=1
for type in i8 bf16 f32 f64 c128; do
	# The tile on each device is 16 x 3; element 7 of it is at [2, 1].
	ranks 4 --reps 0 --flip 2:$((7 * size)) "$TMP/$type.json"
	equal "a flipped byte of $type ends with 1" 1 $status
	names "$type: the device" '"device":2,'
	names "$type: the place in its tile" '"place":\[2,1\]'
	names "$type: the place in the array" '"index":\[2,7\]'
	[ $size -lt 4 ] || names "$type: the value belongs nowhere" '"belongs":null,"belongs_known":true'
	equal "$type: the run is complete all the same" 1 "$(records complete)"
	size=$((size * 2))
done
says 'the message names the device' 'on device 2 is wrong'

for type in f32 f64 c128; do
	# Elements 7 and 30 of the tile on device 1 are at [2, 1] and [10, 0], in the array at [2, 4] and [10, 3].
	ranks 4 --reps 0 --swap 1:7:30 "$TMP/$type.json"
	names "$type: where a misplaced value belongs" '"belongs":{"index":\[10,3\],"device":2}'
done
says 'the message says so too' 'belongs to element \[10, 3\], which device 2 held at first'
finish
