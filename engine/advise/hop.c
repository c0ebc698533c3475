/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hops priced: XLA's patterns are asked themselves, which takes microseconds; the others by their
 * strategies.
 */
#include "advise/hop.h"

#include <string.h>

#include <shardwalk/number.h>

#include "base/bounded_pulse.h"
#include "cost/model.h"
#include "step/row.h"

bool sw_hopper_init(sw_hopper *hopper, sw_advise_target target, const sw_problem *problem, sw_arena *arena)
{
	hopper->target = target;
	hopper->problem = *problem;
	hopper->arena = arena;
	hopper->xla = target == SW_ADVISE_JAX ? SW_NEW(arena, sw_xla_plan, 1) : NULL;
	hopper->asked = hopper->beats = 0;
	hopper->impatient = false;
	hopper->failed = target == SW_ADVISE_JAX && hopper->xla == NULL;
	return !hopper->failed;
}

/* From the tiles of one step to those of the next: by how much dimensions grow that grow, and how many
 * these are. */
struct growth {
	int64_t factor;
	int dims;
};

static int64_t next_tile(const sw_type *shape, const sw_tiling *tiling, int64_t tile[SW_MAX_DIMS],
	struct growth *growth)
{
	int64_t size = 1;

	*growth = (struct growth){1, 0};
	for (int i = 0; i < shape->rank; i++) {
		int64_t now = shape->global[i] / tiling->tiles[i];

		growth->dims += now > tile[i];
		growth->factor *= now > tile[i] ? now / tile[i] : 1;
		tile[i] = now;
		size *= now;
	}
	return size;
}

static bool add_step(sw_hop_price *price, sw_op op, int64_t before, int64_t after, int64_t factor)
{
	price->steps++;
	price->volume += (double)sw_model_move_cost(SW_MODEL_VOLUME, op, before, after, factor);
	price->operations |= 1u << op;
	if (after > price->height)
		price->height = after;
	return sw_add(price->cost, sw_paper_cost(op, before, after), &price->cost);
}

static bool price_xla(sw_hopper *h, sw_hop_price *price)
{
	sw_order_room room = {.arena = h->arena};
	int64_t size = sw_type_localsize(&h->problem.from), tile[SW_MAX_DIMS];
	struct growth growth;

	memcpy(tile, h->problem.from.tile, sizeof tile);
	sw_xla_reshard(&room, &h->problem, h->xla);
	h->failed = h->failed || room.failed;
	if (room.failed || room.too_large || h->xla->crashes || !h->xla->complete)
		return false;
	price->warns = h->xla->rematerializes;
	for (int k = 0; k < h->xla->count; k++) {
		const sw_xla_step *step = &h->xla->step[k];

		if (step->uneven >= 0 || step->scattered)
			return false;
		int64_t after = next_tile(&h->problem.to, &step->after, tile, &growth);

		if (!add_step(price, step->op, size, after, growth.factor))
			return false;
		price->multi_dim = price->multi_dim || (sw_swaps(step->op) && growth.dims > 1);
		size = after;
	}
	if (sw_type_padded(&h->problem.from))
		price->volume = h->xla->received;
	return true;
}

/* ---- systems that search themselves ---- */

enum { MOST_BEATS_OF_HOP = 40, MOST_BEATS = 600 };

static bool price_plan(sw_hopper *h, sw_hop_price *price)
{
	int64_t left = MOST_BEATS - h->beats, most = left < MOST_BEATS_OF_HOP ? left : MOST_BEATS_OF_HOP;
	sw_bounded_pulse pulse;
	sw_plan_options options = {.strategy = sw_advise_strategy(h->target), .sizes_only = true, .pulse = &pulse.pulse};
	sw_diag diag = {0};
	sw_plan plan;

	sw_bounded_pulse_init(&pulse, NULL, most);
	bool found = sw_plan_find(&h->problem, &options, h->arena, &plan, &diag);
	h->beats += most - pulse.left;
	if (!found) {
		h->impatient = h->impatient || diag.code == SW_S03;
		h->failed = h->failed || diag.code == SW_E01;
		return false;
	}
	for (int k = 0; k < plan.program.steps; k++)
		price->operations |= 1u << plan.program.step[k].op;
	price->cost = plan.cost;
	price->height = plan.height;
	price->steps = plan.program.steps;
	price->volume = sw_plan_volume(&plan);
	return true;
}

bool sw_hop_price_of(sw_hopper *h, const sw_type *from, const sw_type *to, sw_hop_price *price)
{
	sw_arena_mark mark = sw_arena_here(h->arena);
	bool ok;

	h->asked++;
	h->problem.from = *from;
	h->problem.to = *to;
	*price = (sw_hop_price){0};
	if (h->target == SW_ADVISE_JAX)
		ok = price_xla(h, price);
	else
		ok = price_plan(h, price);
	sw_arena_back(h->arena, mark);
	return ok;
}
