/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of collectives.
 *
 * Source: seed 000, section 2.6; figure 8 (rules), figure 11 (costs), definition 4.5 (phases).
 */
#include <shardwalk/collective.h>

#include "step/transfers.h"
#include "step/call.h"
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

const sw_collective sw_collective_rows[SW_OP_COUNT + 1] = {
	[SW_DYNSLICE] =
		{
			.op = SW_DYNSLICE,
			.name = "dynslice",
			.usage =
				"dynslice(DIM, AXIS) | dynslice(DIM, {AXIS, ...}) | dynslice(DIM, FACTOR) | dynslice(DIM:AXIS ...)",
			.needs =
				"the axis partitions no dimension yet; the local size of the dimension is divisible by the axis's size",
			.effect =
				"the axis becomes the innermost one of the dimension; its local size shrinks by the axis's size",
			.cost = "0",
			.action = "each device keeps its part of what it has, and nothing is sent",
			.why = "every device already holds the tile it keeps a piece of",
			.why_not = "the axis already tells tiles apart, or the tile does not divide evenly",
			.example = "mesh {x: 4, y: 2}\nfrom [12, 8]\napply dynslice(0, x)",
			.phase = 0,
			.splits = true,
			.local = true,
			.general = "split",
			.inverse = SW_ALLGATHER,
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
			.action = "put their tiles together",
			.why = "devices that differ only in the innermost parts hold neighbouring tiles, together the larger one",
			.why_not = "tiles that are neighbours are not where the axes of this factor reach",
			.example = "mesh {x: 4, y: 2}\nfrom [3{x}12, 4{y}8]\napply allgather(0, 2)",
			.phase = 2,
			.gathers = true,
			.grouped = true,
			.price = size_after,
			.general = "gather",
			.inverse = SW_DYNSLICE,
			.read = sw_read_gather,
			.print = sw_print_gather,
			.apply = sw_apply_entries,
			.sending = &sw_sends_tiles,
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
			.action = "swap pieces of their tiles",
			.why = "a group gathers along one dimension, and each member keeps one piece along the other",
			.why_not = "the group cannot gather the factor along one dimension and divide it evenly along the other",
			.example = "mesh {x: 4, y: 2}\nfrom [3{x}12, 8]\napply alltoall(0, 1)",
			.phase = 1,
			.gathers = true,
			.splits = true,
			.grouped = true,
			.price = size_before,
			.general = "alltoall",
			.inverse = SW_ALLTOALL,
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
			.needs = "the type to reach has the same local and the same global type",
			.effect = "any reassignment of tiles to devices",
			.cost = "localsize, which stays as it is",
			.action = "whole tiles go to other devices",
			.why = "the same tiles exist equally often before and after: each device sends its own to one device",
			.why_not = "tiles of another shape are not there to be sent",
			.example = "mesh {x: 4, y: 4}\nfrom [32{x}128]\napply allpermute [32{y}128]",
			.phase = 1,
			.permutes = true,
			.targets = true,
			.price = size_before,
			.inverse = SW_ALLPERMUTE,
			.print = sw_print_target,
			.apply = sw_apply_target,
			.sending = &sw_sends_whole,
		},
	[SW_EXCHANGE] =
		{
			.op = SW_EXCHANGE,
			.name = "exchange",
			.usage = "exchange TYPE",
			.needs = "the type to reach has the same global type",
			.effect = "every device gets the tile it needs, from whoever holds it",
			.cost = "localsize of the result",
			.action = "each device gets what it lacks from whoever has it",
			.why = "each element is held by some device that can send it",
			.why_not = "another array cannot be made from this one",
			.example = "mesh {x: 4, y: 2}\nredistribute [3{x}12, 8] ~> [12, 4{y}8]\nplan direct",
			.phase = 1,
			.targets = true,
			.dealt = true,
			.price = size_after,
			.inverse = SW_EXCHANGE,
			.print = sw_print_target,
			.apply = sw_apply_target,
			.sending = &sw_sends_dealt,
		},
};

const sw_collective *sw_collective_of(sw_op op)
{
	return (unsigned)op < SW_OP_COUNT ? &sw_collective_rows[op] : NULL;
}

sw_op sw_op_named(sw_str name)
{
	for (sw_op op = 0; op < SW_OP_COUNT; op++) {
		const sw_collective *row = &sw_collective_rows[op];

		if (sw_str_is(name, row->name) || (row->general && sw_str_is(name, row->general)))
			return op;
	}
	return SW_OP_COUNT;
}

int64_t sw_paper_cost(sw_op op, int64_t before, int64_t after)
{
	const sw_collective *row = sw_collective_of(op);

	return row && row->price ? row->price(before, after) : 0;
}
