#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The tour in the screens, in a real terminal: from its first to its last step, back, a pause, another size in the middle, and
# where there is no terminal that can show it.
. "$SRC/tests/lib.sh"
. "$SRC/tests/terminal/lib.sh"
HOME_OF_IT=$TMP

begun() { # WIDTH HEIGHT
	OPTIONS='--tui'
	start "$1" "$2"
	shown 'q leave'
	keys :
	line 'set pace 20'
	shown 'pace = 20|^shardwalk> *$'
	line ':tour'
	shown 'tour 1 of 12 .* pressed: M Z'
}

# What is on the screen when the keys of a step were pressed.
begun 80 24
sees 'the mesh' '18 +19 +20 +21 +22 +23'
step=1
while read -r pressed; do
	step=$((step + 1))
	keys Enter
	if [ -n "$pressed" ]; then
		sees "step $step" "tour $step of 12 .* pressed: $pressed "
	else
		sees "step $step" '144!' # a line alone
	fi
done <<'END'
Y Z
2 Z
P M s
Y
2
s s
3

1 s s f
4
7
END
sees 'the last step compares' 'dtensor-min-cost'
sees 'what was checked is shown' 'verified: all 144 elements'
keys b
sees 'b goes back' 'tour 11 of 12 .* pressed: 4 '
sees 'to the picture that was there' 'optimum over local types 12'
keys Enter
shown 'tour 12 of 12 .* pressed: 7 '
keys Enter
sees 'and it ends' 'the tour ends here'
lacks 'with its row' 'tour 12 of 12'
keys q
shown '^shardwalk> *$'
line 'show plan'
sees 'and the session is as it was before' 'there is no plan yet'
line 'undo'
line 'show plan'
sees 'undo brings back what it defined' '3 steps, 1 permutation'

# A pause, and other sizes.
begun 120 40
keys :
line 'set pace 60000'
shown '^Enter next'
keys Enter
shown 'tour 2 of 12'
keys Space
sees 'Space pauses' 'paused'
tmux resize-window -x 60 -y 20
sees 'it is on a smaller screen' '^Enter next  b back  Space go on  Esc leave'
keys C-c
sees 'Ctrl-C leaves' 'you left the tour'
sees 'and the start is there' 'start\*'
keys Q
ended 'the end'

# q leaves the screens; the prompt goes on where they was.
begun 80 24
keys q
shown '^tour 1/12> *$'
keys Enter
sees 'the prompt goes on with the next step' '^2/12  '
line 'tui'
sees 'and the screens again' 'tour 2 of 12'
keys Q
ended 'the end of that'

# A script that is played, and recorded.
cat >"$TMP/film.sw" <<'END'
# Devices form a mesh.
mesh {x: 4, y: 6}
# We need it cut the other way.
[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]
plan
# No tile is above the budget.
show heights
# What else there is
# is torn out as a row.
END
OPTIONS='--tui'
start 80 24
shown 'q leave'
keys :
line 'source --pace 60000 film.sw'
sees 'a script is played' 'film.sw, line 2'
sees 'its comments are said' '^  Devices form a mesh'
keys Space
sees 'Space pauses it' 'Space go on  C-c stop'
keys C-c
sees 'Ctrl-C ends it' 'q leave'
keys :
line 'source --pace 50 --record film.cast film.sw'
sees 'each statement opens its view' 'heights\*'
vanishes 'and it ends' 'C-c stop'
sees 'its end is shown, no row of the comments behind' '^played to the end: film.sw, line 7'
if await test -s "$TMP/film.cast"; then ok 'it is recorded'; else not_ok 'it is recorded' 'no file'; fi
holds 'from its beginning' 'Devices form a mesh' "$TMP/film.cast"
holds 'to its end' 'No tile is above the budget' "$TMP/film.cast"
equal 'at its size' 1 "$(head -n 1 "$TMP/film.cast" | grep -c '"width": 80, "height": 24')"
keys Q
ended 'the end of the film'

# Terminals that cannot.
TERMINAL=dumb
OPTIONS=
start 80 24
shown 'shardwalk> *$'
line 'tour'
sees 'a dumb terminal has the tour as text' '^1/12  24 devices'
line 'q'
line 'quit'
ended 'the end of it'
finish
