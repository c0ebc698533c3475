/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a walk over contexts is made of.  Keys of nodes are numbers of contexts.
 */
#ifndef SW_PLACEMENT_CONTEXT_WALK_H
#define SW_PLACEMENT_CONTEXT_WALK_H

#include <shardwalk/context_walk.h>

#include "placement/contexts.h"
#include "search/graph.h"

struct context_graph {
	sw_context_sum sum;
	sw_system system;
	sw_placement placement;
	sw_mesh axes;
	sw_ports ports;
	double unit;   /* seconds of one unit of the store's costs */
	double *price; /* seconds of each edge of the graph */
	double *rest;  /* seconds that are missing in each context; NULL: nobody wants to know */
	int *found;    /* the edge by which each context is found first; -1: the start */
};

/* What devices hold in a context. */
void sw_context_walk_held(const struct context_graph *graph, int context, struct sw_context_held *held);

/* Terms that are missing in it: see sw_node. */
int64_t sw_context_walk_missing(const struct context_graph *graph, int context);

/* The column of the row: see graph.h. */
int sw_context_walk_edges(const sw_walk *walk, const int64_t *place, bool refused, sw_arena *arena, sw_edge **edges);

/* Adds what devices hold in a context. */
void sw_context_walk_print(const struct context_graph *graph, int context, sw_text *text);

#define SW_PICOSECOND 1e-12
int64_t sw_picoseconds(double seconds);

#endif
