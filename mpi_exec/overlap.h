/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Computing while messages travel: a step by a formula, and the exchanges right before it that bring its operands.
 */
#ifndef EX_OVERLAP_H
#define EX_OVERLAP_H

#include <shardwalk/formula_parts.h>

#include "run.h"

typedef struct ex_overlap {
	int moves; /* exchanges; they are done with the step that computes, one after the other */
	const int *move;
	bool *constant; /* of each: what it brings is the same in every round */
	ex_run **run;
	const sw_formula_parts *parts;
	int *left;         /* of each part: the senders that it waits for */
	bool *done;        /* of each part */
	sw_arena *scratch; /* to be freed */

	/* while it is done */
	const void *const *operand;
	void *made;
	bool again, stays;  /* what is constant is there; what this rank keeps is where it is read */
	int next, arriving; /* the part that comes next of those that wait for nobody; the move */
} ex_overlap;

/* Is step `move` one that brings an operand to step `s`, a formula? */
bool ex_overlap_brings(const sw_program *program, int move, int s);

/* Is step `s` one that can be done so?  Then what it takes, in the arena; *overlap is NULL where it is not, and *why says why, if it is
 * a formula.  `run` are those of all steps. */
bool ex_overlap_lay_out(const sw_program *program, int s, ex_run *run, sw_arena *arena, ex_overlap **overlap,
	const char **why, ex_fault *fault);
void ex_overlap_close(ex_overlap *overlap);

/* Is step `s` one of its exchanges? */
bool ex_overlap_has(const ex_overlap *overlap, int s);

/* Does all of them; `again`: what is constant is there. */
void ex_overlap_step(ex_overlap *overlap, bool again, const void *const *operand, void *made);

#endif
