/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a move costs under each model, where sizes alone decide.
 */
#ifndef SW_COST_MODEL_H
#define SW_COST_MODEL_H

#include <shardwalk/plan.h>

/* Cost in elements of a move over local types by `factor` from tiles of `before` to tiles of `after` elements.  A permutation
 * and an exchange count as if no device already held what it gets. */
int64_t sw_model_move_cost(sw_model model, sw_op op, int64_t before, int64_t after, int64_t factor);

/* The least that the model charges for an alltoall at tiles of `size` elements, whatever its factor. */
int64_t sw_model_least_alltoall(sw_model model, int64_t size);

#endif
