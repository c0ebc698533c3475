#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The same program as StableHLO, before it is partitioned, and as HLO, after that, has the same rows where both say how values
# are cut, and the same collectives where it calls them itself.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

pairs=$SRC/tests/cases/pairs

# Rows of an import, one a line, without what differs between the dialects: names of axes, of values and lines.
objects() { # FILE
	"$SHARDWALK" import "$1" --json 2>"$TMP/err" | tr -d '\n' | sed 's/}, {"/}\n{"/g'
}

# What the table says: FROM TO RUNS BYTES
rows() { # FILE
	objects "$1" | sed -n 's/.*"runs": \([0-9]*\),.*"mesh": "[^"]*", "from": "\([^"]*\)", "to": "\([^"]*\)".*"bytes_now": \([0-9]*\), "bytes_planned": \([0-9]*\), "peak_now".*/\2 to \3, \1 x \4 or \5/p' |
		sed 's/{x}/{a}/g; s/{y}/{b}/g' | sort
}

# What the collectives are: KIND, WHERE, BYTES, MEAN, RUNS
collectives() { # FILE
	objects "$1" |
		sed -n 's/.*"runs": \([0-9]*\), "bytes": \([0-9]*\), "mean": \([0-9]*\), "kind": "\([^"]*\)", "count": \([0-9]*\), "where": "\([^"]*\)".*/\4 in \6: \1 x \2, mean \3, \5 in the text/p' |
		sort
}

alike() { # WHAT NAME HLO STABLEHLO
	if [ -z "$3" ]; then not_ok "$2: $1" "the HLO has none: $(cat "$TMP/err")"; else equal "$2: $1" "$3" "$4"; fi
}

## Where both have the shardings

for name in dot-constraint exchange-constraint gather-constraint; do
	alike 'one row for each redistribution' "$name" "$(rows "$pairs/$name.hlo")" "$(rows "$pairs/$name.mlir")"
done

## Where XLA moves the value before it is transposed, or without its dimension of 1

for name in transpose-constraint swap-constraint; do
	alike 'as many bytes, as often' "$name" "$(rows "$pairs/$name.hlo" | sed 's/.*, //')" "$(rows "$pairs/$name.mlir" | sed 's/.*, //')"
done

## Collectives that the program calls itself

for name in psum gather exchange ring scatter halo branches maximum; do
	alike 'the same collectives' "$name" "$(collectives "$pairs/$name.hlo")" "$(collectives "$pairs/$name.mlir")"
done
equal 'a ring of three steps' 'collective-permute in 2 rings of 4, offset +2: 3 steps of 128 B: 3 x 128, mean 128, 1 in the text' "$(collectives "$pairs/ring.mlir")"
equal 'every pair is compared' 13 "$(find "$pairs" -name '*.mlir' | wc -l | tr -d ' ')"

finish
