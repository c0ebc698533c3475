/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ways of products as programs.
 */
#include <shardwalk/ways.h>

#include "program/typing.h"

static bool add_input(sw_typing *typing, const char *name, const sw_type *type, sw_diag *diag)
{
	const sw_value input = {.name = sw_str_of(name), .type = type};

	return sw_typing_input(typing, &input) || sw_diag_memory(diag);
}

bool sw_way_program(const sw_ways *ways, const sw_way *way, const char *name, sw_arena *arena, sw_program *program,
	sw_diag *diag)
{
	const sw_product *p = ways->product;
	sw_equation *equation = SW_NEW(arena, sw_equation, 1);
	sw_typing typing = {.program = program, .arena = arena, .likely = 8};
	sw_step step = {.op = SW_EINSUM, .operands = 2, .equation = equation};
	const sw_value product = {.name = sw_str_of("C")};
	sw_type types[3];

	if (equation == NULL)
		return sw_diag_memory(diag);
	*equation = p->equation;
	*program = (sw_program){.mesh = p->mesh, .name = sw_str_of(name)};
	sw_ways_types(ways, way, types);
	if (!add_input(&typing, "A", &p->a, diag) || !add_input(&typing, "B", &p->b, diag))
		return false;
	for (int k = 0; k < 2; k++)
		if ((step.operand[k] = sw_typing_use(&typing, k, &types[k], diag)) < 0)
			return false;
	if (sw_typing_step(&typing, &step, &product, diag) < 0)
		return false;
	int kept = sw_typing_keep(&typing, &p->as, NULL, diag);
	return kept >= 0 && sw_typing_return(&typing, kept, &p->as, NULL, false, diag) && sw_typing_finish(&typing, diag);
}
