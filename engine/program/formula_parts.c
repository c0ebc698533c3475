/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A step by a formula, part by part: the points of a device by the senders whose elements they read.
 */
#include <shardwalk/formula_parts.h>

#include <string.h>

#include <shardwalk/number.h>

#include "program/formula.h"
#include "program/formula_run.h"
#include "program/statement.h"
#include "relation/shares.h"

enum { MOST_PARTS = 512, SLABS = 8 };

struct parting {
	const sw_program *program;
	int64_t device;
	sw_arena *arena, *sets;
	const sw_need *need; /* of the array that arrives */
	sw_region all;       /* points of the device */
	sw_region *from;     /* elements that come from each device */
	int count, room;
	sw_formula_part *part;
};

/* ---- who sends what ---- */

static bool add_share(void *user, const sw_share *share)
{
	struct parting *p = user;
	sw_region *from = &p->from[share->sender], all = *from;
	size_t rank = (size_t)p->need->needed.rank;

	if (share->receiver != p->device || share->sender == p->device)
		return true;
	sw_indices *set = SW_NEW(p->arena, sw_indices, ((size_t)all.count + 1) * rank + 1);
	if (set == NULL)
		return false;
	if (all.count > 0)
		memcpy(set, all.set, (size_t)all.count * rank * sizeof *set);
	for (size_t d = 0; d < rank; d++) {
		const sw_indices *is = &share->set[d];
		sw_family *family = SW_NEW(p->arena, sw_family, is->count + 1);
		if (family == NULL)
			return false;
		memcpy(family, is->family, (size_t)is->count * sizeof *family);
		set[(size_t)all.count * rank + d] = (sw_indices){is->count, family};
	}
	*from = (sw_region){all.rank, all.count + 1, set};
	return true;
}

/* ---- parts ---- */

static bool add_part(struct parting *p, const sw_region *points, const sw_formula_part *of, int32_t sender)
{
	int senders = (of != NULL ? of->senders : 0) + (sender >= 0);
	int32_t *list = SW_NEW(p->arena, int32_t, senders + 1);

	if (list == NULL || !SW_GROW(p->arena, p->part, p->count, p->room, 8))
		return false;
	if (of != NULL && of->senders > 0)
		memcpy(list, of->sender, (size_t)of->senders * sizeof *list);
	if (sender >= 0)
		list[senders - 1] = sender;
	p->part[p->count++] = (sw_formula_part){*points, senders, list};
	return true;
}

/* Cuts the parts by what waits for one more sender; where there are too many, a part that reads anything of it waits as a whole. */
static bool cut_parts(struct parting *p, int32_t sender)
{
	sw_region waiting = {p->all.rank, 0, NULL}, both, rest;
	int count = p->count;

	if (!sw_need_waiting(p->need, &p->all, &p->from[sender], p->arena, &waiting))
		return false;
	for (int i = 0; i < count; i++) {
		const sw_formula_part part = p->part[i];
		if (!sw_region_meet(&part.points, &waiting, p->arena, &both) ||
			!sw_region_minus(&part.points, &both, p->arena, &rest))
			return false;
		if (both.count == 0)
			continue;
		bool whole = count >= MOST_PARTS && i > 0;
		if (!add_part(p, whole ? &part.points : &both, &part, sender))
			return false;
		if (whole || (i > 0 && rest.count == 0))
			p->part[i] = p->part[--p->count];
		else
			p->part[i].points = rest;
	}
	return true;
}

/* The first and the last value of the first letter. */
static void ends_of(const sw_region *points, int64_t *first, int64_t *last)
{
	*first = INT64_MAX;
	*last = -1;
	for (int n = 0; n < points->count; n++) {
		const sw_indices *set = &points->set[(int64_t)n * points->rank];
		for (int i = 0; i < set->count; i++) {
			const sw_family *f = &set->family[i];
			*first = sw_smaller(*first, f->first);
			*last = sw_larger(*last, f->first + (f->count - 1) * f->step + f->run - 1);
		}
	}
}

/* What waits for nobody is cut too, so that one can look for messages in between. */
static bool cut_interior(struct parting *p)
{
	const sw_region interior = p->part[0].points;
	int64_t first, last;

	if (interior.count == 0 || interior.rank == 0 || sw_region_size(&interior) < (int64_t)SLABS * SLABS)
		return true;
	ends_of(&interior, &first, &last);
	for (int n = 0; n < SLABS; n++) {
		sw_family *family = SW_NEW(p->arena, sw_family, interior.rank);
		sw_indices *set = SW_NEW(p->arena, sw_indices, interior.rank);
		sw_region slab;
		if (family == NULL || set == NULL)
			return false;
		for (int k = 0; k < interior.rank; k++)
			set[k] = sw_indices_range(0, INT64_MAX / 4, &family[k]);
		set[0] = sw_indices_range(first + (last + 1 - first) * n / SLABS,
			first + (last + 1 - first) * (n + 1) / SLABS, &family[0]);
		if (set[0].count == 0)
			continue;
		if (!sw_region_meet(&interior, &(sw_region){interior.rank, 1, set}, p->arena, &slab) ||
			!add_part(p, &slab, NULL, -1))
			return false;
	}
	p->part[0] = p->part[--p->count];
	return true;
}

static bool cut_all(struct parting *p)
{
	bool cut = add_part(p, &p->all, NULL, -1);

	for (int32_t q = 0; q < p->program->mesh.devices && cut; q++)
		cut = p->from[q].count == 0 || cut_parts(p, q);
	return cut && cut_interior(p);
}

static int array_of(const sw_computation *c, int operand)
{
	int k = 0;

	while (!sw_formula_is_operand(c, k) || operand-- > 0)
		k++;
	return k;
}

const sw_formula_parts *sw_formula_parts_of(const sw_program *program, int s, int64_t device, int arriving,
	const sw_between *between, sw_sender_rule rule, sw_arena *arena)
{
	const sw_computation *c = program->step[s].formula;
	int array = array_of(c, arriving);
	sw_formula_parts *parts = SW_NEW_ZERO(arena, sw_formula_parts, 1);
	struct parting p = {.program = program, .device = device, .arena = arena, .sets = sw_arena_new()};

	p.need = c->array[array].need;
	p.from = SW_NEW_ZERO(arena, sw_region, program->mesh.devices);
	bool done = parts != NULL && p.from != NULL && p.sets != NULL && p.need != NULL;
	for (int64_t q = 0; done && q < program->mesh.devices; q++)
		p.from[q].rank = p.need->needed.rank;
	done = done && sw_points_region(&c->points, device, arena, &p.all) &&
		sw_relation_shares(between->relation, rule, p.sets, add_share, &p) && cut_all(&p);
	sw_arena_free(p.sets);
	if (!done)
		return NULL;
	*parts = (sw_formula_parts){.program = program, .step = s, .parts = p.count, .part = p.part};
	parts->array = sw_formula_store(program, s, device, arena, &parts->bytes);
	return parts->array != NULL ? parts : NULL;
}

void sw_formula_parts_begin(const sw_formula_parts *parts, const void *const *operand, void *made)
{
	sw_formula_begin(&parts->program->step[parts->step], (size_t)parts->bytes, operand, made);
}

bool sw_formula_parts_run(const sw_formula_parts *parts, int part, const void *const *operand, void *made,
	sw_arena *scratch)
{
	sw_arena_mark mark = sw_arena_here(scratch);
	bool done = sw_formula_at(parts->program, parts->step, parts->array, &parts->part[part].points, operand, made,
		scratch);

	sw_arena_back(scratch, mark);
	return done;
}
