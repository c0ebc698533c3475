/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of one dimension as a stack: operations push and pop at its minor end.
 *
 * Factors decide, not axes: popping a factor cuts a part where it has to.  An axis of 4 popped by 2 loses its
 * minor half; an axis of 6 can lose a 2 or a 3, for its digits may be ordered either way.
 */
#ifndef SHARDWALK_MOVE_STACK_H
#define SHARDWALK_MOVE_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/mesh.h>
#include <shardwalk/type.h>

/* Parts, minor to major. */
typedef struct sw_stack {
	int count;
	sw_part at[SW_MAX_PARTS];
} sw_stack;

/* The parts of dimension `dim`; and the type with these parts there instead (its tile follows). */
void sw_stack_of(const sw_type *type, int dim, sw_stack *stack);
void sw_stack_put(sw_type *type, int dim, const sw_stack *stack);

/* How many tiles the parts make. */
int64_t sw_stack_product(const sw_stack *stack);

/* Puts a part on the major end, merged with its neighbour where both make one. */
void sw_stack_append(sw_stack *stack, sw_part part);

/* Puts `parts` (minor to major) on the minor end. */
void sw_stack_push(sw_stack *stack, const sw_part *parts, int count);

/* Moves the minor-most `factor` of `stack` to the major end of `popped`.  false, and nothing changed, where the
 * factor is not made of the minor-most parts.  Parts of size 1 on the way go along. */
bool sw_stack_pop(sw_stack *stack, int64_t factor, sw_stack *popped);

/* Moves parts whose sizes make `factor` from wherever they stand in `stack` to the minor end of `taken` (sliced:
 * what came first is most major) or to its major end, cutting from the major or the minor side of a part alike.
 * false, and nothing changed, where the stack has no such factor. */
bool sw_stack_take(sw_stack *stack, int64_t factor, bool slicing, sw_stack *taken);

/* The unused parts of the mesh, axis after axis, the major ones first. */
void sw_stack_free_of(const sw_mesh *mesh, const sw_type *type, sw_stack *free);

/* Removes `part` from a stack of unused parts; false where it is not wholly among them, or cuts across them. */
bool sw_stack_remove(sw_stack *free, sw_part part);

/* A type without its parts of size 1: the same map, written shorter. */
void sw_type_strip(sw_type *type);

#endif
