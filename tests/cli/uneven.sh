#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sizes that do not divide: refused with what the systems do, compared side by side, planned with padding when asked.
. "$SRC/tests/lib.sh"
export LC_ALL=C
cd "$TMP" || exit

sw() { # STATEMENTS
	"$SHARDWALK" -c "$1" >out 2>err
}

## acceptance-7: 17 rows over 8 devices, never silently

pads='XLA pads (3,3,3,3,3,2,0,0)'
for text in 'mesh {x: 8}; from [{x}17]' 'mesh {x: 8}; from [3{x}17, 4]' 'mesh {x: 8}; type rows = [{x}17]' \
	'mesh {x: 8}; redistribute [{x}17] ~> [17]' 'mesh {x: 8}; redistribute [17] ~> [{x}17]' \
	'mesh {x: 8}; shape f32[17,4]; from P("x", None)' 'redistribute f32[17,4] {devices=[8,1]<=[8]} ~> {replicated}' \
	'redistribute f32[17,4] {devices=[8,1]0,1,2,3,4,5,6,7} ~> {replicated}' \
	'mesh {x: 8}; shape f32[17,4]; from (Shard(0),)' 'mesh {x: 8}; shape [17]; from A[I_x]' \
	'mesh {x: 8}; redistribute float32[17@x] ~> float32[17]'; do
	sw "$text"
	equal "acceptance-7: refused: $text" 'status 1' "status $?"
	says "acceptance-7: says what systems do: $text" "$pads" err
	grep -qF -e '`explain 17 over 8`' err && grep -qF '`set uneven pad`' err && ok "acceptance-7: and where to go on: $text" ||
		not_ok "acceptance-7: and where to go on: $text" "$(cat err)"
done
printf '%s\n' '{"mesh": "{x: 8}", "from": "[{x}17]", "to": "[17]"}' '{x: 8} [{x}17] ~> [17]' \
	'{"mesh": {"x": 8}, "shape": [17], "from": "P(\"x\")", "to": "P(None)"}' >lines
"$SHARDWALK" batch lines --json >out 2>err
equal 'acceptance-7: in batches' 3 "$(grep -c '"code": "T04".*XLA pads (3,3,3,3,3,2,0,0)' out)"
sw 'mesh {x: 8}; set uneven pad; [{x}17, 4] ~> [17, 4]; plan'
equal 'acceptance-7: padded when asked' 'status 0' "status $?"
says 'acceptance-7: and said at once' 'dimension 0 is padded from 17 to 24, for 8 tiles' err
says 'acceptance-7: and said by the plan' 'padding is 28 of 96 elements (112 B), at most 12 (48 B) on a device' out
says 'acceptance-7: and who says nothing else' '2 devices hold nothing else' out

## side by side

sw 'explain 17 over 8'
says 'device 5 by three rules' '5  2 ####   15-16         2 ####   15-16         2 ####   11-12' out
says 'device 7 by three rules' '7  0        empty         0        empty         2 ####   15-16' out
says 'what is wasted' 'wasted  7 (29.2 %)' out
sw 'explain f32[10,256] over 2x3'
says 'nested chunks differ from tiles' '2  2 ###### 4-5           1 ###    4             2 ###### 4-5' out
says 'bytes where the shape is known' '2 KiB' out
sw 'explain 16 rows over 8 devices'
says 'what divides is said to' 'divides; every system gives each device 2' out
"$SHARDWALK" --json -c 'explain 10 rows over 2 x 3 devices' >out 2>err
says 'as JSON: a schema' '"schema": "shardwalk.uneven/1", "size": 10, "cuts": [2, 3], "pieces": 6, "divides": false' out
says 'as JSON: XLA' '"sizes": [2, 2, 2, 2, 2, 0]' out
says 'as JSON: DTensor' '"sizes": [2, 2, 1, 2, 2, 1]' out
says 'as JSON: balanced' '"sizes": [2, 2, 2, 2, 1, 1]' out
"$SHARDWALK" --json -c 'explain f32[17,1024] over 8' >out 2>err
says 'as JSON: bytes' '"wasted": 7, "wasted_bytes": 28672' out

sw 'mesh {x: 2, y: 3}; explain float32[10@(x,y)]'
says 'a sharding of such a size says that systems differ' 'size 10 of dimension 0 is not divisible by 6' out
says 'and which question to ask' '`explain 10 over 2x3`' out

refused() { # CODE COLUMN STATEMENT
	sw "$3"
	grep -q "^error\[$1\]" err && grep -q -e "-c:1:$2\$" err && ok "refused: $3" || not_ok "refused: $3" "$(cat err)"
}
refused L13 17 'explain 17 over 0'
refused L13 18 'explain 17 over 8y'
refused L13 18 'explain 17 over 8x'
refused L13 12 'explain 17 foxes over 8'
refused L12 9 'explain 99999999999999999999 over 8'
refused L12 16 'explain 5 over 1099511627777'
refused L13 16 'explain 5 over 2x2x2x2x2x2x2x2x2'
refused L08 9 'explain over 8'

## planning with padding

sw 'mesh {x: 8, y: 5}; set uneven pad; [{x}17] ~> [{y}17]; plan; verify'
says 'ends that cut differently' 'padded from 17 to 40, for 8 tiles and 5 tiles; XLA pads each end separately, to 24 and to 20' err
says 'what is the array is said by the proof' '136 of them are the array, the others padding' out
sw 'set uneven pad; redistribute f32[17,4] {devices=[8,1]<=[8]} ~> {devices=[1,4,2]<=[8] last_tile_dim_replicate}; plan'
says 'foreign texts are padded' 'dimension 0 is padded from 17 to 24, for 8 tiles' out
sw 'mesh {x: 8}; set uneven pad; shape f32[17,4]; from P("x", None); to P(None, "x"); plan'
says 'one after the other, too' 'dimension 1 is padded from 4' out
sw 'set uneven pad; mesh {x: 8}; f32[{x}17,4] ~> P(None, "x"); plan'
equal 'types of the language beside foreign texts are padded' 'status 0' "status $?"
says 'all of their dimensions' 'dimension 1 is padded from 4 to 8' err
echo '{"mesh": {"x": 8}, "shape": [17], "from": "[{x}17]", "to": "P(None)"}' >mixed
"$SHARDWALK" batch mixed --uneven pad --json >out 2>err
says 'in batches, too' '"unpadded": [17]' out
sw 'mesh {x: 4}; set uneven pad; [{x}5] ~> [6]'
equal 'other arrays are refused by their real sizes' 'status 1' "status $?"
says 'expected 5' 'expected: 5' err
says 'found 6' 'found: 6' err
sw 'mesh {x: 4}; set uneven pad; [{x}5] ~> [{x}6]'
equal 'though their padded sizes are equal' 'status 1' "status $?"
sw 'mesh {x: 4}; set uneven pad; from [{x}5]; to [{x}6]'
equal 'one after the other, too' 'status 1' "status $?"
echo '{"mesh": "{x: 4}", "from": "[{x}5]", "to": "[{x}6]"}' >six
"$SHARDWALK" batch six --uneven pad --json >out 2>err
says 'in batches, too' '"code": "T09"' out

# Whether a change of one end alone leaves both on the same array.
sw 'mesh {x: 8, y: 5}; set uneven pad; from [{x}17]; to [{y}17]; plan direct; from [17]; plan direct'
says 'the other end is padded anew' '[4{y}20]' out
tail -n 6 out >last
says 'and no more than it needs' 'padded from 17 to 20, for 5 tiles' last

sw 'mesh {x: 8}; set uneven pad; [{x}17, 7] ~> [17, {x}7]; plan; show devices; show tiles; show type to'
equal 'pictures mark the padding' 3 "$(grep -c '^padding: elements 17 to 23 of dimension 0$' out)"
equal 'where one element is padding' 3 "$(grep -c '^padding: element 7 of dimension 1$' out)"

for strategy in xla shardy dtensor dtensor-min-cost; do
	sw "set uneven pad; mesh {x: 8}; [{x}17, 8] ~> [17, {x}8]; plan $strategy"
	says "$strategy says that it follows on the padded array" 'is followed on the padded array' out
done
sw 'set uneven pad; mesh {x: 8}; [{x}16, 8] ~> [16, {x}8]; plan xla'
grep -q padded out && not_ok 'but not where nothing is padded' "$(cat out)" || ok 'but not where nothing is padded'
for format in hlo stablehlo jax shard_map dtensor shardy mpi markdown html; do
	sw "set uneven pad; mesh {x: 8}; [{x}17, 8] ~> [17, {x}8]; plan; export $format written"
	says "export $format says that the array is padded" 'dimension 0 is padded from 17 to 24, for 8 tiles' written
done

## a session there and back, pytorch#103306: 5 rows come back as 5

sw 'set uneven pad; mesh {x: 4}; type rows = [{x}5, 8]; f32[{x}5, 8] ~> [5, 8]; plan; save session'
grep -q '^from f32\[{x}5, 8\]$' session && grep -q '^to f32\[5, 8\]$' session && ok 'saved without padding' ||
	not_ok 'saved without padding' "$(cat session)"
sw 'source session; save again; export plan plan.json; save -'
cmp -s session again && ok 'a session comes back the same' || not_ok 'a session comes back the same' "$(cat err)"
says 'the plan file says 5 rows' '"unpadded": [5, 8]' plan.json
sw 'open plan.json; export plan twice.json; save -'
cmp -s plan.json twice.json && ok 'a plan comes back the same' || not_ok 'a plan comes back the same' "$(cat err)"
says 'and still says so' 'padding is 24 of 64' out
sw 'set uneven pad; mesh {x: 4}; f32[{x}5, 8] ~> [5, 8]; f32[5, 8] ~> [{x}5, 8]; save -'
says 'and back again' 'to f32[{x}5, 8]' out
sw 'set uneven pad; mesh {x: 4}; from [{x}5]; mesh {x: 3}; save -'
says 'another mesh pads the real size' 'from [{x}5]' out
sw 'set uneven pad; mesh {x: 4}; type rows = [{x}5]; from rows; to [5]; set uneven refuse; from rows'
equal 'what was padded is dropped with the padding' 'status 1' "status $?"
says 'and that is said' 'dropped with the padding' err
sw 'set uneven pad; mesh {x: 4}; [{x}5] ~> [5]; set uneven refuse; undo; plan'
equal 'and can be undone' 'status 0' "status $?"

## plan files that somebody changed, and steps by hand

sw 'set uneven pad; mesh {x: 2, y: 3}; f32[{x}5, {y}7] ~> [{y}5, {x}7]; plan; export plan right.json'
forged() { # NAME SED CODE
	sed "$2" right.json >forged.json
	cmp -s right.json forged.json && not_ok "$1" 'nothing is changed'
	sw 'open forged.json'
	equal "$1" 'status 1' "status $?"
	says "$1, as what it is" "error[$3]" err
}
forged 'a padded plan of other sizes is refused' 's/"unpadded": \[5, 7\]/"unpadded": [5, 13]/' P03
forged 'and one of another cost' 's/"live_peak": [0-9]*/"live_peak": 1/' P03
forged 'whatever it says of tiles' 's/"permutes": [0-9]*/"uneven": true, "permutes": 9/' P03
sed 's/"permutes"/"uneven": true, "permutes"/' right.json >said.json
sw 'open said.json; verify'
equal 'one that is right is verified, whatever it says of tiles' 'status 0' "status $?"
says 'all of it' 'verified: all 72 elements on 6 devices are right' out
sw 'set uneven pad; mesh {x: 4}; f32[{x}5, 8] ~> [5, {x}8]; apply exchange [5, {x}8]; verify; save applied'
equal 'a padded type is a target of a step' 'status 0' "status $?"
says 'which is the end' 'verified' out
sw 'source applied; verify'
equal 'and read back from a session' 'status 0' "status $?"
sw 'set uneven pad; mesh {x: 4}; f32[{x}5, 8] ~> [5, {x}8]; apply exchange [6, {x}8]'
equal 'but not where it is of another array' 'status 1' "status $?"

## batches

"$SHARDWALK" batch lines --uneven pad --json >out 2>err
equal 'batch --uneven pad' 3 "$(grep -c '"global": \[24\], "unpadded": \[17\], "padding": \[{"elements": 7, "of": 24, "most_per_device": 3, "empty_devices": 2}' out)"
"$SHARDWALK" batch lines --uneven pad >out 2>err
equal 'and as text' 3 "$(grep -c '7 of 24 elements padding' out)"
"$SHARDWALK" batch lines --uneven perhaps >out 2>err
equal 'other words are refused' 'status 1' "status $?"
says 'with what may be there' 'L13' err

"$SHARDWALK" batch "$CASES/real.jsonl" --uneven pad >out 2>err
equal 'no real problem is refused for its sizes' 0 "$(grep -c 'error T0' out)"
"$SHARDWALK" batch "$CASES/real.jsonl" >refused 2>err
equal 'that was before' "$(grep -c 'elements padding' out)" "$(($(grep -c error refused) - $(grep -c error out)))"
says 'jax#26946' '896 of 3072 elements padding' out
"$SHARDWALK" batch lines --uneven pad --json --maps >out 2>err
plans_right 'padded plans are right' out

## runs

if [ -x "$BUILD/shardwalk-exec" ] && command -v mpiexec >/dev/null; then
	sw 'set uneven pad; mesh {x: 4}; f32[{x}5, 8] ~> [5, {x}8]; run --reps 2'
	says 'a run says what travels besides' 'padding travels as data: 96 B over all ranks at first, 96 B at last' out
	says 'and is right' 'every element of every rank was right' out
	sw 'mesh {x: 2, y: 2}; set without allpermute; [{x}8, {y}8] ~> [{y}8, {x}8]; run --compare fused,naive,xla --reps 2 --launches 1'
	equal 'a comparison leaves out who has no plan' 'status 0' "status $?"
	says 'and says so' 'xla: left out: no plan of strategy' err
	says 'the others ran' 'naive' out
	sw 'mesh {x: 2, y: 2}; set without allpermute,alltoall,exchange,allgather; [{x}8, {y}8] ~> [{y}8, {x}8]; run --compare fused,exact'
	equal 'a comparison of nothing is refused' 'status 1' "status $?"
else
	skip 'runs' 'no shardwalk-exec, or no mpiexec'
fi
finish
