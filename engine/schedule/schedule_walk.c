/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The steps of a schedule as a graph that is walked: one node after the other.
 */
#include <shardwalk/schedule_walk.h>

#include <assert.h>

#include "search/chain.h"

/* What the walk is of. */
typedef struct schedule_steps {
	const sw_lowering *lowering;
} schedule_steps;

static int64_t steps_of(const void *of)
{
	const schedule_steps *steps = of;

	return steps->lowering->steps;
}

static int64_t left(const void *of, int64_t number)
{
	return steps_of(of) - number + 1;
}

/* What moves in a step: its messages, and their elements.  Where memory is short that is nothing. */
static void count(const void *of, int64_t number, int64_t *messages, int64_t *elements)
{
	const schedule_steps *steps = of;
	sw_schedule_messages list = {0, 0, NULL};
	sw_arena *arena = sw_arena_new();

	*messages = *elements = 0;
	if (arena != NULL && sw_lowering_messages(steps->lowering, number - 1, arena, &list))
		*messages = list.count;
	for (int64_t k = 0; k < *messages; k++)
		*elements += list.message[k].elements;
	sw_arena_free(arena);
}

static int64_t sent(const void *of, int64_t number)
{
	int64_t messages, elements;

	count(of, number, &messages, &elements);
	return elements;
}

static int64_t messages_in(const void *of, int64_t number)
{
	int64_t messages, elements;

	count(of, number, &messages, &elements);
	return messages;
}

void sw_lowering_print_at(const sw_lowering *lowering, int64_t step, sw_text *text)
{
	int64_t value[SW_MAX_LETTERS * 4];

	assert(step >= 0 && step < lowering->steps);
	if (lowering->times > (int)(sizeof value / sizeof *value))
		return;
	sw_lowering_at(lowering, step, value);
	for (int k = 0; k < lowering->times; k++) {
		const sw_schedule_loop *loop = &lowering->schedule->loop[lowering->time[k]];
		sw_text_addf(text, "%s%.*s = %lld", k > 0 ? ", " : "", (int)loop->name.length, loop->name.at,
			(long long)value[k]);
	}
}

static void print(const void *of, int64_t number, sw_text *text)
{
	const schedule_steps *steps = of;

	sw_text_addf(text, "step %lld", (long long)number);
	if (steps->lowering->times > 0)
		sw_text_add(text, ", ");
	sw_lowering_print_at(steps->lowering, number - 1, text);
}

static const sw_chain_row row = {
	.graph = SW_CHAIN_GRAPH(.words = {.name = "steps",
								.about = "the steps of a schedule, or the tasks of a formula that is repeated",
								.node = "steps",
								.size = "steps left",
								.nodes = "steps",
								.visited = "steps done",
								.chain = true}),
	.one = "step",
	.many = "steps",
	.each = "iteration",
	.nodes = steps_of,
	.left = left,
	.sent = sent,
	.messages = messages_in,
	.print = print,
};

sw_walk *sw_schedule_walk_new(const sw_lowering *lowering, sw_diag *diag)
{
	const schedule_steps steps = {lowering};

	return sw_chain_new(&row, &steps, sizeof steps, diag);
}

const sw_lowering *sw_schedule_walk_lowering(const sw_walk *walk)
{
	const schedule_steps *steps = sw_chain_of(walk, &row);

	return steps != NULL ? steps->lowering : NULL;
}
