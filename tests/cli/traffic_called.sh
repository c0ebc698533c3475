#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Collectives of Shardy are counted by the axes that they name, those of HLO before it is partitioned by the devices that it names.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit

modules=$SRC/tests/hlo/traffic

## Shardy

status 'collectives of Shardy' 0 "$SHARDWALK" import "$modules/shardy.mlir" --json
says 'an all-reduce brings two times the others of its group' '"bytes": 1536, "mean": 1536, "kind": "all-reduce", "count": 1, "where": "2 groups of 4"' out
says 'a reduce-scatter is over a part of an axis' '"bytes": 512, "mean": 512, "kind": "reduce-scatter", "count": 1, "where": "4 groups of 2"' out
says 'an all-gather of a value whose sharding nobody says' '"bytes": 14336, "mean": 14336, "kind": "all-gather", "count": 1, "where": "group of 8"' out
says 'one that is a row is not counted twice' '"traffic": {"bytes": 16384,' out
says 'its ends are known behind a sum' '"from_text": "[{\"x\"}, {\"y\":(1)2}]", "to_text": "[{\"x\"}, {}]"' out
sed 's/all_reduce {"y"}/all_reduce {"z"}/' "$modules/shardy.mlir" >other.mlir
status 'an axis that the mesh does not have' 0 "$SHARDWALK" import other.mlir --json
says 'makes groups that are none' '"wrong_groups": 1,' out

## HLO before it is partitioned

status 'HLO that does not say how many devices there are' 0 "$SHARDWALK" import "$modules/before.hlo" --json
says 'is for those that its shardings and groups name' '"partitions": 8,' out
says 'an all-reduce of some of them' '"bytes": 96, "mean": 48, "kind": "all-reduce", "count": 1, "where": "group of 4"' out
says 'a ring of some of them' '"bytes": 64, "mean": 24, "kind": "collective-permute", "count": 1, "where": "ring of 3, offset +1"' out
says 'no groups are none' '"wrong_groups": 0,' out
sed 's/sharding={devices[^}]*}/sharding={replicated}/' "$modules/before.hlo" >other.hlo
status 'HLO without shardings' 0 "$SHARDWALK" import other.hlo --json
says 'is for those that its groups and pairs name' '"partitions": 4,' out
finish
