/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows: what an answer says of things of one kind, once.
 *
 * A column says where a value stands in a struct, what people read above it and what programs call it.  Structs in an array and
 * their columns are a table, a list of objects and, where there is one, the members of an object or of a line of a batch.  Whoever
 * answers fills structs; cells and fields are written here only.
 *
 * What is not known - a number below its least, NaN, a NULL, a text of which nothing is printed - is an empty cell, and null.
 */
#ifndef SHARDWALK_ANSWER_ROWS_H
#define SHARDWALK_ANSWER_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <shardwalk/diag.h>
#include <shardwalk/mesh.h>

#include "answer/document.h"
#include "canvas/table.h"

/* What a value is: the type of the member, and how it is read. */
enum row_kind {
	ROW_COUNT,   /* a whole number, of any size: "1234" */
	ROW_LARGE,   /* the same as "1 234" */
	ROW_BYTES,   /* the same as "1.2 KiB" */
	ROW_NUMBER,  /* double, with `digits` behind the point */
	ROW_SECONDS, /* double: "12.5 us", with `digits` in all */
	ROW_FLAG,    /* bool, as its `mark` */
	ROW_WORD,    /* const char * */
	ROW_STR,     /* sw_str */
	ROW_TYPE,    /* sw_type, or a pointer to one */
	ROW_TEXT,    /* what `print` prints */
	ROW_LIST,    /* what `fill` adds to a list */
	ROW_OBJECT,  /* and to an object; with the key "" to that of the row */
	ROW_NUMBERED /* the number of the row, from 1 */
};

/* A row, for the functions of its columns. */
struct row_at {
	const void *row;
	int64_t number; /* from 1 */
	int part;       /* of the column */
	const void *of; /* of all rows */
	const sw_mesh *mesh;
	sw_diag *diag;
};

struct row_column {
	const char *key;     /* for programs; NULL: they do not get it */
	const char *heading; /* of the table; NULL: it is not in it */
	enum row_kind kind;
	size_t at, size;     /* of the member; or a function: */
	size_t through;      /* 1 + where a pointer stands to the struct that has it; 0: the row has it */
	unsigned when;       /* only where the rows are all of this, */
	unsigned unless;     /* and none of that */
	const char *missing; /* cell of what is not known */
	const char *mark;    /* cell of a flag that is set */
	int64_t least;       /* whole numbers below are not known */
	bool above;          /* numbers are known above 0 only */
	bool any;            /* numbers below 0 are numbers like others, and no text is a text */
	bool sparse;         /* what is not known is left out, and not null */
	bool dtype;          /* types stand with their element types, where they were given */
	bool left;           /* numbers stand to the left */
	int digits;          /* of the cell */
	int round;           /* digits for programs; 0: all */
	int place;           /* in the table; those of one place stand as they are listed */
	int part;            /* for its functions */
	enum role role;      /* of the cells; TEXT: that of the kind */
	struct column as;    /* how else the table has it */
	int64_t (*count_of)(const struct row_at *at);
	double (*number_of)(const struct row_at *at);
	const char *(*word_of)(const struct row_at *at);
	void (*print)(const struct row_at *at, sw_text *text);    /* of TEXT; of others how people read it */
	bool (*fill)(const struct row_at *at, struct fields *in); /* false: at->diag says why */
	const char *(*named)(const void *of, int part);           /* the key and the heading that is "" */
	int (*parts)(
		const void *of); /* so many columns of the table, from `part` on, of which the last drop first; NULL: one */
	enum role (*paint)(const struct row_at *at); /* of one cell; ROLE_COUNT: as the others */
};

/* A member: ROW_AT("cost", "cost", NUMBER, sw_way, cost, .place = 2); and one of the struct that a pointer in the row points to. */
#define ROW_AT(name, head, is, of, member, ...) \
	{ \
		.key = (name), .heading = (head), .kind = ROW_##is, .at = offsetof(of, member), \
		.size = sizeof(((of *)NULL)->member), __VA_ARGS__ \
	}
#define ROW_THROUGH(name, head, is, row, pointer, of, member, ...) \
	ROW_AT(name, head, is, of, member, .through = 1 + offsetof(row, pointer), __VA_ARGS__)

/* What a function says: ROW_BY("bound", NULL, WORD, .word_of = bound_of). */
#define ROW_BY(name, head, is, ...) \
	{ \
		.key = (name), .heading = (head), .kind = ROW_##is, __VA_ARGS__ \
	}

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
	bool narrow; /* drawn, the rule below the heads is as wide as the table, not as the canvas */
};

/* Rows in an array: ROWS_OF(way_columns, ways->way, shown, .of = ways). */
#define ROWS_OF(list, array, many, ...) \
	(struct rows) \
	{ \
		.column = (list), .columns = sizeof(list) / sizeof(*(list)), .row = (array), .size = sizeof(*(array)), \
		.count = (many), __VA_ARGS__ \
	}

/* A table for people, and a list of objects for programs, whichever the document is for.  `in` may be NULL.  false: a `fill`
 * failed, or a signal ended a long list, S03. */
bool rows_answer(const struct rows *rows, struct document *document, struct fields *in, const char *key,
	sw_diag *diag);

/* The table alone, also where somebody else draws it, or on a canvas from row *y on; false: a signal ended it; what is added to `in` NULL is forgotten. */
bool rows_table(const struct rows *rows, struct document *document, sw_diag *diag);
bool rows_fill_table(const struct rows *rows, struct table *table, sw_diag *diag);
bool rows_draw(const struct rows *rows, struct canvas *out, int *y, sw_diag *diag);
bool rows_list(const struct rows *rows, struct fields *in, const char *key, sw_diag *diag);

/* What the columns say of the first row, as members of an object. */
bool rows_members(const struct rows *rows, struct fields *in, sw_diag *diag);

#endif
