/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is missing to the goal, at least, from every local type with sums.
 *
 * A node is a local type and how much is still to be summed: one exponent for every dimension and prime, and one for the sums.
 * Every plan over types is a path over nodes that costs the same, so that a shortest path bounds all plans; and a shortest path
 * on which whole tiles have changed devices once, at the size where it happens, can be lowered, as it can without sums (seed 000,
 * theorem 6.4): a permutation also moves sums to other axes.  The graph is solved from its goal, so that a search over layouts
 * knows what is missing wherever it is.
 */
#ifndef SW_SEARCH_TO_GO_H
#define SW_SEARCH_TO_GO_H

#include <shardwalk/arena.h>

#include "search/bound.h"
#include "search/policy.h"

/* The vectors of exponents of one prime: of each dimension, then of the sums. */
typedef struct sw_exponents {
	int64_t prime;
	int have;                        /* exponents of the mesh */
	int most[SW_MAX_DIMS + 1];       /* that a slot can have */
	int32_t weight[SW_MAX_DIMS + 1]; /* of a slot in `index` */
	int32_t count, stride;           /* vectors; nodes between neighbours */
	uint8_t *at;                     /* count times width */
	int32_t *up, *down, *pad; /* of vector k and a slot: the vector with one more there, one less, and one of this
	                                * dimension among the sums; -1: none */
	int32_t *index;           /* by the weighted sum of exponents */
} sw_exponents;

typedef struct sw_to_go {
	int rank, width; /* slots: dimensions and sums */
	int primes;
	sw_exponents of[SW_MAX_PRIMES];
	bool multi_dim;
	sw_model model;
	unsigned without;
	int64_t budget;
	int64_t scale;      /* costs are counted in parts of an element, so that all are whole */
	int32_t nodes;      /* 0: they were too many, and nothing is known */
	bool exact;         /* costs are those of shortest paths; otherwise bounds */
	uint8_t *exponents; /* by node, prime and slot */
	int64_t *size;
	int32_t *order;                        /* nodes after all that they reach at no cost */
	int32_t weight[SW_MAX_PRIMES], groups; /* of nodes with the same cuts and the same sums in all, prime by prime */
	int64_t *least;                        /* of a group: the least cost to the goal */
	int64_t *cost[2]; /* to the goal; and with a permutation on the way; SW_NEVER: there is no path */
	int32_t from, to;
} sw_to_go;

/* Between the ends of a space with one order of primes; it lives in the arena.  false: memory. */
bool sw_to_go_init(sw_to_go *to_go, const sw_space *space, const sw_search_limits *limits, sw_arena *arena);

/* The node of a layout. */
int32_t sw_to_go_node(const sw_to_go *to_go, const sw_moves *moves, const sw_row_draft *rows);

/* What is missing at least after a move that swaps: from moves->before, with the sums of moves->now. */
int64_t sw_to_go_after_swap(const sw_to_go *to_go, const sw_moves *moves);

/* The number of a prime, which is one of the mesh. */
static inline int sw_to_go_prime(const sw_to_go *to_go, int64_t prime)
{
	int q = 0;

	while (to_go->of[q].prime != prime)
		q++;
	return q;
}

static inline int sw_to_go_exponent(const sw_to_go *to_go, int32_t node, int prime, int slot)
{
	return to_go->exponents[((int64_t)node * to_go->primes + prime) * to_go->width + slot];
}

/* The one step that leads from a node to another, and what it costs; SW_OP_COUNT: there is none. */
sw_op sw_to_go_edge(const sw_to_go *to_go, int32_t before, int32_t after, int64_t *cost);

typedef struct sw_to_go_step {
	sw_op op;
	int32_t node; /* after it; a permutation stays */
} sw_to_go_step;

/* A shortest path, `permuted` or not, into `steps`; false where there is none.  Of meshes that are not large it has the fewest
 * steps.  Those that leave devices to themselves come as early as they can, gathers and pads late. */
enum { SW_TO_GO_STEPS = 160 };
bool sw_to_go_path(const sw_to_go *to_go, bool permuted, sw_arena *arena, sw_to_go_step steps[SW_TO_GO_STEPS],
	int *count);

#endif
