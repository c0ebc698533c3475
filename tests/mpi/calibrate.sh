#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `calibrate` with real ranks, by the example of its help: what it finds is kept, shown, and predicts.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'calibrating'
mkdir -p "$TMP/scratch"
export TMPDIR="$TMP/scratch"

"$SHARDWALK" help calibrate | sed -n '/^example$/,$s/^    //p' >"$TMP/example"
equal 'the example is for two ranks' 'calibrate --ranks 2' "$(cat "$TMP/example")"
status 'calibrating' 0 "$SHARDWALK" $(cat "$TMP/example") --launches 1
holds 'finds rates' 'shared, alltoall of 2: ' "$TMP/out"
for op in reducescatter allreduce zeros pad; do
	holds "of sums too: $op" "shared, $op of 2: " "$TMP/out"
	holds 'by messages too' "messages, $op of 2: " "$TMP/out"
done
equal 'nothing is missing' 0 "$(grep -c 'was not measured' "$TMP/out")"
holds 'and how fast ranks multiply' 'products by .*Gflop/s per rank; relu .*GB/s' "$TMP/out"
status 'the calibration' 0 "$SHARDWALK" info
holds 'is shown' "calibrated: on $(uname -n), .* 2 ranks" "$TMP/out"
status 'and predicts' 0 "$SHARDWALK" run 'mesh {x: 2}' 'f64[256{x}512, 512] ~> f64[512, 256{x}512]' --reps 5
holds 'times' 'predicted by the model calibrated' "$TMP/out"
status 'and sums' 0 "$SHARDWALK" run 'mesh {x: 2}' 'f64[512, 512]+{x} ~> f64[512, 256{x}512]' --reps 5
holds 'by their own rates' 'predicted by the model calibrated' "$TMP/out"
cat >"$TMP/product.spmd" <<'END'
mesh {x: 2}
fn product(a : [64, 16{x}32], b : [16{x}32, 48]) -> [64, 24{x}48] {
  c = einsum "ij,jk->ik" a b as [64, 24{x}48]
  return c
}
END
status 'and programs' 0 "$SHARDWALK" -c "program $TMP/product.spmd; run --reps 3 --json"
for op in einsum redistribute; do
	grep '"op":"'$op'"' "$TMP/out" | grep -q '"predicted_seconds":[0-9]' && ok "$op is predicted" || not_ok "$op is predicted" "$(head -c 300 "$TMP/out")"
done
equal 'no file is left' '' "$(ls -A "$TMP/scratch")"
finish
