/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making a case small: one edit after the other, as long as what remains is a case that refutes.
 *
 * Edits stand in an order: those that take devices away first.  After one that was kept all are tried again, and every one
 * lowers devices, dimensions, types or elements while it raises none of those before it, so this comes to an end.
 */
#include "theory/statement.h"

#include <string.h>

/* The n-th edit of a kind; false where there are no more.  An edit may leave no case at all: that is looked at later. */
typedef bool shrink_edit(const sw_case *one, bool unsplit, int n, sw_case *out);

static void shrink_forget_axis(sw_case *one, int axis)
{
	for (int k = 0; k < one->count; k++)
		for (int d = 0; d < one->mesh.rank; d++) {
			sw_case_type *type = &one->type[k];
			int index = sw_case_find(type, d, axis);
			if (index >= 0)
				sw_case_take(type, d, index);
			for (int p = 0; p < type->count[d]; p++)
				type->axis[d][p] = (uint8_t)(type->axis[d][p] - (type->axis[d][p] > axis));
		}
}

static bool shrink_axis(const sw_case *one, bool unsplit, int n, sw_case *out)
{
	(void)unsplit;
	if (n >= one->mesh.axes || one->mesh.axes == 1)
		return false;
	*out = *one;
	shrink_forget_axis(out, n);
	for (int a = n; a + 1 < one->mesh.axes; a++)
		out->mesh.size[a] = one->mesh.size[a + 1];
	out->mesh.axes--;
	return true;
}

/* A smaller axis, with the array as it is or smaller by as much. */
static bool shrink_size(const sw_case *one, bool unsplit, int n, sw_case *out)
{
	static const int64_t sizes[] = {2, 3, 4};
	int axis = n / 6, size = n / 2 % 3;
	if (axis >= one->mesh.axes)
		return false;
	*out = *one;
	if (sizes[size] >= one->mesh.size[axis] || (sizes[size] == 4 && !unsplit))
		return true;
	out->mesh.size[axis] = sizes[size];
	for (int d = 0; n % 2 && d < one->mesh.rank; d++)
		if (one->mesh.global[d] % one->mesh.size[axis] == 0)
			out->mesh.global[d] = one->mesh.global[d] / one->mesh.size[axis] * sizes[size];
	return true;
}

static bool shrink_dim(const sw_case *one, bool unsplit, int n, sw_case *out)
{
	(void)unsplit;
	if (n >= one->mesh.rank || one->mesh.rank == 1)
		return false;
	*out = *one;
	out->mesh.rank--;
	for (int d = n; d < CASE_DIMS; d++) {
		bool last = d + 1 == CASE_DIMS;
		out->mesh.global[d] = last ? 0 : one->mesh.global[d + 1];
		for (int k = 0; k < one->count; k++) {
			out->type[k].count[d] = last ? 0 : one->type[k].count[d + 1];
			if (last)
				memset(out->type[k].axis[d], 0, sizeof out->type[k].axis[d]);
			else
				memcpy(out->type[k].axis[d], one->type[k].axis[d + 1], sizeof out->type[k].axis[d]);
		}
	}
	return true;
}

/* Some types in a row go: at an end, or between two that a step joins as well. */
static bool shrink_types(const sw_case *one, bool unsplit, int n, sw_case *out)
{
	int first = n / CASE_TYPES, count = one->count - n % CASE_TYPES;
	(void)unsplit;
	if (first >= one->count)
		return false;
	*out = *one;
	if (count < 1 || first + count > one->count)
		return true;
	for (int k = first; k + count < one->count; k++)
		out->type[k] = one->type[k + count];
	out->count -= count;
	return true;
}

static bool shrink_global(const sw_case *one, bool unsplit, int n, sw_case *out)
{
	int64_t total = 0;
	(void)unsplit;
	*out = *one;
	for (int d = 0; d < one->mesh.rank; total += one->mesh.global[d++]) {
		if (n >= total + one->mesh.global[d])
			continue;
		out->mesh.global[d] = n - total + 1;
		return true;
	}
	return false;
}

/* An axis leaves a type; what stands in no type goes with its devices. */
static bool shrink_use(const sw_case *one, bool unsplit, int n, sw_case *out)
{
	int type = n / CASE_AXES, axis = n % CASE_AXES;
	(void)unsplit;
	if (type >= one->count)
		return false;
	*out = *one;
	int dim = axis < one->mesh.axes ? sw_case_dim_of(&one->mesh, &one->type[type], axis) : -1;
	if (dim >= 0)
		sw_case_take(&out->type[type], dim, sw_case_find(&out->type[type], dim, axis));
	return true;
}

static shrink_edit *const shrink_edits[] = {shrink_axis, shrink_size, shrink_dim, shrink_types, shrink_use,
	shrink_global};

/* Tries all edits of one kind; the first that refutes still takes the place of the case. */
static sw_outcome shrink_by(const sw_statement_row *row, shrink_edit *edit, bool unsplit, sw_case *one, sw_try *work)
{
	sw_arena_mark here = sw_arena_here(work->arena);
	char why[TRY_WHY];
	sw_try other = {.arena = work->arena, .diag = work->diag, .why = why};
	sw_case small;
	for (int n = 0; edit(one, unsplit, n, &small); n++) {
		if (memcmp(&small, one, sizeof small) == 0 || !sw_case_fits(row, &small))
			continue;
		sw_outcome outcome = row->holds(&small, &other);
		sw_arena_back(work->arena, here);
		if (outcome == SW_FAILS)
			return outcome;
		if (outcome == SW_REFUTES) {
			*one = small;
			memcpy(work->why, why, sizeof why);
			return outcome;
		}
	}
	return SW_HOLDS;
}

bool sw_case_shrink(const sw_statement_row *row, bool unsplit, sw_case *one, sw_try *work)
{
	size_t count = sizeof shrink_edits / sizeof *shrink_edits;
	for (size_t e = 0; e < count;) {
		sw_outcome outcome = shrink_by(row, shrink_edits[e], unsplit, one, work);
		if (outcome == SW_FAILS)
			return false;
		e = outcome == SW_REFUTES ? 0 : e + 1;
	}
	return true;
}
