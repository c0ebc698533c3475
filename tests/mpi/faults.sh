#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Whatever goes wrong, a run ends soon with one message, without its complete record, and leaves nothing behind.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'faults'
plan ok fused '{x: 2, y: 2}' 'f32[{x,y}16, 12] ~> f32[16, {y}12]'
plan other fused '{x: 2}' 'f32[{x}16, 12] ~> f32[16, {x}12]'
sed 's/plan\/[0-9]*/plan\/9/' "$TMP/ok.json" >"$TMP/version.json"
sed 's/"cost": *[0-9]*/"cost": 7/' "$TMP/ok.json" >"$TMP/are.json"
head -c 200 "$TMP/ok.json" >"$TMP/half.json"
: >"$TMP/empty.json"

one_message() { # NAME STATUS TEXT
	equal "$1: status" "$2" "$status"
	says "$1: the message" "$3"
	equal "$1: one message" 1 "$(grep -c '^shardwalk-exec: ' "$TMP/err")"
	equal "$1: no complete record" 0 "$(records complete)"
}

ranks 4 "$TMP/none.json"
one_message 'no such plan' 1 'none.json: B01: cannot read'
ranks 4 "$TMP/empty.json"
one_message 'an empty plan' 1 'B04'
ranks 4 "$TMP/half.json"
one_message 'half a plan' 1 'B04'
ranks 4 "$TMP/version.json"
one_message 'a plan of another version' 1 'P02'
ranks 4 "$TMP/are.json"
one_message 'a plan that contradicts itself' 1 'P0[35]'
ranks 4 "$TMP/other.json"
one_message 'a plan for other ranks' 1 'mpiexec -n 2'
ranks 4 --memory 1000 "$TMP/ok.json"
one_message 'too little memory' 3 'needs 16 KiB (16384 bytes) and has 1000 B'
ranks 4 --output /dev/full "$TMP/ok.json"
one_message 'no room for the result' 3 'No space left'
ranks 4 --samples /dev/full --reps 2000 --warmup 0 "$TMP/ok.json"
one_message 'no room for the samples' 3 'No space left'
ranks 4 --output "$TMP/none/out" "$TMP/ok.json"
one_message 'no folder for the result' 3 'No such file'
ranks 4 --repetitions 3 "$TMP/ok.json"
one_message 'an unknown option' 2 'unknown option'
ranks 4 --reps -3 "$TMP/ok.json"
one_message 'a wrong number' 2 'no value of --reps'

ranks 4 --reps 0 "$TMP/none.json" "$TMP/ok.json"
equal 'a bad plan does not stop the next one' 1 "$(records complete)"
equal 'and gets its record' 1 "$(records error)"

for kind in die segv leave; do
	ranks 4 --fault $kind:2:1 --reps 0 "$TMP/ok.json"
	equal "a rank that does $kind: no complete record" 0 "$(records complete)"
	nothing_left "a rank that does $kind"
done
for rank in 0 3; do
	ranks 4 --fault hang:$rank:2 --timeout 3 --reps 0 "$TMP/ok.json"
	one_message "rank $rank hangs" 3 "rank $rank (process [0-9]*) hangs: no progress for [0-9]* s in step 2"
	nothing_left "rank $rank hangs"
done
ranks 4 --fault hang:1:1 --timeout 3 --reps 0 --transport messages "$TMP/ok.json"
one_message 'a rank hangs, with messages' 3 'rank 1 (process [0-9]*) hangs'

# The launcher is killed while a rank hangs: the ranks go too, and what they had in shared memory.
all_have_memory() { [ "$(pgrep -fc "$our_ranks")" = 4 ] && grep -q '"record":"start"' "$TMP/out" && our_memory | grep -q .; }
setsid "$MPIEXEC" -n 4 "$EXEC" --fault hang:1:1 --reps 0 "$TMP/ok.json" >"$TMP/out" 2>&1 </dev/null &
launcher=$!
await all_have_memory && ok 'ranks have shared memory' || not_ok 'ranks have shared memory' "$(cat "$TMP/out")"
our_memory >"$TMP/memory"
kill -9 $launcher
nothing_left 'the launcher is killed'

if unshare --mount true 2>/dev/null; then
	cat >"$TMP/small.sh" <<-E
		mount -t tmpfs -o size=1m tmpfs /dev/shm
		exec "$MPIEXEC" -n 4 "$EXEC" --reps 0 "$TMP/ok.json"
	E
	unshare --mount sh "$TMP/small.sh" >"$TMP/out" 2>"$TMP/err" </dev/null
	status=$?
	one_message 'shared memory too small for MPI' 3 '/dev/shm has 1024 KiB left'
else
	skip 'shared memory too small for MPI' 'mount namespaces are not allowed here'
fi
finish
