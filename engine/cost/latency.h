/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Seconds of one step, for searches that have no plan yet.
 */
#ifndef SW_COST_LATENCY_H
#define SW_COST_LATENCY_H

#include <shardwalk/cost.h>

#include "cost/reach.h"

/* Sides of a step, source and destination, on which what moves has gaps. */
int sw_load_gaps(const int64_t *before, const int64_t *after, int rank);

/* Fills what a step that adds up tiles of so many bytes sends, and what it packs and adds, where group and passes of packing are
 * known. */
void sw_load_sum(sw_op op, double tile, sw_load *load);

/* Fills the runs in which blocks lie that tiles of a step share; `bytes` is an element. */
void sw_load_runs(const int64_t *before, const int64_t *after, int rank, double bytes, sw_load *load);

/* Fills what follows of a load from the sizes of tiles before and after, in bytes, and from the sides on which what moves has gaps:
 * what is sent, packed and added, by groups of so many members; a permutation's are all devices. */
void sw_load_sizes(sw_op op, double before, double after, int64_t members, int gaps, sw_load *load);

/* Fills the load of a step between two tiles, by groups of so many members; a permutation's are all devices.  `bytes` is an
 * element. */
void sw_load_tiles(sw_op op, const int64_t *before, const int64_t *after, int rank, double bytes, int64_t members,
	sw_load *load);

/* Is it a permute that leaves every tile where it is?  Such a step takes no time. */
bool sw_step_moves_nothing(const sw_plan *plan, int k);

/* Does it matter on this mesh which devices work together, and not only how many? */
bool sw_slots_matter(const sw_machine *machine, const sw_mesh *mesh);

/* Does it make no difference over which of two prime parts of axes a step goes? */
bool sw_parts_alike(const sw_machine *machine, const sw_mesh *mesh, const sw_prime_part *a, const sw_prime_part *b);

/* Seconds of a load in groups of this reach; negative where the machine has no rate for it.  `reach` may be NULL where slots
 * do not matter, and where the mesh is not known (NULL too): then groups are neighbours. */
double sw_load_seconds(const sw_machine *machine, sw_op op, const sw_load *load, const sw_mesh *mesh,
	const sw_reach *reach);

/* The least latency and the largest bandwidth that any step on this mesh can see: what bounds are made of. */
void sw_machine_best(const sw_machine *machine, const sw_mesh *mesh, double *alpha, double *bandwidth);

#endif
