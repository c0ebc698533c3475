/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans inside of steps: a collective that is carried out step by step.
 */
#include "plan/inside.h"

#include <assert.h>
#include <math.h>

#include <shardwalk/distribution.h>

bool sw_inside_problem(const sw_plan *plan, int k, sw_problem *problem)
{
	assert(k >= 0 && k < plan->program.steps);
	if (!plan->program.value[k].type || !plan->program.value[k + 1].type)
		return false;
	*problem = (sw_problem){.mesh = plan->problem.mesh,
		.from = *plan->program.value[k].type,
		.to = *plan->program.value[k + 1].type};
	problem->mesh.order = sw_plan_order(plan, k);
	return true;
}

/* ---- the check ---- */

static void say_ends(const sw_mesh *mesh, const sw_type *from, const sw_type *to, sw_text *text)
{
	sw_type_print(mesh, from, false, text);
	sw_text_add(text, " ~> ");
	sw_type_print(mesh, to, false, text);
}

/* Both holdings, of the step and of what is inside. */
static bool refuse_ends(const sw_step *step, int k, const sw_problem *of, sw_diag *diag)
{
	const sw_problem *inside = &step->inside->problem;
	sw_text wanted = {0}, own = {0};
	sw_diag_set(diag, SW_P03, (sw_span){0, 0}, "step %d ('%s'): what is inside is of another step", k + 1,
		sw_op_name(step->op));
	say_ends(&of->mesh, &of->from, &of->to, &wanted);
	say_ends(&inside->mesh, &inside->from, &inside->to, &own);
	sw_diag_expected(diag, "%s", sw_text_get(&wanted));
	sw_diag_found(diag, "%s", sw_text_get(&own));
	sw_text_free(&wanted);
	sw_text_free(&own);
	return false;
}

bool sw_inside_fits(const sw_step *step, int k, const sw_problem *of, sw_diag *diag)
{
	assert(step->inside != NULL);
	const sw_problem *inside = &step->inside->problem;
	bool same = inside->mesh.devices == of->mesh.devices && !inside->to_order &&
		sw_device_order_equal(inside->mesh.order, of->mesh.order, of->mesh.devices) &&
		sw_type_same_any(&of->mesh, &inside->from, inside->from_words, &of->from, of->from_words) &&
		sw_type_same_any(&of->mesh, &inside->to, inside->to_words, &of->to, of->to_words);
	return same || refuse_ends(step, k, of, diag);
}

bool sw_inside_costs(const sw_plan *plan, int k, sw_diag *diag)
{
	assert(plan->program.step[k].inside != NULL);
	const sw_step *step = &plan->program.step[k];
	if (plan->model == SW_MODEL_PAPER ||
		fabs(step->inside->model_cost - step->model_cost) <= 1e-9 * fabs(step->model_cost))
		return true;
	return sw_diag_set(diag, SW_P03, (sw_span){0, 0}, "step %d ('%s'): what is inside does not cost what it says",
		k + 1, sw_op_name(step->op));
}

/* ---- as one list ---- */

static int count_steps(const sw_plan *plan)
{
	int count = 0;
	for (int k = 0; k < plan->program.steps; k++)
		count += plan->program.step[k].inside ? plan->program.step[k].inside->program.steps : 1;
	return count;
}

bool sw_plan_unfold(const sw_plan *plan, sw_arena *arena, sw_plan *flat, int **outer)
{
	*flat = *plan;
	*outer = SW_NEW(arena, int, count_steps(plan) + 1);
	if (!*outer || !sw_plan_room(flat, count_steps(plan), arena))
		return false;
	flat->program.steps = 0;
	flat->program.value[0] = plan->program.value[0];
	for (int k = 0; k < plan->program.steps; k++) {
		const sw_plan *inside = plan->program.step[k].inside;
		for (int i = 0; i < (inside ? inside->program.steps : 1); i++) {
			(*outer)[flat->program.steps] = k;
			flat->program.step[flat->program.steps++] = inside ? inside->program.step[i] : plan->program.step[k];
			flat->program.value[flat->program.steps] = inside ? inside->program.value[i + 1] :
																plan->program.value[k + 1];
		}
		flat->program.value[flat->program.steps] = plan->program.value[k + 1];
	}
	(*outer)[flat->program.steps] = plan->program.steps;
	sw_plan_chain(flat);
	return true;
}
