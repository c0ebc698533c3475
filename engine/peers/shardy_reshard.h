/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Shardy's pass sdy-reshard-to-collectives makes of a reshard (jaxlib 0.10.2, 2026): at most two rounds of
 * slice, permute, all-to-alls and gather, without a search.
 */
#ifndef SW_SEARCH_SHARDY_RESHARD_H
#define SW_SEARCH_SHARDY_RESHARD_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/collective.h>
#include <shardwalk/type.h>

typedef struct sw_shardy_step {
	sw_op op;
	const sw_type *type; /* after the step */
	const char *pattern; /* why the step is there: a name, and one sentence */
	const char *why;
	struct sw_shardy_step *next;
} sw_shardy_step;

/* How the pass ends. */
typedef enum sw_shardy_end {
	SW_SHARDY_DONE,
	SW_SHARDY_UNEVEN,  /* the next step would pad a dimension */
	SW_SHARDY_CLASH,   /* the next step would cut an axis in two ways that cannot stand in one sharding */
	SW_SHARDY_RESIZES, /* the next step, a permute, would change the number of tiles: the pass ends in an error */
	SW_SHARDY_SHORT,   /* two rounds do not reach the target */
	SW_SHARDY_MEMORY
} sw_shardy_end;

typedef struct sw_shardy_plan {
	int count;
	sw_shardy_step *first, *last;
	sw_shardy_end end;
	struct {
		sw_op op;
		const char *pattern;
		int dim;       /* that is padded, or of which a permute would change the number of tiles */
		int64_t tiles; /* along it, after the step */
	} stopped;         /* the step that could not be taken, where there is one */
} sw_shardy_plan;

/* Fills the plan; its steps live in the arena. */
void sw_shardy_reshard(sw_arena *arena, const sw_problem *problem, sw_shardy_plan *plan);

#endif
