/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Detours: a normal-form sequence between two types, made from what each dimension loses and gains.
 *
 * The peak and edge lemmas of seed 000 (4.6, 4.7) are detours over two steps: a dynslice of what is lost in the
 * end, alltoalls of what one dimension loses and another gains, an allgather of the rest; permutations where the
 * axes stand in another order.  All of it happens at the smallest size possible, so a detour is never higher than
 * its ends.
 */
#ifndef SHARDWALK_STEP_DETOUR_H
#define SHARDWALK_STEP_DETOUR_H

#include <shardwalk/sequence.h>

/* The cheapest detour known over steps first .. first + count - 1: by local cost, then cost, then steps.  Steps of
 * one dimension each, unless `multi_dim` allows more or the local cost would grow without.  NULL where memory is
 * short. */
sw_sequence *sw_detour(const sw_sequence *sequence, int first, int count, bool multi_dim);

/* Appends the step with these entries that leads to `after`; what it pushes follows from there.  false where
 * there is none. */
bool sw_sequence_push_to(sw_sequence *sequence, const sw_call *entries, const sw_type *after);

/* Replaces steps first .. first + count - 1 by those of `middle`, which has the same ends.  false: no memory. */
bool sw_sequence_replace(sw_sequence *sequence, int first, int count, const sw_sequence *middle);

/* Measures the steps first .. first + count - 1 alone. */
sw_measure sw_sequence_measure_part(const sw_sequence *sequence, int first, int count);

#endif
