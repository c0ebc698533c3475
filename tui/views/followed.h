/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is followed, in a step of a plan or in a moment of a program: between which devices the element or the tile goes, or whatever a
 * device sends and gets.
 */
#ifndef SHARDWALK_VIEWS_FOLLOWED_H
#define SHARDWALK_VIEWS_FOLLOWED_H

#include <shardwalk/moments.h>

#include "views/views.h"

struct followed {
	sw_arena *arena; /* NULL: nothing is followed, or it is not known what moves */
	int64_t device;  /* it is this one; VIEW_ALL: an element, or a tile */
	int64_t pieces;  /* that go from device to device */
	bool *sends;     /* of each device: does it send the element, some of the tile, or anything to the device? */
	bool *gets;      /* does it get that, or anything from the device? */
	bool *
		has; /* does it have the element, or some of the tile, after the step?  NULL: not asked of an element of a plan */
};

/* The tile that has an element after a step; of NULL where nobody has it. */
struct view_tile followed_tile_at(const sw_owners *of, int step, const int64_t *element);

/* Is an element of the tile? */
bool followed_tile_has(const struct view_tile *tile, const int64_t *index);

/* The elements of the tile.  false: no memory. */
bool followed_tile_region(const struct view_tile *tile, sw_arena *arena, sw_region *region);

/* How many of these elements a device has after a step; -1: no memory.  `arena` is as it was. */
int64_t followed_tile_on(const sw_owners *of, int step, int64_t device, const sw_region *region, sw_arena *arena);

/* How many steps there are in a plan, or moments in a program. */
int followed_steps(const struct view_input *in);

/* Hands each piece from device to device of step `k` (from 0) to `use`; a tile or an element is followed before a device.  false: none is, or
 * it is not known. */
typedef void followed_use(void *user, int64_t from, int64_t to);
bool followed_each(const struct view_input *in, int k, const struct view_options *opt, followed_use *use, void *user);

/* After step `k`, 0: before the first, when nothing moves.  followed_free in any case. */
void followed_new(struct followed *followed, const struct view_input *in, int k, const struct view_options *opt);
void followed_free(struct followed *followed);

/* Does something that is followed move in step `k` (from 0)? */
bool followed_moves(const struct view_input *in, int k, const struct view_options *opt);

/* Adds `element [5, 7]`, `tile [0:3, 0:2]` or `device 3`; of a program with the name of the array. */
void followed_print(const struct view_input *in, const struct view_options *opt, sw_text *text);

/* Adds `[0:3, 0:2]`; of a long set of elements `(device 3 after step 1)`. */
void followed_tile_print(const struct view_tile *tile, const sw_mesh *mesh, sw_text *text);

#endif
