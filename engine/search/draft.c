/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layouts that are being changed.
 */
#include "search/draft.h"

#include <string.h>

void sw_draft_read(sw_layout_draft *draft, const sw_layout *layout, int rank)
{
	draft->used = 0;
	for (int i = 0; i < rank; i++) {
		draft->length[i] = 0;
		for (int k = layout->first[i]; k < layout->first[i + 1]; k++)
			sw_draft_push(draft, i, layout->order[k]);
	}
}

void sw_draft_write(const sw_layout_draft *draft, int rank, sw_layout *layout)
{
	int n = 0;

	for (int i = 0; i < rank; i++) {
		layout->first[i] = n;
		memcpy(layout->order + n, draft->at[i], (size_t)draft->length[i]);
		n += draft->length[i];
	}
	layout->first[rank] = n;
	layout->summed = 0;
}

void sw_draft_copy(sw_layout_draft *to, const sw_layout_draft *from, int rank)
{
	to->used = from->used;
	for (int i = 0; i < rank; i++) {
		to->length[i] = from->length[i];
		memcpy(to->at[i], from->at[i], (size_t)from->length[i]);
	}
}

bool sw_draft_equal(const sw_layout_draft *a, const sw_layout_draft *b, int rank)
{
	for (int i = 0; i < rank; i++)
		if (a->length[i] != b->length[i] || memcmp(a->at[i], b->at[i], (size_t)a->length[i]) != 0)
			return false;
	return true;
}
