/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A collective hop by hop.
 *
 * A gather of n pieces on a ring takes n / 2 hops: in hop h a member passes on the piece of the member h - 1 before it upwards,
 * and that of the one h - 1 behind it downwards.  A sum is a gather played backwards: what was passed on to a member is what it
 * sends back, with its own term added.
 */
#include <shardwalk/rounds.h>

#include <math.h>

#include "cost/hardware.h"
#include "cost/reach.h"
#include "cost/roofline.h"
#include "step/row.h"

/* ---- where members are ---- */

/* Hops from one member to another, upwards or downwards; -1: that way does not lead there. */
static int64_t way_to(const sw_rounds *r, int64_t from, int64_t to, bool up)
{
	int64_t n = r->members, distance = up ? to - from : from - to;

	if (!up && r->one_way)
		return -1;
	return distance >= 0 ? distance : r->closed ? distance + n : -1;
}

/* How much of a piece goes this way from one member to another: it goes the shorter way, half each way where both are as long. */
static double share_of(const sw_rounds *r, int64_t from, int64_t to, bool up)
{
	int64_t this = way_to(r, from, to, up), other = way_to(r, from, to, !up);

	if (this < 0 || from == to)
		return 0;
	return other < 0 || this < other ? 1 : this == other ? 0.5 : 0;
}

/* Hops of the way that pieces go. */
static int64_t distance_of(const sw_rounds *r, int64_t from, int64_t to)
{
	int64_t up = way_to(r, from, to, true), down = way_to(r, from, to, false);

	return up < 0 || (down >= 0 && down < up) ? down : up;
}

/* The member so many hops on, upwards or downwards; -1: there is none. */
static int64_t member_at(const sw_rounds *r, int64_t m, int64_t hops, bool up)
{
	int64_t at = up ? m + hops : m - hops;

	return r->closed ? (at % r->members + r->members) % r->members : at >= 0 && at < r->members ? at : -1;
}

/* ---- what is sent ---- */

/* Hops of a gather. */
static int64_t reach_of(const sw_rounds *r)
{
	return r->closed && !r->one_way ? r->members / 2 : r->members - 1;
}

static const sw_rounds_send nothing = {0, 0, 0};

static sw_rounds_send gather_sent(const sw_rounds *r, int64_t hop, int64_t m, bool up)
{
	int64_t piece = member_at(r, m, hop - 1, !up), to = member_at(r, m, 1, up);

	if (piece < 0 || to < 0 || way_to(r, piece, to, up) != hop)
		return nothing;
	return (sw_rounds_send){piece, share_of(r, piece, to, up), 0};
}

/* Backwards: what a member sends on it got from there in the gather. */
static sw_rounds_send sum_sent(const sw_rounds *r, int64_t hop, int64_t m, bool up)
{
	int64_t left = reach_of(r) - hop + 1, piece = member_at(r, m, left, up);

	if (piece < 0 || way_to(r, m, piece, up) != left)
		return nothing;
	return (sw_rounds_send){piece, share_of(r, m, piece, up), 0};
}

/* What one member has for all that are at least so many hops away. */
static double for_others(const sw_rounds *r, int64_t from, int64_t hops, bool up)
{
	double farthest = !r->closed ? (double)(up ? r->members - 1 - from : from) :
		r->one_way               ? (double)(r->members - 1) :
								   (double)(r->members - 1) / 2;

	return fmax(0, farthest - (double)hops + 1);
}

static sw_rounds_send swap_sent(const sw_rounds *r, int64_t hop, int64_t m, bool up)
{
	int64_t from = member_at(r, m, hop - 1, !up);

	return from < 0 ? nothing : (sw_rounds_send){from, for_others(r, from, hop, up), 0};
}

/* Without the terms. */
static sw_rounds_send sent_in(const sw_rounds *r, int64_t hop, int64_t m, bool up)
{
	int64_t reach = reach_of(r);

	if (hop < 1 || hop > r->hops || (!up && r->one_way))
		return nothing;
	if (r->kind == SW_ROUNDS_SWAP)
		return swap_sent(r, hop, m, up);
	if (r->kind == SW_ROUNDS_GATHER)
		return gather_sent(r, hop, m, up);
	return hop <= reach ? sum_sent(r, hop, m, up) : gather_sent(r, hop - reach, m, up);
}

/* Members whose terms come by `m` on their way to `piece`, itself included. */
static int64_t terms_by(const sw_rounds *r, int64_t m, int64_t piece, bool up)
{
	int64_t rest = way_to(r, m, piece, up), terms = 0;

	for (int64_t from = 0; from < r->members && rest >= 0; from++)
		terms += share_of(r, from, piece, up) > 0 && way_to(r, from, piece, up) >= rest;
	return terms;
}

sw_rounds_send sw_rounds_sent(const sw_rounds *r, int64_t hop, int64_t m, bool up)
{
	sw_rounds_send sent = sent_in(r, hop, m, up);
	bool sums = r->kind == SW_ROUNDS_SUM || r->kind == SW_ROUNDS_SUM_GATHER;

	if (sums && sent.amount > 0)
		sent.terms = hop <= reach_of(r) ? terms_by(r, m, sent.piece, up) : r->members;
	return sent.amount > 0 ? sent : nothing;
}

/* ---- what is held ---- */

/* A member holds its own term until it is passed on; sums wait a hop where they come to it. */
static int64_t sum_held(const sw_rounds *r, int64_t reach, int64_t hops, int64_t m, int64_t piece)
{
	int64_t distance = distance_of(r, m, piece), head = reach - hops, terms = 1;

	if (distance > head)
		return 0;
	if (distance < head || hops == 0)
		return 1;
	for (int up = 0; up < 2; up++) {
		int64_t by = share_of(r, m, piece, up != 0) > 0 ? terms_by(r, m, piece, up != 0) : 0;

		terms = m == piece ? r->members : by > terms ? by : terms;
	}
	return terms;
}

int64_t sw_rounds_held(const sw_rounds *r, int64_t hops, int64_t m, int64_t piece)
{
	int64_t reach = reach_of(r);

	if (r->kind == SW_ROUNDS_GATHER || r->kind == SW_ROUNDS_SWAP)
		return distance_of(r, piece, m) <= hops;
	if (hops <= reach)
		return sum_held(r, reach, hops, m, piece);
	return distance_of(r, piece, m) <= hops - reach ? r->members : 0;
}

/* ---- time ---- */

/* The link above member `m`, or below it. */
static double crossed_at(const sw_rounds *r, int64_t hops, int64_t m, bool up)
{
	double sum = 0;

	for (int64_t hop = 1; hop <= hops; hop++)
		sum += sent_in(r, hop, m, up).amount;
	return sum;
}

double sw_rounds_crossed(const sw_rounds *r, int64_t hops)
{
	double most = 0;

	for (int64_t m = 0; m < (r->closed ? 1 : r->members); m++)
		most = fmax(most, fmax(crossed_at(r, hops, m, true), crossed_at(r, hops, m, false)));
	return most * r->piece;
}

double sw_rounds_seconds(const sw_rounds *r, int64_t hops)
{
	if (hops >= r->hops)
		return fmax(r->hops_s, r->bytes_s);
	return fmax(r->hops_s * (double)hops / (double)r->hops, r->bytes_s * sw_rounds_crossed(r, hops) / r->link);
}

/* ---- of a step ---- */

static bool refuse(sw_diag *diag, const char *what, const char *hint)
{
	sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "%s", what);
	sw_diag_hint(diag, "%s", hint);
	return false;
}

static sw_rounds_kind kind_of(sw_op op)
{
	if (sw_row(op)->adds)
		return sw_row(op)->splits ? SW_ROUNDS_SUM : SW_ROUNDS_SUM_GATHER;
	return sw_swaps(op) ? SW_ROUNDS_SWAP : SW_ROUNDS_GATHER;
}

/* The slowest link that the group goes over, and whether all of them close to rings. */
static sw_link link_of(const sw_machine *machine, const sw_mesh *mesh, const sw_reach *reach, sw_rounds *r)
{
	sw_link slowest = {INFINITY, 0};

	for (int axis = 0; axis < mesh->count; axis++) {
		if (!sw_reach_crosses(reach, axis))
			continue;
		sw_link link = sw_hardware_link(machine, mesh, axis, reach->block[axis]);
		int64_t ring = machine->hardware->ring, shared = reach->block[axis] / reach->count[axis];

		r->axes++;
		r->shared = shared > r->shared ? shared : r->shared;
		r->closed = r->closed &&
			(ring == 0 || (reach->count[axis] == mesh->axis[axis].size && reach->count[axis] % ring == 0));
		slowest.bandwidth = fmin(slowest.bandwidth, link.bandwidth);
		slowest.latency = fmax(slowest.latency, link.latency);
	}
	return slowest;
}

/* As the model has it; but one way alone, or round a ring that is none, by what crosses its links. */
static void set_seconds(const sw_plan *plan, int k, const sw_machine *machine, sw_link link, sw_rounds *r)
{
	sw_roofline bound = sw_predict_roofline(plan, k, machine);
	double ways = r->by_switch && !r->one_way ? 2 : 1, shared = (double)r->shared;

	r->hops_s = bound.hops;
	r->bytes_s = bound.bytes;
	if (!r->one_way && !r->by_switch)
		return;
	r->hops_s = (double)r->hops * link.latency * shared;
	r->bytes_s = ways * r->link * sw_dtype_bytes(plan->problem.from.dtype) * shared / link.bandwidth;
}

static double larger_tile(const sw_plan *plan, int k)
{
	const int64_t *before = sw_plan_tile_before(plan, k);
	double sizes[2] = {1, (double)plan->steps[k].localsize};

	for (int i = 0; i < plan->problem.from.rank; i++)
		sizes[0] *= (double)before[i];
	return fmax(sizes[0], sizes[1]);
}

bool sw_rounds_of(const sw_plan *plan, int k, const sw_machine *machine, bool one_way, sw_rounds *r, sw_diag *diag)
{
	const sw_step *step = &plan->steps[k];
	sw_reach reach;

	if (!sw_row(step->op)->grouped || step->group_size < 2)
		return refuse(diag, "this step has no hops from neighbour to neighbour",
			"rounds are those of steps whose devices work in groups; `show traffic` draws all others");
	*r = (sw_rounds){.kind = kind_of(step->op),
		.members = step->group_size,
		.closed = true,
		.one_way = one_way,
		.shared = 1};
	r->groups = plan->problem.mesh.devices / step->group_size;
	r->member = step->groups;
	r->by_switch = machine->hardware->ring == 0;
	sw_reach_step(plan, k, &reach);
	sw_link link = link_of(machine, &plan->problem.mesh, &reach, r);
	if (one_way && !r->closed)
		return refuse(diag, "one way along a line does not lead back",
			"--one-way goes round a ring: an axis of the hardware's `ring`, or a multiple of it");
	r->hops = reach_of(r) * (r->kind == SW_ROUNDS_SUM_GATHER ? 2 : 1);
	r->piece = larger_tile(plan, k) / (double)r->members;
	r->link = sw_rounds_crossed(r, r->hops);
	set_seconds(plan, k, machine, link, r);
	return true;
}
