#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What hardware states of element types and of the size of its memory.
. "$SRC/tests/lib.sh"

row() { # COMMANDS KEY
	"$SHARDWALK" -c "$1" --json 2>"$TMP/err" | sed -n "s/.*\"$2\": *\([-0-9.e+]*\).*/\1/p" | tail -1
}

equal 'Lassen in f64' 7800000000000 "$(row 'hardware lassen-gpu' flops_f64 | sed 's/\.0$//')"
equal 'Lassen holds' 16000000000 "$(row 'hardware lassen-gpu' holds | sed 's/\.0$//')"
equal 'of a type' 10000000000000 "$(row 'hardware mine = 10GB/s 1us flops 1e13 f64 holds 95GB; hardware mine' flops_f64 | sed 's/\.0$//')"
equal 'of any' 20000000000000 "$(row 'hardware mine = 10GB/s 1us flops 1e13 f64 flops 2e13; hardware mine' flops | sed 's/\.0$//')"
refused 'a size' L11 'a size above 0, 16GB' "$SHARDWALK" -c 'hardware mine = 10GB/s 1us holds 16'
refused 'a word' L11 'flops, memory or holds' "$SHARDWALK" -c 'hardware mine = 10GB/s 1us hold 16GB'
finish
