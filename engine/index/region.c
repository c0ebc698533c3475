/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Elements of an array as products of indices of its dimensions.
 */
#include <shardwalk/region.h>

#include <assert.h>
#include <string.h>

/* Products that are being collected. */
struct products {
	sw_arena *arena;
	int rank;
	sw_indices *set;
	int count, room; /* of sets */
	int products;
};

/* Adds one; an empty one is left out. */
static bool add_product(struct products *out, const sw_indices *set)
{
	for (int dim = 0; dim < out->rank; dim++)
		if (set[dim].count == 0)
			return true;
	for (int dim = 0; dim < out->rank; dim++) {
		if (!SW_GROW(out->arena, out->set, out->count, out->room, out->rank))
			return false;
		out->set[out->count++] = set[dim];
	}
	out->products++;
	return true;
}

static bool add_region(struct products *out, const sw_region *region)
{
	for (int n = 0; n < region->count; n++)
		if (!add_product(out, sw_region_product(region, n)))
			return false;
	return true;
}

static void finish(const struct products *out, sw_region *region)
{
	*region = (sw_region){out->rank, out->products, out->set};
}

int64_t sw_region_size(const sw_region *region)
{
	int64_t all = 0;

	for (int n = 0; n < region->count; n++) {
		int64_t size = 1;
		for (int dim = 0; dim < region->rank; dim++)
			size *= sw_indices_size(&sw_region_product(region, n)[dim]);
		all += size;
	}
	return all;
}

bool sw_region_has(const sw_region *region, const int64_t *index)
{
	for (int n = 0; n < region->count; n++) {
		int dim = 0;
		while (dim < region->rank && sw_indices_has(&sw_region_product(region, n)[dim], index[dim]))
			dim++;
		if (dim == region->rank)
			return true;
	}
	return false;
}

int64_t sw_region_in_box(const sw_region *region, const int64_t *at, const int64_t *extent)
{
	int64_t all = 0;

	for (int n = 0; n < region->count; n++) {
		int64_t size = 1;
		for (int dim = 0; dim < region->rank; dim++) {
			const sw_indices *set = &sw_region_product(region, n)[dim];
			size *= sw_indices_below(set, at[dim] + extent[dim]) - sw_indices_below(set, at[dim]);
		}
		all += size;
	}
	return all;
}

/* ---- meet and minus ---- */

static bool meet_products(const sw_indices *a, const sw_indices *b, struct products *out)
{
	sw_indices *both = SW_NEW(out->arena, sw_indices, out->rank);

	for (int dim = 0; dim < out->rank && both != NULL; dim++)
		if (!sw_indices_meet(&a[dim], &b[dim], out->arena, &both[dim]))
			return false;
	return both != NULL && add_product(out, both);
}

bool sw_region_meet(const sw_region *a, const sw_region *b, sw_arena *arena, sw_region *both)
{
	assert(a->rank == b->rank);
	struct products out = {.arena = arena, .rank = a->rank};

	for (int i = 0; i < a->count; i++)
		for (int k = 0; k < b->count; k++)
			if (!meet_products(sw_region_product(a, i), sw_region_product(b, k), &out))
				return false;
	finish(&out, both);
	return true;
}

/* What `a` has and `b` has not: a product for each dimension, in which they part there and agree in those before. */
static bool minus_products(const sw_indices *a, const sw_indices *b, struct products *out)
{
	sw_indices *left = SW_NEW(out->arena, sw_indices, out->rank);

	if (left == NULL)
		return false;
	if (out->rank > 0)
		memcpy(left, a, (size_t)out->rank * sizeof *left);
	for (int dim = 0; dim < out->rank; dim++)
		if (!sw_indices_minus(&a[dim], &b[dim], out->arena, &left[dim]) || !add_product(out, left) ||
			!sw_indices_meet(&a[dim], &b[dim], out->arena, &left[dim]))
			return false;
	return true;
}

bool sw_region_minus(const sw_region *a, const sw_region *b, sw_arena *arena, sw_region *left)
{
	assert(a->rank == b->rank);
	*left = *a;
	for (int k = 0; k < b->count; k++) {
		struct products out = {.arena = arena, .rank = a->rank};
		for (int i = 0; i < left->count; i++)
			if (!minus_products(sw_region_product(left, i), sw_region_product(b, k), &out))
				return false;
		finish(&out, left);
	}
	return true;
}

/* Are they written alike? */
static bool same_text(const sw_indices *a, const sw_indices *b)
{
	return a->count == b->count && memcmp(a->family, b->family, (size_t)a->count * sizeof *a->family) == 0;
}

/* The only dimension in which two products differ; -1: they differ in more, or in none. */
static int only_difference(int rank, const sw_indices *a, const sw_indices *b)
{
	int found = -1;

	for (int dim = 0; dim < rank; dim++)
		if (!same_text(&a[dim], &b[dim])) {
			if (found >= 0)
				return -1;
			found = dim;
		}
	return found;
}

/* Adds a product, in one with another that has the same indices in all dimensions but one. */
static bool join_product(struct products *out, const sw_indices *set)
{
	for (int n = 0; n < out->products; n++) {
		sw_indices *one = out->set + (size_t)n * (size_t)out->rank;
		int dim = only_difference(out->rank, one, set);
		if (dim >= 0)
			return sw_indices_union(&one[dim], &set[dim], out->arena, &one[dim]);
	}
	return add_product(out, set);
}

bool sw_region_union(const sw_region *a, const sw_region *b, sw_arena *arena, sw_region *all)
{
	assert(a->rank == b->rank);
	struct products out = {.arena = arena, .rank = a->rank};
	bool alike = a->count == 1 && b->count == 1 && only_difference(a->rank, a->set, b->set) >= 0;
	sw_region more = *b; /* where one dimension is all that differs, what they have in common may stay */

	if ((!alike && !sw_region_minus(b, a, arena, &more)) || !add_region(&out, a))
		return false;
	for (int n = 0; n < more.count; n++)
		if (!join_product(&out, sw_region_product(&more, n)))
			return false;
	finish(&out, all);
	return true;
}

static bool written_alike(const sw_region *a, const sw_region *b)
{
	if (a->count != b->count)
		return false;
	for (int i = 0; i < a->count * a->rank; i++)
		if (!same_text(&a->set[i], &b->set[i]))
			return false;
	return true;
}

bool sw_region_equal(const sw_region *a, const sw_region *b)
{
	sw_region left;

	if (a->rank != b->rank || sw_region_size(a) != sw_region_size(b))
		return false;
	if (written_alike(a, b))
		return true;
	sw_arena *arena = sw_arena_new();
	bool equal = arena != NULL && sw_region_minus(a, b, arena, &left) && sw_region_size(&left) == 0;
	sw_arena_free(arena);
	return equal;
}

/* ---- text ---- */

void sw_region_print(const sw_region *region, sw_text *text)
{
	sw_text_add(text, region->count == 0 ? "nothing" : "");
	for (int n = 0; n < region->count; n++) {
		sw_text_add(text, n > 0 ? " and [" : "[");
		for (int dim = 0; dim < region->rank; dim++) {
			sw_text_add(text, dim > 0 ? ", " : "");
			sw_indices_print(&sw_region_product(region, n)[dim], text);
		}
		sw_text_add(text, "]");
	}
}

/* All of a dimension, in one set. */
static void print_line(const sw_region *region, sw_arena *arena, sw_text *text)
{
	sw_indices all = {0, NULL};

	for (int i = 0; i < region->count && !text->failed; i++)
		text->failed = !sw_indices_union(&all, &region->set[i], arena, &all);
	sw_indices_print_runs(&all, arena, text);
}

void sw_region_print_runs(const sw_region *region, sw_arena *arena, sw_text *text)
{
	if (region->rank == 1) {
		print_line(region, arena, text);
		return;
	}
	if (region->count == 0)
		sw_text_add_char(text, '-');
	for (int n = 0; n < region->count; n++) {
		sw_text_add(text, n == 0 ? "[" : " and [");
		for (int dim = 0; dim < region->rank; dim++) {
			sw_text_add(text, dim > 0 ? ", " : "");
			sw_indices_print_runs(&sw_region_product(region, n)[dim], arena, text);
		}
		sw_text_add_char(text, ']');
	}
}
