/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Meshes: named axes over which devices are numbered.
 *
 * Source: seed 000, section 2.1 and figure 6.  Devices are numbered row-major over the axes as written, the
 * last axis fastest; that number is the MPI rank.  A mesh whose devices lie otherwise has an order: its slots are
 * numbered row-major, and the order says which device is in each.
 *
 *     {x: 4, y: 6}      {"rows": 2, "odd name": 3}      {node: 2 @ 10GB/s 20us, core: 4}      {nx: 2, ny: 2; g: 2}
 *
 * A mesh may have levels, outer first, which a `;` parts: nodes, and what is in each of them (seed 003, section 3.1).
 * Devices are numbered as without levels, since outer axes stand first.
 */
#ifndef SHARDWALK_MESH_H
#define SHARDWALK_MESH_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/text.h>

#pragma GCC visibility push(default)

#define SW_MAX_AXES 64                        /* axes of size 1 count */
#define SW_MAX_DEVICES ((int64_t)1 << 40)     /* for planning by sizes */
#define SW_MAX_MAP_DEVICES ((int64_t)1 << 20) /* where a map per device is shown or checked */
#define SW_NAME_SIZE 64                       /* an axis name has at most 63 bytes */
#define SW_DEVICE_SIZE 32                     /* the name of a device has fewer bytes */

typedef struct sw_axis {
	char name[SW_NAME_SIZE];
	int64_t size;     /* >= 1 */
	int64_t stride;   /* devices differing by one step along this axis differ by this in number */
	int64_t level;    /* 0: the outermost; never less than that of the axis before */
	double bandwidth; /* bytes per second, per device and direction; 0: none given */
	double latency;   /* seconds; 0: none given */
} sw_axis;

typedef struct sw_mesh {
	int count;            /* of axes, 1 to SW_MAX_AXES */
	int64_t devices;      /* product of the sizes, at most SW_MAX_DEVICES */
	const int64_t *order; /* the device in each slot, kept alive by who makes it; NULL: that of its number */
	int64_t unit; /* devices share a letter of their names where so many are in a unit; 0: numbers are their names */
	sw_axis axis[SW_MAX_AXES];
} sw_mesh;

/* The device that an order (NULL: 0, 1, 2, ...) has in a slot. */
int64_t sw_device_at(const int64_t *order, int64_t slot);

/* Adds the name of a device: a letter for its unit and its number in there, `A0`, `B3`, `AA0` from the 27th unit on; its number
 * where the mesh has no units. */
void sw_mesh_print_device(const sw_mesh *mesh, int64_t device, sw_text *text);

/* The same, as a text says it at first: with its number where that is not its name, `B0 (4)`. */
void sw_mesh_introduce_device(const sw_mesh *mesh, int64_t device, sw_text *text);

/* The name, where there is no mesh but units of so many devices; 0: there are none. */
void sw_device_print(int64_t unit, int64_t device, sw_text *text);

/* The device that a text names so.  false: none, or the mesh has no units. */
bool sw_mesh_find_device(const sw_mesh *mesh, sw_str name, int64_t *device);

/* Are two orders of so many devices the same? */
bool sw_device_order_equal(const int64_t *a, const int64_t *b, int64_t devices);

/* A copy in `arena`, NULL of NULL.  false: no memory. */
bool sw_device_order_copy(const int64_t *order, int64_t devices, sw_arena *arena, const int64_t **copy);

/* Reads `{name: size, ...}`, with `;` for a comma where a level begins; names quoted or not, each axis with an optional link `@ BANDWIDTH LATENCY`
 * (either or both; kB MB GB TB per second, powers of ten; s ms us ns).  Errors: M01 to M07, T05. */
bool sw_mesh_parse(sw_str text, sw_mesh *mesh, sw_diag *diag);

/* Adds the canonical text, which sw_mesh_parse reads back to the same mesh: `{x: 4, "odd name": 6}`.  It does not say
 * the order. */
void sw_mesh_print(const sw_mesh *mesh, sw_text *text);

/* Appends an axis to a mesh that starts as {0}.  Errors: M02 to M06 (positions are empty). */
bool sw_mesh_add(sw_mesh *mesh, sw_str name, int64_t size, sw_diag *diag);

/* How many levels it has, one at least. */
int64_t sw_mesh_levels(const sw_mesh *mesh);

/* The first axis of a level and the one after its last; equal: it has none. */
void sw_mesh_level(const sw_mesh *mesh, int64_t level, int *first, int *end);

/* The index of the axis with this name (without quotes), or -1. */
int sw_mesh_find(const sw_mesh *mesh, sw_str name);

/* The axis whose name is nearest to `name`, or -1 where none is near. */
int sw_mesh_nearest(const sw_mesh *mesh, sw_str name);

/* The coordinate of `device` along axis `axis`. */
int64_t sw_mesh_coordinate(const sw_mesh *mesh, int64_t device, int axis);

/* Adds an axis name as the language writes it: bare where it is [A-Za-z_][A-Za-z0-9_]*, else in quotes. */
void sw_mesh_print_name(const char *name, sw_text *text);

/* The same axes, levels and links; the orders of their devices may differ. */
bool sw_mesh_equal(const sw_mesh *a, const sw_mesh *b);

#pragma GCC visibility pop

#endif
