/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Orders of primes: in which order the axes of a mesh are taken apart.
 *
 * An axis of 6 is a 2 above a 3 or a 3 above a 2; both describe the same devices, and a plan may use either (seed 000,
 * principle 1).  A type that cuts the axis decides it.
 */
#ifndef SW_SEARCH_ORDERS_H
#define SW_SEARCH_ORDERS_H

#include <stdbool.h>

#include <shardwalk/type.h>

#include "array/prime_parts.h"

#define SW_MAX_ORDERS 12 /* considered for one axis */

typedef struct sw_orders {
	int axes;
	int count[SW_MAX_AXES]; /* orders of each axis that fit both types; 0 where none does */
	int length[SW_MAX_AXES];
	uint8_t from[SW_MAX_AXES], to[SW_MAX_AXES]; /* where none fits both: one for each end */
	int64_t prime[SW_MAX_AXES][SW_MAX_ORDERS][SW_MAX_FACTORS];
	bool common; /* every axis has an order that fits both types */
} sw_orders;

/* Collects the orders of every axis that can express the parts which both types have of it. */
void sw_orders_init(sw_orders *orders, const sw_problem *problem);

/* The choice-th combination of orders that fit both types; false beyond the last, and where `common` is false. */
bool sw_orders_choose(const sw_orders *orders, const sw_mesh *mesh, int choice, sw_prime_parts *factors);

/* An order for each end, where none fits both. */
void sw_orders_ends(const sw_orders *orders, const sw_problem *problem, sw_prime_parts *from, sw_prime_parts *to);

#endif
