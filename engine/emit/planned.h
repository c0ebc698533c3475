/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the writers of planned programs share: those that write the steps of each redistribution.
 */
#ifndef SW_EMIT_PLANNED_H
#define SW_EMIT_PLANNED_H

#include <shardwalk/planned.h>

#include "emit/write.h"

typedef struct sw_planned_emitter {
	sw_emitter e; /* its plan is NULL */
	sw_emit_kind kind;
	const sw_planned *planned;
	sw_emitter *move; /* of each step that redistributes, made ready for the format */
} sw_planned_emitter;

/* Refuses what the format cannot say of step `s`: P06. */
bool sw_planned_refuse(const sw_planned_emitter *w, int s, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Says at the head of a P06 which step of the program it is about; false, as everything that refuses. */
bool sw_planned_refused(const sw_planned_emitter *w, int s);

/* Adds what step `s` does: `h = einsum "ij,jk->ik" x w: [4, 8]`. */
void sw_planned_words(const sw_planned_emitter *w, int s, sw_text *text);

static inline const sw_type *sw_planned_type(const sw_planned_emitter *w, int value)
{
	return &w->planned->value[value].type;
}

bool sw_emit_planned_mpi(sw_planned_emitter *w);
bool sw_emit_planned_shard_map(sw_planned_emitter *w);

#endif
