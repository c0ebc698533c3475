/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dimension-ordered routing: what goes from one slot to another goes along the first axis until its coordinate is right, then
 * along the next; on a ring the shorter way round, half each way where both are as long.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "cost/hardware.h"
#include "cost/roofline.h"

enum { UP, DOWN, WAYS };

struct sw_routes {
	const sw_machine *machine;
	const sw_mesh *mesh;
	sw_link link[SW_MAX_AXES];
	double longest; /* seconds of hops */
	double bytes[]; /* that go up and down from each slot along each axis: where more begin to go, and where they end;
	                 * through a switch: all that go out of it and into it */
};

sw_routes *sw_routes_new(const sw_machine *machine, const sw_mesh *mesh)
{
	size_t places = (size_t)mesh->devices * (size_t)mesh->count * WAYS;
	sw_routes *routes = calloc(1, sizeof *routes + places * sizeof *routes->bytes);

	if (routes == NULL)
		return NULL;
	routes->machine = machine;
	routes->mesh = mesh;
	for (int axis = 0; axis < mesh->count; axis++)
		routes->link[axis] = sw_hardware_link(machine, mesh, axis, mesh->axis[axis].size);
	return routes;
}

void sw_routes_free(sw_routes *routes)
{
	free(routes);
}

static double *load_at(sw_routes *routes, int64_t slot, int axis, int way)
{
	return &routes->bytes[(slot * routes->mesh->count + axis) * WAYS + way];
}

static int64_t moved(const sw_mesh *mesh, int64_t slot, int axis, int64_t coordinate)
{
	return slot + (coordinate - sw_mesh_coordinate(mesh, slot, axis)) * mesh->axis[axis].stride;
}

/* The n-th slot of a line in the direction of travel. */
static double *nth_on(sw_routes *routes, int64_t slot, int axis, int way, int64_t n)
{
	int64_t size = routes->mesh->axis[axis].size;

	return load_at(routes, moved(routes->mesh, slot, axis, way == UP ? n : size - 1 - n), axis, way);
}

static void walk(sw_routes *routes, int64_t slot, int axis, int way, int64_t hops, double bytes)
{
	int64_t size = routes->mesh->axis[axis].size, at = sw_mesh_coordinate(routes->mesh, slot, axis);
	int64_t begin = way == UP ? at : size - 1 - at, end = begin + hops;

	*nth_on(routes, slot, axis, way, begin) += bytes;
	if (end < size)
		*nth_on(routes, slot, axis, way, end) -= bytes;
	if (end <= size)
		return;
	*nth_on(routes, slot, axis, way, 0) += bytes;
	*nth_on(routes, slot, axis, way, end - size) -= bytes;
}

/* Along one axis; returns the hops. */
static int64_t send_along(sw_routes *routes, int64_t slot, int axis, int64_t to, double bytes)
{
	const sw_hardware *hardware = routes->machine->hardware;
	int64_t size = routes->mesh->axis[axis].size, at = sw_mesh_coordinate(routes->mesh, slot, axis);
	int64_t up = (to - at + size) % size, down = size - up;

	if (hardware->ring == 0) {
		*load_at(routes, slot, axis, UP) += bytes;
		*load_at(routes, moved(routes->mesh, slot, axis, to), axis, DOWN) += bytes;
		return 1;
	}
	if (size % hardware->ring != 0) {
		walk(routes, slot, axis, to > at ? UP : DOWN, to > at ? to - at : at - to, bytes);
		return to > at ? to - at : at - to;
	}
	if (up <= down)
		walk(routes, slot, axis, UP, up, up == down ? bytes / 2 : bytes);
	if (down <= up)
		walk(routes, slot, axis, DOWN, down, up == down ? bytes / 2 : bytes);
	return up < down ? up : down;
}

void sw_routes_send(sw_routes *routes, int64_t from, int64_t to, double bytes)
{
	assert(from >= 0 && from < routes->mesh->devices && to >= 0 && to < routes->mesh->devices);
	double seconds = 0;

	for (int axis = 0; axis < routes->mesh->count; axis++) {
		int64_t coordinate = sw_mesh_coordinate(routes->mesh, to, axis);

		if (coordinate == sw_mesh_coordinate(routes->mesh, from, axis))
			continue;
		int64_t hops = send_along(routes, from, axis, coordinate, bytes);
		seconds += (double)hops * routes->link[axis].latency;
		from = moved(routes->mesh, from, axis, coordinate);
	}
	routes->longest = fmax(routes->longest, seconds);
}

/* The busiest link of the line through a slot. */
static double busiest_on(sw_routes *routes, int64_t slot, int axis, int way)
{
	bool by_switch = routes->machine->hardware->ring == 0;
	double sum = 0, most = 0;

	for (int64_t n = 0; n < routes->mesh->axis[axis].size; n++) {
		double bytes = *nth_on(routes, slot, axis, way, n);

		sum = by_switch ? bytes : sum + bytes;
		most = fmax(most, sum);
	}
	return most;
}

sw_roofline sw_routes_bound(sw_routes *routes)
{
	sw_roofline bound = {routes->longest, 0};

	for (int axis = 0; axis < routes->mesh->count; axis++)
		for (int64_t slot = 0; slot < routes->mesh->devices; slot++)
			for (int way = 0; way < WAYS && sw_mesh_coordinate(routes->mesh, slot, axis) == 0; way++)
				bound.bytes = fmax(bound.bytes, busiest_on(routes, slot, axis, way) / routes->link[axis].bandwidth);
	return bound;
}
