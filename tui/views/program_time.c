/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time of the moments of a program, and two programs on one axis of time.
 */
#include "views/program_time.h"

#include <assert.h>

#include "views/draw.h"
#include "views/strip.h"
#include "views/time_axis.h"

/* ---- seconds ---- */

static double one_seconds(const sw_moments *moments, int k, const struct program_clock *clock)
{
	const sw_moment *moment = &moments->moment[k - 1];
	double rate = clock->hardware ? clock->hardware->flops : 0, seconds;
	assert(k >= 1 && k <= moments->count);
	if (moment->plan)
		seconds = film_seconds(clock->timed, moment->plan, moment->inside);
	else
		seconds = rate > 0 ? sw_moments_flops(moments, k) / rate : 0;
	return seconds > 0 ? seconds : 0;
}

double program_seconds(const sw_moments *moments, int k, const struct program_clock *clock)
{
	double sum = 0;
	if (k >= 0)
		return one_seconds(moments, k, clock);
	for (k = 1; k <= moments->count; k++)
		sum += one_seconds(moments, k, clock);
	return sum;
}

bool program_lacks_rate(const sw_moments *moments, const struct program_clock *clock)
{
	for (int k = 1; k <= moments->count && !(clock->hardware && clock->hardware->flops > 0); k++)
		if (sw_moments_flops(moments, k) > 0)
			return true;
	return false;
}

double program_passed(const sw_moments *moments, const struct view_options *opt, const struct program_clock *clock)
{
	int step = opt->step < 0 ? 0 : opt->step < moments->count ? opt->step : moments->count;
	double at = 0;
	for (int k = 1; k <= step; k++)
		at += one_seconds(moments, k, clock);
	return step < moments->count ? at + opt->passed * one_seconds(moments, step + 1, clock) : at;
}

void program_at_seconds(const sw_moments *moments, double seconds, const struct program_clock *clock,
	struct view_options *opt)
{
	double same = program_seconds(moments, -1, clock) *
		1e-6; /* what is added up in another order is the same moment */
	opt->step = 0;
	while (
		opt->step < moments->count && seconds > same && seconds + same >= one_seconds(moments, opt->step + 1, clock))
		seconds -= one_seconds(moments, ++opt->step, clock);
	bool inside = opt->step < moments->count && seconds > same;
	opt->passed = inside ? seconds / one_seconds(moments, opt->step + 1, clock) : 0;
}

/* ---- the axis ---- */

static double seconds_of(const struct program_axis *axis, int i)
{
	return program_seconds(axis->moments[i], -1, axis->clock);
}

static void program_draw(const struct program_axis *axis, const struct time_axis *time, int i, struct canvas *out,
	int y)
{
	const sw_moments *moments = axis->moments[i];
	double at = 0;
	for (int k = 1; k <= moments->count; k++) {
		double next = at + one_seconds(moments, k, axis->clock);
		axis_step_draw(time, at, next, k == axis->about[i], out, y);
		at = next;
	}
	axis_total_draw(time, seconds_of(axis, i), axis->name[i], out, y);
}

int program_axis_draw(const struct program_axis *axis, struct canvas *out, int y)
{
	struct time_axis time = {.all = 0};
	for (int i = 0; i < 2; i++)
		axis_take(&time, seconds_of(axis, i), axis->name[i]);
	axis_fit(&time, axis->width);
	if (time.all <= 0)
		return y;
	axis_now_draw(&time, axis->now, out, y++);
	canvas_put(out, 0, y, ROLE_LABEL, "time");
	for (int i = 0; i < 2; i++)
		program_draw(axis, &time, i, out, y++);
	return y;
}
