/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rates of hardware for one step.
 */
#ifndef SW_COST_HARDWARE_H
#define SW_COST_HARDWARE_H

#include <shardwalk/hardware.h>

#include "cost/reach.h"

/* The rate for groups of `group` devices of this reach; axes to which the mesh gives bandwidth and latency do not count.
 * Without a reach (NULL, and then no mesh): as if every group were neighbours. */
void sw_hardware_rate(const sw_hardware *hardware, sw_op op, int64_t group, const sw_mesh *mesh,
	const sw_reach *reach, sw_rate *rate);

typedef struct sw_link {
	double bandwidth, latency; /* in one direction; of a hop */
} sw_link;

/* A link along an axis whose neighbours stand in stretches of `block`: the mesh's own, else that of the hardware, or its
 * network's where such a stretch leaves a node. */
sw_link sw_hardware_link(const sw_machine *machine, const sw_mesh *mesh, int axis, int64_t block);

/* No step takes less than this latency, or goes faster. */
void sw_hardware_best(const sw_hardware *hardware, double *alpha, double *bandwidth);

/* Do rates depend on more than the size of groups on this mesh? */
bool sw_hardware_has_places(const sw_hardware *hardware, const sw_mesh *mesh);

/* Do two parts of the same prime have the same rates? */
bool sw_hardware_alike(const sw_hardware *hardware, const sw_mesh *mesh, const sw_prime_part *a,
	const sw_prime_part *b);

#endif
