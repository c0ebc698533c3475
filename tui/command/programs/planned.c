/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planning all redistributions of the present program.
 */
#include "command/programs/planned.h"

#include "command/plan.h"
#include "session/present.h"

bool planned_is_present(const struct session *session)
{
	const struct state *state = &session->state;
	bool formula = state->formula && state->subject == SUBJECT_FORMULA;
	if (session_runs_schedule(state))
		return true;
	return (state->program || formula) && !state->entered && (state->subject != SUBJECT_PROBLEM || !state->plan);
}

bool planned_with_dtype(const struct invocation *run, const sw_program *program, sw_arena *arena,
	const sw_program **out, sw_diag *diag)
{
	const struct value *dtype = option_value(run, OPTION_DTYPE);
	sw_program *copy = SW_NEW(arena, sw_program, 1);
	*out = program;
	if (!dtype)
		return true;
	if (!copy)
		return sw_diag_memory(diag);
	*out = copy;
	return sw_program_with_dtype(program, (sw_dtype)dtype->number, arena, copy, diag);
}

static bool find_move(const struct invocation *run, const sw_program *program, int s, sw_arena *arena,
	const sw_plan **out, sw_diag *diag)
{
	struct plan_request asked;
	sw_plan_options options;
	sw_plan *plan = SW_NEW_ZERO(arena, sw_plan, 1);
	sw_problem *problem = SW_NEW_ZERO(arena, sw_problem, 1);
	if (!plan || !problem)
		return sw_diag_memory(diag);
	sw_program_problem(program, s, problem);
	*out = plan;
	if (!plan_request_read(run, NULL, &asked, diag))
		return false;
	plan_request_fit(&asked, problem);
	return plan_request_options(&asked, problem, NULL, &options, diag) &&
		plan_find(run, problem, &options, arena, plan, diag);
}

/* Plans of all redistributions: those that were chosen where `chosen` is set, and those that are found. */
static bool make_planned(const struct invocation *run, const sw_program *program, bool chosen, sw_arena *arena,
	sw_program *planned, sw_diag *diag)
{
	const sw_plan **plan = SW_NEW_ZERO(arena, const sw_plan *, sw_program_moves(program) + 1);
	int first = sw_program_open(program) ? -1 : sw_program_next_move(program, -1), i = 0;
	if (!plan)
		return sw_diag_memory(diag);
	for (int s = first; s >= 0; s = sw_program_next_move(program, s), i++) {
		plan[i] = chosen ? session_chosen(run->session, i) : NULL;
		if (!plan[i] && !find_move(run, program, s, arena, &plan[i], diag))
			return false;
	}
	const sw_plan_options options = {.strategy = SW_FUSED};
	return sw_program_plan(program, plan, &options, arena, planned, diag);
}

bool planned_of(const struct invocation *run, const sw_program *program, sw_arena *arena, sw_program *planned,
	sw_diag *diag)
{
	return planned_with_dtype(run, program, arena, &program, diag) &&
		make_planned(run, program, false, arena, planned, diag);
}

bool planned_present(const struct invocation *run, sw_arena *arena, sw_program *planned, sw_diag *diag)
{
	const struct kept_program *kept;
	const sw_program *program;
	if (!session_program(run->session, &kept, diag) ||
		!planned_with_dtype(run, &kept->program, arena, &program, diag))
		return false;
	return make_planned(run, program, program == &kept->program, arena, planned, diag);
}

bool planned_write(const struct invocation *run, sw_text *text, sw_diag *diag)
{
	sw_program planned;
	unsigned flags = option_given(run, OPTION_MAPS) ? SW_JSON_MAPS : 0;
	return planned_present(run, run->arena, &planned, diag) && sw_program_write(&planned, flags, text, diag);
}

/* The plan lives as long as the session. */
static bool choose(struct session *session, int move, const sw_plan *plan, sw_diag *diag)
{
	struct kept_plan *kept = SW_NEW_ZERO(session->arena, struct kept_plan, 1);
	struct chosen_plan *chosen = SW_NEW_ZERO(session->arena, struct chosen_plan, 1);
	if (!kept || !chosen)
		return sw_diag_memory(diag);
	kept->holders = 1;
	kept->plan = *plan;
	*chosen = (struct chosen_plan){session->state.chosen, move, kept};
	session->state.chosen = chosen;
	return true;
}

bool planned_open(const struct invocation *run, sw_str text, const char *source, sw_diag *diag)
{
	struct session *session = run->session;
	sw_program planned;
	const char *kept = sw_arena_copy(session->arena, text.at, text.length);
	if (!kept)
		return sw_diag_memory(diag);
	if (!sw_program_read((sw_str){kept, text.length}, session->arena, &planned, diag) ||
		!session_keep_program(session, &planned, source, diag))
		return false;
	for (int s = 0, move = 0; s < planned.steps; s++)
		if (planned.step[s].inside) {
			if (!choose(session, move++, planned.step[s].inside, diag))
				return false;
			planned.step[s].inside = NULL; /* it is chosen, and another one may be */
		}
	document_line(run->answer, "program %.*s: %d values, %d steps, of which %d redistribute",
		(int)planned.name.length, planned.name.at, planned.values, planned.steps, session->state.program->moves);
	return true;
}
