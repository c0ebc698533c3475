#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Warnings of XLA that may be about one group of devices: what is said of one alone, of one among others, and with the
# program's mesh and shardings before it and after it.
. "$SRC/tests/lib.sh"
. "$SRC/tests/cli/lib_warning.sh"
cd "$TMP" || exit

# On {a: 2, b: 2, c: 2}, from P(('b','a'),None,'c',None,None) to P(None,None,'a',None,'b'), as jaxlib 0.10.2 warns of it.
warn '{devices=[4,1,1,1,1]<=[4]}' '{devices=[1,1,1,1,2,2]<=[4] last_tile_dim_replicate}' \
	'%copy = f32[4,27,36,53,24]{4,3,2,1,0} copy(%sharding_constraint.0), metadata={op_name="jit(layer)/sin"}' >group.log
# On {a: 2, b: 2, c: 2}, all devices.
warn '{devices=[1,2,4]<=[4,2]T(1,0) last_tile_dim_replicate}' '{devices=[4,1,2]<=[8] last_tile_dim_replicate}' \
	'%get-tuple-element = f32[6848,9968]{1,0} get-tuple-element(%tuple), index=0' >all.log
cat group.log all.log >both.log
MESH='mesh {a: 2, b: 2, c: 2}'
ENDS="P(('b','a'), None, 'c') ~> P(None, None, 'a', None, 'b')"

# The last command printed this (an extended regular expression), or did not.
prints() { # NAME PATTERN
	if grep -Eq -e "$2" out err; then ok "$1"; else not_ok "$1" "no '$2' in: $(head -c 900 out err | tr '\n' '|')"; fi
}
prints_not() { # NAME PATTERN
	if grep -Eq -e "$2" out err; then not_ok "$1" "'$2' in: $(head -c 900 out err | tr '\n' '|')"; else ok "$1"; fi
}
code() {
	sed -n '/^Write in your program/,/^Where/p' out | grep -E '^(assert|mesh|x) '
}
json() { # KEY of "group"
	sed -n 's/.*"group": {\(.*\)}, "\(code\|error\)".*/\1/p' out | sed -n "s/.*\"$1\": \(\"[^\"]*\"\|\[[^]]*\]\|[^,}]*\).*/\1/p"
}

## One alone: it may be all, and nobody knows

status 'a warning alone' 0 "$SHARDWALK" -c 'import group.log; advise'
prints 'says what it speaks of' '^group  the warning is about 4 devices, which may be one group of several$'
prints 'the advice says it too' '^  the warning is about 4 devices, which may be one group of several: XLA.s text$'
prints 'and what the text lacks' 'contains neither the remaining axis nor the program.s device numbers'
equal 'the first line states the assumption' 'assert jax.device_count() == 4' "$(code | head -n 1)"
prints 'the mesh is of all devices' '^mesh = Mesh\(np.array\(jax.devices\(\)\).reshape\(2, 2\), \("a", "b"\)\)$'
prints_not 'never of some' 'devices\(\)\[:'
prints 'what to do where that fails' '^If that fails, these 4 devices are one group of several\. Then type$'
prints 'the mesh' '^  mesh \{\.\.\.\} '
prints 'the shardings' '^  P\(\.\.\.\) ~> P\(\.\.\.\) '
prints 'of the value that the warning names' 'The value is %copy, made of %sharding_constraint\.0 \(jit\(layer\)/sin\)\.$'
status 'a file of the advice' 0 "$SHARDWALK" -c 'import group.log; export jax advised.py advice'
prints 'is reported the group' '^the warning is about 4 devices, which may be one group of several$'
prints 'and of the way to all' '^the file is for 4 devices; .advise. says what to type for all of them$'
status 'in JSON' 0 "$SHARDWALK" -c 'import group.log; advise --json'
equal 'it may be' '"possible"' "$(json is)"
equal 'as many' 4 "$(json devices)"
equal 'of nobody knows how many' null "$(json of)"
equal 'what to type' '["mesh {...}", "P(...) ~> P(...)"]' "$(json type)"
prints 'the code has the assumption' '"code": "assert jax.device_count\(\) == 4\\n'
status 'the row in JSON' 0 "$SHARDWALK" import group.log --json
equal 'it may be, too' '"possible"' "$(json is)"
status 'for DTensor' 0 "$SHARDWALK" -c 'import group.log; advise --for dtensor --budget 2GB'
prints 'what to type is the same' '^  P\(\.\.\.\) ~> P\(\.\.\.\) '
status 'the steps themselves' 0 "$SHARDWALK" -c 'import group.log; advise --form shard_map'
prints 'run where there are 4 devices and no more' '^if len\(jax.devices\(\)\) != 4:$'
prints_not 'and take no part of more' 'devices\(\)\[:'
status 'a pair that is no warning' 0 "$SHARDWALK" import 'f32[16,16] {devices=[4,1]<=[4]} -> {devices=[1,4]<=[4]}' --json
prints 'is of no group' '"group": null'

## Among others that speak of more

status 'others speak of more' 0 "$SHARDWALK" import both.log
prints 'is said of all' '^1 is about one group of the devices each'
prints 'and of those that may be' '^1 is about 8 devices, which may be one group of several$'
prints 'and is in the table' "a group's f32\["
number=$("$SHARDWALK" import both.log --json | grep -o '"row": [0-9]*\|"names": \["[a-z-]*' | grep -B 1 '"copy' | sed -n 's/"row": //p')
status 'then it is certain' 0 "$SHARDWALK" -c "import both.log $number; advise"
prints 'and said' '^  the warning is about one group of 4 devices: others in the log are about 8:'
prints_not 'no code is written' 'with_sharding_constraint|Mesh\(|assert'
prints 'but what moves between which dimensions' '^  1  alltoall: dimension 0 from 4 parts to whole, dimension 4 from whole to 4 parts$'
prints 'hop by hop' '^  2  allgather: dimension 4 from 4 parts to 2 parts$'
prints 'and what to type: the mesh' '^  mesh \{\.\.\.\} '
prints 'and the shardings' '^  P\(\.\.\.\) ~> P\(\.\.\.\) '
status 'also the steps themselves' 0 "$SHARDWALK" -c "import both.log $number; advise --form shard_map"
prints_not 'are not written' 'shard_map\('
status 'in JSON' 0 "$SHARDWALK" -c "import both.log $number; advise --json"
equal 'certain' '"certain"' "$(json is)"
equal 'of how many' 8 "$(json of)"
equal 'known by' '"log"' "$(json known_by)"
prints 'no code' '"code": ""'
prints 'what moves' '"moves": "dimension 4 from 4 parts to 2 parts"'

## With mesh and shardings after it

status 'both after it' 0 "$SHARDWALK" -c "import group.log; $MESH; $ENDS; advise"
prints 'what the mesh says' '^the warning is about one group of 4 of these 8 devices; type the shardings of %copy, made of '
prints 'the shape follows' '^shape f32\[16, 27, 72, 53, 24\] follows from the warning.s f32\[4,27,36,53,24\] of one device$'
prints 'it is the problem' '^this is the problem that the warning of %copy is about: it is about one group of 4 of the 8 devices: dimension 2 stays in 2 parts \(axis c, in the end a\)$'
prints 'the advice is of the whole' '^from +f32\[4\{a,b\}16, 27, 36\{c\}72, 53, 24\]$'
prints 'with the axes of the program' 'NamedSharding\(mesh, P\([^)]*"c", None, .*\)\)\)$'
prints_not 'and its mesh' 'assert|Mesh\(|Where that fails'
status 'in JSON' 0 "$SHARDWALK" -c "import group.log; $MESH; $ENDS; advise --json"
equal 'the whole' '"whole"' "$(json is)"
equal 'of all devices' 8 "$(json of)"
equal 'what stays' '[{"dimension": 2, "parts": 2, "axes": "c", "axes_after": "a"}]' "$(json stays)"
status 'a mesh in front of them' 0 "$SHARDWALK" -c "import group.log; {a: 2, b: 2, c: 2} $ENDS; advise"
prints 'is the same' '^  this is the problem that the warning is about:'
status 'the language instead' 0 "$SHARDWALK" -c "import group.log; $MESH; [4{a,b}16, 27, 36{c}72, 53, 24] ~> [16, 27, 36{a}72, 53, 12{b}24]; advise"
prints 'is the same, too' '^  this is the problem that the warning is about:'
status 'one end after the other' 0 "$SHARDWALK" -c "import group.log; $MESH; from [4{a,b}16, 27, 36{c}72, 53, 24]; to [16, 27, 36{a}72, 53, 12{b}24]"
prints 'is said once both are there' '^this is the problem that the warning of %copy is about:'
equal 'and once' 1 "$(grep -c 'the warning of %copy is about' err)"
status 'as arguments of advise' 0 "$SHARDWALK" -c "import group.log; $MESH; advise $ENDS"
prints 'is the same again' '^  this is the problem that the warning is about:'

## What differs

status 'other shardings' 0 "$SHARDWALK" -c "import group.log; $MESH; P('a', None, 'c') ~> P(None, None, 'a', None, 'b'); advise"
prints 'are shown apart' '^this is not the problem that the warning of %copy is about: '
prints 'in the advice as well' '^  this is not the problem that the warning is about: '
status 'then the right ones' 0 "$SHARDWALK" -c "import group.log; $MESH; P('a', None, 'c') ~> P(None, None, 'a', None, 'b'); $ENDS; advise --json"
equal 'are taken' '"whole"' "$(json is)"
status 'another shape' 0 "$SHARDWALK" -c "import group.log; $MESH; f32[16,27,36,53,24] $ENDS; advise --json"
equal 'is another problem' '"other"' "$(json is)"
prints 'which is said' 'one device would hold f32\[4,27,18,53,24\] here, but in the warning it holds f32\[4,27,36,53,24\]'
status 'a mesh that does not fit' 0 "$SHARDWALK" -c 'import group.log; mesh {x: 6}'
prints 'is said' '^dropped: the ends of the warning, which is about 4 devices, but this mesh has 6$'
status 'before it' 0 "$SHARDWALK" -c 'mesh {x: 6}; import group.log'
prints 'is said, too' '^the warning is about 4 devices, but the mesh has 6: it is from another program'
status 'axes of a mesh that nobody has given' 1 "$SHARDWALK" -c "import group.log; $ENDS"
prints 'are asked for' 'expected: a mesh with these axes'

## Before it

status 'the mesh before it' 0 "$SHARDWALK" -c "$MESH; import group.log; advise"
prints 'it is certain' '^  the warning is about one group of 4 of the mesh.s 8 devices: '
prints_not 'no code' 'with_sharding_constraint|Mesh\(|assert'
prints 'only the shardings are asked for' '^  P\(\.\.\.\) ~> P\(\.\.\.\) '
prints_not 'and no mesh' '^  mesh \{\.\.\.\}'
status 'then its ends are over it' 0 "$SHARDWALK" -c "$MESH; import group.log; $ENDS; advise"
prints 'and the whole' '^mesh     \{a: 2, b: 2, c: 2\}$'
prints 'is known' '^  this is the problem that the warning is about:'
status 'all before it' 0 "$SHARDWALK" -c "$MESH; f32[16,27,72,53,24] $ENDS; import group.log; advise"
prints 'is recognized' '^whole  it is about one group of 4 of the 8 devices: dimension 2 stays in 2'
prints 'the answer is of the whole' '^from   f32\[4\{a,b\}16, 27, 36\{c\}72, 53, 24\]$'
prints 'and so is the advice' 'NamedSharding\(mesh, P\(None, None, "a", None, "b"\)\)\)$'
status 'in a table as well' 0 "$SHARDWALK" -c "$MESH; f32[16,27,72,53,24] $ENDS; import both.log --json"
equal 'its row is of the whole' '"all" "whole" ' "$(grep -o '"group": {"is": "[a-z]*"' out | sed 's/.*: //' | sort | tr '\n' ' ')"
status 'another problem before it' 0 "$SHARDWALK" -c "$MESH; f32[16,26] P('a') ~> P(None, 'a'); import group.log"
prints 'is not it' '^it is not about the previous problem: XLA has steps for this problem and does not warn$'
status 'a mesh of just these devices' 0 "$SHARDWALK" -c 'mesh {x: 2, y: 2}; import group.log; advise'
prints 'is the whole' 'NamedSharding\(mesh, P\(None, None, None, None, \("x", "y"\)\)\)\)$'
prints_not 'and nothing is in question' '^group|one group|assert'
status 'also after it' 0 "$SHARDWALK" -c 'import group.log; mesh {x: 2, y: 2}; advise'
prints 'by its names' 'NamedSharding\(mesh, P\(None, None, None, None, \("x", "y"\)\)\)\)$'
prints_not 'nothing is in question' 'assert|^  the warning is about|Where that fails'

## From the module before partitioning

cat >before.txt <<'END'
HloModule jit_layer, entry_computation_layout={(f32[16,27,72,53,24]{4,3,2,1,0})->f32[16,27,72,53,24]{4,3,2,1,0}}, num_partitions=8

ENTRY %main.0 (v.0: f32[16,27,72,53,24]) -> f32[16,27,72,53,24] {
  %v.0 = f32[16,27,72,53,24]{4,3,2,1,0} parameter(0), sharding={devices=[2,1,1,1,1,4]<=[8] last_tile_dim_replicate}, metadata={op_name="v"}
  %sharding_constraint.0 = f32[16,27,72,53,24]{4,3,2,1,0} copy(%v.0), sharding={devices=[4,1,2,1,1]<=[2,2,2]T(1,0,2)}
  ROOT %sin.0 = f32[16,27,72,53,24]{4,3,2,1,0} sine(%sharding_constraint.0), sharding={devices=[1,1,2,1,2,2]<=[8] last_tile_dim_replicate}, metadata={op_name="jit(layer)/sin"}
}
END
status 'a module' 0 "$SHARDWALK" -c 'import group.log --module before.txt; advise'
prints 'has the value' '^1 is about values of the module: its mesh, shape and shardings are used$'
prints 'with its shape and shardings' '^from   f32\[4\{a,b\}16, 27, 36\{c\}72, 53, 24\]$'
prints 'what stays' '^whole  it is about one group of 4 of the 8 devices: dimension 2 stays in 2'
equal 'the advice is for all devices' 'assert jax.device_count() == 8' "$(sed -n '/^Write in your program/{n;n;p;}' out)"
status 'with names for its axes' 0 "$SHARDWALK" -c "mesh {u: 2, v: 2, w: 2}; import group.log --module before.txt; advise"
prints 'the lines have them' 'NamedSharding\(mesh, P\([^)]*"w", None, .*\)\)\)$'
status 'in JSON' 0 "$SHARDWALK" import group.log --module before.txt --json
equal 'the whole' '"whole"' "$(json is)"
status 'a module without the value' 0 "$SHARDWALK" import all.log --module before.txt
prints 'is reported' '^the log warns about no value of the module: '
status 'no such module' 1 "$SHARDWALK" import group.log --module nowhere.txt
status 'no module' 1 "$SHARDWALK" import group.log --module all.log
prints 'is refused' 'error\[N06\]'

## Going back, and on

status 'undo' 0 "$SHARDWALK" -c "import group.log; $MESH; undo; advise"
prints 'brings the group back' 'which may be one group of several'
status 'another problem' 0 "$SHARDWALK" -c "import group.log; import f32[16,16] {devices=[4,1]<=[4]} -> {devices=[1,4]<=[4]}; advise --json"
prints 'is no longer about the warning' '"group": null'
finish
