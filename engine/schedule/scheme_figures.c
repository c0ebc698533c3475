/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The largest figures of a scheme, from coordinates at which something changes: nobody looks at each processor.
 */
#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "base/room.h"
#include "schedule/scheme.h"

enum { MOST_MARKS = 2 * SW_SCHEME_ARRAYS * (SW_SCHEME_AXES + 2) + 12 * SW_SCHEME_ARRAYS * SW_MAX_DIMS + 16 };

typedef struct marks {
	int count;
	int64_t at[MOST_MARKS]; /* ascending */
} marks;

static void add_mark(marks *marks, int64_t at, int64_t extent)
{
	int place = marks->count;

	if (at < 0 || at >= extent)
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

/* The axis that cuts a dimension first at home; -1: none does. */
static int first_cut(const sw_distal *home, int dim)
{
	for (int cut = 0; cut < home->cuts; cut++)
		if (home->place[home->cut[cut]].dim == dim)
			return home->cut[cut];
	return -1;
}

/* Does an axis cut a dimension at home whose letter in space another one has, which does not cut it first? */
static bool is_crossed(const sw_scheme_plan *plan, const sw_scheme_array *array, int dim, int axis)
{
	int space = plan->axis_of[array->letter[dim]];

	return array->home.place[axis].dim == dim && space >= 0 && space != axis && space != first_cut(&array->home, dim);
}

/* Has each array at home what is needed there, and is no loop rotated?  Then its own blocks say where something changes. */
static bool is_plain(const sw_scheme_plan *plan)
{
	const sw_scheme *scheme = plan->scheme;

	for (int axis = 0; axis < scheme->spaces; axis++)
		if (scheme->turned[axis])
			return false;
	for (int array = 0; array < scheme->arrays; array++)
		for (int dim = 0; dim < scheme->array[array].rank; dim++) {
			int letter = scheme->array[array].letter[dim], space = plan->axis_of[letter];
			if ((space >= 0 || letter == scheme->time) && space != first_cut(&scheme->array[array].home, dim))
				return false;
		}
	return true;
}

/* Blocks at home against blocks of the letter in space, which another axis has: the first and the last of these. */
static void mark_crossings(const sw_scheme_plan *plan, const sw_scheme_array *array, int dim, int axis, marks *marks)
{
	const sw_scheme *scheme = plan->scheme;
	int letter = array->letter[dim], space = plan->axis_of[letter];
	int64_t part = sw_blocks_of(scheme->size[letter], scheme->extent[axis]), block = plan->block[letter];
	const int64_t edge[] = {block, 2 * block, (plan->blocks[space] - 1) * block};

	if (part == 0)
		return;
	for (size_t n = 0; n < sizeof edge / sizeof *edge; n++)
		for (int64_t by = -1; by < 2; by++)
			add_mark(&marks[axis], edge[n] / part + by, scheme->extent[axis]);
}

/* The last who has points, and the first who has none; with a loop that is rotated, who begins at the last tiles. */
static void mark_ends(const sw_scheme_plan *plan, int axis, marks *marks)
{
	int64_t extent = plan->scheme->extent[axis];

	add_mark(&marks[axis], plan->blocks[axis] - 1, extent);
	add_mark(&marks[axis], plan->blocks[axis], extent);
	if (axis >= plan->scheme->spaces || !plan->scheme->turned[axis])
		return;
	for (int64_t at = 1; at < 4; at++) {
		add_mark(&marks[axis], at, extent);
		add_mark(&marks[axis], plan->blocks[axis] - at, extent);
	}
}

static void mark_all(const sw_scheme_plan *plan, marks *marks)
{
	const sw_scheme *scheme = plan->scheme;
	bool plain = is_plain(plan);

	for (int axis = 0; axis < scheme->axes; axis++) {
		add_mark(&marks[axis], 0, scheme->extent[axis]);
		if (!plain)
			mark_ends(plan, axis, marks);
	}
	for (int array = 0; array < scheme->arrays; array++) {
		mark_places(scheme, &scheme->array[array].home, marks);
		for (int dim = 0; dim < scheme->array[array].rank; dim++) {
			mark_dimension(scheme, &scheme->array[array], dim, marks);
			for (int axis = 0; axis < scheme->axes; axis++)
				if (is_crossed(plan, &scheme->array[array], dim, axis))
					mark_crossings(plan, &scheme->array[array], dim, axis, marks);
		}
	}
}

static void take_larger(const sw_scheme_one *one, sw_scheme_one *most)
{
	most->received = sw_larger(most->received, one->received);
	most->sent = sw_larger(most->sent, one->sent);
	most->flops = sw_larger(most->flops, one->flops);
	most->live.held = sw_larger(most->live.held, one->live.held);
	most->live.most = sw_larger(most->live.most, one->live.most);
	most->live.overlap = sw_larger(most->live.overlap, one->live.overlap);
}

void sw_scheme_most(const sw_scheme *scheme, sw_scheme_one *most)
{
	marks marks[SW_SCHEME_AXES] = {0};
	int64_t at[SW_SCHEME_AXES] = {0};
	int which[SW_SCHEME_AXES] = {0};
	sw_scheme_plan plan;
	sw_scheme_one one;

	sw_scheme_plan_of(scheme, &plan);
	mark_all(&plan, marks);
	*most = (sw_scheme_one){.works = false};
	do {
		sw_scheme_one_of(&plan, at, &one);
		take_larger(&one, most);
	} while (next_marked(scheme, marks, which, at));
}

bool sw_scheme_figures(const sw_scheme *scheme, sw_arena *arena, sw_schedule_totals *totals, sw_diag *diag)
{
	int64_t *volumes = SW_NEW(arena, int64_t, scheme->arrays), working = 1;
	sw_schedule_totals out = {.messages = -1, .most_sent = -1, .volumes = volumes};
	sw_scheme_plan plan;
	sw_scheme_one most;

	if (volumes == NULL)
		return sw_diag_memory(diag);
	for (int array = 0; array < scheme->arrays; array++)
		if (!sw_scheme_volume(scheme, array, &volumes[array]) || !sw_add(out.volume, volumes[array], &out.volume))
			return sw_diag_set(diag, SW_S09, (sw_span){0, 0}, "the numbers do not fit into 64 bits");
	sw_scheme_plan_of(scheme, &plan);
	for (int axis = 0; axis < scheme->axes; axis++)
		working *= plan.blocks[axis];
	sw_scheme_most(scheme, &most);
	out.between = out.exact = out.volume;
	out.idle = sw_scheme_processors(scheme) - working;
	out.most_received = most.received;
	out.most_held = most.live.held;
	out.most_peak = most.live.most;
	out.most_peak_overlap = most.live.overlap;
	out.most_flops = most.flops;
	*totals = out;
	return true;
}
