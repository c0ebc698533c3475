/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random sets of indices of a dimension.
 */
#ifndef TESTS_KIT_INDICES_H
#define TESTS_KIT_INDICES_H

#include <shardwalk/region.h>

#include "kit/arena.h"
#include "kit/draw.h"
#include "kit/kit.h"

enum { DRAW_FAMILIES = 4 }; /* at most */

/* Some of 0 to size - 1, in the arena. */
static inline sw_indices draw_indices(draw *random, int64_t size)
{
	sw_family *family = SW_NEW(arena, sw_family, DRAW_FAMILIES);
	sw_indices all = {0, family};

	for (int n = draw_below(random, DRAW_FAMILIES + 1); n > 0; n--) {
		int64_t first = draw_below(random, (int)size), run = 1 + draw_below(random, 5);
		int64_t step = run + draw_below(random, 9), most = (size - first - run) / step + 1;
		if (first + run > size)
			continue;
		sw_family one = {first, run, step, 1 + draw_below(random, (int)most)};
		one.step = one.count > 1 ? one.step : one.run;
		assert_true(sw_indices_union(&all, &(sw_indices){1, &one}, arena, &all));
	}
	return all;
}

#endif
