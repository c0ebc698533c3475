/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows: a layout that is being changed, one list of prime parts a dimension, major to minor.
 */
#ifndef SW_SEARCH_ROWS_H
#define SW_SEARCH_ROWS_H

#include "search/layout.h"

typedef struct sw_rows {
	int length[SW_MAX_DIMS];
	uint8_t at[SW_MAX_DIMS][SW_MAX_FACTORS];
	uint64_t used; /* bit f: part f stands somewhere */
} sw_rows;

static inline uint64_t sw_part_bit(int part)
{
	return (uint64_t)1 << part;
}

/* The bits of parts 0 to count - 1. */
static inline uint64_t sw_part_bits(int count)
{
	return count == 0 ? 0 : (sw_part_bit(count - 1) - 1) | sw_part_bit(count - 1);
}

static inline void sw_rows_push(sw_rows *rows, int dim, int part)
{
	rows->at[dim][rows->length[dim]++] = (uint8_t)part;
	rows->used |= sw_part_bit(part);
}

static inline int sw_rows_pop(sw_rows *rows, int dim)
{
	int part = rows->at[dim][--rows->length[dim]];

	rows->used &= ~sw_part_bit(part);
	return part;
}

void sw_rows_read(sw_rows *rows, const sw_layout *layout, int rank);
void sw_rows_write(const sw_rows *rows, int rank, sw_layout *layout);
void sw_rows_copy(sw_rows *to, const sw_rows *from, int rank);
bool sw_rows_equal(const sw_rows *a, const sw_rows *b, int rank);

#endif
