# SPDX-License-Identifier: GPL-3.0-or-later
#
# What most test scripts need: `. "$SRC/tests/lib.sh"`, then any number of checks, and `finish` at the end.

lib_failed=0

ok() { # NAME
	echo "ok $1"
}

not_ok() { # NAME WHY
	echo "not ok $1: $2"
	lib_failed=$((lib_failed + 1))
}

skip() { # NAME WHY
	echo "ok $1 # SKIP $2"
}

# The text of two files is the same; with UPDATE=1 the expected one becomes so.
same() { # NAME EXPECTED ACTUAL
	[ -z "$UPDATE" ] || cp "$3" "$2"
	if [ ! -f "$2" ]; then
		not_ok "$1" "there is no $2 (make snapshots writes it)"
	elif diff -u "$2" "$3" >"$TMP/lib.diff" 2>&1; then
		ok "$1"
	else
		not_ok "$1" "the output differs from $2"
		sed 's/^/# /' "$TMP/lib.diff"
	fi
}

# What is told of time is always the same; how long the searches of many problems took is left out.
timeless() { # FILE; of what ranks did, as sizes grow, memory is the last that stays
	sed -i -e 's/^\(on .* live\)  *predicted .*/\1 .../' \
		-e 's/^\( *[0-9][0-9]*  [a-z][a-z-]*  .* [KMG]*i*B\)  *[0-9.]* [mun]*s  *[0-9.]* [mun]*s  .*/\1 .../' "$1"
	sed -i -e 's/planned in [0-9.]* [mun]*s$/planned in 40 us/' -e '/^RQ1: /,/the longest,/{/^RQ1: /!d}' "$1"
}

# Two short texts are the same.
equal() { # NAME EXPECTED ACTUAL
	if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "expected '$2', found '$3'"; fi
}

# A file, or what the last command printed, has a pattern, or has it not.
holds() { # NAME PATTERN [FILE]
	if grep -q -e "$2" "${3:-$TMP/out}"; then ok "$1"; else not_ok "$1" "no '$2' in: $(head -c 600 "${3:-$TMP/out}")"; fi
}
lacks() { # NAME PATTERN [FILE]
	if grep -q -e "$2" "${3:-$TMP/out}"; then not_ok "$1" "$(grep -m 1 -e "$2" "${3:-$TMP/out}" | head -c 400)"; else ok "$1"; fi
}

# A file, or what the last command printed, has a text, letter by letter.
says() { # NAME TEXT [FILE]
	if grep -qF -e "$2" "${3:-$TMP/out}"; then ok "$1"; else not_ok "$1" "no '$2' in: $(head -c 600 "${3:-$TMP/out}")"; fi
}

# Runs a script; what it printed is in $TMP/out and $TMP/err.
sw() { # SCRIPT
	"$SHARDWALK" --quiet -c "$1" >"$TMP/out" 2>"$TMP/err"
}

# A command ends with that status; what it printed is in $TMP/out and $TMP/err.
status() { # NAME STATUS COMMAND...
	lib_name=$1 lib_want=$2
	shift 2
	"$@" >"$TMP/out" 2>"$TMP/err"
	equal "$lib_name" "status $lib_want" "status $?"
}

# A command fails with that error, and its message has the pattern.
refused() { # NAME CODE PATTERN COMMAND...
	lib_name=$1 lib_code=$2 lib_pattern=$3
	shift 3
	"$@" >"$TMP/out" 2>"$TMP/err"
	if [ $? -ne 0 ] && grep -q "error\[$lib_code\]" "$TMP/err" && grep -q -- "$lib_pattern" "$TMP/err"; then ok "$lib_name"
	else not_ok "$lib_name" "$(head -c 400 "$TMP/err")"; fi
}

# Every plan of a file with one a line is right: by somebody else's checker where it stands beside the project, else by
# `verify`, which is told to read each.
plans_right() { # NAME FILE
	: >"$TMP/lib.checked"
	if [ -f "$CASES/../check/plan_check.py" ] && command -v python3 >/dev/null; then
		grep -v '"[a-z]*": "[^"]*]+{' "$2" >"$TMP/lib.whole"
		grep '"[a-z]*": "[^"]*]+{' "$2" >"$TMP/lib.sums"
		python3 "$CASES/../check/plan_check.py" "$TMP/lib.whole" >"$TMP/lib.checked" 2>&1 && plans_verified "$TMP/lib.sums"
	else
		plans_verified "$2"
	fi && ok "$1" || not_ok "$1" "$(grep -m 3 -iE 'error|wrong|fail' "$TMP/lib.checked")"
}

# The checker beside the cases reads no sums.  What takes more data than this is proved by its maps; with VERIFY=full all of it moves.
plans_verified() { # FILE
	[ -s "$1" ] || return 0
	rm -rf "$TMP/lib.plans" && mkdir "$TMP/lib.plans" && split -l 1 -a 4 "$1" "$TMP/lib.plans/"
	[ "$VERIFY" = full ] && lib_most= || lib_most='--memory 16MiB'
	for lib_plan in "$TMP/lib.plans"/*; do echo "open $lib_plan; verify $lib_most"; done >"$TMP/lib.script"
	"$SHARDWALK" --quiet "$TMP/lib.script" >"$TMP/lib.checked" 2>&1 &&
		[ "$(grep -c '^verified' "$TMP/lib.checked")" = "$(wc -l <"$1" | tr -d ' ')" ]
}

# Waits until a command succeeds, at most $PATIENCE seconds: slow machines take longer, fast ones do not wait.
# What has to be in progress meanwhile reads from a pipe that stays open, hangs on purpose, or has no end in sight.
PATIENCE=${PATIENCE:-60}
await() { # COMMAND...
	"$@" && return
	await_end=$(($(date +%s) + PATIENCE))
	until "$@"; do
		[ "$(date +%s)" -lt $await_end ] || return 1
		sleep 0.05
	done
}

# A check: what has the pattern in its command line (which must be this test's alone) ends.
ends() { # NAME PATTERN
	if await none_runs "$2"; then ok "$1"; else not_ok "$1" "$(pgrep -fa -- "$2" | head -n 3)"; fi
}
none_runs() { ! pgrep -f -- "$1" >/dev/null; }
is_empty() { [ -z "$(ls -A "$1")" ]; }

finish() {
	[ "$lib_failed" = 0 ]
	exit
}
