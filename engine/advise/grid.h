/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graph in which advice is looked for: layouts of axes, and the steps between them that a system could
 * take.
 *
 * A layout says for every dimension which atoms partition it, major to minor.  Atoms are whole axes (then
 * every layout is a type of the user's mesh) or their primes.
 */
#ifndef SW_ADVISE_GRID_H
#define SW_ADVISE_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/collective.h>
#include <shardwalk/type.h>

#include "base/keys.h"
#include "search/moves.h"

typedef struct sw_grid_state {
	int64_t size;        /* elements of a tile */
	int64_t home;        /* what the way to `to` costs at least; SW_NEVER: not known to lead there */
	int32_t home_effort; /* of that way, see sw_grid_effort */
	bool home_known;     /* it is that exactly, if every step were done as it stands */
	bool permuted;       /* the other layouts with these tiles were offered when one of them was looked at */
	int64_t cost;        /* of the best way here, in hops of the system */
	int32_t effort, parent;
	bool closed; /* there is none better */
} sw_grid_state;

typedef struct sw_grid {
	const sw_problem *problem;
	sw_prime_parts atoms;
	int64_t budget;   /* no tile is larger */
	unsigned without; /* operations that are left out */
	bool multi_dim;   /* an alltoall may work on several dimensions */
	bool ordered;     /* on the way atoms stand in the order of the mesh in every dimension */
	bool capped;      /* something was left out because there was too much of it */
	sw_moves moves;   /* of atoms, none of which are alike */
	sw_keys keys;
	sw_grid_state *states; /* heap */
	int32_t room;
	bool failed; /* memory ran out */
	int32_t from, to;
	int64_t radius; /* what was not measured is at least so far from home */
	int64_t unit;   /* of volumes in efforts */
} sw_grid;

/* A grid with both ends; false where an end cannot be told in these atoms, or memory is short
 * (grid->failed).  End it in any case. */
bool sw_grid_init(sw_grid *grid, const sw_problem *problem, const sw_prime_parts *atoms, int64_t budget,
	unsigned without, bool ordered);
void sw_grid_end(sw_grid *grid);

/* Among equally cheap ways that of fewer steps is taken, then that of fewer elements that arrive from other
 * devices: a sum of steps and, in coarse units, such elements. */
int32_t sw_grid_effort(const sw_grid *grid, int steps, double volume);

/* Offers every step from (backward: to) a state: its operation, by which factor, and the other state.
 * Stops where so many edges were looked at as the grid may look at. */
typedef void sw_grid_visit(void *context, sw_op op, int64_t factor, int32_t other);
void sw_grid_steps(sw_grid *grid, int32_t state, bool backward, sw_grid_visit *visit, void *context);

/* The type of a state; the ends are as the problem has them, with axes of size 1, which systems may heed. */
void sw_grid_type(const sw_grid *grid, int32_t state, sw_type *type);

bool sw_grid_exhausted(const sw_grid *grid);

/* Fills `home` from `to` on, up to (not including) `limit`, until the grid is exhausted; what is not
 * reached is at least as far as the farthest that was.  false: memory. */
bool sw_grid_measure(sw_grid *grid, int64_t limit);

#endif
