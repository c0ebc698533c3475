/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Holdings: what those share that make them.
 */
#ifndef SHARDWALK_ARRAY_HOLDING_H
#define SHARDWALK_ARRAY_HOLDING_H

#include <shardwalk/holding.h>

/* Devices count by the slots of an order; NULL: by their numbers.  false: no memory. */
bool sw_holding_put_order(sw_holding *holding, const int64_t *order, sw_arena *arena);

/* Each device has a term of its own. */
void sw_holding_sum_each(sw_holding *holding);

#endif
