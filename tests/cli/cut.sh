#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Modules that are cut off or damaged: what is before that is read, and where it broke is said; and how many devices a module is for.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

modules=$SRC/tests/hlo/traffic

## HLO

up_to() { # FILE LINE: what is before this line
	sed "$2,\$d" "$1"
}
up_to "$modules/rattn.hlo" 187 >ring.hlo
status 'a module that is cut off behind its first permute' 0 "$SHARDWALK" import ring.hlo
holds 'counts what is before' '^Of 16 KiB that collectives bring to a device' out
holds 'and says where it broke' '^line 187: the text ends inside this computation: only the text before it was read$' err
printf '  %%half = f32[64,64]{1,0} copy(%%get-tuple' >>ring.hlo
status 'cut off inside an instruction' 0 "$SHARDWALK" import ring.hlo --json
says 'has the line in JSON' '"collectives": 1, "cut_line": 187, ' out
{ up_to "$modules/rattn.hlo" 187 && echo '  what is this' && sed -n '187,$p' "$modules/rattn.hlo"; } >damaged.hlo
status 'a damaged line' 0 "$SHARDWALK" import damaged.hlo
holds 'ends what is read' '^line 187: this is not an instruction: only the text before it was read$' err
up_to "$modules/rattn.hlo" 180 >early.hlo
status 'cut off before any collective' 1 "$SHARDWALK" import early.hlo
holds 'is no module' '^error\[N06\]: line 180: the text ends inside this computation$' err
status 'a whole module' 0 "$SHARDWALK" import "$modules/rattn.hlo" --json
says 'is cut nowhere' '"cut_line": null, ' out

## StableHLO

up_to "$modules/zoo2.mlir" 11 >zoo.mlir
status 'StableHLO that is cut off' 0 "$SHARDWALK" import zoo.mlir
holds 'counts what is before' ' bring 4 KiB to a device in each' out
holds 'and says where it broke' '^line 10: the text ends inside the module: only the text before was read$' err
up_to "$modules/rattn.mlir" 30 >early.mlir
status 'cut off before anything moves' 1 "$SHARDWALK" import early.mlir
holds 'is refused with the line' '^found: nothing before line 29, in which the text ends inside the module$' err
for module in "$modules"/*.mlir "$SRC"/tests/hlo/*.mlir "$SRC"/tests/cases/*/*.mlir; do
	"$SHARDWALK" import "$module" >out 2>err
	lacks "$(basename "$module"): ends where its module does" 'the text ends'
done

## The module of a log

log=$SRC/tests/logs/warnings.log
status 'a module before partitioning that is cut off' 0 "$SHARDWALK" import "$log" --module ring.hlo
holds 'is said to be' '^the module of --module is cut off: line 187: the instruction ends before its brackets do: only' err
status 'StableHLO too' 0 "$SHARDWALK" import "$log" --module zoo.mlir
holds 'is said to be' '^the module of --module is cut off: line 10: the text ends inside the module: only' err

## Large texts are logs

{ head -n 2 "$log" && echo 'pdgemr2d(8, 8, a, 1, 1, desca, b, 1, 1, descb, 0)' && yes 'step 12: loss 0.25, 1000 tokens' | head -c 9000000; } >large.log
status 'a log of 9 MB in which somebody calls pdgemr2d' 0 "$SHARDWALK" import large.log
holds 'is a log' '^read as an XLA log' err

## Devices

devices() { # FILE
	"$SHARDWALK" import "$1" 2>&1 >/dev/null | sed -n 's/^read as .*: \([0-9]*\) devices*[,;] .*/\1/p'
}
equal 'devices of a mesh' 8 "$(devices "$modules/shardy.mlir")"
equal 'of groups' 8 "$(sed '/sdy.mesh/d; s/mhlo.num_partitions = 8 : i32, //' "$modules/uneven.mlir" | tee plain.mlir >/dev/null && devices plain.mlir)"
equal 'of replicas and partitions' 16 "$(sed 's/num_replicas = 1/num_replicas = 2/' "$modules/uneven.mlir" >twice.mlir && devices twice.mlir)"
equal 'of a partitioned module, too' 16 "$(sed 's/replica_count=[0-9]*, //; s/num_partitions=8/num_partitions=8, replica_count=2/' "$modules/moes.hlo" >twice.hlo && devices twice.hlo)"
finish
