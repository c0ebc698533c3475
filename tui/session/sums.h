/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sum over axes of a placement that the present problem asks for, and the graph of its programs.
 */
#ifndef SHARDWALK_SESSION_SUMS_H
#define SHARDWALK_SESSION_SUMS_H

#include <shardwalk/reduction.h>

#include "session/session.h"

/* Refuse with L07 and what to type first. */
bool need_system(const struct session *session, sw_diag *diag);
bool need_axes(const struct session *session, sw_diag *diag);
bool need_placement(const struct session *session, sw_diag *diag);

/* A sum over axes of a placement. */
struct sum {
	uint32_t axes; /* bit i: axis i is summed over */
	double bytes;  /* on each device */
};

/* The axes that are summed on the way between two types, a bit each. */
uint32_t axes_summed(const sw_type *from, const sw_type *to);

/* The sum that the present problem asks for.  How many: 1, or 0 where nothing is to be summed or no axes are defined. */
int present_sum(const struct session *session, struct sum *sum);

/* The same; L07 with an example where nothing is to be summed. */
bool need_sum(const struct session *session, struct sum *sum, sw_diag *diag);

/* The setting `hierarchy`. */
sw_hierarchy_kind hierarchy_asked(const struct session *session);

/* The setting `allreduce`. */
sw_allreduce_way allreduce_asked(const struct session *session);

/* The setting `plan_memory`, which bounds graphs and lists of programs too. */
int64_t memory_of_searches(const struct session *session);

/* The graph for sums over so many levels, complete or as large as the setting lets it grow; made once, the session's.  NULL: S03, S08
 * or E01. */
const sw_contexts *contexts_for(struct session *session, int factors, bool all_masters, sw_diag *diag);

/* The same, with the setting `masters`. */
const sw_contexts *contexts_asked(struct session *session, int factors, sw_diag *diag);

#endif
