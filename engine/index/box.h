/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Boxes: what two tiles of one array have in common.
 */
#ifndef SHARDWALK_INDEX_BOX_H
#define SHARDWALK_INDEX_BOX_H

#include <stdbool.h>
#include <stdint.h>

/* How many positions two ranges of one dimension have in common. */
static inline int64_t sw_overlap(int64_t a, int64_t a_size, int64_t b, int64_t b_size)
{
	int64_t begin = a > b ? a : b;
	int64_t end = a + a_size < b + b_size ? a + a_size : b + b_size;

	return end > begin ? end - begin : 0;
}

/* A tile: the offset at which it begins, and its size, in each dimension. */
typedef struct sw_box {
	const int64_t *at, *size;
} sw_box;

/* The elements of a tile, of padded sizes too, whose product need not fit 64 bits. */
static inline double sw_tile_elements(int rank, const int64_t *size)
{
	double all = 1;

	for (int i = 0; i < rank; i++)
		all *= (double)size[i];
	return all;
}

/* The elements that two tiles have in common. */
static inline int64_t sw_box_common(int rank, const sw_box *a, const sw_box *b)
{
	int64_t common = 1;

	for (int i = 0; i < rank; i++)
		common *= sw_overlap(a->at[i], a->size[i], b->at[i], b->size[i]);
	return common;
}

/* The same as a box: where it begins in either tile, and how large it is.  false where it is empty. */
static inline bool sw_box_meet(int rank, const sw_box *a, const sw_box *b, int64_t *a_at, int64_t *b_at,
	int64_t *extent)
{
	for (int i = 0; i < rank; i++) {
		extent[i] = sw_overlap(a->at[i], a->size[i], b->at[i], b->size[i]);
		if (extent[i] == 0)
			return false;
		a_at[i] = b->at[i] > a->at[i] ? b->at[i] - a->at[i] : 0;
		b_at[i] = a->at[i] > b->at[i] ? a->at[i] - b->at[i] : 0;
	}
	return true;
}

/* Advances a row-major counter over the first `rank` dimensions of a box; false after the last, where all are 0 again. */
static inline bool sw_box_next(int64_t *at, const int64_t *box, int rank)
{
	for (int i = rank - 1; i >= 0; i--) {
		if (++at[i] < box[i])
			return true;
		at[i] = 0;
	}
	return false;
}

/* The number of dimensions over which a box of two arrays of these shapes is rows of `*row` elements: the last that are whole on both sides
 * make one of them. */
static inline int sw_box_rows(int rank, const int64_t *box, const int64_t *a, const int64_t *b, int64_t *row)
{
	int outer = rank;
	*row = 1;
	while (outer > 0) {
		outer--;
		*row *= box[outer];
		if (box[outer] != a[outer] || box[outer] != b[outer])
			break;
	}
	return outer;
}

/* The row-major number of the tile at an offset, in the grid of all tiles. */
static inline int64_t sw_tile_number(int rank, const int64_t *global, const int64_t *tile, const int64_t *offset)
{
	int64_t number = 0;

	for (int i = 0; i < rank; i++)
		number = number * (global[i] / tile[i]) + offset[i] / tile[i];
	return number;
}

#endif
