/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tile numbers: which tile each device holds, as one integer.
 *
 * The tiles of a map form a grid, global[i] / tile[i] along dimension i.  The tile number of a device is the
 * row-major number of its tile in that grid, so a map is one int32_t a device and two maps are compared as
 * integers.  A type is a sum over digits of the device number, which is how the numbers are filled in without
 * a division.
 */
#ifndef SHARDWALK_PLAN_TILE_NUMBERS_H
#define SHARDWALK_PLAN_TILE_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/plan.h>
#include <shardwalk/transfers.h>

#include "index/digits.h"

/* The digits of a type, with weights and dimensions, MINOR to MAJOR, one dimension after the other: how many.  Parts of size
 * 1 have none. */
int sw_digits_of_type(const sw_mesh *mesh, const sw_type *type, sw_digit digit[SW_MAX_PARTS]);

/* Weights of the row-major number over a grid of tiles; returns how many tiles the grid has. */
int64_t sw_grid_weights(const int64_t *global, const int64_t *tile, int rank, int64_t weight[SW_MAX_DIMS]);

/* The tile number of every device of the mesh (at most SW_MAX_MAP_DEVICES) under a type, and under base offsets.  The
 * latter fails (P05) where an offset is no tile of the grid or tiles are not held by equally many devices; `count`
 * has room for one number a device. */
void sw_tile_numbers_of_type(const sw_mesh *mesh, const sw_type *type, int32_t *number);
bool sw_tile_numbers_of_map(const sw_problem *problem, const int64_t *tile, const int64_t *map, int32_t *number,
	int32_t *count, sw_diag *diag);

/* The same of value k of a plan. */
bool sw_tile_numbers_at(const sw_plan *plan, int k, int32_t *number, int32_t *count, sw_diag *diag);

/* How many terms step k adds up to one, or would have to make of one, which is refused later; 1: it adds none. */
int64_t sw_terms_added(const sw_plan *plan, int k);

/* The parts that step k sums, in the order in which sums stand; how many. */
int sw_step_summed(const sw_plan *plan, int k, sw_part *part);

/* The number of the term in every slot, the first of the sums fastest. */
void sw_term_numbers_of_type(const sw_mesh *mesh, const sw_type *type, int32_t *number);

/* For each term before a step, the term after it that it is a part of (terms after a step of which nothing is a part are 0): where
 * some sums are left, or join, those of the same digits; else they are dealt out in turn.  `join` has room for the terms before. */
void sw_terms_join(const sw_mesh *mesh, const sw_type *before, const sw_type *after, int32_t *join);

/* The same of one term. */
int64_t sw_term_joined(const sw_mesh *mesh, const sw_type *before, const sw_type *after, int64_t term);

#endif
