#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Schedules on the screens of a real terminal: their keys, the menu of views, traffic of a step, rows of compare, completion.
. "$SRC/tests/lib.sh"
. "$SRC/tests/terminal/lib.sh"
HOME_OF_IT=$TMP
cat >"$TMP/start.sw" <<'END'
set opens stay
mesh {x: 3, y: 3}
schedule cannon m=9 n=9 k=9
END
OPTIONS='-i start.sw'

for size in '80 24' '200 50'; do
	# shellcheck disable=SC2086
	start $size
	shown '^shardwalk> *$' && line 'tui' && shown 'holds\*'
	keys s s
	sees "$size: what processors hold in step 2" '0 B01←1 C10↑3 │1 B02←2 C21↑4 │2 B00←0 C02'
	sees "$size: all of what that takes" '324 elements in all'
	keys C
	sees "$size: C goes to the loops" '━ loops\*'
	keys X
	sees "$size: X goes to the execution" '━ execution\*'
	keys B
	sees "$size: B goes to what is held" '━ holds\*'
	keys 5
	sees "$size: traffic is that of the step" 'traffic  of step 2 of 3'
	sees "$size: with its elements" 'total 108 elements'
	keys T
	sees "$size: T is all steps" 'total 324 elements'
	keys 2
	sees "$size: tiles are those of the arrays" 'B at home, cells of 3 x 3  B needed in step 2'
	keys z
	sees "$size: z lists the views" 'views\*  what else can I see of this'
	text 'relation'
	sees "$size: typing filters them, and says why there is nothing" 'F  relation +this view is of one redistribution'
	keys C-u
	text 'pseudocode'
	shown '▶ C  loops'
	keys Enter
	sees "$size: Enter opens one" '━ loops\*'
	keys 7
	shown 'Down chooses one' && keys Down
	sees "$size: a row of compare is chosen" 'Enter takes it'
	keys Enter
	shown '━ compare' && keys : && line 'schedule' && keys 8
	keys Escape
	keys q
done

start 80 24
shown '^shardwalk> *$'
text '.dis' && keys Tab
sees 'a line that begins with a dot is completed' '> \.distribute\($'
keys C-c
text '.substitute({ii}, ' && keys Tab Tab
sees 'with kernels for substitute' '^gemm '
keys C-c

finish
