/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What PyTorch DTensor's planners make of a redistribution (torch 2.13.0): one mesh dimension a step, either
 * greedily or by a search for the least modelled time.
 */
#ifndef SW_SEARCH_DTENSOR_REDISTRIBUTE_H
#define SW_SEARCH_DTENSOR_REDISTRIBUTE_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/collective.h>
#include <shardwalk/type.h>

/* What a mesh dimension does: it shards a dimension of the array, as the one with this number in its shard order, from the
 * major end; or one of these. */
enum { SW_DTENSOR_REPLICATE = -1, SW_DTENSOR_PARTIAL = -2 /* its devices hold the terms of a sum */ };

typedef struct sw_placement {
	int8_t dim;
	uint8_t order;
} sw_placement;

typedef struct sw_dtensor_step {
	int axis;                  /* the mesh dimension */
	int from, to;              /* dimensions of the array, or what the mesh dimension does else */
	const sw_placement *after; /* of every mesh dimension */
	const char *pattern;       /* why the step is there: a name, and one sentence */
	const char *why;
	struct sw_dtensor_step *next;
} sw_dtensor_step;

typedef enum sw_dtensor_end {
	SW_DTENSOR_DONE,
	SW_DTENSOR_TOO_LARGE, /* the search would hold more states than this program keeps */
	SW_DTENSOR_STOPPED,
	SW_DTENSOR_MEMORY
} sw_dtensor_end;

typedef struct sw_dtensor_plan {
	int count;
	sw_dtensor_step *first, *last;
	bool searched;         /* by the search for the least time */
	int64_t settled, seen; /* states of that search */
	sw_dtensor_end end;
} sw_dtensor_plan;

/* The placements of a type; false where it uses a part of an axis, for which DTensor has no placement. */
bool sw_dtensor_of_type(const sw_mesh *mesh, const sw_type *type, sw_placement *placements);

/* The type of placements.  false where a dimension would have to be padded: `dim` and the tiles along it. */
bool sw_dtensor_to_type(const sw_mesh *mesh, const sw_placement *placements, sw_type *type, int *dim, int64_t *tiles);

/* Do the mesh dimensions of every dimension stand in ascending order? */
bool sw_dtensor_default_order(const sw_placement *placements, int axes);

/* Fills the plan; its steps live in the arena. */
void sw_dtensor_greedy(sw_arena *arena, const sw_problem *problem, sw_dtensor_plan *plan);
void sw_dtensor_search(sw_arena *arena, const sw_problem *problem, const sw_pulse *pulse, sw_dtensor_plan *plan);

/* Why a step is there. */
typedef enum sw_dtensor_pattern {
	SW_DTENSOR_MISALIGNED,
	SW_DTENSOR_INNER_FIRST,
	SW_DTENSOR_OUTER_FIRST,
	SW_DTENSOR_LEAST_TIME
} sw_dtensor_pattern;

/* Appends a step; false: out of memory. */
bool sw_dtensor_record(sw_arena *arena, sw_dtensor_plan *plan, int axes, int axis, int from,
	const sw_placement *after, sw_dtensor_pattern why);

#endif
