/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of which devices have pieces: what follows from the steps that make them.
 */
#ifndef SW_PLAN_PIECES_H
#define SW_PLAN_PIECES_H

#include <shardwalk/json_read.h>
#include <shardwalk/pieces.h>
#include <shardwalk/plan.h>
#include <shardwalk/reduction.h>
#include <shardwalk/transfers.h>

/* Do devices have pieces of their tiles before step `k` (from 0), or after it? */
bool sw_step_on_pieces(const sw_plan *plan, int k);

/* sw_plan_pieces by the numbers of the devices. */
const sw_pieces *sw_plan_device_pieces(const sw_plan *plan, int k, int count, sw_arena *arena, sw_diag *diag);

/* What step `k` moves, in tiles of one dimension with the pieces of them that devices have: before it and after it.  `size` has room
 * for one number, the elements of a tile.  S08, E01. */
bool sw_step_piece_tiles(const sw_plan *plan, int k, sw_arena *arena, int64_t *size, sw_tiles tiles[2],
	sw_diag *diag);

/* Of each term of `after` the bits of those of `before` that are joined in it, as many words as pieces have for terms of that.  NULL: no
 * memory. */
const uint64_t *sw_sums_of_terms(const sw_mesh *mesh, const sw_type *before, const sw_type *after, sw_arena *arena);

/* The type that says which pieces slots have in value `k`, in `arena`.  NULL: none says it, or no memory. */
const sw_type *sw_plan_pieces_type(const sw_plan *plan, int k, sw_arena *arena);

/* Fills in the groups of a step by their name, of slots: that of each device. */
bool sw_step_lay(sw_step *step, const sw_hierarchy *hierarchy, const int64_t *slot, sw_arena *arena);

/* Fills value `k` + 1 with what devices have of `count` pieces after step `k`; where it has a type, or one of `types` says the same,
 * that takes the place of the pieces.  On failure `where` is the path of what is wrong in a plan file.  Errors: P05 with the
 * premise that fails, P03 where devices have something else than the type says, S08, E01. */
typedef struct sw_said_types {
	int count;
	const sw_type *type;
} sw_said_types;
bool sw_plan_follow(sw_plan *plan, int k, int count, const sw_said_types *types, sw_arena *arena,
	char where[SW_WHERE_SIZE], sw_diag *diag);

/* The figures of a step on pieces, in elements. */
typedef struct sw_piece_figures {
	int64_t most; /* that a device has after it */
	int64_t all;  /* that all devices have after it; -1: 64 bits do not hold it */
	int64_t cost; /* under the model paper, of the group that has most to do */
	int64_t live; /* the most that a device has before and after it, both together */
} sw_piece_figures;
bool sw_step_piece_figures(const sw_plan *plan, int k, sw_piece_figures *figures, sw_diag *diag);

#endif
