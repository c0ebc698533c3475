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
	return state->program && !state->entered && (state->subject != SUBJECT_PROBLEM || !state->plan);
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

static bool find_move(const struct invocation *run, const sw_program *program, const sw_redistribution *move,
	sw_arena *arena, const sw_plan **out, sw_diag *diag)
{
	struct plan_request asked;
	sw_plan_options options;
	sw_plan *plan = SW_NEW_ZERO(arena, sw_plan, 1);
	sw_problem *problem = SW_NEW_ZERO(arena, sw_problem, 1);
	if (!plan || !problem)
		return sw_diag_memory(diag);
	*problem = (sw_problem){.mesh = program->mesh, .from = move->from, .to = move->to};
	*out = plan;
	return plan_request_read(run, NULL, &asked, diag) &&
		plan_request_options(&asked, problem, NULL, &options, diag) &&
		plan_find(run, problem, &options, arena, plan, diag);
}

/* Plans of all redistributions: those that were chosen where `chosen` is set, and those that are found. */
static bool make_planned(const struct invocation *run, const sw_program *program, bool chosen, sw_arena *arena,
	sw_planned *planned, sw_diag *diag)
{
	const sw_redistribution *move;
	int moves = sw_program_open(program) ? 0 : sw_program_redistributions(program, arena, &move);
	const sw_plan **plan = SW_NEW_ZERO(arena, const sw_plan *, moves + 1);
	if (moves < 0 || !plan)
		return sw_diag_memory(diag);
	for (int i = 0; i < moves; i++) {
		plan[i] = chosen ? session_chosen(run->session, i) : NULL;
		if (!plan[i] && !find_move(run, program, &move[i], arena, &plan[i], diag))
			return false;
	}
	const sw_plan_options options = {.strategy = SW_FUSED};
	return sw_planned_make(program, plan, &options, arena, planned, diag);
}

bool planned_of(const struct invocation *run, const sw_program *program, sw_arena *arena, sw_planned *planned,
	sw_diag *diag)
{
	return planned_with_dtype(run, program, arena, &program, diag) &&
		make_planned(run, program, false, arena, planned, diag);
}

bool planned_present(const struct invocation *run, sw_arena *arena, sw_planned *planned, sw_diag *diag)
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
	sw_planned planned;
	unsigned flags = option_given(run, OPTION_MAPS) ? SW_JSON_MAPS : 0;
	return planned_present(run, run->arena, &planned, diag) && sw_planned_write(&planned, flags, text, diag);
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
	sw_planned planned;
	const char *kept = sw_arena_copy(session->arena, text.at, text.length);
	if (!kept)
		return sw_diag_memory(diag);
	if (!sw_planned_read((sw_str){kept, text.length}, session->arena, &planned, diag) ||
		!session_keep_program(session, planned.program, source, diag))
		return false;
	for (int s = 0; s < planned.count; s++)
		if (planned.step[s].plan && !choose(session, planned.step[s].redistribution, planned.step[s].plan, diag))
			return false;
	document_line(run->answer, "program %.*s: %d values, %d steps, of which %d redistribute",
		(int)planned.program->name.length, planned.program->name.at, planned.values, planned.count,
		session->state.program->moves);
	return true;
}
