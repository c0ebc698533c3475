/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ways of the present product as programs: planned, predicted, and what the last run of them measured.
 */
#ifndef SHARDWALK_COMMAND_PRODUCT_WAYS_H
#define SHARDWALK_COMMAND_PRODUCT_WAYS_H

#include <shardwalk/planned.h>
#include <shardwalk/ways.h>

#include "answer/rows.h"
#include "command/command.h"

/* What is said of ways beside what they cost. */
enum ways_said {
	WAYS_LISTED = 1,  /* which no other beats */
	WAYS_BOUNDED = 2, /* what the bound of memory would have to be */
	WAYS_NAMED = 4    /* not more than their types and flops */
};

/* The first ways as rows, as files of cases have them: types, seconds and where these turn, cost, flops and memory. */
struct rows product_ways_rows(const sw_ways *ways, int64_t count, unsigned said);

enum {
	WAYS_COMPARED = 10,
	WAYS_MOST = 1000
}; /* of which `run --compare ways` and `compare` speak: usually, and at most */

/* How ways are sorted where nobody asks: those of a roofline by the longer of communication and product, others by both together. */
sw_ways_order product_ways_order(const sw_machine *machine);

/* What the settings `memory` and `plan_memory` leave for tables and for the list of ways. */
void product_ways_bounds(const struct session *session, sw_ways_options *options);

/* Is a product what was asked for last? */
bool product_is_present(const struct session *session);

/* The ways of the present product, as `ways` lists them without options. */
struct product_ways {
	sw_product product;
	sw_ways_options options;
	sw_ways ways;
	const char *key; /* the product, its mesh and the model: equal where ways have the same numbers */
};

/* Everything lives in the arena of the invocation.  Errors: those of sw_ways_find; L07 where no result is wanted. */
bool product_ways_find(const struct invocation *run, struct product_ways *found, sw_diag *diag);

/* Way `number`, from 1, as a program (sw_way_program) with a plan for each redistribution, by the settings; the function is called as
 * product_way_name has it.  E01. */
bool product_way_planned(const struct invocation *run, const struct product_ways *found, int64_t number,
	sw_program *planned, sw_diag *diag);

/* What records of runs call it: way3. */
const char *product_way_name(int64_t number, sw_arena *arena);

/* Seconds of all steps on the machine, one after the other; negative where one is not known. */
double product_planned_seconds(const sw_program *planned, const sw_machine *machine);

/* The way that is the fastest as its plans are predicted, of the first WAYS_COMPARED; the first one where the model counts elements.
 * *seconds is below 0 where it is not known. */
bool product_way_best(const struct invocation *run, const struct product_ways *found, int64_t *number,
	double *seconds, sw_program *planned, sw_diag *diag);

/* What the last `run --compare ways` of the product measured of a way; below 0: it did not run. */
double product_way_measured(const struct invocation *run, const struct product_ways *found, int64_t number);

/* How many of them are compared: --limit, or WAYS_COMPARED, or as many as there are. */
bool product_ways_counted(const struct invocation *run, const struct product_ways *found, int64_t *count,
	sw_diag *diag);

/* `compare` of the present product: of each way what is predicted, and what the last `run --compare ways` of it measured. */
bool compare_ways(struct invocation *run, sw_diag *diag);

#endif
