/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps on pieces of tiles in programs of other systems.
 */
#ifndef SW_EMIT_REDUCTION_H
#define SW_EMIT_REDUCTION_H

#include "emit/write.h"

/* Which pieces each slot has before step k (count: at the end), in the order in which a program without a table has them: ascending
 * at first, a part of it after a reducescatter, those of the members one after the other after an allgather. */
typedef struct sw_piece_lists {
	int pieces;      /* of a tile */
	bool sorted;     /* each device brings what it has in ascending order before it goes on ... */
	int32_t **order; /* ... [k]: and where the pieces were, slot after slot; NULL: all were in order */
	int **count;     /* [k][slot] */
	int ***list;     /* [k][slot] */
} sw_piece_lists;

/* The lists of an emitter's plan, sorted or not.  false: E01. */
bool sw_piece_lists_make(const sw_emitter *e, bool sorted, sw_piece_lists *lists);

#endif
