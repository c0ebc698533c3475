/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans side by side as rows: what view_compare shows of each, and what they are ordered by.
 */
#ifndef SHARDWALK_VIEWS_COMPARED_H
#define SHARDWALK_VIEWS_COMPARED_H

#include <stdbool.h>

#include <shardwalk/plan.h>

#include "answer/rows.h"
#include "views/views.h"

struct compared {
	const sw_plan *plan;
	double volume;              /* elements that arrive from other devices */
	double predicted, measured; /* seconds; below 0: not known */
};

/* `facts` NULL: they are not known. */
struct compared compared_of(const sw_plan *plan, const struct plan_facts *facts);

struct rows compared_rows(const struct compared *row, int64_t count);

/* How many rows view_compare draws, and which plan is in one of them (from 0): those that take the same steps share one. */
int compared_count(const struct view_input *in);
int compared_at(const struct view_input *in, int row);

/* Their columns alone. */
extern const struct rows compared_words;

#endif
