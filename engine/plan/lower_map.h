/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowering to maps: steps whose groups cut across the primes of the axes, followed device by device.
 *
 * The devices that gather or exchange are those whose tile positions agree in p div f, whatever axes that cuts across; each ends
 * with the piece that its position p mod f names.
 */
#ifndef SW_PLAN_LOWER_MAP_H
#define SW_PLAN_LOWER_MAP_H

#include "plan/lower_step.h"

/* Appends a dynslice or an alltoall as a map.  At most SW_MAX_MAP_DEVICES devices. */
bool sw_lower_to_map(sw_lowering *lowering, sw_op op, const int64_t *tile);

/* Do gathers alone lead from the last step to `to`? */
bool sw_lower_map_leads_home(const sw_lowering *lowering);

/* Appends an allgather of one dimension on the way home: a type after a type, a map after a map. */
bool sw_lower_gather_one(sw_lowering *lowering, int dim, const int64_t *tile);

#endif
