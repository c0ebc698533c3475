/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The type that says what devices have where they have pieces of their tiles: one block each, as parts of the axes that are summed
 * number them.
 */
#include "plan/pieces.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "array/parts.h"
#include "base/room.h"
#include "plan/tile_numbers.h"

/* A part of an axis that is summed, and what its digit adds to the number of the block that a device has. */
struct digit {
	sw_part part;
	int64_t adds;
};

struct naming {
	const sw_mesh *mesh;
	const sw_type *type; /* that tiles and terms are of */
	const sw_pieces *pieces;
	int64_t size;   /* elements of a tile */
	int held;       /* pieces of a block */
	int64_t blocks; /* of a tile */
	struct digit digit[SW_MAX_PARTS * 8];
	int digits;
};

/* The block of a device, -1: it has no whole one, or more. */
static int64_t block_of(const struct naming *n, int64_t device)
{
	const sw_pieces_list *list = n->pieces->list[device];
	int first = list->runs > 0 ? list->run[0].first : 0;

	if (list->runs == 0 || sw_pieces_held(n->pieces, device) != n->held || first % n->held != 0)
		return -1;
	return list->run[list->runs - 1].end == first + n->held ? first / n->held : -1;
}

/* Do blocks begin where equal parts of a tile do? */
static bool blocks_are_equal(const struct naming *n)
{
	if (n->held == 0 || n->pieces->count % n->held != 0 || n->size % n->blocks != 0)
		return false;
	for (int64_t b = 0; b < n->blocks; b++)
		if (sw_piece_begin(n->size, n->pieces->count, (int)b * n->held) != n->size / n->blocks * b)
			return false;
	return true;
}

/* The parts of prime size that a part consists of; false: they are too many. */
static bool add_digits(struct naming *n, sw_part part)
{
	int64_t prime[64];
	int count = sw_prime_factors(part.size, prime);

	if (n->digits + count > (int)(sizeof n->digit / sizeof *n->digit))
		return false;
	for (int i = 0; i < count; i++) {
		part.size = prime[i];
		SW_ROOM(n->digit, n->digits);
		n->digit[n->digits++] = (struct digit){part, block_of(n, sw_part_stride(n->mesh, part))};
		part.pre *= prime[i];
	}
	return true;
}

static bool list_digits(struct naming *n)
{
	sw_part sums[SW_MAX_PARTS];
	int count = sw_type_sums(n->type, sums);

	for (int s = 0; s < count; s++)
		if (!add_digits(n, sums[s]))
			return false;
	return true;
}

/* The digit that adds so much, or NULL. */
static const struct digit *that_adds(const struct naming *n, int64_t adds)
{
	for (int i = 0; i < n->digits; i++)
		if (n->digit[i].adds == adds)
			return &n->digit[i];
	return NULL;
}

/* Into how many a dimension is cut where tiles are cut into blocks, row by row: the outermost first. */
static bool cuts_of(const struct naming *n, int64_t cut[SW_MAX_DIMS])
{
	int64_t left = n->blocks;

	for (int i = 0; i < n->type->rank; i++) {
		int64_t tile = n->type->tile[i];

		cut[i] = tile % left == 0 ? left : left % tile == 0 ? tile : 0;
		if (cut[i] == 0)
			return false;
		left /= cut[i];
	}
	return left == 1;
}

/* Cuts dimension `dim` into `cut`, by the digits that add `*adds` and more, inside the parts that cut it. */
static bool cut_dim(const struct naming *n, int dim, int64_t cut, int64_t *adds, sw_type *type)
{
	sw_part parts[SW_MAX_PARTS], old[SW_MAX_PARTS];
	int count = 0, more = sw_type_parts(n->type, dim, old);

	for (int64_t left = cut; left > 1;) {
		const struct digit *digit = that_adds(n, *adds);

		if (digit == NULL || left % digit->part.size != 0 || count + more >= SW_MAX_PARTS)
			return false;
		count = sw_parts_push(parts, 0, count, digit->part);
		*adds *= digit->part.size;
		left /= digit->part.size;
	}
	for (int i = 0; i < more; i++)
		count = sw_parts_push(parts, 0, count, old[i]);
	type->tile[dim] /= cut;
	sw_type_put(type, dim, parts, count);
	return true;
}

/* The terms that are not added yet in what device 0 has: sums that are left. */
static bool leave_sums(const struct naming *n, sw_type *type)
{
	sw_part left[SW_MAX_PARTS];
	int count = 0;

	for (int i = 0; i < n->digits; i++) {
		int64_t term = sw_type_term(n->mesh, n->type, sw_part_stride(n->mesh, n->digit[i].part));
		const uint64_t *terms = sw_pieces_terms(n->pieces, 0, 0);

		if ((terms[term / 64] >> term % 64 & 1) == 0 && count == SW_MAX_PARTS)
			return false;
		if ((terms[term / 64] >> term % 64 & 1) == 0) {
			SW_ROOM(left, count);
			left[count++] = n->digit[i].part;
		}
	}
	return sw_type_set_sums(n->mesh, type, left, count, &(sw_diag){.code = SW_OK});
}

/* Where a block begins by a type, in elements of the tile that it is of, row by row. */
static int64_t begin_of(const struct naming *n, const sw_type *type, int64_t device)
{
	int64_t at[SW_MAX_DIMS], of_tile[SW_MAX_DIMS], begin = 0;

	sw_type_offset(n->mesh, type, device, at);
	sw_type_offset(n->mesh, n->type, device, of_tile);
	for (int i = 0; i < type->rank; i++)
		begin = begin * n->type->tile[i] + at[i] - of_tile[i];
	return begin;
}

const uint64_t *sw_sums_of_terms(const sw_mesh *mesh, const sw_type *before, const sw_type *after, sw_arena *arena)
{
	int64_t terms = sw_type_terms(before), sums = sw_type_terms(after), words = (terms + 63) / 64, all;
	int32_t *join = SW_NEW(arena, int32_t, terms);
	uint64_t *bits = sw_mul(sums, words, &all) ? SW_NEW_ZERO(arena, uint64_t, all) : NULL;

	if (join == NULL || bits == NULL)
		return NULL;
	sw_terms_join(mesh, before, after, join);
	for (int64_t t = 0; t < terms; t++)
		if (join[t] < sums)
			bits[join[t] * words + t / 64] |= (uint64_t)1 << t % 64;
	return bits;
}

/* Has device `d` its block by this type, summed of these terms? */
static bool has_block(const struct naming *n, const sw_type *type, const uint64_t *terms, int64_t d)
{
	int64_t block = block_of(n, d);

	if (block < 0 || begin_of(n, type, d) != block * (n->size / n->blocks))
		return false;
	return sw_pieces_are(n->pieces, d, (int)block * n->held, ((int)block + 1) * n->held, terms);
}

static bool all_have_blocks(const struct naming *n, const sw_type *type, sw_arena *arena)
{
	const uint64_t *sums = sw_sums_of_terms(n->mesh, n->type, type, arena);
	bool have = sums != NULL;

	for (int64_t d = 0; have && d < n->mesh->devices; d++)
		have = has_block(n, type, sums + sw_type_term(n->mesh, type, d) * n->pieces->words, d);
	return have;
}

const sw_type *sw_plan_pieces_type(const sw_plan *plan, int k, sw_arena *arena)
{
	assert(k >= 0 && k <= plan->program.steps);
	const sw_pieces *pieces = plan->program.value[k].pieces;
	struct naming n = {.mesh = &plan->problem.mesh, .type = sw_plan_sums_before(plan, k), .pieces = pieces};
	sw_type *type = SW_NEW(arena, sw_type, 1);
	int64_t cut[SW_MAX_DIMS], adds = 1;

	if (pieces == NULL || type == NULL)
		return NULL;
	n.size = sw_type_localsize(n.type);
	n.held = sw_pieces_held(pieces, 0);
	n.blocks = n.held > 0 ? pieces->count / n.held : 1;
	*type = *n.type;
	if (!blocks_are_equal(&n) || block_of(&n, 0) != 0 || !list_digits(&n) || !leave_sums(&n, type) ||
		!cuts_of(&n, cut))
		return NULL;
	for (int dim = type->rank - 1; dim >= 0; dim--)
		if (!cut_dim(&n, dim, cut[dim], &adds, type))
			return NULL;
	return all_have_blocks(&n, type, arena) ? type : NULL;
}
