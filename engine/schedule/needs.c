/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What units need, and what they keep of it.
 *
 * Source: seed 003, section 6 (bounds of what a launch touches).
 */
#include "schedule/lower.h"

#include <assert.h>
#include <string.h>

#include "program/formula.h"

/* ---- bounds ---- */

/* Does an access count in a piece: do the letters that its term lacks have 0 there? */
static inline bool counts(const struct sw_lowered *lowered, const struct sw_reading *reading, const sw_range *range)
{
	for (int letter = 0; reading->lacks >> letter != 0; letter++)
		if ((reading->lacks >> letter & 1) != 0 && range[letter].low != 0)
			return false;
	(void)lowered;
	return true;
}

static void bound(const struct sw_reading *reading, const sw_range *range, int64_t *box)
{
	for (int d = 0; d < reading->rank; d++) {
		box[2 * d] = range[reading->letter[d]].low;
		box[2 * d + 1] = range[reading->letter[d]].high;
	}
}

/* The bounds of one access over the pieces. */
typedef struct bounds {
	const struct sw_reading *reading;
	bool any;
	int64_t box[2 * SW_MAX_DIMS];
} bounds;

static bool widen(void *user, const sw_piece *piece)
{
	bounds *b = user;
	int64_t box[2 * SW_MAX_DIMS];

	if (!counts(piece->lowered, b->reading, piece->range))
		return true;
	bound(b->reading, piece->range, b->any ? box : b->box);
	for (int d = 0; d < 2 * b->reading->rank && b->any; d += 2) {
		b->box[d] = box[d] < b->box[d] ? box[d] : b->box[d];
		b->box[d + 1] = box[d + 1] > b->box[d + 1] ? box[d + 1] : b->box[d + 1];
	}
	b->any = true;
	return true;
}

/* Adds what of a box the list, from number `from` on, lacks. */
static bool add_rest(sw_box_list *list, int from, const int64_t *box)
{
	sw_box_list rest = {.arena = list->arena, .rank = list->rank};
	int count = list->count;
	bool done;

	if (count == from)
		return sw_box_list_add_copy(list, box);
	done = sw_box_list_add_copy(&rest, box);
	for (int k = from; k < count && done; k++)
		done = sw_box_list_minus(&rest, list->at + (int64_t)k * 2 * list->rank);
	for (int k = 0; k < rest.count && done; k++)
		done = sw_box_list_add_copy(list, rest.at + (int64_t)k * 2 * list->rank);
	return done;
}

bool sw_lowered_need(const struct sw_lowered *lowered, int fetch, const int64_t *value, sw_box_list *list)
{
	const sw_frame *frame = lowered->frame[fetch];
	int64_t box[2 * SW_MAX_DIMS];
	int from = list->count;

	if (lowered->only[fetch] != NULL)
		return !sw_lowered_bound(lowered, fetch, value, box) || sw_box_list_add_copy(list, box);
	for (int k = 0; k < lowered->formula->accesses; k++) {
		bounds b = {.reading = &lowered->reading[k]};
		if (b.reading->array != lowered->fetch[fetch].array)
			continue;
		sw_frame_pieces(lowered, frame, value, widen, &b);
		if (b.any && !add_rest(list, from, b.box))
			return false;
	}
	return true;
}

bool sw_lowered_needs(const struct sw_lowered *lowered, int fetch, int64_t step, sw_arena *arena, sw_box_table *table)
{
	int64_t value[SW_MAX_VARIABLES] = {0}, units = lowered->units[lowered->fetch[fetch].level];
	int rank = lowered->formula->array[lowered->fetch[fetch].array].rank;

	*table = (sw_box_table){.units = units,
		.first = SW_NEW(arena, int32_t, units + 1),
		.list = {.arena = arena, .rank = rank, .room = (int)units}};
	table->list.at = SW_NEW(arena, int64_t, units * 2 * (rank > 0 ? rank : 1));
	if (table->first == NULL || table->list.at == NULL)
		return false;
	sw_lowered_time(lowered, step, value);
	for (int64_t unit = 0; unit < units; unit++) {
		table->first[unit] = table->list.count;
		if (!sw_lowered_place(lowered, lowered->fetch[fetch].level, unit, value))
			continue;
		sw_lowered_turn(lowered, value);
		if (lowered->only[fetch] != NULL)
			table->list.count += sw_lowered_bound(lowered, fetch, value,
				table->list.at + (int64_t)table->list.count * 2 * rank);
		else if (!sw_lowered_need(lowered, fetch, value, &table->list))
			return false;
	}
	table->first[units] = table->list.count;
	return true;
}

/* ---- sums where they lie ---- */

typedef struct others {
	int64_t unit;
	bool found;
} others;

static bool see_holder(void *user, int64_t unit, const int64_t *box)
{
	others *o = user;

	(void)box;
	o->found = o->found || unit != o->unit;
	return !o->found;
}

bool sw_lowered_in_place(const struct sw_lowered *lowered, int level, int64_t unit, const sw_boxes *boxes,
	sw_arena *scratch)
{
	sw_boxes home = sw_lowered_home(lowered, 0, level, unit);
	others o = {unit, false};

	if (!sw_boxes_inside(boxes, &home, scratch))
		return false;
	for (int k = 0; k < boxes->count; k++)
		if (!sw_box_index_visit(&lowered->home_index[level], boxes->at + (int64_t)k * 2 * boxes->rank, see_holder,
				&o))
			return false;
	return true;
}

/* ---- one unit in one step ---- */

/* The last step, up to this one, in which something is fetched. */
static int64_t fetch_step(const sw_fetch *fetch, int64_t step)
{
	return step - step % fetch->every;
}

bool sw_lowered_need_at(const struct sw_lowered *lowered, int fetch, int64_t step, int64_t unit, sw_box_list *list)
{
	int64_t value[SW_MAX_VARIABLES] = {0};

	sw_lowered_time(lowered, fetch_step(&lowered->fetch[fetch], step), value);
	if (!sw_lowered_place(lowered, lowered->fetch[fetch].level, unit, value))
		return true;
	sw_lowered_turn(lowered, value);
	return sw_lowered_need(lowered, fetch, value, list);
}

static sw_boxes boxes_of(const sw_box_list *list)
{
	return (sw_boxes){list->rank, list->count, list->at};
}

/* The terms that a processor gives away before this step, as its boxes change: what it needed of the left side before.  Behind the last step it gives
 * away what it has. */
bool sw_lowered_given(const struct sw_lowered *lowered, int64_t step, int64_t processor, sw_box_list *list)
{
	const sw_fetch *fetch = &lowered->fetch[lowered->out];
	sw_box_list now = {.arena = list->arena, .rank = list->rank};
	bool last = step == lowered->steps;

	if (step == 0 || (!last && !sw_fetch_begins(fetch, step)))
		return true;
	if (!sw_lowered_need_at(lowered, lowered->out, step - 1, processor, list) ||
		(!last && !sw_lowered_need_at(lowered, lowered->out, step, processor, &now)))
		return false;
	sw_boxes old = boxes_of(list), new = boxes_of(&now);
	if (list->count == 0 || (!last && sw_boxes_equal(&old, &new)) ||
		sw_lowered_in_place(lowered, fetch->level, processor, &old, list->arena))
		list->count = 0;
	return true;
}

/* Adds the boxes that the processors in a node give to its copy in the steps from `begin` to `end` - 1. */
static bool add_given(const struct sw_lowered *lowered, int64_t node, int64_t begin, int64_t end, sw_box_list *list)
{
	int64_t inside = lowered->units[lowered->levels] / lowered->units[lowered->fetch[lowered->copy].level];

	for (int64_t step = begin; step < end; step++)
		for (int64_t processor = node * inside; processor < (node + 1) * inside; processor++) {
			sw_box_list given = {.arena = list->arena, .rank = list->rank};
			if (!sw_lowered_given(lowered, step, processor, &given))
				return false;
			for (int k = 0; k < given.count; k++) {
				const int64_t *box = given.at + (int64_t)k * 2 * given.rank;
				if (!sw_box_list_has(list, box) && !sw_box_list_add_copy(list, box))
					return false;
			}
		}
	return true;
}

bool sw_lowered_copy(const struct sw_lowered *lowered, int64_t step, int64_t until, int64_t node, sw_box_list *list)
{
	const sw_fetch *fetch = &lowered->fetch[lowered->copy];
	int64_t begin = fetch_step(fetch, step), end = begin + fetch->every;

	if (!sw_lowered_need_at(lowered, lowered->copy, begin, node, list))
		return false;
	end = end == lowered->steps ? end + 1 : end;
	end = end > until ? until : end;
	return add_given(lowered, node, begin, end, list);
}

static int rank_of(const sw_lowering *lowering, int fetch)
{
	return lowering->in->formula->array[lowering->fetch[fetch].array].rank;
}

bool sw_lowering_need(const sw_lowering *lowering, int fetch, int64_t step, int64_t unit, sw_arena *arena,
	sw_boxes *need)
{
	const struct sw_lowered *in = lowering->in;
	sw_box_list list = {.arena = arena, .rank = rank_of(lowering, fetch)};

	assert(fetch >= 0 && fetch < lowering->fetches && step >= 0 && step < lowering->steps);
	if (!sw_lowered_need_at(in, fetch, step, unit, &list))
		return false;
	if (fetch == in->copy && list.count > 0) {
		list.count = 0;
		if (!sw_lowered_copy(in, step, INT64_MAX, unit, &list))
			return false;
	}
	*need = boxes_of(&list);
	return true;
}

bool sw_lowered_buffer(const struct sw_lowered *lowered, int fetch, int64_t step, int64_t unit, sw_box_list *list)
{
	const sw_fetch *is = &lowered->fetch[fetch];
	sw_boxes home = sw_lowered_home(lowered, is->array, is->level, unit);

	if (fetch == lowered->copy ? !sw_lowered_copy(lowered, step, step + 1, unit, list) :
								 !sw_lowered_need_at(lowered, fetch, step, unit, list))
		return false;
	sw_boxes need = boxes_of(list);
	bool at_home = is->array == 0 && list->rank > 0 ?
		sw_lowered_in_place(lowered, is->level, unit, &need, list->arena) :
		sw_boxes_inside(&need, &home, list->arena);
	if (at_home)
		list->count = 0;
	return true;
}

bool sw_lowering_buffer(const sw_lowering *lowering, int fetch, int64_t step, int64_t unit, sw_arena *arena,
	sw_boxes *buffer)
{
	sw_box_list list = {.arena = arena, .rank = rank_of(lowering, fetch)};

	assert(fetch >= 0 && fetch < lowering->fetches && step >= 0 && step < lowering->steps);
	if (!sw_lowered_buffer(lowering->in, fetch, step, unit, &list))
		return false;
	*buffer = boxes_of(&list);
	return true;
}

/* ---- workspaces ---- */

/* A workspace has room for all that its letters reach in a step. */
typedef struct reaching {
	bool any;
	sw_range range[SW_MAX_LETTERS];
} reaching;

static bool reach(void *user, const sw_piece *piece)
{
	reaching *r = user;

	for (int letter = 0; letter < piece->lowered->formula->letters; letter++) {
		sw_range more = piece->range[letter], *is = &r->range[letter];
		is->low = r->any && is->low < more.low ? is->low : more.low;
		is->high = r->any && is->high > more.high ? is->high : more.high;
	}
	r->any = true;
	return true;
}

int64_t sw_lowered_workspaces_of(const struct sw_lowered *lowered, const int64_t *value)
{
	const struct sw_schedule_state *state = lowered->schedule->state;
	reaching r = {.any = false};
	int64_t size = 0;

	if (state->workspaces > 0)
		sw_frame_pieces(lowered, lowered->step, value, reach, &r);
	for (int k = 0; k < state->workspaces && r.any; k++) {
		int64_t one = 1;
		for (int letter = 0; letter < lowered->formula->letters; letter++)
			if (state->workspace[k].letters >> letter & 1)
				one *= r.range[letter].high - r.range[letter].low;
		size += one;
	}
	return size;
}

int64_t sw_lowered_workspaces(const struct sw_lowered *lowered, int64_t processor, int64_t step)
{
	int64_t value[SW_MAX_VARIABLES] = {0};

	sw_lowered_time(lowered, step, value);
	if (!sw_lowered_place(lowered, lowered->levels, processor, value))
		return 0;
	sw_lowered_turn(lowered, value);
	return sw_lowered_workspaces_of(lowered, value);
}

/* ---- exact sets ---- */

bool sw_lowered_box_region(const int64_t *box, int rank, sw_arena *arena, sw_region *region)
{
	sw_indices *set = SW_NEW(arena, sw_indices, rank);
	sw_family *family = SW_NEW(arena, sw_family, rank);

	if (set == NULL || family == NULL)
		return false;
	for (int d = 0; d < rank; d++)
		set[d] = sw_indices_range(box[2 * d], box[2 * d + 1], &family[d]);
	*region = (sw_region){rank, 1, set};
	return true;
}

typedef struct touching {
	const struct sw_reading *reading;
	sw_arena *arena;
	sw_region *sum;
} touching;

static bool touch(void *user, const sw_piece *piece)
{
	touching *t = user;
	sw_indices *set = SW_NEW(t->arena, sw_indices, t->reading->rank);
	sw_region one = {t->reading->rank, 1, set};

	if (!counts(piece->lowered, t->reading, piece->range))
		return true;
	for (int d = 0; d < t->reading->rank && set != NULL; d++)
		if (!sw_piece_indices(piece, t->reading->letter[d], t->arena, &set[d]))
			return false;
	return set != NULL && sw_region_union(t->sum, &one, t->arena, t->sum);
}

bool sw_lowering_touched(const sw_lowering *lowering, int fetch, int64_t step, int64_t unit, sw_arena *arena,
	sw_region *touched)
{
	const struct sw_lowered *in = lowering->in;
	int64_t value[SW_MAX_VARIABLES] = {0};
	sw_region sum = {rank_of(lowering, fetch), 0, NULL};
	bool done = true;

	sw_lowered_time(in, fetch_step(&lowering->fetch[fetch], step), value);
	if (sw_lowered_place(in, lowering->fetch[fetch].level, unit, value)) {
		sw_lowered_turn(in, value);
		for (int k = 0; k < in->formula->accesses && done; k++) {
			touching t = {&in->reading[k], arena, &sum};
			if (t.reading->array == lowering->fetch[fetch].array)
				done = sw_frame_pieces(in, in->frame[fetch], value, touch, &t);
		}
	}
	*touched = sum;
	return done;
}

typedef struct collecting {
	sw_arena *arena;
	int count, room;
	sw_indices *set; /* count x letters */
} collecting;

static bool collect(void *user, const sw_piece *piece)
{
	collecting *c = user;
	int letters = piece->lowered->formula->letters;

	if (!sw_arena_grow(c->arena, &c->set, c->count, &c->room, 4,
			(size_t)(letters > 0 ? letters : 1) * sizeof *c->set))
		return false;
	for (int letter = 0; letter < letters; letter++)
		if (!sw_piece_indices(piece, letter, c->arena, &c->set[c->count * letters + letter]))
			return false;
	c->count++;
	return true;
}

bool sw_lowering_points(const sw_lowering *lowering, int64_t step, int64_t processor, sw_arena *arena,
	sw_region *points)
{
	const struct sw_lowered *in = lowering->in;
	int64_t value[SW_MAX_VARIABLES] = {0};
	collecting c = {.arena = arena};

	sw_lowered_time(in, step, value);
	if (sw_lowered_place(in, in->levels, processor, value)) {
		sw_lowered_turn(in, value);
		if (!sw_frame_pieces(in, in->step, value, collect, &c))
			return false;
	}
	*points = (sw_region){in->formula->letters, c.count, c.set};
	return true;
}
