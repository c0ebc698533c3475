/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A graph that was placed, drawn: sizes of levels at the left, the nodes that are there, the edges to their parents,
 * the best path heavy, dotted edges out of the node under the cursor.
 */
#ifndef SHARDWALK_CANVAS_GRAPH_DRAW_H
#define SHARDWALK_CANVAS_GRAPH_DRAW_H

#include <shardwalk/text.h>

#include "canvas/graph_layout.h"

/* How a node looks now. */
struct graph_look {
	uint32_t sign;
	enum role role;
	int parent; /* as it is now; -1: none */
	bool path;  /* the edge from its parent is on the best path */
};

/* Where the drawing learns about nodes, by their numbers in the layout. */
struct graph_source {
	void *context;
	bool (*look)(void *context, int node, struct graph_look *look); /* false: it is not there (yet) */
	void (*name)(void *context, int node, bool full, sw_text *text);
	void (*size)(void *context, int64_t size, sw_text *text); /* of a level */
	void (*way)(void *context, int node,
		sw_text *text); /* how its parent leads to a node; NULL: nothing is said of that */
};

/* An edge out of the node under the cursor. */
struct graph_edge {
	int node; /* where it leads; -1: beyond the first row, at `column` of the canvas */
	int column;
	bool refused; /* dashed instead of dotted */
	enum role role;
};

/* Where a node was drawn. */
struct graph_spot {
	int node, x, y, width;
};

struct graph_picture {
	const struct graph_layout *layout;
	const struct graph_source *source;
	int top;         /* row of the canvas in which row 0 of the layout stands */
	int label;       /* columns of the sizes; the layout begins 3 to the right of them */
	int cursor;      /* node, -1: none */
	const int *kept; /* nodes that are in sight even where they have no place: ends, best path */
	int kept_count;
	const struct graph_edge *edges;
	int edge_count;
	struct graph_spot *spots; /* room for `spot_room`; may be NULL */
	int spot_room, spot_count;
};

void graph_draw(struct graph_picture *picture, struct canvas *out);

#endif
