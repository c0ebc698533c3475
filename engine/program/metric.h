/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The distances between all pairs of types of a shape, as a table of costs.
 */
#ifndef SW_PROGRAM_METRIC_H
#define SW_PROGRAM_METRIC_H

#include "program/costs.h"
#include "search/distances.h"

/* Rows and columns are states of the space, which `distances` are of.  With `alike` parts of one prime are alike, as they are where
 * costs are elements, so that only few rows are searched.  NULL: see store->failure. */
const sw_costs *sw_metric_make(const sw_type_space *space, sw_distances *distances, const sw_distance_rules *rules,
	bool alike, sw_costs_store *store);

/* Second types, to which each way may go first. */
typedef struct sw_second {
	const sw_costs *metric;
	int64_t budget; /* elements of the second type's tile at most; 0: any */
	int shares;     /* the way to it counts this part of what it costs */
} sw_second;

/* The same table where the cheapest of these ways counts too. */
const sw_costs *sw_metric_by_second(const sw_type_space *space, const sw_second *second, bool alike,
	sw_costs_store *store);

#endif
