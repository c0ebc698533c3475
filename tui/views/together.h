/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who works together in a step: the group of every device, its colour and its letter.
 */
#ifndef SHARDWALK_VIEWS_TOGETHER_H
#define SHARDWALK_VIEWS_TOGETHER_H

#include "views/views.h"

struct together {
	const sw_plan *plan;
	int step; /* 0-based */
	sw_arena *arena;
	sw_step shown;  /* the step, in words of devices */
	int32_t *group; /* of every device; NULL: the step has none */
	int64_t groups;
};

/* Step `k` (0-based).  false: there is no memory, or there are too many devices; together_free in any case. */
bool together_new(struct together *together, const sw_plan *plan, int k);
void together_free(struct together *together);

/* How a device is drawn: in the colour of its group; in a step without groups, whether its tile comes from another. */
enum role together_role(const struct together *together, int64_t device);

/* The letter of its group; '\0' where there are no groups, or more than there are letters. */
char together_letter(const struct together *together, int64_t device);

bool together_same(const struct together *together, int64_t a, int64_t b);

/* Says what the step is, who works together in it, and along which axes; `joined`: lines join neighbours; the next row. */
int together_note(const struct together *together, const struct view_options *opt, bool joined, struct canvas *out,
	int y);

#endif
