#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A person at the prompt: typing, Ctrl-C and Ctrl-D, lines that go on, repeats, a pasted block, the tour, the pager.
. "$SRC/tests/lib.sh"
. "$SRC/tests/terminal/lib.sh"
ends='[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]'

start 80 24
sees 'it greets in two lines, and prompts' '^shardwalk> *$'
equal 'two lines it is' 3 "$(screen | grep -c .)"

line 'mesh {x: 4, y: 6}'
line 'show mesh'
sees 'a line runs' '24 devices, 2 axes'
fresh
text 'mesh {nonsense'
keys C-c
sees 'Ctrl-C drops the line' '\^C'
line 'show mesh'
sees 'and nothing of it is left' '24 devices'
fresh
line 'mesh {x: 4,'
sees 'an open bracket goes on' '\.\.\.> *$'
text 'y: '
keys C-c
sees 'Ctrl-C drops all of it' '^shardwalk> *$'
line 'show mesh'
sees 'the mesh stayed' '24 devices'
fresh
line 'mesh {x: 2,'
line 'y: 2}'
line 'show mesh'
sees 'a mesh on two lines' '^mesh  4 devices'
line 'undo'
sees 'undo' 'undone: mesh'
fresh
keys C-r
text 'show'
sees 'Ctrl-R searches' 'search.*show mesh'
keys C-c
sees 'Ctrl-C leaves the search' '^shardwalk> *$'
fresh
keys C-r
text 'x: 4, y'
sees 'and it can be searched again' 'search.*mesh .x: 4, y: 6'
keys Enter

fresh
line "$ends"
line 'step'
sees 'a step' '^   1     1 '
keys Enter
sees 'an empty line repeats it' '^   2     2 '
keys Enter
sees 'and again' '^   3     3 '
line 'back 2'
sees 'going back' '^   1     1 .*'
fresh
line 'step 2'
sees 'forward' 'search: step 3'
line 'show mesh'
fresh
keys Enter
keys Enter
line 'history 1'
sees 'another command ends the repeats' 'history 1'
lacks 'no step was made' 'search: step'

fresh
line 'plan'
sees 'a plan has a number' 'this plan is \$1'
fresh
line 'plan naive | tail -n 6'
sees 'an answer goes through a program' 'in normal form'
lacks 'and nowhere else' 'strategy naive'
fresh
line 'show heights $1 > "a file"'
await test -s "$TMP/a file"
if grep -q 'budget of a tile' "$TMP/a file"; then ok 'an answer goes into a file'; else not_ok 'an answer goes into a file' no; fi
line 'set width 60'
line 'set width > width.txt'
await test -s "$TMP/width.txt"
line 'set width'
sees 'settings stay as they are after a file' 'width = 60'
line 'set width 0'

fresh
line 'sho msh'
sees 'an unknown word has a nearest one' "did you mean 'mesh'\? Enter on an empty line takes it"
keys Enter
sees 'which an empty line takes' '> sho mesh'
sees 'and runs' '^mesh  24 devices'
fresh
line 'sho msh'
shown "did you mean 'mesh'"
line 'show type from'
shown '3\{x\}12'
keys Enter
line 'history 2'
sees 'another command forgets it' 'show type from'
lacks 'and no mesh was shown' '24 devices'
line "export dot $TMP/plan.dot plan"
sees 'an export says what it wrote' "is written, [0-9]* bytes"
line 'clear'
sees 'clear leaves the prompt alone' '^shardwalk> *$'
equal 'on an empty terminal' 1 "$(screen | grep -c .)"

keys C-d
sees 'Ctrl-D leaves' 'it is over'
ended 'with a status'
equal 'which is 0, whatever failed' 'status 0' "$STATUS"

# A pasted block.
start 80 24
shown '^shardwalk> *$'
{
	i=0
	while [ $i -lt 499 ]; do
		i=$((i + 1))
		echo "mesh {x: $i}"
	done
	echo 'show mesh'
} >"$TMP/block"
tmux load-buffer "$TMP/block"
tmux paste-buffer -p
shown 'show mesh'
keys Enter
sees 'a pasted block of 500 lines runs' '^mesh  499 devices'
line 'mesh {x: 3}; quit 5'
ended 'quit ends it'
equal 'with its status' 'status 5' "$STATUS"
equal 'all of it is in the history' 500 "$(tail -n 501 "$HOME/.local/state/shardwalk/history" | head -n 500 | grep -c '^mesh\|^show')"

# The tour.
start 80 24
shown '^shardwalk> *$'
line 'tour'
sees 'the tour begins' '^1/[0-9]+  24 devices'
sees 'and waits' '^tour 1/[0-9]*> *$'
keys Enter
sees 'Enter goes on' '^2/[0-9]+  '
line 'show mesh'
sees 'commands work in between' '24 devices'
keys Enter
sees 'and it goes on behind them' '^tour 3/[0-9]*> *$'
line 'q'
sees 'q leaves' 'tour ends'
sees 'the prompt is back' '^shardwalk> *$'
line 'show type from'
sees 'what was defined stays' '3\{x\}12'
keys C-d
ended 'the end'

# Longer than the screen.
EXTRA='SHARDWALK_PAGER="sed s/^/paged:/"'
start 80 24
shown '^shardwalk> *$'
line 'help'
sees 'a long answer goes through the pager' '^paged:`help COMMAND` says more'
fresh
line 'help quit'
sees 'a short one does not' '^quit '
EXTRA='PAGER='
start 80 24
shown '^shardwalk> *$'
line 'help'
sees 'an empty PAGER is none' '^ +quit'
EXTRA='PAGER=no-such-pager'
start 80 24
shown '^shardwalk> *$'
line 'help'
sees 'a pager that is not there loses nothing' '^`help COMMAND` says more'
EXTRA='SHARDWALK_PAGER="sed s/^/paged:/"' TERMINAL=dumb
start 80 24
shown '^shardwalk> *$'
line 'help'
sees 'a terminal without a cursor to move has none' '^`help COMMAND` says more'
TERMINAL=xterm-256color
if command -v less >/dev/null; then
	EXTRA="PAGER=less"
	start 80 24
	shown '^shardwalk> *$'
	line 'help'
	sees 'less waits' '^q leaves'
	keys q
	sees 'and ends' '^shardwalk> *$'
else
	skip 'less waits' 'there is no less'
fi
finish
