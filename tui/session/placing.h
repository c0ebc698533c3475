/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A system in levels, the axes of parallelism that are laid on it, and how.
 *
 * A value that never changes: what replaces it is another one in the session's arena, so that snapshots share it.
 */
#ifndef SHARDWALK_SESSION_PLACING_H
#define SHARDWALK_SESSION_PLACING_H

#include <stdbool.h>

#include <shardwalk/placement.h>
#include <shardwalk/reduction.h>

struct placing {
	sw_system system;
	bool has_axes, placed;
	sw_mesh axes; /* in the order in which they were named, devices as they count */
	sw_placement placement;
};

/* The placements that were listed last, in the order of the list. */
struct kept_placements {
	sw_arena *arena; /* it lives in it itself */
	int count;
	sw_placement *placement;
};

#endif
