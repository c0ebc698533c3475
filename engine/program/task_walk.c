/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rounds of a formula that is repeated as a graph that is walked: one node after the other.
 */
#include <shardwalk/task_walk.h>

#include <shardwalk/number.h>

#include "search/chain.h"

const sw_round *sw_tasks_round(const sw_tasks *tasks, int64_t number)
{
	return number == tasks->rounds && tasks->last.relation != NULL ? &tasks->last : &tasks->full;
}

static int64_t rounds_of(const void *of)
{
	const sw_tasks *tasks = of;

	return tasks->rounds;
}

/* The tasks that are left, those of this round among them. */
static int64_t left(const void *of, int64_t number)
{
	const sw_tasks *tasks = of;

	return (tasks->rounds - number + 1) * tasks->devices;
}

/* What is sent before a round beside its own: what was made moves, and before the first one what is constant. */
static const sw_round *beside(const sw_tasks *tasks, int64_t number)
{
	return number > 1 ? &tasks->move : &tasks->once;
}

/* In elements. */
static int64_t sent_before(const void *of, int64_t number)
{
	const sw_tasks *tasks = of;

	return sw_tasks_round(tasks, number)->elements + beside(tasks, number)->elements;
}

static int64_t messages_before(const void *of, int64_t number)
{
	const sw_tasks *tasks = of;

	return sw_tasks_round(tasks, number)->messages + beside(tasks, number)->messages;
}

/* `step 7`; of rounds of several steps `steps 7-9`. */
static void print(const void *of, int64_t number, sw_text *text)
{
	const sw_tasks *tasks = of;
	int64_t first = (number - 1) * tasks->every + 1, last = sw_smaller(number * tasks->every, tasks->steps);

	if (first == last)
		sw_text_addf(text, "step %lld", (long long)first);
	else
		sw_text_addf(text, "steps %lld-%lld", (long long)first, (long long)last);
}

static const sw_chain_row row = {
	.graph = SW_CHAIN_GRAPH(.words = {.name = "steps",
								.about = "the steps of a schedule, or the tasks of a formula that is repeated",
								.node = "steps",
								.size = "tasks left",
								.nodes = "rounds",
								.visited = "rounds done",
								.chain = true}),
	.one = "round",
	.many = "rounds",
	.each = "exchange",
	.nodes = rounds_of,
	.left = left,
	.sent = sent_before,
	.messages = messages_before,
	.print = print,
};

const sw_walk_words *sw_walk_of_tasks(void)
{
	return &row.graph.words;
}

const sw_tasks *sw_task_walk_tasks(const sw_walk *walk)
{
	return sw_chain_of(walk, &row);
}

sw_walk *sw_task_walk_new(const sw_tasks *tasks, sw_diag *diag)
{
	return sw_chain_new(&row, tasks, sizeof *tasks, diag);
}
