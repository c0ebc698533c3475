/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Long work under the eyes of a person: it stops on a signal, and after a second it says how far it is.
 */
#ifndef SHARDWALK_ANSWER_WATCH_H
#define SHARDWALK_ANSWER_WATCH_H

#include <stdbool.h>
#include <time.h>

#include <shardwalk/diag.h>

#include "answer/console.h"

struct watch {
	struct console *console;
	struct timespec start, shown_at;
	bool shown, stopped;
	sw_pulse pulse;
};
void watch_start(struct watch *watch, struct console *console);

/* Seconds since it was started. */
double watch_seconds(const struct watch *watch);

/* Takes the line of progress away. */
void watch_end(struct watch *watch);

/* Says that it was stopped, where that is why there was no memory.  Returns false. */
bool watch_failed(const struct watch *watch, sw_diag *diag);

/* May a list go on behind so many rows?  Asked now and then; S03 where a signal came. */
bool list_goes_on(int64_t rows, sw_diag *diag);

#endif
