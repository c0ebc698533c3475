#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Keys in every view, in a real terminal: each view still comes after all that was pressed in the one before, and the
# program ends as it should.  tests/unit/test_tui_keys.c presses all of them and looks at more.
. "$SRC/tests/lib.sh"
. "$SRC/tests/terminal/lib.sh"

views='graph:1 tiles:2 heights:3 plan:4 traffic:5 times:6 rewriting:9 pareto:0 type:Y mesh:M imports:I output:8'

walked() { # NAME COLUMNS ROWS PROBLEM
	printf '%s\n' "$4" >"$TMP/problem.sw"
	OPTIONS='--tui problem.sw'
	start "$2" "$3"
	shown 'graph\* '
	keys P
	for view in $views; do
		keys "${view#*:}"
		sees "$1: ${view%:*}" " ${view%:*}\\* "
		keys s b s j k Left Right g G NPage r + - t x o T '<' '>'
		keys / 1 Enter n N Escape '&' 1 Enter Escape y E 0 , 0 Enter Escape v u d e Escape U P
	done
	keys 1
	sees "$1: the graph again" ' graph\* '
	keys Q
	ended "$1: it ends"
	equal "$1: with status 0" "status 0" "$STATUS"
}

walked 'two devices' 60 20 'mesh {x: 2}
[4{x}8, 8] ~> [8, 4{x}8]'
walked '24 devices' 80 24 'mesh {x: 4, y: 6}
[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]'
walked '2^20 devices' 120 40 'mesh {a: 1024, b: 1024}
[1{a}1024, 1024, 1{b}1024, 64] ~> [1024, 1{a}1024, 1{b}1024, 64]
budget 1024x'

# Keys that come at once are keys each, whatever the first ones begin with.
OPTIONS='--tui problem.sw'
printf 'mesh {x: 2}\n[4{x}8, 8] ~> [8, 4{x}8]\n' >"$TMP/problem.sw"
start 80 24
shown 'graph\* '
keys P 2 4
sees 'from view to view' ' plan\* '
keys '['
sees 'and back' ' tiles\* '
keys Escape ']'
sees 'Esc and ] at once go forward' ' plan\* '
keys Escape F12 Down '?'
sees 'what has no meaning hides nothing behind it' ' help\* '
keys C-x Q
ended 'nor does half of C-x a'

# Keys as other terminals send them, whatever TERM says: Home and End of tmux are not those of xterm.
printf 'mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nplan\n' >"$TMP/problem.sw"
for TERMINAL in xterm-256color vt100 vt220 linux; do
	start 80 24
	shown 'film\* '
	keys 4
	shown '>0 from'
	for key in '[F:3' '[H:0' '[4~:3' '[1~:0' '[B:1' 'OB:2' 'OA:1' '[A:0' 'OF:3' 'OH:0'; do
		text "$(printf '\033%s' "${key%:*}")"
		sees "$TERMINAL: ${key%:*}" ">${key#*:} "
	done
	text "$(printf '\033OP')"
	sees "$TERMINAL: F1" ' help\* '
done

finish
