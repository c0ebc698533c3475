/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bounds in seconds by what has to arrive.
 *
 * A border is a set of axes whose links are slow.  Devices that differ along other axes only make an island.  What an island
 * needs in the end and does not hold in the beginning has to come over the border, at best evenly over its devices.  What it
 * needs and what it holds are products of sets, one a dimension, since a part of an axis stands in one dimension only.
 */
#include "plan/time_bound.h"

#include <math.h>

#include <shardwalk/hardware.h>

#include "array/parts.h"
#include "cost/latency.h"
#include "index/box.h"
#include "plan/finder.h"

enum {
	ASKED_DEVICES = 4096, /* so many are asked what they have to get */
	ASKED_ISLANDS = 32,
	ISLAND_DEVICES = 65536 /* on larger meshes borders are not looked at */
};

/* ---- one device ---- */

/* The most that any of some devices has to get, all of them where they are few. */
static int64_t most_missing(const sw_problem *problem)
{
	int64_t devices = problem->mesh.devices, most = 0;
	bool sums = sw_terms_joined(&problem->from, &problem->to) > 1; /* its own term is not enough of any element */

	for (int64_t k = 0; k < devices && k < ASKED_DEVICES; k++) {
		uint64_t scattered = (uint64_t)k * UINT64_C(0x9E3779B97F4A7C15) >> 20;
		int64_t d = devices <= ASKED_DEVICES ? k : (int64_t)(scattered % (uint64_t)devices);
		int64_t missing = sums ? sw_type_localsize(&problem->to) : sw_exchanged(problem, d, d);

		most = missing > most ? missing : most;
	}
	return most;
}

/* ---- islands ---- */

struct border {
	const sw_mesh *mesh;
	uint64_t axes;
	double bandwidth, alpha; /* of the quickest step over it */
};

/* The tiles of a type along one dimension that the devices of an island hold. */
struct held {
	const struct border *border;
	int64_t tile;
	int64_t device; /* one of the island */
	int64_t count;
	int parts;
	sw_part part[SW_MAX_PARTS];
};

static bool is_fixed(const struct border *border, const sw_part *part)
{
	return (border->axes >> part->axis & 1) != 0;
}

static void hold(const struct border *border, const sw_type *type, int dim, int64_t device, struct held *held)
{
	held->border = border;
	held->tile = type->tile[dim];
	held->device = device;
	held->count = 1;
	held->parts = sw_type_parts(type, dim, held->part);
	for (int p = 0; p < held->parts; p++)
		held->count *= is_fixed(border, &held->part[p]) ? 1 : held->part[p].size;
}

/* Where the n-th of these tiles begins; they ascend. */
static int64_t begin_of(const struct held *held, int64_t n)
{
	int64_t weight = held->tile, begin = 0;

	for (int p = 0; p < held->parts; p++) {
		const sw_part *part = &held->part[p];
		bool fixed = is_fixed(held->border, part);
		int64_t from = fixed ? held->device / sw_part_stride(held->border->mesh, *part) : n;

		begin += from % part->size * weight;
		weight *= part->size;
		n = fixed ? n : n / part->size;
	}
	return begin;
}

/* Elements along the dimension that both have. */
static int64_t in_common(const struct held *a, const struct held *b)
{
	int64_t i = 0, j = 0, sum = 0;

	while (i < a->count && j < b->count) {
		int64_t a_begin = begin_of(a, i), b_begin = begin_of(b, j);
		int64_t a_end = a_begin + a->tile, b_end = b_begin + b->tile;

		sum += sw_overlap(a_begin, a_end - a_begin, b_begin, b_end - b_begin);
		i += a_end <= b_end;
		j += b_end <= a_end;
	}
	return sum;
}

/* Elements that the island of `device` needs and does not hold. */
static double island_misses(const sw_problem *problem, const struct border *border, int64_t device)
{
	double needs = 1, has = 1;

	for (int dim = 0; dim < problem->to.rank; dim++) {
		struct held from, to;

		hold(border, &problem->from, dim, device, &from);
		hold(border, &problem->to, dim, device, &to);
		needs *= (double)to.count * (double)problem->to.tile[dim];
		has *= (double)in_common(&from, &to);
	}
	return needs - has;
}

/* A device of the n-th island. */
static int64_t device_of(const struct border *border, int64_t n)
{
	int64_t device = 0;

	for (int i = 0; i < border->mesh->count; i++) {
		const sw_axis *axis = &border->mesh->axis[i];

		if ((border->axes >> i & 1) == 0)
			continue;
		device += n % axis->size * axis->stride;
		n /= axis->size;
	}
	return device;
}

static double over_border(const sw_problem *problem, const struct border *border)
{
	int64_t islands = 1;
	double most = 0;

	for (int i = 0; i < border->mesh->count; i++)
		islands *= (border->axes >> i & 1) != 0 ? border->mesh->axis[i].size : 1;
	int64_t asked = islands < ASKED_ISLANDS ? islands : ASKED_ISLANDS;
	for (int64_t k = 0; k < asked; k++) {
		double misses = island_misses(problem, border, device_of(border, k * (islands / asked)));

		most = misses > most ? misses : most;
	}
	double bytes = most * sw_dtype_bytes(problem->from.dtype) * (double)islands / (double)border->mesh->devices;
	return most > 0 ? border->alpha + bytes / border->bandwidth : 0;
}

/* ---- borders ---- */

/* The axes whose links are no quicker than that of `axis`. */
static struct border border_at(const sw_mesh *mesh, int axis, double alpha)
{
	struct border border = {mesh, 0, mesh->axis[axis].bandwidth, INFINITY};

	for (int i = 0; i < mesh->count; i++) {
		const sw_axis *link = &mesh->axis[i];

		if (link->size == 1 || link->bandwidth <= 0 || link->bandwidth > border.bandwidth)
			continue;
		border.axes |= UINT64_C(1) << i;
		border.alpha = fmin(border.alpha, link->latency > 0 ? link->latency : alpha);
	}
	return border;
}

static double over_links(const sw_problem *problem, const sw_machine *machine, double alpha)
{
	const sw_mesh *mesh = &problem->mesh;
	double least = 0;

	for (int i = 0; i < mesh->count && machine->links && mesh->devices <= ISLAND_DEVICES; i++) {
		struct border border = border_at(mesh, i, alpha);

		if (mesh->axis[i].size > 1 && border.bandwidth > 0)
			least = fmax(least, over_border(problem, &border));
	}
	return least;
}

/* Between nodes, where every axis is either inside of them or goes from one to another by the hardware's own network. */
static double over_network(const sw_problem *problem, const sw_machine *machine)
{
	const sw_mesh *mesh = &problem->mesh;
	const sw_hardware *hardware = machine->hardware;

	if (hardware == NULL || hardware->node == 0 || mesh->devices > ISLAND_DEVICES)
		return 0;
	struct border border = {mesh, 0, hardware->network, hardware->network_latency};
	for (int i = 0; i < mesh->count; i++) {
		const sw_axis *axis = &mesh->axis[i];

		if (axis->size == 1 || hardware->node % (axis->stride * axis->size) == 0)
			continue;
		if (axis->stride % hardware->node != 0 || axis->bandwidth > 0 || axis->latency > 0)
			return 0;
		border.axes |= UINT64_C(1) << i;
	}
	return border.axes != 0 && border.bandwidth > 0 ? over_border(problem, &border) : 0;
}

double sw_bound_seconds(const sw_problem *problem, const sw_machine *machine)
{
	int64_t most = most_missing(problem);
	double alpha, bandwidth, least = 0;

	sw_machine_best(machine, &problem->mesh, &alpha, &bandwidth);
	if (most == 0)
		return 0;
	double seconds = bandwidth > 0 ? (double)most * sw_dtype_bytes(problem->from.dtype) / bandwidth : 0;
	if (machine->roofline)
		return fmax(alpha, seconds);
	if (bandwidth > 0)
		least = alpha + seconds;
	return fmax(least, fmax(over_links(problem, machine, alpha), over_network(problem, machine)));
}
