/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparing plans: what is known beyond what a plan says, in which order they stand, and why one is cheaper than the next.
 */
#ifndef SHARDWALK_COMMAND_COMPARE_H
#define SHARDWALK_COMMAND_COMPARE_H

#include <shardwalk/cost.h>

#include "command/plan.h"

#define COMPARED_MOST (SW_STRATEGY_COUNT + 1) /* plans of all strategies, and one more */

/* A strategy that has no plan, and why. */
struct refused {
	sw_strategy strategy;
	sw_diag why;
};

/* Plans of all strategies for one problem, best first. */
struct comparison {
	sw_plan *plans[COMPARED_MOST];
	int count;
	struct refused refused[SW_STRATEGY_COUNT];
	int refused_count;
	const sw_machine *machine;
	struct plan_facts *facts;
	sw_text why;       /* why the first is the first; to be freed */
	sw_text not_taken; /* why it is not what `plan` takes; empty where it is; to be freed */
};

/* Finds one plan of a problem, in `arena`; progress is shown where it is not one of many. */
bool compare_find_one(const struct invocation *run, bool one_of_many, const sw_problem *problem,
	sw_plan_options *options, sw_arena *arena, sw_plan *plan, sw_diag *diag);

/* Finds them for a problem, in `arena`; progress is shown where it is not one of many.  Errors: that of `plan` where no plan
 * is within its bounds; S03, E01. */
bool compare_find(const struct invocation *run, const struct plan_request *asked, bool one_of_many,
	const sw_problem *problem, sw_arena *arena, struct comparison *c, sw_diag *diag);

/* Sorts them, and finds machine, facts and why. */
bool compare_know(const struct invocation *run, const struct plan_request *asked, struct comparison *c,
	sw_diag *diag);

/* Keeps what view_compare draws, copied, as what the session compared last.  Without memory nothing is kept. */
void compare_keep(struct session *session, const struct view_input *shown);

/* The members of shardwalk.compare/1; `name` of the problem may be NULL. */
bool compare_object(struct fields *in, const struct comparison *c, const char *name, sw_diag *diag);

/* Why a strategy has no plan, in `arena`. */
const char *compare_reason(const struct refused *refused, sw_arena *arena);

/* `compare --to TYPE`: the present target beside another one. */
bool compare_targets(const struct invocation *run, const struct plan_request *asked, const struct word *to,
	sw_diag *diag);

/* `compare --merged [PLAN]`: a plan beside what it becomes when neighbouring steps are merged. */
bool compare_merged(const struct invocation *run, const struct plan_request *asked, const struct word *plan,
	sw_diag *diag);

/* Volume and predicted time of each plan; measured: what the last run of this problem measured for the same steps. */
struct plan_facts *compare_facts(const struct invocation *run, sw_plan *const *plans, int count,
	const sw_machine *machine, sw_diag *diag);

/* The steps of a plan as the last run of its problem measured them; NULL: it did not run these steps. */
const struct times *compare_times(const struct session *session, const sw_plan *plan);

/* Keeps in the run what was run: the problem, and the steps of its plans. */
void compare_remember(struct kept_run *kept, const sw_plan *const *plans, int count);

/* Sorts plans and their facts: those within budget and live bound first; then by cost, predicted time, steps; at last fused,
 * the other strategies as in their table, those that follow other systems, and what is no strategy's plan. */
void compare_sort(sw_plan **plans, struct plan_facts *facts, int count);

/* Puts plans and their facts in the order that was asked for, where there is one: then nothing shares a row.  Error: E01. */
bool compare_arrange(const struct invocation *run, sw_plan **plans, struct plan_facts *facts, int count,
	sw_diag *diag);

/* Finds which plans, sorted, take the same steps as one before them, so that they share its row.  What is no strategy's plan has
 * a row of its own, and so has what was measured apart. */
void compare_share(sw_plan *const *plans, struct plan_facts *facts, int count);

/* What a row is called: the strategy, or where the plan is from. */
const char *compare_name(const sw_plan *plan);

/* Is it above its budget, or above its bound on live memory? */
bool compare_is_over(const sw_plan *plan);

/* Costs that differ only in how they were added up are the same. */
double compare_rounded(double cost);

/* Do both take the same operations, over the same groups, through the same types? */
bool compare_same_steps(const sw_plan *a, const sw_plan *b);

/* The plan as one of this model: its costs anew, in `arena`; without its proof, which was for other bounds.  Error: E01. */
bool compare_price(const sw_plan *plan, const sw_plan_options *options, sw_arena *arena, sw_plan *priced,
	sw_diag *diag);

/* A sentence about the first of the plans, which are sorted: by how much it is cheaper than the next, and what that one spends
 * more on.  Blanks inside figures do not break. */
void compare_why(sw_plan *const *plans, const struct plan_facts *facts, int count, sw_text *text);

/* A sentence where the first of the plans is another one than that of the strategy that is set: why that is not taken. */
void compare_not_taken(sw_plan *const *plans, const struct plan_facts *facts, int count, sw_strategy set,
	sw_text *text);

/* Adds a plan without its steps, as sw_plan_write writes it, with volume and times. */
bool compare_fields(struct fields *in, const sw_plan *plan, const struct plan_facts *facts, sw_diag *diag);

#endif
