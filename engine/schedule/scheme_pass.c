/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who sends blocks that go round: in a row of processors that need the same blocks of an array one after the other, the nearest
 * of who used a block the step before and of who has it at home.
 */
#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "schedule/scheme.h"

/* The axis along which processors need the same blocks, and the loop in time is rotated; -1: there is none. */
static int row_axis(const sw_scheme *scheme, const sw_scheme_array *array)
{
	for (int axis = 0; axis < scheme->spaces; axis++)
		if (scheme->turned[axis] && !sw_scheme_array_has(array, scheme->space[axis]))
			return axis;
	return -1;
}

bool sw_scheme_passes_on(const sw_scheme_plan *plan, int array)
{
	return array > 0 && plan->scheme->array[array].stepwise &&
		row_axis(plan->scheme, &plan->scheme->array[array]) >= 0;
}

static int64_t hops(int64_t from, int64_t to, int64_t around)
{
	int64_t forward = from < to ? to - from : from - to;

	return sw_smaller(forward, around - forward);
}

/* A row, with who needs a block and sends it. */
typedef struct row {
	const sw_scheme_plan *plan;
	const sw_scheme_array *array;
	int axis;       /* of the row */
	int64_t length; /* of it, and how many of these have points */
	int64_t working;
	int64_t others;     /* elements of a box for one of the letter in time */
	int dim;            /* that of the letter in time */
	int home_axis;      /* which cuts it at home; -1: none */
	int64_t home_block; /* of it */
	int64_t *sent;
} row;

/* The nearest that had the block of `column` the step before, the right one of two; -1: nobody. */
static int64_t user_before(const row *row, int64_t column)
{
	int64_t steps = row->plan->scheme->steps, best = -1;

	for (int64_t user = (column + 1) % steps; user < row->working; user += steps) {
		int64_t near = hops(user, column, row->length), nearest = hops(best, column, row->length);

		if (best < 0 || near < nearest ||
			(near == nearest &&
				(user - column + row->length) % row->length < (best - column + row->length) % row->length))
			best = user;
	}
	return best;
}

/* One receiver: who had its blocks the step before, and its homes but for the axis that cuts the letter in time. */
typedef struct seat {
	int64_t near;               /* hops to the user; INT64_MAX: there is none */
	int64_t user;               /* its number */
	int64_t far, home;          /* hops to the homes, and their number, at 0 on that axis */
	int64_t at, stride, around; /* of the receiver on that axis */
} seat;

static int64_t stride_of(const sw_scheme *scheme, int axis)
{
	int64_t stride = 1;

	for (int inner = scheme->axes - 1; inner > axis; inner--)
		stride *= scheme->extent[inner];
	return stride;
}

static seat seat_of(const row *row, int64_t *at)
{
	const sw_scheme *scheme = row->plan->scheme;
	const sw_distal *distal = &row->array->home;
	int64_t column = at[row->axis], user = user_before(row, column), home[SW_SCHEME_AXES];
	seat seat = {.near = user < 0 ? INT64_MAX : hops(user, column, row->length)};

	memcpy(home, at, sizeof *home * (size_t)scheme->axes);
	for (int axis = 0; axis < scheme->axes; axis++) {
		if (axis == row->home_axis)
			home[axis] = 0;
		else if (distal->place[axis].dim < 0 && distal->place[axis].at >= 0)
			home[axis] = distal->place[axis].at;
		seat.far += axis == row->home_axis ? 0 : hops(home[axis], at[axis], scheme->extent[axis]);
	}
	seat.home = sw_scheme_number(scheme, home);
	seat.around = 1;
	if (row->home_axis >= 0) {
		seat.at = at[row->home_axis];
		seat.stride = stride_of(scheme, row->home_axis);
		seat.around = scheme->extent[row->home_axis];
	}
	seat.user = sw_scheme_number(scheme, at) + (user - column) * stride_of(scheme, row->axis);
	return seat;
}

/* One processor receives a block, at first from homes alone. */
static void receive(const row *row, const seat *seat, sw_range tile, bool first)
{
	int64_t near = first ? INT64_MAX : seat->near, low = tile.low;

	while (low < tile.high) {
		int64_t place = row->home_axis < 0 ? 0 : low / row->home_block;
		int64_t end = row->home_axis < 0 ? tile.high : sw_smaller((place + 1) * row->home_block, tile.high);
		int64_t far = seat->far + hops(place, seat->at, seat->around);

		if (far > 0 && near > 0)
			row->sent[near <= far ? seat->user : seat->home + place * seat->stride] += (end - low) * row->others;
		low = end;
	}
}

static void receive_all(row *row, int64_t *at)
{
	const sw_scheme *scheme = row->plan->scheme;
	sw_range whole = sw_scheme_range(row->plan, scheme->time, at);

	row->others = 1;
	for (int dim = 0; dim < row->array->rank; dim++)
		if (dim != row->dim)
			row->others *= sw_range_length(sw_scheme_range(row->plan, row->array->letter[dim], at));
	for (int64_t column = 0; column < row->working; column++) {
		int64_t tile;
		seat seat;

		at[row->axis] = column;
		seat = seat_of(row, at);
		tile = sw_scheme_first_tile(scheme, at);
		for (int64_t step = 0; step < scheme->steps; step++) {
			receive(row, &seat, sw_range_tile(whole, scheme->chunk, tile), step == 0);
			tile = tile + 1 < scheme->steps ? tile + 1 : 0;
		}
	}
	at[row->axis] = 0;
}

static void find_time(row *row)
{
	const sw_scheme *scheme = row->plan->scheme;
	const sw_distal *home = &row->array->home;

	for (int dim = 0; dim < row->array->rank; dim++)
		if (row->array->letter[dim] == scheme->time)
			row->dim = dim;
	row->home_axis = -1;
	for (int cut = 0; cut < home->cuts; cut++)
		if (home->place[home->cut[cut]].dim == row->dim) {
			assert(row->home_axis < 0);
			row->home_axis = home->cut[cut];
			row->home_block = sw_blocks_of(scheme->size[scheme->time], scheme->extent[row->home_axis]);
		}
}

void sw_scheme_pass_on(const sw_scheme_plan *plan, int array, int64_t *sent)
{
	const sw_scheme *scheme = plan->scheme;
	int64_t at[SW_SCHEME_AXES] = {0};
	row row = {.plan = plan, .array = &scheme->array[array], .sent = sent};

	row.axis = row_axis(scheme, row.array);
	assert(row.axis >= 0);
	row.length = scheme->extent[row.axis];
	row.working = plan->blocks[row.axis];
	find_time(&row);
	do
		if (at[row.axis] == 0 && sw_scheme_works(plan, at))
			receive_all(&row, at);
	while (sw_scheme_next(scheme, at));
}
