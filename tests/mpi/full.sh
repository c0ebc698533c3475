#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What cannot be written is an error with one message and one status, the last record included.
. "$SRC/tests/mpi/lib_mpi.sh"
needs_mpi 'full disks'
plan two fused '{x: 2}' 'f32[{x}16, 12] ~> f32[16, {x}12]'

full() { # NAME WHERE: after a command whose status is in $status
	equal "$1: status" 3 "$status"
	says "$1: the message" "B02: cannot write '$2': No space left"
	equal "$1: one message" 1 "$(grep -c '^shardwalk-exec: ' "$TMP/err")"
	equal "$1: no complete record" 0 "$(records complete)"
}

for words in --help --version "--dry-run $TMP/two.json"; do
	: >"$TMP/out"
	"$EXEC" $words >/dev/full 2>"$TMP/err"
	status=$?
	full "$words" 'standard output'
	status "$words with room" 0 "$EXEC" $words
done
for reps in 0 3 2000; do
	ranks 2 --samples /dev/full --reps $reps --warmup 0 "$TMP/two.json"
	full "samples, $reps repetitions" /dev/full
done
ranks 2 --output /dev/full "$TMP/two.json"
full 'records' /dev/full

# A disk with one page, in which all fits but the end of the last record.
ranks 2 --output "$TMP/all" "$TMP/two.json" --reps 0
equal 'records with room: status' 0 "$status"
room=$((4096 - $(stat -c %s "$TMP/all") + 16))
if unshare --mount true 2>/dev/null && [ $room -gt 16 ]; then
	cat >"$TMP/nearly" <<-END
		mkdir -p "$TMP/small" && mount -t tmpfs -o size=64k tmpfs "$TMP/small" || exit 99
		head -c 61440 /dev/zero >"$TMP/small/filler"
		yes | head -n $((room / 2)) >"$TMP/small/out"
		timeout 60 "$MPIEXEC" -n 2 "$EXEC" --output "$TMP/small/out" --reps 0 "$TMP/two.json" >"$TMP/out" 2>"$TMP/err" </dev/null
		echo "\$? \$(grep -ac '"check"' "$TMP/small/out") \$(grep -ac '"complete".*}' "$TMP/small/out")"
	END
	unshare --mount sh "$TMP/nearly" >"$TMP/ended"
	equal 'no room for the last record: status, check, complete' '3 1 0' "$(cat "$TMP/ended")"
	says 'no room for the last record: the message' 'No space left'
	equal 'no room for the last record: one message' 1 "$(grep -c '^shardwalk-exec: ' "$TMP/err")"
else
	skip 'no room for the last record' 'mount namespaces are not allowed here'
fi

# The front end: nobody hears of the records, so the ranks end.
status 'run --json' 3 sh -c "\"$SHARDWALK\" run 'mesh {x: 2}' 'f32[{x}16, 12] ~> f32[16, {x}12]' --reps 1000000 --json >/dev/full"
equal 'run --json: one message' '1 cannot write to standard output: No space left on device' \
	"$(grep -c '^error' "$TMP/err") $(sed -n 's/^error\[B02\]: //p' "$TMP/err")"
status 'run --samples' 3 "$SHARDWALK" run 'mesh {x: 2}' 'f32[{x}16, 12] ~> f32[16, {x}12]' --reps 1 --samples /dev/full
equal 'run --samples: one message' 1 "$(grep -c '^error\[B02\].*No space left' "$TMP/err")"
finish
