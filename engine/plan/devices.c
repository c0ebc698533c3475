/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Virtual devices: boxes of tiles in memory, and what is wrong with them.
 */
#include "plan/devices.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/simulate.h>

#include "index/box.h"
#include "step/transfers.h"

static int64_t corner_index(const sw_corner *c, const int64_t *step, int rank)
{
	int64_t index = 0;

	for (int i = 0; i < rank; i++)
		index = index * c->shape[i] + (c->at ? c->at[i] : 0) + step[i];
	return index;
}

void sw_box_move(sw_dtype dtype, sw_corner to, sw_corner from, const int64_t *box, int rank, bool add)
{
	int64_t row, step[SW_MAX_DIMS] = {0}, size = sw_dtype_bytes(dtype);
	int outer = sw_box_rows(rank, box, to.shape, from.shape, &row);

	do {
		char *into = to.data + corner_index(&to, step, rank) * size;
		const char *out = from.data + corner_index(&from, step, rank) * size;

		if (add)
			sw_add_to(dtype, into, out, row);
		else
			memcpy(into, out, (size_t)(row * size));
	} while (sw_box_next(step, box, outer));
}

void sw_loops_move(sw_dtype dtype, char *to, const char *from, const sw_loops *loops, bool add)
{
	int64_t size = sw_dtype_bytes(dtype), step[SW_LOOPS] = {0};
	int last = loops->loops - 1;
	bool rows = last >= 0 && loops->from_by[last] == 1 && loops->into_by[last] == 1;
	int outer = rows ? last : loops->loops;
	int64_t row = rows ? loops->count[last] : 1;

	do {
		int64_t out = loops->from, into = loops->into;
		for (int i = 0; i < outer; i++) {
			out += step[i] * loops->from_by[i];
			into += step[i] * loops->into_by[i];
		}
		if (add)
			sw_add_to(dtype, to + into * size, from + out * size, row);
		else
			memcpy(to + into * size, from + out * size, (size_t)(row * size));
	} while (sw_box_next(step, loops->count, outer));
}

void sw_held_free(sw_held *held)
{
	sw_arena_free(held->arena);
	free(held->data);
	*held = (sw_held){0};
}

char *sw_held_by(const sw_held *held, int64_t device)
{
	assert(device >= 0 && device < held->tiles.devices);
	return held->data + device * held->size * sw_dtype_bytes(held->dtype);
}

int64_t sw_held_term(const sw_held *held, int64_t device)
{
	assert(device >= 0 && device < held->tiles.devices);
	return held->tiles.term ? held->tiles.term[device] : 0;
}

/* ---- moving ---- */

static int64_t tile_size(const sw_tiles *tiles)
{
	int64_t size = 1;

	for (int i = 0; i < tiles->rank; i++)
		size *= tiles->tile[i];
	return size;
}

/* Sums begin as 0: all of the tile, or the pieces that the device has then. */
static void clear(const sw_transfers *transfers, int64_t device, int64_t bytes, char *tile)
{
	const sw_pieces *pieces = transfers->after.pieces;
	int64_t size = tile_size(&transfers->after);

	if (!pieces)
		memset(tile, 0, (size_t)bytes);
	for (int p = 0; pieces && p < pieces->count; p++) {
		int64_t element = bytes / size, begin = sw_piece_begin(size, pieces->count, p),
				end = sw_piece_begin(size, pieces->count, p + 1);

		if (sw_pieces_has(pieces, device, p))
			memset(tile + begin * element, 0, (size_t)((end - begin) * element));
	}
}

/* Everything that comes into the tile of a device. */
static void take(const sw_transfers *transfers, sw_dtype dtype, int64_t device, const char *before, char *tile)
{
	const sw_tiles *old = &transfers->before, *now = &transfers->after;
	int64_t bytes = tile_size(old) * sw_dtype_bytes(dtype);
	bool add = sw_transfers_add(transfers);
	sw_transfer box;

	for (int64_t n = 0, all = sw_transfers_into(transfers, device); n < all; n++)
		if (sw_transfers_get(transfers, device, n, &box)) {
			char *from = (char *)(uintptr_t)before + box.from * bytes;

			if (box.loops != NULL) {
				sw_loops_move(dtype, tile, from, box.loops, add);
				continue;
			}
			sw_box_move(dtype, (sw_corner){tile, now->tile, box.to_at}, (sw_corner){from, old->tile, box.from_at},
				box.extent, old->rank, add);
		}
}

char *sw_devices_step(const sw_transfers *transfers, sw_dtype dtype, const char *before, sw_devices_go go, void *user,
	sw_diag *diag)
{
	int64_t devices = transfers->after.devices, bytes = tile_size(&transfers->after) * sw_dtype_bytes(dtype);
	char *after = malloc((size_t)(devices * bytes));

	if (after == NULL)
		return sw_diag_memory(diag), NULL;
	memset(after, -1, (size_t)(devices * bytes));
	for (int64_t n = 0; n < devices; n++) {
		int64_t device = sw_transfers_device(transfers, n);

		if (go != NULL && !go(user, n)) {
			free(after);
			return NULL;
		}
		if (sw_transfers_fill(transfers))
			clear(transfers, device, bytes, after + device * bytes);
		take(transfers, dtype, device, before, after + device * bytes);
	}
	return after;
}

/* ---- comparing ---- */

typedef struct comparing {
	const sw_comparison *how;
	const sw_held *held;
	sw_difference *wrong;
	int64_t tiles, terms;
	int32_t *holder;   /* tiles x terms: the first device that holds the term; of tiles that are whole every device */
	char *right, *sum; /* room for what is compared at once */
} comparing;

static int32_t *holder_of(const comparing *c, int64_t device)
{
	const sw_tiles *tiles = &c->held->tiles;
	int64_t number = sw_tile_number(tiles->rank, tiles->global, tiles->tile, tiles->at + device * tiles->rank);

	return &c->holder[number * c->terms + sw_held_term(c->held, device)];
}

/* NULL, or the reason why terms cannot add up. */
static const char *find_holders(const comparing *c)
{
	int64_t devices = c->held->tiles.devices;

	if (c->tiles > devices / c->terms)
		return "there are more terms of tiles than devices";
	memset(c->holder, -1, (size_t)(c->tiles * c->terms) * sizeof *c->holder);
	for (int64_t p = devices - 1; p >= 0; p--) {
		int64_t device = sw_device_at(c->how->order, p);

		*(c->terms > 1 ? holder_of(c, device) : &c->holder[p]) = (int32_t)device;
	}
	for (int64_t n = 0; n < c->tiles * c->terms; n++)
		if (c->holder[n] < 0)
			return "nobody holds one of the terms";
	return NULL;
}

static void compare(const comparing *c, const sw_tile_part *part, const char *found, const char *right,
	int64_t copy_of)
{
	int64_t size = sw_dtype_bytes(c->held->dtype);
	int64_t at = sw_compare(c->held->dtype, found, right, part->count, c->how->bound, c->how->off);

	if (at < 0)
		return;
	*c->wrong = (sw_difference){.device = part->device, .at = part->begin + at, .copy_of = copy_of};
	memcpy(&c->wrong->found, found + at * size, (size_t)size);
	memcpy(&c->wrong->right, right + at * size, (size_t)size);
}

static void compare_copies(const comparing *c)
{
	for (int64_t p = 0; c->wrong->device < 0 && p < c->held->tiles.devices; p++) {
		sw_tile_part whole = {.device = sw_device_at(c->how->order, p), .count = c->held->size};
		int64_t first = *holder_of(c, whole.device);

		if (first != whole.device)
			compare(c, &whole, sw_held_by(c->held, whole.device), sw_held_by(c->held, first), first);
	}
}

/* What the terms of a tile add up to, each as its device has it. */
static const char *add_up(const comparing *c, const int32_t *holder, const sw_tile_part *part)
{
	int64_t size = sw_dtype_bytes(c->held->dtype);

	if (c->terms == 1)
		return sw_held_by(c->held, holder[0]) + part->begin * size;
	memset(c->sum, 0, (size_t)(part->count * size));
	for (int64_t t = 0; t < c->terms; t++)
		sw_add_to(c->held->dtype, c->sum, sw_held_by(c->held, holder[t]) + part->begin * size, part->count);
	return c->sum;
}

/* false: told to stop. */
static bool compare_tile(const comparing *c, int64_t n)
{
	const int32_t *holder = c->holder + n * c->terms;
	sw_tile_part part = {.n = n, .device = holder[0]};

	for (; part.begin < c->held->size && c->wrong->device < 0; part.begin += part.count) {
		part.count = sw_smaller(c->how->at_once, c->held->size - part.begin);
		if (!c->how->right(c->how->user, &part, c->right))
			return false;
		compare(c, &part, add_up(c, holder, &part), c->right, -1);
	}
	return true;
}

bool sw_held_compare(const sw_comparison *comparison, sw_difference *wrong, sw_diag *diag)
{
	assert(comparison->at_once >= 1 || comparison->held->size == 0);
	const sw_held *held = comparison->held;
	size_t room = (size_t)(comparison->at_once * sw_dtype_bytes(held->dtype));
	comparing c = {.how = comparison, .held = held, .wrong = wrong, .tiles = 1, .terms = held->tiles.terms};

	for (int i = 0; c.terms > 1 && i < held->tiles.rank; i++)
		c.tiles *= held->tiles.global[i] / held->tiles.tile[i];
	if (c.terms == 1)
		c.tiles = held->tiles.devices;
	c.right = malloc(2 * room + (size_t)held->tiles.devices * sizeof *c.holder);
	if (c.right == NULL)
		return sw_diag_memory(diag);
	c.sum = c.right + room;
	c.holder = (int32_t *)(void *)(c.sum + room);
	*wrong = (sw_difference){.device = -1, .why = find_holders(&c)};
	bool told = wrong->why == NULL;
	if (told && c.terms > 1)
		compare_copies(&c);
	for (int64_t n = 0; told && wrong->device < 0 && n < c.tiles; n++)
		told = compare_tile(&c, n);
	free(c.right);
	return told;
}
