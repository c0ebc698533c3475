/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traffic of a step, added up by blocks of devices.
 */
#include "views/traffic.h"

#include <assert.h>
#include <stdlib.h>

#include <shardwalk/transfers.h>

/* The smallest block that gives at most `blocks`, of equal size where up to twice that size does. */
static int64_t block_size(int64_t devices, int blocks)
{
	int64_t least = (devices + blocks - 1) / blocks;
	for (int64_t block = least; block < 2 * least; block++)
		if (devices % block == 0)
			return block;
	return least;
}

bool traffic_new(struct traffic *traffic, int64_t devices, int blocks)
{
	assert(devices >= 1 && blocks >= 1);
	int64_t block = block_size(devices, blocks);
	*traffic = (struct traffic){.devices = devices, .block = block, .blocks = (int)((devices + block - 1) / block)};
	size_t n = (size_t)traffic->blocks;
	traffic->sent = calloc(n * n, sizeof(double));
	traffic->out = calloc(n, sizeof(double));
	traffic->in = calloc(n, sizeof(double));
	return traffic->sent && traffic->out && traffic->in;
}

void traffic_free(struct traffic *traffic)
{
	free(traffic->sent);
	free(traffic->out);
	free(traffic->in);
	*traffic = (struct traffic){0};
}

/* `elements` from a device of block `from` to another device of block `to`. */
static void traffic_send(struct traffic *traffic, int from, int to, double elements)
{
	assert(from >= 0 && from < traffic->blocks && to >= 0 && to < traffic->blocks);
	traffic->sent[(size_t)from * (size_t)traffic->blocks + (size_t)to] += elements;
	traffic->out[from] += elements;
	traffic->in[to] += elements;
	traffic->total += elements;
	if (from == to)
		traffic->inside += elements;
}

/* ---- flows ---- */

struct adding {
	struct traffic *traffic;
	int64_t *members; /* of a group, by block */
	int *touched;     /* the blocks that have any */
};

static int block_of(const struct traffic *traffic, int32_t device)
{
	return (int)(device / traffic->block);
}

/* Every member of a group sends to every other: counted by block first. */
static void add_group(struct adding *adding, const sw_flow *flow)
{
	int count = 0;
	for (int64_t i = 0; i < flow->froms; i++) {
		int block = block_of(adding->traffic, flow->from[i]);
		if (!adding->members[block]++)
			adding->touched[count++] = block;
	}
	for (int a = 0; a < count; a++) {
		for (int b = 0; b < count; b++) {
			int from = adding->touched[a], to = adding->touched[b];
			int64_t receivers = adding->members[to] - (a == b);
			if (receivers > 0)
				traffic_send(adding->traffic, from, to,
					flow->elements * (double)adding->members[from] * (double)receivers);
		}
	}
	for (int a = 0; a < count; a++)
		adding->members[adding->touched[a]] = 0;
}

static void add_flow(void *user, const sw_flow *flow)
{
	struct adding *adding = user;
	if (flow->from == flow->to)
		add_group(adding, flow);
	else
		traffic_send(adding->traffic, block_of(adding->traffic, *flow->from), block_of(adding->traffic, *flow->to),
			flow->elements);
}

void traffic_add_message(struct traffic *traffic, int64_t from, int64_t to, double elements)
{
	assert(from >= 0 && from < traffic->devices && to >= 0 && to < traffic->devices);
	traffic_send(traffic, (int)(from / traffic->block), (int)(to / traffic->block), elements);
}

bool traffic_add(struct traffic *traffic, const sw_plan *plan, int k, sw_diag *diag)
{
	assert(k >= 0 && k < plan->program.steps);
	struct adding adding = {.traffic = traffic};
	adding.members = calloc((size_t)traffic->blocks, sizeof(*adding.members));
	adding.touched = calloc((size_t)traffic->blocks, sizeof(*adding.touched));
	bool ok = adding.members && adding.touched ? sw_plan_flows(plan, k, add_flow, &adding, diag) :
												 sw_diag_memory(diag);
	free(adding.members);
	free(adding.touched);
	return ok;
}

static double size_before(const sw_plan *plan, int k)
{
	double size = 1;
	const int64_t *tile = plan->program.value[k].tile;
	for (int i = 0; i < plan->problem.from.rank; i++)
		size *= (double)tile[i];
	return size;
}

double traffic_per_device(const sw_plan *plan, int k)
{
	assert(k >= 0 && k < plan->program.steps);
	const sw_step *step = &plan->program.step[k];
	double size = size_before(plan, k);
	double known[SW_AMONG_COUNT] =
		{[SW_AMONG_NONE] = 0, [SW_AMONG_GROUPS] = -1, [SW_AMONG_PAIRS] = size, [SW_AMONG_ALL] = -1};
	if (step->group_size < 1)
		return known[sw_collective_of(step->op)->among];
	return sw_sends(step->op, size, (double)step->group_size) * (double)(step->group_size - 1);
}
