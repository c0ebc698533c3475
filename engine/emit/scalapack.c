/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A problem between block-cyclic matrices as C that calls p?gemr2d of ScaLAPACK.  The plan's steps are left to it.
 */
#include <limits.h>

#include <shardwalk/distribution.h>
#include <shardwalk/number.h>

#include "emit/mpi_body.h"
#include "emit/write.h"

/* What is moved, and between which matrices. */
typedef struct move {
	sw_block_cyclic end[2];
	int64_t size[2];      /* rows and columns that are moved */
	int64_t origin[2][2]; /* IA, JA; IB, JB: from 1 */
} move;

static const struct kind {
	sw_dtype dtype;
	const char *routine, *number;
	int numbers; /* of an element */
} kinds[] = {
	{SW_F64, "Cpdgemr2d", "double", 1},
	{SW_F32, "Cpsgemr2d", "float", 1},
	{SW_C128, "Cpzgemr2d", "double", 2},
	{SW_C64, "Cpcgemr2d", "float", 2},
	{SW_I32, "Cpigemr2d", "int", 1},
};

static const struct kind *kind_of(sw_dtype dtype)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (kinds[i].dtype == dtype)
			return &kinds[i];
	return NULL;
}

/* ---- what the format cannot say ---- */

#define OTHERS "`export mpi` and `export plan` write it, and `run` runs it"

static bool refuse_end(const sw_emitter *e, int end, const char *why_not)
{
	return sw_emit_refuse(e, OTHERS, "ScaLAPACK cannot say what `%s` is: %s", end ? "to" : "from", why_not);
}

/* Rows and columns that a process has at most, and the matrices: ScaLAPACK counts all in 32 bits. */
static bool counts_in_ints(const sw_block_cyclic *m)
{
	int64_t local[2], product;

	for (int dim = 0; dim < 2; dim++) {
		int64_t round;
		if (m->size[dim] > INT_MAX || !sw_mul(m->block[dim], m->grid[dim], &round))
			return false;
		local[dim] = (m->size[dim] / round + 1) * m->block[dim];
	}
	return sw_mul(local[0], local[1], &product) && product <= INT_MAX;
}

static bool read_end(const sw_emitter *e, int end, sw_block_cyclic *says)
{
	const sw_problem *problem = &e->plan->problem;
	const char *why_not;

	if (!sw_block_cyclic_of(&problem->mesh, end ? &problem->to : &problem->from,
			end ? problem->to_words : problem->from_words, e->arena, says, &why_not))
		return why_not != NULL ? refuse_end(e, end, why_not) : sw_diag_memory(e->diag);
	return counts_in_ints(says) || refuse_end(e, end, "it counts elements in 32 bits, and these are more");
}

/* Which indices of the array an end has: those of a part that keeps its place, else all from 0 on. */
static void extent(const sw_block_cyclic *m, int dim, int64_t *low, int64_t *high)
{
	bool kept = m->part && !m->cropped;

	*low = kept ? m->low[dim] : 0;
	*high = kept ? m->high[dim] : m->part ? m->high[dim] - m->low[dim] : m->size[dim];
}

static bool read_move(const sw_emitter *e, move *m)
{
	for (int end = 0; end < 2; end++)
		if (!read_end(e, end, &m->end[end]))
			return false;
	for (int dim = 0; dim < 2; dim++) {
		int64_t low[2], high[2];
		for (int end = 0; end < 2; end++)
			extent(&m->end[end], dim, &low[end], &high[end]);
		if (low[1] < low[0] || high[1] > high[0])
			return refuse_end(e, 1, "it needs what `from` has not");
		m->size[dim] = high[1] - low[1];
		for (int end = 0; end < 2; end++)
			m->origin[end][dim] = low[1] + 1 + (m->end[end].cropped ? m->end[end].low[dim] : 0);
	}
	return true;
}

/* ---- the program ---- */

static void add_head(const sw_emitter *e)
{
	sw_emit_line(e,
		"/* A program with ScaLAPACK that moves a matrix from one distribution to another, written by shardwalk.\n *");
	sw_emit_remark_problem(e, " *   ");
	sw_emit_line(e,
		" *\n * mpicc -O2 -o program THIS_FILE.c -lscalapack && mpiexec -n %lld ./program\n *\n"
		" * At the end every process compares what it has; the program ends with status 1 if an element is wrong.\n */",
		(long long)e->devices);
	sw_emit_line(e, "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n");
}

static void add_descriptor(const sw_emitter *e, const sw_block_cyclic *m)
{
	sw_emit_line(e, "\t{1, -1, %lld, %lld, %lld, %lld, %lld, %lld, 0},", (long long)m->size[0], (long long)m->size[1],
		(long long)m->block[0], (long long)m->block[1], (long long)m->first[0], (long long)m->first[1]);
}

static void add_tables(const sw_emitter *e, const move *m, const struct kind *kind)
{
	sw_emit_line(e, "#define DEVICES %lld /* processes in all; grids have the first ones */", (long long)e->devices);
	sw_emit_line(e, "#define ROWS %lld /* M and N: the part that moves */\n#define COLUMNS %lld",
		(long long)m->size[0], (long long)m->size[1]);
	sw_emit_line(e, "#define NUMBERS %d /* of an element, %s */", kind->numbers, sw_dtype_name(kind->dtype));
	sw_emit_line(e, "#define GEMR2D %s\n#define REPEAT 5 /* the best time counts */\n\ntypedef %s number;\n",
		kind->routine, kind->number);
	sw_emit_line(e,
		"/* Before and after: DTYPE, CTXT, M, N, MB, NB, RSRC, CSRC, LLD; contexts and leading dimensions follow when it runs. */\n"
		"static int desc[2][9] = {");
	for (int end = 0; end < 2; end++)
		add_descriptor(e, &m->end[end]);
	sw_emit_line(e, "};\n\n/* Rows and columns of processes, how ranks count in them, and IA, JA; IB, JB. */");
	sw_emit_line(e, "static const int grid[2][2] = {{%lld, %lld}, {%lld, %lld}};", (long long)m->end[0].grid[0],
		(long long)m->end[0].grid[1], (long long)m->end[1].grid[0], (long long)m->end[1].grid[1]);
	sw_emit_line(e, "static const char *const order[2] = {\"%s\", \"%s\"};", m->end[0].turned ? "Column" : "Row",
		m->end[1].turned ? "Column" : "Row");
	sw_emit_line(e, "static const int origin[2][2] = {{%lld, %lld}, {%lld, %lld}};\n", (long long)m->origin[0][0],
		(long long)m->origin[0][1], (long long)m->origin[1][0], (long long)m->origin[1][1]);
}

bool sw_emit_scalapack(sw_emitter *e)
{
	const struct kind *kind = kind_of(e->plan->problem.from.dtype);
	move m;

	if (kind == NULL)
		return sw_emit_refuse(e, OTHERS, "ScaLAPACK moves f32, f64, c64, c128 and i32, and these are %s",
			sw_dtype_name(e->plan->problem.from.dtype));
	if (sw_type_padded(&e->plan->problem.from) || sw_type_padded(&e->plan->problem.to))
		return sw_emit_refuse(e, "`set uneven` takes a rule of other systems, such as ceil",
			"one of its ends is padded, and ScaLAPACK pads nothing");
	if (!read_move(e, &m))
		return false;
	add_head(e);
	add_tables(e, &m, kind);
	for (const sw_mpi_part *part = sw_mpi_scalapack; part->text != NULL; part++)
		sw_text_add(e->text, part->text);
	return true;
}
