#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What devices hold, who needs what from whom, a formula and its tasks on the screens of a real terminal.
. "$SRC/tests/lib.sh"
. "$SRC/tests/terminal/lib.sh"
HOME_OF_IT=$TMP
cat >"$TMP/start.sw" <<'END'
mesh {x: 6}
type x = [4{x}24]
type y = x
compute y[i] = 2*x[i] - x[i-1] - x[i+1]
END
OPTIONS='-i start.sw'

start 80 24
shown '^shardwalk> *$' && line 'tasks 15' && shown 'computed twice' && line 'tui'
sees 'a formula opens its tasks' 'tasks\*.* 0 of 15'
sees 'and what it needs' '^─ needs'
keys s
sees 's takes a step' 'round 1 of 15 is done: 6 of 90 tasks'
keys b
sees 'b goes back' 'round 0 of 15 is done: 0 of 90 tasks'
keys A
sees 'A shows what devices need' '━ needs\*'
sees 'with its owner' '^ *2  12 +3  0'
keys D
sees 'nothing is entered yet' 'this view is of one redistribution'
keys :
line 'enter x'
keys Escape
sees 'sets of an entered input' '━ sets\*'
sees 'device 2 holds its tile' '8-11'
keys F
sees 'F shows the relation' '━ relation\*'
sees 'whom each device needs' 'halo'
keys K
sees 'K comes back to the tasks' '━ tasks\*'

start 200 50
shown '^shardwalk> *$' && line 'enter x' && shown 'leave' && line 'tui' && shown 'q leave'
keys D
sees 'a wide window has sets' 'sets\*'
sees 'beside the relation' '─ relation'

finish
