/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graph of contexts, for whoever goes over it.
 */
#ifndef SW_PLACEMENT_CONTEXTS_H
#define SW_PLACEMENT_CONTEXTS_H

#include <shardwalk/reduction.h>

#define SW_MAX_CLASSES (1 << SW_MAX_SUMMED)
#define SW_HOLDS_NOTHING 255

/* What devices hold, a class of them each. */
struct sw_context_held {
	uint32_t which[SW_MAX_CLASSES]; /* chunks that each device holds, a bit each */
	uint8_t divided[SW_MAX_CLASSES];
	/* of device d and chunk c of n at [d * n + c]: a bit for each device whose share is in it */
	uint32_t share[SW_MAX_CLASSES * SW_MAX_CLASSES];
};

struct sw_context_edge {
	int from, to, step; /* contexts; a step of the graph */
};

struct sw_contexts {
	int factors, classes; /* a class of devices for each choice of digits that are 0 */
	int steps;
	sw_step *step;   /* each with its operation and the name of its groups */
	int count, goal; /* contexts; 0 is the start */
	bool complete;   /* else the last ones have no edges: they were not looked at */
	struct sw_context_edge *edge;
	int edges, edge_room;
	int *first;       /* edges of context i are [first[i], first[i + 1]) */
	uint8_t *divided; /* of class c in context i, at [i * classes + c]: bit f, its share was divided by factor f */
	int *amounts;     /* contexts with one number hold as much, class by class: their steps take equally long */
	int amount_count;
	bool *useful; /* can the sum be reached from there? */
	int *order;   /* contexts, each after all to which its edges lead */
};

/* What devices hold at first, and after a step, as long as it may be taken; is it the sum? */
void sw_context_held_start(int factors, struct sw_context_held *held);
bool sw_context_held_step(int factors, const sw_step *step, struct sw_context_held *held);
bool sw_context_held_done(int factors, const struct sw_context_held *held);

/* Of every edge that leads on to the sum, and with `all` of every other one too.  NULL: no memory.  Freed by the caller. */
double *sw_context_prices(const sw_contexts *contexts, const sw_ports *ports, double bytes, bool all);

#endif
