/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Signals: the one thing of the process that no value can carry.
 */
#define _GNU_SOURCE
#include "host/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <shardwalk/number.h>

static volatile sig_atomic_t came;
static volatile sig_atomic_t patient;
static volatile sig_atomic_t events;
static int wake[2] = {-1, -1};

static void wake_up(void)
{
	if (wake[1] >= 0)
		(void)!write(wake[1], "", 1);
}

static void on_signal(int number)
{
	int error = errno;
	if (came && !patient)
		_exit(128 + number);
	came = number;
	wake_up();
	errno = error;
}

void interrupt_install(void)
{
	static const int heard[] = {SIGINT, SIGTERM, SIGHUP};
	if (pipe2(wake, O_NONBLOCK | O_CLOEXEC) != 0)
		wake[0] = wake[1] = -1;
	for (size_t i = 0; i < sizeof(heard) / sizeof(*heard); i++) {
		struct sigaction old, action = {.sa_handler = on_signal};
		if (sigaction(heard[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN && heard[i] != SIGINT)
			continue; /* nohup */
		sigaction(heard[i], &action, NULL);
	}
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	sigaction(SIGPIPE, &ignore, NULL);
	sigaction(SIGXFSZ, &ignore, NULL); /* a file that may not grow is an error of its writer */
}

int interrupt_signal(void)
{
	return came;
}

static void drain(void)
{
	char bytes[16];
	while (wake[0] >= 0 && read(wake[0], bytes, sizeof(bytes)) > 0)
		continue;
}

void interrupt_clear(void)
{
	came = 0;
	drain();
}

void interrupt_patient(bool yes)
{
	patient = yes;
}

int interrupt_wake(void)
{
	return wake[0];
}

/* ---- what a prompt wants to know ---- */

static void on_event(int number)
{
	int error = errno;
	events |= number == SIGWINCH ? INTERRUPT_RESIZE : number == SIGTSTP ? INTERRUPT_STOP : INTERRUPT_CONTINUE;
	wake_up();
	errno = error;
}

static void hear(int number, bool yes)
{
	struct sigaction action = {.sa_handler = yes ? on_event : SIG_DFL, .sa_flags = SA_RESTART};
	sigaction(number, &action, NULL);
}

void interrupt_listen(void)
{
	hear(SIGWINCH, true);
	hear(SIGCONT, true);
}

/* The pipe is emptied first: what comes afterwards wakes again. */
unsigned interrupt_events(void)
{
	sigset_t all, before;
	if (!came)
		drain();
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	unsigned heard = (unsigned)events;
	events = 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return heard;
}

void interrupt_hold_stop(bool yes)
{
	struct sigaction now;
	if (sigaction(SIGTSTP, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
		hear(SIGTSTP, yes);
}

void interrupt_suspend(void)
{
	hear(SIGTSTP, false);
	raise(SIGTSTP);
	hear(SIGTSTP, true);
}

/* ---- watching work ---- */

static double seconds_between(const struct timespec *from, const struct timespec *to)
{
	return (double)(to->tv_sec - from->tv_sec) + 1e-9 * (double)(to->tv_nsec - from->tv_nsec);
}

static void tell(struct watch *watch, const char *what, long long done, long long total, const struct timespec *now)
{
	sw_text line = {0};
	sw_text_addf(&line, "%s: ", what);
	sw_print_count(&line, done);
	double elapsed = seconds_between(&watch->start, now);
	if (total > 0) {
		sw_text_add(&line, " of ");
		sw_print_count(&line, total);
	}
	if ((double)done >= elapsed) {
		sw_text_add(&line, ", ");
		sw_print_count(&line, (int64_t)((double)done / elapsed));
		sw_text_add(&line, " a second");
	}
	if (total > 0 && done > 0)
		sw_text_addf(&line, ", about %.0f s to go", elapsed * (double)(total - done) / (double)done);
	sw_text_add(&line, "  (Ctrl-C stops)");
	console_progress(watch->console, sw_text_get(&line));
	sw_text_free(&line);
	watch->told = *now;
	watch->shown = true;
}

static bool watch_beat(void *context, const char *what, long long done, long long total)
{
	struct watch *watch = context;
	struct timespec now;
	const struct console_taker *taker = watch->console->taker;
	if (came || (taker && !taker->beat(taker->context)))
		return false;
	if (!watch->console->err_terminal || watch->console->quiet)
		return true;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (seconds_between(&watch->start, &now) > 1 && (!watch->shown || seconds_between(&watch->told, &now) > 0.2))
		tell(watch, what, done, total, &now);
	return true;
}

void watch_start(struct watch *watch, struct console *console)
{
	*watch = (struct watch){.console = console};
	clock_gettime(CLOCK_MONOTONIC, &watch->start);
	watch->pulse = (sw_pulse){watch_beat, watch};
}

double watch_seconds(const struct watch *watch)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return seconds_between(&watch->start, &now);
}

void watch_end(struct watch *watch)
{
	if (watch->shown)
		console_progress(watch->console, "");
	watch->shown = false;
}
