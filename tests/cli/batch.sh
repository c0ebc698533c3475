#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# batch: a line out for each line in, in order, bad ones in their place.
. "$SRC/tests/lib.sh"

cat >"$TMP/problems" <<'END'
{"name": "good", "mesh": "{x: 4, y: 6}", "from": "[3{x}12, 2{y}12]", "to": "[2{y}12, 3{x}12]"}
{"name": "object", "mesh": {"x": 4}, "dtype": "bf16", "from": "[3{x}12]", "to": "[12]"}
{"id": 17, "mesh": "{x: 4}", "from": "[3{x}13]", "to": "[13]"}
not json
{"mesh": "{x: 4}"}

{x: 4} [3{x}12] ~> [12]  # as text
{"name": "last", "mesh": "{x: 4}", "from": "[12]", "to": "[3{x}12]"}
END
status 'bad lines make the status 1' 1 "$SHARDWALK" batch "$TMP/problems" --json
equal 'a line out for each line in' 8 "$(wc -l <"$TMP/out" | tr -d ' ')"
equal 'names in order' 'good object 17 null null null as text last ' \
	"$(sed 's/.*"name": \("[^"]*"\|null\).*/\1/; s/"//g' "$TMP/out" | tr '\n' ' ')"
equal 'what each line is' 'plan plan error error error error plan plan ' \
	"$(sed 's/.*"schema": "shardwalk\.\([a-z]*\).*/\1/' "$TMP/out" | tr '\n' ' ')"
equal 'codes in their places' 'T04 T01 B03 B03 ' \
	"$(grep '"error"' "$TMP/out" | sed 's/.*"code": "\([^"]*\)".*/\1/' | sed 's/^B04$/T01/;s/^M01$/T01/' | tr '\n' ' ')"
grep -q '"code": "T04".*"line": 3, "column": 4[0-9]' "$TMP/out" && ok 'the column is that of the line' ||
	not_ok 'the column is that of the line' "$(sed -n 3p "$TMP/out")"
grep -q '"dtype": "bf16"' "$TMP/out" && ok 'an element type of its own' || not_ok 'an element type of its own' "$(sed -n 2p "$TMP/out")"

cat >"$TMP/shapes" <<'END'
{"name": "agrees", "mesh": "{x: 4}", "shape": [12, 8], "from": "[3{x}12, 8]", "to": "[12, 8]"}
{"name": "unsaid", "mesh": "{x: 4}", "shape": null, "from": "[3{x}12, 8]", "to": "[12, 8]"}
{"name": "other", "mesh": "{x: 4}", "shape": [12, 9], "from": "[3{x}12, 8]", "to": "[12, 8]"}
{"name": "short", "mesh": "{x: 4}", "shape": [12], "from": "[3{x}12, 8]", "to": "[12, 8]"}
{"name": "kind", "mesh": "{x: 4}", "shape": "12", "from": "[3{x}12, 8]", "to": "[12, 8]"}
mesh {x: 4} [3{x}12] ~> [12]  # the word mesh may be in front
END
"$SHARDWALK" batch "$TMP/shapes" --json >"$TMP/out" 2>/dev/null
equal 'a shape has to agree with the types' 'plan plan T09 T09 B03 plan ' \
	"$(sed 's/.*"code": "\([^"]*\)".*/\1/; s/.*"schema": "shardwalk\.plan.*/plan/' "$TMP/out" | tr '\n' ' ')"
grep -q '"name": "other".*"column": 64, "length": 11' "$TMP/out" && ok 'the type is marked' || not_ok 'the type is marked' "$(sed -n 3p "$TMP/out")"

status '--limit' 0 "$SHARDWALK" batch "$TMP/problems" --json --limit 2
equal '--limit counts problems' 2 "$(wc -l <"$TMP/out" | tr -d ' ')"
status 'from standard input' 1 sh -c '"$0" batch - <"$1"' "$SHARDWALK" "$TMP/problems"
equal 'a table line each' 8 "$(wc -l <"$TMP/out" | tr -d ' ')"
status 'an empty file' 0 "$SHARDWALK" batch /dev/null --json
equal 'answers nothing' '' "$(cat "$TMP/out")"
status 'a file that is not there' 1 "$SHARDWALK" batch "$TMP/none" --json
grep -q '"code": "B01"' "$TMP/out" && ok 'tells so in JSON' || not_ok 'tells so in JSON' "$(cat "$TMP/out")"
"$SHARDWALK" batch "$TMP/problems" --limit 2 --json >/dev/full 2>"$TMP/err"
equal 'an output that is full' 3 $?

## Keys

cat >"$TMP/orders" <<'END'
{"name": "swapped", "mesh": {"a": 2, "b": 2}, "shape": [8, 8], "from": "(Shard(0), Shard(0))", "to": "(Shard(0), Shard(0))", "from_shard_order": {"0": [1, 0]}}
{"name": "both", "mesh": {"a": 2, "b": 2}, "shape": [8, 8], "from": "(Shard(0), Shard(0))", "to": "(Shard(0), Shard(0))", "from_shard_order": [[0, [1, 0]]], "to_shard_order": [{"tensor_dim": 0, "mesh_dims": [1, 0]}]}
{"name": "default", "mesh": {"a": 2, "b": 2}, "shape": [8, 8], "from": "(Shard(0), Shard(0))", "to": "(Shard(0), Shard(0))", "from_shard_order": {"0": [0, 1]}, "to_shard_order": null}
{"name": "agrees", "mesh": {"a": 2, "b": 2}, "shape": [8, 8], "from": "S(0)[1]S(0)[0]", "to": "(Shard(0), Shard(0))", "from_shard_order": {"0": [1, 0]}}
{"name": "three", "mesh": {"m0": 2, "m1": 2, "m2": 2}, "shape": [8, 8, 8], "from": "(Shard(0), Shard(0), Shard(0))", "to": "(Shard(0), Shard(0), Shard(0))", "from_shard_order": {"0": [1, 0, 2]}, "to_shard_order": {"0": [1, 0, 2]}}
{"name": "types", "mesh": {"a": 2, "b": 2}, "from": "[2{b,a}8, 8]", "to": "[2{b,a}8, 8]", "to_mesh_device_ids": [3, 2, 1, 0]}
{"name": "as a plan's mesh", "mesh": [{"axis": "a", "size": 2}, {"axis": "b", "size": 2}], "shape": [8, 8], "from": "(Shard(0), Shard(0))", "to": "(Shard(0), Shard(0))", "to_shard_order": {"0": [1, 0]}}
END
status 'orders beside placements and types' 0 "$SHARDWALK" batch "$TMP/orders" --json
equal 'an order of mesh dimensions is a permute' '16 0 0 16 0 16 16 ' "$(sed 's/.*"budget": [0-9]*, "cost": \([0-9]*\).*/\1/' "$TMP/out" | tr '\n' ' ')"

bad_order() { # NAME PATTERN FROM ORDER
	echo "{\"mesh\": {\"a\": 2, \"b\": 2}, \"shape\": [8, 8], \"from\": \"$3\", \"to\": \"(Shard(0), Shard(0))\", \"from_shard_order\": $4}" >"$TMP/one"
	"$SHARDWALK" batch "$TMP/one" --json >"$TMP/out" 2>"$TMP/err"
	if [ $? = 1 ] && grep -q "\"message\": .*$2" "$TMP/out" && grep -q '"column": [0-9]' "$TMP/out"; then ok "$1"; else not_ok "$1" "$(cat "$TMP/out")"; fi
}
bad_order 'an order that leaves a mesh dimension out' 'leaves out' '(Shard(0), Shard(0))' '{"0": [1]}'
bad_order 'an order that names one twice' 'twice' '(Shard(0), Shard(0))' '{"0": [1, 1]}'
bad_order 'an order of a dimension that nothing cuts' 'does not cut' '(Shard(0), Shard(0))' '{"1": [1]}'
bad_order 'a mesh dimension that is not there' 'does not exist' '(Shard(0), Shard(0))' '{"0": [1, 2]}'
bad_order 'two orders that differ' 'another order' 'S(0)[1]S(0)[0]' '{"0": [0, 1]}'
bad_order 'an order beside another notation' 'belongs to DTensor' "P(('a', 'b'))" '{"0": [1, 0]}'
for kind in 1 '"10"' '{"x": [1, 0]}' '{"0": 1}' '{"0": ["a", "b"]}' '[[0]]' '[0, [1, 0]]' '{"99999999999999999999": [0]}'; do
	bad_order "an order of the wrong kind: $kind" 'of the wrong kind' '(Shard(0), Shard(0))' "$kind"
done

with_key() { # KEY VALUE
	printf '{"mesh": "{a: 2, b: 2}", "from": "[2{b,a}8, 8]", "to": "[8, 2{b,a}8]", "%s": %s}\n' "$1" "$2"
}
for key in src_mesh device_ids shard_order dst_placements out_shardings mesh_shape local_shape element_type reduce_op memory_kind \
		manual_axes block_size via budget strategy model without; do
	with_key $key '"one"' >"$TMP/one"
	"$SHARDWALK" batch "$TMP/one" --json >"$TMP/out" 2>"$TMP/err"
	equal "$key is refused" 1 $?
	case $key in src_mesh) says='give both' ;; *) says="\\\\\"$key\\\\\" is not read" ;; esac
	grep -q "$says.*\"column\": 7[0-9]" "$TMP/out" && ok "$key is refused in its place" || not_ok "$key is refused in its place" "$(cat "$TMP/out")"
	with_key $key null >"$TMP/one"
	status "$key: null says nothing" 0 "$SHARDWALK" batch "$TMP/one" --json
done
(with_key src_mesh '"{a: 2}"' | sed 's/"from": [^]]*]", "to": [^]]*]", //') >"$TMP/one"
"$SHARDWALK" batch "$TMP/one" --json 2>/dev/null | grep -q 'give both' && ok 'two meshes without ends' || not_ok 'two meshes without ends' "$(cat "$TMP/one")"

for key in source_url notes expected also weak_cost reference_cost refined_mesh _mine '$comment'; do
	with_key "$key" '"text"'
done >"$TMP/noted"
{ with_key colour '"red"'; with_key colour '"blue"'; with_key Shape '[8, 8]'; with_key 'a\nb' 1; } >>"$TMP/noted"
status 'notes and unknown keys are planned' 0 "$SHARDWALK" batch "$TMP/noted" --json
equal 'unknown keys are named once, notes never' 'line 10: "colour" is not a key of a problem and was ignored
line 12: "Shape" is not a key of a problem and was ignored; is "shape" meant?
line 13: "a\nb" is not a key of a problem and was ignored' "$(cat "$TMP/err")"
"$SHARDWALK" -c 'mesh {a: 2, b: 2}; redistribute [2{b,a}8, 8] ~> [8, 2{b,a}8]; plan --json' >"$TMP/one"
status 'a plan is a problem too' 0 "$SHARDWALK" batch "$TMP/one" --json
equal 'and its keys are known' '' "$(cat "$TMP/err")"
echo '{"mesh": "{x: 4}", "from": "[12]", "from": "[3{x}12]", "to": "[12]"}' >"$TMP/one"
"$SHARDWALK" batch "$TMP/one" --json 2>/dev/null | grep -q '"B04".*duplicate' && ok 'a key twice' || not_ok 'a key twice' "$("$SHARDWALK" batch "$TMP/one" --json 2>&1)"
for line in '"mesh": "{x: 4}", "dtype": 3' '"mesh": {"x": 4}, "shape": 8' '"mesh": {"x": 4}, "shape": [8, 4], "to_mesh": 4' '"mesh": {"x": 4}, "name": 1.5'; do
	echo "{$line, \"from\": \"P('x')\", \"to\": \"P(None, 'x')\"}" >"$TMP/one"
	"$SHARDWALK" batch "$TMP/one" --json 2>/dev/null | grep -q '"B03".*of the wrong kind' && ok "of the wrong kind: $line" ||
		not_ok "of the wrong kind: $line" "$("$SHARDWALK" batch "$TMP/one" --json 2>&1)"
done
echo '{"mesh": {"x": "?"}, "shape": [8, 4], "from": "split=0", "to": "split=1"}' >"$TMP/one"
"$SHARDWALK" batch "$TMP/one" --json 2>/dev/null | grep -q '"N03"' && ok 'an axis whose size is not known' || not_ok 'an axis whose size is not known' ''
echo '{"mesh": {"x": 8}, "shape": [8, 8], "from": "{devices=[4,1]<=[4]}", "to": "{devices=[1,4]<=[4]}"}' >"$TMP/one"
"$SHARDWALK" batch "$TMP/one" --json 2>/dev/null | grep -q '"N05".*over 4 devices' && ok 'a text over other devices than the mesh' || not_ok 'a text over other devices than the mesh' ''
echo '{"mesh": {"x": 4}, "mesh_device_ids": [3, 2, 1, 0], "shape": [8, 8], "from": "{devices=[4,1]<=[4]}", "to": "{devices=[1,4]<=[4]}"}' >"$TMP/one"
"$SHARDWALK" batch "$TMP/one" --json 2>/dev/null | grep -q '"N05".*in another order' && ok 'device ids beside a text with devices' || not_ok 'device ids beside a text with devices' ''

# The value that is wrong is marked, wherever its key is besides; an axis of a list brings its links.
column() { # NAME COLUMN LINE
	echo "$3" >"$TMP/one"
	equal "$1" "$2" "$("$SHARDWALK" batch "$TMP/one" --json 2>/dev/null | sed 's/.*"column": \([^,]*\),.*/\1/')"
}
column 'a size of an axis is marked' 27 '{"mesh": {"a": 2, "mesh": 1.5}, "from": "[8]", "to": "[8]"}'
column 'a size in a list is marked' 33 '{"mesh": [{"axis": "x", "size": {}}], "from": "[8]", "to": "[8]"}'
column 'a value is marked, and not another that is called like its key' 46 '{"name": "dtype", "mesh": "{x: 4}", "dtype": 3, "from": "[8]", "to": "[8]"}'
column 'a text with escapes is marked' 34 '{"mesh": "{\"o o\": 4}", "from": "", "to": "[8]"}'
echo '{"mesh": [{"axis": "x", "size": 4, "bandwidth": 1e9, "latency": 1e-6}], "from": "[2{x}8]", "to": "[8]"}' >"$TMP/one"
equal 'links of a mesh are kept' '{"axis": "x", "size": 4, "bandwidth": 1000000000, "latency": 1e-06}' \
	"$("$SHARDWALK" batch "$TMP/one" --json | grep -o '{"axis": [^}]*}')"

# Under a model in seconds lines tell of seconds.
echo '{"mesh": "{a: 2, b: 2, c: 2}", "from": "f32[512{a}1024, 512{b}1024]", "to": "f32[512{b}1024, 512{c}1024]"}' >"$TMP/one"
"$SHARDWALK" batch "$TMP/one" --model latency >"$TMP/seconds" 2>&1
grep -q ', takes [0-9.]* [mu]s, optimal$' "$TMP/seconds" && ok 'seconds, and what is proved of them' || not_ok 'seconds, and what is proved of them' "$(cat "$TMP/seconds")"
echo '{"mesh": "{a: 4, b: 4, c: 4, d: 4, e: 4}", "from": "[256{a}1024, 256{b}1024, 1024]", "to": "[256{b}1024, 64{d,e}1024, 256{c}1024]"}' >"$TMP/one"
"$SHARDWALK" -c "set plan_memory 20KiB; batch $TMP/one --model latency --json" >"$TMP/full" 2>&1
grep -q '"optimal": false.*"model_bound": 0[.].*"stopped_at_bytes": 20480' "$TMP/full" && ok 'a search that its memory ended says so' || not_ok 'a search that its memory ended says so' "$(head -c 600 "$TMP/full")"

# Ctrl-C keeps what was planned.  A pipe holds 64 KiB: when 2000 lines of 95 bytes are in, 1000 were read.
mkfifo "$TMP/fifo"
sh -c 'trap - INT; exec "$0" batch - --json' "$SHARDWALK" <"$TMP/fifo" >"$TMP/kept" 2>/dev/null &
exec 3>"$TMP/fifo"
yes "$(sed -n 1p "$TMP/problems")" 2>/dev/null | head -n 2000 >&3
kill -INT $!
exec 3>&-
wait $!
equal 'an interrupt ends it with 130' 130 $?
kept=$(grep -c '^{"schema": "shardwalk.plan/.*}$' "$TMP/kept")
[ "$kept" -ge 1000 ] && ok 'and keeps what was planned' || not_ok 'and keeps what was planned' "$kept lines"
equal 'and nothing else' "$kept" "$(wc -l <"$TMP/kept" | tr -d ' ')"
# What one collective takes: "op" and "hardware".
cat >"$TMP/times" <<'END'
{"name": "ring", "hardware": "v4p", "mesh": "{X: 4, Y: 4, Z: 4}", "dtype": "bf16", "op": "alltoall", "axes": ["Y"], "from": "[2048{Y}8192, 36864{X}147456]", "to": "[8192, 9216{Y,X}147456]"}
{"name": "hops", "hardware": "v5e", "mesh": "{X: 8, Y: 4}", "dtype": "i8", "op": "allgather", "from": "[5{Y}20, 60{X}480]", "to": "[20, 60{X}480]"}
{"name": "word", "hardware": "v5e", "mesh": "{X: 8}", "op": "allgathr", "from": "[5{X}40]", "to": "[40]"}
{"name": "machine", "hardware": "v5f", "mesh": "{X: 8}", "op": "allgather", "from": "[5{X}40]", "to": "[40]"}
{"name": "none", "hardware": "", "mesh": "{X: 8}", "op": "allgather", "from": "[5{X}40]", "to": "[40]"}
{"name": "axes", "hardware": "v5e", "mesh": "{X: 8, Y: 4}", "op": "allgather", "axes": ["X", "Y"], "from": "[5{X}40]", "to": "[40]"}
{"name": "other", "hardware": "v5e", "mesh": "{X: 8}", "op": "alltoall", "from": "[5{X}40]", "to": "[40]"}
END
"$SHARDWALK" batch "$TMP/times" --json >"$TMP/out" 2>"$TMP/err"
equal 'what takes a step so long is answered' 'ring 0.0016777216 bandwidth hops 3e-06 latency ' \
	"$(sed -n 's/.*"name": "\([^"]*\)".*"seconds": \([^,]*\), "bound": "\([^"]*\)".*/\1 \2 \3/p' "$TMP/out" | tr '\n' ' ')"
equal 'and refused where it is no such step' 'word B03 machine S11 none S11 axes B03 other P05 ' \
	"$(sed -n 's/.*"name": "\([^"]*\)", "error": {"code": "\([^"]*\)".*/\1 \2/p' "$TMP/out" | tr '\n' ' ')"
grep -q 'did you mean allgather?' "$TMP/err" && ok 'a word near it is reported it' || not_ok 'a word near it is shown of it' "$(cat "$TMP/err")"
"$SHARDWALK" batch "$TMP/times" 2>/dev/null | grep -q '^hops  *allgather .* takes 3.00 us, bound by latency$' &&
	ok 'in words too' || not_ok 'in words too' "$("$SHARDWALK" batch "$TMP/times" 2>/dev/null | sed -n 2p)"

# What the text of a sharding means: "text" without ends.
cat >"$TMP/texts" <<'END'
{"name": "book", "format": "book", "mesh": "{X: 2, Y: 2}", "shape": [16, 8], "text": "A[I_X, J]{ U_Y }"}
{"name": "jax", "format": "jax", "mesh": "{X: 4, Y: 2}", "shape": [64, 8], "text": "P(None, 'Y', unreduced={'X'})"}
{"name": "parts", "mesh": "{x: 4, y: 2}", "shape": [64, 8], "text": "#sdy.sharding<@mesh, [{\"y\", \"x\":(1)2}, {}], unreduced={\"x\":(2)2}>"}
{"name": "dtype", "mesh": "{x: 4, y: 2}", "shape": [64, 8], "dtype": "bf16", "text": "[Shard(0), Partial()]"}
{"name": "type", "format": "paper", "mesh": "{x: 4, y: 2}", "text": "[16]+{y,x}"}
{"name": "other", "format": "book", "mesh": "{x: 4}", "shape": [8], "text": "P('x')"}
{"name": "format", "format": "buch", "mesh": "{x: 4}", "shape": [8], "text": "P('x')"}
{"name": "mean", "mesh": "{x: 4}", "shape": [8], "text": "(Partial(avg),)"}
{"name": "twice", "mesh": "{x: 4}", "text": "[2{x}8]+{x}"}
{"name": "sizes", "mesh": "{x: 4}", "shape": [0], "text": "P('x')"}
{"name": "none", "mesh": "{x: 4}", "text": "P('x')"}
{"name": "product", "mesh": "{X: 4}", "text": "A[I:64, J_X:32] B[J_X:32, K:48] -> C[I, K_X]", "einsum": "ij,jk->ik", "a": "[64, 8{X}32]", "b": "[8{X}32, 48]"}
{"name": "key", "mesh": "{x: 4}", "from": "[8]", "to": "[8]", "partial": "x"}
END
"$SHARDWALK" batch "$TMP/texts" >"$TMP/out" 2>"$TMP/err"
equal 'a text is answered with its type' \
	'book [8{X}16, 8]+{Y};jax [64, 4{Y}8]+{X};parts [16{x:(1)2,y}64, 8]+{x:(2)2};dtype bf16[16{x}64, 8]+{y};type [16]+{x,y};' \
	"$(sed -n '1,5s/  */ /p' "$TMP/out" | tr '\n' ';')"
equal 'and refused where it means none' 'other B03 format B03 mean N02 twice T11 sizes T05 none N03 key B03 ' \
	"$(sed -n 's/^\([a-z]*\)  *error \([A-Z0-9]*\):.*/\1 \2/p' "$TMP/out" | tr '\n' ' ')"
grep -q 'format. is book, but the text is a JAX PartitionSpec' "$TMP/err" && ok 'it says what the text is' || not_ok 'it says what the text is' "$(cat "$TMP/err")"

grep -q 'the type of an end contains it' "$TMP/err" && ok 'a key that says a sum is shown where it is' || not_ok 'a key that says a sum is shown where it is' "$(cat "$TMP/err")"
equal 'as JSON' \
	'{"schema": "shardwalk.type/1", "name": "book", "mesh": "{X: 2, Y: 2}", "text": "A[I_X, J]{ U_Y }", "type": "[8{X}16, 8]+{Y}"}' \
	"$("$SHARDWALK" batch "$TMP/texts" --json 2>/dev/null | head -n 1)"

finish
