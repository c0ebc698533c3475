/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ways of a product of two sharded arrays: every choice of the two types that are multiplied, with what it costs to bring the
 * operands there, and the product from there to where it is wanted.
 *
 * Each of the three is redistributed at least cost (strategy `fused`).  Costs are elements a device under the model `paper`;
 * with a machine also seconds, over whole axes, without permutations, zeros and pads.  Ways that differ only in the order in which
 * parts of one axis stand side by side in a dimension are one.
 *
 * Source: seed 004, its four cases and the questions about them.
 */
#ifndef SHARDWALK_WAYS_H
#define SHARDWALK_WAYS_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/cost.h>
#include <shardwalk/diag.h>
#include <shardwalk/product.h>
#include <shardwalk/program.h>

#pragma GCC visibility push(default)

/* Orders of ways, and what is compared first. */
#define SW_WAYS_ORDERS(X) \
	X(COST, "cost", "moved elements, then flops, then memory") \
	X(TIME, "time", "seconds of communication and product together") \
	X(OVERLAP, "overlap", "the longer of the seconds of communication and of the product") \
	X(MEMORY, "memory", "elements held during the product")

typedef enum sw_ways_order {
#define X(id, name, about) SW_WAYS_BY_##id,
	SW_WAYS_ORDERS(X)
#undef X
		SW_WAYS_ORDER_COUNT
} sw_ways_order;

const char *sw_ways_order_name(sw_ways_order order);
const char *sw_ways_order_about(sw_ways_order order);

typedef struct sw_way {
	int32_t type[3]; /* A', B' and C', where they are multiplied: see sw_ways_types */
	bool
		front; /* no other way that is listed is better in what it moves (seconds where the ways are timed, with the product but under a roofline), flops and memory */
	bool fits; /* within the bound of memory over the whole way */
	double cost;       /* elements a device */
	int64_t flops;     /* a device */
	int64_t memory;    /* elements of A', B' and C' */
	int64_t needs;     /* where it does not fit: the least bound that admits it */
	double comm, math; /* seconds, with a machine */
} sw_way;

typedef struct sw_ways_options {
	const sw_machine *machine; /* whose products take a known time (sw_product_seconds); NULL: no seconds */
	int64_t live;              /* elements held at once over the whole way; 0: any */
	size_t memory;             /* bytes for types and distances; 0: SW_WAYS_MEMORY */
	size_t list;               /* bytes for ways; 0: SW_WAYS_LIST */
	sw_ways_order by;      /* in which they are listed; where they do not fit into `list`, the first of them are */
	const sw_pulse *pulse; /* may be NULL */
} sw_ways_options;

#define SW_WAYS_MEMORY ((size_t)1 << 30)
#define SW_WAYS_LIST ((size_t)64 << 20)

typedef struct sw_ways {
	const sw_product *product;
	sw_type result; /* whole */
	bool proved;    /* every way was priced: every axis is cut in one way, or seconds count */
	bool timed;
	bool complete;          /* all ways are listed, otherwise the first of them */
	int64_t count, fitting; /* ways that are listed; those that fit stand first */
	sw_way *way;
	int64_t priced; /* ways, listed or not */
	/* over all that were priced */
	double least;                    /* cost of the cheapest that fits; INFINITY: none does */
	double least_sum, least_overlap; /* seconds */
	int64_t admits;                  /* where none fits: the least bound that admits one */
	const struct sw_ways_made *made; /* what it was made with */
} sw_ways;

/* All ways, or as many as `list` holds, in the order `by`.  Everything lives in `arena`, and `product` has to live as long.  Errors: those of sw_product_shape; T09
 * where `as` is another array; S08 where a mesh has too many types; S09; S11 where the time of products is not known, or a type
 * cuts axes in parts where seconds are asked for; S03; E01. */
bool sw_ways_find(const sw_product *product, const sw_ways_options *options, sw_arena *arena, sw_ways *ways,
	sw_diag *diag);

/* Those that fit come first, in this order. */
void sw_ways_sort(sw_ways *ways, sw_ways_order by);

/* The types of a way: A', B', C'. */
void sw_ways_types(const sw_ways *ways, const sw_way *way, sw_type types[3]);

/* A way as a program with a function of this name: inputs A and B, used in the types that are multiplied, and the product C kept as it
 * is wanted.  It lives in `arena`.  E01. */
bool sw_way_program(const sw_ways *ways, const sw_way *way, const char *name, sw_arena *arena, sw_program *program,
	sw_diag *diag);

/* Do seconds of these ways grow with bytes and hops alone, so that where they turn can be told?  Those of the model `roofline` do. */
bool sw_ways_turns(const sw_ways *ways);

/* How a way's communication and product grow with the size of a letter. */
typedef enum sw_turn {
	SW_TURN_AT,    /* at the size given, both take equally long */
	SW_TURN_NEVER, /* at no size */
	SW_TURN_OTHER  /* the cheapest redistribution changes on the way */
} sw_turn;

/* The size of a letter, the others fixed and hops left out, at which communication and product of the way take equally long.
 * Only where sw_ways_turns.  Memory may fail (E01). */
bool sw_ways_turn(const sw_ways *ways, const sw_way *way, char letter, sw_turn *turn, double *size, sw_diag *diag);

/* A result type, and what it costs to have the product in it. */
typedef struct sw_ways_result {
	sw_type type;
	double cost; /* elements; seconds of communication with a machine */
} sw_ways_result;

/* All types of the result with their prices, cheapest first; of product->wanted nothing is asked.  How many, -1 on failure. */
int64_t sw_ways_results(const sw_product *product, const sw_ways_options *options, sw_arena *arena,
	const sw_ways_result **results, sw_diag *diag);

/* What XLA's partitioner does to a product (jaxlib 0.10.2, 2026): the types that both operands pass through until they are
 * multiplied, and the product until it is as it is wanted.  Found by rules that were derived from recorded modules; the moves
 * from stop to stop are those of the strategy `xla`. */
#define SW_XLA_STOPS 5

/* Of so many products that were drawn and recorded after the rules were made, they give the cost of so many. */
enum { SW_XLA_RECORDED = 200, SW_XLA_RIGHT = 180 };

typedef struct sw_xla_product {
	int stops[3];                  /* of A, B and the product, both ends included */
	sw_type stop[3][SW_XLA_STOPS]; /* the product's first stop is where an all-reduce leaves it */
	bool allreduce;                /* of the product, before its first stop */
	int64_t cost;                  /* elements a device, the all-reduce counted twice its tile */
	int64_t flops, memory;         /* as of a way */
	double seconds; /* of communication, on the machine; -1: it has no rate for that, or there is none */
} sw_xla_product;

/* Fills it; `product` is wanted in a type, `machine` may be NULL.  Errors: those of sw_product_shape; S02 where JAX refuses the product (an operand is a
 * sum), where a type cuts axes in parts, or where XLA ends in an error; T09, S09, E01. */
bool sw_xla_product_find(const sw_product *product, const sw_machine *machine, sw_arena *arena, sw_xla_product *found,
	sw_diag *diag);

#pragma GCC visibility pop

#endif
