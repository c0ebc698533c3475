/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is alive in a step, and what would move if only what points touch did.
 */
#include "schedule/lower.h"

#include <assert.h>
#include <string.h>

/* ---- live memory ---- */

/* The elements of the buffer of a fetch, and of the one before where that is another one. */
static bool buffers(const struct sw_lowered *lowered, int fetch, int64_t unit, int64_t step, int64_t *now,
	int64_t *old, sw_arena *scratch)
{
	const sw_fetch *is = &lowered->fetch[fetch];
	sw_box_list need = {.arena = scratch, .rank = lowered->formula->array[is->array].rank}, before = need,
				buffer = need;

	*old = 0;
	if (!sw_lowered_buffer(lowered, fetch, step, unit, &buffer))
		return false;
	sw_boxes boxes = {buffer.rank, buffer.count, buffer.at};
	*now = sw_boxes_size(&boxes);
	if (step == 0 || !sw_fetch_begins(is, step))
		return true;
	if (!sw_lowered_need_at(lowered, fetch, step, unit, &need) ||
		!sw_lowered_need_at(lowered, fetch, step - 1, unit, &before))
		return false;
	sw_boxes a = {need.rank, need.count, need.at}, b = {before.rank, before.count, before.at};
	buffer.count = 0;
	if (sw_boxes_equal(&a, &b))
		return true;
	if (!sw_lowered_buffer(lowered, fetch, step - 1, unit, &buffer))
		return false;
	boxes = (sw_boxes){buffer.rank, buffer.count, buffer.at};
	*old = sw_boxes_size(&boxes);
	return true;
}

static bool add_live(const struct sw_lowered *lowered, int level, int64_t unit, int64_t step, int64_t live[2],
	sw_arena *scratch)
{
	live[0] = live[1] = 0;
	for (int fetch = 0; fetch < lowered->fetches; fetch++) {
		int64_t now, old;
		if (lowered->fetch[fetch].level != level)
			continue;
		if (!buffers(lowered, fetch, unit, step, &now, &old, scratch))
			return false;
		live[0] += now;
		live[1] += now + old;
	}
	for (int array = 0; array < lowered->formula->arrays && level == lowered->levels; array++) {
		sw_boxes home = sw_lowered_home(lowered, array, level, unit);
		live[0] += sw_boxes_size(&home);
		live[1] += sw_boxes_size(&home);
	}
	int64_t works = level == lowered->levels ? sw_lowered_workspaces(lowered, unit, step) : 0;
	live[0] += works;
	live[1] += works;
	return true;
}

int64_t sw_lowering_live(const sw_lowering *lowering, int level, int64_t unit, int64_t step, bool next,
	sw_arena *scratch)
{
	sw_arena_mark mark = sw_arena_here(scratch);
	bool arrives = next && step + 1 < lowering->steps;
	int64_t live[2];

	assert(step >= 0 && step < lowering->steps);
	bool done = add_live(lowering->in, level, unit, arrives ? step + 1 : step, live, scratch);
	sw_arena_back(scratch, mark);
	return done ? live[arrives] : -1;
}

/* ---- exact volumes ---- */

struct exact {
	const sw_lowering *lowering;
	sw_arena *scratch;
	struct touched {  /* of each fetch */
		bool dense;   /* whatever a unit touches is one box, without holes */
		bool *any;    /* of each unit: it touched something in the fetch before, */
		int64_t *box; /* and that */
	} * touched;
	int64_t value[SW_MAX_VARIABLES]; /* of loops, those in time in the present step */
};

/* Has a letter in all its ranges every value? */
static bool is_dense(const struct sw_lowered *lowered, int fetch, int letter, sw_arena *arena)
{
	const struct sw_frame_letter *is = &lowered->frame[fetch]->letter[letter];
	int64_t *counts = is->range != NULL ? sw_frame_counts(lowered, lowered->frame[fetch], letter, arena) : NULL;

	for (int64_t at = 0; counts != NULL && at < is->ranges; at++)
		if (counts[at] != is->range[at].high - is->range[at].low)
			return false;
	return counts != NULL;
}

static bool start_fetch(struct exact *e, int fetch, sw_arena *arena)
{
	const struct sw_lowered *in = e->lowering->in;
	const struct sw_reading *only = in->only[fetch];
	struct touched *touched = &e->touched[fetch];
	int64_t units = in->units[in->fetch[fetch].level];

	touched->dense = only != NULL;
	for (int d = 0; only != NULL && d < only->rank; d++)
		touched->dense = touched->dense && is_dense(in, fetch, only->letter[d], e->scratch);
	if (!touched->dense)
		return true;
	touched->any = SW_NEW_ZERO(arena, bool, units);
	touched->box = SW_NEW(arena, int64_t, units * 2 * (only->rank > 0 ? only->rank : 1));
	return touched->any != NULL && touched->box != NULL;
}

static bool start_exact(struct exact *e, sw_arena *arena)
{
	bool done = true;

	e->touched = SW_NEW_ZERO(arena, struct touched, e->lowering->in->fetches);
	for (int fetch = 0; done && e->touched != NULL && fetch < e->lowering->in->fetches; fetch++)
		done = start_fetch(e, fetch, arena);
	return done && e->touched != NULL;
}

/* What a unit touches of a box, without its home, which is one box or none, and what it touched in the fetch before. */
static int64_t box_missing(struct exact *e, int fetch, int64_t unit, const sw_boxes *home)
{
	const struct sw_lowered *in = e->lowering->in;
	int rank = in->only[fetch]->rank;
	int64_t box[2 * SW_MAX_DIMS], both[2 * SW_MAX_DIMS], size = 0;
	int64_t *old = e->touched[fetch].box + unit * 2 * rank;
	bool any = sw_lowered_place(in, in->fetch[fetch].level, unit, e->value);

	sw_lowered_turn(in, e->value);
	any = any && sw_lowered_bound(in, fetch, e->value, box);
	if (any)
		size = sw_bounds_size(box, rank) - (home->count > 0 ? sw_bounds_common(box, home->at, rank) : 0);
	if (size > 0 && e->touched[fetch].any[unit] && sw_bounds_meet(box, old, rank, both))
		size -= sw_bounds_size(both, rank) - (home->count > 0 ? sw_bounds_common(both, home->at, rank) : 0);
	e->touched[fetch].any[unit] = any;
	memcpy(old, box, any ? (size_t)rank * 2 * sizeof *box : 0);
	return size;
}

/* What a unit touches in a fetch, without its home and what it touched in the one before. */
static int64_t exact_missing(struct exact *e, int fetch, int64_t step, int64_t unit)
{
	const sw_lowering *lowering = e->lowering;
	sw_arena *arena = e->scratch;
	const sw_fetch *is = &lowering->fetch[fetch];
	sw_boxes home = sw_lowered_home(lowering->in, is->array, is->level, unit);
	sw_region left, old;

	if (e->touched[fetch].dense && home.count <= 1)
		return box_missing(e, fetch, unit, &home);
	if (!sw_lowering_touched(lowering, fetch, step, unit, arena, &left))
		return -1;
	for (int k = 0; k < home.count && left.count > 0; k++) {
		sw_region one;
		if (!sw_lowered_box_region(home.at + (int64_t)k * 2 * home.rank, home.rank, arena, &one) ||
			!sw_region_minus(&left, &one, arena, &left))
			return -1;
	}
	if (step > 0 && left.count > 0 &&
		(!sw_lowering_touched(lowering, fetch, step - is->every, unit, arena, &old) ||
			!sw_region_minus(&left, &old, arena, &left)))
		return -1;
	return sw_region_size(&left);
}

/* What of its terms a unit would give to others. */
static int64_t exact_given(const sw_lowering *lowering, int64_t step, int64_t unit, sw_arena *arena)
{
	const struct sw_lowered *in = lowering->in;
	sw_box_list given = {.arena = arena, .rank = in->formula->array[0].rank};
	sw_region touched, both;
	int64_t size = 0;

	if (!sw_lowered_given(in, step, unit, &given))
		return -1;
	if (given.count == 0)
		return 0;
	if (!sw_lowering_touched(lowering, in->out, step - 1, unit, arena, &touched))
		return -1;
	for (int64_t owner = 0; owner < in->units[in->levels]; owner++) {
		sw_boxes home = sw_lowered_home(in, 0, in->levels, owner);
		for (int k = 0; k < home.count && owner != unit; k++) {
			sw_region one;
			if (!sw_lowered_box_region(home.at + (int64_t)k * 2 * home.rank, home.rank, arena, &one) ||
				!sw_region_meet(&touched, &one, arena, &both))
				return -1;
			size += sw_region_size(&both);
		}
	}
	return size;
}

/* Of all units in a step, and behind the last one. */
static int64_t exact_step(struct exact *e, int64_t step)
{
	const sw_lowering *lowering = e->lowering;
	int64_t sum = 0, more = 0;

	sw_lowered_time(lowering->in, step, e->value);
	for (int fetch = 0; fetch < lowering->fetches && more >= 0; fetch++) {
		const sw_fetch *is = &lowering->fetch[fetch];
		for (int64_t unit = 0; unit < lowering->in->units[is->level] && more >= 0; unit++) {
			sw_arena_clear(e->scratch);
			more = 0;
			if (is->array == 0 && is->level == lowering->in->levels)
				more = exact_given(lowering, step, unit, e->scratch);
			else if (is->array != 0 && step < lowering->steps && sw_fetch_begins(is, step))
				more = exact_missing(e, fetch, step, unit);
			sum += more;
		}
	}
	return more < 0 ? -1 : sum;
}

/* All steps; -1: no memory, or the pulse stopped it, in which case `stopped` is the step. */
static int64_t exact_steps(struct exact *e, const sw_pulse *pulse, int64_t *stopped)
{
	int64_t sum = 0, more = 0;

	for (int64_t step = 0; step <= e->lowering->steps && more >= 0; step++) {
		more = exact_step(e, step);
		sum += more;
		if (!sw_pulse_beat(pulse, "steps", step, e->lowering->steps)) {
			*stopped = step;
			return -1;
		}
	}
	return more < 0 ? -1 : sum;
}

bool sw_lowering_exact(const sw_lowering *lowering, const sw_pulse *pulse, sw_schedule_totals *totals, sw_diag *diag)
{
	sw_arena *arena = sw_arena_new();
	struct exact e = {.lowering = lowering, .scratch = sw_arena_new()};
	bool started = arena != NULL && e.scratch != NULL && start_exact(&e, arena);
	int64_t stopped = -1, sum = started ? exact_steps(&e, pulse, &stopped) : -1;

	sw_arena_free(e.scratch);
	sw_arena_free(arena);
	if (stopped >= 0)
		return sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped after %lld of %lld steps", (long long)stopped,
			(long long)lowering->steps);
	if (sum < 0)
		return sw_diag_memory(diag);
	totals->exact = sum;
	return true;
}
