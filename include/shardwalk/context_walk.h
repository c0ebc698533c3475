/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graph of what devices can hold on the way to a sum, walked step by step.
 *
 * A node is a context: for each device, up to symmetry, which chunks it holds and whose shares are in them.  An edge is a step
 * in all its groups at once, with its seconds in the model `ports`.  Contexts are visited in the order of the seconds that the
 * fastest way to them takes, and, with `goal_directed`, of these and the seconds that are still missing, which is what the
 * proof over programs of any length knows of every context; those from which the sum cannot be reached are then left out.
 *
 * Two runs show the same walk on every machine: among equal seconds fewer steps leave first, then what was seen first.
 */
#ifndef SHARDWALK_CONTEXT_WALK_H
#define SHARDWALK_CONTEXT_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/mesh.h>
#include <shardwalk/placement.h>
#include <shardwalk/reduction.h>
#include <shardwalk/text.h>
#include <shardwalk/walk.h>

#pragma GCC visibility push(default)

/* The sum that is walked.  `contexts` stays the caller's and outlives the walk; the rest is copied. */
typedef struct sw_context_sum {
	const sw_contexts *contexts; /* for as many factors as levels are summed over */
	const sw_system *system;
	const sw_placement *placement;
	const sw_mesh *axes; /* names of the placement's axes */
	uint32_t summed;     /* bit i: axis i is summed over */
	double bytes;        /* on each device */
	sw_allreduce_way way;
	bool goal_directed;
} sw_context_sum;

typedef struct sw_context_node {
	int id;      /* 1 for the start, then in the order first seen; 0: unseen */
	int context; /* its number in the graph, from 0 */
	sw_node_state state;
	double distance; /* seconds of the fastest way known; unseen: -1 */
	double bound;    /* seconds that are still missing; 0 without goal_directed */
	int64_t missing; /* terms that still have to be added to every value, where most of them are added already */
	int parent;      /* node before it on that way; 0: the start */
	sw_reduction_step via; /* how the parent leads here */
	double seconds;        /* of that step */
	int order;             /* it was the order-th to be visited; 0: not yet */
	bool is_start, is_goal;
	bool leads_on; /* can the sum be reached from there? */
} sw_context_node;

typedef struct sw_context_way {
	sw_reduction_step step;
	double seconds; /* refused: 0 */
	int context;    /* to which it leads; refused: where it is */
	int node;       /* id of that; 0: unseen */
	sw_edge_state state;
	sw_code code;  /* R01 to R08, of a refused one */
	char why[160]; /* the premise that fails, with devices; "" where none does */
} sw_context_way;

typedef struct sw_context_walk sw_context_walk;

/* A walk before its first step: the start is the frontier.  NULL: L07 where axes of size 1 are summed over or a level has no
 * bandwidth; S08 where too many levels are, or not those of the graph; E01. */
sw_context_walk *sw_context_walk_new(const sw_context_sum *sum, sw_diag *diag);
void sw_context_walk_free(sw_context_walk *walk);

/* The same walk before its first step: it sees the same nodes in the same order. */
sw_context_walk *sw_context_walk_again(const sw_context_walk *walk, sw_diag *diag);

/* The seconds, and the graph, that are walked. */
const sw_ports *sw_context_walk_ports(const sw_context_walk *walk);
const sw_contexts *sw_context_walk_contexts(const sw_context_walk *walk);

/* Visits the next context and looks along its edges, also when the goal was visited.  S07 where the frontier is empty. */
bool sw_context_walk_step(sw_context_walk *walk, sw_diag *diag);

/* Undoes the last step, exactly.  S07 at the start. */
bool sw_context_walk_back(sw_context_walk *walk, sw_diag *diag);

/* Steps until the goal is visited.  S03 where `pulse` stopped it; what was visited stays. */
bool sw_context_walk_finish(sw_context_walk *walk, const sw_pulse *pulse, sw_diag *diag);

/* Was the goal visited? */
bool sw_context_walk_done(const sw_context_walk *walk);

/* The node that the last step visited; 0 before the first. */
int sw_context_walk_current(const sw_context_walk *walk);

/* How many contexts were seen, visited; and edges looked at. */
int sw_context_walk_seen(const sw_context_walk *walk);
int sw_context_walk_settled(const sw_context_walk *walk);
int64_t sw_context_walk_edges_seen(const sw_context_walk *walk);

/* Nodes; the start is 1, the goal 0 while it is unseen. */
int sw_context_walk_goal(const sw_context_walk *walk);

/* A seen node by number (1 to sw_context_walk_seen); false where there is none. */
bool sw_context_walk_node(const sw_context_walk *walk, int id, sw_context_node *node);

/* A context by its number in the graph, seen or not; false where there is none. */
bool sw_context_walk_node_at(const sw_context_walk *walk, int context, sw_context_node *node);

/* Only its parent, its order, its context, for who looks at all of many nodes.  `id` is a seen node's. */
int sw_context_walk_node_parent(const sw_context_walk *walk, int id);
int sw_context_walk_node_order(const sw_context_walk *walk, int id);
int sw_context_walk_node_context(const sw_context_walk *walk, int id);

/* The frontier in the order in which it would leave: ids into `ids`, at most `room`; returns how many there are in all. */
int sw_context_walk_frontier(const sw_context_walk *walk, int *ids, int room);

/* All edges out of a context, in the order in which the walk looks at them; with `refused`, behind them every step that may not
 * be taken there, with the premise that fails.  They live in `arena`; returns how many, -1 where memory is short. */
int sw_context_walk_edges(const sw_context_walk *walk, int context, bool refused, sw_arena *arena,
	sw_context_way **ways);

/* The fastest way known from the start to node `id`: ids from the start on; returns its length, 0 where none. */
int sw_context_walk_path(const sw_context_walk *walk, int id, int *ids, int room);

/* Adds what devices hold in a context: how much of the data, and after `+` over what it is still to be summed.  `1/16+{node}`:
 * every device holds a sixteenth, and the values of each node have been added; `gpu 0: 1+{node}`: the first ones hold all, the
 * others nothing. */
void sw_context_walk_print(const sw_context_walk *walk, int context, sw_text *text);

/* Adds a step in words, with the names of levels. */
void sw_context_walk_print_step(const sw_context_walk *walk, const sw_reduction_step *step, sw_text *text);

#pragma GCC visibility pop

#endif
