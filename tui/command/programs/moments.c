/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The moments of the present program.
 */
#include "command/programs/moments.h"

#include <assert.h>

#include "command/plan.h"
#include "session/present.h"
#include "views/program.h"

#define PLANNED_MOST 64 /* redistributions that are planned for their moments alone */

bool moments_are_subject(const struct state *state)
{
	bool program = state->subject == SUBJECT_PROGRAM || state->subject == SUBJECT_FORMULA;
	return !state->entered &&
		((program && state->program) || state->subject == SUBJECT_SCHEDULE || state->subject == SUBJECT_PRODUCT);
}

/* What `program` drew, if that is still true. */
static const struct program_picture *drawn(const struct session *session, const struct kept_program *kept)
{
	const struct kept_picture *picture = session->picture_kept;
	bool fresh = picture && picture->of == kept && picture->chosen == session->state.chosen;
	return fresh ? picture->picture : NULL;
}

static const sw_plan *plan_new(const struct session *session, const sw_program *program, int s, sw_arena *arena)
{
	struct plan_request asked = {.strategy = (sw_strategy)session->state.settings.value[SETTING_STRATEGY].number};
	sw_problem *problem = SW_NEW_ZERO(arena, sw_problem, 1);
	sw_plan *plan = SW_NEW_ZERO(arena, sw_plan, 1);
	if (!problem || !plan)
		return NULL;
	sw_program_problem(program, s, problem);
	plan_request_fit(&asked, problem);
	const sw_plan_options options = {.strategy = asked.strategy};
	return sw_plan_find(problem, &options, arena, plan, NULL) ? plan : NULL;
}

static const sw_plan *plan_of_move(const struct session *session, const struct kept_program *kept, int move,
	const struct program_picture *picture, sw_arena *arena)
{
	const sw_plan *plan = session_chosen(session, move);
	assert(move < kept->moves);
	if (!plan && picture && picture->moves == kept->moves)
		plan = picture->move[move].plan;
	bool small = kept->moves <= PLANNED_MOST && kept->program.mesh.devices <= GROUPED_DEVICES;
	return plan || !small ? plan : plan_new(session, &kept->program, kept->move[move], arena);
}

/* Plans that a picture has live in the arena of that, which is forgotten when another one is drawn. */
static const sw_moments *find_moments(const struct session *session, const struct kept_program *kept,
	const struct program_picture *picture, sw_arena *arena, sw_diag *diag)
{
	const sw_plan **plan = SW_NEW_ZERO(arena, const sw_plan *, kept->program.steps + 1);
	for (int i = 0; plan && i < kept->moves; i++)
		plan[kept->move[i]] = plan_of_move(session, kept, i, picture, arena);
	if (plan)
		return sw_moments_of_program(&kept->program, plan, arena, diag);
	sw_diag_memory(diag);
	return NULL;
}

const sw_moments *moments_find(const struct session *session, sw_arena *arena, sw_diag *diag)
{
	const struct kept_program *program;
	return session_program(session, &program, diag) ? find_moments(session, program, NULL, arena, diag) : NULL;
}

static bool refuse_product(const struct session *session, sw_diag *diag)
{
	if (session->state.subject != SUBJECT_PRODUCT)
		return false;
	sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "the product is not a program yet");
	sw_diag_hint(diag, "`ways 1` makes the best way a program");
	return true;
}

const sw_moments *session_moments(struct session *session, sw_diag *diag)
{
	const struct kept_program *program;
	struct kept_moments *kept = session->moments;
	if (refuse_product(session, diag) || !session_program(session, &program, diag))
		return NULL;
	const struct program_picture *picture = drawn(session, program);
	if (kept && kept->of == program && kept->chosen == session->state.chosen && kept->picture == picture)
		return kept->moments;
	sw_arena *arena = sw_arena_new();
	kept = arena ? SW_NEW_ZERO(arena, struct kept_moments, 1) : NULL;
	if (!kept) {
		sw_diag_memory(diag);
		sw_arena_free(arena);
		return NULL;
	}
	*kept = (struct kept_moments){arena, program, session->state.chosen, picture, NULL};
	kept->moments = find_moments(session, program, picture, arena, diag);
	session_keep_moments(session, kept);
	return kept->moments;
}
