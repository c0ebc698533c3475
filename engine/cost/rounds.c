/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A collective hop by hop.
 *
 * A gather of n pieces on a ring takes n / 2 hops: in hop h a member passes on the piece of the member h - 1 before it upwards,
 * and that of the one h - 1 behind it downwards.  A sum is a gather played backwards: what was passed on to a member is what it
 * sends back, with its own term added.  Over several axes each is the product of what happens along them.
 */
#include <shardwalk/rounds.h>

#include <assert.h>
#include <math.h>

#include "cost/hardware.h"
#include "cost/reach.h"
#include "cost/roofline.h"
#include "step/row.h"

/* ---- where members are ---- */

/* Hops from one place of a line to another, upwards or downwards; -1: that way does not lead there. */
static int64_t way_to(const sw_rounds *r, const sw_rounds_line *line, int64_t from, int64_t to, bool up)
{
	int64_t distance = up ? to - from : from - to;

	if (!up && r->one_way)
		return -1;
	return distance >= 0 ? distance : line->closed ? distance + line->members : -1;
}

/* How much of a piece goes this way from one place to another: it goes the shorter way, half each way where both are as long. */
static double share_of(const sw_rounds *r, const sw_rounds_line *line, int64_t from, int64_t to, bool up)
{
	int64_t this = way_to(r, line, from, to, up), other = way_to(r, line, from, to, !up);

	if (this < 0 || from == to)
		return 0;
	return other < 0 || this < other ? 1 : this == other ? 0.5 : 0;
}

/* Hops of the way that pieces go. */
static int64_t distance_of(const sw_rounds *r, const sw_rounds_line *line, int64_t from, int64_t to)
{
	int64_t up = way_to(r, line, from, to, true), down = way_to(r, line, from, to, false);

	return up < 0 || (down >= 0 && down < up) ? down : up;
}

/* The place so many hops on, upwards or downwards; -1: there is none. */
static int64_t place_at(const sw_rounds_line *line, int64_t place, int64_t hops, bool up)
{
	int64_t at = up ? place + hops : place - hops;

	return line->closed               ? (at % line->members + line->members) % line->members :
		at >= 0 && at < line->members ? at :
										-1;
}

/* Hops of a gather along a line. */
static int64_t reach_of(const sw_rounds *r, const sw_rounds_line *line)
{
	return line->closed && !r->one_way ? line->members / 2 : line->members - 1;
}

static int64_t reach_of_all(const sw_rounds *r)
{
	int64_t hops = 0;

	for (int n = 0; n < r->axes; n++)
		hops += reach_of(r, &r->line[n]);
	return hops;
}

static int64_t place_on(const sw_rounds_line *line, int64_t m)
{
	return m / line->apart % line->members;
}

/* Do two members differ along lines from `n` on? */
static bool differ_from(const sw_rounds *r, int n, int64_t m, int64_t other)
{
	return n < r->axes && m / r->line[n].apart != other / r->line[n].apart;
}

/* ---- one line after the other ---- */

/* After so many hops: the line that the next goes along, and how many went along it. */
struct phase {
	int line;
	int64_t hops;
	bool sums, gathers; /* on the way to sums; what is held is handed on as it is */
};

/* A sum goes along the lines backwards; an allreduce does so, then gathers. */
static struct phase phase_of(const sw_rounds *r, int64_t hops)
{
	int64_t all = reach_of_all(r);
	bool sums = r->kind == SW_ROUNDS_SUM || (r->kind == SW_ROUNDS_SUM_GATHER && hops < all);
	int64_t left = r->kind == SW_ROUNDS_SUM_GATHER && !sums ? hops - all : hops;

	for (int n = 0; n < r->axes; n++) {
		int line = sums ? r->axes - 1 - n : n;
		int64_t reach = reach_of(r, &r->line[line]);

		if (left < reach || n == r->axes - 1)
			return (struct phase){line, left, sums, !sums && r->kind != SW_ROUNDS_SWAP};
		left -= reach;
	}
	return (struct phase){0, 0, sums, !sums};
}

int sw_rounds_line_of(const sw_rounds *r, int64_t hop)
{
	return phase_of(r, hop - 1).line;
}

/* ---- what is sent along one line ---- */

struct sent {
	int64_t from; /* the place of the line whose pieces these are */
	double amount;
};

static const struct sent none = {0, 0};

static struct sent gather_sent(const sw_rounds *r, const sw_rounds_line *line, int64_t hop, int64_t place, bool up)
{
	int64_t from = place_at(line, place, hop - 1, !up), to = place_at(line, place, 1, up);

	if (from < 0 || to < 0 || way_to(r, line, from, to, up) != hop)
		return none;
	return (struct sent){from, share_of(r, line, from, to, up)};
}

/* Backwards: what a member sends on it got from there in the gather. */
static struct sent sum_sent(const sw_rounds *r, const sw_rounds_line *line, int64_t hop, int64_t place, bool up)
{
	int64_t left = reach_of(r, line) - hop + 1, to = place_at(line, place, left, up);

	if (to < 0 || way_to(r, line, place, to, up) != left)
		return none;
	return (struct sent){to, share_of(r, line, place, to, up)};
}

/* What one member has for all that are at least so many hops away. */
static double for_others(const sw_rounds *r, const sw_rounds_line *line, int64_t from, int64_t hops, bool up)
{
	double farthest = !line->closed ? (double)(up ? line->members - 1 - from : from) :
		r->one_way                  ? (double)(line->members - 1) :
									  (double)(line->members - 1) / 2;

	return fmax(0, farthest - (double)hops + 1);
}

static struct sent swap_sent(const sw_rounds *r, const sw_rounds_line *line, int64_t hop, int64_t place, bool up)
{
	int64_t from = place_at(line, place, hop - 1, !up);

	return from < 0 ? none : (struct sent){from, for_others(r, line, from, hop, up)};
}

/* In a hop of the line, counted from 1. */
static struct sent sent_along(const sw_rounds *r, const struct phase *phase, int64_t hop, int64_t place, bool up)
{
	const sw_rounds_line *line = &r->line[phase->line];

	if (!up && r->one_way)
		return none;
	if (phase->sums)
		return sum_sent(r, line, hop, place, up);
	return phase->gathers ? gather_sent(r, line, hop, place, up) : swap_sent(r, line, hop, place, up);
}

/* Members of a line whose terms come by `place` on their way to `to`, itself included. */
static int64_t terms_by(const sw_rounds *r, const sw_rounds_line *line, int64_t place, int64_t to, bool up)
{
	int64_t rest = way_to(r, line, place, to, up), terms = 0;

	for (int64_t from = 0; from < line->members && rest >= 0; from++)
		terms += share_of(r, line, from, to, up) > 0 && way_to(r, line, from, to, up) >= rest;
	return terms;
}

/* Terms that a member has of what it keeps, once the sum went along all lines after this one. */
static int64_t terms_so_far(const sw_rounds *r, const sw_rounds_line *line)
{
	return r->members / (line->apart * line->members);
}

sw_rounds_send sw_rounds_sent(const sw_rounds *r, int64_t hop, int64_t m, bool up)
{
	assert(m >= 0 && m < r->members);
	static const sw_rounds_send nothing = {0, 0, 0, 0};
	struct phase phase = phase_of(r, hop - 1);
	const sw_rounds_line *line = &r->line[phase.line];

	if (hop < 1 || hop > r->hops)
		return nothing;
	struct sent sent = sent_along(r, &phase, phase.hops + 1, place_on(line, m), up);
	if (sent.amount <= 0)
		return nothing;
	int64_t width = line->apart * line->members;
	sw_rounds_send send = {.piece = m / width * width + sent.from * line->apart, .pieces = line->apart};
	send.amount = sent.amount * (double)(r->kind == SW_ROUNDS_SWAP ? r->members / line->members : line->apart);
	if (phase.sums)
		send.terms = terms_by(r, line, place_on(line, m), sent.from, up) * terms_so_far(r, line);
	else if (r->kind == SW_ROUNDS_SUM_GATHER)
		send.terms = r->members;
	return send;
}

/* ---- what is held ---- */

/* A member holds its own term until it is passed on; sums wait a hop where they come to it. */
static int64_t sum_held(const sw_rounds *r, const sw_rounds_line *line, int64_t hops, int64_t place, int64_t to)
{
	int64_t distance = distance_of(r, line, place, to), head = reach_of(r, line) - hops, terms = 1;

	if (distance > head)
		return 0;
	if (distance < head || hops == 0)
		return 1;
	for (int up = 0; up < 2; up++) {
		int64_t by = share_of(r, line, place, to, up != 0) > 0 ? terms_by(r, line, place, to, up != 0) : 0;

		terms = place == to ? line->members : by > terms ? by : terms;
	}
	return terms;
}

int64_t sw_rounds_held(const sw_rounds *r, int64_t hops, int64_t m, int64_t piece)
{
	assert(m >= 0 && m < r->members && piece >= 0 && piece < r->members);
	struct phase phase = phase_of(r, hops);
	const sw_rounds_line *line = &r->line[phase.line];
	int64_t place = place_on(line, m), other = place_on(line, piece);

	if (differ_from(r, phase.line + 1, m, piece))
		return 0;
	if (phase.sums)
		return sum_held(r, line, phase.hops, place, other) * terms_so_far(r, line);
	if (distance_of(r, line, other, place) > phase.hops)
		return 0;
	return r->kind == SW_ROUNDS_SUM_GATHER ? r->members : 1;
}

/* ---- which slots members are in ---- */

/* The lowest slot of the group above this one. */
static int64_t next_slot(const sw_rounds *r, int64_t slot)
{
	int64_t next = INT64_MAX;

	for (int64_t i = 0; i < r->members; i++)
		if (r->member[i] > slot && r->member[i] < next)
			next = r->member[i];
	return next;
}

int64_t sw_rounds_slot(const sw_rounds *r, int64_t m)
{
	assert(m >= 0 && m < r->members);
	int64_t slot = -1;

	if (r->member == NULL || r->line[0].axis < 0)
		return r->member == NULL ? m : r->member[m];
	for (int64_t k = 0; k <= m; k++)
		slot = next_slot(r, slot);
	return slot;
}

int64_t sw_rounds_member(const sw_rounds *r, int64_t slot)
{
	int64_t below = 0;
	bool among = false;

	if (r->member == NULL)
		return slot < r->members ? slot : -1;
	for (int64_t i = 0; i < r->members; i++) {
		if (r->line[0].axis < 0 && r->member[i] == slot)
			return i;
		among = among || r->member[i] == slot;
		below += r->member[i] < slot;
	}
	return among ? below : -1;
}

/* ---- time ---- */

/* Pieces over the link above a place of a line, or below it, in its first hops. */
static double crossed_at(const sw_rounds *r, const struct phase *phase, int64_t place, bool up)
{
	double sum = 0;

	for (int64_t hop = 1; hop <= phase->hops; hop++)
		sum += sent_along(r, phase, hop, place, up).amount;
	return sum;
}

/* Hops along line `n` of the share that begins with line `first`, of so many of a gather or, backwards, of a sum. */
static int64_t hops_along(const sw_rounds *r, int n, int first, int64_t hops, bool back)
{
	int turn = (n - first + r->axes) % r->axes;
	int64_t reach = reach_of(r, &r->line[n]), before = 0;

	for (int k = back ? turn + 1 : 0; k < (back ? r->axes : turn); k++)
		before += reach_of(r, &r->line[(first + k) % r->axes]);
	return hops < before ? 0 : hops - before < reach ? hops - before : reach;
}

/* Pieces that line `n` hands on at once of the share that begins with line `first`. */
static double handed_on(const sw_rounds *r, int n, int first)
{
	double pieces = 1;

	if (r->kind == SW_ROUNDS_SWAP)
		return (double)(r->members / r->line[n].members);
	for (int k = first; k % r->axes != n; k++)
		pieces *= (double)r->line[k % r->axes].members;
	return pieces;
}

/* Pieces of one share that went over the link above a place of line `n`, or below it. */
static double share_crossed(const sw_rounds *r, int n, int first, int64_t hops, int64_t place, bool up)
{
	int64_t all = reach_of_all(r);
	bool sums = r->kind == SW_ROUNDS_SUM || r->kind == SW_ROUNDS_SUM_GATHER;
	struct phase phase = {n, hops_along(r, n, first, hops, sums), sums, !sums && r->kind != SW_ROUNDS_SWAP};
	double pieces = crossed_at(r, &phase, place, up);

	if (r->kind == SW_ROUNDS_SUM_GATHER && hops > all) {
		struct phase gather = {n, hops_along(r, n, first, hops - all, false), false, true};
		pieces += crossed_at(r, &gather, place, up);
	}
	return r->line[first].share * handed_on(r, n, first) * pieces;
}

/* Of all shares, over the busiest link of line `n`. */
static double crossed_along(const sw_rounds *r, int n, int64_t hops)
{
	const sw_rounds_line *line = &r->line[n];
	double most = 0;

	for (int64_t place = 0; place < (line->closed ? 1 : line->members); place++)
		for (int up = 0; up < 2; up++) {
			double sum = 0;

			for (int first = 0; first < r->axes; first++)
				sum += share_crossed(r, n, first, hops, place, up != 0);
			most = fmax(most, sum);
		}
	return most;
}

/* Seconds for an element over a link. */
static double pace_of(const sw_rounds *r, const sw_rounds_line *line)
{
	double ways = r->by_switch && !r->one_way ? 2 : 1; /* both directions go through one port */

	return ways * (double)line->shared / line->bandwidth;
}

/* The elements that crossed the link which works longest, the most where several do, and, bytes taken for elements, for how many
 * seconds. */
static double busiest(const sw_rounds *r, int64_t hops, double *seconds)
{
	double most = 0;

	*seconds = 0;
	for (int n = 0; n < r->axes; n++) {
		double elements = crossed_along(r, n, hops) * r->piece, time = elements * pace_of(r, &r->line[n]);

		if (time >= *seconds * (1 - 1e-12))
			most = time > *seconds * (1 + 1e-12) ? elements : fmax(most, elements);
		*seconds = fmax(*seconds, time);
	}
	return most;
}

double sw_rounds_crossed(const sw_rounds *r, int64_t hops)
{
	double seconds;

	return busiest(r, hops, &seconds);
}

double sw_rounds_seconds(const sw_rounds *r, int64_t hops)
{
	double now, all;

	if (hops >= r->hops)
		return fmax(r->hops_s, r->bytes_s);
	busiest(r, hops, &now);
	busiest(r, r->hops, &all);
	return fmax(r->hops_s * (double)hops / (double)r->hops, r->bytes_s * now / all);
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
	bool parts = sw_row(op)->leaves == SW_LEAVES_PARTS;

	if (sw_row(op)->brings == SW_BRINGS_TERMS)
		return parts ? SW_ROUNDS_SUM : SW_ROUNDS_SUM_GATHER;
	return parts ? SW_ROUNDS_SWAP : SW_ROUNDS_GATHER;
}

static void add_line(const sw_machine *machine, const sw_mesh *mesh, const sw_reach *reach, int axis, sw_rounds *r)
{
	int64_t ring = machine->hardware->ring, count = reach->count[axis];
	bool closed = ring == 0 || (count == mesh->axis[axis].size && count % ring == 0);
	sw_link link = sw_hardware_link(machine, mesh, axis, reach->block[axis]);

	sw_rounds_line *line = &r->line[r->axes], *last = line - 1;

	*line = (sw_rounds_line){.axis = axis,
		.members = count,
		.apart = r->axes > 0 ? last->apart * last->members : 1,
		.closed = closed,
		.shared = reach->block[axis] / count,
		.bandwidth = link.bandwidth};
	r->axes++;
	r->closed = r->closed && closed;
	r->hops_s += (double)(reach_of(r, line) * line->shared) * link.latency;
}

/* Lines along the axes that the group goes over, the last axis first: members count along it.  False: the group is no product of
 * them. */
static bool set_lines(const sw_machine *machine, const sw_mesh *mesh, const sw_reach *reach, sw_rounds *r)
{
	int64_t members = 1;

	for (int axis = mesh->count - 1; axis >= 0; axis--)
		if (sw_reach_crosses(reach, axis)) {
			members = members > r->members ? members : members * reach->count[axis];
			add_line(machine, mesh, reach, axis, r);
		}
	return members == r->members;
}

/* Members in the order of their group, as quick as the slowest of the links that it goes over. */
static void set_switch(const sw_machine *machine, const sw_mesh *mesh, const sw_reach *reach, sw_rounds *r)
{
	sw_link slowest = {INFINITY, 0};

	for (int axis = 0; axis < mesh->count; axis++)
		if (sw_reach_crosses(reach, axis)) {
			sw_link link = sw_hardware_link(machine, mesh, axis, reach->block[axis]);

			slowest.bandwidth = fmin(slowest.bandwidth, link.bandwidth);
			slowest.latency = fmax(slowest.latency, link.latency);
		}
	r->axes = 1;
	r->line[0] = (sw_rounds_line){-1, r->members, 1, true, 1, 1, slowest.bandwidth};
	r->hops_s = (double)reach_of(r, &r->line[0]) * slowest.latency;
}

/* For each hop of the axes before, a line takes as long as its bandwidth says: shares are such that all links are busy for as long.
 * Where that cannot be, a share is nothing. */
static void set_shares(sw_rounds *r)
{
	double weight[SW_MAX_AXES], sum = 0;

	for (int n = 0; n < r->axes; n++) {
		const sw_rounds_line *line = &r->line[n];
		double ways = line->closed && !r->one_way && !r->by_switch ? 2 : 1;

		weight[n] = ways * line->bandwidth / (double)(line->shared * line->apart * (line->members - 1));
	}
	for (int n = 0; n < r->axes; n++) {
		double before = n > 0 ? weight[n - 1] : (double)r->members * weight[r->axes - 1];

		r->line[n].share = r->kind == SW_ROUNDS_SWAP ? 1 : fmax(0, (double)r->line[n].apart * (before - weight[n]));
		sum += r->line[n].share;
	}
	for (int n = 0; n < r->axes; n++)
		r->line[n].share /= sum;
}

/* As the model has it; but one way alone, or round a ring that is none, by what crosses its links. */
static void set_seconds(const sw_plan *plan, int k, const sw_machine *machine, sw_rounds *r)
{
	sw_roofline bound = sw_predict_roofline(plan, k, machine);
	double seconds;

	r->link = busiest(r, r->hops, &seconds);
	r->hops_s *= r->kind == SW_ROUNDS_SUM_GATHER ? 2 : 1;
	r->bytes_s = seconds * sw_dtype_bytes(plan->problem.from.dtype);
	if (!r->one_way && !r->by_switch) {
		r->hops_s = bound.hops;
		r->bytes_s = bound.bytes;
	}
}

static double larger_tile(const sw_plan *plan, int k)
{
	const int64_t *before = plan->program.value[k].tile;
	double sizes[2] = {1, (double)plan->program.value[k + 1].localsize};

	for (int i = 0; i < plan->problem.from.rank; i++)
		sizes[0] *= (double)before[i];
	return fmax(sizes[0], sizes[1]);
}

bool sw_rounds_of(const sw_plan *plan, int k, const sw_machine *machine, bool one_way, sw_rounds *r, sw_diag *diag)
{
	assert(k >= 0 && k < plan->program.steps && machine->roofline);
	const sw_step *step = &plan->program.step[k];
	sw_reach reach;

	if (step->group_size < 2)
		return refuse(diag, "this step has no hops from neighbour to neighbour",
			"only steps whose devices work in groups have rounds; `show traffic` draws the others");
	*r = (sw_rounds){.kind = kind_of(step->op), .members = step->group_size, .closed = true, .one_way = one_way};
	r->groups = plan->problem.mesh.devices / step->group_size;
	r->member = step->groups;
	r->by_switch = machine->hardware->ring == 0;
	sw_reach_step(plan, k, &reach);
	bool lines = set_lines(machine, &plan->problem.mesh, &reach, r);
	if (!lines && !r->by_switch)
		return refuse(diag, "the groups of this step are not lines or rings of the mesh",
			"`show traffic` draws what its devices send to each other");
	if (!lines)
		set_switch(machine, &plan->problem.mesh, &reach, r);
	if (one_way && !r->closed)
		return refuse(diag, "one way along a line does not lead back",
			"--one-way needs a ring: an axis of the hardware's `ring`, or a multiple of it");
	r->hops = reach_of_all(r) * (r->kind == SW_ROUNDS_SUM_GATHER ? 2 : 1);
	r->piece = larger_tile(plan, k) / (double)r->members;
	set_shares(r);
	set_seconds(plan, k, machine, r);
	return true;
}
