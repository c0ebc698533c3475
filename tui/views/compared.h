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
	bool marked;
};

/* `facts` NULL: they are not known. */
struct compared compared_of(const sw_plan *plan, const struct plan_facts *facts, bool marked);

struct rows compared_rows(const struct compared *row, int64_t count);

/* Their columns alone. */
extern const struct rows compared_words;

#endif
