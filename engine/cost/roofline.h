/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model `roofline`: seconds of one step by its hops and by its bytes.
 */
#ifndef SW_COST_ROOFLINE_H
#define SW_COST_ROOFLINE_H

#include <shardwalk/cost.h>
#include <shardwalk/hardware.h>

#include "cost/reach.h"

/* A step with tiles of at most `tile` bytes in groups of this reach.  Where tiles go to any device it is the least that such
 * a step takes.  Without a reach (NULL, and then no mesh): as along one axis of `group` devices. */
sw_roofline sw_roofline_step(const sw_machine *machine, sw_op op, int64_t group, double tile, const sw_mesh *mesh,
	const sw_reach *reach);

/* The least latency and the largest bandwidth that any step on this mesh can see. */
void sw_roofline_best(const sw_machine *machine, const sw_mesh *mesh, double *alpha, double *bandwidth);

/* Tiles that go to any device, in a step too large to look at each: as far as the mesh reaches, and over its links what an
 * alltoall sends over them. */
sw_roofline sw_roofline_anywhere(const sw_machine *machine, double tile, const sw_mesh *mesh, const sw_reach *reach);

/* What goes from slot to slot, axis after axis, over the links of a mesh. */
typedef struct sw_routes sw_routes;

/* NULL where memory ran out; freed by sw_routes_free. */
sw_routes *sw_routes_new(const sw_machine *machine, const sw_mesh *mesh);
void sw_routes_free(sw_routes *routes);

void sw_routes_send(sw_routes *routes, int64_t from, int64_t to, double bytes);

/* The longest way, and the busiest link. */
sw_roofline sw_routes_bound(sw_routes *routes);

#endif
