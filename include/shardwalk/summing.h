/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sum over axes of a placement, carried out step by step: who works together, what devices hold afterwards, or why a step
 * cannot be.
 *
 * Source: seed 001, sections 2.3 to 3.3, figures 3 to 8, lemmas B.3 to B.6.
 *
 * As many chunks are told apart as devices are summed over, and as many shares of each.  Hierarchies of the summed axes alone
 * (d and e) do the same in every sum, so that the devices of the first are followed; the others (a, b, c) may not, and all
 * devices are.  Where a sum has more than SW_MAX_FOLLOWED devices, two of each factor are followed: the others are like the
 * second.
 */
#ifndef SHARDWALK_SUMMING_H
#define SHARDWALK_SUMMING_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/reduction.h>

#pragma GCC visibility push(default)

#define SW_MAX_FOLLOWED 256 /* devices */

typedef struct sw_summing {
	const sw_system *system;
	const sw_mesh *axes; /* names of the placement's axes */
	sw_placed_sum sum;
	sw_hierarchy hierarchy; /* of all devices: steps are read and printed with it */
	sw_hierarchy small;     /* of those that are followed */
	int devices;            /* that are followed */
	int shares;             /* devices that are summed over, of those followed */
	bool few;               /* two of each factor stand for all */
	const int64_t *device;  /* the number of each in the system */
	const int32_t *share;   /* which share it brings */
	sw_pieces pieces;
} sw_summing;

/* Before the first step: every device holds its own share of every chunk.  What it points to lives in `arena`; system,
 * placement and axes stay the caller's.  Errors: S08 where all devices are to be followed and they are too many, E01. */
bool sw_summing_start(const sw_system *system, const sw_mesh *axes, const sw_placed_sum *sum, sw_arena *arena,
	sw_summing *summing, sw_diag *diag);

/* Does every device hold every chunk, with the shares of all devices that it is summed with? */
bool sw_summing_done(const sw_summing *summing);

/* One step in all its groups.  Errors: R01 to R09 with the devices that break the premise, and nothing has changed; C02 where each
 * group is one device, E01. */
bool sw_summing_apply(sw_summing *summing, const sw_step *step, sw_arena *arena, sw_diag *diag);

/* The same, without a look at premises but that the groups stay within the sum: what does not fit is refused with the premise
 * that says so. */
sw_premise sw_summing_try(sw_summing *summing, const sw_step *step, sw_arena *arena);

/* The axis that is not summed and over which the groups of this name reach, or -1. */
int sw_summing_crosses(const sw_summing *summing, const sw_group_name *name);

/* Do the steps of a plan end on the sum of every chunk, followed on so many devices of each factor, a few hundred in all?  1 or 0; -1:
 * no memory. */
int sw_reduction_sums(const sw_plan *plan, const int64_t *sizes, int factors, sw_arena *arena);

#pragma GCC visibility pop

#endif
