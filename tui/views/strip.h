/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A strip: one array at every moment, drawn of its owners, as small pictures in a row; what films of plans and of programs share.
 */
#ifndef SHARDWALK_VIEWS_STRIP_H
#define SHARDWALK_VIEWS_STRIP_H

#include <shardwalk/owners.h>

#include "views/owners.h"

#define STRIP_MARGIN 5 /* columns of the labels on the left */
#define STRIP_GAP 9    /* columns of an arrow */
#define STRIP_LEAST 4  /* rows of a picture, its frame included */

struct strip {
	const struct view_options *opt;
	const sw_owners *of;
	struct owners signs;
	int steps, rank;
	int born;         /* the first moment at which there is something */
	bool beside;      /* devices are few enough to ask each what it has beside its home */
	int64_t lit;      /* what this device has; VIEW_ALL: all is */
	int dims[2];      /* down and across */
	int64_t size[2];  /* of the array there */
	int64_t unit[2];  /* elements of a block */
	int units[2];     /* blocks */
	int terms;        /* rows of a block, one a term */
	int zoom;         /* rows and columns for each of those */
	int across;       /* columns of a sign */
	bool bare[2];     /* no lines between tiles there: there is no room for them */
	int per;          /* rows of blocks in a row of cells */
	int stride;       /* steps from one picture to the next */
	int first, count; /* pictures in sight */
	uint64_t anew; /* a bit for each of these: blocks have the colour of who has them then, as there are no tiles */
	int width, height;
	int now;   /* moment that is chosen */
	int about; /* the step that is under way, else the one before that moment; 0: none */
};

/* Clears the canvas.  false where there is no room for one picture: then it says what room that needs. */
bool strip_begin(const struct view_options *opt, struct canvas *out);

/* In this order: what it is of; which pictures there is room for, around the chosen one, in so many rows each; and which two dimensions. */
void strip_start(struct strip *strip, const sw_owners *of, const sw_mesh *mesh, const struct view_options *opt);
void strip_window(struct strip *strip, int height);
void strip_shape(struct strip *strip, const sw_type *array, const int dims[2]);

/* The moment of the next picture in sight, -1: there is none; that of the one before; and which picture in sight it is, from 0. */
int strip_next(const struct strip *strip, int k);
int strip_before(const struct strip *strip, int k);
int strip_place(const struct strip *strip, int k);

/* Are there rows to spare in the pane? */
bool strip_spares(const struct view_options *opt);

/* `name` with `rest` behind it, and which pictures are in sight, in the same row where that fits; the next row. */
int strip_title(const struct strip *strip, const char *name, sw_text *rest, struct canvas *out, int y);

/* Rows (side 0) or columns that picture `k` takes, its frame included; the rows of the highest in sight. */
int strip_extent(const struct strip *strip, int k, int side);
int strip_tallest(const struct strip *strip);

/* Where the place of picture `k` begins, and the picture in its midst. */
int strip_column(const struct strip *strip, int k);
int strip_x(const struct strip *strip, int k);

void strip_picture(const struct strip *strip, int k, struct canvas *out, int x, int y);

/* Says which dimensions are drawn, and in blocks of what size. */
void strip_spot(const struct strip *strip, struct film_spot *spot);

/* From picture k - 1 to picture `k`, with a number or nothing above it. */
void strip_arrow(const struct strip *strip, int k, const char *above, struct canvas *out, int y);

/* What is on its way in step `k`, where that is under way: of each row of blocks one that moves, as far as the step has passed; `y` is the row
 * of the pictures.  `copies`: where no block moves for good all are sent. */
void strip_travel(const struct strip *strip, int k, bool copies, struct canvas *out, int y);

/* Has every device a tile of one size after step `k`? */
bool strip_tiled(const struct strip *strip, int k);

/* How many devices have each element after step `k`, of each of its terms; 0: not all have as many. */
int64_t strip_copies(const struct strip *strip, int k);

/* Has every block one owner? */
bool strip_alike(const struct strip *strip);

/* Says what pictures leave out, each line behind `name`; the next row. */
int strip_notes(const struct strip *strip, const char *name, struct canvas *out, int y);

/* The film of the moments of a program: a strip for each of its arrays, one below the other. */
view_function film_of_program;

#endif
