/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * After how many steps each device depends on what every other one held before the first.
 */
#ifndef SW_PROGRAM_REACH_H
#define SW_PROGRAM_REACH_H

#include <shardwalk/tasks.h>

typedef struct sw_reach_question {
	const sw_holding *held, *needed;
	sw_relation *step; /* whom each needs in a step */
	sw_relation *move; /* of whom each gets what was made, before a step that is not the first; NULL: nothing moves */
	int64_t steps;     /* at most */
} sw_reach_question;

/* `after` as sw_tasks.all_after.  Where each needs devices in a row the steps are doubled; else sets of devices grow step by step,
 * up to a bound of work.  Errors: S03, E01. */
bool sw_reach_all(const sw_reach_question *question, const sw_pulse *pulse, int64_t *after, sw_diag *diag);

#endif
