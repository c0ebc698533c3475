/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Low-level steps: collectives whose groups are told device by device, so that any axis of a dimension may be gathered or
 * moved, not only the minor one.
 *
 * Source: seed 000, definitions 6.1 and 6.2, figure 10.  Beside the type stands which device is at each coordinate of the
 * mesh.  Before an axis leaves it is made the minor one of its dimension; the devices are renumbered so that none of them
 * holds anything else after that than before, which is the premise of the rules.
 */
#ifndef SHARDWALK_THEORY_LOW_H
#define SHARDWALK_THEORY_LOW_H

#include <shardwalk/plan.h>

#include "theory/case.h"

typedef struct sw_low {
	const sw_case_mesh *mesh;
	sw_arena *arena;
	int64_t devices;
	sw_case_type type;
	int64_t at[CASE_DEVICES]; /* the device at each coordinate, by the number that the coordinate has */
	sw_plan plan;             /* the steps so far, with groups and maps */
} sw_low;

/* Starts at a type, device d at coordinate d.  false: memory, or too many devices. */
bool sw_low_start(sw_low *low, const sw_case_mesh *mesh, const sw_case_type *type, sw_arena *arena, sw_diag *diag);

/* An axis leaves dimension `from` for `to` (-1: none); a slice takes an axis that is free.  false: memory. */
bool sw_low_step(sw_low *low, const sw_case_step *step, sw_diag *diag);

/* Device d gets the tile of device source[d], a bijection.  Coordinates keep their tiles. */
bool sw_low_permute(sw_low *low, const int64_t *source, sw_diag *diag);

/* What every device holds: devices x rank. */
void sw_low_map(const sw_low *low, int64_t *map);

/* A bijection after which devices that hold `have` hold `want`; false where the tiles are not the same ones. */
bool sw_low_match(const sw_case_mesh *mesh, const int64_t *have, const int64_t *want, int64_t *source);

/* Executes the first `steps` steps, and compares every element with what the last of them says, or, where `to` is given,
 * with that type.  The result in *right. */
bool sw_low_execute(const sw_low *low, int steps, const sw_case_type *to, bool *right, sw_diag *diag);

/* Executes a row of types as a plan of the engine: groups and sources are those that the engine finds for it. */
bool sw_case_execute(const sw_case *path, sw_arena *arena, bool *right, sw_diag *diag);

#endif
