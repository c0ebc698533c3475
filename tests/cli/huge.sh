#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Numbers that 64 bits do not hold, of arrays that they just hold: links so slow that bounds are no whole picoseconds, devices
# that hold together more than 2^63 elements, and numbers of a file.
. "$SRC/tests/lib.sh"

says() { # NAME TEXT STATEMENTS
	timeout "$PATIENCE" "$SHARDWALK" -c "$3" >"$TMP/out" 2>"$TMP/err"
	status=$?
	if [ $status = 0 ] && grep -qF -e "$2" "$TMP/out"; then ok "$1"
	else not_ok "$1" "status $status, no '$2': $(head -c 400 "$TMP/out") $(head -c 300 "$TMP/err")"; fi
}

square='mesh {x: 8, y: 4}; shape f32[1073741824, 1073741824];'
turned="$square from [134217728{x}1073741824, 1073741824]; to [1073741824, 268435456{y}1073741824]"
says 'links so slow that a bound of a step is no number of picoseconds' '1.14 times the best' \
	"hardware slow = 1B/s 1us; hardware slow; model latency; $turned; plan"
says 'and that start so late' 'at most 4 times the best' \
	"hardware late = 1B/s 99999999999s; hardware late; model roofline; $turned; plan exact"
says 'more is kept on all devices than 64 bits count' 'more than 2^63 stay' \
	'mesh {x: 8, y: 8}; shape i8[4611686018427387904]; from [576460752303423488{x}4611686018427387904]; to [576460752303423488{x}4611686018427387904]; show relation'
says 'which is null in JSON' '"kept": null' \
	'mesh {x: 8, y: 8}; shape i8[4611686018427387904]; from [576460752303423488{x}4611686018427387904]; to [576460752303423488{x}4611686018427387904]; show relation --json'
says 'and more moves' 'more than 2^63 elements (huge)' \
	'mesh {x: 8, y: 8}; shape i8[4611686018427387904]; from [576460752303423488{x}4611686018427387904]; to [4611686018427387904]; show relation'

cd "$TMP" || exit
for number in 1e300 -1e300 -0.5 4; do
	echo "{\"name\": \"a\", \"mesh\": \"{x: 4}\", \"from\": \"[3{x}12]\", \"to\": \"[12]\", \"held\": [$number]}" >held.jsonl
	timeout "$PATIENCE" "$SHARDWALK" batch --json held.jsonl >out 2>&1
	holds "device $number is none of the mesh" 'does not name a device' out
done
says 'a number of a formula that no element holds' 'verified: 2 values' \
	'mesh {x: 2}; shape i32[8]; type x = [4{x}8]; type y = x; compute y[i] = 99999999999999999999*x[i]; simulate'
finish
