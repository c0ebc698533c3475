/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The largest figures of grids, from coordinates at which something changes; and their seconds.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include <shardwalk/choice.h>
#include <shardwalk/number.h>

#include "base/room.h"
#include "schedule/scheme.h"

typedef struct marks {
	int count;
	int64_t at[2 * SW_SCHEME_ARRAYS * (SW_SCHEME_AXES + 2) + 1]; /* ascending */
} marks;

static void add_mark(marks *marks, int64_t at, int64_t extent)
{
	int place = marks->count;

	if (at >= extent)
		return;
	while (place > 0 && marks->at[place - 1] >= at)
		place--;
	if (place < marks->count && marks->at[place] == at)
		return;
	SW_ROOM(marks->at, marks->count);
	memmove(&marks->at[place + 1], &marks->at[place], sizeof *marks->at * (size_t)(marks->count++ - place));
	marks->at[place] = at;
}

/* Blocks of a dimension that one axis after the other cuts: the lengths that are cut, whole blocks and what is left. */
static void mark_dimension(const sw_scheme *scheme, const sw_scheme_array *array, int dim, marks *marks)
{
	int64_t size = scheme->size[array->letter[dim]], length[2 * SW_SCHEME_AXES + 2] = {size};
	int lengths = 1;

	for (int cut = 0; cut < array->home.cuts; cut++) {
		int axis = array->home.cut[cut], before = lengths;
		int64_t extent = scheme->extent[axis];

		if (array->home.place[axis].dim != dim)
			continue;
		size = sw_blocks_of(size, extent);
		for (int n = 0; n < before; n++) {
			add_mark(&marks[axis], length[n] / size, extent);
			add_mark(&marks[axis], length[n] / size + 1, extent);
			length[n] %= size;
		}
		SW_ROOM(length, lengths);
		length[lengths++] = size;
	}
}

/* The only coordinate that has an array differs from the one behind it. */
static void mark_places(const sw_scheme *scheme, const sw_distal *home, marks *marks)
{
	for (int axis = 0; axis < scheme->axes; axis++)
		if (home->place[axis].dim < 0 && home->place[axis].at >= 0) {
			add_mark(&marks[axis], home->place[axis].at, scheme->extent[axis]);
			add_mark(&marks[axis], home->place[axis].at + 1, scheme->extent[axis]);
		}
}

/* The next combination of marked coordinates; false: it was the last. */
static bool next_marked(const sw_scheme *scheme, const marks *marks, int *which, int64_t *at)
{
	for (int axis = scheme->axes - 1; axis >= 0; axis--) {
		which[axis] = (which[axis] + 1) % marks[axis].count;
		at[axis] = marks[axis].at[which[axis]];
		if (which[axis] > 0)
			return true;
	}
	return false;
}

void sw_grid_figures(const sw_scheme *scheme, sw_grid_choice *choice)
{
	marks marks[SW_SCHEME_AXES] = {0};
	int64_t at[SW_SCHEME_AXES] = {0};
	int which[SW_SCHEME_AXES] = {0};
	sw_scheme_plan plan;
	sw_scheme_one one;

	sw_scheme_plan_of(scheme, &plan);
	choice->received = choice->sent = choice->held = choice->peak = choice->flops = 0;
	for (int axis = 0; axis < scheme->axes; axis++)
		add_mark(&marks[axis], 0, scheme->extent[axis]);
	for (int array = 0; array < scheme->arrays; array++) {
		mark_places(scheme, &scheme->array[array].home, marks);
		for (int dim = 0; dim < scheme->array[array].rank; dim++)
			mark_dimension(scheme, &scheme->array[array], dim, marks);
	}
	do {
		sw_scheme_one_of(&plan, at, &one);
		choice->received = sw_larger(choice->received, one.received);
		choice->sent = sw_larger(choice->sent, one.sent);
		choice->held = sw_larger(choice->held, one.live.held);
		choice->peak = sw_larger(choice->peak, one.live.most);
		choice->flops = sw_larger(choice->flops, one.flops);
	} while (next_marked(scheme, marks, which, at));
}

double sw_schedule_seconds(const sw_schedule_rates *rates, int64_t moved, int64_t flops, int64_t steps)
{
	double leaf = rates->flops > 0 ? (double)flops / rates->flops / (double)steps : 0;
	double messages = moved == 0 ? 0 :
								   (double)moved * rates->bytes / rates->bandwidth / (double)steps + rates->latency;
	double step = rates->overlap ? fmax(leaf, messages) : leaf + messages;

	assert(steps >= 1 && rates->bandwidth > 0);
	return messages + (double)(steps - 1) * step + leaf;
}

void sw_schedule_rates_of(const sw_hardware *hardware, int64_t processors, int bytes, bool overlap,
	sw_schedule_rates *rates)
{
	bool far = hardware->node > 0 && processors > hardware->node;

	*rates = (sw_schedule_rates){.flops = hardware->flops,
		.bandwidth = far ? hardware->network : hardware->bandwidth,
		.latency = far ? hardware->network_latency : hardware->latency,
		.bytes = bytes,
		.overlap = overlap};
}
