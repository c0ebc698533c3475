#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Where a program constrains by a function of its own, its line is that of every constraint: the line that calls it is said, too.
. "$SRC/tests/lib.sh"
modules=$SRC/tests/cases/modules

status 'a log with its module before partitioning' 0 "$SHARDWALK" import "$modules/back.log" --module "$modules/back-before.hlo" --json
holds 'has the function and who calls it' '"source": "/home/user/back.py:9, from back.py:15"'
holds 'elsewhere, too' '"source": "/home/user/back.py:9, from back.py:19"'
holds 'a line that nobody shares is alone' '"source": "/home/user/back.py:11"'
status 'the same with StableHLO' 0 "$SHARDWALK" import "$modules/back.log" --module "$modules/back.loc.mlir" --json
holds 'has those of the constraints' '"source": "/home/user/back.py:9, from back.py:19"'
holds 'each its own' '"source": "/home/user/back.py:9, from back.py:15"'
status 'StableHLO alone' 0 "$SHARDWALK" import "$modules/back.loc.mlir" --json
holds 'names the first line' 'back.py:9, from back.py:11"'
holds 'and the last' 'back.py:9, from back.py:19"'
status 'a module after partitioning' 0 "$SHARDWALK" import "$modules/back-without.hlo" --json
holds 'names them as well' '/home/user/back.py:9, from back.py:1[159]"'
sed 's/parent_frame_id=[0-9]*/parent_frame_id=9/' "$modules/back-before.hlo" >"$TMP/alike.hlo"
status 'frames that all have one caller' 0 "$SHARDWALK" import "$modules/back.log" --module "$TMP/alike.hlo" --json
holds 'have lines' '"source": "/home/user/back.py:9'
sed 's/parent_frame_id=[0-9]*/parent_frame_id=9223372036854775807/' "$modules/back-before.hlo" >"$TMP/large.hlo"
status 'callers that are no frames' 0 "$SHARDWALK" import "$modules/back.log" --module "$TMP/large.hlo" --json
lacks 'are left out' 'from back.py'
finish
