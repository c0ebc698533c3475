/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time of the moments of a program: what moves by its plans, and what is computed by the rate of the hardware.
 */
#ifndef SHARDWALK_VIEWS_PROGRAM_TIME_H
#define SHARDWALK_VIEWS_PROGRAM_TIME_H

#include <shardwalk/hardware.h>
#include <shardwalk/moments.h>

#include "views/views.h"

/* What moves takes its time on `timed`, as in view_input, what is computed on `hardware`; NULL: it is not known. */
struct program_clock {
	const sw_machine *timed;
	const sw_hardware *hardware;
};

/* Seconds of moment `k` (from 1), all of them for k < 0.  What has no time takes 0: what is computed without a rate, and what no plan moves. */
double program_seconds(const sw_moments *moments, int k, const struct program_clock *clock);

/* Is something computed that has no time? */
bool program_lacks_rate(const sw_moments *moments, const struct program_clock *clock);

/* Seconds that have passed at the moment of `opt`, and the moment at which so many have. */
double program_passed(const sw_moments *moments, const struct view_options *opt, const struct program_clock *clock);
void program_at_seconds(const sw_moments *moments, double seconds, const struct program_clock *clock,
	struct view_options *opt);

/* Two programs on one axis, the playhead above it; the next row. */
struct program_axis {
	const sw_moments *moments[2];
	const char *name[2];
	int about[2]; /* the step that is under way, else the one before the moment; 0: none */
	double now;
	const struct program_clock *clock;
	int width;
};
int program_axis_draw(const struct program_axis *axis, struct canvas *out, int y);

#endif
