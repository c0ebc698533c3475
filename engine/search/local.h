/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graph of local types: its nodes as exponents, its edges, and the bounds that a search may use.
 *
 * A node is a local type.  With the global sizes fixed it is told by the split n[i] / c[i] of every dimension, and
 * that by one exponent for every dimension and prime of the mesh: `width` = rank x primes small numbers, those of
 * dimension 0 first; between types with sums as many more for what is still to be summed.  The exponents of one prime, added over all dimensions, do not exceed the mesh's.
 *
 * Source: seed 000, sections 5 and 7.2.
 */
#ifndef SW_SEARCH_LOCAL_H
#define SW_SEARCH_LOCAL_H

#include <shardwalk/walk.h>

#define LOCAL_MAX_PRIMES 11 /* the product of the first twelve is above 2^40 */
#define LOCAL_MAX_WIDTH ((SW_MAX_DIMS + 1) * LOCAL_MAX_PRIMES)

/* The exponents of a node, or the most that they can be. */
typedef uint8_t local_key[LOCAL_MAX_WIDTH];

typedef struct sw_local {
	int rank, primes, width;
	bool sums; /* behind the dimensions stands what is still to be summed */
	int64_t prime[LOCAL_MAX_PRIMES];
	uint8_t has[LOCAL_MAX_PRIMES]; /* exponents of the mesh */
	local_key most;                /* exponents that a dimension can have: of its size, and of the mesh */
	local_key from, to;
	int64_t global[SW_MAX_DIMS];
	int64_t globalsize;
	int64_t from_size, to_size; /* local sizes of both ends */
	int64_t least;              /* no node has a smaller local size */
	int64_t budget;
	sw_unit unit; /* in which it is told of */
	sw_model model;
	const sw_machine *machine; /* models in seconds: costs are nanoseconds on it */
	int bytes;                 /* of an element */
	bool multi_dim;
	unsigned without;
} sw_local;

/* Errors: T09, S01 with the smallest budget that would do. */
bool sw_local_init(sw_local *local, const sw_problem *problem, const sw_walk_options *options, sw_diag *diag);

/* "6 elements are above the budget of 4", in the unit of the budget. */
void sw_local_above(const sw_local *local, int64_t size, char *text, size_t room);

/* The factors that moves may use: all divisors above 1 of the mesh's devices, ascending, with their exponents. */
typedef struct sw_divisors {
	int count;
	int64_t *value;
	uint8_t *exponents; /* count x primes */
} sw_divisors;

/* They live in `arena`; false where memory is short. */
bool sw_local_divisors(const sw_local *local, sw_arena *arena, sw_divisors *factors);

/* From exponents to local types and sizes.  `key` is a node. */
void sw_local_tile(const sw_local *local, const uint8_t *key, int64_t *tile);
int64_t sw_local_size(const sw_local *local, const uint8_t *key);

/* From a local type to exponents.  S06 with the reason where there is no such node. */
bool sw_local_key_of(const sw_local *local, const int64_t *tile, uint8_t *key, sw_diag *diag);

/* The product of the primes with these exponents (of one dimension). */
int64_t sw_local_product(const sw_local *local, const uint8_t *exponents);

/* What a move costs.  Under a model in seconds these are nanoseconds without packing, and as if all axes had the
 * machine's own links: local types do not know which axes move. */
int64_t sw_local_cost(const sw_local *local, sw_op op, int64_t before, int64_t after, int64_t factor);

/* The move that leads from one node to another; false where no single one does. */
bool sw_local_move_between(const sw_local *local, const uint8_t *before, const uint8_t *after, sw_move *move);

/* What it costs at least from `key` to the goal; consistent: along an edge it never falls by more than the
 * edge costs.
 *
 * Model paper: 0 where only slices are missing.  Else let x dimensions be split by factors that the goal does
 * not have there.  The last gather on the way ends at the goal's size at least; without any gather all sizes
 * on the way are at least that of the goal.  Either way one move costs the goal's size, and with one-dimension
 * moves x - 1 others cost the least size of any node.
 *
 * Between types with sums: the least move where more is to be summed than at the goal.
 *
 * Model volume: to the size of the goal, less that of the common refinement of node and goal: a gather by f raises
 * the latter by at most f and costs (f - 1) / f of a result that is no smaller; so does an alltoall. */
int64_t sw_local_missing(const sw_local *local, const uint8_t *key);

/* ---- edges ---- */

typedef struct local_edge {
	sw_op op;
	int64_t gather_factor; /* of the whole move: product over dimensions */
	int64_t split_factor;
	int64_t size; /* local size after it */
	int64_t cost;
	const uint8_t *before, *after; /* the ends; a refused one has no `after`, no size and no cost ... */
	const char *why;               /* ... but a reason, NULL for the others ... */
	int64_t terms;                 /* by which the sums grow or shrink */
	int gather_dim, split_dim;     /* ... and its dimensions, -1 where it does not gather or split */
} local_edge;

/* Gets every edge; false stops the enumeration. */
typedef bool local_visit(void *context, const local_edge *edge);

/* All edges out of a node of local size `size`: dynslices, alltoalls, allgathers; of each first those of one
 * dimension, by ascending dimensions, then ascending factors; then, with moves of several dimensions, the
 * others: every node for which all dimensions are multiples or divisors is one such move away, so there are at
 * most as many as nodes. With `refused`, those of one dimension that may not be taken are among them: of the
 * factors refused along the same dimensions only the smallest (no proper divisor of which is refused).
 * false where `visit` stopped it. */
bool sw_local_edges(const sw_local *local, const sw_divisors *factors, const uint8_t *key, int64_t size, bool refused,
	local_visit *visit, void *context);

#endif
