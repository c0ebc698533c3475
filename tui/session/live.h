/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run that goes on: how far it is, what time it still takes, and what is asked of it meanwhile.
 *
 * Whoever launches it owns it, and the session points to it as long as it goes on.  Times are those of a clock that only goes on.
 */
#ifndef SHARDWALK_SESSION_LIVE_H
#define SHARDWALK_SESSION_LIVE_H

#include <stdbool.h>

#include <shardwalk/plan.h>
#include <shardwalk/record.h>

#include "session/records.h"

struct live_run {
	const char *what;              /* "run" */
	const struct records *records; /* what was measured so far */
	int launch, launches; /* the present one, from 1, 0: none has begun; how many there will be, 0: not known */
	int plans;            /* of the present launch */
	int passed, ended;    /* plans that came to their end: in launches before, in the present one */
	int steps, measured;  /* of the plan that runs: how many it has, how many have times */
	bool running;         /* a plan has started and did not finish */
	char step[64];        /* of it, that is measured now; "": not known */
	long long heard;      /* records that arrived */
	double begun;         /* when the first launch did */
	double expected;      /* seconds that a launch takes by predicted times; 0: not known */
	bool takes;           /* strategies can be added */
	unsigned has, wanted; /* strategies that run, and that were asked for meanwhile: bits 1 << sw_strategy */
};

/* Seconds by that clock. */
double live_now(void);

/* The next launch begins, with so many plans. */
void live_launch(struct live_run *live, int plans, double now);

/* A record arrived; `steps` are those of the plan that runs. */
void live_hear(struct live_run *live, const sw_record *record, int steps);

/* Is nothing measured yet, so that what is left is known by predicted times alone? */
bool live_unmeasured(const struct live_run *live);

/* Seconds that are left if it goes on as it did, before anything was measured by predicted times; negative: these are over or not known, or
 * nobody knows how much there will be. */
double live_left(const struct live_run *live, double now);

/* Adds "launch 2 of 5, 2 plans, about 4 s left", and "by predicted times" where that is so. */
void live_print(const struct live_run *live, double now, sw_text *text);

/* Adds "fused, step 1 of 3, alltoall(0, 1)": what is measured now; nothing where no plan runs. */
void live_print_present(const struct live_run *live, sw_text *text);

/* Asks for a strategy.  false: it is there, or was asked for. */
bool live_want(struct live_run *live, sw_strategy strategy);

#endif
