/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What devices have of the values of a program, whatever kind of type says it.
 */
#include <shardwalk/program.h>

#include <shardwalk/distribution.h>
#include <shardwalk/local.h>
#include <shardwalk/number.h>

bool sw_program_holding(const sw_program *program, int value, sw_arena *arena, sw_holding *holding)
{
	const sw_value *of = &program->value[value];

	return sw_holding_of_any(&program->mesh, of->type, of->words, program->mesh.order, arena, holding);
}

bool sw_program_local(const sw_program *program, int value, int64_t device, sw_arena *arena, sw_local *local)
{
	sw_holding holding;
	sw_region region;

	return sw_program_holding(program, value, arena, &holding) &&
		sw_holding_region(&holding, device, arena, &region) && sw_local_of(&region, arena, local);
}

int64_t sw_program_elements(const sw_program *program, int value)
{
	const sw_value *of = &program->value[value];
	sw_arena *arena;
	sw_holding holding;

	if (of->words == NULL)
		return sw_type_localsize(of->type);
	arena = sw_arena_new();
	int64_t most = arena != NULL && sw_program_holding(program, value, arena, &holding) ? 0 : -1;
	for (int64_t d = 0; most >= 0 && d < holding.devices; d++) {
		int64_t size = sw_holding_size(&holding, d);
		most = size < 0 ? -1 : sw_larger(most, size);
	}
	sw_arena_free(arena);
	return most;
}

bool sw_program_has_words(const sw_program *program, int s)
{
	const sw_step *step = &program->step[s];
	bool has = program->value[sw_program_value_of(program, s)].words != NULL;

	for (int i = 0; i < step->operands; i++)
		has = has || program->value[step->operand[i]].words != NULL;
	return has;
}

void sw_program_problem(const sw_program *program, int s, sw_problem *problem)
{
	const sw_value *from = &program->value[program->step[s].operand[0]],
				   *to = &program->value[sw_program_value_of(program, s)];

	*problem = (sw_problem){.mesh = program->mesh,
		.from = *from->type,
		.to = *to->type,
		.from_words = from->words,
		.to_words = to->words};
}

bool sw_program_of_tiles(const sw_program *program, sw_diag *diag)
{
	for (int v = 0; v < program->values; v++)
		if (program->value[v].words != NULL)
			return sw_type_refuse_words(&program->mesh, program->value[v].type, program->value[v].words,
				program->value[v].at, diag);
	for (int s = 0; s < program->steps; s++)
		if (program->step[s].formula != NULL && program->step[s].equation == NULL) {
			sw_diag_set(diag, SW_T17, program->step[s].at, "a formula does not choose types: they are given");
			sw_diag_hint(diag, "write a product of two plain accesses as `einsum`, which can choose types");
			return false;
		}
	return true;
}
