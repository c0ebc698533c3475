/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Elements alive on a processor of a scheme, from the steps in which something changes.
 */
#include <assert.h>

#include <shardwalk/number.h>

#include "base/room.h"
#include "schedule/scheme.h"

/* An array of which a processor has another box in each step. */
typedef struct moving {
	int64_t others; /* elements of its box for one of the letter in time */
	sw_range home;  /* where in the letter its box is at home; empty: nowhere */
} moving;

typedef struct lives {
	const sw_scheme_plan *plan;
	const int64_t *at;
	int64_t first;  /* tile */
	sw_range whole; /* what it has of the letter in time */
	int count;
	moving moving[SW_SCHEME_ARRAYS];
} lives;

static int64_t box_size(const sw_scheme_array *array, const sw_range *box)
{
	int64_t all = 1;

	for (int dim = 0; dim < array->rank; dim++)
		all *= sw_range_length(box[dim]);
	return all;
}

static void needed_box(const sw_scheme_plan *plan, const sw_scheme_array *array, const int64_t *at, sw_range *box)
{
	for (int dim = 0; dim < array->rank; dim++)
		box[dim] = sw_scheme_range(plan, array->letter[dim], at);
}

static bool box_within(const sw_scheme_array *array, const sw_range *box, const sw_range *home)
{
	for (int dim = 0; dim < array->rank; dim++)
		if (!sw_range_within(box[dim], home[dim]))
			return false;
	return true;
}

/* Takes the dimension of the letter in time out of both boxes. */
static sw_range without_time(const sw_scheme *scheme, const sw_scheme_array *array, sw_range *box, sw_range *home)
{
	sw_range whole = {0, 0};

	for (int dim = 0; dim < array->rank; dim++)
		if (array->letter[dim] == scheme->time) {
			whole = home[dim];
			box[dim] = home[dim] = (sw_range){0, 1};
		}
	return whole;
}

static void add_moving(lives *lives, const sw_scheme_array *array, bool here, sw_range *box, sw_range *home)
{
	sw_range none = {0, 0}, whole = none;

	if (!here)
		for (int dim = 0; dim < array->rank; dim++)
			home[dim] = none;
	whole = without_time(lives->plan->scheme, array, box, home);
	SW_ROOM(lives->moving, lives->count);
	lives->moving[lives->count++] = (moving){
		.others = box_size(array, box),
		.home = here && box_within(array, box, home) ? whole : none,
	};
}

static int64_t buffers_in(const lives *lives, int64_t step)
{
	const sw_scheme *scheme = lives->plan->scheme;
	int64_t all = 0;
	sw_range tile;

	if (lives->count == 0)
		return 0;
	tile = sw_range_tile(lives->whole, scheme->chunk, (lives->first + step) % scheme->steps);
	if (sw_range_length(tile) == 0)
		return 0;
	for (int n = 0; n < lives->count; n++)
		if (!sw_range_within(tile, lives->moving[n].home))
			all += lives->moving[n].others * sw_range_length(tile);
	return all;
}

typedef struct most {
	int64_t alone, both;
} most;

static void look_at(const lives *lives, int64_t step, most *most)
{
	int64_t now, before;

	if (step < 0 || step >= lives->plan->scheme->steps)
		return;
	now = buffers_in(lives, step);
	before = step > 0 ? buffers_in(lives, step - 1) : 0;
	most->alone = sw_larger(most->alone, now);
	most->both = sw_larger(most->both, now + before);
}

/* In the step of a tile, which has that before it, too. */
static void look_at_tile(const lives *lives, int64_t tile, most *most)
{
	int64_t steps = lives->plan->scheme->steps;

	if (tile < steps)
		look_at(lives, tile >= lives->first ? tile - lives->first : tile - lives->first + steps, most);
}

/* The tiles from which on a box is at home, or is not any more, and those behind them: what is between is alike. */
static void look_around(const lives *lives, sw_range home, most *most)
{
	int64_t chunk = lives->plan->scheme->chunk;
	int64_t begin = sw_blocks_of(sw_larger(home.low - lives->whole.low, 0), chunk);
	int64_t end = sw_larger(home.high - lives->whole.low, 0) / chunk;

	for (int64_t n = 0; n < 2; n++) {
		look_at_tile(lives, begin + n, most);
		look_at_tile(lives, end + n, most);
	}
}

/* Steps 0 and 1, too: where the first tile is one that is alike, the pair behind it is the first. */
static most most_buffers(const lives *lives)
{
	most most = {0, 0};

	if (lives->count == 0)
		return most;
	look_at(lives, 0, &most);
	look_at(lives, 1, &most);
	look_around(lives, lives->whole, &most);
	for (int n = 0; n < lives->count; n++)
		look_around(lives, lives->moving[n].home, &most);
	return most;
}

void sw_scheme_live_of(const sw_scheme_plan *plan, const int64_t *at, sw_scheme_live *live)
{
	const sw_scheme *scheme = plan->scheme;
	lives lives = {.plan = plan, .at = at, .first = sw_scheme_first_tile(scheme, at)};
	bool works = sw_scheme_works(plan, at);
	int64_t held = 0, resting = 0;
	most most;

	if (scheme->time >= 0)
		lives.whole = sw_scheme_range(plan, scheme->time, at);
	for (int n = 0; n < scheme->arrays; n++) {
		const sw_scheme_array *array = &scheme->array[n];
		sw_range home[SW_MAX_DIMS], box[SW_MAX_DIMS];
		bool here = sw_scheme_home(scheme, array, at, home);

		held += here ? box_size(array, home) : 0;
		if (!works)
			continue;
		needed_box(plan, array, at, box);
		if (array->stepwise)
			add_moving(&lives, array, here, box, home);
		else if (!here || !box_within(array, box, home))
			resting += box_size(array, box);
	}
	most = most_buffers(&lives);
	*live = (sw_scheme_live){held, held + resting + most.alone, held + resting + most.both};
}
