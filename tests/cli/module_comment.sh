#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Lines of comment before an HLO module do not hide it, whatever they end on.
. "$SRC/tests/lib.sh"

cat >"$TMP/plain.hlo" <<'HLO'
HloModule m, num_partitions=4

ENTRY %main (p: f32[64,8]) -> f32[256,8] {
  %p = f32[64,8]{1,0} parameter(0)
  ROOT %g = f32[256,8]{1,0} all-gather(%p), channel_id=1, replica_groups=[1,4]<=[4], dimensions={0}, use_global_device_ids=true
}
HLO
status 'without a comment' 0 "$SHARDWALK" --quiet -c "import $TMP/plain.hlo"
sed 's/line [0-9]*//' "$TMP/out" >"$TMP/plain.out"
for comment in '# from a run {' '// from a run {' '#'; do
	{ echo "$comment" && cat "$TMP/plain.hlo"; } >"$TMP/said.hlo"
	status "behind '$comment'" 0 "$SHARDWALK" --quiet -c "import $TMP/said.hlo"
	sed 's/line [0-9]*//' "$TMP/out" >"$TMP/said.out"
	same "'$comment' changes nothing" "$TMP/plain.out" "$TMP/said.out"
done
finish
