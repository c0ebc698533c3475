#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Algorithms on meshes with two levels: as rows for them, or on the nearest machine, which is said.
. "$SRC/tests/lib.sh"

script() { # LINE...: what it answers, both streams, in $TMP/out
	printf '%s\n' "$@" >"$TMP/script.sw"
	"$SHARDWALK" --quiet "$TMP/script.sw" >"$TMP/out" 2>&1
}

script 'mesh {x: 2, y: 2, z: 2; g: 2}' 'schedule johnson m=6 n=5 k=3' 'show type B' 'simulate'
says 'johnson on a cube of nodes moves what the case says' '1 step, 201 elements moved (A 120, B 36, C 45)'
holds 'with rows of a block on each processor of a node' '^\.distribute({ii},{iio},{iii},Grid(2))'
holds 'and one placement a level' 'f64\[{g,x}6, {z}3\] by nested on {y: 0}'
holds 'and the result of one processor' 'checksum 96'

for mesh in '{n: 4; g: 2}' '{x: 2, y: 2; g: 2}'; do
	for name in johnson solomonik cosma; do
		script "mesh $mesh" "schedule $name m=8 n=8 k=8" 'simulate'
		holds "$name on $mesh runs on the nearest machine" "^'$name' runs on .*, 2 x 2 x 2"
		holds "$name on $mesh is right" '^right: checksum'
	done
	script "mesh $mesh" 'type A = f64[8, 8] [xy->'"$([ "$mesh" = '{n: 4; g: 2}' ] && echo x || echo xy)"', xy->x]' 'type B = A' \
		'type C = A' 'compute A(i,j) = B(i,k) * C(k,j)' 'compare'
	for name in johnson solomonik cosma cosma-balanced; do
		holds "$name on $mesh is compared" "^$name  *2x2x2 "
	done
done

script 'mesh {x: 3, y: 2, z: 2; g: 2}' 'schedule johnson m=6 n=5 k=3'
holds 'nodes that are no cube: the nearest cube' "^'johnson' runs on a cube, 2 x 2 x 2, and uses 8 of 24 devices"
script 'mesh {x: 2, y: 2; z: 2; g: 2}' 'schedule johnson m=6 n=5 k=3'
holds 'three levels: the nearest cube' "^'johnson' runs on a cube, 2 x 2 x 2, and uses 8 of 16 devices"
script 'mesh {n: 3; g: 2}' 'schedule johnson m=6 n=5 k=3'
says 'too few for a cube are refused' "error[D40]: 'johnson' runs on no machine of 6 devices"
says 'with the smallest cube' 'the smallest cube has 8 devices, 2 x 2 x 2'
script 'mesh {n: 3; g: 2}' 'type A = f64[8, 8] [xy->x, xy->x]' 'type B = A' 'type C = A' 'compute A(i,j) = B(i,k) * C(k,j)' 'compare'
says 'and compare has the reason' "left out: johnson, because 'johnson' runs on no machine of 6 devices"
