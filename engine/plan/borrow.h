/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whom a plan borrows.
 */
#ifndef SW_PLAN_BORROW_H
#define SW_PLAN_BORROW_H

#include <shardwalk/arena.h>
#include <shardwalk/plan.h>

/* Notes with the plan which devices hold copies at both ends and take part in between, where there are any.  false: memory. */
bool sw_note_borrowed(sw_plan *plan, sw_arena *arena);

#endif
