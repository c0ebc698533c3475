/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of a program on ranks: all in one region that is laid out before the start, and the steps that make them.
 *
 * Every redistribution is a run of its plan, whose tiles on the way lie in the same region.
 */
#ifndef EX_VALUES_H
#define EX_VALUES_H

#include <shardwalk/simulate.h>

#include "kernels/blas.h"
#include "fetches.h"
#include "overlap.h"
#include "places.h"
#include "run.h"
#include "trial.h"

/* How it is done. */
typedef struct ex_manner {
	ex_transport transport;
	bool overlaps; /* computing goes on while messages travel; else step after step */
	bool copies;   /* also of what could be read in place inside of a host */
} ex_manner;

typedef struct ex_values {
	ex_team *team;
	const sw_program *program;
	ex_program *plan; /* of each step that redistributes */
	ex_run *run;
	int64_t *at;     /* where each value lies in the region */
	ex_program room; /* all of the region */
	ex_run all;      /* who has the memory */
	ex_blas blas;
	ex_overlap **overlap;  /* of each step that computes while its operands arrive; else NULL */
	const char **why;      /* of each other one by a formula, why not */
	ex_fetches **fetches;  /* of each step that computes while what the next one reads is fetched; else NULL */
	bool overlaps;         /* it does so; else step after step */
	const ex_trial *trial; /* the leaf is a product by ScaLAPACK, in these blocks; NULL: it is as the schedule says */
	ex_places places;      /* which values are read in place */
	char *look;            /* room for one of these, as it would be stored */
	int64_t look_bytes;
	char *scratch; /* for what products pack, and a tile to compare with */
	int64_t scratch_bytes;
} ex_values;

/* Plans where everything lies, without touching memory for data.  Small things live in `arena`. */
bool ex_values_lay_out(ex_values *values, ex_team *team, const sw_program *program, const ex_manner *manner,
	sw_arena *arena, ex_fault *fault);
void ex_values_need(const ex_values *values, ex_need *need);

/* Allocates.  All ranks call it; all get the same answer. */
bool ex_values_open(ex_values *values, ex_fault *fault);
void ex_values_close(ex_values *values);

/* This rank's tile of a value. */
char *ex_values_tile(const ex_values *values, int value);

/* The same as it would be stored, where it is read in place: a copy, until the next one is asked for. */
const char *ex_values_stored(const ex_values *values, int value);

/* Is what step `s` brings read in place, so that it does nothing? */
bool ex_values_in_place(const ex_values *values, int s);

/* Is it done with the step behind it, which computes meanwhile? */
bool ex_values_waits(const ex_values *values, int step);

/* Executes a step, on all ranks; `again`: in another round, where what is constant is there. */
void ex_values_step(ex_values *values, int step, bool again);

/* What a round brings becomes the first input. */
void ex_values_again(ex_values *values);

/* In place of a product: the same multiplications on matrices that lie as the library likes them.  false: the step is none. */
bool ex_values_reference(ex_values *values, int step);

#endif
