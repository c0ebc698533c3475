/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Indices of one dimension as families of runs.
 */
#include "index/family.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

__extension__ typedef __int128 wide;

void sw_families_add(sw_families *out, int64_t first, int64_t run, int64_t step, int64_t count)
{
	if (run <= 0 || count <= 0 || out->failed)
		return;
	if (!SW_GROW(out->arena, out->family, out->count, out->room, 4)) {
		out->failed = true;
		return;
	}
	if (count > 1 && run >= step) {
		run += (count - 1) * step;
		count = 1;
	}
	out->family[out->count++] = (sw_family){first, run, count > 1 ? step : run, count};
}

void sw_families_range(sw_families *out, int64_t begin, int64_t end)
{
	sw_families_add(out, begin, end - begin, end - begin, 1);
}

static int by_first(const void *left, const void *right)
{
	const sw_family *a = left, *b = right;

	return (a->first > b->first) - (a->first < b->first);
}

/* Do the runs of `b` go on where those of `a` end, run by run? */
static bool join_runs(sw_family *a, const sw_family *b)
{
	bool alike = a->count == b->count && (a->count == 1 || (a->step == b->step && a->run + b->run <= a->step));

	if (!alike || a->first + a->run != b->first)
		return false;
	a->run += b->run;
	if (a->count == 1 || a->run == a->step) {
		a->run = a->step = a->run * a->count;
		a->count = 1;
	}
	return true;
}

/* Does `b` go on where `a` ends, in each of its runs or with the next of them? */
static bool join(sw_family *a, const sw_family *b)
{
	if (join_runs(a, b))
		return true;
	int64_t distance = b->first - (a->first + (a->count - 1) * a->step);
	bool alike = a->run == b->run && distance > a->run && (a->count == 1 || a->step == distance) &&
		(b->count == 1 || b->step == distance);
	if (!alike)
		return false;
	a->step = distance;
	a->count += b->count;
	return true;
}

static void sort(sw_family *family, int count)
{
	for (int i = 1; i < count; i++)
		if (family[i].first < family[i - 1].first) {
			qsort(family, (size_t)count, sizeof *family, by_first);
			return;
		}
}

bool sw_families_finish(sw_families *out, sw_indices *indices)
{
	int kept = 0;

	if (out->failed)
		return false;
	sort(out->family, out->count);
	for (int i = 0; i < out->count; i++)
		if (kept == 0 || !join(&out->family[kept - 1], &out->family[i]))
			out->family[kept++] = out->family[i];
	*indices = (sw_indices){kept, out->family};
	return true;
}

sw_indices sw_indices_range(int64_t begin, int64_t end, sw_family *family)
{
	*family = (sw_family){begin, end - begin, end - begin, 1};
	return (sw_indices){end > begin, family};
}

int64_t sw_indices_size(const sw_indices *indices)
{
	int64_t size = 0;

	for (int i = 0; i < indices->count; i++)
		size += indices->family[i].run * indices->family[i].count;
	return size;
}

bool sw_indices_has(const sw_indices *indices, int64_t index)
{
	for (int i = 0; i < indices->count; i++) {
		const sw_family *f = &indices->family[i];
		int64_t at = index - f->first;

		if (at >= 0 && at / f->step < f->count && at % f->step < f->run)
			return true;
	}
	return false;
}

static int64_t below_in(const sw_family *f, int64_t end)
{
	int64_t at = end - f->first;

	if (at <= 0)
		return 0;
	int64_t runs = at / f->step;
	return runs >= f->count ? f->count * f->run : runs * f->run + sw_smaller(at % f->step, f->run);
}

int64_t sw_indices_below(const sw_indices *indices, int64_t end)
{
	int64_t count = 0;

	for (int i = 0; i < indices->count; i++)
		count += below_in(&indices->family[i], end);
	return count;
}

/* ---- what two families have in common ---- */

/* The runs of a family that reach into begin to end - 1; count 0: none does. */
static sw_family runs_within(const sw_family *f, int64_t begin, int64_t end)
{
	int64_t low = sw_larger(0, sw_floor_div(begin - f->first - f->run, f->step) + 1);
	int64_t high = sw_smaller(f->count - 1, sw_ceil_div(end - f->first, f->step) - 1);

	return (sw_family){f->first + low * f->step, f->run, f->step, sw_larger(0, high - low + 1)};
}

/* The first run and the last one may be cut. */
void sw_families_clip(sw_families *out, const sw_family *f, int64_t begin, int64_t end)
{
	sw_family whole = runs_within(f, begin, end);

	for (int side = 0; side < 2 && whole.count > 0; side++) {
		int64_t first = side == 0 ? whole.first : whole.first + (whole.count - 1) * whole.step;

		if (first >= begin && first + f->run <= end)
			continue;
		sw_families_range(out, sw_larger(first, begin), sw_smaller(first + f->run, end));
		whole.first += side == 0 ? whole.step : 0;
		whole.count--;
	}
	sw_families_add(out, whole.first, whole.run, whole.step, whole.count);
}

/* Two families of several runs.  What they have in common comes again after `turns_a` runs of the one and `turns_b` of the
 * other. */
struct pair {
	const sw_family *a, *b;
	int64_t gcd; /* of their steps */
	int64_t turns_a, turns_b;
};

static struct pair pair_of(const sw_family *a, const sw_family *b)
{
	int64_t gcd = sw_gcd(a->step, b->step);

	return (struct pair){a, b, gcd, b->step / gcd, a->step / gcd};
}

/* What run `i` of the one and run `j` of the other have in common, and all that comes of it.  There is a run `i`; runs `j` before
 * and after those that there are count on. */
static void meet_runs(const struct pair *pair, int64_t i, int64_t j, sw_families *out)
{
	const sw_family *a = pair->a, *b = pair->b;
	int64_t at_a = a->first + i * a->step, at_b = b->first + j * b->step;
	int64_t begin = sw_larger(at_a, at_b), end = sw_smaller(at_a + a->run, at_b + b->run);
	int64_t low = sw_larger(0, sw_ceil_div(-j, pair->turns_b));
	int64_t high = sw_smaller((a->count - 1 - i) / pair->turns_a, sw_floor_div(b->count - 1 - j, pair->turns_b));
	int64_t period = high > 0 ? a->step * pair->turns_a : 0; /* of two runs that are there: it fits */

	if (low <= high)
		sw_families_add(out, begin + low * period, end - begin, period, high - low + 1);
}

/* Run by run of the first, through one period. */
static void meet_run_by_run(const struct pair *pair, sw_families *out)
{
	const sw_family *a = pair->a, *b = pair->b;
	int64_t runs = sw_smaller(a->count, pair->turns_a);

	for (int64_t i = 0; i < runs; i++) {
		int64_t at = a->first + i * a->step - b->first;
		int64_t low = sw_floor_div(at - b->run, b->step) + 1, high = sw_ceil_div(at + a->run, b->step) - 1;
		for (int64_t j = low; j <= high; j++)
			meet_runs(pair, i, j, out);
	}
}

/* The number that times `a` is 1 modulo `modulus`, which has no factor in common with it. */
static int64_t inverse_of(int64_t a, int64_t modulus)
{
	int64_t left = modulus, right = a % modulus, before = 0, factor = 1;

	while (right > 1) {
		int64_t quotient = left / right, rest = left % right, next = before - quotient * factor;
		left = right;
		right = rest;
		before = factor;
		factor = next;
	}
	return modulus == 1 ? 0 : factor < 0 ? factor + modulus : factor;
}

/* Of two numbers below the modulus. */
static int64_t product_modulo(int64_t a, int64_t b, int64_t modulus)
{
	return modulus <= INT32_MAX ? a * b % modulus : (int64_t)((wide)a * b % modulus);
}

/* How far a run of the first begins behind one of the second where they meet is one of a few numbers; the runs at each of these
 * distances are those of a congruence. */
static void meet_by_distances(const struct pair *pair, sw_families *out)
{
	const sw_family *a = pair->a, *b = pair->b;
	int64_t apart = a->first - b->first, inverse = inverse_of(pair->turns_b, pair->turns_a);
	int64_t least = apart - sw_floor_div(apart + a->run - 1, pair->gcd) * pair->gcd;

	for (int64_t distance = least; distance < b->run; distance += pair->gcd) {
		int64_t rest = (distance - apart) / pair->gcd % pair->turns_a;
		int64_t i = product_modulo(rest < 0 ? rest + pair->turns_a : rest, inverse, pair->turns_a);
		if (i < a->count)
			meet_runs(pair, i, (apart + i * a->step - distance) / b->step, out);
	}
}

/* How many pairs of runs are looked at run by run of the first. */
static int64_t work_of(const struct pair *pair)
{
	int64_t runs = sw_smaller(pair->a->count, pair->turns_a),
			each = (pair->a->run + pair->b->run) / pair->b->step + 1;
	int64_t work;

	return sw_mul(runs, each, &work) ? work : INT64_MAX;
}

/* How two families of several runs each are compared with the fewest looks. */
struct comparison {
	struct pair pair;
	bool by_distances;
	int64_t looks;
};

static struct comparison compare(const sw_family *a, const sw_family *b)
{
	struct pair pair = pair_of(a, b), turned = {b, a, pair.gcd, pair.turns_b, pair.turns_a};
	int64_t distances = (a->run + b->run - 2) / pair.gcd + 1, by_a = work_of(&pair), by_b = work_of(&turned);
	int64_t by_runs = sw_smaller(by_a, by_b);

	if (distances <= by_runs)
		return (struct comparison){pair, true, distances};
	return (struct comparison){by_a <= by_b ? pair : turned, false, by_runs};
}

static void carry_out(const struct comparison *c, sw_families *out)
{
	if (c->by_distances)
		meet_by_distances(&c->pair, out);
	else
		meet_run_by_run(&c->pair, out);
}

static void clip_by(const sw_family *f, const sw_family *run, sw_families *out)
{
	sw_families_clip(out, f, run->first, sw_family_end(run));
}

/* The runs of each that reach into the other; there may be few. */
static void meet_near(const sw_family *a, const sw_family *b, sw_families *out)
{
	sw_family some = runs_within(a, b->first, sw_family_end(b));
	sw_family others = some;

	if (some.count > 0)
		others = runs_within(b, some.first, sw_family_end(&some));
	if (some.count == 0 || others.count == 0)
		return;
	if (some.count == 1 || others.count == 1) {
		clip_by(some.count == 1 ? &others : &some, some.count == 1 ? &some : &others, out);
		return;
	}
	struct comparison c = compare(&some, &others);
	carry_out(&c, out);
}

static void meet_families(const sw_family *a, const sw_family *b, sw_families *out)
{
	enum { FEW_LOOKS = 8 };

	if (a->first >= sw_family_end(b) || b->first >= sw_family_end(a))
		return;
	if (a->count == 1 || b->count == 1) {
		clip_by(a->count == 1 ? b : a, a->count == 1 ? a : b, out);
		return;
	}
	struct comparison c = compare(a, b);
	if (c.looks <= FEW_LOOKS)
		carry_out(&c, out);
	else
		meet_near(a, b, out);
}

/* Does each family begin where the one before has ended, or later? */
static bool follow_each_other(const sw_indices *indices)
{
	for (int i = 1; i < indices->count; i++)
		if (indices->family[i].first < sw_family_end(&indices->family[i - 1]))
			return false;
	return true;
}

/* Of families that follow each other: each with those that reach into it. */
static void meet_in_order(const sw_indices *a, const sw_indices *b, sw_families *out)
{
	for (int i = 0, k = 0; i < a->count && k < b->count;) {
		meet_families(&a->family[i], &b->family[k], out);
		if (sw_family_end(&a->family[i]) < sw_family_end(&b->family[k]))
			i++;
		else
			k++;
	}
}

/* ---- chains ---- */

/* Families in chains, in each of which they follow each other. */
struct chains {
	int count;
	sw_indices *chain;
};

/* The first chain that ends where a family begins, or before. */
static int chain_for(const int64_t *end, int chains, int64_t first)
{
	int n = 0;

	while (n < chains && end[n] > first)
		n++;
	return n;
}

/* Families in ascending order; `of`: room for the chain of each. */
static bool deal(const sw_family *family, int count, int *of, sw_arena *arena, struct chains *chains)
{
	int64_t *end = SW_NEW(arena, int64_t, count);
	sw_indices *chain = SW_NEW_ZERO(arena, sw_indices, count);
	sw_family *dealt = SW_NEW(arena, sw_family, count);

	*chains = (struct chains){0, chain};
	if (end == NULL || chain == NULL || dealt == NULL)
		return false;
	for (int i = 0; i < count; i++) {
		of[i] = chain_for(end, chains->count, family[i].first);
		chains->count += of[i] == chains->count;
		end[of[i]] = sw_family_end(&family[i]);
		chain[of[i]].count++;
	}
	for (int n = 0; n < chains->count; dealt += chain[n++].count)
		chain[n].family = dealt;
	sw_family **next = SW_NEW(arena, sw_family *, chains->count);
	for (int n = 0; next != NULL && n < chains->count; n++)
		next[n] = (sw_family *)chain[n].family;
	for (int i = 0; next != NULL && i < count; i++)
		*next[of[i]]++ = family[i];
	return next != NULL;
}

/* As few chains as the most families that reach over one index.  One is made of nothing new; `one` has room for it. */
static bool chains_of(const sw_indices *indices, sw_arena *arena, sw_indices *one, struct chains *chains)
{
	*one = *indices;
	*chains = (struct chains){1, one};
	if (follow_each_other(indices))
		return true;
	sw_family *family = SW_NEW(arena, sw_family, indices->count);
	int *of = SW_NEW(arena, int, indices->count);
	if (family == NULL || of == NULL)
		return false;
	memcpy(family, indices->family, (size_t)indices->count * sizeof *family);
	sort(family, indices->count);
	return deal(family, indices->count, of, arena, chains);
}

/* So few are not worth sorting the others. */
enum { FEW = 4 };

static void meet_all(const sw_indices *a, const sw_indices *b, sw_families *out)
{
	for (int i = 0; i < a->count; i++)
		for (int k = 0; k < b->count; k++)
			meet_families(&a->family[i], &b->family[k], out);
}

bool sw_indices_meet(const sw_indices *a, const sw_indices *b, sw_arena *arena, sw_indices *both)
{
	sw_families out = {.arena = arena};
	sw_indices room[2];
	struct chains of_a, of_b;

	if (sw_smaller(a->count, b->count) <= FEW && !(follow_each_other(a) && follow_each_other(b))) {
		meet_all(a, b, &out);
		return sw_families_finish(&out, both);
	}
	if (!chains_of(a, arena, &room[0], &of_a) || !chains_of(b, arena, &room[1], &of_b))
		return false;
	for (int i = 0; i < of_a.count; i++)
		for (int k = 0; k < of_b.count; k++)
			meet_in_order(&of_a.chain[i], &of_b.chain[k], &out);
	return sw_families_finish(&out, both);
}

/* ---- minus and union ---- */

static int64_t end_of_all(const sw_indices *indices)
{
	int64_t end = 0;

	for (int i = 0; i < indices->count; i++)
		end = sw_larger(end, sw_family_end(&indices->family[i]));
	return end;
}

/* What lies outside of families that follow each other, below `end`. */
static bool outside(const sw_indices *indices, int64_t end, sw_arena *arena, sw_indices *others)
{
	sw_families out = {.arena = arena};
	int64_t reached = 0;

	for (int i = 0; i < indices->count; i++) {
		const sw_family *f = &indices->family[i];
		sw_families_range(&out, reached, f->first);
		sw_families_add(&out, f->first + f->run, f->step - f->run, f->step, f->count - 1);
		reached = sw_family_end(f);
	}
	sw_families_range(&out, reached, end);
	return sw_families_finish(&out, others);
}

bool sw_indices_minus(const sw_indices *a, const sw_indices *b, sw_arena *arena, sw_indices *left)
{
	int64_t end = end_of_all(a);
	sw_indices room, others;
	struct chains chains;

	*left = *a;
	if (!chains_of(b, arena, &room, &chains))
		return false;
	for (int n = 0; n < chains.count && left->count > 0; n++)
		if (!outside(&chains.chain[n], end, arena, &others) || !sw_indices_meet(left, &others, arena, left))
			return false;
	return true;
}

static void add_all(const sw_indices *indices, sw_families *out)
{
	for (int i = 0; i < indices->count; i++)
		sw_families_add(out, indices->family[i].first, indices->family[i].run, indices->family[i].step,
			indices->family[i].count);
}

/* Two runs that touch each other, as one in `run`. */
static bool runs_touch(const sw_indices *a, const sw_indices *b, sw_family *run)
{
	if (a->count != 1 || b->count != 1 || a->family->count != 1 || b->family->count != 1)
		return false;
	int64_t begin = sw_smaller(a->family->first, b->family->first);
	int64_t end = sw_larger(sw_family_end(a->family), sw_family_end(b->family));

	*run = (sw_family){begin, end - begin, end - begin, 1};
	return end - begin <= a->family->run + b->family->run;
}

bool sw_indices_union(const sw_indices *a, const sw_indices *b, sw_arena *arena, sw_indices *all)
{
	sw_families out = {.arena = arena};
	sw_indices more;
	sw_family run;

	if (runs_touch(a, b, &run)) {
		sw_families_add(&out, run.first, run.run, run.run, 1);
		return sw_families_finish(&out, all);
	}
	if (!sw_indices_minus(b, a, arena, &more))
		return false;
	add_all(a, &out);
	add_all(&more, &out);
	return sw_families_finish(&out, all);
}

/* Half and half: each family is in few unions. */
static bool join_halves(const sw_family *family, int count, sw_arena *arena, sw_indices *indices)
{
	sw_indices low = {0, NULL}, high;

	*indices = (sw_indices){count, family};
	return count < 2 ||
		(join_halves(family, count / 2, arena, &low) &&
			join_halves(family + count / 2, count - count / 2, arena, &high) &&
			sw_indices_union(&low, &high, arena, indices));
}

/* Joins single runs that overlap, in ascending order.  false: others overlap. */
static bool join_overlaps(sw_families *out)
{
	int kept = 0;

	for (int i = 0; i < out->count; i++) {
		sw_family *last = out->family + kept - 1, *f = &out->family[i];
		if (kept > 0 && f->first < sw_family_end(last) && last->count == 1 && f->count == 1) {
			last->run = sw_larger(last->run, sw_family_end(f) - last->first);
			last->step = last->run;
		} else {
			out->family[kept++] = *f;
		}
	}
	out->count = kept;
	return follow_each_other(&(sw_indices){out->count, out->family});
}

/* ---- families of one step ---- */

/* Where a family stands in the period of a step. */
struct phase {
	int64_t at;
	const sw_family *family;
};

static int by_phase(const void *left, const void *right)
{
	const struct phase *a = left, *b = right;

	return (a->at > b->at) - (a->at < b->at);
}

static int64_t modulo(int64_t a, int64_t step)
{
	return a - sw_floor_div(a, step) * step;
}

/* The step of all that have several runs, which no run exceeds; 0: there is none. */
static int64_t common_step(const sw_families *out)
{
	int64_t step = 0, longest = 0;

	for (int i = 0; i < out->count; i++) {
		const sw_family *f = &out->family[i];
		longest = sw_larger(longest, f->run);
		if (f->count > 1 && step != 0 && f->step != step)
			return 0;
		step = f->count > 1 ? f->step : step;
	}
	return longest <= step ? step : 0;
}

/* How many phases behind one, around the end of the step, begin within its run; -1: one is of a family that reaches over some of the
 * same range. */
static int phases_within(const struct phase *phase, int count, int at, int64_t step)
{
	const sw_family *f = phase[at].family;

	for (int k = 1; k < count; k++) {
		int next = at + k < count ? at + k : at + k - count;
		const sw_family *other = phase[next].family;
		if (phase[next].at + (next < at ? step : 0) >= phase[at].at + f->run)
			return k - 1;
		if (other->first < sw_family_end(f) && f->first < sw_family_end(other))
			return -1;
	}
	return count - 1;
}

/* Does one see from their phases that no two have an index in common?  A few neighbours of each are looked at. */
static bool apart_by_phases(const sw_families *out)
{
	enum { NEIGHBOURS = 16 };
	int64_t step = common_step(out), looks = 0;
	sw_arena_mark mark = sw_arena_here(out->arena);
	struct phase *phase = step > 0 ? SW_NEW(out->arena, struct phase, out->count) : NULL;
	bool apart = phase != NULL;

	for (int i = 0; apart && i < out->count; i++)
		phase[i] = (struct phase){modulo(out->family[i].first, step), &out->family[i]};
	if (apart)
		qsort(phase, (size_t)out->count, sizeof *phase, by_phase);
	for (int i = 0; apart && i < out->count; i++) {
		int within = phases_within(phase, out->count, i, step);
		looks += within;
		apart = within >= 0 && looks <= (int64_t)NEIGHBOURS * out->count;
	}
	sw_arena_back(out->arena, mark);
	return apart;
}

static bool unite_alike(sw_families *some, sw_indices *indices)
{
	*indices = (sw_indices){some->count, some->family};
	return apart_by_phases(some) || join_halves(some->family, some->count, some->arena, indices);
}

/* Takes those of the step of the first out of `left`, or all. */
static void take_step(sw_families *left, bool all, sw_families *some)
{
	int kept = 0;
	int64_t step = left->family[0].count > 1 ? left->family[0].step : 0;

	for (int i = 0; i < left->count; i++) {
		sw_family f = left->family[i];
		if (all || step == (f.count > 1 ? f.step : 0))
			sw_families_add(some, f.first, f.run, f.step, f.count);
		else
			left->family[kept++] = f;
	}
	left->count = kept;
}

/* Step by step, as long as there are few; what is large stays whole, and the small is taken apart. */
static bool unite_steps(sw_families *out, sw_indices *indices)
{
	enum { MOST_STEPS = 8 };
	sw_indices all = {0, NULL}, more;

	for (int steps = 1; out->count > 0; steps++) {
		sw_families some = {.arena = out->arena};
		take_step(out, steps == MOST_STEPS, &some);
		if (some.failed || !unite_alike(&some, &more) ||
			!(all.count > more.count ? sw_indices_union(&all, &more, out->arena, &all) :
									   sw_indices_union(&more, &all, out->arena, &all)))
			return false;
	}
	*indices = all;
	return true;
}

bool sw_families_unite(sw_families *out, sw_indices *indices)
{
	if (out->failed)
		return false;
	sort(out->family, out->count);
	if (join_overlaps(out))
		return sw_families_finish(out, indices);
	return unite_steps(out, indices);
}

bool sw_indices_of(const sw_family *family, int count, sw_arena *arena, sw_indices *indices)
{
	sw_families out = {.arena = arena};

	add_all(&(sw_indices){count, family}, &out);
	return sw_families_unite(&out, indices);
}

/* Runs that touch or overlap become one. */
static void join_touching(sw_families *out)
{
	int kept = 0;

	for (int i = 0; i < out->count; i++) {
		sw_family *last = out->family + kept - 1, *f = &out->family[i];
		if (kept > 0 && f->first <= sw_family_end(last))
			last->run = last->step = sw_larger(sw_family_end(last), sw_family_end(f)) - last->first;
		else
			out->family[kept++] = *f;
	}
	out->count = kept;
}

/* Adds the runs of a family, one by one. */
static void add_runs(const sw_family *f, sw_families *out)
{
	for (int64_t k = 0; k < f->count; k++)
		sw_families_add(out, f->first + k * f->step, f->run, f->run, 1);
}

bool sw_indices_in_order(const sw_family *family, int count, int64_t most, sw_arena *arena, sw_indices *ordered)
{
	sw_families out = {.arena = arena};
	int64_t runs = 0;

	for (int i = 0; i < count; i++)
		if (!sw_add(runs, family[i].count, &runs) || runs > most)
			return sw_indices_of(family, count, arena, ordered);
	for (int i = 0; i < count; i++)
		add_runs(&family[i], &out);
	if (out.failed)
		return false;
	sort(out.family, out.count);
	join_touching(&out);
	return sw_families_finish(&out, ordered);
}

bool sw_indices_equal(const sw_indices *a, const sw_indices *b)
{
	sw_indices left;

	if (sw_indices_size(a) != sw_indices_size(b))
		return false;
	if (a->count == b->count &&
		(a->count == 0 || memcmp(a->family, b->family, (size_t)a->count * sizeof *a->family) == 0))
		return true;
	sw_arena *arena = sw_arena_new();
	bool equal = arena != NULL && sw_indices_minus(a, b, arena, &left) && left.count == 0;
	sw_arena_free(arena);
	return equal;
}

/* ---- moved ---- */

/* Those from begin to end - 1, plus `by`. */
static void add_moved(const sw_indices *indices, int64_t begin, int64_t end, int64_t by, sw_families *out)
{
	int before = out->count;

	for (int i = 0; i < indices->count; i++)
		sw_families_clip(out, &indices->family[i], begin, end);
	for (int i = before; i < out->count; i++)
		out->family[i].first += by;
}

bool sw_indices_shift(const sw_indices *indices, int64_t by, int64_t size, bool wrap, sw_arena *arena,
	sw_indices *moved)
{
	sw_families out = {.arena = arena};

	if (wrap) {
		by = by % size + (by % size < 0 ? size : 0);
		add_moved(indices, size - by, size, by - size, &out);
	}
	if (by < size && by > -size)
		add_moved(indices, sw_larger(0, -by), sw_smaller(size, size - by), by, &out);
	return sw_families_finish(&out, moved);
}

bool sw_indices_places(const sw_indices *indices, const sw_family *slice, sw_arena *arena, sw_indices *places)
{
	sw_families out = {.arena = arena};
	const int64_t step = slice->run == 1 ? slice->step : 1;
	sw_indices both;

	assert(slice->run == 1 || slice->count == 1);
	if (!sw_indices_meet(indices, &(sw_indices){1, slice}, arena, &both))
		return false;
	for (int i = 0; i < both.count; i++) {
		const sw_family *f = &both.family[i];
		sw_families_add(&out, (f->first - slice->first) / step, f->run, f->count > 1 ? f->step / step : f->run,
			f->count);
	}
	return sw_families_finish(&out, places);
}

/* ---- text ---- */

static void print_run(const sw_family *f, int64_t run, sw_text *text)
{
	int64_t first = f->first + run * f->step;

	sw_text_addf(text, "%lld:%lld", (long long)first, (long long)(first + f->run));
}

static void print_family(const sw_family *f, sw_text *text)
{
	for (int64_t run = 0; run < f->count; run++) {
		sw_text_add(text, run > 0 ? " " : "");
		if (run == 2 && f->count > 3) {
			sw_text_add(text, ".. ");
			run = f->count - 1;
		}
		print_run(f, run, text);
	}
}

void sw_indices_print(const sw_indices *indices, sw_text *text)
{
	sw_text_add(text, indices->count == 0 ? "none" : "");
	for (int i = 0; i < indices->count; i++) {
		sw_text_add(text, i > 0 ? " " : "");
		print_family(&indices->family[i], text);
	}
}

static void print_runs(const sw_family *f, sw_text *text)
{
	long long first = f->first, last = f->first + f->run - 1;

	for (int64_t i = 0; i < (f->count > 2 ? 1 : f->count); i++) {
		sw_text_addf(text, "%s%lld", i > 0 ? " " : "", first + (long long)(i * f->step));
		if (f->run > 1)
			sw_text_addf(text, "-%lld", last + (long long)(i * f->step));
	}
	if (f->count > 2)
		sw_text_addf(text, "+%lld*%lld", (long long)f->step, (long long)f->count);
}

#define RUNS_MOST 4096 /* that are put in order */

void sw_indices_print_runs(const sw_indices *indices, sw_arena *arena, sw_text *text)
{
	sw_indices ordered = *indices;

	if (!sw_indices_in_order(indices->family, indices->count, RUNS_MOST, arena, &ordered))
		ordered = *indices;
	if (ordered.count == 0)
		sw_text_add_char(text, '-');
	for (int i = 0; i < ordered.count; i++) {
		sw_text_add(text, i > 0 ? " " : "");
		print_runs(&ordered.family[i], text);
	}
}
