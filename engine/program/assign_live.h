/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is held at once while a program runs, and choices that keep below a bound of it.
 *
 * Beside a step that redistributes, or a statement that computes, lie all values that are needed later, in their homes, and an
 * operand that waits.  How much that is follows from choices, so a branch counts the least that its values can be, and what comes
 * out is looked at again.
 */
#ifndef SW_PROGRAM_ASSIGN_LIVE_H
#define SW_PROGRAM_ASSIGN_LIVE_H

#include "program/assign_net.h"

typedef struct sw_live {
	sw_net *net;
	const bool *const *allowed; /* of the branch that is looked at */
	int64_t *least;             /* that the home of a value takes there; as options->live is counted */
} sw_live;

/* false: memory. */
bool sw_live_init(sw_live *live, sw_net *net);

/* The functions of sw_minimum_options, with a sw_live as context. */
bool sw_live_tighten(sw_live *live, const bool *const *allowed, sw_choice_link *link, const double **own);
bool sw_live_judge(sw_live *live, const int32_t *value, double *cost, int *branch, bool *left);

#endif
