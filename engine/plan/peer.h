/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the strategies share that follow another system's planner.
 */
#ifndef SW_PLAN_PEER_H
#define SW_PLAN_PEER_H

#include "plan/finder.h"

/* Appends a step to a type, unless it gathers and splits nothing (axes of size 1). */
void sw_peer_step(sw_lowering *lowering, sw_op op, const sw_type *type);

/* Where the other system would pad. */
typedef struct sw_padding {
	const char *system; /* as its users call it */
	int step;           /* its number, from 1 */
	sw_op op;
	const char *pattern; /* of the system's; may be NULL */
	int dim;
	int64_t tiles; /* along it */
} sw_padding;

/* Fills S02; false. */
bool sw_peer_refuse_padding(sw_finder *finder, const sw_padding *padding);

/* The plan's note: what the system says (NULL: nothing), and of a padded array what it does otherwise. */
bool sw_peer_note(sw_finder *finder, sw_plan *plan, const char *says, const char *padded);

#endif
