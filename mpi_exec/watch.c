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
	ex_rank_flags alone; /* until there are flags */
	ex_host_flags *flags;
	ex_rank_flags *rank_flags;
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
	double latest = watch.rank_flags->alive;
	for (int i = 0; watch.flags && i < watch.flags->count; i++)
		if (watch.flags->rank_flags[i].alive > latest)
			latest = watch.flags->rank_flags[i].alive;
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
static double answered(const ex_rank_flags *rank_flags)
{
	return rank_flags->waiting ? rank_flags->looked : rank_flags->alive;
}

/* The rank of this host that has not answered for the longest time, one that does not wait before all others. */
static const ex_rank_flags *guilty(double now, double silence)
{
	const ex_rank_flags *worst = NULL;
	for (int i = 0; watch.flags && i < watch.flags->count; i++) {
		const ex_rank_flags *rank_flags = &watch.flags->rank_flags[i];
		bool suspect = !rank_flags->waiting || now - rank_flags->looked > UNANSWERED * silence;
		if (suspect &&
			(!worst || rank_flags->waiting < worst->waiting ||
				(rank_flags->waiting == worst->waiting && answered(rank_flags) < answered(worst))))
			worst = rank_flags;
	}
	return worst;
}

static void print_where(const ex_rank_flags *rank_flags, char *where, size_t room)
{
	*where = '\0';
	if (rank_flags->step)
		snprintf(where, room, " in step %d (%s)", rank_flags->step, sw_op_name((sw_op)rank_flags->operation));
}

static const char *describe_guilty(const ex_rank_flags *rank_flags, double silence, char *message, size_t room)
{
	char where[64];
	bool stopped = is_stopped(rank_flags->pid);
	print_where(rank_flags, where, sizeof(where));
	snprintf(message, room, "rank %d (process %d) %s: no progress for %.0f s%s%s%s", rank_flags->rank,
		rank_flags->pid,
		stopped                 ? "is stopped" :
			rank_flags->waiting ? "does not answer" :
								  "hangs",
		silence, where, watch.plan[0] ? " of " : "", watch.plan);
	return stopped ? "somebody stopped it (SIGSTOP, a debugger, a frozen group): run it again" :
					 "raise --timeout where the machine is slow";
}

/* All ranks of this host answer: who else could it be? */
static const char *describe_others(double silence, char *message, size_t room)
{
	char where[64];
	print_where(watch.rank_flags, where, sizeof(where));
	if (!watch.flags)
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
	return watch.flags && *watch.others ?
		"look after that host and the network; raise --timeout where they are slow" :
		"raise --timeout where the machine is slow";
}

/* Fills the message; returns what to do. */
static const char *describe(const ex_rank_flags *rank_flags, double silence, char *message, size_t room)
{
	return rank_flags ? describe_guilty(rank_flags, silence, message, room) : describe_others(silence, message, room);
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
	if (!watch.flags || atomic_exchange(&watch.flags->claimed, 1) == 0)
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
	watch.rank_flags = &watch.alone;
	watch.rank_flags->alive = coarse_now();
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
}

void ex_watch_join(ex_host_flags *flags, int local_rank, int rank, const char *others,
	void (*last_words)(const char *message, const char *hint))
{
	watch.rank = rank;
	watch.last_words = last_words;
	watch.flags = flags;
	gethostname(watch.here, sizeof(watch.here) - 1);
	snprintf(watch.others, sizeof(watch.others), "%s", others);
	if (!flags)
		return;
	ex_rank_flags *rank_flags = &flags->rank_flags[local_rank];
	rank_flags->pid = (int)getpid();
	rank_flags->rank = rank;
	rank_flags->alive = coarse_now();
	watch.rank_flags = rank_flags;
}

void ex_watch_plan(const char *name)
{
	snprintf(watch.plan, sizeof(watch.plan), "%s", name);
	ex_watch_step(0, SW_DYNSLICE);
}

void ex_watch_step(int step, sw_op operation)
{
	watch.rank_flags->operation = (int)operation;
	watch.rank_flags->step = step;
	watch.rank_flags->alive = coarse_now();
}

void ex_watch_wait(void)
{
	watch.looks = 0;
	atomic_store_explicit(&watch.rank_flags->looked, coarse_now(), memory_order_relaxed);
	atomic_store_explicit(&watch.rank_flags->waiting, 1, memory_order_relaxed);
}

void ex_watch_work(void)
{
	atomic_store_explicit(&watch.rank_flags->alive, coarse_now(), memory_order_relaxed);
	atomic_store_explicit(&watch.rank_flags->waiting, 0, memory_order_relaxed);
}

void ex_watch_look_now(void)
{
	double now = coarse_now(), silence = now - latest_life();
	double late = silence - watch.timeout - (watch.rank ? NOT_FIRST : 0);
	char message[512];
	atomic_store_explicit(&watch.rank_flags->looked, now, memory_order_relaxed);
	if (late <= 0)
		return;
	const ex_rank_flags *rank_flags = guilty(now, silence);
	if (!rank_flags && late <= NOBODY_KNOWN)
		return;
	const char *hint = describe(rank_flags, silence, message, sizeof(message));
	ex_watch_end(message, hint);
}

void ex_watch_look(void)
{
	if (++watch.looks % LOOKS == 0)
		ex_watch_look_now();
}

void ex_watch_end(const char *message, const char *hint)
{
	if (!watch.flags || atomic_exchange(&watch.flags->claimed, 1) == 0) {
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
	watch.alone = *watch.rank_flags;
	watch.alone.alive = coarse_now();
	watch.rank_flags = &watch.alone;
	watch.flags = NULL;
	watch.left = true;
}
