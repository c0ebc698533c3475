#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A module before partitioning whose root is a tuple, each element with a sharding of its own, as JAX dumps a checkpoint that goes to
# another mesh: warnings are about these.
. "$SRC/tests/lib.sh"

cat >"$TMP/log" <<'EOF2'
W1128 11:10:45.142040   32625 spmd_partitioner.cc:656] [SPMD] Involuntary full rematerialization. The compiler cannot go from sharding {devices=[8,1]<=[8]} to {devices=[1,4,2]<=[2,2,2]T(1,0,2) last_tile_dim_replicate} efficiently for HLO operation %param = f32[64,48]{1,0} parameter(1), sharding={devices=[8,1]<=[8]}, metadata={op_name="p[\'e\']"}. As the last resort, SPMD will replicate the tensor and then partition it to obtain the final sharding.
EOF2
root() { # SHARDINGS
	cat <<EOF2
HloModule jit__lambda, num_partitions=8

ENTRY %main.0 (p__b__.1: bf16[4096], p__e__.1: f32[512,48], p__w__.1: f32[96,64]) -> (bf16[4096], f32[512,48], f32[96,64]) {
  %p__b__.1 = bf16[4096]{0} parameter(0), sharding={devices=[4,2]<=[2,4]T(1,0) last_tile_dim_replicate}, metadata={op_name="p[\'b\']"}
  %p__e__.1 = f32[512,48]{1,0} parameter(1), sharding={devices=[8,1]<=[8]}, metadata={op_name="p[\'e\']"}
  %p__w__.1 = f32[96,64]{1,0} parameter(2), sharding={devices=[2,4]<=[8]}, metadata={op_name="p[\'w\']"}
  ROOT %tuple.0 = (bf16[4096]{0}, f32[512,48]{1,0}, f32[96,64]{1,0}) tuple(%p__b__.1, %p__e__.1, %p__w__.1), sharding=$1
}
EOF2
}
b='{devices=[4,2]<=[2,2,2]T(2,1,0) last_tile_dim_replicate}'
e='{devices=[1,4,2]<=[2,2,2]T(1,0,2) last_tile_dim_replicate}'
w='{devices=[4,2]<=[2,2,2]T(0,2,1)}'

root "{$b, $e, $w}" >"$TMP/each.hlo"
status 'each its own' 0 "$SHARDWALK" -c "import $TMP/log --module $TMP/each.hlo"
holds 'the element is found' '1 is about values of the module' "$TMP/err"
lacks 'and nothing else is said' 'no value of the module' "$TMP/err"

for other in "{$e, $b, $w}" "{$b}" '{}' '{{}' "$e" '{replicated}' "{$b, {replicated, $w}" '{{},{},{},{},{}}'; do
	root "$other" >"$TMP/other.hlo"
	status "sharding=$other" 0 "$SHARDWALK" -c "import $TMP/log --module $TMP/other.hlo"
	holds "sharding=$other is not of it" 'the log warns about no value of the module' "$TMP/err"
done
finish
