/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graphs of reduction programs, which a session makes once.
 */
#ifndef SHARDWALK_COMMAND_REDUCTION_H
#define SHARDWALK_COMMAND_REDUCTION_H

#include "session/session.h"

/* The graph for sums over so many levels; the session's.  NULL: S03, S08 or E01. */
const sw_contexts *contexts_for(struct session *session, int factors, bool all_masters, const sw_pulse *pulse,
	sw_diag *diag);

#endif
