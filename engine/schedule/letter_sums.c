/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All steps of one processor, from sums over the values of each letter.
 *
 * Where each loop in time changes one letter at most, steps are a product: what is needed of an array is a product of ranges, one a letter, and so
 * is what of it is at home, or was there before.  The sum over all steps is the product of sums over letters.  From one step to the next, one loop goes
 * on, and those inside of it begin again: there are as many kinds of steps as loops.  The most that is alive follows from what differs among the
 * values of a letter, which is little.
 */
#include "schedule/lower.h"

#include <assert.h>
#include <string.h>

__extension__ typedef __int128 wide;

enum {
	MOST_VALUES = 1 << 20,      /* of letters, in all */
	MOST_COMBINATIONS = 1 << 16 /* of what differs */
};

/* The loops in time that change a letter. */
typedef struct digits {
	int count;
	int place[SW_MAX_VARIABLES]; /* in the order of loops */
} digits;

/* What is fetched, or given away. */
typedef struct input {
	int fetch, depth; /* depth: how many loops in time it has inside of none of its own */
	int frame;        /* its number among the different ones */
	const struct sw_reading *only;
	int dim[SW_MAX_LETTERS]; /* that a letter is; -1: none */
	const int64_t *home;     /* of the processor at hand; NULL: it has none */
	int64_t below[SW_MAX_LETTERS];
} input;

struct sw_letter_sums {
	const struct sw_lowered *lowered;
	sw_arena *scratch;
	digits digits[SW_MAX_LETTERS];
	bool changes[SW_MAX_VARIABLES]; /* a loop in time changes some letter */
	int inputs, frames;
	input *input;
	const sw_frame **frame;
	int *depth; /* of each frame */
	sw_range **range[SW_MAX_LETTERS];
};

/* ---- which loops change which letters ---- */

static int place_of(const struct sw_lowered *lowered, int variable)
{
	for (int k = 0; k < lowered->times; k++)
		if (lowered->time[k] == variable)
			return k;
	return -1;
}

/* Adds a loop that one letter changes by.  false: another one changes by it too. */
static bool add_digit(struct sw_letter_sums *sums, int letter, int variable)
{
	int place = place_of(sums->lowered, variable), at;
	digits *digits = &sums->digits[letter];

	if (sums->lowered->variable[variable].kind != SW_VARIABLE_LOOP)
		return false;
	if (place < 0)
		return true;
	if (sums->changes[place])
		return false;
	sums->changes[place] = true;
	for (at = digits->count++; at > 0 && digits->place[at - 1] > place; at--)
		digits->place[at] = digits->place[at - 1];
	digits->place[at] = place;
	return true;
}

static bool add_leaf(struct sw_letter_sums *sums, int letter, int v)
{
	const sw_variable *is = &sums->lowered->variable[v];
	bool added = true;

	if (is->kind == SW_VARIABLE_CUT)
		return add_leaf(sums, letter, is->of) && add_leaf(sums, letter, is->inner);
	if (!sums->lowered->step->fixed[v])
		return true;
	if (is->kind != SW_VARIABLE_TURNED)
		return add_digit(sums, letter, v);
	for (int n = 0; n < is->bys && added; n++)
		added = add_digit(sums, letter, is->by[n]);
	return added && add_digit(sums, letter, is->of);
}

/* How many values a letter has by its loops from one place to another. */
static int64_t values_between(const struct sw_letter_sums *sums, int letter, int from, int to)
{
	const digits *digits = &sums->digits[letter];
	int64_t values = 1;

	for (int k = 0; k < digits->count; k++)
		if (digits->place[k] >= from && digits->place[k] < to && values <= MOST_VALUES)
			values *= sums->lowered->time_extent[digits->place[k]];
	return values;
}

static bool find_digits(struct sw_letter_sums *sums)
{
	int64_t all = 0;

	for (int letter = 0; letter < sums->lowered->formula->letters; letter++) {
		if (!add_leaf(sums, letter, letter))
			return false;
		all += values_between(sums, letter, 0, sums->lowered->times);
	}
	return all <= MOST_VALUES;
}

/* ---- what is fetched ---- */

static int depth_of(const struct sw_lowered *lowered, int loop)
{
	int depth = 0;

	for (int k = 0; k <= loop; k++)
		depth += !lowered->schedule->loop[k].distributed;
	return depth;
}

static int frame_number(struct sw_letter_sums *sums, const sw_frame *frame)
{
	for (int k = 0; k < sums->frames; k++)
		if (sums->frame[k] == frame)
			return k;
	sums->frame[sums->frames] = frame;
	sums->depth[sums->frames] = depth_of(sums->lowered, frame->loop);
	return sums->frames++;
}

static void add_input(struct sw_letter_sums *sums, int fetch)
{
	const struct sw_lowered *lowered = sums->lowered;
	input *in = &sums->input[sums->inputs++];

	*in = (input){.fetch = fetch,
		.depth = depth_of(lowered, lowered->fetch[fetch].loop),
		.frame = frame_number(sums, lowered->frame[fetch]),
		.only = lowered->only[fetch]};
	for (int letter = 0; letter < lowered->formula->letters; letter++) {
		in->dim[letter] = -1;
		in->below[letter] = values_between(sums, letter, in->depth, lowered->times);
		for (int d = 0; d < in->only->rank; d++)
			if (in->only->letter[d] == letter)
				in->dim[letter] = d;
	}
}

static bool make_room(struct sw_letter_sums *sums, sw_arena *arena)
{
	const struct sw_lowered *lowered = sums->lowered;

	sums->input = SW_NEW_ZERO(arena, input, lowered->fetches);
	sums->frame = SW_NEW_ZERO(arena, const sw_frame *, lowered->fetches);
	sums->depth = SW_NEW_ZERO(arena, int, lowered->fetches);
	if (sums->input == NULL || sums->frame == NULL || sums->depth == NULL)
		return false;
	for (int fetch = 0; fetch < lowered->fetches; fetch++)
		add_input(sums, fetch);
	for (int letter = 0; letter < lowered->formula->letters; letter++) {
		sums->range[letter] = SW_NEW_ZERO(arena, sw_range *, sums->frames);
		for (int k = 0; k < sums->frames && sums->range[letter] != NULL; k++) {
			sums->range[letter][k] = SW_NEW(arena, sw_range, values_between(sums, letter, 0, sums->depth[k]));
			if (sums->range[letter][k] == NULL)
				return false;
		}
		if (sums->range[letter] == NULL)
			return false;
	}
	return true;
}

bool sw_letter_sums_of(const struct sw_lowered *lowered, sw_arena *arena, struct sw_letter_sums **out)
{
	struct sw_letter_sums *sums = SW_NEW_ZERO(arena, struct sw_letter_sums, 1);
	bool one = lowered->levels == 1 && lowered->fuses == 0 && lowered->schedule->state->workspaces == 0;

	*out = NULL;
	if (sums == NULL)
		return false;
	sums->lowered = lowered;
	sums->scratch = arena;
	for (int fetch = 0; fetch < lowered->fetches; fetch++)
		one = one && lowered->only[fetch] != NULL;
	if (!one || lowered->times < 2 || !find_digits(sums))
		return true;
	*out = sums;
	return make_room(sums, arena);
}

/* ---- ranges of one processor ---- */

/* The next values of the loops of a letter, the first `depth` in all; false: these were the last. */
static bool next_values(const struct sw_letter_sums *sums, int letter, int depth, int64_t *value)
{
	const struct sw_lowered *lowered = sums->lowered;

	for (int k = sums->digits[letter].count - 1; k >= 0; k--) {
		int place = sums->digits[letter].place[k];
		if (place >= depth)
			continue;
		if (++value[lowered->time[place]] < lowered->time_extent[place])
			return true;
		value[lowered->time[place]] = 0;
	}
	return false;
}

static void find_ranges(const struct sw_letter_sums *sums, int64_t *value)
{
	const struct sw_lowered *lowered = sums->lowered;

	for (int k = 0; k < lowered->times; k++)
		value[lowered->time[k]] = 0;
	for (int letter = 0; letter < lowered->formula->letters; letter++)
		for (int k = 0; k < sums->frames; k++) {
			int64_t at = 0;
			do {
				sw_lowered_turn(lowered, value);
				sums->range[letter][k][at++] = sw_frame_range(lowered, sums->frame[k], letter, value);
			} while (next_values(sums, letter, sums->depth[k], value));
		}
}

/* ---- from one step to the next ---- */

/* Calls for each pair of values of a letter, the first `depth` loops in all, between which the loop at a place goes on; false: `use` said so. */
typedef bool (*use_pair)(void *user, int64_t before, int64_t now);

static bool each_pair(const struct sw_letter_sums *sums, int letter, int place, int depth, use_pair use, void *user)
{
	int64_t outer = values_between(sums, letter, 0, place), inner = values_between(sums, letter, place + 1, depth),
			own = place < depth ? values_between(sums, letter, place, place + 1) : 1;
	bool has = false;

	for (int k = 0; k < sums->digits[letter].count; k++)
		has = has || sums->digits[letter].place[k] == place;
	for (int64_t n = 0; n < outer; n++)
		for (int64_t v = has; v < own; v++) {
			int64_t now = (n * own + v) * inner, before = (has ? now - inner : now) + inner - 1;
			if (!use(user, before, now))
				return false;
		}
	return true;
}

/* How often a pair of values of all letters is there by loops that change none. */
static wide times_others(const struct sw_letter_sums *sums, int place, int depth)
{
	wide times = 1;

	for (int k = 0; k < depth && (k <= place || place < 0); k++)
		if (!sums->changes[k])
			times *= sums->lowered->time_extent[k] - (k == place);
	return times;
}

/* ---- what is moved ---- */

static inline int64_t length(int64_t low, int64_t high)
{
	return high > low ? high - low : 0;
}

static inline int64_t common(sw_range a, sw_range b)
{
	return length(a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high);
}

typedef struct adding {
	const sw_range *range;
	bool dim;   /* the letter is a dimension; else it counts once where it has values */
	bool equal; /* pairs count that are equal; else what they have in common */
	sw_range home;
	wide all, at_home;
} adding;

static void add_range(adding *sum, sw_range range)
{
	bool any = range.low < range.high;

	sum->all += sum->dim ? length(range.low, range.high) : any;
	sum->at_home += sum->dim ? common(range, sum->home) : any;
}

static bool add_pair(void *user, int64_t before, int64_t now)
{
	adding *sum = user;
	sw_range a = sum->range[before], b = sum->range[now];

	if (a.low == a.high || b.low == b.high)
		return true;
	if (!sum->dim || (a.low == b.low && a.high == b.high))
		add_range(sum, b);
	else if (!sum->equal)
		add_range(sum, (sw_range){a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high});
	return true;
}

/* What is needed, and what of that is in a box, NULL: nothing.  Over all fetches (place -1); or what was there before as well over those before which the
 * loop at a place goes on, of the left side if it is the same. */
typedef struct needed {
	wide all, at_home;
} needed;

static needed needed_at(const struct sw_letter_sums *sums, const input *in, const int64_t *home, int place)
{
	needed out = {times_others(sums, place, in->depth), 0};

	out.at_home = home != NULL ? out.all : 0;
	for (int letter = 0; letter < sums->lowered->formula->letters && out.all != 0; letter++) {
		int dim = in->dim[letter];
		adding sum = {.range = sums->range[letter][in->frame],
			.dim = dim >= 0,
			.equal = in->fetch == sums->lowered->out};
		if (dim >= 0 && home != NULL)
			sum.home = (sw_range){home[2 * dim], home[2 * dim + 1]};
		if (place >= 0)
			each_pair(sums, letter, place, in->depth, add_pair, &sum);
		for (int64_t v = 0; place < 0 && v < values_between(sums, letter, 0, in->depth); v++)
			add_range(&sum, sum.range[v]);
		out.all *= sum.all;
		out.at_home *= sum.at_home;
	}
	return out;
}

static int64_t narrow(wide sum)
{
	return sum <= INT64_MAX ? (int64_t)sum : -1;
}

static int64_t missing(const struct sw_letter_sums *sums, const input *in)
{
	needed all = needed_at(sums, in, in->home, -1);
	wide sum = all.all - all.at_home;

	for (int place = 0; place < in->depth; place++) {
		needed there = needed_at(sums, in, in->home, place);
		sum -= there.all - there.at_home;
	}
	return narrow(sum);
}

int64_t sw_letter_sums_given(const struct sw_letter_sums *sums, const int64_t *home)
{
	const input *out = &sums->input[0];
	wide sum = needed_at(sums, out, home, -1).at_home;

	assert(out->fetch == sums->lowered->out);
	for (int place = 0; place < out->depth; place++)
		sum -= needed_at(sums, out, home, place).at_home;
	return narrow(sum);
}

/* ---- what is alive ---- */

/* What of a letter counts for an input, before and now; numbers alone, so that there are no gaps. */
typedef struct kind {
	int64_t before, now; /* lengths */
	int64_t before_out, now_out, changed;
} kind;

typedef struct kinds {
	const struct sw_letter_sums *sums;
	int letter, count, room;
	bool memory;
	kind *kind; /* one for each input */
} kinds;

static kind kind_of(const struct sw_letter_sums *sums, const input *in, int letter, int64_t before, int64_t now)
{
	const sw_range *range = sums->range[letter][in->frame];
	sw_range a = range[before / in->below[letter]], b = range[now / in->below[letter]];
	int dim = in->dim[letter];
	const int64_t *home = in->home != NULL && dim >= 0 ? in->home + (int64_t)2 * dim : NULL;
	bool nowhere = dim >= 0 && home == NULL;

	if (dim < 0)
		return (kind){a.low < a.high, b.low < b.high, 0, 0, 0};
	return (kind){a.high - a.low, b.high - b.low, nowhere || (home != NULL && (a.low < home[0] || a.high > home[1])),
		nowhere || (home != NULL && (b.low < home[0] || b.high > home[1])), a.low != b.low || a.high != b.high};
}

static bool add_kind(void *user, int64_t before, int64_t now)
{
	kinds *k = user;
	int inputs = k->sums->inputs;
	size_t size = (size_t)inputs * sizeof(kind);

	k->memory = sw_arena_grow(k->sums->scratch, &k->kind, k->count, &k->room, 8, size);
	if (!k->memory)
		return false;
	kind *made = k->kind + (int64_t)k->count * inputs;
	for (int n = 0; n < inputs; n++)
		made[n] = kind_of(k->sums, &k->sums->input[n], k->letter, before, now);
	for (int n = k->count - 1; n >= 0; n--)
		if (memcmp(k->kind + (int64_t)n * inputs, made, size) == 0)
			return true;
	k->count++;
	return k->count <= MOST_COMBINATIONS;
}

/* Elements of the buffers of inputs, and with those that go while others arrive. */
typedef struct sizes {
	int64_t live, arriving;
} sizes;

/* One kind of each letter, between which the loop at a place goes on. */
static sizes sizes_of(const struct sw_letter_sums *sums, const kinds *kinds, const int *which, int place)
{
	sizes all = {0, 0};

	for (int n = 0; n < sums->inputs; n++) {
		const input *in = &sums->input[n];
		int64_t before = 1, now = 1;
		bool before_out = in->home == NULL, now_out = before_out, changed = false;
		for (int letter = 0; letter < sums->lowered->formula->letters; letter++) {
			const kind *kind = kinds[letter].kind + (int64_t)which[letter] * sums->inputs + n;
			before *= kind->before;
			now *= kind->now;
			before_out = before_out || kind->before_out != 0;
			now_out = now_out || kind->now_out != 0;
			changed = changed || kind->changed != 0;
		}
		all.live += now_out ? now : 0;
		if (place < in->depth && before_out && (changed || now == 0))
			all.arriving += before;
	}
	return all;
}

static bool next_combination(const struct sw_letter_sums *sums, const kinds *kinds, int *which)
{
	for (int letter = sums->lowered->formula->letters - 1; letter >= 0; letter--) {
		if (++which[letter] < kinds[letter].count)
			return true;
		which[letter] = 0;
	}
	return false;
}

/* Finds what differs among the values of letters; place -1: in the first step.  false: it is too much. */
static bool find_kinds(const struct sw_letter_sums *sums, int place, kinds *kinds)
{
	int64_t combinations = 1;

	for (int letter = 0; letter < sums->lowered->formula->letters; letter++) {
		kinds[letter].sums = sums;
		kinds[letter].letter = letter;
		if (place < 0 ? !add_kind(&kinds[letter], 0, 0) :
						!each_pair(sums, letter, place, sums->lowered->times, add_kind, &kinds[letter]))
			return false;
		combinations *= kinds[letter].count;
		if (combinations > MOST_COMBINATIONS)
			return false;
	}
	return true;
}

/* The most of it before which the loop at a place goes on. */
static bool look_at(const struct sw_letter_sums *sums, int place, sizes *most)
{
	kinds kinds[SW_MAX_LETTERS];
	int which[SW_MAX_LETTERS] = {0};
	sw_arena_mark mark = sw_arena_here(sums->scratch);
	bool done = true;

	memset(kinds, 0, sizeof kinds);
	done = find_kinds(sums, place, kinds);
	for (int letter = 0; letter < sums->lowered->formula->letters && done; letter++)
		if (kinds[letter].count == 0) {
			sw_arena_back(sums->scratch, mark);
			return true; /* the loop does not go on */
		}
	bool more = done && (place < 0 || times_others(sums, place, sums->lowered->times) > 0);
	while (more) {
		sizes sizes = sizes_of(sums, kinds, which, place);
		sizes.arriving = sizes.live + (place >= 0 ? sizes.arriving : 0);
		most->live = sizes.live > most->live ? sizes.live : most->live;
		most->arriving = sizes.arriving > most->arriving ? sizes.arriving : most->arriving;
		more = next_combination(sums, kinds, which);
	}
	sw_arena_back(sums->scratch, mark);
	return done;
}

/* ---- the left side ---- */

/* All values of a letter in ranges of the left side; `same`: whether they are in each of them, `full`: whether each has some. */
static sw_range hull_of(const struct sw_letter_sums *sums, int letter, bool *same, bool *full)
{
	const sw_range *range = sums->range[letter][0];
	sw_range hull = {INT64_MAX, INT64_MIN};

	for (int64_t v = 0; v < values_between(sums, letter, 0, sums->depth[0]); v++) {
		*full = *full && range[v].low < range[v].high;
		*same = *same && range[v].low == range[0].low && range[v].high == range[0].high;
		if (range[v].low < range[v].high)
			hull = (sw_range){range[v].low < hull.low ? range[v].low : hull.low,
				range[v].high > hull.high ? range[v].high : hull.high};
	}
	return hull;
}

/* The hull of what a processor makes, or nothing, and whether it makes that in each step. */
static bool made_in_all(const struct sw_letter_sums *sums, int64_t *box, bool *always)
{
	const struct sw_reading *only = sums->lowered->only[sums->lowered->out];
	bool any = true;

	*always = true;
	for (int letter = 0; letter < sums->lowered->formula->letters; letter++) {
		bool same = true;
		sw_range hull = hull_of(sums, letter, &same, always);
		any = any && hull.low < hull.high;
		for (int d = 0; d < only->rank; d++)
			if (only->letter[d] == letter) {
				*always = *always && same;
				box[2 * d] = hull.low;
				box[2 * d + 1] = hull.high;
			}
	}
	return any;
}

/* Where the left side is added up.  false: it depends on the step whether others have the same. */
static bool find_out_home(const struct sw_letter_sums *sums, int64_t unit, sw_letter_figures *out)
{
	const struct sw_lowered *lowered = sums->lowered;
	input *in = &sums->input[0];
	int64_t both[2 * SW_MAX_DIMS];
	sw_boxes part = {in->only->rank, 1, both};
	bool always;

	out->gives = made_in_all(sums, out->box, &always);
	if (!out->gives || in->home == NULL || part.rank == 0 || !sw_bounds_meet(out->box, in->home, part.rank, both) ||
		sw_lowered_in_place(lowered, lowered->levels, unit, &part, sums->scratch))
		return true;
	in->home = NULL;
	return always;
}

/* ---- one processor ---- */

static bool find_homes(const struct sw_letter_sums *sums, int64_t unit)
{
	for (int n = 0; n < sums->inputs; n++) {
		input *in = &sums->input[n];
		sw_boxes home = sw_lowered_home(sums->lowered, sums->lowered->fetch[in->fetch].array, sums->lowered->levels,
			unit);
		if (home.count > 1)
			return false;
		in->home = home.count == 1 ? home.at : NULL;
	}
	return true;
}

bool sw_letter_sums_add(const struct sw_letter_sums *sums, int64_t unit, int64_t *value, int64_t *moved,
	sw_letter_figures *out)
{
	sizes most = {0, 0};
	bool done = find_homes(sums, unit);

	*out = (sw_letter_figures){.live = 0};
	if (!done)
		return false;
	find_ranges(sums, value);
	done = find_out_home(sums, unit, out);
	for (int place = -1; place < sums->lowered->times && done; place++)
		done = look_at(sums, place, &most);
	out->live = most.live;
	out->overlap = most.arriving;
	for (int n = 1; n < sums->inputs && done; n++) {
		int64_t more = missing(sums, &sums->input[n]);
		moved[sums->lowered->fetch[sums->input[n].fetch].array] = more;
		done = more >= 0;
	}
	return done;
}
