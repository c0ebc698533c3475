/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The models `latency` and `calibrated`: from the shape of a step to its rounds and bytes, and from those to seconds.
 */
#include "cost/latency.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <shardwalk/transfers.h>

#include "cost/alike.h"
#include "cost/hardware.h"
#include "cost/roofline.h"
#include "step/row.h"

enum { MOST_ROUTED = 4096, MOST_DEALT = 1024 }; /* devices up to which tiles are followed over the links */

/* ---- the load of a step ---- */

/* A block lies whole in a tile where nothing stands before the last dimension that it has only a part of. */
static bool block_is_whole(const int64_t *block, const int64_t *tile, int rank)
{
	int last = rank - 1;
	while (last >= 0 && block[last] == tile[last])
		last--;
	for (int i = 0; i < last; i++)
		if (block[i] > 1)
			return false;
	return true;
}

int sw_load_gaps(const int64_t *before, const int64_t *after, int rank)
{
	assert(rank >= 0 && rank <= SW_MAX_DIMS);
	int64_t block[SW_MAX_DIMS];
	for (int i = 0; i < rank; i++)
		block[i] = before[i] < after[i] ? before[i] : after[i];
	return !block_is_whole(block, before, rank) + !block_is_whole(block, after, rank);
}

/* Processors read on over gaps that are shorter. */
enum { FAR = 4096 };

/* Of how many blocks of a tile one is wanted, counted in dimension `i` and outwards up to the first gap that is far; `bytes` lie
 * between two indices there. */
static double parts_of(const int64_t *block, const int64_t *tile, int i, double bytes)
{
	double parts = 1;
	for (; i >= 0 && block[i] > 0 && bytes * (double)(tile[i] - block[i]) < FAR; bytes *= (double)tile[i--])
		parts *= (double)tile[i] / (double)block[i];
	return parts;
}

/* Bytes that lie together of a block in a tile, 0 where the whole tile does, and of how many such blocks it is one. */
static double run_of(const int64_t *block, const int64_t *tile, int rank, double bytes, double *parts)
{
	int i = rank - 1;
	for (; i >= 0 && block[i] == tile[i]; i--)
		bytes *= (double)block[i];
	if (i < 0) {
		*parts = 1;
		return 0;
	}
	double innermost = block[i] > 0 ? (double)tile[i] / (double)block[i] : 1;
	*parts = innermost * (i > 0 ? parts_of(block, tile, i - 1, bytes * (double)tile[i]) : 1);
	return bytes * (double)block[i];
}

void sw_load_runs(const int64_t *before, const int64_t *after, int rank, double bytes, sw_load *load)
{
	assert(rank >= 0 && rank <= SW_MAX_DIMS);
	int64_t block[SW_MAX_DIMS];
	for (int i = 0; i < rank; i++)
		block[i] = before[i] < after[i] ? before[i] : after[i];
	load->source_run = run_of(block, before, rank, bytes, &load->source_parts);
	load->target_run = run_of(block, after, rank, bytes, &load->target_parts);
}

static bool is_own_source(const sw_step *step, int64_t devices)
{
	for (int64_t d = 0; d < devices; d++)
		if (step->source[d] != d)
			return false;
	return true;
}

bool sw_step_moves_nothing(const sw_plan *plan, int k)
{
	assert(k >= 0 && k < plan->program.steps);
	const sw_step *step = &plan->program.step[k];
	const sw_type *before = plan->program.value[k].type, *after = plan->program.value[k + 1].type;
	if (sw_row(step->op)->among != SW_AMONG_PAIRS || step->order)
		return false;
	if (step->source)
		return is_own_source(step, plan->problem.mesh.devices);
	return before && after && sw_type_same_map(&plan->problem.mesh, before, after);
}

/* An exchange that adds brings every device a piece of each term, as a reducescatter does. */
static bool is_summing_exchange(const sw_plan *plan, int k)
{
	return sw_is_exchange(plan, k) && sw_step_terms(plan, k) > 1;
}

static sw_op timed_as(const sw_plan *plan, int k)
{
	return is_summing_exchange(plan, k) ? SW_REDUCESCATTER : plan->program.step[k].op;
}

/* Every device brings a tile as large as the one before: what scatters it sends a piece to each other member, what keeps it whole
 * does so twice.  One pass adds: it reads a piece of each term, as many bytes as the tile before has. */
void sw_load_sum(sw_op op, double tile, sw_load *load)
{
	const sw_collective *row = sw_row(op);
	double members = (double)load->group;
	load->bytes = members > 1 ? sw_sends(op, tile, members) * (members - 1) : 0;
	load->rounds = row->passes * (load->group - 1);
	load->passes = (row->leaves == SW_LEAVES_PARTS ? load->passes : 0) + (load->group > 1);
	load->packed = (double)(load->passes - (load->group > 1)) * load->bytes + (members > 1 ? tile : 0);
}

static double bytes_of(const int64_t *tile, int rank, double bytes)
{
	for (int i = 0; i < rank; i++)
		bytes *= (double)tile[i];
	return bytes;
}

enum { SOURCE, TARGET, BOTH, SLICE, SUM }; /* sides on which runs are slow */

static void load_own(double whole, int gaps, sw_load *load)
{
	(void)gaps;
	load->group = 1;
	load->packed = whole;
	load->passes = 1;
}

static void load_pieces(double whole, int gaps, sw_load *load)
{
	load->rounds = load->group - 1;
	load->bytes = whole - whole / (double)load->group;
	load->passes = gaps;
	load->packed = gaps * load->bytes;
}

static void load_tile(double whole, int gaps, sw_load *load)
{
	(void)gaps;
	load->rounds = 1;
	load->bytes = whole;
}

static const struct {
	void (*load)(double whole, int gaps, sw_load *load);
	bool runs;  /* blocks lie in runs: it is not tiles as a whole that move */
	bool keeps; /* beside what comes a device's own piece lands */
	bool far;   /* its latency is of all its hops */
	int side;   /* whose runs those of the source are as slow as */
	int begins; /* how often it waits where nothing is sent */
} loads[SW_AMONG_COUNT] = {
	[SW_AMONG_NONE] = {load_own, .runs = true, .far = true, .side = SLICE, .begins = 1},
	[SW_AMONG_GROUPS] = {load_pieces, .runs = true, .keeps = true, .side = SOURCE},
	[SW_AMONG_PAIRS] = {load_tile, .far = true, .side = SOURCE},
	[SW_AMONG_ALL] = {load_pieces, .runs = true, .far = true, .side = SOURCE},
};

void sw_load_sizes(sw_op op, double before, double after, int64_t members, int gaps, sw_load *load)
{
	*load = (sw_load){.group = members, .tile = fmax(before, after)};
	loads[sw_row(op)->among].load(after, gaps, load);
	if (sw_adds_terms(op))
		sw_load_sum(op, before, load);
}

void sw_load_tiles(sw_op op, const int64_t *before, const int64_t *after, int rank, double bytes, int64_t members,
	sw_load *load)
{
	sw_load_sizes(op, bytes_of(before, rank, bytes), bytes_of(after, rank, bytes), members,
		sw_load_gaps(before, after, rank), load);
	if (loads[sw_row(op)->among].runs)
		sw_load_runs(before, after, rank, bytes, load);
}

/* Every device gets what it lacks from whoever has it: as many rounds as the one with most partners has messages. */
static void load_exchange(const sw_alike *alike, int k, sw_load *load)
{
	const sw_plan *plan = alike->plan;
	double bytes = alike->elements * sw_dtype_bytes(plan->problem.from.dtype);

	load->group = plan->problem.mesh.devices;
	load->passes = alike->partners > 0 ? load->passes : 0;
	if (is_summing_exchange(plan, k)) {
		load->group = sw_step_terms(plan, k);
		sw_load_sum(SW_REDUCESCATTER, bytes * (double)load->group / (double)(load->group - 1), load);
	} else {
		load->packed = (double)load->passes * bytes;
	}
	load->rounds = alike->partners;
	load->bytes = bytes;
}

/* Of a step that is no exchange, or of one that is like no other collective. */
static void load_of(const sw_alike *alike, int k, sw_load *load)
{
	const sw_plan *plan = alike->plan;
	const sw_step *step = &plan->program.step[k];
	int64_t members = sw_step_members(plan, k);
	sw_load_tiles(step->op, plan->program.value[k].tile, plan->program.value[k + 1].tile, plan->problem.from.rank,
		sw_dtype_bytes(plan->problem.from.dtype), members > 0 ? members : plan->problem.mesh.devices, load);
	if (sw_step_moves_nothing(plan, k))
		*load = (sw_load){.group = load->group, .tile = load->tile};
	if (sw_is_exchange(plan, k))
		load_exchange(alike, k, load);
}

/* A step as that which it is priced as. */
static sw_alike asked_of(const sw_plan *plan, int k, sw_arena **arena)
{
	*arena = sw_is_exchange(plan, k) ? sw_arena_new() : NULL;
	return *arena != NULL ? sw_alike_of(plan, k, *arena) : (sw_alike){plan, 0, 0};
}

void sw_step_load(const sw_plan *plan, int k, sw_load *load)
{
	assert(k >= 0 && k < plan->program.steps);
	sw_arena *arena;
	sw_alike alike = asked_of(plan, k, &arena);
	load_of(&alike, k, load);
	sw_arena_free(arena);
}

/* ---- links ---- */

static bool has_link(const sw_axis *axis)
{
	return axis->size > 1 && (axis->bandwidth > 0 || axis->latency > 0);
}

static bool has_links(const sw_mesh *mesh)
{
	for (int axis = 0; axis < mesh->count; axis++)
		if (has_link(&mesh->axis[axis]))
			return true;
	return false;
}

bool sw_slots_matter(const sw_machine *machine, const sw_mesh *mesh)
{
	return machine->seconds || machine->roofline || (machine->links && has_links(mesh)) ||
		(machine->hardware && sw_hardware_has_places(machine->hardware, mesh));
}

bool sw_parts_alike(const sw_machine *machine, const sw_mesh *mesh, const sw_prime_part *a, const sw_prime_part *b)
{
	const sw_axis *one = &mesh->axis[a->axis], *other = &mesh->axis[b->axis];
	bool same_link = !(one->bandwidth < other->bandwidth) && !(one->bandwidth > other->bandwidth) &&
		!(one->latency < other->latency) && !(one->latency > other->latency);
	return !machine->roofline && a->prime == b->prime && (same_link || !machine->links) &&
		(!machine->hardware || sw_hardware_alike(machine->hardware, mesh, a, b));
}

/* A step is as slow as the slowest axis that it crosses; axes without a link of their own have that of the machine. */
static void follow_links(const sw_mesh *mesh, const sw_reach *reach, sw_rate *rate)
{
	double bandwidth = INFINITY, latency = 0;
	bool crosses = false;
	for (int axis = 0; axis < mesh->count; axis++) {
		const sw_axis *link = &mesh->axis[axis];
		if (!sw_reach_crosses(reach, axis))
			continue;
		crosses = true;
		bandwidth = fmin(bandwidth,
			link->bandwidth > 0     ? link->bandwidth :
				rate->bandwidth > 0 ? rate->bandwidth :
									  INFINITY);
		latency = fmax(latency, link->latency > 0 ? link->latency : rate->alpha);
	}
	if (crosses) {
		rate->bandwidth = isfinite(bandwidth) ? bandwidth : 0;
		rate->alpha = latency;
	}
}

/* ---- rates ---- */

static double distance(int64_t a, int64_t b)
{
	return a > 0 && b > 0 ? fabs(log2((double)a / (double)b)) : 0;
}

/* The nearest group size that the machine has for this operation; -1: none. */
static int64_t nearest_group(const sw_machine *machine, sw_op op, int64_t group)
{
	int64_t best = -1;
	for (int i = 0; i < machine->count; i++) {
		const sw_rate *rate = &machine->rate[i];
		if (rate->op == op && (best < 0 || distance(rate->group, group) < distance(best, group)))
			best = rate->group;
	}
	return best;
}

/* The rates for the next smaller and the next larger amount of bytes; the same where there is only one side. */
static void neighbours(const sw_machine *machine, sw_op op, int64_t group, double bytes, const sw_rate **below,
	const sw_rate **above)
{
	*below = *above = NULL;
	for (int i = 0; i < machine->count; i++) {
		const sw_rate *rate = &machine->rate[i];
		if (rate->op != op || rate->group != group)
			continue;
		if ((double)rate->bytes <= bytes && (!*below || rate->bytes > (*below)->bytes))
			*below = rate;
		if ((double)rate->bytes >= bytes && (!*above || rate->bytes < (*above)->bytes))
			*above = rate;
	}
	*below = *below ? *below : *above;
	*above = *above ? *above : *below;
}

static double between(double a, double b, double share)
{
	return a > 0 && b > 0 ? exp(log(a) + share * (log(b) - log(a))) : a + share * (b - a);
}

static bool find_rate(const sw_machine *machine, sw_op op, const sw_load *load, sw_rate *rate)
{
	const sw_rate *below, *above;
	double bytes = load->bytes > 0 ? load->bytes : load->packed;
	int64_t group = nearest_group(machine, op, load->group);
	if (group < 0)
		return false;
	neighbours(machine, op, group, bytes, &below, &above);
	*rate = *below;
	if (above->bytes > below->bytes && below->bytes > 0) {
		double share = log(bytes / (double)below->bytes) / log((double)above->bytes / (double)below->bytes);
		rate->alpha = between(below->alpha, above->alpha, share);
		rate->bandwidth = between(below->bandwidth, above->bandwidth, share);
		rate->copy = between(below->copy, above->copy, share);
	}
	return true;
}

/* ---- short runs ---- */

static double run_slowness(const sw_run_rate *run, int side)
{
	const double slowness[] =
		{[SOURCE] = run->source, [TARGET] = run->target, [BOTH] = run->both, [SLICE] = run->slice, [SUM] = run->sum};
	return slowness[side];
}

/* Runs that one instruction or whole lines copy. */
static bool is_even(double bytes)
{
	int exponent;
	return bytes < SW_LINE ? frexp(bytes, &exponent) == 0.5 : fmod(bytes, SW_LINE) == 0;
}

/* What is known of runs of so many parts in tiles of this size. */
struct runs_of {
	int64_t tile, parts;
};

/* How many times as long runs of so many bytes take, between two lengths that were measured for these. */
static double slowness_of(const sw_machine *machine, double bytes, struct runs_of of, int side)
{
	const sw_run_rate *below = NULL;
	for (int i = 0; i < machine->runs && bytes > 0; i++) {
		const sw_run_rate *run = &machine->run[i];
		if (run->parts != of.parts || run->tile != of.tile || is_even((double)run->bytes) != is_even(bytes))
			continue;
		if (bytes <= (double)run->bytes) {
			if (!below)
				return run_slowness(run, side);
			double share = log(bytes / (double)below->bytes) / log((double)run->bytes / (double)below->bytes);
			return between(run_slowness(below, side), run_slowness(run, side), share);
		}
		below = run;
	}
	return 1;
}

/* Two values that were measured, next below and next above, and how far it is from the one to the other; the same value twice
 * where there is only one side. */
struct around {
	int64_t below, above;
	double share;
};

static void around_add(struct around *around, int64_t value, double wanted)
{
	if ((double)value <= wanted && value > around->below)
		around->below = value;
	if ((double)value >= wanted && (around->above < 0 || value < around->above))
		around->above = value;
}

static void around_end(struct around *around, double wanted)
{
	around->below = around->below < 0 ? around->above : around->below;
	around->above = around->above < 0 ? around->below : around->above;
	bool one = around->below == around->above || around->below < 1;
	around->share = one ? 0 :
						  log(wanted / (double)around->below) / log((double)around->above / (double)around->below);
}

static struct around tiles_around(const sw_machine *machine, double tile)
{
	struct around around = {-1, -1, 0};
	for (int i = 0; i < machine->runs; i++)
		around_add(&around, machine->run[i].tile, tile);
	around_end(&around, tile);
	return around;
}

static struct around parts_around(const sw_machine *machine, int64_t tile, double parts)
{
	struct around around = {-1, -1, 0};
	for (int i = 0; i < machine->runs; i++)
		if (machine->run[i].tile == tile)
			around_add(&around, machine->run[i].parts, parts);
	around_end(&around, parts);
	return around;
}

static double slowness_in(const sw_machine *machine, int64_t tile, double bytes, double parts, int side)
{
	struct around around = parts_around(machine, tile, parts);
	double few = slowness_of(machine, bytes, (struct runs_of){tile, around.below}, side);
	if (around.share <= 0)
		return few;
	return between(few, slowness_of(machine, bytes, (struct runs_of){tile, around.above}, side), around.share);
}

static double slowness(const sw_machine *machine, double tile, double bytes, double parts, int side)
{
	struct around around = tiles_around(machine, tile);
	double small = slowness_in(machine, around.below, bytes, parts, side);
	if (around.share <= 0)
		return small;
	return between(small, slowness_in(machine, around.above, bytes, parts, side), around.share);
}

/* Bytes that land in a tile, from other devices or from its own. */
static double landing(sw_op op, const sw_load *load)
{
	bool keeps = loads[sw_row(op)->among].keeps && load->group > 1;
	double bytes = load->bytes > 0 ? load->bytes : load->packed;
	return keeps ? bytes * (double)load->group / (double)(load->group - 1) : bytes;
}

static int source_side(const sw_collective *row)
{
	return row->terms == SW_TERMS_ADDED ? SUM : loads[row->among].side;
}

/* Gaps on both sides cost what they do on each, one after the other; but no more than runs on both sides that are all as short
 * as the shorter ones: what it takes to begin a run is counted once. */
static double both_sides(const sw_machine *machine, sw_op op, const sw_load *load)
{
	double tile = landing(op, load);
	double source = slowness(machine, tile, load->source_run, load->source_parts, source_side(sw_row(op)));
	double target = slowness(machine, tile, load->target_run, load->target_parts, TARGET);
	if (load->source_run <= 0 || load->target_run <= 0)
		return source * target;
	double both = slowness(machine, tile, fmin(load->source_run, load->target_run),
		fmax(load->source_parts, load->target_parts), BOTH);
	return fmin(source * target, fmax(both, fmax(source, target)));
}

/* ---- seconds ---- */

static bool rate_of(const sw_machine *machine, sw_op op, const sw_load *load, const sw_mesh *mesh,
	const sw_reach *reach, sw_rate *rate)
{
	if (machine->hardware)
		sw_hardware_rate(machine->hardware, op, load->group, mesh, reach, rate);
	else if (!find_rate(machine, op, load, rate))
		return false;
	if (machine->links && reach)
		follow_links(mesh, reach, rate);
	return true;
}

double sw_load_seconds(const sw_machine *machine, sw_op op, const sw_load *load, const sw_mesh *mesh,
	const sw_reach *reach)
{
	assert(reach == NULL || mesh != NULL);
	sw_rate rate;
	if (machine->roofline)
		return sw_roofline_seconds(sw_roofline_step(machine, op, load->group, load->tile, mesh, reach));
	if (!rate_of(machine, op, load, mesh, reach, &rate))
		return -1;
	bool goes_far = machine->hardware && machine->hardware->ring > 0 && loads[sw_row(op)->among].far;
	int64_t rounds = goes_far && load->rounds > 1 ? 1 : load->rounds;
	double start = rate.alpha * (double)(rounds ? rounds : loads[sw_row(op)->among].begins) +
		machine->start * (double)load->passes;
	double seconds = (rate.bandwidth > 0 ? load->bytes / rate.bandwidth : 0) +
		(rate.copy > 0 ? load->packed / rate.copy : 0);
	return start + seconds * both_sides(machine, op, load);
}

/* ---- the model `roofline` ---- */

static void send_flow(void *routes, const sw_flow *flow)
{
	for (int64_t i = 0; i < flow->froms; i++)
		for (int64_t k = 0; k < flow->tos; k++)
			if (flow->from[i] != flow->to[k])
				sw_routes_send(routes, flow->from[i], flow->to[k], flow->elements);
}

/* Every tile over its links; false where the pairs are not known. */
static bool route(const sw_plan *plan, int k, const sw_machine *machine, sw_roofline *bound)
{
	const sw_step *step = &plan->program.step[k];
	const sw_mesh *mesh = &plan->problem.mesh;
	bool ordered = sw_problem_ordered(&plan->problem);
	if (mesh->devices > (step->source ? MOST_ROUTED : MOST_DEALT) || step->order || (ordered && !step->source))
		return false;
	sw_routes *routes = sw_routes_new(machine, mesh);
	if (!routes)
		return false;
	bool done = true;
	if (step->source) {
		for (int64_t d = 0; d < mesh->devices; d++)
			send_flow(routes,
				&(sw_flow){&step->source[d], &(int32_t){(int32_t)d}, 1, 1,
					(double)plan->program.value[k + 1].localsize});
	} else {
		done = sw_plan_flows(plan, k, send_flow, routes, NULL);
	}
	*bound = sw_routes_bound(routes);
	bound->bytes *= sw_dtype_bytes(plan->problem.from.dtype);
	sw_routes_free(routes);
	return done;
}

static sw_roofline roofline_of_nothing(const sw_alike *alike, int k, const sw_machine *machine)
{
	(void)alike, (void)k, (void)machine;
	return (sw_roofline){0, 0};
}

static sw_roofline roofline_of_groups(const sw_alike *alike, int k, const sw_machine *machine)
{
	sw_reach reach;
	sw_load load;
	load_of(alike, k, &load);
	sw_reach_step(alike->plan, k, &reach);
	return sw_roofline_step(machine, alike->plan->program.step[k].op, load.group, load.tile,
		&alike->plan->problem.mesh, &reach);
}

static sw_roofline roofline_of_pairs(const sw_alike *alike, int k, const sw_machine *machine)
{
	sw_roofline bound = {0, 0};
	sw_reach reach;
	sw_load load;
	if (sw_step_moves_nothing(alike->plan, k) || route(alike->plan, k, machine, &bound))
		return bound;
	load_of(alike, k, &load);
	sw_reach_step(alike->plan, k, &reach);
	return sw_roofline_anywhere(machine, load.tile, &alike->plan->problem.mesh, &reach);
}

static sw_roofline roofline_of(const sw_alike *alike, int k, const sw_machine *machine)
{
	static sw_roofline (*const of[SW_AMONG_COUNT])(const sw_alike *alike, int k, const sw_machine *machine) = {
		[SW_AMONG_NONE] = roofline_of_nothing,
		[SW_AMONG_GROUPS] = roofline_of_groups,
		[SW_AMONG_PAIRS] = roofline_of_pairs,
		[SW_AMONG_ALL] = roofline_of_pairs,
	};

	return of[sw_row(alike->plan->program.step[k].op)->among](alike, k, machine);
}

sw_roofline sw_predict_roofline(const sw_plan *plan, int k, const sw_machine *machine)
{
	assert(k >= 0 && k < plan->program.steps && machine->roofline);
	sw_arena *arena;
	sw_alike alike = asked_of(plan, k, &arena);
	sw_roofline bound = roofline_of(&alike, k, machine);
	sw_arena_free(arena);
	return bound;
}

/* ---- steps ---- */

static double seconds_of(const sw_alike *alike, int k, const sw_machine *machine)
{
	const sw_plan *plan = alike->plan;
	const sw_mesh *mesh = &plan->problem.mesh;
	sw_reach reach;
	sw_load load;
	if (machine->seconds)
		return machine->seconds(machine, plan, k);
	if (machine->roofline)
		return sw_roofline_seconds(roofline_of(alike, k, machine));
	load_of(alike, k, &load);
	if (!sw_slots_matter(machine, mesh))
		return sw_load_seconds(machine, timed_as(plan, k), &load, mesh, NULL);
	sw_reach_step(plan, k, &reach);
	return sw_load_seconds(machine, timed_as(plan, k), &load, mesh, &reach);
}

/* Rates are of collectives as a library does them, whatever goes round in one.  What is inside of a step has the seconds of the machine
 * by which it was found. */
static double step_seconds(const sw_plan *plan, int k, const sw_machine *machine)
{
	const sw_plan *inside = plan->program.step[k].inside;
	if (inside)
		return inside->machine && machine->name && strcmp(inside->machine, machine->name) == 0 ? inside->model_cost :
																								 -1;
	if (plan->program.step[k].passing != SW_PASSES_AT_ONCE)
		return -1;
	sw_arena *arena;
	sw_alike alike = asked_of(plan, k, &arena);
	double seconds = seconds_of(&alike, k, machine);
	sw_arena_free(arena);
	return seconds;
}

static void best_rate(const sw_machine *machine, double *alpha, double *bandwidth)
{
	*alpha = INFINITY;
	*bandwidth = 0;
	for (int i = 0; i < machine->count; i++) {
		const sw_rate *rate = &machine->rate[i];
		if (sw_row(rate->op)->among == SW_AMONG_NONE)
			continue;
		*alpha = fmin(*alpha, rate->alpha);
		*bandwidth = fmax(*bandwidth, rate->bandwidth);
	}
}

void sw_machine_best(const sw_machine *machine, const sw_mesh *mesh, double *alpha, double *bandwidth)
{
	if (machine->roofline) {
		sw_roofline_best(machine, mesh, alpha, bandwidth);
		return;
	}
	if (machine->hardware)
		sw_hardware_best(machine->hardware, alpha, bandwidth);
	else
		best_rate(machine, alpha, bandwidth);
	for (int axis = 0; machine->links && axis < mesh->count; axis++) {
		const sw_axis *link = &mesh->axis[axis];
		if (link->latency > 0 && link->latency < *alpha)
			*alpha = link->latency;
		if (link->bandwidth > *bandwidth)
			*bandwidth = link->bandwidth;
	}
	*alpha = isfinite(*alpha) ? *alpha : 0;
}

double sw_predict_seconds(const sw_plan *plan, int step, const sw_machine *machine)
{
	assert(step < plan->program.steps);
	double sum = 0;
	if (step >= 0)
		return step_seconds(plan, step, machine);
	for (int k = 0; k < plan->program.steps; k++) {
		double seconds = step_seconds(plan, k, machine);
		if (seconds < 0)
			return -1;
		sum += seconds;
	}
	return sum;
}
