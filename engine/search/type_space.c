/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All types of one shape on one mesh, level by level: those with n parts in use come from those with n - 1.
 */
#include "search/type_space.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include <shardwalk/number.h>

/* ---- parts ---- */

static void whole_axes(const sw_mesh *mesh, sw_prime_parts *out)
{
	out->count = 0;
	for (int a = 0; a < mesh->count; a++)
		if (mesh->axis[a].size > 1)
			out->at[out->count++] = (sw_prime_part){a, mesh->axis[a].size, 1, mesh->axis[a].stride};
}

static bool cut_in_one_way(const sw_prime_parts *parts)
{
	for (int p = 1; p < parts->count; p++)
		if (parts->at[p].axis == parts->at[p - 1].axis && parts->at[p].prime != parts->at[p - 1].prime)
			return false;
	return true;
}

/* ---- how many ---- */

/* Parts of one size are alike here: `left` of them are in no dimension yet. */
struct tally {
	const sw_type_space *space;
	bool sums;
	int kinds, left[SW_SPACE_PARTS];
	int64_t size[SW_SPACE_PARTS];
	double most, arrangements, states;
};

static void begin_tally(struct tally *t)
{
	for (int p = 0; p < t->space->parts; p++) {
		int k = 0;

		while (k < t->kinds && t->size[k] != t->space->factors.at[p].prime)
			k++;
		t->kinds += k == t->kinds;
		t->size[k] = t->space->factors.at[p].prime;
		t->left[k]++;
	}
}

static void tally_whole(struct tally *t, double ways)
{
	int left = 0;

	for (int k = 0; k < t->kinds; k++)
		left += t->left[k];
	t->arrangements += ways;
	t->states += t->sums ? ways * (double)((uint32_t)1 << left) : ways;
}

/* Parts of kinds from `kind` on are put into dimension `dim`, which has `count` of the others, in every number that divides `size`; all
 * in any order.  It ends early above the most. */
static void tally(struct tally *t, int dim, int kind, int64_t size, int count, double ways)
{
	if (dim == t->space->rank || t->arrangements > t->most) {
		tally_whole(t, ways);
		return;
	}
	if (kind == t->kinds) {
		tally(t, dim + 1, 0, dim + 1 < t->space->rank ? t->space->shape.global[dim + 1] : 1, 0, ways);
		return;
	}
	int had = t->left[kind];
	for (;; count++, size /= t->size[kind]) {
		tally(t, dim, kind + 1, size, count, ways);
		if (t->left[kind] == 0 || size % t->size[kind] != 0)
			break;
		/* which one of this kind it is, among those before of it in any order, and where among all */
		ways = ways * t->left[kind] / (had - t->left[kind] + 1) * (count + 1);
		t->left[kind]--;
	}
	t->left[kind] = had;
}

static size_t bytes_of_arrangement(const sw_type_space *s)
{
	size_t row = sizeof *s->pop + sizeof *s->last + sizeof *s->tile + (size_t)s->parts * sizeof *s->push;

	return (size_t)s->rank * row + sizeof *s->used + sizeof *s->size + sizeof *s->first;
}

static bool refuse(const sw_type_space *s, size_t bytes, sw_diag *diag)
{
	sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "a mesh of %d parts has more types of this shape than can be listed",
		s->parts);
	sw_diag_expected(diag, "at most %zu MB for them", bytes / 1000000);
	sw_diag_hint(diag, "try a mesh with fewer devices, or join axes");
	return false;
}

/* ---- arrangements ---- */

static bool allot(sw_type_space *s, double arrangements, sw_arena *arena)
{
	size_t n = (size_t)arrangements, rows = n * (size_t)s->rank;

	s->push = SW_NEW(arena, int32_t, rows * (size_t)s->parts);
	s->pop = SW_NEW(arena, int32_t, rows);
	s->last = SW_NEW(arena, uint8_t, rows);
	s->used = SW_NEW(arena, uint32_t, n);
	s->tile = SW_NEW(arena, int64_t, rows);
	s->size = SW_NEW(arena, int64_t, n);
	s->first = SW_NEW(arena, int32_t, n + 1);
	return s->push != NULL && s->pop != NULL && s->last != NULL && s->used != NULL && s->tile != NULL &&
		s->size != NULL && s->first != NULL;
}

static void clear_rows(sw_type_space *s, int32_t a)
{
	for (int d = 0; d < s->rank; d++) {
		int64_t at = (int64_t)a * s->rank + d;

		s->pop[at] = -1;
		s->last[at] = 0;
		for (int p = 0; p < s->parts; p++)
			s->push[at * s->parts + p] = -1;
	}
}

static void add_whole(sw_type_space *s)
{
	s->arrangements = 1;
	s->used[0] = 0;
	s->size[0] = sw_type_globalsize(&s->shape);
	if (s->rank > 0)
		memcpy(s->tile, s->shape.global, (size_t)s->rank * sizeof *s->tile);
	clear_rows(s, 0);
}

static bool fits(const sw_type_space *s, int32_t a, int dim, int part)
{
	return (s->used[a] >> part & 1) == 0 && s->tile[(int64_t)a * s->rank + dim] % s->factors.at[part].prime == 0;
}

static int32_t add(sw_type_space *s, int32_t a, int dim, int part)
{
	int64_t prime = s->factors.at[part].prime;
	int32_t to = s->arrangements++;

	clear_rows(s, to);
	memcpy(s->tile + (int64_t)to * s->rank, s->tile + (int64_t)a * s->rank, (size_t)s->rank * sizeof *s->tile);
	s->tile[(int64_t)to * s->rank + dim] /= prime;
	s->size[to] = s->size[a] / prime;
	s->used[to] = s->used[a] | (uint32_t)1 << part;
	return to;
}

static void join(sw_type_space *s, int32_t a, int dim, int part, int32_t to)
{
	s->push[((int64_t)a * s->rank + dim) * s->parts + part] = to;
	s->pop[(int64_t)to * s->rank + dim] = a;
	s->last[(int64_t)to * s->rank + dim] = (uint8_t)part;
}

static int last_cut(const sw_type_space *s, int32_t a)
{
	int dim = s->rank - 1;

	while (dim > 0 && s->pop[(int64_t)a * s->rank + dim] < 0)
		dim--;
	return dim;
}

/* Each arrangement is made once, by its parts dimension after dimension. */
static void push_behind(sw_type_space *s, int32_t a)
{
	for (int d = last_cut(s, a); d < s->rank; d++)
		for (int p = 0; p < s->parts; p++)
			if (fits(s, a, d, p))
				join(s, a, d, p, add(s, a, d, p));
}

/* And a part that is pushed before the last dimension leads to one that is there: without the last part of all, with the one
 * that is pushed, and with the last again. */
static void push_before(sw_type_space *s, int32_t a)
{
	int end = last_cut(s, a), q;

	for (int d = 0; d < end; d++)
		for (int p = 0; p < s->parts; p++) {
			if (!fits(s, a, d, p))
				continue;
			int32_t without = sw_type_space_pop(s, a, end, &q);
			int32_t with = sw_type_space_push(s, without, d, p);

			join(s, a, d, p, sw_type_space_push(s, with, end, q));
		}
}

static void fill(sw_type_space *s)
{
	int32_t begin = 0, end;

	add_whole(s);
	for (int n = 0; s->rank > 0 && n < s->parts; n++) {
		end = s->arrangements;
		for (int32_t a = begin; a < end; a++)
			push_behind(s, a);
		for (int32_t a = begin; a < end; a++)
			push_before(s, a);
		begin = end;
	}
}

/* ---- states ---- */

static uint32_t all_parts(const sw_type_space *s)
{
	return (uint32_t)((uint64_t)1 << s->parts) - 1;
}

/* Bits of `set` among those of `among`, packed. */
static uint32_t pack(uint32_t set, uint32_t among)
{
	uint32_t out = 0, bit = 1;

	if (set == 0)
		return 0;
	for (; among != 0; among &= among - 1, bit <<= 1)
		if ((set & among & -among) != 0)
			out |= bit;
	return out;
}

static uint32_t unpack(uint32_t packed, uint32_t among)
{
	uint32_t out = 0;

	for (; packed != 0; packed >>= 1, among &= among - 1)
		if ((packed & 1) != 0)
			out |= among & -among;
	return out;
}

static bool number_states(sw_type_space *s, bool sums, sw_arena *arena)
{
	int64_t count = 0;

	for (int32_t a = 0; a < s->arrangements; a++) {
		s->first[a] = (int32_t)count;
		count += sums ? (int64_t)1 << __builtin_popcount(all_parts(s) & ~s->used[a]) : 1;
	}
	s->first[s->arrangements] = s->count = (int32_t)count;
	s->of = SW_NEW(arena, int32_t, count);
	s->sums = SW_NEW(arena, uint32_t, count);
	if (s->of == NULL || s->sums == NULL)
		return false;
	for (int32_t a = 0; a < s->arrangements; a++)
		for (int32_t k = s->first[a]; k < s->first[a + 1]; k++) {
			s->of[k] = a;
			s->sums[k] = unpack((uint32_t)(k - s->first[a]), all_parts(s) & ~s->used[a]);
		}
	return true;
}

bool sw_type_space_init(sw_type_space *space, const sw_mesh *mesh, const sw_space_types *types, size_t most_bytes,
	sw_arena *arena, sw_diag *diag)
{
	sw_type_space *s = space;
	const sw_type *shape = types->shape;
	const sw_prime_parts *factors = types->factors;

	*s = (sw_type_space){.mesh = mesh, .whole = factors == NULL, .summed = types->sums, .rank = shape->rank};
	if (!sw_type_replicated(shape->dtype, shape->rank, shape->global, &s->shape, diag))
		return false;
	s->shape.dtype_given = shape->dtype_given;
	s->shape.padding = shape->padding;
	if (factors == NULL)
		whole_axes(mesh, &s->factors);
	else
		s->factors = *factors;
	s->parts = s->factors.count;
	s->every = factors != NULL && cut_in_one_way(factors);
	if (s->parts > SW_SPACE_PARTS)
		return refuse(s, most_bytes, diag);
	struct tally t = {.space = s, .sums = types->sums, .most = (double)most_bytes / (double)bytes_of_arrangement(s)};
	begin_tally(&t);
	tally(&t, 0, 0, s->rank > 0 ? shape->global[0] : 1, 0, 1);
	if (t.states > (double)INT32_MAX / 2 ||
		t.arrangements * (double)bytes_of_arrangement(s) + t.states * (sizeof *s->of + sizeof *s->sums) >
			(double)most_bytes)
		return refuse(s, most_bytes, diag);
	if (!allot(s, t.arrangements, arena))
		return sw_diag_memory(diag);
	fill(s);
	return number_states(s, types->sums, arena) || sw_diag_memory(diag);
}

int32_t sw_type_space_state(const sw_type_space *s, int32_t arrangement, uint32_t sums)
{
	assert((sums & s->used[arrangement]) == 0);
	return s->first[arrangement] + (int32_t)pack(sums, all_parts(s) & ~s->used[arrangement]);
}

int32_t sw_type_space_find(const sw_type_space *s, const sw_type *type)
{
	uint8_t order[SW_MAX_FACTORS];
	int first[SW_MAX_DIMS + 1];
	uint64_t sums;
	int32_t a = 0;

	if (type->rank != s->rank || !sw_prime_parts_split(s->mesh, &s->factors, type, order, first) ||
		!sw_prime_parts_split_sums(&s->factors, type, &sums))
		return -1;
	for (int d = 0; d < s->rank; d++)
		for (int k = first[d]; k < first[d + 1] && a >= 0; k++)
			a = sw_type_space_push(s, a, d, order[k]);
	if (a < 0)
		return -1;
	int32_t state = sw_type_space_state(s, a, (uint32_t)sums);
	return state < s->first[a + 1] ? state : -1;
}

void sw_type_space_at(const sw_type_space *s, int32_t state, sw_type *type)
{
	assert(state >= 0 && state < s->count);
	uint8_t order[SW_MAX_FACTORS];
	int first[SW_MAX_DIMS + 1], count = 0, part;
	int32_t a = s->of[state];

	for (int d = 0; d < s->rank; d++) {
		int begin = count;

		first[d] = begin;
		for (int32_t k = a; s->pop[(int64_t)k * s->rank + d] >= 0; count++) {
			k = sw_type_space_pop(s, k, d, &part);
			order[count] = (uint8_t)part;
		}
		for (int i = begin, j = count - 1; i < j; i++, j--) {
			uint8_t swapped = order[i];
			order[i] = order[j];
			order[j] = swapped;
		}
	}
	first[s->rank] = count;
	*type = s->shape;
	sw_prime_parts_join(s->mesh, &s->factors, &s->shape, order, first, type);
	sw_prime_parts_join_sums(&s->factors, s->sums[state], type);
}
