/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program as C with MPI and CBLAS: tables of its values and operations behind the parts that carry them out, and compare the
 * result with that of whole arrays.
 */
#include "emit/program_c.h"

#include <stdio.h>
#include <string.h>

#include <shardwalk/arithmetic.h>
#include <shardwalk/simulate.h>

#include "emit/writing.h"

typedef sw_c_writer writer;

/* ---- what each element type needs ---- */

static const struct arithmetic {
	const char *work, *exponential, *product, *unit;
} arithmetics[SW_DTYPE_COUNT] = {
	[SW_F32] = {"float", "expf(x)", "cblas_sgemm", "0x1p-24"},
	[SW_F64] = {"double", "exp(x)", "cblas_dgemm", "0x1p-53"},
	[SW_I32] = {"uint32_t", "((x) > 43 ? INT64_MAX : (int64_t)exp((double)(x)))", NULL, "0"},
	[SW_I64] = {"uint64_t", "((x) > 43 ? INT64_MAX : (int64_t)exp((double)(x)))", NULL, "0"},
};

static const sw_type *type_of(const writer *c, int value)
{
	return c->program->value[value].type;
}

/* What rounding does, and what that needs: always, and where the result is rounded. */
static const struct growth {
	const char *bound;
	unsigned need, bound_need;
} growths[SW_GROWTHS] = {
	[SW_GROWS_NOT] = {"bound_same", 0, SW_MPI_BOUND_SAME},
	[SW_GROWS_TWICE] = {"bound_sum", 0, SW_MPI_BOUND_SUM},
	[SW_GROWS_AS_SUM] = {"bound_sum", 0, SW_MPI_BOUND_SUM},
	[SW_GROWS_AS_PRODUCT] = {"bound_product", 0, SW_MPI_BOUND_PRODUCT},
	[SW_GROWS_AS_POWER] = {"bound_exp", SW_MPI_EXP, SW_MPI_BOUND_EXP},
};

static const struct growth *growth_of(const sw_program *program, int s)
{
	return &growths[sw_operation_of(program->step[s].op)->grows];
}

static void add_need(writer *c, uint64_t need, const struct growth *growth)
{
	c->all |= need | growth->need | (c->bound ? growth->bound_need : 0);
}

void sw_c_needs_elements(writer *c, const sw_program *program, int s)
{
	c->by_element |= 1u << program->step[s].op;
	add_need(c, SW_MPI_ELEMENTS, growth_of(program, s));
}

/* Matrices, or letters. */
void sw_c_needs_product(writer *c, const sw_program *program, int s)
{
	bool matrices = sw_operation_of(program->step[s].op)->equation != NULL;

	add_need(c, SW_MPI_PRODUCT | (matrices ? SW_MPI_BODY_PRODUCT : SW_MPI_EINSUM), growth_of(program, s));
}

void sw_c_needs_move(writer *c, const sw_program *program, int s)
{
	(void)program;
	if (sw_c_moves_stored(c, s)) {
		c->all |= c->computes ? SW_MPI_MOVE_WHOLE : 0;
		return;
	}
	c->all |= SW_MPI_MOVE | (c->computes ? SW_MPI_MOVE_WHOLE : 0) | sw_mpi_needs(&c->w->move[s]);
}

void sw_c_needs_body(writer *c, const sw_program *program, int s)
{
	const sw_program *body = program->step[s].body;

	c->all |= SW_MPI_BODY | (c->bound ? SW_MPI_BOUND_BODY : 0);
	for (int k = 0; k < body->steps; k++)
		sw_writing_of(body->step[k].op)->c_needs(c, body, k);
}

static void find_needs(writer *c)
{
	int returned = c->program->returned;

	c->bound = c->data.value[returned].exactness == SW_DATA_ROUNDED;
	c->all |= (c->bound ? SW_MPI_BOUND : SW_MPI_EXACT) | (c->computes ? SW_MPI_COMPUTES : SW_MPI_STRAIGHT);
	if (sw_c_terms(c, returned) > 1)
		c->all |= sw_c_is_stored(c, returned) ? SW_MPI_STORED_TERMS : SW_MPI_TERMS;
	c->all |= sw_program_repeats(c->program) ? SW_MPI_ROUNDS :
		c->computes                          ? SW_MPI_ONCE | SW_MPI_WHOLE_ONCE :
											   SW_MPI_ONCE;
	sw_c_needs_stored(c);
	c->all |= sw_c_terms(c, returned) > 1 ? SW_MPI_ALLREDUCE : 0;
	for (int s = 0; s < c->program->steps; s++)
		sw_writing_of(c->program->step[s].op)->c_needs(c, c->program, s);
	c->all |= c->all & SW_MPI_SUM ? SW_MPI_ALLREDUCE : 0;
	if ((c->all & SW_MPI_PRODUCT) && arithmetics[c->dtype].product)
		c->all |= SW_MPI_CBLAS;
}

/* ---- what cannot be said ---- */

static bool can_compute(const writer *c)
{
	for (int s = 0; s < c->program->steps; s++) {
		sw_dtype dtype = type_of(c, sw_program_value_of(c->program, s))->dtype;

		if ((c->computes && !sw_dtype_computes(dtype)) || dtype != c->dtype)
			return sw_program_refuse(c->w, s,
				"C computes with f32, f64, i32 and i64, one of them in a program, not with %s",
				sw_dtype_name(sw_dtype_computes(dtype) ? c->dtype : dtype));
	}
	return true;
}

static bool step_adds(const writer *c, int s)
{
	const sw_between *between = c->moved[s].between;

	if (between != NULL)
		return between->terms > 1 || between->end[1].terms > 1;
	return c->program->step[s].inside && sw_emit_has_sums(&c->w->move[s]);
}

static bool adds(const writer *c, uint64_t by)
{
	bool sums = sw_c_terms(c, c->program->returned) > 1;
	bool can = by == SW_MPI_RANKS ? sw_mpi_adds(c->dtype) : sw_nccl_addend(c->dtype) != NULL;

	for (int s = 0; s < c->program->steps; s++)
		sums = sums || step_adds(c, s);
	return !sums || can ||
		sw_emit_refuse(c->e, "`run` adds them", "%s has no type that adds %s",
			by == SW_MPI_RANKS ? "MPI" : "C with NCCL", sw_dtype_name(c->dtype));
}

static bool moves_pieces(const writer *c, int s)
{
	const sw_emitter *move = &c->w->move[s];
	bool pieces = false;

	for (int k = 0; k < move->plan->program.steps; k++)
		pieces = pieces || sw_emit_by_pieces(move, k);
	return pieces;
}

/* What an int does not count is moved as a whole. */
static bool can_be_large(const writer *c, bool pieces)
{
	return !c->large || (!c->computes && !pieces) ||
		sw_emit_refuse(c->e, "a smaller array, or an array of structures as one element",
			"a tile of more than %d elements is moved, and nothing else is done with it", INT32_MAX);
}

static bool can_move(writer *c)
{
	bool pieces = false;

	for (int s = 0; s < c->program->steps; s++) {
		int value = sw_program_value_of(c->program, s);
		const sw_type *type = type_of(c, value);
		bool tiles = c->program->step[s].inside && !sw_c_moves_stored(c, s);

		if (tiles && !sw_mpi_can(&c->w->move[s]))
			return sw_program_refused(c->w, s);
		pieces = pieces || (tiles && moves_pieces(c, s));
		c->large = c->large || (tiles && sw_mpi_plan_is_large(&c->w->move[s])) ||
			(!sw_c_is_stored(c, value) && sw_mpi_tile_is_large(type->tile, type->rank));
		if (!can_be_large(c, pieces))
			return sw_program_refused(c->w, s);
	}
	return true;
}

/* ---- stages ---- */

static bool moves_tiles(const writer *c, int s)
{
	return c->program->step[s].inside != NULL && !sw_c_moves_stored(c, s);
}

/* That of the redistribution that makes a value, or reads it; -1: there is none. */
static int stage_of_move(const writer *c, int v)
{
	int made = sw_program_maker(c->program, v);

	if (made >= 0 && moves_tiles(c, made))
		return c->first[made] + c->w->move[made].plan->program.steps;
	for (int s = 0; s < c->program->steps; s++)
		if (moves_tiles(c, s) && c->program->step[s].operand[0] == v)
			return c->first[s];
	return -1;
}

/* Where tiles begin, listed by devices. */
static bool list_starts(const writer *c, sw_mpi_stage *stage)
{
	int64_t *map = SW_NEW(c->e->arena, int64_t, c->e->devices * stage->rank + 1);

	if (!map)
		return sw_diag_memory(c->e->diag);
	for (int64_t slot = 0; slot < c->e->devices; slot++)
		sw_type_offset(c->t.mesh, stage->type, slot, map + sw_device_at(c->t.mesh->order, slot) * stage->rank);
	stage->type = NULL;
	stage->map = map;
	return true;
}

/* A value that no tile says has that of a single element. */
static bool add_value_stage(writer *c, int v)
{
	static const sw_type single;
	const sw_type *type = sw_c_is_stored(c, v) ? &single : type_of(c, v);
	sw_mpi_stage stage = {.rank = type->rank, .tile = type->tile, .type = type};

	c->stage[v] = stage_of_move(c, v);
	if (c->stage[v] >= 0)
		return true;
	if (c->t.by_device && type != &single && !list_starts(c, &stage))
		return false;
	c->stage[v] = c->t.stages;
	c->t.stage[c->t.stages++] = stage;
	return true;
}

static bool add_stages(writer *c)
{
	const sw_program *program = c->program;
	int count = program->values;

	c->t.dims = 1;
	for (int v = 0; v < program->values; v++)
		if (type_of(c, v)->rank > c->t.dims)
			c->t.dims = type_of(c, v)->rank;
	for (int s = 0; s < program->steps; s++)
		count += moves_tiles(c, s) ? c->w->move[s].plan->program.steps + 1 : 0;
	c->t.stage = SW_NEW(c->e->arena, sw_mpi_stage, count);
	c->first = SW_NEW_ZERO(c->e->arena, int, program->steps + 1);
	c->stage = SW_NEW(c->e->arena, int, program->values);
	if (!c->t.stage || !c->first || !c->stage)
		return sw_diag_memory(c->e->diag);
	for (int s = 0; s < program->steps; s++)
		if (moves_tiles(c, s))
			c->first[s] = sw_mpi_add_stages(&c->t, &c->w->move[s]);
	for (int v = 0; v < program->values; v++)
		if (!add_value_stage(c, v))
			return false;
	return true;
}

/* ---- the head ---- */

static void add_head(const writer *c)
{
	sw_program_head(c->w, "/*", " *",
		c->all & SW_MPI_GPUS ? " over MPI ranks, each with a GPU, by NCCL" : " over MPI ranks");
	sw_emit_line(c->e, " *\n * mpicc -O2%s -o program THIS_FILE.c%s%s%s && mpiexec -n %lld ./program\n *",
		c->all & SW_MPI_FORMULA ? " -ffp-contract=off" : "", c->all & SW_MPI_CBLAS ? " -lcblas" : "",
		c->all & (SW_MPI_EXP | SW_MPI_BOUND_EXP) ? " -lm" : "", c->all & SW_MPI_GPUS ? " -lnccl -lcudart" : "",
		(long long)c->e->devices);
	if (c->all & SW_MPI_CBLAS)
		sw_emit_line(c->e,
			" * With -DNO_CBLAS, or without a cblas.h, a plain loop multiplies.  A library with threads must use one in each\n"
			" * rank: OPENBLAS_NUM_THREADS=1.");
	sw_emit_line(c->e,
		" * Arrays are row-major on every rank.  %sAt the end every rank compares what it\n"
		" * has; the program ends with status 1 if an element is wrong.\n */",
		c->computes ? "Rank 0 computes the whole arrays as well.  " : "");
}

/* The input of which a value that is only moved comes. */
static int source_of(const writer *c)
{
	int value = c->program->returned;

	while (value >= c->program->inputs)
		value = c->program->step[sw_program_maker(c->program, value)].operand[0];
	return value;
}

/* The first operations are repeated, and the others follow. */
static void add_rounds(const writer *c)
{
	const sw_program *p = c->program;

	sw_emit_line(c->e, "#define ROUNDS %lld\n#define LOOP %d /* operations of a round; others follow the last one */",
		(long long)(p->rounds > 1 ? p->rounds : 1), sw_program_loop(p));
	sw_emit_line(c->e, "#define BRINGS %d /* the value of a round that is the first input of the next */",
		sw_program_brings(p));
}

static void add_sizes(const writer *c)
{
	const sw_emitter *e = c->e;
	const struct arithmetic *row = &arithmetics[c->dtype];

	if (c->all & (SW_MPI_EXP | SW_MPI_BOUND_EXP))
		sw_emit_line(e, "#include <math.h>\n");
	sw_mpi_sizes(&c->t, c->dtype, c->computes ? 3 : 5);
	sw_emit_line(e, "#define VALUES %d /* the inputs first */", c->program->values);
	sw_emit_line(e, "#define INPUTS %d\n#define OPERATIONS %d\n#define RETURNED %d /* a value */", c->program->inputs,
		c->program->steps, c->program->returned);
	if (!c->computes)
		sw_emit_line(e, "#define SOURCE %d /* the input that is returned */", source_of(c));
	if (c->all & SW_MPI_EXP)
		sw_emit_line(e, "#define EXP(x) %s", row->exponential);
	if (c->all & SW_MPI_CBLAS)
		sw_emit_line(e, "#define GEMM %s", row->product);
	if (c->all & SW_MPI_BOUND)
		sw_emit_line(e, "#define UNIT %s /* the relative error of one rounding */", row->unit);
	sw_text_add_char(e->text, '\n');
	sw_mpi_addend(e, c->dtype);
	if (c->computes)
		sw_emit_line(e, "typedef %s number; /* its overflow is defined */", row->work);
	else if (c->all & SW_MPI_STORED)
		sw_emit_line(e, "typedef value number;");
	if (c->all & SW_MPI_ROUNDS)
		add_rounds(c);
	sw_c_formula_sizes(c);
	sw_text_add_char(e->text, '\n');
}

/* ---- values ---- */

static bool needs_terms(const writer *c, int v)
{
	return sw_c_terms(c, v) > 1;
}

static bool add_term_tables(const writer *c)
{
	char name[32];
	bool ok = true;

	for (int v = 0; ok && v < c->program->values; v++) {
		snprintf(name, sizeof name, "terms_%d", v);
		ok = !needs_terms(c, v) || sw_c_is_stored(c, v) ||
			sw_mpi_device_table(&c->t, name, sw_type_term, type_of(c, v));
	}
	return ok &&
		(!(c->all & SW_MPI_TERMS) ||
			sw_mpi_device_table(&c->t, "last_sum", sw_mpi_first_of_sum, type_of(c, c->program->returned)));
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
	const sw_value *value = &c->program->value[v];
	const sw_type *type = value->type;
	sw_text *text = c->e->text;

	sw_text_add(text, "\t{.name = ");
	add_name(c, value->name);
	sw_text_addf(text, ", .stage = %d, .rank = %d, .terms = %lld", c->stage[v], type->rank,
		(long long)sw_c_terms(c, v));
	if (c->data.value[v].exactness == SW_DATA_ROUNDED)
		sw_text_add(text, ", .rounded = 1");
	if (needs_terms(c, v))
		sw_text_addf(text, ", .term = terms_%d", v);
	sw_text_add(text, ", .size = ");
	sw_mpi_row(&c->t, type->global, type->rank, 1);
	sw_c_stored_value(c, v);
	sw_text_add(text, "},\n");
}

static void add_data(const writer *c, const char *about, const char *name, const int64_t *number)
{
	sw_emit_line(c->e, "/* %s */", about);
	sw_text_addf(c->e->text, "static const long long %s[INPUTS] = {", name);
	sw_emit_numbers(c->e->text, number, c->program->inputs);
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

bool sw_c_product_tables(const writer *c, int s)
{
	const sw_step *step = &c->program->step[s];
	const sw_type *a = type_of(c, step->operand[0]), *b = type_of(c, step->operand[1]);
	const sw_equation *equation = step->equation;
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
	return true;
}

/* ---- bodies ---- */

static void add_body_product(const writer *c, const sw_program *body, int s, int k)
{
	const int *operand = body->step[k].operand;
	const int64_t *a = body->value[operand[0]].type->tile, *b = body->value[operand[1]].type->tile;

	sw_emit_line(c->e,
		"static const struct product product_%d_%d = {.m = %lld, .n = %lld, .k = %lld, .row_a = %lld, .row_b = %lld, .row_c = "
		"%lld, .loops = no_letters};",
		s + 1, body->inputs + k, (long long)a[0], (long long)b[1], (long long)a[1], (long long)a[1], (long long)b[1],
		(long long)b[1]);
}

static double summed_of(const sw_program *program, int s)
{
	const sw_step *step = &program->step[s];
	sw_letters letters;
	double summed = 1;

	if (!step->equation)
		return 1;
	sw_letters_of(step->equation, program->value[step->operand[0]].type->global,
		program->value[step->operand[1]].type->global, &letters);
	for (int i = letters.kept; i < letters.count; i++)
		summed *= (double)letters.letter[i].size;
	return summed;
}

static void add_bound(const writer *c, const sw_program *program, int s)
{
	if (c->bound)
		sw_text_addf(c->e->text, ", .bound = %s, .summed = %.0f", growth_of(program, s)->bound,
			summed_of(program, s));
}

static void add_call(const writer *c, const sw_program *body, int s, int k)
{
	const sw_step *call = &body->step[k];
	sw_text *text = c->e->text;

	if (call->equation)
		sw_text_addf(text, ", .product = &product_%d_%d", s + 1, body->inputs + k);
	else
		sw_text_addf(text, ", .by_element = %s", sw_words_of(call->op)->c);
	sw_text_addf(text, ", .a = %d, .b = %d", call->operand[0], call->operand[call->operands - 1]);
	add_bound(c, body, k);
}

bool sw_c_body_tables(const writer *c, int s)
{
	const sw_program *body = c->program->step[s].body;

	for (int k = 0; k < body->steps; k++)
		if (body->step[k].equation)
			add_body_product(c, body, s, k);
	sw_emit_line(c->e, "static const struct local local_%d[] = {", s + 1);
	for (int v = 0; v < body->values; v++) {
		sw_text_addf(c->e->text, "\t{.count = %lld", (long long)sw_type_localsize(body->value[v].type));
		if (v >= body->inputs)
			add_call(c, body, s, v - body->inputs);
		sw_text_add(c->e->text, "},\n");
	}
	sw_emit_line(c->e,
		"};\nstatic const struct body body_%d = {.parameters = %d, .count = %d, .returned = %d, .local = local_%d};",
		s + 1, body->inputs, body->values, body->returned, s + 1);
	return true;
}

/* ---- operations ---- */

void sw_c_move(const writer *c, int s)
{
	if (sw_c_moves_stored(c, s)) {
		sw_c_stored_move(c, s);
		return;
	}
	sw_text_addf(c->e->text, ", .step = %d, .steps = %d", c->first[s], c->w->move[s].plan->program.steps);
}

void sw_c_body(const writer *c, int s)
{
	sw_text_addf(c->e->text, ", .body = &body_%d", s + 1);
}

void sw_c_product(const writer *c, int s)
{
	sw_text_addf(c->e->text, ", .product = &product_%d", s + 1);
	add_bound(c, c->program, s);
}

void sw_c_elements(const writer *c, int s)
{
	sw_text_addf(c->e->text, ", .by_element = %s", sw_words_of(c->program->step[s].op)->c);
	add_bound(c, c->program, s);
}

static void add_operation(const writer *c, int s)
{
	const sw_step *step = &c->program->step[s];
	const sw_writing *writing = sw_writing_of(step->op);
	sw_text *text = c->e->text, words = {0};

	sw_program_words(c->w, s, &words);
	sw_text_add(text, "\t{.words = ");
	sw_emit_quoted(text, sw_text_get(&words));
	sw_text_free(&words);
	sw_text_addf(text, ",\n\t\t.run = run_%s, ", sw_c_moves_stored(c, s) ? "stored" : writing->c);
	if (c->computes)
		sw_text_addf(text, ".whole = whole_%s, ", writing->c);
	sw_text_addf(text, ".count = %d, .operand = {", step->operands);
	for (int i = 0; i < step->operands; i++)
		sw_text_addf(text, "%s%d", i ? ", " : "", step->operand[i]);
	sw_text_addf(text, "}, .result = %d", sw_program_value_of(c->program, s));
	if ((c->all & SW_MPI_ROUNDS) && c->program->value[sw_program_value_of(c->program, s)].constant)
		sw_text_add(text, ", .constant = 1");
	writing->c_fields(c, s);
	sw_text_add(text, "},\n");
}

/* Those of all products first. */
static bool add_tables_of(const writer *c, bool bodies)
{
	bool done = true;

	for (int s = 0; s < c->program->steps; s++) {
		const sw_writing *writing = sw_writing_of(c->program->step[s].op);

		if (done && writing->c_tables && (c->program->step[s].body != NULL) == bodies)
			done = writing->c_tables(c, s);
	}
	return done;
}

static bool add_program(const writer *c)
{
	if (!add_tables_of(c, false))
		return false;
	if ((c->all & SW_MPI_BODY) && (c->all & SW_MPI_PRODUCT))
		sw_emit_line(c->e, "static const struct letter no_letters[] = {{0, 0, 0, 0}};");
	if (!add_tables_of(c, true))
		return false;
	sw_emit_line(c->e, "\nstatic const struct held values[VALUES] = {");
	for (int v = 0; v < c->program->values; v++)
		add_value(c, v);
	sw_emit_line(c->e, "};\n\nstatic const struct operation operations[OPERATIONS + 1] = {");
	for (int s = 0; s < c->program->steps; s++)
		add_operation(c, s);
	sw_emit_line(c->e, "\t{.words = NULL}\n};");
	return true;
}

/* ---- the whole ---- */

static void add_tables(const writer *c)
{
	sw_emit_line(c->e, "/* The tile of a device at each stage of redistributions, and those of the values. */");
	sw_mpi_tiles(&c->t);
	sw_mpi_starts(&c->t);
}

/* Those of the operations element by element. */
static void add_functions(const writer *c)
{
	for (int op = SW_COLLECTIVES; op < SW_OP_COUNT; op++) {
		const sw_operation *row = sw_operation_of((sw_op)op);

		if (!(c->by_element >> op & 1))
			continue;
		sw_emit_line(c->e, "static void %s(const value *a, const value *b, value *c, long long count)\n{",
			row->words.c);
		if (row->operands == 1)
			sw_emit_line(c->e, "\t(void)b;");
		sw_emit_line(c->e, "\tfor (long long i = 0; i < count; i++)\n\t\tc[i] = %s;\n}\n", row->each->c);
	}
}

/* Those that carry out steps, before the table of these. */
static void add_runners(const writer *c)
{
	sw_mpi_add_calls(c->e, c->large, c->all);
	sw_mpi_parts(c->e, sw_mpi_middle, c->all);
	sw_mpi_parts(c->e, sw_mpi_adding, c->all);
	if (!(c->all & SW_MPI_PIECES))
		return;
	if (c->all & SW_MPI_GPUS)
		sw_emit_line(c->e, "#define NUMBER %s", sw_nccl_addend(c->dtype));
	sw_mpi_parts(c->e, sw_mpi_pieces, c->all);
	sw_mpi_piece_functions(&c->t, c->all & SW_MPI_GPUS);
}

static bool write_program(const writer *c)
{
	add_head(c);
	sw_mpi_parts(c->e, sw_mpi_head, c->all);
	sw_mpi_parts(c->e, sw_mpi_gpus, c->all);
	add_sizes(c);
	sw_mpi_parts(c->e, sw_mpi_digit, c->all);
	add_tables(c);
	if (!sw_mpi_step_tables(&c->t, c->all) || !add_term_tables(c) ||
		((c->all & SW_MPI_STORED) && !sw_c_stored_tables(c)))
		return false;
	add_data(c, "Entries of inputs are whole numbers up to these ...", "largest", c->data.most);
	add_data(c, "... on one diagonal out of so many, and 0 elsewhere.", "period", c->data.period);
	add_runners(c);
	if (c->all & SW_MPI_MOVE)
		sw_mpi_steps(&c->t);
	sw_mpi_parts(c->e, sw_mpi_products, c->all);
	sw_mpi_parts(c->e, sw_mpi_stored, c->all);
	add_functions(c);
	sw_mpi_parts(c->e, sw_mpi_program, c->all);
	sw_mpi_parts(c->e, sw_mpi_formulas, c->all);
	return add_program(c);
}

/* Numbers that differ as far as their bits allow, where nothing is computed of them: terms stay exact in any order. */
static bool take_moved_data(writer *c)
{
	int64_t most = sw_dtype_bytes(c->dtype) == 1 ? 127 : sw_dtype_bytes(c->dtype) == 2 ? 32767 : 1 << 20;
	int inputs = c->program->inputs;

	c->data = (sw_data){.most = SW_NEW(c->e->arena, int64_t, inputs),
		.period = SW_NEW(c->e->arena, int64_t, inputs),
		.value = SW_NEW_ZERO(c->e->arena, sw_expectation, c->program->values)};
	if (!c->data.most || !c->data.period || !c->data.value)
		return sw_diag_memory(c->e->diag);
	for (int v = 0; v < inputs; v++) {
		c->data.most[v] = sw_c_terms(c, v) > 1 ? 97 : most;
		c->data.period[v] = 1;
	}
	return true;
}

static bool take_data(writer *c)
{
	return c->computes ? sw_data_make(c->program, c->e->arena, &c->data, c->e->diag) : take_moved_data(c);
}

/* The order in which sums of formulas are rounded is that of devices. */
static bool has_exact_formulas(const writer *c)
{
	return !(c->bound && (c->all & SW_MPI_FORMULA)) ||
		sw_emit_refuse(c->e, "`run` compares it within a bound; elements of i64 are exact, `--dtype i64`",
			"its sums are larger than %s counts, so that their order matters", sw_dtype_name(c->dtype));
}

bool sw_emit_program_c(sw_program_emitter *w, unsigned by)
{
	const sw_problem problem = {.mesh = w->program->mesh};
	writer c = {.w = w, .e = &w->e, .program = w->program, .dtype = w->program->value[0].type->dtype, .all = by};

	c.t = (sw_mpi_tables){.e = &w->e,
		.mesh = &w->program->mesh,
		.by_device = w->e.plan ? w->e.by_device : sw_problem_ordered(&problem)};
	for (int s = 0; s < c.program->steps; s++)
		c.computes = c.computes || c.program->step[s].inside == NULL;
	if (!can_compute(&c) || !sw_c_take_stored(&c) || !can_move(&c) || !adds(&c, by) || !take_data(&c))
		return false;
	find_needs(&c);
	return has_exact_formulas(&c) && add_stages(&c) && write_program(&c);
}

bool sw_emit_program_mpi(sw_program_emitter *w)
{
	return sw_emit_program_c(w, SW_MPI_RANKS);
}
