/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values as holdings: a piece of a tile is a run of its elements, row by row, and a run is a few boxes.
 */
#include <shardwalk/plan.h>

#include <assert.h>
#include <string.h>

#include <shardwalk/distribution.h>

#include "plan/tile_numbers.h"

/* Regions while they are listed. */
struct listing {
	const sw_value *value;
	const sw_type *type; /* says where tiles lie */
	sw_arena *arena;
	int rank, count, room; /* boxes of the device at hand */
	sw_indices *set;
	bool failed;
};

static void add_box(struct listing *l, const int64_t *offset, const int64_t *begin, const int64_t *end)
{
	sw_family *family = SW_NEW(l->arena, sw_family, l->rank + 1);

	if (family == NULL || l->count == l->room) {
		l->failed = true;
		return;
	}
	for (int i = 0; i < l->rank; i++)
		l->set[l->count * l->rank + i] = sw_indices_range(offset[i] + begin[i], offset[i] + end[i], &family[i]);
	l->count++;
}

/* Elements of a tile that have the same indices before dimension `dim`. */
static int64_t size_from(const struct listing *l, int dim)
{
	int64_t size = 1;

	for (int i = dim; i < l->rank; i++)
		size *= l->value->tile[i];
	return size;
}

/* The elements [first, last) of a tile: the whole rows of the outermost dimension that is cut are one box, what is left before and
 * after it lies in one row each. */
static void add_run(struct listing *l, const int64_t *offset, int64_t first, int64_t last)
{
	int64_t begin[SW_MAX_DIMS], end[SW_MAX_DIMS];

	while (first < last) {
		int dim = 0;
		while (dim < l->rank && (first % size_from(l, dim) != 0 || last - first < size_from(l, dim)))
			dim++;
		int64_t step = size_from(l, dim), rows = 1, rest = first;
		if (dim > 0) { /* up to the end of the row around, or of the run */
			int64_t around = size_from(l, dim - 1), most = (around - first % around) / step;
			rows = (last - first) / step < most ? (last - first) / step : most;
		}
		for (int i = 0; i < l->rank; i++) {
			begin[i] = i >= dim ? 0 : rest / size_from(l, i + 1) % l->value->tile[i];
			end[i] = i >= dim ? l->value->tile[i] : begin[i] + (i == dim - 1 ? rows : 1);
		}
		add_box(l, offset, begin, end);
		first += rows * step;
	}
}

static bool has_term(const uint64_t *terms, int64_t term)
{
	return terms != NULL && (terms[term / 64] >> term % 64 & 1) != 0;
}

/* Runs of terms that follow one another. */
static int64_t count_runs(const uint64_t *terms, int64_t count)
{
	int64_t runs = 0;

	for (int64_t t = 0; t < count; t++)
		runs += has_term(terms, t) && (t == 0 || !has_term(terms, t - 1));
	return runs;
}

static void list_runs(const uint64_t *terms, int64_t count, sw_family *family)
{
	int64_t at = -1;

	for (int64_t t = 0; t < count; t++) {
		if (!has_term(terms, t))
			continue;
		if (t > 0 && has_term(terms, t - 1))
			family[at].step = ++family[at].run;
		else
			family[++at] = (sw_family){t, 1, 1, 1};
	}
}

/* The terms of a device's pieces; false where two of them are sums of others. */
static bool list_terms(struct listing *l, int64_t device, sw_indices *summed)
{
	const sw_pieces *pieces = l->value->pieces;
	const uint64_t *terms = NULL;

	for (int p = 0; p < pieces->count; p++) {
		const uint64_t *own = sw_pieces_terms(pieces, device, p);

		if (!sw_pieces_has(pieces, device, p))
			continue;
		if (terms != NULL && memcmp(terms, own, sizeof *own * (size_t)pieces->words) != 0)
			return false;
		terms = own;
	}
	int64_t runs = count_runs(terms, pieces->terms);
	sw_family *family = SW_NEW(l->arena, sw_family, runs + 1);
	if (family == NULL)
		return false;
	if (runs > 0)
		list_runs(terms, pieces->terms, family);
	*summed = (sw_indices){(int)runs, family};
	return true;
}

/* Pieces of a device that follow one another: the next such run from piece `p` on, and where it ends; -1: there is none. */
static int next_run(const sw_pieces *pieces, int64_t device, int p, int *last)
{
	while (p < pieces->count && !sw_pieces_has(pieces, device, p))
		p++;
	*last = p;
	while (*last < pieces->count && sw_pieces_has(pieces, device, *last))
		++*last;
	return p < pieces->count ? p : -1;
}

static bool list_region(struct listing *l, const sw_mesh *mesh, int64_t device, sw_region *region)
{
	const sw_pieces *pieces = l->value->pieces;
	int64_t offset[SW_MAX_DIMS], size = size_from(l, 0);
	int runs = 0, last = 0;

	while (next_run(pieces, device, last, &last) >= 0)
		runs++;
	l->count = 0;
	l->room = runs * (2 * l->rank + 1);
	l->set = SW_NEW(l->arena, sw_indices, l->room * l->rank + 1);
	if (l->set == NULL)
		return false;
	sw_type_offset(mesh, l->type, device, offset);
	for (int p = next_run(pieces, device, 0, &last); p >= 0; p = next_run(pieces, device, last, &last))
		add_run(l, offset, sw_piece_begin(size, pieces->count, p), sw_piece_begin(size, pieces->count, last));
	*region = (sw_region){l->rank, l->count, l->set};
	return !l->failed;
}

static bool list_pieces(const sw_plan *plan, int k, sw_arena *arena, sw_holding *holding)
{
	struct listing l = {&plan->program.value[k], sw_plan_sums_before(plan, k), arena,
		.rank = plan->problem.from.rank};
	int64_t devices = plan->problem.mesh.devices;
	sw_region *region = SW_NEW(arena, sw_region, devices);
	sw_indices *summed = SW_NEW(arena, sw_indices, devices);

	if (region == NULL || summed == NULL)
		return false;
	for (int64_t d = 0; d < devices; d++)
		if (!list_terms(&l, d, &summed[d]) || !list_region(&l, &plan->problem.mesh, d, &region[d]))
			return false;
	sw_holding_of_regions(devices, l.type, l.value->pieces->terms, region, summed, holding);
	return true;
}

bool sw_plan_holding(const sw_plan *plan, int k, sw_arena *arena, sw_holding *holding)
{
	assert(k >= 0 && k <= plan->program.steps);
	const sw_value *value = &plan->program.value[k];

	if (value->pieces != NULL)
		return list_pieces(plan, k, arena, holding);
	if (value->type != NULL)
		return sw_holding_of_any(&plan->problem.mesh, value->type, value->words, NULL, arena, holding);
	sw_holding_of_offsets(plan->problem.mesh.devices, &plan->problem.from, value->tile, value->map, holding);
	return true;
}
