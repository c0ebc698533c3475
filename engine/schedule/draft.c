/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules while commands change them: copies of what was there, and of what comes.
 */
#include "schedule/state.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

static void *copy(sw_arena *arena, const void *of, int count, size_t size)
{
	void *made = sw_arena_alloc(arena, (size_t)count, size);

	if (made != NULL && count > 0)
		memcpy(made, of, (size_t)count * size);
	return made;
}

#define COPY(arena, of, count) copy((arena), (of), (count), sizeof *(of))

bool sw_draft_of(const sw_schedule *schedule, sw_arena *arena, sw_draft *draft)
{
	const struct sw_schedule_state *state = schedule->state;
	int *loop = SW_NEW(arena, int, schedule->loops);

	*draft = (sw_draft){.problem = schedule->problem, .arena = arena, .kernel = schedule->kernel, .loop = loop};
	draft->variables = draft->variable_room = state->variables;
	draft->loops = draft->loop_room = schedule->loops;
	draft->relations = draft->relation_room = state->relations;
	draft->communicates = draft->communicate_room = schedule->communicates;
	draft->workspaces = draft->workspace_room = state->workspaces;
	draft->variable = COPY(arena, state->variable, state->variables);
	draft->relation = COPY(arena, state->relation, state->relations);
	draft->communicate = COPY(arena, schedule->communicate, schedule->communicates);
	draft->workspace = COPY(arena, state->workspace, state->workspaces);
	for (int k = 0; loop != NULL && k < schedule->loops; k++)
		loop[k] = schedule->loop[k].variable;
	return loop != NULL && draft->variable != NULL && draft->relation != NULL && draft->communicate != NULL &&
		draft->workspace != NULL;
}

int sw_draft_add(sw_draft *draft, sw_str name, int64_t extent, bool summed)
{
	if (draft->variables == SW_MAX_VARIABLES) {
		sw_draft_refuse(draft, SW_D13, name, "more than %d names of loops", SW_MAX_VARIABLES);
		return -1;
	}
	if (!SW_GROW(draft->arena, draft->variable, draft->variables, draft->variable_room, 8)) {
		sw_diag_memory(draft->diag);
		return -1;
	}
	draft->variable[draft->variables] = (sw_variable){.name = name, .extent = extent, .summed = summed};
	return draft->variables++;
}

bool sw_draft_replace(sw_draft *draft, int at, int old, const int *variable, int count)
{
	assert(at >= 0 && at + old <= draft->loops);
	int *loop = SW_NEW(draft->arena, int, draft->loops - old + count);

	if (loop == NULL)
		return false;
	memcpy(loop, draft->loop, (size_t)at * sizeof *loop);
	memcpy(loop + at, variable, (size_t)count * sizeof *loop);
	memcpy(loop + at + count, draft->loop + at + old, (size_t)(draft->loops - at - old) * sizeof *loop);
	draft->loop = loop;
	draft->loops += count - old;
	draft->loop_room = draft->loops;
	return true;
}

bool sw_draft_relate(sw_draft *draft, const char *format, ...)
{
	sw_text text = {0};
	va_list arguments;

	va_start(arguments, format);
	sw_text_addv(&text, format, arguments);
	va_end(arguments);
	size_t length = text.length;
	const char *relation = sw_text_keep(&text, draft->arena);
	if (relation == NULL || !SW_GROW(draft->arena, draft->relation, draft->relations, draft->relation_room, 8))
		return sw_diag_memory(draft->diag);
	draft->relation[draft->relations++] = (sw_str){relation, length};
	return true;
}

static sw_schedule_loop loop_of(const sw_draft *draft, int variable)
{
	const sw_variable *is = &draft->variable[variable];

	return (sw_schedule_loop){.name = is->name,
		.extent = is->extent,
		.variable = variable,
		.distributed = is->distributed,
		.threads = is->threads,
		.reduces = is->reduces,
		.leaf = is->leaf,
		.summed = is->summed};
}

static const struct sw_schedule_state *state_of(const sw_draft *draft)
{
	struct sw_schedule_state *state = SW_NEW_ZERO(draft->arena, struct sw_schedule_state, 1);

	if (state == NULL)
		return NULL;
	state->variables = draft->variables;
	state->relations = draft->relations;
	state->workspaces = draft->workspaces;
	state->variable = COPY(draft->arena, draft->variable, draft->variables);
	state->relation = COPY(draft->arena, draft->relation, draft->relations);
	state->workspace = COPY(draft->arena, draft->workspace, draft->workspaces);
	return state->variable != NULL && state->relation != NULL && state->workspace != NULL ? state : NULL;
}

const sw_schedule *sw_draft_schedule(const sw_draft *draft, const sw_schedule *before, sw_str command)
{
	sw_schedule *schedule = SW_NEW_ZERO(draft->arena, sw_schedule, 1);
	sw_schedule_loop *loop = SW_NEW(draft->arena, sw_schedule_loop, draft->loops);

	if (schedule == NULL || loop == NULL)
		return NULL;
	for (int k = 0; k < draft->loops; k++)
		loop[k] = loop_of(draft, draft->loop[k]);
	*schedule = (sw_schedule){.problem = draft->problem,
		.before = before,
		.commands = before != NULL ? before->commands + 1 : 0,
		.command = command,
		.numbers = draft->numbers,
		.number = COPY(draft->arena, draft->number, draft->numbers),
		.loops = draft->loops,
		.loop = loop,
		.communicates = draft->communicates,
		.communicate = COPY(draft->arena, draft->communicate, draft->communicates),
		.kernel = draft->kernel,
		.state = state_of(draft)};
	return schedule->state != NULL && schedule->communicate != NULL && schedule->number != NULL ? schedule : NULL;
}

const sw_schedule *sw_schedule_new(const sw_schedule_problem *problem, sw_arena *arena)
{
	const sw_formula *formula = &problem->formula;
	sw_draft draft = {.problem = problem, .arena = arena};
	int *loop = SW_NEW(arena, int, formula->letters);

	if (loop == NULL)
		return NULL;
	for (int letter = 0; letter < formula->letters; letter++) {
		loop[letter] = sw_draft_add(&draft, (sw_str){&formula->letter[letter], 1}, formula->size[letter],
			letter >= formula->kept);
		if (loop[letter] < 0)
			return NULL;
	}
	draft.loop = loop;
	draft.loops = formula->letters;
	return sw_draft_schedule(&draft, NULL, (sw_str){"", 0});
}

int sw_schedule_find(const sw_schedule *schedule, sw_str name)
{
	for (int k = 0; k < schedule->loops; k++)
		if (sw_str_equal(schedule->loop[k].name, name))
			return k;
	return -1;
}

const sw_schedule *sw_schedule_after(const sw_schedule *schedule, int n)
{
	assert(n >= 0 && n < schedule->commands);
	while (schedule->commands > n + 1)
		schedule = schedule->before;
	return schedule;
}

sw_str sw_schedule_command_text(const sw_schedule *schedule, int n)
{
	return sw_schedule_after(schedule, n)->command;
}

void sw_schedule_print_command(const sw_schedule *schedule, int n, sw_text *text)
{
	const sw_schedule *is = sw_schedule_after(schedule, n);
	size_t at = 0;

	for (int k = 0; k < is->numbers; k++) {
		sw_str name = is->number[k].name;
		size_t begin = (size_t)(name.at - is->command.at);

		assert(begin >= at && begin + name.length <= is->command.length);
		sw_text_add_str(text, (sw_str){is->command.at + at, begin - at});
		sw_text_add_int(text, is->number[k].value);
		at = begin + name.length;
	}
	sw_text_add_str(text, sw_str_behind(is->command, at));
}
