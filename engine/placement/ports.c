/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Seconds of collectives on the ports of a system in levels.
 *
 * A message passes the ports of sender and receiver at every level from the outermost on which they differ to the innermost.
 * Members of a group stand in the order of the levels, so that their ring enters and leaves each unit once; units at one
 * level that meet the same groups are alike but for what their devices bring.
 */
#include "placement/ports.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "step/row.h"

/* ---- two binary trees, as NCCL numbers them ---- */

static int64_t lowest_bit(int64_t n, int64_t end)
{
	int64_t bit = 1;

	while (bit < end && !(bit & n))
		bit <<= 1;
	return bit;
}

/* The parent of a node other than 0. */
int64_t sw_tree_parent(int64_t node, int64_t nodes)
{
	assert(node > 0 && node < nodes);
	int64_t bit = lowest_bit(node, nodes), parent = (node ^ bit) | bit << 1;

	return parent < nodes ? parent : node ^ bit;
}

/* The node that stands in the second tree where `node` stands in the first: mirrored for even numbers, shifted for odd. */
int64_t sw_tree_second(int64_t node, int64_t nodes)
{
	return nodes % 2 == 0 ? nodes - 1 - node : (node + 1) % nodes;
}

int64_t sw_tree_degree(int64_t nodes)
{
	assert(nodes >= 1);
	int32_t *degree = calloc((size_t)nodes, sizeof *degree);
	int64_t most = 0;

	if (degree == NULL)
		return -1;
	for (int64_t node = 1; node < nodes; node++) {
		int64_t parent = sw_tree_parent(node, nodes);

		degree[node]++;
		degree[parent]++;
		degree[sw_tree_second(node, nodes)]++;
		degree[sw_tree_second(parent, nodes)]++;
	}
	for (int64_t node = 0; node < nodes; node++)
		most = degree[node] > most ? degree[node] : most;
	free(degree);
	return most;
}

/* ---- what a step is ---- */

int sw_ports_factor_level(const sw_ports *ports, int factor)
{
	assert(factor >= 0 && factor < ports->hierarchy.count);
	return ports->hierarchy.digit[ports->hierarchy.first[factor]].level;
}

struct sw_port_group sw_port_group_of(const sw_ports *ports, const sw_group_name *name)
{
	struct sw_port_group group = {.size = 1};

	sw_group_name_factors(name, ports->hierarchy.count, &group.from, &group.to);
	assert(group.from <= group.to);
	for (int f = group.from; f < group.to; f++)
		group.size *= sw_hierarchy_size(&ports->hierarchy, f);
	group.level = group.size > 1 ? sw_ports_factor_level(ports, group.from) : 0;
	return group;
}

bool sw_ports_by_trees(const sw_ports *ports, sw_op op)
{
	return ports->way == SW_ALLREDUCE_TREE && sw_has_trees(op);
}

/* In how many units of this level the devices of one group lie. */
static int64_t units_of_group(const sw_ports *ports, const struct sw_port_group *group, int level)
{
	int64_t units = 1;

	for (int f = group->from; f < group->to; f++)
		if (sw_ports_factor_level(ports, f) <= level)
			units *= sw_hierarchy_size(&ports->hierarchy, f);
	return units;
}

static double rounds_of(const sw_ports *ports, const sw_step *step, int64_t n)
{
	if (sw_ports_by_trees(ports, step->op))
		return 2 * ceil(log2((double)n));
	return sw_row(step->op)->passes * (double)(n - 1);
}

/* ---- loads, in what one member brings ---- */

/* A port's two directions. */
struct load {
	double each, both; /* the busier direction; the sum of the two */
};

static struct load symmetric(double each)
{
	return (struct load){each, 2 * each};
}

static struct load larger(struct load a, struct load b)
{
	return (struct load){fmax(a.each, b.each), fmax(a.both, b.both)};
}

/* Every edge of a ring but one carries all; the one that is left out leaves the root (reduce) or enters it (broadcast). */
static struct load rooted_load(const sw_ports *ports, sw_ring ring, const struct sw_port_group *group, int level)
{
	int64_t units = units_of_group(ports, group, level);
	bool one_way = ring == SW_RING_TO_ROOT ? group->size == 2 : units == 2;

	return (struct load){1, one_way ? 1 : 2};
}

/* In the middle of a chain each port passes all up and all down, on both sides. */
static struct load chain_load(int64_t units)
{
	return symmetric(units >= 3 ? 2 : units == 2 ? 1 : 0);
}

/* Chains inside the units of the outermost level that is crossed, trees between their firsts. */
static struct load tree_load(const sw_ports *ports, const struct sw_port_group *group, int level)
{
	int64_t units = units_of_group(ports, group, level) / units_of_group(ports, group, group->level);
	double trees = (double)ports->degree[group->from] / 2;

	if (group->level == ports->system->count - 1)
		return chain_load(group->size);
	return larger(symmetric(trees + (units > 1 ? 1 : 0)), chain_load(units));
}

static struct load load_of(const sw_ports *ports, const sw_step *step, const struct sw_port_group *group, int level)
{
	sw_ring ring = sw_row(step->op)->ring;

	if (sw_ports_by_trees(ports, step->op))
		return tree_load(ports, group, level);
	if (ring == SW_RING_TO_ROOT || ring == SW_RING_FROM_ROOT)
		return rooted_load(ports, ring, group, level);
	return symmetric(sw_ring_edge(step->op, (double)group->size));
}

/* ---- what the busiest unit's groups bring ---- */

/* Factors outside the group that tell devices apart inside a unit of the level (`within`), or units (`between`), as bits of
 * classes. */
struct outside {
	int within, between;
};

static int class_bit(const sw_ports *ports, int factor)
{
	return 1 << (ports->hierarchy.count - 1 - factor);
}

static struct outside outside_of(const sw_ports *ports, const sw_step *step, const struct sw_port_group *group,
	int level)
{
	struct outside outside = {0, 0};

	for (int f = 0; f < ports->hierarchy.count; f++) {
		if (f >= group->from && (f < group->to || step->by.form == SW_FORM_MASTERS))
			continue;
		if (sw_ports_factor_level(ports, f) <= level)
			outside.between |= class_bit(ports, f);
		else
			outside.within |= class_bit(ports, f);
	}
	return outside;
}

/* How many devices of a unit are of this class. */
static double class_size(const sw_ports *ports, int class)
{
	double size = 1;

	for (int f = 0; f < ports->hierarchy.count; f++)
		if (class & class_bit(ports, f))
			size *= (double)(sw_hierarchy_size(&ports->hierarchy, f) - 1);
	return size;
}

static double brought_by_groups(const sw_ports *ports, struct outside outside, const double *bytes)
{
	double most = 0;

	for (int between = outside.between;; between = (between - 1) & outside.between) {
		double sum = 0;

		for (int within = outside.within;; within = (within - 1) & outside.within) {
			sum += class_size(ports, within) * bytes[between | within];
			if (within == 0)
				break;
		}
		most = fmax(most, sum);
		if (between == 0)
			return most;
	}
}

static double port_seconds(const sw_level *level, struct load load, double bytes)
{
	return (level->shared ? load.both : load.each) * bytes / level->bandwidth;
}

static double level_seconds(const sw_ports *ports, const sw_step *step, const struct sw_port_group *group, int level,
	const double *bytes)
{
	struct outside outside = outside_of(ports, step, group, level);
	double brought = ports->repeats[level] * brought_by_groups(ports, outside, bytes);

	return port_seconds(&ports->system->level[level], load_of(ports, step, group, level), brought);
}

/* ---- the model ---- */

double sw_ports_most_brought(const sw_ports *ports, const sw_step *step, const double *bytes)
{
	int inner = (1 << (ports->hierarchy.count - sw_port_group_of(ports, &step->by).to)) - 1;
	double most = 0;

	for (int c = 0; c < 1 << ports->hierarchy.count; c++)
		if (step->by.form != SW_FORM_MASTERS || (c & inner) == 0)
			most = fmax(most, bytes[c]);
	return most;
}

/* What a device reads and writes of its own memory in a step. */
static double copying_seconds(const sw_ports *ports, const sw_step *step, const struct sw_port_group *group,
	const double *bytes)
{
	double rate = ports->system->node.copying, brought = sw_ports_most_brought(ports, step, bytes);
	const sw_collective *row = sw_row(step->op);
	double left = row->leaves == SW_LEAVES_PARTS ? brought / (double)group->size :
		row->brings == SW_BRINGS_PARTS           ? brought * (double)group->size :
												   brought;

	return rate > 0 ? (brought + left) / rate : 0;
}

static double busiest_seconds(const sw_ports *ports, const sw_step *step, const struct sw_port_group *group,
	const double *bytes)
{
	double most = 0;

	if (ports->system->topology == SW_TOPOLOGY_V100)
		return sw_ports_v100_seconds(ports, step, bytes);
	for (int j = group->level; j < ports->system->count; j++)
		most = fmax(most, level_seconds(ports, step, group, j, bytes));
	return most + ports->system->level[group->level].latency * rounds_of(ports, step, group->size);
}

double sw_ports_seconds(const sw_ports *ports, const sw_step *step, const double *bytes)
{
	struct sw_port_group group = sw_port_group_of(ports, &step->by);

	if (group.size < 2)
		return 0;
	if (ports->seconds != NULL)
		return ports->seconds(ports, step, bytes);
	return busiest_seconds(ports, step, &group, bytes) + copying_seconds(ports, step, &group, bytes);
}

int sw_system_ports(const sw_system *system, sw_port_load load[SW_MAX_PORT_KINDS])
{
	if (system->topology == SW_TOPOLOGY_V100)
		return sw_v100_ports(system, load);
	for (int j = 0; j < system->count; j++) {
		load[j] = (sw_port_load){.ports = system->devices / sw_system_unit(system, j),
			.bandwidth = system->level[j].bandwidth,
			.shared = system->level[j].shared};
		memcpy(load[j].name, system->level[j].name, sizeof load[j].name);
	}
	return system->count;
}

int sw_ports_loads(const sw_ports *ports, const sw_step *step, const double *bytes,
	sw_port_load load[SW_MAX_PORT_KINDS])
{
	struct sw_port_group group = sw_port_group_of(ports, &step->by);
	int count = sw_system_ports(ports->system, load);

	if (ports->system->topology == SW_TOPOLOGY_V100)
		return sw_ports_v100_loads(ports, step, bytes, load) ? count : -1;
	for (int j = group.level; j < count && group.size > 1; j++) {
		load[j].seconds = level_seconds(ports, step, &group, j, bytes);
		load[j].bytes = load[j].seconds * load[j].bandwidth;
	}
	return count;
}

double sw_ports_allreduce(const sw_ports *ports, double bytes)
{
	static const sw_step step = {.op = SW_ALLREDUCE, .by = {SW_FORM_INSIDE, 0, 0, NULL}};
	double each[1 << SW_MAX_SUMMED];

	for (size_t c = 0; c < sizeof each / sizeof *each; c++)
		each[c] = bytes;
	return sw_ports_seconds(ports, &step, each);
}

/* Any sum over m units moves each element 2 (m - 1) times: a port carries at least the mean. */
double sw_ports_bound(const sw_ports *ports, double bytes)
{
	struct sw_port_group all = {0, ports->hierarchy.count, 0, 1};
	double most = 0;

	for (int f = 0; f < ports->hierarchy.count; f++)
		all.size *= sw_hierarchy_size(&ports->hierarchy, f);
	for (int j = 0; j < ports->system->count; j++) {
		double m = (double)units_of_group(ports, &all, j), units = 1;
		double groups = (double)ports->system->devices / (double)all.size;

		for (int k = 0; k <= j; k++)
			units *= (double)ports->system->level[k].size;
		most = fmax(most, port_seconds(&ports->system->level[j], symmetric(2 * (m - 1) * groups / units), bytes));
	}
	return most;
}

static bool has_ports(const sw_system *system, sw_diag *diag)
{
	for (int j = 0; j < system->count; j++)
		if (system->level[j].bandwidth <= 0) {
			sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "level '%s' of the system has no bandwidth",
				system->level[j].name);
			sw_diag_hint(diag, "add one, as in `%s: %lld @ 8GB/s`", system->level[j].name,
				(long long)system->level[j].size);
			return false;
		}
	return true;
}

/* How many devices of a unit of each level no factor tells apart. */
static void count_repeats(sw_ports *ports)
{
	const sw_system *system = ports->system;

	for (int j = 0; j < system->count; j++) {
		ports->repeats[j] = (double)sw_system_unit(system, j);
		for (int f = 0; f < ports->hierarchy.count; f++)
			if (sw_ports_factor_level(ports, f) > j)
				ports->repeats[j] /= (double)sw_hierarchy_size(&ports->hierarchy, f);
	}
}

bool sw_ports_begin(const sw_system *system, const sw_placement *placement, uint32_t summed, sw_ports *ports,
	sw_diag *diag)
{
	*ports = (sw_ports){.system = system, .placement = placement, .way = SW_ALLREDUCE_RING};
	sw_hierarchy_make(placement, SW_HIERARCHY_SUMMED_LEVELS, summed, true, &ports->hierarchy);
	return ports->hierarchy.count <= SW_MAX_SUMMED ||
		sw_diag_set(diag, SW_S08, (sw_span){0, 0}, "sums over %d levels are too large to search",
			ports->hierarchy.count);
}

bool sw_ports_make(const sw_system *system, const sw_placement *placement, uint32_t summed, sw_allreduce_way way,
	sw_ports *ports, sw_diag *diag)
{
	if (!has_ports(system, diag) || !sw_ports_begin(system, placement, summed, ports, diag))
		return false;
	ports->way = way;
	count_repeats(ports);
	for (int f = 0; f < ports->hierarchy.count && way == SW_ALLREDUCE_TREE; f++)
		if ((ports->degree[f] = sw_tree_degree(sw_hierarchy_size(&ports->hierarchy, f))) < 0)
			return sw_diag_memory(diag);
	return true;
}
