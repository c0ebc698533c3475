/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model `ports` for plans over types: every step as messages between the devices of a system.
 *
 * A group that gathers or sums is a ring of its members (an all-reduce may be two trees); in an alltoall, an allpermute and an
 * exchange each piece goes straight to its receiver; what stays on the device takes no time.
 */
#include <shardwalk/reduction_plan.h>

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include <shardwalk/transfers.h>

#include "cost/alike.h"
#include "placement/messages.h"
#include "step/row.h"

struct placed {
	sw_system system;
	sw_allreduce_way way;
	int64_t *device; /* in each slot of the mesh */
};

/* A step while its messages are sent. */
struct sending {
	const struct placed *placed;
	sw_messages *messages;
	double element; /* bytes */
	int level;      /* the outermost that is crossed */
};

static int ascending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static sw_op ring_of(const sw_collective *row)
{
	if (row->brings == SW_BRINGS_PARTS)
		return SW_ALLGATHER;
	return row->leaves == SW_LEAVES_PARTS ? SW_REDUCESCATTER : SW_ALLREDUCE;
}

static void send_flow(void *user, const sw_flow *flow)
{
	struct sending *s = user;

	for (int64_t i = 0; i < flow->froms; i++)
		for (int64_t k = 0; k < flow->tos; k++) {
			int64_t from = s->placed->device[flow->from[i]], to = s->placed->device[flow->to[k]];
			int level = sw_messages_level(&s->placed->system, from, to);

			if (from == to)
				continue;
			s->level = level < s->level ? level : s->level;
			sw_messages_send(s->messages, from, to, flow->elements * s->element);
		}
}

static bool send_groups(struct sending *s, const sw_plan *plan, int k, sw_arena *arena)
{
	const sw_step *step = &plan->program.step[k];
	const int32_t *groups = sw_step_groups(plan, k, arena);
	int64_t *member = groups != NULL ? SW_NEW(arena, int64_t, step->group_size) : NULL, before = 1;

	if (member == NULL)
		return false;
	for (int i = 0; i < plan->problem.from.rank; i++)
		before *= plan->program.value[k].tile[i];
	for (int64_t d = 0; d < plan->problem.mesh.devices; d += step->group_size) {
		for (int64_t m = 0; m < step->group_size; m++)
			member[m] = s->placed->device[groups[d + m]];
		qsort(member, (size_t)step->group_size, sizeof *member, ascending);
		int level = sw_messages_level(&s->placed->system, member[0], member[step->group_size - 1]);
		s->level = level < s->level ? level : s->level;
		sw_messages_group(s->messages, ring_of(sw_row(step->op)), s->placed->way, member, step->group_size,
			(double)before * s->element);
	}
	return true;
}

/* How often the step waits for the latency of the outermost level. */
static double rounds_of(const struct placed *placed, const sw_plan *plan, int k, sw_arena *arena)
{
	const sw_step *step = &plan->program.step[k];
	double n = (double)step->group_size;

	if (sw_is_exchange(plan, k))
		return (double)sw_alike_of(plan, k, arena).partners;
	if (n < 2)
		return 1;
	if (!sw_sums_whole(step->op))
		return n - 1;
	return placed->way == SW_ALLREDUCE_TREE ? 2 * ceil(log2(n)) : 2 * (n - 1);
}

/* What a device reads and writes of its own memory. */
static double copying_seconds(const struct sending *s, const sw_plan *plan, int k)
{
	double rate = s->placed->system.node.copying;

	return rate > 0 ?
		(double)(plan->program.value[k].localsize + plan->program.value[k + 1].localsize) * s->element / rate :
		0;
}

static double seconds_of(const sw_machine *machine, const sw_plan *plan, int k)
{
	const struct placed *placed = machine->own;
	const sw_collective *row = sw_row(plan->program.step[k].op);
	struct sending s = {.placed = placed,
		.element = sw_dtype_bytes(plan->problem.from.dtype),
		.level = placed->system.count};
	sw_plan slots = *plan;
	bool sent;

	slots.problem.mesh.order = slots.problem.to_order = NULL;
	sw_arena *arena = sw_arena_new();
	s.messages = arena != NULL ? sw_messages_new(&placed->system) : NULL;
	if (s.messages == NULL)
		sent = false;
	else if (plan->program.step[k].group_size > 0 && !sw_swaps(row->op))
		sent = send_groups(&s, &slots, k, arena);
	else
		sent = sw_plan_flows(&slots, k, send_flow, &s, NULL);
	double seconds = sent ? sw_messages_busiest(s.messages) : -1;
	if (sent && s.level < placed->system.count)
		seconds += placed->system.level[s.level].latency * rounds_of(placed, &slots, k, arena) +
			copying_seconds(&s, plan, k);
	sw_messages_free(s.messages);
	sw_arena_free(arena);
	return seconds;
}

bool sw_ports_machine(const sw_placed_mesh *on, sw_allreduce_way way, const char *name, sw_arena *arena,
	sw_machine *machine, sw_diag *diag)
{
	assert(on->placement->axes == on->mesh->count && on->system->devices == on->mesh->devices);
	const sw_mesh *mesh = on->mesh;
	struct placed *placed = SW_NEW(arena, struct placed, 1);
	int64_t at[SW_MAX_AXES];

	if (mesh->devices > SW_MAX_DEALT) {
		sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "messages of %lld devices are too many for the model ports",
			(long long)mesh->devices);
		sw_diag_hint(diag, "`reductions` goes up to 2^20 devices; for plans over types: model paper");
		return false;
	}
	if (placed == NULL || (placed->device = SW_NEW(arena, int64_t, mesh->devices)) == NULL)
		return sw_diag_memory(diag);
	placed->system = *on->system;
	placed->way = way;
	for (int64_t p = 0; p < mesh->devices; p++) {
		for (int i = 0; i < mesh->count; i++)
			at[i] = sw_mesh_coordinate(mesh, p, i);
		placed->device[p] = sw_placement_device(on->placement, at);
	}
	*machine = (sw_machine){.name = name, .seconds = seconds_of, .own = placed};
	return true;
}
