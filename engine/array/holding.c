/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every device has: by digits, by offsets, by regions, or by a rule.
 */
#include "array/holding.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "array/parts.h"
#include "index/box.h"

/* ---- made of something ---- */

static void start_array(int64_t devices, int rank, const int64_t *global, sw_holding *holding)
{
	assert(devices >= 1 && rank <= SW_MAX_DIMS);
	*holding = (sw_holding){.devices = devices, .terms = 1, .rank = rank};
	memcpy(holding->global, global, (size_t)rank * sizeof *global);
}

static void start(int64_t devices, const sw_type *array, const int64_t *tile, sw_holding *holding)
{
	start_array(devices, array->rank, array->global, holding);
	if (tile != NULL)
		memcpy(holding->tile, tile, (size_t)array->rank * sizeof *tile);
}

/* The parts of a dimension, or of the sums where `dim` is the rank, as digits that weigh more and more. */
static void add_digits(const sw_mesh *mesh, const sw_type *type, int dim, int64_t weight, sw_holding *holding)
{
	sw_part part[SW_MAX_PARTS];
	int count = sw_type_parts(type, dim, part);
	assert(holding->digits + count <= SW_MAX_DIGITS);
	sw_digit *digit = holding->digit + holding->digits;

	holding->digits += sw_digits_of_parts(mesh, part, count, digit);
	for (int i = 0; i < count; i++) {
		digit[i].dim = dim;
		digit[i].weight = weight;
		weight *= digit[i].size;
	}
}

bool sw_holding_put_order(sw_holding *holding, const int64_t *order, sw_arena *arena)
{
	int64_t *slot = order != NULL ? SW_NEW(arena, int64_t, holding->devices) : NULL;

	for (int64_t p = 0; slot != NULL && p < holding->devices; p++) {
		assert(order[p] >= 0 && order[p] < holding->devices);
		slot[order[p]] = p;
	}
	holding->slot = slot;
	return order == NULL || slot != NULL;
}

bool sw_holding_of_type(const sw_mesh *mesh, const sw_type *type, const int64_t *order, sw_arena *arena,
	sw_holding *holding)
{
	start(mesh->devices, type, type->tile, holding);
	holding->terms = sw_type_terms(type);
	for (int dim = 0; dim <= type->rank; dim++)
		add_digits(mesh, type, dim, dim < type->rank ? type->tile[dim] : 1, holding);
	return sw_holding_put_order(holding, order, arena);
}

void sw_holding_of_offsets(int64_t devices, const sw_type *array, const int64_t *tile, const int64_t *offset,
	sw_holding *holding)
{
	assert(offset != NULL);
	start(devices, array, tile, holding);
	holding->offset = offset;
}

void sw_holding_of_regions(int64_t devices, const sw_type *array, int64_t terms, const sw_region *region,
	const sw_indices *summed, sw_holding *holding)
{
	assert(terms >= 1 && region != NULL);
	start(devices, array, NULL, holding);
	holding->terms = terms;
	holding->region = region;
	holding->summed = summed;
}

void sw_holding_of_rule(int64_t devices, int rank, const int64_t *global, const sw_holding_rule *rule,
	sw_holding *holding)
{
	start_array(devices, rank, global, holding);
	holding->rule = rule;
}

void sw_holding_sum_each(sw_holding *holding)
{
	holding->digit[0] = (sw_digit){.size = holding->devices, .stride = 1, .weight = 1, .dim = holding->rank};
	holding->digits = 1;
	holding->terms = holding->devices;
}

/* ---- of a device ---- */

static int64_t slot_of(const sw_holding *holding, int64_t device)
{
	assert(device >= 0 && device < holding->devices);
	return holding->slot != NULL ? holding->slot[device] : device;
}

/* The sum of the digits of one dimension, or of the terms. */
static int64_t digits_at(const sw_holding *holding, int64_t slot, int dim)
{
	int64_t sum = 0;

	for (int i = 0; i < holding->digits; i++) {
		const sw_digit *digit = &holding->digit[i];
		if (digit->dim == dim)
			sum += slot / digit->stride % digit->size * digit->weight;
	}
	return sum;
}

bool sw_holding_defined(const sw_holding *holding, int64_t device)
{
	const sw_holding_rule *rule = holding->rule;

	return rule == NULL || rule->defined == NULL || rule->defined(rule->of, slot_of(holding, device));
}

bool sw_holding_offset(const sw_holding *holding, int64_t device, int64_t *offset)
{
	int64_t slot = slot_of(holding, device);

	if (holding->region != NULL || holding->rule != NULL)
		return false;
	for (int dim = 0; dim < holding->rank; dim++)
		offset[dim] = holding->offset != NULL ? holding->offset[slot * holding->rank + dim] :
												digits_at(holding, slot, dim);
	return true;
}

/* By a rule, or by the list of regions. */
static bool region_given(const sw_holding *holding, int64_t device, sw_arena *arena, sw_region *region)
{
	const sw_holding_rule *rule = holding->rule;

	*region = (sw_region){.rank = holding->rank};
	if (rule != NULL)
		return !sw_holding_defined(holding, device) ||
			rule->region(rule->of, slot_of(holding, device), arena, region);
	*region = holding->region[slot_of(holding, device)];
	return true;
}

bool sw_holding_region(const sw_holding *holding, int64_t device, sw_arena *arena, sw_region *region)
{
	int64_t offset[SW_MAX_DIMS];

	if (!sw_holding_offset(holding, device, offset))
		return region_given(holding, device, arena, region);
	sw_indices *set = SW_NEW(arena, sw_indices, holding->rank);
	sw_family *family = SW_NEW(arena, sw_family, holding->rank);
	if (set == NULL || family == NULL)
		return false;
	for (int dim = 0; dim < holding->rank; dim++)
		set[dim] = sw_indices_range(offset[dim], offset[dim] + holding->tile[dim], &family[dim]);
	*region = (sw_region){holding->rank, 1, set};
	return true;
}

/* Of a tile: until a digit comes round, one that counts single devices, or another. */
static int64_t stretch_of_digits(const sw_holding *holding, int64_t device, int64_t *step)
{
	int64_t devices = holding->devices - device;

	memset(step, 0, (size_t)holding->rank * sizeof *step);
	for (int i = 0; i < holding->digits; i++) {
		const sw_digit *digit = &holding->digit[i];
		if (digit->size == 1)
			continue;
		int64_t left = digit->stride > 1 ? digit->stride - device % digit->stride :
										   digit->size - device % digit->size;
		devices = left < devices ? left : devices;
		if (digit->stride == 1 && digit->dim < holding->rank)
			step[digit->dim] += digit->weight;
	}
	return devices;
}

int64_t sw_holding_stretch(const sw_holding *holding, int64_t device, sw_arena *scratch, int64_t *step)
{
	if (holding->slot != NULL || holding->region != NULL || holding->offset != NULL)
		return 1;
	if (holding->rule == NULL)
		return stretch_of_digits(holding, device, step);
	return holding->rule->stretch != NULL ? holding->rule->stretch(holding->rule->of, device, scratch, step) : 1;
}

static int64_t size_by_rule(const sw_holding *holding, int64_t device)
{
	sw_region region;
	sw_arena *arena = sw_arena_new();
	int64_t size = arena != NULL && region_given(holding, device, arena, &region) ? sw_region_size(&region) : -1;

	sw_arena_free(arena);
	return size;
}

int64_t sw_holding_size(const sw_holding *holding, int64_t device)
{
	int64_t size = 1;

	if (holding->rule != NULL)
		return size_by_rule(holding, device);
	if (holding->region != NULL)
		return sw_region_size(&holding->region[slot_of(holding, device)]);
	for (int dim = 0; dim < holding->rank; dim++)
		size *= holding->tile[dim];
	return size;
}

int64_t sw_holding_most(const sw_holding *holding)
{
	sw_arena *scratch = sw_arena_new();
	int64_t most = scratch != NULL ? 0 : -1, step[SW_MAX_DIMS];

	for (int64_t device = 0; most >= 0 && device < holding->devices;) {
		int64_t size = sw_holding_size(holding, device);
		most = size < 0 ? -1 : sw_larger(most, size);
		device += sw_holding_stretch(holding, device, scratch, step);
	}
	sw_arena_free(scratch);
	return most;
}

sw_indices sw_holding_summed(const sw_holding *holding, int64_t device, sw_family *family)
{
	int64_t slot = slot_of(holding, device), term = digits_at(holding, slot, holding->rank);

	if (holding->summed != NULL)
		return holding->summed[slot];
	if (holding->region != NULL)
		return sw_indices_range(0, holding->terms, family);
	return sw_indices_range(term, term + 1, family);
}

static bool has_by_rule(const sw_holding *holding, int64_t device, const int64_t *index)
{
	sw_region region;
	sw_arena *arena = sw_arena_new();
	bool has = arena != NULL && region_given(holding, device, arena, &region) && sw_region_has(&region, index);

	sw_arena_free(arena);
	return has;
}

bool sw_holding_has(const sw_holding *holding, int64_t device, const int64_t *index)
{
	int64_t offset[SW_MAX_DIMS];

	if (holding->rule != NULL)
		return has_by_rule(holding, device, index);
	if (!sw_holding_offset(holding, device, offset))
		return sw_region_has(&holding->region[slot_of(holding, device)], index);
	for (int dim = 0; dim < holding->rank; dim++)
		if (index[dim] < offset[dim] || index[dim] >= offset[dim] + holding->tile[dim])
			return false;
	return true;
}

/* ---- of two ---- */

static bool same_terms(const sw_holding *a, int64_t d, const sw_holding *b, int64_t e)
{
	sw_family one, other;
	sw_indices left = sw_holding_summed(a, d, &one), right = sw_holding_summed(b, e, &other);

	return a->terms == b->terms && sw_indices_equal(&left, &right);
}

static int64_t meet_regions(const sw_holding *a, int64_t d, const sw_holding *b, int64_t e)
{
	sw_arena *arena = sw_arena_new();
	sw_region one, other, both;
	bool met = arena != NULL && sw_holding_region(a, d, arena, &one) && sw_holding_region(b, e, arena, &other) &&
		sw_region_meet(&one, &other, arena, &both);
	int64_t common = met ? sw_region_size(&both) : -1;

	sw_arena_free(arena);
	return common;
}

int64_t sw_holding_meets(const sw_holding *a, int64_t d, const sw_holding *b, int64_t e)
{
	assert(a->rank == b->rank);
	int64_t one[SW_MAX_DIMS], other[SW_MAX_DIMS];

	if (!sw_holding_offset(a, d, one) || !sw_holding_offset(b, e, other))
		return meet_regions(a, d, b, e);
	return sw_box_common(a->rank, &(sw_box){one, a->tile}, &(sw_box){other, b->tile});
}

bool sw_holding_within(const sw_holding *a, int64_t d, const sw_holding *b, int64_t e)
{
	return sw_holding_meets(a, d, b, e) == sw_holding_size(a, d) && same_terms(a, d, b, e);
}

/* The same elements, of the same terms; `arena` is scratch. */
static bool same_at(const sw_holding *a, const sw_holding *b, int64_t d, sw_arena *arena)
{
	sw_region one, other;

	sw_arena_clear(arena);
	return sw_holding_defined(a, d) == sw_holding_defined(b, d) && sw_holding_region(a, d, arena, &one) &&
		sw_holding_region(b, d, arena, &other) && sw_region_equal(&one, &other) && same_terms(a, d, b, d);
}

/* Devices from one on that have the same in both if this one has: both are moved alike. */
static int64_t moved_alike(const sw_holding *a, const sw_holding *b, int64_t device, sw_arena *arena)
{
	int64_t one[SW_MAX_DIMS], other[SW_MAX_DIMS];

	if (a->terms > 1 || b->terms > 1)
		return 1;
	int64_t devices = sw_smaller(sw_holding_stretch(a, device, arena, one),
		sw_holding_stretch(b, device, arena, other));
	return devices > 1 && memcmp(one, other, (size_t)a->rank * sizeof *one) == 0 ? devices : 1;
}

bool sw_holding_equal(const sw_holding *a, const sw_holding *b)
{
	if (a->devices != b->devices || a->rank != b->rank ||
		memcmp(a->global, b->global, (size_t)a->rank * sizeof *a->global) != 0)
		return false;
	sw_arena *arena = sw_arena_new();
	bool equal = arena != NULL;
	for (int64_t d = 0; equal && d < a->devices; d += moved_alike(a, b, d, arena))
		equal = same_at(a, b, d, arena);
	sw_arena_free(arena);
	return equal;
}

/* ---- text ---- */

static void print_elements(const sw_holding *holding, int64_t device, sw_text *text)
{
	sw_region region;
	sw_arena *arena = sw_arena_new();

	if (arena != NULL && sw_holding_region(holding, device, arena, &region))
		sw_region_print(&region, text);
	else
		text->failed = true;
	sw_arena_free(arena);
}

void sw_holding_print(const sw_holding *holding, int64_t device, sw_text *text)
{
	sw_family family;
	sw_indices summed = sw_holding_summed(holding, device, &family);

	if (!sw_holding_defined(holding, device)) {
		sw_text_add(text, "undefined");
		return;
	}
	print_elements(holding, device, text);
	if (sw_indices_size(&summed) == holding->terms)
		return;
	sw_text_add(text, " of terms ");
	sw_indices_print(&summed, text);
}
