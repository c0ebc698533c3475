/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is followed in a film, in words: an element or a tile of an array, or a device, at one moment of a plan or of a program.
 */
#ifndef SHARDWALK_VIEWS_FILM_WAY_H
#define SHARDWALK_VIEWS_FILM_WAY_H

#include <shardwalk/moments.h>

#include "canvas/canvas.h"
#include "views/views.h"

struct film_way {
	const sw_owners *of; /* of the array of the element */
	const sw_mesh *mesh;
	int rank;
	sw_str name;               /* of that array; empty: it is the only one */
	int now, about;            /* the moment, and the step in question, from 1; 0: none */
	const int64_t *element;    /* NULL: none is followed */
	struct view_tile tile;     /* that is followed, in which the element is */
	int64_t device;            /* VIEW_ALL: none is */
	const sw_plan *plan;       /* the steps are its; NULL: those of moments */
	const sw_moments *moments; /* else NULL */
	int array;                 /* which of theirs it is */
};

/* Adds `A[5, 7]`. */
void film_way_add_element(const struct film_way *way, sw_text *text);

/* Adds on which devices the element is, step after step, the first of its copies: `  element [5, 7]: device 9 → 11`; or the tile, with how
 * many have some of it where these are several. */
void film_way_add_places(const struct film_way *way, sw_text *text);

/* Adds `; in step 2 it gets 4 elements from 1 device, and sends nothing`, of all arrays.  Nothing where that is not known. */
void film_way_add_exchange(const struct film_way *way, sw_text *text);

/* A sentence about the element, or else about the device of a plan; the next row.  Nothing where neither is followed. */
int film_way_draw(const struct film_way *way, struct canvas *out, int y);

#endif
