/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A launcher and all that it starts, under a keeper.
 *
 * Launchers start ranks in sessions of their own, which outlive signals to a process group and the death of
 * whoever started them.  So a small process stands between: it adopts what its descendants leave behind, sees the end
 * of this program by a pipe, and ends all of them before it ends itself.
 */
#ifndef SHARDWALK_LAUNCH_CHILD_H
#define SHARDWALK_LAUNCH_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include <shardwalk/diag.h>

struct child {
	pid_t keeper;   /* and the process group of the launcher */
	int hold;       /* the keeper ends everything when this is closed */
	int out, err;   /* what the launcher and its ranks print; they never block */
};

/* Starts words[0], standard input from /dev/null.  `folder` (may be NULL) and the files in it are removed where this
 * program dies.  Error: E02, E04. */
bool child_start(struct child *child, char *const *words, const char *folder, sw_diag *diag);

/* Passes an interrupt on to the launcher. */
void child_interrupt(const struct child *child);

/* Processor time of all descendants so far, in ticks. */
long long child_work(const struct child *child);

/* Ends everything that still runs, waits for it, and gives the launcher's exit status (128 + signal where it was
 * killed). */
int child_end(struct child *child);

#endif
