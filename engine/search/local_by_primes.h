/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A way over local types that always exists, on any mesh, without a search.
 *
 * Both ends are refined prime by prime to the smallest tile there is, each towards the other; then one alltoall of
 * several dimensions a prime carries that prime's parts to where they are needed.  With one permutation and one gather
 * that costs localsize(to) + (primes + 1) * smallest size at most: a bound from which searches start.
 */
#ifndef SW_SEARCH_LOCAL_BY_PRIMES_H
#define SW_SEARCH_LOCAL_BY_PRIMES_H

#include <shardwalk/arena.h>

#include "search/layout.h"

/* Fills the path, without the permutation and the gathers home.  It lives in `arena`; false: memory. */
bool sw_local_by_primes(const sw_space *space, sw_arena *arena, sw_layout_path *path);

#endif
