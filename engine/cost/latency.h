/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Seconds of one step, for searches that have no plan yet.
 */
#ifndef SW_COST_LATENCY_H
#define SW_COST_LATENCY_H

#include <shardwalk/cost.h>

/* Sides of a step, source and destination, on which what moves has gaps. */
int sw_load_gaps(const int64_t *before, const int64_t *after, int rank);

/* Fills the runs in which blocks lie that tiles of a step share; `bytes` is an element. */
void sw_load_runs(const int64_t *before, const int64_t *after, int rank, double bytes, sw_load *load);

/* Is it a permute that leaves every tile where it is?  Such a step takes no time. */
bool sw_step_moves_nothing(const sw_plan *plan, int k);

/* The axes of more than one device that the mesh gives a link, as bits. */
uint64_t sw_linked_axes(const sw_mesh *mesh);

/* Seconds of a load whose groups cross these axes; negative where the machine has no rate for it. */
double sw_load_seconds(const sw_machine *machine, sw_op op, const sw_load *load, const sw_mesh *mesh, uint64_t axes);

/* The least latency and the largest bandwidth that any step on this mesh can see: what bounds are made of. */
void sw_machine_best(const sw_machine *machine, const sw_mesh *mesh, double *alpha, double *bandwidth);

#endif
