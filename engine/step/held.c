/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collectives on chunks: what the devices of a group hold before and after (seed 001, figure 8).
 */
#include "step/held.h"

#include <string.h>

#include <shardwalk/number.h>

uint64_t *sw_held_row(const sw_held *held, int64_t device, int chunk)
{
	return held->bits + (device * held->chunks + chunk) * held->words;
}

bool sw_held_start(sw_held *held, int64_t devices, int chunks, int64_t terms, sw_arena *arena, sw_diag *diag)
{
	int64_t words = (terms + 63) / 64, rows, bytes;

	if (!sw_mul(devices, chunks, &rows) || !sw_mul(rows, words * 8, &bytes) || bytes > SW_HELD_MEMORY) {
		sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "what %lld devices hold of %d chunks is too much to be followed",
			(long long)devices, chunks);
		return sw_diag_hint(diag, "sums over fewer devices can be"), false;
	}
	*held = (sw_held){.devices = devices, .chunks = chunks, .words = (int)words};
	held->bits = SW_NEW_ZERO(arena, uint64_t, rows * words);
	held->sum = SW_NEW_ZERO(arena, uint64_t, chunks * words);
	held->which = SW_NEW_ZERO(arena, int, chunks);
	return (held->bits != NULL && held->sum != NULL && held->which != NULL) || sw_diag_memory(diag);
}

void sw_held_add(sw_held *held, int64_t device, int chunk, int64_t term)
{
	sw_held_row(held, device, chunk)[term / 64] |= (uint64_t)1 << term % 64;
}

bool sw_held_has(const sw_held *held, int64_t device, int chunk)
{
	const uint64_t *row = sw_held_row(held, device, chunk);

	for (int w = 0; w < held->words; w++)
		if (row[w] != 0)
			return true;
	return false;
}

int sw_held_count(const sw_held *held, int64_t device)
{
	int count = 0;

	for (int c = 0; c < held->chunks; c++)
		count += sw_held_has(held, device, c);
	return count;
}

int sw_held_most(const sw_held *held)
{
	int most = 0;

	for (int64_t d = 0; d < held->devices; d++) {
		int count = sw_held_count(held, d);

		most = count > most ? count : most;
	}
	return most;
}

/* ---- premises ---- */

static size_t row_bytes(const sw_held *held)
{
	return (size_t)held->words * sizeof *held->bits;
}

static bool refuse(sw_diag *diag, const char *why, int32_t a, int32_t b)
{
	sw_diag_set(diag, SW_P05, (sw_span){0, 0}, why, a, b);
	return false;
}

/* All members hold the same chunks, and some. */
static bool same_chunks(const sw_held *held, const int32_t *member, int64_t size, sw_diag *diag)
{
	for (int64_t m = 1; m < size; m++)
		for (int c = 0; c < held->chunks; c++)
			if (sw_held_has(held, member[m], c) != sw_held_has(held, member[0], c))
				return refuse(diag, "devices %d and %d hold other chunks: different ones would be added", member[0],
					member[m]);
	return sw_held_count(held, member[0]) > 0 ||
		refuse(diag, "devices %d and %d hold nothing", member[0], member[size - 1]);
}

/* Adds up what all members hold; no term may come twice. */
static bool add_up(sw_held *held, const int32_t *member, int64_t size, sw_diag *diag)
{
	memset(held->sum, 0, row_bytes(held) * (size_t)held->chunks);
	for (int64_t m = 0; m < size; m++)
		for (int c = 0; c < held->chunks; c++) {
			const uint64_t *row = sw_held_row(held, member[m], c);
			uint64_t *sum = held->sum + (int64_t)c * held->words;

			for (int w = 0; w < held->words; w++) {
				if ((sum[w] & row[w]) != 0)
					return refuse(diag, "what device %d holds is in the sum of the others of the group of %d already",
						member[m], member[0]);
				sum[w] |= row[w];
			}
		}
	return true;
}

static bool sums(sw_held *held, const int32_t *member, int64_t size, sw_diag *diag)
{
	return same_chunks(held, member, size, diag) && add_up(held, member, size, diag);
}

static void take(sw_held *held, int64_t device, int chunk)
{
	memcpy(sw_held_row(held, device, chunk), held->sum + (int64_t)chunk * held->words, row_bytes(held));
}

static void drop(sw_held *held, int64_t device, int chunk)
{
	memset(sw_held_row(held, device, chunk), 0, row_bytes(held));
}

/* ---- the columns ---- */

bool sw_hold_allreduce(sw_held *held, const int32_t *member, int64_t size, sw_diag *diag)
{
	if (!sums(held, member, size, diag))
		return false;
	for (int64_t m = 0; m < size; m++)
		for (int c = 0; c < held->chunks; c++)
			take(held, member[m], c);
	return true;
}

bool sw_hold_reduce(sw_held *held, const int32_t *member, int64_t size, sw_diag *diag)
{
	if (!sums(held, member, size, diag))
		return false;
	for (int64_t m = 0; m < size; m++)
		for (int c = 0; c < held->chunks; c++)
			(m == 0 ? take : drop)(held, member[m], c);
	return true;
}

bool sw_hold_reducescatter(sw_held *held, const int32_t *member, int64_t size, sw_diag *diag)
{
	int count = sw_held_count(held, member[0]), n = 0;

	if (!sums(held, member, size, diag))
		return false;
	if (count % size != 0)
		return refuse(diag, "the %d chunks that the group holds are not divisible by its %d devices", count,
			(int32_t)size);
	for (int c = 0; c < held->chunks; c++)
		held->which[c] = sw_held_has(held, member[0], c) ? n++ / (count / (int)size) : -1;
	for (int64_t m = 0; m < size; m++)
		for (int c = 0; c < held->chunks; c++)
			(held->which[c] == m ? take : drop)(held, member[m], c);
	return true;
}

bool sw_hold_allgather(sw_held *held, const int32_t *member, int64_t size, sw_diag *diag)
{
	int count = sw_held_count(held, member[0]);

	for (int64_t m = 1; m < size; m++)
		if (sw_held_count(held, member[m]) != count)
			return refuse(diag, "devices %d and %d do not hold equally many chunks", member[0], member[m]);
	if (count == 0)
		return refuse(diag, "devices %d and %d hold nothing", member[0], member[size - 1]);
	memset(held->sum, 0, row_bytes(held) * (size_t)held->chunks);
	memset(held->which, -1, sizeof *held->which * (size_t)held->chunks);
	for (int64_t m = 0; m < size; m++)
		for (int c = 0; c < held->chunks; c++)
			if (sw_held_has(held, member[m], c)) {
				if (held->which[c] >= 0)
					return refuse(diag, "devices %d and %d hold the same chunk", held->which[c], member[m]);
				held->which[c] = member[m];
				memcpy(held->sum + (int64_t)c * held->words, sw_held_row(held, member[m], c), row_bytes(held));
			}
	for (int64_t m = 0; m < size; m++)
		for (int c = 0; c < held->chunks; c++)
			take(held, member[m], c);
	return true;
}

bool sw_hold_broadcast(sw_held *held, const int32_t *member, int64_t size, sw_diag *diag)
{
	bool new = false;

	for (int64_t m = 1; m < size; m++)
		for (int64_t w = 0; w < (int64_t)held->chunks * held->words; w++) {
			uint64_t root = sw_held_row(held, member[0], 0)[w], other = sw_held_row(held, member[m], 0)[w];

			if ((other & ~root) != 0)
				return refuse(diag, "the root, device %d, knows less than device %d", member[0], member[m]);
			new = new || other != root;
		}
	if (!new)
		return refuse(diag, "device %d and %d hold the same: nothing new would come", member[0], member[size - 1]);
	for (int64_t m = 1; m < size; m++)
		memcpy(sw_held_row(held, member[m], 0), sw_held_row(held, member[0], 0),
			row_bytes(held) * (size_t)held->chunks);
	return true;
}
