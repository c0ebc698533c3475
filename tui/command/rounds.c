/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a plan and the hardware that is set to the rounds of a step.
 */
#include "command/rounds.h"

#include "session/machine.h"

int rounds_step(const sw_plan *plan)
{
	for (int k = 0; k < plan->program.steps; k++)
		if (plan->program.step[k].group_size > 1)
			return k + 1;
	return 0;
}

bool rounds_fill(const struct session *session, int step, bool one_way, struct view_input *in, sw_rounds *rounds,
	sw_diag *diag)
{
	const char *hardware = session->state.settings.value[SETTING_HARDWARE].text;
	const sw_machine *machine;
	step = step > 0 || !in->plan ? step : rounds_step(in->plan);
	in->rounds = NULL;
	if (!in->plan || step > in->plan->program.steps)
		return true;
	if (step < 1) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "no step of the plan has hops from neighbour to neighbour");
		sw_diag_hint(diag, "only steps whose devices work in groups have rounds; `show plan` lists the steps");
		return false;
	}
	if (!machine_find(SW_MODEL_ROOFLINE, hardware, in->plan->problem.mesh.devices, &machine, diag) ||
		!sw_rounds_of(in->plan, step - 1, machine, one_way, rounds, diag))
		return false;
	in->rounds = rounds;
	in->rounds_step = step - 1;
	in->machine = machine->name;
	return true;
}

/* ---- over sizes ---- */

static double larger_end(const sw_problem *problem)
{
	int64_t from = sw_type_localsize(&problem->from), to = sw_type_localsize(&problem->to);
	return (double)(from > to ? from : to) * sw_dtype_bytes(problem->from.dtype);
}

/* Members that pass pieces of a tile on along one axis. */
static double members_of(const sw_plan *plan, const sw_machine *machine)
{
	sw_rounds rounds;
	if (plan->program.steps != 1 || !sw_rounds_of(plan, 0, machine, false, &rounds, NULL))
		return 0;
	return rounds.kind != SW_ROUNDS_SWAP && rounds.axes == 1 && !rounds.by_switch ? (double)rounds.members : 0;
}

bool sweep_fill(const struct session *session, const int64_t sizes[2], sw_arena *arena, struct view_input *in,
	sw_diag *diag)
{
	const char *hardware = session->state.settings.value[SETTING_HARDWARE].text;
	const sw_plan *plan = in->plan;
	const sw_machine *machine;
	struct sweep *sweep = SW_NEW(arena, struct sweep, 1);
	sw_roofline *step = SW_NEW(arena, sw_roofline, plan->program.steps ? plan->program.steps : 1);
	if (!sweep || !step)
		return sw_diag_memory(diag);
	if (!machine_find(SW_MODEL_ROOFLINE, hardware, plan->problem.mesh.devices, &machine, diag))
		return false;
	for (int k = 0; k < plan->program.steps; k++)
		step[k] = sw_predict_roofline(plan, k, machine);
	*sweep = (struct sweep){.least = (double)sizes[0],
		.most = (double)sizes[1],
		.size = larger_end(&plan->problem),
		.count = plan->program.steps,
		.step = step,
		.members = members_of(plan, machine),
		.measured = machine->hardware->measured};
	in->sweep = sweep;
	in->machine = machine->name;
	return true;
}
