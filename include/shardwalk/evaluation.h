/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Problems as the evaluation of the first paper draws them.
 *
 * Source: seed 000, section 8.  Three axes of the mesh with sizes as equal as can be; arrays of 1 to 6 dimensions, each rank as
 * often as any other, and of 64 to 800 MB of f32, each octave as often; at both ends each axis holds copies or cuts one of the
 * dimensions, each of these as often.  Sizes are such that both ends divide them, and the ends differ.
 */
#ifndef SHARDWALK_EVALUATION_H
#define SHARDWALK_EVALUATION_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/diag.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

#define SW_EVALUATION_DEVICES 4096     /* at most */
#define SW_EVALUATION_LEAST 64000000.0 /* bytes of an array */
#define SW_EVALUATION_MOST 800000000.0

/* Draws problem number `n` (from 0) of a seed, whatever other numbers are drawn.  Errors: L12 where there are fewer than 2 devices or
 * more than SW_EVALUATION_DEVICES (its place is empty). */
bool sw_evaluation_draw(int64_t devices, uint64_t seed, int64_t n, sw_problem *problem, sw_diag *diag);

#pragma GCC visibility pop

#endif
