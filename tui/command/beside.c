/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan that is laid beside another one in its film.
 */
#include "command/beside.h"

#include <assert.h>

#include "answer/watch.h"
#include "command/plan.h"
#include "session/machine.h"

/* Ports are those of axes that are placed, and price sums alone: there other strategies have the seconds of `latency`. */
static bool options_of(const struct session *session, const sw_plan *plan, sw_strategy strategy,
	sw_plan_options *options, sw_diag *diag)
{
	const char *hardware = session->state.settings.value[SETTING_HARDWARE].text;
	sw_model model = plan->model == SW_MODEL_PORTS ? SW_MODEL_LATENCY : plan->model;
	*options = (sw_plan_options){.strategy = strategy,
		.model = model,
		.budget = plan->budget,
		.live_budget = plan->live_budget,
		.unit = plan->unit,
		.sizes_only = plan->problem.mesh.devices > GROUPED_DEVICES};
	return machine_find(model, hardware, plan->problem.mesh.devices, &options->machine, diag);
}

const sw_plan *beside_find(const struct session *session, const sw_plan *plan, sw_strategy strategy, sw_arena *arena,
	sw_diag *diag)
{
	sw_plan_options options;
	sw_plan *found = SW_NEW_ZERO(arena, sw_plan, 1);
	struct watch watch;
	assert((unsigned)strategy < SW_STRATEGY_COUNT);
	if (!found)
		return sw_diag_memory(diag), NULL;
	if (!options_of(session, plan, strategy, &options, diag))
		return NULL;
	watch_start(&watch, session->console);
	options.pulse = &watch.pulse;
	bool ok = sw_plan_find(&plan->problem, &options, arena, found, diag);
	watch_end(&watch);
	return ok ? found : NULL;
}
