/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How devices store regions, and the elements that two of them have as nested loops.
 *
 * Of a region of several products the indices of a dimension are sorted by which products have them; each such row is stored alike,
 * whatever lies between.
 */
#include <shardwalk/local.h>

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

/* ---- places in a set ---- */

static int64_t last_of(const sw_family *f)
{
	return f->first + (f->count - 1) * f->step + f->run - 1;
}

/* The index of the set that has this place. */
static int64_t at_place(const sw_indices *set, int64_t place)
{
	int64_t low = INT64_MAX, high = 0;

	for (int i = 0; i < set->count; i++) {
		low = sw_smaller(low, set->family[i].first);
		high = sw_larger(high, last_of(&set->family[i]));
	}
	while (low < high) {
		int64_t middle = low + (high - low) / 2;
		if (sw_indices_below(set, middle + 1) > place)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* ---- storing ---- */

/* The indices of a dimension that are in the same ones of some products. */
struct atom {
	sw_indices set;
	int members;
	const int *member; /* of the region */
	int64_t size;      /* of what is stored for each index */
};

struct storing {
	const sw_region *region;
	sw_arena *arena;
	int parts, room;
	sw_local_part *part;
};

static const sw_indices *set_of(const struct storing *s, int product, int dim)
{
	return &s->region->set[(int64_t)product * s->region->rank + dim];
}

static bool add_part(struct storing *s, int64_t base, const sw_indices *set, const int64_t *step)
{
	size_t rank = (size_t)s->region->rank;
	sw_indices *own = SW_NEW(s->arena, sw_indices, rank + 1);
	int64_t *steps = SW_NEW(s->arena, int64_t, rank + 1);

	if (own == NULL || steps == NULL || !SW_GROW(s->arena, s->part, s->parts, s->room, 4))
		return false;
	if (rank > 0) {
		memcpy(own, set, rank * sizeof *own);
		memcpy(steps, step, rank * sizeof *steps);
	}
	s->part[s->parts++] = (sw_local_part){own, base, steps};
	return true;
}

/* The sets of one product from dimension `dim` on, and how many elements they make. */
static int64_t put_product(const struct storing *s, int product, int dim, sw_indices *set, int64_t *step)
{
	int64_t size = 1;

	for (int i = s->region->rank - 1; i >= dim; i--) {
		set[i] = *set_of(s, product, i);
		step[i] = size;
		size *= sw_indices_size(&set[i]);
	}
	return size;
}

static bool grow_atom(struct storing *s, const struct atom *without, int product, struct atom *with)
{
	int *member = SW_NEW(s->arena, int, without->members + 1);

	if (member == NULL)
		return false;
	if (without->members > 0)
		memcpy(member, without->member, (size_t)without->members * sizeof *member);
	member[without->members] = product;
	with->member = member;
	with->members = without->members + 1;
	return true;
}

/* Cuts the atoms by one more product; there is room for twice as many and one more. */
static bool cut_atoms(struct storing *s, int product, int dim, struct atom *atom, int *count)
{
	sw_indices left = *set_of(s, product, dim);
	int old = *count;

	for (int i = 0; i < old && left.count > 0; i++) {
		sw_indices both;
		struct atom *next = &atom[*count];
		if (!sw_indices_meet(&atom[i].set, &left, s->arena, &both))
			return false;
		if (both.count == 0)
			continue;
		if (!sw_indices_minus(&left, &both, s->arena, &left) || !grow_atom(s, &atom[i], product, next) ||
			!sw_indices_minus(&atom[i].set, &both, s->arena, &atom[i].set))
			return false;
		next->set = both;
		if (atom[i].set.count == 0)
			atom[i] = *next;
		else
			(*count)++;
	}
	atom[*count].set = left;
	return left.count == 0 || grow_atom(s, &(struct atom){.members = 0}, product, &atom[(*count)++]);
}

static struct atom *atoms_of(struct storing *s, const int *member, int members, int dim, int *count)
{
	struct atom *atom = NULL;

	*count = 0;
	for (int i = 0; i < members; i++) {
		struct atom *more = SW_NEW_ZERO(s->arena, struct atom, 2 * *count + 2);
		if (more == NULL)
			return NULL;
		if (*count > 0)
			memcpy(more, atom, (size_t)*count * sizeof *atom);
		atom = more;
		if (!cut_atoms(s, member[i], dim, atom, count))
			return NULL;
	}
	return atom;
}

/* How much is stored for indices below this one. */
static int64_t stored_below(const struct atom *atom, int count, int64_t index)
{
	int64_t size = 0;

	for (int i = 0; i < count; i++)
		size += sw_indices_below(&atom[i].set, index) * atom[i].size;
	return size;
}

/* How many rows there are between the ends of a set, of all atoms. */
static int64_t rows_between(const struct atom *atom, int count, const sw_indices *set)
{
	int64_t low = INT64_MAX, high = 0, rows = 0;

	for (int i = 0; i < set->count; i++) {
		low = sw_smaller(low, set->family[i].first);
		high = sw_larger(high, last_of(&set->family[i]));
	}
	for (int i = 0; i < count; i++)
		rows += sw_indices_below(&atom[i].set, high + 1) - sw_indices_below(&atom[i].set, low);
	return rows;
}

/* Rows that are stored alike, as the parts from `first` to `last` - 1 say, of which they are put away once for each stretch of rows that
 * follow each other. */
struct rows {
	struct storing *s;
	const struct atom *atom;
	int count, which, dim;
	int first, last;
};

/* All of a set, between which no other rows are. */
static bool put_rows(const struct rows *r, const sw_indices *rows)
{
	int64_t low = INT64_MAX, step[SW_MAX_DIMS];
	sw_indices set[SW_MAX_DIMS];
	size_t rank = (size_t)r->s->region->rank;

	for (int i = 0; i < rows->count; i++)
		low = sw_smaller(low, rows->family[i].first);
	int64_t base = stored_below(r->atom, r->count, low);
	for (int i = r->first; i < r->last; i++) {
		const sw_local_part row = r->s->part[i];
		memcpy(set, row.set, rank * sizeof *set);
		memcpy(step, row.step, rank * sizeof *step);
		set[r->dim] = *rows;
		step[r->dim] = r->atom[r->which].size;
		if (!add_part(r->s, row.base + base, set, step))
			return false;
	}
	return true;
}

static bool put_run(const struct rows *r, int64_t first, int64_t run)
{
	sw_family *own = SW_NEW(r->s->arena, sw_family, 1);

	if (own == NULL)
		return false;
	const sw_indices set = sw_indices_range(first, first + run, own);
	return put_rows(r, &set);
}

/* A set in one, where it can be; else family by family, or run by run. */
static bool put_set(const struct rows *r, const sw_indices *set)
{
	if (rows_between(r->atom, r->count, set) == sw_indices_size(set))
		return put_rows(r, set);
	const sw_family *f = set->family;
	for (int i = 0; set->count > 1 && i < set->count; i++)
		if (!put_set(r, &(sw_indices){1, &f[i]}))
			return false;
	for (int64_t n = 0; set->count == 1 && n < f->count; n++)
		if (!put_run(r, f->first + n * f->step, f->run))
			return false;
	return true;
}

static bool store(struct storing *s, const int *member, int members, int dim, int64_t *size);

/* The row of an atom is stored as a region of the dimensions that are left. */
static bool store_atoms(struct storing *s, struct atom *atom, int count, int dim, int64_t *size)
{
	int begin = s->parts, *first = SW_NEW(s->arena, int, count + 1);

	if (first == NULL)
		return false;
	for (int i = 0; i < count; i++) {
		first[i] = s->parts;
		if (!store(s, atom[i].member, atom[i].members, dim + 1, &atom[i].size))
			return false;
	}
	first[count] = s->parts;
	int rows = s->parts - begin;
	for (int i = 0; i < count; i++) {
		const struct rows r = {s, atom, count, i, dim, first[i], first[i + 1]};
		if (!put_set(&r, &atom[i].set))
			return false;
	}
	memmove(s->part + begin, s->part + begin + rows, (size_t)(s->parts - begin - rows) * sizeof *s->part);
	s->parts -= rows;
	*size = stored_below(atom, count, INT64_MAX);
	return true;
}

/* In the last dimension all that is there lies side by side. */
static bool store_last(struct storing *s, const int *member, int members, int dim, int64_t *size)
{
	sw_indices set[SW_MAX_DIMS] = {{0, NULL}};
	int64_t step[SW_MAX_DIMS] = {0};

	for (int i = 0; i < members; i++)
		if (!sw_indices_union(&set[dim], set_of(s, member[i], dim), s->arena, &set[dim]))
			return false;
	step[dim] = 1;
	*size = sw_indices_size(&set[dim]);
	return add_part(s, 0, set, step);
}

static bool store(struct storing *s, const int *member, int members, int dim, int64_t *size)
{
	sw_indices set[SW_MAX_DIMS] = {{0, NULL}};
	int64_t step[SW_MAX_DIMS] = {0};
	int count;

	if (members == 1) {
		*size = put_product(s, member[0], dim, set, step);
		return add_part(s, 0, set, step);
	}
	if (dim == s->region->rank - 1)
		return store_last(s, member, members, dim, size);
	struct atom *atom = atoms_of(s, member, members, dim, &count);
	return atom != NULL && store_atoms(s, atom, count, dim, size);
}

bool sw_local_of(const sw_region *region, sw_arena *arena, sw_local *local)
{
	struct storing s = {.region = region, .arena = arena};
	int *member = SW_NEW(arena, int, region->count + 1);
	int64_t size = 0;

	for (int i = 0; member != NULL && i < region->count; i++)
		member[i] = i;
	if (member == NULL || (region->count > 0 && !store(&s, member, region->count, 0, &size)))
		return false;
	*local = (sw_local){region->rank, s.parts, s.part, size};
	return true;
}

bool sw_local_whole(int rank, const int64_t *global, sw_arena *arena, sw_local *local)
{
	sw_indices *set = SW_NEW(arena, sw_indices, rank + 1);
	sw_family *family = SW_NEW(arena, sw_family, rank + 1);

	if (set == NULL || family == NULL)
		return false;
	for (int i = 0; i < rank; i++)
		set[i] = sw_indices_range(0, global[i], &family[i]);
	return sw_local_of(&(sw_region){rank, 1, set}, arena, local);
}

/* ---- single elements ---- */

int64_t sw_local_index(const sw_local *local, const int64_t *index)
{
	for (int p = 0; p < local->parts; p++) {
		const sw_local_part *part = &local->part[p];
		int64_t at = part->base;
		int dim = 0;
		for (; dim < local->rank && sw_indices_has(&part->set[dim], index[dim]); dim++)
			at += sw_indices_below(&part->set[dim], index[dim]) * part->step[dim];
		if (dim == local->rank)
			return at;
	}
	return -1;
}

/* How far the places of a line are from each other in a part that has its first element.  false: not equally far, or not all of it. */
static bool line_in(const sw_local_part *part, int64_t index, int dim, int64_t by, int64_t count, int64_t *step)
{
	const sw_indices *set = &part->set[dim];
	int64_t last = index + by * (count - 1);

	*step = 0;
	if (count == 1 || by == 0)
		return true;
	*step = by * part->step[dim];
	return sw_indices_has(set, last) && sw_indices_below(set, last) - sw_indices_below(set, index) == last - index;
}

bool sw_local_line(const sw_local *local, const int64_t *index, int dim, int64_t by, int64_t count, int64_t *first,
	int64_t *step)
{
	for (int p = 0; p < local->parts; p++) {
		const sw_local_part *part = &local->part[p];
		int d = 0;
		*first = part->base;
		for (; d < local->rank && sw_indices_has(&part->set[d], index[d]); d++)
			*first += sw_indices_below(&part->set[d], index[d]) * part->step[d];
		if (d == local->rank)
			return line_in(part, local->rank > 0 ? index[dim] : 0, dim, by, count, step);
	}
	return false;
}

bool sw_local_element(const sw_local *local, int64_t at, int64_t *index, int64_t *place)
{
	for (int p = 0; p < local->parts; p++) {
		const sw_local_part *part = &local->part[p];
		int64_t left = at - part->base;
		int dim = 0;
		for (; left >= 0 && dim < local->rank; dim++) {
			int64_t number = left / part->step[dim];
			if (number >= sw_indices_size(&part->set[dim]))
				break;
			left -= number * part->step[dim];
			index[dim] = at_place(&part->set[dim], number);
			if (place != NULL)
				place[dim] = number;
		}
		if (dim == local->rank && left == 0)
			return true;
	}
	return false;
}

/* ---- elements that two have ---- */

/* Runs of one dimension that are as far from each other in both sets, everywhere. */
struct strip {
	int64_t from, into; /* places of the first index */
	int64_t run, count;
	int64_t from_by, into_by;
};

struct strips {
	sw_arena *arena;
	int count, room;
	struct strip *strip;
};

/* For how many runs from this index on, `by` apart, the place in a family grows by the same. */
static int64_t evenly_in(const sw_family *f, int64_t index, int64_t by)
{
	int64_t at = index - f->first, end = f->count * f->step;

	if (at < 0)
		return -at / by + 1;
	if (at >= (f->count - 1) * f->step + f->run)
		return INT64_MAX;
	if (f->count > 1 && by % f->step == 0)
		return (end - at) / by + 1;
	int64_t in = at % f->step;
	return ((in < f->run ? f->run : f->step) - in) / by + 1;
}

static int64_t evenly(const sw_indices *set, int64_t index, int64_t by, int64_t most)
{
	for (int i = 0; i < set->count; i++)
		most = sw_smaller(most, evenly_in(&set->family[i], index, by));
	return most;
}

static bool add_strip(struct strips *s, struct strip strip)
{
	if (strip.count > 1 && strip.from_by == strip.run && strip.into_by == strip.run) {
		strip.run *= strip.count;
		strip.count = 1;
	}
	struct strip *last = s->count > 0 ? &s->strip[s->count - 1] : NULL;
	if (last != NULL && last->count == 1 && strip.count == 1 && last->from + last->run == strip.from &&
		last->into + last->run == strip.into) {
		last->run += strip.run;
		return true;
	}
	if (!SW_GROW(s->arena, s->strip, s->count, s->room, 4))
		return false;
	s->strip[s->count++] = strip;
	return true;
}

static bool add_family(struct strips *s, const sw_family *f, const sw_indices *from, const sw_indices *into)
{
	for (int64_t n = 0, runs; n < f->count; n += runs) {
		int64_t index = f->first + n * f->step, next = index + f->step;
		runs = evenly(into, index, f->step, evenly(from, index, f->step, f->count - n));
		struct strip strip = {sw_indices_below(from, index), sw_indices_below(into, index), f->run, runs, 0, 0};
		strip.from_by = sw_indices_below(from, next) - strip.from;
		strip.into_by = sw_indices_below(into, next) - strip.into;
		if (!add_strip(s, strip))
			return false;
	}
	return true;
}

/* Strips of each dimension, and one of each of them at a time. */
struct passing {
	const sw_local_part *from, *into;
	sw_arena *arena;
	int rank;
	struct strips strips[SW_MAX_DIMS];
	int at[SW_MAX_DIMS];
};

static void add_loop(sw_loops *loops, int64_t *room, int64_t count, int64_t from_by, int64_t into_by)
{
	if (count == 1)
		return;
	int64_t all = SW_LOOPS;
	room[loops->loops] = count;
	room[all + loops->loops] = from_by;
	room[2 * all + loops->loops++] = into_by;
	loops->elements *= count;
}

static bool keep_loops(sw_loops *loops, const int64_t *room, sw_arena *arena)
{
	size_t count = (size_t)loops->loops;
	int64_t *own = SW_NEW(arena, int64_t, 3 * count + 1);

	for (size_t i = 0; own != NULL && i < 3; i++)
		if (count > 0)
			memcpy(own + i * count, room + i * SW_LOOPS, count * sizeof *own);
	loops->count = own;
	loops->from_by = own != NULL ? own + count : NULL;
	loops->into_by = own != NULL ? own + 2 * count : NULL;
	return own != NULL;
}

static bool use_strips(const struct passing *p, sw_loops_use use, void *user)
{
	int64_t room[3 * SW_LOOPS];
	sw_loops loops = {.from = p->from->base, .into = p->into->base, .elements = 1};

	for (int dim = 0; dim < p->rank; dim++) {
		const struct strip *s = &p->strips[dim].strip[p->at[dim]];
		int64_t from = p->from->step[dim], into = p->into->step[dim];
		loops.from += s->from * from;
		loops.into += s->into * into;
		add_loop(&loops, room, s->count, s->from_by * from, s->into_by * into);
		add_loop(&loops, room, s->run, from, into);
	}
	return keep_loops(&loops, room, p->arena) && use(user, &loops);
}

static bool next_strips(struct passing *p)
{
	for (int dim = p->rank - 1; dim >= 0; dim--) {
		if (++p->at[dim] < p->strips[dim].count)
			return true;
		p->at[dim] = 0;
	}
	return false;
}

/* What is in a product of the region and in a part of each. */
static bool pass_parts(const sw_indices *product, struct passing *p, sw_loops_use use, void *user)
{
	for (int dim = 0; dim < p->rank; dim++) {
		const sw_indices *from = &p->from->set[dim], *into = &p->into->set[dim];
		sw_indices both;
		p->strips[dim] = (struct strips){.arena = p->arena};
		p->at[dim] = 0;
		if (!sw_indices_meet(&product[dim], from, p->arena, &both) || !sw_indices_meet(&both, into, p->arena, &both))
			return false;
		for (int i = 0; i < both.count; i++)
			if (!add_family(&p->strips[dim], &both.family[i], from, into))
				return false;
		if (both.count == 0)
			return true;
	}
	do
		if (!use_strips(p, use, user))
			return false;
	while (next_strips(p));
	return true;
}

bool sw_local_loops(const sw_region *region, const sw_local *from, const sw_local *into, sw_arena *arena,
	sw_loops_use use, void *user)
{
	struct passing p = {.arena = arena, .rank = region->rank};

	for (int i = 0; i < region->count; i++)
		for (int a = 0; a < from->parts; a++)
			for (int b = 0; b < into->parts; b++) {
				p.from = &from->part[a];
				p.into = &into->part[b];
				if (!pass_parts(sw_region_product(region, i), &p, use, user))
					return false;
			}
	return true;
}

/* Local indices grow with those of the loops, the innermost one least. */
bool sw_loops_reach(const sw_loops *loops, int64_t into)
{
	int64_t rest = into - loops->into;

	for (int i = 0; i < loops->loops; i++) {
		int64_t by = loops->into_by[i], n = by > 0 && rest > 0 ? rest / by : 0;

		assert(loops->count[i] > 0);
		rest -= (n < loops->count[i] ? n : loops->count[i] - 1) * by;
	}
	return rest == 0;
}

int64_t sw_loops_of(const sw_loops *loops, const sw_local *into, const sw_region *region)
{
	int64_t index[SW_MAX_DIMS], found = 0;

	assert(into->rank == region->rank);
	if (loops->elements > SW_MAX_LOOPED)
		return -1;
	for (int64_t e = 0; e < loops->elements; e++) {
		int64_t rest = e, at = loops->into;
		for (int i = loops->loops - 1; i >= 0; rest /= loops->count[i--])
			at += rest % loops->count[i] * loops->into_by[i];
		found += sw_local_element(into, at, index, NULL) && sw_region_has(region, index);
	}
	return found;
}
