#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The read-only mode: what a script may not do in it, that nothing ends it, and for which files it is offered.
. "$SRC/tests/lib.sh"

cd "$TMP" || exit
mkdir place && cd place || exit
problem='mesh {x: 4}; [2{x}8] ~> [8]; plan'
# Whoever is started leaves a trace.
printf '#!/bin/sh\ntouch "%s/started"\necho "mpiexec (MPICH) Version: 4.0"\n' "$TMP" >"$TMP/launcher" && chmod +x "$TMP/launcher"
export SHARDWALK_MPIEXEC="$TMP/launcher" XDG_STATE_HOME="$TMP/state"

untouched() { # NAME
	if [ -z "$(ls -A .)" ] && [ ! -e "$TMP/started" ] && [ ! -e "$TMP/state" ]; then ok "$1"
	else not_ok "$1" "$(ls -A . "$TMP")"; fi
}

for statement in 'export svg heights.svg heights' 'export plan plan.json' 'export html report.html' 'save session.sw' 'run' 'run fused' \
	'calibrate' 'evaluate --problems 3 --run 1' 'evaluate --problems 3 --resume journal' 'run --dry-run' 'set safe off'; do
	refused "$statement" L15 'read-only' "$SHARDWALK" --safe -c "$problem; $statement"
	untouched 'leaves no trace'
done
refused 'it is a setting too' L15 'read-only' "$SHARDWALK" -c "$problem; set safe on; save session.sw"
refused 'that undo does not take back' L15 'read-only' "$SHARDWALK" -c "$problem; set safe on; undo; save session.sw"
"$SHARDWALK" -c 'set safe on; undo; set safe' >out 2>&1
holds 'and that stays as it is' '^safe = on ' out
rm out
untouched 'all that leaves no trace'

status 'standard output is there' 0 "$SHARDWALK" --safe -c "$problem; save -; export svg - heights; verify; info"
holds 'a session' '^from \[2{x}8\]' "$TMP/out"
holds 'without the mode, which is of this one' '^# a session' "$TMP/out"
equal 'as nobody asked for it' 0 "$(grep -c '^set safe' "$TMP/out")"
holds 'a picture' '^</svg>' "$TMP/out"
untouched 'which leaves no trace'

status 'json tells the code' 1 "$SHARDWALK" --safe save session.sw --json
holds 'in its object' '"code": "L15"' "$TMP/out"
status 'the place is that of the file' 1 "$SHARDWALK" --safe -c 'save session.sw'
printf 'save session.sw\n     ^^^^^^^^^^\n' >"$TMP/want"
sed -n 's/^  |  //p' "$TMP/err" >"$TMP/found"
if diff "$TMP/want" "$TMP/found" >"$TMP/diff"; then ok 'and marked'; else not_ok 'and marked' "$(cat "$TMP/err")"; fi

# Files of others are run as ever, and the mode is offered.
echo 'mesh {x: 4}' >"$TMP/own.sw"
"$SHARDWALK" "$TMP/own.sw" >"$TMP/out" 2>&1
equal 'of one'"'"'s own file nothing is said' '' "$(cat "$TMP/out")"
cp "$TMP/own.sw" "$TMP/open.sw" && chmod o+w "$TMP/open.sw"
"$SHARDWALK" "$TMP/open.sw" >"$TMP/out" 2>&1
holds 'of one that everybody writes to it is' 'open.sw.* everyone may write to it: after `set safe on`, or with --safe' "$TMP/out"
"$SHARDWALK" -c "source '$TMP/open.sw'" >"$TMP/out" 2>&1
holds 'also where it is sourced' 'with --safe' "$TMP/out"
"$SHARDWALK" --safe "$TMP/open.sw" >"$TMP/out" 2>&1
equal 'in the mode there is nothing to offer' '' "$(cat "$TMP/out")"
if [ "$(id -u)" = 0 ]; then
	cp "$TMP/own.sw" "$TMP/theirs.sw" && chown 12345 "$TMP/theirs.sw"
	"$SHARDWALK" "$TMP/theirs.sw" >"$TMP/out" 2>&1
	holds 'and of one of another user' 'it belongs to another user' "$TMP/out"
else
	skip 'and of one of another user' 'only the superuser gives files away'
fi
finish
