/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `run --grow 1,2,4,8`: the last formula on more and more ranks, in sizes that grow so that memory a rank stays, by its schedule or by those of
 * `--compare`.
 */
#ifndef SHARDWALK_LAUNCH_RUN_GROWN_H
#define SHARDWALK_LAUNCH_RUN_GROWN_H

#include "launch/job.h"

/* Executes them on each number of ranks, which is a result of its own, and tells medians, what a rank reaches and its share of what it reached on the
 * fewest ranks; with `--dry-run` what that would need.  Where it ends early, what was measured is told.  Errors: L02, L07, L13 at options; L13 above
 * `max_ranks`; those of runs. */
bool run_grown(struct invocation *run, sw_diag *diag);

#endif
