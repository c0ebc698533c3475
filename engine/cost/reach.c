/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From groups, pairs or types to the places along each axis that work together.
 */
#include "cost/reach.h"

#include <string.h>

enum { MOST_LISTED = 4096 }; /* devices up to which groups and pairs are looked at one by one */

static void reach_nothing(const sw_mesh *mesh, sw_reach *reach)
{
	for (int axis = 0; axis < mesh->count; axis++)
		reach->count[axis] = reach->block[axis] = 1;
}

static void reach_everything(const sw_mesh *mesh, sw_reach *reach)
{
	for (int axis = 0; axis < mesh->count; axis++)
		reach->count[axis] = reach->block[axis] = mesh->axis[axis].size;
}

void sw_reach_parts(const sw_mesh *mesh, const sw_factors *factors, uint64_t parts, sw_reach *reach)
{
	reach_nothing(mesh, reach);
	for (; parts != 0; parts &= parts - 1) {
		const sw_factor *part = &factors->at[__builtin_ctzll(parts)];
		int64_t block = mesh->axis[part->axis].size / part->pre;

		reach->count[part->axis] *= part->prime;
		if (reach->block[part->axis] < block)
			reach->block[part->axis] = block;
	}
}

/* ---- by types ---- */

/* The parts of dimension `dim` of two layouts from where they begin to differ. */
static uint64_t differing(const uint8_t *a, const int *a_first, const uint8_t *b, const int *b_first, int dim)
{
	int i = a_first[dim], j = b_first[dim];
	uint64_t parts = 0;

	for (; i < a_first[dim + 1] && j < b_first[dim + 1] && a[i] == b[j]; i++)
		j++;
	for (; i < a_first[dim + 1]; i++)
		parts |= UINT64_C(1) << a[i];
	for (; j < b_first[dim + 1]; j++)
		parts |= UINT64_C(1) << b[j];
	return parts;
}

/* false: the types cut an axis in ways that one order of primes does not express. */
static bool reach_types(const sw_mesh *mesh, const sw_type *before, const sw_type *after, sw_reach *reach)
{
	uint8_t a[SW_MAX_FACTORS], b[SW_MAX_FACTORS];
	int a_first[SW_MAX_DIMS + 1], b_first[SW_MAX_DIMS + 1];
	sw_factors factors;
	uint64_t parts = 0;

	sw_factors_default(mesh, &factors);
	if (!sw_factors_split(mesh, &factors, before, a, a_first) || !sw_factors_split(mesh, &factors, after, b, b_first))
		return false;
	for (int dim = 0; dim < before->rank; dim++)
		parts |= differing(a, a_first, b, b_first, dim);
	sw_reach_parts(mesh, &factors, parts, reach);
	return true;
}

/* ---- by groups and pairs ---- */

/* The shortest aligned stretch of the axis that holds places `low` to `high`; at least `block`. */
static int64_t stretch(int64_t size, int64_t low, int64_t high, int64_t block)
{
	while (block < size && (size % block != 0 || low / block != high / block))
		block++;
	return block;
}

/* How many places of an axis a group takes, and the first and the last. */
static int64_t places(const sw_mesh *mesh, int axis, const int32_t *group, int64_t size, int64_t *low, int64_t *high)
{
	uint64_t seen[MOST_LISTED / 64 + 1];
	int64_t count = 0;

	memset(seen, 0, (size_t)(mesh->axis[axis].size / 64 + 1) * sizeof *seen);
	*low = mesh->axis[axis].size;
	*high = 0;
	for (int64_t i = 0; i < size; i++) {
		int64_t place = sw_mesh_coordinate(mesh, group[i], axis);
		uint64_t bit = UINT64_C(1) << place % 64;

		count += (seen[place / 64] & bit) == 0;
		seen[place / 64] |= bit;
		*low = place < *low ? place : *low;
		*high = place > *high ? place : *high;
	}
	return count;
}

static void reach_groups(const sw_mesh *mesh, const sw_step *step, sw_reach *reach)
{
	reach_nothing(mesh, reach);
	for (int axis = 0; axis < mesh->count; axis++)
		for (int64_t d = 0; d < mesh->devices && mesh->axis[axis].size > 1; d += step->group_size) {
			int64_t low, high, count = places(mesh, axis, step->groups + d, step->group_size, &low, &high);

			if (count > reach->count[axis])
				reach->count[axis] = count;
			reach->block[axis] = stretch(mesh->axis[axis].size, low, high, reach->block[axis]);
		}
}

static void reach_pairs(const sw_mesh *mesh, const int32_t *source, sw_reach *reach)
{
	reach_nothing(mesh, reach);
	for (int axis = 0; axis < mesh->count; axis++) {
		for (int64_t d = 0; d < mesh->devices; d++) {
			int64_t one = sw_mesh_coordinate(mesh, d, axis), other = sw_mesh_coordinate(mesh, source[d], axis);

			reach->block[axis] = stretch(mesh->axis[axis].size, one < other ? one : other, one < other ? other : one,
			    reach->block[axis]);
		}
		reach->count[axis] = reach->block[axis];
	}
}

void sw_reach_step(const sw_plan *plan, int k, sw_reach *reach)
{
	const sw_step *step = &plan->steps[k];
	const sw_mesh *mesh = &plan->problem.mesh;
	const sw_type *before = sw_plan_type_before(plan, k);
	bool moves = k + 1 == plan->moved; /* between orders of devices */

	if (step->op == SW_DYNSLICE)
		reach_nothing(mesh, reach);
	else if (moves)
		reach_everything(mesh, reach);
	else if (step->groups != NULL && mesh->devices <= MOST_LISTED)
		reach_groups(mesh, step, reach);
	else if (step->source != NULL && mesh->devices <= MOST_LISTED)
		reach_pairs(mesh, step->source, reach);
	else if (before == NULL || step->type == NULL || !reach_types(mesh, before, step->type, reach))
		reach_everything(mesh, reach);
}
