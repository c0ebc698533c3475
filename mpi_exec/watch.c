/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who got on when, and what happens when nobody does.
 */
#define _GNU_SOURCE
#include "watch.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <mpi.h>

#include "fault.h"

enum { LOOKS = 64 };

/* Seconds after the time limit at which who speaks: who knows of a rank that does not answer, then who knows of none
 * on its host, then the alarm.  Rank 0 can write a record, so the others give it a little more. */
static const double NOBODY_KNOWN = 0.4, ALARM = 0.75, NOT_FIRST = 0.15;
static const double UNANSWERED = 0.5; /* of the silence: a rank that waits and is well looks more often */

static struct watch {
	double timeout;
	ex_seat alone; /* until there is a board */
	ex_board *board;
	ex_seat *seat;
	int rank;
	char plan[128];
	char here[64], others[128]; /* this host, and all others; "" where there are none */
	bool left;                  /* only the end of MPI is to come */
	unsigned looks;
	void (*last_words)(const char *message, const char *hint);
} watch;

static double coarse_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double latest_life(void)
{
	double latest = watch.seat->alive;
	for (int i = 0; watch.board && i < watch.board->count; i++)
		if (watch.board->seat[i].alive > latest)
			latest = watch.board->seat[i].alive;
	return latest;
}

/* ---- who is to blame ---- */

/* Did somebody stop the process?  By its state, which follows its name. */
static bool is_stopped(int pid)
{
	char path[40], line[512];
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = file < 0 ? -1 : read(file, line, sizeof(line) - 1);
	if (file >= 0)
		close(file);
	line[n > 0 ? n : 0] = '\0';
	const char *after = strrchr(line, ')');
	return after && strncmp(after, ") T", 3) == 0;
}

/* Since when it has not answered: one that waits looks again and again. */
static double answered(const ex_seat *seat)
{
	return seat->waiting ? seat->looked : seat->alive;
}

/* The rank of this host that has not answered for the longest time, one that does not wait before all others. */
static const ex_seat *guilty(double now, double silence)
{
	const ex_seat *worst = NULL;
	for (int i = 0; watch.board && i < watch.board->count; i++) {
		const ex_seat *seat = &watch.board->seat[i];
		bool suspect = !seat->waiting || now - seat->looked > UNANSWERED * silence;
		if (suspect &&
			(!worst || seat->waiting < worst->waiting ||
				(seat->waiting == worst->waiting && answered(seat) < answered(worst))))
			worst = seat;
	}
	return worst;
}

static void print_where(const ex_seat *seat, char *where, size_t room)
{
	*where = '\0';
	if (seat->step)
		snprintf(where, room, " in step %d (%s)", seat->step, sw_collective_of((sw_op)seat->operation)->name);
}

static const char *describe_guilty(const ex_seat *seat, double silence, char *message, size_t room)
{
	char where[64];
	bool stopped = is_stopped(seat->pid);
	print_where(seat, where, sizeof(where));
	snprintf(message, room, "rank %d (process %d) %s: no progress for %.0f s%s%s%s", seat->rank, seat->pid,
		stopped           ? "is stopped" :
			seat->waiting ? "does not answer" :
							"hangs",
		silence, where, watch.plan[0] ? " of " : "", watch.plan);
	return stopped ? "somebody stopped it (SIGSTOP, a debugger, a frozen group): run it again" :
					 "raise --timeout where the machine is slow";
}

/* All ranks of this host answer: who else could it be? */
static const char *describe_others(double silence, char *message, size_t room)
{
	char where[64];
	print_where(watch.seat, where, sizeof(where));
	if (!watch.board)
		snprintf(message, room, "MPI did not %s within %.0f s: a rank does not answer", watch.left ? "end" : "start",
			silence);
	else if (*watch.others)
		snprintf(message, room,
			"all ranks of host %s answer and wait for those of %s: no progress for %.0f s%s%s%s; "
			"the network fails, or all ranks there",
			watch.here, watch.others, silence, where, watch.plan[0] ? " of " : "", watch.plan);
	else
		snprintf(message, room, "all ranks answer and wait: no progress for %.0f s%s%s%s", silence, where,
			watch.plan[0] ? " of " : "", watch.plan);
	return watch.board && *watch.others ?
		"look after that host and the network; raise --timeout where they are slow" :
		"raise --timeout where the machine is slow";
}

/* Fills the message; returns what to do. */
static const char *describe(const ex_seat *seat, double silence, char *message, size_t room)
{
	return seat ? describe_guilty(seat, silence, message, room) : describe_others(silence, message, room);
}

/* ---- the end of a run ---- */

/* The second net: nobody could look, because all work, or wait inside MPI or the kernel.  No library is trusted here. */
static void on_alarm(int signal)
{
	double now = coarse_now(), silence = now - latest_life();
	char message[512], text[1024];
	(void)signal;
	if (silence <= watch.timeout + ALARM + (watch.rank ? NOT_FIRST : 0))
		return;
	const char *hint = describe(guilty(now, silence), silence, message, sizeof(message));
	int length = snprintf(text, sizeof(text), "shardwalk-exec: %s\n  %s\n", message, hint);
	if (!watch.board || atomic_exchange(&watch.board->claimed, 1) == 0)
		if (write(STDERR_FILENO, text, (size_t)length) < 0)
			_exit(EX_LACKS);
	_exit(EX_LACKS);
}

void ex_watch_start(double timeout, int rank)
{
	struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	struct itimerval every = {{0, 250000}, {0, 250000}};
	watch.timeout = timeout;
	watch.rank = rank;
	watch.seat = &watch.alone;
	watch.seat->alive = coarse_now();
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
}

void ex_watch_join(ex_board *board, int local_rank, int rank, const char *others,
	void (*last_words)(const char *message, const char *hint))
{
	watch.rank = rank;
	watch.last_words = last_words;
	watch.board = board;
	gethostname(watch.here, sizeof(watch.here) - 1);
	snprintf(watch.others, sizeof(watch.others), "%s", others);
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
	atomic_store_explicit(&watch.seat->looked, coarse_now(), memory_order_relaxed);
	atomic_store_explicit(&watch.seat->waiting, 1, memory_order_relaxed);
}

void ex_watch_work(void)
{
	atomic_store_explicit(&watch.seat->alive, coarse_now(), memory_order_relaxed);
	atomic_store_explicit(&watch.seat->waiting, 0, memory_order_relaxed);
}

void ex_watch_look_now(void)
{
	double now = coarse_now(), silence = now - latest_life();
	double late = silence - watch.timeout - (watch.rank ? NOT_FIRST : 0);
	char message[512];
	atomic_store_explicit(&watch.seat->looked, now, memory_order_relaxed);
	if (late <= 0)
		return;
	const ex_seat *seat = guilty(now, silence);
	if (!seat && late <= NOBODY_KNOWN)
		return;
	const char *hint = describe(seat, silence, message, sizeof(message));
	ex_watch_end(message, hint);
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
			watch.last_words(message, hint);
	} else {
		sleep(1);
	}
	ex_fault_deliver();
	MPI_Abort(MPI_COMM_WORLD, EX_LACKS);
	_exit(EX_LACKS);
}

void ex_watch_leave(void)
{
	watch.alone = *watch.seat;
	watch.alone.alive = coarse_now();
	watch.seat = &watch.alone;
	watch.board = NULL;
	watch.left = true;
}
