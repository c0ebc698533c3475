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
	"Sizes that a step would not divide evenly are refused, and the message names the step and the tiles " \
	"that the system would pad. `set uneven pad` follows the system on an array that is padded as a whole; " \
	"the system pads each end separately and may take other steps. "

static const struct topic topics[] = {
	{
		TOPIC_STRATEGY,
		SW_NAIVE,
		NULL,
		NULL,
		{
			{"does",
				"Gathers every dimension that `from` partitions, one at each step, first to "
				"last, until every device has the whole array. Then slices each dimension that "
				"`to` partitions."},
			{"memory", "The whole array on every device. The budget is ignored; a plan that exceeds it says so."},
			{"for",
				"The baseline: the cost of a program in which each device asks for the "
				"whole array and keeps its part."},
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
				"Searches for the cheapest path over local types, which are sizes of tiles "
				"without axes, by slices, alltoalls and gathers of one dimension. Then it "
				"assigns axes to the path, with one permutation if they do not end as "
				"required."},
			{"memory",
				"No tile above the budget. At 1x, the larger tile of the two ends, there is "
				"always a plan unless operations are forbidden."},
			{"proves",
				"The optimum over local types: no plan of steps of one dimension costs less. "
				"The plan costs the same, or one permutation more."},
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
				"Searches over the axes themselves and their parts: which axis partitions "
				"which dimension, in which order. A step gathers one dimension, splits one, or "
				"both; permutations are edges with a cost like all others."},
			{"memory", "No tile above the budget; `--live` limits what is held at once."},
			{"proves",
				"The plan has a lower bound, and is `optimal` if it costs no more. A search "
				"ends after a number of edges that does not depend on the machine; the bound "
				"then says how far the plan may be from optimal."},
			{"seconds",
				"Under `latency` and `calibrated` every move costs its time on the machine; "
				"gather-and-slice, and what other systems do in such steps, are candidates "
				"too. `optimal` then means that no plan with a type after every step takes "
				"less time."},
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
				"Like `exact`, but one step may gather and split several dimensions: one "
				"alltoall of two dimensions often replaces two alltoalls of one, at half the "
				"cost."},
			{"memory", "No tile above the budget; `--live` limits what is held at once."},
			{"proves",
				"As for `exact`. On a mesh of one prime, the bound may cover only plans with a "
				"type after every step (see STRATEGIES in the manual)."},
			{"seconds",
				"Under `latency` and `calibrated` the plans of `paper`, `exact`, `shardy`, `xla`, `dtensor` and "
				"`dtensor-min-cost` are candidates too, if they fit the budget and their "
				"planner ends soon, so `fused` takes no longer than the best of them. Under "
				"`calibrated`, a plan of its own must promise a tenth less."},
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
				"other devices); all-to-all (the same numbers of tiles in another order, with "
				"pairs that share no dimension in one step); a slice of copies; tiles moved to "
				"the next dimension, with copies used up or made; gather; one dimension "
				"treated as two; one dimension gathered; copies split; groups of devices as "
				"smaller problems; otherwise the whole array on every device, and a slice."},
			{"sums",
				"Sums that are not in `to` are completed first, by one all-reduce; where the "
				"plan shows a reduce-scatter, the module has an all-reduce and a slice. Sums "
				"that are only in `to` become zeros at the end; a dimension that keeps the "
				"parts of `to`, followed only by such sums, is padded last. XLA fails if some "
				"sums end and others begin."},
			{"memory",
				"XLA has no limit. A plan that exceeds the budget says so; if the original "
				"prints \"Involuntary full rematerialization\", the plan has that as a note."},
			{"agrees",
				"With the partitioner of jaxlib 0.10.2, read right after its pass: the kind "
				"and the local type of every step agree in all 630 recorded problems, and in "
				"thousands of fresh ones."},
			{"differs",
				UNEVEN "The groups of a gather may have other members: if there are copies, the "
					   "original may take the same tile from another holder. Later passes of XLA may "
					   "merge or hide steps. Other versions have other patterns."},
			{"refuses",
				"Problems on which the partitioner itself ends with a fatal error; tiles that "
				"are not boxes when one dimension is treated as two; patterns that do not "
				"finish within 64 steps."},
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
				"Follows Shardy's pass sdy-reshard-to-collectives. In at most two rounds: "
				"slice by axes that are free and wanted, even if an alltoall will move them "
				"on; permute if axes must change places or order; alltoalls, first in order, "
				"then out of order; one gather of all axes that are not wanted. Axes may be "
				"split into sub-axes. It has no search and no costs."},
			{"sums",
				"As in XLA: one all-reduce first, zeros or a pad at the end; it fails if some "
				"sums end and others begin. If the pass slices next, the first sliced axes of "
				"each dimension that together are exactly the sums go into one "
				"sdy.reduce_scatter."},
			{"memory",
				"There is no limit, but no recorded plan exceeds the larger of the two "
				"ends."},
			{"agrees",
				"With the pass of jaxlib 0.10.2: the kind and the local type of every step "
				"agree in all 630 recorded problems, and in thousands of fresh ones, including "
				"those with sub-axes."},
			{"differs",
				UNEVEN "Steps that change nothing are kept, as in the original, and the plan has a note about them."},
			{"refuses",
				"Problems that the pass refuses or leaves unfinished: a permute that would "
				"change the number of tiles, sub-axes that cannot be in one sharding, and "
				"problems that need more than two rounds."},
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
				"Follows PyTorch DTensor's redistribute. Each step is about one mesh axis. If "
				"outer axes shard a dimension differently from the target, the inner axis is "
				"gathered. Then each axis, last to first, takes its target placement. Axes "
				"that had to be replicated take theirs at the end, first to last. If an end "
				"has a shard order other than the default, DTensor's search decides, as in "
				"`dtensor-min-cost`."},
			{"sums",
				"One mesh axis at each step, too: all-reduce, reduce-scatter, or Replicate to Partial, which divides by the size, unlike `zeros`. Shard to Partial in one step is refused, as the original raises there. The search of torch 2.15 has that step."},
			{"memory",
				"DTensor has no limit: gathers come before slices, and a device may hold the "
				"whole array."},
			{"agrees",
				"With the planner of torch 2.13.0: the kind and the local type of every step "
				"agree in all 615 recorded problems that it divides evenly, and in thousands "
				"of fresh ones."},
			{"differs",
				UNEVEN "Successive gathers of one dimension stay separate, with DTensor's own warning "
					   "as a note: it merges them only if the program has made a flattened mesh. Some "
					   "backends execute an alltoall as a gather and a chunk."},
			{"refuses", "Parts of axes, which no placement can express."},
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
				"Follows DTensor's graph search, which it uses when asked for the least cost: "
				"Dijkstra's algorithm over the placements of the mesh axes and their shard "
				"orders, with one axis for each edge. It uses DTensor's own model of time: 6.6 "
				"us plus a latency for each hop, bytes over a ring, 1 us more for an alltoall, "
				"and free slices."},
			{"memory",
				"Only time counts: small arrays are often replicated on the way, and the "
				"budget does not forbid it."},
			{"agrees",
				"With the planner of torch 2.13.0: the kind and the local type of every step "
				"agree in all 589 recorded problems that it divides evenly, and in thousands "
				"of fresh ones."},
			{"differs",
				UNEVEN "Links are those between hosts, 19.3 GB/s and 2.7 us, which the original uses "
					   "on CPU, where every device counts as a host. On hosts with several devices "
					   "the original may find another path. The search ends after 4 million "
					   "paths with an error; the original goes on for minutes."},
			{"refuses", "Parts of axes, which no placement can express."},
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
			{"memory", "The tiles of both ends, and no more."},
			{"for",
				"No device receives more bytes than it must. direct is not a collective: it "
				"sends point-to-point messages, and many small messages may take longer than "
				"their bytes suggest, as `run` shows. Formats of collectives cannot be "
				"exported."},
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
				"One allreduce over all sums, including those that `to` keeps, then the "
				"cheapest redistribution of the complete values."},
			{"memory", "The budget is ignored; a plan that exceeds it says so."},
			{"for", "The cost of a program that completes its sums before it moves anything."},
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
				"Elements per device. dynslice, zeros and pad: 0. allgather and exchange: the "
				"tile that they make. alltoall and allpermute: the tile, which keeps its size. "
				"reducescatter: the tile before it. allreduce: twice its tile. Elements that "
				"stay on the device are counted, too."},
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
				"Elements per device that arrive from another device. allgather, alltoall, "
				"reducescatter and allreduce over n devices: all but one n-th of what the "
				"model `paper` counts. allpermute: the tile. exchange: the most that any "
				"device lacks. Slices, zeros, pads and steps that move nothing are free."},
			{"for", "Busy networks, where bytes count and rounds do not."},
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
				"Seconds. A step takes one latency for each of its rounds (n - 1 in a group of "
				"n, twice that for an allreduce), plus the bytes from other devices over the "
				"bandwidth. If the blocks that it moves are not contiguous in memory, each "
				"pass of packing adds `start` and the packed bytes over the rate of packing. A "
				"slice is packed, too."},
			{"machine",
				"The row that `hardware` chose; links that the mesh gives its axes take "
				"precedence, and the slowest link that a step crosses counts. For small arrays "
				"only rounds matter: with memory to spare, gather and slice then wins."},
			{"leaves out",
				"Contention between groups, except on a torus, and overlap of "
				"steps."},
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
				"Seconds, as in `latency`, but from rates that `calibrate` measured here for "
				"each operation, group size and number of bytes, interpolated in between. A "
				"slice is a copy; operations that sum are measured with the pass that adds; "
				"short runs of bytes take as much longer as was measured."},
			{"machine",
				"This one: a calibration of another host, number of processors or MPI is "
				"refused (S10). If there are more ranks than processors, rates are divided "
				"accordingly."},
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
				"Seconds. Each unit of a level has a port to the switch of the enclosing unit: "
				"one port for each direction, or with `shared` one for both. A message loads "
				"the ports of sender and receiver at every level from the outermost on which "
				"they differ to the innermost. A step takes the bytes of its busiest port over "
				"the bandwidth, plus the latency of the outermost level that a group crosses "
				"times the rounds."},
			{"groups",
				"n members that bring b bytes each form a ring in their order, with 2 b (n - "
				"1) / n on every edge for an allreduce, b (n - 1) / n for a reducescatter, and "
				"b (n - 1) for an allgather. A reduce and a broadcast are that ring without "
				"the edge that leaves or enters the root, with b on each edge. With `set "
				"allreduce tree`, an allreduce is a chain inside each unit and two binary "
				"trees between their first devices. Rounds: 2 (n - 1) for an allreduce, 2 log2 "
				"n for trees, otherwise n - 1."},
			{"pieces",
				"In an alltoall, an allpermute and an exchange each piece goes straight to its receiver; dynslice, zeros and pad take 0."},
			{"searches",
				"`plan` times whole plans: those that other models find, those of other "
				"systems and, for a sum, the best program. It does not prove that a plan over "
				"types is the fastest. The walk counts elements, as `paper` does."},
			{"source",
				"The paper of the systems p2-a100 and p2-v100 states bandwidths but no "
				"formula: this one is ours, chosen to fit its measured seconds. `compare FILE` "
				"shows both; on ranks, `run --throttle` sends messages through such ports."},
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
				"size of an axis, W the bandwidth of a link in one direction. Slices and steps that move nothing take 0."},
			{"ring",
				"X / 2 hops, rounded down, and V / (2 W) for an allgather or a reduce-scatter, twice both for an all-reduce; X / 2 hops and "
				"T X / (8 W) for an alltoall. V / (2 W) does not depend on X."},
			{"line", "X - 1 hops and V (X - 1) / (X W); X - 1 hops and T X / (4 W) for an alltoall."},
			{"axes",
				"The hops of several axes add up. A gather takes the longest of their times, "
				"divided by the number of axes; an alltoall takes the time of the slowest "
				"axis."},
			{"permute",
				"A permute or an exchange sends each tile along one axis after another, the "
				"shorter way around a ring, or half each way if both are equally long. It "
				"takes the hops of the longest way and the bytes of the busiest link. Above "
				"4096 devices (1024 for an exchange), tiles count as if they went anywhere."},
			{"ours",
				"A group over a part of an axis counts as a line; s interleaved groups share "
				"its links, so hops and bytes count s times. On hardware without `ring`, an "
				"axis is a switch: one hop, and (X - 1) / X of the tile over W, for both a "
				"gather and an alltoall. Groups that leave a node use the network."},
			{"measured",
				"The chapter with these formulas measured about 95 % of W in an allgather over "
				"16 TPU v5e from 10 MB on; this model assumes 100 %."},
		},
		"hardware v5e\nmodel roofline\nplan",
	},
	{
		TOPIC_WORD,
		0,
		"strategy",
		"a way to choose a plan; `explain NAME` says what each does, and how it differs from "
		"its original",
		{
			{"bound",
				"paper, exact and fused keep to the budget and prove how good their plans are; "
				"the others follow their system, and say when they exceed the budget."},
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
				"f32[3{x}12, 12]: a dimension is tile{axes}global, here 12 elements that axis "
				"x cuts into tiles of 3; a dimension that is not partitioned is just its size. "
				"Axes are written minor to major. The element type and the tile may be left "
				"out."},
			{"sum",
				"[16, 8]+{y}: the devices along y hold terms whose sum is the value. A part of an axis appears at most once in the "
				"whole type."},
			{"part",
				"y:(2)3: the part of axis y that has size 3 and whose neighbours are 2 devices "
				"apart. A step may use only a part of an axis."},
			{"operation",
				"allgather(0): dimensions are numbered from 0. alltoall(1, 0, 3): gather dimension 1, split dimension 0, by the "
				"factor 3. `help allgather` describes one of them."},
			{"others",
				"A sharding of XLA, JAX, PyTorch and others may replace a type; `explain` alone lists the notations."},
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
				"paper and volume count elements per device; latency, calibrated and roofline "
				"count seconds."},
		},
		"model volume\nplan --model latency",
	},
	{
		TOPIC_WORD,
		0,
		"pareto",
		"the plans that no other plan beats in both memory and cost",
		{
			{"does",
				"The first row is the best plan without a limit. Each further row is the best "
				"plan that needs less memory than the row before, until no plan is left. If "
				"you set no budget, the first limit is the whole array."},
			{"memory",
				"The height: the largest tile. With `--measure live`, the largest sum of a step's tiles before and after."},
			{"take", "`pareto N` makes row N of the last table the plan, as long as the problem is the same."},
		},
		"pareto --model latency\npareto 2",
	},
	{
		TOPIC_WORD,
		0,
		"compare",
		"what the columns of `compare` count",
		{
			{"cost", "What the steps of a plan cost under the model, in elements per device or in seconds."},
			{"volume", "Elements that arrive from other devices."},
			{"height", "The largest tile that a device ever has; ! marks one above the budget."},
			{"live",
				"The largest sum of the tiles before and after a step, which a device "
				"holds at once."},
			{"time",
				"Predicted for the hardware that is set, whatever the model; a bar ends in eighths of a cell. `measured` is the last "
				"run of the same steps."},
			{"=", "Another strategy that finds the same steps."},
			{"proved",
				"No plan of the kind that the strategy searches is better. It says nothing "
				"about other kinds of plans."},
		},
		"mesh {x: 4}\nredistribute [{x}8, 8] ~> [8, {x}8]\ncompare",
	},
	{
		TOPIC_WORD,
		0,
		"times",
		"what the columns of `times` count, and how steps are timed",
		{
			{"step", "Each step is timed alone, repeatedly, then all steps together."},
			{"of copy", "The time of a plain copy of the same bytes, as a share of the time of the step."},
			{"GB/s", "All bytes that arrive, over all ranks, divided by the time of the step."},
			{"alg, bus", "Per rank: all bytes that arrive, and those from other ranks."},
			{"predicted",
				"Predicted by the model that planned the run; `calibrate` measures this "
				"machine for it."},
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
				"Devices pass pieces to their neighbours. On a ring they go both ways; the "
				"piece of the opposite device goes half each way."},
			{"line", "If the links do not close, pieces travel from end to end."},
			{"gather", "Pieces are passed on until all devices have them."},
			{"sum", "Sums are passed on, and every device adds a term."},
			{"axes",
				"A gather over several axes goes along one axis after another; every piece is "
				"split into shares that each begin with a different axis, so that all links "
				"work at once. The picture shows the first share."},
			{"time",
				"The longer of two times: all hops at the latency of a link, and all bytes at the bandwidth of the busiest link."},
		},
		"hardware v4p\nmesh {X: 4}\nredistribute [4{X}16, 16] ~> [16, 16]\nshow rounds",
	},
	{
		TOPIC_WORD,
		0,
		"ports",
		"how long a step on chunks takes on the ports of a system",
		{
			{"port",
				"Each unit of a level has a port of its bandwidth to the switch of the "
				"enclosing unit: one port for each direction, or with `shared` one for both. A "
				"message loads the ports of sender and receiver at every level from the "
				"outermost on "
				"which they differ to the innermost."},
			{"step",
				"The load of the busiest port over its bandwidth, plus the latency of the "
				"outermost level that a group crosses times the rounds: 2 (n - 1) for an "
				"allreduce of n, otherwise n - 1. A program takes the sum of its steps."},
			{"ring",
				"If each of n members brings b bytes, an edge carries 2 b (n - 1) / n for an "
				"allreduce, b (n - 1) / n for a reducescatter and b (n - 1) for an allgather. "
				"For a reduce, every edge except the one that leaves the root carries b; for a "
				"broadcast, every edge except the one that enters it."},
			{"tree",
				"`set allreduce tree`: a chain to the first device inside each unit of the "
				"outermost level crossed, with b up and b down; NCCL's two binary trees "
				"between the first devices, with b / 2 up and down in each; inside one unit a "
				"single chain. It takes 2 log2 n rounds, rounded up."},
			{"bound",
				"A sum over m units needs 2 (m - 1) transfers of every element, whatever the "
				"algorithm, and some port carries at least the mean."},
			{"p2-v100",
				"Nodes of 8 on a ring of NVLink, 135 GB/s in each direction; everything else "
				"passes the PCIe switches of both pairs, 32 GB/s, and between halves of a node "
				"or between nodes the ports of the nodes, 8 GB/s."},
			{"ours",
				"Seed 001 states these bandwidths and prints times; it has no formula. "
				"Payload, topology and the direction of the ring were fitted to its printed "
				"times, with a rank correlation of 0.99 (A100) and 0.92 (V100) for one "
				"all-reduce."},
		},
		"system p2-a100 4\naxes {data: 8, shard: 8}\nreduce {data} f32[2147483648]\nplace 2\nshow system",
	},
	{
		TOPIC_WORD,
		0,
		"hierarchies",
		"five ways to order the factors of a placement; each names groups of devices",
		{
			{"a",
				"The levels of the system. A group of whole units also crosses axes that are "
				"not summed over (R09)."},
			{"b", "All factors, column by column: the factors of one level are adjacent."},
			{"c", "All factors, row by row: the factors of one axis are adjacent."},
			{"d",
				"The factors of the axes summed over, row by row, with a root; groups repeat over all other factors."},
			{"e",
				"The same, level by level, with the factors of one level merged. `reductions` "
				"and steps by hand use it."},
			{"says",
				"A hierarchy is as expressive as another if it can express every program of "
				"groups and operations that the other can express and that computes the sum "
				"(definition 3.1). In `batch`, lines of kind `expressive` list and compare all "
				"of them."},
			{"theorem",
				"Theorem 3.2 has d over c over b over a; it is tested here, not believed. Over "
				"one axis, d includes a, b and c in every case if `masters` allows only "
				"all-reduce (lemmas B.1, B.8). Lemma B.7 fails: on [1 2 2 2], [[1 1 2 2] [1 2 "
				"1 1]], axis 0, c has "
				"39 of the 47 programs of b. Over two axes, d goes by rows and misses programs "
				"of a and b, which go by levels: [6 2], [[3 2] [2 1]]."},
			{"masters",
				"If `masters` allows every operation, d misses reduce; broadcast masters; "
				"broadcast: lemma B.6 argues from adding twice, but a broadcast can be "
				"repeated."},
			{"counts",
				"If masters allows only all-reduce, there are 3 and 47 programs, as published; "
				"with every operation 3 and 93; with groups without data, as figure 8 "
				"literally says, 122. The first reading is our inference."},
		},
		"system {server: 2, cpu: 2, gpu: 4}\naxes {data: 4, shard: 4}\nplace [[1 2 2] [2 1 2]]\nreduce {shard} f32[1024]\nshow hierarchies",
	},
	{
		TOPIC_WORD,
		0,
		"hardware",
		"what the models `latency` and `roofline` know of a machine: links, network, packing "
		"and rates, under a name",
		{
			{"link",
				"Bytes per second that a link carries for a device in one direction, and the "
				"time of a hop or of a message inside a node."},
			{"devices",
				"A switch joins all devices, or (by their numbers) those of one node; a group "
				"that leaves its node uses the network, which has its own bandwidth and "
				"latency. On a torus, a whole axis closes to a ring at multiples of a number: "
				"both directions then work at once, and ways are half as long."},
			{"packing",
				"Blocks of a step that are not contiguous in memory are read and written once "
				"more, at half the bandwidth of memory, and each such pass takes `start` to "
				"begin. The model `roofline` ignores packing."},
			{"flops",
				"Operations on 16-bit numbers that a device does in a second; followed by an "
				"element type, as in `flops 7.8e12 f64`, operations on that type."},
			{"holds",
				"Bytes that fit into its memory, `holds 16GB`: an algorithm that needs more does not run there."},
			{"memory",
				"Bytes that a device reads from its own memory in a second: `show type` gives "
				"the time to read one tile once."},
		},
		"hardware\nhardware mine = 20GB/s 3us node 4 5GB/s 10us copy 8GB/s start 1us\nhardware tpu = 90GB/s 1us ring 4 flops 4.59e14 flops 1e13 f64 memory 2.8TB/s holds 95GB",
	},
	{
		TOPIC_WORD,
		0,
		"einsum",
		"a product of two sharded arrays over letters: which tiles multiply in place, and every way with its cost",
		{
			{"letters",
				"ij,jk->ik gives each dimension of both operands and of the result a letter; "
				"letters that the result lacks are summed over. A letter appears once in each "
				"of them."},
			{"rule",
				"Tiles multiply in place if one of these holds for each part of the mesh: "
				"nothing uses it; it cuts one letter, at the same position in each operand "
				"that has the letter; one operand is a sum over it, and the other does not use "
				"it. The result is partitioned like the letters it keeps, and is a sum over "
				"the axes of the other letters and over the sums of the operands."},
			{"cases",
				"`explain case 1` to `explain case 4` say what prevents this and what helps. E-SHARED, E-AXIS and E-SUM are the "
				"rules that a refusal names."},
			{"way",
				"A choice of the two types to multiply. Each operand is redistributed to its "
				"type, and the product to the type after `as`, at least cost by the strategy "
				"`fused`. All choices are tried, so the cheapest is proved."},
			{"columns",
				"Elements that a device moves, operations of a device, and the elements of "
				"operands and product while it multiplies. A star: no other way is better in "
				"one of the three and as good in the others."},
			{"seconds",
				"With `model roofline`, communication and product each have a time. Both grow "
				"with the sizes of letters; for each letter, the size at which they are equal "
				"(without hops) is shown. This model moves whole axes; an alltoall pushes the "
				"axes that it pops, a reducescatter those it sums."},
			{"memory",
				"--live limits memory over the whole way: A is redistributed while B waits, "
				"then B while the new A waits; a step holds its tiles before and after; the "
				"product holds all three arrays, and is then redistributed alone."},
		},
		"mesh {x: 2, y: 2}\neinsum ij,jk->ik [64, 16{x}32], [16{x}32, 48] as [64, 48]",
	},
	{
		TOPIC_WORD,
		0,
		"case 1",
		"no operand is partitioned along a summed letter: tiles multiply in place, and nothing is sent",
		{
			{"rule",
				"The product is partitioned like the letters that it keeps: [32{x}64, 32] "
				"times [32, 24{y}48] is [32{x}64, 24{y}48]."},
			{"price",
				"0 elements. If the whole product is wanted, it is cheaper to gather it (3072) "
				"than to gather both operands first (3584)."},
		},
		"mesh {x: 2, y: 2}\neinsum ij,jk->ik [32{x}64, 32], [32, 24{y}48] as [64, 48]",
	},
	{
		TOPIC_WORD,
		0,
		"case 2",
		"one operand is partitioned along a letter that the other has whole or partitioned "
		"differently",
		{
			{"rule",
				"A device lacks the tile that it must multiply its own by: E-SHARED. One operand is redistributed, most often gathered."},
			{"price",
				"[64, 16{x}32] times [32, 48]: gathering A moves 2048 elements. Slicing B "
				"instead costs nothing, but leaves a sum over x; if y cuts another letter, "
				"that takes 3584 and a quarter of the operations."},
		},
		"mesh {x: 2, y: 2}\neinsum ij,jk->ik [64, 16{x}32], [32, 48] as [64, 48]",
	},
	{
		TOPIC_WORD,
		0,
		"case 3",
		"both operands are partitioned alike along a summed letter: the product is a sum over that axis",
		{
			{"rule",
				"Each device multiplies its tiles into one term: [64, 16{x}32] times [16{x}32, "
				"48] is [64, 48]+{x}. An allreduce "
				"leaves the sum on all devices, a reducescatter a tile of it on each, for half as much."},
			{"price",
				"A plain allreduce moves 6144 elements; gathering both operands first moves "
				"3584. If y cuts i meanwhile, it moves 4608, with a quarter of the "
				"operations."},
		},
		"mesh {x: 2, y: 2}\neinsum ij,jk->ik [64, 16{x}32], [16{x}32, 48] as [64, 48]",
	},
	{
		TOPIC_WORD,
		0,
		"case 4",
		"one axis cuts a letter that only A has and a letter that only B has: only tiles on "
		"the diagonal would be computed",
		{
			{"rule",
				"The devices with tile i of A have tile i of B, and never tile i with tile k: "
				"E-AXIS. One of the two is first gathered over the axis; which one depends on "
				"the type wanted for the product."},
			{"price",
				"[32{x}64, 32] times [32, 24{x}48]: for [64, 24{x}48] gather A, 2048 elements; "
				"for [32{x}64, 48] gather B, 1536."},
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
				"PLACEMENT = TEXT | [TEXT, TEXT, ...]; TEXT = NAMES -> PLACES; a place is a "
				"NAME, a NUMBER or *. Each name or number is one character; commas separate "
				"longer ones: row,col->row,col."},
			{"left",
				"The dimensions of the array, each with a name: f64[9, 9] xy->xy, or f64[] ->0 "
				"for a single value."},
			{"right",
				"The axes of the mesh in their order. A name cuts that dimension; a number is "
				"the one coordinate that has the array; * gives all coordinates the same."},
			{"levels",
				"A mesh with levels, {nx: 2, ny: 2; g: 2}, has one text for each level, "
				"outermost first: [xy->xy, zw->z]. An inner text cuts the tiles of the outer "
				"one."},
			{"sizes",
				"An axis of g cuts a block of n into blocks of n / g, rounded up; the last are short or empty (the rule `nested`)."},
			{"refused",
				"levels: too few or too many texts, D01. ranks: not one name for each "
				"dimension, D02, or not one place for each axis, D03. duplicate: a name twice "
				"on one side, D04. unknown: a name that is not on the left, D05. range: no "
				"such coordinate, D06."},
			{"as types",
				"xy->xy is [3{x}9, 3{y}9], x0 is `on {y: 0}`. It cannot express two axes on "
				"one dimension, [{z,x}8, {y}9]. `explain meaning "
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
