/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of one dimension as a stack: operations push and pop at its minor end.
 *
 * Factors decide, not axes: popping a factor cuts a part where it has to.  An axis of 4 popped by 2 loses its
 * minor half; an axis of 6 can lose a 2 or a 3, for its digits may be ordered either way.
 */
#ifndef SHARDWALK_STEP_PART_LIST_H
#define SHARDWALK_STEP_PART_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/mesh.h>
#include <shardwalk/type.h>

/* Parts; here minor to major. */
typedef struct sw_part_list {
	int count;
	sw_part at[SW_MAX_PARTS];
} sw_part_list;

/* The parts of dimension `dim`; and the type with these parts there instead (its tile follows).  `dim` may be the rank, for the
 * sums, which are put as they stand. */
void sw_part_list_of(const sw_type *type, int dim, sw_part_list *stack);
void sw_part_list_put(sw_type *type, int dim, const sw_part_list *stack);

/* How many tiles the parts make. */
int64_t sw_part_list_product(const sw_part_list *stack);

/* Puts a part on the major end, merged with its neighbour where both make one. */
void sw_part_list_append(sw_part_list *stack, sw_part part);

/* Puts `parts` (minor to major) on the minor end. */
void sw_part_list_push(sw_part_list *stack, const sw_part *parts, int count);

/* Moves the innermost `factor` of `stack` to the major end of `popped`.  false, and nothing changed, where the
 * factor is not made of the innermost parts.  Parts of size 1 on the way go along. */
bool sw_part_list_pop(sw_part_list *stack, int64_t factor, sw_part_list *popped);

/* Moves parts whose sizes make `factor` from wherever they stand in `stack` to the minor end of `taken` (sliced:
 * what came first is most major) or to its major end, cutting from the major or the minor side of a part alike.
 * false, and nothing changed, where the stack has no such factor. */
bool sw_part_list_take(sw_part_list *stack, int64_t factor, bool slicing, sw_part_list *taken);

/* The parts that are summed over, in the order in which sums stand, instead of those of a type. */
void sw_part_list_put_sums(sw_type *type, const sw_part_list *sums);

/* The unused parts of the mesh, axis after axis, the major ones first. */
void sw_part_list_free_of(const sw_mesh *mesh, const sw_type *type, sw_part_list *free);

/* Removes `part` from a stack of unused parts, or of sums; false where it is not wholly among them, or cuts across them. */
bool sw_part_list_remove(sw_part_list *free, sw_part part);

/* A type without its parts of size 1: the same map, written shorter. */
void sw_type_strip(sw_type *type);

#endif
