/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans on chunks, executed with numbers on virtual devices: devices begin with terms that make the index of an element modulo 2^64,
 * and in the end all of them are compared.  What is not there is a number that belongs to no sum.  All elements of a chunk share
 * its way: one number of each chunk is moved at a time, and it is the only one unless all are asked for.
 */
#include "plan/chunk_plan.h"

#include <string.h>

#include "plan/tile_numbers.h"
#include "step/row.h"

#define NOT_THERE 0xDEADDEADDEADDEADu

struct numbers {
	const sw_plan *plan;
	const sw_verify_options *options;
	int64_t devices;
	int chunks;
	int64_t size;    /* elements of a tile */
	int64_t nth;     /* the element of each chunk that is moved */
	uint64_t *value; /* devices x chunks */
	bool *there;
	uint64_t *sum; /* of a group */
	int32_t *join; /* of each term, the one in the end that it is a part of */
};

static uint64_t mixed(int64_t index, int64_t term)
{
	uint64_t z = (uint64_t)index * 0x9E3779B97F4A7C15u + (uint64_t)term * 0xD1B54A32D192ED03u + 0x632BE59BD9B4E019u;

	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	return z ^ (z >> 31);
}

static uint64_t first_value(int64_t index, int64_t term, int64_t terms)
{
	uint64_t others = 0;

	if (term + 1 < terms)
		return mixed(index, term);
	for (int64_t t = 0; t < term; t++)
		others += mixed(index, t);
	return (uint64_t)index - others;
}

static bool is_full(const struct numbers *n)
{
	return n->options && n->options->full;
}

/* Has the chunk that many elements? */
static bool is_in(const struct numbers *n, int chunk)
{
	return n->nth == 0 || n->nth < sw_plan_chunk_begin(n->plan, chunk + 1) - sw_plan_chunk_begin(n->plan, chunk);
}

/* The number of the tile of a device, and with it of its chunks. */
static int64_t tile_of(const sw_plan *plan, const sw_type *type, int64_t device)
{
	int64_t at[SW_MAX_DIMS], number = 0;

	sw_type_offset(&plan->problem.mesh, type, device, at);
	for (int i = 0; i < type->rank; i++)
		number = number * (type->global[i] / type->tile[i]) + at[i] / type->tile[i];
	return number;
}

/* The number of the element of a chunk of a device that is moved. */
static int64_t index_of(const struct numbers *n, const sw_type *type, int64_t device, int chunk)
{
	int64_t tile = tile_of(n->plan, type, device);

	return is_full(n) ? tile * n->size + sw_plan_chunk_begin(n->plan, chunk) + n->nth : tile * n->chunks + chunk;
}

static void start(const struct numbers *n)
{
	const sw_problem *problem = &n->plan->problem;
	int64_t terms = sw_type_terms(&problem->from);

	for (int64_t d = 0; d < n->devices; d++) {
		int64_t term = sw_type_term(&problem->mesh, &problem->from, d);

		for (int c = 0; c < n->chunks; c++) {
			n->value[d * n->chunks + c] = first_value(index_of(n, &problem->from, d, c), term, terms);
			n->there[d * n->chunks + c] = true;
		}
	}
}

static void put(const struct numbers *n, int64_t device, int chunk, bool there)
{
	n->there[device * n->chunks + chunk] = there;
	n->value[device * n->chunks + chunk] = there ? n->sum[chunk] : NOT_THERE;
}

/* The sum over the group, or of an operation that only hands on the value of who has it: the last that does, or the root. */
static void collect(const struct numbers *n, const sw_step *step, const int32_t *member)
{
	sw_brings brings = sw_row(step->op)->brings;
	int64_t members = brings == SW_BRINGS_ROOT ? 1 : step->group_size;

	for (int c = 0; c < n->chunks; c++) {
		n->sum[c] = brings == SW_BRINGS_TERMS ? 0 : NOT_THERE;
		for (int64_t m = 0; m < members; m++) {
			int64_t at = member[m] * (int64_t)n->chunks + c;

			if (brings == SW_BRINGS_TERMS)
				n->sum[c] += n->value[at];
			else if (n->there[at])
				n->sum[c] = n->value[at];
		}
	}
}

/* Which member keeps the n-th of the chunks that are there: -1: all of them; the root of a reduce is 0. */
static int64_t keeper(const sw_step *step, int64_t nth, int64_t count)
{
	sw_leaves leaves = sw_row(step->op)->leaves;

	if (leaves == SW_LEAVES_ROOT)
		return 0;
	return leaves == SW_LEAVES_PARTS ? nth * step->group_size / count : -1;
}

static void do_group(const struct numbers *n, const sw_step *step, const int32_t *member)
{
	int64_t count = 0, nth = 0;
	bool whole = sw_row(step->op)->brings != SW_BRINGS_TERMS; /* what comes may be more than what the first had */

	collect(n, step, member);
	for (int c = 0; c < n->chunks; c++)
		count += n->there[member[0] * (int64_t)n->chunks + c];
	for (int c = 0; c < n->chunks; c++) {
		bool had = n->there[member[0] * (int64_t)n->chunks + c];
		int64_t keep = had && count > 0 ? keeper(step, nth, count) : -1;

		nth += had;
		for (int64_t m = 0; m < step->group_size; m++)
			put(n, member[m], c, whole ? n->sum[c] != NOT_THERE : had && (keep < 0 || keep == m));
	}
}

/* What a device should hold in the end: the terms that are joined in its own. */
static uint64_t sum_of(const struct numbers *n, int64_t device, int chunk)
{
	const sw_problem *problem = &n->plan->problem;
	int64_t terms = sw_type_terms(&problem->from), mine = sw_type_term(&problem->mesh, &problem->to, device);
	int64_t index = index_of(n, &problem->to, device, chunk);
	uint64_t sum = 0;

	if (sw_type_terms(&problem->to) == 1)
		return (uint64_t)index;
	for (int64_t t = 0; t < terms; t++)
		sum += n->join[t] == mine ? first_value(index, t, terms) : 0;
	return sum;
}

static void set_wrong(const struct numbers *n, int64_t device, int chunk, sw_verdict *verdict)
{
	const sw_plan *plan = n->plan;
	int64_t element = sw_plan_chunk_begin(plan, chunk) + n->nth;

	verdict->right = false;
	verdict->wrong.device = sw_device_at(plan->problem.mesh.order, device);
	verdict->wrong.step = plan->count;
	verdict->wrong.terms = 2;
	verdict->wrong.copy_of = -1;
	verdict->wrong.sum = n->value[device * n->chunks + chunk];
	for (int i = plan->problem.from.rank - 1; i >= 0; i--) {
		verdict->wrong.index[i] = verdict->wrong.expected[i] = element % plan->problem.from.tile[i];
		element /= plan->problem.from.tile[i];
	}
}

static void compare(const struct numbers *n, sw_verdict *verdict)
{
	for (int64_t d = 0; verdict->right && d < n->devices; d++)
		for (int c = 0; verdict->right && c < n->chunks; c++) {
			if (!is_in(n, c))
				continue;
			verdict->elements++;
			if (n->value[d * n->chunks + c] != sum_of(n, d, c))
				set_wrong(n, d, c, verdict);
		}
}

static void run_steps(const struct numbers *n)
{
	start(n);
	for (int k = 0; k < n->plan->count; k++)
		for (int64_t g = 0; g < n->plan->steps[k].grouped; g += n->plan->steps[k].group_size)
			do_group(n, &n->plan->steps[k], n->plan->steps[k].groups + g);
}

static bool beat(const struct numbers *n, int64_t count, sw_diag *diag)
{
	const sw_pulse *pulse = n->options ? n->options->pulse : NULL;

	return sw_pulse_beat(pulse, "elements of a chunk", n->nth, count) ||
		sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped after %lld of the %lld elements of each chunk",
			(long long)n->nth, (long long)count);
}

static bool run_all(struct numbers *n, sw_verdict *verdict, sw_diag *diag)
{
	int64_t most = (n->size + n->chunks - 1) / n->chunks, count = is_full(n) ? most : 1;

	for (n->nth = 0; n->nth < count && verdict->right; n->nth++) {
		if (!beat(n, count, diag))
			return false;
		run_steps(n);
		compare(n, verdict);
	}
	return true;
}

bool sw_chunk_plan_verify(const sw_plan *plan, const sw_verify_options *options, sw_verdict *verdict, sw_diag *diag)
{
	char where[SW_WHERE_SIZE];
	struct numbers n = {.plan = plan,
		.options = options,
		.devices = plan->problem.mesh.devices,
		.chunks = plan->chunks,
		.size = sw_type_localsize(&plan->problem.from)};
	sw_arena *arena = sw_arena_new();

	if (arena == NULL)
		return sw_diag_memory(diag);
	bool done = sw_chunk_plan_check(plan, true, where, diag);
	n.value = SW_NEW(arena, uint64_t, n.devices * n.chunks);
	n.there = SW_NEW(arena, bool, n.devices *n.chunks);
	n.sum = SW_NEW(arena, uint64_t, n.chunks);
	n.join = SW_NEW(arena, int32_t, sw_type_terms(&plan->problem.from));
	if (done && (n.value == NULL || n.there == NULL || n.sum == NULL || n.join == NULL))
		done = sw_diag_memory(diag);
	if (done) {
		sw_terms_join(&plan->problem.mesh, &plan->problem.from, &plan->problem.to, n.join);
		done = run_all(&n, verdict, diag);
		verdict->chunks = is_full(&n) ? 0 : plan->chunks;
		verdict->bytes = verdict->elements * (int64_t)sizeof *n.value;
	}
	sw_arena_free(arena);
	return done;
}
