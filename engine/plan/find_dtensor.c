/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The strategies dtensor and dtensor-min-cost: what PyTorch DTensor's planners do, as a plan.
 */
#include "plan/peer.h"
#include "plan/strategy.h"

#include <stdio.h>
#include <string.h>

#include "peers/dtensor_redistribute.h"
#include "step/row.h"

static sw_op op_of(const sw_dtensor_step *step)
{
	bool summed = step->from == SW_DTENSOR_PARTIAL, sums = step->to == SW_DTENSOR_PARTIAL;

	if (summed)
		return step->to < 0 ? SW_ALLREDUCE : SW_REDUCESCATTER;
	if (sums)
		return step->from < 0 ? SW_ZEROS : SW_PAD;
	return step->from < 0 ? SW_DYNSLICE : step->to < 0 ? SW_ALLGATHER : SW_ALLTOALL;
}

static bool refuse_parts(sw_finder *f, const char *end)
{
	sw_diag_set(f->diag, SW_S02, (sw_span){0, 0},
		"DTensor has no placement for '%s', which partitions a dimension over a part of an axis", end);
	sw_diag_expected(f->diag, "whole axes of the mesh");
	sw_diag_hint(f->diag, "a mesh that names the parts as separate axes would have one");
	return false;
}

/* The original raises NotImplementedError there. */
static bool refuse_partial(sw_finder *f, const sw_dtensor_step *step, int number)
{
	const char *axis = f->problem->mesh.axis[step->axis].name;

	sw_diag_set(f->diag, SW_S02, (sw_span){0, 0},
		"DTensor's step %d would go from Shard(%d) to Partial() on mesh dimension '%s' at once, which it does not support",
		number, step->from, axis);
	sw_diag_hint(f->diag, "the strategy dtensor-min-cost goes by way of Replicate(); `fused` has a step for it, pad");
	return false;
}

static bool refuse_search(sw_finder *f, const sw_dtensor_plan *found)
{
	if (found->end == SW_DTENSOR_MEMORY)
		return sw_diag_memory(f->diag);
	sw_diag_set(f->diag, SW_S02, (sw_span){0, 0},
		"DTensor's search did not end within the %lld sharding states kept here", (long long)found->seen);
	sw_diag_hint(f->diag, "the original would continue; fewer mesh axes or dimensions make the graph smaller");
	return false;
}

/* The most gathers of one dimension that follow on each other: DTensor warns from two on. */
static int gathers_in_a_row(const sw_dtensor_plan *found)
{
	int most = 0, row = 0, dim = -1;

	for (const sw_dtensor_step *step = found->first; step != NULL && most < 2; step = step->next) {
		bool gathers = sw_only_gathers(op_of(step));

		row = gathers && row > 0 && step->from == dim ? row + 1 : gathers;
		dim = step->from;
		if (step->next == NULL || !sw_only_gathers(op_of(step->next)) || step->next->from != dim)
			most = row;
	}
	return most;
}

static bool begins_sums(const sw_dtensor_plan *found)
{
	for (const sw_dtensor_step *step = found->first; step != NULL; step = step->next)
		if (step->to == SW_DTENSOR_PARTIAL)
			return true;
	return false;
}

static bool note(sw_finder *f, const sw_dtensor_plan *found, sw_plan *plan)
{
	int row = gathers_in_a_row(found);
	bool divides = begins_sums(found);
	char text[256] = "";

	if (row > 1)
		snprintf(text, sizeof text,
			"DTensor warns: %d sequential all_gather operations will be performed. This is suboptimal%s", row,
			divides ? "; " : "");
	if (divides)
		snprintf(text + strlen(text), sizeof text - strlen(text),
			"when terms begin, DTensor divides by the number of devices, which rounds; here one copy stays and "
			"the others become 0");
	return sw_peer_note(f, plan, *text ? text : NULL,
		"DTensor is followed on the padded array; it keeps the sizes of torch.chunk, and pads in each collective");
}

static bool lower(sw_finder *f, sw_lowering *l, const sw_dtensor_plan *found)
{
	int number = 1, dim;
	int64_t tiles;

	for (const sw_dtensor_step *step = found->first; step != NULL; step = step->next, number++) {
		sw_type *type = SW_NEW(f->arena, sw_type, 1);

		if (type == NULL)
			return sw_diag_memory(f->diag);
		if (op_of(step) == SW_PAD)
			return refuse_partial(f, step, number);
		*type = f->problem->to;
		if (!sw_dtensor_to_type(&f->problem->mesh, step->after, type, &dim, &tiles))
			return sw_peer_refuse_padding(f,
				&(sw_padding){"DTensor", number, op_of(step), step->pattern, dim, tiles});
		sw_peer_step(l, op_of(step), type);
	}
	return !l->failed || sw_diag_memory(f->diag);
}

static bool find(sw_finder *f, bool always_search)
{
	const sw_problem *problem = f->problem;
	sw_placement from[SW_MAX_AXES], to[SW_MAX_AXES];
	int axes = problem->mesh.count;
	sw_dtensor_plan found;
	sw_candidate c;

	if (!sw_dtensor_of_type(&problem->mesh, &problem->from, from))
		return refuse_parts(f, "from");
	if (!sw_dtensor_of_type(&problem->mesh, &problem->to, to))
		return refuse_parts(f, "to");
	if (always_search || !sw_dtensor_default_order(from, axes) || !sw_dtensor_default_order(to, axes))
		sw_dtensor_search(f->arena, problem, f->options->pulse, &found);
	else
		sw_dtensor_greedy(f->arena, problem, &found);
	f->blank.search.settled = found.settled;
	f->blank.search.seen = found.seen;
	f->stopped = found.end == SW_DTENSOR_STOPPED;
	if (f->stopped)
		return true;
	if (found.end != SW_DTENSOR_DONE)
		return refuse_search(f, &found);
	sw_candidate_begin(&c, f, &f->space);
	return lower(f, &c.lowering, &found) && note(f, &found, &c.plan) && sw_finder_consider(f, &c);
}

bool sw_candidates_dtensor(sw_finder *f)
{
	return find(f, false);
}

bool sw_candidates_dtensor_min_cost(sw_finder *f)
{
	return find(f, true);
}
