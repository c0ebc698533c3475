/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reduction programs as programs of other systems: plans on chunks, one writer a system.
 */
#ifndef SW_EMIT_REDUCTION_H
#define SW_EMIT_REDUCTION_H

#include "emit/write.h"

/* Which chunks each slot holds before step k (count: at the end), in the order in which a program without a table has them: ascending
 * at first, a part of it after a reducescatter, those of the members one after the other after an allgather. */
typedef struct sw_chunk_lists {
	int chunks;
	int **count; /* [k][slot] */
	int ***list; /* [k][slot] */
} sw_chunk_lists;

/* NULL in `lists->list`: no memory.  E01. */
bool sw_chunk_lists_make(const sw_emitter *e, sw_chunk_lists *lists);

bool sw_emit_reduction_mpi(sw_emitter *e);
bool sw_emit_reduction_nccl(sw_emitter *e);
bool sw_emit_reduction_jax(sw_emitter *e);

#endif
