/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layouts that are being changed.
 */
#include "search/rows.h"

#include <string.h>

void sw_rows_read(sw_rows *rows, const sw_layout *layout, int rank)
{
	rows->used = 0;
	for (int i = 0; i < rank; i++) {
		rows->length[i] = 0;
		for (int k = layout->first[i]; k < layout->first[i + 1]; k++)
			sw_rows_push(rows, i, layout->order[k]);
	}
}

void sw_rows_write(const sw_rows *rows, int rank, sw_layout *layout)
{
	int n = 0;

	for (int i = 0; i < rank; i++) {
		layout->first[i] = n;
		memcpy(layout->order + n, rows->at[i], (size_t)rows->length[i]);
		n += rows->length[i];
	}
	layout->first[rank] = n;
}

void sw_rows_copy(sw_rows *to, const sw_rows *from, int rank)
{
	to->used = from->used;
	for (int i = 0; i < rank; i++) {
		to->length[i] = from->length[i];
		memcpy(to->at[i], from->at[i], (size_t)from->length[i]);
	}
}

bool sw_rows_equal(const sw_rows *a, const sw_rows *b, int rank)
{
	for (int i = 0; i < rank; i++)
		if (a->length[i] != b->length[i] || memcmp(a->at[i], b->at[i], (size_t)a->length[i]) != 0)
			return false;
	return true;
}
