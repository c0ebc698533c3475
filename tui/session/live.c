/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs that go on: plans that came to their end are the measure of how far they are.
 */
#define _GNU_SOURCE
#include "session/live.h"

#include <assert.h>
#include <time.h>

_Static_assert(SW_STRATEGY_COUNT <= 32, "strategies are bits of one number");

double live_now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void live_launch(struct live_run *live, int plans, double now)
{
	assert(plans >= 0);
	if (!live->launch++)
		live->begun = now;
	live->passed += live->ended;
	live->plans = plans;
	live->ended = live->steps = live->measured = 0;
	live->running = false;
	*live->step = '\0';
}

void live_hear(struct live_run *live, const sw_record *record, int steps)
{
	bool ends = record->kind == SW_RECORD_COMPLETE || record->kind == SW_RECORD_ERROR;
	live->heard++;
	if (record->kind == SW_RECORD_START) {
		live->steps = steps;
		live->measured = 0;
		live->running = true;
	}
	live->measured += record->kind == SW_RECORD_STEP && live->measured < live->steps;
	if (!ends || !live->running)
		return;
	live->ended += live->ended < live->plans;
	live->measured = 0;
	live->running = false;
}

/* All steps together and the proof come after the steps. */
static double part(const struct live_run *live)
{
	enum { MORE = 2 };
	return live->running ? (double)live->measured / (live->steps + MORE) : 0;
}

static double done(const struct live_run *live)
{
	return live->passed + live->ended + part(live);
}

bool live_unmeasured(const struct live_run *live)
{
	return done(live) <= 0;
}

/* The start of the ranks, and the check, are not in it. */
static double predicted_left(const struct live_run *live, double now, int later)
{
	double left = live->expected * (1 + later) - (now - live->begun);
	return live->expected > 0 && left > 0 ? left : -1;
}

double live_left(const struct live_run *live, double now)
{
	double here = live->ended + part(live);
	int later = live->launches - live->launch, plans = live->plans + __builtin_popcount(live->wanted);
	if (!live->launch || later < 0)
		return -1;
	if (live_unmeasured(live))
		return predicted_left(live, now, later);
	return (now - live->begun) * (live->plans - here + (double)later * plans) / done(live);
}

static void print_left(double left, sw_text *text)
{
	enum { MINUTE = 60, MINUTES_FROM = 120 };
	if (left >= MINUTES_FROM)
		sw_text_addf(text, ", about %.0f min left", left / MINUTE);
	else if (left >= 0)
		sw_text_addf(text, ", about %.0f s left", left < 1 ? 1 : left);
}

void live_print(const struct live_run *live, double now, sw_text *text)
{
	sw_text_addf(text, "launch %d", live->launch);
	if (live->launches >= live->launch)
		sw_text_addf(text, " of %d", live->launches);
	sw_text_addf(text, ", %d %s", live->plans, live->plans == 1 ? "plan" : "plans");
	double left = live_left(live, now);
	print_left(left, text);
	if (left >= 0 && live_unmeasured(live))
		sw_text_add(text, " by predicted times");
}

void live_print_present(const struct live_run *live, sw_text *text)
{
	const struct records *records = live->records;
	const char *plan = records && records->count ? records->times[records->count - 1].plan : NULL;
	if (!live->running)
		return;
	sw_text_add(text, plan ? plan : "a plan");
	if (live->measured < live->steps)
		sw_text_addf(text, ", step %d of %d%s%s", live->measured + 1, live->steps, *live->step ? ", " : "",
			live->step);
	else if (live->steps)
		sw_text_add(text, ", all steps together and the check");
}

bool live_want(struct live_run *live, sw_strategy strategy)
{
	assert((unsigned)strategy < SW_STRATEGY_COUNT);
	unsigned bit = 1u << strategy;
	if ((live->has | live->wanted) & bit)
		return false;
	live->wanted |= bit;
	return true;
}
