#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What commands say of themselves: a list once, bytes that are moved, and what may be compared.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

product='einsum ij,jk->ik [64, 16{x}32], [16{x}32, 48] as [64, 48]'
status 'ways of a product' 0 "$SHARDWALK" ways 'mesh {x: 2, y: 2}' "$product"
equal 'are listed once' 1 "$(grep -c '^case ' out)"
status 'ways with options' 0 "$SHARDWALK" ways --limit 3 'mesh {x: 2, y: 2}' "$product"
equal 'too' 1 "$(grep -c '^case ' out)"
says 'as the options ask' '3 of 39 ways'
status 'a way by its number' 0 "$SHARDWALK" ways 2 'mesh {x: 2, y: 2}' "$product"
holds 'is taken' 'way 2 is the present program'

status 'a plan is verified' 0 "$SHARDWALK" -c 'mesh {x: 4}; f32[{x}8] ~> f32[8]; verify'
says 'each of 4 devices gets 6 elements of 4 bytes' '(96 B moved)'
status 'of an element type of 2 bytes' 0 "$SHARDWALK" -c 'mesh {x: 4}; bf16[{x}8] ~> bf16[8]; verify'
says 'it is half' '(48 B moved)'

refused 'alltoallw beside a strategy' S04 'sum-first; or `alltoallw`' "$SHARDWALK" -c 'mesh {x: 4}; [{x}8] ~> [8]; run --compare alltoallw,fused'
says 'the columns' '  |                                            ^^^^^^^^^' err
refused 'alltoallv' S04 'some of naive,' "$SHARDWALK" -c 'mesh {x: 4}; [{x}8] ~> [8]; run --compare alltoallv'
finish
