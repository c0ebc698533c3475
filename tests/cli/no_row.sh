#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A row that cannot be is refused as a row, and a chain that never runs says why.
. "$SRC/tests/lib.sh"

cat >"$TMP/switch.hlo" <<'HLO'
HloModule jit_f, num_partitions=8

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}
%b0 (p0: f32[64,8]) -> f32[64,8] {
  %p0 = f32[64,8]{1,0} parameter(0)
  ROOT %ar = f32[64,8]{1,0} all-reduce(%p0), channel_id=1, replica_groups=[1,8]<=[8], use_global_device_ids=true, to_apply=%add
}
%b1 (p1: f32[64,8]) -> f32[64,8] {
  %p1 = f32[64,8]{1,0} parameter(0)
  %c1 = f32[64,8]{1,0} collective-permute(%p1), channel_id=2, source_target_pairs={{0,3},{3,0},{1,2},{2,5},{5,1}}
  %c2 = f32[64,8]{1,0} collective-permute(%c1), channel_id=3, source_target_pairs={{0,3},{3,0},{1,2},{2,5},{5,1}}
  ROOT %c3 = f32[64,8]{1,0} collective-permute(%c2), channel_id=4, source_target_pairs={{0,3},{3,0},{1,2},{2,5},{5,1}}
}
ENTRY %main (i: s32[], x: f32[64,8]) -> f32[64,8] {
  %i = s32[] parameter(0)
  %x = f32[64,8]{1,0} parameter(1)
  ROOT %r = f32[64,8]{1,0} conditional(%i, %x, %x), branch_computations={%b0, %b1}
}
HLO
for row in -1 0 7; do
	refused "row $row" L12 "there is no row $row" "$SHARDWALK" --quiet -c "import $TMP/switch.hlo $row"
	holds "row $row: where" "^  | *\^$(echo "$row" | sed 's/^.//;s/./^/g')$" "$TMP/err"
done
status 'a chain in a branch that moves less' 0 "$SHARDWALK" --quiet -c "import $TMP/switch.hlo"
says 'is not counted' 'runs   in a branch that is not counted'
lacks 'and does not run 0 times' '0 times'
finish
