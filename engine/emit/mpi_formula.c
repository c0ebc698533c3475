/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas in C programs: a function for each, and the points at which devices compute it.
 */
#include <assert.h>

#include <shardwalk/computation.h>

#include "emit/program_c.h"
#include "emit/writing.h"
#include "index/adjacency.h"
#include "program/formula.h"
#include "program/statement.h"

static const sw_computation *computation_of(const sw_c_writer *c, int s)
{
	return c->program->step[s].formula;
}

static bool is_formula(const sw_c_writer *c, int s)
{
	return c->program->step[s].formula != NULL && c->program->step[s].equation == NULL;
}

static int steps_in_a_row(const sw_c_writer *c, int s)
{
	int64_t times = c->program->step[s].times;

	return times > 1 ? (int)times : 1;
}

/* ---- what it needs ---- */

static uint64_t needs_of_sum(const sw_formula_sum *sum)
{
	uint64_t needs = 0;

	for (int k = 0; k < sum->terms; k++) {
		needs |= sum->term[k].minus ? SW_MPI_NEGATIVE : 0;
		needs |= sum->term[k].factors > 1 ? SW_MPI_TIMES : 0;
		for (int n = 0; n < sum->term[k].factors; n++) {
			const sw_formula_factor *factor = &sum->term[k].factor[n];

			needs |= factor->kind == SW_FACTOR_FUNCTION ? SW_MPI_FUNCTION : 0;
			for (int a = 0; a < factor->arguments; a++)
				needs |= needs_of_sum(&factor->argument[a]);
		}
	}
	return needs;
}

static bool reads_many(const sw_formula *formula, const sw_formula_access *access)
{
	for (int d = 0; d < formula->array[access->array].rank; d++)
		if (access->index[d].whole || access->index[d].graph != NULL)
			return true;
	return false;
}

static uint64_t needs_of_access(const sw_formula *formula, const sw_formula_access *access)
{
	uint64_t needs = reads_many(formula, access) ? SW_MPI_MANY : 0;

	for (int d = 0; d < formula->array[access->array].rank; d++)
		needs |= access->index[d].divisor > 1 ? SW_MPI_DIVIDES : 0;
	return needs;
}

void sw_c_needs_formula(sw_c_writer *c, const sw_program *program, int s)
{
	assert(s >= 0 && s < program->steps && program->step[s].formula != NULL);
	const sw_formula *formula = &program->step[s].formula->formula;

	c->all |= SW_MPI_FORMULA | needs_of_sum(&formula->sum);
	for (int k = 0; k < formula->accesses; k++)
		c->all |= needs_of_access(formula, &formula->access[k]);
}

/* The most letters, and arrays. */
void sw_c_formula_sizes(const sw_c_writer *c)
{
	static const char *const whole[SW_DTYPE_COUNT] = {
		[SW_F32] = "((x) > -0x1p62f && (x) < 0x1p62f ? (int64_t)(x) : 0)",
		[SW_F64] = "((x) > -0x1p62 && (x) < 0x1p62 ? (int64_t)(x) : 0)",
		[SW_I32] = "((int64_t)(x))",
		[SW_I64] = "(x)",
	};
	int letters = 1, arrays = 1;

	for (int s = 0; s < c->program->steps; s++) {
		if (!is_formula(c, s))
			continue;
		const sw_formula *formula = &computation_of(c, s)->formula;
		letters = formula->letters > letters ? formula->letters : letters;
		arrays = formula->arrays > arrays ? formula->arrays : arrays;
	}
	if (c->all & SW_MPI_FORMULA)
		sw_emit_line(c->e, "#define LETTERS %d /* of a formula, at most */\n#define ARRAYS %d", letters, arrays);
	if (c->all & SW_MPI_WEIGHTS)
		sw_emit_line(c->e, "#define WHOLE(x) %s", whole[c->dtype]);
}

/* ---- expressions ---- */

static void add_affine(sw_text *text, const sw_index *index)
{
	bool divides = index->divisor > 1, names = index->letter != 0 && index->factor != 0;

	sw_text_add(text, divides ? "floor_div(" : "");
	if (names && index->factor != 1)
		sw_text_addf(text, "%lld * ", (long long)index->factor);
	if (names)
		sw_text_add_char(text, index->letter);
	if (!names)
		sw_text_addf(text, "%lld", (long long)index->offset);
	else if (index->offset != 0)
		sw_text_addf(text, " %c %lld", index->offset < 0 ? '-' : '+',
			(long long)(index->offset < 0 ? -index->offset : index->offset));
	if (divides)
		sw_text_addf(text, ", %lld)", (long long)index->divisor);
}

static void add_reach(const sw_c_writer *c, int s, const sw_formula_access *access, int dim)
{
	const sw_index *index = &access->index[dim];
	sw_text *text = c->e->text;

	if (index->whole) {
		sw_text_add(text, "{.whole = 1}");
	} else if (index->graph != NULL) {
		int number = (int)(access - computation_of(c, s)->formula.access);
		sw_text_addf(text, "{.index = %c, .graph = &graph_%d_%d_%d}", index->letter, s + 1, number, dim);
	} else {
		sw_text_add(text, "{.index = ");
		add_affine(text, index);
		sw_text_add_char(text, '}');
	}
}

/* Arrays of few dimensions have others of size 1 in front. */
static void add_access(const sw_c_writer *c, int s, const sw_formula_access *access)
{
	const sw_formula *formula = &computation_of(c, s)->formula;
	bool many = reads_many(formula, access);
	int rank = formula->array[access->array].rank, front = c->t.dims - rank;
	sw_text *text = c->e->text;

	sw_text_addf(text, "%s(&array[%d], %s", many ? "many" : "get", access->array,
		many ? "(const struct reach[DIMS]){" : "INDEX(");
	for (int d = 0; d < front; d++)
		sw_text_addf(text, "%s%s", d > 0 ? ", " : "", many ? "{.index = 0}" : "0");
	for (int d = 0; d < rank; d++) {
		sw_text_add(text, front + d > 0 ? ", " : "");
		if (many)
			add_reach(c, s, access, d);
		else
			add_affine(text, &access->index[d]);
	}
	sw_text_addf(text, "%s, %d)", many ? "}" : ")", formula->wrap);
}

static void add_sum(const sw_c_writer *c, int s, const sw_formula_sum *sum);

static void add_number(sw_text *text, sw_str word)
{
	bool digits = true;

	for (size_t i = 0; i < word.length; i++)
		digits = digits && word.at[i] >= '0' && word.at[i] <= '9';
	sw_text_addf(text, "(value)%.*s%s", (int)word.length, word.at, digits ? ".0" : "");
}

static void add_factor(const sw_c_writer *c, int s, const sw_formula_factor *factor)
{
	sw_text *text = c->e->text;

	if (factor->kind == SW_FACTOR_ACCESS) {
		add_access(c, s, &computation_of(c, s)->formula.access[factor->access]);
		return;
	}
	if (factor->kind == SW_FACTOR_NUMBER) {
		add_number(text, factor->word);
		return;
	}
	sw_text_addf(text, "function(%d, (const value[]){", factor->arguments);
	for (int k = 0; k < factor->arguments; k++) {
		sw_text_add(text, k > 0 ? ", " : "");
		add_sum(c, s, &factor->argument[k]);
	}
	sw_text_add(text, "})");
}

static void add_term(const sw_c_writer *c, int s, const sw_formula_term *term)
{
	sw_text *text = c->e->text;

	sw_text_add(text, term->minus ? "negative(" : "");
	for (int n = 1; n < term->factors; n++)
		sw_text_add(text, "times(");
	add_factor(c, s, &term->factor[0]);
	for (int n = 1; n < term->factors; n++) {
		sw_text_add(text, ", ");
		add_factor(c, s, &term->factor[n]);
		sw_text_add_char(text, ')');
	}
	sw_text_add(text, term->minus ? ")" : "");
}

static void add_sum(const sw_c_writer *c, int s, const sw_formula_sum *sum)
{
	sw_text *text = c->e->text;

	for (int k = 1; k < sum->terms; k++)
		sw_text_add(text, "plus(");
	add_term(c, s, &sum->term[0]);
	for (int k = 1; k < sum->terms; k++) {
		sw_text_add(text, ", ");
		add_term(c, s, &sum->term[k]);
		sw_text_add_char(text, ')');
	}
}

/* ---- graphs ---- */

static void add_graph(const sw_c_writer *c, const char *name, const sw_adjacency *graph)
{
	sw_text *text = c->e->text;
	int64_t at = 0;

	sw_text_addf(text, "static const long long first_%s[] = {0", name);
	for (int64_t row = 0; row < graph->rows; row++) {
		while (at < graph->arcs && graph->arc[at].from == row)
			at++;
		sw_text_addf(text, ", %lld", (long long)at);
	}
	sw_text_addf(text, "};\nstatic const long long to_%s[] = {", name);
	for (int64_t n = 0; n < graph->arcs; n++)
		sw_text_addf(text, "%lld, ", (long long)graph->arc[n].to);
	sw_emit_line(c->e, "0};\nstatic const struct graph graph_%s = {first_%s, to_%s};", name, name, name);
}

static void add_graphs(const sw_c_writer *c, int s)
{
	const sw_formula *formula = &computation_of(c, s)->formula;

	for (int k = 0; k < formula->accesses; k++)
		for (int d = 0; d < formula->array[formula->access[k].array].rank; d++) {
			const sw_index *index = &formula->access[k].index[d];
			sw_text name = {0};

			if (index->whole || index->graph == NULL)
				continue;
			sw_text_addf(&name, "%d_%d_%d", s + 1, k, d);
			add_graph(c, sw_text_get(&name), index->graph);
			sw_text_free(&name);
		}
}

/* ---- functions ---- */

/* Terms of which some lack letters are added one by one; else the whole sum. */
static int parts_of(const sw_formula *formula)
{
	for (int k = 0; k < formula->sum.terms; k++)
		if (sw_formula_lacks(formula, k) != 0)
			return formula->sum.terms;
	return 1;
}

static unsigned letters_of(const sw_formula *formula, const sw_formula_access *access)
{
	unsigned letters = 0;

	for (int d = 0; d < formula->array[access->array].rank; d++) {
		const sw_index *index = &access->index[d];

		if (!index->whole && index->letter != 0 && (index->graph != NULL || index->factor != 0))
			letters |= 1u << sw_formula_letter(formula, index->letter);
	}
	return letters;
}

/* The letters in the accesses of a sum, a bit each; `reads`: whether it has any access. */
static unsigned letters_in(const sw_formula *formula, const sw_formula_sum *sum, bool *reads)
{
	unsigned letters = 0;

	for (int k = 0; k < sum->terms; k++)
		for (int n = 0; n < sum->term[k].factors; n++) {
			const sw_formula_factor *factor = &sum->term[k].factor[n];

			letters |= factor->kind == SW_FACTOR_ACCESS ? letters_of(formula, &formula->access[factor->access]) : 0;
			*reads = *reads || factor->kind == SW_FACTOR_ACCESS;
			for (int a = 0; a < factor->arguments; a++)
				letters |= letters_in(formula, &factor->argument[a], reads);
		}
	return letters;
}

static void add_function(const sw_c_writer *c, int s, int part, const sw_formula_sum *sum)
{
	const sw_formula *formula = &computation_of(c, s)->formula;
	sw_text *text = c->e->text;
	bool reads = false;
	unsigned letters = letters_in(formula, sum, &reads);

	sw_text_addf(text, "static value formula_%d_%d(const struct found *array, const long long *letter)\n{\n", s + 1,
		part);
	for (int k = 0; k < formula->letters; k++)
		if (letters >> k & 1)
			sw_text_addf(text, "\tconst long long %c = letter[%d];\n", formula->letter[k], k);
	sw_text_add(text, letters == 0 ? "\t(void)letter;\n" : "");
	sw_text_add(text, reads ? "\treturn " : "\t(void)array;\n\treturn ");
	add_sum(c, s, sum);
	sw_text_add(text, ";\n}\n\n");
}

static void add_functions(const sw_c_writer *c, int s)
{
	const sw_formula *formula = &computation_of(c, s)->formula;
	int parts = parts_of(formula);
	sw_text words = {0};

	sw_formula_print(formula, &words);
	sw_text_add(c->e->text, "\n/* ");
	sw_emit_harmless(c->e->text, sw_text_get(&words));
	sw_text_add(c->e->text, " */\n");
	sw_text_free(&words);
	for (int k = 0; k < parts; k++) {
		const sw_formula_sum one = {1, &formula->sum.term[k]};

		add_function(c, s, k, parts > 1 ? &one : &formula->sum);
	}
	sw_text_addf(c->e->text, "static const struct term terms_of_%d[] = {", s + 1);
	for (int k = 0; k < parts; k++)
		sw_text_addf(c->e->text, "{formula_%d_%d, %u}, ", s + 1, k, parts > 1 ? sw_formula_lacks(formula, k) : 0);
	sw_text_add(c->e->text, "{NULL, 0}};\n");
}

/* ---- points ---- */

/* Sets of numbers, which all are in one list of families, and the points that they make. */
typedef struct points {
	const sw_c_writer *c;
	sw_text rows;
	int families;
} points;

static void add_set(points *p, const sw_indices *set)
{
	for (int i = 0; i < set->count; i++) {
		const sw_family *f = &set->family[i];

		sw_text_addf(p->c->e->text, "\t{%lld, %lld, %lld, %lld},\n", (long long)f->first, (long long)f->run,
			(long long)f->step, (long long)f->count);
	}
	sw_text_add(p->c->e->text, "\t{0, 0, 0, 0},\n");
	p->families += set->count + 1;
}

static void add_region(points *p, int64_t device, int before, const sw_region *region)
{
	for (int n = 0; n < region->count; n++) {
		sw_text_addf(&p->rows, "\t{%lld, %d, {", (long long)device, before);
		for (int k = 0; k < region->rank; k++) {
			sw_text_addf(&p->rows, "%s%d", k > 0 ? ", " : "", p->families);
			add_set(p, &region->set[(int64_t)n * region->rank + k]);
		}
		sw_text_add(&p->rows, region->rank > 0 ? "}},\n" : "0}},\n");
	}
}

static void add_whole(points *p, const sw_formula *formula)
{
	sw_family family[SW_MAX_LETTERS];
	sw_indices set[SW_MAX_LETTERS];

	for (int k = 0; k < formula->letters; k++)
		set[k] = sw_indices_range(0, formula->size[k], &family[k]);
	add_region(p, p->c->e->devices, 0, &(sw_region){formula->letters, 1, set});
}

/* The points that a device computes so many steps before the last of several in a row. */
static bool points_before(const sw_c_writer *c, int s, int64_t device, int before, sw_region *region)
{
	sw_formula_in_row row;

	if (steps_in_a_row(c, s) == 1)
		return sw_points_region(&computation_of(c, s)->points, device, c->e->arena, region);
	if (!sw_formula_row_of(c->program, s, device, before, NULL, c->e->arena, &row))
		return false;
	*region = row.points;
	return true;
}

static bool add_points(const sw_c_writer *c, int s)
{
	points p = {.c = c};
	sw_region region;
	bool done = true;

	sw_emit_line(c->e, "static const struct family families_%d[] = {", s + 1);
	for (int before = 0; before < steps_in_a_row(c, s); before++)
		for (int64_t d = 0; done && d < c->e->devices; d++) {
			done = points_before(c, s, d, before, &region);
			if (done)
				add_region(&p, d, before, &region);
		}
	add_whole(&p, &computation_of(c, s)->formula);
	sw_emit_line(c->e, "\t{0, 0, 0, 0}\n};\nstatic const struct points points_%d[] = {", s + 1);
	sw_text_add(c->e->text, sw_text_get(&p.rows));
	sw_emit_line(c->e, "\t{-1, 0, {0}},\n};");
	done = done && !p.rows.failed;
	sw_text_free(&p.rows);
	return done || sw_diag_memory(c->e->diag);
}

/* ---- the tables of a step ---- */

/* The letter of each dimension of what is made. */
static void add_left(const sw_c_writer *c, const sw_formula *formula)
{
	const sw_formula_access *left = &formula->access[0];
	int rank = formula->array[0].rank;
	int64_t letter[SW_MAX_DIMS];

	for (int d = 0; d < rank; d++)
		letter[d] = sw_formula_letter(formula, left->index[d].letter);
	sw_mpi_row(&c->t, letter, rank, -1);
}

/* The values that are its arrays. */
static void add_arrays(const sw_c_writer *c, int s)
{
	const sw_step *step = &c->program->step[s];
	int n = 0;

	for (int k = 0; k < step->formula->formula.arrays; k++) {
		int operand = sw_formula_is_operand(step->formula, k) ? step->operand[n++] : -1;

		sw_text_addf(c->e->text, "%s%d", k > 0 ? ", " : "", k == 0 ? sw_program_value_of(c->program, s) : operand);
	}
}

bool sw_c_formula_tables(const sw_c_writer *c, int s)
{
	const sw_computation *computation = computation_of(c, s);
	const sw_formula *formula = &computation->formula;

	add_graphs(c, s);
	add_functions(c, s);
	if (!add_points(c, s))
		return false;
	sw_text_addf(c->e->text, "static const struct formula formula_%d = {%d, %d, %d, %d, {", s + 1, formula->arrays,
		formula->letters, formula->adds, steps_in_a_row(c, s));
	add_arrays(c, s);
	sw_text_addf(c->e->text, "}, %d, ", computation->first < 0 ? 0 : computation->first);
	add_left(c, formula);
	sw_emit_line(c->e, ",\n\tfamilies_%d, points_%d, terms_of_%d};", s + 1, s + 1, s + 1);
	return true;
}

void sw_c_formula(const sw_c_writer *c, int s)
{
	sw_text_addf(c->e->text, ", .formula = &formula_%d", s + 1);
}
