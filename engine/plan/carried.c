/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pieces in which a step brings one element from device to device, by the transfers of the step.
 *
 * Whether an element is in a piece is asked where the piece goes to: a box is in the tile of its receiver, a run in its tile by rows, and
 * loops are in what it stores.
 */
#include <shardwalk/owners.h>

#include <assert.h>

#include <shardwalk/between.h>
#include <shardwalk/local.h>
#include <shardwalk/transfers.h>

#include "plan/pieces.h"
#include "step/transfers.h"

/* Where receivers have the element after the step. */
struct receiving {
	const sw_plan *plan;
	int k; /* of the value */
	const int64_t *index;
	const int64_t *map;  /* offsets of tiles, by devices; NULL: */
	const sw_type *type; /* whose tiles have runs; NULL: */
	sw_holding stored;   /* what is stored */
	sw_arena *arena;
};

static int64_t slot_of(const struct receiving *r, int64_t device)
{
	const int64_t *order = sw_plan_order(r->plan, r->k);

	for (int64_t slot = 0; order != NULL && slot < r->plan->problem.mesh.devices; slot++)
		if (order[slot] == device)
			return slot;
	return device;
}

static bool open_receivers(struct receiving *r, sw_diag *diag)
{
	if (sw_problem_has_words(&r->plan->problem))
		return sw_plan_holding(r->plan, r->k, r->arena, &r->stored) || sw_diag_memory(diag);
	if (sw_step_on_pieces(r->plan, r->k - 1))
		r->type = sw_plan_sums_before(r->plan, r->k);
	else
		r->map = sw_plan_device_map(r->plan, r->k, r->arena, diag);
	return r->type != NULL || r->map != NULL;
}

/* ---- the element at a receiver ---- */

static int64_t place_in_tile(const struct receiving *r, int64_t to)
{
	const int64_t *tile = r->plan->program.value[r->k].tile;
	int64_t offset[SW_MAX_DIMS], at = 0;

	sw_type_offset(&r->plan->problem.mesh, r->type, slot_of(r, to), offset);
	for (int i = 0; i < r->plan->problem.from.rank; i++) {
		int64_t inside = r->index[i] - offset[i];
		if (inside < 0 || inside >= tile[i])
			return -1;
		at = at * tile[i] + inside;
	}
	return at;
}

static int64_t place_stored(const struct receiving *r, int64_t to)
{
	sw_arena_mark mark = sw_arena_here(r->arena);
	sw_region region;
	sw_local local;
	bool known = sw_holding_region(&r->stored, slot_of(r, to), r->arena, &region) &&
		sw_local_of(&region, r->arena, &local);
	int64_t at = known ? sw_local_index(&local, r->index) : -1;

	sw_arena_back(r->arena, mark);
	return at;
}

static bool in_box(const struct receiving *r, const sw_transfer *box)
{
	int rank = r->plan->problem.from.rank;
	const int64_t *offset = r->map + box->to * rank;

	for (int i = 0; i < rank; i++) {
		int64_t at = r->index[i] - offset[i] - box->to_at[i];
		if (at < 0 || at >= box->extent[i])
			return false;
	}
	return true;
}

/* Has the receiver the element after the step?  Else no piece brings it there. */
static bool has_place(const struct receiving *r, int64_t to, int64_t at)
{
	int rank = r->plan->problem.from.rank;
	const int64_t *tile = r->plan->program.value[r->k].tile;

	for (int i = 0; r->map != NULL && i < rank; i++) {
		int64_t inside = r->index[i] - r->map[to * rank + i];
		if (inside < 0 || inside >= tile[i])
			return false;
	}
	return r->map != NULL || at >= 0;
}

/* `at`: its place at the receiver, -1: it has none. */
static bool in_piece(const struct receiving *r, const sw_transfer *piece, int64_t at)
{
	if (r->map != NULL)
		return in_box(r, piece);
	if (piece->loops != NULL)
		return at >= 0 && sw_loops_reach(piece->loops, at);
	return at >= piece->to_at[0] && at < piece->to_at[0] + piece->extent[0];
}

/* ---- handed out ---- */

static bool hand_pieces(const struct receiving *r, sw_carried_use use, void *user, sw_diag *diag)
{
	const sw_transfers *transfers = sw_plan_transfers(r->plan, r->k - 1, r->arena, diag);
	sw_transfer piece;

	if (transfers == NULL)
		return false;
	for (int64_t to = 0; to < r->plan->problem.mesh.devices; to++) {
		int64_t at = r->map != NULL ? -1 : r->type != NULL ? place_in_tile(r, to) : place_stored(r, to);
		int64_t first = 0, count = has_place(r, to, at) ? sw_transfers_into(transfers, to) : 0;
		if (count > 0 && r->type != NULL)
			first = sw_transfers_with(transfers, to, at, &count);
		for (int64_t n = first; n < first + count; n++) {
			if (!sw_transfers_get(transfers, to, n, &piece) || piece.from == to || !in_piece(r, &piece, at))
				continue;
			const sw_carried carried = {piece.from, to, sw_transfer_size(transfers, &piece)};
			if (!use(user, &carried))
				return false;
		}
	}
	return true;
}

bool sw_plan_carries(const sw_plan *plan, int k, const int64_t *index, sw_arena *scratch, sw_carried_use use,
	void *user, sw_diag *diag)
{
	struct receiving r = {.plan = plan, .k = k + 1, .index = index, .arena = scratch};
	sw_arena_mark mark = sw_arena_here(scratch);

	assert(k >= 0 && k < plan->program.steps);
	bool handed = open_receivers(&r, diag) && hand_pieces(&r, use, user, diag);
	sw_arena_back(scratch, mark);
	return handed;
}
