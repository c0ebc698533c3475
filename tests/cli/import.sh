#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# import: pasted lines, logs, modules, plans; what is said of texts that hold nothing.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit
log=$SRC/tests/logs/warnings.log
PAIR='{devices=[2,1,4]<=[4,2]T(1,0)} -> {devices=[1,8,1]<=[8]}'
LINE='E0531 10:54:04.832741 2609008 spmd_partitioner.cc:569] [spmd] Involuntary full rematerialization. The compiler was not able to go from sharding {devices=[2,1,4]<=[4,2]T(1,0)} to {devices=[1,8,1]<=[8]} without doing a full rematerialization of the tensor. You probably want to enrich the sharding annotations to prevent this from happening.'

# The last command printed this (an extended regular expression).
prints() { # NAME PATTERN
	if grep -Eq -e "$2" "$TMP/out" "$TMP/err"; then ok "$1"; else not_ok "$1" "no '$2' in: $(head -c 600 "$TMP/out" "$TMP/err" | tr '\n' '|')"; fi
}

key() { # KEY of the first row
	sed -n "s/.*\"rows\": \[{\(.*\)/\1/p" "$TMP/out" | sed -n "s/^[^}]*\"$1\": \(\"[^\"]*\"\|[^,}]*\).*/\1/p" | head -n 1
}

## acceptance-1: the whole warning line of xla#15207, no other input

status 'acceptance-1: the line is read' 0 "$SHARDWALK" import "$LINE"
prints 'acceptance-1: what it was taken for' '^read as an XLA log: 1 warning'
prints 'acceptance-1: what it is in words' '^now +dimension 0 in 2 parts, dimension 2 in 4 parts$'
prints 'acceptance-1: what it shall be in words' '^then +dimension 1 in 8 parts$'
prints 'acceptance-1: what XLA does now' '^XLA now +1.8 KiB +2 KiB +3 KiB +768  allgather\(2, 4\), '
prints 'acceptance-1: bytes and peak of the plan' '^planned +224 B +256 B +512 B +64  alltoall'
prints 'acceptance-1: the gain' '^the plan moves [0-9.]+ times less, and its largest tile is 8.0 times smaller$'
prints 'acceptance-1: what to type next' '`advise`'
status 'acceptance-1: with its real shape' 0 "$SHARDWALK" import "f32[16,16,16] $LINE"
prints 'acceptance-1: 512 of 4096 elements' '^planned +1.8 KiB +2 KiB +4 KiB +512 '
status 'acceptance-1: it is the problem then' 0 "$SHARDWALK" -c "import f32[16,16,16] $LINE
plan exact
verify"
prints 'acceptance-1: plan' '^  2 alltoall\('
prints 'acceptance-1: peak' '^  height 512 \(2 KiB\)'
prints 'acceptance-1: proof' '^verified: all 4096 elements on 8 devices'
status 'acceptance-1: advice' 0 "$SHARDWALK" -c "import $LINE
advise"
prints 'acceptance-1: the waypoint for JAX' 'with_sharding_constraint\(x, NamedSharding\(mesh, P\("b", "a", None\)\)\)'
status 'acceptance-1: on a mesh with names' 0 "$SHARDWALK" -c "mesh {x: 4, y: 2}
import $LINE
advise"
prints 'acceptance-1: by these names' 'P\("y", "x", None\)'

## The mesh of the program

status 'a mesh in brackets, before the file' 0 "$SHARDWALK" import --mesh '{data: 4, fsdp: 2}' "$SRC/tests/logs/warnings.log"
prints 'the table' '^In all, as often as they occur'
status 'behind it, with a row' 0 "$SHARDWALK" import "$SRC/tests/logs/warnings.log" --mesh '{data: 4, fsdp: 2}' --take 1
prints 'the problem is over it' '^mesh +\{data: 4, fsdp: 2\}$'
prints 'ends have its axes' '^from .*\{fsdp\}'
status 'of a pasted line, as JAX writes it' 0 "$SHARDWALK" import --mesh "Mesh('x': 4, 'y': 2)" "$LINE"
prints 'ends have axes of JAX' '^from +f32\[4\{y\}8, 8, 2\{x\}8\]$'
status 'the advice has them too' 0 "$SHARDWALK" -c "import --mesh '{data: 4, fsdp: 2}' $LINE
advise"
prints 'by their names' 'P\("fsdp", "data", None\)'
status 'a mesh that is none' 1 "$SHARDWALK" import --mesh '{data: 0}' "$LINE"
prints 'is marked where it is' '^  \|                       \^$'
status 'no mesh' 2 "$SHARDWALK" import "$LINE" --mesh=

## Encodings and crashes

status 'what PowerShell redirected' 0 "$SHARDWALK" import "$SRC/tests/logs/powershell.log"
prints 'is read as it is' '^read as an XLA log: 2 warnings, 2 different pairs, on 15 lines$'
cp out powershell.out
for order in LE BE; do
	tail -c +3 "$SRC/tests/logs/powershell.log" | iconv -f UTF-16LE -t "UTF-16$order" >wide.log
	status "UTF-16$order without a mark" 0 sh -c "\"$SHARDWALK\" import - <wide.log"
	cmp -s out powershell.out && ok 'is the same' || not_ok 'is the same' "$(head -c 400 out err)"
done
{ head -c 3 /dev/zero; head -n 3 "$log"; head -c 4099 /dev/zero; tail -n +4 "$log"; head -c 70000 /dev/zero; } >crashed.log
status 'blocks of zero bytes in a log' 0 "$SHARDWALK" import crashed.log
prints 'are passed over' '^read as an XLA log: 22 warnings, 9 different pairs, on '
printf 'mesh {x: 4}\r\n[3{x}12] ~> [12]\r\nplan\r\nexport plan plan16.json\r\n' | iconv -t UTF-16 >wide.sw
status 'a script of UTF-16' 0 "$SHARDWALK" wide.sw
prints 'is run' '^plan +strategy fused, 4 devices of f32$'
iconv -t UTF-16 plan16.json >wide.json
status 'a plan of UTF-16' 0 "$SHARDWALK" -c 'open wide.json'
prints 'is opened' '^plan +strategy fused \(claimed by the file\), 4 devices of f32$'
printf '%s\n' '{"name": "a", "mesh": "{x: 4}", "from": "[3{x}12]", "to": "[12]"}' | iconv -t UTF-16BE | { printf '\376\377'; cat; } >wide.jsonl
status 'a batch of UTF-16' 0 "$SHARDWALK" batch wide.jsonl
status 'a warning that is cut off in its shape' 0 "$SHARDWALK" import "$(printf '%s' "$LINE" | sed 's/ of the tensor.*/ of the tensor for HLO operation: %x = f3/')"
prints 'names the value alone' '^value +%x$'
prints 'and is said to be cut off' "^note +the line is cut off inside the value's shape$"

## DTensor and JAX

dtensor=$SRC/tests/logs/dtensor.log jax=$SRC/tests/logs/jax-uneven.log
status 'warnings of DTensor' 0 "$SHARDWALK" -c "mesh {dp: 2, tp: 4}
shape f32[64,32]
import $dtensor"
prints 'are counted' '^read as a log: 5 warnings of DTensor; 5 different, on 5 lines$'
head -n 1 "$dtensor" >one
status 'one of them, without a mesh' 1 "$SHARDWALK" import one
prints 'says what it means' '^means +DTensor runs 2 all_gather one after the other, over dp and tp; one over$'
prints 'what to weigh' '^offer +mesh\["dp", "tp"\]._flatten\("dp_tp"\)$'
prints 'and what to type' '^help: type `mesh \{dp: 2, tp: 4\}` with your axes and sizes'
status 'and with it' 0 "$SHARDWALK" -c "mesh {dp: 2, tp: 4}
shape f32[64,32]
import one"
prints 'what DTensor does' '^DTensor now +7 KiB +8 KiB +12 KiB +3072  allgather\(0, 4\),'
prints 'and what one operation would' '^planned +7 KiB +8 KiB +9 KiB +2048  allgather\(0, 8\)$'
prints 'what to type next' '`advise --for dtensor`'
status 'one that brings its mesh' 0 "$SHARDWALK" import "$(sed -n 2p "$dtensor")"
prints 'has it' '^mesh +\{m0: 4, m1: 2\}$'
status 'errors of JAX' 0 "$SHARDWALK" import "$jax"
prints 'in all their wordings' '^read as a log: 5 errors of JAX; 5 different, on 18 lines$'
status 'one of them' 0 "$SHARDWALK" -c "import $(tail -n 2 "$jax" | head -n 1)"
prints 'says what it means' '^means +JAX refuses it: dimension 0 of 17 has to be cut in 8 equal parts; the$'
prints 'what to write' '^write +jnp.pad\(x, \(\(0, 7\), \(0, 0\)\)\)$'
prints 'what to type' '^type +explain 17 over 8$'
prints 'and is a problem, padded' '^to +f32\[3\{x\}24, 4\]$'
status 'the same as JSON' 0 "$SHARDWALK" import "$(sed -n 4p "$jax")" --json
prints 'with the same' '"kind": "warnings".*"said_by": "jax".*"from_text": null.*"write": "jnp.pad\(x, .*"type": "explain 17 over 8"'
{ cat "$jax" "$dtensor" "$log"; echo "f32[32,16,16] $PAIR"; } >all.log
status 'all in one log' 0 "$SHARDWALK" import all.log
prints 'are shown apart' '^read as a log: 22 warnings of XLA, 5 warnings of DTensor, 5 errors of JAX, 1 pair A -> B; 20 different, on '
tail -n 2 "$jax" | head -n 1 | "$SHARDWALK" -i >out 2>err
prints 'pasted at the prompt it needs no word' '^means +JAX refuses it'

## One pair

status 'a pair with a shape' 0 "$SHARDWALK" import "f32[16,16,16] $PAIR"
prints 'types over a mesh that was found' '^from +f32\[8\{b\}16, 16, 4\{a\}16\]$'
status 'over the mesh of the session, and undone' 0 "$SHARDWALK" -c "mesh {x: 4, y: 2}
import f32[16,16,16] P('y', None, 'x') to P(None, ('x', 'y'), None)
save -
undo
from [8{y}16]
save -"
equal 'both ends, then what was before' 'mesh from to mesh from ' \
	"$(sed -n 's/^\(mesh\|from\|to\) [{f[].*/\1/p' out | tr '\n' ' ')"
prints 'axes of the session' '^from f32\[8\{y\}16, 16, 4\{x\}16\]'
status 'a mesh is missing' 1 "$SHARDWALK" import "f32[16,16] P('x', None) -> P(None, 'x')"
prints 'and it is said' 'error\[N03\]'
status 'sizes that do not divide are refused' 1 "$SHARDWALK" import 'f32[17,8] {devices=[8,1]<=[8]} -> {replicated}'
prints 'with the place' 'error\[T04\]'
status 'unless they are to be padded' 0 "$SHARDWALK" -c 'set uneven pad
import f32[17,8] {devices=[8,1]<=[8]} -> {replicated}'
status 'places are those of the line' 1 "$SHARDWALK" import 'f32[16,16] {devices=[2,1]<=[2]} -> {devices=[1,2}'
prints 'the bracket is marked' '^ +\| +\^$'
printf '%s\n' "$LINE" >line.log
status 'from standard input' 0 sh -c "\"$SHARDWALK\" import - <line.log"
prints 'the same' '^planned +224 B +256 B +512 B +64 '
status 'a file of one line' 0 "$SHARDWALK" import line.log
mkdir 'a folder' && cp line.log 'a folder/a log'
status 'a name with blanks' 0 "$SHARDWALK" import 'a folder/a log'
status 'a name in quotes' 0 "$SHARDWALK" -c 'import "a folder/a log"'

## Statements before and after it

status 'a statement follows' 0 "$SHARDWALK" -c "import f32[16,16,16] $PAIR; plan exact"
prints 'and is run' '^plan +strategy exact, 8 devices'
echo "$LINE" >"one.log"
status 'also after a file' 0 "$SHARDWALK" -c 'import one.log; show plan'
prints 'as a picture' '^plan +strategy [a-z]+, 8 devices'
status 'a log goes on to the end of its line' 0 "$SHARDWALK" -c "import $LINE; or so # not a comment"
status 'words of the command line run before the text' 0 "$SHARDWALK" import 'mesh {x: 4, y: 2}' 'shape f32[16,16]' "P('x', None) -> P(None, 'x')"
prints 'the mesh' '^from +f32\[4\{x\}16, 16\]$'
status 'also a mesh without its word' 0 "$SHARDWALK" import '{x: 4, y: 2}' "f32[16,16] P('x', None) -> P(None, 'x')" --json
prints 'and with an option after it' '"schema": "shardwalk.import/1"'
status 'and the text of an export' 0 "$SHARDWALK" export svg - import 'mesh {x: 4, y: 2}' "f32[16,16] P('x', None) -> P(None, 'x')"
prints 'is drawn' '<title .*import f32\[16,16\]'

## Pairs and warnings as they come

short=$(printf '%s' "$LINE" | sed 's/.*The compiler/... /')
status 'a warning without its first words' 0 "$SHARDWALK" import "$short"
prints 'is one' '^read as an XLA log: 1 warning, 1 different pair'
status 'with an instruction' 0 "$SHARDWALK" import "The compiler was not able to go from sharding {devices=[2,1,4]<=[4,2]T(1,0)} to {devices=[1,8,1]<=[8]} without doing a full rematerialization of the tensor for HLO operation: %x = f32[8,8,8]{2,1,0} copy(%p), metadata={op_name=\"it's; a > b\"}"
prints 'whose shape is that of a device' '^from +f32\[8\{b\}16, 8, 8\{a\}32\]$'
prints 'names keep their blanks' "^value +%x, made by copy, it's; a > b$"
status 'colours' 0 "$SHARDWALK" import "$(printf '\033[33mf32[16,16,16]\033[0m %s' "$PAIR")"
status 'quotes and a comma' 0 "$SHARDWALK" import "\"f32[16,16,16] $PAIR\","
status 'two in a line' 0 "$SHARDWALK" import "f32[16,16,16] $PAIR, f32[32,16,16] $PAIR"
prints 'are two' '^read as pairs of shardings: 2 pairs, 2 different, on 1 line$'
cat >mixed.log <<END
start
$LINE
f32[32,16,16] $PAIR
f32[8,16] {devices=[4,1]<=[4]} -> {devices=[1,4]<=[4]}
  f32[8,16] {devices=[4,1]<=[4]} -> {devices=[1,4]<=[4]},
{devices=[4,1]<=[4] ->
done
END
status 'warnings and pairs in one log' 0 "$SHARDWALK" import mixed.log
prints 'both are there' '^read as an XLA log: 1 warning and 3 pairs A -> B, 3 different, on 7 lines$'
prints 'and what is not is said' "^1 more looks like pairs and is left out; the first, line 6: '\\{' is never closed$"
status 'the same as JSON' 0 "$SHARDWALK" import mixed.log --json
prints 'with its place' '"found": 4, "left_out": 1, "left_why": \{"code": "L06", .*"line": 6, "column": 1, '
cat >repr.txt <<'END'
NamedSharding(
    mesh=Mesh('x': 4, 'y': 2),
    spec=PartitionSpec('x', None))
  -> NamedSharding(
    mesh=Mesh('x': 4, 'y': 2),
    spec=PartitionSpec(None, 'x'))
END
status 'a pair over several lines' 0 "$SHARDWALK" import repr.txt
prints 'is one' '^read as pairs of shardings: 1 pair, 1 different, on 6 lines$'
status 'also from standard input' 0 sh -c "\"$SHARDWALK\" import - <repr.txt"

cat >pasted <<'END'
import f32[16,16] NamedSharding(mesh=Mesh('x': 4, 'y': 2),
   spec=PartitionSpec('x', None)) -> NamedSharding(mesh=Mesh('x': 4, 'y': 2),
   spec=PartitionSpec(None, 'x'))
explain NamedSharding(
   mesh=Mesh('x': 2, 'y': 4),
   spec=PartitionSpec('x', None))
import an open bracket (

explain T04
import W Involuntary full rematerialization. The compiler cannot go from sharding {devices=[2,1,4]<=[4,2
explain T05
END
"$SHARDWALK" -i <pasted >out 2>err
prints 'at the prompt a text goes on while brackets are open' '^from +f32\[4\{x\}16, 16\]$'
prints 'also one that is explained' '^dimension 0 in 2 parts over x$'
prints 'an empty line ends it' 'found: 1 line with none of them'
prints 'a warning that was cut off ends with its line' '^help: the log was cut off here'
equal 'and what follows is read' 2 "$(grep -c 'shardwalk> T0[45]: ' out)"

## Places

status 'a size that does not divide' 1 "$SHARDWALK" import 'f32[17,16] {devices=[8,1]<=[8]} -> {devices=[1,8]<=[8]}'
prints 'alone is marked' '^  \|             \^\^$'
status 'as JSON' 1 "$SHARDWALK" import 'f32[17,16] {devices=[8,1]<=[8]} -> {devices=[1,8]<=[8]}' --json
prints 'too' '"column": 12, "length": 2,'
status 'a sharding without tiles' 1 "$SHARDWALK" import 'f32[16,16] {devices=[8,1]<=[8]} -> {manual}'
prints 'alone is marked' '^  \|                                            \^{8}$'
printf 'first\n\nf32[17,16] {devices=[8,1]<=[8]} -> {devices=[1,8]<=[8]}\n' >seventeen
status 'in a file' 1 "$SHARDWALK" import seventeen
prints 'file, line and column' '^ --> seventeen:3:5$'
prints 'and its line' '^  \|  f32\[17,16\] '
status 'in standard input' 1 sh -c "\"$SHARDWALK\" import - --json <seventeen"
prints 'the same' '"file": "standard input", "line": 3, "column": 5, "length": 2,'
status 'in a picture' 1 "$SHARDWALK" export svg - import seventeen
prints 'the same' '^ --> seventeen:3:5$'
printf '%s\n' 'W Involuntary full rematerialization. The compiler cannot go from sharding {devices=[1,4<=[4]} to {devices=[4,1]<=[4]} efficiently for HLO operation %x = f32[8,8]{1,0} copy(%y)' >bracket
status 'a bracket too few in a warning' 1 "$SHARDWALK" import bracket
prints 'is what is reported' 'error\[N01\]: .<. is not allowed here'
prints 'there' '^ --> bracket:1:'

## Several

status 'every wording' 0 "$SHARDWALK" import "$log"
prints 'how many' '^read as an XLA log: 22 warnings, 9 different pairs, on 48 lines$'
prints 'counts, bytes and peaks' '^ 1 +14 .* 94% +14 KiB +1.8 KiB +2 KiB  f32\[16,16,16\]$'
prints 'pairs' '^    \{devices=\[2,1,4\]<=\[4,2\]T\(1,0\)\} -> \{devices=\[1,8,1\]<=\[8\]\}$'
prints 'what could not be' 'not planned: the warning ends before its second sharding does'
prints 'what was assumed' "the value has 1 dimension and 'from' 3"
prints 'totals' '^In all, as often as they occur, each device receives '
LC_ALL=C "$SHARDWALK" import "$log" >out 2>/dev/null
equal 'ASCII where nothing else is known' '' "$(LC_ALL=C grep -n '[^ -~]' out)"
equal 'nothing wider than 80 columns' '' "$(grep -E '.{81}' out)"
status 'a row' 0 "$SHARDWALK" import "$log" 2
prints 'is taken' '^value  %add, made by add$'
prints 'with its own mesh' '^mesh +\{x: 4, y: 2\}$'
status 'by option' 0 "$SHARDWALK" import "$log" --take 2
prints 'too' '^value  %add, made by add$'
status 'a row that is padded' 0 "$SHARDWALK" -c "import $log 7
plan
verify"
prints 'is reported' 'dimension 0 of 10 is padded to 12, as XLA does'
prints 'and verified' '^verified: '
status 'a row that is none' 1 "$SHARDWALK" import "$log" 8
prints 'says why' 'error\[N02\].*one device'
prints 'and where' '^ --> .*warnings.log:43:175$'
for row in 99 0 99999999999999999999; do
	status "a row that is not there, $row" 1 "$SHARDWALK" import "$log" $row
	prints 'says how many there are' '^expected: 1 to 9$'
	prints 'and how to see them' '^help: without a number'
	prints 'and marks it' "^ *\| +\^{${#row}}$"
done
status 'a row that is no number' 1 "$SHARDWALK" import "$log" --take=x
prints 'is marked' 'error\[L11\]'
sed 's/f32\[8,16,4\]/f32[80,16,4]/' "$log" | cat "$log" - >two.log
status 'what saves most is first' 0 "$SHARDWALK" import two.log
prints 'the larger ones' '^ 1 +1. .* f32\[160,16,16\]$'

## JSON

status 'as JSON' 0 "$SHARDWALK" import "$log" --json
equal 'one line' 1 "$(wc -l <out | tr -d ' ')"
prints 'schema' '^\{"schema": "shardwalk.import/1", "kind": "warnings", "source": ".*warnings.log", "lines": 48, "found": 22, "left_out": 0, "left_why": null, "rows": \['
equal 'count' 14 "$(key count)"
equal 'first line' 2 "$(key line)"
prints 'mesh and types' '"mesh": "\{a: 4, b: 2\}", "from": "\[8\{b\}16, 16, 4\{a\}16\]", "to": "\[16, 2\{b,a\}16, 16\]", "dtype": "f32"'
prints 'figures' '"bytes_now": 14336, "bytes_planned": 1792, "peak_now": 16384, "peak_planned": 2048, "cost_now": 6144, "cost_planned": 512'
prints 'steps' '"steps_planned": \["alltoall[(]'
prints 'errors' '"error": \{"code": "N02"'
prints 'totals' '"total": \{"count": 22, "planned": 7, "failed": 2, '
if command -v python3 >/dev/null; then
	cp out rows.json
	status 'it is JSON' 0 python3 -c 'import json, sys; json.load(open(sys.argv[1]))' rows.json
	python3 - rows.json >problems.jsonl <<'END'
import json, sys
for row in json.load(open(sys.argv[1]))["rows"]:
    if row["mesh"]:
        print(json.dumps({"name": str(row["row"]), **{k: row[k] for k in ("mesh", "from", "to", "dtype")}}))
END
	status 'its rows are problems for batch' 0 "$SHARDWALK" batch problems.jsonl --json
	equal 'each of them' 7 "$(grep -c '"schema": "shardwalk.plan/2"' out)"
else
	skip 'rows are problems for batch' 'no python3'
fi
status 'one pair as JSON' 0 "$SHARDWALK" import --json "f32[16,16,16] $PAIR"
prints 'has one row' '"kind": "pairs", "source": null, .*"shape_is": "written"'
status 'a refusal as JSON' 1 "$SHARDWALK" --json -c 'import nothing'
prints 'is an error object' '"schema": "shardwalk.error/1".*"code": "B01"'

## Plans and modules

"$SHARDWALK" plan 'mesh {x: 4}' '[3{x}12] ~> [12]' --json >plan.json
status 'a plan is opened' 0 "$SHARDWALK" -c 'import plan.json
verify'
prints 'and is the present one' '^verified: '
status 'a plan through a pipe' 0 sh -c "\"$SHARDWALK\" import - --json <plan.json"
prints 'is a plan' '^\{"schema": "shardwalk.plan/2"'
cat >times.jsonl <<'END'
{"schema": "shardwalk.run/1", "record": "start", "plan": "fused", "host": "h", "cores": 4, "ranks": 4, "launch": 1, "mpi": "MPICH 4", "transport": "shared", "reps": 5, "warmup": 3}
{"record": "step", "step": 1, "op": "alltoall", "transport": "shared", "seconds": {"median": 0.002, "p10": 0.001, "p90": 0.003, "max": 0.004}, "bytes": 4000000, "predicted_seconds": null}
{"record": "end", "verified": true, "seconds": {"median": 0.002, "p10": 0.001, "p90": 0.003, "max": 0.004}}
END
status 'a result of a run' 0 "$SHARDWALK" import times.jsonl
prints 'is shown' '^times '
cat >module.hlo <<'END'
HloModule jit_f, entry_computation_layout={(f32[8,16,4]{2,1,0})->f32[16,2,16]{2,1,0}}, num_partitions=8

ENTRY %main_spmd (param: f32[8,16,4]) -> f32[16,2,16] {
  %param = f32[8,16,4]{2,1,0} parameter(0), sharding={devices=[2,1,4]<=[4,2]T(1,0)}
  %all-to-all.1 = f32[8,4,16]{2,1,0} all-gather(%param), channel_id=1, replica_groups=[2,4]<=[4,2]T(1,0), dimensions={2}, use_global_device_ids=true
}
END
sed 's/f32\[8,4,16\]/f32[8,16,16]/; s/all-to-all.1/all-gather.1/; s/^  \(%all-gather.1\)/  ROOT \1/; s/-> f32\[16,2,16\]/-> f32[8,16,16]/; s/->f32\[16,2,16\]/->f32[8,16,16]/' module.hlo >good.hlo
status 'a module' 0 "$SHARDWALK" -c 'import good.hlo
show plan
verify'
prints 'is said to be one' '^read as the HLO module jit_f: 8 devices'
prints 'the plan of the compiler is shown beside another' '^compiler +6 KiB +8 KiB +10 KiB +2048  allgather\(2, 4\)$'
prints 'and is the present one' 'strategy hlo, 8 devices'
prints 'and right' '^verified: '
status 'a module as JSON' 0 "$SHARDWALK" import good.hlo --json
prints 'has the plan' '"kind": "hlo".*"names": \["all-gather.1"\].*"plan": \{"schema": "shardwalk.plan/2"'
status 'a module through a pipe' 0 sh -c "cat good.hlo | \"$SHARDWALK\" import -"
status 'a module with the axes of --mesh' 0 "$SHARDWALK" -c "import --mesh '{data: 2, fsdp: 4}' '$SRC/tests/hlo/nested.hlo' 1
show plan
verify"
prints 'has them in its types' '^mesh +\{data: 2, fsdp: 4\}'
prints 'as the compiler did it, to the last element' '^verified: all'
status 'the same module without' 0 "$SHARDWALK" -c "import '$SRC/tests/hlo/nested.hlo' 1
show plan"
prints 'has its own' '^mesh +\{a: '
status 'a mesh of other devices' 0 "$SHARDWALK" import --mesh '{data: 3}' good.hlo
prints 'is not the module'"'"'s' '^--mesh has 3 devices, but the module has 8: '
for mesh in '{p: 8}' '{p: 2, q: 2, r: 2}' '{p: 4, q: 2}' '{one: 1, p: 2, q: 4}'; do
	for row in 1 2 3 4 5 6 7; do
		status "row $row over $mesh" 0 "$SHARDWALK" -c "import --mesh '$mesh' '$SRC/tests/hlo/nested.hlo' $row
verify"
		prints 'is right to the last element' '^verified: all'
	done
done
status 'a module with loops' 0 "$SHARDWALK" import "$SRC/tests/hlo/nested.hlo"
prints 'what moves most is first, as often as it runs' '^ 1 +12 .* 36% +14 KiB +14 KiB '
prints 'loops multiply' '^ 2 +60 .* 22% '
prints 'the line of the program' '%collective-permute.1, train.py:16: dynslice, alltoall, allpermute;'
prints 'and the sum' '^ +planned. The savings of all plans add up to 21.8 KiB.$'
status 'a row of it' 0 "$SHARDWALK" import "$SRC/tests/hlo/nested.hlo" 5
prints 'with the whole path' '^program +/home/ann/a-long-way/to/the/model/train.py:16$'
prints 'how often' '^runs +12 times in each run of the module$'
status 'the same as JSON' 0 "$SHARDWALK" import "$SRC/tests/hlo/nested.hlo" --json
prints 'with both counts' '\{"row": 5, "count": 1, "runs": 12, "bytes_saved": 21504, "line": 118'
prints 'and in all' '"runs": 170, "bytes_now": [0-9]+, "bytes_planned": [0-9]+, "bytes_saved": 22272'
sed 's/, sharding={[^}]*}//' "$SRC/tests/hlo/compiled-loops.hlo" >silent.hlo
status 'a module that annotates nothing' 0 "$SHARDWALK" import silent.hlo
prints 'promises no more than it may' 'so a'
prints 'what is saved is a bound' 'most 10 KiB more\.'
prints 'and is apart from what is known' 'The savings of all plans add up to 15 B'
status 'the same in JSON' 0 "$SHARDWALK" import silent.hlo --json
prints 'counted by itself' '"bytes_saved": 15, "bytes_saved_implied": 10240'
sed 's/%constant.2.clone), direction=LT/%get-tuple-element.15), direction=LT/; s/constant(5)/constant(n)/' "$SRC/tests/hlo/nested.hlo" >open.hlo
status 'a loop that does not say how often it runs' 0 "$SHARDWALK" import open.hlo
equal 'counts once' 0 "$(grep -c '^ . *60 ' out)"
prints 'and that is said' '^ +a loop around it does not say how often it runs, so it counts once$'
status 'a StableHLO module' 0 "$SHARDWALK" import "$SRC/tests/hlo/scan.mlir"
prints 'is said to be one' '^read as the StableHLO module jit_f: 8 devices; it asks for 10 shardings, 6 of them'
prints 'sorted by bytes, as often as loops run' '^ 1 +60 .* 31% +1.8 KiB +1.8 KiB '
prints 'with the line of the program' '^    %3, made by sharding_constraint, /home/ann/train.py:16$'
status 'a row of it' 0 "$SHARDWALK" -c "import $SRC/tests/hlo/scan.mlir 1
plan
verify"
prints 'is the problem, over its mesh' '^mesh +\{x: 4, y: 2\}$'
prints 'and verified' '^verified: '
status 'the same as JSON' 0 "$SHARDWALK" import "$SRC/tests/hlo/gspmd.mlir" --json
prints 'is of its own kind' '"kind": "stablehlo", .*"module": "jit_f", "partitions": 8, "asked": '
grep -v constraint "$SRC/tests/hlo/constraints.mlir" >idle.mlir
status 'a module that asks for nothing' 1 "$SHARDWALK" import idle.mlir
prints 'is reported' 'error\[N07\]: the module jit_f never asks for a sharding of a value that has another one$'
sed 's/^module @jit_f/module/; s/^ *//' idle.mlir >nameless.mlir
status 'one without a name' 1 "$SHARDWALK" import nameless.mlir
prints 'is reported without one' 'error\[N07\]: the module never asks for a sharding'
doubling() { # BODY: each of forty functions calls the one before twice, and the first one does this
	awk -v body="$1" 'BEGIN {
		type = "tensor<8x8xf32>"
		print "module @m {\n  sdy.mesh @mesh = <[\"x\"=2]>"
		for (i = 0; i <= 40; i++) {
			printf "  func.func private @f%d(%%arg0: %s) -> %s {\n", i, type, type
			printf i ? "    %%0 = call @f%d(%%arg0) : (%s) -> %s\n    %%1 = call @f%d(%%0) : (%s) -> %s\n" : body, i - 1, type, type, i - 1, type, type
			printf "    return %%1 : %s\n  }\n", type
		}
		printf "  func.func public @main(%%arg0: %s {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}) -> %s {\n", type, type
		printf "    %%0 = call @f40(%%arg0) : (%s) -> %s\n    return %%0 : %s\n  }\n}\n", type, type, type
	}'
}
doubling '    %%1 = stablehlo.add %%arg0, %%arg0 : tensor<8x8xf32>\n' >deep.mlir
status 'functions that make more than a machine holds' 1 "$SHARDWALK" import deep.mlir
prints 'are refused with the number' "error\[N09\]: '@f40' makes [0-9]{13} operations in its calls$"
prints 'at the call' 'deep.mlir:208:5$'
refusal=$(grep -o "'@f40' makes.*" err)
sed 's/^ *//' deep.mlir >flat.mlir
status 'the same, not indented' 1 "$SHARDWALK" import flat.mlir
prints 'makes as many' "$refusal"
tr '\n' ' ' <deep.mlir >line.mlir
status 'the same on one line' 1 "$SHARDWALK" import line.mlir
prints 'makes as many' "$refusal"
asks='= sdy.sharding_constraint %%arg0 <@mesh, [{}, {\"x\"}]> : tensor<8x8xf32>\n'
doubling "    %%0 $asks    %%1 = sdy.sharding_constraint %%0 <@mesh, [{\\\"x\\\"}, {}]> : tensor<8x8xf32>\\n" >deep.mlir
status 'what such functions move' 0 "$SHARDWALK" import deep.mlir
prints 'is counted, as often as it runs' '^ 1 +1 099 511 627 776 .* 64 B'
prints 'and it is said that it is no program' "^not read as a program: line 209, '@f40' makes [0-9]{13} operations in its calls"
awk 'BEGIN {
	a = "f32[8,8]{1,0}"
	printf "HloModule m, num_partitions=2\n\n%%f0 (p: %s) -> %s {\n  %%p = %s parameter(0)\n  ROOT %%a = %s add(%%p, %%p)\n}\n", a, a, a, a
	for (i = 1; i <= 14; i++) {
		printf "\n%%f%d (p%d: %s) -> %s {\n  %%p%d = %s parameter(0)\n", i, i, a, a, i, a
		for (k = 0; k < 6; k++)
			printf "  %s%%x%d.%d = %s fusion(%%p%d), kind=kLoop, calls=%%f%d\n", k == 5 ? "ROOT " : "", i, k, a, i, i - 1
		print "}"
	}
	printf "\nENTRY %%main (q: %s) -> f32[16,8] {\n  %%q = %s parameter(0)\n  %%z = %s fusion(%%q), kind=kLoop, calls=%%f14\n", a, a, a
	printf "  ROOT %%g = f32[16,8]{1,0} all-gather(%%z), channel_id=1, replica_groups={{0,1}}, dimensions={0}, use_global_device_ids=true\n}\n"
}' >fused.hlo
status 'fusions that do the same in fusions' 0 "$SHARDWALK" import fused.hlo
prints 'are not taken apart without end' '^compiler +allgather\(0, 2\)'
head -c 300 good.hlo >cut.hlo
status 'a module that was cut off' 1 "$SHARDWALK" import cut.hlo
prints 'is refused' 'error\[N06\]'
prints 'with the line' '^ --> cut.hlo:5:1$'
sed '/all-gather/d; s/^  %param/  ROOT %param/; s/-> f32\[8,16,16\] {/-> f32[8,16,4] {/' good.hlo >idle.hlo
status 'a module that moves nothing' 1 "$SHARDWALK" import idle.hlo
prints 'is reported' 'error\[N07\]: the module has no chain of collectives'

## Nothing to import

refused() { # NAME CODE PATTERN ARGUMENT...
	name=$1 code=$2 pattern=$3
	shift 3
	"$SHARDWALK" import "$@" >out 2>err
	if grep -q "^error\[$code\]" err && grep -Eq -e "$pattern" err; then ok "$name"; else not_ok "$name" "$(cat err)"; fi
}

refused 'words' N07 '^expected: a warning "Involuntary full rematerialization", A -> B, an HLO or StableHLO module' 'the compiler was slow'
printf 'a line\nand one more\n' >prose
printf '\n\n  HloModule x\n' >blank.hlo
refused 'a module behind blank lines, in its place' N06 'blank.hlo:3:3' blank.hlo
refused 'a file of words' N07 '^found: 2 lines with none of them' prose
printf 'foo -> {bar}\n{a} -> {b\n{c} -> {d}\n' >code
refused 'arrows that are none of ours' N07 '^found: ' code
refused 'a file that is not there' B01 'No such file' missing.log
refused 'a folder' B01 'Is a directory' .
refused 'a program' N07 '^found: [0-9]+ bytes that are not text' "$SHARDWALK"
refused 'a file for batch' N07 'reads problems, one on each line' "$SRC/tests/logs/problems.jsonl"
refused 'an empty file' N07 '^found: nothing: it is empty' /dev/null
refused 'half a pair' L06 "'\\{' is never closed" '{devices=[4,1]<=[4] ->'
refused 'a pair without its end' N01 'there is no sharding after the arrow' '{devices=[4,1]<=[4]} -> foo'
printf 'one\n{devices=[4,1]<=[4] ->\n{devices=[4]<=[4]} -> there\n' >halves
refused 'halves in a file' N07 "^found: 2 with an arrow; line 2: '\\{' is never closed" halves
refused 'half a warning' N01 'take the whole line' 'W [SPMD] Involuntary full rematerialization. The compiler cannot go from sharding {devices=[2,1,4]<=[4,2'
status 'no argument' 2 "$SHARDWALK" import
status 'only an option' 2 "$SHARDWALK" import --json

## A row of the table shown last

status 'rows one after the other' 0 "$SHARDWALK" -c "import $log; import --take 2; plan; import --take 1; export plan -"
status 'and of a mesh with names' 0 "$SHARDWALK" -c "import $log --mesh '{data: 4, fsdp: 2}'; import --take 1; advise"
prints 'the advice has them' '"fsdp"'
status 'from standard input' 0 sh -c "\"$SHARDWALK\" -c 'import -; import --take 2' <\"$log\""
prints 'is there to be taken' '^planned '
status 'a row that is not there' 1 "$SHARDWALK" -c "import $log; import --take 99"
prints 'is said where it is' "^error\\[L12\\]: there is no row 99"
status 'no table' 1 "$SHARDWALK" -c 'import --take 1'
status 'a row of a module' 0 "$SHARDWALK" -c "import $SRC/tests/hlo/nested.hlo; import --take 2; import --take 1; verify"

## A log that a build still writes

warning() { # SOURCE TARGET
	echo "W1121 00:29:04.6 11855 spmd_partitioner.cc:656] [SPMD] Involuntary full rematerialization. The compiler cannot go from sharding $1 to $2 efficiently for HLO operation %copy = f32[8,16,4]{2,1,0} copy(%p). As the last resort, SPMD will replicate the tensor."
}
follow() { # ARGUMENTS...
	: >followed
	: >following
	"$SHARDWALK" import --follow "$@" >followed 2>following &
	follower=$!
}
said() { [ "$(grep -c '^line [0-9]*: now ' followed)" = "$1" ]; }
tells() { # NAME COUNT
	if await said "$2"; then ok "$1"; else not_ok "$1" "$(cat followed following)"; fi
}
over() { # NAME STATUS
	wait "$follower"
	equal "$1" "$2" "$?"
}
exec 5>growing.log
echo 'the build begins' >&5
warning '{devices=[2,1,4]<=[4,2]T(1,0)}' '{devices=[1,8,1]<=[8]}' >&5
follow growing.log --mesh '{data: 4, fsdp: 2}'
tells 'what is there is shown' 1
{
	echo 'more of it'
	warning '{devices=[2,1,4]<=[4,2]T(1,0)}' '{devices=[1,8,1]<=[8]}'
	warning '{devices=[8,1,1]<=[8]}' '{devices=[1,8,1]<=[8]}'
} >&5
tells 'a new warning is shown, an old one not again' 2
holds 'with its line and bytes' '^line 5: now 1.8 KiB, planned 1.8 KiB, f32.64,16,4.: .devices=.8,1,1.*-> .devices=.1,8,1.<=.8..$' followed
cut=$(warning '{devices=[1,1,8]<=[8]}' '{devices=[8,1,1]<=[8]}')
printf '%s' "${cut%efficiently*}" >&5
warning '{devices=[8,1,1]<=[8]}' '{devices=[1,1,8]<=[8]}' >growing.next
printf '%s\n' "efficiently${cut#*efficiently}" >&5
cat growing.next >&5
tells 'a line in two pieces, and another one' 4
kill -INT "$follower"
over 'Ctrl-C ends it' 0
holds 'and the table is there' '^In all, as often as they occur' followed
holds 'of all of it' '^read as an XLA log: 5 warnings, 4 different pairs, on 7 lines$' following
exec 5>&-
follow growing.log --json
await grep -q '^line 6: now ' following
kill -INT "$follower"
over 'in JSON too' 0
equal 'one object is answered' 1 "$(grep -c '^{"schema": "shardwalk.import/1"' followed)"
follow growing.log
tells 'again' 4
warning '{devices=[1,8,1]<=[8]}' '{devices=[8,1,1]<=[8]}' >growing.log
tells 'a file that is written anew' 5
holds 'is said to be' "'growing.log' starts over; earlier results stay" following
warning '{devices=[1,8,1]<=[8]}' '{devices=[1,1,8]<=[8]}' >other.log
mv other.log growing.log
tells 'another file of this name' 6
kill -INT "$follower"
over 'ends as well' 0
holds 'with all of them' '^read as an XLA log: 7 warnings, 6 different pairs' following
mkfifo pipe
: >followed
"$SHARDWALK" import --follow - <pipe >followed 2>following &
follower=$!
exec 5>pipe
warning '{devices=[8,1,1]<=[8]}' '{devices=[1,8,1]<=[8]}' >&5
tells 'a pipe that stays open' 1
warning '{devices=[1,8,1]<=[8]}' '{devices=[8,1,1]<=[8]}' >&5
tells 'goes on' 2
exec 5>&-
over 'and ends with its writer' 0
holds 'with the table' '^In all, as often as they occur' followed
refused 'a text does not grow' L03 'needs FILE or -' --follow "$PAIR"
refused 'nothing to follow' B01 'No such file' --follow missing.log

## The recorded log, and large ones

warnings=$(grep -c . "$CASES/logs/xla-warnings.log")
status 'the recorded warnings' 0 timeout "$PATIENCE" "$SHARDWALK" import "$CASES/logs/xla-warnings.log" --json
planned=$(sed -n 's/.*"total": {"count": [0-9]*, "planned": \([0-9]*\), "failed": 0, .*/\1/p' out)
prints 'all of them are counted' "\"total\": \\{\"count\": $warnings, "
[ "${planned:-0}" -ge $((warnings - 1)) ] && ok 'and planned, but for one that moves nothing' || not_ok 'and planned' "$planned of $warnings"
equal 'each with bytes and peak now and then' "$planned" "$(grep -o '"bytes_now": [0-9]*, "bytes_planned": [0-9]*, "peak_now": [0-9]*, "peak_planned": [0-9]*, "cost' out | wc -l | tr -d ' ')"
i=0
while [ $i -lt 200 ]; do
	cat "$log"
	i=$((i + 1))
done >large.log
status 'thousands of lines' 0 "$SHARDWALK" import large.log
prints 'equal pairs are one' '^read as an XLA log: 4400 warnings, 9 different pairs, on 9600 lines$'
cat >ordered.hlo <<'END'
HloModule m, num_partitions=4

ENTRY %main (p: f32[2]) -> f32[8] {
  %p = f32[2] parameter(0), sharding={devices=[4]0,3,1,2}
  ROOT %g = f32[8] all-gather(%p), replica_groups={{0,3,1,2}}, dimensions={0}
}
END
sw 'import ordered.hlo 1; show plan; verify'
holds 'groups of a chain are of the devices of the module' '\[0 3 1 2\] 1 group of 4' out
holds 'on which it is right' 'verified: all 32 elements on 4 devices are right' out
## The compiler's own chain is a candidate

status 'a pair that XLA moves as well as can be' 0 "$SHARDWALK" import 'f32[64,64] {devices=[4,1]<=[4]} -> {devices=[1,4]<=[4]}'
prints 'is left as it is' '^nothing can be gained: no plan moves less$'
status 'a chain by alltoalls' 0 "$SHARDWALK" import 'f32[8,64,64,32] {devices=[2,4,1,1]<=[8]} -> {devices=[4,1,2,1]<=[2,4]T(1,0)}' --json
prints 'is no worse when planned' '"bytes_now": 655360, "bytes_planned": 655360,'

## More bytes are planned only where the compiler's plan is above a bound

cat >live.hlo <<'END'
HloModule live, entry_computation_layout={(f32[12,18,36]{2,1,0}, f32[12,18,72]{2,1,0})->(f32[12,36,18]{2,1,0}, f32[12,36,36]{2,1,0})}, num_partitions=4

ENTRY %main (x: f32[12,18,36], y: f32[12,18,72]) -> (f32[12,36,18], f32[12,36,36]) {
  %x = f32[12,18,36]{2,1,0} parameter(0), sharding={devices=[1,2,1,2]<=[4] last_tile_dim_replicate}
  %y = f32[12,18,72]{2,1,0} parameter(1), sharding={devices=[1,2,1,2]<=[4] last_tile_dim_replicate}
  %reshape.1 = f32[12,18,2,18]{3,2,1,0} reshape(%x)
  %all-to-all.1 = f32[12,18,2,18]{3,2,1,0} all-to-all(%reshape.1), channel_id=1, replica_groups=[2,2]<=[2,2]T(1,0), dimensions={2}
  %transpose.1 = f32[12,2,18,18]{3,2,1,0} transpose(%all-to-all.1), dimensions={0,2,1,3}
  %result.1 = f32[12,36,18]{2,1,0} reshape(%transpose.1)
  %reshape.2 = f32[12,18,2,36]{3,2,1,0} reshape(%y)
  %all-to-all.2 = f32[12,18,2,36]{3,2,1,0} all-to-all(%reshape.2), channel_id=2, replica_groups=[2,2]<=[2,2]T(1,0), dimensions={2}
  %transpose.2 = f32[12,2,18,36]{3,2,1,0} transpose(%all-to-all.2), dimensions={0,2,1,3}
  %result.2 = f32[12,36,36]{2,1,0} reshape(%transpose.2)
  ROOT %tuple = (f32[12,36,18]{2,1,0}, f32[12,36,36]{2,1,0}) tuple(%result.1, %result.2)
}
END
status 'a module without a bound' 0 "$SHARDWALK" -c 'import live.hlo'
equal 'a module without a bound: nothing can be gained' 2 "$(grep -c 'alltoall; nothing can be gained' "$TMP/out")"
status 'a module above the bound of live memory' 0 "$SHARDWALK" -c 'set live 1.9x; import live.hlo'
equal 'above it: both bytes and both peaks' 1 "$(tr '\n' ' ' <"$TMP/out" | tr -s ' ' | grep -o 'more is moved, 22.8 KiB instead of 15.2 KiB, because the peak memory is then 45.6 KiB, not 60.8 KiB, which is above the limit' | wc -l)"
prints 'above it: the row' '^ *2 .* 15.2 KiB +22.8 KiB '
status 'a row of it' 0 "$SHARDWALK" -c 'set live 1.9x; import live.hlo 2'
prints 'a row of it: the largest tile and the peak memory of both plans' '^compiler +15.2 KiB +30.4 KiB +60.8 KiB .*'
prints 'a row of it: those of the plan' '^planned +22.8 KiB +30.4 KiB +45.6 KiB .*'
prints 'a row of it: why' "^the plan moves more: the compiler's peak memory of 60.8 KiB is above the limit\$"
status 'a row of it in JSON' 0 "$SHARDWALK" --json -c 'set live 1.9x; import live.hlo'
equal 'a row of it in JSON: the bound that is why' 1 "$(grep -o '"live_peak_now": 62208, "live_peak_planned": 46656, "bound": {"of": "peak memory", "now": 62208, "planned": 46656}' "$TMP/out" | wc -l)"
status 'without a bound' 0 "$SHARDWALK" --json -c 'import live.hlo'
equal 'then none is why' 2 "$(grep -o '"bound": null' "$TMP/out" | wc -l)"

## Logs of many different lines: a row keeps what is reported its plans

different() { # KIND COUNT
	awk -v kind="$1" -v count="$2" 'BEGIN {
		mesh = "mesh=Mesh(\047x\047: 4, \047y\047: 2)"
		for (i = 1; i <= count; i++)
			if (kind == "pairs")
				printf "f32[%d,64] NamedSharding(%s, spec=P(\047x\047, \047y\047)) -> NamedSharding(%s, spec=P(\047y\047, \047x\047))\n", 8 * i, mesh, mesh
			else if (kind == "errors")
				printf "IndivisibleError: Sharding NamedSharding(mesh=Mesh(\047x\047: 8), spec=P(\047x\047, None)) implies that array axis 0 is partitioned 8 times, but the dimension size is %d (full shape: (%d, 4), per-dimension tiling factors: [8, 1] should evenly divide the shape)\n", 8 * i + 1, 8 * i + 1
			else
				printf "[SPMD] Involuntary full rematerialization. The compiler cannot go from sharding {devices=[2,1,4]<=[4,2]T(1,0)} to {devices=[1,8,1]<=[8]} efficiently for HLO operation %%copy.%d = f32[%d,16,4]{2,1,0} copy(%%param).\n", i, i + 7
	}'
}
if sh -c "ulimit -v 160000; exec '$SHARDWALK' --version" >"$TMP/limited" 2>&1; then
	for kind in pairs errors warnings; do
		different $kind 5000 >many.log
		status "5,000 different $kind in 160 MB" 0 sh -c "ulimit -v 160000; exec '$SHARDWALK' import many.log"
		equal "$kind: all rows are there" 5000 "$(grep -c 'f32\[' out)"
	done
else
	skip 'different lines in 160 MB' 'memory cannot be limited'
fi
finish
