/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rounds of a formula that is repeated as a graph that is walked: one node after the other.
 */
#include <shardwalk/task_walk.h>

#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "search/graph.h"

#define ROUNDS_MOST (1 << 22)

const sw_round *sw_tasks_round(const sw_tasks *tasks, int64_t number)
{
	return number == tasks->rounds && tasks->last.relation != NULL ? &tasks->last : &tasks->full;
}

/* ---- nodes ---- */

static const sw_tasks *tasks_of(const sw_walk *walk)
{
	return walk->of;
}

static int64_t round_of(const uint8_t *key)
{
	int64_t number;

	memcpy(&number, key, sizeof number);
	return number;
}

static void place_of(const sw_walk *walk, const uint8_t *key, int64_t *place)
{
	(void)walk;
	place[0] = round_of(key);
}

static bool key_of(const sw_walk *walk, const int64_t *place, uint8_t *key, sw_diag *diag)
{
	int64_t rounds = tasks_of(walk)->rounds;

	if (place[0] < 1 || place[0] > rounds) {
		sw_diag_set(diag, SW_S06, (sw_span){0, 0}, "there is no round %lld", (long long)place[0]);
		sw_diag_expected(diag, "1 to %lld, one for each exchange", (long long)rounds);
		return false;
	}
	memcpy(key, &place[0], sizeof place[0]);
	return true;
}

/* The tasks that are left, those of this round among them. */
static int64_t left(const sw_tasks *tasks, int64_t number)
{
	return (tasks->rounds - number + 1) * tasks->devices;
}

static void look(const sw_walk *walk, const uint8_t *key, sw_node *node)
{
	node->size = left(tasks_of(walk), round_of(key));
	node->is_start = round_of(key) == 1;
	node->is_goal = round_of(key) == tasks_of(walk)->rounds;
}

/* What is sent before a round beside its own: what was made moves, and before the first one what is constant. */
static const sw_round *beside(const sw_tasks *tasks, int64_t number)
{
	return number > 1 ? &tasks->move : &tasks->once;
}

/* In elements. */
static int64_t sent_before(const sw_tasks *tasks, int64_t number)
{
	return sw_tasks_round(tasks, number)->elements + beside(tasks, number)->elements;
}

static int64_t messages_before(const sw_tasks *tasks, int64_t number)
{
	return sw_tasks_round(tasks, number)->messages + beside(tasks, number)->messages;
}

static int64_t distance(const sw_walk *walk, int node)
{
	return walk->store.states[node].cost;
}

static sw_move move_to(const sw_walk *walk, int64_t number)
{
	return (sw_move){.step = (int)number, .cost = sent_before(tasks_of(walk), number)};
}

static void via(const sw_walk *walk, int node, sw_move *move)
{
	*move = move_to(walk, round_of(sw_keys_at(&walk->store.keys, node)));
}

static int64_t largest(const sw_walk *walk)
{
	return walk->store.states[0].size;
}

/* `step 7`; of rounds of several steps `steps 7-9`. */
static void print_place(const sw_walk *walk, const int64_t *place, sw_text *text)
{
	const sw_tasks *tasks = tasks_of(walk);
	int64_t first = (place[0] - 1) * tasks->every + 1, last = sw_smaller(place[0] * tasks->every, tasks->steps);

	if (first == last)
		sw_text_addf(text, "step %lld", (long long)first);
	else
		sw_text_addf(text, "steps %lld-%lld", (long long)first, (long long)last);
}

static void print_move(const sw_walk *walk, const sw_move *move, sw_text *text)
{
	int64_t messages = messages_before(tasks_of(walk), move->step);

	if (messages > 0)
		sw_text_addf(text, "%lld %s", (long long)messages, messages == 1 ? "message" : "messages");
	else
		sw_text_add(text, "no message");
}

/* ---- forward ---- */

static void offer(sw_walk *walk, int64_t number, int from)
{
	const sw_tasks *tasks = tasks_of(walk);
	int64_t before = from < 0 ? 0 : walk->store.states[from].cost;
	sw_state state = {.cost = sw_cost_plus(before, sent_before(tasks, number)),
		.size = left(tasks, number),
		.minor = number,
		.parent = from};

	sw_walk_offer(walk, (const uint8_t *)&number, &state);
}

static bool leave(sw_walk *walk, int from)
{
	walk->store.edges++;
	offer(walk, round_of(sw_keys_at(&walk->store.keys, from)) + 1, from);
	return true;
}

/* The round behind it. */
static int edges(const sw_walk *walk, const int64_t *place, bool refused, sw_arena *arena, sw_edge **list)
{
	int64_t next = place[0] + 1;
	int known = sw_store_find(&walk->store, (const uint8_t *)&next);

	(void)refused;
	if (next > tasks_of(walk)->rounds)
		return 0;
	*list = SW_NEW(arena, sw_edge, 1);
	if (*list == NULL)
		return -1;
	(*list)[0] = (sw_edge){.move = move_to(walk, next),
		.place = {next},
		.size = left(tasks_of(walk), next),
		.node = known + 1,
		.state = known < 0 ? SW_EDGE_NEW : SW_EDGE_TREE};
	return 1;
}

/* There is a round behind each but the last. */
static bool cut_off(const sw_walk *walk, sw_diag *diag)
{
	(void)walk;
	return sw_diag_set(diag, SW_S02, (sw_span){0, 0}, "no round leads on");
}

/* ---- the graph ---- */

static sw_walk *again(const void *of, sw_diag *diag)
{
	return sw_task_walk_new(of, diag);
}

static const sw_graph row = {
	.words = {.name = "steps",
		.about = "the tasks of a formula that is repeated, round by round",
		.node = "steps",
		.size = "tasks left",
		.nodes = "rounds",
		.visited = "rounds done",
		.chain = true},
	.free = free,
	.again = again,
	.leave = leave,
	.place_of = place_of,
	.key_of = key_of,
	.look = look,
	.distance = distance,
	.via = via,
	.largest = largest,
	.edges = edges,
	.print_place = print_place,
	.print_move = print_move,
	.cut_off = cut_off,
};

const sw_walk_words *sw_walk_of_tasks(void)
{
	return &row.words;
}

const sw_tasks *sw_task_walk_tasks(const sw_walk *walk)
{
	return walk->graph == &row ? tasks_of(walk) : NULL;
}

sw_walk *sw_task_walk_new(const sw_tasks *tasks, sw_diag *diag)
{
	sw_tasks *kept;
	sw_walk *walk;

	if (tasks->rounds > ROUNDS_MOST) {
		sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "%lld rounds are too many to walk through",
			(long long)tasks->rounds);
		sw_diag_expected(diag, "at most %d", ROUNDS_MOST);
		return NULL;
	}
	kept = malloc(sizeof *kept);
	if (kept == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	*kept = *tasks;
	walk = sw_walk_make(&row, kept, (const uint8_t *)&kept->rounds, (int)sizeof kept->rounds, diag);
	if (walk == NULL)
		return NULL;
	walk->places = 1;
	offer(walk, 1, -1);
	if (walk->store.keys.count == 1)
		return walk;
	sw_diag_memory(diag);
	sw_walk_free(walk);
	return NULL;
}
