/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The commands.  A row is all that has to be added for a new one: beside its function, nothing else knows it.
 */
#include <shardwalk/schedule.h>

#include "command/command.h"
#include "launch/commands.h"
#include "screen/screen.h"
#include "shell/candidates.h"
#include "shell/completion.h"
#include "shell/history.h"
#include "views/compared.h"
#include "views/evaluation.h"
#include "views/histogram.h"
#include "views/imports.h"
#include "views/program.h"

#define WORD(id, word) word ", "
#define SCHEDULE_WORDS SW_SCHEDULE_COMMANDS(WORD)
#define ELEMENTWISE SW_ELEMENTWISE(WORD)
#define SHOWN \
	OPTION(STEP), OPTION(BESIDE), OPTION(ONE_WAY), OPTION(HOP), OPTION(SWEEP), OPTION(DIMS), OPTION(FIX), \
		OPTION(DEVICE), OPTION(ELEMENT), OPTION(NODE), OPTION(REFUSED), OPTION(LANES), OPTION(BYTES)
#define BOUNDS OPTION(MODEL), OPTION(BUDGET), OPTION(LIVE), OPTION(WITHOUT)
#define ENDS OPTION(STRATEGY), BOUNDS

const struct command commands[] = {
	{
		.name = "mesh",
		.view = "graph",
		.area = "define",
		.parameter = {{"MESH", KIND_MESH, false}},
		.changes = true,
		.statement = true,
		.run = command_mesh,
		.about = "define the mesh of devices: named axes and their sizes",
		.help =
			"The word mesh may be left out. Devices are numbered row-major, the last axis fastest. An axis may carry a link: {node: 2 @ "
			"10GB/s 20us, core: 4}. `;` in place of a comma begins a level, outer ones first: {nx: 2, ny: 2; g: 2}. "
			"A mesh may also be written as JAX, PyTorch or Shardy write it: mesh Mesh('x': 4, 'y': 6). What was "
			"defined before and is no type over the new mesh is dropped; `undo` brings it back.",
		.example = "mesh {x: 4, y: 6}",
	},
	{
		.name = "type",
		.area = "define",
		.parameter = {{"NAME = TYPE", KIND_DEFINITION, true}},
		.changes = true,
		.statement = true,
		.run = command_type,
		.about = "give a distributed type a name, or list the names",
		.help =
			"A dimension is tile{axes}global, or n where it is not partitioned; the tile may be left out. "
			"Axes are written minor to major. Behind the bracket +{y} says that the devices along y hold terms, and the value is "
			"their sum. Blocks come round again with 1{x,..}12, begin elsewhere with 2{x@1,..}12, or have stated sizes, 5+4+3{x}12. "
			"Words behind the bracket act from the left: by RULE, over MESH, at {DEVICE: RUNS; ...} or at FILE, on DEVICES, only "
			"SLICES, crop SLICES, shift K [wrap], through INDEX to SIZES, union TYPE; names of other types may be among them.",
		.example = "mesh {x: 4, y: 6}\ntype rows = f32[3{x}12, 12]\ntype more = rows union rows shift 1\nfrom rows",
	},
	{
		.name = "shape",
		.area = "define",
		.parameter = {{"SHAPE", KIND_SHAPE, false}},
		.changes = true,
		.statement = true,
		.run = command_shape,
		.about = "say what array it is: element type and global sizes",
		.help =
			"Types that follow have to be of this shape, and take its element type where they have none. Braces behind "
			"it, f32[8,4]{1,0}, are an order in memory and cut nothing.",
		.example = "mesh {x: 4}\nshape bf16[12,12]\nfrom [3{x}12, 12]",
	},
	{
		.name = "from",
		.view = "graph",
		.area = "define",
		.parameter = {{"TYPE", KIND_TYPE, false}},
		.changes = true,
		.statement = true,
		.run = command_from,
		.about = "say how the array is on the devices now",
		.help =
			"A type, or a sharding as XLA, Shardy, JAX, DTensor or the scaling book write it, with `shape` before it. "
			"A grid, {4,8,4}, cuts each dimension in so many parts.",
		.example = "mesh {x: 4, y: 6}\nfrom [3{x}12, 2{y}12]",
	},
	{
		.name = "to",
		.view = "graph",
		.area = "define",
		.parameter = {{"TYPE", KIND_TYPE, false}},
		.changes = true,
		.statement = true,
		.run = command_to,
		.about = "say how the array is needed",
		.example = "mesh {x: 4, y: 6}\nfrom [3{x}12, 2{y}12]\nto [2{y}12, 3{x}12]",
	},
	{
		.name = "redistribute",
		.view = "graph",
		.area = "define",
		.parameter = {{"A ~> B", KIND_REDISTRIBUTION, false}},
		.changes = true,
		.run = command_redistribute,
		.about = "say both ends at once",
		.help = "The arrow may also be written ->, and the word redistribute may be left out. A shape may come "
				"first, and a mesh before it: redistribute {x: 4, y: 6} f32[12,12] A ~> B. Both ends are "
				"over the mesh of the session, or each sharding names a mesh of its own, of the same devices or "
				"of others; src_mesh with dst_mesh is for lines of `batch`. A ~> B ~> C goes through B: "
				"`plan` plans both legs, adds them up and tells what A ~> C costs.",
		.example = "mesh {x: 4, y: 6}\nredistribute [3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]",
	},
	{
		.name = "budget",
		.area = "define",
		.parameter = {{"SIZE", KIND_BUDGET, false}},
		.changes = true,
		.run = command_budget,
		.about = "bound the largest tile that a plan may make",
		.help = "A number is elements; 300MB and 1.5GiB are bytes; 2x is twice the larger of both ends, and 1x "
				"is what holds when nothing is "
				"said. What was typed in bytes is answered in bytes, with the elements beside.",
		.example = "budget 2x",
	},
	{
		.name = "model",
		.area = "define",
		.parameter = {{"NAME", KIND_MODEL, false}},
		.changes = true,
		.run = command_model,
		.about = "choose the cost model that plans and walks follow",
		.example = "model volume",
	},
	{
		.name = "set",
		.area = "define",
		.parameter = {{"NAME", KIND_SETTING, true}, {"VALUE", KIND_VALUE, true}},
		.changes = true,
		.run = command_set,
		.about = "change a setting, or list them all",
		.example = "set search astar\nset",
	},
	{
		.name = "plan",
		.view = "film",
		.area = "plan",
		.parameter = {{"STRATEGY|$N", KIND_PLANNED, true}},
		.options = {ENDS, OPTION(PROVE), OPTION(RENUMBER), OPTION(JSON), OPTION(MAPS), OPTION(TIMES)},
		.changes = true,
		.run = command_plan,
		.about = "find the steps that carry the array from one type to the other",
		.help =
			"Plans are numbered: $1 is the first, and `plan $1` or `show plan $1` shows it again. `plan --times 96x1000` adds up "
			"96 layers and 1000 steps; `set times` does so for all plans. "
			"Where axes have several primes the search "
			"alone proves little; `set prove` and --prove say what a proof may take beyond it. It is counted in what is "
			"looked at, so that the answer is the same on every machine. "
			"What has to move follows from both ends, whatever the steps are: it is shown below the plan, as messages and their pattern. "
			"Where other numbers of the target's devices let more stay, --renumber takes the best. "
			"On a `system`, under `ports` or `latency`, fused also makes sums by the fastest reduction program, and steps of types "
			"before or behind it: a mixed plan, where that takes less time.",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nplan\nplan paper --budget 2x",
	},
	{
		.name = "einsum",
		.view = "ways",
		.area = "plan",
		.parameter = {{"EQ A, B [as C]", KIND_PRODUCT, false}},
		.options = {OPTION(BY), OPTION(FOLD), OPTION(VARY), OPTION(LIMIT), OPTION(LIVE), OPTION(MODEL), OPTION(JSON)},
		.changes = true,
		.raw = true,
		.late = 1,
		.statement = true,
		.rows = {&product_ways_words},
		.orders = ways_order_choice,
		.run = command_einsum,
		.about = "multiply two sharded arrays: the case that it is, and every way with its price",
		.help =
			"A way is a choice of the two types that are multiplied where their tiles are: each operand is brought there, and the "
			"product from there to C, at least cost. A star marks ways that no other beats in cost (in seconds, where these are known), flops and memory. "
			"Without `as` it lists what each type of the result costs. Options follow the text. Models in seconds add those of "
			"communication and product, and list the fastest way first: `calibrated` those measured here by `calibrate`, `latency` and "
			"`roofline` those of `hardware` that states its flops; `roofline` says which of both is longer, and the sizes at which that "
			"turns. There axes are moved whole. `run` takes the best way, `run --compare ways` measures ten, `compare` shows predicted beside "
			"measured. `--live` bounds the memory over the whole way: ways above it come last, with the bound "
			"that they need. `--vary b=64..8192` draws both times of the first three ways over the size of a letter. The text may be the scaling book's, A[I:64, J_X:32] B[J_X:32, K:48] -> C[I, K_X], or JAX's: "
			"jnp.einsum('ij,jk->ik', a: f32[64,32] P('x'), b: f32[32,48]). `ways` lists the same product again.",
		.example = "mesh {x: 2, y: 2}\neinsum ij,jk->ik [64, 16{x}32], [16{x}32, 48] as [64, 48]",
	},
	{
		.name = "compute",
		.view = "needs",
		.area = "plan",
		.parameter = {{"FORMULA", KIND_FORMULA, false}},
		.options = {OPTION(JSON)},
		.changes = true,
		.late = 2,
		.statement = true,
		.run = command_compute,
		.about = "say what each device needs to compute a formula, and who sends it",
		.help =
			"The arrays are types by their names: y[i] = 2*x[i] - x[i-1] - x[i+1] after `type x = [4{x}24]` and `type y = x`. On the left "
			"are letters alone; a letter that the left side lacks is summed; an index is a whole dimension (:, inside of a function), or affine in "
			"one letter and divided by a number, rounded down; f(x[i], x[i-1]) is any function. `wrap` closes the ends, without it what is past "
			"them is left out. `+=` adds. It is computed where the left side is held, or with `on A` where A is. Of each device it says alpha, what "
			"it holds, beta, what it needs, gamma, what it makes, and which of that needs no message. It becomes the present "
			"program, of one statement: `program` lists what moves, `simulate` and `run` carry it out. "
			"The word compute may be left out before NAME[...] =. An option follows the formula, with two dashes.",
		.example = "mesh {x: 6}\ntype x = [4{x}24]\ntype y = x\ncompute y[i] = 2*x[i] - x[i-1] - x[i+1]",
	},
	{
		.name = "kernel",
		.view = "needs",
		.area = "plan",
		.parameter = {{"FORMULA", KIND_FORMULA, false}},
		.options = {OPTION(JSON)},
		.changes = true,
		.late = 2,
		.statement = true,
		.run = command_compute,
		.about = "another word for `compute`",
		.example = "mesh {x: 6}\ntype x = [4{x}24]\ntype y = x\nkernel smooth: y[i] = f(x[i-1], x[i], x[i+1])",
	},
	{
		.name = "tasks",
		.view = "tasks",
		.area = "plan",
		.parameter = {{"N", KIND_NUMBER, false}},
		.range = {1, INT64_MAX},
		.options = {OPTION(EVERY), OPTION(JSON)},
		.changes = true,
		.late = 2,
		.run = command_tasks,
		.about = "repeat the formula of `compute` N times: tasks, arcs, messages, and when all depends on all",
		.help =
			"The result becomes the first input of the next step. A task is what a device does in a round, which is "
			"one step, or K with `--every`: then each exchange brings what K steps need, and devices compute again "
			"what their neighbours compute as well. An arc goes from each task to those of the next round that need "
			"something of it, its own included. The rounds are walked from then on: `step`, `back`, `goto 7` and "
			"`continue`; `frontier` is what may start, and `show tasks` draws it. Where the rounds come out even, the "
			"present program has them as a loop: `simulate` and `run` carry them out.",
		.example =
			"mesh {x: 6}\ntype x = [4{x}24]\ntype y = x\ncompute y[i] = f(x[i-1], x[i], x[i+1])\ntasks 15 --every 3",
	},
	{
		.name = "schedule",
		.view = "film",
		.area = "plan",
		.parameter = {{"COMMANDS|ALGORITHM", KIND_COMMANDS, true}},
		.options = {OPTION(LIVE), OPTION(MODEL), OPTION(JSON)},
		.changes = true,
		.late = 3,
		.run = command_schedule,
		.about =
			"say how the loops of the formula of `compute` are cut, placed and rotated, and what is fetched when",
		.help =
			"Commands are written one a line or as a chain, behind the word or on lines that begin with a dot: " SCHEDULE_WORDS
			"and `explain` knows each. Where a number is expected the name of an axis is its size, and `param` names others. A line that "
			"is refused changes nothing, and `undo` takes one command back. Without an argument it prints the commands and "
			"their totals. `schedule cannon m=9 n=9 k=9` (also pumma, summa with chunk=N, johnson, solomonik, cosma with steps=N or with its string of splits, pm2,sm2,pk2; ttv, innerprod, ttm, mttkrp) writes types, statement and commands for the present mesh, or for the nearest that it runs on; sizes are those "
			"of the present arrays where none are given. `schedule best`, `owner`, `einsum` and `own` take the other rows of `compare`: the best there is, or of `best ALGORITHM`, within `--live` and by `--model volume` or else by time, none at all, a way of the product, and what you typed before. `show loops`, `holds`, `execution`, `needs` and `traffic` draw it; `step`, `back`, `goto 2` and `continue` walk its "
			"steps: before the first nothing is fetched.",
		.example =
			"mesh {x: 3, y: 3}\ntype A = f64[3{x}9, 3{y}9]\ntype B = A\ntype C = A\ncompute A(i,j) = B(i,k) * C(k,j)\n"
			"schedule .distribute({i,j}, {io,jo}, {ii,ji}, Grid(3,3))\n"
			".divide(k, ko, ki, 3).reorder({ko,ii,ji,ki})\n"
			".rotate(ko, {io,jo}, kos).communicate(A, jo).communicate({B,C}, kos)\nstep 2\nshow holds",
	},
	{
		.name = "param",
		.area = "plan",
		.parameter = {{"NAME = N", KIND_PARAM, true}},
		.options = {OPTION(JSON)},
		.changes = true,
		.late = 3,
		.statement = true,
		.run = command_param,
		.about = "give a number a name for schedules, or list the names",
		.example = "param chunkSize = 3\nparam",
	},
	{
		.name = "ways",
		.view = "ways",
		.area = "plan",
		.parameter = {{"N", KIND_NUMBER, true}},
		.changes = true,
		.options = {OPTION(BY), OPTION(FOLD), OPTION(VARY), OPTION(LIMIT), OPTION(LIVE), OPTION(MODEL), OPTION(JSON)},
		.late = 1,
		.rows = {&product_ways_words},
		.orders = ways_order_choice,
		.run = command_ways,
		.about = "list the ways of the last product again, or make one of them the present program",
		.help =
			"The number is that of the list in the order of `--by`: `ways 2` makes way 2 the program, which `program` shows. "
			"On the screens the first 300 ways are listed, and scroll; `--limit N` lists N.",
		.example =
			"mesh {x: 2, y: 2}\neinsum ij,jk->ik [64, 16{x}32], [16{x}32, 48] as [64, 48]\nways --by memory --limit 3",
	},
	{
		.name = "compare",
		.view = "compare",
		.area = "plan",
		.parameter = {{"FILE|PLAN|A ~> B", KIND_COMPARED, true}},
		.options = {BOUNDS, OPTION(JSON), OPTION(LIMIT), OPTION(TO), OPTION(MERGED), OPTION(GROW), OPTION(BY),
			OPTION(FOLD)},
		.rows = {&compared_words, &compared_way_words, &contender_words, &growth_words, &ratios_words},
		.run = command_compare,
		.about = "plan by every strategy and show cost, memory, steps and predicted time side by side, best first",
		.help =
			"With FILE, problems as `batch` reads them, it tells the ratios of all costs to those of fused: geometric means, "
			"extremes and histograms. Times are those of `hardware`, unless the model is "
			"calibrated; measured ones are listed beside "
			"them after `run`. A plan that was imported, read or made by hand has a row too, and `compare $2` adds plan $2. Plans "
			"above a bound come last. `A ~> B` becomes the present redistribution first. `--to TYPE` compares the present target with another one. With `--merged` a plan, `$2`, a "
			"strategy's (exact) or the present one, is shown beside what it becomes when "
			"neighbouring steps are merged, with the reason "
			"where two cannot be. A sum over placed axes under the model ports has rows of published algorithms, the best program and "
			"the bound; a FILE of lines with allreduce_s and optimal_s, seconds that were "
			"measured, is compared with predictions, and "
			"`compare published` has the 200 cells of the second paper. After `compute` it lists owner computes, the best way of einsum, "
			"the algorithms, the best schedule and one's own; with `--grow 4,8,16` all of them on so many "
			"processors, sizes that are distributed growing so that memory a processor stays; `run --grow` measures. After "
			"`einsum` the first ten ways of the product, or `--limit N`, are shown side by "
			"side, predicted and, after `run --compare ways`, measured.",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\ncompare",
	},
	{
		.name = "advise",
		.area = "plan",
		.parameter = {{"A ~> B", KIND_REDISTRIBUTION, true}},
		.options = {OPTION(FOR), OPTION(FORM), OPTION(SEVERAL), OPTION(BUDGET), OPTION(WITHOUT), OPTION(JSON)},
		.changes = true,
		.run = command_advise,
		.about = "say what to write in one's own program so that the system moves no more than it has to",
		.help =
			"After `compute` it weighs a schedule over the arrays where they are against redistributing them first. "
			"After `einsum` or `program` it is about products: what XLA does by itself, where a constraint makes it cheaper, what that "
			"saves. Else it is about the redistribution. Waypoints are types that the program asks for on the way. Each hop is planned as the system itself does it "
			"(strategies xla, dtensor, shardy), so what is promised is what it will do. Where the axes of the mesh do not suffice "
			"the waypoints are on a finer mesh of the same devices. \"Write in your program\" means that received bytes, the peak or the "
			"predicted time falls and none of them rises; where one rises it is an offer, with both numbers first, and where none "
			"falls there is no advice. `--for dtensor` flattens mesh dimensions too. `--form shard_map` writes the steps of the plan themselves, which "
			"leaves the compiler no choice. `plan --without allpermute` tells the price of doing without "
			"an operation. After `import` of a warning that may be about one group of devices, mesh and shardings typed before or "
			"after it, `mesh {...}` and `P(...) ~> P(...)`, make the advice one for the whole program.",
		.example =
			"mesh {x: 4, y: 2}\nadvise f32[{y}16, 16, {x}16] ~> [16, {y,x}16, 16]\nadvise --for dtensor --json\n"
			"einsum ij,jk->ik [8, 8{x}32], [16{y}32, 8] as [8, 8]\nadvise",
	},
	{
		.name = "pareto",
		.view = "pareto",
		.area = "plan",
		.parameter = {{"N", KIND_NUMBER, true}},
		.options = {ENDS, OPTION(MEASURE), OPTION(BY), OPTION(FOLD), OPTION(JSON)},
		.changes = true,
		.rows = {&compared_words, &contender_words},
		.run = command_pareto,
		.about = "find the plans that are best for some trade of memory against cost or time; take one as the plan",
		.help =
			"Memory is the height, or with `--measure live` the peak memory. Cost is what the model says: with `model latency` or "
			"`calibrated` it is time, and more memory then often saves some. `pareto 2` takes the second plan of the table that was "
			"shown last, while the problem is the same; with options it makes a table of its own. After `compute` it shows time, or with "
			"`--model volume` what moves, against live memory: the schedule in other numbers of steps, or the best schedules there are.",
		.example =
			"mesh {a: 2, b: 2, c: 2}\n[8, 8{c}16, 64] ~> [2{c,a}8, 16, 32{b}64]\npareto --measure live\npareto --model "
			"latency\npareto 1",
	},
	{
		.name = "evaluate",
		.area = "plan",
		.parameter = {{"FILE", KIND_FILE, true}},
		.options = {BOUNDS, OPTION(PROBLEMS), OPTION(DEVICES), OPTION(SEED), OPTION(STRATEGIES), OPTION(RUN),
			OPTION(SCALE), OPTION(RESUME), OPTION(TAKE), OPTION(REPS), OPTION(WARMUP), OPTION(TRANSPORT),
			OPTION(TIMEOUT), OPTION(BY), OPTION(JSON)},
		.changes = true,
		.rows = {&evaluation_search_words, &ratios_words, &evaluation_class_words},
		.run = command_evaluate,
		.about = "plan many problems, drawn or of a file, by several strategies, and draw how these compare",
		.help =
			"Without FILE problems are drawn as the first paper's evaluation draws them: three axes, 1 to 6 dimensions, 64 to 800 MB "
			"of f32. Shown are search times (RQ1), of the first two strategies each cost against the other and the ratios (RQ2, figure 14), "
			"how well cost orders time (RQ3), and the worst cases, each with the line that opens it: `evaluate --take 17` makes "
			"problem 17 the present one, and with `--json` says it as a line of such a file. `--by` orders its tables. `--run 20` executes the plans of the first 20, every element checked, with arrays to a tenth; "
			"`--scale 0.5` to a half. `--resume FILE` keeps what is found as it comes, and goes on from there.",
		.example = "evaluate\nevaluate --problems 200 --strategies xla,fused,paper\nevaluate --take 17\ncompare",
	},
	{
		.name = "verify",
		.area = "plan",
		.parameter = {{"PLAN|lemma", KIND_VERIFIED, true}, {"NUMBER", KIND_STATEMENT, true}},
		.options = {OPTION(FULL), OPTION(MEMORY), OPTION(PREFIX), OPTION(RANDOM), OPTION(SEED), OPTION(UNSPLIT),
			OPTION(JSON)},
		.changes = true,
		.run = command_verify,
		.about = "execute the plan on virtual devices and compare every element; or try a lemma on drawn cases",
		.help =
			"Without a plan it makes one; after `compute` it does what `simulate` does. "
			"Where the data would not fit into `--memory` (setting `memory`), "
			"the maps are checked instead, and the answer says so. Of a reduction program one number of each chunk is moved, with `--full` "
			"every element. Steps that do not end on `to` are refused; with `--prefix` they "
			"are executed as far as they go. `verify lemma 4.6` (also theorem, principle, corollary and case) draws small cases, "
			"builds or lists what is promised, compares, and shows a case that refutes it as a script; `of placements` behind it says "
			"which paper is meant, and `explain` lists what can be tried. `verify table 4` (also figure, result, question, section "
			"and the like) says how many of the numbers that are printed there agree with those found here, and shows the others.",
		.example =
			"mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nplan\nverify\nverify lemma 4.6 --random 500",
	},
	{
		.name = "run",
		.view = "times",
		.area = "machine",
		.parameter = {{"PLAN", KIND_RESULT, true}},
		.options = {OPTION(RANKS), OPTION(REPS), OPTION(WARMUP), OPTION(LAUNCHES), OPTION(TRANSPORT),
			OPTION(COLLECTIVES), OPTION(OVERLAP), OPTION(IN_PLACE), OPTION(THROTTLE), OPTION(LIMIT), OPTION(TIMEOUT),
			OPTION(HOSTS), OPTION(HOSTFILE), OPTION(LAUNCHER), OPTION(COMPARE), OPTION(SWEEP), OPTION(GROW),
			OPTION(SAMPLES), OPTION(DTYPE), OPTION(DRY_RUN), OPTION(JSON)},
		.changes = true,
		.run = command_run,
		.about =
			"execute the plan, or the program, on MPI ranks with real data, check every element, and time every step",
		.help = "Without a plan it makes one. Where a program is present, and none of its redistributions is "
				"entered, the program is executed: products by a CBLAS that is found at run time (the variable "
				"SHARDWALK_BLAS names one), each operation compared with whole arrays and timed; after `compute` and "
				"`tasks` the formula, part by part while messages travel. Above the setting `max_ranks` it asks, and "
				"a script is refused. Ctrl-C ends the ranks and keeps what was measured. `show times` shows results "
				"again, as pictures and from files. On the screens `m` runs it; the view of times (6) fills "
				"meanwhile, `a` adds a strategy. A reduction program runs as rings, trees (`set allreduce`) and "
				"chains of messages; `--throttle` lets these pass the simulated ports of its system, and `--compare "
				"reductions` runs the programs that `reductions` lists, `--limit N` of them, and tells over all sums "
				"that this session compared so how often the fastest is among the first 1, 5 and 10 predicted. `run "
				"SUMS --compare reductions` does so for a file of sums, statements that end on `reduce` on each "
				"line, which go on from those of the line before. After `einsum` the best way of the product is "
				"executed, the fastest as predicted under a model in seconds; `--compare ways` runs the first ten, "
				"or `--limit N`, and compares them. `--compare alltoallw` runs the plan beside what users of MPI "
				"write: the same problem by one MPI_Alltoallw on subarrays and by one MPI_Alltoallv on packed "
				"tiles, in turns, every element proved. After `compute` `--compare cannon,summa,own` runs rows of "
				"`compare` that are named, in turns; `pdgemm` is that of ScaLAPACK on block-cyclic copies of the "
				"same arrays, with the best blocks of 32 to 256. What brings them there and back counts apart, and "
				"there is no ratio where it multiplies by another BLAS. It needs the package libscalapack-mpich2.2. "
				"Inside of a host tiles of a neighbour are read where they are (`--in-place`). With `--grow "
				"1,2,4,8` they run, or the present schedule does, on so many ranks, sizes growing as `compare "
				"--grow` has them: median, GFLOP/s of a rank (GB/s where fewer than four operations fall on an "
				"element), and efficiency, that rate by the one on the fewest ranks. Of a schedule the ranks "
				"predict by their own rates: messages take latency and bytes by bandwidth, a leaf its operations, "
				"and a step the longer of leaf and next messages where they overlap, else both; `compare` does so "
				"with the rates of its hardware.",
		.example =
			"mesh {x: 2, y: 2}\nf64[256{x}512, 512{y}1024] ~> f64[512, 256{y,x}1024]\nrun --reps 5\nrun --compare fused,naive "
			"--launches 2 --reps 5",
	},
	{
		.name = "simulate",
		.area = "program",
		.options = {OPTION(DTYPE), OPTION(FULL), OPTION(MEMORY), OPTION(JSON)},
		.changes = true,
		.run = command_simulate,
		.about = "execute the program on virtual devices and compare every value with the whole arrays",
		.help =
			"Inputs are small whole numbers, so sparse that sums come out the same in any order: results are "
			"compared bit for bit. Where that ends, after exp, a bound of what rounding may do is computed and shown. A program that "
			"takes more than `--memory` (setting `memory`) is refused with the numbers. `run` executes it on MPI ranks.",
		.example =
			"program mesh {x: 2} fn f(a : [8, 4{x}8], b : [4{x}8, 6]) -> [8, 6] { c = einsum \"ij,jk->ik\" a b as [8, 6] return c }\n"
			"simulate\nshow terms",
	},
	{
		.name = "calibrate",
		.area = "machine",
		.options = {OPTION(RANKS), OPTION(LAUNCHES), OPTION(TIMEOUT), OPTION(JSON)},
		.run = command_calibrate,
		.about = "measure how fast this machine moves data, so that times can be predicted",
		.help =
			"Takes some five minutes on two cores: ranks are started three times for shared memory and once for messages, with --launches so "
			"often for each (1 takes half the time), and the medians count. What it finds is kept beside the history of the prompt; `info` shows it, and `run` and "
			"`show times` predict by it.",
		.example = "calibrate --ranks 2",
	},
	{
		.name = "hardware",
		.area = "machine",
		.parameter = {{"NAME [= RATES]", KIND_HARDWARE, true}},
		.changes = true,
		.options = {OPTION(JSON)},
		.run = command_hardware,
		.about = "list hardware with the sources of its numbers, choose one, or define one",
		.help =
			"The models `latency` and `roofline` speak of the hardware that is chosen; links that the mesh gives its axes count before it. RATES "
			"are the bandwidth and latency of a link, and then perhaps `node N BANDWIDTH LATENCY` (groups that leave N devices use the "
			"network), `ring N` (a torus whose axes close to rings at multiples of N), `copy BANDWIDTH` and `start TIME` "
			"of packing, `flops N` a second, and `memory BANDWIDTH` of a device. `explain hardware` says what they do, `model calibrated` is the machine in front of you.",
		.example = "hardware\nhardware h100\nhardware mine = 20GB/s 3us node 4 5GB/s 10us copy 8GB/s",
	},
	{
		.name = "walk",
		.area = "walk",
		.late = 1,
		.parameter = {{"WALK", KIND_WALK, true}},
		.changes = true,
		.options = {OPTION(BY), OPTION(JSON)},
		.rows = {&walk_words},
		.run = command_walk,
		.about = "list what can be walked, or choose what the next steps go on with",
		.help =
			"`search` are the local types between both ends, with what collectives cost; `reductions` are the contexts of "
			"a sum over placed axes, that is all that devices can hold on the way, with the seconds of steps; `steps` are "
			"the tasks of a formula that is repeated, round by round. What is newer is walked: a new problem makes it the "
			"search, `reductions` the contexts, `tasks` the steps. The first word of an answer says which it is.",
		.example =
			"system p2-a100 4\naxes {data: 8, shard: 8}\nreduce {data} f32[2147483648]\nplace [[2 4] [2 4]]\nwalk reductions\nstep 2\nwalk",
	},
	{
		.name = "step",
		.area = "walk",
		.parameter = {{"N", KIND_NUMBER, true}},
		.range = {1, 1000000},
		.repeats = true,
		.options = {OPTION(JSON)},
		.run = command_step,
		.about = "let the search visit the next node, or the next N",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nstep\nstep 3",
	},
	{
		.name = "back",
		.area = "walk",
		.parameter = {{"N", KIND_NUMBER, true}},
		.range = {1, 1000000},
		.repeats = true,
		.options = {OPTION(JSON)},
		.run = command_back,
		.about = "take the last step of the search back, or the last N",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nstep 3\nback",
	},
	{
		.name = "continue",
		.area = "walk",
		.options = {OPTION(JSON)},
		.run = command_continue,
		.about = "let the search go on until the goal is visited",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nstep\ncontinue",
	},
	{
		.name = "finish",
		.area = "walk",
		.options = {OPTION(JSON)},
		.run = command_finish,
		.about = "finish the search; tell the optimum over local types, the plan made of it, and what `fused` saves",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nfinish",
	},
	{
		.name = "frontier",
		.area = "walk",
		.options = {OPTION(BY), OPTION(FOLD), OPTION(JSON)},
		.rows = {&walk_node_words},
		.run = command_frontier,
		.about = "list the nodes that the search may visit next, in the order in which it would",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nstep\nfrontier",
	},
	{
		.name = "edges",
		.area = "walk",
		.parameter = {{"NODE", KIND_TILE_OR_NODE, true}},
		.options = {OPTION(REFUSED), OPTION(BY), OPTION(FOLD), OPTION(JSON)},
		.rows = {&walk_edge_words},
		.run = command_edges,
		.about = "list the operations that lead out of a node, with their costs",
		.help = "Without NODE it is the node that `goto` chose, or the one visited last.",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nedges\nedges [6,1] --refused",
	},
	{
		.name = "goto",
		.area = "walk",
		.parameter = {{"NODE", KIND_TILE_OR_NODE, false}},
		.options = {OPTION(JSON)},
		.run = command_goto,
		.about = "look at a node, named by its number or by its local type; of tasks go to that round",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nstep\ngoto [6,1]\nedges",
	},
	{
		.name = "path",
		.area = "walk",
		.parameter = {{"NODE", KIND_TILE_OR_NODE, true}},
		.options = {OPTION(BY), OPTION(FOLD), OPTION(JSON)},
		.rows = {&walk_node_words},
		.run = command_path,
		.about = "show the best way known from the start to a node",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nfinish\npath",
	},
	{
		.name = "apply",
		.area = "by hand",
		.parameter = {{"OPERATION", KIND_OPERATION, false}},
		.changes = true,
		.run = command_apply,
		.about = "apply one operation to what the steps before it made, starting from `from`",
		.help =
			"An operation whose premise fails is refused with the number that broke it. `undo` takes it back; `show plan`, `verify` "
			"and `export` take the sequence for the plan. On a placed mesh allreduce, reducescatter, allgather, reduce and broadcast "
			"have a group form: `inside LEVEL` (the devices of each unit), `across LEVEL [in ANCESTOR]` (the i-th devices of all units of "
			"one ancestor, of the root without `in`), `masters LEVEL [in ANCESTOR]` (the first ones alone). LEVEL is a level of the "
			"system, `root`, or the number of a factor; `set hierarchy` says which factors there are. Such steps work on the chunks of "
			"the present sum, and show the groups and what devices hold then, or the premise that fails (R01 to R09). A sequence "
			"works either on types or on chunks.",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\napply allgather(0)\napply "
				   "dynslice(0, x)",
	},
	{
		.name = "replace",
		.area = "by hand",
		.parameter = {{"STEP", KIND_NUMBER, false}, {"OPERATION", KIND_OPERATION, false}},
		.changes = true,
		.run = command_replace,
		.about = "replace a step of the plan by another operation, and see what becomes impossible and why",
		.help =
			"The steps become a sequence by hand: those before it, the other operation, and those after it as far "
			"as they are still possible. `undo` brings the plan back.",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nplan\nreplace 2 allgather(1)",
	},
	{
		.name = "system",
		.view = "system",
		.area = "place",
		.late = 1,
		.parameter = {{"SYSTEM", KIND_LEVELS, false}},
		.changes = true,
		.statement = true,
		.run = command_system,
		.about = "define a system of devices in levels, the outermost first, with the ports of their units",
		.help =
			"Each unit of a level has a port to the switch of the unit around it: one for each direction, or one for both together where "
			"`shared` is given. Devices count row-major, the innermost level fastest, and the "
			"levels are the axes of the mesh until `axes` "
			"names others. p2-a100 N and p2-v100 N are the two systems of the second paper, with N nodes; "
			"p2-a100-fitted N and p2-v100-fitted N have rates inside a node that were fitted to its measurements (see `compare published`).",
		.example = "system {node: 4 @ 8GB/s shared, gpu: 16 @ 270GB/s}\nsystem p2-v100 2",
	},
	{
		.name = "axes",
		.view = "system",
		.area = "place",
		.late = 1,
		.parameter = {{"AXES", KIND_MESH, false}},
		.changes = true,
		.statement = true,
		.run = command_axes,
		.about = "name axes of parallelism, which are to be laid on the system",
		.help =
			"Their product is the number of devices. They are the mesh that types speak of; `place` says which device is where.",
		.example = "system p2-a100 4\naxes {data: 8, shard: 8}",
	},
	{
		.name = "reduce",
		.view = "reductions",
		.area = "place",
		.late = 1,
		.parameter = {{"{AXIS, ...} TYPE", KIND_SUMMED, false}},
		.changes = true,
		.statement = true,
		.run = command_reduce,
		.about = "say what is to be summed over which axes: TYPE+{AXIS, ...} ~> TYPE",
		.example = "system p2-a100 4\naxes {data: 8, shard: 8}\nreduce {data} f32[2147483648]",
	},
	{
		.name = "placements",
		.view = "placements",
		.area = "place",
		.late = 1,
		.parameter = {{"SUMS", KIND_SUMS, true}},
		.options = {OPTION(LIMIT), OPTION(BY), OPTION(FOLD), OPTION(JSON)},
		.rows = {&ranked_words},
		.run = command_placements,
		.about = "list the ways to lay the axes on the levels, the fastest for the present sum first",
		.help =
			"A placement is a matrix: a row an axis, a column a level, whose products are the sizes. Seconds are those of the ports that "
			"the busiest step loads: of one all-reduce, of the best program of any length, and the bound of every algorithm. "
			"`placements {data} 1GiB, {shard} 64MiB` weighs the sums of a whole training step. Without a sum there are no seconds. "
			"All are timed, at most ten million, and the fastest thousand listed; after Ctrl-C it ranks those it has seen, and says so.",
		.example = "system p2-a100 4\naxes {data: 8, shard: 8}\nplacements {data} 8GiB",
	},
	{
		.name = "place",
		.view = "placement",
		.area = "place",
		.late = 1,
		.parameter = {{"PLACEMENT", KIND_PLACEMENT, false}},
		.changes = true,
		.statement = true,
		.run = command_place,
		.about = "lay the axes on the levels: a row of `placements`, a matrix, or the order of Megatron or JAX",
		.help =
			"`place 2` takes a row, `place [[2 4] [2 4]]` a matrix. `place megatron tp-cp-ep-dp-pp tp=4 dp=4 pp=4` and `place jax (2,8) (4,1)`, "
			"the mesh_shape and dcn_mesh_shape of create_hybrid_device_mesh, bring their axes; an order that is no placement is refused.",
		.example = "system p2-a100 4\naxes {data: 8, shard: 8}\nplace [[2 4] [2 4]]",
	},
	{
		.name = "reductions",
		.view = "reductions",
		.area = "place",
		.late = 1,
		.parameter = {{"N", KIND_NUMBER, true}},
		.options = {OPTION(LENGTH), OPTION(LIMIT), OPTION(BY), OPTION(FOLD), OPTION(JSON)},
		.changes = true,
		.rows = {&reductions_words},
		.run = command_reductions,
		.about = "list the programs of collectives that make the present sum on the placement, the fastest first",
		.help =
			"A step works inside the units of a level, across them (the i-th devices of all), or between their first devices (masters). "
			"The fastest program of any length is proved by the graph of all that devices can hold. With a number that program "
			"becomes the plan, which can be shown, verified, run, saved and exported. `set allreduce tree` and `set masters all` change what is counted. `step` walks that graph from now on.",
		.example =
			"system p2-a100 4\naxes {data: 8, shard: 8}\nreduce {data} f32[2147483648]\nplace [[2 4] [2 4]]\nreductions\nreductions 1",
	},
	{
		.name = "undo",
		.area = "by hand",
		.run = command_undo,
		.about = "take back the last definition, setting, plan or operation",
		.example = "mesh {x: 4}\nmesh {x: 8}\nundo",
	},
	{
		.name = "redo",
		.area = "by hand",
		.run = command_redo,
		.about = "take back the last `undo`, as long as nothing was changed since",
		.example = "mesh {x: 4}\nmesh {x: 8}\nundo\nredo",
	},
	{
		.name = "normalize",
		.view = "rewriting",
		.area = "by hand",
		.changes = true,
		.run = command_normalize,
		.about = "rewrite the sequence into normal form, showing every rewrite",
		.help = "Without steps by hand it takes what one would write without thinking: gather every dimension, "
				"then slice. The normal form "
				"becomes the sequence.",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nnormalize",
	},
	{
		.name = "adjoint",
		.area = "by hand",
		.late = 1,
		.changes = true,
		.run = command_adjoint,
		.about = "make of the present plan the plan of its derivative",
		.help =
			"Its ends change places, and in each type sums and unused axes are exchanged: where a value was copied, "
			"derivatives are summed. allgather and reducescatter change places, so do dynslice and pad; an alltoall is "
			"reversed, allreduce and zeros stay.",
		.example = "mesh {x: 2, y: 2}\nfrom [8{x}16, 12]\napply allgather(0)\nadjoint",
	},
	{
		.name = "show",
		.area = "look",
		.parameter = {{"VIEW", KIND_VIEW, false}, {"TYPE|$N", KIND_TYPE, true}},
		.options = {SHOWN},
		.changes = true,
		.fields = true,
		.run = command_show,
		.about = "draw a picture of the mesh, a type, the plan or the search",
		.help =
			"`show type`, `tiles` and `devices` take a type, its name, or the words from and to; pictures of "
			"a plan take its number, $1, or a strategy; without a plan they make one. `show times` takes the number of a run, and with `--sweep 1KiB:64MiB` "
			"predicts what the plan takes at these sizes. `show rewriting --step 2` "
			"draws the second rewriting of the sequence that `normalize` prints, `show rewriting paper` what that strategy did. "
			"`show rounds 2` draws step 2 hop by hop on the rings and lines of `hardware`, with `--one-way` over one direction of each link. "
			"`--element 5,7` marks in tiles, devices, type, mesh and traffic who holds that element; `show graph --lanes` is the "
			"drawing that `v` changes to. `show system`, `placement`, `groups`, `state`, `hierarchies` and `reductions` are of axes on a "
			"system and sums over them; `--step 1` takes a step by hand on chunks, `show groups across cpu in server` any groups. "
			"`show sets` takes a type of any kind: `--element 5,7` tells who holds that element and at which local index, `--device 3` what that "
			"device has; `show relation` tells who needs what of whom between both ends, and the pattern. Both answer in JSON with --json.",
		.example = "mesh {x: 4, y: 6}\nshow mesh\nshow tiles [3{x}12, 2{y}12]",
	},
	{
		.name = "film",
		.area = "look",
		.parameter = {{"STEP|$N", KIND_MOMENT, true}},
		.options = {OPTION(STEP), OPTION(DIMS), OPTION(ELEMENT), OPTION(DEVICE), OPTION(BESIDE)},
		.changes = true,
		.fields = true,
		.late = 3,
		.run = command_film,
		.about = "draw the whole plan as a row of small pictures",
		.help =
			"Each picture is the array before the first step, or after a step: lines are the borders of tiles, and each element has the "
			"colour, or without colours the letter, of the device that held it first. A value that waits for terms has a line for each "
			"term; lines of one colour are added up. Below are the memory of a device and the time of each step in proportion. Large "
			"arrays are drawn in blocks. `--element 5,7` follows an element, `film 2` is about step 2. After `ways 1`, "
			"`compute` or `schedule` the film is that of the program: a row for each array, with what moves and what is "
			"computed; `--element B[1,2]` follows an element of one of them. `--device 3` lights what that device has. `--beside naive` draws the plan of "
			"another strategy below, at the same moment of one axis of time; after a run of the plan the axis has the measured "
			"times, too. On the screens Left and "
			"Right move by a tenth of a step, Up and Down choose the device, Space plays, d takes the next plan "
			"to be drawn below, and Enter pins an element, then goes into the tiles; Esc comes back.",
		.example =
			"mesh {x: 4, y: 6}\nredistribute [3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nfilm\nfilm 2 --element 5,7\n"
			"film --beside naive",
	},
	{
		.name = "explain",
		.area = "look",
		.parameter = {{"CODE", KIND_CODE, true}},
		.raw = true,
		.fields = true,
		.run = command_explain,
		.about =
			"tell the rule behind an error or an operation, what a strategy, a model or a lemma says, or what a sharding means",
		.help =
			"A sharding may be in any notation: it is shown step by step, with the tile of every device, and in all other "
			"notations; where no tiles say it, what each device has. Of two with `~>` between them it tells whether they "
			"are the same. `explain metafunctions TYPE` and `explain meaning TYPE` tell what figures 6 and 7 of the first "
			"paper say of a type: axes, sizes, base offsets and rules. A size `over` a number of devices, or over mesh "
			"axes, 10 over 2x3: what the systems do where it does not divide. Rules of typing go by their names: explain "
			"E-SHARED. Lemmas, theorems, figures, tables, questions and terms of the papers are explained with an example, or "
			"with numbers that are computed here beside those that are printed there, and why they differ: explain lemma "
			"4.6, explain pop quiz 2. Where several papers have one of a name the first one's is shown; `of "
			"redistribution`, `of placements`, `of book` or `of distributions` behind it says which. Without an argument "
			"it lists all.",
		.example =
			"explain T04\nexplain alltoall\nexplain xla\nexplain lemma 4.6\nexplain question 2 of book\nexplain 17 over 8\nexplain {devices=[2,1,4]<=[4,2]T(1,0)}",
	},
	{
		.name = "program",
		.view = "program",
		.area = "program",
		.parameter = {{"FILE|TEXT|-", KIND_PROGRAM, true}},
		.late = 1,
		.changes = true,
		.raw = true,
		.statement = true,
		.options = {OPTION(BY), OPTION(FOLD), OPTION(JSON)},
		.rows = {&program_value_words, &program_move_words},
		.run = command_program,
		.about = "read a program over sharded arrays and type it, or show the one that is there",
		.help =
			"A program is a mesh, a function with typed inputs, statements and a return, as listings 1 to 3 of the first paper write it. "
			"A statement is NAME = spmd_op with a body that every device runs on its tiles; NAME = redistribute NAME as TYPE; NAME = "
			"einsum \"ij,jk->ik\" A B; NAME = compute with a formula in quotes; or " ELEMENTWISE
			"of names. `as TYPE` behind one is the type in which its value is kept, "
			"`as ?` leaves that open for `assign`; an input may be open too, x : ?[64, 32]. # and // begin comments. It becomes the present "
			"program, and its mesh that of the session. Without an argument every value is shown with its type, its memory on a device and, where "
			"hardware is set, its time, and the redistributions with their plans.",
		.example =
			"program mesh {x: 2, y: 2} fn main(a : [64, 16{x}32], b : [16{x}32, 48]) -> [64, 24{y}48] { c = einsum \"ij,jk->ik\" a b "
			"as [64, 24{y}48] return c }\nprogram\nshow derivation",
	},
	{
		.name = "assign",
		.area = "program",
		.options = {OPTION(BY), OPTION(BUDGET), OPTION(LIVE), OPTION(WITHOUT), OPTION(JSON)},
		.late = 1,
		.changes = true,
		.statement = true,
		.run = command_assign,
		.about = "fill each open type of the program so that what moves costs least, proved, with the runner-up",
		.help =
			"Each value has a home, to which an input, too, may be moved. A value that is used more than once may be kept in a second type "
			"as well, which is made from its home; each use begins where it is cheaper. What is moved for several uses is a value with a name "
			"of its own. A statement computes in the types in which its operands are used. Open inputs may be in any type without sums. "
			"What is proved is proved of all programs of this kind. `--by cost` counts elements; `--by time`, and models in seconds, "
			"seconds of the model, or of roofline on the hardware that is set, over whole axes, with the products and without overlap. `--budget` bounds every tile, "
			"`--live` all that is held at once: inputs and values that are needed later, operands as they are used, the result, and the tile before "
			"and after a step; there each value is kept in one type, and no input is moved. Where no types keep to a bound the smallest one that admits some is shown. Ctrl-C, or `set memory`, ends "
			"it: then the answer is not proved, and tells what nothing can cost less than. `undo` brings the open program back.",
		.example =
			"program mesh {x: 2, y: 2} fn main(a : [64, 16{x}32], b : [16{x}32, 48]) -> [64, 24{x}48] { c = einsum \"ij,jk->ik\" a b "
			"as ? return c }\nassign\nprogram",
	},
	{
		.name = "enter",
		.area = "program",
		.parameter = {{"N|ARRAY", KIND_MOVE, true}},
		.late = 1,
		.changes = true,
		.statement = true,
		.run = command_enter,
		.about = "make a redistribution of the program, or what moves of an array of a formula, the present problem",
		.help =
			"`program` numbers them. After `compute`, `enter x` is from what devices hold of x to what they need, alpha to beta; of the left side from what is made to where "
			"it is kept. In a step of a schedule it is what moves of x then, of the left side the terms that are added; `enter x@2` at level 2 of the mesh. "
			"What was there before waits: `leave` gives it back.",
		.example =
			"program mesh {x: 2} fn f(a : [4{x}8, 6]) -> [8, 3{x}6] { b = redistribute a as [8, 3{x}6] return b }\nenter 1\nplan\nleave",
	},
	{
		.name = "leave",
		.area = "program",
		.late = 1,
		.changes = true,
		.run = command_leave,
		.about = "return from `enter` with the plan that is there, to what was the problem before",
		.example =
			"program mesh {x: 2} fn f(a : [4{x}8, 6]) -> [8, 3{x}6] { b = redistribute a as [8, 3{x}6] return b }\nenter 1\nplan "
			"direct\nleave\nprogram",
	},
	{
		.name = "import",
		.area = "exchange",
		.parameter = {{"FILE|TEXT|-", KIND_SOURCE, false}},
		.changes = true,
		.raw = true,
		.options = {OPTION(TAKE), OPTION(MESH), OPTION(FOLLOW), OPTION(MODULE), OPTION(TIMES), OPTION(BY),
			OPTION(FOLD), OPTION(JSON)},
		.rows = {&imports_words},
		.run = command_import,
		.about =
			"read what a compiler printed: warnings of XLA or DTensor, pairs of shardings, a module, or a product of JAX",
		.help =
			"FILE is a log of any length, TEXT a pasted line, - standard input. A descriptor of ScaLAPACK or "
			"another placement becomes `from`, a call of pdgemr2d the problem. A single pair becomes the "
			"problem, shown with what XLA does now against the plan. Several make a table, what moves most "
			"first, with its share of all bytes; `--by saved`, `time` or `line` has another order, and `--fold line`, "
			"`loop` or `kind` makes rows of one line, loop or kind one. The line of a row is that of its "
			"collective, of the one that moves most where it has several. Numbers of rows stay: "
			"`import FILE N` takes row N (options may be before N), "
			"`import --take N` that of the table shown last, and `advise` is about it. Of a module the "
			"chains of collectives become plans: the one that is taken can be shown, verified, run and compared; "
			"what a sum there costs too much is said in its row. A StableHLO module that multiplies or adds is "
			"the present program, too, as is a line such as jnp.einsum('bd,df->bf', x: f32[8@x,2048], w: "
			"f32[2048,8192]), jnp.dot, jnp.matmul or @, over the present mesh, and a file of JAX that makes its "
			"mesh and arrays and multiplies them: values without a sharding are open. As a program a module or a "
			"file of JAX is read where it makes at most 100,000 operations, those of functions counted wherever "
			"they are called; what it moves is counted in any case, times how often it runs, calls with other "
			"shardings as the first behind 1,000,000 operations that repeat. All collectives of a module are counted, also "
			"those that are no redistribution: the bytes that a device gets, and below the rows where, in what "
			"groups or ring, and how often. Plans and results are opened, plans of up to 2,000 steps. `--times "
			"96x1000` counts every layer and step. `--mesh {data: 2, fsdp: 4}` is the program's mesh: problems "
			"and `advise` have its axes. `--follow` reads on while a build writes FILE, tells each new warning, "
			"and answers when Ctrl-C or the end of a pipe comes. A shape that the text does not say is that of "
			"`shape`. `import LOG --module FILE` takes mesh, shape and shardings of the values that are warned "
			"of from the module before partitioning.",
		.example =
			"import f32[8,8,8] {devices=[2,1,4]<=[4,2]T(1,0)} -> {devices=[1,8,1]<=[8]}\nmesh {x: 2, y: 2}\nimport "
			"jnp.matmul(a: f32[8@x,16], b: f32[16,4@y])\nimport DESC = (1, 0, 9, 9, 2, 2, 0, 0, 5) on 2 x 2",
	},
	{
		.name = "export",
		.area = "exchange",
		.parameter = {{"FORMAT", KIND_FORMAT, false}, {"FILE", KIND_FILE, false},
			{"PLAN|VIEW ...", KIND_EXPORTED, true}},
		.options = {OPTION(MAPS), OPTION(WIDTH), SHOWN, ENDS, OPTION(LIMIT), OPTION(MEASURE), OPTION(PROBLEMS),
			OPTION(DEVICES), OPTION(SEED), OPTION(STRATEGIES), OPTION(RUN), OPTION(SCALE), OPTION(RESUME),
			OPTION(DTYPE), OPTION(BY), OPTION(VARY)},
		.changes = true,
		.run = command_export,
		.about =
			"write the plan, a picture or a report to a file, in a format of its own or as code for another system",
		.help =
			"FILE - is standard output. What was in the file stays until all is written. Code is that of the plan; jax, dtensor and "
			"shardy take the word advice instead of a plan, for the waypoints of `advise`; these, stablehlo, shard_map and mpi "
			"the word program, for the present program, which they also write where there is no problem; shard_map and mpi write its "
			"redistributions step by step, as `run` executes them. Formats of plans take --strategy and the bounds of "
			"`plan`. Pictures take the arguments and options "
			"of `show`, or are those of compare, pareto, explain, import, ways and others: `export svg out.svg tiles --step 1`, `export svg "
			"out.svg compare FILE`.",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nplan\nexport plan -",
		.bare = true,
	},
	{
		.name = "open",
		.area = "exchange",
		.parameter = {{"FILE", KIND_FILE, false}},
		.options = {OPTION(JSON), OPTION(MAPS), OPTION(PREFIX)},
		.changes = true,
		.run = command_open,
		.about = "read a plan from a file, check it, and make its problem the present one; or show a result of `run`",
		.help = "A session that `save` wrote is made again, a program is read as `program` reads it.",
		.example = "open plan.json",
	},
	{
		.name = "save",
		.area = "exchange",
		.parameter = {{"FILE", KIND_FILE, false}},
		.run = command_save,
		.about = "write the session as a script that makes it again",
		.help = "FILE - is standard output.",
		.example = "mesh {x: 4, y: 6}\nsave -",
	},
	{
		.name = "source",
		.area = "exchange",
		.parameter = {{"FILE", KIND_FILE, false}},
		.flows = true,
		.options = {OPTION(PACE), OPTION(RECORD)},
		.run = command_source,
		.about = "run a script, or play it at a pace",
		.help =
			"`source --pace 2000 tour.sw` plays it: each statement is seen before it runs, and its answer stays for "
			"two seconds. On the screens the comment before it appears above the bar, each "
			"statement opens the view "
			"that shows what it does, Space pauses and C-c stops. `--record FILE` also writes what the terminal "
			"showed, as an asciicast (version 2); without --pace it goes at the setting `pace`.",
		.example = "source session.shw",
		.bare = true,
	},
	{
		.name = "batch",
		.area = "exchange",
		.parameter = {{"FILE", KIND_FILE, false}},
		.flows = true,
		.options = {ENDS, OPTION(PROVE), OPTION(JSON), OPTION(MAPS), OPTION(UNEVEN), OPTION(ANSWER), OPTION(LIMIT),
			OPTION(ADVISE), OPTION(SEVERAL)},
		.run = command_batch,
		.about = "plan many problems, one a line, and answer each on a line",
		.help =
			"A line is JSON, {\"name\": ..., \"mesh\": \"{x: 4}\", \"from\": ..., \"to\": ...}, or text, MESH "
			"FROM ~> TO  # name. src_mesh and dst_mesh, or mesh and to_mesh, name two meshes, of the "
			"same devices or of others. A line with \"op\" and \"hardware\" asks what one collective takes, one with "
			"\"text\" what a sharding, a placement or a call of pdgemr2d means, one with \"type\" what each "
			"device holds. With --answer relation both ends may be types of any kind, and who needs what of whom "
			"is answered. No proof is looked for beyond the search unless --prove asks for it. A bad line is "
			"answered by its error; the others go on. With --advise jax --json the answer is the line itself "
			"with \"via\": waypoints for the program, on a finer mesh where one is needed. Lines that start with "
			"# are left out. FILE - is standard input.",
		.example = "batch problems.jsonl --strategy exact --json",
	},
	{
		.name = "help",
		.area = "session",
		.parameter = {{"COMMAND", KIND_COMMAND, true}},
		.options = {OPTION(KEYWORD), OPTION(MAN)},
		.run = command_help,
		.about = "list the commands, or tell more about one",
		.help = "`?` is the same. Words that `explain` knows are explained, too: help notation.",
		.example = "help plan\nhelp -k memory",
	},
	{
		.name = "completion",
		.area = "session",
		.parameter = {{"SHELL", KIND_SHELL, false}},
		.late = 1,
		.run = command_completion,
		.about = "write what bash or zsh offers when Tab is pressed behind `shardwalk`",
		.help = "`make install` puts both where these shells look. By hand: source <(shardwalk completion bash).",
		.example = "completion bash",
	},
	{
		.name = "tui",
		.area = "session",
		.run = command_tui,
		.about = "open the screens: pictures above, this prompt below",
		.help = "? lists the keys there, : goes to the prompt, q comes back; Ctrl-X A opens and leaves them too.",
		.example = "tui",
	},
	{
		.name = "layout",
		.area = "session",
		.parameter = {{"NAME", KIND_LAYOUT, true}},
		.run = command_layout,
		.about = "say which views the screens show together, or list the layouts",
		.example = "layout walk\nlayout",
	},
	{
		.name = "focus",
		.area = "session",
		.parameter = {{"VIEW", KIND_SCREEN, false}},
		.options = {OPTION(STEP), OPTION(DEVICE), OPTION(ELEMENT)},
		.run = command_focus,
		.about = "go to a view of the screens",
		.help =
			"With --step at that step of the plan, with --device and --element following these. `save` writes the views before, "
			"too, so that `open` finds them.",
		.example = "mesh {x: 2}\n[2{x}4] ~> [4]\nplan\nfocus tiles --step 1 --element 3",
	},
	{
		.name = "bind",
		.area = "session",
		.parameter = {{"KEY", KIND_WORD, true}, {"COMMAND", KIND_TEXT, true}},
		.run = command_bind,
		.about = "let a key of the screens run a command or an action, or list the keys",
		.help = "Keys are characters, C-x for control keys, and names such as PgDn, F2, Enter and Space. Beside "
				"commands there are actions, which `bind` lists; `none` takes a key's meaning away.",
		.example = "bind F2 plan paper\nbind w go-step\nbind w",
	},
	{
		.name = "tour",
		.area = "session",
		.parameter = {{"STEP", KIND_NUMBER, true}},
		.flows = true,
		.run = command_tour,
		.about = "show what the program is for, in short steps",
		.help =
			"At a prompt an empty line goes on with the next step and `q` leaves; every command works in between. "
			"On the screens each step types its line and presses its keys, at the setting `pace`, and says above the "
			"bar what is to be seen: Enter goes on, b goes back to the step before with the session as it was, Space "
			"pauses, Esc leaves. `tour 3` goes to a step, `tour 0` leaves. Then the session is as it was "
			"before the tour, and `undo` brings back what the tour defined.",
		.example = "tour",
	},
	{
		.name = "history",
		.area = "session",
		.parameter = {{"N", KIND_NUMBER, true}},
		.range = {1, HISTORY_MOST},
		.options = {OPTION(KEYWORD)},
		.run = command_history,
		.about = "list the lines that were typed, or the last N of them",
		.help =
			"At a terminal the last ones are listed, as many as it shows. Ctrl-R searches them at the prompt. They are kept for the next session, unless the program was "
			"started with --no-history.",
		.example = "history 20\nhistory -k plan",
	},
	{
		.name = "info",
		.area = "session",
		.run = command_info,
		.about = "tell versions, files and settings",
		.example = "info",
	},
	{
		.name = "clear",
		.area = "session",
		.run = command_clear,
		.about = "empty the terminal, or the pane of answers; what was defined stays",
		.example = "clear",
		.bare = true,
	},
	{
		.name = "quit",
		.area = "session",
		.parameter = {{"STATUS", KIND_NUMBER, true}},
		.range = {0, 255},
		.run = command_quit,
		.about = "leave, with an exit status if one is given",
		.help = "`exit` is the same.",
		.example = "quit 0",
	},
};

const int command_count = sizeof(commands) / sizeof(*commands);

const struct kind_row kind_rows[KIND_END] = {
#define X(id, says, ...) {.about = says, __VA_ARGS__},
	KINDS(X)
#undef X
};
