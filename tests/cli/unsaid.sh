#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Bytes that a trace does not say are none, and totals of rows that are not planned are none.
. "$SRC/tests/lib.sh"

printf 'Global\n  FORWARD PASS\n    *c10d_functional.all_gather_into_tensor: 2\n' >"$TMP/table.txt"
status 'a table of counts' 0 "$SHARDWALK" --quiet -c "import $TMP/table.txt"
says 'has no bytes' 'The program calls 2 all-gathers, whose bytes are unknown:'
lacks 'and no mean' 'mean 0 B'

printed=$SRC/tests/printed/torch-2.15-debugmode-2d.txt
status 'rows without a mesh' 0 "$SHARDWALK" --quiet -c "import $printed"
holds 'are not planned' 'rows are not planned'
lacks 'and have no total' 'each device receives'
status 'rows with their mesh' 0 "$SHARDWALK" --quiet -c "mesh {dp: 2, tp: 4}; import $printed"
holds 'have one' 'each device receives'
finish
