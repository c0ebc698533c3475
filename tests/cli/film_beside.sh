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

PRODUCT='mesh {x: 2, y: 2}; einsum ij,jk->ik [2{x}4, 3{y}6], [3{y}6, 4{x}8] as [2{x}4, 4{y}8]; ways 1'

"$SHARDWALK" -c "$PRODUCT; film 1 --way 5; program" >"$TMP/ways" 2>&1
says 'the way below has its title' 'way 5  4 steps of 3 arrays' "$TMP/ways"
says 'both on one axis' '16.0 us present' "$TMP/ways"
says 'the session is as it was' 'in all: cost 36' "$TMP/ways"
refused 'a way that is not there' L12 '1 to 37' "$SHARDWALK" -c "$PRODUCT; film 1 --way 1000"
refused 'no product' L02 'no way is drawn below this' "$SHARDWALK" -c "$PAPER; film --way 2"

refused 'a strategy that is not there' S04 'naive' "$SHARDWALK" -c "$PAPER; film --beside naiv3"
refused 'no plan is drawn' L02 'film --beside' "$SHARDWALK" -c "$PAPER; show mesh --beside naive"
refused 'a film of a program' L02 'nothing is drawn beside this' "$SHARDWALK" -c 'mesh {x: 3, y: 3}; schedule cannon m=9 n=9 k=9; film --beside naive'
finish
