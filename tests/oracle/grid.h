/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * As it was in 0.1.0: an oracle of the searches.
 *
 * The graph in which advice is looked for: layouts of axes, and the steps between them that a system could
 * take.
 *
 * A layout says for every dimension which atoms partition it, major to minor.  Atoms are whole axes (then
 * every layout is a type of the user's mesh) or their primes.
 */
#ifndef TESTS_ORACLE_GRID_H
#define TESTS_ORACLE_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/collective.h>
#include <shardwalk/type.h>

#include "array/prime_parts.h"

#define OLD_GRID_KEY (SW_MAX_FACTORS + SW_MAX_DIMS)

typedef struct old_grid_state {
	uint8_t key[OLD_GRID_KEY]; /* atoms dimension after dimension, then how many each has */
	int64_t size;              /* elements of a tile */
	int64_t home;              /* what the way to `to` costs at least; OLD_NEVER: not known to lead there */
	int32_t home_effort;       /* of that way, see old_grid_effort */
	bool home_known;           /* it is that exactly, if every step were done as it stands */
	bool permuted;             /* the other layouts with these tiles were offered when one of them was looked at */
	int64_t cost;              /* of the best way here, in hops of the system */
	int32_t effort, parent;
	bool closed; /* there is none better */
} old_grid_state;

typedef struct old_grid {
	const sw_problem *problem;
	sw_prime_parts atoms;
	int64_t budget;            /* no tile is larger */
	unsigned without;          /* operations that are left out */
	bool multi_dim;            /* an alltoall may work on several dimensions */
	bool ordered;              /* on the way atoms stand in the order of the mesh in every dimension */
	bool capped;               /* something was left out because there was too much of it */
	int64_t edges, most_edges; /* looked at so far, and to look at in the present part of the search */
	old_grid_state *states;    /* heap */
	int32_t count, room;
	int32_t *table; /* heap; open addressing: index + 1 */
	uint32_t mask;
	bool failed; /* memory ran out */
	int32_t from, to;
	int64_t radius; /* what was not measured is at least so far from home */
	int64_t unit;   /* of volumes in efforts */
} old_grid;

/* A grid with both ends; false where an end cannot be told in these atoms, or memory is short
 * (grid->failed).  End it in any case. */
bool old_grid_init(old_grid *grid, const sw_problem *problem, const sw_prime_parts *atoms, int64_t budget,
	unsigned without, bool ordered);
void old_grid_end(old_grid *grid);

/* Among equally cheap ways that of fewer steps is taken, then that of fewer elements that arrive from other
 * devices: a sum of steps and, in coarse units, such elements. */
int32_t old_grid_effort(const old_grid *grid, int steps, double volume);

/* Offers every step from (backward: to) a state: its operation, by which factor, and the other state.
 * Stops where so many edges were looked at as the grid may look at. */
typedef void old_grid_visit(void *context, sw_op op, int64_t factor, int32_t other);
void old_grid_steps(old_grid *grid, int32_t state, bool backward, old_grid_visit *visit, void *context);

/* The type of a state; the ends are as the problem has them, with axes of size 1, which systems may heed. */
void old_grid_type(const old_grid *grid, int32_t state, sw_type *type);

bool old_grid_exhausted(const old_grid *grid);

/* Fills `home` from `to` on, up to (not including) `limit`, until the grid is exhausted; what is not
 * reached is at least as far as the farthest that was.  false: memory. */
bool old_grid_measure(old_grid *grid, int64_t limit);

#endif
