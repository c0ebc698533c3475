/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What people look for in the sums of a module: pairs of steps of which one would do, and copies that stand by.
 */
#include "foreign/module/hlo_parts.h"

#include <assert.h>
#include <string.h>

#include "step/row.h"

static const struct {
	const char *name, *words;
} findings[] = {
#define X(id, name, words) [SW_HLO_FOUND_##id] = {name, words},
	SW_HLO_FINDINGS(X)
#undef X
};

const char *sw_hlo_finding_name(sw_hlo_finding finding)
{
	assert((unsigned)finding < SW_HLO_FINDING_COUNT);
	return findings[finding].name;
}

const char *sw_hlo_finding_words(sw_hlo_finding finding)
{
	assert((unsigned)finding < SW_HLO_FINDING_COUNT);
	return findings[finding].words;
}

/* Do all devices of a sum have it? */
static bool sums_whole(const hlo_step *step)
{
	return step->term != NULL && sw_sums_whole(step->op);
}

static bool same_tile(const hlo_step *after, int64_t a, int64_t b, int rank)
{
	return !after->base ||
		memcmp(after->base + a * rank, after->base + b * rank, (size_t)rank * sizeof *after->base) == 0;
}

/* In how many different tiles do the devices of a group of the sum end with what the slice leaves them? */
static int64_t pieces_of_group(const hlo_step *sum, const hlo_step *slice, int rank)
{
	int64_t pieces = 0;
	for (int64_t j = 0; j < sum->size; j++) {
		bool first = true;
		for (int64_t i = 0; i < j && first; i++)
			first = !same_tile(slice, sum->member[i], sum->member[j], rank);
		pieces += first;
	}
	return pieces;
}

static unsigned found_after_sum(const hlo_step *sum, const hlo_step *next, int rank)
{
	const sw_collective *row = sw_row(next->op);
	if (next->term)
		return sums_whole(next) ? 1u << SW_HLO_FOUND_TWICE : 0;
	if (row->among != SW_AMONG_NONE)
		return sw_only_gathers(next->op) ? 1u << SW_HLO_FOUND_AT_ONCE : 0;
	int64_t pieces = pieces_of_group(sum, next, rank);
	return 1u << (pieces == sum->size ? SW_HLO_FOUND_SCATTER :
				   pieces > 1         ? SW_HLO_FOUND_FEWER :
										SW_HLO_FOUND_AT_ONCE);
}

/* Do devices hold after step `b` what they held before step `a`? */
static bool undoes(const graph_reading *r, const hlo_value *from, const hlo_step *step, int a, int b)
{
	const int64_t *before = a > 0 ? step[a - 1].base : from->base;
	const int64_t *after = step[b].base;
	static const int64_t none[SW_MAX_DIMS];
	for (int64_t d = 0; d < r->devices; d++)
		if (memcmp(before ? before + d * from->rank : none, after ? after + d * from->rank : none,
				(size_t)from->rank * sizeof *none) != 0)
			return false;
	return true;
}

/* The step that sums after step `k` and slices alone; -1: there is none. */
static int next_sum(const hlo_step *step, int count, int k)
{
	for (k++; k < count && sw_row(step[k].op)->among == SW_AMONG_NONE; k++)
		;
	return k < count && sums_whole(&step[k]) ? k : -1;
}

unsigned hlo_found(const graph_reading *r, const hlo_value *from, const hlo_step *step, int count)
{
	unsigned found = 0;
	for (int k = 0; k + 1 < count; k++) {
		if (sums_whole(&step[k])) {
			found |= found_after_sum(&step[k], &step[k + 1], from->rank);
			found |= next_sum(step, count, k) > 0 ? 1u << SW_HLO_FOUND_TWICE : 0;
		} else if (step[k].term && sw_only_gathers(step[k + 1].op) && !undoes(r, from, step, k, k + 1)) {
			found |= 1u << SW_HLO_FOUND_APART;
		}
	}
	return found;
}

bool hlo_found_copies(const sw_plan *plan)
{
	const sw_problem *problem = &plan->problem;
	bool sums = false;
	for (int k = 0; k < plan->program.steps && !sums; k++)
		sums = sw_sums_whole(plan->program.step[k].op);
	return sums && sw_type_copies(&problem->mesh, &problem->from) > 1 && sw_type_localsize(&problem->from) > 1;
}
