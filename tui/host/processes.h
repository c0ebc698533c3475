/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processes, as /proc shows them.
 */
#ifndef SHARDWALK_HOST_PROCESSES_H
#define SHARDWALK_HOST_PROCESSES_H

#include <stdbool.h>
#include <sys/types.h>

typedef void process_visit(pid_t pid, void *context);

/* All descendants, children before their parents: so no parent can start another one in time. */
void processes_below(pid_t pid, process_visit *each, void *context);

/* All processes of this user that were started with `mark` ("NAME=value") in their environment, wherever they are now. */
void processes_marked(const char *mark, process_visit *each, void *context);

/* Is `text` a part of a word of its command line? */
bool process_has_word(pid_t pid, const char *text);

/* What it is now; all 0 where it is gone. */
struct process {
	char state; /* 'T': stopped */
	pid_t parent;
	long long work; /* processor time so far, in ticks */
};
struct process process_look(pid_t pid);

/* Its rank, as MPICH's launcher numbers it; -1: none. */
int process_rank(pid_t pid);

#endif
