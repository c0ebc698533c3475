/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Problems from text and their plans, where both have to be right.
 */
#ifndef FIND_H
#define FIND_H

#include <shardwalk/plan.h>

static inline void read_problem(const char *mesh, const char *ends, sw_problem *problem)
{
	sw_mesh parsed;
	sw_diag diag;

	if (!sw_mesh_parse(sw_str_of(mesh), &parsed, &diag) ||
		!sw_problem_parse(&parsed, sw_str_of(ends), problem, &diag))
		fail_msg("%s", diag.message);
}

static inline void find(const sw_problem *problem, const sw_plan_options *options, sw_arena *arena, sw_plan *plan)
{
	sw_diag diag;

	if (!sw_plan_find(problem, options, arena, plan, &diag) || !sw_plan_check(plan, &diag))
		fail_msg("%s", diag.message);
}

#endif
