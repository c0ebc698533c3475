/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tilings: reshapes and transpositions of an order of devices.
 */
#include "peers/xla_tiling.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array/parts.h"
#include "base/room.h"

/* An array of devices that is being reshaped and transposed. */
struct view {
	int rank;
	int64_t shape[2 * SW_TILING_DIMS + 2];
	int axis[2 * SW_TILING_DIMS + 2];
};

static int view_add(struct view *v, int64_t size)
{
	v->shape[v->rank] = size;
	return v->rank++;
}

static int64_t product(const int64_t *number, int count)
{
	int64_t result = 1;

	for (int i = 0; i < count; i++)
		result *= number[i];
	return result;
}

void sw_tiling_make(sw_order_room *room, int rank, const int64_t *tiles, const sw_order *order, sw_tiling *out)
{
	assert(rank <= SW_TILING_DIMS && order->count % product(tiles, rank) == 0);
	int64_t copies = order->count / product(tiles, rank);

	out->rank = rank;
	memmove(out->tiles, tiles, (size_t)rank * sizeof *tiles);
	out->copies = copies;
	out->whole = copies == order->count;
	if (out->whole)
		sw_order_identity(order->count, &out->order);
	else if (copies > 1)
		sw_order_sort(room, order, copies, &out->order);
	else
		out->order = *order;
}

/* The tiling with these tiles after the view's axes were put in their order. */
static void make_transposed(sw_order_room *room, const sw_order *order, const struct view *v, int rank,
	const int64_t *tiles, sw_tiling *out)
{
	sw_order turned;

	sw_order_transpose(room, order, v->shape, v->axis, v->rank, &turned);
	sw_tiling_make(room, rank, tiles, &turned, out);
}

/* ---- types ---- */

/* Adds the digits of the device number that are not among those used: the copies. */
static void push_unused(sw_order *order, const sw_digit *used, int count, int64_t devices)
{
	sw_digit sorted[SW_MAX_FACTORS];
	int64_t end = devices;

	memcpy(sorted, used, (size_t)count * sizeof *used);
	sw_digits_descend(sorted, count);
	for (int k = 0; k < count; k++) {
		sw_order_push(order, end / (sorted[k].stride * sorted[k].size), sorted[k].stride * sorted[k].size);
		end = sorted[k].stride;
	}
	sw_order_push(order, end, 1);
}

void sw_tiling_of_type(sw_order_room *room, const sw_mesh *mesh, const sw_type *type, sw_tiling *out)
{
	sw_digit used[SW_MAX_FACTORS];
	int64_t tiles[SW_MAX_DIMS];
	sw_order order = {.count = mesh->devices};
	int n = 0;

	for (int i = 0; i < type->rank; i++) {
		tiles[i] = type->global[i] / type->tile[i];
		for (int k = type->first[i + 1] - 1; k >= type->first[i]; k--) {
			sw_part part = sw_type_part(type, k);

			if (part.size == 1)
				continue;
			sw_digits_of_parts(mesh, &part, 1, &used[n]);
			sw_order_push(&order, used[n].size, used[n].stride);
			n++;
		}
	}
	push_unused(&order, used, n, mesh->devices);
	sw_tiling_make(room, type->rank, tiles, &order, out);
}

/* Adds the parts of one digit, minor to major; false where it cuts an axis at no factor of its size. */
static bool push_parts(const sw_mesh *mesh, sw_digit digit, sw_part parts[SW_MAX_PARTS], int *count)
{
	sw_part major[SW_MAX_PARTS];
	int found = sw_parts_of_digit(mesh, digit, major, SW_MAX_PARTS - *count);

	for (int i = found - 1; i >= 0; i--)
		parts[(*count)++] = major[i];
	return found >= 0;
}

bool sw_tiling_to_type(const sw_mesh *mesh, const sw_tiling *tiling, const sw_type *shape, sw_type *out)
{
	sw_digit digit[SW_MAX_FACTORS];
	sw_part parts[SW_MAX_PARTS];
	int count[SW_MAX_DIMS], n = 0;
	int64_t weight = tiling->order.count;

	*out = *shape;
	for (int i = 0; i < tiling->rank; i++) {
		int start = n, digits;

		weight /= tiling->tiles[i];
		digits = sw_order_range(&tiling->order, weight, tiling->tiles[i], digit);
		for (int k = digits - 1; k >= 0; k--)
			if (!push_parts(mesh, digit[k], parts, &n))
				return false;
		if (digits < 0)
			return false;
		count[i] = n - start;
	}
	return sw_type_partition(mesh, out, count, parts, NULL);
}

/* ---- comparing ---- */

bool sw_tiling_same_tiles(const sw_tiling *a, const sw_tiling *b)
{
	return a->rank == b->rank && a->copies == b->copies &&
		memcmp(a->tiles, b->tiles, (size_t)a->rank * sizeof *a->tiles) == 0;
}

bool sw_tiling_equal(const sw_tiling *a, const sw_tiling *b)
{
	return sw_tiling_same_tiles(a, b) && (a->whole || sw_order_equal(&a->order, &b->order));
}

/* ---- changing ---- */

void sw_tiling_gather(sw_order_room *room, const sw_tiling *t, int dim, int64_t factor, sw_tiling *out)
{
	assert(dim >= 0 && dim < t->rank && t->tiles[dim] % factor == 0);
	int64_t tiles[SW_TILING_DIMS];
	struct view v = {0};
	int gathered = 0, n = 0;

	memcpy(tiles, t->tiles, (size_t)t->rank * sizeof *tiles);
	for (int i = 0; i < t->rank; i++) {
		SW_ROOM(v.axis, n);
		v.axis[n++] = view_add(&v, i == dim ? tiles[i] / factor : tiles[i]);
		if (i == dim)
			gathered = view_add(&v, factor);
	}
	SW_ROOM(v.axis, n);
	v.axis[n++] = gathered;
	v.axis[n] = view_add(&v, t->copies);
	tiles[dim] /= factor;
	make_transposed(room, &t->order, &v, t->rank, tiles, out);
}

void sw_tiling_exchange(sw_order_room *room, const sw_tiling *t, int source, int target, sw_tiling *out)
{
	assert(source != target && t->tiles[source] % t->tiles[target] == 0);
	int64_t tiles[SW_TILING_DIMS];
	struct view v = {0};
	int from = 0, to = 0;

	memcpy(tiles, t->tiles, (size_t)t->rank * sizeof *tiles);
	for (int i = 0; i < t->rank; i++) {
		view_add(&v, i == source ? tiles[target] : tiles[i]);
		if (i == source)
			from = view_add(&v, tiles[source] / tiles[target]);
		else if (i == target)
			to = view_add(&v, 1);
	}
	view_add(&v, t->copies);
	for (int i = 0; i < v.rank; i++)
		v.axis[i] = i == from ? to : i == to ? from : i;
	tiles[source] = t->tiles[target];
	tiles[target] = t->tiles[source];
	make_transposed(room, &t->order, &v, t->rank, tiles, out);
}

void sw_tiling_cut_copies(sw_order_room *room, const sw_tiling *t, int dim, sw_tiling *out)
{
	assert(dim >= 0 && dim < t->rank && t->tiles[dim] == 1);
	int64_t tiles[SW_TILING_DIMS];
	struct view v = {0};

	memcpy(tiles, t->tiles, (size_t)t->rank * sizeof *tiles);
	for (int i = 0; i < t->rank; i++)
		v.axis[i] = view_add(&v, tiles[i]);
	v.axis[t->rank] = dim;
	v.axis[dim] = view_add(&v, t->copies);
	tiles[dim] = t->copies;
	make_transposed(room, &t->order, &v, t->rank, tiles, out);
}

/* `fine` with the tiles of `coarse`. */
static void coarsen(sw_order_room *room, const sw_tiling *coarse, const sw_tiling *fine, sw_tiling *out)
{
	sw_tiling next;

	*out = *fine;
	for (int i = 0; i < fine->rank; i++) {
		if (fine->tiles[i] == coarse->tiles[i])
			continue;
		sw_tiling_gather(room, out, i, fine->tiles[i] / coarse->tiles[i], &next);
		*out = next;
	}
}

/* The copies of `coarse` become the new tiles, the first of them along the first dimension that has more. */
static void cut(sw_order_room *room, const sw_tiling *coarse, const sw_tiling *fine, sw_tiling *out)
{
	struct view v = {0};
	int n = 0, fresh = coarse->rank;

	for (int i = 0; i < coarse->rank; i++)
		view_add(&v, coarse->tiles[i]);
	for (int i = 0; i < coarse->rank; i++) {
		SW_ROOM(v.axis, n);
		v.axis[n++] = i;
		if (fine->tiles[i] > coarse->tiles[i]) {
			view_add(&v, fine->tiles[i] / coarse->tiles[i]);
			SW_ROOM(v.axis, n);
			v.axis[n++] = fresh++;
		}
	}
	v.axis[n] = view_add(&v, fine->copies);
	make_transposed(room, &coarse->order, &v, fine->rank, fine->tiles, out);
}

bool sw_tiling_refine(sw_order_room *room, const sw_tiling *coarse, const sw_tiling *fine, sw_tiling *out)
{
	sw_tiling same;

	if (coarse->rank != fine->rank)
		return false;
	for (int i = 0; i < fine->rank; i++)
		if (fine->tiles[i] % coarse->tiles[i] != 0)
			return false;
	coarsen(room, coarse, fine, &same);
	if (sw_tiling_equal(&same, coarse))
		*out = *fine;
	else
		cut(room, coarse, fine, out);
	return true;
}

void sw_tiling_split(const sw_tiling *t, int dim, int64_t major, sw_tiling *out)
{
	assert(t->rank < SW_TILING_DIMS && t->tiles[dim] % major == 0);
	*out = *t;
	memmove(out->tiles + dim + 1, t->tiles + dim, (size_t)(t->rank - dim) * sizeof *t->tiles);
	out->tiles[dim] = major;
	out->tiles[dim + 1] = t->tiles[dim] / major;
	out->rank++;
}

void sw_tiling_merge(const sw_tiling *t, int dim, sw_tiling *out)
{
	assert(dim >= 0 && dim + 1 < t->rank);
	int64_t merged = t->tiles[dim] * t->tiles[dim + 1];

	*out = *t;
	memmove(out->tiles + dim, t->tiles + dim + 1, (size_t)(t->rank - dim - 1) * sizeof *t->tiles);
	out->tiles[dim] = merged;
	out->rank--;
}

/* ---- groups ---- */

void sw_tiling_group(sw_order_room *room, const sw_tiling *t, unsigned dims, sw_grouping *out)
{
	assert(dims >> t->rank == 0);
	int64_t inner[SW_TILING_DIMS];
	struct view v = {0};
	sw_order identity;
	int n = 0;

	out->dims = dims;
	for (int i = 0; i < t->rank; i++) {
		bool grouped = (dims >> i & 1) != 0;

		out->tiles[i] = grouped ? t->tiles[i] : 1;
		inner[i] = grouped ? 1 : t->tiles[i];
		view_add(&v, t->tiles[i]);
		if (grouped) {
			SW_ROOM(v.axis, n);
			v.axis[n++] = i;
		}
	}
	for (int i = 0; i < t->rank; i++)
		if ((dims >> i & 1) == 0) {
			SW_ROOM(v.axis, n);
			v.axis[n++] = i;
		}
	v.axis[n] = view_add(&v, t->copies);
	sw_order_transpose(room, &t->order, v.shape, v.axis, v.rank, &out->order);
	out->size = t->order.count / product(out->tiles, t->rank);
	sw_order_identity(out->size, &identity);
	sw_tiling_make(room, t->rank, inner, &identity, &out->inner);
}

void sw_grouping_align(sw_order_room *room, sw_grouping *grouping, const sw_grouping *like)
{
	sw_order back, moved, first, order;

	sw_order_inverse(room, &like->order, &back);
	sw_order_compose(room, &back, &grouping->order, &moved);
	if (sw_order_keeps_runs(room, &moved, grouping->size) && !grouping->inner.whole) {
		sw_tiling old = grouping->inner;

		sw_order_first(room, &moved, grouping->size, &first);
		sw_order_compose(room, &first, &old.order, &order);
		sw_tiling_make(room, old.rank, old.tiles, &order, &grouping->inner);
	}
	grouping->order = like->order;
}

void sw_tiling_ungroup(sw_order_room *room, const sw_grouping *grouping, const sw_tiling *inner, sw_tiling *out)
{
	int64_t tiles[SW_TILING_DIMS];
	struct view v = {0};
	sw_order repeated, order;
	int rank = inner->rank, n = 0;

	sw_order_repeat(room, &inner->order, grouping->order.count / grouping->size, &repeated);
	sw_order_compose(room, &grouping->order, &repeated, &order);
	for (int i = 0; i < rank; i++)
		view_add(&v, grouping->tiles[i]);
	for (int i = 0; i < rank; i++) {
		tiles[i] = grouping->tiles[i] * inner->tiles[i];
		SW_ROOM(v.axis, n);
		v.axis[n++] = i;
		SW_ROOM(v.axis, n);
		v.axis[n++] = view_add(&v, inner->tiles[i]);
	}
	v.axis[n] = view_add(&v, inner->copies);
	make_transposed(room, &order, &v, rank, tiles, out);
}
