/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan as an MPI program: tables of tiles, groups and steps, between parts that are the same for all plans.
 */
#include "emit/mpi_tables.h"

static bool adds(const sw_emitter *e, unsigned by)
{
	sw_dtype dtype = e->plan->problem.from.dtype;

	if (!sw_emit_has_sums(e) || (sw_mpi_adds(dtype) && (by == SW_MPI_RANKS || sw_nccl_addend(dtype))))
		return true;
	return sw_emit_refuse(e, "`run` adds them", "%s has no type that adds %s",
		by == SW_MPI_RANKS ? "MPI" : "C with NCCL", sw_dtype_name(dtype));
}

/* NCCL has the calls of reductions alone. */
static bool has_calls(const sw_emitter *e, unsigned by)
{
	for (int k = 0; by == SW_MPI_GPUS && k < e->plan->program.steps; k++)
		if (!sw_mpi_by_pieces(e, k))
			return sw_emit_refuse(e, "export mpi", "step %d, '%s', is none of a reduction program", k + 1,
				sw_collective_of(e->plan->program.step[k].op)->name);
	return true;
}

/* Who holds which term in the beginning, and who adds up with whom in the end. */
static bool add_terms(const sw_mpi_tables *t)
{
	const sw_problem *problem = &t->e->plan->problem;

	sw_emit_line(t->e,
		"\n/* Elements that add, terms of a value before the first step, and devices whose terms make one at the end. */");
	sw_mpi_addend(t->e, problem->from.dtype);
	sw_emit_line(t->e, "#define FIRST_TERMS %lld", (long long)sw_type_terms(&problem->from));
	return sw_mpi_device_table(t, "first_term", sw_type_term, &problem->from) &&
		sw_mpi_device_table(t, "last_sum", sw_mpi_first_of_sum, &problem->to);
}

static void add_head(const sw_emitter *e, unsigned by)
{
	sw_emit_line(e, "/* Redistribution of an array over %s, written by shardwalk.\n *",
		by == SW_MPI_RANKS ? "MPI ranks" : "GPUs by NCCL, one of each MPI rank");
	sw_emit_remark_problem(e, " *   ");
	sw_emit_line(e, " *\n * %s && mpiexec -n %lld ./reshard\n *",
		by == SW_MPI_RANKS ? "mpicc -O2 -o reshard THIS_FILE.c" :
							 "mpicc -O2 -o reshard THIS_FILE.c -lnccl -lcudart (with the paths of both)",
		(long long)e->devices);
	sw_emit_line(e, " * The array is row-major on every rank. It ends with status 1 where an element is wrong.\n */");
}

static void add_tiles(const sw_mpi_tables *t)
{
	sw_text_add(t->e->text, "static const long long global_size[DIMS] = ");
	sw_mpi_row(t, t->e->plan->problem.from.global, t->e->rank, 1);
	sw_emit_line(t->e, ";\n\n/* The tile of a device before each step, and at the end. */");
	sw_mpi_tiles(t);
}

/* Before the table of steps. */
static void add_functions(const sw_emitter *e, unsigned all)
{
	sw_mpi_parts(e, sw_mpi_middle, all);
	sw_mpi_parts(e, sw_mpi_adding, all);
	if (!(all & SW_MPI_PIECES))
		return;
	if (all & SW_MPI_GPUS)
		sw_emit_line(e, "#define NUMBER %s", sw_nccl_addend(e->plan->problem.from.dtype));
	sw_mpi_parts(e, sw_mpi_pieces, all);
	sw_mpi_piece_functions(e, all & SW_MPI_GPUS);
}

static bool add_program(const sw_mpi_tables *t, unsigned all)
{
	const sw_emitter *e = t->e;
	bool sums = !(all & SW_MPI_WHOLE);

	add_head(e, all & (SW_MPI_RANKS | SW_MPI_GPUS));
	sw_mpi_parts(e, sw_mpi_head, all);
	sw_mpi_parts(e, sw_mpi_gpus, all);
	sw_mpi_sizes(t, e->plan->problem.from.dtype, 5);
	sw_mpi_parts(e, sw_mpi_digit, all);
	add_tiles(t);
	sw_mpi_starts(t);
	if (!sw_mpi_step_tables(t, all) || (sums && !add_terms(t)))
		return false;
	add_functions(e, all);
	sw_mpi_steps(t);
	if (sums)
		sw_mpi_parts(e, sw_mpi_terms, all);
	sw_mpi_parts(e, sw_mpi_tail, all);
	return true;
}

static bool write_program(sw_emitter *e, unsigned by)
{
	sw_mpi_tables t = {.e = e,
		.mesh = &e->plan->problem.mesh,
		.by_device = e->by_device,
		.dims = e->rank ? e->rank : 1,
		.stage = SW_NEW(e->arena, sw_mpi_stage, e->plan->program.steps + 1)};

	if (!t.stage)
		return sw_diag_memory(e->diag);
	if (!sw_mpi_can(e) || !has_calls(e, by) || !adds(e, by))
		return false;
	sw_mpi_add_stages(&t, e);
	return add_program(&t, by | sw_mpi_needs(e) | (sw_emit_has_sums(e) ? 0 : SW_MPI_WHOLE));
}

bool sw_emit_mpi(sw_emitter *e)
{
	return write_program(e, SW_MPI_RANKS);
}

bool sw_emit_nccl(sw_emitter *e)
{
	return write_program(e, SW_MPI_GPUS);
}
