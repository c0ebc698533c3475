/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The statements: one row each.
 */
#include "theory/claims.h"

#define SLICE (1u << SW_DYNSLICE)
#define GATHER (1u << SW_ALLGATHER)
#define MOVE (1u << SW_ALLTOALL)
#define PERMUTE (1u << SW_ALLPERMUTE)
#define ALL (SLICE | GATHER | MOVE | PERMUTE)
#define WEAK (SLICE | GATHER | MOVE)

static bool fits_same_tile(const sw_case *one)
{
	return sw_case_same_tile(&one->mesh, &one->type[0], &one->type[1]);
}

static sw_op fits_op(const sw_case *one, int k)
{
	sw_case_step step = {SW_OP_COUNT, -1, -1, -1};
	sw_case_step_between(&one->mesh, &one->type[k], &one->type[k + 1], &step);
	return step.op;
}

/* An allgather before a step that keeps the size, or a dynslice after one. */
static bool fits_edge(const sw_case *one)
{
	return (fits_op(one, 0) == SW_ALLGATHER) != (fits_op(one, 1) == SW_DYNSLICE);
}

/* Slices only in front, and a permutation that is not the last step: tiles are as large there as at the end. */
static bool fits_permutes_between(const sw_case *one)
{
	bool moved = false, permutes = false;
	for (int k = 0; k + 1 < one->count; k++) {
		sw_op op = fits_op(one, k);
		if (op == SW_DYNSLICE && moved)
			return false;
		moved = moved || op != SW_DYNSLICE;
		permutes = permutes || (op == SW_ALLPERMUTE && k + 2 < one->count);
	}
	return permutes;
}

#define D_OVER_C SW_SAYS(SW_HIERARCHY_SUMMED_ROWS, SW_HIERARCHY_ROWS)
#define C_OVER_B SW_SAYS(SW_HIERARCHY_ROWS, SW_HIERARCHY_COLUMNS)
#define B_OVER_A SW_SAYS(SW_HIERARCHY_COLUMNS, SW_HIERARCHY_LEVELS)

#define PLACED_DRAWN \
	"placements of up to 3 axes on systems of 2 to 4 levels and 2 to 12 devices, and the axes summed over"
#define PLACED_PROGRAMS \
	"all programs of up to 4 steps that compute the sum, as groups and operations; masters allow only " \
	"all-reduce"
#define PLACED_BREAKS PLACED_DRAWN "; an instruction of hierarchy b or c that breaks this"
#define PLACED_USED "its groups with those of all programs of up to 4 steps that compute the sum"
#define C_MISSES \
	"the third case of the proof, masters, does not follow from the first: by rows, factors of other axes come after the " \
	"summed ones, and lemma B.6 forbids masters above them"
#define PLACED_ONE \
	"placements of up to 3 axes on systems of 2 to 4 levels and 2 to 12 devices, and the one that is summed"

#define PRODUCT_DRAWN "products C[i, k] of A[i, j] and B[j, k] over meshes of up to 3 axes"
#define PRODUCT_RUN "the product by execution, bit for bit, with that of whole matrices"

#define DISTRIBUTIONS_DRAWN "two types of any kind of one array, of 1 or 2 dimensions, on 2 to 12 devices"
#define RELATED_COMPARED \
	"the devices that each device needs in the relation of both types, with those that need it in the relation " \
	"of the swapped types"

const sw_statement_row sw_statement_rows[] = {
	/* ---- redistribution ---- */
	{
		.statement = {SW_STATEMENT_LEMMA, "4.1",
			"the base offsets along a dimension are the multiples of its tile below its size",
			"types of one dimension, up to 3 axes",
			"the offset of every device with the multiples; each on as many devices as any other", false,
			SW_PAPER_REDISTRIBUTION, 0, NULL, NULL},
		.rank = 1,
		.least = 1,
		.most = 1,
		.holds = sw_claim_offsets,
	},
	{
		.statement = {SW_STATEMENT_LEMMA, "4.2", "the base offsets of a type are those of all tiles of the array",
			"types of up to 3 axes and 3 dimensions",
			"the offsets of all devices with the grid of tiles; each on as many devices as any other", false,
			SW_PAPER_REDISTRIBUTION, 0, NULL, NULL},
		.least = 1,
		.most = 1,
		.holds = sw_claim_offsets,
	},
	{
		.statement = {SW_STATEMENT_LEMMA, "4.6",
			"an allgather before a dynslice becomes at most three steps, none above the ends",
			"types of up to 3 axes and 3 dimensions, an allgather and a dynslice after it",
			"both ways by execution; the height with that of the ends; the number of steps", true,
			SW_PAPER_REDISTRIBUTION, 0, NULL, NULL},
		.least = 3,
		.most = 3,
		.joined = true,
		.step = {GATHER, SLICE},
		.holds = sw_claim_peak,
	},
	{
		.statement = {SW_STATEMENT_LEMMA, "4.7",
			"an allgather moves after an alltoall or a permute, a dynslice before it, with at most one more permute",
			"an allgather before, or a dynslice after, an alltoall or a permute",
			"both ways by execution; the height; at most two steps of equal size, one of them an alltoall", true,
			SW_PAPER_REDISTRIBUTION, 0, NULL, NULL},
		.least = 3,
		.most = 3,
		.joined = true,
		.step = {GATHER | MOVE | PERMUTE, MOVE | PERMUTE | SLICE},
		.fits = fits_edge,
		.holds = sw_claim_edge,
	},
	{
		.statement = {SW_STATEMENT_THEOREM, "4.8",
			"between the ends of any sequence there is a normal form: slices, then alltoalls and permutes, then gathers",
			"sequences of 2 to 6 steps of all kinds",
			"both ways by execution; the form; the height with that of the ends", true, SW_PAPER_REDISTRIBUTION, 0,
			NULL, NULL},
		.least = 3,
		.most = 7,
		.joined = true,
		.step = {ALL, ALL, ALL, ALL, ALL, ALL},
		.holds = sw_claim_normal_form,
	},
	{
		.statement = {SW_STATEMENT_LEMMA, "5.1",
			"types of one array and equal tiles differ by a permutation of the devices",
			"two types of equal tiles, up to 3 axes and 3 dimensions",
			"a bijection is found, its cycles hold every device, and executing it turns one type into the other",
			false, SW_PAPER_REDISTRIBUTION, 0, NULL, NULL},
		.least = 2,
		.most = 2,
		.fits = fits_same_tile,
		.holds = sw_claim_permutation,
	},
	{
		.statement = {SW_STATEMENT_LEMMA, "6.3",
			"a step up to permutations is one low-level step, from any type of these tiles",
			"one allgather, alltoall or dynslice, and another type of the tiles before it",
			"all devices after the step, by execution over groups made from the device map", true,
			SW_PAPER_REDISTRIBUTION, 0, NULL, NULL},
		.least = 2,
		.most = 2,
		.joined = true,
		.elsewhere = true,
		.step = {WEAK},
		.holds = sw_claim_lowering,
	},
	{
		.statement = {SW_STATEMENT_THEOREM, "6.4",
			"a sequence up to permutations has low-level steps without any permute",
			"sequences of 2 to 6 steps, and another type of the tiles before them",
			"all devices after every step, by execution; that no step is a permute", true, SW_PAPER_REDISTRIBUTION, 0,
			NULL, NULL},
		.least = 3,
		.most = 7,
		.joined = true,
		.elsewhere = true,
		.step = {ALL, ALL, ALL, ALL, ALL, ALL},
		.holds = sw_claim_lowering,
	},
	{
		.statement = {SW_STATEMENT_LEMMA, "6.5",
			"no sequence up to permutations costs less than the cheapest normal form",
			"sequences of 2 to 6 steps of all kinds",
			"the cost of both without permutations; the normal form by execution", true, SW_PAPER_REDISTRIBUTION, 0,
			NULL, NULL},
		.least = 3,
		.most = 7,
		.joined = true,
		.step = {ALL, ALL, ALL, ALL, ALL, ALL},
		.holds = sw_claim_weak_cost,
	},
	{
		.statement = {SW_STATEMENT_LEMMA, "6.6",
			"low-level steps without their permutes are a sequence up to permutations",
			"low-level sequences of 2 to 6 steps; permutes are any permutations of the devices",
			"all devices after every step, by execution; each other step with what it does to the tiles", true,
			SW_PAPER_REDISTRIBUTION, 0, NULL, NULL},
		.least = 3,
		.most = 7,
		.joined = true,
		.step = {ALL, ALL, ALL, ALL, ALL, ALL},
		.holds = sw_claim_lifting,
	},
	{
		.statement = {SW_STATEMENT_THEOREM, "6.7",
			"a normal form and one permute after it cost at most the optimum plus a tile of `to`",
			"pairs of types of one array",
			"the cost with the least of all sequences, permutations free; the end by execution", true,
			SW_PAPER_REDISTRIBUTION, 0, NULL, NULL},
		.least = 2,
		.most = 2,
		.holds = sw_claim_near_optimum,
	},
	{
		.statement = {SW_STATEMENT_PRINCIPLE, "1",
			"with axes of prime size some sequence needs no larger tile than the ends", "pairs of types of one array",
			"the height of the lowest sequence of whole axes with that of the ends; the end by execution", true,
			SW_PAPER_REDISTRIBUTION, 0, NULL, NULL},
		.least = 2,
		.most = 2,
		.holds = sw_claim_height,
	},
	{
		.statement = {SW_STATEMENT_PRINCIPLE, "2",
			"permutations between other steps can give way to one at the end that costs no more",
			"slices, then alltoalls with permutations between",
			"the cost of both, and the tiles at their ends by execution", true, SW_PAPER_REDISTRIBUTION, 0, NULL,
			NULL},
		.least = 3,
		.most = 7,
		.joined = true,
		.step = {SLICE | MOVE | PERMUTE, SLICE | MOVE | PERMUTE, SLICE | MOVE | PERMUTE, MOVE | PERMUTE,
			MOVE | PERMUTE, MOVE | PERMUTE},
		.fits = fits_permutes_between,
		.holds = sw_claim_one_permute,
	},

	/* ---- placements ---- */
	{
		.statement = {SW_STATEMENT_THEOREM, "3.2",
			"d expresses everything that c expresses, c everything that "
			"b does, b everything that a does",
			PLACED_ONE, PLACED_PROGRAMS, false, SW_PAPER_PLACEMENTS, 300, C_MISSES, NULL},
		.own = sw_claim_expressive,
		.devices = 12,
		.which = D_OVER_C | C_OVER_B | B_OVER_A | SW_ONE_AXIS,
	},
	{
		.statement = {SW_STATEMENT_LEMMA, "B.1",
			"b, factors column by column, expresses everything that a, "
			"the levels, does",
			PLACED_DRAWN, PLACED_PROGRAMS, false, SW_PAPER_PLACEMENTS, 300, NULL, NULL},
		.own = sw_claim_expressive,
		.devices = 12,
		.which = B_OVER_A,
	},
	{
		.statement = {SW_STATEMENT_LEMMA, "B.2",
			"an instruction across slice i within ancestor j makes groups over the factors after j up to i, and no others",
			"placements on systems of 2 to 4 levels, an instruction of hierarchy b or c",
			"size and number of the groups with products of factors; in which factors members differ", false,
			SW_PAPER_PLACEMENTS, 0, NULL, NULL},
		.own = sw_claim_parallel,
		.devices = 64,
	},
	{
		.statement = {SW_STATEMENT_LEMMA, "B.3",
			"no program that computes the sum has groups whose devices differ along an axis that is not summed "
			"over",
			PLACED_BREAKS, PLACED_USED, false, SW_PAPER_PLACEMENTS, 300, NULL, NULL},
		.own = sw_claim_unusable,
		.devices = 12,
		.which = SW_ANY_FORM,
	},
	{
		.statement = {SW_STATEMENT_COROLLARY, "B.4",
			"an instruction across slice i within ancestor j is useful only if the factors after j up to i are "
			"1 or summed over",
			PLACED_BREAKS, PLACED_USED, false, SW_PAPER_PLACEMENTS, 300, NULL, NULL},
		.own = sw_claim_unusable,
		.devices = 12,
		.which = SW_FORM_ACROSS,
	},
	{
		.statement = {SW_STATEMENT_LEMMA, "B.5",
			"an instruction inside slice i is useful only if all factors after i are 1 or summed "
			"over",
			PLACED_BREAKS, PLACED_USED, false, SW_PAPER_PLACEMENTS, 300, NULL, NULL},
		.own = sw_claim_unusable,
		.devices = 12,
		.which = SW_FORM_INSIDE,
	},
	{
		.statement = {SW_STATEMENT_LEMMA, "B.6",
			"an instruction between masters within ancestor j is useful only if all factors after j are 1 or "
			"summed over",
			PLACED_BREAKS, PLACED_USED, false, SW_PAPER_PLACEMENTS, 300, NULL, NULL},
		.own = sw_claim_unusable,
		.devices = 12,
		.which = SW_FORM_MASTERS,
	},
	{
		.statement = {SW_STATEMENT_LEMMA, "B.7",
			"c, factors row by row, expresses everything that b, column "
			"by column, does",
			PLACED_ONE, PLACED_PROGRAMS, false, SW_PAPER_PLACEMENTS, 300, C_MISSES, NULL},
		.own = sw_claim_expressive,
		.devices = 12,
		.which = C_OVER_B | SW_ONE_AXIS,
	},
	{
		.statement = {SW_STATEMENT_LEMMA, "B.8",
			"d, the summed factors row by row, expresses everything that c, all factors, "
			"does",
			PLACED_DRAWN, PLACED_PROGRAMS, false, SW_PAPER_PLACEMENTS, 300, NULL, NULL},
		.own = sw_claim_expressive,
		.devices = 12,
		.which = D_OVER_C,
	},

	/* ---- the book ---- */
	{
		.statement = {SW_STATEMENT_LEMMA, "1",
			"tiles multiply in place, and the result follows them, unless the summed letter is partitioned or "
			"an axis cuts both",
			PRODUCT_DRAWN, "whether the program is typed without a sum; the product by execution, bit for bit", false,
			SW_PAPER_BOOK, 0, NULL, NULL},
		.own = sw_claim_product,
		.devices = 16,
		.which = 0,
	},
	{
		.statement = {SW_STATEMENT_CASE, "1",
			"neither matrix is partitioned along the summed letter: nothing "
			"is sent",
			PRODUCT_DRAWN ", of this case", PRODUCT_RUN, false, SW_PAPER_BOOK, 0, NULL, NULL},
		.own = sw_claim_product,
		.devices = 16,
		.which = 1,
	},
	{
		.statement = {SW_STATEMENT_CASE, "2",
			"one matrix is partitioned along the summed letter, or both differently: gathering that letter "
			"makes it case 1 or 3",
			PRODUCT_DRAWN ", of this case", "that the product is refused without the gather (A05); " PRODUCT_RUN,
			false, SW_PAPER_BOOK, 0, NULL, NULL},
		.own = sw_claim_product,
		.devices = 16,
		.which = 2,
	},
	{
		.statement = {SW_STATEMENT_CASE, "3",
			"both matrices are partitioned alike along the summed letter: tiles multiply into terms, which are "
			"summed at the end",
			PRODUCT_DRAWN ", of this case", PRODUCT_RUN, false, SW_PAPER_BOOK, 0, NULL, NULL},
		.own = sw_claim_product,
		.devices = 16,
		.which = 3,
	},
	{
		.statement = {SW_STATEMENT_CASE, "4",
			"an axis cuts an unsummed letter of each matrix: only the diagonal multiplies, and gathering either helps",
			PRODUCT_DRAWN ", of this case",
			"that the product is refused without a gather (A06); both choices by execution, bit for bit", false,
			SW_PAPER_BOOK, 0, NULL, NULL},
		.own = sw_claim_product,
		.devices = 16,
		.which = 4,
	},

	/* ---- distributions ---- */
	{
		.statement = {SW_STATEMENT_LEMMA, "1",
			"if every device needs something from every other, each is needed by all, and vice "
			"versa",
			DISTRIBUTIONS_DRAWN, RELATED_COMPARED, false, SW_PAPER_DISTRIBUTIONS, 0, NULL, NULL},
		.own = sw_claim_related,
		.devices = 12,
		.which = 1,
	},
	{
		.statement = {SW_STATEMENT_LEMMA, "2",
			"if every one of |P| devices needs something from k or more, one of the |Q| that hold something is "
			"needed by |P| k / |Q|",
			DISTRIBUTIONS_DRAWN, RELATED_COMPARED, false, SW_PAPER_DISTRIBUTIONS, 0, NULL,
			"each of the |Q| is needed by |P| k / |Q| or more"},
		.own = sw_claim_related,
		.devices = 12,
		.which = 2,
		.smallest = sw_smallest_unbound,
	},
	{
		.statement = {SW_STATEMENT_LEMMA, "3",
			"if all devices compute the same, all need the same part of "
			"each array",
			"formulas over arrays of 1 and 2 dimensions, the left side the same on all devices",
			"what devices need of each array, with what device 0 "
			"needs",
			false, SW_PAPER_DISTRIBUTIONS, 0, NULL, NULL},
		.own = sw_claim_replicated,
		.devices = 12,
	},
	{
		.statement = {SW_STATEMENT_THEOREM, "1",
			"a computation is local if devices have everything that they need: beta is within alpha",
			"formulas over arrays of 1 and 2 dimensions, with types of any kind",
			"what each device has and needs, element by element, with what it makes without messages, and vice "
			"versa",
			false, SW_PAPER_DISTRIBUTIONS, 0, NULL, NULL},
		.own = sw_claim_local,
		.devices = 12,
	},
};

const int sw_statement_row_count = sizeof sw_statement_rows / sizeof *sw_statement_rows;
