/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Printing programs.
 */
#include "dry.h"

#include <inttypes.h>
#include <stdio.h>

#include "read.h"

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

static bool print_plan(const sw_plan *plan, ex_fault *fault)
{
	if (!print_rank(plan, 0, -1, fault))
		return false;
	int64_t ranks = plan->problem.mesh.devices, shown = ranks < SHOWN_RANKS ? ranks : SHOWN_RANKS;
	for (int k = 0; k < plan->count; k++) {
		printf("step %d: %s\n", k + 1, sw_collective_of(plan->steps[k].op)->name);
		for (int rank = 0; rank < shown; rank++)
			if (!print_rank(plan, rank, k, fault))
				return false;
		if (shown < ranks)
			printf("  ... and %" PRId64 " more ranks\n", ranks - shown);
	}
	return true;
}

int ex_dry_run(const ex_options *options, const char *file)
{
	ex_fault fault = {0};
	sw_text text = {0};
	sw_plan plan;
	sw_arena *arena = sw_arena_new();
	(void)options;
	bool ok = arena ? ex_read_file(file, &text, &fault) && ex_read_plan(&text, true, arena, &plan, &fault) &&
			print_plan(&plan, &fault) :
					  ex_fault_set(&fault, EX_LACKS, "E01", "out of memory");
	if (!ok)
		ex_fault_print(&fault, file);
	sw_text_free(&text);
	sw_arena_free(arena);
	return ok ? EX_DONE : fault.status;
}
