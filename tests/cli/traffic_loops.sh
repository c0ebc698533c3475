#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Loops of StableHLO: what their conditions move counts once more than their bodies, and a constraint on a counter, as JAX writes it
# where a manual computation is over some axes, hides no rounds.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

modules=$SRC/tests/hlo/traffic

status 'a collective in a condition' 0 "$SHARDWALK" import "$modules/condition.mlir" --json
says 'counts once more than the body' '"runs": 4, "bytes": 28672,' out
says 'in the total, too' '"traffic": {"bytes": 114688,' out
status 'constraints on a counter and its limit' 0 "$SHARDWALK" import "$modules/partly.mlir" --json
says 'leave the rounds what they are' '"runs": 5, "bytes": 8192,' out
finish
