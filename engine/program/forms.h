/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Forms of a statement: every choice of the types in which its operands are used, with the type that the local rule makes of them.
 */
#ifndef SW_PROGRAM_FORMS_H
#define SW_PROGRAM_FORMS_H

#include <shardwalk/program.h>

#include "search/type_space.h"

typedef struct sw_form {
	int32_t use[2], result; /* states of the spaces; of a statement with one operand use[1] is -1 */
	double flops;           /* of a device */
} sw_form;

typedef struct sw_forms {
	int32_t count, room;
	sw_form *form;
} sw_forms;

/* What a statement computes, and in which spaces its operands and its result are. */
typedef struct sw_form_of {
	sw_program_op op;
	const sw_equation *equation; /* SW_DO_EINSUM */
	int operands;
	const sw_type_space *operand[2], *result;
	int64_t budget; /* no form has a larger tile, in elements; 0: any */
} sw_form_of;

/* All forms, in `arena`.  Of operations other than SW_DO_SPMD and SW_DO_REDISTRIBUTE.  Errors: S09 where a
 * product of whole arrays has more operations than 64 bits count; E01. */
bool sw_forms_list(const sw_form_of *of, sw_arena *arena, sw_forms *forms, sw_diag *diag);

#endif
