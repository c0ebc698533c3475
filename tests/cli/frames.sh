#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Lines of the program in a log: a warning has the number of a stack frame, and the module before partitioning its table.
. "$SRC/tests/lib.sh"
log=$SRC/tests/cases/modules/frames.log module=$SRC/tests/cases/modules/frames-before.hlo

status 'a warning with its module' 0 "$SHARDWALK" import "$log" 1 --module "$module"
holds 'has its line' '^program  */home/user/g.py:11$'
status 'one of its gradient' 0 "$SHARDWALK" import "$log" 2 --module "$module"
holds 'has that of its constraint' '^program  */home/user/g.py:16$'
status 'in JSON' 0 "$SHARDWALK" import "$log" --module "$module" --json
holds 'there is the one' '"source": "/home/user/g.py:11"'
holds 'and the other' '"source": "/home/user/g.py:16"'
status 'without a module' 0 "$SHARDWALK" import "$log" 1
lacks 'nothing says it' '^program'
sed 's/ stack_frame_id=[0-9]*//' "$module" >"$TMP/no-frames.hlo"
status 'a module whose instructions have no frames' 0 "$SHARDWALK" import "$log" 1 --module "$TMP/no-frames.hlo"
lacks 'does not say it' '^program'
sed 's/jit(loss)/jit(other)/' "$module" >"$TMP/other.hlo"
status 'a module of another program' 0 "$SHARDWALK" import "$log" 1 --module "$TMP/other.hlo"
lacks 'nor does a frame of the same number' '^program'
sed '/^StackFrames/,/^$/d' "$module" >"$TMP/no-table.hlo"
status 'a module without the table' 0 "$SHARDWALK" import "$log" 1 --module "$TMP/no-table.hlo"
lacks 'nor does that' '^program'
finish
