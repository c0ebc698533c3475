/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sets of indices, found by what they meet.
 */
#include "relation/finder.h"

#include <stdlib.h>

#include <shardwalk/number.h>

#include "base/lower_bound.h"
#include "index/family.h"

/* Shelves for families that come again; those of more steps are looked at as one run from their first index to their last. */
enum { MOST_STEPS = 32 };

static int bits_of(int64_t n)
{
	return 64 - __builtin_clzll((uint64_t)n);
}

/* ---- shelves ---- */

static sw_shelf *shelf_of(sw_finder *finder, int64_t step, int64_t length)
{
	int bits = bits_of(length);

	for (int i = 0; i < finder->shelves; i++)
		if (finder->shelf[i].step == step && finder->shelf[i].bits == bits)
			return &finder->shelf[i];
	return NULL;
}

static sw_shelf *new_shelf(sw_finder *finder, int64_t step, int64_t length, sw_arena *arena)
{
	if (!SW_GROW(arena, finder->shelf, finder->shelves, finder->room, 4))
		return NULL;
	finder->shelf[finder->shelves] = (sw_shelf){.step = step, .bits = bits_of(length)};
	return &finder->shelf[finder->shelves++];
}

/* Where a family belongs; what is put there is in `phase`.  NULL: no memory. */
static sw_shelf *place(sw_finder *finder, const sw_family *f, sw_arena *arena, sw_phase *phase)
{
	int64_t step = f->count > 1 ? f->step : 0, length = f->run;
	sw_shelf *shelf = shelf_of(finder, step, length);

	if (shelf == NULL && step != 0 && finder->shelves >= MOST_STEPS) {
		step = 0;
		length = sw_family_end(f) - f->first;
		shelf = shelf_of(finder, step, length);
	}
	*phase = (sw_phase){.phase = step != 0 ? f->first % step : f->first, .length = length};
	return shelf != NULL ? shelf : new_shelf(finder, step, length, arena);
}

/* Counts what belongs on each shelf, or puts it there. */
static bool fill(sw_finder *finder, sw_arena *arena, bool put)
{
	for (int32_t s = 0; s < finder->sets->count; s++)
		for (int i = 0; i < finder->sets->set[s].count; i++) {
			sw_phase phase;
			sw_shelf *shelf = place(finder, &finder->sets->set[s].family[i], arena, &phase);
			if (shelf == NULL)
				return false;
			phase.set = s;
			if (put)
				shelf->phase[shelf->count] = phase;
			shelf->count++;
			shelf->longest = sw_larger(shelf->longest, phase.length);
		}
	return true;
}

static int by_phase(const void *left, const void *right)
{
	const sw_phase *a = left, *b = right;

	return a->phase != b->phase ? (a->phase > b->phase) - (a->phase < b->phase) :
								  (a->set > b->set) - (a->set < b->set);
}

static void sort(sw_shelf *shelf)
{
	for (int i = 1; i < shelf->count; i++)
		if (shelf->phase[i].phase < shelf->phase[i - 1].phase) {
			qsort(shelf->phase, (size_t)shelf->count, sizeof *shelf->phase, by_phase);
			return;
		}
}

static bool see_disjoint(const sw_finder *finder)
{
	const sw_shelf *shelf = finder->shelf;

	if (finder->shelves > 1)
		return false;
	for (int i = 1; i < (finder->shelves > 0 ? shelf->count : 0); i++)
		if (shelf->phase[i - 1].phase + shelf->phase[i - 1].length > shelf->phase[i].phase)
			return false;
	return finder->shelves == 0 || shelf->step == 0 ||
		shelf->phase[shelf->count - 1].phase + shelf->phase[shelf->count - 1].length <=
		shelf->phase[0].phase + shelf->step;
}

bool sw_finder_of(const sw_sets *sets, sw_arena *arena, sw_finder *finder)
{
	*finder = (sw_finder){.sets = sets, .asked = SW_NEW_ZERO(arena, int32_t, sets->count)};
	if (finder->asked == NULL || !fill(finder, arena, false))
		return false;
	for (int i = 0; i < finder->shelves; i++) {
		sw_shelf *shelf = &finder->shelf[i];
		shelf->phase = SW_NEW(arena, sw_phase, shelf->count);
		if (shelf->phase == NULL)
			return false;
		shelf->count = 0;
	}
	if (!fill(finder, arena, true))
		return false;
	for (int i = 0; i < finder->shelves; i++)
		sort(&finder->shelf[i]);
	finder->disjoint = see_disjoint(finder);
	return true;
}

bool sw_finder_disjoint(const sw_finder *finder)
{
	return finder->disjoint;
}

sw_shelf *sw_finder_runs(const sw_finder *finder)
{
	bool runs = finder->disjoint && finder->shelves == 1 && finder->shelf->step == 0 &&
		finder->shelf->count == finder->sets->count;

	return runs ? finder->shelf : NULL;
}

/* ---- looking ---- */

/* Where a bound would be if all were as far apart. */
static int guess(const sw_shelf *shelf, int64_t bound)
{
	int64_t first = shelf->phase[0].phase, last = shelf->phase[shelf->count - 1].phase;

	if (bound <= first)
		return 0;
	if (bound >= last)
		return shelf->count - 1;
	return (int)((double)(bound - first) / (double)(last - first) * (shelf->count - 1));
}

/* The first family on a shelf that begins at `bound` or behind, sought from where was looked last, or from a guess. */
static int first_from(sw_shelf *shelf, int64_t bound)
{
	const sw_phase *phase = shelf->phase;
	int low = shelf->hint, count = shelf->count, step = 1;

	if (low + 1 < count && phase[low].phase < bound && phase[low + 1].phase >= bound)
		return shelf->hint = low + 1;
	if (count > 0 && (phase[low].phase < bound || (low > 0 && phase[low - 1].phase >= bound)))
		low = guess(shelf, bound);
	int high = low;
	while (low > 0 && phase[low - 1].phase >= bound) {
		high = low - 1;
		low = low > step ? low - step : 0;
		step *= 2;
	}
	for (step = 1; high < count && phase[high].phase < bound; step *= 2) {
		low = high + 1;
		high = count - high > step ? high + step : count;
	}
	low = (int)SW_LOWER_BOUND(low, high, phase[at].phase < bound);
	shelf->hint = low < count ? low : count - 1;
	return low;
}

int sw_shelf_first(sw_shelf *shelf, int64_t begin)
{
	int first = first_from(shelf, begin);

	return first > 0 && shelf->phase[first - 1].phase + shelf->phase[first - 1].length > begin ? first - 1 : first;
}

struct search {
	sw_finder *finder;
	int32_t *set;
	int count;
};

static void found(struct search *s, int32_t set)
{
	if (s->finder->asked[set] == s->finder->now)
		return;
	s->finder->asked[set] = s->finder->now;
	s->set[s->count++] = set;
}

static void near_range(struct search *s, sw_shelf *shelf, int64_t begin, int64_t end)
{
	for (int i = first_from(shelf, begin - shelf->longest + 1); i < shelf->count && shelf->phase[i].phase < end; i++)
		if (shelf->phase[i].phase + shelf->phase[i].length > begin)
			found(s, shelf->phase[i].set);
}

static void near_all(struct search *s, const sw_shelf *shelf)
{
	for (int i = 0; i < shelf->count; i++)
		found(s, shelf->phase[i].set);
}

/* A run meets what comes again: it is looked at in one period, and where it or what it meets goes past its ends, beside it. */
static void near_run(struct search *s, sw_shelf *shelf, int64_t begin, int64_t run)
{
	if (shelf->step == 0) {
		near_range(s, shelf, begin, begin + run);
		return;
	}
	if (run >= shelf->step) {
		near_all(s, shelf);
		return;
	}
	begin %= shelf->step;
	near_range(s, shelf, begin, begin + run);
	if (begin + run > shelf->step)
		near_range(s, shelf, begin - shelf->step, begin + run - shelf->step);
	if (begin < shelf->longest)
		near_range(s, shelf, begin + shelf->step, begin + run + shelf->step);
}

/* A family has as many places in a period as it takes to come to the first again. */
static void near_family(struct search *s, sw_shelf *shelf, const sw_family *f)
{
	int64_t runs = f->count;

	if (shelf->step != 0)
		runs = sw_smaller(runs, shelf->step / sw_gcd(f->step, shelf->step));
	if (runs > shelf->count) {
		near_all(s, shelf);
		return;
	}
	for (int64_t i = 0; i < runs; i++)
		near_run(s, shelf, f->first + i * f->step, f->run);
}

int sw_finder_near(sw_finder *finder, const sw_indices *need, int32_t *set)
{
	struct search s = {finder, set, 0};

	finder->now++;
	for (int i = 0; i < need->count; i++)
		for (int k = 0; k < finder->shelves; k++)
			near_family(&s, &finder->shelf[k], &need->family[i]);
	return s.count;
}

/* How many families there are before those that end behind an index, or with `begun` that begin at it or behind, counted through all periods. */
static int64_t before_index(sw_shelf *shelf, int64_t index, bool begun)
{
	int64_t periods = shelf->step > 0 ? index / shelf->step : 0, at = index - periods * shelf->step;
	int first = begun ? first_from(shelf, at) : sw_shelf_first(shelf, at);
	const sw_phase *last = &shelf->phase[shelf->count - 1];

	if (!begun && first == 0 && shelf->step > 0 && last->phase + last->length - shelf->step > at)
		first = -1;
	return periods * shelf->count + first;
}

int64_t sw_sets_met_by(const sw_finder *finder, int64_t begin, int64_t run)
{
	sw_shelf *shelf = finder->shelf;

	if (!finder->disjoint || finder->shelves != 1 || shelf->count != finder->sets->count)
		return -1;
	int64_t met = before_index(shelf, begin + run, true) - before_index(shelf, begin, false);

	return sw_smaller(met, shelf->count);
}

/* ---- what two sets have in common ---- */

/* Indices of a family below `end`. */
static int64_t below(const sw_family *f, int64_t end)
{
	int64_t at = end - f->first;

	if (at <= 0)
		return 0;
	if (at / f->step >= f->count)
		return f->run * f->count;
	return at / f->step * f->run + sw_smaller(at % f->step, f->run);
}

static int64_t meet_listed(const sw_indices *a, const sw_indices *b, sw_arena *arena, sw_indices *both)
{
	sw_arena_mark mark = sw_arena_here(arena);
	sw_indices made;

	if (!sw_indices_meet(a, b, arena, &made))
		return -1;
	if (both != NULL)
		*both = made;
	int64_t size = sw_indices_size(&made);
	if (both == NULL)
		sw_arena_back(arena, mark);
	return size;
}

/* What a family has of a run: at most a part of a run, whole runs, and a part of a run. */
static int64_t meet_clipped(const sw_family *f, const sw_family *run, sw_arena *arena, sw_indices *both)
{
	sw_family room[4];
	sw_families out = {.arena = arena, .family = room, .room = 4};
	sw_indices made;

	sw_families_clip(&out, f, run->first, run->first + run->run);
	sw_family *family = sw_families_finish(&out, &made) ? SW_NEW(arena, sw_family, made.count) : NULL;
	if (family == NULL)
		return -1;
	for (int i = 0; i < made.count; i++)
		family[i] = made.family[i];
	*both = (sw_indices){made.count, family};
	return sw_indices_size(both);
}

static int64_t meet_range(int64_t begin, int64_t end, sw_arena *arena, sw_indices *both)
{
	sw_family *family = both != NULL ? SW_NEW(arena, sw_family, 1) : NULL;

	if (both != NULL && family == NULL)
		return -1;
	if (both != NULL)
		*both = sw_indices_range(begin, end, family);
	return end > begin ? end - begin : 0;
}

int64_t sw_sets_meet(const sw_indices *a, const sw_indices *b, sw_arena *arena, sw_indices *both)
{
	const sw_family *one = a->family, *other = b->family;

	if (a->count != 1 || b->count != 1)
		return meet_listed(a, b, arena, both);
	if (one->count == 1 && other->count == 1)
		return meet_range(sw_larger(one->first, other->first),
			sw_smaller(one->first + one->run, other->first + other->run), arena, both);
	if (both == NULL && one->count == 1)
		return below(other, one->first + one->run) - below(other, one->first);
	if (both == NULL && other->count == 1)
		return below(one, other->first + other->run) - below(one, other->first);
	if (one->count == 1)
		return meet_clipped(other, one, arena, both);
	if (other->count == 1)
		return meet_clipped(one, other, arena, both);
	return meet_listed(a, b, arena, both);
}
