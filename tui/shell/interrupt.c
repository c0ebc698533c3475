/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Signals: the one thing of the process that no value can carry.
 */
#define _GNU_SOURCE
#include "shell/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <shardwalk/number.h>

static volatile sig_atomic_t came;
static volatile sig_atomic_t patient;
static int wake[2] = {-1, -1};

static void on_signal(int number)
{
	int error = errno;
	if (came && !patient)
		_exit(128 + number);
	came = number;
	if (wake[1] >= 0)
		(void)!write(wake[1], "", 1);
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
}

int interrupt_signal(void)
{
	return came;
}

void interrupt_clear(void)
{
	char bytes[16];
	came = 0;
	while (wake[0] >= 0 && read(wake[0], bytes, sizeof(bytes)) > 0)
		continue;
}

void interrupt_patient(bool yes)
{
	patient = yes;
}

int interrupt_wake(void)
{
	return wake[0];
}

/* ---- watching work ---- */

static double seconds_between(const struct timespec *from, const struct timespec *to)
{
	return (double)(to->tv_sec - from->tv_sec) + 1e-9 * (double)(to->tv_nsec - from->tv_nsec);
}

static void tell(struct watch *watch, const char *what, long long done, long long total,
	const struct timespec *now)
{
	sw_text line = {0};
	sw_text_addf(&line, "%s: ", what);
	sw_print_count(&line, done);
	if (total > 0) {
		double elapsed = seconds_between(&watch->start, now);
		sw_text_add(&line, " of ");
		sw_print_count(&line, total);
		if (done > 0)
			sw_text_addf(&line, ", about %.0f s to go", elapsed * (double)(total - done) / (double)done);
	}
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

void watch_end(struct watch *watch)
{
	if (watch->shown)
		console_progress(watch->console, "");
	watch->shown = false;
}
