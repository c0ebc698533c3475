/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Flags in shared memory: yield a little, then sleep in the kernel.
 */
#define _GNU_SOURCE
#include "flags.h"

#include <linux/futex.h>
#include <limits.h>
#include <sched.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SPINS = 200, YIELDS = 60, SLEEP_MS = 50 };

static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
}

void ex_flag_set(ex_flag *flag, unsigned value)
{
	atomic_store(&flag->value, value);
	if (atomic_load(&flag->sleepers))
		syscall(SYS_futex, &flag->value, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

bool ex_flag_reached(ex_flag *flag, unsigned value)
{
	return (int)(atomic_load_explicit(&flag->value, memory_order_acquire) - value) >= 0;
}

static void flag_sleep(ex_flag *flag, unsigned value)
{
	struct timespec while_ = {0, SLEEP_MS * 1000000L};
	atomic_fetch_add(&flag->sleepers, 1);
	unsigned seen = atomic_load(&flag->value);
	if ((int)(seen - value) < 0)
		syscall(SYS_futex, &flag->value, FUTEX_WAIT, seen, &while_, NULL, 0);
	atomic_fetch_sub(&flag->sleepers, 1);
}

bool ex_flag_wait(ex_flag *flag, unsigned value, bool spin)
{
	for (int i = 0; spin && i < SPINS; i++) {
		if (ex_flag_reached(flag, value))
			return true;
		pause_briefly();
	}
	for (int i = 0; i < YIELDS; i++) {
		if (ex_flag_reached(flag, value))
			return true;
		sched_yield();
	}
	flag_sleep(flag, value);
	return ex_flag_reached(flag, value);
}

double ex_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
