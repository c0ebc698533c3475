/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A draft: a layout that is being changed, one list of prime parts a dimension, major to minor.
 */
#ifndef SW_SEARCH_DRAFT_H
#define SW_SEARCH_DRAFT_H

#include "base/room.h"
#include "search/layout.h"

typedef struct sw_layout_draft {
	int length[SW_MAX_DIMS];
	uint8_t at[SW_MAX_DIMS][SW_MAX_FACTORS];
	uint64_t used; /* bit f: part f stands somewhere */
} sw_layout_draft;

static inline void sw_draft_push(sw_layout_draft *draft, int dim, int part)
{
	SW_ROOM(draft->at[dim], draft->length[dim]);
	draft->at[dim][draft->length[dim]++] = (uint8_t)part;
	draft->used |= sw_part_bit(part);
}

static inline int sw_draft_pop(sw_layout_draft *draft, int dim)
{
	int part = draft->at[dim][--draft->length[dim]];

	draft->used &= ~sw_part_bit(part);
	return part;
}

void sw_draft_read(sw_layout_draft *draft, const sw_layout *layout, int rank);
void sw_draft_write(const sw_layout_draft *draft, int rank, sw_layout *layout);
void sw_draft_copy(sw_layout_draft *to, const sw_layout_draft *from, int rank);
bool sw_draft_equal(const sw_layout_draft *a, const sw_layout_draft *b, int rank);

#endif
