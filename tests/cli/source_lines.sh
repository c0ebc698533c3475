#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The line of the program that a row of a module is of: that of its collective, whatever its value is of.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit
module=$SRC/tests/hlo/lines.hlo

row() { # NAME: of a collective, in JSON
	grep -o "\"names\": \[\"$1\"\].*" out | sed 's/"found".*//'
}

## The line of a collective

status 'a module' 0 "$SHARDWALK" import "$module" --json
row one >one
says 'its line is not that of its value' '"op_name": "jit(f)/shard_map/psum", "source": "f.py:71", "sources": ["f.py:71"]' one
row h >h
says 'where it has none it is that of its value' '"op_name": "jit(f)/exp", "source": "f.py:90"' h
row g >g
says 'of several the one that moves most names the row, and all are there' '"source": "f.py:81", "sources": ["f.py:80", "f.py:81"]' g
equal 'sums in other lines are other rows' '1 2 1 ' "$(grep -o '"count": [0-9]*, "runs": [0-9]*, "bytes_saved": 0, "line": [0-9]*' out | sed 's/"count": \([0-9]*\).*"line": \(.*\)/\2 \1/' | sort -n | sed 's/.* //' | tr '\n' ' ')"
status 'one row' 0 "$SHARDWALK" import "$module" 3
holds 'says its line' '^program  f.py:81$' out
holds 'and the others' '^also  *f.py:80$' out

## At the width of a window

traffic=$SRC/tests/hlo/traffic
status 'a line that several call' 0 "$SHARDWALK" import "$traffic/halo.hlo"
holds 'keeps its own place where there is no room for its caller' '  71  [^ ]*/step.py:59$' out
status 'in JSON' 0 "$SHARDWALK" import "$traffic/halo.hlo" --json
says 'both are there' 'step.py:59, from step.py:17"' out
status 'a line that calls itself' 0 "$SHARDWALK" import "$traffic/deepcond.hlo"
holds 'is said once' '^program  /home/user/step.py:19$' out
status 'an upper bound that has no sizes to know' 0 "$SHARDWALK" import "$traffic/partly.mlir"
lacks 'does not speak of sizes' 'sizes are not known' out

status 'rows of one line of the program' 0 "$SHARDWALK" import "$SRC/tests/hlo/nested.hlo" --fold line
holds 'have it first, and whole' '^/home/ann/a-long-way/to/the/model/train.py:16  *5  *1 ' out
sed 's#source_file="f.py"#source_file="/home/ann/a-long-way/to/the/model/gen.py"#; s/to_apply=%add/to_apply=%most/
s/^%add/%most/; s/ add(%a, %b)/ maximum(%a, %b)/' "$module" >long.hlo
status 'collectives in no row' 0 "$SHARDWALK" import long.hlo
holds 'keep the end of a long path' '  ….*gen.py:73$' out
status 'and folded' 0 "$SHARDWALK" import long.hlo --fold line
holds 'have it first, and whole, too' '^/home/ann/a-long-way/to/the/model/gen.py:73  *1  *9 KiB' out

## In JSON

lines() { # of all collectives, in their order
	sed 's/.*"traffic": //; s/"folds".*//' out | grep -o '"source": "[^"]*"' | sed 's/.*://; s/"//' | tr '\n' ' '
}
status 'all collectives' 0 "$SHARDWALK" import "$module" --by line --json
equal 'are in the order of their lines' '71 73 80 81 ' "$(lines)"
status 'usually' 0 "$SHARDWALK" import "$module" --json
equal 'what moves most is first' '73 71 81 80 ' "$(lines)"
status 'folded' 0 "$SHARDWALK" import "$module" --fold kind --by bytes --json
sed 's/.*"traffic": //; s/.*"folds"//' out >folds
says 'they are there a second time' '[{"rows": 2, "bytes_in_all": 13824' folds
says 'with what they have in common' '"kind": "all-gather", "count": 2' folds

finish
