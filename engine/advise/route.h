/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Routes: types to pass through, and the search for the cheapest.
 */
#ifndef SW_ADVISE_ROUTE_H
#define SW_ADVISE_ROUTE_H

#include "advise/grid.h"
#include "advise/hop.h"

#define SW_ROUTE_STOPS 32

typedef struct sw_stops {
	int count; /* both ends included; 0: no route */
	sw_type type[SW_ROUTE_STOPS];
	int64_t cost;
	int steps;
} sw_stops;

typedef struct sw_route_limits {
	int64_t budget;    /* bound on the height */
	unsigned without;  /* operations that no hop may use */
	bool multi_dim;    /* one all-to-all may work on several dimensions */
	int64_t below;     /* only what costs less is of interest */
	int64_t most_hops; /* ask for so many hops at most */
	int64_t most_edges;
	const sw_pulse *pulse;
} sw_route_limits;

/* May the hop be part of a route?  Its price where it may. */
bool sw_route_allows(sw_hopper *hopper, const sw_route_limits *limits, const sw_type *from, const sw_type *to,
	sw_hop_price *price);

/* The cheapest route through types of the grid, with few stops; stops->count is 0 where there is none below
 * the limit. */
typedef enum sw_route_end { SW_ROUTE_DONE, SW_ROUTE_CAPPED, SW_ROUTE_STOPPED, SW_ROUTE_MEMORY } sw_route_end;
sw_route_end sw_route_search(sw_grid *grid, sw_hopper *hopper, const sw_route_limits *limits, sw_stops *stops);

/* Leaves out stops that the system does as well or better without: the cheapest choice of those in `stops`,
 * the fewest of them, the fewest steps.  `stops->count` becomes 0 where no choice is allowed. */
void sw_route_shorten(sw_hopper *hopper, const sw_route_limits *limits, sw_stops *stops);

#endif
