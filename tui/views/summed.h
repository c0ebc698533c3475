/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What there is to see of a system, the axes on it, and sums over them.
 */
#ifndef SHARDWALK_VIEWS_SUMMED_H
#define SHARDWALK_VIEWS_SUMMED_H

#include <shardwalk/summing.h>

#include "session/placing.h"

/* Programs of one placement that take as long as each other. */
struct sum_bar {
	double seconds;
	int placement; /* from 0 */
	int64_t programs;
	int64_t rank;                 /* of the first among those of all placements, the fastest first, from 1 */
	int64_t number;               /* of the first among those of its placement, as `reductions` counts them, from 1 */
	const sw_contexts *contexts;  /* the steps that the path counts */
	const sw_context_path *first; /* one of them */
};

/* The programs of all placements. */
struct sum_bars {
	int count; /* the fastest first, or as sum_bars_order left them */
	struct sum_bar *bar;
	int placements;
	sw_placement *placement;
	double *allreduce; /* seconds of one all-reduce on each */
	int64_t programs;
};

/* Puts the bars in the order of a head of view_reductions: "time", "placement", "steps". */
#define SUM_BAR_ORDERS 3
extern const char *const sum_bar_orders[SUM_BAR_ORDERS];
void sum_bars_order(struct sum_bars *bars, const char *by);

struct canvas;

/* The rule of an operation on chunks: premise, effect, and what two of four devices hold before and after it.  Returns the next
 * row. */
int sum_rule_draw(sw_op op, int y, struct canvas *out);

struct sum_look {
	const struct placing *placing; /* NULL: no system is defined */
	bool has_sum;
	uint32_t summed;
	double bytes; /* of the sum, on each device */
	sw_hierarchy_kind kind;
	const sw_step *step;              /* that is looked at; NULL: none */
	int number;                       /* of the step by hand; 0: it is none */
	const sw_summing *before, *after; /* what devices hold; NULL: no sum */
	const sw_ports *ports;            /* NULL: seconds are not known */
	const double *brought;            /* bytes of each class before the step; NULL: not known */
	struct sum_bars *bars;            /* view_reductions; NULL: not known */
};

/* Is it known what a step, by hand or of the plan, loads ports with? */
bool ports_known(const struct sum_look *look);

/* The system as a tree with its ports beside it, whose bars are filled as far as the step has passed; of what `ports_known` says.  Returns
 * the next row. */
int ports_draw(const struct sum_look *look, double passed, struct canvas *out, int y);

#endif
