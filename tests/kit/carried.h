/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The transfers of a plan carried out one by one: what each device has of each element, as a set of at most 64 terms.
 */
#ifndef TESTS_KIT_CARRIED_H
#define TESTS_KIT_CARRIED_H

#include <string.h>

#include <shardwalk/plan.h>
#include <shardwalk/transfers.h>

#include "kit/kit.h"

/* What one device has: of each element of its tile the terms that are added in it, and which element that is. */
struct moment {
	sw_tiles tiles;
	uint64_t **terms;
	int64_t size;
};

static inline int64_t offset_in(const int64_t *tile, const int64_t *at, int rank)
{
	int64_t offset = 0;

	for (int i = 0; i < rank; i++)
		offset = offset * tile[i] + at[i];
	return offset;
}

/* The indices of element `e` of a box of these sizes. */
static inline void indices_of(int64_t e, const int64_t *extent, int rank, int64_t *index)
{
	for (int i = rank - 1; i >= 0; i--) {
		index[i] = e % extent[i];
		e /= extent[i];
	}
}

static inline int64_t box_size(const int64_t *extent, int rank)
{
	int64_t size = 1;

	for (int i = 0; i < rank; i++)
		size *= extent[i];
	return size;
}

static inline void moment_start(const sw_plan *plan, int k, sw_arena *arena, struct moment *moment)
{
	int64_t devices = plan->problem.mesh.devices;

	moment->size = box_size(plan->program.value[k].tile, plan->problem.from.rank);
	moment->tiles.at = sw_plan_device_map(plan, k, arena, NULL);
	assert_non_null(moment->tiles.at);
	assert_true(sw_plan_terms(plan, k, arena, &moment->tiles, NULL));
	moment->terms = SW_NEW(arena, uint64_t *, devices);
	for (int64_t d = 0; d < devices; d++) {
		moment->terms[d] = SW_NEW(arena, uint64_t, moment->size);
		memset(moment->terms[d], 0, (size_t)moment->size * sizeof(uint64_t));
	}
}

static inline void move(const sw_plan *plan, int k, const sw_transfer *box, const struct moment *before,
	struct moment *after)
{
	int rank = plan->problem.from.rank;
	int64_t index[SW_MAX_DIMS], from[SW_MAX_DIMS], to[SW_MAX_DIMS];

	for (int64_t e = 0; e < box_size(box->extent, rank); e++) {
		indices_of(e, box->extent, rank, index);
		for (int i = 0; i < rank; i++) {
			from[i] = box->from_at[i] + index[i];
			to[i] = box->to_at[i] + index[i];
		}
		after->terms[box->to][offset_in(plan->program.value[k + 1].tile, to, rank)] |=
			before->terms[box->from][offset_in(plan->program.value[k].tile, from, rank)];
	}
}

/* At the beginning each device has the term of its tile. */
static inline void carry_begin(const sw_plan *plan, sw_arena *arena, struct moment *moment)
{
	moment_start(plan, 0, arena, moment);
	for (int64_t d = 0; d < plan->problem.mesh.devices; d++)
		for (int64_t e = 0; e < moment->size; e++)
			moment->terms[d][e] = UINT64_C(1) << (moment->tiles.term ? moment->tiles.term[d] : 0);
}

static inline void carry_out(const sw_plan *plan, int k, sw_arena *arena, const struct moment *before,
	struct moment *after)
{
	const sw_transfers *transfers = sw_plan_transfers(plan, k, arena, NULL);
	sw_transfer box;

	assert_non_null(transfers);
	moment_start(plan, k + 1, arena, after);
	for (int64_t d = 0; d < plan->problem.mesh.devices; d++)
		for (int64_t n = 0; n < sw_transfers_into(transfers, d); n++)
			if (sw_transfers_get(transfers, d, n, &box))
				move(plan, k, &box, before, after);
}

/* Elements that arrive in step k from other devices. */
static inline int64_t arriving(const sw_plan *plan, int k, sw_arena *arena)
{
	const sw_transfers *transfers = sw_plan_transfers(plan, k, arena, NULL);
	int64_t elements = 0;
	sw_transfer box;

	assert_non_null(transfers);
	for (int64_t d = 0; d < plan->problem.mesh.devices; d++)
		for (int64_t n = 0; n < sw_transfers_into(transfers, d); n++)
			if (sw_transfers_get(transfers, d, n, &box) && box.from != box.to)
				elements += sw_transfer_size(transfers, &box);
	return elements;
}

/* The terms of this element that a device has. */
static inline uint64_t terms_on(const sw_plan *plan, int k, const struct moment *moment, int64_t device,
	const int64_t *index)
{
	int rank = plan->problem.from.rank;
	const int64_t *at = moment->tiles.at + device * rank, *tile = plan->program.value[k].tile;
	int64_t in[SW_MAX_DIMS];

	for (int i = 0; i < rank; i++) {
		in[i] = index[i] - at[i];
		if (in[i] < 0 || in[i] >= tile[i])
			return 0;
	}
	return moment->terms[device][offset_in(tile, in, rank)];
}

#endif
