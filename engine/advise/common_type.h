/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Routes between ends that no one grid of axes has: one cuts an axis as 2x3, the other as 3x2.
 *
 * A common type is a type that has such axes whole, so that it is in the grid of either end.
 */
#ifndef SW_ADVISE_COMMON_TYPE_H
#define SW_ADVISE_COMMON_TYPE_H

#include "advise/route.h"

/* The cheapest route over one of the common types that leave all other axes as one of the ends has them;
 * stops->count is 0 where there is none below the limit, or where no axis is cut in two ways. */
sw_route_end sw_common_type_search(const sw_problem *problem, sw_hopper *hopper, const sw_route_limits *limits,
	sw_stops *stops);

#endif
