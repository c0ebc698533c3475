/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the messages of an exchange to groups in which everyone sends to everyone, or to pairs.
 */
#include "cost/alike.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <shardwalk/between.h>
#include <shardwalk/transfers.h>

#include "index/box.h"
#include "step/entries.h"
#include "step/row.h"

enum { MOST_DEVICES = 512 };

/* Messages, by device and in all. */
struct sums {
	int64_t devices, words;
	uint64_t *set;     /* of each device, a bit each: itself, and all that it gets something from */
	int32_t *from;     /* the last that it gets something from, else itself */
	int32_t *in, *out; /* partners */
	double *get, *give;
	double message; /* elements of each; negative: they differ */
};

bool sw_is_exchange(const sw_plan *plan, int k)
{
	assert(k >= 0 && k < plan->program.steps);
	return sw_row(plan->program.step[k].op)->among == SW_AMONG_ALL;
}

static bool sums_init(struct sums *s, int64_t devices, sw_arena *arena)
{
	*s = (struct sums){.devices = devices, .words = (devices + 63) / 64};
	s->set = SW_NEW_ZERO(arena, uint64_t, devices * s->words);
	s->from = SW_NEW(arena, int32_t, devices);
	s->in = SW_NEW_ZERO(arena, int32_t, devices);
	s->out = SW_NEW_ZERO(arena, int32_t, devices);
	s->get = SW_NEW_ZERO(arena, double, devices);
	s->give = SW_NEW_ZERO(arena, double, devices);
	if (s->set == NULL || s->from == NULL || s->in == NULL || s->out == NULL || s->get == NULL || s->give == NULL)
		return false;
	for (int32_t d = 0; d < devices; d++) {
		s->from[d] = d;
		s->set[d * s->words + d / 64] |= UINT64_C(1) << d % 64;
	}
	return true;
}

static void add_message(struct sums *s, int32_t from, int32_t to, double elements)
{
	bool same = !(s->message > 0) || !(fabs(s->message - elements) > 0);

	s->message = s->message < 0 || !same ? -1 : elements;
	s->in[to]++;
	s->out[from]++;
	s->get[to] += elements;
	s->give[from] += elements;
	s->from[to] = from;
	s->set[to * s->words + from / 64] |= UINT64_C(1) << from % 64;
}

static void add_flow(void *user, const sw_flow *flow)
{
	for (int64_t i = 0; i < flow->froms; i++)
		for (int64_t k = 0; k < flow->tos; k++)
			if (flow->from[i] != flow->to[k])
				add_message(user, flow->from[i], flow->to[k], flow->elements);
}

/* ---- groups ---- */

static int32_t lowest(const uint64_t *set)
{
	int32_t word = 0;

	while (set[word] == 0)
		word++;
	return word * 64 + __builtin_ctzll(set[word]);
}

/* In a group of so many devices everyone gets something from all others: the sets of all its members are the same. */
static bool list_groups(const struct sums *s, int64_t size, int32_t *groups)
{
	int64_t count = 0;

	for (int32_t d = 0; d < s->devices; d++) {
		const uint64_t *set = s->set + d * s->words;
		int32_t first = lowest(set);

		if (s->in[d] != size - 1 || memcmp(set, s->set + first * s->words, (size_t)s->words * sizeof *set) != 0)
			return false;
		if (first == d && count + size > s->devices)
			return false;
		for (int32_t m = first; first == d && m < s->devices; m++)
			if ((set[m / 64] >> m % 64 & 1) != 0)
				groups[count++] = m;
	}
	return count == s->devices;
}

/* ---- which collective ---- */

static bool is(double a, double b)
{
	return fabs(a - b) < 0.5;
}

/* Of groups of `n` that send messages of one size; SW_OP_COUNT: none does. */
static sw_op group_op(double message, double n, double before, double after, bool adds)
{
	if (is(message * n, before) && is(after, adds ? message : before))
		return adds ? SW_REDUCESCATTER : SW_ALLTOALL;
	return !adds && is(message, before) && is(after, n * before) ? SW_ALLGATHER : SW_OP_COUNT;
}

/* The plan with another step at `k`. */
static sw_step *with_step(const sw_plan *plan, int k, sw_op op, sw_arena *arena, const sw_plan **changed)
{
	sw_plan *copy = SW_NEW(arena, sw_plan, 1);

	if (copy == NULL)
		return NULL;
	*copy = *plan;
	if (!sw_plan_own(copy, 0, arena))
		return NULL;
	copy->program.step[k].op = op;
	copy->program.step[k].first_sender = copy->program.step[k].sender = NULL;
	*changed = copy;
	return &copy->program.step[k];
}

/* Devices to the slots that they lie in. */
static void to_slots(const sw_plan *plan, int k, int32_t *device, int32_t *slot, int64_t count)
{
	const int64_t *order = sw_plan_order(plan, k);

	for (int64_t p = 0; order != NULL && p < count; p++)
		slot[order[p]] = (int32_t)p;
	for (int64_t i = 0; order != NULL && i < count; i++)
		device[i] = slot[device[i]];
}

static void use_groups(const sw_plan *plan, int k, struct sums *s, sw_arena *arena, sw_alike *alike)
{
	int64_t size = alike->partners + 1;
	int32_t *groups = SW_NEW(arena, int32_t, s->devices), *scratch = SW_NEW(arena, int32_t, s->devices);
	sw_op op = group_op(s->message, (double)size,
		sw_tile_elements(plan->problem.from.rank, plan->program.value[k].tile),
		sw_tile_elements(plan->problem.from.rank, plan->program.value[k + 1].tile), sw_step_terms(plan, k) > 1);

	if (op == SW_OP_COUNT || groups == NULL || scratch == NULL || !list_groups(s, size, groups))
		return;
	sw_step *now = with_step(plan, k, op, arena, &alike->plan);
	if (now == NULL)
		return;
	to_slots(plan, k, groups, scratch, s->devices);
	now->groups = groups;
	now->group_size = size;
	now->grouped = s->devices;
	const sw_entry whole = {0, size};
	const sw_entries entries = {op != SW_REDUCESCATTER, now->splits, &whole, now->split};
	if (!sw_step_keep(now, &entries, arena))
		alike->plan = plan;
}

/* Who gets a tile gets it whole, and from a device that sends it to nobody else; such pairs are slots'. */
static void use_pairs(const sw_plan *plan, int k, struct sums *s, sw_arena *arena, sw_alike *alike)
{
	int rank = plan->problem.from.rank;
	double before = sw_tile_elements(rank, plan->program.value[k].tile),
		   after = sw_tile_elements(rank, plan->program.value[k + 1].tile);

	if (!is(s->message, before) || !is(after, before) || sw_step_terms(plan, k) > 1 || sw_plan_order(plan, k) != NULL)
		return;
	sw_step *now = with_step(plan, k, SW_ALLPERMUTE, arena, &alike->plan);
	if (now != NULL)
		now->source = s->from;
}

/* Everyone keeps a part of what it has. */
static void use_slice(const sw_plan *plan, int k, sw_arena *arena, sw_alike *alike)
{
	int rank = plan->problem.from.rank;

	if (sw_tile_elements(rank, plan->program.value[k + 1].tile) <
			sw_tile_elements(rank, plan->program.value[k].tile) &&
		sw_step_terms(plan, k) == 1)
		with_step(plan, k, SW_DYNSLICE, arena, &alike->plan);
}

/* ---- in all ---- */

/* Where an end is no tile type: as if everyone got something from all others. */
static sw_alike by_sizes(const sw_plan *plan, int k)
{
	return (sw_alike){plan, plan->problem.mesh.devices - 1, (double)plan->program.step[k].cost};
}

/* By the sizes of tiles: as many partners as tiles that the new one has something of, but its own. */
static sw_alike by_tiles(const sw_plan *plan, int k)
{
	const int64_t *before = plan->program.value[k].tile, *after = plan->program.value[k + 1].tile;
	double tiles = (double)sw_step_terms(plan, k), size = sw_tile_elements(plan->problem.from.rank, after) * tiles;

	for (int i = 0; i < plan->problem.from.rank; i++)
		tiles *= after[i] > before[i] ? ceil((double)after[i] / (double)before[i]) : 1;
	double partners = fmin(fmax(tiles - 1, 1), (double)plan->problem.mesh.devices - 1);
	return (sw_alike){plan, (int64_t)partners, tiles > 1 ? size * (tiles - 1) / tiles : size};
}

sw_alike sw_alike_of(const sw_plan *plan, int k, sw_arena *arena)
{
	assert(sw_is_exchange(plan, k));
	sw_alike alike = {plan, 0, 0};
	struct sums s;

	if (plan->problem.mesh.devices > MOST_DEVICES || !sums_init(&s, plan->problem.mesh.devices, arena) ||
		!sw_plan_flows(plan, k, add_flow, &s, NULL))
		return (sw_problem_has_words(&plan->problem) ? by_sizes : by_tiles)(plan, k);
	for (int64_t d = 0; d < s.devices; d++) {
		int64_t most = s.in[d] > s.out[d] ? s.in[d] : s.out[d];

		alike.partners = most > alike.partners ? most : alike.partners;
		alike.elements = fmax(alike.elements, fmax(s.get[d], s.give[d]));
	}
	if (plan->program.step[k].order != NULL || s.message < 0 || sw_problem_has_words(&plan->problem))
		return alike;
	if (alike.partners == 0)
		use_slice(plan, k, arena, &alike);
	if (alike.partners == 1)
		use_pairs(plan, k, &s, arena, &alike);
	if (alike.plan == plan && alike.partners > 0)
		use_groups(plan, k, &s, arena, &alike);
	return alike;
}
