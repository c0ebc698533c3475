/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command evaluate: many problems, drawn or of a file, planned by several strategies, perhaps run, and what that says.
 *
 * What was found of a problem becomes a line of JSON as soon as it is there; --resume keeps these lines in a file, and takes them from
 * there before it goes on.
 */
#ifndef SHARDWALK_COMMAND_EVALUATE_H
#define SHARDWALK_COMMAND_EVALUATE_H

#include <stdio.h>

#include "command/plan.h"

/* What one strategy made of a problem. */
struct evaluated_plan {
	const char *strategy;
	bool planned, over;                     /* above a bound */
	int64_t cost;                           /* elements per device */
	double model_cost, searched, predicted; /* predicted < 0: not known */
	double ran_cost, ran_bytes,
		seconds; /* of the plan that was run: the model's cost, what a device moves; seconds < 0: none was */
};

struct evaluated {
	const char *name, *mesh, *from, *to; /* name: NULL where it has none */
	int64_t devices, bytes;
	int dtype_bytes;
	bool ordered, ran;           /* its devices stand in an order of their own; it was run */
	struct evaluated_plan *plan; /* one a strategy */
};

struct evaluation {
	const struct invocation *run;
	struct plan_request asked;
	sw_strategy strategy[SW_STRATEGY_COUNT];
	int strategies;
	const char *file; /* NULL: the problems are drawn */
	int64_t problems, devices, seed, runs, take;
	double scale;
	struct evaluated *problem;
	int count, room, resumed;
	int64_t visited;   /* of the file */
	sw_diag failure;   /* why the rest of it was not read */
	sw_arena *scratch; /* of the present problem */
	FILE *journal;     /* of --resume; NULL: none */
	const char *journal_name;
	bool told[SW_STRATEGY_COUNT]; /* why a strategy has no plan was said once */
	bool stopped;
};

/* Reads what was asked for.  Errors: L02 to L13, S04, S05. */
bool evaluate_read(const struct invocation *run, struct evaluation *e, sw_diag *diag);
void evaluate_end(struct evaluation *e);

/* Plans all problems; what `--resume` has is taken from there.  A signal stops it, and what was found stays.
 * Errors: B01 to B04, L13, E01. */
bool evaluate_plan(struct evaluation *e, sw_diag *diag);

/* The problem of this row again, from its texts. */
bool evaluated_problem(const struct evaluation *e, const struct evaluated *row, sw_problem *problem, sw_diag *diag);

/* The plan of strategy number s, with its groups; *seconds: how long that took, or NULL. */
bool evaluate_find(const struct evaluation *e, int s, const sw_problem *problem, sw_arena *arena, sw_plan *plan,
	double *seconds, sw_diag *diag);

/* Takes problem --take as the session's. */
bool evaluate_take(struct evaluation *e, sw_diag *diag);

/* ---- lines of JSON ---- */

/* Opens the file of --resume, and takes what is in it; where there is none it is begun.  Errors: B01, B02, B04, L13. */
bool journal_open(struct evaluation *e, sw_diag *diag);

/* Writes what was planned, or run, of row number n (from 0) there, and to the answer where that is JSON.  Errors: B02, E01. */
bool journal_planned(struct evaluation *e, int n, sw_diag *diag);
bool journal_ran(struct evaluation *e, int n, sw_diag *diag);

/* A new row after the others; NULL: E01. */
struct evaluated *evaluation_add(struct evaluation *e, sw_diag *diag);

/* ---- the answer ---- */

bool evaluate_answer(struct evaluation *e, sw_diag *diag);

#endif
