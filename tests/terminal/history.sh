#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The history from one session to the next, and everything that can be wrong with its file.
. "$SRC/tests/lib.sh"
. "$SRC/tests/terminal/lib.sh"
state=$HOME/.local/state/shardwalk
file=$state/history

leave() {
	shown '> *$'
	keys C-d
	ended 'it can be left'
}

rm -rf "$HOME/.local"
start 80 24
shown '^shardwalk> *$'
line 'mesh {x: 4}'
line 'show mesh'
line 'mesh {x: 4}'
line 'mesh {x: 2,'
shown '\.\.\.>'
line 'y: 3}'
line 'show type'
shown 'there is no type yet'
if [ -s "$file" ]; then ok 'lines are kept as they are typed'; else not_ok 'lines are kept as they are typed' "no $file"; fi
equal 'for their owner alone' '-rw-------' "$(ls -l "$file" | cut -c 1-10)"
equal 'in a folder for its owner alone' 'drwx------' "$(ls -ld "$state" | cut -c 1-10)"
leave

start 80 24
shown '^shardwalk> *$'
keys Up
sees 'the last line of the session before' 'show type$'
keys Up
sees 'lines that belong together' '\{x: 2,$'
keys C-u C-r
text 'x: 4'
sees 'Ctrl-R finds what another session typed' 'search.*mesh .x: 4'
keys Enter
fresh
line 'history'
sees 'the list' '^ +[0-9]+  mesh .x: 4'
equal 'a line that was typed twice is there once' 1 "$(screen | grep -c 'mesh {x: 4}')"
fresh
line 'history -k type'
sees 'lines with a word' '^ +[0-9]+  show type'
lacks 'no others' '^ +[0-9]+  show mesh'
leave

before=$(cksum <"$file")
OPTIONS=--no-history
start 80 24
shown '^shardwalk> *$'
line 'show type'
keys Up
keys Up
lacks 'without history nothing is there' 'x: 4'
keys C-u
leave
equal 'and nothing is kept' "$before" "$(cksum <"$file")"
OPTIONS=
"$SHARDWALK" -c 'mesh {x: 77}' >"$TMP/out" 2>&1
echo 'mesh {x: 78}' | "$SHARDWALK" >"$TMP/out" 2>&1
equal 'scripts leave none' "$before" "$(cksum <"$file")"

# What is wrong with the file costs a warning, not the session.
works() { # NAME WARNING
	start 80 24
	sees "$1" "$2"
	shown '^shardwalk> *$'
	line 'mesh {x: 5}'
	line 'show mesh'
	sees 'the session works' '5 devices'
	leave
}

head -c 300000 /dev/urandom >"$file"
works 'a history that is no text' '^warning: the history .*'
yes 'show mesh; show mesh; show mesh; show mesh' | head -c 104857600 >"$file"
size=$(wc -c <"$file")
works 'a history of 100 MiB' '100 MiB'
if [ "$(wc -c <"$file")" -gt "$size" ]; then ok 'loses nothing'; else not_ok 'loses nothing' "$(wc -c <"$file")"; fi
rm -f "$file"
mkdir "$file"
works 'a history that is a folder' 'Is a direct'
rmdir "$file"
mkfifo "$file"
works 'a history that is a pipe' '^shardwalk> *$'
rm -f "$file"
printf 'show mesh\nhalf a li' >"$file"
works 'a history that ends in the middle of a line' '^shardwalk> *$'
equal 'goes on behind it' 'half a li' "$(sed -n 2p "$file")"
equal 'on a line of its own' 'mesh {x: 5}' "$(sed -n 3p "$file")"

i=0
while [ $i -lt 5000 ]; do i=$((i + 1)); echo "mesh {x: $i}"; done >"$file"
works 'a history that has grown long' '^shardwalk> *$'
if [ "$(wc -l <"$file")" -le 2010 ]; then ok 'is shortened'; else not_ok 'is shortened' "$(wc -l <"$file") lines"; fi
grep -qx 'mesh {x: 5000}' "$file" && ok 'from its start' || not_ok 'from its start' 'the last line is gone'
equal 'and stays for its owner alone' '-rw-------' "$(ls -l "$file" | cut -c 1-10)"

EXTRA='PAGER= XDG_STATE_HOME=/proc'
works 'a state directory that cannot be written' '^warning: the history /proc/shardwalk/history: cannot open'
EXTRA='PAGER= XDG_STATE_HOME=relative'
works 'a relative state directory is none' '^shardwalk> *$'
if [ ! -e "$TMP/relative" ]; then ok 'and is not made'; else not_ok 'and is not made' 'it is there'; fi
EXTRA='PAGER='
HOME_OF_IT=
works 'no home' '^shardwalk> *$'
HOME_OF_IT=$HOME
PREPARE='ulimit -f 8'
yes 'mesh {a_long_name: 2, another_long_name: 3}' | head -n 90 >"$file"
head -n 1 "$file" >>"$file"
start 80 24
shown '^shardwalk> *$'
{
	i=0
	while [ $i -lt 200 ]; do i=$((i + 1)); echo "mesh {another_long_name_so_that_it_fills: $i}"; done
} >"$TMP/block"
tmux load-buffer "$TMP/block"
tmux paste-buffer -p
shown 'fills: 200'
keys Enter
sees 'a file that cannot grow' '^warning: the history'
line 'show mesh'
sees 'the session works' '200 devices'
leave
equal 'what was there is there' 91 "$(grep -c '^mesh {a_long_name: 2, another_long_name: 3}$' "$file")"
PREPARE=
if [ -w /dev/full ]; then
	HOME_OF_IT=$HOME
	rm -f "$file"
	ln -s /dev/full "$file"
	works 'a history that is a device keeps nothing' '^shardwalk> *$'
	rm -f "$file"
fi
finish
