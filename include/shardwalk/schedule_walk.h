/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The steps of a schedule, walked: before the first one nothing is fetched.
 *
 * A node is a step: its number is that of the step, from 1, its place too.  Distances count the elements that moved up to then, the size of
 * a node the steps that are left with it.  What moves in steps that nobody came to is not worked out.
 *
 * Source: seed 003, sections 3.3 and 4.3, figures 8 and 12.
 */
#ifndef SHARDWALK_SCHEDULE_WALK_H
#define SHARDWALK_SCHEDULE_WALK_H

#include <shardwalk/diag.h>
#include <shardwalk/schedule.h>
#include <shardwalk/walk.h>

#pragma GCC visibility push(default)

/* A walk before its first step; it is walked as any other (walk.h).  The lowering outlives it.  NULL: S08 where there are millions of
 * steps, E01. */
sw_walk *sw_schedule_walk_new(const sw_lowering *lowering, sw_diag *diag);

/* What is walked; NULL: something else is. */
const sw_lowering *sw_schedule_walk_lowering(const sw_walk *walk);

/* The values of the loops whose iterations are steps: `kos = 1`; adds nothing where there are none. */
void sw_lowering_print_at(const sw_lowering *lowering, int64_t step, sw_text *text);

#pragma GCC visibility pop

#endif
