/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows: what an answer says of things of one kind, once.
 *
 * A column says where a value stands in a struct, what people read above it and what programs call it.  Structs in an array and
 * their columns are a table, a list of objects and, where there is one, the members of an object or of a line of a batch.  Whoever
 * answers fills structs; cells and fields are written here only.  Rows may be shown in another order, or several as one (order.h).
 */
#ifndef SHARDWALK_ANSWER_ROWS_H
#define SHARDWALK_ANSWER_ROWS_H

#include "answer/columns.h"
#include "answer/document.h"

/* Rows in another order than in their array, and those that are folded into one next to each other. */
struct row_order {
	int64_t count;        /* of what is shown */
	const int64_t *index; /* in the array, from 0 */
	const int64_t *first; /* where row k of what is shown begins in `index`: count + 1 of them */
	bool folded;          /* by a column, though each may be alone */
};

struct rows {
	const struct row_column *column;
	int columns;
	const void *row;
	size_t size; /* of a row */
	int64_t count;
	const void *of;                        /* for functions */
	const sw_mesh *mesh;                   /* of types */
	unsigned is;                           /* bits of `when` and `unless` */
	bool (*only)(const struct row_at *at); /* which of them; NULL: all */
	const struct row_order
		*order;   /* which of them are shown, as order.h makes it; NULL: all, as they are in the array */
	int64_t most; /* shown at most, of what comes first in the order; 0: all */
	bool narrow;  /* drawn, the rule below the heads is as wide as the table, not as the canvas */
	bool rises;   /* less is better here: ordered by a number the smallest is first, but for columns that fall */
	bool any_is;  /* nobody knows yet what the rows are: every column is there */
};

/* Rows in an array: ROWS_OF(way_columns, ways->way, shown, .of = ways). */
#define ROWS_OF(list, array, many, ...) \
	(struct rows) \
	{ \
		.column = (list), .columns = sizeof(list) / sizeof(*(list)), .row = (array), .size = sizeof(*(array)), \
		.count = (many), __VA_ARGS__ \
	}

/* The columns alone, for the words that there are: const struct rows placements_words = ROWS_WORDS(ranked_columns). */
#define ROWS_WORDS(list) \
	{ \
		.column = (list), .columns = sizeof(list) / sizeof(*(list)), .any_is = true \
	}

/* How many are shown, and one of them, from 0. */
int64_t rows_shown(const struct rows *rows);
struct row_at rows_at(const struct rows *rows, int64_t i, sw_diag *diag);

/* Is a column there, as the rows are? */
bool rows_say(const struct rows *rows, const struct row_column *column);

/* The table alone, also where somebody else draws it, or on a canvas from row *y on; false: a signal ended it; what is added to `in` NULL is forgotten. */
bool rows_table(const struct rows *rows, struct document *document, sw_diag *diag);
bool rows_fill_table(const struct rows *rows, struct table *table, sw_diag *diag);
bool rows_draw(const struct rows *rows, struct canvas *out, int *y, sw_diag *diag);
bool rows_list(const struct rows *rows, struct fields *in, const char *key, sw_diag *diag);

/* Where heads are in a table that was fitted, and the word by which a click there orders; how many. */
struct head_spot {
	int x, width;
	const char *word;
};
const char *rows_head_word(const struct rows *rows, sw_str head); /* NULL: no column is headed so */
int rows_heads(const struct rows *rows, const struct table *table, struct head_spot spot[TABLE_COLUMNS]);

/* What the columns say of the first row, as members of an object. */
bool rows_members(const struct rows *rows, struct fields *in, sw_diag *diag);

#endif
