/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns of rows (rows.h): what a value is called, where it stands in a struct, and how people and programs read it.
 *
 * What is not known - a number below its least, NaN, a NULL, a text of which nothing is printed - is an empty cell, and null.
 * Of rows that are folded into one that has the sum of numbers that add up; of all else it has what is the same in each of them,
 * and what is not is not known; but where less is better it has the numbers of the first.
 */
#ifndef SHARDWALK_ANSWER_COLUMNS_H
#define SHARDWALK_ANSWER_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <shardwalk/diag.h>
#include <shardwalk/mesh.h>

#include "answer/fields.h"
#include "canvas/table.h"

/* What a value is: the type of the member, and how it is read. */
enum row_kind {
	ROW_COUNT,    /* a whole number, of any size: "1234" */
	ROW_DEVICE,   /* the same, which people read as the name of a device on the mesh of the rows: "B0" */
	ROW_LARGE,    /* the same as "1 234" */
	ROW_BYTES,    /* the same as "1.2 KiB" */
	ROW_NUMBER,   /* double, with `digits` behind the point */
	ROW_AMOUNT,   /* the same, of bytes: "1.2 KiB" */
	ROW_SHARE,    /* the same, of a whole that is 1: a bar and "42%" */
	ROW_SECONDS,  /* double: "12.5 us", with `digits` in all */
	ROW_FLAG,     /* bool, as its `mark` */
	ROW_WORD,     /* const char * */
	ROW_STR,      /* sw_str */
	ROW_TYPE,     /* sw_type, or a pointer to one */
	ROW_TEXT,     /* what `print` prints */
	ROW_LIST,     /* what `fill` adds to a list */
	ROW_OBJECT,   /* and to an object; with the key "" to that of the row */
	ROW_NUMBERED, /* the number of the row in the array, from 1 */
	ROW_FOLDED    /* how many rows are folded into this one; not known where none are */
};

/* A row, for the functions of its columns. */
struct row_at {
	const void *row;
	int64_t number; /* from 1 */
	int part;       /* of the column */
	const void *of; /* of all rows */
	const sw_mesh *mesh;
	sw_diag *diag;
	struct row_fold {
		const void *row; /* the array, and the size of a row */
		size_t size;
		const int64_t *index; /* of those that are folded into one, of which `row` above is the first, from 0 */
		int64_t count;        /* 0: none are */
		bool best;            /* numbers are those of the first */
	} fold;
};

struct row_column {
	const char *key;     /* for programs; NULL: they do not get it */
	const char *heading; /* of the table; NULL: it is not in it */
	enum row_kind kind;
	size_t at, size;     /* of the member; or a function: */
	size_t through;      /* 1 + where a pointer stands to the struct that has it; 0: the row has it */
	unsigned when;       /* only where the rows are all of this, */
	unsigned unless;     /* and none of that */
	const char *order;   /* the word by which rows are ordered so, and by which they are folded; NULL: the key */
	const char *click;   /* the word of another column, by which a click on this head orders; NULL: by itself */
	bool rises;          /* ordered by it the smallest is first, as it is with texts; else the largest */
	bool falls;          /* the largest is first, where less is better in other columns of the rows */
	bool adds;           /* rows that are folded into one have the sum */
	bool first;          /* ... and here what the first of them has */
	bool folds;          /* rows that have the same text here can be folded into one */
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

/* How a value is read by people: false, and nothing is added, where it is not known. */
bool column_print(const struct row_column *column, const struct row_at *at, sw_text *text);

/* A value of a number of any kind; false: it is not known, or is none. */
bool column_number(const struct row_column *column, const struct row_at *at, double *number);

/* Adds the value under its key to an object, or null. */
bool column_write(const struct row_column *column, const struct row_at *at, const char *key, struct fields *in);

bool column_is_number(const struct row_column *column);
enum role column_role(const struct row_column *column);

/* The key or the heading, which a function says where it is "". */
const char *column_name(const struct row_column *column, const void *of, const char *name, int part);

#endif
