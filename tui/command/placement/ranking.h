/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Placements in the order of what sums over their axes take.
 */
#ifndef SHARDWALK_COMMAND_RANKING_H
#define SHARDWALK_COMMAND_RANKING_H

#include "answer/rows.h"
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

/* What rows of placements speak of; of the axes those that the table has room for. */
enum { RANKED_AXES = TABLE_COLUMNS - 6 };
struct placements_of {
	const sw_system *system;
	int axes;
	const char *heading[RANKED_AXES];
};

/* What is said of them: seconds, what these cannot be less than; of a choice no parts of axes, of a sample no matrix. */
enum ranked_said { RANKED_TIMED = 1, RANKED_BOUNDED = 2, RANKED_CHOICE = 4, RANKED_SAMPLE = 8 };
void ranked_matrix(const sw_placement *placement, struct fields *list);
struct rows ranked_rows(const struct ranked *row, int64_t count, const struct placements_of *of, unsigned is);

/* Ranks the placements of the axes on the system for the sums that stand in `ranking`, which gets the rest, in the arena of the
 * run.  Many placements are alike for a sum, so that few are computed. */
bool rank_placements(struct invocation *run, struct ranking *ranking, sw_diag *diag);

#endif
