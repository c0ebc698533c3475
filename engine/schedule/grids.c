/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All grids of so many processors, and the one whose proportions are nearest to those of a mesh.
 */
#include <assert.h>
#include <math.h>

#include <shardwalk/choice.h>
#include <shardwalk/mesh.h>
#include <shardwalk/number.h>

#include "base/room.h"
#include "schedule/grid_choice.h"

typedef struct grids {
	int axes, count;
	int64_t divisor[6720]; /* of the number of processors: no number up to 2^40 has more */
	int64_t *extent;
	bool (*look)(void *user);
	void *user;
} grids;

static void find_divisors(int64_t n, grids *grids)
{
	int64_t primes[63];
	int count = sw_prime_factors(n, primes);

	grids->count = 1;
	grids->divisor[0] = 1;
	for (int p = 0, before = 0; p < count; p++) {
		int end = grids->count, from = p > 0 && primes[p] == primes[p - 1] ? before : 0;

		for (int d = from; d < end; d++) {
			SW_ROOM(grids->divisor, grids->count);
			grids->divisor[grids->count++] = grids->divisor[d] * primes[p];
		}
		before = end;
	}
}

/* Ways to write what is left as a product over the axes from this one on. */
static bool from_axis(const grids *grids, int axis, int64_t left)
{
	if (axis == grids->axes - 1) {
		grids->extent[axis] = left;
		return grids->look(grids->user);
	}
	for (int n = 0; n < grids->count; n++) {
		if (left % grids->divisor[n] != 0)
			continue;
		grids->extent[axis] = grids->divisor[n];
		if (!from_axis(grids, axis + 1, left / grids->divisor[n]))
			return false;
	}
	return true;
}

bool sw_each_grid(int64_t processors, int axes, int64_t *extent, bool (*look)(void *user), void *user)
{
	grids grids = {.axes = axes, .extent = extent, .look = look, .user = user};

	assert(processors >= 1 && processors <= SW_MAX_DEVICES && axes >= 1);
	find_divisors(processors, &grids);
	return from_axis(&grids, 0, processors);
}

/* ---- another number of processors ---- */

typedef struct nearest {
	const sw_mesh *mesh;
	double ideal[SW_MAX_AXES],
		off; /* logarithms of the sizes that would keep the proportions; what the best is off by */
	int64_t extent[SW_MAX_AXES], best[SW_MAX_AXES];
} nearest;

static bool take_nearer(void *user)
{
	nearest *n = user;
	double off = 0;

	for (int axis = 0; axis < n->mesh->count; axis++) {
		double by = log((double)n->extent[axis]) - n->ideal[axis];
		off += by * by;
	}
	if (n->off >= 0 && off > n->off - 1e-9)
		return true;
	n->off = off;
	for (int axis = 0; axis < n->mesh->count; axis++)
		n->best[axis] = n->extent[axis];
	return true;
}

bool sw_mesh_of_proportions(const sw_mesh *mesh, int64_t processors, sw_mesh *out, sw_diag *diag)
{
	nearest n = {.mesh = mesh, .off = -1};

	assert(mesh->count >= 1 && mesh->count <= SW_MAX_AXES && processors >= 1);
	if (processors > SW_MAX_DEVICES)
		return sw_diag_set(diag, SW_M05, (sw_span){0, 0}, "more than 2^40 devices");
	for (int axis = 0; axis < mesh->count; axis++)
		n.ideal[axis] = log((double)mesh->axis[axis].size) +
			log((double)processors / (double)mesh->devices) / mesh->count;
	sw_each_grid(processors, mesh->count, n.extent, take_nearer, &n);
	*out = (sw_mesh){.count = 0};
	for (int axis = 0; axis < mesh->count; axis++) {
		if (!sw_mesh_add(out, sw_str_of(mesh->axis[axis].name), n.best[axis], diag))
			return false;
		out->axis[axis].level = mesh->axis[axis].level;
		out->axis[axis].bandwidth = mesh->axis[axis].bandwidth;
		out->axis[axis].latency = mesh->axis[axis].latency;
	}
	return true;
}
