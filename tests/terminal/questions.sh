#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# While something is asked for on the screens: pastes are text, the mouse points at nothing, Ctrl-L redraws.  And scripts
# that fail before a prompt comes.
. "$SRC/tests/lib.sh"
. "$SRC/tests/terminal/lib.sh"
printf 'mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nplan\n' >"$TMP/problem.sw"

paste() { printf '%b' "$1" >"$TMP/pasted" && tmux load-buffer "$TMP/pasted" && tmux paste-buffer -p; }
click() { text "$(printf '\033[<0;%d;%dM\033[<0;%d;%dm' "$1" "$2" "$1" "$2")"; }

OPTIONS='--tui problem.sw'
start 80 24
shown 'film\* '
keys /
paste 'allto\nQq'
sees 'what is pasted stands in what is asked for, in one line' '^/alltoQq *$'
keys C-u
text alltoall
sees 'and keys go on there' "match [0-9]+ of [0-9]+ for 'alltoall'"
keys Escape
sees 'Esc leaves it' '^shardwalk> *$'
keys :
line 'set mouse on'
keys 4 z
sees 'a menu' '^view: *$'
click 10 6
text traf
sees 'a click goes nowhere while it is open' '^view: traf *$'
keys Enter
sees 'and it opens what was typed' 'traffic\* '
keys V E
paste '2,3'
sees 'an element that is pasted' '^element 2,3 *$'
keys C-l
sees 'Ctrl-L leaves what is asked for as it is' '^element 2,3 *$'
keys Enter
sees 'is followed' '\[2, 3\]'
keys Escape 8
paste 'show type from\nshow mesh'
sees 'a paste goes to the prompt where nothing is asked' '\(2 lines\)'
keys Enter 8 g
sees 'and is shown as it was typed' '^> show type from *$'
sees 'row by row' '^  show mesh *$'

TERMINAL=vt100
start 80 24
shown 'film\* '
keys :
line 'set mouse on'
sees 'a terminal without a mouse says so' '^this terminal has no mouse'
TERMINAL=xterm-256color

# A prompt that never came does not end a script well.
printf 'mesh {x: 4}\nnonsense\nshow mesh\n' >"$TMP/fails.sw"
for OPTIONS in '--bail --tui fails.sw' '--bail -i fails.sw'; do
	start 80 24
	ended "$OPTIONS ends it"
	equal 'with the status of a failure' 'status 1' "$STATUS"
done
finish
