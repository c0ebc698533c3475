/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the nodes of a graph stand: levels from large sizes to small, in each level children below their parents.
 *
 * Nothing here knows what the nodes are: a search, contexts of a reduction, schedules.  A node has a size, which is its
 * level, and a parent.  All nodes that are known are placed at once: as a tree, whose edges have ways of their own, or,
 * where that does not fit, in rows of their levels, ordered by the places of their parents (their barycentre), those of
 * one parent below each other, with its name and a bracket before them.  Nodes
 * that come later take the free place of their level next to their parent.  A node that has a place keeps it.
 *
 * Places are columns and rows from 0.  Column 0 stays free for a mark before a node.
 */
#ifndef SHARDWALK_CANVAS_GRAPH_LAYOUT_H
#define SHARDWALK_CANVAS_GRAPH_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "canvas/canvas.h"

struct graph_node {
	int64_t size;  /* its level: the largest is on top */
	int parent;    /* number of the node it hangs from, from 0; -1: none */
	int name;      /* columns of its short name, 2 or more */
	int full;      /* of its full name, no less */
	bool whole;    /* the full name stands there always, and the node always has a place */
	bool straight; /* it stands straight below its parent where it can: the best path */
};

/* How the edge to a node comes from its parent. */
enum graph_way {
	GRAPH_NO_WAY, /* it has none of its own */
	GRAPH_DOWN,   /* into the node from above */
	GRAPH_UP,     /* from below */
	GRAPH_LIST    /* from its left: it stands in a list */
};

struct graph_place {
	int x, y;  /* of its sign; y -1: it has no place */
	int room;  /* columns up to what stands to its right */
	int strip; /* the row of levels in which it is */
	enum graph_way way;
	int port; /* column in which the edge leaves the parent */
	int bus;  /* row in which it goes across; -1: it does not */
};

/* Rows of the picture for one level, or for several that are folded. */
struct graph_strip {
	int64_t most, least; /* sizes of its levels */
	int y, rows;
	int cells;        /* in a row; 0: folded levels, and trees */
	int spare;        /* columns at the end of its last row for what has no place */
	int nodes, shown; /* in it, and with a place */
	bool full;        /* it has no free place for nodes that come */
};

struct graph_layout {
	int width, height; /* as asked for */
	int used;          /* rows that nodes and edges take */
	bool tree;         /* edges have ways */
	bool full;         /* of a tree: all full names have room */
	int pitch, drop;   /* columns of a place in rows; rows between two of nodes */
	int gutter;        /* in rows: columns before a node; more than 1: for the name of its parent, and a bracket */
	struct graph_place *place; /* of node 0, 1, ... */
	struct graph_node *node;
	int count, room;
	struct graph_strip *strip;
	int strips;
	int *cell; /* in rows: the node at each place of each row, -1: none */
};

/* Places `count` nodes in width x height cells; what was there before is forgotten.  false: no memory. */
bool graph_layout_make(struct graph_layout *layout, const struct graph_node *nodes, int count, int width, int height);
void graph_layout_free(struct graph_layout *layout);

/* Places one more node, whose number is `count`.  false: no memory.  A layout that takes nodes this way was made for
 * rows: `graph_layout_rows`. */
bool graph_layout_add(struct graph_layout *layout, const struct graph_node *node);

/* The same in rows, whatever would fit; more nodes will come. */
bool graph_layout_rows(struct graph_layout *layout, const struct graph_node *nodes, int count, int width, int height);

/* Takes back the nodes from number `count` on. */
void graph_layout_drop(struct graph_layout *layout, int count);

/* The strip of a size. */
int graph_strip_of(const struct graph_layout *layout, int64_t size);

/* Calls `ink` for each cell of the way from its parent to a node, with the directions (line_bits) in which it goes. */
typedef void graph_ink(void *context, int x, int y, unsigned directions);
void graph_way_trace(const struct graph_layout *layout, int node, graph_ink *ink, void *context);

/* How often edges of different parents share a cell: where their ways cross, with all nodes there. */
int graph_layout_crossings(const struct graph_layout *layout);

/* ---- for the two ways to place ---- */

/* Sizes of the levels, the largest first; returns how many, -1: no memory.  Free *sizes. */
int graph_levels(const struct graph_node *nodes, int count, int64_t **sizes);

enum graph_fit { GRAPH_FITS, GRAPH_TOO_LARGE, GRAPH_NO_MEMORY };
enum graph_fit graph_tree_place(struct graph_layout *layout);
bool graph_rows_place(struct graph_layout *layout, bool more);

/* Gives a node a place in rows, where one is free; takes it back. */
void graph_rows_take(struct graph_layout *layout, int node);
void graph_rows_leave(struct graph_layout *layout, int node);

#endif
