#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What `run --dry-run` says of buffers is not less than what ranks have where all goes by messages.
. "$SRC/tests/mpi/lib_mpi.sh"
cd "$TMP" || exit 1
needs_mpi 'buffers of messages'
light_start

try() { # NAME MESH PROBLEM STRATEGY
	status "$1: said" 0 "$SHARDWALK" -c "mesh $2; $3; run $4 --dry-run --json"
	said=$(sed -n 's/.*"buffer_bytes_per_rank": \([0-9]*\).*/\1/p' out)
	"$SHARDWALK" -c "mesh $2; $3; run $4 --transport messages --reps 1 --warmup 0 --json" >out 2>err </dev/null
	had=$(sed -n 's/.*"buffer_bytes":\([0-9]*\).*/\1/p' out | sort -n | tail -n 1)
	if [ "${had:-0}" -gt 0 ] && [ "${said:-0}" -ge "$had" ] && [ "$said" -le $((8 * had + 16384)) ]; then ok "$1: $had of $said bytes"
	else not_ok "$1" "had '$had' of '$said' bytes: $(head -c 300 err)"; fi
}

try alltoall '{x: 4}' 'f32[512{x}2048, 256] ~> f32[2048, 64{x}256]' fused
try small '{x: 4}' 'f32[2{x}8, 8] ~> f32[8, 2{x}8]' fused
try allreduce '{x: 4}' 'f32[256, 512]+{x} ~> f32[256, 512]' fused
try scattered '{x: 4}' 'f32[512, 256]+{x} ~> f32[512, 64{x}256]' fused
try between '{x: 2, y: 2}' 'f64[3{x,..}1000, 300] ~> f64[1000, 150{x}300]' direct
finish
