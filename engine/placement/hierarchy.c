/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hierarchies of factors, and the groups of devices that an instruction makes of them.
 */
#include <shardwalk/reduction.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "base/room.h"

static const struct {
	const char *letter, *name;
} kinds[] = {
#define X(id, letter, name) {letter, name},
	SW_HIERARCHIES(X)
#undef X
};

const char *sw_hierarchy_letter(sw_hierarchy_kind kind)
{
	assert((unsigned)kind < SW_HIERARCHY_COUNT);
	return kinds[kind].letter;
}

const char *sw_hierarchy_name(sw_hierarchy_kind kind)
{
	assert((unsigned)kind < SW_HIERARCHY_COUNT);
	return kinds[kind].name;
}

/* ---- factors ---- */

static sw_placed_digit placed_digit(const sw_placement *placement, int axis, int level)
{
	assert(axis >= 0 && axis < placement->axes && level >= 0 && level < placement->levels);
	int64_t stride = 1;

	for (int j = level + 1; j < placement->levels; j++)
		for (int i = 0; i < placement->axes; i++)
			stride *= placement->factor[i][j];
	for (int i = axis + 1; i < placement->axes; i++)
		stride *= placement->factor[i][level];
	return (sw_placed_digit){placement->factor[axis][level], stride, axis, level};
}

static void add_digit(sw_hierarchy *hierarchy, sw_placed_digit digit)
{
	SW_ROOM(hierarchy->digit, hierarchy->first[hierarchy->count]);
	hierarchy->digit[hierarchy->first[hierarchy->count]++] = digit;
}

/* Ends a factor; one of size 1 is forgotten where that is wanted. */
static void end_factor(sw_hierarchy *hierarchy, bool bare)
{
	int end = hierarchy->first[hierarchy->count];
	int begin = hierarchy->count > 0 ? hierarchy->first[hierarchy->count - 1] : 0;
	int64_t size = 1;

	for (int k = begin; k < end; k++)
		size *= hierarchy->digit[k].size;
	if (bare && size == 1)
		hierarchy->first[hierarchy->count] = begin;
	else {
		SW_ROOM(hierarchy->first, hierarchy->count + 1);
		hierarchy->count++;
		hierarchy->first[hierarchy->count] = end;
	}
}

/* Which digits a factor is begun or ended with, in the order of the kind. */
static void factors_by_rows(const sw_placement *placement, uint32_t axes, bool bare, sw_hierarchy *hierarchy)
{
	for (int i = 0; i < placement->axes; i++)
		for (int j = 0; j < placement->levels && (axes >> i & 1); j++) {
			add_digit(hierarchy, placed_digit(placement, i, j));
			end_factor(hierarchy, bare);
		}
}

static void factors_by_levels(const sw_placement *placement, uint32_t axes, bool together, bool bare,
	sw_hierarchy *hierarchy)
{
	for (int j = 0; j < placement->levels; j++) {
		for (int i = 0; i < placement->axes; i++) {
			if (!(axes >> i & 1))
				continue;
			add_digit(hierarchy, placed_digit(placement, i, j));
			if (!together)
				end_factor(hierarchy, bare);
		}
		if (together)
			end_factor(hierarchy, bare);
	}
}

static void gather_others(const sw_placement *placement, uint32_t axes, sw_hierarchy *hierarchy)
{
	for (int j = 0; j < placement->levels; j++)
		for (int i = 0; i < placement->axes; i++)
			if (!(axes >> i & 1)) {
				SW_ROOM(hierarchy->other, hierarchy->others);
				hierarchy->other[hierarchy->others++] = placed_digit(placement, i, j);
			}
}

void sw_hierarchy_make(const sw_placement *placement, sw_hierarchy_kind kind, uint32_t summed, bool bare,
	sw_hierarchy *hierarchy)
{
	assert(placement->axes <= SW_MAX_PLACED && placement->levels <= SW_MAX_LEVELS);
	uint32_t all = (uint32_t)((1u << placement->axes) - 1);
	bool whole = kind < SW_HIERARCHY_SUMMED_ROWS;
	uint32_t axes = whole ? all : summed;

	assert((summed & ~all) == 0);
	hierarchy->count = hierarchy->others = hierarchy->first[0] = 0;
	if (kind == SW_HIERARCHY_ROWS || kind == SW_HIERARCHY_SUMMED_ROWS)
		factors_by_rows(placement, axes, bare, hierarchy);
	else
		factors_by_levels(placement, axes, kind != SW_HIERARCHY_COLUMNS, bare, hierarchy);
	memmove(hierarchy->first + 1, hierarchy->first, sizeof *hierarchy->first * (size_t)hierarchy->count);
	hierarchy->first[0] = 0;
	gather_others(placement, axes, hierarchy);
}

int64_t sw_hierarchy_size(const sw_hierarchy *hierarchy, int i)
{
	assert(i >= 0 && i < hierarchy->count);
	int64_t size = 1;

	for (int k = hierarchy->first[i]; k < hierarchy->first[i + 1]; k++)
		size *= hierarchy->digit[k].size;
	return size;
}

/* ---- groups ---- */

/* Lists of devices as sums of digits. */
struct digits {
	int count;
	sw_placed_digit digit[SW_MAX_HIERARCHY];
};

static void take_factors(const sw_hierarchy *hierarchy, int from, int to, struct digits *digits)
{
	for (int k = hierarchy->first[from]; k < hierarchy->first[to]; k++) {
		SW_ROOM(digits->digit, digits->count);
		digits->digit[digits->count++] = hierarchy->digit[k];
	}
}

static int64_t digits_size(const struct digits *digits)
{
	int64_t size = 1;

	for (int k = 0; k < digits->count; k++)
		size *= digits->digit[k].size;
	return size;
}

static int64_t digits_value(const struct digits *digits, int64_t index)
{
	int64_t value = 0;

	for (int k = digits->count - 1; k >= 0; k--) {
		value += index % digits->digit[k].size * digits->digit[k].stride;
		index /= digits->digit[k].size;
	}
	return value;
}

void sw_group_name_factors(const sw_group_name *name, int factors, int *from, int *to)
{
	*from = name->form == SW_FORM_INSIDE ? name->slice : name->ancestor;
	*to = name->form == SW_FORM_INSIDE ? factors : name->slice;
	assert(*from >= 0 && *to <= factors);
}

bool sw_group_name_same(const sw_group_name *a, const sw_group_name *b)
{
	return a->form == b->form && a->slice == b->slice && a->ancestor == b->ancestor;
}

static void split_digits(const sw_hierarchy *hierarchy, const sw_group_name *name, struct digits *varying,
	struct digits *repeated)
{
	int from, to;

	sw_group_name_factors(name, hierarchy->count, &from, &to);
	varying->count = repeated->count = 0;
	take_factors(hierarchy, from, to, varying);
	take_factors(hierarchy, 0, from, repeated);
	if (name->form != SW_FORM_MASTERS)
		take_factors(hierarchy, to, hierarchy->count, repeated);
	for (int k = 0; k < hierarchy->others; k++) {
		SW_ROOM(repeated->digit, repeated->count);
		repeated->digit[repeated->count++] = hierarchy->other[k];
	}
}

struct group_base {
	int64_t device;
};

static int by_device(const void *a, const void *b)
{
	int64_t x = ((const struct group_base *)a)->device, y = ((const struct group_base *)b)->device;

	return (x > y) - (x < y);
}

int64_t *sw_named_groups(const sw_hierarchy *hierarchy, const sw_group_name *name, sw_arena *arena, int64_t *groups,
	int64_t *size)
{
	struct digits varying, repeated;
	struct group_base *base;
	int64_t *list;

	split_digits(hierarchy, name, &varying, &repeated);
	*groups = digits_size(&repeated);
	*size = digits_size(&varying);
	base = SW_NEW(arena, struct group_base, *groups);
	list = SW_NEW(arena, int64_t, *groups * *size);
	if (base == NULL || list == NULL)
		return NULL;
	for (int64_t g = 0; g < *groups; g++)
		base[g].device = digits_value(&repeated, g);
	qsort(base, (size_t)*groups, sizeof *base, by_device);
	for (int64_t g = 0; g < *groups; g++)
		for (int64_t m = 0; m < *size; m++)
			list[g * *size + m] = base[g].device + digits_value(&varying, m);
	return list;
}

int32_t *sw_named_members(const sw_hierarchy *hierarchy, const sw_group_name *name, sw_arena *arena, int64_t *grouped,
	int64_t *size)
{
	int64_t groups, *list = sw_named_groups(hierarchy, name, arena, &groups, size);

	*grouped = groups * *size;
	assert(*grouped <= INT32_MAX);
	int32_t *member = list != NULL ? SW_NEW(arena, int32_t, *grouped) : NULL;
	for (int64_t n = 0; member != NULL && n < *grouped; n++)
		member[n] = (int32_t)list[n];
	return member;
}
