/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Types of any kind as pictures: every element with the letter and the colour of the device that holds it, in the place of the tiles
 * of a tile type.
 */
#ifndef SHARDWALK_VIEWS_GENERAL_H
#define SHARDWALK_VIEWS_GENERAL_H

#include "views/sets.h"
#include "views/views.h"

/* One type, or two: before and after. */
struct general {
	const sw_mesh *mesh;
	int count;
	struct any_type type[2];
	sw_holding held[2];
	const char *name[2]; /* in headings; may be NULL */
};

/* A type; both ends of a problem, which has to live as long.  `order` as in sw_holding_of_type.  T04 where it is padded, E01. */
bool general_of_type(const sw_mesh *mesh, const struct any_type *type, const char *name, const int64_t *order,
	sw_arena *arena, struct general *general, sw_diag *diag);
bool general_of_problem(const sw_problem *problem, sw_arena *arena, struct general *general, sw_diag *diag);

/* Is the first end of a session's problem, or one of `both`, no tile type?  What there is of them then. */
bool general_ends(const struct state *state, bool both);
bool general_of_session(const struct session *session, bool both, sw_arena *arena, struct general *general,
	sw_diag *diag);

/* What views of tiles draw in the place of tiles: what is given, or what a plan between types of any kind has before its step and
 * after it; of it `opt->step` alone where that is 0.  false: there are tiles, or an error in `diag`. */
bool general_choose(const struct view_input *in, const struct view_options *opt, sw_arena *arena,
	struct general *general, sw_diag *diag);

/* The pictures of view_tiles, view_type and view_devices. */
view_function general_tiles, general_type, general_devices;

/* Are views to draw these instead? */
bool is_general(const struct view_input *in);

#endif
