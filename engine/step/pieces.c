/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pieces of tiles, and collectives on them: what a group may do, and what its members have then (seed 001, figure 8).
 */
#include <shardwalk/pieces.h>

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "step/hold.h"
#include "step/row.h"

int64_t sw_piece_begin(int64_t size, int count, int piece)
{
	assert(count > 0 && piece >= 0 && piece <= count);
	return size / count * piece + size % count * piece / count;
}

/* ---- made ---- */

/* Rows of no piece; or, with those of others, the same. */
static bool make_rows(sw_pieces *pieces, int64_t rows, const uint64_t *bits, sw_arena *arena)
{
	int64_t words = rows * pieces->words;

	pieces->bits = bits == NULL ? SW_NEW_ZERO(arena, uint64_t, words) : SW_NEW(arena, uint64_t, words);
	if (pieces->bits != NULL && bits != NULL)
		memcpy(pieces->bits, bits, sizeof *bits * (size_t)words);
	pieces->sum = SW_NEW_ZERO(arena, uint64_t, (int64_t)pieces->count * pieces->words);
	return pieces->bits != NULL && pieces->sum != NULL;
}

bool sw_pieces_make(sw_pieces *pieces, int64_t devices, int count, int64_t terms, sw_arena *arena, sw_diag *diag)
{
	assert(devices >= 1 && count >= 1 && terms >= 1);
	int64_t words = (terms + 63) / 64, rows, bytes;

	if (!sw_mul(devices, count, &rows) || !sw_mul(rows, words * 8, &bytes) || bytes > SW_PIECES_MEMORY) {
		sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "what %lld devices hold of %d chunks is too much to track",
			(long long)devices, count);
		return sw_diag_hint(diag, "use a sum over fewer devices"), false;
	}
	*pieces = (sw_pieces){.devices = devices, .terms = terms, .count = count, .words = (int)words};
	return make_rows(pieces, rows, NULL, arena) || sw_diag_memory(diag);
}

bool sw_pieces_start(sw_pieces *pieces, int64_t devices, int count, int64_t terms, const int32_t *term,
	sw_arena *arena, sw_diag *diag)
{
	if (!sw_pieces_make(pieces, devices, count, terms, arena, diag))
		return false;
	for (int64_t d = 0; d < devices; d++)
		for (int p = 0; p < count; p++)
			sw_pieces_add(pieces, d, p, term != NULL ? term[d] : d);
	return true;
}

bool sw_pieces_copy(const sw_pieces *from, sw_arena *arena, sw_pieces *to, sw_diag *diag)
{
	int64_t rows = from->devices * from->count;

	*to = *from;
	return make_rows(to, rows, from->bits, arena) || sw_diag_memory(diag);
}

/* ---- of a device ---- */

uint64_t *sw_pieces_terms(const sw_pieces *pieces, int64_t device, int piece)
{
	return pieces->bits + (device * pieces->count + piece) * pieces->words;
}

void sw_pieces_add(const sw_pieces *pieces, int64_t device, int piece, int64_t term)
{
	assert(term >= 0 && term < pieces->terms);
	sw_pieces_terms(pieces, device, piece)[term / 64] |= (uint64_t)1 << term % 64;
}

static bool any(const sw_pieces *pieces, const uint64_t *terms)
{
	for (int w = 0; w < pieces->words; w++)
		if (terms[w] != 0)
			return true;
	return false;
}

bool sw_pieces_has(const sw_pieces *pieces, int64_t device, int piece)
{
	return any(pieces, sw_pieces_terms(pieces, device, piece));
}

int sw_pieces_held(const sw_pieces *pieces, int64_t device)
{
	assert(device >= 0 && device < pieces->devices);
	int held = 0;

	for (int p = 0; p < pieces->count; p++)
		held += sw_pieces_has(pieces, device, p);
	return held;
}

bool sw_pieces_done(const sw_pieces *pieces)
{
	for (int64_t row = 0; row < pieces->devices * pieces->count; row++)
		for (int64_t term = 0; term < pieces->terms; term++)
			if ((pieces->bits[row * pieces->words + term / 64] >> term % 64 & 1) == 0)
				return false;
	return true;
}

void sw_pieces_print(const sw_pieces *pieces, int64_t device, sw_text *text)
{
	int held = sw_pieces_held(pieces, device);

	sw_text_add(text, held == 0 ? "no chunk" : held == 1 ? "chunk" : "chunks");
	for (int p = 0, first = 1; p < pieces->count; p++) {
		int end = p;

		if (!sw_pieces_has(pieces, device, p))
			continue;
		while (end + 1 < pieces->count && sw_pieces_has(pieces, device, end + 1))
			end++;
		sw_text_addf(text, first ? " %d" : ", %d", p);
		if (end > p)
			sw_text_addf(text, "-%d", end);
		first = 0;
		p = end;
	}
}

/* ---- premises and effects: the columns `premise` and `hold` ---- */

static size_t row_bytes(const sw_pieces *pieces)
{
	return (size_t)pieces->words * sizeof *pieces->bits;
}

/* All rows of a device. */
static size_t all_bytes(const sw_pieces *pieces)
{
	return row_bytes(pieces) * (size_t)pieces->count;
}

static uint64_t *all_of(const sw_pieces *pieces, int64_t device)
{
	return sw_pieces_terms(pieces, device, 0);
}

static bool same_pieces(const sw_pieces *pieces, int64_t a, int64_t b)
{
	for (int p = 0; p < pieces->count; p++)
		if (sw_pieces_has(pieces, a, p) != sw_pieces_has(pieces, b, p))
			return false;
	return true;
}

/* Adds up what all members have; false where a term comes twice. */
static bool add_up(const sw_pieces *pieces, const int32_t *member, int64_t size)
{
	int64_t words = (int64_t)pieces->count * pieces->words;

	memset(pieces->sum, 0, all_bytes(pieces));
	for (int64_t m = 0; m < size; m++) {
		const uint64_t *own = all_of(pieces, member[m]);

		for (int64_t w = 0; w < words; w++) {
			if ((pieces->sum[w] & own[w]) != 0)
				return false;
			pieces->sum[w] |= own[w];
		}
	}
	return true;
}

/* The first two members that have the same term of a piece. */
static sw_premise find_twice(const sw_pieces *pieces, sw_breach *of)
{
	for (of->a = 0; of->a < of->size; of->a++)
		for (of->b = of->a + 1; of->b < of->size; of->b++) {
			const uint64_t *one = all_of(pieces, of->member[of->a]), *other = all_of(pieces, of->member[of->b]);

			for (int64_t w = 0; w < (int64_t)pieces->count * pieces->words; w++)
				if ((one[w] & other[w]) != 0) {
					of->piece = (int)(w / pieces->words);
					of->term = w % pieces->words * 64 + __builtin_ctzll(one[w] & other[w]);
					return SW_PREMISE_ADDED_TWICE;
				}
		}
	return SW_PREMISE_HOLDS;
}

sw_premise sw_premise_terms(const sw_pieces *pieces, const sw_collective *row, sw_breach *of)
{
	int held = sw_pieces_held(pieces, of->member[0]);

	for (of->b = 1; of->b < of->size; of->b++)
		if (!same_pieces(pieces, of->member[0], of->member[of->b]))
			return SW_PREMISE_CHUNKS_DIFFER;
	of->b = of->size - 1;
	if (held == 0)
		return SW_PREMISE_NOTHING;
	if (!add_up(pieces, of->member, of->size))
		return find_twice(pieces, of);
	return row->leaves == SW_LEAVES_PARTS && held % of->size != 0 ? SW_PREMISE_INDIVISIBLE : SW_PREMISE_HOLDS;
}

sw_premise sw_premise_parts(const sw_pieces *pieces, const sw_collective *row, sw_breach *of)
{
	int held = sw_pieces_held(pieces, of->member[0]);

	(void)row;
	for (of->b = 1; of->b < of->size; of->b++)
		if (sw_pieces_held(pieces, of->member[of->b]) != held)
			return SW_PREMISE_COUNTS_DIFFER;
	of->b = of->size - 1;
	if (held == 0)
		return SW_PREMISE_NOTHING;
	for (of->piece = 0; of->piece < pieces->count; of->piece++) {
		of->a = -1;
		for (of->b = 0; of->b < of->size; of->b++) {
			bool has = sw_pieces_has(pieces, of->member[of->b], of->piece);

			if (has && of->a >= 0)
				return SW_PREMISE_SAME_CHUNK;
			of->a = has ? of->b : of->a;
		}
	}
	return SW_PREMISE_HOLDS;
}

sw_premise sw_premise_root(const sw_pieces *pieces, const sw_collective *row, sw_breach *of)
{
	const uint64_t *root = all_of(pieces, of->member[0]);
	bool new = false;

	(void)row;
	for (of->b = 1; of->b < of->size; of->b++) {
		const uint64_t *own = all_of(pieces, of->member[of->b]);

		for (int64_t w = 0; w < (int64_t)pieces->count * pieces->words; w++)
			if ((own[w] & ~root[w]) != 0) {
				of->piece = (int)(w / pieces->words);
				return SW_PREMISE_ROOT_KNOWS_LESS;
			}
		new = new || memcmp(own, root, all_bytes(pieces)) != 0;
	}
	of->b = 1;
	return new ? SW_PREMISE_HOLDS : SW_PREMISE_NOTHING_NEW;
}

/* Member `m` keeps its share of the sum, as many pieces as the others: those from number m * each on. */
static void keep_share(const sw_pieces *pieces, int64_t device, int64_t m, int64_t each)
{
	int64_t n = 0;

	memset(all_of(pieces, device), 0, all_bytes(pieces));
	for (int p = 0; p < pieces->count; p++) {
		const uint64_t *sum = pieces->sum + (int64_t)p * pieces->words;

		if (any(pieces, sum) && n++ / each == m)
			memcpy(sw_pieces_terms(pieces, device, p), sum, row_bytes(pieces));
	}
}

void sw_hold_sum(const sw_pieces *pieces, const sw_collective *row, const int32_t *member, int64_t size)
{
	int64_t each = sw_pieces_held(pieces, member[0]) / size;

	assert(row->leaves != SW_LEAVES_PARTS || sw_pieces_held(pieces, member[0]) % size == 0);
	add_up(pieces, member, size);
	for (int64_t m = 0; m < size; m++)
		if (row->leaves == SW_LEAVES_PARTS)
			keep_share(pieces, member[m], m, each);
		else if (row->leaves == SW_LEAVES_ALL || m == 0)
			memcpy(all_of(pieces, member[m]), pieces->sum, all_bytes(pieces));
		else
			memset(all_of(pieces, member[m]), 0, all_bytes(pieces));
}

void sw_hold_root(const sw_pieces *pieces, const sw_collective *row, const int32_t *member, int64_t size)
{
	(void)row;
	for (int64_t m = 1; m < size; m++)
		memcpy(all_of(pieces, member[m]), all_of(pieces, member[0]), all_bytes(pieces));
}

sw_breach sw_pieces_step(sw_pieces *pieces, sw_op op, const int32_t *member, int64_t grouped, int64_t size)
{
	assert(size >= 1 && grouped % size == 0);
	const sw_collective *row = sw_row(op);
	assert(row->premise != NULL && row->hold != NULL);
	sw_breach breach = {.member = member, .size = size};

	for (int64_t n = 0; n < grouped; n += size) {
		breach.member = member + n;
		breach.a = 0;
		breach.premise = row->premise(pieces, row, &breach);
		if (breach.premise != SW_PREMISE_HOLDS)
			return breach;
	}
	for (int64_t n = 0; n < grouped; n += size)
		row->hold(pieces, row, member + n, size);
	return breach;
}
