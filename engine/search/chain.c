/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes that come one after the other, as a graph that is walked.
 */
#include "search/chain.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define NODES_MOST (1 << 22)

/* What a walk is of: its row, how many nodes there are, and what the row's functions are asked with. */
typedef struct sw_chain {
	const sw_chain_row *row;
	int64_t nodes;
	size_t size;
	max_align_t of[];
} sw_chain;

static const sw_chain *chain_of(const sw_walk *walk)
{
	return walk->of;
}

static int64_t number_of(const uint8_t *key)
{
	int64_t number;

	memcpy(&number, key, sizeof number);
	return number;
}

/* ---- nodes ---- */

void sw_chain_free(void *of)
{
	free(of);
}

void sw_chain_place_of(const sw_walk *walk, const uint8_t *key, int64_t *place)
{
	(void)walk;
	place[0] = number_of(key);
}

bool sw_chain_key_of(const sw_walk *walk, const int64_t *place, uint8_t *key, sw_diag *diag)
{
	const sw_chain *chain = chain_of(walk);

	if (place[0] < 1 || place[0] > chain->nodes) {
		sw_diag_set(diag, SW_S06, (sw_span){0, 0}, "there is no %s %lld", chain->row->one, (long long)place[0]);
		sw_diag_expected(diag, "1 to %lld, one for each %s", (long long)chain->nodes, chain->row->each);
		return false;
	}
	memcpy(key, &place[0], sizeof place[0]);
	return true;
}

void sw_chain_look(const sw_walk *walk, const uint8_t *key, sw_node *node)
{
	const sw_chain *chain = chain_of(walk);

	node->size = chain->row->left(chain->of, number_of(key));
	node->is_start = number_of(key) == 1;
	node->is_goal = number_of(key) == chain->nodes;
}

int64_t sw_chain_distance(const sw_walk *walk, int node)
{
	return walk->store.states[node].cost;
}

static sw_move move_to(const sw_chain *chain, int64_t number)
{
	return (sw_move){.step = (int)number, .cost = chain->row->sent(chain->of, number)};
}

void sw_chain_via(const sw_walk *walk, int node, sw_move *via)
{
	*via = move_to(chain_of(walk), number_of(sw_keys_at(&walk->store.keys, node)));
}

int64_t sw_chain_largest(const sw_walk *walk)
{
	return walk->store.states[0].size;
}

void sw_chain_print_place(const sw_walk *walk, const int64_t *place, sw_text *text)
{
	const sw_chain *chain = chain_of(walk);

	chain->row->print(chain->of, place[0], text);
}

void sw_chain_print_move(const sw_walk *walk, const sw_move *move, sw_text *text)
{
	const sw_chain *chain = chain_of(walk);
	int64_t messages = chain->row->messages(chain->of, move->step);

	if (messages > 0)
		sw_text_addf(text, "%lld %s", (long long)messages, messages == 1 ? "message" : "messages");
	else
		sw_text_add(text, "no message");
}

/* ---- forward ---- */

static void offer(sw_walk *walk, int64_t number, int from)
{
	const sw_chain *chain = chain_of(walk);
	int64_t before = from < 0 ? 0 : walk->store.states[from].cost;
	sw_state state = {.cost = sw_cost_plus(before, chain->row->sent(chain->of, number)),
		.size = chain->row->left(chain->of, number),
		.minor = number,
		.parent = from};

	sw_walk_offer(walk, (const uint8_t *)&number, &state);
}

bool sw_chain_leave(sw_walk *walk, int from)
{
	walk->store.edges++;
	offer(walk, number_of(sw_keys_at(&walk->store.keys, from)) + 1, from);
	return true;
}

/* The node behind it. */
int sw_chain_edges(const sw_walk *walk, const int64_t *place, bool refused, sw_arena *arena, sw_edge **list)
{
	const sw_chain *chain = chain_of(walk);
	int64_t next = place[0] + 1;
	int known = sw_store_find(&walk->store, (const uint8_t *)&next);

	(void)refused;
	if (next > chain->nodes)
		return 0;
	*list = SW_NEW(arena, sw_edge, 1);
	if (*list == NULL)
		return -1;
	(*list)[0] = (sw_edge){.move = move_to(chain, next),
		.place = {next},
		.size = chain->row->left(chain->of, next),
		.node = known + 1,
		.state = known < 0 ? SW_EDGE_NEW : SW_EDGE_TREE};
	return 1;
}

/* There is a node behind each but the last. */
bool sw_chain_cut_off(const sw_walk *walk, sw_diag *diag)
{
	return sw_diag_set(diag, SW_S02, (sw_span){0, 0}, "no %s follows", chain_of(walk)->row->one);
}

/* ---- the walk ---- */

const void *sw_chain_of(const sw_walk *walk, const sw_chain_row *row)
{
	assert(walk != NULL && row != NULL);
	return walk->graph == &row->graph ? chain_of(walk)->of : NULL;
}

static bool refuse_many(const sw_chain_row *row, int64_t nodes, sw_diag *diag)
{
	sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "%lld %s are too many to walk through", (long long)nodes, row->many);
	sw_diag_expected(diag, "at most %d", NODES_MOST);
	return false;
}

sw_walk *sw_chain_new(const sw_chain_row *row, const void *of, size_t size, sw_diag *diag)
{
	int64_t nodes = row->nodes(of);
	sw_chain *chain = NULL;
	sw_walk *walk;

	assert(nodes >= 1);
	if (nodes > NODES_MOST) {
		refuse_many(row, nodes, diag);
		return NULL;
	}
	chain = malloc(sizeof *chain + size);
	if (chain == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	*chain = (sw_chain){.row = row, .nodes = nodes, .size = size};
	memcpy(chain->of, of, size);
	walk = sw_walk_make(&row->graph, chain, (const uint8_t *)&chain->nodes, (int)sizeof chain->nodes, diag);
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

sw_walk *sw_chain_again(const void *of, sw_diag *diag)
{
	const sw_chain *chain = of;

	return sw_chain_new(chain->row, chain->of, chain->size, diag);
}
