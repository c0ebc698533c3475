/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Axes of size 1 cut nothing and sum nothing: strategies do not see them, but those that follow another system.
 */
#ifndef SW_PLAN_SINGLES_H
#define SW_PLAN_SINGLES_H

#include <shardwalk/plan.h>

/* The problem without its axes of size 1, which is `problem` itself where it has none; it lives in `arena`.  NULL: no memory. */
const sw_problem *sw_without_singles(const sw_problem *problem, sw_arena *arena);

/* Makes a plan that was found for `bare` one for `asked`: types are over its mesh, and where the last step ends on `to` it has
 * that type as it was typed, in `arena`.  Error: E01. */
bool sw_answer_asked(const sw_problem *bare, const sw_problem *asked, sw_arena *arena, sw_plan *plan, sw_diag *diag);

#endif
