/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables: cells are added row by row, widths follow from them, and what is too wide gives way.
 *
 * A table is drawn as a whole, or row by row, so that more may stand below a row.
 */
#ifndef SHARDWALK_CANVAS_TABLE_H
#define SHARDWALK_CANVAS_TABLE_H

#include "canvas/canvas.h"

/* A width in which every table fits. */
#define TABLE_WIDEST (1 << 20)

#define TABLE_COLUMNS 16

/* What becomes of a cell that its column is too narrow for. */
enum cell_fit {
	CELL_WHOLE, /* it goes on to the right */
	CELL_CUT,
	CELL_END, /* its beginning is cut off, where it is no head */
	CELL_WRAP /* it goes on in the rows below */
};

struct column {
	const char *head;
	bool right; /* numbers stand to the right */
	enum role role;
	enum cell_fit fit;
	const char *less; /* NULL, or: with CELL_END what begins so is left out first */
	int least, most;  /* of its width; 0: there is no such bound */
	int gap;          /* columns before it; 0: two, and none before the first */
	int indent;       /* of the rows after the first, where it is wrapped */
	bool optional;    /* it is left out where all its cells are empty */
	int drops; /* in a narrow table the columns with 1 are left out first, then those with 2, ...; 0: it stays */
	int wants; /* no other is left out for more of its width than this; 0: for all of it */
	int gives; /* then it becomes as narrow as this, so that the others fit; 0: it does not */
	int takes; /* it takes what is left of the width; where that is less than this, `least` of it, or it is left out */
};

#define COLUMN_LEFT(name, as) \
	{ \
		.head = (name), .role = (as) \
	}
#define COLUMN_RIGHT(name, as) \
	{ \
		.head = (name), .right = true, .role = (as) \
	}

struct table_cell {
	size_t at; /* of its text in the table's */
	enum role role;
	bool over; /* a mark stands after it */
};

struct table {
	struct column column[TABLE_COLUMNS];
	int width[TABLE_COLUMNS]; /* 0: it is left out */
	bool left_out[TABLE_COLUMNS];
	int columns, cells, room;
	struct table_cell *cell;
	sw_text text; /* of all cells */
	char *heads;  /* its own copies of them; NULL: they are whoever's they were */
	bool failed;
};

/* Starts a table; `column` ends with a head of NULL and is copied. */
void table_start(struct table *table, const struct column *column);
void table_free(struct table *table);

/* Adds the next cell. */
void table_add(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_add_text(struct table *table, sw_text *text);            /* and frees the text */
void table_add_count(struct table *table, int64_t number);          /* "1 234 567" */
void table_add_if(struct table *table, bool there, int64_t number); /* an empty cell where it is not */

/* The cell that was added last: in another role than its column's; as one above its bound, with a mark after it. */
void table_paint(struct table *table, enum role role);
void table_mark_over(struct table *table);

/* How many rows there are; the column with this head, -1 where none has it; what stands in a cell. */
int table_rows(const struct table *table);
int table_headed(const struct table *table, const char *head);
const char *table_text(const struct table *table, int row, int column);

/* From now on the heads are its own, so that it may live longer than whoever filled it.  false: there is no memory. */
bool table_own(struct table *table);

/* One row stands out, or, where it is -1, none does. */
void table_choose(struct table *table, int row);

/* The widths that columns need, fitted into `width` columns. */
void table_fit(struct table *table, int width);

/* Leaves a column out, whatever is in it.  Before table_fit. */
void table_leave_out(struct table *table, int column);

/* Columns up to the end of the last one; where one begins. */
int table_width(const struct table *table);
int table_at(const struct table *table, int column);

/* Draw after table_fit; each returns the next row.  Ruled: with a line below, as wide as `width`. */
int table_draw_heads(const struct table *table, struct canvas *canvas, int y);
int table_draw_ruled_heads(const struct table *table, struct canvas *canvas, int y, int width);
int table_draw_row(const struct table *table, struct canvas *canvas, int y, int row);

/* Its first so many columns only. */
int table_draw_part(const struct table *table, struct canvas *canvas, int y, int row, int columns);

/* A table without a view: heads where there are any, all rows, the last column wrapped into what is left of `width`.
 * A table without rows draws nothing. */
void table_draw(struct table *table, int width, struct canvas *canvas);

#endif
