#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Empty groups of a module with replicas are those of all replicas, and every collective whose groups are none is named.
. "$SRC/tests/lib.sh"

module() { # HEADER ATTRIBUTES ...
	printf 'HloModule m, %s\n\n%%add (a: f32[], b: f32[]) -> f32[] {\n  %%a = f32[] parameter(0)\n  %%b = f32[] parameter(1)\n' "$1"
	printf '  ROOT %%s = f32[] add(%%a, %%b)\n}\n\nENTRY %%main (x: f32[8,64]) -> f32[8,64] {\n  %%x0 = f32[8,64]{1,0} parameter(0)\n'
	shift
	k=0
	for attributes in "$@"; do
		printf '  %%x%d = f32[8,64]{1,0} all-reduce(%%x%d), %s, to_apply=%%add\n' $((k + 1)) $k "$attributes"
		k=$((k + 1))
	done
	printf '  ROOT %%r = f32[8,64]{1,0} copy(%%x%d)\n}\n' "$k"
}
moves() { # NAME BYTES MEAN HEADER ATTRIBUTES
	module "$4" "$5" >"$TMP/module.hlo"
	status "$1" 0 "$SHARDWALK" --quiet --json -c "import $TMP/module.hlo"
	says "$1: $2 bytes, $3 in the mean" "\"traffic\": {\"bytes\": $2, \"mean\": $3,"
}

# An all-reduce of 2 KiB over g devices brings 4 KiB (g-1)/g.
moves 'four replicas' 3072 3072 'replica_count=4' 'replica_groups={}'
moves 'four replicas of two partitions' 3072 3072 'replica_count=4, num_partitions=2' 'replica_groups={}'
moves 'without the word, too' 3072 3072 'replica_count=4, num_partitions=2' 'constrain_layout=true'
moves 'with a channel all devices' 3584 3584 'replica_count=4, num_partitions=2' 'channel_id=1, replica_groups={}'
moves 'partitions alone' 2048 2048 'num_partitions=2' 'channel_id=1, replica_groups={}'
moves 'as it would be in full' 3584 3584 'replica_count=4, num_partitions=2' \
	'channel_id=1, replica_groups={{0,1,2,3,4,5,6,7}}, use_global_device_ids=true'
moves 'half of the devices' 2048 1024 'replica_count=4, num_partitions=2' \
	'channel_id=1, replica_groups={{0,1},{2,3}}, use_global_device_ids=true'

module num_partitions=8 'channel_id=1, replica_groups={{0,1,2},{2,3,9}}, use_global_device_ids=true' >"$TMP/one.hlo"
status 'one that is none' 0 "$SHARDWALK" -c "import $TMP/one.hlo"
says 'is named' 'line 11: its groups do not match the devices; it counts as one group of all' "$TMP/err"
module num_partitions=8 'channel_id=1, replica_groups={{0,1,2},{2,3,9}}, use_global_device_ids=true' \
	'channel_id=2, replica_groups=[2,4]<=[8], use_global_device_ids=true' \
	'channel_id=3, replica_groups=[3,3]<=[9], use_global_device_ids=true' 'channel_id=4, replica_groups={{0,0}}, use_global_device_ids=true' \
	>"$TMP/three.hlo"
status 'three of four' 0 "$SHARDWALK" -c "import $TMP/three.hlo"
says 'are named' 'lines 11, 13 and 14: their groups do not match the devices; each counts as one group of all' "$TMP/err"
set --
for k in 1 2 3 4 5 6 7 8 9 10; do set -- "$@" "channel_id=$k, replica_groups={{0,9}}, use_global_device_ids=true"; done
module num_partitions=8 "$@" >"$TMP/ten.hlo"
status 'ten' 0 "$SHARDWALK" -c "import $TMP/ten.hlo"
says 'are named as far as a line holds them' 'lines 11, 12, 13, 14, 15, 16, 17, 18 and 2 more: their' "$TMP/err"
finish
