/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * First owners: the device that held an element before anything moved, of copies the lowest.
 *
 * Its colour and its sign stay the same through a whole plan, so that one sees where an element comes from.  A plan with
 * sums mixes what devices held: there it is the device that holds a term at present.
 */
#ifndef SHARDWALK_VIEWS_OWNERS_H
#define SHARDWALK_VIEWS_OWNERS_H

#include "views/holding.h"

struct owners {
	struct holding first;
	const struct holding
		*now; /* NULL, or, where there are sums: who holds a term now takes the place of who held it first */
	int hue;  /* the axis that gives the hue; the others give lightness */
};

/* Those of a plan, or of the first of the `count` types that are shown, which have to outlive them. */
struct owners owners_of(const struct view_input *in, const struct holding *shown, int count);

/* Those of types that are no tile types: colours and signs of devices alone. */
struct owners owners_of_mesh(const sw_mesh *mesh);

/* Can they be told at all, in a picture of so many elements? */
bool owners_known(const struct owners *owners, int64_t elements);

/* The same for a picture of `now`. */
struct owners owners_in(const struct owners *owners, const struct holding *now);

/* The first owner of an element, whose index in a dimension is VIEW_ALL where any will do; -1: there is none.  `term` is
 * 0 but where there are sums. */
int64_t owners_at(const struct owners *owners, const int64_t *element, int64_t term);

enum role owners_role(const struct owners *owners, int64_t device);

/* A letter, a to z and A to Z; on larger meshes the number of the device. */
struct owner_sign {
	char text[24];
};
struct owner_sign owners_sign(const struct owners *owners, int64_t device);
int owners_sign_width(const struct owners *owners);

/* Says what colours alone mean, where there are some; the next row. */
int owners_note_colour(const struct owners *owners, const struct view_options *opt, struct canvas *out, int y);

/* Says what the signs mean, and colours where there are some; the next row. */
int owners_note(const struct owners *owners, const struct view_options *opt, struct canvas *out, int y);

/* "letter and colour", "number and colour", "name"; of colours only where there are some. */
struct words owners_sign_words(const struct owners *owners, const struct view_options *opt);

#endif
