/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program as C with MPI and CBLAS: tables of its values and operations behind the parts that carry them out, and compare the
 * result with that of whole arrays.
 */
#include "emit/mpi_tables.h"
#include "emit/planned.h"

#include <stdio.h>
#include <string.h>

#include <shardwalk/arithmetic.h>
#include <shardwalk/simulate.h>

typedef struct writer {
	sw_planned_emitter *w;
	const sw_emitter *e;
	const sw_planned *planned;
	sw_mpi_tables t;
	sw_data data;
	int *first; /* of each step that redistributes, its first stage */
	int stage;  /* that of the first value */
	unsigned all;
	sw_dtype dtype;
	bool bound; /* the result is rounded */
} writer;

/* ---- what each element type needs ---- */

static const struct arithmetic {
	const char *work, *exponential, *product, *unit;
} arithmetics[SW_DTYPE_COUNT] = {
	[SW_F32] = {"float", "expf(x)", "cblas_sgemm", "0x1p-24"},
	[SW_F64] = {"double", "exp(x)", "cblas_dgemm", "0x1p-53"},
	[SW_I32] = {"uint32_t", "((x) > 43 ? INT64_MAX : (int64_t)exp((double)(x)))", NULL, "0"},
	[SW_I64] = {"uint64_t", "((x) > 43 ? INT64_MAX : (int64_t)exp((double)(x)))", NULL, "0"},
};

/* How operations element by element are called, what they need, and the rule for their rounding. */
static const struct by_element {
	const char *function;
	unsigned need, bound_need;
	const char *bound;
} by_elements[SW_DO_COUNT] = {
	[SW_DO_RELU] = {"relu", SW_MPI_RELU, SW_MPI_BOUND_SAME, "bound_same"},
	[SW_DO_EXP] = {"exponential", SW_MPI_EXP, SW_MPI_BOUND_EXP | SW_MPI_EXP, "bound_exp"},
	[SW_DO_NEG] = {"negative", SW_MPI_NEG, SW_MPI_BOUND_SAME, "bound_same"},
	[SW_DO_SCALE] = {"twice", SW_MPI_SCALE, SW_MPI_BOUND_SUM, "bound_sum"},
	[SW_DO_ADD] = {"add", SW_MPI_ADD, SW_MPI_BOUND_SUM, "bound_sum"},
	[SW_DO_MUL] = {"times", SW_MPI_MUL, SW_MPI_BOUND_PRODUCT, "bound_product"},
	[SW_DO_MATMUL] = {NULL, SW_MPI_PRODUCT, SW_MPI_BOUND_PRODUCT, "bound_product"},
	[SW_DO_EINSUM] = {NULL, SW_MPI_EINSUM | SW_MPI_PRODUCT, SW_MPI_BOUND_PRODUCT, "bound_product"},
};

static const sw_body *body_of(const writer *c, const sw_planned_step *step)
{
	return c->planned->program->statement[step->statement].body;
}

static void need_operation(writer *c, sw_program_op op)
{
	const struct by_element *row = &by_elements[op];

	c->all |= row->need | (row->function ? SW_MPI_ELEMENTS : 0);
	c->all |= c->bound ? row->bound_need : 0;
}

static void need_step(writer *c, int s)
{
	const sw_planned_step *step = &c->planned->step[s];

	if (sw_program_op_moves(step->op)) {
		c->all |= SW_MPI_MOVE | sw_mpi_needs(&c->w->move[s]);
		return;
	}
	if (!sw_program_op_has_body(step->op)) {
		need_operation(c, step->op);
		return;
	}
	const sw_body *body = body_of(c, step);
	c->all |= SW_MPI_BODY | (c->bound ? SW_MPI_BOUND_BODY : 0);
	for (int i = body->parameters; i < body->count; i++)
		need_operation(c, body->local[i].op);
}

static void find_needs(writer *c)
{
	const sw_held_value *returned = &c->planned->value[c->planned->returned];

	c->bound = c->data.value[c->planned->returned].exactness == SW_DATA_ROUNDED;
	c->all = c->bound ? SW_MPI_BOUND : SW_MPI_EXACT;
	c->all |= sw_type_terms(&returned->type) > 1 ? SW_MPI_TERMS : 0;
	for (int s = 0; s < c->planned->count; s++)
		need_step(c, s);
	if ((c->all & SW_MPI_PRODUCT) && arithmetics[c->dtype].product)
		c->all |= SW_MPI_CBLAS;
}

/* ---- what cannot be said ---- */

static bool can_compute(const writer *c)
{
	for (int s = 0; s < c->planned->count; s++) {
		sw_dtype dtype = sw_planned_type(c->w, c->planned->step[s].result)->dtype;

		if (!sw_dtype_computes(dtype) || dtype != c->dtype)
			return sw_planned_refuse(c->w, s,
				"C computes with f32, f64, i32 and i64, one of them in a program, not with %s",
				sw_dtype_name(sw_dtype_computes(dtype) ? c->dtype : dtype));
	}
	return true;
}

static bool can_move(const writer *c)
{
	for (int s = 0; s < c->planned->count; s++) {
		const sw_type *type = sw_planned_type(c->w, c->planned->step[s].result);

		if ((c->planned->step[s].plan && !sw_mpi_can(&c->w->move[s])) || !sw_mpi_counts(c->e, type->tile, type->rank))
			return sw_planned_refused(c->w, s);
	}
	return true;
}

/* ---- stages ---- */

static bool add_value_stage(writer *c, int v)
{
	const sw_type *type = sw_planned_type(c->w, v);
	sw_mpi_stage stage = {.rank = type->rank, .tile = type->tile, .type = type};
	int64_t *map = c->t.by_device ? SW_NEW(c->e->arena, int64_t, c->e->devices * type->rank + 1) : NULL;

	if (c->t.by_device) {
		if (!map)
			return sw_diag_memory(c->e->diag);
		for (int64_t slot = 0; slot < c->e->devices; slot++)
			sw_type_offset(c->t.mesh, type, slot, map + sw_device_at(c->t.mesh->order, slot) * type->rank);
		stage.type = NULL;
		stage.map = map;
	}
	c->t.stage[c->t.stages++] = stage;
	return true;
}

static bool add_stages(writer *c)
{
	const sw_planned *planned = c->planned;
	int count = planned->values;

	c->t.dims = 1;
	for (int v = 0; v < planned->values; v++)
		if (sw_planned_type(c->w, v)->rank > c->t.dims)
			c->t.dims = sw_planned_type(c->w, v)->rank;
	for (int s = 0; s < planned->count; s++)
		count += planned->step[s].plan ? c->w->move[s].plan->count + 1 : 0;
	c->t.stage = SW_NEW(c->e->arena, sw_mpi_stage, count);
	c->first = SW_NEW_ZERO(c->e->arena, int, planned->count + 1);
	if (!c->t.stage || !c->first)
		return sw_diag_memory(c->e->diag);
	for (int s = 0; s < planned->count; s++)
		if (planned->step[s].plan)
			c->first[s] = sw_mpi_add_stages(&c->t, &c->w->move[s]);
	c->stage = c->t.stages;
	for (int v = 0; v < planned->values; v++)
		if (!add_value_stage(c, v))
			return false;
	return true;
}

/* ---- the head ---- */

static void add_remark(const writer *c)
{
	sw_text text = {0};

	sw_program_print(c->planned->program, &text);
	for (char *line = text.data; line && *line;) {
		char *end = line + strcspn(line, "\n");
		bool last = !*end;

		*end = '\0';
		if (end > line) {
			sw_text_add(c->e->text, " *   ");
			sw_emit_harmless(c->e->text, line);
			sw_text_add_char(c->e->text, '\n');
		}
		line = last ? end : end + 1;
	}
	sw_text_free(&text);
}

static void add_head(const writer *c)
{
	sw_text_add(c->e->text, "/* A program of sharded arrays over MPI ranks, written by shardwalk.\n *\n");
	add_remark(c);
	sw_emit_line(c->e, " *\n * mpicc -O2 -o program THIS_FILE.c%s%s && mpiexec -n %lld ./program\n *",
		c->all & SW_MPI_CBLAS ? " -lcblas" : "", c->all & (SW_MPI_EXP | SW_MPI_BOUND_EXP) ? " -lm" : "",
		(long long)c->e->devices);
	if (c->all & SW_MPI_CBLAS)
		sw_emit_line(c->e,
			" * With -DNO_CBLAS, or where there is no cblas.h, a plain loop multiplies.  A library with threads has to be told that\n"
			" * each rank has one: OPENBLAS_NUM_THREADS=1.");
	sw_emit_line(c->e,
		" * Arrays are row-major on every rank.  Rank 0 computes the whole arrays as well and compares what every device has in the\n"
		" * end; the program ends with status 1 where an element is wrong.\n */");
}

static void add_sizes(const writer *c)
{
	const sw_emitter *e = c->e;
	const struct arithmetic *row = &arithmetics[c->dtype];

	if (c->all & (SW_MPI_EXP | SW_MPI_BOUND_EXP))
		sw_emit_line(e, "#include <math.h>\n");
	sw_mpi_sizes(&c->t, c->dtype, 3);
	sw_emit_line(e, "#define VALUES %d /* the inputs first */", c->planned->values);
	sw_emit_line(e, "#define INPUTS %d\n#define OPERATIONS %d\n#define RETURNED %d /* a value */",
		c->planned->program->inputs, c->planned->count, c->planned->returned);
	if (c->all & SW_MPI_EXP)
		sw_emit_line(e, "#define EXP(x) %s", row->exponential);
	if (c->all & SW_MPI_CBLAS)
		sw_emit_line(e, "#define GEMM %s", row->product);
	if (c->all & SW_MPI_BOUND)
		sw_emit_line(e, "#define UNIT %s /* the relative error of one rounding */", row->unit);
	sw_text_add_char(e->text, '\n');
	sw_mpi_addend(e, c->dtype);
	sw_emit_line(e, "typedef %s number; /* in which nothing overflows without a rule */\n", row->work);
}

/* ---- values ---- */

static bool needs_terms(const writer *c, int v)
{
	return sw_type_terms(sw_planned_type(c->w, v)) > 1;
}

static bool add_term_tables(const writer *c)
{
	char name[32];
	bool ok = true;

	for (int v = 0; ok && v < c->planned->values; v++) {
		snprintf(name, sizeof name, "terms_%d", v);
		ok = !needs_terms(c, v) || sw_mpi_device_table(&c->t, name, sw_type_term, sw_planned_type(c->w, v));
	}
	return ok &&
		(!(c->all & SW_MPI_TERMS) ||
			sw_mpi_device_table(&c->t, "last_sum", sw_mpi_first_of_sum, sw_planned_type(c->w, c->planned->returned)));
}

static void add_name(const writer *c, sw_str name)
{
	sw_text text = {0};

	sw_text_add_str(&text, name);
	sw_emit_quoted(c->e->text, sw_text_get(&text));
	sw_text_free(&text);
}

static void add_value(const writer *c, int v)
{
	const sw_held_value *value = &c->planned->value[v];
	sw_text *text = c->e->text;

	sw_text_add(text, "\t{.name = ");
	add_name(c, value->name);
	sw_text_addf(text, ", .stage = %d, .rank = %d, .terms = %lld", c->stage + v, value->type.rank,
		(long long)sw_type_terms(&value->type));
	if (c->data.value[v].exactness == SW_DATA_ROUNDED)
		sw_text_add(text, ", .rounded = 1");
	if (needs_terms(c, v))
		sw_text_addf(text, ", .term = terms_%d", v);
	sw_text_add(text, ", .size = ");
	sw_mpi_row(&c->t, value->type.global, value->type.rank, 1);
	sw_text_add(text, "},\n");
}

static void add_data(const writer *c, const char *about, const char *name, const int64_t *number)
{
	sw_emit_line(c->e, "/* %s */", about);
	sw_text_addf(c->e->text, "static const long long %s[INPUTS] = {", name);
	sw_emit_numbers(c->e->text, number, c->planned->program->inputs);
	sw_text_add(c->e->text, "};\n");
}

/* ---- products ---- */

static bool is_batch(const sw_letters *letters, int i)
{
	const int64_t *stride = letters->letter[i].stride;

	return i < letters->kept && stride[SW_EQUATION_A] && stride[SW_EQUATION_B];
}

static void add_letter(const writer *c, const sw_letter *letter)
{
	sw_text_addf(c->e->text, "{%lld, %lld, %lld, %lld}, ", (long long)letter->size,
		(long long)letter->stride[SW_EQUATION_A], (long long)letter->stride[SW_EQUATION_B],
		(long long)letter->stride[SW_EQUATION_RESULT]);
}

/* Letters as loops: those of the result but the last, those that are summed, and the last of the result. */
static void add_loops(const writer *c, const char *name, int s, const sw_letters *letters)
{
	int last = letters->kept - 1;

	sw_text_addf(c->e->text, "static const struct letter %s_%d[] = {", name, s + 1);
	for (int i = 0; i < letters->count; i++)
		if (i != last)
			add_letter(c, &letters->letter[i]);
	if (last >= 0)
		add_letter(c, &letters->letter[last]);
	sw_text_add(c->e->text, "{0, 0, 0, 0}};\n");
}

/* The letters that number matrices, and the others. */
static void part_letters(const sw_letters *letters, sw_letters *batch, sw_letters *others)
{
	*batch = *others = (sw_letters){0};
	for (int i = 0; i < letters->count; i++) {
		sw_letters *to = is_batch(letters, i) ? batch : others;

		to->letter[to->count++] = letters->letter[i];
		to->kept += i < letters->kept;
	}
}

static void add_product(const writer *c, int s)
{
	const sw_planned_step *step = &c->planned->step[s];
	const sw_type *a = sw_planned_type(c->w, step->operand[0]), *b = sw_planned_type(c->w, step->operand[1]);
	const sw_equation *equation = sw_planned_equation(c->planned, step);
	sw_letters letters, batch, others;
	sw_gemm gemm;

	sw_letters_of(equation, a->tile, b->tile, &letters);
	part_letters(&letters, &batch, &others);
	sw_gemm_of(&others, &gemm);
	bool lies = !gemm.a.packed && !gemm.b.packed && !gemm.c.packed;
	add_loops(c, "loops", s, lies ? &batch : &letters);
	sw_letters_of(equation, a->global, b->global, &letters);
	add_loops(c, "letters", s, &letters);
	sw_text_addf(c->e->text, "static const struct product product_%d = {", s + 1);
	if (lies)
		sw_text_addf(c->e->text,
			".m = %lld, .n = %lld, .k = %lld, .row_a = %lld, .row_b = %lld, .row_c = %lld, .turned_a = %d, .turned_b = %d, "
			".swapped = %d, ",
			(long long)gemm.m, (long long)gemm.n, (long long)gemm.k, (long long)gemm.a.lead, (long long)gemm.b.lead,
			(long long)gemm.c.lead, gemm.a.transposed, gemm.b.transposed, gemm.swapped);
	sw_emit_line(c->e, ".loops = loops_%d, .whole = letters_%d};", s + 1, s + 1);
}

/* ---- bodies ---- */

static int64_t elements_of(const sw_local *local)
{
	int64_t count = 1;

	for (int i = 0; i < local->rank; i++)
		count *= local->tile[i];
	return count;
}

static void add_body_product(const writer *c, const sw_body *body, int s, int i)
{
	const int64_t *a = body->local[body->local[i].operand[0]].tile, *b = body->local[body->local[i].operand[1]].tile;

	sw_emit_line(c->e,
		"static const struct product product_%d_%d = {.m = %lld, .n = %lld, .k = %lld, .row_a = %lld, .row_b = %lld, .row_c = "
		"%lld, .loops = no_letters};",
		s + 1, i, (long long)a[0], (long long)b[1], (long long)a[1], (long long)a[1], (long long)b[1],
		(long long)b[1]);
}

static void add_bound(const writer *c, sw_program_op op, double summed)
{
	if (c->bound && by_elements[op].bound)
		sw_text_addf(c->e->text, ", .bound = %s, .summed = %.0f", by_elements[op].bound, summed);
}

static void add_local(const writer *c, const sw_body *body, int s, int i)
{
	const sw_local *local = &body->local[i];
	sw_text *text = c->e->text;

	sw_text_addf(text, "\t{.count = %lld", (long long)elements_of(local));
	if (i >= body->parameters) {
		int a = local->operand[0], b = sw_program_op_operands(local->op) > 1 ? local->operand[1] : a;

		if (sw_program_op_multiplies(local->op))
			sw_text_addf(text, ", .product = &product_%d_%d", s + 1, i);
		else
			sw_text_addf(text, ", .by_element = %s", by_elements[local->op].function);
		sw_text_addf(text, ", .a = %d, .b = %d", a, b);
		add_bound(c, local->op, sw_program_op_multiplies(local->op) ? (double)body->local[a].tile[1] : 1);
	}
	sw_text_add(text, "},\n");
}

static void add_body(const writer *c, int s)
{
	const sw_body *body = body_of(c, &c->planned->step[s]);

	for (int i = body->parameters; i < body->count; i++)
		if (sw_program_op_multiplies(body->local[i].op))
			add_body_product(c, body, s, i);
	sw_emit_line(c->e, "static const struct local local_%d[] = {", s + 1);
	for (int i = 0; i < body->count; i++)
		add_local(c, body, s, i);
	sw_emit_line(c->e,
		"};\nstatic const struct body body_%d = {.parameters = %d, .count = %d, .returned = %d, .local = local_%d};",
		s + 1, body->parameters, body->count, body->returned, s + 1);
}

/* ---- operations ---- */

static double summed_of(const writer *c, const sw_planned_step *step)
{
	sw_letters letters;
	double summed = 1;

	if (!sw_program_op_multiplies(step->op))
		return 1;
	sw_letters_of(sw_planned_equation(c->planned, step), sw_planned_type(c->w, step->operand[0])->global,
		sw_planned_type(c->w, step->operand[1])->global, &letters);
	for (int i = letters.kept; i < letters.count; i++)
		summed *= (double)letters.letter[i].size;
	return summed;
}

static const char *kind_of(sw_program_op op)
{
	static const char *const kinds[SW_DO_COUNT] = {
		[SW_DO_REDISTRIBUTE] = "move",
		[SW_DO_SPMD] = "body",
		[SW_DO_EINSUM] = "product",
	};
	return kinds[op] ? kinds[op] : "elements";
}

static void add_operation(const writer *c, int s)
{
	const sw_planned_step *step = &c->planned->step[s];
	const char *kind = kind_of(step->op);
	sw_text *text = c->e->text, words = {0};

	sw_planned_words(c->w, s, &words);
	sw_text_add(text, "\t{.words = ");
	sw_emit_quoted(text, sw_text_get(&words));
	sw_text_free(&words);
	sw_text_addf(text, ",\n\t\t.run = run_%s, .whole = whole_%s, .count = %d, .operand = {", kind, kind, step->count);
	for (int i = 0; i < step->count; i++)
		sw_text_addf(text, "%s%d", i ? ", " : "", step->operand[i]);
	sw_text_addf(text, "}, .result = %d", step->result);
	if (sw_program_op_moves(step->op))
		sw_text_addf(text, ", .step = %d, .steps = %d", c->first[s], c->w->move[s].plan->count);
	else if (sw_program_op_has_body(step->op))
		sw_text_addf(text, ", .body = &body_%d", s + 1);
	else if (sw_program_op_multiplies(step->op))
		sw_text_addf(text, ", .product = &product_%d", s + 1);
	else
		sw_text_addf(text, ", .by_element = %s", by_elements[step->op].function);
	add_bound(c, step->op, summed_of(c, step));
	sw_text_add(text, "},\n");
}

static void add_program(const writer *c)
{
	if (c->all & SW_MPI_PRODUCT)
		for (int s = 0; s < c->planned->count; s++)
			if (sw_program_op_multiplies(c->planned->step[s].op))
				add_product(c, s);
	if ((c->all & SW_MPI_BODY) && (c->all & SW_MPI_PRODUCT))
		sw_emit_line(c->e, "static const struct letter no_letters[] = {{0, 0, 0, 0}};");
	for (int s = 0; s < c->planned->count; s++)
		if (sw_program_op_has_body(c->planned->step[s].op))
			add_body(c, s);
	sw_emit_line(c->e, "\nstatic const struct held values[VALUES] = {");
	for (int v = 0; v < c->planned->values; v++)
		add_value(c, v);
	sw_emit_line(c->e, "};\n\nstatic const struct operation operations[OPERATIONS + 1] = {");
	for (int s = 0; s < c->planned->count; s++)
		add_operation(c, s);
	sw_emit_line(c->e, "\t{.words = NULL}\n};");
}

/* ---- the whole ---- */

static void add_tables(const writer *c)
{
	sw_emit_line(c->e, "/* The tile of a device at each stage of redistributions, and those of the values. */");
	sw_mpi_tiles(&c->t);
	sw_mpi_starts(&c->t);
}

static bool write_program(const writer *c)
{
	add_head(c);
	sw_mpi_parts(c->e, sw_mpi_head, c->all);
	add_sizes(c);
	sw_mpi_parts(c->e, sw_mpi_digit, c->all);
	add_tables(c);
	if (!sw_mpi_step_tables(&c->t, c->all) || !add_term_tables(c))
		return false;
	add_data(c, "Entries of inputs are whole numbers up to these ...", "largest", c->data.most);
	add_data(c, "... on one diagonal out of so many, and 0 elsewhere.", "period", c->data.period);
	sw_mpi_parts(c->e, sw_mpi_middle, c->all);
	sw_mpi_parts(c->e, sw_mpi_adding, c->all);
	if (c->all & SW_MPI_MOVE)
		sw_mpi_steps(&c->t);
	sw_mpi_parts(c->e, sw_mpi_program, c->all);
	add_program(c);
	return true;
}

bool sw_emit_planned_mpi(sw_planned_emitter *w)
{
	const sw_problem problem = {.mesh = w->planned->program->mesh};
	writer c = {.w = w, .e = &w->e, .planned = w->planned, .dtype = sw_planned_type(w, 0)->dtype};

	c.t = (sw_mpi_tables){.e = &w->e, .mesh = &w->planned->program->mesh, .by_device = sw_problem_ordered(&problem)};
	if (!can_compute(&c) || !can_move(&c) || !sw_data_make(w->planned, w->e.arena, &c.data, w->e.diag))
		return false;
	find_needs(&c);
	return add_stages(&c) && write_program(&c);
}
