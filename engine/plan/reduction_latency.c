/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reduction programs under the model `latency`: a step is priced as one between types is whose groups reach as far, and which
 * moves as many bytes.
 */
#include <shardwalk/reduction_plan.h>

#include "base/room.h"
#include "cost/latency.h"
#include "placement/ports.h"
#include "step/row.h"

/* The pieces of a tile are whole in memory: nothing is packed, but sums are read once. */
static sw_load load_of(const sw_step *step, int64_t members, double brought)
{
	bool adds = sw_adds_terms(step->op);

	return (sw_load){.group = members,
		.rounds = sw_row(step->op)->passes * (members - 1),
		.bytes = brought * sw_ring_edge(step->op, (double)members),
		.tile = brought,
		.packed = adds ? brought : 0,
		.passes = adds};
}

static void reach_of(const sw_ports *ports, const struct sw_port_group *group, const sw_mesh *mesh, sw_reach *reach)
{
	const sw_hierarchy *h = &ports->hierarchy;
	sw_part part[SW_MAX_HIERARCHY];
	int count = 0;

	for (int k = h->first[group->from]; k < h->first[group->to]; k++)
		if (h->digit[k].size > 1) {
			SW_ROOM(part, count);
			part[count++] = sw_placement_part(ports->placement, h->digit[k].axis, h->digit[k].level);
		}
	sw_reach_digits(mesh, part, count, reach);
}

static double seconds_of(const sw_ports *ports, const sw_step *step, const double *bytes)
{
	const sw_priced_mesh *priced = ports->own;
	struct sw_port_group group = sw_port_group_of(ports, &step->by);
	sw_load load = load_of(step, group.size, sw_ports_most_brought(ports, step, bytes));
	sw_reach reach;

	reach_of(ports, &group, priced->on.mesh, &reach);
	return sw_load_seconds(priced->machine, step->op, &load, priced->on.mesh, &reach);
}

bool sw_ports_of_latency(const sw_priced_mesh *priced, uint32_t summed, sw_ports *ports, sw_diag *diag)
{
	if (!sw_ports_begin(priced->on.system, priced->on.placement, summed, ports, diag))
		return false;
	ports->seconds = seconds_of;
	ports->own = priced;
	return true;
}
