/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The choice of a schedule: how many processors on which axis, in how many steps, so that least is moved, or least time is taken,
 * within a bound of live memory.
 *
 * Live memory is what is alive on a processor at most, home and buffers together; volumes and memory count elements.
 *
 * Sources: bounds of what some processor receives in a product of matrices, where each has its p-th part: H. Al Daas and others
 * 2022, memory-independent; T. M. Smith and others 2019, with S elements of memory.
 */
#ifndef SHARDWALK_CHOICE_H
#define SHARDWALK_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/scheme.h>

#pragma GCC visibility push(default)

#define SW_NO_BOUND INT64_MAX

/* A grid for a scheme. */
typedef struct sw_grid_choice {
	sw_scheme scheme; /* with its extents, and steps */
	int64_t volume, peak;
} sw_grid_choice;

/* Of all grids of so many processors, with as few steps of letter `time` (-1: none) as `memory` allows, the one that moves least in
 * all; then with the least live memory, the fewest steps, the fewest processors on the first axes.  `scheme` says all but its extents and
 * steps: every axis is in space, no loop is rotated, and each array is at home where it is needed.  Errors: S01 with the smallest
 * bound that works, also in *smallest; S09. */
bool sw_grid_choose(const sw_scheme *scheme, int time, int64_t processors, int64_t memory, sw_grid_choice *choice,
	int64_t *smallest, sw_diag *diag);

/* Live memory of such a scheme on the processor that has most, without a look at each of them. */
int64_t sw_grid_peak(const sw_scheme *scheme);

/* A(m,n) = B(m,k) * C(k,n) over three axes, on which are m, n and k, and each processor has its part of each array. */
void sw_matrices_scheme(int64_t m, int64_t n, int64_t k, sw_scheme *scheme);

/* What some processor receives at least in a product of matrices of these sizes, where each has its p-th part and `memory` elements
 * of memory (SW_NO_BOUND: no end); which of the bounds that is. */
typedef struct sw_received_bound {
	double elements;    /* 0: none of them says anything */
	const char *source; /* a constant */
} sw_received_bound;

void sw_matrices_bound(int64_t m, int64_t n, int64_t k, int64_t processors, int64_t memory, sw_received_bound *bound);

#pragma GCC visibility pop

#endif
