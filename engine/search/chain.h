/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes that come one after the other, as a graph that is walked: rounds of tasks, steps of a schedule.
 *
 * Nodes count from 1, and only those that were come to are listed.  Distances count what was sent up to then.
 */
#ifndef SW_SEARCH_CHAIN_H
#define SW_SEARCH_CHAIN_H

#include "search/graph.h"

/* What one asks of a node of a chain; `of` is what stands behind the walk's head. */
typedef struct sw_chain_row {
	sw_graph graph; /* SW_CHAIN_GRAPH */
	const char *one, *many;
	const char *each; /* what there is one node for */
	int64_t (*nodes)(const void *of);
	int64_t (*left)(const void *of, int64_t number); /* with this node */
	int64_t (*sent)(const void *of, int64_t number); /* before it, in elements, */
	int64_t (*messages)(const void *of, int64_t number);
	void (*print)(const void *of, int64_t number, sw_text *text);
} sw_chain_row;

/* The functions of a graph that is a chain; its words stand behind. */
#define SW_CHAIN_GRAPH(...) \
	{ \
		.free = sw_chain_free, .again = sw_chain_again, .leave = sw_chain_leave, .place_of = sw_chain_place_of, \
		.key_of = sw_chain_key_of, .look = sw_chain_look, .distance = sw_chain_distance, .via = sw_chain_via, \
		.largest = sw_chain_largest, .edges = sw_chain_edges, .print_place = sw_chain_print_place, \
		.print_move = sw_chain_print_move, .cut_off = sw_chain_cut_off, __VA_ARGS__ \
	}

void sw_chain_free(void *of);
sw_walk *sw_chain_again(const void *of, sw_diag *diag);
bool sw_chain_leave(sw_walk *walk, int node);
void sw_chain_place_of(const sw_walk *walk, const uint8_t *key, int64_t *place);
bool sw_chain_key_of(const sw_walk *walk, const int64_t *place, uint8_t *key, sw_diag *diag);
void sw_chain_look(const sw_walk *walk, const uint8_t *key, sw_node *node);
int64_t sw_chain_distance(const sw_walk *walk, int node);
void sw_chain_via(const sw_walk *walk, int node, sw_move *via);
int64_t sw_chain_largest(const sw_walk *walk);
int sw_chain_edges(const sw_walk *walk, const int64_t *place, bool refused, sw_arena *arena, sw_edge **edges);
void sw_chain_print_place(const sw_walk *walk, const int64_t *place, sw_text *text);
void sw_chain_print_move(const sw_walk *walk, const sw_move *move, sw_text *text);
bool sw_chain_cut_off(const sw_walk *walk, sw_diag *diag);

/* A walk before its first step, over a copy of what is at `of`.  NULL: S08 where there are millions of nodes, E01. */
sw_walk *sw_chain_new(const sw_chain_row *row, const void *of, size_t size, sw_diag *diag);

/* That copy, where the walk is of this row; else NULL. */
const void *sw_chain_of(const sw_walk *walk, const sw_chain_row *row);

#endif
