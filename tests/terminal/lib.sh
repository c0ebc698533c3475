# SPDX-License-Identifier: GPL-3.0-or-later
#
# A real terminal for a test: `. "$SRC/tests/terminal/lib.sh"` after tests/lib.sh.  It is tmux without a client; what is
# on its screen is asked for until it is there, at most $PATIENCE seconds.  Without tmux the test is skipped.
#
#     start 80 24                  the program, in a terminal of 80 columns and 24 rows; $TERMINAL is its TERM,
#                                  $OPTIONS are the program's, $EXTRA words VAR=VALUE of its environment, $PREPARE is a
#                                  command of the shell that starts it
#     text 'mesh {x: 4}'           types letters         keys Enter C-c Tab      types keys, by tmux's names
#     line 'mesh {x: 4}'           types letters and Enter
#     sees NAME PATTERN            a check: the pattern (grep -E) comes to stand on the screen
#     lacks NAME PATTERN           a check: it does not stand there now
#     shown PATTERN                waits for it; fails where it does not come
#     fresh                        an empty screen with the prompt
#     ended NAME                   a check: the program ends and the shell's next line comes; its status is in $STATUS, and
#                                  what it wrote last stands on the screen

if ! command -v tmux >/dev/null; then
	skip 'a terminal' 'there is no tmux'
	exit 0
fi

TERMINAL=xterm-256color
OPTIONS=
EXTRA='PAGER='
PREPARE=
terminals=0
# The shell that tmux starts a command with is not that of who runs the tests, who may have none; a command takes its place.
export TMUX_TMPDIR=$TMP SHELL=/bin/sh
unset TMUX

# The sanitizer looks for leaks at the end, with a thread that a terminal which is closed then takes along: it would wait for ever.
# Every program has a server of its own: one that is about to end would take the next one's terminal with it.
tmux() { command tmux -f /dev/null -L "terminal$terminals" "$@"; }
trap 'tmux kill-server 2>/dev/null' EXIT

start() { # WIDTH HEIGHT
	tmux kill-server 2>/dev/null
	terminals=$((terminals + 1))
	rm -f "$TMP/status"
	cat >"$TMP/session" <<-END
	trap : INT
	cd "$TMP"
	$PREPARE
	env -i ASAN_OPTIONS=detect_leaks=0 PATH="\$PATH" HOME="${HOME_OF_IT-$HOME}" LC_ALL="${LOCALE-C.UTF-8}" TERM="$TERMINAL" $EXTRA "$SHARDWALK" $OPTIONS
	echo "status \$?" >"$TMP/status"
	echo it is over
	exec sleep 1000
	END
	tmux new-session -d -x "$1" -y "$2" "exec sh '$TMP/session'"
}

screen() { tmux capture-pane -p 2>/dev/null; }
text() { tmux send-keys -l "$1"; }
keys() { tmux send-keys "$@"; }
line() { text "$1" && keys Enter; }
pid() { pgrep -P "$(tmux list-panes -F '#{pane_pid}')" -x "$(basename "$SHARDWALK")"; }

on_screen() { screen | grep -qE -e "$1"; }
off_screen() { ! on_screen "$1"; }

report() { # NAME PATTERN
	not_ok "$1" "'$2'; the screen is:"
	screen | sed 's/^/# /'
}

# What does not come is a failure even where nothing was to be checked: all that follows would be typed at something else.
shown() { await on_screen "$1" || { report "waiting for the screen" "does not come: $1" && false; }; }

sees() { if await on_screen "$2"; then ok "$1"; else report "$1" "does not come: $2"; fi; }
lacks() { if off_screen "$2"; then ok "$1"; else report "$1" "is there: $2"; fi; }
vanishes() { if await off_screen "$2"; then ok "$1"; else report "$1" "stays: $2"; fi; }

is_fresh() { [ "$(screen | grep -c .)" -le 1 ] && on_screen "^(shardwalk|tour .*)> *$"; }
fresh() {
	shown '> *$'
	keys C-l
	await is_fresh || report 'waiting for an empty screen' 'goes on'
}

ended() { # NAME
	if await test -s "$TMP/status" && await on_screen 'it is over'; then ok "$1"; else report "$1" 'goes on'; fi
	STATUS=$(cat "$TMP/status" 2>/dev/null)
}
