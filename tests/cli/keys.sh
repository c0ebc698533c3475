#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Two dictionaries of shardings without a common key are refused with the keys of both; a mesh is only said to be needed by
# waypoints that there are.
. "$SRC/tests/lib.sh"

entry() { echo "'$1': NamedSharding(mesh=Mesh('x': 4, 'y': 2), spec=PartitionSpec($2))"; }
{
	echo "{$(entry w1 "'x', None"), $(entry b1 "'x'")}"
	echo "{$(entry w2 "None, 'y'"), $(entry b2 "'y'")}"
} >"$TMP/keys"
refused 'no common key' N07 'the two dictionaries have no key in common' "$SHARDWALK" -c "import $TMP/keys"
says 'names the keys of both' "the first has 'w1', 'b1'; the second has 'w2', 'b2'" "$TMP/err"
{
	printf '{'
	for k in 1 2 3 4 5 6 7 8 9 10; do printf '%s, ' "$(entry "layers/$k/attention/kernel" "'x'")"; done
	printf '}\n{%s}\n' "$(entry w2 "None, 'y'")"
} >"$TMP/long"
refused 'long names' N07 'no key in common' "$SHARDWALK" -c "import $TMP/long"
holds 'are cut, and the second is there' "the first has 'layers/1/attention/kernel', 'layers/2.*\.\.\.; the second has 'w2'" "$TMP/err"
{
	echo "{$(entry w1 "'x', None"), $(entry b1 "'x'")}"
	echo "{$(entry w2 "None, 'y'"), $(entry b1 "'y'")}"
} >"$TMP/one"
status 'one common key' 0 "$SHARDWALK" -c "import $TMP/one"
says 'is planned, and the others are named' "only in the second: 'w2'" "$TMP/err"

status 'advice without waypoints' 0 "$SHARDWALK" --quiet -c \
	'mesh {x: 8}; import f32[64,64] {devices=[8,1]<=[8]} -> {devices=[2,4]<=[8]}; advise'
says 'has none' 'advice  for jax, 0 waypoints'
lacks 'so none needs a mesh' 'finer mesh'
status 'advice with one' 0 "$SHARDWALK" --quiet -c \
	'mesh {x: 8}; import f32[8,8,8] {devices=[2,1,4]<=[4,2]T(1,0)} -> {devices=[1,8,1]<=[8]}; advise'
says 'that needs one' 'the waypoints need a finer mesh of the same devices, in the same order'
status 'entries whose sizes nobody says' 0 "$SHARDWALK" import \
	"{'w': NamedSharding(mesh=Mesh('x': 4), spec=P('x', None)), 'b': NamedSharding(mesh=Mesh('x': 4), spec=P('x'))} -> {'w': NamedSharding(mesh=Mesh('a': 8), spec=P(None, 'a')), 'b': NamedSharding(mesh=Mesh('a': 8), spec=P('a'))}"
holds 'are assumed' 'f32\[4,8\] assumed$'
lacks 'none is said to move most' ' are row '
finish
