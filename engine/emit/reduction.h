/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reduction programs as programs of other systems: plans on pieces of tiles, one writer a system.
 */
#ifndef SW_EMIT_REDUCTION_H
#define SW_EMIT_REDUCTION_H

#include "emit/write.h"

/* Which pieces each slot has before step k (count: at the end), in the order in which a program without a table has them: ascending
 * at first, a part of it after a reducescatter, those of the members one after the other after an allgather. */
typedef struct sw_piece_lists {
	int pieces;  /* of a tile */
	int **count; /* [k][slot] */
	int ***list; /* [k][slot] */
} sw_piece_lists;

/* The slot of each device.  NULL: no memory. */
int64_t *sw_slots_of_devices(const sw_emitter *e);

/* NULL in `lists->list`: no memory.  E01. */
bool sw_piece_lists_make(const sw_emitter *e, sw_piece_lists *lists);

bool sw_emit_reduction_jax(sw_emitter *e);

#endif
