/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ports of nodes with eight V100: message by message, since a ring of links is no level.
 *
 * Neighbours of a node's ring have a link of their own in each direction.  All other messages pass the switch of the sender's
 * pair and that of the receiver's; between the halves of a node, or between nodes, also the port of both nodes.  Switches
 * and ports carry both directions together.
 */
#include "placement/ports.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RING 8
#define PCIE 32e9

struct v100 {
	const sw_ports *ports;
	double *link; /* device and direction: to the next, to the one before */
	double *pair; /* of the switch of two devices */
	double *node;
};

static bool v100_new(const sw_ports *ports, struct v100 *v100)
{
	int64_t devices = ports->system->devices;

	*v100 = (struct v100){ports, calloc((size_t)devices * 4, sizeof(double)), NULL, NULL};
	if (v100->link == NULL)
		return false;
	v100->pair = v100->link + 2 * devices;
	v100->node = v100->link + 3 * devices;
	return true;
}

static void v100_message(struct v100 *v100, int64_t from, int64_t to, double bytes)
{
	int64_t a = from / RING, b = to / RING, i = from % RING, j = to % RING;

	if (a == b && j == (i + 1) % RING)
		v100->link[2 * from] += bytes;
	else if (a == b && i == (j + 1) % RING)
		v100->link[2 * from + 1] += bytes;
	else {
		v100->pair[from / 2] += bytes;
		v100->pair[to / 2] += bytes;
		if (a != b || i / 4 != j / 4) {
			v100->node[a] += bytes;
			v100->node[b] += bytes;
		}
	}
}

static double v100_busiest(const struct v100 *v100)
{
	const sw_system *system = v100->ports->system;
	double most = 0;

	for (int64_t d = 0; d < system->devices; d++) {
		most = fmax(most, fmax(v100->link[2 * d], v100->link[2 * d + 1]) / system->level[1].bandwidth);
		most = fmax(most, v100->pair[d] / PCIE);
		most = fmax(most, v100->node[d] / system->level[0].bandwidth);
	}
	return most;
}

/* ---- the messages of a group ---- */

static double ring_share(sw_reduction_op op, double n)
{
	switch (op) {
	case SW_REDUCTION_ALLREDUCE:
		return 2 * (n - 1) / n;
	case SW_REDUCTION_REDUCESCATTER:
		return (n - 1) / n;
	case SW_REDUCTION_ALLGATHER:
		return n - 1;
	default:
		return 1;
	}
}

static void ring(struct v100 *v100, sw_reduction_op op, const int64_t *member, int64_t n, double bytes)
{
	double each = bytes * ring_share(op, (double)n);

	for (int64_t m = 0; m < n; m++) {
		bool left_out = (op == SW_REDUCTION_REDUCE && m == 0) || (op == SW_REDUCTION_BROADCAST && m == n - 1);

		if (!left_out)
			v100_message(v100, member[m], member[(m + 1) % n], each);
	}
}

static void both_ways(struct v100 *v100, int64_t a, int64_t b, double bytes)
{
	v100_message(v100, a, b, bytes);
	v100_message(v100, b, a, bytes);
}

/* `run` members of each unit stand side by side: a chain to the first, trees between the firsts. */
static void tree(struct v100 *v100, const int64_t *member, int64_t n, int64_t run, double bytes)
{
	int64_t units = n / run;

	for (int64_t m = 0; m < n; m++)
		if (m % run != 0)
			both_ways(v100, member[m], member[m - 1], bytes);
	for (int64_t t = 1; t < units; t++) {
		int64_t parent = sw_tree_parent(t, units);

		both_ways(v100, member[t * run], member[parent * run], bytes / 2);
		both_ways(v100, member[sw_tree_second(t, units) * run], member[sw_tree_second(parent, units) * run],
			bytes / 2);
	}
}

static void group_messages(struct v100 *v100, const sw_reduction_step *step, const struct sw_port_group *group,
	const int64_t *member, double bytes)
{
	bool single_chain = group->level == v100->ports->system->count - 1;
	int64_t units = sw_hierarchy_size(&v100->ports->hierarchy, group->from);

	if (step->op == SW_REDUCTION_ALLREDUCE && v100->ports->way == SW_ALLREDUCE_TREE)
		tree(v100, member, group->size, single_chain ? group->size : group->size / units, bytes);
	else
		ring(v100, step->op, member, group->size, bytes);
}

/* Which digits of a device's factors are not 0. */
static int class_of(const sw_ports *ports, int64_t device)
{
	const sw_hierarchy *hierarchy = &ports->hierarchy;
	int class = 0;

	for (int f = 0; f < hierarchy->count; f++) {
		bool other = false;

		for (int k = hierarchy->first[f]; k < hierarchy->first[f + 1]; k++)
			other = other || device / hierarchy->digit[k].stride % hierarchy->digit[k].size != 0;
		class = class << 1 | other;
	}
	return class;
}

double sw_ports_v100_seconds(const sw_ports *ports, const sw_reduction_step *step, const double *bytes)
{
	struct sw_port_group group = sw_port_group_of(ports, step);
	sw_arena *arena = sw_arena_new();
	int64_t groups, size,
		*list = arena == NULL ? NULL : sw_reduction_groups(&ports->hierarchy, step, arena, &groups, &size);
	struct v100 v100;
	double seconds = NAN;

	if (list != NULL && v100_new(ports, &v100)) {
		for (int64_t g = 0; g < groups; g++)
			group_messages(&v100, step, &group, list + g * size, bytes[class_of(ports, list[g * size])]);
		seconds = v100_busiest(&v100);
		free(v100.link);
	}
	sw_arena_free(arena);
	return seconds;
}
