/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a plan and the hardware that is set to the rounds of a step.
 */
#include "command/rounds.h"

#include "session/machine.h"

int rounds_step(const sw_plan *plan)
{
	for (int k = 0; k < plan->count; k++)
		if (sw_collective_of(plan->steps[k].op)->grouped && plan->steps[k].group_size > 1)
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
	if (!in->plan || step < 1 || step > in->plan->count)
		return true;
	if (!machine_find(SW_MODEL_ROOFLINE, hardware, in->plan->problem.mesh.devices, &machine, diag) ||
		!sw_rounds_of(in->plan, step - 1, machine, one_way, rounds, diag))
		return false;
	in->rounds = rounds;
	in->rounds_step = step - 1;
	in->machine = machine->name;
	return true;
}
