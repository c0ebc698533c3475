/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What reaches a device where XLA pads.
 */
#include "peers/xla_padding.h"

#include <assert.h>

#include "index/box.h"

static int64_t ceil_of(int64_t size, int64_t tiles)
{
	return (size + tiles - 1) / tiles;
}

static void tiles_of(const int64_t *size, const sw_tiling *t, int64_t *tile)
{
	for (int i = 0; i < t->rank; i++)
		tile[i] = ceil_of(size[i], t->tiles[i]);
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Every tile in `count` begins earlier by `fewer` times its number, and keeps `kept` elements: the last gets most. */
static int64_t halo_before(int64_t count, int64_t fewer, int64_t kept)
{
	assert(count > 0 && fewer >= 0);
	return fewer == 0 ? 0 : count - 1 > kept / fewer ? kept : (count - 1) * fewer;
}

/* Tiles of `tile` elements become longer: the most elements that one gets from behind it, of the tiles that hold some of the array. */
static int64_t halo_behind(int64_t size, int64_t count, int64_t tile, int64_t longer)
{
	int64_t most = 0, held = ceil_of(size, tile) * tile;

	assert(tile > 0 && longer >= tile);
	for (int64_t i = 0; longer > tile && i < count - 1 && i * longer < held; i++) {
		int64_t end = least((i + 1) * longer, held), own = (i + 1) * tile - i * longer;
		int64_t gets = end - i * longer - (own > 0 ? least(own, end - i * longer) : 0);

		most = gets > most ? gets : most;
	}
	return most;
}

/* A dimension that gets more tiles is padded until the new tiles fill the old ones. */
static double grow(const int64_t *size, const sw_tiling *before, const sw_tiling *after, int64_t *tile, int i)
{
	int64_t padded = after->tiles[i] / before->tiles[i] * ceil_of(size[i], after->tiles[i]);
	double others = sw_tile_elements(before->rank, tile) / (double)tile[i];
	int64_t halo = halo_behind(size[i], before->tiles[i], tile[i], padded);

	tile[i] = padded;
	return (double)halo * others;
}

/* Those that were whole last: they need nothing from elsewhere. */
static double grown(const int64_t *size, const sw_tiling *before, const sw_tiling *after, int64_t *tile)
{
	double received = 0;

	for (int whole = 0; whole < 2; whole++)
		for (int i = 0; i < before->rank; i++)
			if (after->tiles[i] > before->tiles[i] && (before->tiles[i] == 1) == whole)
				received += grow(size, before, after, tile, i);
	return received;
}

/* Dimensions that have fewer tiles now are cut to the tiles that they would have. */
static double shrunk(const int64_t *size, const sw_tiling *before, const sw_tiling *after, int64_t *tile)
{
	double received = 0;

	for (int i = 0; i < before->rank; i++) {
		if (after->tiles[i] >= before->tiles[i])
			continue;
		int64_t cut = ceil_of(size[i], after->tiles[i]);

		received += (double)halo_before(after->tiles[i], tile[i] - cut, cut) * sw_tile_elements(before->rank, tile) /
			(double)tile[i];
		tile[i] = cut;
	}
	return received;
}

static double exchanged(const int64_t *size, const sw_tiling *before, const sw_tiling *after)
{
	int64_t tile[SW_TILING_DIMS], group = 1;
	double received;

	tiles_of(size, before, tile);
	received = grown(size, before, after, tile);
	for (int i = 0; i < before->rank; i++) {
		int64_t more = after->tiles[i] / before->tiles[i], fewer = before->tiles[i] / after->tiles[i];

		group *= more > 1 ? more : 1;
		tile[i] = more > 1 ? tile[i] / more : fewer > 1 ? tile[i] * fewer : tile[i];
	}
	received += sw_tile_elements(before->rank, tile) / (double)group * (double)(group - 1);
	return received + shrunk(size, before, after, tile);
}

static bool has_fewer(const sw_tiling *before, const sw_tiling *after)
{
	for (int i = 0; i < before->rank; i++)
		if (after->tiles[i] < before->tiles[i])
			return true;
	return false;
}

double sw_xla_received(const int64_t *size, const sw_tiling *before, const sw_tiling *after)
{
	int64_t tile[SW_TILING_DIMS];

	tiles_of(size, before, tile);
	if (sw_tiling_same_tiles(before, after))
		return sw_tile_elements(before->rank, tile);
	if (!has_fewer(before, after))
		return grown(size, before, after, tile);
	return has_fewer(after, before) ? exchanged(size, before, after) : 0;
}

/* How a dimension becomes whole, or has larger tiles. */
typedef enum manner { STAYS, GATHERS, COPIES, ADDS } manner;

static manner manner_of(int64_t tile, int64_t factor, int64_t wanted)
{
	if (factor == 1)
		return STAYS;
	return wanted == tile ? COPIES : wanted <= factor / 2 ? ADDS : GATHERS;
}

static double reduced(const int64_t *tile, int rank, int64_t group)
{
	return 2 * sw_tile_elements(rank, tile) / (double)group * (double)(group - 1);
}

double sw_xla_gathered(const int64_t *size, const sw_tiling *before, const int64_t *tiles)
{
	int64_t tile[SW_TILING_DIMS], factor[SW_TILING_DIMS], copies = 1, adds = 1;
	manner is[SW_TILING_DIMS];
	double received = 0;
	int rank = before->rank;

	tiles_of(size, before, tile);
	for (int i = 0; i < rank; i++) {
		int64_t wanted = ceil_of(size[i], tiles[i]);

		factor[i] = before->tiles[i] / tiles[i];
		is[i] = manner_of(tile[i], factor[i], wanted);
		copies *= is[i] == COPIES ? factor[i] : 1;
		adds *= is[i] == ADDS ? factor[i] : 1;
		if (is[i] != STAYS)
			received += (double)halo_before(tiles[i], factor[i] * tile[i] - wanted, tile[i]) *
				sw_tile_elements(rank, tile) / (double)tile[i];
	}
	received += reduced(tile, rank, copies);
	for (int i = rank - 1; i >= 0; i--) {
		if (is[i] != GATHERS)
			continue;
		received += sw_tile_elements(rank, tile) * (double)(factor[i] - 1);
		tile[i] *= factor[i];
	}
	for (int i = 0; i < rank; i++)
		tile[i] = is[i] == ADDS ? ceil_of(size[i], tiles[i]) : tile[i];
	return received + reduced(tile, rank, adds);
}
