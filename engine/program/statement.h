/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a step by a formula computes, for those who do it in parts.
 */
#ifndef SW_PROGRAM_STATEMENT_H
#define SW_PROGRAM_STATEMENT_H

#include <shardwalk/computation.h>
#include <shardwalk/program.h>

#include "program/formula_run.h"

/* Is the array an operand of the step? */
bool sw_formula_is_operand(const sw_computation *computation, int array);

/* The operand that is, in the next of several steps in a row, what one makes: the first array that is read. */
int sw_formula_changing(const sw_step *step);

/* How a device stores the arrays of step `s`, without their data; -1: they are whole.  *bytes: of what is made.  NULL: no memory. */
sw_stored *sw_formula_store(const sw_program *program, int s, int64_t device, sw_arena *arena, int64_t *bytes);

/* One of several steps in a row on a device. */
typedef struct sw_formula_in_row {
	sw_stored *array; /* without their data */
	sw_region points;
	int64_t bytes; /* of what is made */
} sw_formula_in_row;

/* The one with `left` to come; `before`: how what the step before it made is stored, NULL: it is the first.  false: no memory. */
bool sw_formula_row_of(const sw_program *program, int s, int64_t device, int64_t left, const sw_local *before,
	sw_arena *arena, sw_formula_in_row *row);

/* What is made begins as it is (`+=`), or as 0. */
void sw_formula_begin(const sw_step *step, size_t bytes, const void *const *operand, void *made);

/* Computes at these points.  false: no memory. */
bool sw_formula_at(const sw_program *program, int s, const sw_stored *array, const sw_region *points,
	const void *const *operand, void *made, sw_arena *arena);

#endif
