/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planned programs: values that devices hold, and steps that make one of them from others.
 *
 * What a program computes, and each of its redistributions with a plan.  That is what is executed: in this process
 * (simulate.h), and on MPI ranks.  One file holds it, schema shardwalk.plan/2.
 */
#ifndef SHARDWALK_PLANNED_H
#define SHARDWALK_PLANNED_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/plan.h>
#include <shardwalk/program.h>

#pragma GCC visibility push(default)

/* A value as devices hold it.  The inputs of the program come first, then the result of each step. */
typedef struct sw_held_value {
	sw_str name;
	sw_type type;
	int64_t bytes; /* of the tile of a device */
	int made,
		last; /* the step that makes it, -1 for an input; the last that reads it, `count` for what is returned */
} sw_held_value;

typedef struct sw_planned_step {
	sw_program_op op;
	int statement;                        /* whose it is; `statements` of the program: the return */
	int redistribution;                   /* its number among those of the program, from 0; -1: it is none */
	int count;                            /* operands */
	int operand[SW_MAX_OPERANDS], result; /* values */
	const sw_plan *plan;                  /* of a redistribution, with groups */
} sw_planned_step;

typedef struct sw_planned {
	const sw_program *program;
	int values, count, returned; /* returned: a value */
	sw_held_value *value;
	sw_planned_step *step;
	bool claimed; /* it was read: what its plans cost is the file's */
} sw_planned;

/* The values and steps of a program that is typed whole, as sw_program_print writes it: `planned->program` is that one, in
 * which each use in another type than the home is a statement of its own.  Redistribution number n has the plan `plan[n]`;
 * where that is NULL, or there is no `plan`, one is found with `options`.  Everything lives in `arena` and in what is given.
 * Errors: A10 where a home is open, those of sw_plan_find, T10, E01. */
bool sw_planned_make(const sw_program *program, const sw_plan *const *plan, const sw_plan_options *options,
	sw_arena *arena, sw_planned *planned, sw_diag *diag);

/* The equation that a step multiplies by, as it stands in its statement. */
const sw_equation *sw_planned_equation(const sw_planned *planned, const sw_planned_step *step);

/* The same program with elements of another type, in `arena`: its redistributions have no plans.  E01. */
bool sw_program_with_dtype(const sw_program *program, sw_dtype dtype, sw_arena *arena, sw_program *out,
	sw_diag *diag);

/* ---- files ---- */

/* Adds it as JSON, schema shardwalk.plan/2, with a newline at its end: the text of the program, its values (name, type, bytes)
 * and steps (operation, operands, result), each redistribution with its plan.  `flags` as of sw_plan_write.  S08, E01. */
bool sw_planned_write(const sw_planned *planned, unsigned flags, sw_text *text, sw_diag *diag);

/* Is this text a file of a program rather than of one plan? */
bool sw_planned_is(sw_str text);

/* Reads one, and derives everything again from the text of the program; each plan is checked by itself.  B04, P01, P02, P03 with
 * the position, and those of programs and plans. */
bool sw_planned_read(sw_str text, sw_arena *arena, sw_planned *planned, sw_diag *diag);

/* ---- room ---- */

/* Something that lies in memory from step `first` to step `last`, both included. */
typedef struct sw_tenant {
	int64_t bytes;
	int first, last;
	int64_t at; /* where it comes to lie */
} sw_tenant;

/* Lays them out in one region, no two at one place at one time, each at a multiple of `unit`; the bytes that the region
 * takes, -1 where they overflow or memory is short. */
int64_t sw_tenants_place(sw_tenant *tenant, int count, int64_t unit, sw_arena *arena);

#pragma GCC visibility pop

#endif
