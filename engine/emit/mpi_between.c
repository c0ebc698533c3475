/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan between types of any kind as C with MPI: one MPI_Alltoallw, whose datatypes say which elements.
 */
#include <shardwalk/between.h>
#include <shardwalk/transfers.h>

#include "emit/mpi_body.h"
#include "emit/write.h"

/* Moves, and their loops, which stand in one list. */
typedef struct tables {
	const sw_emitter *e;
	const sw_between *between;
	sw_text moves; /* the rows of the table at hand */
	int64_t device, loops;
	int count; /* of the rows */
	bool fits;
} tables;

static void add_loops(tables *t, const sw_loops *loops)
{
	for (int i = 0; i < loops->loops; i++) {
		sw_text_addf(t->e->text, "\t{%lld, %lld, %lld},\n", (long long)loops->count[i], (long long)loops->from_by[i],
			(long long)loops->into_by[i]);
		t->fits = t->fits && loops->count[i] <= INT32_MAX;
	}
	sw_text_add(t->e->text, "\t{0, 0, 0},\n");
	t->loops += loops->loops + 1;
}

static void add_move(tables *t, int64_t from, int64_t into, const sw_loops *loops)
{
	sw_text_addf(&t->moves, "\t{%lld, %lld, %lld, %lld, %lld},\n", (long long)from, (long long)into,
		(long long)loops->from, (long long)loops->into, (long long)t->loops);
	add_loops(t, loops);
	t->fits = t->fits && t->loops <= INT32_MAX;
	t->count++;
}

static bool add_owned(void *user, int64_t term, const sw_loops *loops)
{
	tables *t = user;

	(void)term;
	add_move(t, -1, t->device, loops);
	return true;
}

/* What devices have at an end, out of the whole array. */
static bool add_end(tables *t, int end)
{
	bool told = true;

	for (t->device = 0; told && t->device < t->e->devices; t->device++)
		told = sw_between_right(t->between, end, t->device, t->e->arena, add_owned, t);
	return told || sw_diag_memory(t->e->diag);
}

static bool add_moves(tables *t)
{
	const sw_plan *plan = t->e->plan;
	const sw_transfers *moved = plan->program.steps > 0 ? sw_plan_transfers(plan, 0, t->e->arena, t->e->diag) : NULL;
	sw_transfer transfer;

	for (int64_t d = 0; moved && d < t->e->devices; d++)
		for (int64_t n = 0, all = sw_transfers_into(moved, d); n < all; n++)
			if (sw_transfers_get(moved, d, n, &transfer))
				add_move(t, transfer.from, d, transfer.loops);
	return moved != NULL;
}

static void end_moves(tables *t, sw_text *all, const char *name, const char *count)
{
	sw_text_addf(all, "#define %s %d\nstatic const struct move %s[] = {\n", count, t->count, name);
	sw_text_add(all, sw_text_get(&t->moves));
	sw_text_add(all, "\t{-1, -1, 0, 0, 0},\n};\n\n");
	sw_text_clear(&t->moves);
	t->count = 0;
}

/* The loops come first, the moves behind them. */
static bool add_tables(tables *t)
{
	sw_text all = {0};
	bool done;

	sw_emit_line(t->e, "static const struct loop loops[] = {");
	done = add_end(t, 0);
	end_moves(t, &all, "held", "HELD");
	done = done && add_end(t, 1);
	end_moves(t, &all, "needed", "NEEDED");
	done = done && add_moves(t);
	end_moves(t, &all, "moves", "MOVES");
	sw_emit_line(t->e, "};\n");
	sw_text_add(t->e->text, sw_text_get(&all));
	sw_text_free(&all);
	sw_text_free(&t->moves);
	return done && (t->fits || sw_emit_refuse(t->e, "`run` runs it", "its loops are longer than MPI counts"));
}

static void add_head(const sw_emitter *e)
{
	sw_emit_line(e,
		"/* A program with MPI that brings an array from one distribution to another, written by shardwalk.\n *");
	sw_emit_remark_problem(e, " *   ");
	sw_emit_line(e, " *\n * mpicc -O2 -o program THIS_FILE.c && mpiexec -n %lld ./program\n *",
		(long long)e->devices);
	sw_emit_line(e,
		" * Each rank stores what it has by rows of the array.  Every rank compares what it has in the end; the program ends with\n"
		" * status 1 where an element is wrong.\n */");
	sw_emit_line(e,
		"#include <mpi.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n");
}

static void add_sizes(const tables *t)
{
	const sw_emitter *e = t->e;
	int64_t all = 0;

	for (int64_t d = 0; d < e->devices; d++)
		all += sw_holding_size(&t->between->end[1], d);
	sw_emit_line(e, "#define DEVICES %lld /* the rank is the number of the device */", (long long)e->devices);
	sw_emit_line(e, "#define ELEMENTS %lldLL /* of all devices in the end */", (long long)all);
	sw_emit_line(e, "#define ELEMENT %d /* bytes of an element, %s */", sw_dtype_bytes(e->plan->problem.from.dtype),
		sw_dtype_name(e->plan->problem.from.dtype));
	sw_emit_line(e, "#define REPEAT 5 /* the best time counts */\n");
	sw_emit_line(e, "/* Elements of each device, before and after. */\nstatic const long long has[2][DEVICES] = {");
	for (int end = 0; end < 2; end++) {
		sw_text_add(e->text, "\t{");
		for (int64_t d = 0; d < e->devices; d++)
			sw_text_addf(e->text, "%s%lld", d > 0 ? ", " : "", (long long)sw_holding_size(&t->between->end[end], d));
		sw_text_add(e->text, "},\n");
	}
	sw_emit_line(e, "};\n");
}

static void add_parts(const sw_emitter *e, unsigned need)
{
	for (const sw_mpi_part *part = sw_mpi_between; part->text; part++)
		if (part->need == need)
			sw_text_add(e->text, part->text);
}

bool sw_emit_mpi_between(sw_emitter *e)
{
	tables t = {.e = e, .fits = true};

	t.between = sw_between_of(&e->plan->problem, e->arena, e->diag);
	if (t.between == NULL)
		return false;
	if (t.between->terms > 1 || t.between->end[1].terms > 1)
		return sw_emit_refuse(e, "`run` runs it",
			"terms are added, and one end is no tile type: MPI adds no elements that datatypes say");
	if (e->plan->program.steps == 0)
		return sw_emit_refuse(e, "there is nothing to run", "every device has what it needs");
	add_head(e);
	add_sizes(&t);
	add_parts(e, SW_MPI_ALWAYS);
	if (!add_tables(&t))
		return false;
	add_parts(e, SW_MPI_RANKS);
	return true;
}
