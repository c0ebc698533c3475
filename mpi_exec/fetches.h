/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Computing while messages travel: a step of a schedule, and what is fetched for the next one.
 */
#ifndef EX_FETCHES_H
#define EX_FETCHES_H

#include <shardwalk/arithmetic.h>
#include <shardwalk/program.h>

#include "run.h"

typedef struct ex_fetches {
	const sw_program *program;
	int leaf, first;   /* the step that computes, and the first of those directly before it, which fetch meanwhile */
	ex_program brings; /* all that comes, as one step */
	ex_run run;

	/* while it is done */
	const sw_multiplier *by;
	const void *const *operand;
	void *made;
	int next; /* part of the leaf */
} ex_fetches;

/* Is step `s` a LEAF before which something is fetched for later, by messages?  Then what it takes, in the arena; else *fetches is NULL.  The values
 * of the program lie at these places. */
bool ex_fetches_lay_out(const sw_program *program, int s, const ex_run *all, const int64_t *at, sw_arena *arena,
	ex_fetches **fetches, ex_fault *fault);

/* Does all of these steps. */
void ex_fetches_step(ex_fetches *fetches, const sw_multiplier *by, const void *const *operand, void *made);

#endif
