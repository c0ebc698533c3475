/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pairs of dimensions, found one after the other: the dimension that has fewest tiles takes those that it needs
 * from a dimension that has as many.
 */
#include "peers/xla_pairs.h"

#include <string.h>

#include "base/room.h"

/* Dimensions that do not have their tiles yet, with the tiles they have. */
struct open {
	int count;
	struct {
		int64_t tiles;
		int dim;
	} at[SW_TILING_DIMS];
};

static void open_remove(struct open *open, int k)
{
	open->count--;
	memmove(&open->at[k], &open->at[k + 1], (size_t)(open->count - k) * sizeof *open->at);
}

static int occurrences(const int64_t *tiles, const struct open *open, int64_t number)
{
	int n = 0;

	for (int k = 0; k < open->count; k++)
		n += tiles[open->at[k].dim] == number;
	return n;
}

/* Are the numbers of tiles at both ends the same but for their order? */
static bool same_numbers(const sw_tiling *from, const sw_tiling *to, const struct open *open)
{
	for (int k = 0; k < open->count; k++)
		if (occurrences(from->tiles, open, open->at[k].tiles) != occurrences(to->tiles, open, open->at[k].tiles))
			return false;
	return open->count > 0;
}

/* The last of those with fewest tiles. */
static int fewest(const struct open *open)
{
	int best = 0;

	for (int k = 1; k < open->count; k++)
		if (open->at[k].tiles <= open->at[best].tiles)
			best = k;
	return best;
}

/* Of the dimensions that have `wanted` tiles the first that fits the taker best: one whose final number is what
 * the taker gives in exchange; where that is 1, one that needs more than 1, so that it goes on taking.  The last
 * where none is so. */
static int giver(const struct open *open, const sw_tiling *to, int64_t wanted, int64_t given)
{
	int found = -1;

	for (int k = 0; k < open->count; k++) {
		int64_t final = to->tiles[open->at[k].dim];

		if (open->at[k].tiles != wanted)
			continue;
		found = k;
		if (given == 1 ? final != 1 : final == given)
			break;
	}
	return found;
}

bool sw_xla_pairs_find(const sw_tiling *from, const sw_tiling *to, sw_xla_pairs *pairs)
{
	struct open open = {0};

	pairs->count = 0;
	if (from->whole || to->whole || from->rank != to->rank || from->copies != to->copies)
		return false;
	for (int i = 0; i < from->rank; i++) {
		if (from->tiles[i] == to->tiles[i])
			continue;
		open.at[open.count].tiles = from->tiles[i];
		SW_ROOM(open.at, open.count);
		open.at[open.count++].dim = i;
	}
	if (!same_numbers(from, to, &open))
		return false;
	while (open.count > 0) {
		int taker = fewest(&open), dim = open.at[taker].dim;
		int64_t given = open.at[taker].tiles, wanted = to->tiles[dim];

		if (wanted == given) {
			open_remove(&open, taker);
			continue;
		}
		int from_k = giver(&open, to, wanted, given);
		if (from_k < 0 || wanted % given != 0 || pairs->count == SW_TILING_DIMS)
			return false;
		pairs->pair[pairs->count].source = open.at[from_k].dim;
		pairs->pair[pairs->count++].target = dim;
		open.at[taker].dim = open.at[from_k].dim;
		open_remove(&open, from_k);
	}
	return true;
}

void sw_xla_pairs_sort(sw_xla_pairs *pairs)
{
	for (int k = 1; k < pairs->count; k++)
		for (int i = k; i > 0 && pairs->pair[i].target < pairs->pair[i - 1].target; i--) {
			int source = pairs->pair[i].source, target = pairs->pair[i].target;

			pairs->pair[i] = pairs->pair[i - 1];
			pairs->pair[i - 1].source = source;
			pairs->pair[i - 1].target = target;
		}
}
