/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Indices of one dimension as families of runs.
 */
#include "index/family.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

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

/* Does `b` go on where `a` ends, as one run or as the next of its runs? */
static bool join(sw_family *a, const sw_family *b)
{
	if (a->count == 1 && b->count == 1 && a->first + a->run == b->first) {
		a->run = a->step = a->run + b->run;
		return true;
	}
	int64_t distance = b->first - (a->first + (a->count - 1) * a->step);
	bool alike = a->run == b->run && distance > a->run && (a->count == 1 || a->step == distance) &&
		(b->count == 1 || b->step == distance);
	if (!alike)
		return false;
	a->step = distance;
	a->count += b->count;
	return true;
}

bool sw_families_finish(sw_families *out, sw_indices *indices)
{
	int kept = 0;

	if (out->failed)
		return false;
	if (out->count > 1)
		qsort(out->family, (size_t)out->count, sizeof *out->family, by_first);
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

/* ---- what two families have in common ---- */

/* The first run and the last one may be cut. */
void sw_families_clip(sw_families *out, const sw_family *f, int64_t begin, int64_t end)
{
	int64_t low = sw_larger(0, sw_floor_div(begin - f->first - f->run, f->step) + 1);
	int64_t high = sw_smaller(f->count - 1, sw_ceil_div(end - f->first, f->step) - 1);

	for (int side = 0; side < 2 && low <= high; side++) {
		int64_t run = side == 0 ? low : high, first = f->first + run * f->step;

		if (first >= begin && first + f->run <= end)
			continue;
		sw_families_range(out, sw_larger(first, begin), sw_smaller(first + f->run, end));
		low += side == 0;
		high -= side == 1;
	}
	sw_families_add(out, f->first + low * f->step, f->run, f->step, high - low + 1);
}

/* Two families and the distance at which all that they have in common comes again. */
struct pair {
	const sw_family *a, *b;
	int64_t period;
};

/* What run `i` of the one and run `j` of the other have in common, and all that comes of it; runs before and after those that
 * there are count on. */
static void meet_runs(const struct pair *pair, int64_t i, int64_t j, sw_families *out)
{
	assert(pair->period >= pair->a->step && pair->period >= pair->b->step);
	int64_t at_a = pair->a->first + i * pair->a->step, at_b = pair->b->first + j * pair->b->step;
	int64_t begin = sw_larger(at_a, at_b), end = sw_smaller(at_a + pair->a->run, at_b + pair->b->run);
	int64_t turns_a = pair->period / pair->a->step, turns_b = pair->period / pair->b->step;
	int64_t low = sw_larger(0, sw_ceil_div(-j, turns_b));
	int64_t high = sw_smaller(sw_floor_div(pair->a->count - 1 - i, turns_a),
		sw_floor_div(pair->b->count - 1 - j, turns_b));

	sw_families_add(out, begin + low * pair->period, end - begin, pair->period, high - low + 1);
}

static void meet_families(const sw_family *a, const sw_family *b, sw_families *out)
{
	assert(a->run <= a->step && b->run <= b->step);
	if (a->count == 1 || b->count == 1) {
		const sw_family *one = a->count == 1 ? a : b, *other = a->count == 1 ? b : a;
		sw_families_clip(out, other, one->first, sw_family_end(one));
		return;
	}
	struct pair pair = {a, b, 0};
	if (__builtin_mul_overflow(a->step / sw_gcd(a->step, b->step), b->step, &pair.period))
		pair.period = INT64_MAX; /* longer than either family */
	int64_t runs = sw_smaller(a->count, pair.period / a->step);
	for (int64_t i = 0; i < runs; i++) {
		int64_t at = a->first + i * a->step - b->first;
		int64_t low = sw_floor_div(at - b->run, b->step) + 1, high = sw_ceil_div(at + a->run, b->step) - 1;
		for (int64_t j = low; j <= high; j++)
			meet_runs(&pair, i, j, out);
	}
}

bool sw_indices_meet(const sw_indices *a, const sw_indices *b, sw_arena *arena, sw_indices *both)
{
	sw_families out = {.arena = arena};

	for (int i = 0; i < a->count; i++)
		for (int k = 0; k < b->count; k++)
			meet_families(&a->family[i], &b->family[k], &out);
	return sw_families_finish(&out, both);
}

/* ---- minus and union ---- */

/* What lies outside a family, below `end`. */
static bool outside(const sw_family *f, int64_t end, sw_arena *arena, sw_indices *others)
{
	sw_families out = {.arena = arena};

	sw_families_range(&out, 0, f->first);
	sw_families_add(&out, f->first + f->run, f->step - f->run, f->step, f->count - 1);
	sw_families_range(&out, sw_family_end(f), end);
	return sw_families_finish(&out, others);
}

bool sw_indices_minus(const sw_indices *a, const sw_indices *b, sw_arena *arena, sw_indices *left)
{
	int64_t end = 0;

	*left = *a;
	for (int i = 0; i < a->count; i++)
		end = sw_larger(end, sw_family_end(&a->family[i]));
	for (int k = 0; k < b->count; k++) {
		sw_indices others;
		if (!outside(&b->family[k], end, arena, &others) || !sw_indices_meet(left, &others, arena, left))
			return false;
	}
	return true;
}

bool sw_indices_union(const sw_indices *a, const sw_indices *b, sw_arena *arena, sw_indices *all)
{
	sw_families out = {.arena = arena};
	sw_indices more;

	if (!sw_indices_minus(b, a, arena, &more))
		return false;
	for (int i = 0; i < a->count + more.count; i++) {
		const sw_family *f = i < a->count ? &a->family[i] : &more.family[i - a->count];
		sw_families_add(&out, f->first, f->run, f->step, f->count);
	}
	return sw_families_finish(&out, all);
}

/* Joins single runs that overlap.  false: others overlap. */
static bool join_runs(sw_families *out)
{
	int64_t end = 0;
	int kept = 0;
	bool apart = true;

	qsort(out->family, (size_t)out->count, sizeof *out->family, by_first);
	for (int i = 0; i < out->count; i++) {
		sw_family *last = out->family + kept - 1, *f = &out->family[i];
		if (kept > 0 && f->first < sw_family_end(last) && last->count == 1 && f->count == 1) {
			last->run = sw_larger(last->run, sw_family_end(f) - last->first);
			last->step = last->run;
		} else {
			apart = apart && (kept == 0 || f->first >= end);
			out->family[kept++] = *f;
		}
		end = i == 0 ? sw_family_end(f) : sw_larger(end, sw_family_end(f));
	}
	out->count = kept;
	return apart;
}

bool sw_families_unite(sw_families *out, sw_indices *indices)
{
	sw_indices all = {0, NULL};

	if (out->failed)
		return false;
	if (out->count < 2 || join_runs(out))
		return sw_families_finish(out, indices);
	for (int i = 0; i < out->count; i++)
		if (!sw_indices_union(&all, &(sw_indices){1, &out->family[i]}, out->arena, &all))
			return false;
	*indices = all;
	return true;
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
