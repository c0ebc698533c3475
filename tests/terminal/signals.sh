#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Ctrl-C while the program works, Ctrl-Z and the way back, a window that changes its size.
#
# Work that is stopped here would take hours (searches of meshes with many divisors, a plan of 2000 steps), or gets its
# problems from a pipe that this test keeps open: one at a time, until the line of progress is there.
. "$SRC/tests/lib.sh"
. "$SRC/tests/terminal/lib.sh"

mkfifo "$TMP/many"
exec 3<>"$TMP/many"
fed() {
	echo '{"mesh": "{x: 4}", "from": "[3{x}12]", "to": "[12]"}' >&3
	working
}

in_progress() { # NAME CONDITION
	if await "$2"; then ok "$1 says how far it is"; else report "$1 says how far it is" 'Ctrl-C stops'; fi
}

working() { on_screen 'Ctrl-C stops'; }

# Starts work, waits for its line of progress, and stops it.
stopped() { # NAME LINE PATTERN CONDITION
	fresh
	line "$2"
	in_progress "$1" "$4"
	keys C-c
	sees "$1 stops" "$3"
	sees 'the prompt is back' '^shardwalk> *$'
	lacks 'the line of progress is gone' 'Ctrl-C stops'
}

start 80 24
shown '^shardwalk> *$'
line 'set moves several'
line 'mesh {a: 5040, b: 5040}'
line '[1{a}5040, 1{b}5040, 5040, 5040, 5040] ~> [5040, 5040, 5040, 1{b}5040, 1{a}5040]'
stopped 'a search' 'continue' 'stopped with [0-9]+ nodes visited' working
stopped 'many steps of it' 'step 1000000' 'stopped with [0-9]+ nodes visited|search: step' working
fresh
line 'continue'
in_progress 'going on' working
keys C-c C-c C-c
sees 'more than one Ctrl-C' '^shardwalk> *$'
line 'set moves single'
line 'continue'
sees 'and the session works on' 'search: step [1-9]'

stopped 'a batch into a program' 'batch many | tail -n 1' '^shardwalk> *$' fed
stopped 'a batch' 'batch many > batch.txt' 'shardwalk> *$' fed
{
	echo 'mesh {x: 8}; from [16384{x}131072, 64]'
	i=0
	while [ $i -lt 1000 ]; do i=$((i + 1)); echo 'apply alltoall(0, 1); apply alltoall(1, 0)'; done
} >"$TMP/steps"
line 'source steps > steps.txt'
await test -s "$TMP/steps.txt"
stopped 'a proof' 'verify --full' 'stopped (while|before)' working
echo 'show mesh
batch many
show type from' >"$TMP/script"
stopped 'a script' 'source script > script.txt' '^shardwalk> *$' fed
fresh
line 'show mesh'
sees 'and the session goes on' '8 devices'
tmux kill-server

# Ctrl-Z needs a shell that takes the terminal back.
cat >"$TMP/shell" <<END
set -m
cd "$TMP"
PS1='shell: '
END
start_shell() {
	terminals=$((terminals + 1))
	tmux new-session -d -x 80 -y 24 "exec env -i PATH='$PATH' HOME='$HOME' LC_ALL=C.UTF-8 TERM=$TERMINAL PAGER= ENV='$TMP/shell' sh -i"
	shown '^shell: *$'
	line "'$SHARDWALK'"
	shown '^shardwalk> *$'
}
# Brings the program back, onto a screen without what was there before.
resumed() { # PATTERN
	line 'clear'
	await off_screen "$1" || report 'waiting for an empty screen' "stays: $1"
	line 'fg'
}
start_shell
line 'mesh {x: 4}'
text 'show me'
shown '^shardwalk> show me$' # what was not read yet the terminal forgets
keys C-z
sees 'Ctrl-Z gives the terminal back' '^shell: *$'
line 'echo still $((6 * 7))'
sees 'the shell works' '^still 42'
resumed 'show me'
sees 'the line is there again' '^shardwalk> show me$'
text 'sh'
keys Enter
sees 'and can be finished' '4 devices'
fresh
keys C-r
text 'mesh'
shown 'search'
keys C-z
sees 'in a search as well' '^shell: *$'
resumed 'search'
sees 'which goes on' 'search'
keys C-c
shown '^shardwalk> *$'
line 'show mesh'
sees 'the session goes on' '4 devices'
line 'mesh {a: 5040, b: 5040}; set moves several'
line '[1{a}5040, 1{b}5040, 5040, 5040, 5040] ~> [5040, 5040, 5040, 1{b}5040, 1{a}5040]'
fresh
line 'continue'
in_progress 'work' working
keys C-z
sees 'work is stopped too' '^shell: *$'
resumed 'Ctrl-C stops'
sees 'and goes on' 'Ctrl-C stops'
keys C-c
sees 'until Ctrl-C' 'stopped with'
line 'quit 3'
sees 'the end' '^shell: *$'
line 'stty -a | tr " " "\n" | grep -cx "icanon\|echo\|isig"'
sees 'the terminal is as it was' '^3$'
tmux kill-server

start 80 24
shown '^shardwalk> *$'
text 'show a line that is longer than forty columns, so that it has to be folded'
tmux resize-window -x 40 -y 20
sees 'a narrow window folds the line' '^shardwalk> show a line that is longer th$'
keys C-u
fresh
line 'mesh {x: 4, y: 6}; show mesh'
sees 'answers still come' '24 devices'
line 'info | grep columns,'
sees 'they know the width' '^terminal: 40 columns'
tmux resize-window -x 100 -y 30
asks_width() { fresh && line 'info | grep columns,' && shown '^terminal: [0-9]+ columns' && on_screen '^terminal: 100 columns'; }
await asks_width
sees 'the new width as well' '^terminal: 100 columns'

# Signals from others.
for signal in TERM:143 HUP:129 QUIT:131; do
	start 80 24
	shown '^shardwalk> *$'
	text 'half a line'
	kill -"${signal%:*}" "$(pid)"
	ended "SIG${signal%:*} ends it"
	equal 'with its status' "status ${signal#*:}" "$STATUS"
done

# A pager waits for keys, and has changed the terminal.
cat >"$TMP/pager" <<END
#!/bin/sh
stty -echo -icanon </dev/tty
sleep 1000 &
echo \$! >"$TMP/paging"
cat >/dev/null
echo it waits
wait
END
chmod +x "$TMP/pager"
EXTRA="PAGER=$TMP/pager"
has_ended() { ! kill -0 "$1" 2>/dev/null; }
for signal in TERM:143 HUP:129; do
	start 80 24
	shown '^shardwalk> *$'
	line 'help'
	shown '^it waits'
	kill -"${signal%:*}" "$(pid)"
	ended "SIG${signal%:*} ends it under a pager"
	equal 'with its status' "status ${signal#*:}" "$STATUS"
	if await has_ended "$(cat "$TMP/paging")"; then ok 'the pager ends'; else not_ok 'the pager ends' 'it runs'; fi
	equal 'the terminal is as it was' 2 "$(stty -a <"$(tmux list-panes -F '#{pane_tty}')" | tr ' ' '\n' | grep -cx 'icanon\|echo')"
done
finish
