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
	OPTION(STEP), OPTION(BESIDE), OPTION(WAY), OPTION(ONE_WAY), OPTION(HOP), OPTION(SWEEP), OPTION(DIMS), \
		OPTION(FIX), OPTION(DEVICE), OPTION(ELEMENT), OPTION(TILE), OPTION(NODE), OPTION(REFUSED), OPTION(LANES), \
		OPTION(BYTES)
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
			"A mesh may also be written as JAX, PyTorch or Shardy write it: mesh Mesh('x': 4, "
			"'y': 6). Types that do not fit the new mesh are dropped; `undo` brings them back.",
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
		.help = "A dimension is tile{axes}global, or just n if it is not partitioned; the tile may "
				"be left out. Axes are written minor to major. After the bracket, +{y} means that "
				"the devices along y hold terms whose sum is the value. 1{x,..}12 deals blocks out "
				"cyclically, 2{x@1,..}12 starts at another device, and 5+4+3{x}12 states the size of "
				"each block. Words after the bracket apply from left to right: by RULE, over MESH, "
				"at {DEVICE: RUNS; ...} or at FILE, on DEVICES, only SLICES, crop SLICES, shift K "
				"[wrap], through INDEX to SIZES, union TYPE. They may refer to other types by name.",
		.example = "mesh {x: 4, y: 6}\ntype rows = f32[3{x}12, 12]\ntype more = rows union rows shift 1\nfrom rows",
	},
	{
		.name = "shape",
		.area = "define",
		.parameter = {{"SHAPE", KIND_SHAPE, false}},
		.changes = true,
		.statement = true,
		.run = command_shape,
		.about = "set the element type and the global sizes of the array",
		.help = "Later types must have this shape, and take its element type if they name none. "
				"Braces after the shape, f32[8,4]{1,0}, give an order in memory and partition "
				"nothing.",
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
		.about = "set the type that the array has now",
		.help = "Takes a type, or (after `shape`) a sharding in the notation of XLA, Shardy, JAX, "
				"DTensor or the scaling book. A grid, {4,8,4}, gives the number of parts of each "
				"dimension.",
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
		.about = "set the type that the array should have",
		.example = "mesh {x: 4, y: 6}\nfrom [3{x}12, 2{y}12]\nto [2{y}12, 3{x}12]",
	},
	{
		.name = "redistribute",
		.view = "graph",
		.area = "define",
		.parameter = {{"A ~> B", KIND_REDISTRIBUTION, false}},
		.changes = true,
		.run = command_redistribute,
		.about = "set `from` and `to` at once",
		.help = "The arrow may also be written ->, and the word redistribute may be left out. A shape may come "
				"first, and a mesh before it: redistribute {x: 4, y: 6} f32[12,12] A ~> B. Both "
				"ends use the mesh of the session, or each sharding names its own mesh, of the "
				"same devices or of others. (src_mesh and dst_mesh are keys for lines of "
				"`batch`.) A ~> B ~> C goes through B: `plan` plans both legs, adds up their "
				"costs and shows what A ~> C would cost.",
		.example = "mesh {x: 4, y: 6}\nredistribute [3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]",
	},
	{
		.name = "budget",
		.area = "define",
		.parameter = {{"SIZE", KIND_BUDGET, false}},
		.changes = true,
		.run = command_budget,
		.about = "limit the size of the tiles that a plan may make",
		.help = "A plain number counts elements; 300MB and 1.5GiB are bytes; 2x is twice the "
				"larger of the tiles at both ends. The default is 1x. A budget in bytes is shown "
				"in bytes and in elements.",
		.example = "budget 2x",
	},
	{
		.name = "model",
		.area = "define",
		.parameter = {{"NAME", KIND_MODEL, false}},
		.changes = true,
		.run = command_model,
		.about = "choose the cost model of plans and walks",
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
		.about = "find the steps that take the array from one type to the other",
		.help = "Plans are numbered: $1 is the first, and `plan $1` or `show plan $1` shows it "
				"again. `plan --times 96x1000` multiplies by 96 layers and 1000 steps; `set times` "
				"does so for all plans. On axes with several prime factors, the search alone proves "
				"little; `set prove` and --prove limit the extra work that a proof may take. This "
				"limit counts work, not time, so the answer is the same on every machine. Below the "
				"plan are the messages that any plan needs and their pattern, which depend only on "
				"the two ends. If another numbering of the target's devices lets more data stay in "
				"place, --renumber uses the best one. On a `system`, under `ports` or `latency`, "
				"fused also completes sums by the fastest reduction program, with collectives on "
				"types before or after it, if such a mixed plan takes less time.",
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
		.about = "multiply two sharded arrays: name the case, and list every way to do it with "
				 "its cost",
		.help = "A way chooses the two types in which the operands are multiplied, tile by tile: "
				"each operand is moved to its type, and the product is moved to C, at least cost. A "
				"star marks ways that no other way beats in cost (or seconds, if known), flops and "
				"memory. Without `as`, the answer lists what each result type costs. Options follow "
				"the text. Models in seconds add communication time and multiplication time and list "
				"the fastest way first: `calibrated` uses the rates that `calibrate` measured here, "
				"`latency` and `roofline` those of `hardware` with known flops; `roofline` also says "
				"which of the two takes longer, and at what sizes that changes. These models move "
				"whole axes. `run` executes the best way, `run --compare ways` measures ten, and "
				"`compare` shows predicted times beside measured ones. `--live` limits the memory of "
				"the whole way: ways above the limit come last, with the limit they need. `--vary "
				"b=64..8192` plots both times of the first three ways against the size of a letter. "
				"The text may also be the scaling book's, A[I:64, J_X:32] B[J_X:32, K:48] -> C[I, "
				"K_X], or JAX's: jnp.einsum('ij,jk->ik', a: f32[64,32] P('x'), b: f32[32,48]). "
				"`ways` lists the same product again.",
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
		.about = "find out what each device needs to compute a formula, and which device sends "
				 "it",
		.help = "The arrays are named types: y[i] = 2*x[i] - x[i-1] - x[i+1] after `type x = "
				"[4{x}24]` and `type y = x`. Indices on the left are single letters; letters that "
				"occur only on the right are summed over. An index is a whole dimension (:, inside a "
				"function) or affine in one letter, optionally divided by a number and rounded down; "
				"f(x[i], x[i-1]) is any function. `wrap` joins the ends; without it, whatever is "
				"past them is left out. `+=` adds. Each element is computed on the devices that hold "
				"the left side, or, with `on A`, those that hold A. For each device the answer shows "
				"what it holds (alpha), needs (beta) and makes (gamma), and how much of its need is "
				"already local. The formula becomes the present program, of one statement: `program` "
				"lists what moves, `simulate` and `run` execute it. The word compute may be left out "
				"before NAME[...] =. Options follow the formula, with two dashes.",
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
		.about = "repeat the formula of `compute` N times: tasks, arcs, messages, and when every "
				 "task depends on every other",
		.help = "The result becomes the first input of the next step. A task is the work of one "
				"device in one round; a round is one step, or K steps with `--every K`. With "
				"`--every`, each exchange brings what K steps need, and devices recompute some of "
				"what their neighbours compute. An arc goes from each task to every task of the next "
				"round that needs something from it, including its own successor. The rounds are "
				"then walked by `step`, `back`, `goto 7` and `continue`; `frontier` lists the tasks "
				"that may start, and `show tasks` draws them. If the rounds come out even, the "
				"present program contains them as a loop, which `simulate` and `run` execute.",
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
		.about = "cut, place and rotate the loops of the formula of `compute`, and choose what is fetched when",
		.help = "Write one command a line, or a chain of them, after the word schedule or on lines "
				"that begin with a dot: " SCHEDULE_WORDS
				"and `explain` describes each. The name of an axis is also a number, its size, and "
				"`param` names others. A line that is refused changes nothing, and `undo` takes back "
				"one command. Without an argument, the answer lists the commands and their totals. "
				"`schedule cannon m=9 n=9 k=9` (also pumma, summa with chunk=N, johnson, solomonik, "
				"cosma with steps=N or its string of splits, pm2,sm2,pk2; ttv, innerprod, ttm, "
				"mttkrp) writes types, statement and commands for the present mesh, or for the "
				"nearest mesh that it can use; sizes default to those of the present arrays. "
				"`schedule best`, `owner`, `einsum` and `own` take the other rows of `compare`. "
				"`best` is the best schedule of all, or with `best ALGORITHM` of that one, within "
				"`--live`, by `--model volume` or else by time; `owner` uses no schedule, `einsum` "
				"is a way of the product, and `own` is what you typed before. `show loops`, `holds`, "
				"`execution`, `needs` and `traffic` draw the schedule. `step`, `back`, `goto 2` and "
				"`continue` walk its steps; before the first step nothing has been fetched.",
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
		.help = "N is a row of the list in the order of `--by`: `ways 2` makes way 2 the program, "
				"which `program` shows. The screens list the first 300 ways, which scroll; `--limit "
				"N` lists N.",
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
		.help = "With FILE, problems in the form that `batch` reads, it shows the ratio of each "
				"strategy's cost to that of fused: geometric means, extremes and histograms. Times "
				"are those of `hardware`, or of this machine if the model is calibrated; after "
				"`run`, measured times are listed beside them. A plan that was imported, opened or "
				"made by hand has a row too, and `compare $2` adds plan $2. Plans above a limit come "
				"last. `A ~> B` first becomes the present redistribution. `--to TYPE` compares the "
				"present target with another one. `--merged` shows a plan ($2, a strategy's, by "
				"default exact, or the present one) beside its form with neighbouring steps merged, "
				"and why two steps cannot be. For a sum over placed axes under the model ports, the "
				"rows are published algorithms, the best program and the lower bound; a FILE whose "
				"lines have allreduce_s and optimal_s, measured seconds, is compared with "
				"predictions, and `compare published` has the 200 cells of the second paper. After "
				"`compute`, the rows are owner computes, the best way of einsum, the algorithms, the "
				"best schedule and your own; `--grow 4,8,16` repeats them on so many devices, "
				"with distributed sizes that grow so that the memory of a device stays the same; "
				"`run --grow` measures. After `einsum`, the first ten ways of the product (or "
				"`--limit N`) are shown side by side, as predicted and, after `run --compare ways`, "
				"as measured.",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\ncompare",
	},
	{
		.name = "advise",
		.area = "plan",
		.parameter = {{"A ~> B", KIND_REDISTRIBUTION, true}},
		.options = {OPTION(FOR), OPTION(FORM), OPTION(SEVERAL), OPTION(BUDGET), OPTION(WITHOUT), OPTION(JSON)},
		.changes = true,
		.run = command_advise,
		.about = "show what to write in your own program so that the system moves no more than it must",
		.help = "After `compute`, it weighs a schedule over the arrays as they are against one that "
				"redistributes them first. After `einsum` or `program`, it is about products: what "
				"XLA does by itself, where a constraint makes that cheaper, and how much it saves. "
				"Otherwise it is about the redistribution. Waypoints are types that the program asks "
				"for on the way. Each hop is planned as the system itself plans it (strategies xla, "
				"dtensor, shardy), so the system will do what is promised. If the axes of the mesh "
				"do not suffice, the waypoints use a finer mesh of the same devices. \"Write in your "
				"program\" means that received bytes, peak memory or predicted time falls and none "
				"of them rises. If one rises, the advice is an offer, with both numbers first; if "
				"none falls, there is no advice. `--for dtensor` also flattens mesh dimensions. "
				"`--form shard_map` writes the steps of the plan themselves, which leaves the "
				"compiler no choice. `plan --without allpermute` shows what it costs to do without "
				"an operation. An imported warning may be about one group of devices: type `mesh "
				"{...}` and `P(...) ~> P(...)` before or after the import, and the advice is for the "
				"whole program.",
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
		.about = "list the plans that trade memory for cost or time best, or take one of them as the plan",
		.help = "Memory is the height, or with `--measure live` the peak memory. Cost is what the "
				"model counts: with `model latency` or `calibrated` it is time, which more memory "
				"often reduces. `pareto 2` takes the second plan of the last table, as long as the "
				"problem is the same; with options it first makes a new table. After `compute`, it "
				"shows time (or with `--model volume` the elements that move) against live memory: "
				"this schedule with other numbers of steps, or the best schedules there are.",
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
		.about = "plan many problems, random ones or those of a file, by several strategies, and "
				 "plot how these compare",
		.help = "Without FILE, problems are drawn at random as in the evaluation of the first paper: "
				"three axes, 1 to 6 dimensions, 64 to 800 MB of f32. The answer shows search times "
				"(RQ1), the costs of the first two strategies against each other and their ratios "
				"(RQ2, figure 14), how well cost predicts the order of times (RQ3), and the worst "
				"cases, each with the line that opens it: `evaluate --take 17` makes problem 17 the "
				"present one, and with `--json` prints it as a line of such a file. `--by` orders "
				"the tables. `--run 20` executes the plans of the first 20 problems with arrays "
				"scaled to a tenth, and checks every element; `--scale 0.5` scales them to a half. "
				"`--resume FILE` saves results as they come, and continues from there.",
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
		.about = "execute the plan on virtual devices and compare every element; or test a lemma "
				 "on random cases",
		.help = "Without a plan, it makes one; after `compute`, it does what `simulate` does. If the "
				"data would not fit into `--memory` (setting `memory`), it checks the maps instead "
				"and says so. Of a reduction program it moves one number of each chunk, with "
				"`--full` every element. Steps that do not end on `to` are refused; with `--prefix` "
				"they are executed as far as they go. `verify lemma 4.6` (also theorem, principle, "
				"corollary and case) draws small random cases, computes what is promised, compares, "
				"and prints a case that refutes it as a script. A following `of placements` says "
				"which paper is meant, and `explain` lists what can be tested. `verify table 4` "
				"(also figure, result, question, section and the like) says how many of the numbers "
				"printed there agree with those computed here, and shows the others.",
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
			"execute the plan or the program on MPI ranks with real data, check every element and time every step",
		.help = "Without a plan, it makes one. A program that is present is executed, unless one "
				"of its redistributions is entered: products by a CBLAS found at run time (the "
				"variable SHARDWALK_BLAS names one), with each operation compared against whole "
				"arrays and timed; after `compute` and `tasks` the formula, part by part while "
				"messages travel. Above the setting `max_ranks` it asks first; in a script it "
				"refuses. Ctrl-C ends the ranks and keeps what was measured. `show times` shows "
				"results again, as pictures and from files. On the screens `m` runs the plan; the "
				"view of times (6) fills meanwhile, and `a` adds a strategy. A reduction program "
				"runs as rings, trees (`set allreduce`) and chains of messages. `--throttle` sends "
				"these through the simulated ports of its system. `--compare reductions` runs the "
				"programs that `reductions` lists, or `--limit N` of them, and counts over all sums "
				"of this session how often the fastest is among the first 1, 5 and 10 predicted. "
				"`run SUMS --compare reductions` does so for a file of sums: each line has "
				"statements that end in `reduce` and continues from the line before. After `einsum`, "
				"the best way of the product is executed, under a model in seconds the one predicted "
				"fastest; `--compare ways` runs the first ten, or `--limit N`, and compares them. "
				"`--compare alltoallw` runs the plan beside what MPI users write: the same problem "
				"by one MPI_Alltoallw on subarrays and by one MPI_Alltoallv on packed tiles, in "
				"turns, with every element checked. After `compute`, `--compare cannon,summa,own` "
				"runs the named rows of `compare` in turns. `pdgemm` is ScaLAPACK's, on block-cyclic "
				"copies of the same arrays, with the best block size from 32 to 256. Copying there "
				"and back is timed separately, and there is no ratio if it multiplies by another "
				"BLAS. It needs the package libscalapack-mpich2.2. Inside a host, ranks read a "
				"neighbour's tiles in place (`--in-place`). `--grow 1,2,4,8` runs those rows, or the "
				"present schedule, on so many ranks, with sizes that grow as in `compare --grow`. It "
				"shows the median, GFLOP/s of a rank (GB/s below four operations an element), and "
				"efficiency, that rate over the rate on the fewest ranks. Ranks predict the time of "
				"a schedule from their own rates: a message takes its latency plus bytes over "
				"bandwidth, a leaf the time of its operations; a step takes the longer of its leaf "
				"and the next messages if they overlap, else both. `compare` predicts in the same "
				"way from the rates of its hardware.",
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
		.about = "execute the program on virtual devices and compare every value with whole arrays",
		.help = "Inputs are small whole numbers, so sparse that sums come out the same in any order: results are "
				"compared bit for bit. After operations such as exp, results are compared within a "
				"bound on rounding errors, which is shown. A program that needs more than `--memory` "
				"(setting `memory`) is refused, with both numbers. `run` executes it on MPI ranks.",
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
		.help = "This takes about five minutes on two cores. It starts ranks three times for shared "
				"memory and once for messages, or --launches times for each (1 takes half the time), "
				"and takes medians. The result is kept next to the history of the prompt; `info` "
				"shows it, and `run` and `show times` predict from it.",
		.example = "calibrate --ranks 2",
	},
	{
		.name = "hardware",
		.area = "machine",
		.parameter = {{"NAME [= RATES]", KIND_HARDWARE, true}},
		.changes = true,
		.options = {OPTION(JSON)},
		.run = command_hardware,
		.about = "list known hardware with the sources of its numbers, choose one, or define one",
		.help = "The models `latency` and `roofline` use the chosen hardware; links that the mesh "
				"gives its axes take precedence. RATES are the bandwidth and latency of a link, and "
				"optionally `node N BANDWIDTH LATENCY` (groups that leave a node of N devices "
				"use the network), `ring N` (a torus whose axes close to rings at multiples of "
				"N), `copy "
				"BANDWIDTH` and `start TIME` of packing, `flops N` a second, and `memory BANDWIDTH` "
				"of a device. `explain hardware` describes them; `model calibrated` is the machine "
				"in front of you.",
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
		.about = "list what can be walked, or choose what the next `step` continues",
		.help = "`search` walks the local types between both ends, with the costs of collectives; "
				"`reductions` walks the contexts of a sum over placed axes, that is all that devices "
				"can hold on the way, with the seconds of steps; `steps` walks the tasks of a "
				"repeated formula, round by round. The newest is walked: a new problem selects the "
				"search, `reductions` the contexts, `tasks` the steps. The first word of an answer "
				"names it.",
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
		.about = "visit the next node of the search, or the next N",
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
		.about = "take back the last step of the search, or the last N",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nstep 3\nback",
	},
	{
		.name = "continue",
		.area = "walk",
		.options = {OPTION(JSON)},
		.run = command_continue,
		.about = "continue the search until it visits the goal",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nstep\ncontinue",
	},
	{
		.name = "finish",
		.area = "walk",
		.options = {OPTION(JSON)},
		.run = command_finish,
		.about = "finish the search; show the optimum over local types, the plan made from it, "
				 "and what `fused` saves",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nfinish",
	},
	{
		.name = "frontier",
		.area = "walk",
		.options = {OPTION(BY), OPTION(FOLD), OPTION(JSON)},
		.rows = {&walk_node_words},
		.run = command_frontier,
		.about = "list the nodes that the search may visit next, in that order",
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
		.help = "Without NODE, it is the node that `goto` chose or, failing that, the last one "
				"visited.",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nedges\nedges [6,1] --refused",
	},
	{
		.name = "goto",
		.area = "walk",
		.parameter = {{"NODE", KIND_TILE_OR_NODE, false}},
		.options = {OPTION(JSON)},
		.run = command_goto,
		.about = "go to a node, named by its number or its local type; in a walk of tasks, go to "
				 "that round",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nstep\ngoto [6,1]\nedges",
	},
	{
		.name = "path",
		.area = "walk",
		.parameter = {{"NODE", KIND_TILE_OR_NODE, true}},
		.options = {OPTION(BY), OPTION(FOLD), OPTION(JSON)},
		.rows = {&walk_node_words},
		.run = command_path,
		.about = "show the best known path from the start to a node",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nfinish\npath",
	},
	{
		.name = "apply",
		.area = "by hand",
		.parameter = {{"OPERATION", KIND_OPERATION, false}},
		.changes = true,
		.run = command_apply,
		.about = "apply one operation to the result of the steps so far, starting at `from`",
		.help = "An operation whose premise fails is refused, with the number that broke it. `undo` "
				"takes an operation back; `show plan`, `verify` and `export` treat the sequence as "
				"the plan. On a placed mesh allreduce, reducescatter, allgather, reduce and "
				"broadcast have a group form: `inside LEVEL` (the devices of each unit), `across "
				"LEVEL [in ANCESTOR]` (the i-th devices of all units of one ancestor; without `in`, "
				"of the root), `masters LEVEL [in ANCESTOR]` (only the first devices). LEVEL is a "
				"level of the system, `root`, or the number of a factor; `set hierarchy` lists the "
				"factors. Such steps work on the chunks of the present sum, and show the groups and "
				"what devices then hold, or the premise that fails (R01 to R09). A sequence works "
				"either on types or on chunks.",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\napply allgather(0)\napply "
				   "dynslice(0, x)",
	},
	{
		.name = "replace",
		.area = "by hand",
		.parameter = {{"STEP", KIND_NUMBER, false}, {"OPERATION", KIND_OPERATION, false}},
		.changes = true,
		.run = command_replace,
		.about = "replace a step of the plan by another operation, and see which later steps "
				 "become impossible and why",
		.help = "The plan becomes a sequence by hand: the steps before, the other operation, and as "
				"many of the steps after as are still possible. `undo` brings the plan back.",
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
		.help = "Each unit of a level has a port to the switch of the enclosing unit: one port for "
				"each direction, or with `shared` one for both. Devices are numbered row-major, the "
				"innermost level fastest, and the levels are the axes of the mesh until `axes` names "
				"others. p2-a100 N and p2-v100 N are the two systems of the second paper, with N "
				"nodes; in p2-a100-fitted N and p2-v100-fitted N the rates inside a node were fitted "
				"to the paper's measurements (see `compare published`).",
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
		.about = "name the axes of parallelism that `place` puts on the system",
		.help =
			"Their product is the number of devices. They are the mesh of all types; `place` assigns devices to positions.",
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
		.about = "set the sum to complete, and its axes: TYPE+{AXIS, ...} ~> TYPE",
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
		.about = "list the ways to place the axes on the levels, the fastest for the present sum "
				 "first",
		.help = "A placement is a matrix with a row for each axis and a column for each level; the "
				"products of its rows and columns are their sizes. Its seconds are those of the "
				"busiest ports in each step: of one all-reduce, of the best program of any length, "
				"and a lower bound for every algorithm. `placements {data} 1GiB, {shard} 64MiB` "
				"weighs the sums of a whole training step. Without a sum there are no seconds. All "
				"placements, at most ten million, are timed, and the fastest thousand are listed; "
				"after Ctrl-C it ranks those it has seen, and says so.",
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
		.about = "place the axes on the levels: a row of `placements`, a matrix, or the order of "
				 "Megatron or JAX",
		.help = "`place 2` takes a row, `place [[2 4] [2 4]]` a matrix. `place megatron "
				"tp-cp-ep-dp-pp tp=4 dp=4 pp=4` and `place jax (2,8) (4,1)` (the mesh_shape and "
				"dcn_mesh_shape of create_hybrid_device_mesh) also define the axes. An order that is "
				"not a placement is refused.",
		.example = "system p2-a100 4\naxes {data: 8, shard: 8}\nplace [[2 4] [2 4]]",
	},
	{
		.name = "reductions",
		.view = "reductions",
		.area = "place",
		.late = 1,
		.parameter = {{"N|NAME", KIND_REDUCTION, true}},
		.options = {OPTION(LENGTH), OPTION(LIMIT), OPTION(BY), OPTION(FOLD), OPTION(JSON)},
		.changes = true,
		.rows = {&reductions_words},
		.run = command_reductions,
		.about = "list the programs of collectives that compute the present sum on the "
				 "placement, the fastest first",
		.help = "A step works inside the units of a level, across them (the i-th devices of all), or "
				"between their first devices (masters). A search of all that devices can hold proves "
				"which program, of any length, is fastest. Given a number, that program becomes the "
				"plan, which can be shown, verified, run, saved and exported. So does a published "
				"algorithm given its name (`compare` lists them), and the fastest program of any "
				"length given `best`. `set allreduce tree` "
				"and `set masters all` change what is counted. `step` then walks the graph of that "
				"search.",
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
		.about = "take back the last `undo`, if nothing has changed since",
		.example = "mesh {x: 4}\nmesh {x: 8}\nundo\nredo",
	},
	{
		.name = "normalize",
		.view = "rewriting",
		.area = "by hand",
		.changes = true,
		.run = command_normalize,
		.about = "rewrite the sequence into normal form, showing every rewrite",
		.help = "Without steps by hand, it starts from the obvious sequence: gather every "
				"dimension, then slice. The normal form becomes the sequence.",
		.example = "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nnormalize",
	},
	{
		.name = "adjoint",
		.area = "by hand",
		.late = 1,
		.changes = true,
		.run = command_adjoint,
		.about = "turn the present plan into the plan of its derivative",
		.help = "The two ends are swapped, and in each type sums and unused axes are swapped: if a "
				"value was copied, its derivatives are summed. allgather and reducescatter are "
				"swapped, as are dynslice and pad; an alltoall is reversed; allreduce and zeros "
				"stay.",
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
		.help = "`show type`, `tiles` and `devices` take a type, its name, or the words from and to. "
				"Pictures of a plan take its number, $1, or a strategy; without a plan they make "
				"one. `show times` takes the number of a run, and with `--sweep 1KiB:64MiB` predicts "
				"the time of the plan at these sizes. `show rewriting --step 2` draws the second "
				"rewriting of the sequence that `normalize` prints, `show rewriting paper` the "
				"rewritings of that strategy. `show rounds 2` draws step 2 hop by hop on the rings "
				"and lines of `hardware`, or with `--one-way` in one direction of each link. "
				"`--element 5,7` marks in tiles, devices, type, mesh and traffic the devices that "
				"hold that element; `show graph --lanes` is the drawing that `v` switches to. `show "
				"system`, `placement`, `groups`, `state`, `hierarchies` and `reductions` draw axes "
				"on a system and sums over them; `--step 1` selects a step by hand on chunks, and "
				"`show groups across cpu in server` draws any groups. `show sets` takes a type of "
				"any kind: `--element 5,7` lists who holds that element and at which local index, "
				"`--device 3` what that device holds. `show relation` lists who needs what from whom "
				"between both ends, and the pattern. Both answer in JSON with --json.",
		.example = "mesh {x: 4, y: 6}\nshow mesh\nshow tiles [3{x}12, 2{y}12]",
	},
	{
		.name = "film",
		.area = "look",
		.parameter = {{"STEP|$N", KIND_MOMENT, true}},
		.options = {OPTION(STEP), OPTION(DIMS), OPTION(ELEMENT), OPTION(TILE), OPTION(DEVICE), OPTION(BESIDE),
			OPTION(WAY)},
		.changes = true,
		.fields = true,
		.late = 3,
		.run = command_film,
		.about = "draw the whole plan as a row of small pictures",
		.help = "Each picture is the array before the first step or after a step. Lines are the "
				"borders of tiles. Each element has the colour (without colour, the letter) of the "
				"device that held it first. A value with terms not yet added has a line for each "
				"term; lines of one colour have been added up. Below are the memory of a device and, "
				"to scale, the time of each step. Large arrays are drawn in blocks. `--element 5,7` "
				"follows an element, `--element 5,7 --tile 1` the whole tile that has it after step 1; "
				"`film 2` is about step 2. After `ways 1`, `compute` or "
				"`schedule`, the film shows the program: a row for each array, with what moves and "
				"what is computed; `--element B[1,2]` follows an element of one of them. `--device 3` "
				"highlights what that device has. `--beside naive` "
				"draws the plan of another strategy below, at the same moment of one time axis, and "
				"`--way 2` another way of a product; "
				"after a run of the plan, the axis also has the measured times. On the screens Left "
				"and Right move by a tenth of a step, Up and Down choose the device, Space plays, d "
				"draws the next plan below, Enter pins an element, t its tile, then its device, and "
				"Enter goes into the tiles; Esc comes back.",
		.example =
			"mesh {x: 4, y: 6}\nredistribute [3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]\nfilm\nfilm 2 --element 5,7\n"
			"film 2 --element 5,7 --tile 1\n"
			"film --beside naive",
	},
	{
		.name = "explain",
		.area = "look",
		.parameter = {{"CODE", KIND_CODE, true}},
		.raw = true,
		.fields = true,
		.run = command_explain,
		.about = "explain an error, an operation, a strategy, a model, a lemma of a paper, or what a sharding means",
		.help = "A sharding may be in any notation: it is explained step by step, with the tile of "
				"every device, and written in all other notations; if it has no tiles, the answer "
				"lists what each device has. For two shardings with `~>` between them it says "
				"whether they are the same. `explain metafunctions TYPE` and `explain meaning TYPE` "
				"apply figures 6 and 7 of the first paper to a type: axes, sizes, base offsets and "
				"rules. A size `over` a number of devices or over mesh axes, as in 10 over 2x3, "
				"shows what the systems do if it does not divide. Typing rules have names: explain "
				"E-SHARED. Lemmas, theorems, figures, tables, questions and terms of the papers are "
				"explained with an example, or with numbers computed here beside those printed "
				"there, and why they differ: explain lemma 4.6, explain pop quiz 2. If several "
				"papers have one of the same name, the first paper's is shown; a following `of "
				"redistribution`, `of placements`, `of book` or `of distributions` says which. "
				"Without an argument, it lists all topics.",
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
		.about = "read and type-check a program over sharded arrays, or show the present one",
		.help =
			"A program is a mesh, a function with typed inputs, statements and a return, as listings 1 to 3 of the first paper write it. "
			"A statement is NAME = spmd_op with a body that every device runs on its tiles; NAME = redistribute NAME as TYPE; NAME = "
			"einsum \"ij,jk->ik\" A B; NAME = compute with a formula in quotes; or " ELEMENTWISE
			"of names. A following `as TYPE` sets the type in which the value is kept; `as ?` "
			"leaves it open for `assign`. An input may be open too: x : ?[64, 32]. # and // "
			"begin comments. It becomes the present program, and its mesh becomes that of the "
			"session. Without an argument, every value is shown with its type, its memory on a "
			"device and (if hardware is set) its time, and every redistribution with its plan.",
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
		.about = "choose the open types of the program so that communication costs least, with a "
				 "proof and the runner-up",
		.help = "Each value has a home type; inputs may be moved to one, too. A value that is used "
				"more than once may also be kept in a second type, made from its home; each use "
				"starts from the cheaper of the two. If several uses need the same move, its result "
				"is a value with a name of its own. A statement computes in the types of its "
				"operands as used. Open inputs may have any type without sums. The proof covers all "
				"programs of this kind. `--by cost` counts elements. `--by time`, and models in "
				"seconds, count seconds of the model, or of roofline on the hardware that is set: "
				"over whole axes, with products, without overlap. `--budget` limits every tile. "
				"`--live` limits all that a device holds at once: inputs and values that are needed "
				"later, operands as used, the result, and the tiles before and after a step; with "
				"it, each value is kept in one type and no input is moved. If no types keep to a "
				"limit, the smallest limit that admits some is shown. Ctrl-C or `set memory` ends "
				"the search early: then the answer is not proved, and a lower bound is shown. `undo` "
				"brings the open program back.",
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
		.about = "make a redistribution of the program, or the movement of an array of a "
				 "formula, the present problem",
		.help = "`program` numbers the redistributions. After `compute`, `enter x` goes from what "
				"devices hold of x to what they need, alpha to beta; for the left side, from where "
				"it is made to where it is kept. In a step of a schedule, it is the part of x that "
				"moves in that step, or for the left side the terms that are added; `enter x@2` is "
				"about level 2 of the mesh. The previous problem waits: `leave` brings it back.",
		.example =
			"program mesh {x: 2} fn f(a : [4{x}8, 6]) -> [8, 3{x}6] { b = redistribute a as [8, 3{x}6] return b }\nenter 1\nplan\nleave",
	},
	{
		.name = "leave",
		.area = "program",
		.late = 1,
		.changes = true,
		.run = command_leave,
		.about = "return from `enter` to the previous problem, and keep the plan",
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
			"read what a compiler printed: warnings from XLA or DTensor, pairs of shardings, a module, or a JAX product",
		.help = "FILE is a log of any length, TEXT a pasted line, - standard input. A descriptor of "
				"ScaLAPACK or another placement becomes `from`, a call of pdgemr2d the problem. A "
				"single pair becomes the problem, and is shown with what XLA does now and what the "
				"plan would do. Several make a table, sorted by what moves most, with each row's "
				"share of all bytes; `--by saved`, `time` or `line` sorts otherwise, and `--fold "
				"line`, `loop` or `kind` merges the rows of one line, loop or kind. The line of a "
				"row is that of its collective (if several, the one that moves most). Row numbers do "
				"not change: `import FILE N` takes row N (options may come before N), `import --take "
				"N` takes it from the last table, and `advise` is then about it. In a module, chains "
				"of collectives become plans: the one that is taken can be shown, verified, run and "
				"compared; if a sum costs more than it must, its row says so. A StableHLO module "
				"that multiplies or adds also becomes the present program. So does a line such as "
				"jnp.einsum('bd,df->bf', x: f32[8@x,2048], w: f32[2048,8192]), jnp.dot, jnp.matmul "
				"or @, over the present mesh, and a file of JAX that makes its mesh and arrays and "
				"multiplies them; values without a sharding are open. A module or a file of JAX "
				"becomes a program if it makes at most 100,000 operations, with functions counted at "
				"each call. What it moves is always counted, times how often it runs; after "
				"1,000,000 repeated operations, calls with other shardings count as the first call "
				"does. All collectives of a module are counted, including those that are not "
				"redistributions: the bytes that a device receives and, below the rows, where, in "
				"what groups or ring, and how often. Files of plans and results are opened, plans of "
				"up to 2,000 steps. `--times 96x1000` counts every layer and step. `--mesh {data: 2, "
				"fsdp: 4}` is the program's mesh: problems and `advise` use its axes. `--follow` "
				"keeps reading while a build writes FILE, shows each new warning, and answers on "
				"Ctrl-C or at the end of a pipe. If the text does not give a shape, that of `shape` "
				"is used. `import LOG --module FILE` takes mesh, shape and shardings of the warned "
				"values from the module before partitioning.",
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
		.about = "write the plan, a picture or a report to a file, or write code for another system",
		.help = "FILE - is standard output. The file keeps its old contents until everything is "
				"written. Code is that of the plan. With the word advice instead of a plan, jax, "
				"dtensor and shardy write the waypoints of `advise`. With the word program, or "
				"without a problem, these and stablehlo, shard_map and mpi write the present "
				"program; shard_map and mpi write its redistributions step by step, as `run` "
				"executes them. Formats of plans take --strategy and the limits of `plan`. Pictures "
				"take the arguments and options of `show`, or are those of compare, pareto, explain, "
				"import, ways and others: `export svg out.svg tiles --step 1`, `export svg out.svg "
				"compare FILE`.",
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
		.about = "read a plan from a file, check it and make its problem the present one; or show a result of `run`",
		.help = "A session written by `save` is restored; a program is read as by `program`.",
		.example = "open plan.json",
	},
	{
		.name = "save",
		.area = "exchange",
		.parameter = {{"FILE", KIND_FILE, false}},
		.run = command_save,
		.about = "write the session as a script that restores it",
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
		.help = "`source --pace 2000 tour.sw` plays it: each statement appears before it runs, and "
				"its answer stays for two seconds. On the screens, the comment before a statement "
				"appears above the bar, and each statement opens the view that shows its effect; "
				"Space pauses and C-c stops. `--record FILE` also writes what the terminal showed, "
				"as an asciicast (version 2), by default at the setting `pace`.",
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
		.about = "plan many problems, one on each line, and answer each on one line",
		.help = "A line is JSON, {\"name\": ..., \"mesh\": \"{x: 4}\", \"from\": ..., \"to\": ...}, or text, MESH "
				"FROM ~> TO  # name. src_mesh and dst_mesh, or mesh and to_mesh, name two meshes, of the "
				"same devices or of others. A line with \"op\" and \"hardware\" asks how long one "
				"collective takes, a line with \"text\" what a sharding, a placement or a call of "
				"pdgemr2d means, a line with \"type\" what each device holds. With --answer "
				"relation, both ends may be types of any kind, and the answer is who needs what from "
				"whom. Nothing is proved beyond the search unless --prove asks for it. The answer to "
				"a bad line is its error; the others go on. With --advise jax --json, the answer is "
				"the line itself with \"via\": waypoints for the program, on a finer mesh if needed. "
				"Lines that start with # are skipped. FILE - is standard input.",
		.example = "batch problems.jsonl --strategy exact --json",
	},
	{
		.name = "help",
		.area = "session",
		.parameter = {{"COMMAND", KIND_COMMAND, true}},
		.options = {OPTION(KEYWORD), OPTION(MAN)},
		.run = command_help,
		.about = "list the commands, or describe one",
		.help = "`?` does the same. Topics of `explain` work, too: help notation.",
		.example = "help plan\nhelp -k memory",
	},
	{
		.name = "completion",
		.area = "session",
		.parameter = {{"SHELL", KIND_SHELL, false}},
		.late = 1,
		.run = command_completion,
		.about = "print the code that completes words after `shardwalk` in bash or zsh",
		.help = "`make install` puts both where these shells find them. By hand: source "
				"<(shardwalk completion bash).",
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
		.about = "choose which views the screens show together, or list the layouts",
		.example = "layout walk\nlayout",
	},
	{
		.name = "focus",
		.area = "session",
		.parameter = {{"VIEW", KIND_SCREEN, false}},
		.options = {OPTION(STEP), OPTION(DEVICE), OPTION(ELEMENT), OPTION(TILE)},
		.run = command_focus,
		.about = "go to a view of the screens",
		.help = "--step goes to that step of the plan; --device and --element follow a device and an "
				"element, and with --tile the tile that has the element after a step. `save` also "
				"writes the views before, so that `open` restores them.",
		.example = "mesh {x: 2}\n[2{x}4] ~> [4]\nplan\nfocus tiles --step 1 --element 3",
	},
	{
		.name = "bind",
		.area = "session",
		.parameter = {{"KEY", KIND_WORD, true}, {"COMMAND", KIND_TEXT, true}},
		.run = command_bind,
		.about = "bind a key of the screens to a command or an action, or list the keys",
		.help = "Keys are characters, C-x for control keys, and names such as PgDn, F2, Enter "
				"and Space. `bind` lists the actions; `none` unbinds a key.",
		.example = "bind F2 plan paper\nbind w go-step\nbind w",
	},
	{
		.name = "tour",
		.area = "session",
		.parameter = {{"STEP", KIND_NUMBER, true}},
		.flows = true,
		.run = command_tour,
		.about = "show what the program does, in short steps",
		.help = "At the prompt, an empty line goes to the next step and `q` leaves; every command "
				"works in between. On the screens, each step types its line and presses its keys, at "
				"the setting `pace`, and says above the bar what to look at. Enter goes on; b goes "
				"back to the step before, with the session as it was; Space pauses; Esc leaves. "
				"`tour 3` goes to a step, `tour 0` leaves. The session is then as it was before the "
				"tour, and `undo` brings back what the tour defined.",
		.example = "tour",
	},
	{
		.name = "history",
		.area = "session",
		.parameter = {{"N", KIND_NUMBER, true}},
		.range = {1, HISTORY_MOST},
		.options = {OPTION(KEYWORD)},
		.run = command_history,
		.about = "list the lines typed so far, or the last N of them",
		.help = "A terminal shows as many of the last lines as fit. Ctrl-R searches them at the "
				"prompt. They are kept for the next session, unless the program was started with "
				"--no-history.",
		.example = "history 20\nhistory -k plan",
	},
	{
		.name = "info",
		.area = "session",
		.run = command_info,
		.about = "show versions, files and settings",
		.example = "info",
	},
	{
		.name = "clear",
		.area = "session",
		.run = command_clear,
		.about = "clear the terminal or the pane of answers; definitions stay",
		.example = "clear",
		.bare = true,
	},
	{
		.name = "quit",
		.area = "session",
		.parameter = {{"STATUS", KIND_NUMBER, true}},
		.range = {0, 255},
		.run = command_quit,
		.about = "leave, optionally with an exit status",
		.help = "`exit` does the same.",
		.example = "quit 0",
	},
};

const int command_count = sizeof(commands) / sizeof(*commands);

const struct kind_row kind_rows[KIND_END] = {
#define X(id, says, ...) {.about = says, __VA_ARGS__},
	KINDS(X)
#undef X
};
