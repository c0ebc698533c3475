/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of collectives.
 *
 * Source: seed 000, section 2.6; figure 8 (rules), figure 11 (costs), definition 4.5 (phases).
 */
#include <shardwalk/collective.h>

#include <assert.h>

#include <shardwalk/number.h>

#include "array/parts.h"
#include "step/transfers.h"
#include "step/call.h"
#include "step/hold.h"
#include "step/row.h"

static int64_t size_before(int64_t before, int64_t after)
{
	(void)after;
	return before;
}

static int64_t size_after(int64_t before, int64_t after)
{
	(void)before;
	return after;
}

/* An all-reduce is a reduce-scatter and an all-gather (seed 000, appendix B). */
static int64_t twice_before(int64_t before, int64_t after)
{
	(void)after;
	return before > INT64_MAX / 2 ? INT64_MAX : 2 * before;
}

static double sends_piece(double tile, double group)
{
	return tile / group;
}

static double sends_two_pieces(double tile, double group)
{
	return 2 * tile / group;
}

/* Of several rows. */
#define TAKES_NOTHING "no time by the model roofline: nothing is sent"
#define TAKES_NO_TYPE \
	"no time by the model roofline, which needs types; by the model ports, the bytes of the busiest port over " \
	"its bandwidth, plus the latency of its rounds"
#define TAKES_LONGEST_WAY \
	"by the model roofline, the longer of the hops of the longest way and the bytes of the busiest link"

const sw_collective sw_collective_rows[SW_OP_COUNT + 1] = {
	[SW_DYNSLICE] =
		{
			.op = SW_DYNSLICE,
			.name = "dynslice",
			.usage =
				"dynslice(DIM, AXIS) | dynslice(DIM, {AXIS, ...}) | dynslice(DIM, FACTOR) | dynslice(DIM:AXIS ...)",
			.needs = "the axis partitions no dimension yet; its size divides the local size of the dimension",
			.effect = "the axis becomes the innermost axis of the dimension, whose local size shrinks by the axis's "
					  "size",
			.cost = "0",
			.takes = TAKES_NOTHING,
			.action = "each device keeps a part of its tile, and nothing is sent",
			.why = "every device already holds the tile of which it keeps a piece",
			.why_not = "the axis already tells tiles apart, or the tile does not divide evenly",
			.example = "mesh {x: 4, y: 2}\nfrom [12, 8]\napply dynslice(0, x)",
			.phase = 0,
			.splits = true,
			.manner = SW_MANNER_CUT,
			.among = SW_AMONG_NONE,
			.general = "split",
			.inverse = SW_ALLGATHER,
			.adjoint = SW_PAD,
			.read = sw_read_slice,
			.print = sw_print_slice,
			.apply = sw_apply_entries,
			.sending = &sw_sends_nothing,
		},
	[SW_ALLGATHER] =
		{
			.op = SW_ALLGATHER,
			.name = "allgather",
			.usage = "allgather(DIM[, FACTOR]) | allgather(DIM:FACTOR ...)",
			.needs = "the dimension is partitioned; the factor is made of its innermost axes or parts of them",
			.effect = "the innermost parts leave the dimension; its local size grows by the factor",
			.cost = "localsize of the result",
			.takes =
				"by the model roofline, on a ring of X devices, the longer of X / 2 hops and V / (2 W), over n rings V / (2 W n). V "
				"is the larger tile, W a link in one direction, in bytes",
			.action = "join their tiles",
			.why = "devices that differ only in the innermost parts hold neighbouring tiles, which form the "
				   "larger one",
			.why_not = "the axes of this factor do not connect neighbouring tiles",
			.example = "mesh {x: 4, y: 2}\nfrom [3{x}12, 4{y}8]\napply allgather(0, 2)",
			.phase = 2,
			.gathers = true,
			.manner = SW_MANNER_JOINED,
			.among = SW_AMONG_GROUPS,
			.price = size_after,
			.general = "gather",
			.inverse = SW_DYNSLICE,
			.adjoint = SW_REDUCESCATTER,
			.read = sw_read_gather,
			.print = sw_print_gather,
			.apply = sw_apply_entries,
			.sending = &sw_sends_tiles,
			.premise = sw_premise_parts,
			.hold = sw_hold_sum,
			.brings = SW_BRINGS_PARTS,
			.leaves = SW_LEAVES_ALL,
			.ring = SW_RING_WHOLES,
			.passes = 1,
		},
	[SW_ALLTOALL] =
		{
			.op = SW_ALLTOALL,
			.name = "alltoall",
			.usage = "alltoall(FROM, TO[, FACTOR]) | alltoall(FROM, TO, {AXIS, ...}) | "
					 "alltoall(gather DIM:FACTOR ..., split DIM:FACTOR ...)",
			.needs = "the factor is made of the innermost parts of FROM; the local size of TO is divisible by it; "
					 "FROM is not TO",
			.effect =
				"the parts leave FROM and become the innermost ones of TO; FROM's local size grows by the factor, "
				"TO's shrinks by it",
			.cost = "localsize, which stays as it is",
			.takes =
				"by the model roofline, on a ring of X devices, the longer of X / 2 hops and T X / (8 W): 1/4 of an allgather "
				"of its array. T is the tile, W a link in one direction, in bytes",
			.action = "swap pieces of their tiles",
			.why = "a group gathers along one dimension, and each member keeps one piece along the other",
			.why_not = "the group cannot gather the factor along one dimension and divide it evenly along the other",
			.example = "mesh {x: 4, y: 2}\nfrom [3{x}12, 8]\napply alltoall(0, 1)",
			.phase = 1,
			.gathers = true,
			.splits = true,
			.manner = SW_MANNER_SWAPPED,
			.among = SW_AMONG_GROUPS,
			.brings = SW_BRINGS_PARTS,
			.leaves = SW_LEAVES_PARTS,
			.passes = 1,
			.price = size_before,
			.sends = sends_piece,
			.general = "alltoall",
			.inverse = SW_ALLTOALL,
			.adjoint = SW_ALLTOALL,
			.read = sw_read_swap,
			.print = sw_print_swap,
			.apply = sw_apply_entries,
			.sending = &sw_sends_pieces,
		},
	[SW_ALLPERMUTE] =
		{
			.op = SW_ALLPERMUTE,
			.name = "allpermute",
			.usage = "allpermute [TYPE]",
			.needs = "the target has the same local and global type, and as many terms",
			.effect = "any reassignment of tiles to devices",
			.cost = "localsize, which stays as it is",
			.takes = TAKES_LONGEST_WAY,
			.action = "whole tiles go to other devices",
			.why = "the same tiles exist equally often before and after: each device sends its tile to one "
				   "device",
			.why_not = "there are no tiles of another shape to send",
			.example = "mesh {x: 4, y: 4}\nfrom [32{x}128]\napply allpermute [32{y}128]",
			.phase = 1,
			.manner = SW_MANNER_PERMUTED,
			.among = SW_AMONG_PAIRS,
			.told = SW_TOLD_BY_TYPE,
			.price = size_before,
			.inverse = SW_ALLPERMUTE,
			.adjoint = SW_ALLPERMUTE,
			.print = sw_print_target,
			.apply = sw_apply_target,
			.sending = &sw_sends_whole,
		},
	[SW_EXCHANGE] =
		{
			.op = SW_EXCHANGE,
			.name = "exchange",
			.usage = "exchange TYPE",
			.needs = "the target has the same global type",
			.effect = "every device receives its tile from devices that hold it; if sums become shorter, it receives "
					  "each of their terms and adds them up",
			.cost = "localsize of the result, once for each added term",
			.takes = TAKES_LONGEST_WAY,
			.action = "each device receives what it lacks from a device that has it",
			.why = "each element is held by some device that can send it",
			.why_not = "a different array cannot be made from this one",
			.example = "mesh {x: 4, y: 2}\nredistribute [3{x}12, 8] ~> [12, 4{y}8]\nplan direct",
			.phase = 1,
			.manner = SW_MANNER_DEALT,
			.among = SW_AMONG_ALL,
			.told = SW_TOLD_BY_TYPE,
			.price = size_after,
			.inverse = SW_EXCHANGE,
			.adjoint = SW_EXCHANGE,
			.print = sw_print_target,
			.apply = sw_apply_target,
			.sending = &sw_sends_dealt,
		},
	[SW_REDUCESCATTER] =
		{
			.op = SW_REDUCESCATTER,
			.name = "reducescatter",
			.usage = "reducescatter(DIM, {AXIS, ...}) | "
					 "reducescatter {AXIS, ...} [[DIM, FACTOR], ...] [[DIM, FACTOR], ...] [{AXIS, ...}]",
			.needs = "the axes are sums; their size divides the local size of DIM; the pushed factor is their size "
					 "times the popped factor",
			.effect = "the axes are summed over and become the innermost axes of DIM, whose local size shrinks by "
					  "their size; in general, the first list is popped and the second pushed: the popped axes "
					  "first, then the summed ones",
			.cost = "localsize before",
			.takes =
				"by the model roofline, on a ring of X devices, the longer of X / 2 hops and V / (2 W), over n rings V / (2 W n). V "
				"is the larger tile, W a link in one direction, in bytes. The general form takes the same over "
				"all axes that it sums over or pops: hops add up, and n counts both",
			.action = "add up their terms, and each keeps its piece",
			.why = "a group holds all terms of a block, and each member adds up those of one piece",
			.why_not = "these axes are not a sum, or the pieces of the sum do not divide the tile",
			.example = "mesh {x: 2, y: 2}\nfrom [8{x}16, 12]+{y}\napply reducescatter(1, {y})",
			.phase = 1,
			.splits = true,
			.may_gather = true,
			.manner = SW_MANNER_SCATTERED,
			.among = SW_AMONG_GROUPS,
			.terms = SW_TERMS_ADDED,
			.told = SW_TOLD_BY_PARTS,
			.price = size_before,
			.sends = sends_piece,
			.general = "reducescatter",
			.inverse = SW_ALLGATHER,
			.adjoint = SW_ALLGATHER,
			.read = sw_read_scatter,
			.print = sw_print_scatter,
			.apply = sw_apply_sums,
			.sending = &sw_sends_terms,
			.premise = sw_premise_terms,
			.hold = sw_hold_sum,
			.brings = SW_BRINGS_TERMS,
			.leaves = SW_LEAVES_PARTS,
			.ring = SW_RING_PARTS,
			.passes = 1,
		},
	[SW_ALLREDUCE] =
		{
			.op = SW_ALLREDUCE,
			.name = "allreduce",
			.usage = "allreduce {AXIS, ...}",
			.needs = "the axes are sums",
			.effect = "the axes are summed over, and every device along them has the sum",
			.cost = "2 * localsize: a reducescatter and an allgather",
			.takes = "by the model roofline, twice as long as a reducescatter: it is a reducescatter and an "
					 "allgather",
			.action = "add up their terms, and all keep the sum",
			.why = "a group holds all terms of its tile",
			.why_not = "along these axes devices hold no terms",
			.example = "mesh {x: 2, y: 2}\nfrom [8{x}16, 12]+{y}\napply allreduce {y}",
			.phase = 2,
			.manner = SW_MANNER_SUMMED,
			.among = SW_AMONG_GROUPS,
			.terms = SW_TERMS_ADDED,
			.told = SW_TOLD_BY_PARTS,
			.price = twice_before,
			.sends = sends_two_pieces,
			.inverse = SW_ZEROS,
			.adjoint = SW_ALLREDUCE,
			.read = sw_read_sums,
			.print = sw_print_sums,
			.apply = sw_apply_sums,
			.sending = &sw_sends_all_terms,
			.premise = sw_premise_terms,
			.hold = sw_hold_sum,
			.brings = SW_BRINGS_TERMS,
			.leaves = SW_LEAVES_ALL,
			.ring = SW_RING_PARTS,
			.passes = 2,
			.trees = true,
		},
	[SW_ZEROS] =
		{
			.op = SW_ZEROS,
			.name = "zeros",
			.usage = "zeros {AXIS, ...}",
			.needs = "the axes are unused: there are copies along them",
			.effect = "one copy stays, the others become 0, and the axes are a sum",
			.cost = "0",
			.takes = TAKES_NOTHING,
			.action = "each device keeps its copy or sets it to 0, and nothing is sent",
			.why = "one value and zeros add up to the value",
			.why_not = "devices along these axes hold no copies of one tile",
			.example = "mesh {x: 2, y: 2}\nfrom [8{x}16, 12]\napply zeros {y}",
			.phase = 0,
			.manner = SW_MANNER_KEPT,
			.among = SW_AMONG_NONE,
			.terms = SW_TERMS_OF_COPIES,
			.told = SW_TOLD_BY_PARTS,
			.inverse = SW_ALLREDUCE,
			.adjoint = SW_ZEROS,
			.read = sw_read_sums,
			.print = sw_print_sums,
			.apply = sw_apply_zeros,
			.sending = &sw_sends_kept,
		},
	[SW_PAD] =
		{
			.op = SW_PAD,
			.name = "pad",
			.usage = "pad(DIM[, FACTOR]) | pad(DIM:FACTOR ...)",
			.needs = "the dimension is partitioned; the factor is made of its innermost axes or parts of them",
			.effect = "the innermost parts leave the dimension and join the sums; the tile grows, filled with 0",
			.cost = "0",
			.takes = TAKES_NOTHING,
			.action = "each device puts its tile among zeros, and nothing is sent",
			.why = "separate tiles among zeros add up to the block that they form",
			.why_not = "the axes of this factor do not connect neighbouring tiles",
			.example = "mesh {x: 2, y: 2}\nfrom [8{x}16, 12]\napply pad(0)",
			.phase = 2,
			.gathers = true,
			.manner = SW_MANNER_PADDED,
			.among = SW_AMONG_NONE,
			.terms = SW_TERMS_OF_TILES,
			.general = "pad",
			.inverse = SW_REDUCESCATTER,
			.adjoint = SW_DYNSLICE,
			.read = sw_read_gather,
			.print = sw_print_gather,
			.apply = sw_apply_pad,
			.sending = &sw_sends_nothing,
		},
	[SW_REDUCE] =
		{
			.op = SW_REDUCE,
			.name = "reduce",
			.usage = "reduce inside LEVEL | reduce across LEVEL [in ANCESTOR]",
			.needs = "a placed mesh; the devices of a group hold the same chunks, and no term twice",
			.effect = "the first device of each group holds the sum, the others hold nothing; no type "
					  "describes that",
			.cost = "what a device holds before",
			.takes = TAKES_NO_TYPE,
			.action = "add up what they hold, and the first keeps the sum",
			.why = "a group holds different terms of the same chunks",
			.why_not = "the devices of a group hold different chunks, or a term is already in two of their "
					   "sums",
			.example = "system {node: 2 @ 8GB/s shared, gpu: 4 @ 270GB/s}\naxes {data: 8}\nplace 1\n"
					   "reduce {data} f32[1024]\nreductions 4",
			.phase = 1,
			.manner = SW_MANNER_ROOTED,
			.among = SW_AMONG_GROUPS,
			.terms = SW_TERMS_ADDED,
			.told = SW_TOLD_BY_PARTS,
			.price = size_before,
			.inverse = SW_BROADCAST,
			.adjoint = SW_BROADCAST,
			.read = sw_read_sums,
			.print = sw_print_sums,
			.apply = sw_apply_no_type,
			.sending = &sw_sends_runs,
			.premise = sw_premise_terms,
			.hold = sw_hold_sum,
			.brings = SW_BRINGS_TERMS,
			.leaves = SW_LEAVES_ROOT,
			.ring = SW_RING_TO_ROOT,
			.passes = 1,
		},
	[SW_BROADCAST] =
		{
			.op = SW_BROADCAST,
			.name = "broadcast",
			.usage = "broadcast inside LEVEL | broadcast across LEVEL [in ANCESTOR]",
			.needs = "a placed mesh; the first device of a group holds everything that the others hold, and "
					 "more than one of them",
			.effect = "every device of a group holds what its first device holds",
			.cost = "what a device holds afterwards",
			.takes = TAKES_NO_TYPE,
			.action = "receive what the first of them holds",
			.why = "the first device of a group holds a sum that the others lack",
			.why_not = "the first device of a group lacks what another device holds, or brings nothing new",
			.example = "system {node: 2 @ 8GB/s shared, gpu: 4 @ 270GB/s}\naxes {data: 8}\nplace 1\n"
					   "reduce {data} f32[1024]\nreductions 4",
			.phase = 2,
			.manner = SW_MANNER_ROOTED,
			.among = SW_AMONG_GROUPS,
			.price = size_after,
			.inverse = SW_REDUCE,
			.adjoint = SW_REDUCE,
			.read = sw_read_sums,
			.print = sw_print_sums,
			.apply = sw_apply_no_type,
			.sending = &sw_sends_runs,
			.premise = sw_premise_root,
			.hold = sw_hold_root,
			.brings = SW_BRINGS_ROOT,
			.leaves = SW_LEAVES_ALL,
			.ring = SW_RING_FROM_ROOT,
			.passes = 1,
		},
#define X(id, word) [SW_##id] = {.op = SW_##id, .name = word},
	SW_COMPUTATIONS(X)
#undef X
};

static const char *const premise_names[] = {"holds",
#define X(id, name) name,
	SW_PREMISES(X)
#undef X
};

const char *sw_premise_name(sw_premise premise)
{
	assert((unsigned)premise < SW_PREMISE_COUNT);
	return premise_names[premise];
}

const sw_op sw_chunk_ops[SW_CHUNK_OPS] = {SW_ALLREDUCE, SW_REDUCESCATTER, SW_ALLGATHER, SW_REDUCE, SW_BROADCAST};

const sw_collective *sw_collective_of(sw_op op)
{
	return (unsigned)op < SW_COLLECTIVES ? &sw_collective_rows[op] : NULL;
}

const char *sw_op_name(sw_op op)
{
	return (unsigned)op < SW_OP_COUNT ? sw_collective_rows[op].name : "";
}

sw_op sw_op_named(sw_str name)
{
	for (sw_op op = 0; op < SW_COLLECTIVES; op++) {
		const sw_collective *row = &sw_collective_rows[op];

		if (sw_str_same_letters(name, sw_str_of(row->name)) ||
			(row->general && sw_str_same_letters(name, sw_str_of(row->general))))
			return op;
	}
	return SW_OP_COUNT;
}

sw_op sw_chunk_op_named(sw_str name)
{
	sw_op op = sw_op_named(name);
	const sw_collective *row = sw_row(op);

	return row->hold != NULL && sw_str_same_letters(name, sw_str_of(row->name)) ? op : SW_OP_COUNT;
}

double sw_ring_edge(sw_op op, double n)
{
	assert(n >= 1);
	const sw_collective *row = sw_row(op);
	double each = row->ring == SW_RING_PARTS ? (n - 1) / n : row->ring == SW_RING_WHOLES ? n - 1 : 1;

	return row->passes * each;
}

int64_t sw_paper_cost(sw_op op, int64_t before, int64_t after)
{
	const sw_collective *row = sw_collective_of(op);

	return row && row->price ? row->price(before, after) : 0;
}

bool sw_sized_cost(sw_op op, const int64_t size[2], const sw_type *const sums[2], int64_t *cost)
{
	assert((unsigned)op < SW_COLLECTIVES);
	*cost = sw_paper_cost(op, size[0], size[1]);
	return sw_collective_of(op)->among != SW_AMONG_ALL || sw_mul(*cost, sw_terms_joined(sums[0], sums[1]), cost);
}

bool sw_step_cost(sw_op op, const sw_type *before, const sw_type *after, int64_t *cost)
{
	return sw_sized_cost(op, (int64_t[]){sw_type_localsize(before), sw_type_localsize(after)},
		(const sw_type *const[]){before, after}, cost);
}

double sw_sends(sw_op op, double tile, double group)
{
	assert((unsigned)op < SW_COLLECTIVES);
	const sw_collective *row = sw_collective_of(op);

	return row->sends ? row->sends(tile, group) : tile;
}
