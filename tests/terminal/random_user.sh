#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A user who presses keys at random for ten seconds, or LASTS, on the screens of the program: SEED=N presses them again.
. "$SRC/tests/lib.sh"
command -v python3 >/dev/null || { skip 'a random user' 'there is no python3'; finish; }
"$SRC/tests/terminal/random_user.py" "$SHARDWALK" "${SEED:-$(date +%s)}" "${LASTS:-10}" >"$TMP/out" 2>&1 && ended=0 || ended=$?
cat "$TMP/out"
[ $ended = 0 ] || lib_failed=1
finish
