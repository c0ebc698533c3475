#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Terminals of every kind, locales, places that are missing, and the configuration.
. "$SRC/tests/lib.sh"
. "$SRC/tests/terminal/lib.sh"

for TERMINAL in vt100 dumb no-such-terminal linux xterm xterm-256color ''; do
	start 80 24
	sees "TERM='$TERMINAL' prompts" '^shardwalk> *$'
	line 'mesh {x: 4}'
	text 'sho'
	keys Tab
	sees 'completes' '> show'
	keys C-c
	shown '> *$'
	line 'show mesh'
	sees 'and answers' '4 devices'
	keys C-d
	ended 'and ends'
done
TERMINAL=xterm-256color

LOCALE=C
start 80 24
shown '^shardwalk> *$'
line 'mesh {x: 4}'
line 'show mesh'
sees 'pictures are ASCII in a C locale' '^ +\| 0  1  2  3 +\|'
text 'mesh {"größe": 4}'
keys Enter
line 'show mesh'
sees 'letters that it does not know do not end it' '4 devices'
keys C-d
ended 'in the end Ctrl-D does'
LOCALE=C.UTF-8
start 80 24
shown '^shardwalk> *$'
line 'mesh {"größe": 4}'
line 'show mesh'
sees 'letters of other alphabets are letters' '^ +.größe. +4'
tmux kill-server

# A light background is found: by the variable, by the terminal's own answer, and by nothing where nobody answers.
printf 'mesh {x: 4}\n[2{x}8] ~> [8]\nplan\n' >"$TMP/shade.sw"
OPTIONS='-i shade.sw'
in_color() { tmux capture-pane -e -p | grep -q "$1"; }
shaded() { # NAME LIGHT|DARK
	shown '^shardwalk> *$'
	line 'show heights'
	sees "$1: the pictures are there" 'allgather'
	if await in_color "$2"; then ok "$1"; else not_ok "$1" "$(tmux capture-pane -e -p | grep allgather | cat -v)"; fi
}
light='38;5;32mallgather'
EXTRA="PAGER= COLORFGBG='0;15'"
start 80 24
shaded 'COLORFGBG says that it is light' "$light"
EXTRA="PAGER= COLORFGBG='15;0'"
start 80 24
shaded 'or dark' '38;5;74mallgather'
EXTRA='PAGER='
start 80 24
shaded 'a terminal that does not answer is dark' '38;5;74mallgather'
line 'set background light'
line 'clear'
line 'show heights'
if await in_color "$light"; then ok 'and may be called light'; else not_ok 'light by hand' 'is dark'; fi
PREPARE="tmux set-option -g window-style 'bg=#fffff0,fg=#101010'"
start 80 24
shaded 'a terminal that answers is light' "$light"
lacks 'and its answer is nowhere' 'rgb:'
line 'tui'
shown 'q leave'
keys 3
if await in_color "$light"; then ok 'on the screens too'; else not_ok 'light screens' 'are dark'; fi
OPTIONS='--tui shade.sw'
start 80 24
shown 'q leave'
keys 3
if await in_color "$light"; then ok 'that are opened at once'; else not_ok 'screens opened at once' 'are dark'; fi
lacks 'without a trace' 'rgb:'
PREPARE= OPTIONS=

# A line is edited only where a person sees it.
PREPARE='echo "mesh {x: 9}" >in'
EXTRA="PAGER= sh -c 'exec \"\$0\" \"\$@\" <in'"
start 80 24
ended 'standard input that is no terminal is a script'
lacks 'without a prompt' 'shardwalk>'
EXTRA="PAGER= sh -c 'exec \"\$0\" \"\$@\" <in >out'"
OPTIONS=-i
start 80 24
ended 'with -i it is a prompt'
equal 'that does not edit' 'shardwalk> shardwalk> ' "$(cat "$TMP/out")"
PREPARE= OPTIONS= EXTRA='PAGER='

printf 'mesh {x: 6}\n' >"$TMP/start.shw"
OPTIONS='-i start.shw'
start 80 24
shown '^shardwalk> *$'
line 'show mesh'
sees 'a script, and then the prompt' '6 devices'
OPTIONS='--quiet'
start 80 24
sees 'quietly' '^shardwalk> *$'
lacks 'without a greeting' 'tour'
OPTIONS=

# The configuration.
config=$HOME/.config/shardwalk/config
mkdir -p "${config%/*}"
configured() { # NAME PATTERN: messages hold the name of a file, which may be long
	start 200 24
	sees "$1" "$2"
	shown '^shardwalk> *$'
	line 'mesh {x: 4}'
	line 'set width'
	sees 'the session works' 'width = [0-9]+'
}
printf 'set width 70\nset strategy exact\n' >"$config"
configured 'a configuration is read' '^shardwalk> *$'
sees 'and holds' 'width = 70'
OPTIONS=--no-init
configured 'not with --no-init' '^shardwalk> *$'
sees 'then it is as if it were not there' 'width = 0'
OPTIONS=
equal 'scripts do not read it' 'width = 0' "$("$SHARDWALK" -c 'set width' | head -n 1 | cut -c 1-9)"
printf 'set width 70\nset wdith 60\nset strategy exact\n' >"$config"
configured 'a mistake in it is shown' "config:2:5"
line 'set strategy'
sees 'and the rest is read' 'strategy = exact'
head -c 2000000 /dev/urandom >"$config"
configured 'a configuration that is no text' '^shardwalk> *$'
if [ "$(screen | grep -c .)" -le 20 ]; then ok 'costs few lines'; else not_ok 'costs few lines' "$(screen | grep -c .)"; fi
yes '# a long configuration' | head -c 100000000 >"$config"
configured 'a configuration of 100 MB' '^warning: the configuration'
rm -f "$config"
mkdir "$config"
configured 'a configuration that is a folder' '^warning: the configuration'
rmdir "$config"
mkfifo "$config"
configured 'a configuration that is a pipe' '^warning: the configuration'
rm -f "$config"

EXTRA='PAGER= NO_COLOR=1'
start 80 24
shown '^shardwalk> *$'
line 'mesh {x: 4}; show mesh'
shown '4 devices'
if tmux capture-pane -pe | grep -q "$(printf '\033\\[3[0-8]')"; then
	not_ok 'NO_COLOR' 'there are colours'
else
	ok 'NO_COLOR'
fi
EXTRA='PAGER='
start 80 24
shown '^shardwalk> *$'
line 'mesh {x: 4}; show mesh'
shown '4 devices'
if tmux capture-pane -pe | grep -q "$(printf '\033\\[')"; then ok 'colours'; else not_ok 'colours' 'there are none'; fi
finish
