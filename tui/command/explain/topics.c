/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The strategies, the models and some words, at length.
 *
 * What a strategy that follows another system does differently from it stands under `differs`: how the two were compared is in
 * tests/unit/test_xla.c and its neighbours.
 */
#include "command/explain/elsewhere.h"
#include "command/explain/topics.h"

#include <string.h>

#define UNEVEN \
	"Sizes that a step would not cut evenly are refused, and the message names the step and the tiles that the system would " \
	"pad; `set uneven pad` follows it on an array that is padded as a whole, where the system pads each end by itself and may " \
	"take other steps. "

static const struct topic
	topics
		[] =
			{
				{
					TOPIC_STRATEGY,
					SW_NAIVE,
					NULL,
					NULL,
					{
						{"does",
							"Gathers every dimension that `from` cuts, one a step from the first to the last, until every device has the "
							"whole array; then slices each dimension that `to` cuts."},
						{"memory",
							"The whole array on every device. The budget is not looked at; a plan that exceeds it says so."},
						{"for", "The yardstick: what a program does that asks for the array and takes its part."},
					},
					"plan naive",
				},
				{
					TOPIC_STRATEGY,
					SW_PAPER,
					NULL,
					NULL,
					{
						{"does",
							"Searches the cheapest path over local types, which say how large tiles are and not which axes cut them, by "
							"slices, alltoalls and gathers of one dimension; then gives the path axes, with one permutation where they do not "
							"come out as they have to."},
						{"memory",
							"No tile above the budget. At 1x, the larger of both ends, there is a plan unless operations are forbidden."},
						{"proves",
							"The optimum over local types: no plan of steps of one dimension costs less. The plan costs that, or a permutation more."},
					},
					"plan paper\nfinish\npath",
				},
				{
					TOPIC_STRATEGY,
					SW_EXACT,
					NULL,
					NULL,
					{
						{"does",
							"Searches over the axes themselves, and parts of them: which cuts which dimension in which order. Steps "
							"gather and split one dimension; permutations are edges like all others, with their cost."},
						{"memory", "No tile above the budget; `--live` bounds what is held at once."},
						{"proves",
							"A lower bound comes with the plan, and `optimal` where the cost is that bound. Searches end after a number of "
							"edges that does not depend on the machine; the bound then says how far the plan may be off."},
						{"seconds",
							"Under `latency` and `calibrated` every move is priced by the machine; gather-and-slice, and what other "
							"systems do in such steps, are candidates too. `optimal` then means that no such plan takes less that holds a "
							"type after every step."},
					},
					"plan exact",
				},
				{
					TOPIC_STRATEGY,
					SW_FUSED,
					NULL,
					NULL,
					{
						{"does",
							"Like `exact`, but one step may gather several dimensions and split several: what takes two alltoalls of one "
							"dimension is often one of two, at half the cost."},
						{"memory", "No tile above the budget; `--live` bounds what is held at once."},
						{"proves",
							"As for `exact`. On a mesh of one prime the bound may speak only of plans that hold a type after every step; "
							"the manual says so under STRATEGIES."},
						{"seconds",
							"Under `latency` and `calibrated` the plans of `paper`, `exact`, `shardy`, `xla`, `dtensor` and "
							"`dtensor-min-cost` are candidates where they fit the budget and their planner ends soon: it takes no longer than the "
							"best of those. Under `calibrated` a plan of its own has to promise a tenth less."},
					},
					"plan\ncompare",
				},
				{
					TOPIC_STRATEGY,
					SW_XLA,
					NULL,
					NULL,
					{
						{"does",
							"Follows XLA's SPMD partitioner. The first pattern that matches decides, in this order: permute (same tiles, "
							"other devices); all-to-all (the same numbers of tiles in another order, pairs that share no dimension in one); slice "
							"of copies; the tiles one dimension further with copies taken or made; gather; a dimension seen as two; one dimension "
							"gathered; copies cut; groups of devices as smaller problems; else the whole array on every device, and a slice."},
						{"sums",
							"What `to` does not sum goes by one all-reduce first; the module holds it and a slice where the plan shows a reduce-scatter. What only `to` sums becomes zeros at the end; a dimension that keeps `to`'s parts and behind them only such is padded last. Where sums end and others begin it fails."},
						{"memory",
							"XLA looks at no bound. A plan that exceeds the budget says so; where the original prints \"Involuntary full "
							"rematerialization\" the plan has that as its note."},
						{"agrees",
							"With the partitioner of jaxlib 0.10.2, read right after its pass: kind and local type of every step in all of "
							"630 recorded problems, and in thousands of fresh ones."},
						{"differs",
							UNEVEN
							"The members of a gather's groups are chosen anew: with copies, the original may take the same tile from "
							"another of its holders. Passes of XLA that come later may merge or hide steps. Other versions have other patterns."},
						{"refuses",
							"What the partitioner itself ends on with a fatal error; tiles that are no boxes where a dimension is seen as "
							"two; patterns that lead to no end within 64 steps."},
					},
					"plan xla\nadvise --for jax",
				},
				{
					TOPIC_STRATEGY,
					SW_SHARDY,
					NULL,
					NULL,
					{
						{"does",
							"Follows Shardy's pass sdy-reshard-to-collectives. In at most two rounds: slice by axes that are free and "
							"wanted, also where an alltoall will take them along; permute where axes have to change places or order; alltoalls, "
							"in order first, then out of order; one gather of all that nobody wants. Axes may be cut into sub-axes. No search, "
							"no costs."},
						{"sums",
							"As XLA: one all-reduce first, zeros or a pad at the end; sums that end and others that begin fail. Where the pass slices next, the beginnings of the lists of sliced axes that make up just the sums go into one sdy.reduce_scatter."},
						{"memory", "There is no bound, but no recorded plan exceeds the larger of both ends."},
						{"agrees",
							"With the pass of jaxlib 0.10.2: kind and local type of every step in all of 630 recorded problems, and in "
							"thousands of fresh ones, those with sub-axes among them."},
						{"differs",
							UNEVEN
							"A step that would change nothing is kept as the original keeps it, and the plan's note says so."},
						{"refuses",
							"What the pass refuses or leaves undone: a permute that would change the number of tiles, sub-axes that cannot "
							"be in one sharding, and what two rounds do not finish."},
					},
					"plan shardy\nadvise --for shardy",
				},
				{
					TOPIC_STRATEGY,
					SW_DTENSOR,
					NULL,
					NULL,
					{
						{"does",
							"Follows PyTorch DTensor's redistribute. One mesh axis a step: where axes further out shard a dimension otherwise "
							"than the target, the inner one is gathered; from the last axis to the first each takes its target placement; what "
							"had to be replicated takes it at last, first axis first. Where an end has a shard order that is not the default, "
							"its search decides, as in `dtensor-min-cost`."},
						{"sums",
							"One mesh axis a step too: all-reduce, reduce-scatter, or Replicate to Partial, which divides by the size where `zeros` does not. Shard to Partial in one step is refused, as the original raises there. The search of torch 2.15 has that step."},
						{"memory",
							"DTensor looks at no bound: gathers come before slices, and may hold the whole array."},
						{"agrees",
							"With the planner of torch 2.13.0: kind and local type of every step in all of 615 recorded problems that it "
							"cuts evenly, and in thousands of fresh ones."},
						{"differs",
							UNEVEN
							"Gathers of one dimension in a row stay apart, with DTensor's own warning as a note: it merges them only "
							"where a flattened mesh was made before. Some backends carry out an alltoall as a gather and a chunk."},
						{"refuses", "Parts of axes, for which there is no placement."},
					},
					"plan dtensor\nadvise --for dtensor",
				},
				{
					TOPIC_STRATEGY,
					SW_DTENSOR_MIN_COST,
					NULL,
					NULL,
					{
						{"does",
							"Follows DTensor's graph search, which it uses when asked for the least cost: Dijkstra over the placements of the "
							"mesh axes and their shard orders, one axis an edge. Its own model of time is in it: 6.6 us and a latency a hop, "
							"bytes over a ring, 1 us more for an alltoall, slices free."},
						{"memory",
							"Time only counts: small arrays often pass through replication, which the budget does not forbid."},
						{"agrees",
							"With the planner of torch 2.13.0: kind and local type of every step in all of 589 recorded problems that it "
							"cuts evenly, and in thousands of fresh ones."},
						{"differs",
							UNEVEN
							"Links are those between hosts, 19.3 GB/s and 2.7 us, as the original has them on CPU, where every device "
							"counts as a host; on machines with several devices a host it may find another path. The search ends after 4 million "
							"paths with an error; the original goes on for minutes."},
						{"refuses", "Parts of axes, for which there is no placement."},
					},
					"plan dtensor-min-cost",
				},
				{
					TOPIC_STRATEGY,
					SW_DIRECT,
					NULL,
					NULL,
					{
						{"does",
							"One exchange: every device gets each part of its tile from a device that holds it, and nothing else."},
						{"memory", "Both ends at once, and no more."},
						{"for",
							"The fewest bytes that a device can get. It is no collective of one shape: many small messages may take longer than the "
							"bytes say, which `run` shows; formats of collectives cannot be exported."},
					},
					"plan direct --model volume",
				},
				{
					TOPIC_STRATEGY,
					SW_SUM_FIRST,
					NULL,
					NULL,
					{
						{"does",
							"One allreduce over all sums, those that `to` keeps too, then the cheapest redistribution of the whole values."},
						{"memory", "The budget is not looked at; a plan that exceeds it says so."},
						{"for", "What a program costs that finishes its sums before it moves anything."},
					},
					"plan sum-first",
				},
				{
					TOPIC_MODEL,
					SW_MODEL_PAPER,
					NULL,
					NULL,
					{
						{"counts",
							"Elements per device. dynslice, zeros and pad: 0. allgather and exchange: the tile that it makes. alltoall and allpermute: the "
							"tile, which keeps its size. reducescatter: the tile before it; allreduce: twice its tile. What stays on the device is counted "
							"with the rest."},
						{"for", "Comparing plans as the literature does, without a machine."},
					},
					"model paper",
				},
				{
					TOPIC_MODEL,
					SW_MODEL_VOLUME,
					NULL,
					NULL,
					{
						{"counts",
							"Elements per device that arrive from another one: of an allgather, alltoall, reducescatter or allreduce by n devices, all but "
							"one n-th of what the model `paper` counts; of an allpermute, the tile; of an exchange, what a device lacks at most. "
							"Slices, zeros and pads are free, and steps that move nothing."},
						{"for", "Networks that are busy, where bytes count and rounds do not."},
					},
					"model volume",
				},
				{
					TOPIC_MODEL,
					SW_MODEL_LATENCY,
					NULL,
					NULL,
					{
						{"counts",
							"Seconds. A step takes one latency for each of its rounds, n - 1 for a group of n, twice that for an allreduce; its bytes from other devices "
							"over the bandwidth; and where the blocks that it moves are not whole in memory, `start` for each pass of packing and "
							"the packed bytes over the rate of packing. A slice is packed too."},
						{"machine",
							"The row that `hardware` chose; links that the mesh gives its axes count before it, the slowest that a step "
							"crosses. Small arrays are all rounds: with memory to spare, gather and slice then wins."},
						{"leaves out", "Contention between groups but on a torus, and overlap of steps."},
					},
					"model latency\nhardware h100",
				},
				{
					TOPIC_MODEL,
					SW_MODEL_CALIBRATED,
					NULL,
					NULL,
					{
						{"counts",
							"Seconds as `latency` does, by rates that `calibrate` measured here: for each operation, group size and amount of "
							"bytes, interpolated between; a slice is a copy, and what sums is measured with the pass that adds; short runs of bytes take as much longer as they were measured to."},
						{"machine",
							"This one: a calibration of another host, number of processors or MPI is refused (S10). With more ranks than "
							"processors, rates are divided accordingly."},
					},
					"calibrate\nmodel calibrated",
				},
				{
					TOPIC_MODEL,
					SW_MODEL_PORTS,
					NULL,
					NULL,
					{
						{"counts",
							"Seconds. Each unit of a level has a port to the switch of the unit around it, one for each direction, or one for both where "
							"`shared` is given. A message loads the ports of sender and receiver at every level from the outermost on which they "
							"differ to the innermost. A step takes its busiest port's bytes over the bandwidth, and the latency of the outermost level "
							"that a group crosses times the rounds."},
						{"groups",
							"n members that bring b bytes each are a ring in their order: 2 b (n - 1) / n on every edge for an allreduce, b (n - 1) / n for a "
							"reducescatter, b (n - 1) for an allgather; a reduce and a broadcast are that ring without the edge that leaves or enters the "
							"root, b on each. With `set allreduce tree` an allreduce is a chain inside each unit and two binary trees between their firsts. "
							"Rounds: 2 (n - 1) for an allreduce, 2 log2 n for trees, else n - 1."},
						{"pieces",
							"In an alltoall, an allpermute and an exchange each piece goes straight to its receiver; dynslice, zeros and pad take 0."},
						{"searches",
							"`plan` asks for seconds of whole plans: those that other models find, other systems' and, of a sum, the best program. No plan over "
							"types is proved to be the fastest. The walk counts elements, as `paper` does."},
						{"source",
							"The paper of the systems p2-a100 and p2-v100 states bandwidths and no formula: this one is ours, and was chosen with its measured "
							"seconds in view. `compare FILE` shows both; on ranks, `run --throttle` lets messages pass such ports."},
					},
					"system p2-a100 4\naxes {data: 8, shard: 8}\nplace 2\nreduce {data} f32[1024]\ncompare",
				},
				{
					TOPIC_MODEL,
					SW_MODEL_ROOFLINE,
					NULL,
					NULL,
					{
						{"counts",
							"Seconds, added up over the steps. V is the larger tile in bytes, T the tile of an alltoall, X the "
							"size of an axis, W the bandwidth of a link in one direction. Slices, and steps that move nothing, take 0."},
						{"ring",
							"X / 2 hops, rounded down, and V / (2 W) for an allgather or a reduce-scatter, twice both for an all-reduce; X / 2 hops and "
							"T X / (8 W) for an alltoall. V / (2 W) does not depend on X."},
						{"line", "X - 1 hops and V (X - 1) / (X W); X - 1 hops and T X / (4 W) for an alltoall."},
						{"axes",
							"Of several axes hops add up. A gather takes the longest of their times, shared by as many axes; an alltoall "
							"that of the slowest axis."},
						{"permute",
							"A permute or an exchange sends each tile axis after axis, the shorter way round a ring, half each way where both are as "
							"long: the longest way in hops, and the bytes of the busiest link. Above 4096 devices, an exchange above 1024, as if tiles went anywhere."},
						{"ours",
							"A group over a part of an axis counts as a line; the s groups that are between each other's devices share its links, so that "
							"hops and bytes count s times. An axis of hardware without `ring` is a switch: one hop, and (X - 1) / X of the "
							"tile over W, for a gather and an alltoall alike. Groups that leave a node use the network."},
						{"measured",
							"The chapter that the formulas are from saw about 95 % of W in an allgather over 16 TPU v5e from 10 MB on; this model says "
							"100 %."},
					},
					"hardware v5e\nmodel roofline\nplan",
				},
				{
					TOPIC_WORD,
					0,
					"strategy",
					"a way to choose a plan; `explain` tells what each does, and how it differs from its original",
					{
						{"bound",
							"paper, exact and fused keep to the budget, and prove how good they are; the others follow their system, and say "
							"where they exceed it."},
					},
					"compare\nset strategy exact",
				},
				{
					TOPIC_WORD,
					0,
					"notation",
					"how meshes, types and operations are written here",
					{
						{"mesh",
							"{x: 4, y: 6}: named axes and their sizes. Devices are numbered row-major, the last axis fastest."},
						{"type",
							"f32[3{x}12, 12]: a dimension is tile{axes}global, 12 elements cut by axis x in tiles of 3; a dimension that is not "
							"cut is its size alone. Axes are written from minor to major, and the element type and the tile may be left out."},
						{"sum",
							"[16, 8]+{y}: the devices along y hold terms, and the value is their sum. A part of an axis appears at most once in the "
							"whole type."},
						{"part",
							"y:(2)3: of the axis y the part of size 3 whose neighbours are 2 devices apart. Parts are where one step takes "
							"only a part of an axis."},
						{"operation",
							"allgather(0): dimensions are numbered from 0. alltoall(1, 0, 3): gather dimension 1, split dimension 0, by the "
							"factor 3. `help allgather` tells of each."},
						{"others",
							"Shardings of XLA, JAX, PyTorch and others are read in the place of a type; `explain` alone lists them."},
					},
					"mesh {x: 4, y: 6}\ntype rows = f32[3{x}12, 12]\nexplain rows",
				},
				{
					TOPIC_WORD,
					0,
					"model",
					"what a step costs, and so which plan is cheapest",
					{
						{"units",
							"paper and volume count elements per device, latency, calibrated and roofline seconds."},
					},
					"model volume\nplan --model latency",
				},
				{
					TOPIC_WORD,
					0,
					"pareto",
					"the plans that no other beats both in memory and in cost",
					{
						{"does",
							"The best plan without a bound is the first row; then memory is bounded below what that takes, and so on until no plan "
							"is left. Without a budget of your own the first bound is the whole array."},
						{"memory",
							"The height: the largest tile. With `--measure live`, the largest sum of a step's tiles before and after."},
						{"take",
							"`pareto N` makes row N of the table that was shown last the plan, as long as the problem is the same."},
					},
					"pareto --model latency\npareto 2",
				},
				{
					TOPIC_WORD,
					0,
					"compare",
					"what the columns of `compare` count",
					{
						{"cost",
							"What the model charges for the steps of a plan, in elements per device, or in seconds."},
						{"volume", "Elements that arrive from other devices."},
						{"height", "The largest tile that a device ever has; ! marks one above the budget."},
						{"live", "The largest sum of the tiles before and after a step, which a device has at once."},
						{"time",
							"Predicted for the hardware that is set, whatever the model; a bar ends in eighths of a cell. `measured` is the last "
							"run of the same steps."},
						{"=", "Another strategy that finds the same steps."},
						{"proved",
							"No plan of the kind that the strategy looks for is better. It says nothing of plans of other kinds."},
					},
					"mesh {x: 4}\nredistribute [{x}8, 8] ~> [8, {x}8]\ncompare",
				},
				{
					TOPIC_WORD,
					0,
					"times",
					"what the columns of `times` count, and how steps are timed",
					{
						{"step", "Each step is timed in repetitions of its own, then all steps together."},
						{"of copy",
							"The time that a plain copy of the same bytes takes, as a share of that of the step."},
						{"GB/s", "All bytes that arrive, over all ranks, divided by the time of the step."},
						{"alg, bus", "Per rank: all bytes that arrive, and those from other ranks."},
						{"predicted",
							"By the model that the run was planned with; `calibrate` measures this machine for it."},
					},
					"mesh {x: 4}\nredistribute [{x}8, 8] ~> [8, {x}8]\nrun",
				},
				{
					TOPIC_WORD,
					0,
					"rounds",
					"a collective hop by hop",
					{
						{"ring",
							"Devices pass pieces to their neighbours; on a ring in both directions, half of the opposite device's piece goes each way."},
						{"line", "Where links do not close, pieces travel from end to end."},
						{"gather", "Pieces are passed on until all devices have them."},
						{"sum", "Sums are passed on, and grow by a term on every device."},
						{"axes",
							"Over several axes a gather goes along one after the other; every piece is cut into shares, each of which begins with "
							"another axis, so that all links work at once. The first share is drawn."},
						{"time",
							"The longer of two times: all hops at the latency of a link, and all bytes at the bandwidth of the busiest link."},
					},
					"hardware v4p\nmesh {X: 4}\nredistribute [4{X}16, 16] ~> [16, 16]\nshow rounds",
				},
				{
					TOPIC_WORD,
					0,
					"ports",
					"what a step on chunks takes on the ports of a system",
					{
						{"port",
							"Each unit of a level has a port of its bandwidth to the switch of the unit around it, one for each direction, or one for "
							"both together where `shared` is given. A message loads the ports of sender and receiver on every level from the outermost on "
							"which they differ to the innermost."},
						{"step",
							"The load of the busiest port over its bandwidth, and the latency of the outermost level that a group crosses times the "
							"rounds: 2 (n - 1) for an allreduce of n, else n - 1. A program takes the sum of its steps."},
						{"ring",
							"Of b bytes that each of n members brings an edge carries 2 b (n - 1) / n for an allreduce, b (n - 1) / n for a reducescatter, "
							"b (n - 1) for an allgather; b for a reduce, on all edges but the one that leaves the root, and for a broadcast, on all but "
							"the one that enters it."},
						{"tree",
							"`set allreduce tree`: inside each unit of the outermost level that is crossed a chain to its first device, b up and b down; "
							"between the firsts NCCL's two binary trees, b / 2 up and down in each; inside one unit a single chain. 2 log2 n rounds, rounded up."},
						{"bound",
							"A sum over m units needs 2 (m - 1) transfers of every element, whatever the algorithm: some port carries the mean."},
						{"p2-v100",
							"Nodes of 8 on a ring of NVLink, 135 GB/s in each direction; all else passes the PCIe switches of both pairs, 32 GB/s, and "
							"between halves of a node or nodes the ports of the nodes, 8 GB/s."},
						{"ours",
							"Seed 001 states these bandwidths and prints times; it has no formula. Payload, topology and the direction of the ring were "
							"chosen with its printed times in view: a fit, with a rank correlation of 0.99 (A100) and 0.92 (V100) for one all-reduce."},
					},
					"system p2-a100 4\naxes {data: 8, shard: 8}\nreduce {data} f32[2147483648]\nplace 2\nshow system",
				},
				{
					TOPIC_WORD,
					0,
					"hierarchies",
					"five orders of the factors of a placement, whose factors name groups of devices",
					{
						{"a",
							"The levels of the system. A group of whole units also crosses axes that are not summed: R09."},
						{"b", "All factors, column by column: those of one level are together."},
						{"c", "All factors, row by row: those of one axis are together."},
						{"d",
							"The factors of the axes that are summed, row by row, with a root; groups repeat over all other factors."},
						{"e",
							"The same, level by level, with those of one level as one. `reductions` and steps by hand take it."},
						{"says",
							"A hierarchy says as much as another one if every program of groups and operations that the other says, and that makes the sum, "
							"is one of its own too (definition 3.1). Lines of a batch of kind `expressive` list them all and compare."},
						{"theorem",
							"Theorem 3.2 has d over c over b over a; it is tested here, not believed. Over one axis d includes a, b and c in every case, "
							"where `masters` carries all-reduce only (lemmas B.1, B.8). Lemma B.7 fails: on [1 2 2 2], [[1 1 2 2] [1 2 1 1]], axis 0, c has "
							"39 of the 47 programs of b. Over two axes d, by rows, misses programs of a and b, which go by levels: [6 2], [[3 2] [2 1]]."},
						{"masters",
							"Where `masters` carries every operation d misses reduce; broadcast masters; broadcast: lemma B.6 argues about adding twice, and a "
							"broadcast can be repeated."},
						{"counts",
							"Masters with all-reduce alone gives the 3 and 47 programs that are published; with every operation 3 and 93; groups without "
							"data, by the letter of figure 8, 122. The first is our inference."},
					},
					"system {server: 2, cpu: 2, gpu: 4}\naxes {data: 4, shard: 4}\nplace [[1 2 2] [2 1 2]]\nreduce {shard} f32[1024]\nshow hierarchies",
				},
				{
					TOPIC_WORD,
					0,
					"hardware",
					"what the models `latency` and `roofline` speak of: links, network, packing and rates of a machine, by name",
					{
						{"link",
							"Bytes per second and device that a link carries in one direction, and what a hop, or a message inside a node, "
							"takes."},
						{"devices",
							"A switch joins all, or so many a node, by their numbers; a group that leaves its node uses the network, with a "
							"bandwidth and latency of its own. On a torus a whole axis closes to a ring at multiples of a number: both directions "
							"then work at once, and ways are half as long."},
						{"packing",
							"Where the blocks of a step are not whole in memory they are read and written once more: half of the bandwidth of "
							"memory, and `start` to begin each such pass. The model `roofline` has no packing."},
						{"flops",
							"Operations on numbers of 16 bits that a device does in a second; with a type behind it, `flops 7.8e12 f64`, on elements "
							"of that."},
						{"holds",
							"Bytes that fit into its memory, `holds 16GB`: an algorithm that takes more does not run there."},
						{"memory",
							"Bytes a second that a device reads from its own memory: `show type` tells the time to read one tile once."},
					},
					"hardware\nhardware mine = 20GB/s 3us node 4 5GB/s 10us copy 8GB/s start 1us\nhardware tpu = 90GB/s 1us ring 4 flops 4.59e14 flops 1e13 f64 memory 2.8TB/s holds 95GB",
				},
				{
					TOPIC_WORD,
					0,
					"einsum",
					"a product of two sharded arrays over letters: which tiles multiply where they are, and every way with its price",
					{
						{"letters",
							"ij,jk->ik gives each dimension of both operands and of the result a letter; what the result lacks is summed. A "
							"letter appears once in each of them."},
						{"rule",
							"Tiles multiply where they are if for each part of the mesh one of these holds: nobody uses it; it cuts one letter, at "
							"the same place in both operands that have it; one operand is a sum over it, and the other does not use it. The result is cut "
							"like the letters it keeps, and is a sum over what cuts the others, and over the sums of the operands."},
						{"cases",
							"`explain case 1` to `explain case 4` say what prevents it, and what cures it. E-SHARED, E-AXIS and E-SUM are the "
							"rules that a refusal names."},
						{"way",
							"A choice of the two types that are multiplied. Each operand is redistributed there, and the product from there to "
							"the type after `as`, at least cost by the strategy `fused`. As all choices are looked at, the cheapest is proved."},
						{"columns",
							"Elements that a device moves, operations of a device, elements of both operands and the product while it multiplies. "
							"A star: no other way is better in one of the three and as good in the others."},
						{"seconds",
							"With `model roofline` communication and product have times, and one is longer. Both grow with the sizes of letters; the "
							"size at which they are equal, hops left out, is shown for each. Axes are moved whole there, an alltoall pushes "
							"what it pops, a reducescatter what it sums."},
						{"memory",
							"--live bounds it over the whole way: A is redistributed while B waits, B while the new A waits, a step holds its tile "
							"before and after, the product holds all three, and then it is redistributed alone."},
					},
					"mesh {x: 2, y: 2}\neinsum ij,jk->ik [64, 16{x}32], [16{x}32, 48] as [64, 48]",
				},
				{
					TOPIC_WORD,
					0,
					"case 1",
					"no operand is cut along a letter that is summed: tiles multiply where they are, and nothing is sent",
					{
						{"rule",
							"The product is cut like the letters that it keeps: [32{x}64, 32] times [32, 24{y}48] is [32{x}64, 24{y}48]."},
						{"price",
							"0 elements. Where the product is wanted whole it is cheaper to gather it, 3072, than both operands first, 3584."},
					},
					"mesh {x: 2, y: 2}\neinsum ij,jk->ik [32{x}64, 32], [32, 24{y}48] as [64, 48]",
				},
				{
					TOPIC_WORD,
					0,
					"case 2",
					"one operand is cut along a letter that the other has whole, or cut otherwise",
					{
						{"rule",
							"A device lacks the tile that its own one multiplies with: E-SHARED. One operand is redistributed, most often gathered."},
						{"price",
							"[64, 16{x}32] times [32, 48]: gathering A moves 2048 elements. To slice B instead, which costs nothing, leaves a sum over "
							"x; with y cutting another letter that takes 3584, and a quarter of the operations."},
					},
					"mesh {x: 2, y: 2}\neinsum ij,jk->ik [64, 16{x}32], [32, 48] as [64, 48]",
				},
				{
					TOPIC_WORD,
					0,
					"case 3",
					"both operands are cut alike along a letter that is summed: the product is a sum over that axis",
					{
						{"rule",
							"Each device multiplies its tiles to one term: [64, 16{x}32] times [16{x}32, 48] is [64, 48]+{x}. An allreduce "
							"leaves the sum on all devices, a reducescatter a tile of it on each, for half as much."},
						{"price",
							"A plain allreduce moves 6144 elements, gathering both operands first 3584; with y cutting i meanwhile 4608, with a quarter of "
							"the operations."},
					},
					"mesh {x: 2, y: 2}\neinsum ij,jk->ik [64, 16{x}32], [16{x}32, 48] as [64, 48]",
				},
				{
					TOPIC_WORD,
					0,
					"case 4",
					"one axis cuts a letter of A alone and a letter of B alone: only tiles on the diagonal would be computed",
					{
						{"rule",
							"The devices with tile i of A have tile i of B, and never tile i with tile k: E-AXIS. One of the two is gathered over the "
							"axis first; which one depends on how the product is wanted."},
						{"price",
							"[32{x}64, 32] times [32, 24{x}48]: as [64, 24{x}48] A is gathered, 2048 elements; as [32{x}64, 48] B, 1536."},
					},
					"mesh {x: 2, y: 2}\neinsum ij,jk->ik [32{x}64, 32], [32, 24{x}48] as [32{x}64, 48]",
				},
				{
					TOPIC_WORD,
					0,
					"distal",
					"tensor distribution notation: where an array is, by the axes of the mesh",
					{
						{"grammar",
							"PLACEMENT = TEXT | [TEXT, TEXT, ...]; TEXT = NAMES -> PLACES; a place is a NAME, a NUMBER or *. Each name and digit is one "
							"sign; commas separate longer ones: row,col->row,col."},
						{"left",
							"The dimensions of the array, each by a name: f64[9, 9] xy->xy, and f64[] ->0 of a single value."},
						{"right",
							"The axes of the mesh in their order. A name cuts that dimension, a number is the one coordinate that has the array, * "
							"gives the same to all coordinates."},
						{"levels",
							"A mesh with levels, {nx: 2, ny: 2; g: 2}, has one text a level, outer first: [xy->xy, zw->z]. An inner one cuts what the "
							"outer one left."},
						{"sizes",
							"An axis of g cuts a block of n into blocks of n / g, rounded up; the last are short or empty (the rule `nested`)."},
						{"refused",
							"levels: too few or too many texts, D01. ranks: as many names as dimensions, D02, and as many places as axes, D03. "
							"duplicate: a name twice on one side, D04. unknown: a name that is not on the left, D05. range: no such coordinate, D06."},
						{"as types",
							"xy->xy is [3{x}9, 3{y}9], x0 is `on {y: 0}`. Two axes on a dimension, [{z,x}8, {y}9], it cannot say. `explain meaning "
							"TYPE` writes the maps P and F of section 3.2, and the statement of section 5.3."},
					},
					"mesh {x: 2, y: 2, z: 2}\ntype T = f64[2, 2] xy->xy*\nexplain meaning T\nshow tiles T",
				},
};

const struct topic *topic_at(int n)
{
	const int own = sizeof(topics) / sizeof(*topics);
	if (n >= own)
		return n - own < elsewhere_topic_count ? &elsewhere_topics[n - own].topic : NULL;
	return &topics[n];
}

/* A word of a list with blanks between them, capitals or not. */
static bool is_listed(sw_str word, const char *list)
{
	while (*list) {
		size_t length = strcspn(list, " ");
		if (sw_str_same_letters(word, (sw_str){list, length}))
			return true;
		list += length + strspn(list + length, " ");
	}
	return false;
}

bool topic_is(const struct topic *topic, sw_str word)
{
	const char *name = topic_name(topic);
	for (int n = 0; n < elsewhere_topic_count; n++)
		if (topic == &elsewhere_topics[n].topic)
			return sw_str_same_letters(word, sw_str_of(name)) || is_listed(word, elsewhere_topics[n].others) ||
				(elsewhere_topics[n].says && sw_str_starts(word, elsewhere_topics[n].says));
	return sw_str_is(word, name);
}

const char *topic_name(const struct topic *topic)
{
	return topic->kind == TOPIC_STRATEGY ? sw_strategy_name((sw_strategy)topic->id) :
		topic->kind == TOPIC_MODEL       ? sw_model_name((sw_model)topic->id) :
										   topic->name;
}

const char *topic_about(const struct topic *topic)
{
	return topic->kind == TOPIC_STRATEGY ? sw_strategy_about((sw_strategy)topic->id) :
		topic->kind == TOPIC_MODEL       ? sw_model_about((sw_model)topic->id) :
										   topic->about;
}

const struct topic *topic_of(int kind, int id)
{
	int n = 0;
	while (topic_at(n) && ((int)topic_at(n)->kind != kind || topic_at(n)->id != id))
		n++;
	return topic_at(n);
}

/* ---- drawing ---- */

/* Where the words of every part stand. */
static int indent_of(const struct topic *topic)
{
	int indent = 9;
	for (int i = 0; i < TOPIC_PARTS && topic->part[i].head; i++)
		if ((int)strlen(topic->part[i].head) >= indent)
			indent = (int)strlen(topic->part[i].head) + 1;
	return indent;
}

static int draw_part(struct canvas *canvas, int y, int indent, enum role role, const char *head, const char *words)
{
	canvas_put(canvas, 0, y, ROLE_LABEL, head);
	return canvas_put_wrapped(canvas, indent, y, canvas->width - indent, 0, role, words);
}

/* Under `strategy` and `model`: all of them. */
static int draw_list(const struct topic *word, struct canvas *canvas, int y)
{
	int kind = strcmp(word->name, "strategy") == 0 ? TOPIC_STRATEGY :
		strcmp(word->name, "model") == 0           ? TOPIC_MODEL :
													 TOPIC_WORD;
	for (int n = 0; kind != TOPIC_WORD && topic_at(n); n++) {
		if ((int)topic_at(n)->kind != kind)
			continue;
		canvas_put(canvas, 2, y, ROLE_OP, topic_name(topic_at(n)));
		y = canvas_put_wrapped(canvas, 20, y, canvas->width - 20, 0, ROLE_TEXT, topic_about(topic_at(n)));
	}
	return y;
}

static int draw_example(struct canvas *canvas, int y, const char *example)
{
	for (y++; *example; y++) {
		int length = (int)strcspn(example, "\n");
		canvas_putf(canvas, 4, y, ROLE_OP, "%.*s", length, example);
		example += length + (example[length] == '\n');
	}
	return y;
}

static int draw_topic(const struct topic *topic, struct canvas *canvas, int y)
{
	static const char *const kinds[] = {"a strategy: ", "a cost model: ", ""};
	sw_text title = {0};
	sw_text_addf(&title, "%s, %s%s", topic_name(topic), kinds[topic->kind], topic_about(topic));
	y = canvas_put_wrapped(canvas, 0, y, canvas->width, 0, ROLE_TITLE, sw_text_get(&title));
	sw_text_free(&title);
	if (topic->kind == TOPIC_WORD)
		y = draw_list(topic, canvas, y);
	for (int i = 0; i < TOPIC_PARTS && topic->part[i].head; i++)
		y = draw_part(canvas, y, indent_of(topic), ROLE_TEXT, topic->part[i].head, topic->part[i].words);
	return topic->example ? draw_example(canvas, y, topic->example) : y;
}

bool topics_draw(sw_str name, struct canvas *canvas, int y)
{
	bool any = false;
	for (int n = 0; topic_at(n); n++) {
		if (!topic_is(topic_at(n), name))
			continue;
		y = draw_topic(topic_at(n), canvas, y + any);
		any = true;
	}
	return any;
}
