/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tensor distribution notation: which dimension of an array each axis of a mesh cuts.
 *
 *     xy->xy      xy->x0      xy->x*      row,col->row,col      ->0      [xy->xy, zw->z]
 *
 * Letters on the left name the dimensions of the array.  On the right the places are the axes of the mesh in their order: a name
 * cuts that dimension, a number is the only coordinate that has the array, and `*` gives the same to all coordinates.  Where a
 * text holds a comma, names and numbers of any length stand between commas; else each is one sign.  A mesh with levels has one
 * text a level; an inner one cuts what the outer ones left.
 *
 * Pieces follow the rule `nested` (uneven.h): an axis cuts the size of the block before it, rounded up, and what lies past the
 * block or past the array is not there.
 *
 * Source: seed 003, sections 3.2 and 5.3, figures 4 and 5.
 */
#ifndef SHARDWALK_DISTAL_H
#define SHARDWALK_DISTAL_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/mesh.h>
#include <shardwalk/text.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

/* What an axis of the mesh does. */
typedef struct sw_distal_place {
	int dim;    /* it cuts this dimension of the array; -1: none */
	int64_t at; /* where it cuts none: the coordinate that has the array; -1: every coordinate has it */
} sw_distal_place;

/* A small value.  Names point into the text that was read. */
typedef struct sw_distal {
	int rank; /* of the array */
	int axes; /* of the mesh */
	sw_distal_place place[SW_MAX_AXES];
	int cuts;                 /* the axes that cut, those of one dimension major first; more than the */
	int cut[SW_MAX_AXES];     /* notation says may be here: two axes of one level on a dimension, in any order */
	sw_str name[SW_MAX_DIMS]; /* of the dimensions, in the outermost text; empty: none is known */
} sw_distal;

/* Reads a placement of an array of `rank` dimensions.  Errors: D01 to D06, and N01 where the text is none of the notation. */
bool sw_distal_parse(const sw_mesh *mesh, int rank, sw_str text, sw_distal *distal, sw_diag *diag);

/* Does a text look like a placement behind the sizes of an array, `f64[9, 9] xy->xy`?  *sizes is the type in front, *places what
 * stands behind it. */
bool sw_distal_is(sw_str text, sw_str *sizes, sw_str *places);

/* Adds the text of the placement, `xy->xy`, one a level in brackets where there are several.  false: the notation cannot say it;
 * *why is the reason, a constant. */
bool sw_distal_print(const sw_mesh *mesh, const sw_distal *distal, sw_text *text, const char **why);

/* Adds the same as a type over the mesh, `f64[3{x}9, 9] on {y: 0}`, `[{x}8] by nested`, for an array of this element type and these
 * sizes. */
void sw_distal_print_type(const sw_mesh *mesh, const sw_type *array, const sw_distal *distal, sw_text *text);

/* The placement that a type of any kind says (distribution.h), without names.  `arena` is worked in.  false: none does; *why is the
 * reason, a constant. */
struct sw_distribution;
bool sw_distal_of(const sw_mesh *mesh, const sw_type *type, const struct sw_distribution *words, sw_arena *arena,
	sw_distal *distal, const char **why);

/* What a device has of an array of these sizes: a box [low, high) of each dimension.  false: nothing.  Devices are those of the
 * mesh without an order. */
bool sw_distal_box(const sw_mesh *mesh, const int64_t *size, const sw_distal *distal, int64_t device, int64_t *low,
	int64_t *high);

/* How many elements that is; of an array without dimensions one. */
int64_t sw_distal_held(const sw_mesh *mesh, const int64_t *size, const sw_distal *distal, int64_t device);

/* ---- what it means ---- */

/* Adds the statement of section 5.3 that brings the array `name` to its places: `forall xo xi y: T(x,y) s.t. divide(x,xo,xi,4),
 * distribute(xo), communicate(T,xo)`.  A cut dimension x has loops xo and xi, what is left of it is cut again as xio and xii; the
 * axis m that has a `*` has the loop um, vm or wm in turn, and one with a coordinate c `fm=c`.  Dimensions without names are called
 * x, y, z, w.  The placement is one that sw_distal_print can say. */
void sw_distal_lower(const sw_mesh *mesh, const sw_distal *distal, const char *name, sw_text *text);

/* The colors of an array, points along the axes that cut (section 3.2), in ascending order; those that no element has are left out. */
typedef struct sw_distal_colors {
	const sw_mesh *mesh;
	const sw_distal *distal;
	const int64_t *size;
	int axes; /* that cut, ascending */
	int axis[SW_MAX_AXES];
	int64_t at, count; /* of the color that comes next, and of all, with those that are left out */
} sw_distal_colors;

/* One color: its coordinates, and the elements that P maps to it, a box; F maps it to the devices that have the box. */
typedef struct sw_distal_color {
	int64_t coordinate[SW_MAX_AXES]; /* along the axes that cut */
	int64_t low[SW_MAX_DIMS], high[SW_MAX_DIMS];
	int64_t device;  /* the first that has it, */
	int64_t devices; /* and how many have it */
} sw_distal_color;

void sw_distal_colors_begin(const sw_mesh *mesh, const int64_t *size, const sw_distal *distal,
	sw_distal_colors *colors);

/* false: there are no more. */
bool sw_distal_colors_next(sw_distal_colors *colors, sw_distal_color *color);

/* Device number `n` of those that have the color, from 0, in ascending order. */
int64_t sw_distal_color_device(const sw_distal_colors *colors, const sw_distal_color *color, int64_t n);

#pragma GCC visibility pop

#endif
