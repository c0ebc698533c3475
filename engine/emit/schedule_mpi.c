/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A schedule as C with MPI: tables of its steps, what moves in them, and where devices store what, behind the parts that carry them out and compare
 * the result with that of one process.
 */
#include <shardwalk/schedule_program.h>

#include "emit/mpi_tables.h"
#include "emit/program.h"
#include "program/formula.h"
#include "schedule/program.h"

typedef struct writer {
	const sw_program_emitter *w;
	const sw_emitter *e;
	const sw_program *program;
	const sw_formula *formula;
	int dims, step, loops;
	bool large;   /* an int does not count the elements of a message */
	sw_text list; /* of moves, behind the loops that they name */
} writer;

static const char *const types[SW_DTYPE_COUNT] =
	{[SW_F32] = "float", [SW_F64] = "double", [SW_I32] = "int32_t", [SW_I64] = "int64_t"};

/* ---- boxes ---- */

/* Products of sets of indices as boxes: run by run, the ordinals of runs count places. */
typedef struct boxes {
	const writer *c;
	const sw_indices *set;
	const int64_t *step; /* NULL: there are no places */
	int rank, front;
	int64_t device, at;
	int64_t low[SW_MAX_LETTERS], size[SW_MAX_LETTERS];
} boxes;

static void add_row(const boxes *b)
{
	sw_text *text = b->c->e->text;

	sw_text_addf(text, "\t{%lld, {", (long long)b->device);
	for (int d = 0; d < b->front; d++)
		sw_text_add(text, "0, ");
	for (int d = 0; d < b->rank; d++)
		sw_text_addf(text, "%lld, ", (long long)b->low[d]);
	sw_text_add(text, "}, {");
	for (int d = 0; d < b->front; d++)
		sw_text_add(text, "1, ");
	for (int d = 0; d < b->rank; d++)
		sw_text_addf(text, "%lld, ", (long long)b->size[d]);
	sw_text_add(text, "}");
	if (b->step != NULL) {
		sw_text_addf(text, ", %lld, {", (long long)b->at);
		for (int d = 0; d < b->front; d++)
			sw_text_add(text, "0, ");
		for (int d = 0; d < b->rank; d++)
			sw_text_addf(text, "%lld, ", (long long)b->step[d]);
		sw_text_add(text, "}");
	}
	sw_text_add(text, "},\n");
}

static void add_boxes(boxes *b, int dim)
{
	int64_t before = 0, at = b->at;

	if (dim == b->rank) {
		add_row(b);
		return;
	}
	for (int i = 0; i < b->set[dim].count; i++)
		for (int64_t n = 0; n < b->set[dim].family[i].count; n++) {
			const sw_family *f = &b->set[dim].family[i];
			b->low[dim] = f->first + n * f->step;
			b->size[dim] = f->run;
			b->at = at + (b->step != NULL ? before * b->step[dim] : 0);
			add_boxes(b, dim + 1);
			before += f->run;
		}
	b->at = at;
}

/* ---- what is stored ---- */

static bool add_parts(const writer *c, int v)
{
	int rank = c->program->value[v].type->rank;

	sw_emit_line(c->e, "static const struct part parts_%d[] = {", v);
	for (int64_t d = 0; d < c->program->mesh.devices; d++) {
		sw_local local;
		if (!sw_program_local(c->program, v, d, c->e->arena, &local))
			return sw_diag_memory(c->e->diag);
		for (int n = 0; n < local.parts; n++) {
			boxes b = {c, local.part[n].set, local.part[n].step, rank, c->dims - rank, d, local.part[n].base, {0},
				{0}};
			add_boxes(&b, 0);
		}
	}
	sw_emit_line(c->e, "\t{.rank = -1},\n};");
	return true;
}

static bool add_elements(const writer *c)
{
	sw_emit_line(c->e, "static const struct part *const parts[VALUES] = {");
	for (int v = 0; v < c->program->values; v++)
		sw_emit_line(c->e, "\tparts_%d,", v);
	sw_emit_line(c->e, "};\n\n/* of each value on each rank */\nstatic const long long elements[VALUES][RANKS] = {");
	for (int v = 0; v < c->program->values; v++) {
		sw_text_add(c->e->text, "\t{");
		for (int64_t d = 0; d < c->program->mesh.devices; d++) {
			sw_local local;
			if (!sw_program_local(c->program, v, d, c->e->arena, &local))
				return sw_diag_memory(c->e->diag);
			sw_text_addf(c->e->text, "%s%lld", d > 0 ? ", " : "", (long long)local.size);
		}
		sw_text_add(c->e->text, "},\n");
	}
	sw_emit_line(c->e, "};\n");
	return true;
}

/* ---- the statement ---- */

static void add_index(const writer *c, const sw_formula_access *access)
{
	int rank = c->formula->array[access->array].rank;

	for (int d = 0; d < c->dims - rank; d++)
		sw_text_add(c->e->text, "0, ");
	for (int d = 0; d < rank; d++)
		sw_text_addf(c->e->text, "letter[%d], ", sw_formula_letter(c->formula, access->index[d].letter));
}

static void add_factor(const writer *c, const sw_formula_factor *factor)
{
	if (factor->kind != SW_FACTOR_ACCESS) {
		sw_text_addf(c->e->text, "(value)%.*s", (int)factor->word.length, factor->word.at);
		return;
	}
	sw_text_addf(c->e->text, "get(%d, (const long long[DIMS]){", c->formula->access[factor->access].array);
	add_index(c, &c->formula->access[factor->access]);
	sw_text_add(c->e->text, "})");
}

/* A term that lacks a summed letter counts where that is 0. */
static void add_term(const writer *c, int term)
{
	const sw_formula_term *of = &c->formula->sum.term[term];
	uint32_t lacks = sw_formula_lacks(c->formula, term);

	sw_text_add(c->e->text, "\t");
	for (int letter = 0; letter < c->formula->letters; letter++)
		if (lacks >> letter & 1)
			sw_text_addf(c->e->text, "if (letter[%d] == 0)\n\t\t", letter);
	sw_text_addf(c->e->text, "sum %s= ", of->minus ? "-" : "+");
	for (int n = 0; n < of->factors; n++) {
		sw_text_add(c->e->text, n > 0 ? " * " : "");
		add_factor(c, &of->factor[n]);
	}
	sw_text_add(c->e->text, ";\n");
}

static void add_statement(const writer *c)
{
	int rank = c->formula->array[0].rank;

	sw_emit_line(c->e,
		"static value get(int array, const long long *index);\n\n"
		"static value right_side(const long long *letter)\n{\n\tvalue sum = 0;");
	for (int k = 0; k < c->formula->sum.terms; k++)
		add_term(c, k);
	sw_emit_line(c->e,
		"\treturn sum;\n}\n\n/* The element that a point adds to. */\n"
		"static void left_side(const long long *letter, long long *index)\n{\n\t(void)letter;");
	for (int d = 0; d < c->dims; d++)
		if (d < c->dims - rank)
			sw_emit_line(c->e, "\tindex[%d] = 0;", d);
		else
			sw_emit_line(c->e, "\tindex[%d] = letter[%d];", d,
				sw_formula_letter(c->formula, c->formula->access[0].index[d - c->dims + rank].letter));
	sw_emit_line(c->e,
		"}\n\n/* The points that add to an element. */\n"
		"static void hold(const long long *index, long long *low, long long *size)\n{\n\t(void)index, (void)low, (void)size;");
	for (int d = 0; d < rank; d++) {
		int letter = sw_formula_letter(c->formula, c->formula->access[0].index[d].letter);
		sw_emit_line(c->e, "\tlow[%d] = index[%d];\n\tsize[%d] = 1;", letter, c->dims - rank + d, letter);
	}
	sw_emit_line(c->e, "}\n");
}

/* ---- steps ---- */

static bool add_move(void *user, const sw_iteration_move *move)
{
	writer *c = user;
	int value = c->program->step[c->step].operand[move->operand];

	c->large = c->large || sw_mpi_tile_is_large(move->loops->count, move->loops->loops);
	sw_text_addf(c->e->text, "static const struct loop loops_%d[] = {", c->loops);
	for (int i = 0; i < move->loops->loops; i++)
		sw_text_addf(c->e->text, "{%lld, %lld, %lld}, ", (long long)move->loops->count[i],
			(long long)move->loops->from_by[i], (long long)move->loops->into_by[i]);
	sw_text_add(c->e->text, "{0, 0, 0}};\n");
	sw_text_addf(&c->list, "\t{%lld, %lld, %d, %lld, %lld, loops_%d},\n", (long long)move->from, (long long)move->to,
		value, (long long)move->loops->from, (long long)move->loops->into, c->loops++);
	return true;
}

static bool add_moves(writer *c, int s)
{
	sw_arena *arena = sw_arena_new();

	sw_text_clear(&c->list);
	c->step = s;
	bool added = arena != NULL && sw_program_each_move(c->program, s, arena, add_move, c, c->e->diag);
	sw_arena_free(arena);
	if (added)
		sw_emit_line(c->e, "static const struct move moves_%d[] = {\n%s\t{.from = -1},\n};", s,
			sw_text_get(&c->list));
	return added;
}

static bool add_points(const writer *c, int s)
{
	const sw_iteration *iteration = c->program->step[s].iteration;

	sw_emit_line(c->e, "static const struct points points_%d[] = {", s);
	for (int64_t d = 0; d < c->program->mesh.devices; d++) {
		sw_region points;
		if (!sw_lowering_points(iteration->lowering, iteration->step, d, c->e->arena, &points))
			return sw_diag_memory(c->e->diag);
		for (int n = 0; n < points.count; n++) {
			boxes b = {c, points.set + (int64_t)n * points.rank, NULL, points.rank, 0, d, 0, {0}, {0}};
			add_boxes(&b, 0);
		}
	}
	sw_emit_line(c->e, "\t{.rank = -1},\n};");
	return true;
}

static bool add_goes_on(const writer *c, int s)
{
	sw_text_addf(c->e->text, "static const char goes_on_%d[] = {", s);
	for (int64_t d = 0; d < c->program->mesh.devices; d++) {
		bool goes_on;
		if (!sw_iteration_goes_on(c->program, s, d, c->e->arena, &goes_on))
			return sw_diag_memory(c->e->diag);
		sw_text_addf(c->e->text, "%s%d", d > 0 ? ", " : "", goes_on);
	}
	sw_text_add(c->e->text, "};\n");
	return true;
}

static void add_values(const writer *c, const char *name, int s, const int *operand)
{
	const sw_step *step = &c->program->step[s];

	sw_text_addf(c->e->text, ", .%s = {", name);
	for (int k = 0; k < c->formula->arrays; k++) {
		int f = sw_fetch_inner(step->iteration->lowering, k),
			at = operand == step->iteration->home ? operand[k] :
			f >= 0                                ? operand[f] :
													SW_NO_OPERAND;
		sw_text_addf(c->e->text, "%s%d", k > 0 ? ", " : "", at == SW_NO_OPERAND ? -1 : step->operand[at]);
	}
	sw_text_add(c->e->text, "}");
}

static const char *const kinds[SW_DOES_COUNT] = {"START", "FETCH", "LEAF", "GIVE"};

static void add_step(const writer *c, int s)
{
	const sw_step *step = &c->program->step[s];
	int before = sw_iteration_before(step);
	bool sends = sw_program_sends(c->program, s);

	sw_text_addf(c->e->text, "\t{.kind = %s, .made = %d, .before = %d, .goes_on = goes_on_%d",
		kinds[step->iteration->does], sw_program_value_of(c->program, s), before < 0 ? -1 : step->operand[before], s);
	if (sends)
		sw_text_addf(c->e->text, ", .move = moves_%d", s);
	if (sw_step_does(step, SW_DOES_LEAF)) {
		sw_text_addf(c->e->text, ", .points = points_%d", s);
		add_values(c, "home", s, step->iteration->home);
		add_values(c, "buffer", s, step->iteration->buffer);
	}
	sw_text_add(c->e->text, "},\n");
}

static bool add_steps(writer *c)
{
	for (int s = 0; s < c->program->steps; s++)
		if (!add_goes_on(c, s) || (sw_program_sends(c->program, s) && !add_moves(c, s)) ||
			(sw_step_does(&c->program->step[s], SW_DOES_LEAF) && !add_points(c, s)))
			return false;
	sw_emit_line(c->e, "static const struct step steps[STEPS] = {");
	for (int s = 0; s < c->program->steps; s++)
		add_step(c, s);
	sw_emit_line(c->e, "};\n");
	return true;
}

/* ---- the head ---- */

static void add_head(const writer *c)
{
	sw_text words = {0};

	sw_schedule_print(c->program->step[0].iteration->lowering->schedule, &words);
	sw_text_add(c->e->text, "/* ");
	sw_emit_harmless(c->e->text, sw_text_get(&words));
	sw_emit_line(c->e,
		"\n *\n * mpicc -O2 -o schedule THIS_FILE.c && mpiexec -n %lld ./schedule\n *\n"
		" * Every element is compared with the result of one process; the program ends with status 1 if one is wrong.\n */\n"
		"#include <mpi.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n",
		(long long)c->program->mesh.devices);
	sw_text_free(&words);
	sw_emit_line(c->e,
		"#define RANKS %lld\n#define VALUES %d\n#define INPUTS %d\n#define STEPS %d\n#define RETURNED %d",
		(long long)c->program->mesh.devices, c->program->values, c->program->inputs, c->program->steps,
		c->program->returned);
	sw_emit_line(c->e,
		"#define ARRAYS %d\n#define LETTERS %d\n#define DIMS %d\n#define ADDS %d\n#define ELEMENT ((int)sizeof(value))\n\n"
		"typedef %s value;\n",
		c->formula->arrays, c->formula->letters > 0 ? c->formula->letters : 1, c->dims, c->formula->adds,
		types[c->program->value[c->program->returned].type->dtype]);
}

static void add_sizes(const writer *c)
{
	sw_text_add(c->e->text, "static const long long letters[LETTERS] = {");
	for (int k = 0; k < c->formula->letters; k++)
		sw_text_addf(c->e->text, "%s%lld", k > 0 ? ", " : "", (long long)c->formula->size[k]);
	sw_text_add(c->e->text, c->formula->letters > 0 ? "};\n" : "1};\n");
	sw_emit_line(c->e, "static const long long sizes[ARRAYS][DIMS] = {");
	for (int k = 0; k < c->formula->arrays; k++) {
		const sw_formula_array *array = &c->formula->array[k];
		sw_text_add(c->e->text, "\t{");
		for (int d = 0; d < c->dims; d++)
			sw_text_addf(c->e->text, "%lld, ",
				d < c->dims - array->rank ? 1LL : (long long)array->size[d - c->dims + array->rank]);
		sw_text_add(c->e->text, "},\n");
	}
	sw_text_add(c->e->text, "};\nstatic const int input_array[INPUTS] = {");
	for (int k = 0, inputs = 0; k < c->formula->arrays; k++)
		if (k > 0 || c->formula->adds)
			sw_text_addf(c->e->text, "%s%d", inputs++ > 0 ? ", " : "", k);
	sw_text_add(c->e->text, "};\n");
}

/* ---- the whole ---- */

static bool write_all(writer *c)
{
	add_head(c);
	sw_mpi_parts(c->e, sw_mpi_schedule_head, 0);
	add_sizes(c);
	for (int v = 0; v < c->program->values; v++)
		if (!add_parts(c, v))
			return false;
	if (!add_elements(c) || !add_steps(c))
		return false;
	add_statement(c);
	sw_mpi_add_calls(c->e, c->large, SW_MPI_EXCHANGE);
	sw_mpi_parts(c->e, sw_mpi_schedule, 0);
	return true;
}

/* It is all of the program, on elements that C has. */
static bool can_write(const writer *c)
{
	for (int s = 0; s < c->program->steps; s++)
		if (c->program->step[s].iteration == NULL)
			return sw_emit_refuse(c->e, "a program of the schedule alone is written",
				"C says no other steps beside a schedule");
	return types[c->program->value[c->program->returned].type->dtype] != NULL ||
		sw_emit_refuse(c->e, "f32, f64, i32 and i64 are", "elements of type %s are not computed with in C",
			sw_dtype_name(c->program->value[c->program->returned].type->dtype));
}

bool sw_emit_schedule_mpi(sw_program_emitter *w)
{
	writer c = {.w = w, .e = &w->e, .program = w->program, .dims = 1};

	c.formula = &sw_program_lowering(w->program)->schedule->problem->formula;
	for (int k = 0; k < c.formula->arrays; k++)
		c.dims = c.formula->array[k].rank > c.dims ? c.formula->array[k].rank : c.dims;
	bool written = can_write(&c) && write_all(&c);
	sw_text_free(&c.list);
	return written;
}
