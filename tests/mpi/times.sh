#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What a result says: its records, their keys, repetitions and samples, memory as it was planned, and that waiting yields.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'times'
plan ok fused '{x: 2, y: 2}' 'f32[{x,y}256, 256] ~> f32[256, {y}256]'
plan still fused '{x: 4}' 'f32[{x}16, 12] ~> f32[{x}16, 12]'

has() { # NAME TEXT
	if grep -q -- "$2" "$TMP/out"; then ok "$1"; else not_ok "$1" "'$2' is missing: $(head -c 600 "$TMP/out")"; fi
}

number() { # KEY
	sed -n "s/.*\"$1\":\\([0-9]*\\).*/\\1/p" "$TMP/out" | head -n 1
}

ranks 4 --reps 7 --warmup 1 --launch 3 --samples "$TMP/samples.csv" "$TMP/ok.json"
verified 'a timed run' 1
equal 'kinds of records, in order' 'start step step total machine memory check complete' \
	"$(sed 's/.*"record":"\([a-z]*\)".*/\1/' "$TMP/out" | tr '\n' ' ' | sed 's/ $//')"
has 'the schema' '^{"schema":"shardwalk.run/1","record":"start"'
has 'the plan by its digest' "\"plan_sha256\":\"$(sha256sum <"$TMP/ok.json" | cut -d ' ' -f 1)\""
has 'ranks and launch' '"ranks":4,.*"launch":3'
has 'seconds' '"seconds":{"median":[0-9.e-]*,"p10":[0-9.e-]*,"p90":[0-9.e-]*,"max":[0-9.e-]*}'
has 'the times in order' '"course_seconds":\[[0-9.e-]*\(,[0-9.e-]*\)\{6\}\]'
has 'reference' '"reference_seconds":{"median":'
has 'all bytes that land' '"bytes":262144'
# two steps and the total, each with its reference
equal 'samples' $((1 + 3 * 2 * 7)) "$(wc -l <"$TMP/samples.csv")"
if [ "$(number tile_bytes)" -ge "$(number predicted_bytes)" ] \
	&& [ "$(number tile_bytes)" -le $(($(number predicted_bytes) + 5242880)) ]; then ok 'memory as planned'
else not_ok 'memory as planned' "$(number tile_bytes) bytes, planned $(number predicted_bytes)"; fi
equal 'no buffers' 0 "$(number buffer_bytes)"

ranks 4 --reps 3 --total --samples "$TMP/total.csv" "$TMP/ok.json"
verified 'only all steps timed' 1
equal 'one time, with its reference' 1 "$(grep -c '"seconds"' "$TMP/out")"
equal 'samples of all steps only' $((1 + 2 * 3)) "$(wc -l <"$TMP/total.csv")"
has 'what each step has of it' '"step_seconds":\[[0-9.e-]*,[0-9.e-]*\]'
awk '/"record":"total"/ {
	match($0, /"median":[0-9.e-]*/); all = substr($0, RSTART + 9, RLENGTH - 9)
	match($0, /"step_seconds":\[[^]]*/); split(substr($0, RSTART + 16, RLENGTH - 16), part, ",")
	d = part[1] + part[2] - all; exit !(part[1] > 0 && part[2] > 0 && d < 1e-7 && d > -1e-7)
}' "$TMP/out" && ok 'and they are all of it' || not_ok 'and they are all of it' "$(grep '"total"' "$TMP/out")"

ranks 4 --reps 3 --no-reference --samples "$TMP/bare.csv" "$TMP/ok.json"
verified 'timed without references' 1
has 'there is no share' '"reference_seconds":null,"reference_store":null,"share":null'
equal 'samples of steps only' $((1 + 3 * 3)) "$(wc -l <"$TMP/bare.csv")"

ranks 4 --reps 2 --transport messages "$TMP/ok.json"
verified 'a timed run by messages' 1
if [ "$(number buffer_bytes)" -le 131072 ]; then ok 'buffers of at most one tile'
else not_ok 'buffers of at most one tile' "$(number buffer_bytes)"; fi

ranks 4 "$TMP/still.json"
verified 'a plan without steps' 1

"$EXEC" --dry-run "$TMP/ok.json" >"$TMP/out" 2>"$TMP/err"
equal 'a dry run needs no launcher' 0 $?
has 'and says who takes what' 'rank 3 takes from rank'
cat >"$TMP/product.spmd" <<'END'
mesh {x: 2}
fn product(A : f32[4, 4{x}8], B : f32[4{x}8, 6]) -> f32[4, 6] {
  C = einsum "ij,jk->ik" A B as f32[4, 6]
  return C
}
END
"$SHARDWALK" --quiet -c "program $TMP/product.spmd; export plan $TMP/product.json program" >"$TMP/out" 2>"$TMP/err"
"$EXEC" --dry-run "$TMP/product.json" >"$TMP/out" 2>"$TMP/err"
equal 'so does that of a program' 0 $?
has 'its ranks' '^program product for 2 ranks: 4 values, 2 operations$'
has 'its memory' '^memory: [0-9]* bytes of values per rank, and [0-9]* to work in$'
has 'its command line' '^command: mpiexec -n 2 shardwalk-exec .*product.json$'
has 'its operations' '^operation 1: C = einsum A B, 96 bytes per rank$'
has 'and who sends what' 'rank 1 adds from rank 0'

"$EXEC" --help | grep -q -- '--transport auto|shared|messages' && ok 'help' || not_ok 'help' 'no --transport'
"$EXEC" --version | grep -q '^shardwalk-exec [0-9]' && ok 'version' || not_ok 'version' "$("$EXEC" --version)"

if ldd "$EXEC" | grep -q libucp; then
	equal 'the library sees our functions' 2 "$(nm -D --defined-only "$EXEC" | grep -cE ' (ucp_worker_progress|ucp_disconnect_nb)$')"
	ranks 4 --reps 0 "$TMP/ok.json"
	has 'it yields' '"yield":true'
else
	skip 'it yields' 'this MPI library does not use UCX'
fi
finish
