/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whom a plan borrows.
 */
#ifndef SW_PLAN_BORROW_H
#define SW_PLAN_BORROW_H

#include <shardwalk/arena.h>
#include <shardwalk/cost.h>
#include <shardwalk/plan.h>

/* Notes with a plan between types with sums which devices hold copies at both ends and take part in between, where there are any.
 * In seconds, on `machine` (else NULL), it notes of any plan what one step between the ends takes without them.  false: memory. */
bool sw_note_borrowed(sw_plan *plan, const sw_machine *machine, sw_arena *arena);

#endif
