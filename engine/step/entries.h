/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a step gathers and splits.
 */
#ifndef SW_STEP_ENTRIES_H
#define SW_STEP_ENTRIES_H

#include <shardwalk/arena.h>
#include <shardwalk/step.h>

/* Gives a step the entries that lead from one local type to another.  false: no memory. */
bool sw_step_entries_between(sw_step *step, const int64_t *before, const int64_t *after, int rank, sw_arena *arena);

#endif
