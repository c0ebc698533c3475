/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sw_advise: where waypoints are looked for, and what is told of those found.
 *
 * First types of the user's own mesh are tried, then those of its prime parts, which have to be better.
 * Where there are too many, the types that the strategy `exact` passes through are tried as well.
 */
#include <shardwalk/advise.h>

#include <stdio.h>
#include <string.h>

#include <shardwalk/uneven.h>

#include "advise/common_type.h"
#include "advise/finer.h"
#include "advise/route.h"
#include "advise/sum_points.h"
#include "advise/weigh.h"
#include "search/store.h"
#include "search/orders.h"
#include "array/parts.h"
#include "base/room.h"

enum {
	MOST_ORDERS = 6,      /* combinations of orders of primes that are searched */
	FEW_ATOMS = 8,        /* so few are searched to the end; beyond, only until as good as the strategy `exact` */
	MOST_EDGES = 400000,  /* looked at in one search */
	FEWER_EDGES = 100000, /* and of many atoms */
	FEWER_HOPS = 1500,
	WHY_SIZE = 400
};

/* How a system takes waypoints. */
static const struct manner {
	bool parts;        /* they may use parts of axes */
	bool own_parts;    /* and the system can write these; otherwise a finer mesh is made */
	bool ordered;      /* axes stand in the order of the mesh in every dimension */
	int64_t most_hops; /* to ask the system for in one search */
} manners[] = {
	[SW_ADVISE_JAX] = {.parts = true, .most_hops = 12000},
	[SW_ADVISE_DTENSOR] = {.ordered = true, .most_hops = 1500},
	[SW_ADVISE_SHARDY] = {.parts = true, .own_parts = true, .most_hops = 1500},
};

struct adviser {
	const sw_problem *problem;
	const sw_advise_options *options;
	const struct manner *manner;
	sw_arena *arena;
	sw_advice *advice;
	sw_diag *diag;
	sw_diag refusal; /* why the system fails without advice */
	sw_hopper hopper;
	sw_route_limits limits;
	sw_stops best, found;
	sw_type *via;       /* what the advice points to */
	int64_t exact_cost; /* of the strategy `exact`; SW_NEVER: not known */
	bool covered;       /* some grid had both ends */
	bool stopped, capped;
	bool idle; /* waypoints were found, and left out: they cost less, and nothing of what is weighed falls */
};

/* ---- without advice ---- */

static int64_t larger_end(const sw_problem *problem)
{
	int64_t from = sw_type_localsize(&problem->from), to = sw_type_localsize(&problem->to);

	return from > to ? from : to;
}

/* Of padding only XLA's is known well enough to advise. */
static bool refuse_padding(const struct adviser *a)
{
	const sw_problem *problem = a->problem;

	if ((!sw_type_padded(&problem->from) && !sw_type_padded(&problem->to)) || a->options->target == SW_ADVISE_JAX)
		return true;
	sw_diag_set(a->diag, SW_S02, (sw_span){0, 0}, "for padded arrays there is advice only for JAX");
	sw_diag_hint(a->diag, "`advise --for jax`; if the mesh divides the sizes, there is advice for all systems");
	return false;
}

static bool set_budget(struct adviser *a)
{
	int64_t least = larger_end(a->problem);
	int bytes = sw_dtype_bytes(a->problem->from.dtype);
	sw_unit unit = a->options->unit;

	a->advice->unit = unit;
	a->advice->budget = a->options->budget == 0 ? least : a->options->budget;
	if (a->advice->budget >= least)
		return true;
	sw_diag_set(a->diag, SW_S01, (sw_span){0, 0}, "a budget of %s is too small",
		sw_size_said(a->advice->budget, bytes, unit).text);
	sw_diag_expected(a->diag, "at least %s, the larger tile of both ends", sw_size_said(least, bytes, unit).text);
	sw_diag_hint(a->diag, "budget %s is the smallest that allows advice", sw_size_typed(least, bytes, unit).text);
	return false;
}

static bool is_final(sw_code code)
{
	return code != SW_S02;
}

/* What the system does by itself; false: nothing can be said at all. */
static bool ask_now(struct adviser *a)
{
	sw_plan_options options = {.strategy = sw_advise_strategy(a->options->target),
		.sizes_only = true,
		.pulse = a->options->pulse};
	sw_advice *advice = a->advice;

	advice->has_now = sw_plan_find(a->problem, &options, a->arena, &advice->now, &a->refusal);
	advice->cost_now = advice->has_now ? advice->now.cost : -1;
	advice->height_now = advice->has_now ? advice->now.height : 0;
	if (advice->has_now || !is_final(a->refusal.code))
		return true;
	if (a->diag != NULL)
		*a->diag = a->refusal;
	return false;
}

static bool now_uses(const struct adviser *a, unsigned operations)
{
	for (int k = 0; k < a->advice->now.program.steps; k++)
		if ((operations >> a->advice->now.program.step[k].op & 1) != 0)
			return true;
	return false;
}

/* Is it no answer at all to what was asked? */
static bool now_is_out(const struct adviser *a)
{
	return !a->advice->has_now || now_uses(a, a->options->without);
}

static bool now_is_high(const struct adviser *a)
{
	return a->advice->height_now > a->advice->budget;
}

/* A bound of the user's own is worth some cost; that of both ends is not. */
static bool bound_is_wanted(const struct adviser *a)
{
	return a->options->budget > 0 && a->options->budget != larger_end(a->problem);
}

static bool warns(struct adviser *a)
{
	sw_hop_price price;

	return a->options->target == SW_ADVISE_JAX &&
		sw_hop_price_of(&a->hopper, &a->problem->from, &a->problem->to, &price) && price.warns;
}

/* What advice must not cost: where the system leaves the bound by itself, as much is still a gain. */
static void set_limits(struct adviser *a)
{
	a->limits = (sw_route_limits){.budget = a->advice->budget,
		.without = a->options->without,
		.below = SW_NEVER,
		.most_hops = a->manner->most_hops,
		.most_edges = MOST_EDGES,
		.pulse = a->options->pulse};
	if (now_is_out(a) || a->advice->warns_now || (now_is_high(a) && bound_is_wanted(a)))
		return;
	a->limits.below = a->advice->cost_now + now_is_high(a);
}

/* ---- with advice ---- */

static void adopt_found(struct adviser *a)
{
	if (a->found.count == 0 || a->found.cost >= a->limits.below)
		return;
	a->best = a->found;
	a->limits.below = a->found.cost;
}

static bool search_grid(struct adviser *a, const sw_prime_parts *atoms)
{
	sw_grid grid;
	sw_route_end end = SW_ROUTE_DONE;

	a->found.count = 0;
	a->hopper.asked = 0;
	if (sw_grid_init(&grid, a->problem, atoms, a->advice->budget, a->options->without, a->manner->ordered)) {
		a->covered = true;
		end = sw_route_search(&grid, &a->hopper, &a->limits, &a->found);
	} else if (grid.failed) {
		end = SW_ROUTE_MEMORY;
	}
	sw_grid_end(&grid);
	a->stopped = a->stopped || end == SW_ROUTE_STOPPED;
	a->capped = a->capped || end == SW_ROUTE_CAPPED || a->hopper.impatient;
	adopt_found(a);
	return end != SW_ROUTE_MEMORY || sw_diag_memory(a->diag);
}

/* Where no grid has both ends. */
static bool search_common_types(struct adviser *a)
{
	sw_route_end end = sw_common_type_search(a->problem, &a->hopper, &a->limits, &a->found);

	a->stopped = a->stopped || end == SW_ROUTE_STOPPED;
	a->capped = true;
	adopt_found(a);
	return end != SW_ROUTE_MEMORY || sw_diag_memory(a->diag);
}

/* Atoms that are whole axes. */
static void whole_axes(const sw_mesh *mesh, sw_prime_parts *atoms)
{
	atoms->count = 0;
	for (int k = 0; k < mesh->count; k++)
		if (mesh->axis[k].size > 1) {
			SW_ROOM(atoms->at, atoms->count);
			atoms->at[atoms->count++] = (sw_prime_part){k, mesh->axis[k].size, 1, mesh->axis[k].stride};
		}
}

/* The types that a plan passes through, where all are types. */
static bool stops_of_plan(const sw_plan *plan, sw_stops *stops)
{
	stops->count = 0;
	SW_ROOM(stops->type, stops->count);
	stops->type[stops->count++] = plan->problem.from;
	for (int k = 0; k + 1 < plan->program.steps; k++) {
		if (plan->program.value[k + 1].type == NULL || stops->count + 2 > SW_ROUTE_STOPS)
			return false;
		SW_ROOM(stops->type, stops->count);
		stops->type[stops->count++] = *plan->program.value[k + 1].type;
	}
	SW_ROOM(stops->type, stops->count);
	stops->type[stops->count++] = plan->problem.to;
	return true;
}

/* The way of the strategy `exact`, where the grid was too large or no grid has both ends. */
static bool try_exact(struct adviser *a)
{
	sw_plan_options options = {.strategy = SW_EXACT,
		.budget = a->advice->budget,
		.without = a->options->without,
		.sizes_only = true,
		.pulse = a->options->pulse};
	sw_diag diag;
	sw_plan plan;

	if (!a->manner->parts)
		return true;
	if (!sw_plan_find(a->problem, &options, a->arena, &plan, &diag)) {
		a->stopped = a->stopped || diag.code == SW_S03;
		return diag.code != SW_E01 || sw_diag_memory(a->diag);
	}
	a->exact_cost = plan.cost;
	if (stops_of_plan(&plan, &a->found)) {
		sw_route_shorten(&a->hopper, &a->limits, &a->found);
		adopt_found(a);
	}
	return true;
}

/* On a mesh of many atoms it is not worth a long search to be better still than `exact`. */
static bool good_enough(const struct adviser *a, int atoms)
{
	return atoms > FEW_ATOMS && a->limits.below != SW_NEVER && a->limits.below <= a->exact_cost;
}

static int prime_atoms(const struct adviser *a)
{
	sw_prime_parts primes;

	sw_prime_parts_default(&a->problem->mesh, &primes);
	return primes.count;
}

static bool search_parts(struct adviser *a, int whole)
{
	sw_orders *orders = SW_NEW(a->arena, sw_orders, 1);
	sw_prime_parts atoms;

	if (orders == NULL)
		return sw_diag_memory(a->diag);
	sw_orders_init(orders, a->problem);
	for (int k = 0; k < MOST_ORDERS && !a->stopped && !good_enough(a, prime_atoms(a)); k++) {
		if (!sw_orders_choose(orders, &a->problem->mesh, k, &atoms) || atoms.count == whole)
			return true;
		if (!search_grid(a, &atoms))
			return false;
	}
	return true;
}

static bool look_further(struct adviser *a, int whole)
{
	int atoms = prime_atoms(a);

	if (atoms > FEW_ATOMS) {
		a->limits.most_edges = FEWER_EDGES;
		a->limits.most_hops = FEWER_HOPS;
		a->capped = true;
		if (!try_exact(a))
			return false;
	}
	if (!search_parts(a, whole))
		return false;
	if (!a->covered && a->options->target == SW_ADVISE_JAX && !search_common_types(a))
		return false;
	a->capped = a->capped || !a->covered;
	return !a->capped || a->stopped || a->exact_cost != SW_NEVER || try_exact(a);
}

static bool look_once(struct adviser *a)
{
	sw_prime_parts atoms;

	if (a->limits.below == 0)
		return true;
	whole_axes(&a->problem->mesh, &atoms);
	if (!search_grid(a, &atoms))
		return false;
	return a->stopped || !a->manner->parts || look_further(a, atoms.count);
}

/* Hops of several dimensions come second, and have to be better. */
static bool look(struct adviser *a)
{
	if (!look_once(a))
		return false;
	a->limits.multi_dim = a->options->several && a->options->target == SW_ADVISE_JAX;
	return !a->limits.multi_dim || a->stopped || look_once(a);
}

/* ---- the answer ---- */

static bool keep_types(struct adviser *a)
{
	sw_advice *advice = a->advice;

	advice->via_count = a->best.count > 2 ? a->best.count - 2 : 0;
	advice->via = SW_NEW(a->arena, const sw_type *, advice->via_count);
	a->via = SW_NEW(a->arena, sw_type, advice->via_count);
	if (advice->via == NULL || a->via == NULL)
		return sw_diag_memory(a->diag);
	for (int k = 0; k < advice->via_count; k++) {
		a->via[k] = a->best.type[k + 1];
		advice->via[k] = &a->via[k];
	}
	return true;
}

static bool refine_type(const sw_mesh *fine, const struct adviser *a, const sw_type *type, sw_type *out)
{
	sw_type before = *type;

	return sw_finer_type(&a->problem->mesh, fine, &before, out);
}

/* Says everything on a mesh whose axes suffice; false: there is none. */
static bool refine(struct adviser *a)
{
	sw_advice *advice = a->advice;
	const sw_type *all[SW_ROUTE_STOPS];
	sw_mesh *fine = SW_NEW(a->arena, sw_mesh, 1);
	int n = 0;
	bool ok;

	if (fine == NULL)
		return sw_diag_memory(a->diag);
	SW_ROOM(all, n);
	all[n++] = &a->problem->from;
	SW_ROOM(all, n);
	all[n++] = &a->problem->to;
	for (int k = 0; k < advice->via_count; k++) {
		SW_ROOM(all, n);
		all[n++] = advice->via[k];
	}
	if (!sw_finer_mesh(&a->problem->mesh, all, n, fine, &advice->finer))
		return false;
	if (!advice->finer)
		return true;
	ok = refine_type(fine, a, &a->problem->from, &advice->problem.from) &&
		refine_type(fine, a, &a->problem->to, &advice->problem.to);
	for (int k = 0; ok && k < advice->via_count; k++)
		ok = refine_type(fine, a, &a->via[k], &a->via[k]);
	advice->problem.mesh = *fine;
	return ok;
}

static void add_up(sw_advice *advice, const sw_plan *plan)
{
	for (int s = 0; s < plan->program.steps; s++)
		advice->collectives[plan->program.step[s].op]++;
	advice->cost_then += plan->cost;
	if (plan->height > advice->height_then)
		advice->height_then = plan->height;
}

/* Plans hop k, and adds it up. */
static bool plan_hop(struct adviser *a, int k)
{
	sw_plan_options options = {.strategy = sw_advise_strategy(a->options->target), .sizes_only = true};
	sw_advice *advice = a->advice;
	sw_problem *hop = SW_NEW(a->arena, sw_problem, 1);
	sw_plan *plan = &advice->hop[k];

	if (hop == NULL)
		return sw_diag_memory(a->diag);
	*hop = advice->problem;
	if (k > 0)
		hop->from = *advice->via[k - 1];
	if (k < advice->via_count)
		hop->to = *advice->via[k];
	if (!sw_plan_find(hop, &options, a->arena, plan, a->diag))
		return false;
	add_up(advice, plan);
	return true;
}

static bool plan_hops(struct adviser *a)
{
	sw_advice *advice = a->advice;

	advice->hop = SW_NEW(a->arena, sw_plan, advice->via_count + 1);
	if (advice->hop == NULL)
		return sw_diag_memory(a->diag);
	for (int k = 0; k <= advice->via_count; k++)
		if (!plan_hop(a, k))
			return false;
	return true;
}

static const char *system_of(const struct adviser *a)
{
	static const char *const systems[] =
		{[SW_ADVISE_JAX] = "XLA", [SW_ADVISE_DTENSOR] = "DTensor", [SW_ADVISE_SHARDY] = "Shardy"};

	return systems[a->options->target];
}

/* The model paper counts the tiles that are made, whatever of them was there before: a gain by it may be
 * none in bytes. */
static bool receives_more(const sw_advice *advice)
{
	double then = 0;

	for (int k = 0; k <= advice->via_count; k++)
		then += sw_plan_volume(&advice->hop[k]);
	return then > sw_plan_volume(&advice->now) * 1.0001;
}

static bool has_sums(const sw_problem *problem)
{
	return sw_type_terms(&problem->from) > 1 || sw_type_terms(&problem->to) > 1;
}

/* What to write where terms wait: how the system is asked to sum into pieces. */
static const char *const sum_words[] = {
	[SW_ADVISE_JAX] = ("the sum may end in pieces: give the product out_sharding of the first waypoint, or write "
					   "lax.psum_scatter in place of lax.psum under shard_map"),
	[SW_ADVISE_DTENSOR] = "the sum may end in pieces: redistribute Partial() to Shard in place of Replicate first",
	[SW_ADVISE_SHARDY] =
		"the sum may end in pieces: the first waypoint makes it sdy.reduce_scatter in place of sdy.all_reduce",
};

static void explain_gain(const struct adviser *a, char *why)
{
	const sw_advice *advice = a->advice;
	const char *system = system_of(a);

	if (has_sums(a->problem) && !advice->written && advice->has_now) {
		snprintf(why, WHY_SIZE, "%s", sum_words[advice->target]);
		return;
	}

	if (!advice->has_now)
		snprintf(why, WHY_SIZE, "without waypoints there is no plan: %s", a->refusal.message);
	else if (advice->warns_now)
		snprintf(why, WHY_SIZE, "by itself %s falls back to the whole array on every device", system);
	else if (now_uses(a, a->options->without))
		snprintf(why, WHY_SIZE, "by itself %s uses an operation that is forbidden here", system);
	else if (now_is_high(a) && advice->cost_then >= advice->cost_now)
		snprintf(why, WHY_SIZE, "by itself %s exceeds the limit on the height", system);
	else if (receives_more(advice))
		snprintf(why, WHY_SIZE,
			"by itself %s makes larger tiles than it must, although fewer bytes arrive than with %s: measure "
			"both",
			system, advice->written ? "these steps" : "waypoints");
	else
		snprintf(why, WHY_SIZE, "by itself %s moves more than it must", system);
}

static void explain_none(const struct adviser *a, char *why)
{
	const sw_advice *advice = a->advice;
	const char *system = system_of(a);

	if (advice->written && advice->now.program.steps > 0)
		snprintf(why, WHY_SIZE, "nothing can be gained: the steps cost %s what %s does by itself",
			advice->cost_then > advice->cost_now ? "more than" : "as much as", system);
	else if (a->idle)
		snprintf(why, WHY_SIZE,
			"nothing can be gained: waypoints would reduce neither received bytes nor the peak nor the predicted time");
	else if (now_is_high(a))
		snprintf(why, WHY_SIZE,
			"nothing better was found: %s exceeds the limit on the height, and no waypoints keep within it at "
			"no more cost",
			system);
	else if (has_sums(a->problem) && !advice->written && advice->cost_now > 0 && advice->cost_now <= a->exact_cost)
		snprintf(why, WHY_SIZE, "nothing can be gained: %s by itself does as well as the strategy fused", system);
	else if (has_sums(a->problem) && !advice->written && advice->cost_now > 0)
		snprintf(why, WHY_SIZE, "no waypoint makes %s cheaper%s", system,
			advice->target == SW_ADVISE_JAX ?
				"; `advise --form shard_map` writes the steps themselves, with psum and psum_scatter" :
				"");
	else if (advice->now.program.steps == 0)
		snprintf(why, WHY_SIZE, "nothing can be gained: both ends are the same, so %s does nothing", system);
	else if (advice->cost_now == 0)
		snprintf(why, WHY_SIZE, "nothing can be gained: %s moves nothing by itself", system);
	else if (a->advice->cost_now <= a->exact_cost && a->exact_cost != SW_NEVER)
		snprintf(why, WHY_SIZE, "nothing can be gained: %s by itself does as well as the strategy exact", system);
	else if (a->capped || a->stopped)
		snprintf(why, WHY_SIZE, "nothing better was found than what %s does by itself; not every way was tried",
			system);
	else
		snprintf(why, WHY_SIZE,
			"nothing can be gained by annotations: no waypoints make %s cheaper within the limit; `compare` has plans of other operations",
			system);
}

static bool explain(struct adviser *a)
{
	char why[WHY_SIZE];

	(a->advice->gains ? explain_gain : explain_none)(a, why);
	a->advice->why = sw_arena_copy(a->arena, why, strlen(why));
	return a->advice->why != NULL || sw_diag_memory(a->diag);
}

static bool refuse(struct adviser *a)
{
	const char *system = system_of(a);

	if (a->stopped)
		return sw_diag_set(a->diag, SW_S03, (sw_span){0, 0}, "stopped before any advice was found");
	if (!a->advice->has_now) {
		if (a->diag != NULL)
			*a->diag = a->refusal;
		return false;
	}
	sw_diag_set(a->diag, SW_S02, (sw_span){0, 0}, "no waypoints were found with which %s keeps to the request",
		system);
	sw_diag_hint(a->diag, "allow the forbidden operations again");
	return false;
}

/* Has some mesh of the same devices axes for this type? */
static bool has_mesh(struct adviser *a, const sw_type *type, sw_mesh *mesh)
{
	sw_type on_it;
	bool finer;

	return sw_finer_mesh(&a->problem->mesh, &type, 1, mesh, &finer) &&
		sw_finer_type(&a->problem->mesh, mesh, type, &on_it);
}

static bool each_has_mesh(struct adviser *a)
{
	sw_mesh *mesh = SW_NEW(a->arena, sw_mesh, 1);
	bool ok = mesh != NULL && has_mesh(a, &a->problem->from, mesh) && has_mesh(a, &a->problem->to, mesh);

	for (int k = 0; ok && k < a->advice->via_count; k++)
		ok = has_mesh(a, &a->via[k], mesh);
	return ok;
}

/* No one mesh has all the parts: all types stay as they are on the user's, and are said on one mesh each. */
static bool keep_mesh(struct adviser *a)
{
	a->advice->finer = false;
	a->advice->problem = *a->problem;
	for (int k = 0; k < a->advice->via_count; k++)
		a->via[k] = a->best.type[k + 1];
	if (a->advice->via_count == 0)
		return true;
	a->advice->meshes = a->options->target == SW_ADVISE_JAX && each_has_mesh(a);
	if (a->advice->meshes)
		return true;
	sw_diag_set(a->diag, SW_S02, (sw_span){0, 0}, "no mesh has all the parts of axes that the waypoints use");
	sw_diag_hint(a->diag, "advise --for shardy writes parts of axes and needs no other mesh");
	return false;
}

static const sw_plan *now_of(const sw_advice *advice)
{
	return advice->has_now ? &advice->now : NULL;
}

static void weigh(struct adviser *a)
{
	sw_advice *advice = a->advice;

	sw_advise_weigh(now_of(advice), advice->hop, advice->via_count + 1, a->options->machine, &advice->weight);
}

/* Waypoints that cost less, and of which nobody notices anything. */
static bool is_idle(const struct adviser *a)
{
	const sw_advice *advice = a->advice;

	return advice->via_count > 0 && a->options->machine != NULL && !now_is_out(a) && !advice->warns_now &&
		!now_is_high(a) && advice->weight.falls == 0;
}

static bool plan_and_weigh(struct adviser *a)
{
	sw_advice *advice = a->advice;

	if (!plan_hops(a))
		return false;
	weigh(a);
	if (!is_idle(a))
		return true;
	advice->via_count = 0;
	advice->gains = advice->finer = advice->meshes = false;
	advice->problem = *a->problem;
	a->idle = true;
	memset(advice->collectives, 0, sizeof(advice->collectives));
	advice->cost_then = advice->height_then = 0;
	if (!plan_hops(a))
		return false;
	weigh(a);
	return true;
}

static bool finish(struct adviser *a)
{
	sw_advice *advice = a->advice;

	return plan_and_weigh(a) && explain(a) &&
		(!advice->has_now || advice->target != SW_ADVISE_DTENSOR ||
			sw_advise_flatten(&advice->now, a->options->machine, a->arena, &advice->flattened, a->diag));
}

/* A route of two stops gains nothing, unless it is the only one: it is what the system does by itself. */
static bool conclude(struct adviser *a)
{
	sw_advice *advice = a->advice;

	advice->complete = !a->capped && !a->stopped;
	if (a->best.count == 0 && now_is_out(a))
		return refuse(a);
	advice->gains = a->best.count > 2;
	if (!keep_types(a))
		return false;
	if (!a->manner->own_parts && !refine(a) && !keep_mesh(a))
		return false;
	return finish(a);
}

/* What the system does without advice; NULL where nothing can be said. */
static struct adviser *start(const sw_problem *problem, const sw_advise_options *options, sw_arena *arena,
	sw_diag *diag)
{
	struct adviser *a = SW_NEW_ZERO(arena, struct adviser, 1);
	sw_advice *answer = SW_NEW_ZERO(arena, sw_advice, 1);
	sw_problem *in_slots = SW_NEW(arena, sw_problem, 1);

	if (a == NULL || answer == NULL || in_slots == NULL) {
		sw_diag_memory(diag);
		return NULL;
	}
	*in_slots = *problem;
	in_slots->mesh.order = in_slots->to_order = NULL;
	*a = (struct adviser){.problem = in_slots,
		.options = options,
		.manner = &manners[options->target],
		.arena = arena,
		.advice = answer,
		.diag = diag};
	answer->target = options->target;
	answer->problem = *in_slots;
	if (!sw_type_redistributable(&problem->from, &problem->to, diag) || !refuse_padding(a) || !set_budget(a) ||
		!ask_now(a))
		return NULL;
	if (!sw_hopper_init(&a->hopper, options->target, in_slots, arena)) {
		sw_diag_memory(diag);
		return NULL;
	}
	answer->warns_now = warns(a);
	set_limits(a);
	return a;
}

/* Where terms wait the grid of routes has no places for them: a few types are tried. */
static bool look_for_sums(struct adviser *a)
{
	sw_advice *advice = a->advice;
	const sw_type *points[2], **via = SW_NEW(a->arena, const sw_type *, 2);

	if (via == NULL)
		return sw_diag_memory(a->diag);
	advice->complete = true;
	if (!sw_sum_points(advice, now_is_out(a) ? INT64_MAX : advice->cost_now, a->arena, points, &advice->via_count,
			&a->exact_cost, a->diag))
		return false;
	if (advice->via_count == 0 && now_is_out(a))
		return refuse(a);
	for (int k = 0; k < advice->via_count; k++)
		via[k] = points[k];
	advice->via = via;
	advice->gains = advice->via_count > 0;
	return finish(a);
}

bool sw_advise(const sw_problem *problem, const sw_advise_options *options, sw_arena *arena, sw_advice *advice,
	sw_diag *diag)
{
	struct adviser *a = start(problem, options, arena, diag);

	if (a == NULL || !(has_sums(problem) ? look_for_sums(a) : look(a) && conclude(a)))
		return false;
	*advice = *a->advice;
	return true;
}

bool sw_advise_steps(const sw_plan *plan, const sw_advise_options *options, sw_arena *arena, sw_advice *advice,
	sw_diag *diag)
{
	struct adviser *a = start(&plan->problem, options, arena, diag);
	sw_plan *hop = SW_NEW(arena, sw_plan, 1);

	if (a == NULL)
		return false;
	if (hop == NULL)
		return sw_diag_memory(diag);
	*hop = *plan;
	a->advice->hop = hop;
	a->advice->written = a->advice->complete = true;
	add_up(a->advice, hop);
	a->advice->gains = a->advice->cost_then < a->limits.below;
	weigh(a);
	if (!explain(a))
		return false;
	*advice = *a->advice;
	return true;
}
