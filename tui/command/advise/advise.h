/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Advice for the problem of the session, and for one of a batch.
 */
#ifndef SHARDWALK_COMMAND_ADVISE_H
#define SHARDWALK_COMMAND_ADVISE_H

#include <jansson.h>
#include <shardwalk/advise.h>

#include "command/batch/problem_json.h"
#include "command/plan.h"

/* Waypoints are of slots of the mesh; false where the two ends have their devices in different orders
 * (NULL: their numbers). */
bool advise_order(const sw_problem *problem, sw_diag *diag);

/* The waypoints of a problem.  Errors: those of sw_advise; a budget that is refused is marked where it was given. */
bool advise_find(const struct invocation *run, const struct plan_request *asked, const sw_problem *problem,
	sw_advise_target target, sw_advice *advice, sw_diag *diag);

/* Answers one line: as JSON the line itself, if it was JSON, with "via" added, and mesh and ends on the
 * finer mesh where one is needed; otherwise as a line of text. */
struct advise_line {
	sw_advise_target target;
	bool several;
	const struct plan_request *asked;
	const struct problem_json *line;
};
bool advise_line(const struct advise_line *of, const sw_problem *problem, sw_diag *diag);

#endif
