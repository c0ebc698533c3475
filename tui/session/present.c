/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The present program of a session.
 */
#include "session/present.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- the program ---- */

static bool list_moves(struct session *session, struct kept_program *kept)
{
	const sw_program *program = &kept->program;
	int *move = SW_NEW(session->arena, int, sw_program_moves(program) + 1);
	kept->move = move;
	for (int s = sw_program_next_move(program, -1); move && s >= 0; s = sw_program_next_move(program, s))
		move[kept->moves++] = s;
	return move;
}

bool session_keep_program(struct session *session, const sw_program *program, const char *source, sw_diag *diag)
{
	struct kept_program *kept = SW_NEW_ZERO(session->arena, struct kept_program, 1);
	bool chose;
	if (!kept)
		return sw_diag_memory(diag);
	kept->program = *program;
	kept->source = source ? sw_arena_copy(session->arena, source, strlen(source)) : NULL;
	if (!list_moves(session, kept) || (source && !kept->source))
		return sw_diag_memory(diag);
	if (session->state.entered && !session_leave(session, &chose, diag))
		return false;
	session->state.program = kept;
	session->state.chosen = NULL;
	session->state.subject = SUBJECT_PROGRAM;
	return true;
}

bool session_program(const struct session *session, const struct kept_program **program, sw_diag *diag)
{
	*program = session->state.program;
	if (*program)
		return true;
	sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "no program is there yet");
	sw_diag_hint(diag, "`program FILE` reads one; `help program` tells how it is written");
	return false;
}

static const struct chosen_plan *chosen_at(const struct session *session, int move)
{
	const struct chosen_plan *chosen = session->state.chosen;
	while (chosen && chosen->move != move)
		chosen = chosen->before;
	return chosen;
}

const sw_plan *session_chosen(const struct session *session, int move)
{
	assert(move >= 0);
	const struct chosen_plan *chosen = chosen_at(session, move);
	return chosen ? &chosen->plan->plan : NULL;
}

/* ---- entering and leaving ---- */

static void forget_problem(struct state *state)
{
	state->has[DEFINED_SHAPE] = false;
	state->to_order = NULL;
	state->warning = NULL;
	state->ends_of = ENDS_OF_NOTHING;
	state->via = NULL;
	memset(state->failed, 0, sizeof(state->failed));
}

static void take_ends(struct state *state, const sw_program *program, int s)
{
	const sw_mesh *mesh = &program->mesh;
	if (!state->has[DEFINED_MESH] || !sw_mesh_equal(&state->mesh, mesh) || state->mesh.order)
		state->types = NULL;
	state->mesh = *mesh;
	state->found_mesh = false;
	state->from = *sw_program_from(program, s);
	state->to = *sw_program_to(program, s);
	sw_type_agree(&state->from, &state->to);
	state->from_words = state->to_words = NULL;
	state->has[DEFINED_MESH] = state->has[DEFINED_FROM] = state->has[DEFINED_TO] = true;
	state->subject = SUBJECT_PROBLEM;
}

bool session_enter(struct session *session, int move, sw_diag *diag)
{
	assert(session->state.program != NULL && move >= 0 && move < session->state.program->moves);
	struct state *state = &session->state;
	bool chose;
	if (state->entered && !session_leave(session, &chose, diag))
		return false;
	const struct kept_program *kept = state->program;
	const struct chosen_plan *chosen = chosen_at(session, move);
	struct outside *outside = malloc(sizeof(*outside));
	if (!outside)
		return sw_diag_memory(diag);
	outside->holders = 1;
	outside->state = *state;
	session_hold(&outside->state);
	session_drop_work(session);
	forget_problem(state);
	take_ends(state, &kept->program, kept->move[move]);
	state->entered = move + 1;
	state->outside = outside;
	if (chosen) {
		state->plan = chosen->plan;
		state->plan->holders++;
	}
	return true;
}

/* The present plan is chosen for what was entered, where it leads from one of its ends to the other. */
static bool choose(struct session *session, bool *chose, sw_diag *diag)
{
	struct state *state = &session->state;
	const struct kept_program *kept = state->program;
	int step = kept->move[state->entered - 1];
	struct kept_plan *plan = state->plan;
	const struct chosen_plan *before = chosen_at(session, state->entered - 1);
	*chose = plan && sw_plan_reaches(&plan->plan, NULL) &&
		sw_mesh_equal(&plan->plan.problem.mesh, &kept->program.mesh) && !sw_problem_ordered(&plan->plan.problem) &&
		sw_type_equal(&plan->plan.problem.from, sw_program_from(&kept->program, step)) &&
		sw_type_equal(&plan->plan.problem.to, sw_program_to(&kept->program, step));
	if (!*chose || (before && before->plan == plan))
		return true;
	struct chosen_plan *chosen = SW_NEW(session->arena, struct chosen_plan, 1);
	if (!chosen)
		return sw_diag_memory(diag);
	*chosen = (struct chosen_plan){state->chosen, state->entered - 1, plan};
	plan->holders++;
	session_hold_chosen(session, plan);
	state->chosen = chosen;
	return true;
}

bool session_leave(struct session *session, bool *chose, sw_diag *diag)
{
	struct state *state = &session->state;
	if (!state->entered) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "no redistribution of a program is entered");
		sw_diag_hint(diag, "`enter 1` makes the first redistribution of the program the problem");
		return false;
	}
	if (!choose(session, chose, diag))
		return false;
	struct state now = *state;
	*state = now.outside->state;
	session_hold(state);
	state->settings = now.settings;
	state->program = now.program;
	state->chosen = now.chosen;
	state->subject = SUBJECT_PROGRAM;
	session_release(&now);
	return true;
}
