/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hosts that mpiexec's launcher cannot reach: known from what both print, and told in their words.
 */
#ifndef SHARDWALK_LAUNCH_UNREACHABLE_H
#define SHARDWALK_LAUNCH_UNREACHABLE_H

#include <stdbool.h>

#include <shardwalk/diag.h>
#include <shardwalk/text.h>

#include "launch/fault.h"

/* As they were asked for; NULL: they were not. */
struct asked_hosts {
	const char *hosts, *hostfile, *launcher;
};

/* Was a host named, and does one of these lines say that it cannot be reached?  mpiexec waits on, all the same. */
bool unreachable_is_said(const struct asked_hosts *asked, const struct fault_tail *tail);

/* Tells which host, by which launcher, and the line that says it; where none does, that no rank began there within so many seconds.
 * Returns false. */
bool unreachable_tell(const struct asked_hosts *asked, const struct fault_tail *tail, double seconds, sw_diag *diag);

#endif
