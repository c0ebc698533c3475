/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From groups, pairs or types to the coordinates along each axis that work together.
 */
#include "cost/reach.h"
#include "step/row.h"

#include <assert.h>
#include <string.h>

enum { MOST_LISTED = 4096 }; /* devices up to which groups and pairs are looked at one by one */

static void reach_nothing(const sw_mesh *mesh, sw_reach *reach)
{
	for (int axis = 0; axis < mesh->count; axis++)
		reach->count[axis] = reach->block[axis] = 1;
}

/* Counts the digits from `begin` to `end` of an axis, of which those before `at` are counted already. */
static void count_digits(sw_reach *reach, int axis, int64_t begin, int64_t end, int64_t *at)
{
	*at = *at > begin ? *at : begin;
	if (end <= *at)
		return;
	reach->count[axis] = end % *at == 0 ? reach->count[axis] * (end / *at) : reach->block[axis];
	*at = end;
}

static void reach_everything(const sw_mesh *mesh, sw_reach *reach)
{
	for (int axis = 0; axis < mesh->count; axis++)
		reach->count[axis] = reach->block[axis] = mesh->axis[axis].size;
}

/* Parts that stand before others and after them may cover the same digits of an axis; they ascend by their beginning. */
void sw_reach_parts(const sw_mesh *mesh, const sw_prime_parts *factors, uint64_t parts, sw_reach *reach)
{
	int64_t at = 1; /* up to this digit the axis is counted */
	int axis = -1;

	reach_nothing(mesh, reach);
	for (; parts != 0; parts &= parts - 1) {
		const sw_prime_part *part = &factors->at[__builtin_ctzll(parts)];

		if (part->axis != axis) {
			axis = part->axis;
			reach->block[axis] = mesh->axis[axis].size / part->pre;
			at = 1;
		}
		count_digits(reach, axis, part->pre, part->pre * part->prime, &at);
	}
}

/* ---- by types ---- */

/* Digits of axes, from digit `pre` on. */
struct moved {
	int count;
	sw_part part[2 * SW_MAX_PARTS]; /* by axis, then by `pre` */
};

static bool stands_before(const sw_part *a, const sw_part *b)
{
	return a->axis != b->axis ? a->axis < b->axis : a->pre < b->pre;
}

static void add_moved(struct moved *moved, sw_part part)
{
	int at = moved->count++;

	for (; at > 0 && stands_before(&part, &moved->part[at - 1]); at--)
		moved->part[at] = moved->part[at - 1];
	moved->part[at] = part;
}

/* The parts of one dimension, from the major end. */
struct reader {
	sw_part parts[SW_MAX_PARTS];
	int left;
	sw_part part; /* what is left of the one that is being read; of size 1 where nothing is */
};

static void read_part(struct reader *r)
{
	while (r->part.size == 1 && r->left > 0)
		r->part = r->parts[--r->left];
}

static void read_dimension(const sw_type *type, int dim, struct reader *r)
{
	r->left = sw_type_parts(type, dim, r->parts);
	r->part = (sw_part){0, 1, 1};
	read_part(r);
}

static void take_digits(struct reader *r, int64_t size)
{
	r->part.pre *= size;
	r->part.size /= size;
	read_part(r);
}

static void add_rest(struct moved *moved, struct reader *r)
{
	while (r->part.size > 1) {
		add_moved(moved, r->part);
		take_digits(r, r->part.size);
	}
}

/* What of one dimension stands elsewhere: all from where the types begin to differ. */
static void compare_dimension(const sw_type *before, const sw_type *after, int dim, struct moved *moved)
{
	struct reader a, b;

	read_dimension(before, dim, &a);
	read_dimension(after, dim, &b);
	while (a.part.size > 1 && b.part.size > 1 && a.part.axis == b.part.axis && a.part.pre == b.part.pre) {
		int64_t size = a.part.size < b.part.size ? a.part.size : b.part.size;

		if (a.part.size % size != 0 || b.part.size % size != 0)
			break;
		take_digits(&a, size);
		take_digits(&b, size);
	}
	add_rest(moved, &a);
	add_rest(moved, &b);
}

static bool is_among(const sw_part *part, const sw_part *parts, int count)
{
	for (int k = 0; k < count; k++)
		if (parts[k].axis == part->axis && parts[k].pre == part->pre && parts[k].size == part->size)
			return true;
	return false;
}

/* Parts over which values are still to be summed at one side only. */
static void compare_sums(const sw_type *one, const sw_type *other, struct moved *moved)
{
	sw_part parts[SW_MAX_PARTS], others[SW_MAX_PARTS];
	int count = sw_type_sums(one, parts), more = sw_type_sums(other, others);

	for (int k = 0; k < count; k++)
		if (!is_among(&parts[k], others, more))
			add_moved(moved, parts[k]);
}

static void reach_moved(const sw_mesh *mesh, const struct moved *moved, sw_reach *reach)
{
	int64_t at = 1; /* up to this digit the axis is counted */

	reach_nothing(mesh, reach);
	for (int k = 0; k < moved->count; k++) {
		const sw_part *part = &moved->part[k];

		if (k == 0 || moved->part[k - 1].axis != part->axis) {
			reach->block[part->axis] = mesh->axis[part->axis].size / part->pre;
			at = 1;
		}
		count_digits(reach, part->axis, part->pre, part->pre * part->size, &at);
	}
}

static void reach_types(const sw_mesh *mesh, const sw_type *before, const sw_type *after, sw_reach *reach)
{
	struct moved moved = {.count = 0};

	for (int dim = 0; dim < before->rank; dim++)
		compare_dimension(before, after, dim, &moved);
	compare_sums(before, after, &moved);
	compare_sums(after, before, &moved);
	reach_moved(mesh, &moved, reach);
}

void sw_reach_digits(const sw_mesh *mesh, const sw_part *part, int count, sw_reach *reach)
{
	assert(count >= 0 && count <= 2 * SW_MAX_PARTS);
	struct moved moved = {.count = 0};

	for (int k = 0; k < count; k++)
		add_moved(&moved, part[k]);
	reach_moved(mesh, &moved, reach);
}

/* ---- by groups and pairs ---- */

/* The shortest aligned stretch of the axis that holds coordinates `low` to `high`; at least `block`. */
static int64_t stretch(int64_t size, int64_t low, int64_t high, int64_t block)
{
	while (block < size && (size % block != 0 || low / block != high / block))
		block++;
	return block;
}

/* How many coordinates of an axis a group takes, and the first and the last. */
static int64_t coordinates(const sw_mesh *mesh, int axis, const int32_t *group, int64_t size, int64_t *low,
	int64_t *high)
{
	uint64_t seen[MOST_LISTED / 64 + 1];
	int64_t count = 0;

	memset(seen, 0, (size_t)(mesh->axis[axis].size / 64 + 1) * sizeof *seen);
	*low = mesh->axis[axis].size;
	*high = 0;
	for (int64_t i = 0; i < size; i++) {
		int64_t coordinate = sw_mesh_coordinate(mesh, group[i], axis);
		uint64_t bit = UINT64_C(1) << coordinate % 64;

		count += (seen[coordinate / 64] & bit) == 0;
		seen[coordinate / 64] |= bit;
		*low = coordinate < *low ? coordinate : *low;
		*high = coordinate > *high ? coordinate : *high;
	}
	return count;
}

static void reach_groups(const sw_mesh *mesh, const sw_step *step, sw_reach *reach)
{
	reach_nothing(mesh, reach);
	for (int axis = 0; axis < mesh->count; axis++)
		for (int64_t d = 0; d < step->grouped && mesh->axis[axis].size > 1; d += step->group_size) {
			int64_t low, high, count = coordinates(mesh, axis, step->groups + d, step->group_size, &low, &high);

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
	assert(k >= 0 && k < plan->program.steps);
	const sw_step *step = &plan->program.step[k];
	const sw_mesh *mesh = &plan->problem.mesh;
	const sw_type *before = plan->program.value[k].type, *after = plan->program.value[k + 1].type;
	bool moves = step->order != NULL && step->groups == NULL; /* between orders of devices */

	if (sw_row(step->op)->among == SW_AMONG_NONE)
		reach_nothing(mesh, reach);
	else if (moves)
		reach_everything(mesh, reach);
	else if (step->groups != NULL && mesh->devices <= MOST_LISTED)
		reach_groups(mesh, step, reach);
	else if (step->source != NULL && mesh->devices <= MOST_LISTED)
		reach_pairs(mesh, step->source, reach);
	else if (before != NULL && after != NULL)
		reach_types(mesh, before, after, reach);
	else
		reach_everything(mesh, reach);
}
