/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan as C with MPI, or with NCCL: a program that redistributes one array.
 */
#include "emit/mpi_tables.h"
#include "emit/program.h"

/* NCCL has the calls of reductions alone. */
static bool has_calls(const sw_emitter *e)
{
	for (int k = 0; k < e->plan->program.steps; k++)
		if (!sw_emit_by_pieces(e, k))
			return sw_emit_refuse(e, "export mpi", "step %d, '%s', is none of a reduction program", k + 1,
				sw_collective_of(e->plan->program.step[k].op)->name);
	return true;
}

static bool write_program(sw_emitter *e, unsigned by)
{
	sw_program_emitter w;

	return sw_program_of_plan(e, &w) && sw_emit_program_c(&w, by);
}

bool sw_emit_mpi(sw_emitter *e)
{
	return write_program(e, SW_MPI_RANKS);
}

bool sw_emit_nccl(sw_emitter *e)
{
	return has_calls(e) && write_program(e, SW_MPI_GPUS);
}
