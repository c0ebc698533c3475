/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules as programs: what is executed, in this process and on ranks.
 *
 * A statement of a program may have a schedule:
 *
 *     A = compute "A(i,j) = B(i,k) * C(k,j)" by ".distribute(i).communicate({B,C},i)" as f64[3{x}9, 9]
 *
 * It is as many steps as its loop has, which follow from the text whenever that is read.  Before each step of the schedule stands a FETCH of
 * each array that is fetched then, whose value is a buffer: what devices keep beside their homes.  A LEAF adds up the points of a step, where the
 * left side is kept, or in a buffer that a GIVE sends to its keepers.  Buffers live from the step that makes them to the last one that reads them,
 * like all values; what a FETCH sends is what sw_lowering_messages says, and comes from its nearest holders.
 *
 * Source: seed 003, sections 5 and 6.
 */
#ifndef SHARDWALK_SCHEDULE_PROGRAM_H
#define SHARDWALK_SCHEDULE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/arithmetic.h>
#include <shardwalk/computation.h>
#include <shardwalk/diag.h>
#include <shardwalk/local.h>
#include <shardwalk/program.h>
#include <shardwalk/schedule.h>

#pragma GCC visibility push(default)

/* Steps times processors of what is run: each is listed. */
#define SW_MAX_ITERATIONS (1 << 18)

/* The program of one statement by a schedule, over arrays of these types, one for each of its formula, by which the problem of the schedule has its
 * homes.  The arrays that are read are its inputs.  Everything lives in `arena`, and in what the schedule was made of.  Errors: those of
 * sw_lowering_of; S08 above SW_MAX_ITERATIONS; F14 for more arrays than a step may read; E01. */
bool sw_program_of_schedule(const sw_schedule *schedule, const sw_array_type *type, sw_arena *arena,
	sw_program *program, sw_diag *diag);

/* Adds a schedule over arrays of these types as a program of the paper, which `import` reads back: machine, placements, tensors, statement, chain.
 * Errors: P06 for a placement that the notation of the paper cannot say; E01. */
bool sw_schedule_write_distal(const sw_schedule *schedule, const sw_array_type *type, sw_arena *arena, sw_text *text,
	sw_diag *diag);

/* What moves of the array of a fetch in a step (from 0), as the ends of a problem over the devices of the mesh: what devices have before it, and
 * what they need in it.  What units of outer levels fetched, or lack, is on their first device, as the copies of nodes are.  Of the left side: the
 * terms that devices give away, each its own, and one of who alone keeps an element; and where they are added.  In the last step that is what
 * is given behind it, if anything is.  `array`: its type.  Types live in the arena.  Errors: L08 where nothing moves; T11 where each node adds terms
 * of the same elements for itself; S08; those of
 * sw_distribution_of_holding; E01. */
bool sw_lowering_ends(const sw_lowering *lowering, int fetch, int64_t step, const sw_type *array, sw_arena *arena,
	sw_array_type end[2], sw_diag *diag);

/* The schedule of a program; NULL: it has none. */
const sw_lowering *sw_program_lowering(const sw_program *program);

/* Does step `s` make something that is not finished, so that nobody can say what is right? */
bool sw_program_partial(const sw_program *program, int s);

/* The value, of the same type, on which what step `s` makes goes on: it may take its place.  -1: there is none. */
int sw_program_goes_on_from(const sw_program *program, int s);

/* ---- what is computed ---- */

/* One of `parts` equal parts of a LEAF, on a device, whose tiles these are: all of them in their order, before the first of which what is made
 * begins. */
typedef struct sw_leaf_part {
	const void *const *operand;
	const int64_t *const *
		steps; /* of an operand that is read where it is a box of a larger array: how many elements lie from one index to
	                                the next of each dimension; NULL: of all, or of one, that is stored as local.h says */
	void *made;
	int64_t device;
	int part, parts;
} sw_leaf_part;

/* Computes it, by the multiplier where it is a product of matrices.  false: no memory. */
bool sw_program_leaf(const sw_program *program, int s, const sw_leaf_part *part, const sw_multiplier *by);

/* What a LEAF does on the processor that has most to do: operations as they are computed, which are fewer than those of its points where two
 * of three arrays are multiplied first; and elements of all arrays that it reads or adds to, each once. */
typedef struct sw_leaf_load {
	double operations, elements;
} sw_leaf_load;

void sw_program_leaf_load(const sw_program *program, int s, sw_leaf_load *load);

/* ---- what moves ---- */

/* Is step `s` a FETCH or a GIVE, which sends? */
bool sw_program_sends(const sw_program *program, int s);

/* Are the elements that such a step brings added to what is there? */
bool sw_program_sends_terms(const sw_program *program, int s);

/* Elements that device `to` takes from what `from` stores of operand number `operand`.  They may be the same: what is kept is a move, too. */
typedef struct sw_iteration_move {
	int64_t from, to;
	int operand;
	const sw_loops *loops;
} sw_iteration_move;

typedef bool (*sw_iteration_use)(void *user, const sw_iteration_move *move);

/* Hands all moves of such a step to `use`, those to one device one after the other.  What they point to lives in `arena`.  Errors: P04 where
 * something is read that is nowhere; E01; false too where `use` said so. */
bool sw_program_each_move(const sw_program *program, int s, sw_arena *arena, sw_iteration_use use, void *user,
	sw_diag *diag);

/* ---- beside a library ---- */

/* A product of two matrices, a[m, n] = b[m, k] c[k, n]. */
typedef struct sw_schedule_product {
	int b, c;                /* inputs of the program */
	bool b_turned, c_turned; /* the array has its indices in the other order */
	int64_t m, n, k;
} sw_schedule_product;

/* Is that what the program of a schedule computes?  Else *why_not says why not. */
bool sw_program_product(const sw_program *program, sw_schedule_product *product, const char **why_not);

/* Such a program as a library of block-cyclic matrices computes it: the same inputs are copied to square blocks, which are dealt over a grid of all
 * processors, row by row; a START and one LEAF, whose operands are what it starts with, b and c, make the product there, which is copied to where the program returns it.  Everything lives in
 * `arena`, and in the program.  Errors: those of sw_plan_find and of types; E01. */
bool sw_program_on_blocks(const sw_program *program, const int64_t grid[2], int64_t block, sw_arena *arena,
	sw_program *out, sw_diag *diag);

#pragma GCC visibility pop

#endif
