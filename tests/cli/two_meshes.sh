#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# From one mesh to another, as JAX prints it (tests/meshes): pairs, dictionaries, modules, device_put, the error of different devices.
. "$SRC/tests/lib.sh"
meshes=$SRC/tests/meshes
cd "$TMP" || exit 1

## Two shardings

status 'of the same devices' 0 "$SHARDWALK" import "$meshes/shardings.txt"
holds 'by the axes of both' '^mesh  *{data: 4, model: 2}'
holds 'steps and exchange compete' '^planned .* exchange$'
status 'of a part of them' 0 "$SHARDWALK" import "$meshes/parts.txt"
says 'both numbers are named' 'two meshes, of 8 and of 4 devices, 4 of them in both'
says 'and what no text says' 'does not number these 4 devices'
status 'with their numbers' 0 "$SHARDWALK" -c "f32[16,16] NamedSharding(mesh=Mesh(device_ids=array([[0,1],[2,3]]), axis_names=('data','model')), spec=P('data','model')) ~> NamedSharding(mesh=Mesh(device_ids=array([4,5,6,7]), axis_names=('tensor',)), spec=P('tensor')); plan; verify"
holds 'one exchange' 'exchange .* 64 B\|1 exchange'
holds 'from the one' '\[8{data}16, 8{model}16\] over {data: 2, model: 2} on 0-3'
holds 'to the other' '\[4{tensor}16, 16\] over {rows: 2, tensor: 4} on 4-7'
holds 'it is right' '^verified: all 256 elements on 8 devices are right'
says 'the numbers' 'two meshes, of 4 and of 4 devices, 0 of them in both: one exchange over all 8' err
status 'of XLA' 0 "$SHARDWALK" -c 'redistribute f32[16] {devices=[8]<=[8]} ~> {devices=[4]<=[4]}; verify'
refused 'of other sizes' N05 'has 1 dimensions, the other 2' "$SHARDWALK" -c 'redistribute f32[16] {devices=[8]<=[8]} ~> {devices=[2,2]<=[4]}'
refused 'one by itself' N04 'device 4 is not one of these devices' "$SHARDWALK" -c "shape f32[8]; from NamedSharding(mesh=Mesh(device_ids=array([4,5]), axis_names=('x',)), spec=P('x'))"

## Dictionaries

status 'two dictionaries' 0 "$SHARDWALK" import "$meshes/dictionaries.txt"
says 'what both have' 'two dictionaries of shardings: 3 entries are in both' err
says 'only the first' "only in the first: 'bias'" err
says 'only the second' "only in the second: 'norm'" err
for key in embed layer/kernel layer/out; do holds "the row of $key" "^ *$key\$"; done
holds 'the total' '^In all, as often as they occur, each device receives 304 B now and 144 B'
status 'with shapes' 0 "$SHARDWALK" import "$meshes/arrays.txt" --json
equal 'a row an entry' 3 "$(grep -o '"names": \["[a-z/]*"\]' out | sort -u | wc -l | tr -d ' ')"
status 'one of them' 0 "$SHARDWALK" import "$meshes/arrays.txt" 1
holds 'with its name' '^value  *embed$'
status 'what two compiled programs take' 0 "$SHARDWALK" import "$meshes/input-shardings.txt"
says 'entries of tuples are' 'two dictionaries of shardings: 3 entries are in both' err
for key in 0/1 0/0/b 0/0/w; do holds "the row of $key" "^ *$key\$"; done
holds 'their total' '^In all, as often as they occur, each device receives 128 B now and 128 B'
head -n 1 "$meshes/input-shardings.txt" >alone
refused 'one of them alone' N07 '3 shardings, but no shape' "$SHARDWALK" import alone
holds 'says what it is compared with' '^expected: .* or tuple with the same keys after it or after an arrow' err
printf "(NamedSharding(mesh=Mesh('x': 4), spec=P('x')), None) (NamedSharding(mesh=Mesh('x': 4), spec=P()), None, [" >cut
"$SHARDWALK" import cut >out 2>err
equal 'a tuple that is cut off' 1 $?
printf "{'a': NamedSharding(mesh=Mesh('x': 4), spec=P('x')), 'b': 3} -> {'a': NamedSharding(mesh=Mesh('y': 2, 'z': 2), spec=P(None, 'z')), 'b': P('y')}\n" >odd
status 'an entry that is no sharding' 0 "$SHARDWALK" -c 'shape f32[16,16]; import odd'
printf "{'a': NamedSharding(mesh=Mesh('x': 4), spec=P('x'))} -> {'a': NamedSharding(mesh" >cut
"$SHARDWALK" import cut >out 2>err
equal 'cut off' 1 $?

## Modules

for module in constraint results; do
	status "$module" 0 "$SHARDWALK" import "$meshes/$module.mlir"
	holds "$module has both ends" '^to  *f32\[16, 4{model,data:(2)2}16\]'
done

## device_put

status 'from the present from' 0 "$SHARDWALK" -c "mesh {data: 4, model: 2}; from f32[4{data}16, 8{model}16]; import $meshes/device_put.txt"
holds 'to what it says' '^to  *f32\[16, 4{model,data:(2)2}16\]'
holds 'an exchange competes' '^planned .* exchange$'
status 'as a line of a program' 0 "$SHARDWALK" -c "mesh {x: 8}; from f32[2{x}16, 16]; import y = jax.device_put(x, NamedSharding(jax.make_mesh((8,), ('t',)), P(None, 't')))"
refused 'without from' N03 'device_put says where an array goes, but not where it is' "$SHARDWALK" import "$meshes/device_put.txt"
holds 'at the sharding' 'device_put.txt:4:16' err

## Different devices

for file in incompatible incompatible-result incompatible-constraint; do
	status "$file" 0 "$SHARDWALK" import "$meshes/$file.txt"
	holds "$file: the first" '^first   argument u of .*, float32\[16,16\]: 4 devices, 0, 1, 2, 3$'
	holds "$file: the second" '^second .*: 4 devices, 4, 5, 6, 7$'
	holds "$file: why" 'they have no device in common'
	holds "$file: what to write" '^write   jax.device_put'
done
status 'as JSON' 0 "$SHARDWALK" import "$meshes/incompatible.txt" --json
holds 'with the number in both' '"common": 0'
printf 'Received incompatible devices for jitted computation. Got argument u of f with shape float32[8] and with device ids [0, 1' >cut
refused 'cut off' N01 'the error ends before it names the devices of the first' "$SHARDWALK" import cut
holds 'where it broke' '^ --> cut:1:59' err

## The forms that the manual lists

sed -n '/^\.\\" forms$/,/^\.\\" end of forms/s/^\.Dl //p' "$SRC/man/shardwalk.7" |
	sed "s/\\\\(aq/'/g; s/\\\\-/-/g" >forms
equal 'forms are listed' 9 "$(wc -l <forms | tr -d ' ')"
number=0
while IFS= read -r form; do
	number=$((number + 1))
	printf '%s\n' "$form" >form
	status "form $number" 0 "$SHARDWALK" -c 'mesh {x: 4}; from f32[4{x}16, 16]; import form'
	holds "form $number is answered" '^to \|^In all\|^write '
done <forms

status 'two meshes on other devices' 0 "$SHARDWALK" -c "import f32[16,16] NamedSharding(mesh=Mesh(device_ids=array([0,1,2,3]), axis_names=('x',)), spec=P('x', None)) -> NamedSharding(mesh=Mesh(device_ids=array([4,5]), axis_names=('a',)), spec=P(None, 'a'))"
holds 'have ends that say where they are' '^from  f32\[4{x}16, 16\] over {x: 4} on 0-3$'
holds 'both of them' '^to    f32\[16, 8{a}16\] over {rows: 3, a: 2} on 4-5$'
lacks 'and no words of copies on all' 'copies of the whole'
finish
