#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Warnings and the module that they are about in one text: both are read, and nothing counts twice.
. "$SRC/tests/lib.sh"

warning() { # LOCAL_SHAPE FROM TO
	echo "W1128 11:10:45.142040   32625 spmd_partitioner.cc:656] [SPMD] Involuntary full rematerialization. The compiler cannot go from sharding $2 to $3 efficiently for HLO operation %param = $1 parameter(1), sharding=$2, metadata={op_name=\"p['e']\"}. As the last resort, SPMD will replicate the tensor and then partition it to obtain the final sharding."
}
cat >"$TMP/asks.mlir" <<'EOF2'
module @jit_f attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @m1 = <["x"=8]>
  sdy.mesh @m2 = <["a"=2, "b"=2, "c"=2]>
  func.func public @main(%arg0: tensor<512x48xf32> {sdy.sharding = #sdy.sharding<@m1, [{"x"}, {}]>}) -> tensor<512x48xf32> {
    %0 = sdy.sharding_constraint %arg0 <@m2, [{}, {"b", "a"}]> : tensor<512x48xf32>
    return %0 : tensor<512x48xf32>
  }
}
EOF2
cat >"$TMP/asks.hlo" <<'EOF2'
HloModule jit_f, num_partitions=8

ENTRY %main.0 (p__e__.1: f32[512,48]) -> (f32[512,48]) {
  %p__e__.1 = f32[512,48]{1,0} parameter(0), sharding={devices=[8,1]<=[8]}, metadata={op_name="p[\'e\']"}
  ROOT %tuple.0 = (f32[512,48]{1,0}) tuple(%p__e__.1), sharding={{devices=[1,4,2]<=[2,2,2]T(1,0,2) last_tile_dim_replicate}}
}
EOF2
cat >"$TMP/moves.hlo" <<'EOF2'
HloModule jit_g, num_partitions=8

ENTRY %main (p: f32[64,8]) -> f32[512,8] {
  %p = f32[64,8]{1,0} parameter(0)
  ROOT %g = f32[512,8]{1,0} all-gather(%p), channel_id=1, replica_groups=[1,8]<=[8], dimensions={0}, use_global_device_ids=true
}
EOF2
warning 'f32[64,48]{1,0}' '{devices=[8,1]<=[8]}' '{devices=[1,4,2]<=[2,2,2]T(1,0,2) last_tile_dim_replicate}' >"$TMP/log"
warning 'f32[96,24]{1,0}' '{devices=[1,8]<=[8]}' '{devices=[8,1]<=[8]}' >"$TMP/other"

# The constraint's row says that it is warned of, wherever the warning is.
status 'the module alone' 0 "$SHARDWALK" --quiet -c "import $TMP/asks.mlir"
holds 'has one row' '84 KiB'
cat "$TMP/log" "$TMP/asks.mlir" >"$TMP/before"
cat "$TMP/asks.mlir" "$TMP/log" >"$TMP/behind"
for where in before:1 behind:9; do
	file=${where%:*}
	status "warnings $file" 0 "$SHARDWALK" --json -c "import $TMP/$file"
	says "$file: the row says the line" "XLA warns about it, line ${where#*:}"
	holds "$file: a remark counts it" 'beside it 1 warning of XLA' "$TMP/err"
	lacks "$file: and is the only one" '"row": 2'
done
cat "$TMP/other" "$TMP/asks.mlir" >"$TMP/two"
status 'a warning of something else' 0 "$SHARDWALK" --quiet -c "import $TMP/two"
says 'is a row beside it' 'f32[96,192]'
says 'and says why' 'no constraint of the module is between these shardings'
holds 'the constraint is there, too' '84 KiB'

# HLO before partitioning is what --module would read.
cat "$TMP/log" "$TMP/asks.hlo" >"$TMP/hlo"
status 'HLO behind warnings' 0 "$SHARDWALK" -c "import $TMP/hlo"
holds 'is read' 'line 2 begins an HLO module' "$TMP/err"
holds 'and the value is found' '1 is about values of the module' "$TMP/err"

# What a partitioned one moves is counted, apart from the warnings.
cat "$TMP/log" "$TMP/moves.hlo" >"$TMP/moved"
status 'a partitioned module behind warnings' 0 "$SHARDWALK" --quiet -c "import $TMP/moved"
says 'has its bytes' 'that collectives bring to a device in each run of the module'
holds 'beside the warning' '84 KiB'
status 'as JSON' 0 "$SHARDWALK" --quiet --json -c "import $TMP/moved"
says 'has both' '"traffic": {"bytes": 14336'
status 'a row of it' 0 "$SHARDWALK" --quiet -c "import $TMP/moved 1"
refused 'a row that is none' L12 'there is no row 2' "$SHARDWALK" --quiet -c "import $TMP/moved 2"

# A module that is damaged hides no warning.
{ cat "$TMP/log" && head -4 "$TMP/moves.hlo"; } >"$TMP/cut"
status 'a module that is cut off' 0 "$SHARDWALK" -c "import $TMP/cut"
holds 'the warning is read' '84 KiB'
holds 'and what became of the module is said' 'module' "$TMP/err"
finish
