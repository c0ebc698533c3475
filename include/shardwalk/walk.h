/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Graphs that one can walk step by step, and the first of them, that of local types.  context_walk.h has the other one.
 *
 * Between types with sums a node is also how many terms make up a value: it stands behind the sizes of the tile, and `[8, 12]+2`
 * is the name of such a node.  Then edges sum, and make terms of zeros, too.
 *
 * Source: seed 000, sections 5 and 7.2.  A node is a local type: tile sizes c with c[i] dividing the global size, such that
 * the mesh has the prime factors that the tiling uses.  An edge is a dynslice, an alltoall or an allgather
 * by any possible factor; permutations do not count here.  Nodes above the budget do not exist.
 *
 * The queue is stable: among equal priorities the node that was seen first leaves first, so that two runs
 * show the same walk on every machine.
 */
#ifndef SHARDWALK_WALK_H
#define SHARDWALK_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/collective.h>
#include <shardwalk/diag.h>
#include <shardwalk/plan.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

typedef struct sw_walk_options {
	sw_model model;
	const sw_machine *machine; /* of models in seconds; NULL: the default one */
	int64_t budget;            /* elements; 0: the larger localsize of both ends */
	sw_unit unit;              /* in which messages tell of it */
	bool multi_dim;            /* also moves of several dimensions at once */
	unsigned without;          /* bit 1 << sw_op: forbidden operations */
	bool goal_directed;        /* A*: priority is distance plus a bound to the goal; else Dijkstra: distance alone */
} sw_walk_options;

typedef enum sw_node_state {
	SW_NODE_UNSEEN,   /* never reached (only nodes asked for by local type can be) */
	SW_NODE_FRONTIER, /* reached, its distance may still fall */
	SW_NODE_SETTLED   /* its distance is final */
} sw_node_state;

/* One collective of the graph of local types. */
typedef struct sw_move {
	sw_op op;
	int gathers, splits;
	sw_entry gather[SW_MAX_DIMS], split[SW_MAX_DIMS];
	int64_t terms; /* by which the sums grow or shrink; 0, 1: they stay */
	int step;      /* of a graph whose steps have numbers: from 1; 0: the collective above */
	int64_t cost;  /* under the walk's model, in elements, or nanoseconds */
} sw_move;

typedef struct sw_node {
	int id;                     /* 1 for the start, then in the order first seen; 0: unseen */
	int64_t place[SW_MAX_DIMS]; /* the numbers that tell it from others: sw_walk_places */
	int64_t size;               /* of a local type its elements, of a context the terms that are missing */
	sw_node_state state;
	int64_t distance; /* cost of the best path known from the start */
	int64_t bound;    /* what is at least missing to the goal; 0 without goal_directed */
	int parent;       /* node before it on that path; 0: the start */
	sw_move via;      /* how the parent leads here */
	int order;        /* it was the order-th to be settled; 0: not yet */
	bool is_start, is_goal;
	bool leads_on; /* false: it is known that no way leads on to the goal */
} sw_node;

typedef enum sw_edge_state {
	SW_EDGE_NEW,       /* leads to a node never seen */
	SW_EDGE_BETTER,    /* shortens the way to a node of the frontier */
	SW_EDGE_TREE,      /* is how its end was best reached */
	SW_EDGE_NO_BETTER, /* its end is known by a way as short */
	SW_EDGE_REFUSED    /* may not be taken: see `why` */
} sw_edge_state;

typedef struct sw_edge {
	sw_move move;
	int64_t place[SW_MAX_DIMS]; /* to which it leads (for refused ones: would lead, or where it is) */
	int64_t size;
	int node; /* id of its end; 0: unseen */
	sw_edge_state state;
	sw_code code;  /* of a refused one whose premise has a code; else SW_OK */
	char why[120]; /* why it is refused, in words with numbers, after the code where it has one; "" otherwise */
} sw_edge;

/* How a graph speaks of itself. */
typedef struct sw_walk_words {
	const char *name;    /* of the command `walk` */
	const char *about;   /* what is walked */
	const char *node;    /* what a node is, in headings of tables */
	const char *size;    /* and its size */
	const char *nodes;   /* more than one */
	const char *visited; /* what progress counts */
	double unit;         /* seconds of one unit of cost and distance; 0: these are counted as the model does */
	bool chain;          /* nodes come one after the other, and numbers say which: `goto` goes there */
} sw_walk_words;

/* What can be walked: identifier, and the function that says its words.  Where nobody chooses, the first is walked. */
#define SW_WALKS(X) \
	X(TYPES, sw_walk_of_types)       /* local types: sw_walk_new */ \
	X(CONTEXTS, sw_walk_of_contexts) /* what devices hold on the way to a sum: context_walk.h */ \
	X(STEPS, sw_walk_of_tasks)       /* rounds of a formula that is repeated: task_walk.h */

typedef enum sw_walk_kind {
#define X(id, words) SW_WALK_##id,
	SW_WALKS(X)
#undef X
		SW_WALK_KINDS
} sw_walk_kind;

#define X(id, words) const sw_walk_words *words(void);
SW_WALKS(X)
#undef X

typedef struct sw_walk sw_walk;

/* A search from the local type of `from` to that of `to`, before its first step: the start is the frontier.
 * Errors: T09, S01 with the smallest budget that would do, E01. */
sw_walk *sw_walk_new(const sw_problem *problem, const sw_walk_options *options, sw_diag *diag);
void sw_walk_free(sw_walk *walk);

/* The same search before its first step: it sees the same nodes in the same order. */
sw_walk *sw_walk_again(const sw_walk *walk, sw_diag *diag);

/* Words of a walk. */
const sw_walk_words *sw_walk_words_of(const sw_walk *walk);

/* The problem whose local types are walked, and the unit in which messages tell of the budget; NULL: something else is walked. */
const sw_problem *sw_walk_problem(const sw_walk *walk);
sw_unit sw_walk_unit(const sw_walk *walk);

/* No node has a size above it: of local types the budget. */
int64_t sw_walk_largest(const sw_walk *walk);

/* How many numbers tell a node from others: of local types the sizes of the tile, and behind them the terms where there are sums;
 * of contexts the number in their graph.  The node's name: `[8, 12]+2`, `1/16+{node}`. */
int sw_walk_places(const sw_walk *walk);
void sw_walk_print_place(const sw_walk *walk, const int64_t *place, sw_text *text);

/* Adds a move of local types, which know factors but no axes, as commands write it: `alltoall(0, 1, 2)`. */
void sw_move_print(const sw_move *move, sw_text *text);

/* Adds a move of any walk: `allreduce across node`. */
void sw_walk_print_move(const sw_walk *walk, const sw_move *move, sw_text *text);

/* Settles the next node and looks along its edges.  S07 when the goal is settled (over contexts steps go on then) or the frontier is
 * empty. */
bool sw_walk_step(sw_walk *walk, sw_diag *diag);

/* Steps that look at very many edges ask `pulse` whether to go on, until it is NULL again; a step that is stopped is
 * as if it had not been taken: S03. */
void sw_walk_pulse(sw_walk *walk, const sw_pulse *pulse);

/* Undoes the last step, exactly.  S07 at the start. */
bool sw_walk_back(sw_walk *walk, sw_diag *diag);

/* Steps until the goal is settled.  S03 where `pulse` stopped it (what was settled stays), S02 where the goal
 * cannot be reached. */
bool sw_walk_finish(sw_walk *walk, const sw_pulse *pulse, sw_diag *diag);

bool sw_walk_done(const sw_walk *walk);

/* The node that the last step settled (0 before the first). */
int sw_walk_current(const sw_walk *walk);

/* How many nodes were seen, settled; and edges looked at. */
int sw_walk_seen(const sw_walk *walk);
int sw_walk_settled(const sw_walk *walk);
int64_t sw_walk_edges_seen(const sw_walk *walk);

/* A seen node by number (1 to sw_walk_seen); false where there is none. */
bool sw_walk_node(const sw_walk *walk, int id, sw_node *node);

/* Only its size, distance, parent, order (as in sw_node), or place: for who looks at all of many nodes.  `id` is a
 * seen node's. */
int64_t sw_walk_node_size(const sw_walk *walk, int id);
int64_t sw_walk_node_distance(const sw_walk *walk, int id);
int sw_walk_node_parent(const sw_walk *walk, int id);
int sw_walk_node_order(const sw_walk *walk, int id);
void sw_walk_node_place(const sw_walk *walk, int id, int64_t *place);

/* The node in this place; one that was never seen has id 0 and state SW_NODE_UNSEEN.
 * false (S06 with the reason) where no such node can exist: a tile that does not divide, factors the mesh
 * does not have, a size above the budget. */
bool sw_walk_node_at(const sw_walk *walk, const int64_t *place, sw_node *node, sw_diag *diag);

int sw_walk_start(const sw_walk *walk);
int sw_walk_goal(const sw_walk *walk); /* 0 while unseen */

/* The frontier in the order in which it would leave: ids into `ids`, at most `room`; returns how many there are in all. */
int sw_walk_frontier(const sw_walk *walk, int *ids, int room);

#define SW_EDGES_MOST 10000 /* edges out of one place that are listed */

/* All edges out of a place, in the order in which the search looks at them; with `refused`, also those that may
 * not be taken, with the reason.  A place may have millions: the first SW_EDGES_MOST are listed.  They live in `arena`;
 * returns how many, -1 where memory is short. */
int sw_walk_edges(const sw_walk *walk, const int64_t *place, bool refused, sw_arena *arena, sw_edge **edges);

/* The best path known from the start to node `id`: ids from the start on; returns its length, 0 where none. */
int sw_walk_path(const sw_walk *walk, int id, int *ids, int room);

/* Ids of all seen nodes by descending size, then by id: one run of equal sizes is one level of the graph. */
int sw_walk_levels(const sw_walk *walk, int *ids, int room);

/* ---- the shortest path over local types at once ---- */

typedef struct sw_local_path {
	int count; /* moves */
	const sw_move *moves;
	const int64_t *tiles; /* (count + 1) x rank: local types from the start on */
	int64_t cost;
	int64_t settled, seen, edges;
} sw_local_path;

/* The shortest path of the graph of local types, goal-directed: the strategy `paper` lowers it, the others use it as a
 * bound.  Nothing is allocated per device; meshes of 2^20 devices and arrays of six dimensions take milliseconds.
 * The path lives in `arena`.  Errors: S01, S02, S03, E01. */
bool sw_local_shortest(const sw_problem *problem, const sw_walk_options *options, const sw_pulse *pulse,
	sw_arena *arena, sw_local_path *path, sw_diag *diag);

#pragma GCC visibility pop

#endif
