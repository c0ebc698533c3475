/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cases: a small mesh, and a row of types over it.  Axes are whole: nothing cuts them into parts.
 *
 * The steps between types are the rules of figure 8 of seed 000, one axis a step, written down here once more: what tries
 * the engine's rules does not use them.
 */
#ifndef SHARDWALK_THEORY_CASE_H
#define SHARDWALK_THEORY_CASE_H

#include <shardwalk/collective.h>
#include <shardwalk/type.h>

#define CASE_AXES 3
#define CASE_DIMS 3
#define CASE_TYPES 24    /* in a row */
#define CASE_DEVICES 216 /* at most: three axes of 6 */

typedef struct sw_case_mesh {
	int axes, rank;
	int64_t size[CASE_AXES];
	int64_t global[CASE_DIMS];
} sw_case_mesh;

typedef struct sw_case_type {
	uint8_t count[CASE_DIMS];
	uint8_t axis[CASE_DIMS][CASE_AXES]; /* minor to major; 0 beyond the count */
} sw_case_type;

typedef struct sw_case {
	sw_case_mesh mesh;
	int count; /* of types */
	sw_case_type type[CASE_TYPES];
	uint64_t salt; /* decides what is drawn beside: orders of devices, types in place of others */
} sw_case;

/* What a step does: an axis leaves dimension `from`, enters `to`, or both; -1: none. */
typedef struct sw_case_step {
	sw_op op;
	int from, to, axis;
} sw_case_step;

int64_t sw_case_devices(const sw_case_mesh *mesh);

/* The tile along a dimension, 0 where the axes do not divide the array; and the elements of the tile. */
int64_t sw_case_tile(const sw_case_mesh *mesh, const sw_case_type *type, int dim);
int64_t sw_case_size(const sw_case_mesh *mesh, const sw_case_type *type);

/* Does every axis stand once at most, and divide the array? */
bool sw_case_type_sound(const sw_case_mesh *mesh, const sw_case_type *type);

bool sw_case_type_equal(const sw_case_type *a, const sw_case_type *b);
bool sw_case_same_tile(const sw_case_mesh *mesh, const sw_case_type *a, const sw_case_type *b);

/* The index of an axis in a dimension, -1: it is not there; the dimension that an axis cuts, -1: none. */
int sw_case_find(const sw_case_type *type, int dim, int axis);
int sw_case_dim_of(const sw_case_mesh *mesh, const sw_case_type *type, int axis);

/* Takes the axis at this index out of a dimension; puts one at its minor end. */
void sw_case_take(sw_case_type *type, int dim, int index);
void sw_case_put(sw_case_type *type, int dim, int axis);

/* The step from one type to another; false where no single one leads there. */
bool sw_case_step_between(const sw_case_mesh *mesh, const sw_case_type *before, const sw_case_type *after,
	sw_case_step *step);

/* Cost of the step from type k to the next (figure 11), and of all, with or without the permutations. */
int64_t sw_case_cost(const sw_case *path, bool permutes);

/* The larger tile of both ends. */
int64_t sw_case_ends(const sw_case *path);

/* The base offset on a device, by mixed radix: axes are numbered row-major, the last one fastest (figure 7a). */
void sw_case_offset(const sw_case_mesh *mesh, const sw_case_type *type, int64_t device, int64_t offset[CASE_DIMS]);

/* The same in the engine's words; false where it does not go. */
bool sw_case_mesh_make(const sw_case_mesh *mesh, sw_mesh *out, sw_diag *diag);
bool sw_case_type_make(const sw_case_mesh *mesh, const sw_mesh *made, const sw_case_type *type, sw_type *out,
	sw_diag *diag);

#endif
