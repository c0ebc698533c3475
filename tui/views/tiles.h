/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What pictures of tiles share: who holds a tile, as text, and what of that a legend has to explain.
 */
#ifndef SHARDWALK_VIEWS_TILES_H
#define SHARDWALK_VIEWS_TILES_H

#include "views/holding.h"
#include "views/owners.h"

#define LIST_ROOM 4096 /* devices listed for one tile; more are counted */

/* What stands in a picture, for its legend. */
struct signs_used {
	bool terms, stacked; /* in one line, and a line each */
	bool run, stride, more, folded, kept, marked, element;
	bool covered;               /* letters, by names of devices */
	char first[SW_DEVICE_SIZE]; /* an example of `more`, A0+3: the name ... */
	long long others;           /* ... and the number */
	int64_t crowd;              /* terms of a tile whose devices there was no room to tell apart; 0: none */
};

/* Tiles of one holding while they are drawn. */
struct tiles {
	const struct holding *now, *before; /* before: NULL, or what to compare with */
	const struct view_options *opt;
	const struct owners *owners;
	struct signs_used *used;
	int64_t *devices; /* LIST_ROOM of them */
	int dims[2];      /* down and across; VIEW_ALL: the array has no such dimension */
};

/* Tiles along a side of the picture. */
int64_t tiles_along(const struct tiles *tiles, int side);

/* The tile in a row and a column of tiles. */
struct tile_choice tiles_choice(const struct tiles *tiles, int64_t row, int64_t column);

#define TERMS_STACKED 8 /* lines of a cell; more terms stand in one */

/* Adds who holds a tile, or one `term` of it (VIEW_ALL: all of them in one line), in at most `room` columns, 0: the first and how many more; returns its role. */
enum role tiles_holders(const struct tiles *tiles, int64_t row, int64_t column, int64_t term, int room,
	sw_text *text);

/* Ends the text of who holds a tile with a colon where only that tells it from an offset, and `room` columns have room for it. */
void tiles_end(const struct tiles *tiles, int room, sw_text *text);

/* Does the followed element lie in this tile? */
bool tiles_followed(const struct tiles *tiles, int64_t row, int64_t column);

/* The lines above a picture: when that is, and the type. */
int tiles_draw_head(const struct tiles *tiles, struct canvas *out, int y);

/* Explains what stands in a picture, and nothing else; the next row. */
int tiles_legend(const sw_mesh *mesh, const struct signs_used *used, const struct view_options *opt,
	struct canvas *out, int y);

/* Which two dimensions are shown. */
void tiles_dims(const struct holding *shown, int count, const struct view_options *opt, int dims[2]);

/* ---- to scale ---- */

#define UNITS_MOST 256

/* A picture whose cells stand for equally many elements each, in every step of a plan. */
struct scale {
	int64_t unit[2];               /* elements of a cell, down and across */
	int units[2];                  /* cells */
	int cell[2];                   /* rows and columns of one */
	bool ruled[2][UNITS_MOST + 1]; /* is there room for a line before it? */
	int at[2][UNITS_MOST + 1];     /* where it begins, behind that line */
	int label;                     /* columns of the offsets */
	bool even;                     /* lines have room at equal distances, so that equal tiles are equally large */
	bool flat;                     /* no lines run between rows: who holds a tile stands in its first cell */
	int terms;                     /* that are stacked in a cell, at most */
	enum role *role;               /* of every term of every cell, row by row, */
	struct owner_sign *sign;       /* and its sign */
};

/* Lays out pictures of these holdings, `count` of them, in `width` columns each, and in `height` rows where that is not
 * 0.  false: they do not fit, or there is no memory.  scale_free in any case. */
bool scale_new(struct scale *scale, const struct tiles *tiles, const struct view_input *in,
	const struct holding *shown, int count, int width, int height);
void scale_free(struct scale *scale);
int scale_width(const struct scale *scale);
int scale_height(const struct scale *scale);

/* The elements of a cell alone, whatever there is room for. */
bool scale_units(const struct tiles *tiles, const struct view_input *in, const struct holding *shown, int count,
	int64_t unit[2]);

/* Draws one of them at the top of a canvas. */
void scale_draw(struct scale *scale, const struct tiles *tiles, struct canvas *out);

/* ---- the devices in their mesh, each with what it holds ---- */

/* Draws what `now` says, cells of `unit` elements; returns the row after it, 0: it does not fit. */
int slots_draw(const struct tiles *tiles, const int64_t unit[2], struct canvas *out, int y, int width);

/* Says which axis lies where. */
int slots_note(const sw_mesh *mesh, struct canvas *out, int y);

#endif
