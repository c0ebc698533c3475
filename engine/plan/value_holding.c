/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values as holdings: a piece of a tile is a run of its elements, row by row, and a run is a few boxes.
 */
#include <shardwalk/plan.h>

#include <assert.h>
#include <string.h>

#include <shardwalk/distribution.h>
#include <shardwalk/number.h>

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

/* The first term from `t` on that is there, or is not; `count`: none. */
static int64_t next_term(const uint64_t *terms, int64_t t, int64_t count, bool there)
{
	while (t < count) {
		uint64_t bits = (there ? terms[t / 64] : ~terms[t / 64]) >> t % 64;

		if (bits != 0)
			return sw_smaller(t + __builtin_ctzll(bits), count);
		t += 64 - t % 64;
	}
	return count;
}

/* Runs of terms that follow one another; where `family` is not NULL they are written there. */
static int64_t list_runs(const uint64_t *terms, int64_t count, sw_family *family)
{
	int64_t runs = 0, end;

	for (int64_t t = next_term(terms, 0, count, true); t < count; t = next_term(terms, end, count, true)) {
		end = next_term(terms, t, count, false);
		if (family != NULL)
			family[runs] = (sw_family){t, end - t, end - t, 1};
		runs++;
	}
	return runs;
}

/* The terms of a device's pieces; false where two of them are sums of others. */
static bool list_terms(struct listing *l, int64_t device, sw_indices *summed)
{
	const sw_pieces *pieces = l->value->pieces;
	const sw_pieces_list *list = pieces->list[device];
	const uint64_t *terms = list->runs > 0 ? list->run[0].terms : pieces->none;

	for (int r = 1; r < list->runs; r++)
		if (memcmp(terms, list->run[r].terms, sizeof *terms * (size_t)pieces->words) != 0)
			return false;
	int64_t runs = list_runs(terms, pieces->terms, NULL);
	sw_family *family = SW_NEW(l->arena, sw_family, runs + 1);
	if (family == NULL)
		return false;
	list_runs(terms, pieces->terms, family);
	*summed = (sw_indices){(int)runs, family};
	return true;
}

static bool list_region(struct listing *l, const sw_mesh *mesh, int64_t device, sw_region *region)
{
	int count = l->value->pieces->count;
	const sw_pieces_list *list = l->value->pieces->list[device];
	int64_t offset[SW_MAX_DIMS], size = size_from(l, 0);

	l->count = 0;
	l->room = list->runs * (2 * l->rank + 1);
	l->set = SW_NEW(l->arena, sw_indices, l->room * l->rank + 1);
	if (l->set == NULL)
		return false;
	sw_type_offset(mesh, l->type, device, offset);
	for (int r = 0; r < list->runs; r++)
		add_run(l, offset, sw_piece_begin(size, count, list->run[r].first),
			sw_piece_begin(size, count, list->run[r].end));
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
