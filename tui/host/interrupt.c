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
	static const int heard[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
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

static bool no_signal(void *context, const char *what, long long done, long long total)
{
	(void)context, (void)what, (void)done, (void)total;
	return interrupt_signal() == 0;
}

const sw_pulse *interrupt_pulse(void)
{
	static const sw_pulse pulse = {no_signal, NULL};
	return &pulse;
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
