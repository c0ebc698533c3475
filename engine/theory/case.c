/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cases: types with whole axes, and the steps between them.
 */
#include "theory/case.h"
#include "base/room.h"
#include "step/row.h"

#include <assert.h>
#include <string.h>

int64_t sw_case_devices(const sw_case_mesh *mesh)
{
	int64_t devices = 1;
	for (int a = 0; a < mesh->axes; a++)
		devices *= mesh->size[a];
	return devices;
}

static int64_t case_cuts(const sw_case_mesh *mesh, const sw_case_type *type, int dim)
{
	int64_t cuts = 1;
	for (int p = 0; p < type->count[dim]; p++)
		cuts *= mesh->size[type->axis[dim][p]];
	return cuts;
}

int64_t sw_case_tile(const sw_case_mesh *mesh, const sw_case_type *type, int dim)
{
	assert(dim >= 0 && dim < mesh->rank);
	int64_t cuts = case_cuts(mesh, type, dim);
	return mesh->global[dim] % cuts == 0 ? mesh->global[dim] / cuts : 0;
}

int64_t sw_case_size(const sw_case_mesh *mesh, const sw_case_type *type)
{
	int64_t size = 1;
	for (int d = 0; d < mesh->rank; d++)
		size *= sw_case_tile(mesh, type, d);
	return size;
}

bool sw_case_type_sound(const sw_case_mesh *mesh, const sw_case_type *type)
{
	unsigned seen = 0;
	for (int d = 0; d < mesh->rank; d++)
		for (int p = 0; p < type->count[d]; p++) {
			unsigned bit = 1u << type->axis[d][p];
			if (type->axis[d][p] >= mesh->axes || (seen & bit))
				return false;
			seen |= bit;
		}
	return sw_case_size(mesh, type) > 0;
}

bool sw_case_type_equal(const sw_case_type *a, const sw_case_type *b)
{
	return memcmp(a, b, sizeof *a) == 0;
}

bool sw_case_same_tile(const sw_case_mesh *mesh, const sw_case_type *a, const sw_case_type *b)
{
	for (int d = 0; d < mesh->rank; d++)
		if (case_cuts(mesh, a, d) != case_cuts(mesh, b, d))
			return false;
	return true;
}

int sw_case_find(const sw_case_type *type, int dim, int axis)
{
	for (int p = 0; p < type->count[dim]; p++)
		if (type->axis[dim][p] == axis)
			return p;
	return -1;
}

int sw_case_dim_of(const sw_case_mesh *mesh, const sw_case_type *type, int axis)
{
	for (int d = 0; d < mesh->rank; d++)
		if (sw_case_find(type, d, axis) >= 0)
			return d;
	return -1;
}

void sw_case_take(sw_case_type *type, int dim, int index)
{
	assert(index >= 0 && index < type->count[dim]);
	uint8_t *axis = type->axis[dim];
	for (type->count[dim]--; index < type->count[dim]; index++)
		axis[index] = axis[index + 1];
	axis[index] = 0;
}

void sw_case_put(sw_case_type *type, int dim, int axis)
{
	assert(type->count[dim] < CASE_AXES);
	uint8_t *at = type->axis[dim];
	memmove(at + 1, at, (size_t)(CASE_AXES - 1));
	at[0] = (uint8_t)axis;
	type->count[dim]++;
}

/* ---- steps ---- */

/* The dimension of each axis, -1: none. */
static void case_dims(const sw_case_mesh *mesh, const sw_case_type *type, int8_t dim[CASE_AXES])
{
	memset(dim, -1, CASE_AXES);
	for (int d = 0; d < mesh->rank; d++)
		for (int p = 0; p < type->count[d]; p++)
			dim[type->axis[d][p]] = (int8_t)d;
}

/* The only axis that stands elsewhere; false where several do, or none. */
static bool case_moved(const sw_case_mesh *mesh, const sw_case_type *before, const sw_case_type *after,
	sw_case_step *step)
{
	int8_t here[CASE_AXES], there[CASE_AXES];
	case_dims(mesh, before, here);
	case_dims(mesh, after, there);
	int moved = 0;
	for (int a = 0; a < mesh->axes; a++) {
		int from = here[a], to = there[a];
		if (from == to)
			continue;
		*step = (sw_case_step){from < 0 ? SW_DYNSLICE : to < 0 ? SW_ALLGATHER : SW_ALLTOALL, from, to, a};
		moved++;
	}
	return moved == 1;
}

bool sw_case_step_between(const sw_case_mesh *mesh, const sw_case_type *before, const sw_case_type *after,
	sw_case_step *step)
{
	if (sw_case_type_equal(before, after))
		return false;
	if (sw_case_same_tile(mesh, before, after)) {
		*step = (sw_case_step){SW_ALLPERMUTE, -1, -1, -1};
		return true;
	}
	sw_case_type reached = *before;
	if (!case_moved(mesh, before, after, step))
		return false;
	if (step->from >= 0 && sw_case_find(before, step->from, step->axis) != 0)
		return false;
	if (step->from >= 0)
		sw_case_take(&reached, step->from, 0);
	if (step->to >= 0)
		sw_case_put(&reached, step->to, step->axis);
	return sw_case_type_equal(&reached, after);
}

int64_t sw_case_cost(const sw_case *path, bool permutes)
{
	int64_t cost = 0;
	for (int k = 0; k + 1 < path->count; k++) {
		sw_case_step step;
		if (!sw_case_step_between(&path->mesh, &path->type[k], &path->type[k + 1], &step))
			continue;
		if (permutes || sw_row(step.op)->among != SW_AMONG_PAIRS)
			cost += sw_paper_cost(step.op, sw_case_size(&path->mesh, &path->type[k]),
				sw_case_size(&path->mesh, &path->type[k + 1]));
	}
	return cost;
}

int64_t sw_case_ends(const sw_case *path)
{
	assert(path->count >= 1);
	int64_t first = sw_case_size(&path->mesh, &path->type[0]);
	int64_t last = sw_case_size(&path->mesh, &path->type[path->count - 1]);
	return first > last ? first : last;
}

void sw_case_offset(const sw_case_mesh *mesh, const sw_case_type *type, int64_t device, int64_t offset[CASE_DIMS])
{
	int64_t coordinate[CASE_AXES];
	for (int a = mesh->axes - 1; a >= 0; a--) {
		coordinate[a] = device % mesh->size[a];
		device /= mesh->size[a];
	}
	for (int d = 0; d < mesh->rank; d++) {
		int64_t weight = sw_case_tile(mesh, type, d);
		offset[d] = 0;
		for (int p = 0; p < type->count[d]; p++) {
			offset[d] += weight * coordinate[type->axis[d][p]];
			weight *= mesh->size[type->axis[d][p]];
		}
	}
}

/* ---- in the engine's words ---- */

bool sw_case_mesh_make(const sw_case_mesh *mesh, sw_mesh *out, sw_diag *diag)
{
	*out = (sw_mesh){0};
	for (int a = 0; a < mesh->axes; a++)
		if (!sw_mesh_add(out, (sw_str){&"xyz"[a], 1}, mesh->size[a], diag))
			return false;
	return true;
}

bool sw_case_type_make(const sw_case_mesh *mesh, const sw_mesh *made, const sw_case_type *type, sw_type *out,
	sw_diag *diag)
{
	sw_part parts[CASE_AXES];
	int count[CASE_DIMS], total = 0;
	for (int d = 0; d < mesh->rank; d++) {
		count[d] = type->count[d];
		for (int p = 0; p < type->count[d]; p++) {
			SW_ROOM(parts, total);
			parts[total++] = (sw_part){type->axis[d][p], 1, mesh->size[type->axis[d][p]]};
		}
	}
	return sw_type_replicated(SW_F32, mesh->rank, mesh->global, out, diag) &&
		sw_type_partition(made, out, count, parts, diag);
}
