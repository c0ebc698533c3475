/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The film of a plan, alone or with a second plan below it: both on one axis of time.
 */
#ifndef SHARDWALK_VIEWS_FILM_H
#define SHARDWALK_VIEWS_FILM_H

#include "session/records.h"
#include "views/draw.h"
#include "views/strip.h"
#include "views/time_axis.h"

#define FILMS_MOST 2

/* One plan of it. */
struct film {
	const sw_plan *plan;
	const sw_machine *timed; /* as in view_input */
	const char *name;        /* what the plan is called beside another one */
	const sw_owners *owners;
	struct view_options opt;
	struct strip strip;
	double memory; /* elements that a whole bar is */
	bool tight;    /* there are few rows: what has a row of its own elsewhere is behind something else */
};

struct films {
	int count;
	struct film film[FILMS_MOST];
	const struct times *measured; /* of the first plan; NULL: it was not run */
	const struct sum_look *look;  /* the system of a reduction program, and its step; NULL: it is none */
	int ports;                    /* rows of that in the picture; 0: it is not drawn */
	struct time_axis axis;
};

/* Is the time of every step known? */
bool film_times_known(const sw_machine *timed, const sw_plan *plan);

/* Seconds that have passed where `opt->step` steps and a part of the next are done.  Behind the last step of the first plan that part is one of
 * what `longest` takes longer. */
double film_passed(const sw_machine *timed, const sw_plan *plan, const struct view_options *opt, double longest);

/* The step and the part of the next at which a plan is after so many seconds. */
void film_at_seconds(const sw_machine *timed, const sw_plan *plan, double seconds, struct view_options *opt);

/* The axis with a row for each plan, and what was measured; the next row.  Nothing where no time is known. */
int film_axis_draw(struct films *films, struct canvas *out, int y);

#endif
