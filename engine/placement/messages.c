/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages, one by one, over the ports of levels, or over the rings and switches of seed 001, figure 9b.
 *
 * A message passes the ports of sender and receiver at every level from the outermost on which they differ to the innermost.  With
 * rings of eight, neighbours of a node's ring have a link of their own in each direction.  All other messages pass the switch of
 * the sender's pair and that of the receiver's; between the halves of a node, or between nodes, also the port of both nodes (with measured rates between nodes alone).
 * Switches and ports carry both directions together.
 */
#include "placement/messages.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "placement/ports.h"
#include "step/row.h"

#define RING 8

struct sw_messages {
	const sw_system *system;
	double *out[SW_MAX_LEVELS], *in[SW_MAX_LEVELS]; /* of each unit of a level */
	double *link;                                   /* V100: device and direction: to the next, to the one before */
	double *pair, *node;                            /* V100: of the switch of two devices; of a node's port */
	double room[];
};

static int64_t units_of(const sw_system *system, int level)
{
	return system->devices / sw_system_unit(system, level);
}

sw_messages *sw_messages_new(const sw_system *system)
{
	int64_t numbers = 4 * system->devices;

	for (int j = 0; j < system->count; j++)
		numbers += 2 * units_of(system, j);
	sw_messages *m = calloc(1, sizeof *m + sizeof *m->room * (size_t)numbers);
	double *next = m != NULL ? m->room : NULL;
	if (m == NULL)
		return NULL;
	m->system = system;
	m->link = next;
	m->pair = next + 2 * system->devices;
	m->node = next + 3 * system->devices;
	next += 4 * system->devices;
	for (int j = 0; j < system->count; j++) {
		m->out[j] = next;
		m->in[j] = next + units_of(system, j);
		next += 2 * units_of(system, j);
	}
	return m;
}

void sw_messages_free(sw_messages *messages)
{
	free(messages);
}

int sw_messages_level(const sw_system *system, int64_t a, int64_t b)
{
	assert(a >= 0 && a < system->devices && b >= 0 && b < system->devices);
	int level = 0;

	while (level < system->count - 1 && a / sw_system_unit(system, level) == b / sw_system_unit(system, level))
		level++;
	return level;
}

static void send_v100(sw_messages *m, int64_t from, int64_t to, double bytes)
{
	int64_t a = from / RING, b = to / RING, i = from % RING, j = to % RING;

	if (a == b && j == (i + 1) % RING)
		m->link[2 * from] += bytes;
	else if (a == b && i == (j + 1) % RING)
		m->link[2 * from + 1] += bytes;
	else {
		m->pair[from / 2] += bytes;
		m->pair[to / 2] += bytes;
		if (a != b || (i / 4 != j / 4 && !m->system->node.measured)) {
			m->node[a] += bytes;
			m->node[b] += bytes;
		}
	}
}

void sw_messages_send(sw_messages *m, int64_t from, int64_t to, double bytes)
{
	assert(from >= 0 && from < m->system->devices && to >= 0 && to < m->system->devices);
	if (from == to)
		return;
	if (m->system->topology == SW_TOPOLOGY_V100) {
		send_v100(m, from, to, bytes);
		return;
	}
	for (int j = sw_messages_level(m->system, from, to); j < m->system->count; j++) {
		m->out[j][from / sw_system_unit(m->system, j)] += bytes;
		m->in[j][to / sw_system_unit(m->system, j)] += bytes;
	}
}

static double pair_bandwidth(const sw_system *system)
{
	return system->node.pair > 0 ? system->node.pair : SW_PAIR_BANDWIDTH;
}

int sw_v100_ports(const sw_system *system, sw_port_load load[SW_MAX_PORT_KINDS])
{
	assert(system->topology == SW_TOPOLOGY_V100 && system->count == 2);
	load[0] = (sw_port_load){"node", system->level[0].size, system->level[0].bandwidth, true, 0, 0};
	load[1] = (sw_port_load){"pair", system->devices / 2, pair_bandwidth(system), true, 0, 0};
	load[2] = (sw_port_load){"ring", system->devices, system->level[1].bandwidth, false, 0, 0};
	return SW_V100_PORTS;
}

void sw_messages_v100(const sw_messages *m, double seconds[SW_V100_PORTS])
{
	seconds[0] = seconds[1] = seconds[2] = 0;
	for (int64_t d = 0; d < m->system->devices; d++) {
		seconds[0] = fmax(seconds[0], m->node[d] / m->system->level[0].bandwidth);
		seconds[1] = fmax(seconds[1], m->pair[d] / pair_bandwidth(m->system));
		seconds[2] = fmax(seconds[2], fmax(m->link[2 * d], m->link[2 * d + 1]) / m->system->level[1].bandwidth);
	}
}

static double busiest_v100(const sw_messages *m)
{
	double seconds[SW_V100_PORTS];

	sw_messages_v100(m, seconds);
	return fmax(seconds[0], fmax(seconds[1], seconds[2]));
}

double sw_messages_busiest(const sw_messages *m)
{
	double most = 0;

	if (m->system->topology == SW_TOPOLOGY_V100)
		return busiest_v100(m);
	for (int j = 0; j < m->system->count; j++) {
		const sw_level *level = &m->system->level[j];

		for (int64_t u = 0; u < units_of(m->system, j); u++) {
			double out = m->out[j][u], in = m->in[j][u];

			most = fmax(most, (level->shared ? out + in : fmax(out, in)) / level->bandwidth);
		}
	}
	return most;
}

/* ---- the messages of a group ---- */

static void both_ways(sw_messages *m, int64_t a, int64_t b, double bytes)
{
	sw_messages_send(m, a, b, bytes);
	sw_messages_send(m, b, a, bytes);
}

/* All eight of a node, in the order of its ring? */
static bool is_whole_ring(const int64_t *member, int64_t n)
{
	return n == RING && member[0] % RING == 0 && member[n - 1] == member[0] + RING - 1;
}

static void around(sw_messages *m, sw_op op, const int64_t *member, int64_t n, double bytes)
{
	double each = bytes * sw_ring_edge(op, (double)n);
	sw_ring ring = sw_row(op)->ring;
	bool parted = ring == SW_RING_PARTS || ring == SW_RING_WHOLES;
	bool halved = m->system->node.measured && parted && is_whole_ring(member, n);

	for (int64_t i = 0; i < n; i++) {
		bool left_out = (ring == SW_RING_TO_ROOT && i == 0) || (ring == SW_RING_FROM_ROOT && i == n - 1);

		if (!left_out && halved)
			both_ways(m, member[i], member[(i + 1) % n], each / 2);
		else if (!left_out)
			sw_messages_send(m, member[i], member[(i + 1) % n], each);
	}
}

/* `run` members of each unit stand side by side: a chain to the first, trees between the firsts. */
static void tree(sw_messages *m, const int64_t *member, int64_t n, int64_t run, double bytes)
{
	int64_t units = n / run;

	for (int64_t i = 0; i < n; i++)
		if (i % run != 0)
			both_ways(m, member[i], member[i - 1], bytes);
	for (int64_t t = 1; t < units; t++) {
		int64_t parent = sw_tree_parent(t, units);

		both_ways(m, member[t * run], member[parent * run], bytes / 2);
		both_ways(m, member[sw_tree_second(t, units) * run], member[sw_tree_second(parent, units) * run], bytes / 2);
	}
}

/* How many members stand in the first unit of the outermost level that the group crosses: all, where that is the innermost. */
static int64_t run_of(const sw_system *system, const int64_t *member, int64_t size)
{
	int level = sw_messages_level(system, member[0], member[size - 1]);
	int64_t run = 1, unit = sw_system_unit(system, level);

	if (level == system->count - 1)
		return size;
	while (run < size && member[run] / unit == member[0] / unit)
		run++;
	return size % run == 0 ? run : size;
}

void sw_messages_group(sw_messages *m, sw_op op, sw_allreduce_way way, const int64_t *member, int64_t size,
	double bytes)
{
	assert(size >= 1);
	if (sw_has_trees(op) && way == SW_ALLREDUCE_TREE)
		tree(m, member, size, run_of(m->system, member, size), bytes);
	else
		around(m, op, member, size, bytes);
}

void sw_tree_parents(const sw_system *system, const int64_t *member, int64_t size, int tree, int64_t *parent)
{
	assert(size >= 1 && (tree == 0 || tree == 1));
	int64_t run = run_of(system, member, size), units = size / run;

	for (int64_t i = 0; i < size; i++)
		parent[i] = i - 1;
	for (int64_t t = 0; t < units; t++) {
		int64_t up = t > 0 ? sw_tree_parent(t, units) : -1;

		if (tree == 0)
			parent[t * run] = up < 0 ? -1 : up * run;
		else
			parent[sw_tree_second(t, units) * run] = up < 0 ? -1 : sw_tree_second(up, units) * run;
	}
}
