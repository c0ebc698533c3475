/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The watch: notices when nothing gets on, names the rank that hangs, and ends the run.
 *
 * A rank is alive as long as it works; one that waits is excused as long as it looks around, and notices when nobody
 * else of its host gets on.  One that was stopped does neither.
 * The watch is the process's own: there is one, and the alarm signal needs to find it.
 */
#ifndef EX_WATCH_H
#define EX_WATCH_H

#include <shardwalk/collective.h>

#include "flags.h"

/* Starts it, before MPI_Init: a process that does not get on for `timeout` seconds ends itself within another second. */
void ex_watch_start(double timeout, int rank);

/* From here on the ranks of the host watch each other.  `others`: the names of other hosts, "" where there are none.
 * `last_words` is called once before the end, on the rank that reports; it may be NULL. */
void ex_watch_join(ex_host_flags *flags, int local_rank, int rank, const char *others,
	void (*last_words)(const char *message, const char *hint));

/* What is going on, for the message; step 0: between steps. */
void ex_watch_plan(const char *name);
void ex_watch_step(int step, sw_op operation);

void ex_watch_wait(void);     /* starts to wait */
void ex_watch_look(void);     /* still waits, called often: ends the run where nobody got on for too long */
void ex_watch_look_now(void); /* the same, called seldom */
void ex_watch_work(void);     /* got on */

/* Ends the run at once, with a message that only one rank prints. */
void ex_watch_end(const char *message, const char *hint) __attribute__((noreturn));

/* No more watching of others: MPI_Finalize comes, and has as much time. */
void ex_watch_leave(void);

#endif
