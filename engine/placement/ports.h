/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the two models of ports share.
 */
#ifndef SW_PLACEMENT_PORTS_H
#define SW_PLACEMENT_PORTS_H

#include <shardwalk/reduction.h>

/* A sum over axes, of ports that nothing is known of yet.  S08 as sw_ports_make. */
bool sw_ports_begin(const sw_system *system, const sw_placement *placement, uint32_t summed, sw_ports *ports,
	sw_diag *diag);

/* The factors [from, to) over which a group reaches, the outermost level that it crosses, and how many devices it has. */
struct sw_port_group {
	int from, to, level;
	int64_t size;
};

struct sw_port_group sw_port_group_of(const sw_ports *ports, const sw_group_name *name);

/* The most that a member of a group brings to a step; bytes as in sw_ports_seconds. */
double sw_ports_most_brought(const sw_ports *ports, const sw_step *step, const double *bytes);

/* The level of a factor. */
int sw_ports_factor_level(const sw_ports *ports, int factor);

/* Is this all-reduce one by trees? */
bool sw_ports_by_trees(const sw_ports *ports, sw_op op);

/* Edges of the busiest node of two binary trees over so many nodes; -1: no memory. */
int64_t sw_tree_degree(int64_t nodes);

/* The parent in the first tree of a node other than 0, and the node that stands in the second where `node` does in the
 * first. */
int64_t sw_tree_parent(int64_t node, int64_t nodes);
int64_t sw_tree_second(int64_t node, int64_t nodes);

/* Seconds of a step on nodes with a ring of eight, switches of pairs and one port. */
double sw_ports_v100_seconds(const sw_ports *ports, const sw_step *step, const double *bytes);

/* Its kinds of ports, and what a step loads them with.  false: no memory. */
int sw_v100_ports(const sw_system *system, sw_port_load load[SW_MAX_PORT_KINDS]);
bool sw_ports_v100_loads(const sw_ports *ports, const sw_step *step, const double *bytes, sw_port_load *load);

#endif
