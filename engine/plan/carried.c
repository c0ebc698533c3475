/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pieces in which a step brings one element, or some of many, from device to device, by the transfers of the step.
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
	int k;                     /* of the value */
	const int64_t *index;      /* of the element; NULL: */
	const sw_region *elements; /* which ones of these are in a piece is counted */
	const int64_t *map;        /* offsets of tiles, by devices; NULL: */
	const sw_type *type;       /* whose tiles have runs; NULL: */
	sw_holding stored;         /* what is stored */
	sw_arena *arena;
};

/* Who gets the pieces. */
struct handing {
	sw_carried_use use;
	void *user;
	sw_diag *diag;
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

/* What is known of one receiver before its pieces are gone through. */
struct receiver {
	int64_t to;
	int64_t at;      /* the place of the element there, -1: it has none; of many elements ... */
	sw_indices rows; /* ... those of the tile by rows, */
	sw_local local;  /* or where it stores which */
};

static bool in_piece(const struct receiving *r, const struct receiver *receiver, const sw_transfer *piece)
{
	if (r->map != NULL)
		return in_box(r, piece);
	if (piece->loops != NULL)
		return receiver->at >= 0 && sw_loops_reach(piece->loops, receiver->at);
	return receiver->at >= piece->to_at[0] && receiver->at < piece->to_at[0] + piece->extent[0];
}

/* ---- many elements at a receiver ---- */

#define ROWS_MOST 4096 /* families, of the elements of a tile by rows */

/* The elements that are in its tile, by rows of that. */
static bool rows_in_tile(const struct receiving *r, struct receiver *receiver)
{
	const int64_t *tile = r->plan->program.value[r->k].tile;
	int rank = r->plan->problem.from.rank;
	int64_t offset[SW_MAX_DIMS];
	sw_indices *set = SW_NEW(r->arena, sw_indices, rank + 1);
	sw_family *family = SW_NEW(r->arena, sw_family, rank + 1);
	sw_region box = {rank, 1, set}, both;

	if (set == NULL || family == NULL)
		return false;
	sw_type_offset(&r->plan->problem.mesh, r->type, slot_of(r, receiver->to), offset);
	for (int i = 0; i < rank; i++)
		set[i] = sw_indices_range(offset[i], offset[i] + tile[i], &family[i]);
	if (!sw_region_meet(r->elements, &box, r->arena, &both))
		return false;
	for (int n = 0; n < both.count; n++)
		for (int i = 0; i < rank; i++) {
			sw_indices *moved = (sw_indices *)&sw_region_product(&both, n)[i], whole = *moved;
			if (!sw_indices_shift(&whole, -offset[i], tile[i], false, r->arena, moved))
				return false;
		}
	return sw_region_row_major(&both, tile, ROWS_MOST, r->arena, &receiver->rows);
}

static bool open_many(const struct receiving *r, struct receiver *receiver, sw_diag *diag)
{
	sw_region region;

	if (r->map != NULL)
		return true;
	if (r->type == NULL)
		return (sw_holding_region(&r->stored, slot_of(r, receiver->to), r->arena, &region) &&
				   sw_local_of(&region, r->arena, &receiver->local)) ||
			sw_diag_memory(diag);
	return rows_in_tile(r, receiver) ||
		sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "the elements are too many, one by one, to count them in pieces");
}

/* -1: they are not counted. */
static int64_t many_in_piece(const struct receiving *r, const struct receiver *receiver, const sw_transfer *piece)
{
	int64_t at[SW_MAX_DIMS];

	if (piece->loops != NULL)
		return sw_loops_of(piece->loops, &receiver->local, r->elements);
	if (r->map == NULL)
		return sw_indices_below(&receiver->rows, piece->to_at[0] + piece->extent[0]) -
			sw_indices_below(&receiver->rows, piece->to_at[0]);
	for (int i = 0; i < r->plan->problem.from.rank; i++)
		at[i] = r->map[receiver->to * r->plan->problem.from.rank + i] + piece->to_at[i];
	return sw_region_in_box(r->elements, at, piece->extent);
}

/* ---- handed out ---- */

/* What is known of it; *any: may a piece that goes there have the element, or some of them? */
static bool open_receiver(const struct receiving *r, struct receiver *receiver, bool *any, sw_diag *diag)
{
	int64_t to = receiver->to;

	*any = true;
	if (r->elements != NULL)
		return open_many(r, receiver, diag);
	receiver->at = r->map != NULL ? -1 : r->type != NULL ? place_in_tile(r, to) : place_stored(r, to);
	*any = has_place(r, to, receiver->at);
	return true;
}

/* Of the element's own piece all elements count. */
static int64_t counted(const struct receiving *r, const struct receiver *receiver, const sw_transfers *transfers,
	const sw_transfer *piece)
{
	if (r->elements != NULL)
		return many_in_piece(r, receiver, piece);
	return in_piece(r, receiver, piece) ? sw_transfer_size(transfers, piece) : 0;
}

static bool hand_receiver(const struct receiving *r, const struct receiver *receiver, const sw_transfers *transfers,
	struct handing *to)
{
	int64_t first = 0, count = sw_transfers_into(transfers, receiver->to);
	sw_transfer piece;

	if (count > 0 && r->elements == NULL && r->type != NULL)
		first = sw_transfers_with(transfers, receiver->to, receiver->at, &count);
	for (int64_t n = first; n < first + count; n++) {
		if (!sw_transfers_get(transfers, receiver->to, n, &piece) || piece.from == receiver->to)
			continue;
		const sw_carried carried = {piece.from, receiver->to, counted(r, receiver, transfers, &piece)};
		if (carried.elements < 0)
			return sw_diag_set(to->diag, SW_S08, (sw_span){0, 0}, "a piece has too many elements to count them");
		if (carried.elements > 0 && !to->use(to->user, &carried))
			return false;
	}
	return true;
}

static bool hand_pieces(const struct receiving *r, struct handing *to)
{
	const sw_transfers *transfers = sw_plan_transfers(r->plan, r->k - 1, r->arena, to->diag);
	bool handed = transfers != NULL;

	for (int64_t device = 0; handed && device < r->plan->problem.mesh.devices; device++) {
		sw_arena_mark mark = sw_arena_here(r->arena);
		struct receiver receiver = {.to = device};
		bool any;
		handed = open_receiver(r, &receiver, &any, to->diag) && (!any || hand_receiver(r, &receiver, transfers, to));
		sw_arena_back(r->arena, mark);
	}
	return handed;
}

static bool carries(struct receiving *r, struct handing *to)
{
	sw_arena_mark mark = sw_arena_here(r->arena);

	assert(r->k > 0 && r->k <= r->plan->program.steps);
	bool handed = open_receivers(r, to->diag) && hand_pieces(r, to);
	sw_arena_back(r->arena, mark);
	return handed;
}

bool sw_plan_carries(const sw_plan *plan, int k, const int64_t *index, sw_arena *scratch, sw_carried_use use,
	void *user, sw_diag *diag)
{
	struct receiving r = {.plan = plan, .k = k + 1, .index = index, .arena = scratch};

	return carries(&r, &(struct handing){use, user, diag});
}

bool sw_plan_carries_of(const sw_plan *plan, int k, const sw_region *elements, sw_arena *scratch, sw_carried_use use,
	void *user, sw_diag *diag)
{
	struct receiving r = {.plan = plan, .k = k + 1, .elements = elements, .arena = scratch};

	assert(elements->count == 0 || elements->rank == plan->problem.from.rank);
	return elements->count == 0 || carries(&r, &(struct handing){use, user, diag});
}
