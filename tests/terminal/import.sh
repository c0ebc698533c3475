#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What is pasted: warnings that a terminal wrapped, at the prompt and under the screens; names of files.
. "$SRC/tests/lib.sh"
. "$SRC/tests/terminal/lib.sh"
HOME_OF_IT=$TMP
OPTIONS=-i
cp "$SRC/tests/logs/warnings.log" "$TMP/warnings.log" && cp "$SRC/tests/hlo/mlp.hlo" "$TMP/mlp.hlo" || exit

WRAPPED='[SPMD] Involuntary full rematerialization. The compiler cannot go from sharding {devices=[2,1,4]<=[4,2]
T(1,0)} to {devices=[1,8,1]<=[8]} efficiently for HLO operation
%copy = f32[8,16,4]{2,1,0} copy(%param).'

paste() { tmux set-buffer -b text "$1" && tmux paste-buffer -p -b text && keys Enter; }

start 100 30
shown '^shardwalk> *$'
paste "import W $WRAPPED"
sees 'a wrapped warning is one text' '^from +f32\[8\{b\}16, 16, 4\{a\}16\]'
sees 'its plan' '^planned +1.8 KiB +2 KiB +4 KiB +512'
fresh
paste "W1121 00:29:03 $WRAPPED"
sees 'without the command' '^planned +1.8 KiB +2 KiB +4 KiB +512'
fresh
text 'import warn'
keys Tab
sees 'names of files' '^shardwalk> import warnings.log'
keys C-c
shown '^shardwalk> *$'
{
	echo 'the build begins'
	echo "W $(echo "$WRAPPED" | tr '\n' ' ')"
} >"$TMP/growing.log"
line 'import --follow growing.log'
sees 'a log is followed' '^line 2: now 14 KiB, planned 1.8 KiB, f32'
{
	echo 'and goes on'
	echo '{devices=[2,1]<=[2]} -> {devices=[1,2]<=[2]}'
} >>"$TMP/growing.log"
sees 'what is new is shown' '^line 4: now '
keys C-c
sees 'Ctrl-C shows all that was found' '^In all, as often as they occur'
sees 'and the session goes on' '^shardwalk> *$'
fresh
line 'import - '
sees 'standard input is the keyboard' 'Ctrl-D on a line of its own'
text 'f32[8,8] {devices=[2,1]<=[2]} -> {devices=[1,2]<=[2]}'
keys Enter C-d
sees 'and is read' '^from +f32\[4\{a\}8, 8\]'
line 'tui'
shown 'graph\*'
keys :
line 'import warnings.log 1'
sees 'under the screens, from its beginning' 'read as an XLA log: 22 warnings'
sees 'the picture follows' 'memory budget: 512 elements'
line ':import --follow growing.log'
sees 'a log is followed there too' 'line 4: now '
keys C-c
sees 'until Ctrl-C' 'q leaves the picture|8 shows all of it|Enter runs'
line ':import warnings.log'
sees 'another table' 'read as an XLA log: 22 warnings'
keys Escape
shown 'graph\*'
keys I
sees 'which is a view' 'imports\* +row 1; Enter takes it'
keys Down Enter
sees 'a row of it is taken' 'row 2; Enter takes it'
keys :
line 'import mlp.hlo'
sees 'a module' '%collective-permute'
keys Escape
shown 'imports\*'
keys /
text 'reducescatter'
keys Enter
sees 'a filter finds what a row says of its operations' '&reducescatter'
lacks 'of every row' 'no row has this'
keys :
line 'import -'
sees 'the keyboard is theirs' 'the screens read the keyboard'
finish
