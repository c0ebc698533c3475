#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The screens in a real terminal: opened and left, keys, the prompt under the picture, the window's size, Ctrl-C,
# Ctrl-Z, a crash, and terminals that cannot show them.
. "$SRC/tests/lib.sh"
. "$SRC/tests/terminal/lib.sh"
HOME_OF_IT=$TMP
cat >"$TMP/start.sw" <<'END'
set opens stay
mesh {x: 4, y: 6}
[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]
plan
END
OPTIONS='-i start.sw'

opened() { # WIDTH HEIGHT
	start "$1" "$2"
	shown '^shardwalk> *$' && line 'tui' && shown 'graph\*'
}

# Esc, and nothing that follows before it is heard: both would be one key.
escape() { # PATTERN
	keys Escape
	shown "$1"
}

# An interactive shell, which knows jobs, with the program in it.
in_shell() { # WIDTH HEIGHT
	tmux kill-server 2>/dev/null
	terminals=$((terminals + 1))
	(cd "$TMP" && tmux new-session -d -x "$1" -y "$2" \
		"exec env -i PATH='$PATH' HOME='$TMP' LC_ALL=C.UTF-8 TERM=$TERMINAL PS1='sh: ' sh -i")
	shown '^sh: *$' && line "'$SHARDWALK' -i start.sw"
	shown '^shardwalk> *$' && line 'tui' && shown 'graph\*'
}

mouse_is_on() { [ "$(modes)" = '1 0 1 1' ]; }
modes() { tmux display-message -p '#{alternate_on} #{cursor_flag} #{keypad_flag} #{mouse_any_flag}'; }
resized() { tmux resize-window -x "$1" -y "$2"; }

opened 80 24
sees 'tui opens the graph' '▶○1 \[3, 2\] start'
sees 'the prompt is below' '^shardwalk> *$'
sees 'the bar has keys' 's step .* q leave'
equal 'the picture has the focus' '1 0 1 0' "$(modes)"
keys s
sees 's steps' 'search: step 1: 3 nodes seen'
keys Down
keys Right
keys Left
sees 'arrows choose a node' 'node 2 \[6, 1\]'
keys e j Enter
sees 'Enter follows an edge' 'unseen \[2, 3\]'
keys 4
sees 'digits change the view' 'plan\* '
keys j
sees 'the plan has a chosen step' '>1 alltoall'
keys 2 t
sees 'tiles from the side of the devices' 'devices  24 B a device'
keys '?'
sees 'help' 'help\* '
keys / b u d g e t
sees 'a search while one types' "match 1 of [0-9]+ for 'budget'"
escape '^shardwalk>'
keys J
sees 'a key without a meaning says so' 'J means nothing here'

keys :
sees 'the prompt has the focus' 'Tab completes'
text 'show me'
keys Tab
sees 'completion works under the picture' '^shardwalk> show mesh'
keys Enter
sees 'answers are above the prompt' '24 devices, 2 axes'
sees 'and the focus is where it was' 'q leave'
keys : Up
sees 'so does the history' '^shardwalk> show mesh'
keys C-c
sees 'Ctrl-C drops the line' '^shardwalk> *$'
line 'nonsense'
sees 'a failure says so' 'unknown command|no command|nonsense'
line 'mesh {x: 4,'
sees 'an open bracket goes on' '\.\.\.>'
keys C-c
sees 'and can be dropped' '^shardwalk> *$'
line 'layout one'
line ':step'
sees 'a step from the prompt' 'search: step [0-9]'
escape 'q leave'
keys 1
sees 'Esc goes back to the picture' 'graph\*'

resized 200 50
sees 'a wide window has three panes' 'graph\*.*│─ edges|graph\* .*[0-9]%'
resized 12 3
sees 'a tiny one says what it needs' '12x3: needs'
resized 80 24
sees 'and comes back' 'graph\*'

in_shell 80 24
keys s
sees 'a step' 'search: step 1'
keys C-z
sees 'Ctrl-Z gives the terminal back' '(Stopped|Suspended)'
equal 'as it was' '0 1 0 0' "$(modes)"
line 'fg'
sees 'fg brings the picture again' '●1 \[3, 2\] start'
keys s
sees 'and its keys' 'search: step 2'

TERMINAL=linux # names the control character as a key
in_shell 80 24
keys C-z
sees 'Ctrl-Z on the console of Linux too' '(Stopped|Suspended)'
line 'fg'
keys s
sees 'fg brings the picture' 'search: step 1'
TERMINAL=xterm-256color

opened 80 24
keys s q
sees 'q goes to the prompt' '^shardwalk> tui'
line 'history 3'
sees 'the history has the keys as commands' '^ *[0-9]+  step'
line 'tui'
shown 'graph\*'
keys C-x a
sees 'Ctrl-X A leaves the picture' '^shardwalk> *$'
keys C-x a
sees 'and opens it' 'graph\*'
keys Q
ended 'Q leaves the program'
equal 'with status 0' 'status 0' "$STATUS"
equal 'the terminal is as it was' '0 1 0 0' "$(modes)"

opened 80 24
{ echo 'mesh {x: 8}' && seq -f '# line %g' 500 && echo 'show mesh'; } >"$TMP/pasted"
tmux load-buffer "$TMP/pasted"
tmux paste-buffer -p
sees 'what is pasted onto the picture is in the prompt' '\(50[23] lines\)'
keys Enter
sees 'and runs, all lines of it' '8 devices, 1 axis'

opened 80 24
keys :
line 'mesh {a: 64, b: 64, c: 65536}'
line ':[1{a}64, 64, 64, 64, 64, 64, 64, 64, 1{b}64] ~> [64, 64, 64, 64, 1{b}64, 64, 64, 1{a}64, 64]'
line ':budget 1048576x'
line ':continue'
sees 'long work tells how far it is' 'nodes visited: [0-9]+'
keys 2
sees 'and keys work meanwhile' 'both ends; P finds'
keys s
sees 'those that only look' 'a command is running'
keys C-c
sees 'Ctrl-C stops it, and what is known is kept' 'stopped with [1-9][0-9]+ nodes visited and [1-9]'
line ':set mouse on'
escape 'q leave'
if await mouse_is_on; then ok 'the mouse is on where it is asked for'; else not_ok 'the mouse' 'stays off'; fi

# The wheel as the terminal reports it: 64 is up, 65 down.
wheel() { # BUTTON ROW
	case $(tput -T "$TERMINAL" kmous) in
	*'<') text "$(printf '\033[<%d;10;%dM' "$1" "$2")" ;;
	*) text "$(printf "\033[M\\$(printf %o $((32 + $1)))*\\$(printf %o $((32 + $2)))")" ;;
	esac
}

opened 80 24
keys :
line 'set mouse on'
escape 'q leave'
await mouse_is_on || not_ok 'the mouse' 'stays off'
shown 'edges .* 1 of 2 '
wheel 65 14
sees 'the wheel moves the pane under it' 'edges .* 2 of 2 '
sees 'and leaves the focus where it is' 'graph\*'
keys :
text 'abc'
sees 'also while one types' '^shardwalk> abc$'
wheel 64 14
sees 'it moves' 'edges .* 1 of 2 '
sees 'and writes nothing' '^shardwalk> abc$'
keys C-c
kill -SEGV "$(pid)"
ended 'a crash ends it'
sees 'with a report' 'shardwalk [0-9.]+: segmentation fault'
equal 'and gives the terminal back' '0 1 0 0' "$(modes)"

for signal in TERM:143 QUIT:131; do
	opened 80 24
	kill -"${signal%:*}" "$(pid)"
	ended "SIG${signal%:*} ends it"
	equal 'with its status' "status ${signal#*:}" "$STATUS"
	equal 'and gives the terminal back too' '0 1 0 0' "$(modes)"
done

TERMINAL=vt100
opened 80 24
sees 'without colours all is there' '▶○1 \[3, 2\] start'
keys 3
sees 'heights too' 'heights\*'

TERMINAL=xterm-256color LOCALE=C
opened 80 24
sees 'in the C locale it is ASCII' '>o1 \[3, 2\] start'
unset LOCALE

for TERMINAL in dumb nonsense; do
	start 80 24
	shown '^shardwalk> *$' && line 'tui'
	sees "TERM=$TERMINAL: one sentence" "error\[E03\]: the terminal '$TERMINAL'"
	line 'show mesh'
	sees "TERM=$TERMINAL: and the prompt goes on" '24 devices, 2 axes'
done

status 'without a terminal too' 3 "$SHARDWALK" -c tui
equal 'it says why' 1 "$(grep -c 'there is no interactive terminal' "$TMP/err")"
finish
