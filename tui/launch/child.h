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

#include "host/processes.h"

struct child {
	pid_t keeper;       /* and the process group of the launcher */
	int hold;           /* the keeper ends everything when this is closed */
	int out, err;       /* what the launcher and its ranks print; they never block */
	const char *folder; /* of the run */
	bool gone, killed;  /* the keeper ended, by a signal */
	int status;         /* then: its own, or the launcher's */
};

/* Starts words[0], standard input from /dev/null, SHARDWALK_JOURNAL in its environment.  `folder` is that of the run: it lives
 * until child_end, and where this program dies it is removed with the files in it.  Error: E04. */
bool child_start(struct child *child, char *const *words, const char *folder, sw_diag *diag);

/* Lets a keeper that was stopped go on; false where there is none any more. */
bool child_is_kept(struct child *child);

/* All that the launcher started on this host, whoever its parent is now. */
void child_visit(const struct child *child, process_visit *each, void *context);

/* Does the process execute plans of the run? */
bool child_is_rank(const struct child *child, pid_t pid);

/* Ends everything that still runs, within about a second; waits for it, removes what its ranks left in shared memory, and gives
 * the launcher's exit status (128 + signal where it was killed). */
int child_end(struct child *child);

#endif
