#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Answers that nobody can read because the disk is full: one message, and status 3, whatever was asked.
. "$SRC/tests/lib.sh"
mesh='mesh {x: 4, y: 2}'
ends='f32[{x}8, {y}8] ~> f32[{y}8, {x}8]'
"$SHARDWALK" plan "$mesh" "$ends" --json >"$TMP/plan.json"
echo '{"mesh": "{x: 4}", "from": "[3{x}12]", "to": "[12]"}' >"$TMP/batch.jsonl"
export HOME="$TMP"

full() { # WORDS...
	"$SHARDWALK" "$@" >/dev/full 2>"$TMP/err"
	equal "$*" '3 1 1' "$? $(grep -c '^error' "$TMP/err") $(grep -c 'No space left' "$TMP/err")"
}

for json in '' --json; do
	full help $json
	full help plan $json
	full info $json
	full tour $json
	full hardware $json
	for command in plan compare verify pareto advise; do
		full $command "$mesh" "$ends" $json
	done
	full show tiles "$mesh" "$ends" $json
	full explain "$mesh" 'P("x")' $json
	full export plan "$mesh" "$ends" - $json
	full batch "$TMP/batch.jsonl" $json
	full open "$TMP/plan.json" $json
	full -c "$mesh; $ends; plan; show plan" $json
done
full --help
full --version
full help --man commands
full -c 'mesh {x: 4}; show mesh; show mesh; show mesh'
for format in plan jax hlo dtensor shard_map stablehlo mpi; do
	"$SHARDWALK" export $format "$mesh" "$ends" /dev/full >"$TMP/out" 2>"$TMP/err"
	equal "export $format" '3 1' "$? $(grep -c '^error\[B02\].*No space left' "$TMP/err")"
done
finish
