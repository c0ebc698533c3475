/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * First owners: the device that held an element before anything moved, of copies the lowest.
 *
 * Its colour and its sign stay the same through a whole plan, so that one sees where an element comes from.
 */
#ifndef SHARDWALK_VIEWS_OWNERS_H
#define SHARDWALK_VIEWS_OWNERS_H

#include "views/holding.h"

struct owners {
	struct holding first;
	int hue; /* the axis that gives the hue; the others give lightness */
};

/* Those of a plan, or of the first of the types that are shown. */
struct owners owners_of(const struct view_input *in, const struct holding *shown);

/* Can they be told at all, in a picture of so many elements? */
bool owners_known(const struct owners *owners, int64_t elements);

/* The first owner of an element, whose index in a dimension is VIEW_ALL where any will do; -1: there is none. */
int64_t owners_at(const struct owners *owners, const int64_t *element);

enum role owners_role(const struct owners *owners, int64_t device);

/* A letter, a to z and A to Z; on larger meshes the number of the device. */
struct owner_sign {
	char text[24];
};
struct owner_sign owners_sign(const struct owners *owners, int64_t device);
int owners_sign_width(const struct owners *owners);

/* Says what colours alone stand for; the next row. */
int owners_note_colour(const struct owners *owners, struct canvas *out, int y);

/* Says what the signs stand for; the next row. */
int owners_note(const struct owners *owners, struct canvas *out, int y);

#endif
