/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layouts that are being changed.
 */
#include "rows.h"

#include <string.h>

void old_rows_read(old_rows *rows, const sw_layout *layout, int rank)
{
	rows->used = 0;
	for (int i = 0; i < rank; i++) {
		rows->length[i] = 0;
		for (int k = layout->first[i]; k < layout->first[i + 1]; k++)
			old_rows_push(rows, i, layout->order[k]);
	}
}

void old_rows_write(const old_rows *rows, int rank, sw_layout *layout)
{
	int n = 0;

	for (int i = 0; i < rank; i++) {
		layout->first[i] = n;
		memcpy(layout->order + n, rows->at[i], (size_t)rows->length[i]);
		n += rows->length[i];
	}
	layout->first[rank] = n;
}

void old_rows_copy(old_rows *to, const old_rows *from, int rank)
{
	to->used = from->used;
	for (int i = 0; i < rank; i++) {
		to->length[i] = from->length[i];
		memcpy(to->at[i], from->at[i], (size_t)from->length[i]);
	}
}

bool old_rows_equal(const old_rows *a, const old_rows *b, int rank)
{
	for (int i = 0; i < rank; i++)
		if (a->length[i] != b->length[i] || memcmp(a->at[i], b->at[i], (size_t)a->length[i]) != 0)
			return false;
	return true;
}
