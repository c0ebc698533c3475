/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Searching the search graph: names of all nodes, made a part with every picture and the rest when one is looked for, and
 * the matches of what was looked for last, so that a graph of 100 000 nodes is searched as fast as one types.
 */
#ifndef SHARDWALK_SCREEN_GRAPH_H
#define SHARDWALK_SCREEN_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/text.h>
#include <shardwalk/walk.h>

/* What was looked for last, and the nodes that have it, ascending. */
struct graph_matches {
	char text[128];
	int seen, settled; /* as the walk was */
	int *node;
	int count, room;
};

struct graph_index {
	const sw_walk *walk;
	int number;  /* of the walk */
	int seen;    /* nodes taken in */
	char *names; /* "1 [3, 2]\n2 [6, 1]\n...": what a search looks through */
	size_t names_length, names_room;
	int named; /* nodes that have a name there */
	struct graph_matches matches;
	bool failed;
};

/* Follows the walk: takes in new nodes, drops those that `back` took away, and names some that have no name. */
void graph_follow(struct graph_index *graph, const sw_walk *walk, int number);
void graph_forget(struct graph_index *graph);

/* Makes all names that a search will look through. */
void graph_prepare(struct graph_index *graph);

/* The next node after `id` (direction 1), or the one before (-1), whose name has `text`, or, where that is a number,
 * whose distance or cost has it; it goes round, and *wrapped says so.  0: none.  *at and *of: which of how many. */
int graph_search(struct graph_index *graph, const char *text, int id, int direction, bool *wrapped, long long *at,
	long long *of);

#endif
