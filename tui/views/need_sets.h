/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sets of elements as bars and grids: what a device has, needs and makes, with who sends it.
 */
#ifndef SHARDWALK_VIEWS_NEED_SETS_H
#define SHARDWALK_VIEWS_NEED_SETS_H

#include <shardwalk/relation.h>

#include "views/owners.h"

struct set_picture {
	struct canvas *out;
	sw_arena *arena;
	const sw_mesh *mesh;
	const struct owners *owners; /* colours and letters of senders */
	const int64_t *global;       /* of the array, */
	int rank;
	int64_t window[2];    /* of one dimension: the indices that are drawn, before the second; all where that is 0 */
	int y;                /* the next row */
	int64_t block[2];     /* the largest elements of a cell so far, down and across */
	bool letters, folded; /* some cell has the letter of a sender; dimensions are left out */
};

/* Draws of an array of one dimension only what is near these sets, where they are a small part of it. */
void set_window(struct set_picture *p, const sw_region *a, const sw_region *b);

/* Draws a set with its name and its indices; `messages`, NULL or what comes of it, with arrows and numbers of senders.  false: no memory. */
bool set_draw(struct set_picture *p, const char *name, const sw_region *region, enum role role,
	const sw_messages *messages);

/* Between two sets of an array of one dimension: arrows to where messages begin. */
void set_arrows(struct set_picture *p, const sw_messages *messages);

/* Explains what stands there. */
void set_legend(struct set_picture *p);

#endif
