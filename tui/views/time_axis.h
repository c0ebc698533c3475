/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An axis of time with a row for each of what takes it: steps in proportion, and behind them how long all of them take.
 */
#ifndef SHARDWALK_VIEWS_TIME_AXIS_H
#define SHARDWALK_VIEWS_TIME_AXIS_H

#include "canvas/canvas.h"

struct time_axis {
	double all; /* seconds of the longest row */
	int widest; /* columns of the widest total */
	int room;   /* columns of the axis */
};

/* A row takes part, with so many seconds and a name (empty: it needs none), before the axis is fitted. */
void axis_take(struct time_axis *axis, double seconds, const char *name);

/* Where totals leave too little of `width` they are cut. */
void axis_fit(struct time_axis *axis, int width);

/* The column of a moment, and the last one.  After axis_fit, of an axis that has some seconds. */
int axis_column(const struct time_axis *axis, double seconds);
int axis_last(const struct time_axis *axis);

/* The playhead; a step between two moments; the total behind the last one, as axis_take counted it. */
void axis_now_draw(const struct time_axis *axis, double now, struct canvas *out, int y);
void axis_step_draw(const struct time_axis *axis, double from, double to, bool lit, struct canvas *out, int y);
void axis_total_draw(const struct time_axis *axis, double seconds, const char *name, struct canvas *out, int y);

#endif
