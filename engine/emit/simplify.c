/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps that no single instruction of other systems says, as several that do the same.
 */
#include "emit/write.h"
#include "step/row.h"

#include <string.h>

static bool is_general(const sw_step *step)
{
	return sw_row(step->op)->manner == SW_MANNER_SCATTERED && step->gathers > 0;
}

static bool refuse(const sw_emitter *e, int k)
{
	return sw_emit_refuse(e, "`plan exact` has no such steps",
		"step %d sums and gathers at once, and no steps of one dimension do the same in as little memory", k + 1);
}

/* The steps of `exact` from the type before step `k` to the one after it. */
static bool find_several(const sw_emitter *e, int k, sw_plan *several)
{
	const sw_type *before = e->plan->program.value[k].type, *after = e->plan->program.value[k + 1].type;
	sw_problem *problem = SW_NEW(e->arena, sw_problem, 1);
	sw_plan_options options = {.strategy = SW_EXACT};
	sw_diag diag = {.code = SW_OK};

	if (!problem)
		return sw_diag_memory(e->diag);
	if (!before || !after)
		return refuse(e, k);
	*problem = (sw_problem){.mesh = e->plan->problem.mesh, .from = *before, .to = *after};
	problem->mesh.order = NULL;
	if (!sw_plan_find(problem, &options, e->arena, several, &diag))
		return diag.code == SW_E01 ? sw_diag_memory(e->diag) : refuse(e, k);
	for (int s = 0; s < several->program.steps; s++)
		if (is_general(&several->program.step[s]))
			return refuse(e, k);
	return true;
}

static bool put_steps(sw_emitter *e, const sw_plan *several, int most)
{
	const sw_plan *plan = e->plan;
	sw_plan *made = SW_NEW(e->arena, sw_plan, 1);
	const char **remarks = SW_NEW_ZERO(e->arena, const char *, most);

	if (!made || !remarks)
		return sw_diag_memory(e->diag);
	*made = *plan;
	if (!sw_plan_room(made, most, e->arena))
		return sw_diag_memory(e->diag);
	made->program.steps = 0;
	for (int k = 0; k < plan->program.steps; k++) {
		bool general = is_general(&plan->program.step[k]);

		if (general)
			remarks[made->program.steps] = "one step of the plan sums and gathers at once: these do the same";
		int count = general ? several[k].program.steps : 1;
		memcpy(made->program.step + made->program.steps, general ? several[k].program.step : &plan->program.step[k],
			(size_t)count * sizeof *made->program.step);
		memcpy(made->program.value + made->program.steps + 1,
			general ? several[k].program.value + 1 : &plan->program.value[k + 1],
			(size_t)count * sizeof *made->program.value);
		made->program.steps += count;
	}
	e->planned = plan;
	e->plan = made;
	e->remarks = remarks;
	return sw_plan_total(made, e->diag);
}

bool sw_emit_simplify(sw_emitter *e)
{
	sw_plan *several = SW_NEW_ZERO(e->arena, sw_plan, e->plan->program.steps + 1);
	int most = 0;
	bool any = false;

	if (!several)
		return sw_diag_memory(e->diag);
	for (int k = 0; k < e->plan->program.steps; k++) {
		bool general = is_general(&e->plan->program.step[k]);

		if (general && !find_several(e, k, &several[k]))
			return false;
		any = any || general;
		most += general ? several[k].program.steps : 1;
	}
	return !any || put_steps(e, several, most);
}
