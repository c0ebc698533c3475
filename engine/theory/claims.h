/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What statements claim of a case: each builds what is promised, executes it, and compares.
 */
#ifndef SHARDWALK_THEORY_CLAIMS_H
#define SHARDWALK_THEORY_CLAIMS_H

#include <shardwalk/reduction.h>

#include "theory/space.h"
#include "theory/statement.h"

typedef sw_outcome sw_claim(const sw_case *one, sw_try *work);

/* Offsets of types (4.1 and 4.2 alike), and the permutation between two maps (5.1). */
sw_claim sw_claim_offsets, sw_claim_permutation;

/* Sequences on types: peaks, edges, normal forms, and the height of redistributions. */
sw_claim sw_claim_peak, sw_claim_edge, sw_claim_normal_form, sw_claim_height;

/* Sequences up to permutations: lowering, lifting, costs. */
sw_claim sw_claim_lowering, sw_claim_lifting, sw_claim_weak_cost, sw_claim_near_optimum, sw_claim_one_permute;

/* Placements: which hierarchy says all that another one does (`which`: bits, SW_SAYS and SW_ONE_AXIS), the groups of lemma B.2, and instructions of a
 * form that no program can hold (`which`: a sw_group_form, or SW_ANY_FORM). */
sw_own_claim sw_claim_expressive, sw_claim_parallel, sw_claim_unusable;
#define SW_SAYS(whole, part) (1 << ((whole)*SW_HIERARCHY_COUNT + (part)))
#define SW_ONE_AXIS (1 << 30) /* only sums over one axis */
#define SW_ANY_FORM SW_FORM_COUNT

/* Products: which types multiply where their tiles lie (`which` 0), and what makes each of the four cases right (1 to 4). */
sw_own_claim sw_claim_product;

/* Distributions: T and F (`which` 1: both are collective, 2: the largest F), what a replicated left side needs, and when nothing
 * is sent; the smallest case in which not every F is as large. */
sw_own_claim sw_claim_related, sw_claim_replicated, sw_claim_local;
sw_outcome sw_smallest_unbound(sw_try *work);

/* The type of the same tiles from which sw_claim_lowering starts; NULL where memory is short. */
const sw_case_type *sw_lowering_start(const sw_case *one, sw_arena *arena);

/* ---- what they share ---- */

sw_outcome sw_refute(sw_try *work, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* SW_FAILS for want of memory. */
sw_outcome sw_claim_memory(sw_try *work);

/* The case and the way that was built instead of it lead to the same tiles by execution. */
sw_outcome sw_claim_executed(const sw_case *one, const sw_case *built, sw_try *work);

/* A way in a form, no higher than `height`; the claim is that there is one.  Then both are executed. */
sw_outcome sw_claim_way(const sw_case *one, const sw_case_form *form, int64_t height, const char *promise,
	sw_try *work);

#endif
