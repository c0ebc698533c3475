/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printing programs.
 */
#include "dry.h"

#include <inttypes.h>
#include <stdio.h>

#include "read.h"
#include "values.h"

enum { SHOWN_RANKS = 64 };

static void print_moves(const ex_step *step, int rank)
{
	for (int i = 0; i < step->ins; i++) {
		const ex_move *move = &step->in[i];
		printf("  rank %d %s rank %d: %" PRId64 " bytes in %" PRId64 " runs of %" PRId64 ", from byte %" PRId64
			   " to byte %" PRId64 "\n",
			rank,
			step->adds             ? "adds from" :
				move->peer == rank ? "keeps from" :
									 "takes from",
			move->peer, move->bytes, move->shape.runs, move->shape.run, move->from, move->into);
	}
}

static bool print_rank(const sw_plan *plan, int rank, int k, ex_fault *fault)
{
	ex_program program;
	sw_arena *arena = sw_arena_new();
	bool ok = arena ? ex_program_make(plan, rank, arena, &program, fault) :
					  ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	if (ok && k < 0)
		printf("plan for %d ranks: %d steps, %" PRId64 " bytes of tiles per rank\n", program.ranks, program.count,
			program.region);
	if (ok && k >= 0)
		print_moves(&program.steps[k], rank);
	if (ok && k >= 0 && program.steps[k].then)
		print_moves(program.steps[k].then, rank);
	sw_arena_free(arena);
	return ok;
}

static bool print_steps(const sw_plan *plan, ex_fault *fault)
{
	int64_t ranks = plan->problem.mesh.devices, shown = ranks < SHOWN_RANKS ? ranks : SHOWN_RANKS;
	for (int k = 0; k < plan->program.steps; k++) {
		printf("step %d: %s\n", k + 1, sw_collective_of(plan->program.step[k].op)->name);
		for (int rank = 0; rank < shown; rank++)
			if (!print_rank(plan, rank, k, fault))
				return false;
		if (shown < ranks)
			printf("  ... and %" PRId64 " more ranks\n", ranks - shown);
	}
	return true;
}

static bool print_plan(const sw_text *text, sw_arena *arena, ex_fault *fault)
{
	sw_plan plan;
	return ex_read_plan(text, true, arena, &plan, fault) && print_rank(&plan, 0, -1, fault) &&
		print_steps(&plan, fault);
}

/* ---- programs of products and redistributions ---- */

static void print_operation(const sw_program *program, int s)
{
	const sw_step *step = &program->step[s];
	const sw_value *made = &program->value[sw_program_value_of(program, s)];
	sw_str name = made->name;
	printf("operation %d: %.*s = %s", s + 1, (int)name.length, name.at, sw_op_name(step->op));
	for (int i = 0; i < step->operands; i++) {
		name = program->value[step->operand[i]].name;
		printf(" %.*s", (int)name.length, name.at);
	}
	printf(", %" PRId64 " bytes per rank\n", made->bytes);
}

static void print_memory(const sw_program *program, const ex_values *values, const char *file)
{
	int64_t ranks = program->mesh.devices;
	printf("program %.*s for %" PRId64 " ranks: %d values, %d operations\n", (int)program->name.length,
		program->name.at, ranks, program->values, program->steps);
	printf("memory: %" PRId64 " bytes of values per rank, and %" PRId64 " to work in\n", values->room.region,
		values->scratch_bytes);
	printf("command: mpiexec -n %" PRId64 " shardwalk-exec %s\n", ranks, file);
}

static bool print_program(const sw_text *text, const char *file, sw_arena *arena, ex_fault *fault)
{
	sw_program program;
	sw_diag diag = {.code = SW_OK};
	ex_team team = {.rank = 0};
	ex_values values;
	if (!sw_program_read((sw_str){sw_text_get(text), text->length}, arena, &program, &diag))
		return ex_fault_of(fault, &diag);
	if (!ex_values_lay_out(&values, &team, &program, &(ex_manner){.transport = EX_MESSAGES}, arena, fault))
		return false;
	print_memory(&program, &values, file);
	for (int s = 0; s < program.steps; s++) {
		print_operation(&program, s);
		if (program.step[s].inside && !print_steps(program.step[s].inside, fault))
			return false;
	}
	return true;
}

int ex_dry_run(const ex_options *options, const char *file)
{
	ex_fault fault = {0};
	sw_text text = {0};
	sw_arena *arena = sw_arena_new();
	(void)options;
	bool ok = arena ? ex_read_file(file, &text, &fault) : ex_fault_set(&fault, EX_LACKS, "E01", "out of memory");
	if (ok)
		ok = sw_program_is_file((sw_str){sw_text_get(&text), text.length}) ?
			print_program(&text, file, arena, &fault) :
			print_plan(&text, arena, &fault);
	if (!ok)
		ex_fault_print(&fault, file);
	sw_text_free(&text);
	sw_arena_free(arena);
	return ok ? EX_DONE : fault.status;
}
