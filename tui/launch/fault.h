/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What went wrong in a launch, from its records, what it printed, and its exit status: one message with cause and cure.
 */
#ifndef SHARDWALK_LAUNCH_FAULT_H
#define SHARDWALK_LAUNCH_FAULT_H

#include <stdbool.h>

#include <shardwalk/diag.h>
#include <shardwalk/text.h>

#include "session/records.h"

/* The beginning and the end of what launcher and ranks printed beside the records. */
struct fault_tail {
	sw_text text;
};
void fault_tail_add(struct fault_tail *tail, sw_str line); /* a newline added */
void fault_tail_add_bytes(struct fault_tail *tail, const char *bytes, size_t count);
void fault_tail_free(struct fault_tail *tail);

/* Processes of the run that somebody has stopped, as far as there is room. */
struct fault_stopped {
	int count;
	struct {
		int process, rank; /* rank -1: the launcher, or one that it needs */
	} who[8];
};
void fault_stopped_add(struct fault_stopped *stopped, int process, int rank);

/* Fills the diagnostic of a launch that did not complete; returns false.  `first` records came before it, and `stopped` were
 * seen so before its end. */
bool fault_tell(const struct records *records, int first, const struct fault_tail *tail,
	const struct fault_stopped *stopped, int status, sw_diag *diag);

/* The same where the front end's own watch ended it. */
bool fault_hang(const struct records *records, int first, const struct fault_stopped *stopped, double seconds,
	sw_diag *diag);

#endif
