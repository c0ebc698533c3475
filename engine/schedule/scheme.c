/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What processors of a scheme work on and have at home, and what that makes in all.
 */
#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "base/room.h"
#include "schedule/scheme.h"

int64_t sw_scheme_processors(const sw_scheme *scheme)
{
	int64_t all = 1;

	for (int axis = 0; axis < scheme->axes; axis++)
		all *= scheme->extent[axis];
	return all;
}

static int axis_of(const sw_scheme *scheme, int letter)
{
	for (int axis = 0; axis < scheme->spaces; axis++)
		if (scheme->space[axis] == letter)
			return axis;
	return -1;
}

int64_t sw_scheme_block(const sw_scheme *scheme, int letter)
{
	int axis = axis_of(scheme, letter);

	return axis < 0 ? scheme->size[letter] : sw_blocks_of(scheme->size[letter], scheme->extent[axis]);
}

void sw_scheme_divide(sw_scheme *scheme, int letter, int64_t steps)
{
	assert(letter >= 0 && letter < scheme->letters && steps >= 1);
	scheme->time = letter;
	scheme->steps = steps;
	scheme->chunk = sw_blocks_of(sw_scheme_block(scheme, letter), steps);
}

void sw_scheme_split(sw_scheme *scheme, int letter, int64_t chunk)
{
	assert(letter >= 0 && letter < scheme->letters && chunk >= 1);
	scheme->time = letter;
	scheme->chunk = chunk;
	scheme->steps = sw_blocks_of(sw_scheme_block(scheme, letter), chunk);
}

/* ---- what all processors share ---- */

bool sw_scheme_array_has(const sw_scheme_array *array, int letter)
{
	for (int dim = 0; dim < array->rank; dim++)
		if (array->letter[dim] == letter)
			return true;
	return false;
}

bool sw_scheme_array_stays(const sw_scheme *scheme, const sw_scheme_array *array)
{
	for (int axis = 0; axis < scheme->axes; axis++)
		if (array->home.place[axis].dim < 0 && array->home.place[axis].at < 0 && scheme->extent[axis] > 1)
			return true;
	return false;
}

void sw_scheme_plan_of(const sw_scheme *scheme, sw_scheme_plan *plan)
{
	assert(scheme->letters <= SW_SCHEME_LETTERS && scheme->axes <= SW_SCHEME_AXES);
	assert(scheme->arrays <= SW_SCHEME_ARRAYS && scheme->spaces <= scheme->axes);
	*plan = (sw_scheme_plan){.scheme = scheme};
	for (int letter = 0; letter < scheme->letters; letter++) {
		plan->axis_of[letter] = axis_of(scheme, letter);
		plan->block[letter] = sw_scheme_block(scheme, letter);
	}
	for (int axis = 0; axis < scheme->axes; axis++)
		plan->blocks[axis] = axis >= scheme->spaces ?
			1 :
			sw_blocks_of(scheme->size[scheme->space[axis]], plan->block[scheme->space[axis]]);
	for (int array = 0; array < scheme->arrays; array++) {
		plan->needers[array] = 1;
		for (int axis = 0; axis < scheme->spaces; axis++)
			if (!sw_scheme_array_has(&scheme->array[array], scheme->space[axis]))
				plan->needers[array] *= plan->blocks[axis];
	}
}

bool sw_scheme_works(const sw_scheme_plan *plan, const int64_t *at)
{
	for (int axis = 0; axis < plan->scheme->axes; axis++)
		if (at[axis] >= plan->blocks[axis])
			return false;
	return true;
}

sw_range sw_scheme_range(const sw_scheme_plan *plan, int letter, const int64_t *at)
{
	int64_t size = plan->scheme->size[letter], low;

	if (plan->axis_of[letter] < 0)
		return (sw_range){0, size};
	low = sw_smaller(at[plan->axis_of[letter]] * plan->block[letter], size);
	return (sw_range){low, sw_smaller(low + plan->block[letter], size)};
}

int64_t sw_scheme_first_tile(const sw_scheme *scheme, const int64_t *at)
{
	int64_t sum = 0;

	for (int axis = 0; axis < scheme->spaces; axis++)
		if (scheme->turned[axis])
			sum += at[axis];
	return sum % scheme->steps;
}

static bool home_is_here(const sw_scheme *scheme, const sw_distal *home, const int64_t *at)
{
	for (int axis = 0; axis < scheme->axes; axis++)
		if (home->place[axis].dim < 0 && home->place[axis].at >= 0 && home->place[axis].at != at[axis])
			return false;
	return true;
}

bool sw_scheme_home(const sw_scheme *scheme, const sw_scheme_array *array, const int64_t *at, sw_range *home)
{
	const sw_distal *distal = &array->home;
	int64_t size[SW_MAX_DIMS];

	if (!home_is_here(scheme, distal, at))
		return false;
	for (int dim = 0; dim < array->rank; dim++) {
		size[dim] = scheme->size[array->letter[dim]];
		home[dim] = (sw_range){0, size[dim]};
	}
	for (int cut = 0; cut < distal->cuts; cut++) {
		int axis = distal->cut[cut], dim = distal->place[axis].dim;

		size[dim] = sw_blocks_of(size[dim], scheme->extent[axis]);
		home[dim].low = sw_smaller(home[dim].low + at[axis] * size[dim], home[dim].high);
		home[dim].high = sw_smaller(home[dim].low + size[dim], home[dim].high);
	}
	return true;
}

int64_t sw_scheme_number(const sw_scheme *scheme, const int64_t *at)
{
	int64_t number = 0;

	for (int axis = 0; axis < scheme->axes; axis++)
		number = number * scheme->extent[axis] + at[axis];
	return number;
}

bool sw_scheme_next(const sw_scheme *scheme, int64_t *at)
{
	for (int axis = scheme->axes - 1; axis >= 0; axis--) {
		if (++at[axis] < scheme->extent[axis])
			return true;
		at[axis] = 0;
	}
	return false;
}

/* ---- what is moved of an array ---- */

/* What is left of a dimension while axes cut it one after the other: elements of blocks that processors with points have. */
typedef struct cutting {
	const sw_scheme_plan *plan;
	int axes;
	int axis[SW_SCHEME_AXES];
} cutting;

static int64_t worked_on(const cutting *cuts, int n, int64_t size, int64_t length)
{
	int64_t part, whole, most;

	if (n == cuts->axes)
		return length;
	part = sw_blocks_of(size, cuts->plan->scheme->extent[cuts->axis[n]]);
	most = cuts->plan->blocks[cuts->axis[n]];
	whole = part > 0 ? sw_smaller(length / part, most) : 0;
	length -= whole * part;
	return whole * worked_on(cuts, n + 1, part, part) +
		(whole < most ? worked_on(cuts, n + 1, part, sw_smaller(length, part)) : 0);
}

/* How many elements of an array those processors have at home that have points: all that they have they need. */
static int64_t worked_at_home(const sw_scheme_plan *plan, const sw_scheme_array *array)
{
	int64_t all = 1;

	for (int dim = 0; dim < array->rank; dim++) {
		int64_t size = plan->scheme->size[array->letter[dim]];
		cutting cuts = {.plan = plan};

		for (int cut = 0; cut < array->home.cuts; cut++)
			if (array->home.place[array->home.cut[cut]].dim == dim) {
				SW_ROOM(cuts.axis, cuts.axes);
				cuts.axis[cuts.axes++] = array->home.cut[cut];
			}
		all *= worked_on(&cuts, 0, size, size);
	}
	return all;
}

/* Does each axis cut the letter that it has in space, if the array has that, before others do, and is no processor without
 * points a fixed place?  Then what a processor with points has at home it needs. */
static bool is_aligned(const sw_scheme_plan *plan, const sw_scheme_array *array)
{
	const sw_scheme *scheme = plan->scheme;
	int first[SW_MAX_DIMS];

	for (int dim = 0; dim < array->rank; dim++)
		first[dim] = -1;
	for (int cut = array->home.cuts - 1; cut >= 0; cut--)
		first[array->home.place[array->home.cut[cut]].dim] = array->home.cut[cut];
	for (int dim = 0; dim < array->rank; dim++)
		if (plan->axis_of[array->letter[dim]] >= 0 && plan->axis_of[array->letter[dim]] != first[dim])
			return false;
	for (int axis = 0; axis < scheme->axes; axis++)
		if (array->home.place[axis].dim < 0 && array->home.place[axis].at >= plan->blocks[axis])
			return false;
	return true;
}

static int64_t shared_by_all(const sw_scheme_plan *plan, const sw_scheme_array *array, const int64_t *at)
{
	sw_range home[SW_MAX_DIMS];
	int64_t all = 1;

	if (!sw_scheme_works(plan, at) || !sw_scheme_home(plan->scheme, array, at, home))
		return 0;
	for (int dim = 0; dim < array->rank; dim++)
		all *= sw_range_length(sw_range_meet(home[dim], sw_scheme_range(plan, array->letter[dim], at)));
	return all;
}

/* The axes that a dimension of an array depends on: those that cut it at home, and that of its letter in space. */
static uint32_t axes_of(const sw_scheme_plan *plan, const sw_scheme_array *array, int dim)
{
	int space = plan->axis_of[array->letter[dim]];
	uint32_t axes = space >= 0 ? UINT32_C(1) << space : 0;

	for (int axis = 0; axis < plan->scheme->axes; axis++)
		if (array->home.place[axis].dim == dim)
			axes |= UINT32_C(1) << axis;
	return axes;
}

/* Coordinates on an axis of those who have points, and something of the array at home. */
static sw_range coordinates(const sw_scheme_plan *plan, const sw_scheme_array *array, int axis)
{
	const sw_distal_place *place = &array->home.place[axis];
	int64_t blocks = sw_smaller(plan->blocks[axis], plan->scheme->extent[axis]);

	if (place->dim >= 0 || place->at < 0)
		return (sw_range){0, blocks};
	return (sw_range){place->at, sw_larger(place->at, sw_smaller(place->at + 1, blocks))};
}

/* The next coordinates on these axes; false: they were the last. */
static bool next_on(const sw_scheme_plan *plan, const sw_scheme_array *array, uint32_t axes, int64_t *at)
{
	for (int axis = plan->scheme->axes - 1; axis >= 0; axis--) {
		sw_range range = coordinates(plan, array, axis);
		if ((axes >> axis & 1) == 0)
			continue;
		if (++at[axis] < range.high)
			return true;
		at[axis] = range.low;
	}
	return false;
}

/* What all have at home of a dimension and need, over the axes that it depends on. */
static int64_t shared_along(const sw_scheme_plan *plan, const sw_scheme_array *array, int dim, uint32_t axes,
	int64_t *at)
{
	int64_t all = 0;

	do {
		sw_range home[SW_MAX_DIMS];
		if (sw_scheme_home(plan->scheme, array, at, home))
			all += sw_range_length(sw_range_meet(home[dim], sw_scheme_range(plan, array->letter[dim], at)));
	} while (next_on(plan, array, axes, at));
	return all;
}

/* The same over all processors where each axis matters to one dimension at most, dimension by dimension.  false: some do to two. */
static bool shared_by_dimensions(const sw_scheme_plan *plan, const sw_scheme_array *array, int64_t *all)
{
	uint32_t seen = 0;
	int64_t at[SW_SCHEME_AXES];

	*all = 1;
	for (int axis = 0; axis < plan->scheme->axes; axis++)
		at[axis] = coordinates(plan, array, axis).low;
	for (int dim = 0; dim < array->rank; dim++) {
		uint32_t axes = axes_of(plan, array, dim);
		if ((seen & axes) != 0)
			return false;
		seen |= axes;
	}
	for (int axis = 0; axis < plan->scheme->axes; axis++) {
		int64_t length = sw_range_length(coordinates(plan, array, axis));
		if (length == 0 || (seen >> axis & 1) == 0)
			*all *= length;
	}
	for (int dim = 0; dim<array->rank && * all> 0; dim++)
		*all *= shared_along(plan, array, dim, axes_of(plan, array, dim), at);
	return true;
}

/* What processors have at home of that which they need. */
static int64_t needed_at_home(const sw_scheme_plan *plan, const sw_scheme_array *array)
{
	int64_t at[SW_SCHEME_AXES] = {0}, all = 0;

	if (is_aligned(plan, array))
		return worked_at_home(plan, array);
	if (shared_by_dimensions(plan, array, &all))
		return all;
	all = 0;
	do
		all += shared_by_all(plan, array, at);
	while (sw_scheme_next(plan->scheme, at));
	return all;
}

static bool elements_of(const sw_scheme *scheme, const sw_scheme_array *array, int64_t *all)
{
	*all = 1;
	for (int dim = 0; dim < array->rank; dim++)
		if (!sw_mul(*all, scheme->size[array->letter[dim]], all))
			return false;
	return true;
}

static bool volume_of(const sw_scheme_plan *plan, int array, int64_t *volume)
{
	const sw_scheme *scheme = plan->scheme;
	int64_t all;

	if (!elements_of(scheme, &scheme->array[array], &all) || !sw_mul(all, plan->needers[array], &all))
		return false;
	*volume = sw_scheme_array_stays(scheme, &scheme->array[array]) ?
		0 :
		all - needed_at_home(plan, &scheme->array[array]);
	return true;
}

bool sw_scheme_volume(const sw_scheme *scheme, int array, int64_t *volume)
{
	sw_scheme_plan plan;

	assert(array >= 0 && array < scheme->arrays);
	sw_scheme_plan_of(scheme, &plan);
	return volume_of(&plan, array, volume);
}

bool sw_scheme_volumes(const sw_scheme *scheme, int64_t *volume)
{
	sw_scheme_plan plan;
	int64_t one, all = 0;

	sw_scheme_plan_of(scheme, &plan);
	for (int array = 0; array < scheme->arrays; array++)
		if (!volume_of(&plan, array, &one) || !sw_add(all, one, &all))
			return false;
	*volume = all;
	return true;
}
