/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contenders: ways to compute one statement, each with its figures, as rows of one table.
 */
#ifndef SHARDWALK_COMMAND_CONTENDER_H
#define SHARDWALK_COMMAND_CONTENDER_H

#include <shardwalk/algorithm.h>
#include <shardwalk/choice.h>
#include <shardwalk/schedule.h>

#include "answer/rows.h"

/* Numbers below 0 are not known, no more than NULL is.  Elements; the largest figures are those of a processor each. */
struct contender {
	const char *name;            /* "owner", "einsum", "cannon", ..., "best", "own" */
	const char *remark;          /* on which machine it runs in place of the present one; NULL: on that */
	const sw_recipe *recipe;     /* machine, homes and commands; NULL: it follows otherwise */
	const sw_mesh *mesh;         /* its machine */
	const sw_schedule *schedule; /* the present one; NULL: it is another */
	int64_t steps, volume, received, sent, held, peak, peak_overlap, flops;
	int64_t idle;   /* processors without points, with those that its machine leaves out */
	int64_t excess; /* of the volume: elements of boxes that no point touches */
	int arrays;
	const char *array[SW_SCHEME_ARRAYS];
	int64_t volumes[SW_SCHEME_ARRAYS];
	double predicted, measured; /* seconds */
};

/* One of which nothing else is known. */
struct contender contender_blank(const char *name);

/* The figures of a recipe, of which `processors` are there; texts live in `arena`.  Errors: S09, M05, E01. */
bool contender_of_recipe(const sw_recipe *recipe, int64_t processors, sw_arena *arena, struct contender *contender,
	sw_diag *diag);

/* The figures of all steps of a lowered schedule. */
void contender_of_totals(const sw_lowering *lowering, const sw_schedule_totals *totals, struct contender *contender);

/* Predicted seconds, where they are not known otherwise. */
void contender_predict(const sw_schedule_rates *rates, struct contender *contender);

/* Its machine, "4x4; 2x2"; nothing where that is not known. */
void contender_print_grid(const struct contender *contender, sw_text *text);

/* As rows.  `is` is what else their table says: */
enum {
	CONTENDERS_COMPARED = 1, /* a name, waste and times */
	CONTENDERS_TIMED = 2,    /* a predicted time */
	CONTENDERS_NUMBERED = 4  /* a number */
};
struct rows contenders_rows(const struct contender *contender, int64_t count, unsigned is);

#endif
