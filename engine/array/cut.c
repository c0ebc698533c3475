/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How devices share the indices of one dimension.
 */
#include "array/cut.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>

#include "array/parts.h"
#include "index/family.h"

__extension__ typedef __int128 wide;

/* ---- counting ---- */

/* Digits that are being counted. */
struct digits {
	int count;
	sw_cut_digit *digit;
	int64_t block;
	int64_t weight; /* of the next; INT64_MAX: beyond all indices */
};

/* Rounds of blocks that lie side by side make the block longer, rounds of rounds are more of them, and digits of the device number
 * that count on are one. */
static bool joins(struct digits *d, const sw_cut_digit *next)
{
	sw_cut_digit *last = d->count > 0 ? &d->digit[d->count - 1] : NULL;

	if (last == NULL && next->stride == 0 && d->block > 0) {
		if (!sw_mul(d->block, next->size, &d->block))
			d->block = INT64_MAX;
		return true;
	}
	bool rounds = last != NULL && last->stride == 0 && next->stride == 0;
	bool counts_on = last != NULL && last->stride > 0 && next->stride == last->stride * last->size;
	if (!rounds && !(counts_on && last->first == 0 && next->first == 0))
		return false;
	last->size *= next->size;
	return true;
}

static void add_digit(struct digits *d, sw_cut_digit next)
{
	next.weight = d->weight;
	if (next.size == 1)
		return;
	if (!joins(d, &next))
		d->digit[d->count++] = next;
	if (!sw_mul(d->weight, next.size, &d->weight))
		d->weight = INT64_MAX;
}

bool sw_cut_count(const sw_mesh *mesh, sw_cut *cut, sw_arena *arena)
{
	int64_t block = sw_smaller(cut->tile, cut->size);
	struct digits d = {0, SW_NEW(arena, sw_cut_digit, cut->entries), block, block > 0 ? block : 1};

	if (d.digit == NULL)
		return false;
	for (int i = 0; i < cut->entries; i++) {
		const sw_cut_entry *entry = &cut->entry[i];
		int64_t rounds = entry->part.size > 0 ? entry->part.size : sw_ceil_div(cut->size, d.weight);
		if (sw_is_rounds(entry->part))
			add_digit(&d, (sw_cut_digit){.size = sw_smaller(rounds, cut->size)});
		else
			add_digit(&d,
				(sw_cut_digit){.size = entry->part.size,
					.stride = sw_part_stride(mesh, entry->part),
					.first = entry->first});
	}
	cut->block = sw_smaller(d.block, cut->size);
	cut->digits = d.count;
	cut->digit = d.digit;
	return true;
}

/* ---- indices ---- */

/* Where the first block of a device begins, or which piece it has; the size at most. */
static int64_t place_of(const sw_cut *cut, int64_t device)
{
	wide sum = 0;

	for (int i = 0; i < cut->digits; i++) {
		const sw_cut_digit *digit = &cut->digit[i];
		int64_t at = digit->stride > 0 ? device / digit->stride % digit->size - digit->first : 0;
		sum += (wide)(at < 0 ? at + digit->size : at) * digit->weight;
	}
	return cut->tile > 0 && sum >= cut->size ? cut->size : (int64_t)sum;
}

static void piece_of(const sw_cut *cut, int64_t device, int64_t *begin, int64_t *end)
{
	int64_t piece = place_of(cut, device);

	if (cut->uneven != NULL) {
		*end = sw_uneven_piece(cut->uneven, cut->rule, piece, begin);
		*end += *begin;
	} else {
		*begin = cut->begin[piece];
		*end = cut->begin[piece + 1];
	}
}

/* Adds blocks from `first` on, each `step` behind the one before, as far as there are indices; the last may be short. */
static void add_blocks(const sw_cut *cut, int64_t first, int64_t step, int64_t count, sw_families *out)
{
	int64_t left = cut->size - first, run = cut->block;

	if (left <= 0)
		return;
	count = sw_smaller(count, sw_ceil_div(left, step));
	int64_t rest = left - (count - 1) * step; /* from the last block on */
	sw_families_add(out, first, run, step, rest < run ? count - 1 : count);
	if (rest < run)
		sw_families_range(out, first + (count - 1) * step, cut->size);
}

/* The rounds that come most often, or -1. */
static int most_rounds(const sw_cut *cut)
{
	int most = -1;

	for (int i = 0; i < cut->digits; i++)
		if (cut->digit[i].stride == 0 && (most < 0 || cut->digit[i].size > cut->digit[most].size))
			most = i;
	return most;
}

int64_t sw_cut_families(const sw_cut *cut)
{
	int64_t families = 1;
	int most = most_rounds(cut);

	for (int i = 0; i < cut->digits; i++)
		if (cut->digit[i].stride == 0 && i != most && !sw_mul(families, cut->digit[i].size, &families))
			return INT64_MAX;
	return families;
}

/* How far the blocks of round `number` lie behind the first, of all rounds but `most`; -1: behind the end. */
static int64_t round_at(const sw_cut *cut, int most, int64_t number)
{
	wide sum = 0;

	for (int i = 0; i < cut->digits; i++) {
		const sw_cut_digit *digit = &cut->digit[i];
		if (digit->stride > 0 || i == most)
			continue;
		sum += (wide)(number % digit->size) * digit->weight;
		number /= digit->size;
	}
	return sum < cut->size ? (int64_t)sum : -1;
}

static bool blocks_of(const sw_cut *cut, int64_t device, sw_arena *arena, sw_indices *indices)
{
	int most = most_rounds(cut);
	int64_t first = place_of(cut, device), rounds = sw_cut_families(cut);
	int64_t step = most >= 0 ? cut->digit[most].weight : cut->block, count = most >= 0 ? cut->digit[most].size : 1;
	sw_families out = {.arena = arena, .family = SW_NEW(arena, sw_family, 2), .room = 2};

	if (out.family == NULL)
		return false;
	for (int64_t n = 0; n < rounds; n++) {
		int64_t at = rounds > 1 ? round_at(cut, most, n) : 0;
		if (at >= 0)
			add_blocks(cut, first + at, step, count, &out);
	}
	return sw_families_finish(&out, indices);
}

bool sw_cut_indices(const sw_cut *cut, int64_t device, sw_arena *arena, sw_indices *indices)
{
	int64_t begin, end;

	if (cut->tile > 0)
		return blocks_of(cut, device, arena, indices);
	sw_family *family = SW_NEW(arena, sw_family, 1);
	if (family == NULL)
		return false;
	piece_of(cut, device, &begin, &end);
	*indices = sw_indices_range(begin, end, family);
	return true;
}

/* ---- tiles ---- */

static int64_t pieces_of(const sw_cut *cut)
{
	int64_t pieces = 1;

	for (int i = 0; i < cut->entries; i++)
		pieces *= cut->entry[i].part.size;
	return pieces;
}

/* The size of each tile; 0: they differ. */
static int64_t tile_of(const sw_cut *cut, int64_t tiles)
{
	int64_t tile = cut->tile > 0 ? cut->block : cut->size / tiles;

	for (int64_t i = 0; cut->begin != NULL && i <= tiles; i++)
		if (cut->begin[i] != i * tile)
			return 0;
	return tile;
}

bool sw_cut_tiles(const sw_cut *cut, sw_part *parts, int *count)
{
	int64_t tiles = 1, covered;

	*count = 0;
	for (int i = 0; i < cut->digits; i++)
		if (cut->digit[i].stride == 0 || cut->digit[i].first != 0)
			return false;
	for (int i = 0; i < cut->entries; i++)
		if (!sw_is_rounds(cut->entry[i].part)) {
			parts[(*count)++] = cut->entry[i].part;
			tiles *= cut->entry[i].part.size;
		}
	return sw_mul(tile_of(cut, tiles), tiles, &covered) && covered == cut->size;
}

/* ---- text ---- */

void sw_cut_entry_print(const sw_mesh *mesh, const sw_cut_entry *entry, sw_text *text)
{
	if (!sw_is_rounds(entry->part)) {
		sw_part_print(mesh, entry->part, text);
	} else {
		sw_text_add(text, "..");
		if (entry->part.size > 0)
			sw_text_add_int(text, entry->part.size);
	}
	if (entry->first > 0) {
		sw_text_add_char(text, '@');
		sw_text_add_int(text, entry->first);
	}
}

/* What stands before the brace. */
static void print_tile(const sw_cut *cut, sw_text *text)
{
	if (cut->tile > 0)
		sw_text_add_int(text, cut->tile);
	for (int64_t i = 0; cut->begin != NULL && i < pieces_of(cut); i++) {
		sw_text_add(text, i > 0 ? "+" : "");
		sw_text_add_int(text, cut->begin[i + 1] - cut->begin[i]);
	}
}

void sw_cut_print(const sw_mesh *mesh, const sw_cut *cut, sw_text *text)
{
	if (cut->entries > 0) {
		print_tile(cut, text);
		for (int i = 0; i < cut->entries; i++) {
			sw_text_add_char(text, i > 0 ? ',' : '{');
			sw_cut_entry_print(mesh, &cut->entry[i], text);
		}
		sw_text_add_char(text, '}');
	}
	sw_text_add_int(text, cut->size);
}
