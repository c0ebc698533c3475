#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs that repeat, in the formats of `export`: a format without rounds says so, and writes nothing.
. "$SRC/tests/lib.sh"

program() { # FILE REPEAT STATEMENTS
	printf '%s\n' 'mesh {x: 4}' 'fn p(x : f32[8{x}32, 6], w : f32[6, 6]) -> f32[8{x}32, 6] {' \
		'  y = einsum "ij,jk->ik" x w as [8{x}32, 6]' "$2" "$3" '}' >"$TMP/$1"
}

program once '' '  return y'
program five '  repeat 5' '  return y'
program before '  repeat 1' '  z = relu x
  return z'

for format in jax shard_map dtensor shardy stablehlo; do
	sw "program $TMP/once
export $format $TMP/written"
	[ -s "$TMP/written" ] && ok "$format writes what is done once" || not_ok "$format writes what is done once" "$(cat "$TMP/err")"
	rm -f "$TMP/written"
	for rounds in five:5 before:1; do
		sw "program $TMP/${rounds%:*}
export $format $TMP/written"
		says "$format has no rounds: ${rounds%:*}" \
			"error[P06]: the format $format says no rounds, and this program repeats ${rounds#*:}" "$TMP/err"
		[ ! -e "$TMP/written" ] && ok "$format writes nothing: ${rounds%:*}" || not_ok "$format writes nothing: ${rounds%:*}" "$(head -3 "$TMP/written")"
	done
done

sw "program $TMP/five
export jax $TMP/written"
holds 'the place is said' '2:1' "$TMP/err"
says 'and which format has rounds' 'help: mpi repeats it' "$TMP/err"
sw "program $TMP/five
export mpi $TMP/written"
[ -s "$TMP/written" ] && ok 'mpi has rounds' || not_ok 'mpi has rounds' "$(cat "$TMP/err")"

finish
