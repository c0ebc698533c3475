/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A pulse that hears of signals, and tells how far the work is.
 */
#define _GNU_SOURCE
#include "answer/watch.h"

#include <unistd.h>

#include <shardwalk/number.h>

#include "host/interrupt.h"

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
	watch->shown_at = *now;
	watch->shown = true;
}

static bool watch_beat(void *context, const char *what, long long done, long long total)
{
	struct watch *watch = context;
	struct timespec now;
	const struct console_taker *taker = watch->console->taker;
	watch->stopped = watch->stopped || interrupt_signal() || (taker && !taker->beat(taker->context));
	if (watch->stopped)
		return false;
	if (!watch->console->err_terminal || watch->console->quiet)
		return true;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (seconds_between(&watch->start, &now) > 1 && (!watch->shown || seconds_between(&watch->shown_at, &now) > 0.2))
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

bool watch_failed(const struct watch *watch, sw_diag *diag)
{
	if (watch->stopped && diag->code == SW_E01)
		sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped before everything was examined");
	return false;
}

bool list_goes_on(int64_t rows, sw_diag *diag)
{
	enum { OFTEN = 1024 };
	if (rows % OFTEN != OFTEN - 1 || sw_pulse_beat(interrupt_pulse(), "rows", rows, 0))
		return true;
	return sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped before everything was listed");
}
