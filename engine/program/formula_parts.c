/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A step by a formula, part by part: the points of a device by the senders whose elements they read.
 */
#include <shardwalk/formula_parts.h>

#include <assert.h>
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
	sw_region *
		from; /* elements that come by an arrival from each device, or that wait for it; one arrival after the other */
	const sw_formula_arrival *arrival;
	int arrivals;
	int row, first; /* the present one of steps in a row, and its first part */
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

static bool add_part(struct parting *p, const sw_region *points, const sw_formula_part *of,
	const sw_formula_sender *sender)
{
	int senders = (of != NULL ? of->senders : 0) + (sender != NULL);
	sw_formula_sender *list = SW_NEW(p->arena, sw_formula_sender, senders + 1);

	if (list == NULL || !SW_GROW(p->arena, p->part, p->count, p->room, 8))
		return false;
	if (of != NULL && of->senders > 0)
		memcpy(list, of->sender, (size_t)of->senders * sizeof *list);
	if (sender != NULL)
		list[senders - 1] = *sender;
	p->part[p->count++] = (sw_formula_part){p->row, *points, senders, list};
	return true;
}

/* Cuts the parts by what waits for one more sender; where there are too many, a part that reads anything of it waits as a whole. */
static bool cut_parts(struct parting *p, const sw_region *from, const sw_formula_sender *sender)
{
	sw_region waiting = {p->all.rank, 0, NULL}, both, rest;
	int count = p->count;

	if (!sw_need_waiting(p->need, &p->all, from, p->arena, &waiting))
		return false;
	for (int i = p->first; i < count; i++) {
		const sw_formula_part part = p->part[i];
		if (!sw_region_meet(&part.points, &waiting, p->arena, &both) ||
			!sw_region_minus(&part.points, &both, p->arena, &rest))
			return false;
		if (both.count == 0)
			continue;
		bool whole = count - p->first >= MOST_PARTS && i > p->first;
		if (!add_part(p, whole ? &part.points : &both, &part, sender))
			return false;
		if (whole || (i > p->first && rest.count == 0))
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
	const sw_region interior = p->part[p->first].points;
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
			!add_part(p, &slab, NULL, NULL))
			return false;
	}
	p->part[p->first] = p->part[--p->count];
	return true;
}

/* The parts of a row: those of all its points, which are one at first. */
static bool begin_row(struct parting *p, int row)
{
	p->row = row;
	p->first = p->count;
	return add_part(p, &p->all, NULL, NULL);
}

/* Cuts them by who sends the elements in `from`, by an arrival. */
static bool cut_row(struct parting *p, const sw_region *from, int arrival)
{
	bool cut = true;

	for (int32_t q = 0; q < p->program->mesh.devices && cut; q++)
		cut = from[q].count == 0 || cut_parts(p, &from[q], &(sw_formula_sender){arrival, q});
	return cut;
}

/* No elements of so many arrivals. */
static bool start_from(struct parting *p, int arrivals)
{
	int64_t count = p->program->mesh.devices * arrivals;

	p->from = SW_NEW_ZERO(p->arena, sw_region, count);
	for (int64_t q = 0; p->from != NULL && q < count; q++)
		p->from[q].rank = p->need->needed.rank;
	return p->from != NULL;
}

/* ---- what arrives ---- */

static int array_of(const sw_computation *c, int operand)
{
	int k = 0;

	while (!sw_formula_is_operand(c, k) || operand-- > 0)
		k++;
	return k;
}

/* Cuts a row by all that arrives; those behind the first one have what changes from the row before. */
static bool cut_arrivals(struct parting *p, const sw_computation *c)
{
	bool cut = true;

	for (int n = 0; n < p->arrivals && cut; n++) {
		const sw_formula_arrival *arrival = &p->arrival[n];
		int array = array_of(c, arrival->operand);
		if (p->row > 0 && array == c->first)
			continue;
		p->need = c->array[array].need;
		cut = start_from(p, 1) &&
			sw_relation_shares(arrival->between->relation, arrival->rule, p->sets, add_share, p) &&
			cut_row(p, p->from, n);
	}
	return cut;
}

/* ---- several steps in a row ---- */

/* Adds the elements that are made at the points of a part to those that wait for its senders. */
static bool add_waiting(struct parting *p, const sw_formula *formula, const sw_letter_ranges *letters,
	const sw_formula_part *part)
{
	const sw_access access = sw_formula_access_of(formula, &formula->access[0]);
	sw_region made;

	if (!sw_access_image(&access, letters, &part->points, p->arena, &made))
		return false;
	for (int n = 0; n < part->senders; n++) {
		sw_region *from = &p->from[part->sender[n].arrival * p->program->mesh.devices + part->sender[n].device];
		sw_indices *set = SW_NEW(p->arena, sw_indices, (from->count + made.count) * made.rank + 1);
		if (set == NULL)
			return false;
		if (from->count > 0)
			memcpy(set, from->set, (size_t)from->count * (size_t)made.rank * sizeof *set);
		if (made.count > 0)
			memcpy(set + (int64_t)from->count * made.rank, made.set,
				(size_t)made.count * (size_t)made.rank * sizeof *set);
		*from = (sw_region){made.rank, from->count + made.count, set};
	}
	return true;
}

/* What a row needs of the one before waits for whom that waits for. */
static bool cut_next(struct parting *p, const sw_computation *c, int first, int end)
{
	bool cut = true;

	p->need = c->array[c->first].need;
	if (!start_from(p, p->arrivals))
		return false;
	for (int i = first; i < end; i++)
		if (!add_waiting(p, &c->formula, &c->points.letters, &p->part[i]))
			return false;
	const sw_region *from = p->from;
	for (int n = 0; n < p->arrivals && cut; n++)
		cut = cut_row(p, from + n * p->program->mesh.devices, n);
	return cut;
}

bool sw_formula_parts_are(const sw_step *step)
{
	return step->times <= 1 || step->formula->formula.letters == step->formula->formula.kept;
}

/* ---- the whole ---- */

/* How a row stores its arrays, and where what it makes is; and its points. */
static bool lay_row(struct parting *p, int s, int rows, sw_formula_row *row)
{
	sw_formula_row *r = &row[p->row];
	const sw_local *before = p->row > 0 ? row[p->row - 1].array[0].local : NULL;

	sw_formula_in_row in;

	if (rows == 1) {
		r->array = sw_formula_store(p->program, s, p->device, p->arena, &r->bytes);
	} else if (sw_formula_row_of(p->program, s, p->device, rows - 1 - p->row, before, p->arena, &in)) {
		r->array = in.array;
		r->bytes = in.bytes;
		p->all = in.points;
	}
	r->made = p->row + 1 < rows && r->array != NULL ? sw_arena_alloc(p->arena, (size_t)r->bytes + 1, 1) : NULL;
	return r->array != NULL && (p->row + 1 == rows || r->made != NULL);
}

static bool cut_all(struct parting *p, sw_formula_parts *parts)
{
	const sw_computation *c = p->program->step[parts->step].formula;
	sw_formula_row *row = SW_NEW_ZERO(p->arena, sw_formula_row, parts->rows);
	bool cut = row != NULL && sw_points_region(&c->points, p->device, p->arena, &p->all);

	parts->row = row;
	for (int n = 0; n < parts->rows && cut; n++) {
		int first = p->first, end = p->count;
		p->row = n;
		cut = lay_row(p, parts->step, parts->rows, row) && begin_row(p, n) &&
			(n == 0 || cut_next(p, c, first, end)) && cut_arrivals(p, c) && cut_interior(p);
	}
	return cut;
}

const sw_formula_parts *sw_formula_parts_of(const sw_program *program, int s, int64_t device,
	const sw_formula_arrival *arrival, int arrivals, sw_arena *arena)
{
	assert(arrivals > 0 && sw_formula_parts_are(&program->step[s]));
	int64_t times = program->step[s].times;
	sw_formula_parts *parts = SW_NEW_ZERO(arena, sw_formula_parts, 1);
	struct parting p = {.program = program,
		.device = device,
		.arena = arena,
		.sets = sw_arena_new(),
		.arrival = arrival,
		.arrivals = arrivals};
	bool done = parts != NULL && p.sets != NULL;

	if (done) {
		*parts = (sw_formula_parts){.program = program, .step = s, .rows = times > 1 ? (int)times : 1};
		done = cut_all(&p, parts);
		parts->parts = p.count;
		parts->part = p.part;
	}
	sw_arena_free(p.sets);
	return done ? parts : NULL;
}

/* ---- computing ---- */

void sw_formula_parts_begin(const sw_formula_parts *parts, const void *const *operand, void *made)
{
	int last = parts->rows - 1;

	for (int n = 0; n < last; n++)
		memset(parts->row[n].made, 0, (size_t)parts->row[n].bytes);
	sw_formula_begin(&parts->program->step[parts->step], (size_t)parts->row[last].bytes, operand, made);
}

bool sw_formula_parts_run(const sw_formula_parts *parts, int part, const void *const *operand, void *made,
	sw_arena *scratch)
{
	assert(part >= 0 && part < parts->parts);
	sw_arena_mark mark = sw_arena_here(scratch);
	int n = parts->part[part].row;
	const sw_formula_row *row = &parts->row[n];
	const sw_step *step = &parts->program->step[parts->step];
	const void *of[SW_MAX_OPERANDS];

	memcpy(of, operand, (size_t)step->operands * sizeof *of);
	if (n > 0)
		of[sw_formula_changing(step)] = parts->row[n - 1].made;
	bool done = sw_formula_at(parts->program, parts->step, row->array, &parts->part[part].points, of,
		row->made != NULL ? row->made : made, scratch);

	sw_arena_back(scratch, mark);
	return done;
}
