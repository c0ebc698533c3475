#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Questions that people ask about a redistribution, in their words, and the answers to them.
. "$SRC/tests/lib.sh"
cd "$TMP" || exit 1

prints() { # NAME PATTERN: standard output has it
	if grep -qE -- "$2" out; then ok "$1"; else not_ok "$1" "no '$2' in: $(head -c 600 out)"; fi
}
tells() { # NAME PATTERN: standard error has it
	if grep -qE -- "$2" err; then ok "$1"; else not_ok "$1" "no '$2' in: $(head -c 600 err)"; fi
}

mesh='mesh {x: 4, y: 6}' ends='[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]'

## Why is this step there?

status 'a plan with reasons' 0 "$SHARDWALK" plan "$mesh" "$ends"
equal 'every step has one' 3 "$(grep -c '^    why: ' out)"
prints 'which axis leaves which dimension' '^    why: x:\(2\)2 leaves dimension 0 and cuts dimension 1 inside x:\(1\)2: groups of$'
status 'one that is not what was asked for' 0 "$SHARDWALK" plan naive "$mesh" "$ends"
prints 'is there for now' 'why: y leaves dimension 1 for now|why: x leaves dimension 0: groups of 4'
status 'reasons as JSON' 0 "$SHARDWALK" plan "$mesh" "$ends" --json
equal 'each step has its own' 3 "$(grep -o '"why": "[^"]*"' out | sort -u | wc -l | tr -d ' ')"
status 'show' 0 "$SHARDWALK" -c "$mesh; $ends; show plan"
equal 'has them too' 3 "$(grep -c '^    why: ' out)"
module=$SRC/tests/hlo/mlp.hlo
row=$("$SHARDWALK" import "$module" --json 2>/dev/null | grep -o '"row": [0-9]*, [^{]*"names": \["collective-permute.4"\]' | sed 's/"row": \([0-9]*\).*/\1/')
status 'a chain of a module' 0 "$SHARDWALK" import "$module" "$row"
prints 'tells why' '^compiler  alltoall\(0, 1, 2\)  b leaves dimension 0 and cuts dimension 1'
status 'the plan of the chain' 0 "$SHARDWALK" -c "import $module $row; show plan"
equal 'has a reason a step' 5 "$(grep -c '^    why: ' out)"
status 'chains as JSON' 0 "$SHARDWALK" import "$module" --json
equal 'as many reasons as steps' 21 "$(grep -o '"why_[a-z]*": \[[^]]*\]' out | grep -o ': groups of\|: each device\|: whole tiles' | wc -l | tr -d ' ')"
status 'a report' 0 "$SHARDWALK" export markdown - "$mesh" "$ends"
prints 'says why' '^3\. `alltoall\(0, 1, 2\)`: x:\(2\)2 leaves dimension 0 and cuts dimension 1 inside x:\(1\)2: groups of 2 devices swap'

## Which of two plans that cost as much?

status 'as much by two alltoalls as by one and a permute' 0 "$SHARDWALK" compare 'mesh {a: 2, b: 4}' 'f32[4{a}8, 16{b}64, 64, 32] ~> [2{b}8, 64, 32{a}64, 32]'
prints 'what moves less is planned' '^fused +262 144 +163 840 '
status 'among many ways that cost as much' 0 "$SHARDWALK" plan 'mesh {x: 4, y: 2, z: 2}' 'f32[1{x}4, 34, 35{z}70, 8{y}16, 56, 8] ~> [4, 34, 35{y}70, 16, 28{z}56, 2{x}8]'
prints 'one without a permutation is found' '^  2 steps, 0 permutations'
status 'many slices' 0 "$SHARDWALK" plan 'mesh {x: 8, y: 8, z: 32}' '[{x}128, 256]+{y} ~> [{y}128, 256]+{x}'
prints 'are one step' '^  5 steps, 1 permutation'
echo '{"mesh": "{data: 2, x: 3, w: 3}", "from": "bf16[15, {x,data}12, 5]", "to": "bf16[5{w}15, {data}12, 5]", "mesh_device_ids": [6,14,17,1,11,5,8,0,7,16,2,3,12,10,9,13,4,15], "to_mesh_device_ids": [8,13,5,4,10,7,2,16,15,3,11,17,12,9,14,0,6,1]}' >orders
status 'orders of devices' 0 "$SHARDWALK" batch orders --json
prints 'for which another system has a cheaper plan' '"cost": 200,'

## What do 96 layers pay for it?

status 'a plan of every layer' 0 "$SHARDWALK" plan --times 96 "$mesh" "$ends"
prints 'is added up' '^  96 times: cost 1728 elements \(6.8 KiB\), 4.9 KiB received per device'
prints 'with its seconds' ', 1.92 ms$'
status 'every layer and step' 0 "$SHARDWALK" plan --times 96x1000 "$mesh" "$ends" --json
prints 'as JSON' '"repeated": \{"times": 96000, "cost": 1728000, "cost_bytes": 6912000, "received_bytes": 4992000, "seconds": 1\.9'
"$SHARDWALK" plan --times '2*3' "$mesh" "$ends" --json >once
status 'a file with it' 0 "$SHARDWALK" open once
prints 'is a plan like any other' '^  cost 18 elements'
status 'the setting' 0 "$SHARDWALK" -c "$mesh; $ends; set times 10; plan paper; show plan; save -"
equal 'is for all plans and pictures' 2 "$(grep -c '^  10 times: ' out)"
prints 'and is saved' '^set times 10$'
status 'nothing is said' 0 "$SHARDWALK" plan --times 1 "$mesh" "$ends"
equal 'of once' 0 "$(grep -c ' times' out)"
refused 'none' L12 "^error.*'0' is out of range" "$SHARDWALK" plan --times 0 "$mesh" "$ends"
refused 'no number' L11 "'9x' is not a number of times" "$SHARDWALK" plan --times 9x "$mesh" "$ends"
refused 'a number that is too large' L12 'out of range' "$SHARDWALK" plan --times 9000000000x9000000000 "$mesh" "$ends"
refused 'sums that are too large' S09 'times 18 elements' "$SHARDWALK" plan --times 999999999999999999 "$mesh" "$ends"

pair='f32[8,1024,64,64] {devices=[8,1,1,1]} -> {devices=[1,1,2,4]}'
status 'a pair of every layer' 0 "$SHARDWALK" import --times 96x1000 "$pair"
prints 'now' '^now  +10\.3 TiB +3 221 225 472 000 +[0-9]+ s$'
prints 'and planned' '^planned  +1\.3 TiB +402 653 184 000 +[0-9]+ s$'
status 'the option behind it' 0 "$SHARDWALK" import "$pair" --times=3 --json
prints 'counts' '"count": 1, "runs": 3, .*"bytes_now": 352321536[,.}].*"times": 3, "machine": "default"'
refused 'that cannot be counted' S09 'more than can be counted' "$SHARDWALK" import "$pair" --times 9600000000000000
equal 'prints nothing' '' "$(cat out)"
printf '%s\n' "$pair" 'f32[64,64] {devices=[4,2]<=[8]} -> {devices=[2,4]<=[8]}' >pairs
status 'many pairs' 0 "$SHARDWALK" import pairs --times 96
prints 'are so many runs each' '^ 1  +96 '
prints 'in all' '^In all, 96 times as often as they occur, each device receives'

LC_ALL=C "$SHARDWALK" import --times 96x1000 "$pair" >out 2>&1
equal 'lines are ASCII where nothing else is known' 0 "$(LC_ALL=C tr -d '\000-\177' <out | wc -c | tr -d ' ')"
prints 'with blanks in figures' '^96 000 times, time predicted on hardware default:$'

## Is another target cheaper?

status 'two targets' 0 "$SHARDWALK" compare 'mesh {x: 4, y: 2}' '[8{x}32, 8{y}16] ~> [32, 2{x,y}16]' --to '[16{y}32, 4{x}16]'
prints 'are side by side' '^strategy +cost A +B +height A +B +steps A +B +time A +B$'
prints 'each with its plan' '^fused +64 +128 +64 +64 +1 +2 '
prints 'and its steps' '^to B by  fused  alltoall.*, '
prints 'compared' '^to B costs 2 times as much as to A: 128 elements instead of 64'
status 'another as XLA writes it' 0 "$SHARDWALK" -c 'f32[8,8,8,64] {devices=[2,2,1,8]<=[32]} ~> {devices=[2,2,1,8]<=[8,4]T(1,0)}
compare --to "{devices=[1,4,1,8]<=[32]}"'
prints 'is another type' '^B  f32\[8, 2\{'
status 'as JSON' 0 "$SHARDWALK" compare "$mesh" "$ends" --to '[12, 12]' --json
prints 'two comparisons' '^\{"schema": "shardwalk.targets/1", "targets": \[\{"name": "A", "problem": .*\{"name": "B", "problem": \{.*"to": "\[12, 12\]"'
refused 'of another array' T09 'help: both targets are of the array' "$SHARDWALK" compare "$mesh" "$ends" --to '[12, 14]'
refused 'beside a plan' L02 'compares two targets' "$SHARDWALK" -c "$mesh; $ends; plan; compare \$1 --to [12,12]"

## May these steps be merged?

axes='mesh {a0: 2, a1: 2, a2: 2}' swap='[1{a0,a1,a2}8, 8] ~> [8, 1{a0,a1,a2}8]'
cat >hand.sw <<'END'
apply alltoall(0, 1)
apply allpermute [2{a2,a1}8, 4{a0}8]
apply alltoall(0, 1)
apply allpermute [4{a1}8, 2{a0,a2}8]
apply alltoall(0, 1)
apply allpermute [8, 1{a0,a1,a2}8]
compare --merged
END
status 'six steps by hand' 0 "$SHARDWALK" -c "$axes; $swap; source hand.sw"
prints 'with their cost' '^by hand: 6 steps, cost 48 elements$'
prints 'are one' '^2  allpermute +8  merges with 1: one alltoall does what steps 1 to 6'
prints 'that costs less' '^merged: 1 step, cost 8 elements$'
prints 'by so much' '^merging saves 5 of 6 steps and 40 of 48 elements$'
status 'two of one dimension each' 0 "$SHARDWALK" compare --merged 'mesh {a: 4, b: 2}' 'f32[8{b}16, 16, 4{a}16] ~> [16, 2{b,a}16, 16]'
prints 'are merged by the default' '^exact: 2 steps, cost 1024 elements$'
prints 'into one of two' '^1  alltoall\(gather 0:2 2:4, split 1:8\)   512  steps 1 and 2$'
status 'what may not be merged' 0 "$SHARDWALK" -c "$mesh; $ends; compare --merged; compare dtensor --merged"
prints 'for what devices hold' '2  allpermute +6  cannot merge with 1: no single alltoall does both:$'
prints 'and for sizes' 'cannot merge with 1: tiles of 2 become tiles of 3$'
prints 'is said' '^nothing can be merged$'
status 'as JSON' 0 "$SHARDWALK" compare naive --merged "$mesh" "$ends" --json
prints 'each pair' '^\{"schema": "shardwalk.merged/1", "pairs": \[\{"steps": \[1, 2\], "merged": false, "why": "[^"]*"\}, \{"steps": \[2, 3\], "merged": true'
sed 's/.*"merged": {"schema"/{"schema"/; s/}, "program": [^{]*{[^{]*}}$/}/' out >merged.json
status 'the merged plan' 0 "$SHARDWALK" -c 'open merged.json; verify'
prints 'is right' '^verified: all'

## What does it cost to come by here?

grid='mesh {x: 4, y: 2}' way='[8{x}32, 8{y}16] ~> [16{y}32, 4{x}16] ~> [32, 2{x,y}16]'
status 'a chain' 0 "$SHARDWALK" plan "$grid" "$way"
prints 'is one plan' '^plan  strategy chain, 8 devices of f32$'
prints 'of all legs' '^  cost 256 elements'
prints 'each with its cost' '^  leg 1, 2 steps, to \[16\{y\}32, 4\{x\}16\]: cost 128; leg 2, 2 steps, to \[32,$'
prints 'beside that without stops' 'cost 128; without stops, 1 step: cost 64$'
status 'verified' 0 "$SHARDWALK" verify "$grid" "$way"
prints 'it is right' '^verified: all 512 elements'
status 'as JSON' 0 "$SHARDWALK" plan "$grid" "$way" --json
prints 'it has legs' '"legs": \[\{"from": "\[8\{x\}32, 8\{y\}16\]", "to": "\[16\{y\}32, 4\{x\}16\]", "steps": 2, "cost": 128, .*"direct": \{"steps": 1, "cost": 64, "model_cost": 64\}\}$'
cp out chain.json
status 'that file' 0 "$SHARDWALK" -c 'open chain.json; verify'
status 'four types by another strategy' 0 "$SHARDWALK" -c "$grid; $way ~> [32, 16]; plan paper; show plan"
equal 'are three legs, and stay' 2 "$(grep -c 'leg 3, 1' out)"
printf '%s\n' "$grid" "$way" plan 'save -' undo undo 'save -' "$way" 'to [32, 2{y,x}16]' plan >way.sw
status 'in a session' 0 "$SHARDWALK" way.sw
equal 'it is saved, and undone' 1 "$(grep -c '^redistribute \[8{x}32, 8{y}16\] ~> \[16{y}32, 4{x}16\] ~> \[32, 2{x,y}16\]$' out)"
equal 'and another target ends it' 1 "$(grep -c '^plan  strategy fused' out)"
status 'as JAX writes it' 0 "$SHARDWALK" plan "$grid" 'f32[32,16] P("x","y") ~> P("y","x") ~> P(None,("x","y"))'
prints 'as well' 'leg 2, 1 step'
refused 'another array on the way' T09 'different sizes' "$SHARDWALK" plan "$grid" '[8{x}32] ~> [16{y}32] ~> [33]'
refused 'no end' L02 'there is no type after' "$SHARDWALK" plan "$grid" '[8{x}32] ~> [16{y}32] ~>'
refused 'padding on the way' S02 'padded' "$SHARDWALK" -c "set uneven pad; $grid; [{x}33] ~> [{y}33] ~> [33]; plan"
echo '{x: 4} [8] ~> [2{x}8] ~> [8]' >chain
refused 'a line of a batch' B03 'has a third' "$SHARDWALK" batch chain
status 'a trace of DTensor' 0 "$SHARDWALK" plan 'mesh {x: 2, y: 2}' 'f32[8,8] S(0)R->RR->RS(1)'
prints 'is no chain' '^plan  strategy fused'

## Does it fit into 31.25 GB?

big='mesh {x: 4}; f32[{x}32768, 1048576] ~> [32768, {x}1048576]'
status 'a budget in GB' 0 "$SHARDWALK" -c "budget 40GB; $big; plan"
prints 'is answered in GB' '^  height 34.36 GB \(8 589 934 592 elements\), within the budget of$'
prints 'all along' '1 alltoall.* 8 589 934 592  34.36 GB  8 589 934 592'
status 'a budget of decimals' 0 "$SHARDWALK" -c "budget 40.55GB; $big; plan --json"
prints 'counts every byte' '"budget": 10137500000, .*"budget_unit": "GB", "budget_bytes": 40550000000, "height_bytes": 34359738368'
refused 'one that is too small' S01 '^expected: at least 34.36 GB (8 589 934 592 elements), the tile of' "$SHARDWALK" -c "budget 31.25GB; $big; plan"
equal 'is shown in its unit' 'found: 31.25 GB (7 812 500 000 elements)' "$(grep '^found' err)"
status 'what is offered instead' 0 "$SHARDWALK" -c "$(sed -n 's/^help: \(budget [0-9A-Za-z.]*\) is the smallest.*/\1/p' err); $big; plan"
refused 'in GiB' S01 '^found: 2 GiB (536 870 912 elements)$' "$SHARDWALK" -c "$big; plan --budget 2GiB"
refused 'in a walk' S01 "^error.*a budget of 2 GiB (536 870 912 elements) is too small: 'from' alone takes 32 GiB" "$SHARDWALK" -c "budget 2GiB; $big; step"
refused 'by an operation that is forbidden' S01 '^expected: at least 64 GiB' "$SHARDWALK" -c "$big; plan --without alltoall --budget 33GiB"
refused 'in advice' S01 '^found: \|a budget of 2 GiB (536 870 912 elements) is too small' "$SHARDWALK" -c "$big; advise --budget 2GiB"
status 'above it' 0 "$SHARDWALK" -c "$big; plan naive --budget 33GiB; show heights; compare; show plan"
prints 'is said in bytes' 'height 128 GiB .*, above the budget of'
prints 'under the heights' '╎ budget of a tile: 33 GiB \(8 858 370 048 elements\)'
status 'the session' 0 "$SHARDWALK" -c "$big; plan --budget 40GB --live 100GB; save -"
prints 'keeps the unit' 'plan fused --model paper --budget 40GB --live 100GB'
status 'a plan in a file' 0 "$SHARDWALK" -c "$big; plan --budget 40GB; export plan budget.json; open budget.json"
prints 'keeps it too' '^    40 GB \(10 000 000 000 elements\)'
status 'elements' 0 "$SHARDWALK" plan "$mesh" "$ends" --budget 40
prints 'stay elements' '^  height 6 \(24 B\), within the budget of 40; 576 B on all 24$'

## How long does planning take?

status 'a plan of 24 devices' 0 "$SHARDWALK" plan "$mesh" "$ends"
equal 'tells the time that it took' '  planned in 40 us' "$(timeless out && grep planned out)"
status 'a plan as JSON' 0 "$SHARDWALK" plan "$mesh" "$ends" --json
prints 'has it too' '"search": \{[^}]*"seconds": [0-9.e-]+\}'
status 'a flat mesh and another order' 0 "$SHARDWALK" plan 'f32[24,24] {devices=[24,1]<=[24]} ~> {devices=[3,8]<=[8,3]T(1,0)}'
prints 'is planned at once' '^  planned in [0-9.]+ [um]s$'

## Do the braces behind a type cut the array?

order='1,0. is the order of the dimensions in memory, minor to major: it partitions nothing'
status 'a shape with a layout' 0 "$SHARDWALK" -c "mesh {x: 4}; shape f32[8,4]{1,0}; from P('x'); to P(None,'x'); plan"
tells 'is shown what the braces are' "$order"
status 'in front of shardings' 0 "$SHARDWALK" plan 'f32[8,4]{1,0} {devices=[2,1]<=[2]} ~> {devices=[1,2]<=[2]}'
tells 'as well' "$order"
status 'behind a type' 0 "$SHARDWALK" plan 'mesh {x: 4}' 'f32[2{x}8,4]{1,0:T(8,128)} ~> [8,1{x}4]'
tells 'with tiles of memory' '1,0:T\(8,128\)\} is the order'
status 'explained' 0 "$SHARDWALK" explain 'f32[8,4]{1,0}'
tells 'in the same words' "$order"
echo '{"mesh": "{x: 4}", "from": "f32[{x}8,4]{1,0}", "to": "[8,{x}4]"}' >layout
status 'in a problem of a file' 0 "$SHARDWALK" batch layout --json
refused 'braces that are no order' T01 "'{' is not allowed here" "$SHARDWALK" -c 'shape f32[8,4]{1,1}'
refused 'of too many dimensions' T01 "'{' is not allowed here" "$SHARDWALK" -c 'shape f32[8,4]{2,1,0}'

## From one mesh to another?

for text in 'src_mesh={x: 4}, dst_mesh={y: 8}' 'reshard(x, src_mesh=a, dst_mesh=b)' \
	'src_mesh=DeviceMesh("cuda", [[0, 1], [2, 3]]), dst_mesh=DeviceMesh("cuda", [0, 1, 2, 3])' \
	'mesh {x: 4}; [8] ~> [2{x}8] src_mesh=a' 'mesh {x: 4}; plan --dst_mesh b'; do
	refused "$text" N05 '^error.*: there are two meshes: each sharding must name its own$' "$SHARDWALK" -c "$text"
done
for text in 'src_mesh = DeviceMesh("cuda", [[0, 1], [2, 3]])' 'mesh src_mesh=DeviceMesh("cuda", [[0, 1], [2, 3]])' \
	'src_mesh={x: 2, y: 2}' 'mesh dst_mesh={x: 2, y: 2}'; do
	status "one mesh, $text" 0 "$SHARDWALK" -c "$text; show mesh"
	prints "of four devices, $text" 'mesh +4 devices, 2 axes'
done
printf '{"src_mesh": {"x": 4}, "dst_mesh": {"y": 4}, "mesh": {"x": 4}, "from": "[8]", "to": "[{x}8]"}\n' >two
refused 'a line of JSON' N05 'src_mesh' "$SHARDWALK" batch two --json

## From one grid of processes to another?

status 'two grids' 0 "$SHARDWALK" plan 'f32[64,64,64] {4,8,4} ~> {8,4,4}'
tells 'cut each dimension by its number' '^read as a grid, one cut for each dimension$'
prints 'at first' '^    \[16\{a\}64, 8\{c,b\}64, 16\{d\}64\]'
prints 'and at last' '^    \[8\{b,a\}64, 16\{c\}64, 16\{d\}64\]'
status 'a grid over a mesh' 0 "$SHARDWALK" plan 'mesh {x: 4, y: 8, z: 4}' 'shape [64,64,64]' 'from {4,8,4}' 'to {1,8,16}'
prints 'takes its axes' '^    \[16\{x\}64, 8\{y\}64, 16\{z\}64\]'
status 'a grid explained' 0 "$SHARDWALK" explain '{4,8,4}'
prints 'in words' '^dimension 1 in 8 parts'
echo '{"mesh": null, "shape": [64,64,64], "from": "{4,8,4}", "to": "{8,4,4}"}' >grids
status 'grids in a file' 0 "$SHARDWALK" batch grids

finish
