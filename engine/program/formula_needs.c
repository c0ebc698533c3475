/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What devices need for the points that they compute, and which elements wait for messages.
 *
 * Source: seed 002, sections 2.4 and 5: beta is the image of gamma under the signature of what is computed.
 */
#include "program/formula.h"

#include <string.h>

#include <shardwalk/number.h>

#include "array/holding.h"
#include "array/stretch.h"

/* ---- points ---- */

sw_access sw_formula_access_of(const sw_formula *formula, const sw_formula_access *access)
{
	const sw_formula_array *array = &formula->array[access->array];

	return (sw_access){array->rank, access->index, array->size, formula->wrap};
}

void sw_formula_points(const sw_formula *formula, const sw_holding *where, sw_points *points)
{
	int array = sw_formula_place(formula), k = 0;

	while (formula->access[k].array != array || !sw_formula_is_plain(formula, &formula->access[k]))
		k++;
	*points = (sw_points){.formula = formula,
		.letters = {formula->letters, formula->letter, formula->size},
		.array = array,
		.access = sw_formula_access_of(formula, &formula->access[k]),
		.where = where};
	points->same = points->access.rank == formula->letters;
	for (int d = 0; d < points->access.rank && points->same; d++)
		points->same = points->access.index[d].letter == formula->letter[d];
}

bool sw_points_region(const sw_points *points, int64_t device, sw_arena *arena, sw_region *region)
{
	sw_region held;

	if (!sw_pulse_beat(points->pulse, "devices", device, points->where->devices))
		return false;
	if (points->same)
		return sw_holding_region(points->where, device, arena, region);
	return sw_holding_region(points->where, device, arena, &held) &&
		sw_access_preimage(&points->access, &points->letters, &held, arena, region);
}

static bool is_defined(const sw_points *points, int64_t device)
{
	return sw_holding_defined(points->where, device);
}

static bool add_region(sw_region *all, const sw_region *more, sw_arena *arena)
{
	if (all->count > 0)
		return sw_region_union(all, more, arena, all);
	*all = *more;
	return true;
}

/* ---- what is made ---- */

static bool made_of_points(const sw_points *points, const sw_region *some, sw_arena *arena, sw_region *made)
{
	sw_access left = sw_formula_access_of(points->formula, &points->formula->access[0]);

	return sw_access_image(&left, &points->letters, some, arena, made);
}

static bool made_region(const void *of, int64_t device, sw_arena *arena, sw_region *region)
{
	sw_region all;

	return sw_points_region(of, device, arena, &all) && made_of_points(of, &all, arena, region);
}

static bool made_defined(const void *of, int64_t device)
{
	return is_defined(of, device);
}

void sw_points_make(const sw_points *points, sw_holding_rule *rule, sw_holding *made)
{
	const sw_formula_array *left = &points->formula->array[0];

	*rule = (sw_holding_rule){made_region, made_defined, points, NULL};
	sw_holding_of_rule(points->where->devices, left->rank, left->size, rule, made);
}

/* How many points there are in all, and how many of them have the summed letters of one element of the left side. */
static bool count_points(const sw_formula *formula, int64_t *all, int64_t *of_element)
{
	bool fits = true;

	*all = *of_element = 1;
	for (int letter = 0; letter < formula->letters && fits; letter++) {
		fits = sw_mul(*all, formula->size[letter], all);
		*of_element *= letter >= formula->kept ? formula->size[letter] : 1;
	}
	return fits;
}

/* Adds up the points of all devices.  Does each make whole values? */
static bool add_points(const sw_points *points, int64_t of_element, int64_t *all, bool *whole)
{
	sw_arena *arena = sw_arena_new();
	bool fits = arena != NULL;

	*whole = true;
	*all = 0;
	for (int64_t d = 0; d < points->where->devices && fits; d++) {
		sw_region here, made;
		sw_arena_clear(arena);
		fits = sw_points_region(points, d, arena, &here) && made_of_points(points, &here, arena, &made);
		if (!fits)
			break;
		int64_t size = sw_region_size(&here);
		*whole = *whole && size == sw_region_size(&made) * of_element;
		fits = sw_add(*all, size, all);
	}
	sw_arena_free(arena);
	return fits;
}

static bool refuse_copies(const sw_points *points, sw_diag *diag)
{
	const sw_formula_array *array = &points->formula->array[points->array];

	sw_diag_set(diag, SW_T11, array->at,
		"several devices hold an element of %s: its terms would be added more than once",
		sw_scan_quote(array->name).text);
	sw_diag_expected(diag, "each element on one device");
	sw_diag_hint(diag, "compute where the left side is held, or where each element is held once");
	return false;
}

bool sw_points_sum(const sw_points *points, sw_holding *made, sw_diag *diag)
{
	int64_t all, of_element, computed;
	bool whole;

	if (!count_points(points->formula, &all, &of_element))
		return sw_diag_set(diag, SW_S09, (sw_span){0, 0}, "the points of the letters do not fit 64 bits");
	if (!add_points(points, of_element, &computed, &whole))
		return sw_diag_memory(diag);
	if (whole)
		return true;
	if (computed > all)
		return refuse_copies(points, diag);
	sw_holding_sum_each(made);
	return true;
}

/* ---- what is read ---- */

/* Accesses to one array from terms that lack the same letters. */
typedef struct sw_reads {
	uint32_t lacks; /* a bit for each summed letter: such a term counts where these are 0 */
	int count;
	sw_access *access;
} sw_reads;

static uint32_t letters_of(const sw_formula *formula, const sw_formula_access *access)
{
	uint32_t all = 0;

	for (int d = 0; d < formula->array[access->array].rank; d++) {
		int letter = sw_formula_letter(formula, access->index[d].letter);
		all |= letter >= 0 ? 1u << letter : 0;
	}
	return all;
}

uint32_t sw_formula_lacks(const sw_formula *formula, int term)
{
	uint32_t all = 0;

	for (int letter = formula->kept; letter < formula->letters; letter++)
		all |= 1u << letter;
	for (int k = 0; k < formula->accesses; k++)
		if (formula->access[k].term == term)
			all &= ~letters_of(formula, &formula->access[k]);
	return all;
}

static sw_reads *reads_lacking(uint32_t lacks, sw_reads *reads, int *groups, int room, sw_arena *arena)
{
	for (int k = 0; k < *groups; k++)
		if (reads[k].lacks == lacks)
			return &reads[k];
	sw_reads *made = &reads[(*groups)++];
	*made = (sw_reads){lacks, 0, SW_NEW(arena, sw_access, room)};
	return made->access != NULL ? made : NULL;
}

/* The accesses to an array, in groups; how many groups, -1: no memory. */
static int collect(const sw_formula *formula, int array, sw_arena *arena, sw_reads *reads)
{
	int groups = 0;

	for (int k = 0; k < formula->accesses; k++) {
		const sw_formula_access *access = &formula->access[k];
		if (access->array != array || access->term < 0)
			continue;
		sw_reads *into = reads_lacking(sw_formula_lacks(formula, access->term), reads, &groups, formula->accesses,
			arena);
		if (into == NULL)
			return -1;
		into->access[into->count++] = sw_formula_access_of(formula, access);
	}
	for (int k = 0; k < groups; k++) {
		reads[k].count = sw_access_join(reads[k].access, reads[k].count, arena);
		if (reads[k].count < 0)
			return -1;
	}
	return groups;
}

/* Those of the points at which a group of terms counts. */
static bool points_of(const sw_points *points, const sw_reads *reads, const sw_region *all, sw_arena *arena,
	sw_region *some)
{
	sw_family family[SW_MAX_LETTERS];
	sw_indices set[SW_MAX_LETTERS];

	*some = *all;
	if (reads->lacks == 0)
		return true;
	for (int letter = 0; letter < points->letters.count; letter++) {
		int64_t end = reads->lacks >> letter & 1 ? 1 : points->letters.size[letter];
		set[letter] = sw_indices_range(0, end, &family[letter]);
	}
	return sw_region_meet(all, &(sw_region){points->letters.count, 1, set}, arena, some);
}

static bool read_at_points(const sw_need *need, const sw_region *all, sw_arena *arena, sw_region *read)
{
	sw_region some, part;

	*read = (sw_region){need->needed.rank, 0, NULL};
	for (int k = 0; k < need->groups; k++) {
		const sw_reads *reads = &need->reads[k];
		if (!points_of(need->points, reads, all, arena, &some))
			return false;
		for (int a = 0; a < reads->count; a++)
			if (!sw_access_image(&reads->access[a], &need->points->letters, &some, arena, &part) ||
				!add_region(read, &part, arena))
				return false;
	}
	return true;
}

static bool needed_region(const void *of, int64_t device, sw_arena *arena, sw_region *region)
{
	const sw_need *need = of;
	sw_region all;

	return sw_points_region(need->points, device, arena, &all) && read_at_points(need, &all, arena, region);
}

bool sw_need_image(const sw_need *need, const sw_region *made, sw_arena *arena, sw_region *read)
{
	const sw_formula *formula = need->points->formula;
	sw_access left = sw_formula_access_of(formula, &formula->access[0]);
	sw_region all;

	return sw_access_preimage(&left, &need->points->letters, made, arena, &all) &&
		read_at_points(need, &all, arena, read);
}

static bool needed_defined(const void *of, int64_t device)
{
	const sw_need *need = of;

	return is_defined(need->points, device);
}

/* By how much what an index reads moves where its letter moves `by`.  false: not alike everywhere, or backwards. */
static bool step_of(const sw_index *index, int64_t by, int64_t *step)
{
	int64_t product;

	*step = 0;
	if (index->whole || index->letter == 0)
		return index->graph == NULL;
	if (index->graph != NULL || !sw_mul(index->factor, by, &product) || product % index->divisor != 0)
		return false;
	*step = product / index->divisor;
	return *step >= 0;
}

/* Points from `low` to `high` - 1 of each letter, which move. */
typedef struct moving {
	int64_t low[SW_MAX_DIMS], high[SW_MAX_DIMS], step[SW_MAX_DIMS];
} moving;

static void bound_points(const sw_region *points, moving *m)
{
	for (int n = 0; n < points->count; n++)
		for (int d = 0; d < points->rank; d++) {
			const sw_indices *set = &points->set[n * points->rank + d];
			int64_t low = set->family[0].first, high = low;
			for (int k = 0; k < set->count; k++) {
				low = sw_smaller(low, set->family[k].first);
				high = sw_larger(high, sw_family_end(&set->family[k]));
			}
			m->low[d] = n == 0 ? low : sw_smaller(m->low[d], low);
			m->high[d] = n == 0 ? high : sw_larger(m->high[d], high);
		}
}

/* As long as what is read moves, alike in all accesses, and comes to no end. */
static void stretch_access(const sw_access *access, const sw_points *points, const moving *m, bool first,
	sw_stretch *s)
{
	for (int d = 0; d < access->rank; d++) {
		const sw_index *index = &access->index[d];
		int n = sw_formula_letter(points->formula, index->letter);
		int64_t step;
		if (!step_of(index, n >= 0 ? m->step[n] : 0, &step) || (!first && step != s->step[d])) {
			sw_stretch_end(s, 1);
			return;
		}
		s->step[d] = step;
		if (step == 0)
			continue;
		s->low[d] = sw_floor_div(index->factor * m->low[n] + index->offset, index->divisor);
		s->high[d] =
			sw_floor_div(index->factor * (m->high[n] - 1) + index->offset + index->width - 1, index->divisor) + 1;
		sw_stretch_within(s, d, 0, access->size[d]);
	}
}

static int64_t needed_stretch(const void *of, int64_t device, sw_arena *scratch, int64_t *step)
{
	const sw_need *need = of;
	const sw_reads *reads = need->reads;
	sw_arena_mark mark = sw_arena_here(scratch);
	sw_stretch s = {.devices = 1};
	moving m = {.step = {0}};
	sw_region points;

	if (need->points->same && need->groups == 1 && reads->lacks == 0)
		s.devices = sw_holding_stretch(need->points->where, device, scratch, m.step);
	if (s.devices > 1 && (!sw_points_region(need->points, device, scratch, &points) || points.count == 0))
		s.devices = 1;
	if (s.devices > 1)
		bound_points(&points, &m);
	for (int k = 0; k < reads->count && s.devices > 1; k++)
		stretch_access(&reads->access[k], need->points, &m, k == 0, &s);
	sw_arena_back(scratch, mark);
	memcpy(step, s.step, (size_t)need->needed.rank * sizeof *step);
	return s.devices;
}

bool sw_points_need(const sw_points *points, int array, const sw_holding *held, sw_arena *arena, sw_need *need)
{
	const sw_formula *formula = points->formula;
	const sw_formula_array *is = &formula->array[array];
	sw_reads *reads = SW_NEW(arena, sw_reads, formula->accesses);
	int groups = reads != NULL ? collect(formula, array, arena, reads) : -1;

	*need = (sw_need){.points = points,
		.array = array,
		.held = held,
		.rule = {needed_region, needed_defined, need, needed_stretch},
		.groups = groups,
		.reads = reads};
	sw_holding_of_rule(points->where->devices, is->rank, is->size, &need->rule, &need->needed);
	return groups >= 0;
}

/* ---- what is missing ---- */

static bool missing_region(const sw_need *need, int64_t device, sw_arena *arena, sw_region *missing)
{
	sw_region held, needed;

	return sw_holding_region(need->held, device, arena, &held) &&
		sw_holding_region(&need->needed, device, arena, &needed) && sw_region_minus(&needed, &held, arena, missing);
}

bool sw_need_local(const sw_need *need, bool *local, bool *tight)
{
	sw_arena *arena = sw_arena_new();
	sw_region missing;
	bool fits = arena != NULL;

	*local = *tight = true;
	for (int64_t d = 0; d < need->needed.devices && fits && *local; d++) {
		sw_arena_clear(arena);
		fits = missing_region(need, d, arena, &missing);
		*local = fits && missing.count == 0;
		*tight = *tight && sw_holding_size(need->held, d) == sw_holding_size(&need->needed, d);
	}
	*tight = *tight && *local;
	sw_arena_free(arena);
	return fits;
}

bool sw_need_waiting(const sw_need *need, const sw_region *all, const sw_region *missing, sw_arena *arena,
	sw_region *waiting)
{
	sw_region some, part, both;

	for (int k = 0; k < need->groups; k++) {
		const sw_reads *reads = &need->reads[k];
		if (!points_of(need->points, reads, all, arena, &some))
			return false;
		for (int a = 0; a < reads->count; a++)
			if (!sw_access_preimage(&reads->access[a], &need->points->letters, missing, arena, &part) ||
				!sw_region_meet(&some, &part, arena, &both) || !add_region(waiting, &both, arena))
				return false;
	}
	return true;
}

bool sw_points_split(const sw_points *points, const sw_need *need, int needs, int64_t device, sw_arena *arena,
	sw_region *interior, sw_region *boundary)
{
	sw_region all, made, missing, waiting = {points->letters.count, 0, NULL};

	if (!sw_points_region(points, device, arena, &all) || !made_of_points(points, &all, arena, &made))
		return false;
	for (int k = 0; k < needs; k++)
		if (!missing_region(&need[k], device, arena, &missing) ||
			!sw_need_waiting(&need[k], &all, &missing, arena, &waiting))
			return false;
	return made_of_points(points, &waiting, arena, boundary) && sw_region_minus(&made, boundary, arena, interior);
}
