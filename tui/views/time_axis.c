/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An axis of time: of plans, of programs and of what a run measured.
 */
#include "views/time_axis.h"

#include <assert.h>
#include <stdio.h>

#include "answer/words.h"
#include "views/draw.h"
#include "views/strip.h"

#define TOTAL_SIZE 160
#define ROOM_LEAST 10 /* columns */

static void total_text(double seconds, const char *name, char text[TOTAL_SIZE])
{
	snprintf(text, TOTAL_SIZE, "%s%s%.40s", words_seconds(seconds).text, *name ? " " : "", name);
}

void axis_take(struct time_axis *axis, double seconds, const char *name)
{
	char text[TOTAL_SIZE];
	total_text(seconds, name, text);
	int width = canvas_text_width(text);
	axis->all = seconds > axis->all ? seconds : axis->all;
	axis->widest = width > axis->widest ? width : axis->widest;
}

void axis_fit(struct time_axis *axis, int width)
{
	axis->room = width - STRIP_MARGIN - axis->widest - 1;
	if (axis->room < ROOM_LEAST)
		axis->room = width - STRIP_MARGIN;
}

int axis_column(const struct time_axis *axis, double seconds)
{
	assert(axis->all > 0);
	return STRIP_MARGIN + (int)(seconds / axis->all * (axis->room - 1) + 0.5);
}

int axis_last(const struct time_axis *axis)
{
	return STRIP_MARGIN + axis->room - 1;
}

void axis_now_draw(const struct time_axis *axis, double now, struct canvas *out, int y)
{
	canvas_put_glyph(out, axis_column(axis, now), y, ROLE_MOVED, GLYPH_RECEIVES);
}

void axis_step_draw(const struct time_axis *axis, double from, double to, bool lit, struct canvas *out, int y)
{
	int left = axis_column(axis, from), right = axis_column(axis, to);
	struct words words = words_seconds(to - from);
	int width = canvas_text_width(words.text) + 2;
	if (right > left)
		canvas_hline(out, left, y, right - left + 1, lit ? ROLE_MOVED : ROLE_BORDER, 0);
	canvas_lines(out, left, y, ROLE_BORDER, LINE_UP | LINE_DOWN);
	canvas_lines(out, right, y, ROLE_BORDER, LINE_UP | LINE_DOWN);
	if (right - left > width)
		canvas_putf(out, left + (right - left + 1 - width) / 2, y, lit ? ROLE_MOVED : ROLE_NUMBER, " %s ",
			words.text);
}

void axis_total_draw(const struct time_axis *axis, double seconds, const char *name, struct canvas *out, int y)
{
	char text[TOTAL_SIZE];
	total_text(seconds, name, text);
	canvas_put(out, axis_column(axis, seconds) + 2, y, ROLE_NUMBER, text);
}
