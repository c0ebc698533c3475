/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The schedule of a session.
 */
#include "session/schedules.h"

#include <assert.h>
#include <stdio.h>

#include <shardwalk/computation.h>

/* ---- numbers with names ---- */

const struct kept_param *session_param(const struct state *state, sw_str name)
{
	const struct kept_param *param = state->params;

	while (param != NULL && !sw_str_is(name, param->name))
		param = param->next;
	return param;
}

bool session_name_param(struct session *session, sw_str name, int64_t value, sw_diag *diag)
{
	const struct kept_param *before = session_param(&session->state, name);
	struct kept_param *param;

	assert(name.length > 0 && name.length < SW_NAME_SIZE);
	if (before != NULL && before->value == value)
		return true;
	param = SW_NEW(session->arena, struct kept_param, 1);
	if (param == NULL)
		return sw_diag_memory(diag);
	*param = (struct kept_param){.next = session->state.params, .value = value};
	snprintf(param->name, sizeof param->name, "%.*s", (int)name.length, name.at);
	session->state.params = param;
	return true;
}

/* The axes of the mesh for their sizes, and parameters, which hide them: the newest of a name is first. */
static bool list_numbers(struct session *session, const sw_mesh *mesh, sw_schedule_problem *problem)
{
	const struct kept_param *param;
	sw_schedule_number *number;
	int count = mesh->count;

	for (param = session->state.params; param != NULL; param = param->next)
		count++;
	number = SW_NEW(session->arena, sw_schedule_number, count);
	problem->numbers = 0;
	problem->number = number;
	if (number == NULL)
		return false;
	for (param = session->state.params; param != NULL; param = param->next)
		number[problem->numbers++] = (sw_schedule_number){sw_str_of(param->name), param->value};
	for (int axis = 0; axis < mesh->count; axis++)
		number[problem->numbers++] = (sw_schedule_number){sw_str_of(mesh->axis[axis].name), mesh->axis[axis].size};
	return true;
}

/* ---- the schedule ---- */

const struct kept_schedule *session_kept_schedule(const struct state *state)
{
	const struct kept_schedule *kept = state->schedule;

	return kept != NULL && kept->formula == state->formula ? kept : NULL;
}

static bool refuse_none(const struct session *session, sw_diag *diag)
{
	bool formula = session->state.formula != NULL;

	sw_diag_set(diag, SW_L07, (sw_span){0, 0},
		formula ? "the formula has no schedule yet" : "there is no formula yet");
	sw_diag_hint(diag,
		formula ?
			"schedule .distribute(...), or another command of the paper; `help schedule` lists them" :
			"`schedule cannon m=9 n=9 k=9` writes types and formula too; or `type A = f64[9, 9] xy->xy` and so on, then "
			"compute A(i,j) = B(i,k) * C(k,j)");
	return false;
}

const struct kept_schedule *session_schedule(const struct session *session, sw_diag *diag)
{
	const struct kept_schedule *kept = session_kept_schedule(&session->state);

	if (kept == NULL)
		refuse_none(session, diag);
	return kept;
}

/* The arrays of the formula, with where they are kept. */
static const sw_schedule_array *list_arrays(const sw_computation *computation, sw_arena *arena)
{
	const sw_formula *formula = &computation->formula;
	sw_schedule_array *array = SW_NEW_ZERO(arena, sw_schedule_array, formula->arrays);

	for (int k = 0; array != NULL && k < formula->arrays; k++) {
		array[k].name = formula->array[k].name;
		array[k].rank = formula->array[k].rank;
		array[k].home = &computation->array[k].held;
		for (int d = 0; d < array[k].rank; d++)
			array[k].size[d] = formula->array[k].size[d];
	}
	return array;
}

static bool read_problem(struct session *session, const struct kept_formula *formula, sw_schedule_problem *problem,
	sw_diag *diag)
{
	const sw_computation *computation = formula->computation;
	const sw_schedule_array *array = list_arrays(computation, session->arena);

	if (array == NULL)
		return sw_diag_memory(diag);
	if (!sw_schedule_problem_of(sw_str_of(formula->text), &computation->mesh, array, computation->formula.arrays,
			session->arena, problem, diag)) {
		diag->at = diag->also = (sw_span){0, 0};
		return false;
	}
	return list_numbers(session, &computation->mesh, problem) || sw_diag_memory(diag);
}

#define WORDS_MOST ((int64_t)1 << 17) /* steps on processors whose words are kept */

static struct kept_schedule *keep(struct session *session, sw_schedule_problem *problem, const sw_schedule *schedule,
	sw_diag *diag)
{
	struct kept_schedule *kept = SW_NEW_ZERO(session->arena, struct kept_schedule, 1);

	if (kept == NULL || schedule == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	kept->program = SW_NEW_ZERO(session->arena, const struct kept_program *, 1);
	kept->exact = SW_NEW(session->arena, int64_t, 1);
	if (kept->program == NULL || kept->exact == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	*kept->exact = -1;
	kept->formula = session->state.formula;
	kept->problem = problem;
	kept->schedule = schedule;
	kept->lowering = sw_lowering_of(schedule, session->arena, diag);
	if (kept->lowering != NULL && kept->lowering->steps <= WORDS_MOST / problem->mesh->devices)
		kept->words = SW_NEW_ZERO(session->arena, const struct step_words *, kept->lowering->steps + 1);
	return kept;
}

/* The loops of the formula alone. */
static const struct kept_schedule *begin(struct session *session, sw_diag *diag)
{
	sw_schedule_problem *problem = SW_NEW_ZERO(session->arena, sw_schedule_problem, 1);
	sw_diag why = {.code = SW_OK};

	if (problem == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	if (!read_problem(session, session->state.formula, problem, diag))
		return NULL;
	return keep(session, problem, sw_schedule_new(problem, session->arena), &why);
}

const struct kept_schedule *session_schedule_begun(struct session *session, sw_diag *diag)
{
	const struct kept_schedule *kept = session_kept_schedule(&session->state);

	if (kept == NULL && session->state.formula == NULL) {
		refuse_none(session, diag);
		return NULL;
	}
	if (kept == NULL)
		return begin(session, diag);
	if (!list_numbers(session, kept->problem->mesh, kept->problem)) {
		sw_diag_memory(diag);
		return NULL;
	}
	return kept;
}

/* The schedule after each of the commands that came to `schedule` behind the one of the session, and before the last, becomes the present one. */
static bool remember_between(struct session *session, sw_schedule_problem *problem, const sw_schedule *schedule,
	sw_diag *diag)
{
	const struct kept_schedule *kept = session_kept_schedule(&session->state);
	int before = kept != NULL ? kept->schedule->commands : 0;
	struct kept_schedule *between;
	sw_diag why = {.code = SW_OK};

	if (schedule->commands <= before + 1)
		return true;
	if (!remember_between(session, problem, schedule->before, diag))
		return false;
	between = keep(session, problem, schedule->before, &why);
	if (between == NULL)
		return sw_diag_memory(diag);
	session->state.schedule = between;
	return session_remember(session, schedule->command, diag);
}

bool session_take_schedule(struct session *session, const struct kept_schedule *begun, const sw_schedule *schedule,
	sw_diag *diag)
{
	struct kept_schedule *kept = keep(session, begun->problem, schedule, diag);

	assert(session->state.formula != NULL);
	if (kept == NULL || kept->lowering == NULL || !remember_between(session, begun->problem, schedule, diag))
		return false;
	session->state.schedule = kept;
	session->state.subject = SUBJECT_SCHEDULE;
	session_drop_walk(session, SW_WALK_STEPS);
	session_walk_on(session, SW_WALK_STEPS);
	return true;
}

/* What cannot be lowered was distributed: the last command that does so is marked. */
static bool blame_distribute(sw_str text, sw_diag *diag)
{
	sw_str word = sw_str_of("distribute");

	for (size_t at = 0; at + word.length <= text.length && (diag->code == SW_D35 || diag->code == SW_D36); at++)
		if (sw_str_starts(sw_str_behind(text, at), word.at))
			diag->at = (sw_span){at, at + word.length};
	return false;
}

bool session_read_schedule(struct session *session, sw_str text, sw_diag *diag)
{
	bool known = session->state.formula != NULL || sw_schedule_knows(text, diag);
	const struct kept_schedule *begun = known ? session_schedule_begun(session, diag) : NULL;
	const char *copy = sw_arena_copy(session->arena, text.at, text.length);
	const sw_schedule *schedule;

	if (begun == NULL)
		return false;
	if (copy == NULL)
		return sw_diag_memory(diag);
	schedule = sw_schedule_read(begun->schedule, (sw_str){copy, text.length}, session->arena, NULL, diag);
	return schedule != NULL &&
		(session_take_schedule(session, begun, schedule, diag) || blame_distribute(text, diag));
}

int64_t session_step_of(const struct state *state)
{
	const struct kept_walk *walk = state->walks[SW_WALK_STEPS];

	return walk != NULL && walk->schedule != NULL && walk->schedule == session_kept_schedule(state) ?
		sw_walk_settled(walk->walk) :
		0;
}

int64_t session_schedule_step(const struct session *session)
{
	return session_step_of(&session->state);
}
