/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `schedule best [ALGORITHM]`.
 */
#ifndef SHARDWALK_COMMAND_BEST_H
#define SHARDWALK_COMMAND_BEST_H

#include "command/command.h"

/* Takes the best schedule of the last formula, or the best of an algorithm, and says the next best and, of products of matrices, a lower bound.
 * Errors: L08 for another word, S02 where the algorithm computes something else, S01 with the smallest bound of memory; those of statements. */
bool best_take(struct invocation *run, sw_str algorithm, sw_diag *diag);

#endif
