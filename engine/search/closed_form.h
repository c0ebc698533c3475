/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cheapest plan with several-dimension moves on a mesh whose prime factors are all the same prime p,
 * under the model paper, without a search.
 *
 * Why this is enough.  Write |T| for the tile size of T, s for the smallest size that slicing can reach, and let
 * a plan be made of slices (free), alltoalls and permutes (the size at which they happen) and gathers (the size
 * they end with).  With one prime any local type reaches any other of its size by one alltoall, so `slice,
 * alltoall, permute, gather` always exists: at most |B| + 2s where something is gathered, 2|B| where nothing is.
 *   - A plan without a gather pays |B| or more for each middle step.
 *   - A plan with a gather pays |B| or more for the last one.  With two middle steps it pays 2s more; with an
 *     earlier gather p*s >= 2s more; with slices after the last gather p|B| >= 2|B| in all.
 *   - What is left is `slices, at most one middle step, one gather`.  So the optimum has none, one or two
 *     middle steps at one size, and only whether none or one suffices has to be decided:
 *   - none: the layouts agree wherever they overlap and their union uses no part twice;
 *   - one permute: some local type refines both and is as small as wanted;
 *   - one alltoall: every dimension of one layout continues that of the other, and both can be refined to
 *     the wanted size so that this stays true (see `extend`).
 */
#ifndef SW_SEARCH_CLOSED_FORM_H
#define SW_SEARCH_CLOSED_FORM_H

#include "search/layout.h"

#define SW_CLOSED_STEPS 5 /* a slice, an alltoall, another or a permutation, a gather */

typedef struct sw_closed_result {
	sw_layout_path path;
	int64_t cost;                         /* model paper */
	bool optimal;                         /* false only where deciding about one alltoall was given up */
	int64_t least_live;                   /* the smallest peak memory among the plans considered */
	sw_layout_step step[SW_CLOSED_STEPS]; /* of the path: tiles are not filled in */
} sw_closed_result;

/* `live_budget` bounds the sum of a step's tiles before and after (0: no bound); false where no plan that was considered
 * keeps it.  The space must have one prime. */
bool sw_closed_form(const sw_space *space, int64_t live_budget, sw_closed_result *result);

#endif
