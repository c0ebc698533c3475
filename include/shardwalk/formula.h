/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas: what is computed from which elements, `y[i] = 2*x[i] - x[i-1] - x[i+1]`.
 *
 *     FORMULA = [NAME ":"] ACCESS ("=" | "+=") SUM ["wrap"] ["on" NAME]
 *     SUM     = ["-"] TERM {("+" | "-") TERM}        TERM = FACTOR {"*" FACTOR}
 *     FACTOR  = NUMBER | ACCESS | WORD "(" SUM {"," SUM} ")"
 *     ACCESS  = NAME | NAME "[" INDEX {"," INDEX} "]" | NAME "(" INDEX {"," INDEX} ")"
 *     INDEX   = ":" | affine in one letter | "(" affine ")" "/" INTEGER | LETTER "/" INTEGER | "graph" FILE
 *
 * On the left there are letters alone.  A letter that the left side lacks is summed, over the terms that have it.  What devices
 * hold of the left side says what they need of the arrays on the right: the images of the points that they compute.
 *
 * A formula is a value.  Its lists live in the arena that it was read into, and its words point into the text.
 *
 * Source: seed 002, sections 2.4 and 5; products: product.h.
 */
#ifndef SHARDWALK_FORMULA_H
#define SHARDWALK_FORMULA_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/access.h>
#include <shardwalk/diag.h>
#include <shardwalk/holding.h>
#include <shardwalk/product.h>
#include <shardwalk/text.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

typedef struct sw_formula_array {
	sw_str name;
	sw_span at; /* where it is named first */
	int rank;   /* how many indices its accesses have */
	bool known; /* its sizes are: whoever knows its type says so */
	int64_t size[SW_MAX_DIMS];
} sw_formula_array;

typedef struct sw_formula_access {
	int array, term;       /* of the sum on the right; -1: the left side */
	const sw_index *index; /* one a dimension */
	sw_span at;
	const sw_span *index_at; /* of each index */
} sw_formula_access;

typedef enum sw_factor_kind { SW_FACTOR_NUMBER, SW_FACTOR_ACCESS, SW_FACTOR_FUNCTION } sw_factor_kind;

struct sw_formula_sum;

typedef struct sw_formula_factor {
	sw_factor_kind kind;
	sw_str word; /* the digits of a number, the name of a function */
	int access;
	int arguments;
	const struct sw_formula_sum *argument; /* of a function */
} sw_formula_factor;

typedef struct sw_formula_term {
	bool minus;
	int factors;
	const sw_formula_factor *factor;
} sw_formula_term;

typedef struct sw_formula_sum {
	int terms;
	const sw_formula_term *term;
} sw_formula_sum;

typedef struct sw_formula {
	sw_str name; /* empty: it has none */
	int arrays, accesses;
	sw_formula_array *array;         /* the first is that of the left side; no two have one name */
	const sw_formula_access *access; /* the first is the left side; then in the order of the text */
	bool adds;                       /* to what the array holds: `+=` */
	sw_formula_sum sum;
	bool wrap;
	int on;            /* the array where it is computed; -1: where the left side is */
	int kept, letters; /* the first letters are those of the left side, the others are summed */
	char letter[SW_MAX_LETTERS];
	int64_t size[SW_MAX_LETTERS];
	/* Where a letter is first, and from sw_formula_fit on where it has its size from. */
	sw_span letter_at[SW_MAX_LETTERS];
} sw_formula;

/* ---- texts ---- */

/* Reads the file of an index `graph FILE`: its text, which lives as long as the formula.  false: the diagnostic says why. */
typedef struct sw_file_reader {
	bool (*read)(void *context, sw_str name, sw_str *text, sw_diag *diag);
	void *context;
} sw_file_reader;

/* Is this the beginning of a formula: NAME, NAME[...] or NAME(...), and `=` or `+=` behind it? */
bool sw_formula_begins(sw_str line);

/* The length of the formula at the start of `text`: up to a word that begins with `--`. */
size_t sw_formula_length(sw_str text);

/* Reads a formula.  `files`: NULL, `graph` is refused.  Errors, with both places where two contradict each other: F01, F03,
 * F05 to F14; E01. */
bool sw_formula_parse(sw_str text, const sw_file_reader *files, sw_arena *arena, sw_formula *formula, sw_diag *diag);

/* Gives the letters their sizes, from arrays whose sizes are known.  Those of the left side follow where they are not.  Errors:
 * F04 for a letter of two sizes, F09 for one without a size, F12 for a graph of other sizes, F14; with both places. */
bool sw_formula_fit(sw_formula *formula, sw_diag *diag);

/* Says the sizes of an array; false where it has another number of dimensions (F03). */
bool sw_formula_set_array(sw_formula *formula, int array, int rank, const int64_t *size, sw_diag *diag);

/* The array of this name; -1: there is none. */
int sw_formula_find(const sw_formula *formula, sw_str name);

/* Adds the formula as sw_formula_parse reads it. */
void sw_formula_print(const sw_formula *formula, sw_text *text);

/* ---- products ---- */

/* Is it a product of two accesses with letters alone?  Their equation, then. */
bool sw_formula_equation(const sw_formula *formula, sw_equation *equation);

/* The formula of a product of arrays of these names, which live as long.  false: no memory. */
bool sw_formula_of_equation(const sw_equation *equation, const sw_str name[SW_EQUATION_SIDES], sw_arena *arena,
	sw_formula *formula);

/* ---- where it is computed, and what that needs ---- */

/* The points of its letters that each device computes: those whose element of an array it holds. */
typedef struct sw_points {
	const sw_formula *formula;
	sw_letter_ranges letters;
	int array; /* of the left side, or that which `on` names */
	sw_access access;
	bool same; /* the points are the elements of that array */
	const sw_holding *where;
	const sw_pulse *pulse; /* asked before each device; where it stops the work no region is made.  NULL: nobody is */
} sw_points;

/* `where` is the holding of array sw_formula_place(formula); both live as long as the points. */
int sw_formula_place(const sw_formula *formula);
void sw_formula_points(const sw_formula *formula, const sw_holding *where, sw_points *points);

/* What a device computes, in dimensions that are the letters.  false: no memory. */
bool sw_points_region(const sw_points *points, int64_t device, sw_arena *arena, sw_region *region);

/* What each device makes of the left side: gamma, by a rule over the points, which live as long. */
void sw_points_make(const sw_points *points, sw_holding_rule *rule, sw_holding *made);

/* Says of how many terms that is which is made: of one where each device makes whole values, else each device that makes an
 * element has a term of its own.  Errors: T11 where a point is computed on several devices, so that its terms would count
 * twice; E01. */
bool sw_points_sum(const sw_points *points, sw_holding *made, sw_diag *diag);

/* The type of what is made, where the array of the place is of a tile type: what cuts its kept letters cuts the left side, and
 * the left side is a sum over what cuts the others.  Errors: those of sw_type_partition_as and sw_type_set_sums; T11 where that
 * array is a sum already. */
bool sw_formula_made_type(const sw_mesh *mesh, const sw_formula *formula, const sw_type *where, sw_type *made,
	sw_diag *diag);

/* Adds the type of what is made, without its sums, in words behind the name of the type of the array of the place: `y`, `A
 * through i to 12`.  Of a single value it is that name, which has more. */
void sw_points_print_type(const sw_points *points, sw_str where, sw_text *text);

struct sw_reads;

/* What devices need of an array of the right side, and what they hold of it.  It points at itself: it is not copied. */
typedef struct sw_need {
	const sw_points *points;
	int array;
	const sw_holding *held; /* alpha */
	sw_holding needed;      /* beta, undefined where nothing is computed */
	sw_holding_rule rule;
	int groups;
	const struct sw_reads *reads; /* accesses of terms that count at the same points */
} sw_need;

/* `held` lives as long, NULL where nobody asks for it.  false: no memory. */
bool sw_points_need(const sw_points *points, int array, const sw_holding *held, sw_arena *arena, sw_need *need);

/* Adds the type of what is needed, in words behind the name of the type of the array of the place: `y shift -1 union y union y
 * shift 1`, `A through j to 12`.  false: no words say it (a graph; what goes round in another way than by a shift). */
bool sw_need_print_type(const sw_need *need, sw_str where, sw_text *text);

/* Has every device all that it needs (local), and nothing else (tight)?  false: no memory. */
bool sw_need_local(const sw_need *need, bool *local, bool *tight);

/* The elements that a device makes without any message (interior), and the others (boundary), with one need for each array of
 * the right side. */
bool sw_points_split(const sw_points *points, const sw_need *need, int needs, int64_t device, sw_arena *arena,
	sw_region *interior, sw_region *boundary);

#pragma GCC visibility pop

#endif
