/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The strategy sum-first: all sums are finished at once, then whole values are redistributed.
 */
#include "plan/find_sums.h"

#include <string.h>

#include "plan/strategy.h"

static const sw_type *without_sums(sw_finder *f, const sw_type *type)
{
	sw_type *out = SW_NEW(f->arena, sw_type, 1);

	if (out != NULL) {
		*out = *type;
		sw_type_put(out, out->rank, NULL, 0);
	}
	return out;
}

/* Appends the steps of a plan that was found. */
static void append(sw_lowering *l, const sw_plan *plan)
{
	for (int k = 0; k < plan->program.steps && !l->failed; k++) {
		sw_value *value = sw_lower_step(l, plan->program.step[k].op, plan->program.value[k + 1].tile);

		if (value != NULL) {
			*value = plan->program.value[k + 1];
			l->plan->program.step[l->plan->program.steps - 1] = plan->program.step[k];
		}
	}
}

/* Plans the middle of the way; *found: there is one.  false: memory. */
static bool find_middle(sw_finder *f, const sw_type *from, const sw_type *to, sw_strategy strategy, int64_t budget,
	sw_plan *plan, bool *found)
{
	sw_problem *problem = SW_NEW(f->arena, sw_problem, 1);
	sw_plan_options options = *f->options;
	sw_diag why = {.code = SW_OK};

	if (problem == NULL)
		return sw_diag_memory(f->diag);
	*problem = *f->problem;
	problem->from = *from;
	problem->to = *to;
	options.strategy = strategy;
	options.budget = budget;
	options.sizes_only = true;
	*found = sw_find_in_slots(problem, &options, f->arena, plan, &why);
	if (*found)
		sw_finder_count_plan(f, plan);
	f->stopped = f->stopped || why.code == SW_S03;
	return *found || why.code != SW_E01 || sw_diag_memory(f->diag);
}

bool sw_consider_sum_first(sw_finder *f, sw_strategy strategy, bool whole, int64_t budget)
{
	const sw_type *from = without_sums(f, &f->problem->from);
	const sw_type *to = whole ? without_sums(f, &f->problem->to) : &f->problem->to;
	sw_plan middle;
	sw_candidate c;
	bool found = false;

	if (from == NULL || to == NULL)
		return sw_diag_memory(f->diag);
	if (!find_middle(f, from, to, strategy, budget, &middle, &found))
		return false;
	if (!found)
		return true;
	sw_candidate_begin(&c, f, &f->space);
	if (sw_type_terms(&f->problem->from) > 1)
		sw_lower_to_type(&c.lowering, SW_ALLREDUCE, from);
	append(&c.lowering, &middle);
	if (whole && sw_type_terms(&f->problem->to) > 1)
		sw_lower_to_type(&c.lowering, SW_ZEROS, &f->problem->to);
	return sw_finder_consider(f, &c);
}

/* Without sums at the beginning it is what `fused` does, within no budget. */
bool sw_candidates_sum_first(sw_finder *f)
{
	return sw_consider_sum_first(f, SW_FUSED, false, INT64_MAX);
}
