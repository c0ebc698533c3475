/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who got on when, and what happens when nobody does.
 */
#define _GNU_SOURCE
#include "watch.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <mpi.h>

#include "fault.h"

enum { LOOKS = 64, GRACE = 2 };

static struct watch {
	double timeout;
	ex_seat alone;               /* until there is a board */
	ex_board *board;
	ex_seat *seat;
	int rank;
	char plan[128];
	unsigned looks;
	void (*last_words)(const char *message);
} watch;

static double coarse_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The second net: this process itself is stuck where it cannot look, in MPI or in the kernel. */
static void on_alarm(int signal)
{
	(void)signal;
	if (!watch.seat || coarse_now() - watch.seat->alive <= watch.timeout + GRACE)
		return;
	static const char text[] = "shardwalk-exec: no progress within the time limit: the run is ended\n"
	    "  raise --timeout where the machine is slow\n";
	if (!watch.board || atomic_exchange(&watch.board->claimed, 1) == 0)
		if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
			_exit(EX_LACKS);
	_exit(EX_LACKS);
}

void ex_watch_start(double timeout)
{
	struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	struct itimerval every = {{1, 0}, {1, 0}};
	watch.timeout = timeout;
	watch.seat = &watch.alone;
	watch.seat->alive = coarse_now();
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
}

void ex_watch_join(ex_board *board, int local_rank, int rank, void (*last_words)(const char *message))
{
	watch.rank = rank;
	watch.last_words = last_words;
	watch.board = board;
	if (!board)
		return;
	ex_seat *seat = &board->seat[local_rank];
	seat->pid = (int)getpid();
	seat->rank = rank;
	seat->alive = coarse_now();
	watch.seat = seat;
}

void ex_watch_plan(const char *name)
{
	snprintf(watch.plan, sizeof(watch.plan), "%s", name);
	ex_watch_step(0, SW_DYNSLICE);
}

void ex_watch_step(int step, sw_op operation)
{
	watch.seat->operation = (int)operation;
	watch.seat->step = step;
	watch.seat->alive = coarse_now();
}

void ex_watch_wait(void)
{
	watch.looks = 0;
	atomic_store_explicit(&watch.seat->waiting, 1, memory_order_relaxed);
}

void ex_watch_work(void)
{
	atomic_store_explicit(&watch.seat->alive, coarse_now(), memory_order_relaxed);
	atomic_store_explicit(&watch.seat->waiting, 0, memory_order_relaxed);
}

static double latest_life(void)
{
	double latest = watch.seat->alive;
	for (int i = 0; watch.board && i < watch.board->count; i++)
		if (watch.board->seat[i].alive > latest)
			latest = watch.board->seat[i].alive;
	return latest;
}

static const ex_seat *guilty(void)
{
	for (int i = 0; watch.board && i < watch.board->count; i++)
		if (!watch.board->seat[i].waiting)
			return &watch.board->seat[i];
	return NULL;
}

static void report_hang(double silence)
{
	char message[384], who[96], where[64] = "";
	const ex_seat *seat = guilty();
	if (seat)
		snprintf(who, sizeof(who), "rank %d (process %d) hangs", seat->rank, seat->pid);
	else
		snprintf(who, sizeof(who), "all ranks wait");
	if (!seat)
		seat = watch.seat;
	if (seat->step)
		snprintf(where, sizeof(where), " in step %d (%s)", seat->step,
		    sw_collective_of((sw_op)seat->operation)->name);
	snprintf(message, sizeof(message), "%s: no progress for %.0f s%s%s%s", who, silence, where,
	    watch.plan[0] ? " of " : "", watch.plan);
	ex_watch_end(message, "raise --timeout where the machine is slow");
}

/* Rank 0 can write a record, so the others give it half a second more to report. */
void ex_watch_look_now(void)
{
	double silence = coarse_now() - latest_life();
	if (silence > watch.timeout + (watch.rank ? 0.5 : 0))
		report_hang(silence);
}

void ex_watch_look(void)
{
	if (++watch.looks % LOOKS == 0)
		ex_watch_look_now();
}

void ex_watch_end(const char *message, const char *hint)
{
	if (!watch.board || atomic_exchange(&watch.board->claimed, 1) == 0) {
		ex_fault fault;
		ex_fault_set(&fault, EX_LACKS, "", "%s", message);
		ex_fault_hint(&fault, "%s", hint);
		ex_fault_print(&fault, NULL);
		if (watch.last_words)
			watch.last_words(message);
	} else {
		sleep(1);
	}
	MPI_Abort(MPI_COMM_WORLD, EX_LACKS);
	_exit(EX_LACKS);
}

void ex_watch_leave(void)
{
	struct itimerval never = {{0, 0}, {0, 0}};
	setitimer(ITIMER_REAL, &never, NULL);
	watch.board = NULL;
	watch.seat = &watch.alone;
}
