/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Systems of devices in levels, and parallelism axes laid over them.
 *
 * Source: seed 001, sections 2.1 and 3.1.
 *
 *     system {node: 4 @ 8GB/s shared, gpu: 16 @ 270GB/s}      axes {data: 8, shard: 8}      [[2 4] [2 4]]
 *
 * Levels stand outermost first.  Devices count row-major, the innermost level fastest.  A placement is a matrix with a row
 * for each axis and a column for each level: rows multiply to the axes, columns to the levels.  Inside a level the first
 * axis is the most major.
 */
#ifndef SHARDWALK_PLACEMENT_H
#define SHARDWALK_PLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/diag.h>
#include <shardwalk/mesh.h>
#include <shardwalk/text.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

#define SW_MAX_LEVELS 12
#define SW_MAX_PLACED 16 /* axes of a placement */

/* Each unit of a level has a port to the switch of the unit around it: one for each direction, or one for both together. */
typedef struct sw_level {
	char name[SW_NAME_SIZE];
	int64_t size;
	double bandwidth; /* bytes per second; 0: none given */
	double latency;   /* seconds */
	bool shared;      /* one port for both directions */
} sw_level;

/* Which ports a message passes. */
typedef enum sw_topology {
	SW_TOPOLOGY_TREE, /* those of the levels */
	SW_TOPOLOGY_V100  /* those of seed 001, figure 9b: rings of 8, pairs behind PCIe switches, a port a node */
} sw_topology;

/* What a system has that its levels do not say. */
typedef struct sw_node_rates {
	double
		copying; /* bytes per second with which a device reads what it brings to a step and writes what it leaves; 0: at once */
	double pair; /* rings of 8: bytes per second of the switch of two devices, both directions together */
	bool
		measured; /* rings of 8: a ring of all eight goes both ways at once, halves of a node do not share its port */
} sw_node_rates;

typedef struct sw_system {
	int count; /* of levels, 1 to SW_MAX_LEVELS */
	int64_t devices;
	sw_topology topology;
	sw_level level[SW_MAX_LEVELS];
	const char *name; /* of a system that its levels do not say; NULL: they do */
	sw_node_rates node;
} sw_system;

#define SW_PAIR_BANDWIDTH 32e9 /* of seed 001, section 5 */

/* Reads `{node: 4 @ 8GB/s 20us shared, gpu: 16}`.  Errors: M01 to M07. */
bool sw_system_parse(sw_str text, sw_system *system, sw_diag *diag);

/* Adds the text that is read back to the same levels. */
void sw_system_print(const sw_system *system, sw_text *text);

/* The systems of seed 001, figure 9, by name, with so many nodes: `p2-a100` and `p2-v100` with the rates of its section 5,
 * `p2-a100-fitted` and `p2-v100-fitted` with rates inside a node that follow from its measurements (system.c).  false: no such
 * name, or no such number of nodes. */
bool sw_system_named(sw_str name, int64_t nodes, sw_system *system);

/* The name of the n-th of them, from 0; NULL after the last. */
const char *sw_system_name_at(int n);

/* The system with fitted rates that stands beside another one by its name; NULL: there is none. */
const char *sw_system_fitted(sw_str name);

/* How many devices a unit of this level holds. */
int64_t sw_system_unit(const sw_system *system, int level);

/* How many devices the smallest unit with several levels around it holds, whose letter is in their names; 0: there is one level. */
int64_t sw_system_innermost(const sw_system *system);

/* Adds the name of a device, as sw_device_print says it. */
void sw_system_print_device(const sw_system *system, int64_t device, sw_text *text);

/* The level with this name, or -1; and the one whose name is nearest, or -1 where none is near. */
int sw_system_find(const sw_system *system, sw_str name);
int sw_system_nearest(const sw_system *system, sw_str name);

typedef struct sw_placement {
	int axes, levels;
	int64_t factor[SW_MAX_PLACED][SW_MAX_LEVELS];
} sw_placement;

/* How many placements of axes of these sizes there are: 0 where none exists, INT64_MAX where there are more than that or too
 * many to be counted, -1 where there is no memory. */
int64_t sw_placements_count(const sw_system *system, const int64_t *axis, int axes);

/* The first placement in ascending order of rows, and the one after; false: there is none.  `axis`: sizes, at most SW_MAX_PLACED. */
bool sw_placement_first(const sw_system *system, const int64_t *axis, int axes, sw_placement *placement);
bool sw_placement_next(const sw_system *system, sw_placement *placement);

/* The placement that numbers devices row-major over axes of these sizes, the last one fastest, as Megatron's ranks do.  false:
 * there is none, since axis *straddles goes over the bound of a level otherwise than in whole factors. */
bool sw_placement_row_major(const sw_system *system, const int64_t *size, int axes, sw_placement *placement,
	int *straddles);

/* That of JAX's create_hybrid_device_mesh: `outer` over the outermost level (its dcn_mesh_shape), `inner` row-major over the
 * devices of each unit. */
bool sw_placement_hybrid(const sw_system *system, const int64_t *outer, const int64_t *inner, int axes,
	sw_placement *placement, int *straddles);

/* Do rows, one an axis, multiply to the axes and columns to the levels?  Error: M03, which names the row or the column. */
bool sw_placement_fits(const sw_system *system, const sw_mesh *axes, const sw_placement *placement, sw_diag *diag);

/* The coordinate of a device along an axis of the placement. */
int64_t sw_placement_coordinate(const sw_placement *placement, int64_t device, int axis);

/* The part of an axis that its factor on a level is. */
sw_part sw_placement_part(const sw_placement *placement, int axis, int level);

/* The device at these coordinates, one for each axis. */
int64_t sw_placement_device(const sw_placement *placement, const int64_t *coordinate);

/* The parts of levels that an axis consists of, minor to major; neighbours of one level are one.  How many. */
int sw_placement_parts(const sw_placement *placement, int axis, sw_part parts[SW_MAX_LEVELS]);

/* Adds `[2 4] [2 4]`. */
void sw_placement_print(const sw_placement *placement, sw_text *text);

/* Adds the parts of an axis as a type writes them, with the names of the levels: `{gpu:(1)4,node:(1)2}`. */
void sw_placement_print_parts(const sw_system *system, const sw_placement *placement, int axis, sw_text *text);

#pragma GCC visibility pop

#endif
