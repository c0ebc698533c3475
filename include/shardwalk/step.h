/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps: what is done to values, by collectives or by computing, to make one more.
 *
 * Sizes and costs are in elements per device unless a name says bytes or seconds.  A step belongs to the program that has it, with
 * all that it points to.  Groups and sources speak of slots of the mesh, numbered row-major, as types and maps do.  Which device lies
 * in a slot follows from the order of the mesh, and from the steps that change it; without any, that of the same number.
 *
 * Source: seed 000, figures 8, 10 and 11; groups by name: seed 001.
 */
#ifndef SHARDWALK_STEP_H
#define SHARDWALK_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/collective.h>
#include <shardwalk/diag.h>
#include <shardwalk/product.h>
#include <shardwalk/sender.h>

#pragma GCC visibility push(default)

/* How the members of a group pass on what they have.  The order of the members counts where they stand in a row; the first is the
 * root of what has one. */
typedef enum sw_passing {
	SW_PASSES_AT_ONCE, /* from each to each, as transfers say */
	SW_PASSES_ROUND,   /* around a ring, and along chains to a root and from it */
	SW_PASSES_BY_TREES /* the same, but sums for all go up two trees and down */
} sw_passing;

/* Which devices of a hierarchy (reduction.h) work together.  One row each: identifier, word, word of the case files, what it says. */
#define SW_GROUP_FORMS(X) \
	X(INSIDE, "inside", "inside", "the devices of each unit") \
	X(ACROSS, "across", "parallel", "the i-th devices of all units of one ancestor") \
	X(MASTERS, "masters", "master", "the first devices of all units of one ancestor")

typedef enum sw_group_form {
#define X(id, word, other, about) SW_FORM_##id,
	SW_GROUP_FORMS(X)
#undef X
		SW_FORM_COUNT
} sw_group_form;

/* The name of groups, by factors of a hierarchy: 0 is the root, i the i-th. */
typedef struct sw_group_name {
	sw_group_form form;
	int slice, ancestor;
	const char *
		words; /* the same as text, "inside node", where the step is of a plan on devices; one that was read has only these */
} sw_group_name;

#define SW_MAX_OPERANDS 8 /* of a step; a body has as many parameters */

/* Why there is a step. */
typedef enum sw_step_why {
	SW_STEP_WRITTEN, /* the text has it, or the plan that was found */
	SW_STEP_TO_USE,  /* it redistributes an operand to the type in which the written step that follows uses it */
	SW_STEP_TO_KEEP, /* it redistributes what the step before computes to the type in which that is kept; both values have one name */
	SW_STEP_TO_RETURN /* it redistributes what is returned to the type of the signature */
} sw_step_why;

struct sw_plan;
struct sw_program;
struct sw_computation;
struct sw_lowering;

#define SW_NO_OPERAND (-1)

/* What a step is in the loop of a schedule (schedule.h): START, FETCH, LEAF and GIVE have one.  Lists have a number for each array of the
 * statement. */
typedef enum sw_does { SW_DOES_START, SW_DOES_FETCH, SW_DOES_LEAF, SW_DOES_GIVE, SW_DOES_COUNT } sw_does;

typedef struct sw_iteration {
	sw_does does;
	const struct sw_lowering *lowering;
	int64_t step;      /* of it; of what is given away behind the last one, how many there are */
	int fetch;         /* of it, which is fetched or given away; else -1 */
	const int *home;   /* the operand in which an array is as it was in the beginning, SW_NO_OPERAND: in none ... */
	const int *buffer; /* of each fetch: that in which it is as it was brought last, or is added up */
	bool to_copies;    /* it is given to the copies of nodes; else to who keeps it */
	bool in_place;     /* the left side is added up where it is; else in a buffer */
	bool last;         /* it makes what the statement makes */
} sw_iteration;

typedef struct sw_step {
	sw_op op;
	sw_step_why why;
	int operands;
	int operand[SW_MAX_OPERANDS]; /* values of its program */
	sw_span at;                   /* in the text; empty where there is none */

	/* what is computed */
	const sw_equation *equation;   /* of a product */
	const struct sw_program *body; /* of one by a body: what every device runs on its tiles, which are its values */
	const struct sw_computation *
		formula; /* of one by a formula: operands are its arrays that are read, in their order, of `+=` the left side too; it may be a product */
	int64_t times;                 /* a formula is computed so often in a row, on what so many steps need; 0: once */
	const sw_iteration *iteration; /* of a schedule; else NULL */

	/* between whom something is moved */
	int gathers, splits;
	const sw_entry *gather, *split; /* by ascending dimension */
	int64_t cost;                   /* under the model paper */
	double model_cost;              /* under the plan's model */
	int64_t group_size;             /* devices per group; 0 where the step has no groups */
	int64_t grouped;    /* devices in `groups`: all, unless devices have pieces of tiles before it or after it */
	sw_group_name by;   /* what its groups are called, where they pass on pieces of sums */
	sw_passing passing; /* how the members of a group pass on what they have */
	const struct sw_plan
		*inside; /* how it is carried out, from the value before it to the one after: of a redistribution once it has
	                                 a plan; NULL: in one go */
	const int32_t *groups; /* grouped / group_size groups of slots before the step, in the order of pieces; or NULL */
	const char *groups_text; /* the same as "[4,2]<=[2,4]T(1,0)"; above 4096 devices, and there only; or NULL */
	const int32_t *source;   /* allpermute: slot p gets the tile that slot source[p] had; NULL: see types */
	/* exchange: device d takes what it needs of the tiles before, in row-major order, from sender[first_sender[d]] up to
	 * that of d + 1; NULL: see transfers.h */
	const int32_t *first_sender, *sender;
	sw_sender_rule rule;  /* the same of an exchange where an end is no tile type: who sends what several have */
	const int64_t *order; /* the device in each slot after the step, where the step changes that; else NULL */
} sw_step;

/* Is it a step of a schedule that does this? */
static inline bool sw_step_does(const sw_step *step, sw_does does)
{
	return step->iteration != NULL && step->iteration->does == does;
}

/* What a step gathers and splits: two lists by ascending dimension, which are somebody's. */
typedef struct sw_entries {
	int gathers, splits;
	const sw_entry *gather, *split;
} sw_entries;

/* Gives the step copies of them, in `arena`.  false: no memory. */
bool sw_step_keep(sw_step *step, const sw_entries *entries, sw_arena *arena);

/* A step as an operation with its factors, without parts and without a type to reach. */
void sw_step_call(const sw_step *step, sw_call *call);

#pragma GCC visibility pop

#endif
