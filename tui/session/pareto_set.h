/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The plans of the last table of trades, so that one of them can be taken.
 */
#ifndef SHARDWALK_SESSION_PARETO_SET_H
#define SHARDWALK_SESSION_PARETO_SET_H

#include "session/session.h"

/* Keeps the plans that were shown of a problem, with their arena, in place of those before.  Without memory nothing is kept. */
void session_keep_pareto_set(struct session *session, sw_arena *arena, const sw_problem *problem,
	const struct kept_pareto_set *shown);

/* The plans that were shown last, where they are of this problem; else NULL. */
const struct kept_pareto_set *session_pareto_set(const struct session *session, const sw_problem *problem);

/* The present plan, where it is of this problem, without the same operations, and proved optimal; else NULL. */
const sw_plan *session_proved_plan(const struct session *session, const sw_problem *problem, unsigned without);

/* A copy that needs nothing of where the plan lives; NULL: no memory. */
const sw_plan *plan_copy(const sw_plan *plan, sw_arena *arena);

#endif
