/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Forms of a statement: every choice of the types in which its operands are used, with the type that the local rule makes of them.
 */
#ifndef SW_PROGRAM_FORMS_H
#define SW_PROGRAM_FORMS_H

#include <shardwalk/program.h>

#include "program/costs.h"
#include "search/type_space.h"

typedef struct sw_form {
	int32_t use[2], result; /* states of the spaces; of a statement with one operand use[1] is -1 */
} sw_form;

/* By side: what the first operand is used as, the second, and the result. */
enum { SW_FORM_RESULT = 2, SW_FORM_SIDES };

typedef struct sw_forms {
	int32_t count;
	sw_rows_of side[SW_FORM_SIDES];
} sw_forms;

static inline sw_form sw_forms_at(const sw_forms *forms, int32_t k)
{
	return (sw_form){{forms->side[0][k], forms->side[1][k]}, forms->side[SW_FORM_RESULT][k]};
}

/* What a statement computes, and in which spaces its operands and its result are. */
typedef struct sw_form_of {
	sw_op op;
	const sw_equation *equation; /* of a product */
	int operands;
	int32_t home; /* of a redistribution: the state to which it leads; else -1 */
	const sw_type_space *operand[2], *result;
	int64_t budget; /* no form has a larger tile, in elements; 0: any */
} sw_form_of;

/* All forms.  Not of an operation that uses its operands as they lie.  false: see store->failure; else errors: S09 where a
 * product of whole arrays has more operations than 64 bits count; E01. */
bool sw_forms_list(const sw_form_of *of, sw_costs_store *store, sw_forms *forms, sw_diag *diag);

#endif
