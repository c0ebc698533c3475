/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Computing while messages travel: a step by a formula, and the exchange before it that brings its last operand.
 */
#ifndef EX_OVERLAP_H
#define EX_OVERLAP_H

#include <shardwalk/formula_parts.h>

#include "run.h"

typedef struct ex_overlap {
	int move; /* the step that brings the operand; it is done with the one that computes */
	ex_run *run;
	const sw_formula_parts *parts;
	int *left;         /* of each part: the senders that it waits for */
	sw_arena *scratch; /* to be freed */

	/* while it is done */
	const void *const *operand;
	void *made;
	int next;
} ex_overlap;

/* Is step `s` one that can be done so?  Then what it takes, in the arena; *overlap is NULL where it is not.  `run` are those of all steps. */
bool ex_overlap_lay_out(const sw_program *program, int s, ex_run *run, sw_arena *arena, ex_overlap **overlap,
	ex_fault *fault);
void ex_overlap_close(ex_overlap *overlap);

/* Does both steps. */
void ex_overlap_step(ex_overlap *overlap, const void *const *operand, void *made);

#endif
