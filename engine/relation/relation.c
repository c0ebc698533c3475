/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Relations: two holdings as blocks, whom a device needs, how much, and what nobody holds.
 */
#include "relation/relation.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- terms ---- */

static bool refuse_terms(sw_diag *diag)
{
	return sw_diag_set(diag, SW_T11, (sw_span){0, 0},
		"a device has several terms of a value, and others must be added");
}

/* The term that each device holds, or is to hold. */
static bool one_term_each(const sw_holding *holding, sw_arena *arena, sw_indices *terms, sw_diag *diag)
{
	sw_family *family = SW_NEW(arena, sw_family, holding->devices);

	for (int64_t device = 0; family != NULL && device < holding->devices; device++) {
		sw_family room;
		sw_indices summed = sw_holding_summed(holding, device, &room);
		if (sw_indices_size(&summed) != 1)
			return refuse_terms(diag);
		family[device] = summed.family[0];
		terms[device] = (sw_indices){1, &family[device]};
	}
	return family != NULL || sw_diag_memory(diag);
}

/* The terms before that are summed in each term after. */
static const sw_indices *joined(const int32_t *joins, int64_t before, int64_t after, sw_arena *arena)
{
	sw_family *family = SW_NEW(arena, sw_family, before), *next = family;
	sw_indices *made = SW_NEW(arena, sw_indices, after);

	for (int64_t term = 0; family != NULL && made != NULL && term < after; term++) {
		made[term] = (sw_indices){0, next};
		for (int64_t n = 0; n < before; n++)
			if (joins[n] == term) {
				*next++ = (sw_family){n, 1, 1, 1};
				made[term].count++;
			}
	}
	return family != NULL ? made : NULL;
}

/* The terms that each device needs. */
static bool terms_needed(const sw_relation *r, const int32_t *joins, sw_indices *terms, sw_diag *diag)
{
	sw_family *all = SW_NEW(r->arena, sw_family, 1);

	if (all == NULL)
		return sw_diag_memory(diag);
	if (joins == NULL && r->from->terms > 1 && r->to->terms > 1 && r->from->terms != r->to->terms)
		return sw_diag_set(diag, SW_T11, (sw_span){0, 0}, "it is not given which terms to add");
	if (r->to->terms > 1 && !one_term_each(r->to, r->arena, terms, diag))
		return false;
	const sw_indices *of = joins != NULL ? joined(joins, r->from->terms, r->to->terms, r->arena) : NULL;
	if (joins != NULL && of == NULL)
		return sw_diag_memory(diag);
	for (int64_t device = 0; device < r->to->devices; device++)
		if (r->to->terms == 1)
			terms[device] = sw_indices_range(0, r->from->terms, all);
		else if (of != NULL)
			terms[device] = of[terms[device].family->first];
	return true;
}

/* ---- made of two holdings ---- */

static bool has_one_each(const sw_blocks *blocks)
{
	for (int32_t device = 0; device < blocks->devices; device++)
		if (blocks->first_block[device + 1] - blocks->first_block[device] > 1)
			return false;
	return true;
}

static bool make_blocks(sw_relation *r, const sw_indices *held, const sw_indices *needed, sw_diag *diag)
{
	bool overlap = false;

	if (!sw_blocks_of(r->from, held, r->pulse, r->arena, &r->held, diag) ||
		!sw_blocks_of(r->to, needed, r->pulse, r->arena, &r->needed, diag))
		return false;
	if (!sw_blocks_overlap(&r->held, r->arena, &overlap) || (overlap && !sw_blocks_part(&r->held, r->arena)))
		return sw_diag_memory(diag);
	r->unique = true;
	for (int32_t block = 0; block < r->held.count; block++)
		r->unique = r->unique && sw_block_holders(&r->held, block) == 1;
	r->needs = -1;
	r->single = has_one_each(&r->held) && has_one_each(&r->needed);
	return true;
}

static bool make(sw_relation *r, const int32_t *joins, sw_diag *diag)
{
	sw_indices *held = NULL, *needed = NULL;

	if (!sw_blocks_check(r->from, diag) || !sw_blocks_check(r->to, diag))
		return false;
	r->seen = SW_NEW_ZERO(r->arena, int32_t, r->from->devices);
	if (r->seen == NULL)
		return sw_diag_memory(diag);
	if (!r->terms)
		return make_blocks(r, NULL, NULL, diag);
	held = SW_NEW(r->arena, sw_indices, r->from->devices);
	needed = SW_NEW(r->arena, sw_indices, r->to->devices);
	if (held == NULL || needed == NULL)
		return sw_diag_memory(diag);
	return one_term_each(r->from, r->arena, held, diag) && terms_needed(r, joins, needed, diag) &&
		make_blocks(r, held, needed, diag);
}

sw_relation *sw_relation_new(const sw_holding *from, const sw_holding *to, const int32_t *joins, sw_arena *arena,
	sw_diag *diag)
{
	return sw_relation_new_with(from, to, joins, NULL, arena, diag);
}

sw_relation *sw_relation_new_with(const sw_holding *from, const sw_holding *to, const int32_t *joins,
	const sw_pulse *pulse, sw_arena *arena, sw_diag *diag)
{
	sw_relation *r = SW_NEW_ZERO(arena, sw_relation, 1);

	if (r == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	r->arena = arena;
	r->pulse = pulse;
	r->from = from;
	r->to = to;
	r->rank = from->rank;
	r->terms = from->terms > 1 || to->terms > 1;
	r->sums = from->terms > to->terms;
	r->axes = 1;
	r->size[0] = from->devices;
	return make(r, joins, diag) ? r : NULL;
}

void sw_relation_lie_on(sw_relation *relation, const sw_mesh *mesh)
{
	assert(mesh->devices == relation->from->devices);
	relation->axes = mesh->count;
	for (int axis = 0; axis < mesh->count; axis++)
		relation->size[axis] = mesh->axis[axis].size;
}

bool sw_relation_is_unique(const sw_relation *relation)
{
	return relation->unique;
}

bool sw_relation_sums(const sw_relation *relation)
{
	return relation->sums;
}

/* ---- whom a device needs ---- */

/* Made when it is asked for the first time. */
static sw_meetings *meetings_in(sw_relation *r, sw_meetings **where, sw_blocks *among, const sw_blocks *needs)
{
	if (*where == NULL) {
		sw_meetings *m = SW_NEW(r->arena, sw_meetings, 1);
		if (m == NULL || !sw_meetings_index(among, r->arena) || !sw_meetings_of(among, needs, true, r->arena, m))
			return NULL;
		*where = m;
	}
	return *where;
}

static const sw_meetings *ask(sw_relation *r, sw_meetings **where, sw_blocks *among, const sw_blocks *needs,
	int32_t block)
{
	sw_meetings *m = meetings_in(r, where, among, needs);

	return m != NULL && sw_meetings_ask(m, block) ? m : NULL;
}

const sw_meetings *sw_relation_meetings(sw_relation *r, int32_t block)
{
	return ask(r, &r->before, &r->held, &r->needed, block);
}

int64_t sw_relation_most(sw_relation *r, int32_t block)
{
	sw_meetings *m = meetings_in(r, &r->before, &r->held, &r->needed);

	return m != NULL ? sw_meetings_most(m, block) : -1;
}

/* ---- how many pairs meet ---- */

static bool covers(const sw_relation *r, const sw_blocks *blocks)
{
	int64_t left = r->rank == 1 && !r->terms ? r->from->global[0] : -1;

	for (int32_t block = 0; left > 0 && block < blocks->count; block++)
		left -= blocks->size[block];
	return left == 0;
}

/* Pairs of runs, each as often as `times`, and blocks that are everywhere; -1: one does not see it. */
static int64_t pairs_of_runs(const sw_blocks *runs, const sw_blocks *among, int64_t times)
{
	int64_t pairs = 0, met = 0;

	for (int32_t block = 0; met >= 0 && block < runs->count; block++) {
		const sw_family *run = sw_block_set(runs, block, 0)->family;
		met = sw_sets_met_by(among->finder[0], run->first, run->run);
		pairs += met * (times > 0 ? times : sw_block_holders(runs, block));
	}
	return met < 0 ? -1 : pairs;
}

/* Pairs, found along one end where it consists of runs and the other one is everywhere; -1: it is not so, -2: no memory. */
static int64_t pairs_on_line(sw_relation *r)
{
	int64_t needs;

	if (r->rank != 1 || r->held.count == 0 || r->needed.count == 0)
		return -1;
	if (covers(r, &r->held) && sw_blocks_are_runs(&r->needed))
		return sw_meetings_index(&r->held, r->arena) ? pairs_of_runs(&r->needed, &r->held, 0) : -2;
	if (!covers(r, &r->needed) || !sw_blocks_are_runs(&r->held) || (needs = sw_relation_needs(r)) == 0)
		return -1;
	return needs > 0 && sw_meetings_index(&r->needed, r->arena) ? pairs_of_runs(&r->held, &r->needed, needs) : -2;
}

int64_t sw_relation_pairs(sw_relation *r)
{
	int64_t pairs = pairs_on_line(r);
	sw_blocks *held = &r->held;

	if (pairs != -1)
		return pairs < 0 ? -1 : pairs;
	if (r->before == NULL && held->count > 0 && r->needed.count > 0 && sw_relation_meetings(r, 0) == NULL)
		return -1;
	pairs = 0;
	for (int32_t need = 0; held->count > 0 && pairs >= 0 && need < r->needed.count; need++) {
		int64_t met = sw_meetings_count(r->before, need);
		pairs = met < 0 ? -1 : pairs + met * sw_block_holders(&r->needed, need);
	}
	return pairs;
}

/* ---- lists of devices ---- */

static int ascending(const void *left, const void *right)
{
	const int32_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* Adds the holders of all blocks that meet. */
static int64_t add_holders(sw_relation *r, const sw_meetings *met, int32_t *list, int64_t count)
{
	for (int i = 0; i < met->count; i++) {
		int32_t block = met->meeting[i].block;
		for (int32_t n = met->among->first_holder[block]; n < met->among->first_holder[block + 1]; n++) {
			int32_t device = met->among->holder[n];
			if (r->seen[device] != r->now)
				list[count++] = device;
			r->seen[device] = r->now;
		}
	}
	return count;
}

static void sort_list(int32_t *list, int64_t count)
{
	int64_t n = 1;

	while (n < count && list[n - 1] < list[n])
		n++;
	if (n < count)
		qsort(list, (size_t)count, sizeof *list, ascending);
}

static int64_t list_holders(sw_relation *r, sw_meetings **where, sw_blocks *ends[2], int64_t device, int32_t *list)
{
	int64_t count = 0;

	r->now++;
	for (int32_t i = ends[1]->first_block[device]; i < ends[1]->first_block[device + 1]; i++) {
		const sw_meetings *met = ask(r, where, ends[0], ends[1], ends[1]->block[i]);
		if (met == NULL)
			return -1;
		count = add_holders(r, met, list, count);
	}
	sort_list(list, count);
	return count;
}

int64_t sw_relation_before(sw_relation *r, int64_t device, int32_t *list)
{
	return list_holders(r, &r->before, (sw_blocks *[]){&r->held, &r->needed}, device, list);
}

int64_t sw_relation_after(sw_relation *r, int64_t device, int32_t *list)
{
	return list_holders(r, &r->after, (sw_blocks *[]){&r->needed, &r->held}, device, list);
}

/* ---- elements ---- */

/* Sets of so many families are not compared with each other: it takes longer than to look at who sends to whom. */
enum { MOST_FAMILIES = 64 };

static bool has_long_sets(const sw_blocks *blocks)
{
	for (int dim = 0; dim < blocks->rank; dim++)
		for (int i = 0; i < blocks->dim[dim].count; i++)
			if (blocks->dim[dim].set[i].count > MOST_FAMILIES)
				return true;
	return false;
}

static bool find_needs(sw_relation *r)
{
	sw_blocks *needed = &r->needed;
	int32_t needs = needed->count > 0 ? sw_block_holders(needed, 0) : 1;
	bool overlap = false;

	for (int32_t block = 1; block < needed->count; block++)
		if (sw_block_holders(needed, block) != needs)
			needs = 0;
	needs = needs > 0 && has_long_sets(needed) ? 0 : needs;
	if (needs > 0 && !sw_blocks_overlap(needed, r->arena, &overlap))
		return false;
	r->needs = overlap ? 0 : needs;
	return true;
}

int32_t sw_relation_needs(sw_relation *r)
{
	return r->needs >= 0 || find_needs(r) ? r->needs : -1;
}

/* Elements of a block, of however many terms. */
static int64_t elements_of(const sw_relation *r, const sw_blocks *blocks, int32_t block)
{
	if (!r->terms)
		return blocks->size[block];
	int64_t terms = blocks->dim[r->rank].size[blocks->set[(int64_t)block * blocks->rank + r->rank]];

	return blocks->size[block] / terms;
}

int64_t sw_relation_elements(const sw_relation *r, const sw_blocks *blocks, int64_t device)
{
	int64_t elements = 0;

	for (int32_t i = blocks->first_block[device]; i < blocks->first_block[device + 1]; i++)
		elements += elements_of(r, blocks, blocks->block[i]);
	return elements;
}

/* What two blocks have in common; -1: no memory. */
static int64_t common(const sw_relation *r, int32_t held, int32_t needed, sw_arena *scratch)
{
	int64_t size = 1;

	for (int dim = 0; dim < r->held.rank && size > 0; dim++) {
		int64_t met = sw_sets_meet(sw_block_set(&r->held, held, dim), sw_block_set(&r->needed, needed, dim), scratch,
			NULL);
		size = met < 0 ? -1 : size * met;
	}
	return size;
}

int64_t sw_relation_kept(const sw_relation *r, int64_t device, sw_arena *scratch)
{
	int64_t kept = 0;

	for (int32_t i = r->held.first_block[device]; i < r->held.first_block[device + 1]; i++)
		for (int32_t k = r->needed.first_block[device]; k < r->needed.first_block[device + 1]; k++) {
			int64_t size = common(r, r->held.block[i], r->needed.block[k], scratch);
			if (size < 0)
				return -1;
			kept += size;
		}
	return kept;
}

sw_relation *sw_relation_plain(sw_relation *r)
{
	sw_holding *end = r->plain == NULL ? SW_NEW(r->arena, sw_holding, 2) : NULL;

	if (r->plain != NULL || end == NULL)
		return r->plain;
	end[0] = *r->from;
	end[1] = *r->to;
	end[0].terms = end[1].terms = 1;
	r->plain = sw_relation_new_with(&end[0], &end[1], NULL, r->pulse, r->arena, NULL);
	return r->plain;
}

/* ---- what nobody holds ---- */

static sw_region region_of(const sw_blocks *blocks, int32_t block, sw_indices *set)
{
	for (int dim = 0; dim < blocks->rank; dim++)
		set[dim] = blocks->dim[dim].set[blocks->set[(int64_t)block * blocks->rank + dim]];
	return (sw_region){blocks->rank, 1, set};
}

/* What is left of a needed block. */
static bool minus_held(sw_relation *r, int32_t need, sw_arena *arena, sw_region *left)
{
	const sw_meetings *met = sw_relation_meetings(r, need);
	sw_indices *own = SW_NEW(arena, sw_indices, r->rank), set[SW_BLOCK_DIMS];

	if (met == NULL || own == NULL)
		return false;
	*left = region_of(&r->needed, need, own);
	for (int i = 0; i < met->count; i++) {
		sw_region held = region_of(&r->held, met->meeting[i].block, set);
		if (!sw_region_minus(left, &held, arena, left))
			return false;
	}
	return true;
}

bool sw_relation_missing(sw_relation *r, int64_t device, sw_arena *arena, sw_region *missing)
{
	if (r->terms)
		return sw_relation_plain(r) != NULL && sw_relation_missing(r->plain, device, arena, missing);
	*missing = (sw_region){r->rank, 0, NULL};
	for (int32_t i = r->needed.first_block[device]; i < r->needed.first_block[device + 1]; i++) {
		sw_region left;
		if (!minus_held(r, r->needed.block[i], arena, &left) || !sw_region_union(missing, &left, arena, missing))
			return false;
	}
	return true;
}
