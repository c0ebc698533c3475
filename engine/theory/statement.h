/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statements: how the cases of one are drawn, and what is tried on each.
 */
#ifndef SHARDWALK_THEORY_STATEMENT_H
#define SHARDWALK_THEORY_STATEMENT_H

#include <shardwalk/theory.h>

#include "theory/case.h"

/* Numbers that follow from a seed alone (splitmix64). */
typedef struct sw_draw {
	uint64_t state;
} sw_draw;

uint64_t sw_draw_next(sw_draw *draw);
int sw_draw_below(sw_draw *draw, int count); /* 0 to count - 1 */

/* What is needed while one case is tried: memory that ends with the case, and what is to be said of it. */
typedef struct sw_try {
	sw_arena *arena;
	sw_diag *diag;
	char *why; /* of a case that refutes: what was promised, and what is */
	/* of a case that is drawn as it is tried */
	int64_t most;    /* devices that it may have */
	int64_t devices; /* that it has */
	sw_text *script; /* its lines */
	const sw_pulse *pulse;
} sw_try;

#define TRY_WHY 256

typedef enum sw_outcome {
	SW_HOLDS,
	SW_REFUTES,
	SW_NO_CASE, /* the numbers drawn made none */
	SW_FAILS    /* it could not be tried: see the diagnostic */
} sw_outcome;

#define STEPS_MOST 6

struct sw_statement_row;

/* Draws a case of a statement that is not about sequences of types, and tries it. */
typedef sw_outcome sw_own_claim(const struct sw_statement_row *row, sw_draw *draw, sw_try *work);

/* A row of the table.  `joined`: each type of a case follows from the one before by a step, the k-th by an operation of
 * step[k] (bits 1 << sw_op).  Otherwise the types are any. */
typedef struct sw_statement_row {
	sw_statement statement;
	int rank;        /* of the array, 0: 1 to 3 */
	int least, most; /* types of a case */
	bool joined;
	bool elsewhere; /* the steps begin at another type of the same tiles than the first of the case */
	unsigned step[STEPS_MOST];
	bool (*fits)(const sw_case *one); /* NULL: any such case will do */
	sw_outcome (*holds)(const sw_case *one, sw_try *work);
	sw_own_claim *own; /* in place of all that */
	int64_t devices;   /* at most, of an own case */
	int which;         /* of several statements that one own claim tries */

	/* The smallest case that refutes the form that is printed; where there is none among those that it looks at it holds. */
	sw_outcome (*smallest)(sw_try *work);
} sw_statement_row;

/* The table: one row a statement; how many. */
extern const sw_statement_row sw_statement_rows[];
extern const int sw_statement_row_count;

/* Draws a case of a row; false where none came of these numbers, or memory is short (*failed). */
bool sw_case_draw(const sw_statement_row *row, sw_draw *draw, bool unsplit, sw_arena *arena, sw_case *out,
	bool *failed);

/* Is this a case of the row? */
bool sw_case_fits(const sw_statement_row *row, const sw_case *one);

/* Makes a case that refutes as small as it stays one: fewer devices first, then dimensions, steps and sizes. */
bool sw_case_shrink(const sw_statement_row *row, bool unsplit, sw_case *one, sw_try *work);

/* What sw_statement_try does, of any row. */
bool sw_statement_row_try(const sw_statement_row *row, const sw_trial_options *options, sw_arena *arena,
	sw_trial *trial, sw_diag *diag);

#endif
