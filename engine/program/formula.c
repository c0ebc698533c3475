/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas as values: sizes of letters, products, texts.
 */
#include "program/formula.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include <shardwalk/number.h>

int sw_formula_find(const sw_formula *formula, sw_str name)
{
	for (int k = 0; k < formula->arrays; k++)
		if (sw_str_equal(formula->array[k].name, name))
			return k;
	return -1;
}

int sw_formula_letter(const sw_formula *formula, char letter)
{
	const char *found = memchr(formula->letter, letter, (size_t)formula->letters);

	return found != NULL ? (int)(found - formula->letter) : -1;
}

bool sw_formula_is_plain(const sw_formula *formula, const sw_formula_access *access)
{
	for (int d = 0; d < formula->array[access->array].rank; d++)
		if (!sw_index_is_letter(&access->index[d]))
			return false;
	return true;
}

int sw_formula_place(const sw_formula *formula)
{
	return formula->on >= 0 ? formula->on : 0;
}

/* ---- sizes ---- */

bool sw_formula_set_array(sw_formula *formula, int array, int rank, const int64_t *size, sw_diag *diag)
{
	sw_formula_array *is = &formula->array[array];

	if (rank != is->rank) {
		sw_diag_set(diag, SW_F03, is->at, "%s has %d dimension%s, and %d ind%s here", sw_scan_quote(is->name).text,
			rank, rank == 1 ? "" : "s", is->rank, is->rank == 1 ? "ex" : "ices");
		sw_diag_expected(diag, "%d", rank);
		sw_diag_found(diag, "%d", is->rank);
		return false;
	}
	is->known = true;
	memcpy(is->size, size, (size_t)rank * sizeof *size);
	return true;
}

static bool refuse_sizes(const sw_formula *formula, int letter, int64_t size, sw_span at, sw_diag *diag)
{
	sw_diag_set(diag, SW_F04, at, "letter '%c' is %" PRId64 " here and %" PRId64 " elsewhere",
		formula->letter[letter], size, formula->size[letter]);
	sw_diag_also(diag, formula->letter_at[letter], "here it is %" PRId64, formula->size[letter]);
	sw_diag_expected(diag, "one size for each letter");
	sw_diag_found(diag, "%" PRId64 " and %" PRId64, formula->size[letter], size);
	return false;
}

/* Gives letters that stand alone in an access their sizes, or compares them. */
static bool fit_access(sw_formula *formula, const sw_formula_access *access, sw_diag *diag)
{
	const sw_formula_array *array = &formula->array[access->array];

	for (int d = 0; d < array->rank && array->known; d++) {
		const sw_index *index = &access->index[d];
		int letter = sw_index_is_letter(index) ? sw_formula_letter(formula, index->letter) : -1;
		if (letter < 0)
			continue;
		if (formula->size[letter] != 0 && formula->size[letter] != array->size[d])
			return refuse_sizes(formula, letter, array->size[d], access->index_at[d], diag);
		if (formula->size[letter] == 0)
			formula->letter_at[letter] = access->index_at[d];
		formula->size[letter] = array->size[d];
	}
	return true;
}

bool sw_formula_refuse_size(const sw_formula *formula, int letter, sw_diag *diag)
{
	sw_diag_set(diag, SW_F09, formula->letter_at[letter], "letter '%c' has no size", formula->letter[letter]);
	sw_diag_expected(diag, "an access in which it is alone");
	if (letter >= formula->kept)
		sw_diag_hint(diag, "it is summed over, because the left side lacks it, but over what range?");
	return false;
}

static bool refuse_graph(const sw_formula_access *access, int d, const char *what, int64_t found, int64_t expected,
	sw_diag *diag)
{
	sw_diag_set(diag, SW_F12, access->index_at[d], "the graph has %" PRId64 " %s, the array %" PRId64, found, what,
		expected);
	sw_diag_expected(diag, "%" PRId64, expected);
	sw_diag_found(diag, "%" PRId64, found);
	return false;
}

/* Graphs have a line for each value of their letter, and no neighbours past the end; numbers do not overflow. */
static bool check_access(const sw_formula *formula, const sw_formula_access *access, sw_diag *diag)
{
	const sw_formula_array *array = &formula->array[access->array];

	for (int d = 0; d < array->rank; d++) {
		const sw_index *index = &access->index[d];
		int letter = sw_formula_letter(formula, index->letter);
		int64_t size = letter >= 0 ? formula->size[letter] : 1, most = INT64_C(1) << 61;
		if (index->graph != NULL && index->graph->rows != size)
			return refuse_graph(access, d, "lines", index->graph->rows, size, diag);
		if (index->graph != NULL && index->graph->columns > array->size[d])
			return refuse_graph(access, d, "columns", index->graph->columns, array->size[d], diag);
		if (index->factor > most / size || index->factor < -most / size || index->divisor > most / array->size[d])
			return sw_diag_set(diag, SW_F14, access->index_at[d], "the values of the index are too large");
	}
	return true;
}

bool sw_formula_fit(sw_formula *formula, sw_diag *diag)
{
	memset(formula->size, 0, sizeof formula->size);
	for (int k = 0; k < formula->accesses; k++)
		if (!fit_access(formula, &formula->access[k], diag))
			return false;
	for (int letter = 0; letter < formula->letters; letter++)
		if (formula->size[letter] == 0)
			return sw_formula_refuse_size(formula, letter, diag);
	for (int d = 0; d < formula->kept; d++)
		formula->array[0].size[d] = formula->size[d];
	formula->array[0].known = true;
	for (int k = 0; k < formula->accesses; k++)
		if (!check_access(formula, &formula->access[k], diag))
			return false;
	return true;
}

/* ---- products ---- */

bool sw_formula_equation(const sw_formula *formula, sw_equation *equation)
{
	const sw_formula_term *term = formula->sum.term;
	sw_equation out = {0};

	if (formula->adds || formula->sum.terms != 1 || term->minus || term->factors != 2)
		return false;
	for (int side = 0; side < SW_EQUATION_SIDES; side++) {
		const sw_formula_factor *factor = &term->factor[side % 2];
		if (factor->kind != SW_FACTOR_ACCESS)
			return false;
		const sw_formula_access *access = &formula->access[side == SW_EQUATION_RESULT ? 0 : factor->access];
		if (!sw_formula_is_plain(formula, access))
			return false;
		out.rank[side] = formula->array[access->array].rank;
		for (int d = 0; d < out.rank[side]; d++)
			out.letter[side][d] = access->index[d].letter;
	}
	for (int d = 0; d < out.rank[SW_EQUATION_RESULT]; d++) {
		char letter = out.letter[SW_EQUATION_RESULT][d];
		if (sw_equation_find(&out, SW_EQUATION_A, letter) < 0 && sw_equation_find(&out, SW_EQUATION_B, letter) < 0)
			return false;
	}
	*equation = out;
	return true;
}

static void add_letters(sw_formula *formula, const sw_equation *equation, int side)
{
	for (int d = 0; d < equation->rank[side]; d++)
		if (sw_formula_letter(formula, equation->letter[side][d]) < 0)
			formula->letter[formula->letters++] = equation->letter[side][d];
}

/* The access of one side of an equation. */
static bool make_access(const sw_equation *equation, int side, sw_str name, sw_arena *arena, sw_formula *formula,
	sw_formula_access *access)
{
	int rank = equation->rank[side], array = sw_formula_find(formula, name);
	sw_index *index = SW_NEW(arena, sw_index, rank);
	sw_span *at = SW_NEW_ZERO(arena, sw_span, rank);

	if (index == NULL || at == NULL)
		return false;
	if (array < 0) {
		array = formula->arrays++;
		formula->array[array] = (sw_formula_array){.name = name, .rank = rank};
	}
	for (int d = 0; d < rank; d++)
		index[d] = (sw_index){.letter = equation->letter[side][d], .factor = 1, .divisor = 1, .width = 1};
	*access = (sw_formula_access){array, side == SW_EQUATION_RESULT ? -1 : 0, index, {0, 0}, at};
	return true;
}

bool sw_formula_of_equation(const sw_equation *equation, const sw_str name[SW_EQUATION_SIDES], sw_arena *arena,
	sw_formula *formula)
{
	static const int order[] = {SW_EQUATION_RESULT, SW_EQUATION_A, SW_EQUATION_B};
	sw_formula_access *access = SW_NEW(arena, sw_formula_access, SW_EQUATION_SIDES);
	sw_formula_factor *factor = SW_NEW_ZERO(arena, sw_formula_factor, 2);
	sw_formula_term *term = SW_NEW_ZERO(arena, sw_formula_term, 1);
	sw_formula out = {.on = -1, .accesses = SW_EQUATION_SIDES, .access = access};

	out.array = SW_NEW_ZERO(arena, sw_formula_array, SW_EQUATION_SIDES);
	if (access == NULL || factor == NULL || term == NULL || out.array == NULL)
		return false;
	for (int k = 0; k < SW_EQUATION_SIDES; k++) {
		if (!make_access(equation, order[k], name[order[k]], arena, &out, &access[k]))
			return false;
		add_letters(&out, equation, order[k]);
		out.kept = k == 0 ? out.letters : out.kept;
	}
	for (int k = 0; k < 2; k++)
		factor[k] = (sw_formula_factor){.kind = SW_FACTOR_ACCESS, .access = k + 1};
	*term = (sw_formula_term){false, 2, factor};
	out.sum = (sw_formula_sum){1, term};
	*formula = out;
	return true;
}

/* ---- text ---- */

static void print_access(const sw_formula *formula, const sw_formula_access *access, sw_text *text)
{
	const sw_formula_array *array = &formula->array[access->array];

	sw_text_add_str(text, array->name);
	if (array->rank == 0)
		return;
	sw_text_add_char(text, '[');
	sw_access_print(&(sw_access){array->rank, access->index, NULL, false}, text);
	sw_text_add_char(text, ']');
}

static void print_sum(const sw_formula *formula, const sw_formula_sum *sum, sw_text *text);

static void print_factor(const sw_formula *formula, const sw_formula_factor *factor, sw_text *text)
{
	if (factor->kind == SW_FACTOR_ACCESS) {
		print_access(formula, &formula->access[factor->access], text);
		return;
	}
	sw_text_add_str(text, factor->word);
	for (int k = 0; k < factor->arguments; k++) {
		sw_text_add(text, k > 0 ? ", " : "(");
		print_sum(formula, &factor->argument[k], text);
	}
	sw_text_add(text, factor->kind == SW_FACTOR_FUNCTION ? ")" : "");
}

static void print_sum(const sw_formula *formula, const sw_formula_sum *sum, sw_text *text)
{
	for (int k = 0; k < sum->terms; k++) {
		const sw_formula_term *term = &sum->term[k];
		sw_text_add(text, k == 0 ? (term->minus ? "-" : "") : term->minus ? " - " : " + ");
		for (int n = 0; n < term->factors; n++) {
			sw_text_add(text, n > 0 ? "*" : "");
			print_factor(formula, &term->factor[n], text);
		}
	}
}

void sw_formula_print(const sw_formula *formula, sw_text *text)
{
	sw_text_add_str(text, formula->name);
	sw_text_add(text, formula->name.length > 0 ? ": " : "");
	print_access(formula, &formula->access[0], text);
	sw_text_add(text, formula->adds ? " += " : " = ");
	print_sum(formula, &formula->sum, text);
	sw_text_add(text, formula->wrap ? " wrap" : "");
	if (formula->on < 0)
		return;
	sw_text_add(text, " on ");
	sw_text_add_str(text, formula->array[formula->on].name);
}
