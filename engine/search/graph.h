/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Graphs that can be walked: what they say of their nodes and edges, a row of functions each; and what a walk remembers.
 *
 * Nodes are states of the store, whose keys the graph makes and reads; their ids are numbers + 1.
 */
#ifndef SW_SEARCH_GRAPH_H
#define SW_SEARCH_GRAPH_H

#include <shardwalk/walk.h>

#include "search/store.h"

#define SW_MAX_KEY 192 /* bytes of a key */

typedef struct sw_graph {
	sw_walk_words words;
	bool goes_on; /* steps go on behind the goal */

	void (*free)(void *of);
	sw_walk *(*again)(const void *of, sw_diag *diag);

	/* Offers all to which edges lead from a node that has just left the queue.  false: memory, or `stopped`. */
	bool (*leave)(sw_walk *walk, int node);

	/* A key in numbers, and back: S06 where no such node can exist. */
	void (*place_of)(const sw_walk *walk, const uint8_t *key, int64_t *place);
	bool (*key_of)(const sw_walk *walk, const int64_t *place, uint8_t *key, sw_diag *diag);

	/* What there is to say of a node whether it was seen or not: size, bound, whether it is an end and leads on. */
	void (*look)(const sw_walk *walk, const uint8_t *key, sw_node *node);

	int64_t (*distance)(const sw_walk *walk, int node);
	void (*via)(const sw_walk *walk, int node, sw_move *via); /* how its parent leads there */
	int64_t (*largest)(const sw_walk *walk);
	int (*edges)(const sw_walk *walk, const int64_t *place, bool refused, sw_arena *arena, sw_edge **edges);
	void (*print_place)(const sw_walk *walk, const int64_t *place, sw_text *text);
	void (*print_move)(const sw_walk *walk, const sw_move *move, sw_text *text);
	bool (*cut_off)(const sw_walk *walk, sw_diag *diag); /* says why no way leads to the goal, and is false */
} sw_graph;

struct sw_walk {
	const sw_graph *graph;
	void *of; /* what the graph is made of; the walk's */
	int places;
	uint8_t goal_key[SW_MAX_KEY];
	int key_bytes;
	int goal;              /* number, -1 while unseen */
	const sw_pulse *pulse; /* asked within a step; NULL: nobody is */
	bool stopped;          /* and said no */
	sw_store store;
};

/* A walk without nodes, whose goal has this key; the graph then offers the start.  `of` is the walk's from here on, and is freed
 * where there is no memory. */
sw_walk *sw_walk_make(const sw_graph *graph, void *of, const uint8_t *goal, int key_bytes, sw_diag *diag);

/* Offers a way to a node: sw_store_offer, and the goal is noticed. */
void sw_walk_offer(sw_walk *walk, const uint8_t *key, const sw_state *state);

#endif
