/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * As it was in 0.1.0: an oracle of the searches.
 *
 * Rows: a layout that is being changed, one list of prime parts a dimension, major to minor.
 */
#ifndef TESTS_ORACLE_ROWS_H
#define TESTS_ORACLE_ROWS_H

#include "search/layout.h"

typedef struct old_rows {
	int length[SW_MAX_DIMS];
	uint8_t at[SW_MAX_DIMS][SW_MAX_FACTORS];
	uint64_t used; /* bit f: part f stands somewhere */
} old_rows;

static inline uint64_t old_part_bit(int part)
{
	return (uint64_t)1 << part;
}

/* The bits of parts 0 to count - 1. */
static inline uint64_t old_part_bits(int count)
{
	return count == 0 ? 0 : (old_part_bit(count - 1) - 1) | old_part_bit(count - 1);
}

static inline void old_rows_push(old_rows *rows, int dim, int part)
{
	rows->at[dim][rows->length[dim]++] = (uint8_t)part;
	rows->used |= old_part_bit(part);
}

static inline int old_rows_pop(old_rows *rows, int dim)
{
	int part = rows->at[dim][--rows->length[dim]];

	rows->used &= ~old_part_bit(part);
	return part;
}

void old_rows_read(old_rows *rows, const sw_layout *layout, int rank);
void old_rows_write(const old_rows *rows, int rank, sw_layout *layout);
void old_rows_copy(old_rows *to, const old_rows *from, int rank);
bool old_rows_equal(const old_rows *a, const old_rows *b, int rank);

#endif
