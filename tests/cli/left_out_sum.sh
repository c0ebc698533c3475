#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What a constraint behind a sum costs: the sum stays where the program makes it, so that what is promised is what is saved.
. "$SRC/tests/lib.sh"
modules=$SRC/tests/cases/modules

status 'a sum with two constraints behind it' 0 "$SHARDWALK" import "$modules/constraint-sum-with.hlo"
holds 'says what the first costs' 'device receives 240 KiB in place of 416 KiB$'
status 'the same without it' 0 "$SHARDWALK" import "$modules/constraint-sum-without.hlo"
lacks 'has none' 'what if'
if command -v python3 >/dev/null; then
	"$SHARDWALK" import "$modules/constraint-sum-with.hlo" --json >"$TMP/with" 2>/dev/null
	"$SHARDWALK" import "$modules/constraint-sum-without.hlo" --json >"$TMP/without" 2>/dev/null
	status 'what is promised is saved, to the byte' 0 python3 - "$TMP/with" "$TMP/without" <<'END'
import json, sys
there, gone = (json.load(open(name)) for name in sys.argv[1:])
promised = sum((o["bytes_now"] - o["bytes_without"]) * o["runs"] for o in there["left_out_constraints"])
bytes = [of["traffic"]["bytes"] for of in (there, gone)]
assert bytes == [425991, 245767], bytes
assert promised == bytes[0] - bytes[1], promised
END
else
	skip 'what is promised is saved, to the byte' 'no python3'
fi
finish
