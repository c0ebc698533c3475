/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compare of the last formula: owner computes, the best way of a product, published algorithms, the best schedule and one's own.
 */
#ifndef SHARDWALK_COMMAND_COMPARE_SCHEDULES_H
#define SHARDWALK_COMMAND_COMPARE_SCHEDULES_H

#include "command/compare/contender.h"
#include "command/plan.h"

/* Is the last formula, or its schedule, what was asked for last? */
bool schedules_are_present(const struct session *session);

#define CONTENDERS_MOST 24

struct left_out {
	const char *name, *why;
};

/* All ways to compute the last formula, best first, in the arena of the invocation. */
struct contest {
	const sw_formula *formula;
	const char *statement; /* as it was typed */
	bool schedules;        /* it has schedules; else `why` says why it has none */
	sw_diag why;
	int64_t processors;
	bool by_time;              /* least predicted time; else least volume */
	const sw_machine *machine; /* NULL: no times are predicted */
	sw_schedule_rates rates;
	int64_t live; /* bound of live memory, in elements; or SW_NO_BOUND */

	/* set between contest_begin and contest_find, where the formula has grown: */
	bool any_machine;      /* algorithms choose theirs among all of so many processors */
	const sw_recipe *own;  /* one's own schedule; NULL: that of the session */
	const char *no_own;    /* why one's own has no row; NULL: it may have one */
	const char *no_arrays; /* why nothing is said of what follows from where arrays are; NULL: it is */

	int count, left_out_count;
	struct contender contender[CONTENDERS_MOST];
	struct left_out left_out[CONTENDERS_MOST];
};

/* What they are measured by: the model and the bound that are asked for.  Errors: those of compare_machine. */
bool contest_begin(const struct invocation *run, struct contest *contest, sw_diag *diag);

/* Finds them all.  Errors: S03, E01. */
bool contest_find(struct invocation *run, struct contest *contest, sw_diag *diag);

/* Adds what owners compute, or the schedule that is there. */
bool contest_add_owner(const struct invocation *run, struct contest *contest, sw_diag *diag);
bool contest_add_own(const struct invocation *run, struct contest *contest, sw_diag *diag);

/* The time of the last run of a contender, where it was run; and the last run was that of the present formula, by its schedule or without one. */
void contest_measure(const struct invocation *run, const struct contest *contest, struct contender *contender);
void contest_ran(const struct invocation *run);

/* What session_ran_formula calls the present formula, by its schedule or without one; NULL: it is no row of `compare`. */
const char *contest_key(const struct invocation *run);

/* The figures of a recipe that fits the present mesh, from its lowered schedule.  Errors: those of types, schedules and totals. */
bool contest_lower(const struct invocation *run, const sw_recipe *recipe, struct contender *contender, sw_diag *diag);

/* The best schedule of the formula on so many processors, in the arena.  Errors: S01 with the smallest bound of memory, S02, S09, E01. */
bool contest_best(const struct contest *contest, sw_arena *arena, sw_recipe *recipe, sw_diag *diag);

/* Is the formula a product of two matrices? */
bool contest_is_of_matrices(const struct contest *contest);

/* The scheme of the formula, without places in errors; */
bool contest_scheme(const struct contest *contest, sw_scheme *scheme, sw_diag *diag);

/* the family of schedules that it is chosen from; and one of them as a recipe.  Errors: S02; E01. */
bool contest_family(const struct contest *contest, sw_scheme *scheme, sw_grid_question *question, sw_diag *diag);
bool contest_write(const struct contest *contest, const sw_scheme *scheme, sw_arena *arena, sw_recipe *recipe,
	sw_diag *diag);

/* The same without axes of one processor, but of products of matrices. */
bool contest_recipe(const struct contest *contest, const sw_scheme *scheme, sw_arena *arena, sw_recipe *recipe,
	sw_diag *diag);

/* Predicts its time where there is a machine; and is it better than the other? */
void contest_predict(const struct contest *contest, struct contender *contender);
bool contest_is_better(const struct contest *contest, const struct contender *contender,
	const struct contender *other);

/* Multiplications and additions at each element that is made, terms added. */
int64_t contest_flops_of_element(const sw_formula *formula);

/* The names of the formula's arrays are those of the contender. */
void contest_name_arrays(const struct invocation *run, const sw_formula *formula, struct contender *contender);

/* A sentence about the first of them. */
void contest_why(const struct contest *contest, sw_text *text);

/* Says all of it. */
bool contest_answer(const struct invocation *run, const struct contest *contest, sw_diag *diag);

/* `compare` of the last formula. */
bool compare_schedules(struct invocation *run, sw_diag *diag);

#endif
