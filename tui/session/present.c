/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The present program of a session.
 */
#include "session/present.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/computation.h>
#include <shardwalk/schedule_program.h>

#include "session/machine.h"
#include "session/schedules.h"

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

static bool keep(struct session *session, const sw_program *program, const char *source,
	const struct kept_formula *formula, sw_diag *diag)
{
	struct kept_program *kept = SW_NEW_ZERO(session->arena, struct kept_program, 1);
	bool chose;
	if (!kept)
		return sw_diag_memory(diag);
	kept->program = *program;
	kept->formula = formula;
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

bool session_keep_program(struct session *session, const sw_program *program, const char *source, sw_diag *diag)
{
	return keep(session, program, source, NULL, diag);
}

bool session_keep_formula(struct session *session, const struct kept_formula *formula, const sw_program *program,
	sw_diag *diag)
{
	if (!keep(session, program, NULL, formula, diag))
		return false;
	session->state.formula = formula;
	session->state.subject = SUBJECT_FORMULA;
	return true;
}

/* The last formula is no program, alone or as it is repeated: why. */
static bool refuse_formula(const struct session *session, sw_diag *diag)
{
	const struct kept_formula *formula = session->state.formula;
	const struct kept_tasks *tasks = session->state.tasks;
	bool repeated = tasks && tasks->formula == formula;
	sw_program program;
	sw_diag why = {.code = SW_OK};
	sw_program_of_formula(formula->computation, repeated ? tasks->steps : 1, repeated ? tasks->every : 1,
		session->arena, &program, &why);
	if (why.code == SW_OK)
		return false;
	sw_diag_set(diag, why.code, (sw_span){0, 0}, "the formula has no program: %s", why.message);
	sw_diag_expected(diag, "%s", why.expected);
	sw_diag_hint(diag, "`show needs` and `show tasks` work for a formula without a program");
	return true;
}

const struct kept_schedule *session_runs_schedule(const struct state *state)
{
	return state->subject == SUBJECT_SCHEDULE && !state->entered ? session_kept_schedule(state) : NULL;
}

const sw_array_type *session_array_types(const sw_computation *computation, sw_arena *arena)
{
	sw_array_type *type = SW_NEW(arena, sw_array_type, computation->formula.arrays);
	for (int k = 0; type && k < computation->formula.arrays; k++)
		type[k] = computation->array[k].is;
	return type;
}

/* The steps of a schedule, one after the other. */
static bool unroll(const struct session *session, const struct kept_schedule *schedule,
	const struct kept_program **program, sw_diag *diag)
{
	struct kept_program *kept = SW_NEW_ZERO(session->arena, struct kept_program, 1);
	const sw_array_type *type = session_array_types(schedule->formula->computation, session->arena);
	*program = *schedule->program;
	if (*program)
		return true;
	if (!kept || !type)
		return sw_diag_memory(diag);
	if (!sw_program_of_schedule(schedule->schedule, type, session->arena, &kept->program, diag))
		return false;
	*program = *schedule->program = kept;
	return true;
}

bool session_program(const struct session *session, const struct kept_program **program, sw_diag *diag)
{
	const struct kept_schedule *schedule = session_runs_schedule(&session->state);
	if (schedule)
		return unroll(session, schedule, program, diag);
	*program = session->state.program;
	if (*program)
		return true;
	if (session->state.formula && refuse_formula(session, diag))
		return false;
	sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "there is no program yet");
	sw_diag_hint(diag, "`program FILE` reads one; `help program` describes the language");
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

static void take_problem(struct session *session, const sw_problem *problem)
{
	struct state *state = &session->state;
	const sw_mesh *mesh = &problem->mesh;
	if (!state->has[DEFINED_MESH] || !sw_mesh_equal(&state->mesh, mesh) || state->mesh.order)
		state->types = NULL;
	session_enter_mesh(session, mesh);
	state->found_mesh = false;
	session_put_end(state, DEFINED_FROM, &(struct any_type){problem->from, problem->from_words});
	session_put_end(state, DEFINED_TO, &(struct any_type){problem->to, problem->to_words});
	state->has[DEFINED_MESH] = true;
	state->subject = SUBJECT_PROBLEM;
}

bool session_enter_problem(struct session *session, int entered, const sw_problem *problem, sw_diag *diag)
{
	struct state *state = &session->state;
	struct outside *outside = malloc(sizeof(*outside));
	if (!outside)
		return sw_diag_memory(diag);
	outside->holders = 1;
	outside->state = *state;
	session_hold(&outside->state);
	session_drop_work(session);
	forget_problem(state);
	take_problem(session, problem);
	state->entered = entered;
	state->entered_level = 0;
	state->entered_step = false;
	state->outside = outside;
	return true;
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
	sw_problem problem;
	sw_program_problem(&kept->program, kept->move[move], &problem);
	sw_type_agree(&problem.from, &problem.to);
	if (!session_enter_problem(session, move + 1, &problem, diag))
		return false;
	if (chosen) {
		state->plan = chosen->plan;
		state->plan->holders++;
	}
	return true;
}

/* ---- arrays of a formula ---- */

/* Both ends of what moves of an array.  Of what no words say the type lists what each device has. */
static bool array_ends(struct session *session, int array, sw_array_type *from, sw_array_type *to, sw_diag *diag)
{
	const sw_computation *c = session->state.formula->computation;
	const sw_computed *of = &c->array[array];
	const sw_str name = c->formula.array[array].name;
	*from = array > 0 ? of->is : c->made_type;
	*to = array > 0 ? of->needed : of->is;
	if (of->relation == NULL)
		return sw_diag_set(diag, SW_L08, (sw_span){0, 0}, "nothing of '%.*s' moves", (int)name.length, name.at);
	if (sw_array_type_of(&c->mesh, array > 0 ? &of->held : &c->made, &of->is.type, session->arena, from, diag) &&
		sw_array_type_of(&c->mesh, array > 0 ? &of->need->needed : &of->held, &of->is.type, session->arena, to, diag))
		return true;
	sw_diag_hint(diag, "`show needs` lists what each device lacks");
	return false;
}

bool session_enter_array(struct session *session, int array, sw_diag *diag)
{
	const struct kept_formula *kept = session->state.formula;
	sw_array_type from, to;
	bool chose;
	if (!array_ends(session, array, &from, &to, diag))
		return false;
	if (session->state.entered && !session_leave(session, &chose, diag))
		return false;
	const sw_problem problem = {.mesh = kept->computation->mesh,
		.from = from.type,
		.to = to.type,
		.from_words = from.words,
		.to_words = to.words};
	return session_enter_problem(session, -1 - array, &problem, diag);
}

/* The array that is entered, or the only input; -1: there is none. */
static int array_looked_at(const struct state *state)
{
	const sw_computation *c = state->formula ? state->formula->computation : NULL;
	if (c == NULL)
		return -1;
	return state->entered < 0 ? -1 - state->entered : c->inputs == 1 ? c->first : -1;
}

/* What is needed of an array; where no words of the formula say it, device by device. */
static bool needed_type(const struct session *session, const sw_computed *array, sw_array_type *type)
{
	*type = array->needed;
	return type->known ||
		(array->need &&
			sw_array_type_of(&session->state.mesh, &array->need->needed, &array->is.type, session->arena, type,
				NULL));
}

bool session_formula_type(const struct session *session, sw_str name, struct any_type *type)
{
	const struct state *state = &session->state;
	int array = array_looked_at(state);
	if (array < 0)
		return false;
	const sw_computation *c = state->formula->computation;
	sw_array_type found = {.known = false};
	if (!sw_mesh_equal(&state->mesh, &c->mesh))
		return false;
	if (sw_str_is(name, "alpha"))
		found = c->array[array].is;
	else if (sw_str_is(name, "gamma"))
		found = c->made_type;
	else if (sw_str_is(name, "beta") && !needed_type(session, &c->array[array], &found))
		return false;
	*type = (struct any_type){found.type, found.words};
	return found.known;
}

/* ---- leaving ---- */

/* The present plan is chosen for what was entered, where it leads from one of its ends to the other. */
static bool choose(struct session *session, bool *chose, sw_diag *diag)
{
	struct state *state = &session->state;
	*chose = false;
	if (state->entered < 0)
		return true;
	const struct kept_program *kept = state->program;
	int step = kept->move[state->entered - 1];
	struct kept_plan *plan = state->plan;
	sw_problem of;
	sw_program_problem(&kept->program, step, &of);
	const struct chosen_plan *before = chosen_at(session, state->entered - 1);
	*chose = plan && sw_plan_reaches(&plan->plan, NULL) &&
		sw_mesh_equal(&plan->plan.problem.mesh, &kept->program.mesh) && !sw_problem_ordered(&plan->plan.problem) &&
		sw_type_equal(&plan->plan.problem.from, &of.from) && sw_type_equal(&plan->plan.problem.to, &of.to) &&
		plan->plan.problem.from_words == of.from_words && plan->plan.problem.to_words == of.to_words;
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
	bool scheduled = now.entered < 0 && state->subject == SUBJECT_SCHEDULE;
	state->subject = now.entered > 0 ? SUBJECT_PROGRAM : scheduled ? SUBJECT_SCHEDULE : SUBJECT_FORMULA;
	session_release(&now);
	return true;
}

const sw_machine *session_timing(const struct session *session)
{
	const char *hardware = session->state.settings.value[SETTING_HARDWARE].text;
	const sw_machine *machine = NULL;

	return machine_find(SW_MODEL_LATENCY, hardware, session->state.mesh.devices, &machine, NULL) ? machine : NULL;
}
