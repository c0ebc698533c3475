/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rounds of a formula that is repeated, walked step by step.
 *
 * A node is a round of tasks: its number is that of the round, its place too.  What waits in the frontier may start, as all that it
 * depends on is done; a step does it.  Distances count the elements that were sent up to then, the size of a node the tasks that
 * are left with it.  Nodes are seen one after the other, so that nothing is listed of rounds that nobody came to.
 *
 * Source: seed 002, sections 2.2 and 4.3, figure 1.
 */
#ifndef SHARDWALK_TASK_WALK_H
#define SHARDWALK_TASK_WALK_H

#include <shardwalk/diag.h>
#include <shardwalk/tasks.h>
#include <shardwalk/walk.h>

#pragma GCC visibility push(default)

/* A walk before its first step; it is walked as any other (walk.h).  The relations of `tasks` outlive it, the rest is copied.
 * NULL: S08 where there are millions of rounds, E01. */
sw_walk *sw_task_walk_new(const sw_tasks *tasks, sw_diag *diag);

/* What is walked; NULL: something else is. */
const sw_tasks *sw_task_walk_tasks(const sw_walk *walk);

/* Round `number`, from 1. */
const sw_round *sw_tasks_round(const sw_tasks *tasks, int64_t number);

#pragma GCC visibility pop

#endif
