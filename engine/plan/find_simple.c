/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The strategies that need no search of their own: naive, direct and paper.
 */
#include "plan/find_sums.h"
#include "plan/strategy.h"
#include "step/row.h"

#include <string.h>

#include <shardwalk/walk.h>

#include "base/bounded_pulse.h"

/* ---- naive ---- */

/* A type with the parts of `type` in the dimensions of `keep` only.  NULL: see the diagnostic. */
static const sw_type *whole_but(sw_finder *f, const sw_type *type, unsigned keep)
{
	sw_type *out = SW_NEW(f->arena, sw_type, 1);
	sw_part parts[SW_MAX_PARTS];
	int count[SW_MAX_DIMS], n = 0;

	if (out == NULL)
		return sw_diag_memory(f->diag), NULL;
	for (int i = 0; i < type->rank; i++) {
		count[i] = (keep >> i & 1) != 0 ? sw_type_parts(type, i, parts + n) : 0;
		n += count[i];
	}
	*out = *type;
	return sw_type_partition(&f->problem->mesh, out, count, parts, f->diag) ? out : NULL;
}

static bool add_naive(sw_finder *f, sw_lowering *l, sw_op op, const sw_type *end, unsigned keep)
{
	const sw_type *type = whole_but(f, end, keep);

	if (type == NULL)
		return false;
	sw_lower_to_type(l, op, type);
	return true;
}

static bool is_split(const sw_type *type, int dim)
{
	return type->tile[dim] != type->global[dim];
}

bool sw_candidates_naive(sw_finder *f)
{
	const sw_type *from = &f->problem->from, *to = &f->problem->to;
	sw_candidate c;

	if (f->space.sums)
		return sw_consider_sum_first(f, SW_NAIVE, true, 0);
	sw_candidate_begin(&c, f, &f->space);
	for (int i = 0; i < from->rank; i++)
		if (is_split(from, i) && !add_naive(f, &c.lowering, SW_ALLGATHER, from, ~0u << (i + 1)))
			return false;
	for (int i = 0; i < to->rank; i++)
		if (is_split(to, i) && !add_naive(f, &c.lowering, SW_DYNSLICE, to, (2u << i) - 1))
			return false;
	return sw_finder_consider(f, &c);
}

/* ---- direct ---- */

bool sw_candidates_direct(sw_finder *f)
{
	sw_candidate c;

	sw_candidate_begin(&c, f, &f->space);
	if (!sw_type_same_map(&f->problem->mesh, &f->problem->from, &f->problem->to))
		sw_lower_to_type(&c.lowering, SW_EXCHANGE, &f->problem->to);
	return sw_finder_consider(f, &c);
}

/* ---- paper ---- */

/* The path without its last gathers; those become the order in which dimensions are gathered home. */
static bool split_path(const sw_local_path *path, int rank, sw_arena *arena, sw_layout_path *steps,
	int64_t home[SW_MAX_DIMS], int *homes)
{
	int count = path->count;

	while (count > 0 && sw_only_gathers(path->moves[count - 1].op))
		count--;
	*homes = path->count - count;
	for (int k = count; k < path->count; k++)
		for (int e = 0; e < path->moves[k].gathers; e++)
			home[path->moves[k].gather[e].dim] = k;
	*steps = (sw_layout_path){count, SW_NEW(arena, sw_layout_step, count)};
	for (int k = 0; steps->step != NULL && k < count; k++) {
		steps->step[k].op = path->moves[k].op;
		memcpy(steps->step[k].tile, path->tiles + (int64_t)(k + 1) * rank, (size_t)rank * sizeof(int64_t));
	}
	return steps->step != NULL;
}

/* Neighbouring slices of a path are one step of a plan. */
static void merge_slices(sw_layout_path *path)
{
	int n = 0;

	for (int k = 0; k < path->count; k++) {
		if (n > 0 && sw_is_one_with(path->step[n - 1].op, path->step[k].op))
			n--;
		path->step[n++] = path->step[k];
	}
	path->count = n;
}

enum { MOST_BEATS = 2000 };

bool sw_consider_local_path(sw_finder *f, sw_model model, bool multi_dim)
{
	sw_walk_options options = {.model = model,
		.budget = f->budget,
		.multi_dim = multi_dim,
		.without = f->options->without,
		.goal_directed = true};
	sw_bounded_pulse pulse;
	sw_layout_path steps;
	int64_t home[SW_MAX_DIMS] = {0};
	sw_local_path path;
	sw_candidate c;
	sw_diag why;
	int homes;

	if (f->space.sums)
		return sw_consider_sums_path(f);
	sw_bounded_pulse_init(&pulse, f->options->pulse, multi_dim ? MOST_BEATS : INT64_MAX);
	if (!sw_local_shortest(f->problem, &options, &pulse.pulse, f->arena, &path, &why)) {
		f->stopped = f->stopped || pulse.stopped;
		if (why.code == SW_S02 || why.code == SW_S03)
			return true;
		if (f->diag != NULL)
			*f->diag = why;
		return false;
	}
	f->blank.search.settled += path.settled;
	f->blank.search.seen += path.seen;
	f->blank.search.edges += path.edges;
	if (model == SW_MODEL_PAPER && options.without == 0)
		*(multi_dim ? &f->multi_dim_cost : &f->local_cost) = path.cost;
	if (!split_path(&path, f->space.rank, f->arena, &steps, home, &homes))
		return sw_diag_memory(f->diag);
	merge_slices(&steps);
	sw_candidate_begin(&c, f, &f->space);
	bool lowered = sw_lower_local(&c.lowering, &steps, multi_dim, home, homes);
	return lowered || c.lowering.failed ? sw_finder_consider(f, &c) : true;
}

/* The optimum over local types under the model paper, where looking for candidates has not told it yet. */
bool sw_find_local_cost(sw_finder *f)
{
	sw_walk_options options = {.model = SW_MODEL_PAPER, .budget = f->budget, .goal_directed = true};
	sw_local_path path;
	sw_diag why;

	if (f->local_cost >= 0)
		return true;
	if (f->space.sums)
		return sw_find_sums_bound(f, SW_MODEL_PAPER, false, &f->local_cost);
	if (sw_local_shortest(f->problem, &options, f->options->pulse, f->arena, &path, &why)) {
		f->local_cost = path.cost;
		return true;
	}
	f->stopped = f->stopped || why.code == SW_S03;
	if (why.code == SW_S03)
		return true;
	if (f->diag != NULL)
		*f->diag = why;
	return false;
}

bool sw_candidates_paper(sw_finder *f)
{
	if (!sw_consider_local_path(f, f->options->model, false) || !sw_find_local_cost(f))
		return false;
	if (!f->any)
		return true;
	f->best.lower_bound = f->local_cost >= 0 && f->local_cost <= f->best.cost ? f->local_cost : 0;
	f->best.model_bound = f->best.model == SW_MODEL_PAPER ? (double)f->best.lower_bound : 0;
	f->best.optimal = f->best.model == SW_MODEL_PAPER && f->best.lower_bound == f->best.cost;
	return true;
}
