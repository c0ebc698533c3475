/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is walked as a graph: its nodes are placed as long as the picture has one size, and drawn as they are now.
 *
 * Of a search of at most SEARCH_AHEAD nodes all are placed before they are seen: it runs ahead where nobody looks.  Of
 * a larger one the first are, and each of the others as it comes.
 */
#ifndef SHARDWALK_VIEWS_SEARCH_GRAPH_H
#define SHARDWALK_VIEWS_SEARCH_GRAPH_H

#include <shardwalk/walk.h>

#include "canvas/graph_draw.h"

#define SEARCH_AHEAD 2000         /* nodes */
#define SEARCH_AHEAD_EDGES 500000 /* looked at, at most, on the way */

struct search_graph {
	const sw_walk *walk;
	int number; /* of the walk: a new one may stand where an old one stood */
	struct graph_node *ahead;
	int ahead_count;
	bool whole;      /* these are all that will ever be seen */
	sw_walk *future; /* then: the walk at its end */
	int *orders;     /* of visits, at the end: order of node id at [id - 1] */
	int *length;     /* of the name of node id at [id - 1], of so many */
	int lengths, lengths_room;
	struct graph_layout layout;
	bool failed; /* memory ran out */
};

/* What is looked at. */
struct search_look {
	sw_node cursor;       /* id 0: a node never seen, or none */
	const char *filter;   /* nodes whose name has not this are not there; NULL or "": all are */
	const sw_edge *edges; /* out of the cursor */
	int edge_count;
	int edge; /* the chosen one, from 0; -1: none */
	struct graph_spot *spots;
	int spot_room, spot_count;
};

/* Places what has none in `width` columns and `height` rows, the wall's included; height 0: as many as it takes. */
bool search_graph_follow(struct search_graph *graph, const sw_walk *walk, int number, int width, int height);
void search_graph_forget(struct search_graph *graph);

/* Is there a level that counts nodes for which there is no room? */
bool search_graph_hides(const struct search_graph *graph);

/* Are its edges brackets, before which the parent's number stands? */
bool search_graph_brackets(const struct search_graph *graph);

/* The first column of nodes and edges in a picture of `width` columns: before it is the axis of levels. */
int search_graph_first(const struct search_graph *graph, int width);

/* Draws wall, levels, nodes and edges from row `y` on; returns the next row. */
int search_graph_draw(const struct search_graph *graph, struct search_look *look, struct canvas *out, int y);

/* Names the signs that are in the picture of either drawing and no others, in at most `most` rows from row `y` on (0: as
 * many as it takes), where those end how many are left out; returns the next row. */
int search_signs_draw(const struct search_graph *graph, bool lanes, int most, struct canvas *out, int y);

/* How many rows to keep for that. */
int search_signs_rows(int width);

/* The second drawing, for long searches: a row a node in the order of visits, a lane a parent; `height` rows from
 * *top on, which follows the cursor. */
void search_lanes_draw(const struct search_graph *graph, const struct search_look *look, int height, int *top,
	struct canvas *out);

/* The node settled before (-1) or after (1) `id`; 0: there is none. */
int search_lanes_next(const struct search_graph *graph, int id, int direction);

/* The digits of a number as one types it, without blanks between them; "": it is no number. */
void search_digits(const char *text, char digits[24]);

/* Has node `id` this in its name, its distance, or the cost of the edge to it? */
bool search_node_has(const sw_walk *walk, int id, const char *text);

/* A node's name as it is searched: "4 [2, 3] goal". */
void search_node_name(const sw_walk *walk, int id, sw_text *text);

#endif
