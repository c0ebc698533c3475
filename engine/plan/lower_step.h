/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowering, one step at a time: what every way of lowering appends to a plan.
 */
#ifndef SW_PLAN_LOWER_STEP_H
#define SW_PLAN_LOWER_STEP_H

#include <shardwalk/arena.h>
#include <shardwalk/plan.h>

#include "search/layout.h"

typedef struct sw_lowering {
	const sw_space *space;
	sw_arena *arena;
	sw_plan *plan; /* problem is set; steps are appended */
	int room;
	bool failed;   /* memory ran out */
	bool *crowded; /* set where maps of all devices would take more than SW_MOST_MAP_BYTES; may be NULL */
} sw_lowering;

#define SW_MOST_MAP_BYTES ((int64_t)1 << 30)

/* Empties the plan of steps; its problem is set.  `space` and `arena` must outlive the plan's finding. */
void sw_lowering_init(sw_lowering *lowering, const sw_space *space, sw_arena *arena, sw_plan *plan);

/* Appends a step that leads to a layout (in the order of primes of `factors`), or to a type. */
void sw_lower_to_layout(sw_lowering *lowering, sw_op op, const sw_prime_parts *factors, const sw_layout *layout);
void sw_lower_to_type(sw_lowering *lowering, sw_op op, const sw_type *type);

/* Appends a step to this local type; the value that it makes, without its type and map; NULL where memory is short. */
sw_value *sw_lower_step(sw_lowering *lowering, sw_op op, const int64_t *tile);

#endif
