/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The last formula on more and more processors, in sizes that grow so that memory a processor stays: what `compare --grow` predicts
 * and `run --grow` measures, and the rows that both have.
 *
 * Letters whose dimensions are cut grow by one factor, so that the arrays that are cut most grow as the processors do.  Axes of the mesh
 * grow alike, as far as they can; arrays are placed as they were.
 */
#ifndef SHARDWALK_COMMAND_COMPARE_GROWTH_H
#define SHARDWALK_COMMAND_COMPARE_GROWTH_H

#include "command/compare/compare_schedules.h"

/* A schedule on so many processors. */
struct grown {
	int64_t processors;
	struct contender contender;
	const char *sizes;
	double live; /* GB; */
	int64_t live_bytes;
	bool fits;
	double flops, bytes; /* of the statement: all that is computed, and all elements of its arrays */
	double rate;         /* GFLOP/s of a processor, as predicted; NAN: not known */

	/* of runs; NAN: it did not run to its end */
	double measured;               /* seconds, the median */
	double gflops, gbytes;         /* a second and rank */
	double efficiency;             /* of that, by what the same schedule did on the fewest ranks */
	int64_t memory;                /* bytes that a run would take on all ranks; -1: not asked for */
	int64_t values, program_steps; /* and its values and steps */
};

struct grown_out {
	int64_t processors;
	const char *name, *why;
};

struct growth {
	struct invocation *run;
	const struct kept_formula *formula;     /* of the session, which has not grown, */
	const struct kept_schedule *schedule;   /* its schedule; NULL: it has none; */
	const sw_schedule_algorithm *algorithm; /* and whose commands those are; NULL: nobody's */
	bool cut[SW_MAX_LETTERS];
	int most;  /* dimensions of one array that are cut */
	int bytes; /* of an element */
	bool slow; /* fewer operations than four fall on an element: memory bounds it */
	int count, room, out_count, out_room;
	struct grown *row;
	struct grown_out *out;
	const sw_machine *machine; /* of the predictions; NULL: none */
	const char *model;         /* by which runs are predicted; NULL: not known */
	const char *statement;
};

/* Begins with the last formula.  Errors: L07 where there is none, E01. */
bool growth_begin(struct invocation *run, struct growth *growth, sw_diag *diag);

/* Makes it, on so many processors, the formula of the session, which is to be put back (session_try), and finds all that computes it: the rows of
 * `compare`.  Errors: M05, S09, S03, E01. */
bool growth_move(const struct growth *growth, int64_t processors, struct contest *contest, sw_diag *diag);

/* Adds a row of the contest, where it found one of that name, NULL on error; or else what it left out, or another reason. */
struct grown *growth_add(struct growth *growth, const struct contest *contest, const struct contender *contender,
	sw_diag *diag);
bool growth_leave_out(struct growth *growth, int64_t processors, const char *name, const char *why, sw_diag *diag);

/* What the answer is of: predictions; runs, which in the table are by operations or by bytes; or what runs would need. */
enum { GROWN_PREDICTED = 1, GROWN_MEASURED = 2, GROWN_DRY = 4, GROWN_FLOPS = 8, GROWN_BYTES = 16 };
bool growth_answer(const struct growth *growth, const char *schema, const char *title, unsigned is, sw_diag *diag);

#endif
