/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search graph on the screen: nodes by levels, kept up to date node by node, so that a graph of 100 000 nodes
 * costs no more than what is drawn of it.
 */
#ifndef SHARDWALK_SCREEN_GRAPH_H
#define SHARDWALK_SCREEN_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/text.h>
#include <shardwalk/walk.h>

#include "canvas/canvas.h"

/* Nodes of one local size, by number. */
struct graph_level {
	int64_t size;
	int count, room;
	int *ids;
};

struct graph_index {
	const sw_walk *walk;
	int number;                 /* of the walk */
	int seen;                   /* nodes taken in */
	struct graph_level *levels; /* by descending size */
	int level_count, level_room;
	char *names; /* "1 [3, 2]\n2 [6, 1]\n...": what a search looks through; made when one does */
	size_t names_length, names_room;
	int named;        /* nodes that have a name there */
	char filter[128]; /* levels hold only nodes whose name has it */
	bool failed;
};

/* Follows the walk: takes in new nodes, drops those that `back` took away. */
void graph_follow(struct graph_index *graph, const sw_walk *walk, int number, const char *filter);
void graph_forget(struct graph_index *graph);

/* The level of a size, and the place of a node in it; -1 where it is not there. */
int graph_level_of(const struct graph_index *graph, int64_t size);
int graph_place_of(const struct graph_level *level, int id);

/* Makes the names that a search will look through. */
void graph_prepare(struct graph_index *graph);

/* Adds a node's name: "4 [2, 3] goal". */
void graph_name(const sw_walk *walk, int id, sw_text *text);

/* The next node after `id` (direction 1), or the one before (-1), whose name has `text`; it goes round, and *wrapped
 * says so.  0: none.  *at and *of: which of how many. */
int graph_search(struct graph_index *graph, const char *text, int id, int direction, bool *wrapped, long long *at,
	long long *of);

#endif
