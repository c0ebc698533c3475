#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A second plan below the film of the first: both totals on one axis, and the tile above the budget; what it refuses.
. "$SRC/tests/lib.sh"

PAPER='mesh {x: 4, y: 6}; [3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]; plan exact'

"$SHARDWALK" -c "$PAPER; film --beside naive" >"$TMP/both" 2>&1
alone=$("$SHARDWALK" -c "$PAPER; plan naive; film" 2>&1 | sed -n 's/^film  //p')
one=$("$SHARDWALK" -c "$PAPER; film" 2>&1 | sed -n 's/^film  //p')
says 'the first has its title' "film  $one" "$TMP/both"
says 'the second has its own' "naive  $alone" "$TMP/both"
says 'the tile above the budget is said' 'naive: the tile of step 2, 576 B, exceeds the budget of 24 B.' "$TMP/both"
lacks 'nothing was measured' 'measured' "$TMP/both"

refused 'a strategy that is not there' S04 'naive' "$SHARDWALK" -c "$PAPER; film --beside naiv3"
refused 'no plan is drawn' L02 'film --beside' "$SHARDWALK" -c "$PAPER; show mesh --beside naive"
refused 'a film of a program' L02 'nothing is drawn beside this' "$SHARDWALK" -c 'mesh {x: 3, y: 3}; schedule cannon m=9 n=9 k=9; film --beside naive'
finish
