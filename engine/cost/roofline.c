/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model `roofline`: a step takes the longer of its hops and its bytes.
 *
 * Every axis of the mesh has links of its own.  A ring of X devices is X / 2 hops long, a line X - 1; over several axes hops add
 * up.  A gather of V bytes takes as long as a device in a corner needs to receive it: it has two links on each ring and one on
 * each line, of W bytes a second in one direction, and gets V (N - 1) / N of N devices; where all axes are rings the model counts
 * V.  No axis takes less than what has to cross it, V (X - 1) / N a device, which says something where links differ.  An alltoall of tiles of T bytes takes the same hops, and on its slowest axis T X / (8 W) on a ring, T X / (4 W) on a line.
 *
 * Source: seed 004 for rings and one line, and the README of its cases for several axes with a line among them.  What follows is
 * ours: a group over a part of an axis is a line, and shares its links with the s - 1 groups that lie between its devices, so that
 * hops and bytes count s times; an axis of hardware without rings is a switch, one hop away, into which a device has one link.
 */
#include "cost/roofline.h"

#include <math.h>

#include "cost/hardware.h"
#include "step/row.h"

/* One axis, as the groups of a step see it. */
struct span {
	double hops;  /* seconds */
	double entry; /* bytes a second that the device with the fewest links receives */
	double swap;  /* seconds for each byte of a tile whose pieces are swapped */
	bool ring;
};

static struct span span_of(const sw_hardware *hardware, const sw_link *link, double size, double shared, bool whole)
{
	double w = link->bandwidth, x = size;

	if (hardware->ring == 0)
		return (struct span){link->latency, w, (x - 1) / (x * w), false};
	if (whole && fmod(x, (double)hardware->ring) == 0)
		return (struct span){link->latency * floor(x / 2), 2 * w, x / (8 * w), true};
	return (struct span){link->latency * (x - 1) * shared, w / shared, x * shared / (4 * w), false};
}

static struct span span_on_mesh(const sw_machine *machine, const sw_mesh *mesh, const sw_reach *reach, int axis)
{
	sw_link link = sw_hardware_link(machine, mesh, axis, reach->block[axis]);
	double count = (double)reach->count[axis], block = (double)reach->block[axis];
	bool whole = reach->count[axis] == mesh->axis[axis].size;

	return span_of(machine->hardware, &link, count, block / count, whole);
}

/* All axes of a step together. */
struct spans {
	double devices;
	double hops, entry, swap;
	double piece; /* seconds for each byte of the pieces that cross the slowest axis */
	bool rings;
};

static void spans_add(struct spans *spans, const struct span *span, int64_t devices)
{
	spans->devices *= (double)devices;
	spans->hops += span->hops;
	spans->entry += span->entry;
	spans->swap = fmax(spans->swap, span->swap);
	spans->piece = fmax(spans->piece, (double)(devices - 1) / span->entry);
	spans->rings = spans->rings && span->ring;
}

/* Seconds for each byte that is gathered. */
static double gather_of(const struct spans *spans)
{
	double all = (spans->rings ? spans->devices : spans->devices - 1) / spans->entry;

	return fmax(all, spans->piece) / spans->devices;
}

static struct spans spans_of(const sw_machine *machine, int64_t group, const sw_mesh *mesh, const sw_reach *reach)
{
	struct spans spans = {1, 0, 0, 0, 0, true};

	if (reach == NULL && group > 1) {
		const sw_link link = {machine->hardware->bandwidth, machine->hardware->latency};
		struct span span = span_of(machine->hardware, &link, (double)group, 1, true);

		spans_add(&spans, &span, group);
	}
	for (int axis = 0; reach != NULL && axis < mesh->count; axis++)
		if (sw_reach_crosses(reach, axis)) {
			struct span span = span_on_mesh(machine, mesh, reach, axis);

			spans_add(&spans, &span, reach->count[axis]);
		}
	return spans;
}

static sw_roofline no_way(const sw_machine *machine, double tile, const sw_mesh *mesh, const sw_reach *reach)
{
	(void)machine, (void)tile, (void)mesh, (void)reach;
	return (sw_roofline){0, 0};
}

/* One hop over the quickest link that is crossed; a tile may go half each way round. */
static sw_roofline least_way(const sw_machine *machine, double tile, const sw_mesh *mesh, const sw_reach *reach)
{
	double alpha = INFINITY, bandwidth = 0, ways = machine->hardware->ring > 0 ? 2 : 1;

	if (reach == NULL)
		return (sw_roofline){machine->hardware->latency, tile / (ways * machine->hardware->bandwidth)};
	for (int axis = 0; axis < mesh->count; axis++)
		if (sw_reach_crosses(reach, axis)) {
			sw_link link = sw_hardware_link(machine, mesh, axis, 2);

			alpha = fmin(alpha, link.latency);
			bandwidth = fmax(bandwidth, link.bandwidth);
		}
	return bandwidth > 0 ? (sw_roofline){alpha, tile / (ways * bandwidth)} : (sw_roofline){0, 0};
}

/* In a group, by its ring. */
static sw_roofline ring_of(const sw_machine *machine, sw_op op, int64_t group, double tile, const sw_mesh *mesh,
	const sw_reach *reach)
{
	const sw_collective *row = sw_row(op);
	struct spans spans = spans_of(machine, group, mesh, reach);
	if (spans.devices <= 1)
		return (sw_roofline){0, 0};
	if (sw_swaps(op))
		return (sw_roofline){spans.hops, spans.swap * tile};
	return (sw_roofline){row->passes * spans.hops, row->passes * gather_of(&spans) * tile};
}

sw_roofline sw_roofline_step(const sw_machine *machine, sw_op op, int64_t group, double tile, const sw_mesh *mesh,
	const sw_reach *reach)
{
	static sw_roofline (*const alone[SW_AMONG_COUNT])(const sw_machine *machine, double tile, const sw_mesh *mesh,
		const sw_reach *reach) = {[SW_AMONG_NONE] = no_way, [SW_AMONG_PAIRS] = least_way, [SW_AMONG_ALL] = least_way};
	sw_among among = sw_row(op)->among;

	return alone[among] ? alone[among](machine, tile, mesh, reach) : ring_of(machine, op, group, tile, mesh, reach);
}

sw_roofline sw_roofline_anywhere(const sw_machine *machine, double tile, const sw_mesh *mesh, const sw_reach *reach)
{
	struct spans spans = spans_of(machine, 1, mesh, reach);

	return (sw_roofline){spans.hops, spans.swap * tile};
}

void sw_roofline_best(const sw_machine *machine, const sw_mesh *mesh, double *alpha, double *bandwidth)
{
	*alpha = INFINITY;
	*bandwidth = 0;
	for (int axis = 0; axis < mesh->count; axis++) {
		if (mesh->axis[axis].size == 1)
			continue;
		sw_link near = sw_hardware_link(machine, mesh, axis, 2),
				far = sw_hardware_link(machine, mesh, axis, mesh->axis[axis].size);

		*alpha = fmin(*alpha, fmin(near.latency, far.latency));
		*bandwidth += 2 * fmax(near.bandwidth, far.bandwidth);
	}
	*alpha = isfinite(*alpha) ? *alpha : 0;
}
