/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The local rules of global statements: from the types in which operands are used to the type that is computed.
 *
 * They hold for the calls of a body too, as far as these are read as operations on the whole arrays.
 */
#ifndef SW_PROGRAM_RULES_H
#define SW_PROGRAM_RULES_H

#include <shardwalk/program.h>

/* The type of `op` on operands of these types.  Errors: A02 to A09, T09; positions
 * are empty. */
bool sw_rule_compute(const sw_mesh *mesh, sw_op op, const sw_equation *equation, const sw_type *const *use,
	sw_type *computed, sw_diag *diag);

/* The whole array that it makes, whatever cuts the operands.  Errors: A02 to A04, A09, T09. */
bool sw_rule_shape(sw_op op, const sw_equation *equation, const sw_type *const *use, sw_type *whole, sw_diag *diag);

/* May a value of type `from` be kept, or used, as `to`?  An element type said on one side holds for both.  Error: A17. */
bool sw_rule_same_array(const sw_mesh *mesh, const sw_type *from, sw_type *to, sw_diag *diag);

/* Says which rule is broken; returns false. */
bool sw_rule_name(sw_diag *diag, const char *rule);

#endif
