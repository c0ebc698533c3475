/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The whole of a warning.
 *
 * Where a dimension has as many tiles at both ends, XLA's partitioner splits it off and reshards within groups of devices.
 * When it gives up there, its warning speaks of one group: of fewer devices, numbered anew, and of a smaller array.  From
 * the warning alone the whole cannot be known; a problem can be checked to be it.
 */
#ifndef SHARDWALK_WHOLE_H
#define SHARDWALK_WHOLE_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/log.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

#define SW_STAY_AXES 80 /* bytes of a list of axes */

/* A dimension of the whole array that tells groups apart. */
typedef struct sw_stay {
	int dim;
	int64_t parts;            /* it stays cut in so many */
	char axes[SW_STAY_AXES];  /* by these when XLA warns: "c", "x,y:(2)2"; empty: by no axes */
	char after[SW_STAY_AXES]; /* and by these in the end */
} sw_stay;

typedef struct sw_whole {
	bool is;                /* XLA's warning about this problem has just these shardings and this shape */
	int64_t devices, group; /* of the problem, of the warning */
	int stays;
	sw_stay stay[SW_MAX_DIMS];
	char idle[SW_STAY_AXES];  /* axes that tell groups apart and cut nothing; empty: none */
	int split;                /* a dimension that XLA sees as two there; -1: none */
	char steps[SW_STAY_AXES]; /* that XLA takes before it warns: "dynslice"; empty: none */
	char words[480];          /* what stays, or what differs */
} sw_whole;

/* Is this the problem that the warning is about?  Sizes are compared only where the warning has a shape.  Errors: E01,
 * S08. */
bool sw_whole_check(const sw_log_pair *warning, const sw_problem *problem, sw_arena *arena, sw_whole *whole,
	sw_diag *diag);

/* The global sizes with which the problem, whose own sizes do not count, would be the one that the warning is about.
 * false: there are none, or memory ran out. */
bool sw_whole_shape(const sw_log_pair *warning, const sw_problem *problem, sw_arena *arena,
	int64_t global[SW_MAX_DIMS]);

#pragma GCC visibility pop

#endif
