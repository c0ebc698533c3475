/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * As it was in 0.1.0: an oracle of the searches.
 *
 * The search at axis level under models in seconds: which axes move decides what a step takes.
 *
 * States are layouts; moves are slices, gathers, alltoalls, and some permutations: to a layout that `to` goes on from, and over
 * quick axes only.  All forms are searched, not only normal ones: a gather of everything and a slice may be the fastest way
 * for a small array.
 */
#ifndef TESTS_ORACLE_TIMED_SEARCH_H
#define TESTS_ORACLE_TIMED_SEARCH_H

#include <shardwalk/cost.h>

#include "axis_search.h"

/* Costs (`limits->below`, `result->cost`) are picoseconds.  `limits->model` is not looked at.  A search that gave up or was
 * stopped has the best route that it came across, of no hops where there was none. */
old_search_end old_timed_search(const sw_space *space, const old_search_limits *limits, const sw_machine *machine,
	sw_arena *arena, old_axis_result *result);

#define OLD_PICO 1e12

#endif
