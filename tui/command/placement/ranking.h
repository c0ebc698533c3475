/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Placements in the order of what sums over their axes take.
 */
#ifndef SHARDWALK_COMMAND_RANKING_H
#define SHARDWALK_COMMAND_RANKING_H

#include "command/placement/placement.h"

#define RANKED_STEPS 5 /* of the programs that are counted */

struct seconds {
	double allreduce, best, bound;
	int64_t programs;
};

struct ranked {
	sw_placement placement;
	struct seconds seconds; /* of all sums together */
	int64_t number;         /* in ascending order of rows */
};

struct ranking {
	int64_t count; /* of all placements */
	int64_t
		looked; /* so many, in ascending order of rows, are ranked: all, unless they are too many or Ctrl-C came */
	int listed; /* the first rows of these, at most 1000 */
	struct ranked *row;
	int sums;
	struct sum sum[SW_MAX_PLACED];
	bool incomplete; /* of a sum not all programs were looked at, for want of memory */
	bool timed;      /* else in ascending order of rows, and without seconds */
};

/* Ranks the placements of the axes on the system for the sums that stand in `ranking`, which gets the rest, in the arena of the
 * run.  Many placements are alike for a sum, so that few are computed. */
bool rank_placements(struct invocation *run, struct ranking *ranking, sw_diag *diag);

#endif
