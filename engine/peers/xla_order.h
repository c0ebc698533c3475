/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Orders of devices: which device stands at which index.
 *
 * XLA describes a sharding by an array of devices that it reshapes and transposes.  Such an order is kept as
 * digits, however large the mesh is; where a step cuts across the digits (6 = 3 * 2 read as 2 * 3) it is kept as a
 * list.
 */
#ifndef SW_SEARCH_XLA_ORDER_H
#define SW_SEARCH_XLA_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/number.h>

#include "index/digits.h"

typedef struct sw_order {
	int64_t count; /* of devices */
	int digits;
	sw_digit digit[SW_MAX_FACTORS]; /* major to minor; none of size 1, none that goes on with the one before */
	const int32_t *list;            /* not NULL: the devices themselves, and no digits */
} sw_order;

/* Where lists live, and what went wrong on the way: results are then of no use. */
typedef struct sw_order_room {
	sw_arena *arena;
	bool failed;    /* memory ran out */
	bool too_large; /* a list would have more than SW_MAX_MAP_DEVICES devices */
} sw_order_room;

void sw_order_identity(int64_t count, sw_order *out);
void sw_order_of_list(sw_order_room *room, const int64_t *devices, int64_t count, sw_order *out);

/* Adds a digit at the minor end. */
void sw_order_push(sw_order *order, int64_t size, int64_t stride);

int64_t sw_order_at(const sw_order *order, int64_t index);
bool sw_order_equal(const sw_order *a, const sw_order *b);

/* out[i] = outer[inner[i]]. */
void sw_order_compose(sw_order_room *room, const sw_order *outer, const sw_order *inner, sw_order *out);

/* out[order[i]] = i. */
void sw_order_inverse(sw_order_room *room, const sw_order *order, sw_order *out);

/* Reads the order as an array of this shape and transposes it: dimension k of the result was dimension axis[k]. */
void sw_order_transpose(sw_order_room *room, const sw_order *order, const int64_t *shape, const int *axis, int rank,
	sw_order *out);

/* Sorts each run of `run` devices. */
void sw_order_sort(sw_order_room *room, const sw_order *order, int64_t run, sw_order *out);

/* `groups` times the order, one after the other: group g holds the numbers from g * order->count on. */
void sw_order_repeat(sw_order_room *room, const sw_order *order, int64_t groups, sw_order *out);

/* Does every run of `run` indices hold the same numbers as in the identity?  And the first run by itself. */
bool sw_order_keeps_runs(sw_order_room *room, const sw_order *order, int64_t run);
void sw_order_first(sw_order_room *room, const sw_order *order, int64_t run, sw_order *out);

/* The digits of the index from `weight` to `weight * size`, major to minor; -1 where none begin or end there. */
int sw_order_range(const sw_order *order, int64_t weight, int64_t size, sw_digit digit[SW_MAX_FACTORS]);

#endif
