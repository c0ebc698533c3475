/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who sends what in one step.
 *
 * What a unit lacks comes from its own node's copy first, then from the nearest that has it: on the torus of all coordinates, at equal distance
 * from who used it in the step before rather than from a home, then in the order of offsets.  What it makes of the left side it
 * gives to every owner when it goes on to other boxes.
 *
 * Source: seed 003, section 3.3 (who has data is nobody's business in the language: the nearest is the choice here).
 */
#include "schedule/lower.h"

#include <assert.h>
#include <string.h>

#include "relation/senders.h"

/* ---- the list ---- */

enum { LEAST = 1024 };

typedef struct writer {
	const struct sw_lowered *lowered;
	sw_arena *arena, *scratch, *lists; /* lists: holders, which grow */
	sw_box_list missing;               /* of the unit at hand */
	struct holder *holder;
	int holder_room;
	sw_schedule_message *message;
	int64_t *box;                     /* room for boxes of messages, from a larger piece */
	int count, room, least, box_left; /* least: room in the beginning */
	bool behind;
} writer;

static int64_t *new_box(writer *w, int rank)
{
	enum { NUMBERS = 4096 };

	if (w->box == NULL || w->box_left < 2 * rank) {
		w->box = SW_NEW(w->arena, int64_t, NUMBERS);
		w->box_left = w->box != NULL ? NUMBERS : 0;
		if (w->box == NULL)
			return NULL;
	}
	int64_t *box = w->box;
	w->box += 2 * rank;
	w->box_left -= 2 * rank;
	return box;
}

static int64_t box_size_into(const int64_t *box, int rank, int64_t *kept)
{
	int64_t size = 1;

	for (int d = 0; d < 2 * rank; d += 2) {
		kept[d] = box[d];
		kept[d + 1] = box[d + 1];
		size *= box[d + 1] - box[d];
	}
	return size;
}

/* Adds a message without its distance. */
static bool send(writer *w, int fetch, sw_schedule_source source, int64_t from, int64_t to, const int64_t *box)
{
	int rank = w->lowered->formula->array[w->lowered->fetch[fetch].array].rank;
	int64_t *kept = new_box(w, rank);

	if (kept == NULL || !SW_GROW(w->arena, w->message, w->count, w->room, w->least))
		return false;
	w->message[w->count++] = (sw_schedule_message){.fetch = fetch,
		.source = (int16_t)source,
		.behind = w->behind,
		.from = from,
		.to = to,
		.owner = -1,
		.elements = box_size_into(box, rank, kept),
		.box = kept};
	return true;
}

/* ---- distances ---- */

/* Hops on the torus of the units of a level, and the number of the offset: (sender - receiver) mod machine, row-major. */
static inline int64_t hops(const struct sw_lowered *lowered, int level, int64_t from, int64_t to, int64_t *offset)
{
	return sw_torus_hops(lowered->level_axes[level], lowered->size, sw_lowered_coordinates(lowered, level, from),
		sw_lowered_coordinates(lowered, level, to), offset);
}

/* ---- who has what is missing ---- */

struct holder {
	int64_t distance, offset, unit;
	const int64_t *box;
	int32_t source;
};

typedef struct holder holder;

typedef struct search {
	writer *w;
	int fetch, level;
	int64_t unit;
	sw_schedule_source source;
	int count;
	bool memory;
	holder nearest; /* its box is NULL: there is none */
} search;

static inline holder holder_of(const search *s, int64_t unit, const int64_t *box)
{
	holder one = {.unit = unit, .box = box, .source = (int32_t)s->source};

	one.distance = hops(s->w->lowered, s->level, unit, s->unit, &one.offset);
	return one;
}

static bool add_holder(void *user, int64_t unit, const int64_t *box)
{
	search *s = user;

	if (unit == s->unit)
		return true;
	s->memory = SW_GROW(s->w->lists, s->w->holder, s->count, s->w->holder_room, 64);
	if (!s->memory)
		return false;
	s->w->holder[s->count++] = holder_of(s, unit, box);
	return true;
}

static bool before(const holder *a, const holder *b)
{
	if (a->distance != b->distance)
		return a->distance < b->distance;
	if (a->source != b->source)
		return a->source < b->source;
	return a->offset != b->offset ? a->offset < b->offset : a->box < b->box;
}

static bool see_nearest(void *user, int64_t unit, const int64_t *box)
{
	search *s = user;
	holder one;

	if (unit == s->unit)
		return true;
	one = holder_of(s, unit, box);
	if (s->nearest.box == NULL || before(&one, &s->nearest))
		s->nearest = one;
	return true;
}

/* The nearest of those from number k on comes to number k. */
static void bring_nearest(search *s, int k)
{
	int best = k;

	for (int n = k + 1; n < s->count; n++)
		if (before(&s->w->holder[n], &s->w->holder[best]))
			best = n;
	holder one = s->w->holder[best];
	s->w->holder[best] = s->w->holder[k];
	s->w->holder[k] = one;
}

/* Takes from one holder what is missing and in the box. */
static bool take(search *s, const holder *from, sw_box_list *missing)
{
	int64_t both[2 * SW_MAX_DIMS];

	for (int k = 0; k < missing->count; k++)
		if (sw_bounds_meet(missing->at + (int64_t)k * 2 * missing->rank, from->box, missing->rank, both)) {
			if (!send(s->w, s->fetch, (sw_schedule_source)from->source, from->unit, s->unit, both))
				return false;
			s->w->message[s->w->count - 1].distance = from->distance;
		}
	return sw_box_list_minus(missing, from->box);
}

/* What is known of a fetch in a step. */
typedef struct fetching {
	int fetch, up; /* up: the fetch of the same array whose copy is in the node; -1: there is none */
	int64_t up_units;
	sw_box_table now, old, above;
	sw_box_index old_index;
	const sw_box_index *home;
	bool has_old;
} fetching;

static bool from_copy(search *s, const fetching *f, sw_box_list *missing)
{
	const struct sw_lowered *lowered = s->w->lowered;
	const sw_fetch *up = &lowered->fetch[f->up];
	int64_t node = s->unit / (lowered->units[s->level] / f->up_units);
	sw_boxes copy = sw_box_table_of(&f->above, node), home = sw_lowered_home(lowered, up->array, up->level, node);

	if (sw_boxes_inside(&copy, &home, s->w->scratch))
		return true;
	for (int k = 0; k < copy.count; k++) {
		holder one = {.unit = SW_NODE_COPY, .box = copy.at + (int64_t)k * 2 * copy.rank, .source = SW_SOURCE_COPY};
		if (!take(s, &one, missing))
			return false;
	}
	return true;
}

/* Calls `use` with all that have some of a box. */
static void visit_holders(search *s, const fetching *f, const int64_t *box, sw_box_use use)
{
	s->source = SW_SOURCE_USED;
	if (f->has_old && !sw_box_index_visit(&f->old_index, box, use, s))
		return;
	s->source = SW_SOURCE_HOME;
	sw_box_index_visit(f->home, box, use, s);
}

static bool find_holders(search *s, const fetching *f, const sw_box_list *missing)
{
	s->memory = true;
	for (int k = 0; k < missing->count && s->memory; k++)
		visit_holders(s, f, missing->at + (int64_t)k * 2 * missing->rank, add_holder);
	return s->memory;
}

/* Is all of it there, as one sees where there is one box of each at most? */
static bool is_there(const sw_boxes *need, const sw_boxes *home, const sw_boxes *old)
{
	if (need->count != 1)
		return need->count == 0;
	return (home->count == 1 && sw_bounds_inside(need->at, home->at, need->rank)) ||
		(old->count == 1 && sw_bounds_inside(need->at, old->at, need->rank));
}

static bool add_missing(const sw_boxes *need, const sw_boxes *home, const sw_boxes *old, sw_box_list *missing)
{
	bool done = true;

	for (int k = 0; k < need->count && done; k++)
		done = sw_box_list_add_copy(missing, need->at + (int64_t)k * 2 * need->rank);
	for (int k = 0; k < home->count && done && missing->count > 0; k++)
		done = sw_box_list_minus(missing, home->at + (int64_t)k * 2 * home->rank);
	for (int k = 0; k < old->count && done && missing->count > 0; k++)
		done = sw_box_list_minus(missing, old->at + (int64_t)k * 2 * old->rank);
	return done;
}

/* Has a unit nothing of a box? */
static bool lacks_all(const sw_boxes *has, const int64_t *box)
{
	return has->count == 0 || (has->count == 1 && sw_bounds_common(has->at, box, has->rank) == 0);
}

/* Takes one box whole from the nearest, where that has all of it.  false: it has not. */
static bool fetch_whole(search *s, const fetching *f, const int64_t *box, bool *memory)
{
	s->nearest.box = NULL;
	visit_holders(s, f, box, see_nearest);
	if (s->nearest.box == NULL || !sw_bounds_inside(box, s->nearest.box, f->now.list.rank))
		return false;
	*memory = send(s->w, s->fetch, (sw_schedule_source)s->nearest.source, s->nearest.unit, s->unit, box);
	if (*memory)
		s->w->message[s->w->count - 1].distance = s->nearest.distance;
	return true;
}

static bool fetch_unit(writer *w, const fetching *f, int64_t unit)
{
	const sw_fetch *fetch = &w->lowered->fetch[f->fetch];
	search s = {.w = w, .fetch = f->fetch, .level = fetch->level, .unit = unit};
	sw_boxes need = sw_box_table_of(&f->now, unit),
			 home = sw_lowered_home(w->lowered, fetch->array, fetch->level, unit);
	sw_boxes old = {need.rank, 0, NULL};
	sw_box_list *missing = &w->missing;
	bool memory;

	if (f->old.first != NULL)
		old = sw_box_table_of(&f->old, unit);
	if (is_there(&need, &home, &old))
		return true;
	if (need.count == 1 && f->up < 0 && lacks_all(&home, need.at) && lacks_all(&old, need.at) &&
		fetch_whole(&s, f, need.at, &memory))
		return memory;
	missing->count = 0;
	if (!add_missing(&need, &home, &old, missing))
		return false;
	if (missing->count > 0 && f->up >= 0 && !from_copy(&s, f, missing))
		return false;
	if (missing->count > 0 && !find_holders(&s, f, missing))
		return false;
	for (int k = 0; k < s.count && missing->count > 0; k++) {
		bring_nearest(&s, k);
		if (!take(&s, &w->holder[k], missing))
			return false;
	}
	return true;
}

/* The fetch of the same array at the next level outside. */
static int fetch_above(const struct sw_lowered *lowered, int fetch)
{
	if (fetch > 0 && lowered->fetch[fetch - 1].array == lowered->fetch[fetch].array)
		return fetch - 1;
	return -1;
}

static bool fetch_all(writer *w, int fetch, int64_t step)
{
	const struct sw_lowered *lowered = w->lowered;
	const sw_fetch *is = &lowered->fetch[fetch];
	fetching f = {.fetch = fetch,
		.up = fetch_above(lowered, fetch),
		.home = &lowered->home_index[is->array * (lowered->levels + 1) + is->level]};

	if (!sw_lowered_needs(lowered, fetch, step, w->scratch, &f.now))
		return false;
	if (step > 0 && !sw_lowered_needs(lowered, fetch, step - is->every, w->scratch, &f.old))
		return false;
	f.has_old = step > 0 && !lowered->schedule->problem->from_home;
	if (f.has_old && !sw_box_index_of(&f.old, w->scratch, &f.old_index))
		return false;
	if (f.up >= 0) {
		const sw_fetch *up = &lowered->fetch[f.up];
		f.up_units = lowered->units[up->level];
		if (!sw_lowered_needs(lowered, f.up, step - step % up->every, w->scratch, &f.above))
			return false;
	}
	w->missing = (sw_box_list){.arena = w->lists, .rank = lowered->formula->array[is->array].rank};
	for (int64_t unit = 0; unit < f.now.units; unit++) {
		sw_arena_mark mark = sw_arena_here(w->scratch);
		if (!fetch_unit(w, &f, unit))
			return false;
		sw_arena_back(w->scratch, mark);
	}
	return true;
}

/* ---- the left side ---- */

typedef struct giving {
	writer *w;
	int64_t from, node; /* a processor, or a node's copy; the node that it is in */
	const int64_t *box;
	bool copy;
	bool memory;
} giving;

/* Gives an owner what it has of the box. */
static bool give_owner(void *user, int64_t owner, const int64_t *home)
{
	giving *g = user;
	const struct sw_lowered *lowered = g->w->lowered;
	int64_t both[2 * SW_MAX_DIMS], unused;
	int rank = lowered->formula->array[0].rank;

	if (!sw_bounds_meet(g->box, home, rank, both) || (!g->copy && owner == g->from))
		return true;
	int level = lowered->levels, fetch = lowered->out;
	int64_t from = g->from, to = owner;
	if (g->copy) {
		int64_t inside = lowered->units[level] / lowered->units[lowered->fetch[lowered->copy].level];
		bool away = owner / inside != g->node;
		from = away ? g->node : SW_NODE_COPY;
		to = away ? owner / inside : owner;
		fetch = away ? lowered->copy : lowered->out;
		level = lowered->fetch[fetch].level;
	}
	g->memory = send(g->w, fetch, SW_SOURCE_SUM, from, to, both);
	if (!g->memory)
		return false;
	g->w->message[g->w->count - 1].owner = owner;
	if (from >= 0)
		g->w->message[g->w->count - 1].distance = hops(lowered, level, from, to, &unused);
	return true;
}

static bool give_owners(giving *g, const sw_box_list *boxes)
{
	const struct sw_lowered *lowered = g->w->lowered;

	g->memory = true;
	for (int k = 0; k < boxes->count && g->memory; k++) {
		g->box = boxes->at + (int64_t)k * 2 * boxes->rank;
		sw_box_index_visit(&lowered->home_index[lowered->levels], g->box, give_owner, g);
	}
	return g->memory;
}

/* What processors give away before a step, or behind the last one: to their node's copy, or to the owners. */
static bool give_processors(writer *w, int64_t step)
{
	const struct sw_lowered *lowered = w->lowered;

	if (step == 0 || (step < lowered->steps && !sw_fetch_begins(&lowered->fetch[lowered->out], step)))
		return true;
	for (int64_t processor = 0; processor < lowered->units[lowered->levels]; processor++) {
		sw_arena_mark mark = sw_arena_here(w->scratch);
		sw_box_list boxes = {.arena = w->scratch, .rank = lowered->formula->array[0].rank};
		giving g = {.w = w, .from = processor};
		bool done = sw_lowered_given(lowered, step, processor, &boxes);
		for (int k = 0; k < boxes.count && done && lowered->copy >= 0; k++)
			done = send(w, lowered->out, SW_SOURCE_SUM, processor, SW_NODE_COPY,
				boxes.at + (int64_t)k * 2 * boxes.rank);
		if (!done || (lowered->copy < 0 && !give_owners(&g, &boxes)))
			return false;
		sw_arena_back(w->scratch, mark);
	}
	return true;
}

/* What the copies of nodes give to the owners as they go on to other boxes. */
static bool give_copies(writer *w, int64_t step)
{
	const struct sw_lowered *lowered = w->lowered;
	const sw_fetch *fetch = &lowered->fetch[lowered->copy];
	bool last = step == lowered->steps;

	for (int64_t node = 0; node < lowered->units[fetch->level]; node++) {
		sw_arena_mark mark = sw_arena_here(w->scratch);
		sw_box_list old = {.arena = w->scratch, .rank = lowered->formula->array[0].rank}, now = old;
		giving g = {.w = w, .node = node, .copy = true};
		if (!sw_lowered_copy(lowered, step - 1, INT64_MAX, node, &old) ||
			(!last && !sw_lowered_need_at(lowered, lowered->copy, step, node, &now)))
			return false;
		sw_boxes was = {old.rank, old.count, old.at}, is = {now.rank, now.count, now.at};
		if ((last || !sw_boxes_equal(&was, &is)) && !give_owners(&g, &old))
			return false;
		sw_arena_back(w->scratch, mark);
	}
	return true;
}

static bool give_all(writer *w, int64_t step)
{
	const struct sw_lowered *lowered = w->lowered;
	bool goes_on = step > 0 && lowered->copy >= 0 && sw_fetch_begins(&lowered->fetch[lowered->copy], step);

	if ((goes_on && !give_copies(w, step)) || !give_processors(w, step))
		return false;
	if (step + 1 < lowered->steps)
		return true;
	w->behind = true;
	return give_processors(w, step + 1) && (lowered->copy < 0 || give_copies(w, step + 1));
}

/* ---- the whole ---- */

bool sw_lowering_messages(const sw_lowering *lowering, int64_t step, sw_arena *arena, sw_schedule_messages *messages)
{
	const struct sw_lowered *lowered = lowering->in;
	writer w = {.lowered = lowered,
		.arena = arena,
		.scratch = sw_arena_new(),
		.lists = sw_arena_new(),
		.least = lowered->units[lowered->levels] < LEAST ? (int)lowered->units[lowered->levels] : LEAST};
	bool done = w.scratch != NULL && w.lists != NULL;

	assert(step >= 0 && step < lowering->steps);
	for (int level = 1; level <= lowered->levels; level++)
		for (int fetch = 0; fetch < lowered->fetches && done; fetch++)
			if (lowered->fetch[fetch].level == level && lowered->fetch[fetch].array != 0 &&
				sw_fetch_begins(&lowered->fetch[fetch], step))
				done = fetch_all(&w, fetch, step);
	int ins = w.count;
	done = done && give_all(&w, step);
	sw_arena_free(w.scratch);
	sw_arena_free(w.lists);
	*messages = (sw_schedule_messages){w.count, w.count - ins, w.message};
	return done;
}
