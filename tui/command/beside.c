/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan that is laid beside another one in its film.
 */
#include "command/beside.h"

#include <assert.h>
#include <stdio.h>

#include "answer/watch.h"
#include "command/export/picture.h"
#include "command/plan.h"
#include "command/programs/moments.h"
#include "session/machine.h"
#include "session/pareto_set.h"
#include "session/present.h"

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

bool beside_has_ways(const struct state *state)
{
	return state->product && state->program && state->subject == SUBJECT_PROGRAM && !state->entered &&
		sw_str_is(state->program->program.name, "product");
}

/* What is wanted of a session in which a line ran, in the arena, and how it was before.  NULL: an error. */
typedef const void *keep_function(const struct session *session, const struct state *before, sw_arena *arena,
	sw_diag *diag);

/* The line runs as if it were typed, and the session is put back as it was. */
static const void *try_line(struct session *session, const char *line, keep_function *keep, sw_arena *arena,
	sw_diag *diag)
{
	enum { ANY_WIDTH = 80 };
	struct state before;
	struct picture picture;
	session_try(session, &before);
	bool taken = picture_take(session, line, ANY_WIDTH, &picture, diag);
	const void *kept = taken ? keep(session, &before, arena, diag) : NULL;
	picture_free(&picture);
	session_try_end(session, &before);
	return kept;
}

static const void *keep_moments(const struct session *session, const struct state *before, sw_arena *arena,
	sw_diag *diag)
{
	(void)before;
	return moments_find(session, arena, diag);
}

const sw_moments *beside_way(struct session *session, int number, sw_arena *arena, sw_diag *diag)
{
	char line[32];
	if (!beside_has_ways(&session->state)) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "there is no product whose ways could be drawn");
		sw_diag_hint(diag, "`einsum`, then `ways 1` makes one");
		return NULL;
	}
	snprintf(line, sizeof line, "ways %d", number);
	return try_line(session, line, keep_moments, arena, diag);
}

/* A copy, as the result is forgotten. */
static const void *keep_plan(const struct session *session, const struct state *before, sw_arena *arena,
	sw_diag *diag)
{
	const struct kept_plan *kept = session->state.plan;
	if (kept->number == before->plan->number) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "that is the program that is there already");
		return NULL;
	}
	const sw_plan *copy = plan_copy(&kept->plan, arena);
	if (!copy)
		sw_diag_memory(diag);
	return copy;
}

const sw_plan *beside_program(struct session *session, int number, sw_arena *arena, sw_diag *diag)
{
	char line[64];
	int results = session->result_count;
	assert(session->state.plan != NULL);
	snprintf(line, sizeof line, "reductions %d --length %d", number, session->state.plan->length);
	const sw_plan *plan = try_line(session, line, keep_plan, arena, diag);
	for (int made = results + 1; made <= session->result_count; made++)
		session_forget_result(session, made);
	return plan;
}
