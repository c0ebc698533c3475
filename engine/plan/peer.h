/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the strategies share that follow another system's planner.
 */
#ifndef SW_PLAN_PEER_H
#define SW_PLAN_PEER_H

#include "peers/sums.h"
#include "plan/finder.h"

/* Appends a step to a type, unless it gathers, splits and sums nothing (axes of size 1). */
void sw_peer_step(sw_lowering *lowering, sw_op op, const sw_type *type);

/* Sums as XLA and Shardy plan them: all that ends is summed first, then come the steps of the plan for the same types without it,
 * and what begins is made of copies, or of the parts that a dimension ends with, at the end.  A step `first` of that plan that is a slice may become part of a reduce-scatter. */

/* S02 where sums end and others begin, or where the plan may not be for them. */
bool sw_peer_sums_take(sw_finder *finder, const char *system, sw_peer_sums **sums);

/* Appends the sum of what ends; `scattered`: into tiles of this type, which is one of `bare`; NULL: every device has it. */
bool sw_peer_sum_up(sw_finder *finder, sw_lowering *lowering, const sw_peer_sums *sums, const sw_type *scattered);

/* Appends a step to a type of `bare`, with the sums of both ends.  S02 where it uses an axis that is still summed. */
bool sw_peer_step_with(sw_finder *finder, sw_lowering *lowering, const char *system, const sw_peer_sums *sums,
	sw_op op, const sw_type *type);

/* Ends on what `to` sums: copies become terms, and what waited in dimensions joins them by one pad.  false: E01. */
bool sw_peer_begin_sums(sw_finder *finder, sw_lowering *lowering, const sw_peer_sums *sums);

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
