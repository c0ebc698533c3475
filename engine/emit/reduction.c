/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A reduction program as a C program by MPI, or by NCCL on GPUs: a communicator for the groups of each step, the chunks that each rank
 * holds in tables, and every sum compared in the end.
 */
#include "emit/reduction.h"

#include "emit/mpi_tables.h"
#include "step/row.h"

/* ---- who holds what ---- */

/* Appends those of a list that a device has then. */
static void keep(const sw_pieces *then, int64_t device, const int *from, int count, int *list, int *kept)
{
	for (int n = 0; n < count; n++)
		if (sw_pieces_has(then, device, from[n]))
			list[(*kept)++] = from[n];
}

/* What the members of a group have after step k: in the order in which it came, from all of them, from the root or from themselves. */
static bool change_lists(const sw_emitter *e, const sw_piece_lists *l, int k, const int32_t *member,
	const sw_pieces *then)
{
	const sw_step *step = &e->plan->program.step[k];
	sw_brings brings = sw_row(step->op)->brings;

	for (int64_t m = 0; m < step->group_size; m++) {
		int64_t begin = brings == SW_BRINGS_TERMS ? m : 0,
				end = brings == SW_BRINGS_PARTS ? step->group_size : begin + 1;
		int *list = SW_NEW(e->arena, int, l->pieces + 1), kept = 0;

		for (int64_t from = begin; list != NULL && from < end; from++)
			keep(then, member[m], l->list[k][member[from]], l->count[k][member[from]], list, &kept);
		l->list[k + 1][member[m]] = list;
		l->count[k + 1][member[m]] = kept;
		if (list == NULL)
			return false;
	}
	return true;
}

/* The lists after step k - 1: at first all devices have all. */
static bool make_lists(const sw_emitter *e, sw_piece_lists *l, int k, int *all)
{
	const sw_step *step = k > 0 ? &e->plan->program.step[k - 1] : NULL;
	const sw_pieces *then = sw_plan_pieces(e->plan, k, l->pieces, e->arena, e->diag);

	l->count[k] = SW_NEW(e->arena, int, e->devices);
	l->list[k] = SW_NEW(e->arena, int *, e->devices);
	if (then == NULL || l->count[k] == NULL || l->list[k] == NULL)
		return false;
	for (int64_t p = 0; p < e->devices; p++) {
		l->count[k][p] = k > 0 ? l->count[k - 1][p] : l->pieces;
		l->list[k][p] = k > 0 ? l->list[k - 1][p] : all;
	}
	for (int64_t g = 0; step != NULL && g < step->grouped; g += step->group_size)
		if (!change_lists(e, l, k - 1, step->groups + g, then))
			return false;
	return true;
}

bool sw_piece_lists_make(const sw_emitter *e, sw_piece_lists *l)
{
	l->pieces = sw_plan_pieces_of_tile(e->plan);
	l->count = SW_NEW(e->arena, int *, e->plan->program.steps + 1);
	l->list = SW_NEW(e->arena, int **, e->plan->program.steps + 1);
	int *all = SW_NEW(e->arena, int, l->pieces + 1);
	if (all == NULL || l->count == NULL || l->list == NULL)
		return sw_diag_memory(e->diag);
	for (int n = 0; n < l->pieces; n++)
		all[n] = n;
	for (int k = 0; k <= e->plan->program.steps; k++)
		if (!make_lists(e, l, k, all))
			return sw_diag_memory(e->diag);
	return true;
}

/* ---- element types ---- */

static const struct element {
	sw_dtype dtype;
	const char *c, *mpi, *nccl;
} elements[] = {
	{SW_F32, "float", "MPI_FLOAT", "ncclFloat"},
	{SW_F64, "double", "MPI_DOUBLE", "ncclDouble"},
	{SW_I32, "int32_t", "MPI_INT32_T", "ncclInt32"},
	{SW_U32, "uint32_t", "MPI_UINT32_T", "ncclUint32"},
	{SW_I64, "int64_t", "MPI_INT64_T", "ncclInt64"},
	{SW_U64, "uint64_t", "MPI_UINT64_T", "ncclUint64"},
};

static const struct element *element_of(const sw_emitter *e)
{
	for (size_t n = 0; n < sizeof elements / sizeof *elements; n++)
		if (elements[n].dtype == e->plan->problem.from.dtype)
			return &elements[n];
	sw_emit_refuse(e, "f32, f64 and integers of 32 and 64 bits", "C has no sum of %s",
		sw_dtype_name(e->plan->problem.from.dtype));
	return NULL;
}

/* ---- tables ---- */

/* The slot that lies on each rank. */
static int64_t *slots(const sw_emitter *e)
{
	int64_t *slot = SW_NEW(e->arena, int64_t, e->devices);

	for (int64_t p = 0; slot != NULL && p < e->devices; p++)
		slot[sw_device_at(e->plan->problem.mesh.order, p)] = p;
	return slot;
}

/* Of each rank in each step: its group and its place in it; -1 where it is in none. */
static void write_groups(const sw_emitter *e, const int64_t *slot, int32_t *place)
{
	sw_emit_line(e, "static const int GROUP[STEPS][RANKS][2] = {");
	for (int k = 0; k < e->plan->program.steps; k++) {
		const sw_step *step = &e->plan->program.step[k];

		for (int64_t p = 0; p < e->devices; p++)
			place[p] = -1;
		for (int64_t n = 0; n < step->grouped; n++)
			place[step->groups[n]] = (int32_t)n;
		sw_text_add(e->text, "\t{");
		for (int64_t r = 0; r < e->devices; r++) {
			int32_t n = place[slot[r]], size = (int32_t)step->group_size;

			sw_text_addf(e->text, "%s{%d, %d}", r > 0 ? ", " : "", n < 0 ? -1 : n / size, n < 0 ? -1 : n % size);
		}
		sw_emit_line(e, "},");
	}
	sw_emit_line(e, "};");
}

/* The chunks of each rank before every step and at the end, ended by -1. */
static void write_held(const sw_emitter *e, const int64_t *slot, const sw_piece_lists *lists)
{
	sw_emit_line(e, "static const int HELD[STEPS + 1][RANKS][CHUNKS + 1] = {");
	for (int k = 0; k <= e->plan->program.steps; k++) {
		sw_text_add(e->text, "\t{");
		for (int64_t r = 0; r < e->devices; r++) {
			sw_text_addf(e->text, "%s{", r > 0 ? ", " : "");
			for (int n = 0; n < lists->count[k][slot[r]]; n++)
				sw_text_addf(e->text, "%d, ", lists->list[k][slot[r]][n]);
			sw_text_add(e->text, "-1}");
		}
		sw_emit_line(e, "},");
	}
	sw_emit_line(e, "};");
}

/* Which tile each rank has, which term of it at first, and which sum in the end. */
static void write_terms(const sw_emitter *e, const int64_t *slot)
{
	const sw_problem *problem = &e->plan->problem;

	sw_emit_line(e, "static const int TERM[RANKS][3] = { /* tile, term at first, sum in the end */");
	sw_text_add(e->text, "\t");
	for (int64_t r = 0; r < e->devices; r++) {
		int64_t at[SW_MAX_DIMS], tile = 0;

		sw_type_offset(&problem->mesh, &problem->from, slot[r], at);
		for (int i = 0; i < e->rank; i++)
			tile = tile * (problem->from.global[i] / problem->from.tile[i]) + at[i] / problem->from.tile[i];
		sw_text_addf(e->text, "{%lld, %lld, %lld}, ", (long long)tile,
			(long long)sw_type_term(&problem->mesh, &problem->from, slot[r]),
			(long long)sw_type_term(&problem->mesh, &problem->to, slot[r]));
	}
	sw_emit_line(e, "\n};");
}

static bool write_tables(const sw_emitter *e, const sw_piece_lists *lists)
{
	int64_t *slot = slots(e);
	int32_t *place = SW_NEW(e->arena, int32_t, e->devices);

	if (slot == NULL || place == NULL)
		return sw_diag_memory(e->diag);
	write_groups(e, slot, place);
	write_held(e, slot, lists);
	write_terms(e, slot);
	return true;
}

/* Its number, operation and groups, as a remark. */
static void write_step(const sw_emitter *e, const char *begin, int k, const char *end)
{
	sw_text_addf(e->text, "%s%d. ", begin, k + 1);
	sw_plan_print_step(e->plan, k, e->text);
	sw_emit_line(e, "%s", end);
}

static void write_head(const sw_emitter *e, const struct element *element, const char *about, const char *includes)
{
	sw_emit_line(e, "/* A reduction program on %lld ranks, %s.", (long long)e->devices, about);
	sw_emit_remark_problem(e, " * ");
	for (int k = 0; k < e->plan->program.steps; k++)
		write_step(e, " * ", k, "");
	sw_emit_line(e, " */");
	sw_emit_line(e,
		"#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <mpi.h>");
	sw_emit_line(e, "enum { RANKS = %lld, CHUNKS = %d, STEPS = %d };", (long long)e->devices,
		sw_plan_pieces_of_tile(e->plan), e->plan->program.steps);
	sw_emit_line(e, "typedef %s element;", element->c);
	sw_emit_line(e, "/* elements of a tile, and where a chunk begins in it */");
	sw_emit_line(e, "#define COUNT %lldLL", (long long)sw_type_localsize(&e->plan->problem.from));
	sw_emit_line(e, "#define BEGIN(chunk) (COUNT / CHUNKS * (chunk) + COUNT %% CHUNKS * (chunk) / CHUNKS)");
	sw_text_add(e->text, includes);
}

/* ---- calls ---- */

enum call { ALL_REDUCE, SCATTER, GATHER, TO_ROOT, FROM_ROOT, SCATTER_SHARES, GATHER_SHARES };

static bool is_uneven(const sw_emitter *e)
{
	return sw_type_localsize(&e->plan->problem.from) % sw_plan_pieces_of_tile(e->plan) != 0;
}

static enum call call_of(const sw_emitter *e, const sw_step *step)
{
	static const enum call calls[][3] = {
		[SW_BRINGS_TERMS] = {[SW_LEAVES_ALL] = ALL_REDUCE, [SW_LEAVES_PARTS] = SCATTER, [SW_LEAVES_ROOT] = TO_ROOT},
		[SW_BRINGS_PARTS] = {[SW_LEAVES_ALL] = GATHER},
		[SW_BRINGS_ROOT] = {[SW_LEAVES_ALL] = FROM_ROOT},
	};
	enum call call = calls[sw_row(step->op)->brings][sw_row(step->op)->leaves];

	if (is_uneven(e))
		return call == SCATTER ? SCATTER_SHARES : call == GATHER ? GATHER_SHARES : call;
	return call;
}

static bool takes_shares(const sw_emitter *e, int k)
{
	enum call call = call_of(e, &e->plan->program.step[k]);

	return call == SCATTER_SHARES || call == GATHER_SHARES;
}

/* What members hold where chunks differ in size. */
static void write_shares(const sw_emitter *e, int k)
{
	if (takes_shares(e, k))
		sw_emit_line(e, "\t\tint count[RANKS], at[RANKS], size = shares(%d, %d, rank, count, at);\n", k,
			call_of(e, &e->plan->program.step[k]) == SCATTER_SHARES ? k + 1 : k);
}

/* The parts that are the same for all programs. */
static void write_parts(const sw_emitter *e, unsigned needs, const sw_mpi_part *parts)
{
	for (int k = 0; k < e->plan->program.steps; k++)
		needs |= takes_shares(e, k) ? SW_MPI_SHARES : 0;
	sw_mpi_parts(e, parts, needs);
}

/* A call with the name of the element type in place of each %s. */
static void write_call(const sw_emitter *e, const char *call, const char *type)
{
	for (const char *at = call; *at != '\0'; at++) {
		if (at[0] == '%' && at[1] == 's') {
			sw_text_add(e->text, type);
			at++;
		} else
			sw_text_add_char(e->text, *at);
	}
}

static void write_mpi_step(const sw_emitter *e, const struct element *element, int k)
{
	static const char *const calls[] = {
		[ALL_REDUCE] = "MPI_Allreduce(out, in, before, %s, MPI_SUM, group)",
		[SCATTER] = "MPI_Reduce_scatter_block(out, in, after, %s, MPI_SUM, group)",
		[GATHER] = "MPI_Allgather(out, before, %s, in, before, %s, group)",
		[TO_ROOT] = "MPI_Reduce(out, in, before, %s, MPI_SUM, 0, group)",
		[FROM_ROOT] = "MPI_Bcast(in, after, %s, 0, group)",
		[SCATTER_SHARES] = "MPI_Reduce_scatter(out, in, count, %s, MPI_SUM, group)",
		[GATHER_SHARES] = "MPI_Allgatherv(out, before, %s, in, count, at, %s, group)",
	};
	enum call call = call_of(e, &e->plan->program.step[k]);

	write_step(e, "\n\t/* ", k, " */");
	sw_emit_line(e, "\tbegin(%d, rank, &group);", k);
	sw_emit_line(e, "\tif (group != MPI_COMM_NULL) {");
	sw_emit_line(e, "\t\tint before = (int)held(%d, rank), after = (int)held(%d, rank);\n", k, k + 1);
	write_shares(e, k);
	sw_emit_line(e, "\t\tmove(%d, rank, tile, %s, 0);", k, call == FROM_ROOT ? "in" : "out");
	sw_text_add(e->text, "\t\t");
	write_call(e, calls[call], element->mpi);
	sw_emit_line(e, ";");
	sw_emit_line(e, "\t\tmove(%d, rank, tile, in, 1);", k + 1);
	sw_emit_line(e, "\t\t(void)before, (void)after%s;\n\t\tMPI_Comm_free(&group);\n\t}",
		takes_shares(e, k) ? ", (void)at, (void)size" : "");
}

static void write_nccl_step(const sw_emitter *e, const struct element *element, int k)
{
	static const char *const calls[] = {
		[ALL_REDUCE] = "NCCL(ncclAllReduce(out_there, in_there, (size_t)before, %s, ncclSum, group, stream))",
		[SCATTER] = "NCCL(ncclReduceScatter(out_there, in_there, (size_t)after, %s, ncclSum, group, stream))",
		[GATHER] = "NCCL(ncclAllGather(out_there, in_there, (size_t)before, %s, group, stream))",
		[TO_ROOT] = "NCCL(ncclReduce(out_there, in_there, (size_t)before, %s, ncclSum, 0, group, stream))",
		[FROM_ROOT] = "NCCL(ncclBroadcast(out_there, in_there, (size_t)after, %s, 0, group, stream))",
		[SCATTER_SHARES] =
			"NCCL(ncclGroupStart());\n\t\tfor (int m = 0; m < size; m++)\n\t\t\tNCCL(ncclReduce(out_there + at[m], in_there, "
			"(size_t)count[m], %s, ncclSum, m, group, stream));\n\t\tNCCL(ncclGroupEnd())",
		[GATHER_SHARES] =
			"NCCL(ncclGroupStart());\n\t\tfor (int m = 0; m < size; m++)\n\t\t\tNCCL(ncclBroadcast(out_there, in_there + at[m], "
			"(size_t)count[m], %s, m, group, stream));\n\t\tNCCL(ncclGroupEnd())",
	};

	write_step(e, "\n\t/* ", k, " */");
	sw_emit_line(e, "\tgroup = NULL;");
	sw_emit_line(e,
		"\tNCCL(ncclCommSplit(world, GROUP[%d][rank][0] < 0 ? NCCL_SPLIT_NOCOLOR : GROUP[%d][rank][0], GROUP[%d][rank][1], "
		"&group, NULL));",
		k, k, k);
	sw_emit_line(e, "\tif (group) {\n\t\tint64_t before = held(%d, rank), after = held(%d, rank);\n", k, k + 1);
	write_shares(e, k);
	sw_emit_line(e, "\t\tmove(%d, rank, tile_there, out_there, 0, stream);", k);
	sw_text_add(e->text, "\t\t");
	write_call(e, calls[call_of(e, &e->plan->program.step[k])], element->nccl);
	sw_emit_line(e, ";\n\t\tmove(%d, rank, tile_there, in_there, 1, stream);", k + 1);
	sw_emit_line(e, "\t\t(void)before, (void)after;\n\t\tCUDA(cudaStreamSynchronize(stream));");
	sw_emit_line(e, "\t\tNCCL(ncclCommDestroy(group));\n\t}");
}

/* ---- programs ---- */

struct dialect {
	const char *about, *includes;
	unsigned part; /* of what is the same for all programs */
	void (*step)(const sw_emitter *e, const struct element *element, int k);
};

static bool write_program(const sw_emitter *e, const struct dialect *dialect)
{
	const struct element *element = element_of(e);
	sw_piece_lists lists;

	if (element == NULL || !sw_piece_lists_make(e, &lists))
		return false;
	write_head(e, element, dialect->about, dialect->includes);
	if (!write_tables(e, &lists))
		return false;
	write_parts(e, dialect->part, sw_mpi_reduction);
	for (int k = 0; k < e->plan->program.steps; k++)
		dialect->step(e, element, k);
	write_parts(e, dialect->part, sw_mpi_reduction_end);
	return true;
}

bool sw_emit_reduction_mpi(sw_emitter *e)
{
	static const struct dialect mpi = {"by MPI: mpicc, then mpiexec", "", SW_MPI_RANKS, write_mpi_step};

	return write_program(e, &mpi);
}

bool sw_emit_reduction_nccl(sw_emitter *e)
{
	static const struct dialect nccl = {"by NCCL 2.18 or later: one GPU a rank, started by mpiexec",
		"#include <cuda_runtime.h>\n#include <nccl.h>\n", SW_MPI_GPUS, write_nccl_step};

	return write_program(e, &nccl);
}
