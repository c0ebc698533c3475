/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All steps of a schedule, added up.
 *
 * What is moved and kept follows processor by processor, whoever sends: what a processor needs at a fetch, without its home and what the fetch before
 * brought.  Who sends is worked out step by step, where it is asked for or levels count.
 *
 * Source: the rules of the cases: live memory is homes, buffers and workspaces, the most in any step.
 */
#include "schedule/lower.h"

#include <assert.h>
#include "program/formula.h"

/* The ranges of letters in a frame, on one processor: those that no loop in time changes stay. */
typedef struct ranges {
	const sw_frame *frame;
	bool stays[SW_MAX_LETTERS], none; /* none: a letter that stays has no value */
	int moves, move[SW_MAX_LETTERS];  /* the others */
	int64_t step;                     /* in which the others were worked out */
	bool empty;                       /* there are no points in it */
	sw_range range[SW_MAX_LETTERS];
} ranges;

/* What a processor has of one array, and had before. */
typedef struct slot {
	int fetch, array, rank;
	ranges *ranges;      /* NULL: they are of no use */
	int64_t every, left; /* steps until the next fetch */
	sw_box_list now, old;
	int64_t now_size, old_size; /* of buffers */
	bool now_given;             /* it makes terms of the left side that it gives away */
	bool changed;

	/* Of an input in one box, whose home is one at most: the product over the dimensions that stay of what is needed, and of what of that is at home.
	 * `now` has the ranges of the others. */
	bool boxed, there;
	int64_t still, still_home, missing;
	const int64_t *home;                /* NULL: it has none */
	int dims, dim[SW_MAX_DIMS];         /* those that change */
	const sw_range *range[SW_MAX_DIMS]; /* of each of them, in `ranges` */
} slot;

typedef struct adder {
	const struct sw_lowered *lowered;
	sw_arena *scratch;
	bool moves;                     /* what is moved is added up here */
	struct sw_letter_sums *letters; /* NULL: all steps are walked */
	int64_t *arriving;              /* of each array, on one processor */
	int slots;
	slot *slot;
	int64_t *volumes, *received, *peak, *overlap, *held, *flops;
	const int64_t *counts[SW_MAX_LETTERS]; /* of values of a letter on processors; NULL: counted each time */
	int64_t value[SW_MAX_VARIABLES];
	int64_t unit, step;
	const sw_pulse *pulse;
	bool works; /* the processor has points */
	bool failed, stopped, overflow;
} adder;

static void add_to(adder *a, int64_t *sum, int64_t more)
{
	a->overflow = __builtin_add_overflow(*sum, more, sum) || a->overflow;
}

/* ---- ranges ---- */

/* Does a loop in time change the range of a letter? */
static bool stays(const struct sw_lowered *lowered, const sw_frame *frame, int letter)
{
	const struct sw_frame_letter *is = &frame->letter[letter];
	bool moves = is->range == NULL;

	for (int k = 0; k < is->leaves; k++) {
		moves = moves || lowered->variable[is->leaf[k]].kind != SW_VARIABLE_LOOP;
		for (int n = 0; n < lowered->times; n++)
			moves = moves || lowered->time[n] == is->leaf[k];
	}
	return !moves;
}

/* Those of the slot before that has the same frame, or new ones. */
static bool find_ranges(adder *a, slot *s)
{
	const sw_frame *frame = a->lowered->frame[s->fetch];

	for (const slot *other = a->slot; other < s && s->ranges == NULL; other++)
		if (other->ranges != NULL && other->ranges->frame == frame)
			s->ranges = other->ranges;
	if (s->ranges != NULL)
		return true;
	s->ranges = SW_NEW_ZERO(a->scratch, ranges, 1);
	if (s->ranges == NULL)
		return false;
	s->ranges->frame = frame;
	for (int letter = 0; letter < a->lowered->formula->letters; letter++) {
		s->ranges->stays[letter] = stays(a->lowered, frame, letter);
		if (!s->ranges->stays[letter])
			s->ranges->move[s->ranges->moves++] = letter;
	}
	return true;
}

static void begin_ranges(const adder *a, ranges *r)
{
	r->step = -1;
	r->none = false;
	for (int letter = 0; letter < a->lowered->formula->letters; letter++)
		if (r->stays[letter]) {
			r->range[letter] = sw_frame_range(a->lowered, r->frame, letter, a->value);
			r->none = r->none || r->range[letter].low == r->range[letter].high;
		}
}

static void move_ranges(const adder *a, ranges *r)
{
	r->step = a->step;
	r->empty = r->none;
	for (int k = 0; k < r->moves; k++) {
		sw_range *range = &r->range[r->move[k]];
		*range = sw_frame_range(a->lowered, r->frame, r->move[k], a->value);
		r->empty = r->empty || range->low == range->high;
	}
}

/* ---- slots ---- */

static void find_dims(const adder *a, slot *s)
{
	for (int d = 0; s->ranges != NULL && d < s->rank; d++) {
		int letter = a->lowered->only[s->fetch]->letter[d];
		if (s->ranges->stays[letter])
			continue;
		s->range[s->dims] = &s->ranges->range[letter];
		s->dim[s->dims++] = d;
	}
}

static bool make_slots(adder *a)
{
	const struct sw_lowered *lowered = a->lowered;

	a->slot = SW_NEW_ZERO(a->scratch, slot, lowered->fetches);
	for (int k = 0; k < lowered->fetches && a->slot != NULL; k++) {
		const sw_fetch *fetch = &lowered->fetch[k];
		if (fetch->level != lowered->levels)
			continue;
		slot *s = &a->slot[a->slots++];
		*s = (slot){.fetch = k,
			.array = fetch->array,
			.rank = lowered->formula->array[fetch->array].rank,
			.every = fetch->every};
		s->now = s->old = (sw_box_list){.arena = a->scratch, .rank = s->rank};
		if (lowered->only[k] != NULL && !find_ranges(a, s))
			return false;
		find_dims(a, s);
		if (sw_box_list_add(&s->now) == NULL || sw_box_list_add(&s->old) == NULL)
			return false;
	}
	return a->slot != NULL;
}

/* What is needed now. */
static bool need(adder *a, slot *s)
{
	const struct sw_lowered *lowered = a->lowered;

	s->now.count = 0;
	if (s->ranges == NULL)
		return sw_lowered_need(lowered, s->fetch, a->value, &s->now);
	if (s->ranges->step != a->step)
		move_ranges(a, s->ranges);
	s->now.count = !s->ranges->empty;
	for (int d = 0; d < s->rank; d++) {
		const sw_range *range = &s->ranges->range[lowered->only[s->fetch]->letter[d]];
		s->now.at[2 * d] = range->low;
		s->now.at[2 * d + 1] = range->high;
	}
	return true;
}

/* How much of what is needed is neither at home nor there from before. */
static int64_t missing(adder *a, const slot *s, const sw_boxes *home)
{
	bool done = true;
	sw_arena_mark mark = sw_arena_here(a->scratch);
	sw_box_list left = {.arena = a->scratch, .rank = s->rank};
	for (int k = 0; k < s->now.count && done; k++)
		done = sw_box_list_add_copy(&left, s->now.at + (int64_t)k * 2 * s->rank);
	for (int k = 0; k < home->count && done; k++)
		done = sw_box_list_minus(&left, home->at + (int64_t)k * 2 * s->rank);
	for (int k = 0; k < s->old.count && done; k++)
		done = sw_box_list_minus(&left, s->old.at + (int64_t)k * 2 * s->rank);
	a->failed = a->failed || !done;
	sw_boxes rest = {s->rank, left.count, left.at};
	int64_t size = sw_boxes_size(&rest);
	sw_arena_back(a->scratch, mark);
	return size;
}

/* ---- giving the left side away ---- */

typedef struct giving {
	adder *a;
	const int64_t *box;
	int rank;
} giving;

static bool give(void *user, int64_t owner, const int64_t *home)
{
	giving *g = user;

	if (owner == g->a->unit)
		return true;
	int64_t size = sw_bounds_common(g->box, home, g->rank);
	add_to(g->a, &g->a->volumes[0], size);
	add_to(g->a, &g->a->received[owner], size);
	return true;
}

static void give_boxes(adder *a, const sw_box_list *boxes)
{
	giving g = {a, NULL, boxes->rank};

	for (int k = 0; k < boxes->count; k++) {
		g.box = boxes->at + (int64_t)k * 2 * boxes->rank;
		sw_box_index_visit(&a->lowered->home_index[a->lowered->levels], g.box, give, &g);
	}
}

/* ---- one fetch ---- */

static void fetch_sum(adder *a, slot *s)
{
	sw_boxes now = {s->rank, s->now.count, s->now.at},
			 home = sw_lowered_home(a->lowered, 0, a->lowered->levels, a->unit);

	if (a->moves && s->now_given && s->changed)
		give_boxes(a, &s->old);
	if (!s->changed)
		return;
	sw_arena_mark mark = sw_arena_here(a->scratch);
	s->now_given = s->now.count > 0 &&
		!sw_lowered_in_place(a->lowered, a->lowered->levels, a->unit, &now, a->scratch);
	s->now_size = s->now_given && !(s->rank == 0 && home.count > 0) ? sw_boxes_size(&now) : 0;
	sw_arena_back(a->scratch, mark);
}

static void fetch_input(adder *a, slot *s)
{
	sw_boxes now = {s->rank, s->now.count, s->now.at},
			 home = sw_lowered_home(a->lowered, s->array, a->lowered->levels, a->unit);

	int64_t lacks;

	if (!s->changed || s->now.count == 0) {
		s->now_size = s->now.count == 0 ? 0 : s->now_size;
		return;
	}
	s->now_size = sw_boxes_inside(&now, &home, a->scratch) ? 0 : sw_boxes_size(&now);
	lacks = a->moves && s->now_size > 0 ? missing(a, s, &home) : 0;
	if (!a->moves || lacks == 0)
		return;
	add_to(a, &a->volumes[s->array], lacks);
	add_to(a, &a->received[a->unit], lacks);
}

/* ---- one box of an input ---- */

static inline int64_t common(int64_t low, int64_t high, int64_t other_low, int64_t other_high)
{
	int64_t from = low > other_low ? low : other_low, to = high < other_high ? high : other_high;

	return to > from ? to - from : 0;
}

/* Multiplies what does not change on a processor. */
static void begin_boxed(const adder *a, slot *s)
{
	const struct sw_reading *only = a->lowered->only[s->fetch];
	sw_boxes home = sw_lowered_home(a->lowered, s->array, a->lowered->levels, a->unit);

	s->boxed = s->array != 0 && s->ranges != NULL && home.count <= 1;
	if (!s->boxed)
		return;
	s->there = false;
	s->missing = 0;
	s->still = 1;
	s->still_home = home.count;
	s->home = home.count > 0 ? home.at : NULL;
	for (int d = 0; d < s->rank; d++) {
		sw_range range = s->ranges->range[only->letter[d]];
		s->now.at[2 * d] = s->now.at[2 * d + 1] = 0;
		if (!s->ranges->stays[only->letter[d]])
			continue;
		s->still *= range.high - range.low;
		s->still_home *= home.count > 0 ? common(range.low, range.high, home.at[2 * d], home.at[2 * d + 1]) : 0;
	}
}

static void fetch_boxed(adder *a, slot *s)
{
	int64_t size = s->still, at_home = s->still_home, old = s->still, both = s->still_home;
	bool same = s->there, was = s->there;

	if (s->ranges->step != a->step)
		move_ranges(a, s->ranges);
	s->old_size = s->now_size;
	s->there = !s->ranges->empty;
	for (int k = 0; k < s->dims && s->there; k++) {
		int64_t *last = s->now.at + (int64_t)2 * s->dim[k], low = s->range[k]->low, high = s->range[k]->high;
		int64_t from = last[0] > low ? last[0] : low, to = last[1] < high ? last[1] : high;
		same = same && last[0] == low && last[1] == high;
		last[0] = low;
		last[1] = high;
		size *= high - low;
		old *= to > from ? to - from : 0;
		if (at_home == 0)
			continue;
		const int64_t *home = s->home + (int64_t)2 * s->dim[k];
		at_home *= common(low, high, home[0], home[1]);
		both *= old > 0 ? common(from, to, home[0], home[1]) : 0;
	}
	s->changed = s->there ? !same : was;
	if (!s->changed)
		return;
	s->now_size = s->there && at_home < size ? size : 0;
	add_to(a, &s->missing, s->now_size > 0 ? size - at_home - (was ? old - both : 0) : 0);
}

static void fetch_slot(adder *a, slot *s)
{
	sw_box_list now = s->old;

	if (s->boxed) {
		fetch_boxed(a, s);
		return;
	}
	s->old = s->now;
	s->now = now;
	s->old_size = s->now_size;
	if (!need(a, s)) {
		a->failed = true;
		return;
	}
	sw_boxes old = {s->rank, s->old.count, s->old.at}, is = {s->rank, s->now.count, s->now.at};
	s->changed = !sw_boxes_equal(&old, &is);
	if (s->array == 0)
		fetch_sum(a, s);
	else
		fetch_input(a, s);
}

/* ---- one processor ---- */

static void begin_unit(adder *a)
{
	for (int k = 0; k < a->slots; k++) {
		slot *s = &a->slot[k];
		s->now.count = s->old.count = 0;
		s->now_size = s->old_size = s->left = 0;
		s->now_given = s->changed = false;
	}
	for (int k = 0; k < a->lowered->times; k++)
		a->value[a->lowered->time[k]] = 0;
	for (int k = 0; k < a->slots; k++)
		if (a->slot[k].ranges != NULL)
			begin_ranges(a, a->slot[k].ranges);
	for (int k = 0; k < a->slots; k++)
		begin_boxed(a, &a->slot[k]);
}

static void next_step(adder *a)
{
	const struct sw_lowered *lowered = a->lowered;

	for (int k = lowered->times - 1; k >= 0; k--) {
		if (++a->value[lowered->time[k]] < lowered->time_extent[k])
			return;
		a->value[lowered->time[k]] = 0;
	}
}

static void run_unit(adder *a)
{
	int64_t held = a->held[a->unit], most = held, overlap = held;
	bool works = a->lowered->schedule->state->workspaces > 0;

	begin_unit(a);
	for (a->step = 0; a->step < a->lowered->steps && !a->failed; a->step++) {
		int64_t live = held, arriving = 0;
		sw_lowered_turn(a->lowered, a->value);
		for (int k = 0; k < a->slots; k++) {
			slot *s = &a->slot[k];
			if (s->left == 0) {
				s->left = s->every;
				fetch_slot(a, s);
				arriving += s->changed ? s->old_size : 0;
			}
			s->left--;
			live += s->now_size;
		}
		live += works ? sw_lowered_workspaces_of(a->lowered, a->value) : 0;
		most = live > most ? live : most;
		overlap = live + arriving > overlap ? live + arriving : overlap;
		next_step(a);
		if ((a->step & 0xffff) == 0xffff && !sw_pulse_beat(a->pulse, "steps", a->step, a->lowered->steps))
			a->failed = a->stopped = true;
	}
	for (int k = 0; k < a->slots && a->moves; k++) {
		slot *s = &a->slot[k];
		if (s->array == 0 && s->now_given)
			give_boxes(a, &s->now);
		if (!s->boxed)
			continue;
		add_to(a, &a->volumes[s->array], s->missing);
		add_to(a, &a->received[a->unit], s->missing);
	}
	a->peak[a->unit] = most;
	a->overlap[a->unit] = overlap;
}

static bool give_in_all(void *user, int64_t owner, const int64_t *home)
{
	adder *a = user;
	int64_t given = owner == a->unit ? 0 : sw_letter_sums_given(a->letters, home);

	a->overflow = a->overflow || given < 0;
	add_to(a, &a->volumes[0], given);
	add_to(a, &a->received[owner], given);
	return true;
}

/* All steps at once; false: they have to be walked. */
static bool sum_unit(adder *a)
{
	const struct sw_lowered *lowered = a->lowered;
	sw_letter_figures figures;

	if (a->letters == NULL || !sw_letter_sums_add(a->letters, a->unit, a->value, a->arriving, &figures))
		return false;
	a->peak[a->unit] += figures.live;
	a->overlap[a->unit] += figures.overlap;
	for (int array = 1; array < lowered->formula->arrays; array++) {
		add_to(a, &a->volumes[array], a->arriving[array]);
		add_to(a, &a->received[a->unit], a->arriving[array]);
	}
	if (figures.gives)
		sw_box_index_visit(&lowered->home_index[lowered->levels], figures.box, give_in_all, a);
	return true;
}

/* ---- work ---- */

static bool list_counts(adder *a)
{
	const sw_frame *frame = a->lowered->whole;

	for (int letter = 0; letter < a->lowered->formula->letters && a->lowered->fuses == 0; letter++)
		if (frame->letter[letter].range != NULL) {
			a->counts[letter] = sw_frame_counts(a->lowered, frame, letter, a->scratch);
			if (a->counts[letter] == NULL)
				return false;
		}
	return true;
}

/* Points at which a term counts, times its accesses, over the terms. */
static bool add_flops(void *user, const sw_piece *piece)
{
	const sw_formula *formula = piece->lowered->formula;
	adder *a = user;
	int64_t count[SW_MAX_LETTERS], *flops = &a->flops[a->unit];
	bool works = true;

	for (int letter = 0; letter < formula->letters; letter++) {
		count[letter] = a->counts[letter] != NULL ?
			a->counts[letter][sw_frame_number(&piece->frame->letter[letter], piece->value)] :
			sw_piece_count(piece, letter);
		works = works && count[letter] > 0;
	}
	a->works = a->works || works;
	for (int k = 0; k < formula->sum.terms; k++) {
		uint32_t lacks = sw_formula_lacks(formula, k);
		int64_t points = 0;
		for (int n = 0; n < formula->sum.term[k].factors; n++)
			points += formula->sum.term[k].factor[n].kind == SW_FACTOR_ACCESS;
		for (int letter = 0; letter < formula->letters; letter++)
			if ((lacks >> letter & 1) == 0)
				points *= count[letter];
			else if (piece->range[letter].low != 0)
				points = 0;
		*flops += points;
	}
	return true;
}

/* ---- processors one after the other ---- */

static bool make_lists(adder *a, sw_arena *arena, sw_schedule_totals *out)
{
	int64_t units = a->lowered->units[a->lowered->levels];

	a->volumes = SW_NEW_ZERO(arena, int64_t, a->lowered->formula->arrays);
	a->received = SW_NEW_ZERO(arena, int64_t, units);
	a->peak = SW_NEW_ZERO(arena, int64_t, units);
	a->overlap = SW_NEW_ZERO(arena, int64_t, units);
	a->held = SW_NEW_ZERO(arena, int64_t, units);
	a->flops = SW_NEW_ZERO(arena, int64_t, units);
	out->volumes = a->volumes;
	out->received = a->received;
	out->peak = a->peak;
	out->peak_overlap = a->overlap;
	out->held = a->held;
	out->flops = a->flops;
	return a->volumes != NULL && a->received != NULL && a->peak != NULL && a->overlap != NULL && a->held != NULL &&
		a->flops != NULL;
}

static int64_t held_by(const struct sw_lowered *lowered, int64_t unit)
{
	int64_t held = 0;

	for (int array = 0; array < lowered->formula->arrays; array++) {
		sw_boxes home = sw_lowered_home(lowered, array, lowered->levels, unit);
		held += sw_boxes_size(&home);
	}
	return held;
}

static bool add_units(adder *a, sw_schedule_totals *out, sw_diag *diag)
{
	const struct sw_lowered *lowered = a->lowered;
	int64_t units = lowered->units[lowered->levels];

	for (a->unit = 0; a->unit < units && !a->failed; a->unit++) {
		if ((a->unit & 63) == 63 && !sw_pulse_beat(a->pulse, "devices", a->unit, units)) {
			a->stopped = true;
			break;
		}
		a->held[a->unit] = a->peak[a->unit] = a->overlap[a->unit] = held_by(lowered, a->unit);
		if (!sw_lowered_place(lowered, lowered->levels, a->unit, a->value)) {
			out->idle++;
			continue;
		}
		if (!sum_unit(a))
			run_unit(a);
		a->works = false;
		sw_frame_pieces(lowered, lowered->whole, a->value, add_flops, a);
		out->idle += !a->works;
	}
	if (a->stopped)
		return sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped after %lld of %lld devices", (long long)a->unit,
			(long long)units);
	return !a->failed || sw_diag_memory(diag);
}

/* ---- step after step ---- */

typedef struct sender_sums {
	int64_t *sent, *received, *volumes;
} sender_sums;

static void add_message(const struct sw_lowered *lowered, const sw_schedule_message *message, const sender_sums *sums,
	sw_schedule_totals *out)
{
	const sw_fetch *fetch = &lowered->fetch[message->fetch];
	int64_t inside = lowered->units[fetch->level] / lowered->units[1];
	bool within = message->from < 0 || message->to < 0 || message->from / inside == message->to / inside;

	sums->volumes[fetch->array] += message->elements;
	*(lowered->levels > 1 && within ? &out->inside : &out->between) += message->elements;
	if (fetch->level < lowered->levels)
		return;
	if (message->from >= 0)
		sums->sent[message->from] += message->elements;
	if (message->to >= 0)
		sums->received[message->to] += message->elements;
}

static bool add_steps(const sw_lowering *lowering, const sender_sums *sums, const sw_pulse *pulse,
	sw_schedule_totals *out, sw_diag *diag)
{
	sw_arena *scratch = sw_arena_new();
	sw_schedule_messages messages;
	bool done = scratch != NULL || sw_diag_memory(diag);

	for (int64_t step = 0; step < lowering->steps && done; step++) {
		sw_arena_clear(scratch);
		done = sw_lowering_messages(lowering, step, scratch, &messages) || sw_diag_memory(diag);
		for (int64_t k = 0; k < messages.count && done; k++)
			add_message(lowering->in, &messages.message[k], sums, out);
		out->messages += done ? messages.count : 0;
		if (done && !sw_pulse_beat(pulse, "steps", step, lowering->steps))
			done = sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped after %lld of %lld steps", (long long)step,
				(long long)lowering->steps);
	}
	sw_arena_free(scratch);
	return done;
}

/* ---- copies of nodes ---- */

static bool add_nodes(const struct sw_lowered *lowered, sw_arena *arena, sw_arena *scratch, sw_schedule_totals *out)
{
	int64_t *peak = SW_NEW_ZERO(arena, int64_t, lowered->units[1]);

	for (int64_t node = 0; node < lowered->units[1] && peak != NULL; node++)
		for (int64_t step = 0; step < lowered->steps; step++) {
			sw_arena_mark mark = sw_arena_here(scratch);
			int64_t live = 0;
			for (int k = 0; k < lowered->fetches; k++) {
				sw_box_list list = {.arena = scratch, .rank = lowered->formula->array[lowered->fetch[k].array].rank};
				if (lowered->fetch[k].level != 1)
					continue;
				if (!sw_lowered_buffer(lowered, k, step, node, &list))
					return false;
				sw_boxes boxes = {list.rank, list.count, list.at};
				live += sw_boxes_size(&boxes);
			}
			peak[node] = live > peak[node] ? live : peak[node];
			sw_arena_back(scratch, mark);
		}
	out->node_peak = peak;
	return peak != NULL;
}

/* ---- the whole ---- */

static int64_t most_of(const int64_t *list, int64_t count)
{
	int64_t most = 0;

	for (int64_t k = 0; k < count; k++)
		most = list[k] > most ? list[k] : most;
	return most;
}

static bool find_most(const adder *a, sw_schedule_totals *out, sw_diag *diag)
{
	int64_t units = a->lowered->units[a->lowered->levels];
	bool overflow = a->overflow;

	for (int array = 0; array < a->lowered->formula->arrays; array++)
		overflow = __builtin_add_overflow(out->volume, out->volumes[array], &out->volume) || overflow;
	if (a->lowered->levels == 1)
		out->between = out->volume;
	out->most_received = most_of(out->received, units);
	out->most_sent = out->sent != NULL ? most_of(out->sent, units) : 0;
	out->most_held = most_of(out->held, units);
	out->most_peak = most_of(out->peak, units);
	out->most_peak_overlap = most_of(out->peak_overlap, units);
	out->most_flops = most_of(out->flops, units);
	return !overflow || sw_diag_set(diag, SW_S09, (sw_span){0, 0}, "more elements are moved than 64 bits count");
}

static bool add_all(const sw_lowering *lowering, adder *a, const sw_pulse *pulse, sw_arena *arena,
	sw_schedule_totals *out, sw_diag *diag)
{
	const struct sw_lowered *lowered = lowering->in;

	if (!make_lists(a, arena, out) || !make_slots(a) || !list_counts(a))
		return sw_diag_memory(diag);
	a->arriving = SW_NEW_ZERO(a->scratch, int64_t, lowered->formula->arrays);
	if (a->arriving == NULL || (a->moves && !sw_letter_sums_of(lowered, a->scratch, &a->letters)))
		return sw_diag_memory(diag);
	if (!add_units(a, out, diag))
		return false;
	if (!a->moves) {
		int64_t *sent = SW_NEW_ZERO(arena, int64_t, lowered->units[lowered->levels]);
		sender_sums sums = {sent, a->received, a->volumes};
		if (sent == NULL)
			return sw_diag_memory(diag);
		out->sent = sent;
		out->messages = 0;
		if (!add_steps(lowering, &sums, pulse, out, diag))
			return false;
	}
	return lowered->levels == 1 || add_nodes(lowered, arena, a->scratch, out) || sw_diag_memory(diag);
}

bool sw_lowering_totals(const sw_lowering *lowering, bool senders, const sw_pulse *pulse, sw_arena *arena,
	sw_schedule_totals *totals, sw_diag *diag)
{
	adder a = {.lowered = lowering->in,
		.scratch = sw_arena_new(),
		.moves = !senders && lowering->in->levels == 1,
		.pulse = pulse};
	sw_schedule_totals out = {.messages = -1, .exact = -1};
	bool done = a.scratch != NULL ? add_all(lowering, &a, pulse, arena, &out, diag) : sw_diag_memory(diag);

	sw_arena_free(a.scratch);
	if (!done || !find_most(&a, &out, diag))
		return false;
	*totals = out;
	return true;
}
