#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Systems in levels, axes of parallelism laid on them, and programs that sum over them.
. "$SRC/tests/lib.sh"
export LC_ALL=C
cd "$TMP" || exit

refuses() { # NAME STATEMENTS CODE TEXT
	sw "$2"
	equal "refused: $1" 'status 1' "status $?"
	says "code: $1" "error[$3]" err
	says "way out: $1" "$4" err
}

system='system {node: 4 @ 8GB/s shared, gpu: 16 @ 270GB/s}'
sum="$system; axes {data: 8, shard: 8}; reduce {data} f32[2147483648]"

## placements and programs

sw 'system {node: 4, gpu: 4}; axes {a: 4, b: 4}; placements'
says 'how many orders the devices have' '16! = 2^44.25 orders of the devices' out

sw "$sum; placements"
says 'placements: all of them, and for what' 'data 8, shard 8 on 4 x 16 devices: 3 of 3, for the sum over data' out
says 'placements: inside a node' '[1 8] [4 2]  {gpu:(1)8}            {gpu:(8)2,node}        55.68 ms  55.68 ms  55.68 ms' out
says 'placements: across nodes' '15.03 s   8.638 s   8.590 s' out
says 'placements: the slowest last' '30.06 s   25.80 s   25.77 s' out
sw 'system {a: 16 @ 8GB/s, b: 16 @ 16GB/s, c: 16 @ 32GB/s, d: 16 @ 64GB/s, e: 16 @ 128GB/s}
axes {v: 16, w: 16, x: 16, y: 16, z: 16}; reduce {z} f32[1048576]; placements --limit 3'
says 'placements: too many, their exact number' '3 of 2 224 955, for the sum over z' out
says 'placements: the fastest of all are first' '[1 1 1 1 16]   61.44 us  61.44 us  61.44 us' out
says 'placements: which of them were timed' 'all were timed; the fastest 1000 are kept for `place`' out
sw "$sum; place 2; reductions"
says 'reductions: how many, and whether they are right' '47 programs of at most 5 steps; all are right;' out
says 'reductions: how many are faster' '14 are faster than one allreduce' out
says 'reductions: the proof' 'proved: no program of any length is faster' out
says 'reductions: the bound' 'no algorithm needs less than 8.590 s' out
sw "system {a: 2 @ 1GB/s, b: 2 @ 2GB/s, c: 2 @ 3GB/s, d: 2 @ 4GB/s, e: 2 @ 5GB/s}; axes {x: 32}; reduce {x} f32[1048576]
set masters all; set plan_memory 1MiB; place 1; reductions; compare; reductions 1; placements"
equal 'reductions beyond the memory: each answer says that it is incomplete' 3 "$(grep -c "^incomplete: the states of devices do not fit" out)"
equal 'reductions beyond the memory: nothing is proved' 0 "$(grep -c proved out)"
"$SHARDWALK" -c "$sum; place 2; reductions" >out 2>err
says 'reductions: of groups that add up the same' '8 groups each compute the same sum' err
sw "$sum; place 2; reductions 1"
says 'reductions 1: its steps' 'allreduce across node' out
says 'reductions 1: its groups' '16 groups of 4' out
sw "$sum; place 2; reductions 4; verify; export plan p.json; show heights"
says 'reductions 4: what no type says' 'no type' out
says 'reductions 4: verified with numbers' 'verified: 512 numbers on 64 devices are right, one for each chunk (4 KiB moved)' out
says 'reductions 4: how many elements there are' '`verify --full` moves all 137 438 953 472 elements' out
says 'reductions 4: heights are drawn' 'allreduce masters node' out
sw 'system {a: 2 @ 8GB/s, b: 2 @ 20GB/s}; axes {u: 4}; place 1; reduce {u} f32[8]; apply reducescatter inside root; apply allgather inside root; show plan; export plan blocks.json'
says 'blocks of tiles: their type' '    [2{u}8]' out
says 'blocks of tiles: in the plan file' '"type": null, "pieces_type": "[2{u}8]", "localtype": [8]' blocks.json
sw "$sum; place 2; reductions 4; show state --step 1"
says 'reductions 4: what devices hold after a step' 'after step 1, `reduce inside node`' out
sw "$sum; place 2; reductions 4; show traffic"
says 'reductions 4: other views refuse it' 'error[' err
sw 'open p.json; verify; plan; show plan'
says 'a program read from its file is right' 'verified: 512 numbers' out
sw "$sum; place 2; reductions 4; save s.sw"
sw 'open s.sw; verify'
says 'a session with a program is opened again' 'verified: 512 numbers' out
sw "$sum; place 2; set allreduce tree; reductions --length 3 --limit 1"
says 'reductions: shorter ones' '25 programs of at most 3 steps' out
sw "$sum; place 2; set masters all; reductions"
says 'reductions: masters that do anything' '93 programs of at most 5 steps' out
sw "$sum; place 2; set allreduce tree; reductions 1; export plan -"
says 'reductions: trees are kept in the plan' '"allreduce": "tree"' out
sw "$sum; placements"
says 'placements: how many programs in all' '97 programs of at most 5 steps on all of them' out
sw "$system; axes {data: 8, shard: 8}; placements {data} 1GiB, {shard} 64MiB"
says 'placements: a whole training step' 'for the sum over data and the one over shard' out
equal 'placements: with seconds' 0 "$(grep -c ' 0.000 ns' out)"
sw "$system; axes {data: 8, shard: 8}; placements"
says 'placements: without a sum in ascending order' '1  [1 8] [4 2]' out

## steps in groups by hand

cpus='system {rack: 1, server: 2, cpu: 2, gpu: 4}; axes {data: 4, shard: 4}; place [[1 1 2 2] [1 2 1 2]]; reduce {shard} f32[1024]'
sw "$cpus; apply reducescatter inside cpu"
says 'apply: its groups' '8 groups of 2: {A0 A1} {A2 A3}' out
says 'apply: what devices hold then' 'A1 C1    chunks 2-3  2 of 4' out
sw "$cpus; apply allreduce inside server; apply allreduce across server; verify"
says 'apply: the end' 'allreduce across server  (every device has the sum)' out
says 'verify: how far' 'verified: after 2 steps every device holds the sum of every chunk' out
says 'verify: with numbers' '16 numbers on 4 devices are right, one for each chunk' out
sw 'system {node: 2 @ 8GB/s, gpu: 2 @ 100GB/s}; axes {x: 4}; place 1; reduce {x} f32[1002]; reductions 1; verify --full'
says 'verify --full: every element of chunks of 250 and 251' 'verified: all 4008 elements on 4 devices are right' out
sw "$cpus; apply reduce inside server; apply allreduce masters server in root; apply broadcast inside 1; undo; verify"
says 'verify: what is missing' 'after 2 steps there is no sum yet: A1 holds no chunk of 4' err
says 'verify: its code' 'error[P07]' err
"$SHARDWALK" --json -c "$cpus; apply allreduce inside root; verify" >out 2>err
says 'verify as JSON' '"verified": true, "steps": 1, "devices": 4, "chunks": 4, "elements": 16' out
refuses 'a premise' "$cpus; apply reducescatter inside cpu; apply allreduce inside cpu" R01 'an allgather joins the chunks'
refuses 'an axis not summed over' "$cpus; set hierarchy c; apply allreduce across 4 in 2" R09 'set hierarchy e'
refuses 'types after chunks' "$cpus; apply allreduce inside root; apply dynslice(0, data)" C02 '`undo` takes steps back'
refuses 'chunks after types' "$cpus; apply dynslice(0, data); apply allreduce inside root" C02 '`reduce` drops them'
refuses 'another hierarchy' "$cpus; apply allreduce inside cpu; set hierarchy d; apply allreduce across cpu" C02 'set hierarchy e'
refuses 'a level that is not there' "$cpus; apply allreduce inside rak" L08 "did you mean 'rack'?"
refuses 'an ancestor that is not above' "$cpus; apply allreduce across gpu in gpu" C02 'a level outside the first'
refuses 'a level that is no unit row by row' "$cpus; set hierarchy c; apply allreduce inside cpu" L08 'set hierarchy e'
refuses 'what is not an operation on chunks either' "$cpus; apply sum inside cpu" C01 'pad, reduce or broadcast'
sw "$cpus; apply AllReduce inside root"
says 'apply: operations with capital letters' '1  allreduce inside root' out
sw 'system {a: 2 @ 1GB/s, b: 2 @ 2GB/s}; axes {x: 4}; place 1; reduce {x} f32[8]; set hierarchy c; reductions --limit 1'
says 'reductions: which hierarchy its words are of' 'steps name levels of hierarchy e; `apply` reads those of c' out
sw 'system p2-v100 2; axes {a: 16}; place 1; reduce {a} f32[1000]; show system; placements'
says 'show system: words of bandwidths are whole' '32 GB/s shared' out
says 'placements: why there is no column of bounds' 'no bound: none is known for nodes with a ring of eight' out
refuses 'no sum' "$system; axes {data: 64}; place 1; apply allreduce inside root" L07 'reduce {data}'
refuses 'no placement' "$system; axes {data: 64}; apply allreduce inside root" L07 'placements'
sw "$cpus; apply reducescatter inside server; save kept; open kept; apply allgather inside server"
says 'save: system, axes, placement and steps come back' '2  allgather inside server' out
sw "$cpus; apply reducescatter inside server; set model paper; plan sum-first; replace 1 reducescatter(0, {shard}); save kept; open kept"
says 'save: steps on types take the place of those on chunks' '1  reducescatter(0, {shard})' out
sw "$cpus; place [[1 2 2 1] [1 1 1 4]]; undo; apply allreduce inside server"
says 'undo: the placement is the one before' '{A0 A1}' out
sw 'system {a: 4 @ 1GB/s}; system {a: 4 @ 1GB/s shared}; undo; save kept'
says 'undo: a port for each direction again' 'system {a: 4 @ 1GB/s}' kept
sw "$sum; place 2; apply allreduce inside node; reduce {data} f32[64]; apply reduce inside node"
says 'reduce: the steps begin anew' '1  reduce inside node' out
sw 'system {hall: 64, node: 64, gpu: 64}; axes {a: 262144}; place [[64 64 64]]; reduce {a} f32[262144]; apply reducescatter inside node'
says 'apply: many devices' 'two devices of each factor are shown' out

sw 'help apply'
says 'help apply: the group forms' 'inside LEVEL | across' out

## pictures

sw "$cpus; show placement"
says 'show placement: markers' 'B0   2/0 - 2/1   3/0 - 3/1' out
sw "$cpus; show groups across server"
says 'show groups: of an instruction' 'across server: 8 groups of 2' out
says 'show groups: a line joins A0 and C0' '  *==========================*' out
says 'show groups: and one D3 and B3' "                        *==========================*" out
for said in '(CPU, Parallel(server))' 'CPU Parallel(server)' '(CPU, Parallel(server), AllReduce)' 'across cpu in server'; do
	sw "$cpus; set hierarchy a; show groups $said"
	says "show groups: $said" 'across cpu in server: 8 groups of 2' out
	says "show groups: $said joins A0 with B0, and C0 with D0" '  *============*             *============*' out
done
sw "$cpus; set hierarchy c; show groups across 4 in 2"
says 'show groups: an axis not summed over' "R09: the groups extend over 'data', which is not summed" out
sw "$cpus; show hierarchies"
says 'show hierarchies: row by row' '[1 1 2 2 *1 *2 *1 *2]' out
says 'show hierarchies: level by level' '[1 2 1 2]' out
sw "$cpus; apply reducescatter inside server; show state --step 1"
says 'show state: its step' 'after step 1, `reducescatter inside server`' out
sw 'system p2-v100 2; show system'
says 'show system: the switch of a pair' 'pair 8 ports' out
sw "$sum; show reductions"
says 'show reductions: of all placements' 'on 3 placements, predicted' out
refuses 'show reductions: a level without a rate is named' 'system {rack: 2, gpu: 2}; axes {x: 4}; reduce {x} f32[1024]; show reductions' L07 "level 'rack' of the system has no bandwidth"
sw "$sum; place 2; apply allreduce inside root; show system"
says 'show system: the load of a step' 'load of `allreduce inside root`, step 1' out
sw "$sum; place 2; apply allreduce inside root; show plan"
says 'apply: a sum by hand is a plan' 'by hand' out
half='system {a: 2 @ 8GB/s, b: 2 @ 20GB/s}; axes {u: 4}; place 1; reduce {u} f32[8]; apply reducescatter inside root'
refuses 'export: what was walked and is no sum yet is not another plan' "$half; export plan half.json" P07 'after 1 step there is no sum yet'
sw "$half; plan; export plan half.json"
says 'export: the plan that was asked for is written' '"strategy": "reduction"' half.json
sw "$cpus; export svg state.svg state"
says 'export: a state as SVG' '<svg' state.svg
refuses 'a picture of no system' 'show system' L07 'system {node: 4'
refuses 'no such groups' "$cpus; show groups inside rak" L08 "did you mean 'rack'?"
refuses 'more than a state takes' "$cpus; show state inside rack" L04 '--step 1'
sw 'explain hierarchies'
says 'explain hierarchies: the theorem is tested' 'of b. Over two axes, d goes by rows' out
sw 'explain ports'
says 'explain ports: what is ours' 'it has no formula' out
sw 'explain broadcast'
says 'explain broadcast: its rule on chunks' 'the first holds everything that the others hold' out

sw 'explain R'
says 'explain R: the premises' 'R09  axis not summed over' out
sw 'explain R02'
says 'explain R02: the rule' 'No share of a chunk may be added to it twice' out

## the mesh that it makes

sw "$sum; place [[2, 4], [2, 4]]; show mesh"
says 'place: the axes are the mesh, with its devices' '1 | A4  A5  A6  A7  B4  B5  B6  B7 |' out
sw "$system; axes {data: 8, shard: 8}; [8{data}64, 64] ~> [64, 8{data}64]; place 2; plan; verify"
equal 'place: plans are made and verified on it' 'status 0' "status $?"
sw "$system; axes {data: 8, shard: 8}; place 2; undo; reductions"
says 'undo: the axes are not placed' 'the axes are not placed yet' err
sw "$system; place megatron tp-cp-ep-dp-pp tp=4 dp=4 pp=4; show mesh"
says 'megatron: its axes' 'pp' out
sw "$system; place jax (2,8) (4,1); placements"
says 'jax: its axes' 'axis0 8, axis1 8 on 4 x 16' out
sw "$system; axes {data: 8, shard: 8}; place 1; mesh {x: 4}; placements"
says 'mesh: another mesh ends the system' 'no system is defined' err

## what is refused

refuses 'axes that do not fit' "$system; axes {data: 6}" M03 'these fit: {data: 64}'
refuses 'a row of a matrix' "$system; axes {data: 8, shard: 8}; place [[2 4] [2 3]]" M03 "8, the size of axis 'shard'"
refuses 'a matrix of another shape' "$system; axes {data: 64}; place [[2 4] [2 4]]" L02 '1 rows of 2 factors'
refuses 'a row that is not there' "$system; axes {data: 64}; place 2" L12 'a row of `placements`, 1 to 1'
refuses 'a level of size 0' 'system {node: 0}' M03 'level size'
refuses 'no bandwidth' 'system {node: 0 @ 0GB/s}' M03 'level size'
refuses 'two levels of one name' 'system {node: 2, node: 2}' M02 'node'
refuses 'placements before axes' "$system; placements" L07 'axes {data: 64}'
refuses 'nothing to sum' "$system; axes {data: 64}; place 1; reductions" L07 'reduce {data}'
refuses 'a sum over what cuts the array' "$system; axes {data: 8, shard: 8}; reduce {shard} f32[16{shard}128]" T11 'shard'
refuses 'an axis that is not there' "$system; axes {data: 8, shard: 8}; placements {dat} 1GiB" L08 "did you mean 'data'?"
refuses 'no bytes' "$system; axes {data: 64}; placements {data} many" L11 'many'
refuses 'no system of that name' 'system p2-h100 4' L08 'p2-a100 N'
refuses 'an order that is none' 'system {node: 4, gpu: 3}; place megatron tp-ep-pp-dp-cp cp=3 dp=4' L13 'cp'
refuses 'a word of Megatron' "$system; place megatron tp-xp tp=64" L02 'tp-cp-ep-dp-pp'
refuses 'a number of Megatron' "$system; place megatron tp-cp-ep-dp-pp tp=4 dp=x" L02 'the size of dp is a number'
refuses 'a size that the order does not have' "$system; place megatron tp-cp tp=4 dp=16" L02 'dp is not in the given order'
refuses 'a size of no name' "$system; place megatron tp-cp xp=4" L02 'the names are tp, cp, ep, dp and pp'
if [ -n "$(command -v mpiexec.hydra || command -v mpiexec)" ]; then
	sw 'system {node: 2 @ 8GB/s, gpu: 2 @ 20GB/s}; axes {data: 4}; place 1; reduce {data} f32[4398046511104]; reductions 1; run'
	says 'refused: more than this machine holds' '192 TiB' err
fi
refuses 'shapes of another number of axes' "$system; place jax (2,8) (4)" L02 '(2,8) (4,1)'

## as JSON

"$SHARDWALK" --json -c "$sum; placements" >out 2>err
says 'placements as JSON' '"matrix": [[2, 4], [2, 4]], "parts": ["{gpu:(1)4,node:(1)2}", "{gpu:(4)4,node:(2)2}"], "allreduce_s": 15.03' out
"$SHARDWALK" --json -c "$sum; place 2; reductions --limit 1" >out 2>err
says 'reductions as JSON' '"steps": ["reducescatter inside node", "allreduce across node", "allgather inside node"]' out
"$SHARDWALK" reductions "$system" 'axes {data: 8, shard: 8}' 'reduce {data} f32[1048576]' 'place 2' >out 2>err
equal 'statements of the command line' 'status 0' "status $?"

## on hosts

three='system {node: 2 @ 9GB/s shared, cpu: 2 @ 30GB/s, gpu: 2 @ 270GB/s}; axes {data: 8}; place 1; reduce {data} f32[1000]; reductions 1'
if [ -n "$(command -v mpiexec.hydra || command -v mpiexec)" ]; then
	sw "$three; run --hosts a,b --dry-run"
	says 'hosts are units of the outermost level' '-hosts a,b -ppn 4' out
	sw "$three; run --hosts a,b,c,d --dry-run"
	says 'hosts are units of the next level' '-hosts a,b,c,d -ppn 2' out
fi

## programs of other systems

one='system {node: 2 @ 9GB/s shared, gpu: 4 @ 270GB/s}; axes {data: 8}; place 1; reduce {data} f32[1001]'
sw "$one; reductions 4; export nccl -"
says 'nccl: the root of a reduce' 'ncclReduce(w->out' out
says 'nccl: a communicator for each group' 'ncclCommInitRank(&ring[k]' out
sw "$one; reductions 1; export shard_map -"
says 'shard_map: pieces of a sum' 'lax.psum_scatter(a,' out
says 'shard_map: where chunks differ, steps move more' 'all are of one size here' out
says 'shard_map: groups of devices' '[0, 4], [1, 5], [2, 6], [3, 7]' out
python=${SHARDWALK_PYTHON:-python3}
if "$python" -c 'import jax; jax.shard_map' 2>/dev/null; then
	for n in 1 8; do # pieces in the order of the members, and in another
		"$SHARDWALK" --quiet -c "$one; reductions $n; export shard_map sum.py" >out 2>err && "$python" sum.py >out 2>err
		equal "shard_map: program $n adds up" 'right: the result is that of whole arrays, bit for bit' "$(tail -n 1 out)"
	done
else
	skip 'shard_map: programs add up' "$python has no jax"
fi
refuses 'JAX has no reduce' "$one; reductions 4; export shard_map -" P06 'is the next best program that has one: reducescatter inside node'
refuses 'types of a system say no chunks' "$one; reductions 1; export hlo -" P06 'plan, mpi, nccl and shard_map'
refuses 'nccl writes programs alone' "mesh {x: 4}; [3{x}12, 8] ~> [12, 2{x}8]; export nccl -" P06 'reductions N'

## sums of modules

sw "system {node: 2 @ 8GB/s shared, gpu: 4 @ 270GB/s}; axes {data: 2, fsdp: 2, model: 2}; place 1; import $SRC/tests/hlo/mlp.hlo"
says 'import: over which axes an all-reduce goes' 'over {fsdp}: allreduce inside root, 36 KiB, 1 time; 136.5 ns each' out
# The selection that is in the project ends before the reductions of gradients.
if grep -qs 'f32\[512,256\].* all-reduce(' "$CASES/modules/transformer-step.hlo"; then
	sw "system {node: 2 @ 8GB/s shared, gpu: 4 @ 270GB/s}; axes {data: 2, fsdp: 2, model: 2}; place 1; import $CASES/modules/transformer-step.hlo"
	says 'import: of a whole step' 'over {fsdp,model}: allreduce inside root, 512 KiB, 1 time; 393.2 us each' out
	says 'import: the best program' 'best, 264.1 us: reducescatter inside node; allreduce across node; allgather inside node' out
	sw "system {node: 2 @ 8GB/s shared, gpu: 4 @ 270GB/s}; axes {data: 2, fsdp: 2, model: 2}; place 1; import $CASES/modules/transformer-step.hlo --json"
	says 'import: the same for programs' '"axes": ["fsdp", "model"], "instruction": "allreduce inside root", "bytes": 524288, "runs": 1, "seconds": 0.000393216, "best_seconds": 0.000264085807, "best": ["reducescatter inside node"' out
fi

## algorithms side by side, and measured seconds

sw "$sum; place 2; compare"
says 'compare: rings' 'ring          15.03 s' out
says 'compare: level by level' 'hierarchical  8.638 s  8.638 s' out
says 'compare: the best under both settings' 'best          8.638 s  8.590 s' out
says 'compare: the bound is the last line' 'bound         8.590 s  8.590 s' out
sw "$sum; place 2; compare --json"
says 'compare: as JSON' '"name": "tree"' out
sw "$sum; place 2; set model paper; compare"
says 'compare: plans over types under another model' 'strategy' out
scatter='system {node: 4 @ 8GB/s, gpu: 8 @ 270GB/s}; axes {x: 8, y: 4}; place 1; f32[64{x}512, 512]+{y} ~> f32[64{x}512, 128{y}512]'
sw "$scatter; plan"
says 'plan: the sum is scattered where it is needed' 'reducescatter(1, {y})' out
says 'plan: in seconds of the ports' 'model ports: 98.3 us on {node: 4 @ 8GB/s, gpu: 8 @ 270GB/s}' out
sw "${scatter%;*}; f32[512, 512]+{x,y} ~> f32[64{x}512, 512]; plan"
says 'plan: axis by axis where that is faster' 'model ports: 200 us' out
sw "$scatter; set model paper; plan"
says 'plan: other models stay' 'cost 32 768 elements' out
sw "$system; axes {data: 64}; place 1; reduce {data} f32[1024]; plan"
says 'plan: a reduction program where it is faster' 'reducescatter inside node' out
sw "$system; mesh {x: 4}; [3{x}12, 8] ~> [12, 2{x}8]; plan"
equal 'plan: without a system the model is paper again' 'status 0' "status $?"
refuses 'ports without a system' 'mesh {x: 4}; [3{x}12, 8] ~> [12, 2{x}8]; plan --model ports' L07 'system {node'
cat >measured.jsonl <<'END'
{"name": "a", "hardware": "A100", "system": [2, 16], "axes": [8, 4], "matrix": [[2, 4], [1, 4]], "reduce": [0], "algorithm": "ring", "allreduce_s": 16.84, "optimal_s": 9.19, "speedup": 1.83}
{"name": "b", "hardware": "A100", "system": [2, 16], "axes": [8, 4], "matrix": [[1, 8], [2, 2]], "reduce": [0], "algorithm": "ring", "allreduce_s": 0.17, "optimal_s": 0.17}
END
sw 'compare measured.jsonl'
says 'compare FILE: how often a program is faster' '2 cells; a program is faster than one allreduce in 1' out
says 'compare FILE: what the placement matters' '99.06 times' out
says 'compare FILE: how well it is ordered' 'A100                  2          1.000         1.000     1.000    0.33    1' out
printf '{"name": "c", "system": [2, 16], "matrix": [[3, 1]], "reduce": [0], "allreduce_s": 1, "optimal_s": 1}\n' >measured.jsonl
refuses 'a line that does not fit' 'compare measured.jsonl' B04 'line 1'
## the cells that are installed with the samples

published() { # NAME PATTERN
	if grep -qE -- "$2" out; then ok "compare published: $1"; else not_ok "compare published: $1" "no '$2'"; fi
}

sw 'compare published'
says 'compare published: cells' '200 cells; a program is faster than one allreduce in 138' out
says 'compare published: mean speedups' 'mean speedup 1.267; of the 116 across the outermost level 1.281; largest 2.04' out
says 'compare published: the largest ratio' '89.70 s on [4 1] [1 16], 0.20 s on [1 4] [4 4]: 448.5 times' out
published 'where they are from' 'appendix *A'
published 'times and speed-ups rank, sums inside a node, of one system' '^A100  *124  *0.994  *0.986  *0\.[0-9]*  *0.29 '
published 'of the other' '^V100  *76  *0.921  *0.872  *0\.[0-9]*  *0.38 '
published 'and of all' '^all  *200  *0.975  *0.962  *0.688 '
published 'rates that were fitted to even cells, on odd ones' '^A100 fitted, odd  *62  .* 0\.8[0-9]  *[0-9]*$'
published 'and of the other system' '^V100 fitted, odd  *38  .* 0\.9[0-9]  *[0-9]*$'
published 'what is not explained' 'not explained: in [0-9]+ cells'
published 'a misprint' 'pub-0176, 1.84 s beside 14.84 s'
published 'programs' 'programs  3128 printed for 42 sums, 3128 found here'
published 'faster ones' '743 printed in 82 totals, 724 predicted'
published 'a row of totals with the time of synthesis' '^A100 2x16 \[32\] 0  *47  *47  *9  *14  *3  *0  *244 ms'
published 'a row of every cell' '^pub-0199 '
if [ "$(grep -c '^pub-[0-9]* *\[' out)" = 200 ]; then ok 'compare published: 200 rows'; else not_ok 'compare published: 200 rows' "$(grep -c '^pub-' out)"; fi
if awk 'length > 80 { bad = 1 } END { exit bad }' out; then ok 'compare published: in 80 columns'
else not_ok 'compare published: in 80 columns' "$(awk 'length > 80' out | head -n 2)"; fi
sw 'compare published --limit 3'
says 'compare published: some rows' 'the farthest' out
"$SHARDWALK" compare published --json >out 2>err
published 'as JSON' '"faster_programs": 743, *"predicted_faster_programs": 724|"faster_programs": 743'
if [ -f "$CASES/p2-published.jsonl" ]; then
	sw "compare $CASES/p2-published.jsonl"
	says 'compare FILE: some cells' 'differ by more than 1.5 times' out
fi
sw 'system p2-v100-fitted 2; axes {x: 2, y: 8}; place [[2 1] [1 8]]; reduce {y} f32[2147483648]; reductions; save saved.sw'
says 'a ring of all eight goes both ways' '280.0 ms  allreduce inside root' out
says 'fitted rates: saved by their name' 'system p2-v100-fitted 2' saved.sw
sw 'system p2-a100-fitted 2; axes {x: 2, y: 16}; place [[2 1] [1 16]]; reduce {y} f32[2147483648]; reductions; show system'
says 'each step reads and writes a device'"'"'s own memory' '179.2 ms  allreduce inside root' out
published 'so it says' '420 GB/s'

## lines of a batch

asks() { # LINE WANTED
	printf '%s\n' "$1" >line
	"$SHARDWALK" batch line --json >out 2>err
	says "batch: $1" "$2" out
}

asks '{"kind": "placements", "system": [2, 16], "axes": [2, 16]}' '"count": 2, "matrices": [[[1, 2], [2, 8]], [[2, 1], [1, 16]]]'
asks '{"kind": "order", "from": "jax", "system": [4, 2], "mesh_shape": [1, 2, 1], "dcn_mesh_shape": [1, 2, 2]}' \
	'"matrix": [[1, 1], [2, 2], [2, 1]], "devices": [0, 2, 1, 3, 4, 6, 5, 7]'
asks '{"kind": "lowering", "system": [2, 4], "matrix": [[2, 2], [1, 2]], "reduce": [0], "hierarchy": "d", "instruction": "master 1 in 0"}' \
	'"sizes": [2, 2], "groups": [[0, 4], [1, 5]]'
asks '{"kind": "program", "sizes": [2, 3], "steps": ["broadcast parallel 1 in 0"]}' '"result": "root-knows-less", "step": 1, "group": [0, 3]'
asks '{"kind": "count", "sizes": [4, 16], "limit": 5}' '"by_length": [1, 4, 20, 22, 0], "count": 47'
asks '{"kind": "total", "system": [3, 3, 4], "axes": [1, 3, 12], "reduce": [0, 1], "limit": 5}' '"per_placement": [3, 3], "placements": 2, "count": 6'
asks '{"kind": "expressive", "system": [6, 2], "matrix": [[3, 2], [2, 1]], "reduce": [0, 1], "masters": "allreduce", "limit": 4}' \
	'"programs": {"a": 47, "b": 262, "c": 262, "d": 262, "e": 47}, "includes": {"b>=a": true, "c>=b": false, "d>=c": true, "d>=b": false, "d>=a": false}'
asks '{"kind": "best", "system": [4, 16], "bandwidth": [8e9, 270e9], "shared": [true, false], "latency": [0, 0], "matrix": [[2, 4], [2, 4]], "reduce": [0], "payload": 8589934592}' \
	'"best": ["reducescatter inside 1", "allreduce parallel 1 in 0", "allgather inside 1"]'
asks '{"kind": "choose", "system": [2, 2], "bandwidth": [1e9, 1e10], "axes": [2, 2], "reductions": [{"reduce": [0], "payload": 1000}]}' \
	'"placements": [{"matrix": [[1, 2], [2, 1]], "allreduce_s": 1e-07, "best_s": 1e-07}'
asks '{"kind": "placements", "system": [0], "axes": [2]}' '"code": "B03"'
asks '{"kind": "best", "system": [2], "matrix": [[3]], "reduce": [0], "payload": 1}' '"code": "B03"'
asks '{"kind": "order", "system": [2, 16], "axes": ["a"]}' '"expected": "a size for each axis'
asks '{"kind": "order", "system": [2, 16], "axes": ["a", "b"], "sizes": {"a": -2, "b": -16}}' '"code": "B03"'
asks '{"kind": "order", "from": "jax", "system": [4, 2], "mesh_shape": [2, 2], "dcn_mesh_shape": [2, 1]}' '"code": "B03"'
asks '{"kind": "order", "from": "jax", "system": [4, 2], "mesh_shape": [2, 2], "dcn_mesh_shape": [2, 2]}' '"code": "B03"'
asks '{"kind": "choose", "system": [2, 2], "bandwidth": [1e9, 1e10], "axes": [2, 2], "reductions": [{"reduce": [0]}]}' '"code": "B03"'
asks '{"kind": "best", "system": [2, 2], "bandwidth": [1, 1], "matrix": [[2, 2]], "reduce": [0], "payload": 1, "algorithm": "rnig"}' \
	'"expected": "ring or tree'
asks '{"kind": "count", "sizes": [2, 2], "masters": "al"}' '"expected": "allreduce or all'
asks '{"kind": "best", "system": [2, 8], "bandwidth": [1, 1], "matrix": [[2, 8]], "reduce": [0], "payload": 1, "topology": "p2-v200"}' \
	'"expected": "p2-v100'
asks '{"kind": "lowering", "system": [2, 4], "matrix": [[2, 2], [1, 2]], "reduce": [0], "hierarchy": "dd", "instruction": "inside 0"}' \
	'"expected": "a, b, c, d or e'
asks '{"kind": "order", "from": "jaxx", "system": [2, 16]}' '"expected": "megatron or jax'

## Another mesh drops the system, whoever brings it

"$SHARDWALK" --quiet -c 'mesh {a: 4, b: 2}; f32[4{a}16, 8{b}16] ~> f32[16, 2{b,a}16]; plan; export plan other.json' >/dev/null
placed='system {cpu: 2, gpu: 2}; axes {data: 4}; place 1; model ports'
for brings in 'import f32[16,16] {devices=[4,2]<=[8]} -> {devices=[1,8]<=[8]}' 'open other.json' 'mesh {x: 8}; [2{x}16] ~> [16]'; do
	status "$brings" 0 "$SHARDWALK" -c "$placed; $brings; plan; save saved.sw"
	holds 'says what is dropped' '^dropped with the old mesh: the system and its axes' "$TMP/err"
	status 'what is saved is read' 0 "$SHARDWALK" saved.sw
done
finish
