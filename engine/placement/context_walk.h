/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a walk over contexts remembers.  Nodes are states of the store, whose keys are numbers of contexts; their ids are
 * numbers + 1.
 */
#ifndef SW_PLACEMENT_CONTEXT_WALK_H
#define SW_PLACEMENT_CONTEXT_WALK_H

#include <shardwalk/context_walk.h>

#include "placement/contexts.h"
#include "search/store.h"

struct sw_context_walk {
	sw_context_sum sum;
	sw_system system;
	sw_placement placement;
	sw_mesh axes;
	sw_ports ports;
	double unit;   /* seconds of one unit of the store's costs */
	double *price; /* seconds of each edge of the graph */
	double *rest;  /* seconds that are missing in each context; NULL: nobody wants to know */
	int *found;    /* the edge by which each context is found first; -1: the start */
	sw_store store;
};

/* What devices hold in a context. */
void sw_context_walk_held(const sw_context_walk *walk, int context, struct sw_context_held *held);

/* Terms that are missing in it: see sw_context_node. */
int64_t sw_context_walk_missing(const sw_context_walk *walk, int context);

#endif
