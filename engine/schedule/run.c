/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A schedule run on virtual processors: elements move as messages say, and each step is computed from what is there.
 *
 * Every unit stores its homes, and boxes beside them.  What a message carries has to be where it comes from, what a step needs has to be there
 * before it, and each point is computed once; else the run ends.
 */
#include "schedule/lower.h"

#include <inttypes.h>
#include <string.h>

#include "program/formula.h"
#include "program/formula_run.h"

/* ---- data ---- */

static uint64_t splitmix64(uint64_t seed)
{
	uint64_t z = seed + UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

int64_t sw_schedule_datum(int64_t array, int64_t element)
{
	return (int64_t)(splitmix64((uint64_t)element + ((uint64_t)array << 32)) % 7) - 3;
}

/* ---- boxes with values ---- */

/* Boxes of an array, their values one after the other, row-major. */
typedef struct store {
	sw_boxes boxes;
	int64_t size;
	int64_t *value;
	bool *there; /* of each value; NULL: all are */
} store;

static const int64_t *box_of(const store *s, int k)
{
	return s->boxes.at + (int64_t)k * 2 * s->boxes.rank;
}

static bool make_store(const sw_boxes *boxes, bool fill, sw_arena *arena, store *s)
{
	*s = (store){*boxes, sw_boxes_size(boxes), NULL, NULL};
	s->value = SW_NEW_ZERO(arena, int64_t, s->size);
	s->there = fill ? SW_NEW_ZERO(arena, bool, s->size) : NULL;
	return s->value != NULL && (!fill || s->there != NULL);
}

/* Where an element of box k is. */
static int64_t place_in(const int64_t *box, int rank, const int64_t *index)
{
	int64_t at = 0;

	for (int d = 0; d < rank; d++)
		at = at * (box[2 * d + 1] - box[2 * d]) + index[d] - box[2 * d];
	return at;
}

/* The next element of a box; false: there is none. */
static bool next_in(const int64_t *box, int rank, int64_t *index)
{
	for (int d = rank - 1; d >= 0; d--) {
		if (++index[d] < box[2 * d + 1])
			return true;
		index[d] = box[2 * d];
	}
	return false;
}

/* Copies, or adds, the elements of `part` from one box to another, both of which have it. */
typedef struct copying {
	const int64_t *from_box, *to_box;
	const int64_t *from;
	const bool *from_there;
	int64_t *to;
	bool *to_there;
	bool adds;
} copying;

static bool copy_part(const copying *c, const int64_t *part, int rank)
{
	int64_t index[SW_MAX_DIMS];

	for (int d = 0; d < rank; d++)
		index[d] = part[2 * d];
	do {
		int64_t from = place_in(c->from_box, rank, index), to = place_in(c->to_box, rank, index);
		if (c->from_there != NULL && !c->from_there[from])
			return false;
		c->to[to] = c->from[from] + (c->adds ? c->to[to] : 0);
		if (c->to_there != NULL)
			c->to_there[to] = true;
	} while (next_in(part, rank, index));
	return true;
}

/* Copies what both stores have of a box (NULL: of everything); *count is how much. */
static bool copy_common(const store *from, const store *to, const int64_t *box, bool adds, int64_t *count)
{
	int rank = to->boxes.rank;
	int64_t part[2 * SW_MAX_DIMS], both[2 * SW_MAX_DIMS], from_at = 0;

	*count = 0;
	for (int i = 0; i < from->boxes.count; i++) {
		int64_t to_at = 0;
		for (int k = 0; k < to->boxes.count; k++) {
			copying c = {box_of(from, i), box_of(to, k), from->value + from_at,
				from->there ? from->there + from_at : NULL, to->value + to_at, to->there ? to->there + to_at : NULL,
				adds};
			to_at += sw_bounds_size(c.to_box, rank);
			if (!sw_bounds_meet(c.from_box, c.to_box, rank, part) ||
				(box != NULL && !sw_bounds_meet(part, box, rank, both)))
				continue;
			if (!copy_part(&c, box != NULL ? both : part, rank))
				return false;
			*count += sw_bounds_size(box != NULL ? both : part, rank);
		}
		from_at += sw_bounds_size(box_of(from, i), rank);
	}
	return true;
}

/* ---- the machine ---- */

/* What all units of a level have of an array, now and before, beside their homes. */
typedef struct side {
	sw_arena *arena[2]; /* of what is there now, and of what was */
	store *now, *old;
} side;

typedef struct machine {
	const sw_lowering *lowering;
	const struct sw_lowered *lowered;
	sw_arena *arena, *scratch;
	sw_diag *diag;
	store **home; /* of each array: of each processor */
	side *side;   /* of each fetch */
	int64_t step, points;
	bool *seen; /* of each point; NULL: they are too many */
	sw_schedule_messages messages;
} machine;

static bool refuse(machine *m, int fetch, int64_t unit, const char *what)
{
	sw_str name = m->lowered->formula->array[m->lowered->fetch[fetch].array].name;

	return sw_diag_set(m->diag, SW_P04, (sw_span){0, 0}, "step %" PRId64 ": unit %" PRId64 " %s of '%.*s'",
		m->step + 1, unit, what, SW_STR_ARGS(name));
}

static int64_t units_of(const machine *m, int fetch)
{
	return m->lowered->units[m->lowered->fetch[fetch].level];
}

static int rank_of(const machine *m, int fetch)
{
	return m->lowered->formula->array[m->lowered->fetch[fetch].array].rank;
}

/* ---- homes ---- */

static int64_t row_major(const sw_formula_array *array, const int64_t *index)
{
	int64_t at = 0;

	for (int d = 0; d < array->rank; d++)
		at = at * array->size[d] + index[d];
	return at;
}

static void fill_home(const machine *m, int array, store *home)
{
	const sw_formula_array *is = &m->lowered->formula->array[array];
	int64_t index[SW_MAX_DIMS], at = 0;

	if (array == 0 && !m->lowered->formula->adds)
		return;
	for (int k = 0; k < home->boxes.count; k++) {
		for (int d = 0; d < is->rank; d++)
			index[d] = box_of(home, k)[2 * d];
		do
			home->value[at++] = sw_schedule_datum(array, row_major(is, index));
		while (next_in(box_of(home, k), is->rank, index));
	}
}

static bool make_homes(machine *m)
{
	int arrays = m->lowered->formula->arrays;
	int64_t processors = m->lowered->units[m->lowered->levels];

	m->home = SW_NEW_ZERO(m->arena, store *, arrays);
	m->side = SW_NEW_ZERO(m->arena, side, m->lowered->fetches);
	if (m->home == NULL || m->side == NULL)
		return false;
	for (int array = 0; array < arrays; array++) {
		m->home[array] = SW_NEW_ZERO(m->arena, store, processors);
		for (int64_t p = 0; p < processors && m->home[array] != NULL; p++) {
			sw_boxes home = sw_lowered_home(m->lowered, array, m->lowered->levels, p);
			if (!make_store(&home, false, m->arena, &m->home[array][p]))
				return false;
			fill_home(m, array, &m->home[array][p]);
		}
		if (m->home[array] == NULL)
			return false;
	}
	for (int fetch = 0; fetch < m->lowered->fetches; fetch++)
		for (int k = 0; k < 2; k++) {
			m->side[fetch].arena[k] = sw_arena_new();
			if (m->side[fetch].arena[k] == NULL)
				return false;
		}
	return true;
}

static void free_sides(machine *m)
{
	for (int fetch = 0; m->side != NULL && fetch < m->lowered->fetches; fetch++)
		for (int k = 0; k < 2; k++)
			sw_arena_free(m->side[fetch].arena[k]);
}

/* What was there now is there from before, and new stores are made for what is needed. */
static bool turn_side(machine *m, int fetch)
{
	side *s = &m->side[fetch];
	sw_arena *arena = s->arena[1];
	int64_t units = units_of(m, fetch);

	s->arena[1] = s->arena[0];
	s->arena[0] = arena;
	sw_arena_clear(arena);
	s->old = s->now;
	s->now = SW_NEW_ZERO(arena, store, units);
	for (int64_t unit = 0; unit < units && s->now != NULL; unit++) {
		sw_box_list list = {.arena = arena, .rank = rank_of(m, fetch)};
		bool known = fetch == m->lowered->copy ? sw_lowered_copy(m->lowered, m->step, INT64_MAX, unit, &list) :
												 sw_lowered_need_at(m->lowered, fetch, m->step, unit, &list);
		sw_boxes boxes = {list.rank, list.count, list.at};
		if (!known || !make_store(&boxes, m->lowered->fetch[fetch].array != 0, arena, &s->now[unit]))
			return false;
	}
	return s->now != NULL;
}

/* ---- inputs ---- */

/* What a unit of any level has at home is what processors in it have. */
static bool copy_home(machine *m, int fetch, int64_t unit, const store *to, const int64_t *box)
{
	const sw_fetch *is = &m->lowered->fetch[fetch];
	int64_t inside = m->lowered->units[m->lowered->levels] / units_of(m, fetch), count;

	for (int64_t p = unit * inside; p < (unit + 1) * inside; p++)
		if (!copy_common(&m->home[is->array][p], to, box, false, &count))
			return false;
	return true;
}

static bool take_own(machine *m, int fetch)
{
	side *s = &m->side[fetch];
	int64_t count;

	for (int64_t unit = 0; unit < units_of(m, fetch); unit++)
		if (!copy_home(m, fetch, unit, &s->now[unit], NULL) ||
			(s->old != NULL && !copy_common(&s->old[unit], &s->now[unit], NULL, false, &count)))
			return refuse(m, fetch, unit, "lost an element");
	return true;
}

/* Brings what a message carries from where it says that it is. */
static bool deliver(machine *m, const sw_schedule_message *message)
{
	int fetch = message->fetch, up = fetch - 1;
	store *to = &m->side[fetch].now[message->to];
	int64_t count = 0;

	if (message->source == SW_SOURCE_HOME) {
		const sw_boxes home = sw_lowered_home(m->lowered, m->lowered->fetch[fetch].array,
			m->lowered->fetch[fetch].level, message->from);
		sw_boxes box = {home.rank, 1, message->box};
		if (!sw_boxes_inside(&box, &home, m->scratch))
			return refuse(m, fetch, message->from, "sends what it does not own");
		return copy_home(m, fetch, message->from, to, message->box);
	}
	const store *from = message->source == SW_SOURCE_COPY ?
		&m->side[up].now[message->to / (units_of(m, fetch) / units_of(m, up))] :
		&m->side[fetch].old[message->from];
	if (!copy_common(from, to, message->box, false, &count) || count != message->elements)
		return refuse(m, fetch, message->from, "sends what it does not have");
	return true;
}

static bool check_there(machine *m, int fetch)
{
	for (int64_t unit = 0; unit < units_of(m, fetch); unit++) {
		const store *s = &m->side[fetch].now[unit];
		for (int64_t k = 0; k < s->size; k++)
			if (!s->there[k])
				return refuse(m, fetch, unit, "lacks an element that it needs");
	}
	return true;
}

static bool fetch_inputs(machine *m)
{
	for (int level = 1; level <= m->lowered->levels; level++)
		for (int fetch = 0; fetch < m->lowered->fetches; fetch++) {
			const sw_fetch *is = &m->lowered->fetch[fetch];
			if (is->array == 0 || is->level != level || !sw_fetch_begins(is, m->step))
				continue;
			if (!turn_side(m, fetch))
				return sw_diag_memory(m->diag);
			if (!take_own(m, fetch))
				return false;
			for (int64_t k = 0; k < m->messages.count - m->messages.outs; k++)
				if (m->messages.message[k].fetch == fetch && !deliver(m, &m->messages.message[k]))
					return false;
			if (!check_there(m, fetch))
				return false;
		}
	return true;
}

/* ---- the left side ---- */

/* Where the box of a store begins that is this one; -1: none is. */
static int64_t find_box(const store *s, const int64_t *box)
{
	int64_t at = 0;

	for (int k = 0; k < s->boxes.count; k++) {
		if (memcmp(box_of(s, k), box, sizeof *box * 2 * (size_t)s->boxes.rank) == 0)
			return at;
		at += sw_bounds_size(box_of(s, k), s->boxes.rank);
	}
	return -1;
}

/* A processor's terms of a box come to the copy of its node. */
static bool give_to_copy(machine *m, const store *from, const sw_schedule_message *message)
{
	int64_t node = message->from / (units_of(m, m->lowered->out) / units_of(m, m->lowered->copy)), count;
	const store *copy = &m->side[m->lowered->copy].now[node];
	int64_t at = find_box(copy, message->box);
	store one = {{copy->boxes.rank, 1, message->box}, message->elements, copy->value + at, NULL};

	if (at < 0 || !copy_common(from, &one, message->box, true, &count) || count != message->elements)
		return refuse(m, m->lowered->copy, node, "has no room for terms");
	return true;
}

/* What processors send of the left side at this moment. */
static bool give_terms(machine *m, bool behind)
{
	int64_t count;

	for (int64_t k = m->messages.count - m->messages.outs; k < m->messages.count; k++) {
		const sw_schedule_message *message = &m->messages.message[k];
		if (message->behind != behind || message->fetch != m->lowered->out || message->from < 0)
			continue;
		const store *from = &m->side[m->lowered->out].now[message->from];
		if (message->to == SW_NODE_COPY) {
			if (!give_to_copy(m, from, message))
				return false;
		} else if (!copy_common(from, &m->home[0][message->owner], message->box, true, &count) ||
			count != message->elements)
			return refuse(m, m->lowered->out, message->from, "sends terms that it does not have");
	}
	return true;
}

/* Do a unit's boxes of the left side end before this step? */
static bool ends(machine *m, int fetch, int64_t unit, int64_t step, bool *end)
{
	sw_box_list old = {.arena = m->scratch, .rank = rank_of(m, fetch)}, now = old;

	*end = step == m->lowered->steps;
	if (*end)
		return true;
	if (fetch == m->lowered->copy ? !sw_lowered_copy(m->lowered, step - 1, INT64_MAX, unit, &old) :
									!sw_lowered_need_at(m->lowered, fetch, step - 1, unit, &old))
		return sw_diag_memory(m->diag);
	if (!sw_lowered_need_at(m->lowered, fetch, step, unit, &now))
		return sw_diag_memory(m->diag);
	sw_boxes was = {old.rank, old.count, old.at}, is = {now.rank, now.count, now.at};
	*end = !sw_boxes_equal(&was, &is);
	return true;
}

/* What a processor keeps of its own terms: all where it is summed in place, else what of it is at its home and passes by no copy. */
static bool keep_own(machine *m, int64_t processor, int64_t step)
{
	sw_box_list given = {.arena = m->scratch, .rank = rank_of(m, m->lowered->out)};
	int64_t count;

	if (!sw_lowered_given(m->lowered, step, processor, &given))
		return sw_diag_memory(m->diag);
	if (given.count > 0 && m->lowered->copy >= 0)
		return true;
	return copy_common(&m->side[m->lowered->out].now[processor], &m->home[0][processor], NULL, true, &count);
}

static void clear_store(store *s)
{
	memset(s->value, 0, (size_t)s->size * sizeof *s->value);
}

static bool end_processors(machine *m, int64_t step)
{
	bool end;

	if (!give_terms(m, step == m->lowered->steps))
		return false;
	for (int64_t p = 0; p < units_of(m, m->lowered->out); p++) {
		if (!ends(m, m->lowered->out, p, step, &end))
			return false;
		if (end && !keep_own(m, p, step))
			return false;
		if (end)
			clear_store(&m->side[m->lowered->out].now[p]);
	}
	return true;
}

/* What a node's copy gives away comes to all homes; as much has to be sent. */
static bool end_copy(machine *m, int64_t node, bool behind)
{
	store *copy = &m->side[m->lowered->copy].now[node];
	int64_t inside = units_of(m, m->lowered->out) / units_of(m, m->lowered->copy), sent = 0, added = 0, count;

	for (int64_t k = m->messages.count - m->messages.outs; k < m->messages.count; k++) {
		const sw_schedule_message *message = &m->messages.message[k];
		if (message->behind == behind && message->owner >= 0 &&
			(message->from >= 0 ? message->from : message->owner / inside) == node)
			sent += message->elements;
	}
	for (int64_t p = 0; p < units_of(m, m->lowered->out); p++) {
		if (!copy_common(copy, &m->home[0][p], NULL, true, &count))
			return false;
		added += count;
	}
	clear_store(copy);
	return sent == added || refuse(m, m->lowered->copy, node, "has more terms left than it sends");
}

static bool end_copies(machine *m, int64_t step)
{
	bool end;

	for (int64_t node = 0; node < units_of(m, m->lowered->copy); node++) {
		if (!ends(m, m->lowered->copy, node, step, &end))
			return false;
		if (end && !end_copy(m, node, step == m->lowered->steps))
			return false;
	}
	return true;
}

/* New stores for the left side, with the terms that go on. */
static bool turn_sums(machine *m, int fetch)
{
	int64_t at, to;

	if (!turn_side(m, fetch))
		return sw_diag_memory(m->diag);
	side *s = &m->side[fetch];
	for (int64_t unit = 0; unit < units_of(m, fetch) && s->old != NULL; unit++) {
		at = 0;
		for (int k = 0; k < s->old[unit].boxes.count; k++) {
			int64_t size = sw_bounds_size(box_of(&s->old[unit], k), s->old[unit].boxes.rank);
			to = find_box(&s->now[unit], box_of(&s->old[unit], k));
			for (int64_t n = 0; n < size && to >= 0; n++)
				s->now[unit].value[to + n] += s->old[unit].value[at + n];
			at += size;
		}
	}
	return true;
}

static bool begin_sums(machine *m)
{
	const struct sw_lowered *lowered = m->lowered;

	if (lowered->copy >= 0 && sw_fetch_begins(&lowered->fetch[lowered->copy], m->step)) {
		if (m->step > 0 && !end_copies(m, m->step))
			return false;
		if (!turn_sums(m, lowered->copy))
			return false;
	}
	if (!sw_fetch_begins(&lowered->fetch[lowered->out], m->step))
		return true;
	return (m->step == 0 || end_processors(m, m->step)) && turn_sums(m, lowered->out);
}

static bool end_sums(machine *m)
{
	return end_processors(m, m->lowered->steps) && (m->lowered->copy < 0 || end_copies(m, m->lowered->steps));
}

/* ---- computing ---- */

/* A store as formulas are run on it. */
static bool local_of(const store *s, sw_arena *arena, sw_local *local)
{
	int rank = s->boxes.rank;
	sw_local_part *part = SW_NEW(arena, sw_local_part, s->boxes.count);
	int64_t at = 0;

	for (int k = 0; k < s->boxes.count && part != NULL; k++) {
		sw_indices *set = SW_NEW(arena, sw_indices, rank);
		sw_family *family = SW_NEW(arena, sw_family, rank);
		int64_t *step = SW_NEW(arena, int64_t, rank), next = 1;
		if (set == NULL || family == NULL || step == NULL)
			return false;
		for (int d = rank - 1; d >= 0; d--) {
			set[d] = sw_indices_range(box_of(s, k)[2 * d], box_of(s, k)[2 * d + 1], &family[d]);
			step[d] = next;
			next *= box_of(s, k)[2 * d + 1] - box_of(s, k)[2 * d];
		}
		part[k] = (sw_local_part){set, at, step};
		at += next;
	}
	*local = (sw_local){rank, s->boxes.count, part, s->size};
	return part != NULL;
}

/* Marks the points; false: one was there before. */
static bool mark_product(machine *m, const sw_indices *set, int letter, int64_t at)
{
	const sw_formula *formula = m->lowered->formula;

	if (letter == formula->letters) {
		bool twice = m->seen[at];
		m->seen[at] = true;
		return !twice;
	}
	for (int k = 0; k < set[letter].count; k++) {
		const sw_family *f = &set[letter].family[k];
		for (int64_t n = 0; n < f->count * f->run; n++)
			if (!mark_product(m, set, letter + 1,
					at * formula->size[letter] + f->first + n / f->run * f->step + n % f->run))
				return false;
	}
	return true;
}

static bool compute_on(machine *m, int64_t processor)
{
	const sw_formula *formula = m->lowered->formula;
	sw_stored *stored = SW_NEW_ZERO(m->scratch, sw_stored, formula->arrays);
	sw_local *local = SW_NEW_ZERO(m->scratch, sw_local, formula->arrays);
	sw_formula_work work = {formula, SW_I64, stored, m->side[m->lowered->out].now[processor].value};
	sw_region points;

	if (stored == NULL || local == NULL || !sw_lowering_points(m->lowering, m->step, processor, m->scratch, &points))
		return sw_diag_memory(m->diag);
	m->points += sw_region_size(&points);
	for (int k = 0; k < points.count && m->seen != NULL; k++)
		if (!mark_product(m, &points.set[k * formula->letters], 0, 0))
			return refuse(m, m->lowered->out, processor, "computes a point that was computed before");
	for (int fetch = 0; fetch < m->lowered->fetches; fetch++) {
		const store *s = &m->side[fetch].now[m->lowered->fetch[fetch].level == m->lowered->levels ? processor : 0];
		int array = m->lowered->fetch[fetch].array;
		if (m->lowered->fetch[fetch].level < m->lowered->levels)
			continue;
		if (!local_of(s, m->scratch, &local[array]))
			return sw_diag_memory(m->diag);
		stored[array] = (sw_stored){array == 0 ? NULL : s->value, &local[array]};
	}
	return points.count == 0 || sw_formula_run(&work, &points, m->scratch) || sw_diag_memory(m->diag);
}

static bool run_step(machine *m)
{
	sw_arena_clear(m->scratch);
	if (!sw_lowering_messages(m->lowering, m->step, m->scratch, &m->messages))
		return sw_diag_memory(m->diag);
	if (!begin_sums(m) || !fetch_inputs(m))
		return false;
	for (int64_t p = 0; p < m->lowered->units[m->lowered->levels]; p++) {
		sw_arena_mark mark = sw_arena_here(m->scratch);
		if (!compute_on(m, p))
			return false;
		sw_arena_back(m->scratch, mark);
	}
	return m->step + 1 < m->lowered->steps || end_sums(m);
}

/* ---- the result ---- */

static void add_element(sw_schedule_result *result, int64_t element, int64_t value)
{
	result->sum += value;
	result->checksum += value * (1 + element % 97);
	if (element < SW_SCHEDULE_FIRST) {
		result->first[element] = value;
		result->firsts = element + 1 > result->firsts ? (int)element + 1 : result->firsts;
	}
}

static int64_t elements_of(const sw_formula_array *array)
{
	int64_t elements = 1;

	for (int d = 0; d < array->rank; d++)
		elements *= array->size[d];
	return elements;
}

/* Reads the left side from its homes, which have to agree. */
static bool read_result(machine *m, sw_schedule_result *result)
{
	const sw_formula_array *array = &m->lowered->formula->array[0];
	int64_t elements = elements_of(array);
	store whole = {.boxes = {array->rank, 1, NULL}, .size = elements};
	int64_t box[2 * SW_MAX_DIMS], count;

	for (int d = 0; d < array->rank; d++) {
		box[2 * d] = 0;
		box[2 * d + 1] = array->size[d];
	}
	whole.boxes.at = box;
	whole.value = SW_NEW_ZERO(m->arena, int64_t, elements);
	whole.there = SW_NEW_ZERO(m->arena, bool, elements);
	if (whole.value == NULL || whole.there == NULL)
		return sw_diag_memory(m->diag);
	for (int64_t p = m->lowered->units[m->lowered->levels] - 1; p >= 0; p--) {
		const store *home = &m->home[0][p];
		if (!copy_common(home, &whole, NULL, false, &count))
			return false;
	}
	for (int64_t p = 0; p < m->lowered->units[m->lowered->levels]; p++) {
		store again;
		if (!make_store(&m->home[0][p].boxes, false, m->scratch, &again) ||
			!copy_common(&whole, &again, NULL, false, &count))
			return sw_diag_memory(m->diag);
		if (memcmp(again.value, m->home[0][p].value, (size_t)again.size * sizeof *again.value) != 0)
			return refuse(m, m->lowered->out, p, "has values that differ from those of another owner");
	}
	for (int64_t k = 0; k < elements; k++) {
		if (!whole.there[k])
			return refuse(m, m->lowered->out, 0, "and no other has an element");
		add_element(result, k, whole.value[k]);
	}
	return true;
}

static bool check_points(machine *m)
{
	const sw_formula *formula = m->lowered->formula;
	int64_t points = 1;

	for (int letter = 0; letter < formula->letters; letter++)
		points *= formula->size[letter];
	if (m->points == points)
		return true;
	return sw_diag_set(m->diag, SW_P04, (sw_span){0, 0}, "%" PRId64 " points were computed, of %" PRId64, m->points,
		points);
}

static bool run(machine *m, const sw_pulse *pulse, sw_schedule_result *result)
{
	const sw_formula *formula = m->lowered->formula;
	int64_t points = 1;

	if (!make_homes(m))
		return sw_diag_memory(m->diag);
	for (int letter = 0; letter < formula->letters && points <= INT64_C(1) << 24; letter++)
		points = formula->size[letter] > INT64_C(1) << 24 ? INT64_MAX : points * formula->size[letter];
	m->seen = points <= INT64_C(1) << 24 ? SW_NEW_ZERO(m->arena, bool, points) : NULL;
	for (m->step = 0; m->step < m->lowered->steps; m->step++) {
		if (!run_step(m))
			return false;
		if (!sw_pulse_beat(pulse, "steps", m->step, m->lowered->steps))
			return sw_diag_set(m->diag, SW_S03, (sw_span){0, 0}, "stopped after %" PRId64 " of %" PRId64 " steps",
				m->step, m->lowered->steps);
	}
	m->step--;
	result->points = m->points;
	return check_points(m) && read_result(m, result);
}

bool sw_lowering_run(const sw_lowering *lowering, const sw_pulse *pulse, sw_arena *arena, sw_schedule_result *result,
	sw_diag *diag)
{
	sw_arena_mark mark = sw_arena_here(arena);
	machine m = {.lowering = lowering,
		.lowered = lowering->in,
		.arena = arena,
		.scratch = sw_arena_new(),
		.diag = diag};
	sw_schedule_result out = {0};
	bool done = m.scratch != NULL ? run(&m, pulse, &out) : sw_diag_memory(diag);

	free_sides(&m);
	sw_arena_free(m.scratch);
	sw_arena_back(arena, mark);
	if (done)
		*result = out;
	return done;
}

/* ---- on one processor ---- */

bool sw_schedule_reference(const sw_schedule_problem *problem, sw_arena *arena, sw_schedule_result *result,
	sw_diag *diag)
{
	const sw_formula *formula = &problem->formula;
	sw_stored *stored = SW_NEW_ZERO(arena, sw_stored, formula->arrays);
	sw_local *local = SW_NEW_ZERO(arena, sw_local, formula->arrays), whole;
	sw_indices *set = SW_NEW(arena, sw_indices, formula->letters);
	sw_family *family = SW_NEW(arena, sw_family, formula->letters);
	sw_schedule_result out = {0};
	int64_t *made = NULL;

	if (stored == NULL || local == NULL || set == NULL || family == NULL)
		return sw_diag_memory(diag);
	for (int array = formula->arrays - 1; array >= 0; array--) {
		int64_t elements = elements_of(&formula->array[array]);
		made = SW_NEW_ZERO(arena, int64_t, elements);
		if (made == NULL || !sw_local_whole(formula->array[array].rank, formula->array[array].size, arena, &whole))
			return sw_diag_memory(diag);
		for (int64_t k = 0; k < elements && (array > 0 || formula->adds); k++)
			made[k] = sw_schedule_datum(array, k);
		local[array] = whole;
		stored[array] = (sw_stored){array == 0 ? NULL : made, &local[array]};
	}
	for (int letter = 0; letter < formula->letters; letter++)
		set[letter] = sw_indices_range(0, formula->size[letter], &family[letter]);
	sw_region points = {formula->letters, 1, set};
	sw_formula_work work = {formula, SW_I64, stored, made};
	if (!sw_formula_run(&work, &points, arena))
		return sw_diag_memory(diag);
	for (int64_t k = 0; k < elements_of(&formula->array[0]); k++)
		add_element(&out, k, made[k]);
	out.points = sw_region_size(&points);
	*result = out;
	return true;
}
