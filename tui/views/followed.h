/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is followed, in a step of a plan: between which devices the element goes, or whatever a device sends and gets.
 */
#ifndef SHARDWALK_VIEWS_FOLLOWED_H
#define SHARDWALK_VIEWS_FOLLOWED_H

#include "views/views.h"

struct followed {
	sw_arena *arena; /* NULL: nothing is followed, or it is not known what moves */
	int64_t device;  /* it is this one; VIEW_ALL: an element */
	int64_t pieces;  /* that go from device to device */
	bool *sends;     /* of each device: does it send the element, or to the device? */
	bool *gets;      /* does it get the element, or from the device? */
};

/* Hands each piece from device to device to `use`; an element is followed before a device.  false: neither is, or it is not known. */
typedef void followed_use(void *user, int64_t from, int64_t to);
bool followed_each(const sw_plan *plan, int k, const struct view_options *opt, followed_use *use, void *user);

/* Of step `k` (from 0).  followed_free in any case. */
void followed_new(struct followed *followed, const sw_plan *plan, int k, const struct view_options *opt);
void followed_free(struct followed *followed);

/* Does something that is followed move in the step? */
bool followed_moves(const sw_plan *plan, int k, const struct view_options *opt);

/* Adds `element [5, 7]` or `device 3`. */
void followed_print(const sw_plan *plan, const struct view_options *opt, sw_text *text);

#endif
