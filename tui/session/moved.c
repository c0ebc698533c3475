/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What moves of an array in a step of the schedule, as a problem.
 */
#include "session/moved.h"

#include <assert.h>

#include <shardwalk/computation.h>
#include <shardwalk/schedule_program.h>

#include "session/present.h"
#include "session/schedules.h"

/* While an array is entered the schedule waits outside. */
static const struct state *state_of_schedule(const struct session *session)
{
	return session->state.entered < 0 ? &session->state.outside->state : &session->state;
}

bool session_moves_in_step(const struct session *session)
{
	const struct state *state = state_of_schedule(session);

	return state->subject == SUBJECT_SCHEDULE && session_kept_schedule(state) != NULL;
}

static bool refuse_fetch(const struct kept_schedule *kept, int array, const char *why, sw_diag *diag)
{
	sw_str name = kept->formula->computation->formula.array[array].name;

	return sw_diag_set(diag, SW_L08, (sw_span){0, 0}, "'%.*s' %s", (int)name.length, name.at, why);
}

/* The ends of what moves at the outermost level, or at this one. */
static bool find_ends(struct session *session, const struct kept_schedule *kept, int array, int level,
	sw_array_type end[2], int *found, sw_diag *diag)
{
	const sw_lowering *lowering = kept->lowering;
	const sw_type *type = &kept->formula->computation->array[array].is.type;
	int64_t step = session_step_of(state_of_schedule(session)) - 1;
	int levels = sw_mesh_levels(kept->problem->mesh), last = level > 0 ? level : levels;
	sw_diag why;

	refuse_fetch(kept, array, array == 0 ? "is not sent there" : "is not fetched there", &why);
	for (*found = level > 0 ? level : 1; *found <= last && why.code == SW_L08; ++*found) {
		int fetch = sw_lowering_find(lowering, array, *found);
		if (fetch >= 0 && sw_lowering_ends(lowering, fetch, step, type, session->arena, end, &why))
			return true;
	}
	*diag = why;
	return false;
}

bool session_enter_fetch(struct session *session, int array, int *level, sw_diag *diag)
{
	const struct state *state = state_of_schedule(session);
	const struct kept_schedule *kept = session_kept_schedule(state);
	sw_array_type end[2];
	bool chose;

	assert(kept != NULL);
	if (session_step_of(state) < 1) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "before the first step, nothing is fetched");
		sw_diag_hint(diag, "step");
		return false;
	}
	if (!find_ends(session, kept, array, *level, end, level, diag) ||
		(session->state.entered && !session_leave(session, &chose, diag)))
		return false;
	const sw_problem problem = {.mesh = kept->formula->computation->mesh,
		.from = end[0].type,
		.to = end[1].type,
		.from_words = end[0].words,
		.to_words = end[1].words};
	if (!session_enter_problem(session, -1 - array, &problem, diag))
		return false;
	session->state.entered_step = true;
	session->state.entered_level = sw_mesh_levels(&problem.mesh) > 1 ? *level : 0;
	return true;
}
