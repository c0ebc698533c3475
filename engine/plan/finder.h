/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding a plan: candidates are built one after the other and the best is kept.
 */
#ifndef SW_PLAN_FINDER_H
#define SW_PLAN_FINDER_H

#include <shardwalk/cost.h>
#include <shardwalk/plan.h>

#include "plan/lower.h"
#include "search/layout_search.h"
#include "search/orders.h"

typedef struct sw_finder {
	const sw_problem *problem;
	const sw_plan_options *options;
	sw_arena *arena;
	sw_diag *diag;
	const sw_machine *machine; /* of models in seconds */
	const char *machine_name;
	int64_t budget; /* in elements, filled in */
	bool bounded;   /* the strategy keeps the budget */
	bool grouped;   /* steps are priced by their groups: it matters for seconds which devices work together */
	sw_space space; /* in the default order, or of two orders where none fits both ends */
	bool one_prime;
	sw_plan blank; /* problem, strategy, model, budget: what every candidate starts from */
	sw_plan best;
	bool any;
	bool stopped;
	int64_t
		local_cost; /* optimum over local types under the model paper of one dimension a step; -1: not known yet */
	int64_t multi_dim_cost; /* and of several dimensions a step */
	int64_t lower_bound;    /* under the model paper, of a strategy under models in seconds */
	bool crowded;           /* a candidate was dropped whose maps would take too much */
	const char *
		unpriced; /* the first step of a candidate that was dropped: the machine has no rate for it; NULL: none was */
	int64_t least_live; /* the smallest peak memory among candidates that were dropped for it; 0: none was */
} sw_finder;

/* Counts what a search, or the finding of another plan, has looked at. */
void sw_finder_count(sw_finder *finder, const sw_search_result *result);
void sw_finder_count_plan(sw_finder *finder, const sw_plan *plan);

/* A plan that is being lowered; it must not move. */
typedef struct sw_candidate {
	sw_plan plan;
	sw_lowering lowering;
} sw_candidate;

void sw_candidate_begin(sw_candidate *candidate, sw_finder *finder, const sw_space *space);

/* Prices what was lowered, and keeps it if it is within the budgets and better than the best.  false: S09, E01. */
bool sw_finder_consider(sw_finder *finder, sw_candidate *candidate);

/* The same of steps without costs, whoever made them. */
bool sw_finder_consider_plan(sw_finder *finder, sw_plan *plan);

/* Does each of its steps gather, and split, one dimension at most?  Slices may split several. */
bool sw_plan_is_one_dimension(const sw_plan *plan);

/* The cost of a step under the plan's model, where that counts elements and is not the model paper. */
double sw_step_model_cost(const sw_plan *plan, int k);

/* The costs of all steps under the plan's model, and their sum. */
void sw_plan_price(sw_plan *plan, const sw_machine *machine);

/* The operation of the first step that the machine has no rate for, which makes the whole negative; NULL: none.  And the refusal that
 * says so, S10. */
const char *sw_plan_unpriced(const sw_plan *plan);
bool sw_refuse_unpriced(const char *operation, sw_diag *diag);

/* sw_plan_find for the slots of the mesh, whatever devices lie in them. */
bool sw_find_in_slots(const sw_problem *problem, const sw_plan_options *options, sw_arena *arena, sw_plan *plan,
	sw_diag *diag);

/* Elements that a device gets from others in an exchange, where it is in one slot of the mesh first and in another (mostly the
 * same) afterwards.  Without sums to be done no other way gets it less; of terms that others add up before it gets one. */
int64_t sw_exchanged(const sw_problem *problem, int64_t from_slot, int64_t to_slot);

/* The most elements that any device has to get from others; from_slot[p]: where the device that ends in slot p began
 * (NULL: there).  Above SW_MAX_MAP_DEVICES devices as if none held anything yet. */
int64_t sw_most_exchanged(const sw_problem *problem, const int32_t *from_slot);

/* The shortest path over local types under a model, lowered, as a candidate: the paper's plan, or one of steps of several dimensions.
 * Also tells the optimum over local types where the model is paper.  false: see finder->diag; true also where there is none, or where it
 * was stopped or (several) took too long. */
bool sw_consider_local_path(sw_finder *finder, sw_model model, bool multi_dim);

/* The optimum over local types of moves of several dimensions (or of one), which bounds every plan of the strategy and every order of
 * devices; where it takes too long, what is known of it.  E01. */
bool sw_find_local_bound(sw_finder *finder, sw_model model, bool multi_dim, int64_t *bound);

/* The same for a problem, by the strategy of `options` (fused: several dimensions).  S01, E01. */
bool sw_local_bound(const sw_problem *problem, const sw_plan_options *options, sw_model model, sw_arena *arena,
	int64_t *bound, sw_diag *diag);

/* Records who sends in the plan's exchanges, where a tile has several holders and the plan does not say it yet.  E01. */
bool sw_plan_record_senders(sw_plan *plan, sw_arena *arena, sw_diag *diag);

/* Fills finder->local_cost where it is not known yet. */
bool sw_find_local_cost(sw_finder *finder);

#endif
