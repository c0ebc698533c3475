/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps on pieces of tiles: which pieces each device has, and the calls of MPI and NCCL.
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

/* Sorts the lists before step k, and keeps where the pieces were. */
static bool sort_lists(const sw_emitter *e, sw_piece_lists *l, int k)
{
	int32_t *order = SW_NEW(e->arena, int32_t, e->devices * l->pieces), *next = order;
	bool sorted = true;

	for (int64_t p = 0; p < e->devices; p++) {
		int *list = SW_NEW(e->arena, int, l->pieces + 1), kept = 0;

		if (order == NULL || list == NULL)
			return false;
		for (int piece = 0; piece < l->pieces; piece++)
			for (int n = 0; n < l->count[k][p]; n++)
				if (l->list[k][p][n] == piece) {
					sorted = sorted && n == kept;
					*next++ = n;
					list[kept++] = piece;
				}
		l->list[k][p] = list;
	}
	l->order[k] = sorted ? NULL : order;
	return true;
}

/* The lists after step k - 1: all devices have all at first, and after steps of whole tiles. */
static bool make_lists(const sw_emitter *e, sw_piece_lists *l, int k, int *all)
{
	const sw_step *step = k > 0 && sw_emit_by_pieces(e, k - 1) ? &e->plan->program.step[k - 1] : NULL;
	const sw_pieces *then = sw_plan_pieces(e->plan, k, l->pieces, e->arena, e->diag);

	l->count[k] = SW_NEW(e->arena, int, e->devices);
	l->list[k] = SW_NEW(e->arena, int *, e->devices);
	if (then == NULL || l->count[k] == NULL || l->list[k] == NULL)
		return false;
	for (int64_t p = 0; p < e->devices; p++) {
		l->count[k][p] = step != NULL ? l->count[k - 1][p] : l->pieces;
		l->list[k][p] = step != NULL ? l->list[k - 1][p] : all;
	}
	for (int64_t g = 0; step != NULL && g < step->grouped; g += step->group_size)
		if (!change_lists(e, l, k - 1, step->groups + g, then))
			return false;
	return !l->sorted || sort_lists(e, l, k);
}

bool sw_piece_lists_make(const sw_emitter *e, bool sorted, sw_piece_lists *l)
{
	l->pieces = sw_plan_pieces_of_tile(e->plan);
	l->sorted = sorted;
	l->order = SW_NEW(e->arena, int32_t *, e->plan->program.steps + 1);
	l->count = SW_NEW(e->arena, int *, e->plan->program.steps + 1);
	l->list = SW_NEW(e->arena, int **, e->plan->program.steps + 1);
	int *all = SW_NEW(e->arena, int, l->pieces + 1);
	if (all == NULL || l->order == NULL || l->count == NULL || l->list == NULL)
		return sw_diag_memory(e->diag);
	for (int n = 0; n < l->pieces; n++)
		all[n] = n;
	for (int k = 0; k <= e->plan->program.steps; k++)
		if (!make_lists(e, l, k, all))
			return sw_diag_memory(e->diag);
	return true;
}

/* ---- tables ---- */

static int64_t *slots_of_devices(const sw_emitter *e, const sw_mesh *mesh)
{
	int64_t *slot = SW_NEW(e->arena, int64_t, e->devices);

	for (int64_t p = 0; slot != NULL && p < e->devices; p++)
		slot[sw_device_at(mesh->order, p)] = p;
	return slot;
}

static void add_pieces_of(const sw_mpi_tables *t, const sw_piece_lists *l, int k, const int64_t *slot)
{
	sw_text *text = t->e->text;

	sw_text_add(text, "\t{");
	for (int64_t d = 0; d < t->e->devices; d++) {
		sw_text_add(text, d > 0 ? ", {" : "{");
		for (int n = 0; n < l->count[k][slot[d]]; n++)
			sw_text_addf(text, "%d, ", l->list[k][slot[d]][n]);
		sw_text_add(text, "-1}");
	}
	sw_text_add(text, "},\n");
}

/* Into how many pieces the tiles of each stage are cut, 0: into none; the most of all. */
static int64_t count_pieces(const sw_mpi_tables *t, int64_t *cut)
{
	int64_t most = 0;

	for (int n = 0; n < t->stages; n++) {
		const sw_emitter *e = t->stage[n].e;

		cut[n] = e != NULL ? sw_plan_pieces_of_tile(e->plan) : 0;
		most = cut[n] > most ? cut[n] : most;
	}
	return most;
}

bool sw_mpi_piece_tables(const sw_mpi_tables *t)
{
	const sw_emitter *e = t->e;
	const int64_t *slot = slots_of_devices(e, t->mesh);
	int64_t *cut = SW_NEW(e->arena, int64_t, t->stages);
	sw_piece_lists lists;

	if (slot == NULL || cut == NULL)
		return sw_diag_memory(e->diag);
	sw_emit_line(e, "\n/* The number of pieces of a tile at every stage; 0: it is not cut. */\n#define PIECES %lld",
		(long long)count_pieces(t, cut));
	sw_text_add(e->text, "static const int pieces_of[STEPS + 1] = {");
	sw_emit_numbers(e->text, cut, t->stages);
	sw_emit_line(e,
		"};\n/* The pieces of each device at every stage, in the order in which it passes them on, ended by -1. */\n"
		"static const int pieces[STEPS + 1][DEVICES][PIECES + 1] = {");
	for (int n = 0; n < t->stages; n++) {
		const sw_mpi_stage *stage = &t->stage[n];

		if (cut[n] > 0 && stage->k == 0 && !sw_piece_lists_make(stage->e, false, &lists))
			return false;
		if (cut[n] > 0)
			add_pieces_of(t, &lists, stage->k, slot);
		else
			sw_emit_line(e, "\t{{-1}},");
	}
	sw_emit_line(e, "};");
	return true;
}

/* ---- calls ---- */

/* How a step on pieces is run, by what members bring and what it leaves them: `uneven` where their numbers of elements differ, NULL:
 * the same call. */
static const struct call {
	const char *function, *mpi, *nccl, *uneven;
} calls[][3] = {
	[SW_BRINGS_TERMS] =
		{
			[SW_LEAVES_ALL] = {"run_piece_sums", "MPI_Allreduce(w->out, w->in, before, ADDEND, MPI_SUM, w->group)",
				"NCCL(ncclAllReduce(w->out, w->in, (size_t)before, NUMBER, ncclSum, ring[k], stream))", NULL},
			[SW_LEAVES_PARTS] = {"run_piece_scatter",
				"MPI_Reduce_scatter(w->out, w->in, share, ADDEND, MPI_SUM, w->group)",
				"NCCL(ncclReduceScatter(w->out, w->in, (size_t)after, NUMBER, ncclSum, ring[k], stream))",
				"NCCL(ncclReduce(w->out + (size_t)share_at[m] * ELEMENT, w->in, (size_t)share[m], NUMBER, ncclSum, m, ring[k], "
				"stream))"},
			[SW_LEAVES_ROOT] = {"run_piece_root", "MPI_Reduce(w->out, w->in, before, ADDEND, MPI_SUM, 0, w->group)",
				"NCCL(ncclReduce(w->out, w->in, (size_t)before, NUMBER, ncclSum, 0, ring[k], stream))", NULL},
		},
	[SW_BRINGS_PARTS] =
		{[SW_LEAVES_ALL] = {"run_piece_gather",
			 "MPI_Allgatherv(w->out, before, element, w->in, share, share_at, element, w->group)",
			 "NCCL(ncclAllGather(w->out, w->in, (size_t)before, NUMBER, ring[k], stream))",
			 "NCCL(ncclBroadcast(w->out, w->in + (size_t)share_at[m] * ELEMENT, (size_t)share[m], NUMBER, m, "
			 "ring[k], stream))"}},
	[SW_BRINGS_ROOT] =
		{[SW_LEAVES_ALL] = {"run_piece_spread",
			 "TILE_COPY(w->in, w->out, (size_t)before * ELEMENT);\n\tMPI_Bcast(w->in, after, element, 0, w->group)",
			 "NCCL(ncclBroadcast(w->out, w->in, (size_t)after, NUMBER, 0, ring[k], stream))", NULL}},
};

static const struct call *call_of(sw_op op)
{
	return &calls[sw_row(op)->brings][sw_row(op)->leaves];
}

const char *sw_mpi_piece_function(sw_op op)
{
	return call_of(op)->function;
}

static void write_call(const sw_emitter *e, const struct call *call, bool gpus)
{
	bool uneven = gpus && sw_type_localsize(&e->plan->problem.from) % sw_plan_pieces_of_tile(e->plan) != 0;

	sw_emit_line(e, "static void %s(int k, const char *now, char *next)\n{", call->function);
	sw_emit_line(e, "\tconst struct work *w = &work[k];\n\tif (!begin_pieces(k, now, next))\n\t\treturn;");
	if (uneven && call->uneven != NULL)
		sw_emit_line(e,
			"\tNCCL(ncclGroupStart());\n\tfor (int m = 0; m < w->size; m++)\n\t\t%s;\n\tNCCL(ncclGroupEnd());",
			call->uneven);
	else
		sw_emit_line(e, "\t%s;", gpus ? call->nccl : call->mpi);
	sw_emit_line(e, "\tend_pieces(k, next);\n}\n");
}

void sw_mpi_piece_functions(const sw_mpi_tables *t, bool gpus)
{
	for (size_t n = 0; n < sizeof calls / sizeof **calls; n++) {
		const struct call *call = &calls[n / 3][n % 3];
		bool used = false;

		for (int k = 0; k < t->stages; k++) {
			const sw_mpi_stage *stage = &t->stage[k];

			used = used ||
				(stage->steps && sw_emit_by_pieces(stage->e, stage->k) &&
					call_of(stage->e->plan->program.step[stage->k].op) == call);
		}
		if (used)
			write_call(t->e, call, gpus);
	}
}
