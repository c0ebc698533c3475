/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time of the moments of a program, and two programs on one axis of time.
 */
#include "views/program_time.h"

#include <assert.h>
#include <stdio.h>

#include "views/draw.h"
#include "views/strip.h"

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

#define TOTAL_SIZE 160

struct scale {
	double all;
	int room;
};

static int column_of(const struct scale *scale, double seconds)
{
	return STRIP_MARGIN + (int)(seconds / scale->all * (scale->room - 1) + 0.5);
}

static void step_draw(const struct scale *scale, double from, double to, enum role role, struct canvas *out, int y)
{
	int left = column_of(scale, from), right = column_of(scale, to);
	struct words words = words_seconds(to - from);
	int width = canvas_text_width(words.text) + 2;
	if (right > left)
		canvas_hline(out, left, y, right - left + 1, role, 0);
	canvas_lines(out, left, y, ROLE_BORDER, LINE_UP | LINE_DOWN);
	canvas_lines(out, right, y, ROLE_BORDER, LINE_UP | LINE_DOWN);
	if (right - left > width)
		canvas_putf(out, left + (right - left + 1 - width) / 2, y, role == ROLE_BORDER ? ROLE_NUMBER : role, " %s ",
			words.text);
}

static void total_text(const struct program_axis *axis, int i, char text[TOTAL_SIZE])
{
	double seconds = program_seconds(axis->moments[i], -1, axis->clock);
	snprintf(text, TOTAL_SIZE, "%s %.40s", words_seconds(seconds).text, axis->name[i]);
}

static void program_draw(const struct program_axis *axis, const struct scale *scale, int i, struct canvas *out, int y)
{
	const sw_moments *moments = axis->moments[i];
	char total[TOTAL_SIZE];
	double at = 0;
	for (int k = 1; k <= moments->count; k++) {
		double next = at + one_seconds(moments, k, axis->clock);
		step_draw(scale, at, next, k == axis->about[i] ? ROLE_MOVED : ROLE_BORDER, out, y);
		at = next;
	}
	total_text(axis, i, total);
	canvas_put(out, column_of(scale, at) + 2, y, ROLE_NUMBER, total);
}

int program_axis_draw(const struct program_axis *axis, struct canvas *out, int y)
{
	struct scale scale = {.all = 0};
	int widest = 0;
	for (int i = 0; i < 2; i++) {
		char total[TOTAL_SIZE];
		double all = program_seconds(axis->moments[i], -1, axis->clock);
		total_text(axis, i, total);
		scale.all = all > scale.all ? all : scale.all;
		widest = canvas_text_width(total) > widest ? canvas_text_width(total) : widest;
	}
	scale.room = axis->width - STRIP_MARGIN - widest - 3;
	if (scale.all <= 0 || scale.room < 2)
		return y;
	canvas_put_glyph(out, column_of(&scale, axis->now), y++, ROLE_MOVED, GLYPH_RECEIVES);
	canvas_put(out, 0, y, ROLE_LABEL, "time");
	for (int i = 0; i < 2; i++)
		program_draw(axis, &scale, i, out, y++);
	return y;
}
