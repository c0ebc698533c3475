/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan as an MPI program: tables of tiles, groups and steps, between parts that are the same for all plans.
 */
#include "emit/mpi_tables.h"

static bool adds(const sw_emitter *e)
{
	sw_dtype dtype = e->plan->problem.from.dtype;

	if (!sw_emit_has_sums(e) || sw_mpi_adds(dtype))
		return true;
	return sw_emit_refuse(e, "`run` adds them", "MPI has no type that adds %s", sw_dtype_name(dtype));
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

static void add_head(const sw_emitter *e)
{
	sw_text_add(e->text, "/* Redistribution of an array over MPI ranks, written by shardwalk.\n *\n");
	sw_emit_remark_problem(e, " *   ");
	sw_emit_line(e,
		" *\n * mpicc -O2 -o reshard THIS_FILE.c && mpiexec -n %lld ./reshard\n *\n"
		" * The array is row-major on every rank. It ends with status 1 where an element is wrong.\n */",
		(long long)e->devices);
}

static void add_tiles(const sw_mpi_tables *t)
{
	sw_text_add(t->e->text, "static const long long global_size[DIMS] = ");
	sw_mpi_row(t, t->e->plan->problem.from.global, t->e->rank, 1);
	sw_emit_line(t->e, ";\n\n/* The tile of a device before each step, and at the end. */");
	sw_mpi_tiles(t);
}

bool sw_emit_mpi(sw_emitter *e)
{
	sw_mpi_tables t = {.e = e,
		.mesh = &e->plan->problem.mesh,
		.by_device = e->by_device,
		.dims = e->rank ? e->rank : 1,
		.stage = SW_NEW(e->arena, sw_mpi_stage, e->plan->program.steps + 1)};

	if (!t.stage)
		return sw_diag_memory(e->diag);
	if (!sw_mpi_can(e) || !adds(e))
		return false;
	unsigned all = sw_mpi_needs(e) | (sw_emit_has_sums(e) ? 0 : SW_MPI_WHOLE);

	sw_mpi_add_stages(&t, e);
	add_head(e);
	sw_mpi_parts(e, sw_mpi_head, all);
	sw_mpi_sizes(&t, e->plan->problem.from.dtype, 5);
	sw_mpi_parts(e, sw_mpi_digit, all);
	add_tiles(&t);
	sw_mpi_starts(&t);
	if (!sw_mpi_step_tables(&t, all))
		return false;
	if (!(all & SW_MPI_WHOLE) && !add_terms(&t))
		return false;
	sw_mpi_parts(e, sw_mpi_middle, all);
	sw_mpi_parts(e, sw_mpi_adding, all);
	sw_mpi_steps(&t);
	if (!(all & SW_MPI_WHOLE))
		sw_mpi_parts(e, sw_mpi_terms, all);
	sw_mpi_parts(e, sw_mpi_tail, all);
	return true;
}
