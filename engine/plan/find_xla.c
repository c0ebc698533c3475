/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The strategy xla: what XLA's partitioner would do, as a plan.  Groups are made anew from the maps before and
 * after each step; XLA's own may hold other replicas.
 */
#include "plan/peer.h"
#include "plan/strategy.h"

#include <stdio.h>
#include <string.h>

#include "plan/lower_map.h"
#include "peers/xla_reshard.h"
#include "step/row.h"

/* The base offsets of every device under a tiling. */
static int64_t *offsets_of(sw_finder *f, const sw_tiling *tiling, const int64_t *tile)
{
	int rank = tiling->rank;
	int64_t devices = f->problem->mesh.devices;
	int64_t *map = devices <= SW_MAX_MAP_DEVICES ? SW_NEW(f->arena, int64_t, devices * rank) : NULL;

	for (int64_t index = 0; map != NULL && index < devices; index++) {
		int64_t *offset = map + sw_order_at(&tiling->order, index) * rank, rest = index / tiling->copies;

		for (int i = rank - 1; i >= 0; i--) {
			offset[i] = rest % tiling->tiles[i] * tile[i];
			rest /= tiling->tiles[i];
		}
	}
	return map;
}

/* Appends a step that ends on a tiling, by its type or, where it has none, by its map. */
static bool add_tiling(sw_finder *f, sw_lowering *l, const sw_peer_sums *sums, sw_op op, const sw_tiling *after)
{
	const sw_type *shape = &sums->bare.to;
	sw_type *type = SW_NEW(f->arena, sw_type, 1);
	int64_t tile[SW_MAX_DIMS];
	sw_value *value;

	if (type != NULL && sw_tiling_to_type(&f->problem->mesh, after, shape, type))
		return sw_peer_step_with(f, l, "XLA", sums, op, type);
	if (sums->kept.count > 0)
		return sw_diag_set(f->diag, SW_S02, (sw_span){0, 0},
			"XLA's step %d leaves tiles that no type has, while a sum is incomplete", l->plan->program.steps + 1);
	for (int i = 0; i < after->rank; i++)
		tile[i] = shape->global[i] / after->tiles[i];
	value = sw_lower_step(l, op, tile);
	if (value != NULL)
		value->map = offsets_of(f, after, tile);
	l->failed = l->failed || value == NULL || value->map == NULL;
	return true;
}

static bool refuse_padding(sw_finder *f, const sw_xla_plan *found, int k)
{
	const sw_xla_step *step = &found->step[k];

	return sw_peer_refuse_padding(f,
		&(sw_padding){"XLA", k + 1, step->op, step->pattern, step->uneven, step->after.tiles[step->uneven]});
}

static bool refuse_scattered(sw_finder *f, const sw_xla_plan *found, int k)
{
	return sw_diag_set(f->diag, SW_S02, (sw_span){0, 0},
		"XLA's step %d (%s, pattern '%s') leaves tiles that are not boxes of the array", k + 1,
		sw_collective_of(found->step[k].op)->name, found->step[k].pattern);
}

/* Can the steps be those of a plan? */
static bool expressible(sw_finder *f, const sw_order_room *room, const sw_xla_plan *found)
{
	if (room->failed)
		return sw_diag_memory(f->diag);
	if (room->too_large)
		return sw_diag_set(f->diag, SW_S08, (sw_span){0, 0},
			"XLA's steps cut across the axes here, and %lld devices are too many to list",
			(long long)f->problem->mesh.devices);
	if (found->crashes)
		return sw_diag_set(f->diag, SW_S02, (sw_span){0, 0},
			"XLA ends in a fatal error here: in step %d it merges two exchanges, but one needs the result of "
			"the other",
			found->count + 1);
	if (!found->complete)
		return sw_diag_set(f->diag, SW_S02, (sw_span){0, 0}, "XLA's patterns do not finish here within %d steps",
			SW_XLA_STEPS);
	for (int k = 0; k < found->count; k++) {
		if (found->step[k].uneven >= 0)
			return refuse_padding(f, found, k);
		if (found->step[k].scattered)
			return refuse_scattered(f, found, k);
	}
	return true;
}

/* What a step of the pass ends on; NULL: no type. */
static const sw_type *type_after(sw_finder *f, const sw_peer_sums *sums, const sw_xla_plan *found, int k)
{
	sw_type *type = SW_NEW(f->arena, sw_type, 1);

	if (k + 1 == found->count)
		return &sums->bare.to;
	return type != NULL && sw_tiling_to_type(&f->problem->mesh, &found->step[k].after, &sums->bare.to, type) ? type :
																											   NULL;
}

/* Sums what ends: by one reduce-scatter where XLA makes one of its all-reduce and the slice that follows.  Returns how many
 * of the pass's steps that are; -1: E01. */
static int sum_up(sw_finder *f, sw_lowering *l, const sw_peer_sums *sums, const sw_xla_plan *found)
{
	bool slices = found->count > 0 && sw_row(found->step[0].op)->among == SW_AMONG_NONE;
	const sw_type *after = slices ? type_after(f, sums, found, 0) : NULL;
	bool scatters = after != NULL && sw_peer_scatters(sums, &sums->bare.from, after);

	if (sums->ended.count == 0)
		return 0;
	return sw_peer_sum_up(f, l, sums, scatters ? after : NULL) ? scatters : -1;
}

/* The pass's steps, with what is summed before and after them. */
static bool lower(sw_finder *f, sw_lowering *l, const sw_peer_sums *sums, const sw_xla_plan *found, int scattered)
{
	for (int k = scattered; k < found->count; k++) {
		const sw_xla_step *step = &found->step[k];

		if (!(k + 1 < found->count ? add_tiling(f, l, sums, step->op, &step->after) :
									 sw_peer_step_with(f, l, "XLA", sums, step->op, &sums->bare.to)))
			return false;
	}
	return sw_peer_begin_sums(f, l, sums);
}

/* What XLA says of the plan, and what its module holds. */
static bool note(sw_finder *f, const sw_xla_plan *found, bool scatters, sw_plan *plan)
{
	const char *warns = found->rematerializes ? "XLA warns: [SPMD] Involuntary full rematerialization" : "";
	int64_t size = sw_type_localsize(&f->problem->from);
	char text[256];

	snprintf(text, sizeof text, "%s%s", warns, *warns && scatters ? "; " : "");
	if (scatters)
		snprintf(text + strlen(text), sizeof text - strlen(text),
			"XLA's module has an all-reduce here (cost %lld) and a slice; on GPU and TPU it makes them one reduce-scatter "
			"(cost %lld)",
			(long long)(2 * size), (long long)size);
	return sw_peer_note(f, plan, *text ? text : NULL,
		"XLA is followed on the padded array; it pads each tiling separately, and received bytes count its padding");
}

bool sw_candidates_xla(sw_finder *f)
{
	sw_peer_sums *sums;
	sw_order_room room = {.arena = f->arena};
	sw_xla_plan *found = SW_NEW(f->arena, sw_xla_plan, 1);
	sw_candidate c;

	if (found == NULL)
		return sw_diag_memory(f->diag);
	if (!sw_peer_sums_take(f, "XLA", &sums))
		return false;
	sw_candidate_begin(&c, f, &f->space);
	sw_xla_reshard(&room, &sums->bare, found);
	if (!expressible(f, &room, found))
		return false;
	if (sw_type_padded(&f->problem->from) && sums->ended.count + sums->begun.count == 0)
		c.plan.received = found->received;
	int scattered = sum_up(f, &c.lowering, sums, found);
	return scattered >= 0 && lower(f, &c.lowering, sums, found, scattered) &&
		note(f, found, scattered > 0, &c.plan) && sw_finder_consider(f, &c);
}
