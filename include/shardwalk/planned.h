/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs with plans: what is executed, in this process (simulate.h) and on MPI ranks.  One file holds such a program, schema
 * shardwalk.plan/2.
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

/* A program whose types are all known as it is executed: each redistribution has its plan, values have their bytes and their last uses,
 * and names of their own, those that sw_program_print prints.  What is redistributed to where it lies is no step.  Redistribution number n of
 * those that sw_program_next_move tells has the plan `plan[n]`; where that is NULL, or there is no `plan`, it keeps the one that it has, or one is found with `options`.
 * Everything lives in `arena` and in what is given.  Errors: A10 where a type is open, those of sw_plan_find, T10, E01. */
bool sw_program_plan(const sw_program *program, const sw_plan *const *plan, const sw_plan_options *options,
	sw_arena *arena, sw_program *planned, sw_diag *diag);

/* The same program with elements of another type, in `arena`: its redistributions have no plans.  E01. */
bool sw_program_with_dtype(const sw_program *program, sw_dtype dtype, sw_arena *arena, sw_program *out,
	sw_diag *diag);

/* ---- files ---- */

/* Adds a program with plans as JSON, schema shardwalk.plan/2, with a newline at its end: the text of the program, its values (name,
 * type, bytes) and steps (operation, operands, result), each redistribution with its plan.  `flags` as of sw_plan_write.  S08, E01. */
bool sw_program_write(const sw_program *program, unsigned flags, sw_text *text, sw_diag *diag);

/* Is this text such a file, rather than one of a plan alone? */
bool sw_program_is_file(sw_str text);

/* Reads one, and derives everything again from the text of the program; each plan is checked by itself.  B04, P01, P02, P03 with
 * the position, and those of programs and plans. */
bool sw_program_read(sw_str text, sw_arena *arena, sw_program *program, sw_diag *diag);

/* ---- room ---- */

/* Something that lies in memory from step `first` to step `last`, both included. */
typedef struct sw_tenant {
	int64_t bytes;
	int first, last;
	int64_t at; /* where it comes to lie */
} sw_tenant;

/* Lays them out in one region, no two at one place at one time, each at a multiple of `unit` > 0; the bytes that the region
 * takes, -1 where they overflow or memory is short. */
int64_t sw_tenants_place(sw_tenant *tenant, int count, int64_t unit, sw_arena *arena);

#pragma GCC visibility pop

#endif
