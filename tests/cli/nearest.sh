#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A mistyped option: what it is near, its columns, and at a prompt an empty line that takes what was meant.
. "$SRC/tests/lib.sh"

near() { # OPTION STATEMENT
	refused "$1 is near" L05 "did you mean '$1'?" "$SHARDWALK" -c "mesh {x: 4}; $2"
}

near --budget 'plan --budgte 2x'
near --budget 'plan --budgte=2x'
near --strategy 'plan --strategi paper'
near --limit 'ways --limti 3'
near --limit 'einsum ij,jk->ik [4, 6], [6, 8] as [4, 8] --limti 3'
near --json 'compute y[i] = x[i] --jsn'
near --length 'reductions --lenght 3'
refused 'a word that is near none' L05 'help: `help plan` lists its options' "$SHARDWALK" -c 'plan --xyzzy'

cat >"$TMP/marked" <<'END'
  |  plan --budgte=2x
  |       ^^^^^^^^
END
"$SHARDWALK" -c 'plan --budgte=2x' 2>"$TMP/err"
equal 'its name is marked, not its value' "$(cat "$TMP/marked")" "$(sed -n '3,4p' "$TMP/err")"

printf 'mesh {x: 2}\n[2{x}4] ~> [4]\nplan --budgte=4x\n\n' | "$SHARDWALK" -i >"$TMP/out" 2>&1
says 'an empty line takes what was meant' '> plan --budget=4x'
holds 'and it runs' 'allgather'
finish
