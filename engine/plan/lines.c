/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups of very large meshes: derived from types digit by digit, without a number per device.
 *
 * A gather of f pieces takes the innermost digits of its dimensions; a split puts digits there.  Where both are
 * the same digits, every group is a line of them: all devices that agree in the other digits.
 */
#include "plan/lines.h"

#include <string.h>

#include "plan/tile_numbers.h"
#include "base/room.h"
#include "array/parts.h"
#include "step/part_list.h"
#include "step/row.h"

/* ---- what a step pops and pushes ---- */

/* The digits of one dimension, slowest first, cut in two: the minor ones that make up `factor`, and the rest. */
typedef struct cut {
	int rest_count, taken_count;
	sw_digit rest[SW_MAX_PARTS], taken[SW_MAX_PARTS];
} cut;

static bool cut_take(cut *out, sw_digit digit, int64_t *left)
{
	if (*left % digit.size == 0) {
		SW_ROOM(out->taken, out->taken_count);
		out->taken[out->taken_count++] = digit;
		*left /= digit.size;
	} else if (digit.size % *left == 0) {
		sw_digit minor = {*left, digit.stride, 1, digit.dim};
		sw_digit major = {digit.size / *left, digit.stride * *left, 1, digit.dim};
		if (*left > 1) {
			SW_ROOM(out->taken, out->taken_count);
			out->taken[out->taken_count++] = minor;
		}
		SW_ROOM(out->rest, out->rest_count);
		out->rest[out->rest_count++] = major;
		*left = 1;
	} else {
		return false;
	}
	return true;
}

static bool cut_dimension(const sw_digit *digit, int count, int dim, int64_t factor, cut *out)
{
	int64_t left = factor;
	out->rest_count = out->taken_count = 0;
	for (int k = 0; k < count; k++) {
		if (digit[k].dim != dim)
			continue;
		if (!cut_take(out, digit[k], &left))
			return false;
	}
	sw_digits_reverse(out->rest, out->rest_count);
	sw_digits_reverse(out->taken, out->taken_count);
	out->rest_count = sw_digits_merge(out->rest, out->rest_count);
	return left == 1;
}

static int64_t entry_factor(const sw_entry *entry, int count, int dim)
{
	for (int e = 0; e < count; e++)
		if (entry[e].dim == dim)
			return entry[e].factor;
	return 1;
}

typedef struct side {
	int count, taken_count;
	sw_digit digit[SW_MAX_PARTS]; /* of the whole type, minor to major */
	sw_digit taken[SW_MAX_PARTS]; /* by all entries, slowest first */
} side;

static void side_take(side *s, const cut *c)
{
	memcpy(s->taken + s->taken_count, c->taken, (size_t)c->taken_count * sizeof *c->taken);
	s->taken_count += c->taken_count;
}

/* Cuts every dimension on both sides.  false where a factor does not end between digits (*legal stays) or where
 * what is left of both sides differs (*legal becomes false). */
static bool sides_cut(const sw_step *step, int rank, side *before, side *after, bool *legal)
{
	cut popped, pushed;
	for (int i = 0; i < rank; i++) {
		int64_t gather = entry_factor(step->gather, step->gathers, i);
		int64_t split = entry_factor(step->split, step->splits, i);
		if (!cut_dimension(before->digit, before->count, i, gather, &popped) ||
			!cut_dimension(after->digit, after->count, i, split, &pushed))
			return false;
		if (!sw_digits_equal(popped.rest, popped.rest_count, pushed.rest, pushed.rest_count)) {
			*legal = false;
			return false;
		}
		side_take(before, &popped);
		side_take(after, &pushed);
	}
	return true;
}

/* Takes the sums that one type has beyond another's; false where it has not all of them. */
static bool sums_take(const sw_mesh *mesh, const sw_type *wide, const sw_type *narrow, side *out)
{
	sw_part_list more, fewer;
	sw_part_list_of(wide, wide->rank, &more);
	sw_part_list_of(narrow, narrow->rank, &fewer);
	for (int p = 0; p < fewer.count; p++)
		if (!sw_part_list_remove(&more, fewer.at[p]))
			return false;
	sw_digits_of_parts(mesh, more.at, more.count, out->taken + out->taken_count);
	sw_digits_reverse(out->taken + out->taken_count, more.count);
	out->taken_count += more.count;
	return true;
}

/* Digits of devices, whichever dimension they cut. */
static int devices_of(const side *s, sw_digit *out)
{
	for (int k = 0; k < s->taken_count; k++) {
		out[k] = s->taken[k];
		out[k].dim = 0;
	}
	return s->taken_count;
}

/* Do two lists of digits run over the same device numbers? */
static bool digits_same_set(const side *a, const side *b)
{
	sw_digit x[SW_MAX_PARTS], y[SW_MAX_PARTS];
	int x_count = devices_of(a, x), y_count = devices_of(b, y);
	sw_digits_descend(x, x_count);
	sw_digits_descend(y, y_count);
	return sw_digits_equal(x, sw_digits_merge(x, x_count), y, sw_digits_merge(y, y_count));
}

bool sw_groups_of_step(const sw_mesh *mesh, const sw_type *before, const sw_type *after, const sw_step *step,
	sw_groups *groups, bool *legal)
{
	side pop = {0}, push = {0};
	*legal = true;
	pop.count = sw_digits_of_type(mesh, before, pop.digit);
	push.count = sw_digits_of_type(mesh, after, push.digit);
	const sw_collective *row = sw_row(step->op);
	if (!sides_cut(step, before->rank, &pop, &push, legal))
		return false;
	const sw_type *ends[] = {before, after};
	int wide = sw_side_of_terms(step->op), more = wide > 0;
	*legal = sums_take(mesh, ends[more], ends[!more], more ? &push : &pop) &&
		(wide >= 0 || sw_type_terms(before) == sw_type_terms(after)) &&
		(row->terms != SW_TERMS_OF_TILES || digits_same_set(&pop, &push));
	if (!*legal || (row->among == SW_AMONG_GROUPS && step->splits > 0 && !digits_same_set(&pop, &push)))
		return false;
	sw_digit order[SW_MAX_PARTS];
	int count = devices_of(push.taken_count > 0 ? &push : &pop, order);
	sw_groups_over(order, sw_digits_merge(order, count), mesh->devices, groups);
	return true;
}
