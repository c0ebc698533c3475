/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Equations over letters, `ij,jk->ik`: reading, printing, and what was meant where an equation says too little.
 */
#include "program/equation.h"

#include <assert.h>
#include <string.h>

#include "base/scan.h"

enum { MOST_OPERANDS = 16 };

/* The letters of an equation as they stand there, operand by operand. */
typedef struct reader {
	sw_str text;
	size_t at;
	sw_equation *out;
	sw_diag *diag;
} reader;

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_blanks(reader *r)
{
	while (r->at < r->text.length && is_blank(r->text.at[r->at]))
		r->at++;
}

static bool at_arrow(const reader *r)
{
	return sw_str_starts(sw_str_behind(r->text, r->at), "->");
}

int sw_equation_find(const sw_equation *equation, int side, char letter)
{
	assert(side >= 0 && side < SW_EQUATION_SIDES);
	for (int i = 0; i < equation->rank[side]; i++)
		if (equation->letter[side][i] == letter)
			return i;
	return -1;
}

static const char *side_name(int side)
{
	static const char *const names[] = {"the first operand", "the second operand", "the result"};
	return names[side];
}

static bool refuse_twice(reader *r, int side, char letter)
{
	sw_diag_set(r->diag, SW_A02, (sw_span){r->at, r->at + 1}, "letter '%c' appears twice in %s", letter,
		side_name(side));
	sw_diag_expected(r->diag, "each letter once");
	sw_diag_found(r->diag, "'%c' twice", letter);
	sw_diag_hint(r->diag,
		side == SW_EQUATION_RESULT ? "each dimension of the result has its own letter: leave one '%c' out" :
									 "a diagonal is not a product of tiles: give the second '%c' another "
									 "letter",
		letter);
	return false;
}

static bool refuse_new(reader *r, char letter)
{
	sw_diag_set(r->diag, SW_A02, (sw_span){r->at, r->at + 1}, "letter '%c' of the result is in no operand", letter);
	sw_diag_expected(r->diag, "a letter of an operand");
	sw_diag_found(r->diag, "'%c'", letter);
	sw_diag_hint(r->diag, "leave '%c' out, or give it to a dimension of an operand", letter);
	return false;
}

static bool read_letter(reader *r, int side)
{
	sw_equation *e = r->out;
	char letter = r->text.at[r->at];

	if (sw_equation_find(e, side, letter) >= 0)
		return refuse_twice(r, side, letter);
	if (side == SW_EQUATION_RESULT && sw_equation_find(e, SW_EQUATION_A, letter) < 0 &&
		sw_equation_find(e, SW_EQUATION_B, letter) < 0)
		return refuse_new(r, letter);
	if (e->rank[side] == SW_MAX_DIMS)
		return sw_diag_set(r->diag, SW_A02, (sw_span){r->at, r->at + 1}, "%s has more than %d letters",
			side_name(side), SW_MAX_DIMS);
	e->letter[side][e->rank[side]++] = letter;
	r->at++;
	return true;
}

/* The letters of one side, up to a comma, the arrow, or the end. */
static bool read_side(reader *r, int side)
{
	for (skip_blanks(r); r->at < r->text.length && is_letter(r->text.at[r->at]); skip_blanks(r))
		if (!read_letter(r, side))
			return false;
	return true;
}

static bool refuse_here(reader *r, const char *expected)
{
	size_t end = r->at < r->text.length ? r->at + 1 : r->at;

	sw_diag_set(r->diag, SW_A02, (sw_span){r->at, end},
		r->at < r->text.length ? "'%.*s' has no place in an equation" : "the equation ends too early",
		(int)(end - r->at), r->text.at + r->at);
	sw_diag_expected(r->diag, "%s", expected);
	sw_diag_hint(r->diag, "an equation looks like ij,jk->ik");
	return false;
}

/* ---- what was meant ---- */

/* An equation as it was written: letters of each operand, -1 for dots. */
typedef struct written {
	int operands, length[MOST_OPERANDS + 1]; /* the result stands last */
	signed char letter[MOST_OPERANDS + 1][SW_MAX_DIMS];
	bool arrow, dots;
} written;

static bool write_down(sw_str text, written *w)
{
	int side = 0;

	*w = (written){.operands = 1};
	for (size_t at = 0; at < text.length; at++) {
		char c = text.at[at];
		if (sw_str_starts(sw_str_behind(text, at), "->")) {
			if (w->arrow)
				return false;
			w->arrow = true;
			side = MOST_OPERANDS;
			at++;
		} else if (sw_str_starts(sw_str_behind(text, at), "...")) {
			w->dots = true;
			at += 2;
			if (w->length[side] == SW_MAX_DIMS)
				return false;
			w->letter[side][w->length[side]++] = -1;
		} else if (c == ',') {
			if (w->arrow || w->operands == MOST_OPERANDS)
				return false;
			side = w->operands++;
		} else if (is_letter(c)) {
			if (w->length[side] == SW_MAX_DIMS)
				return false;
			w->letter[side][w->length[side]++] = c;
		} else if (!is_blank(c)) {
			return false;
		}
	}
	return true;
}

static int times(const written *w, char letter)
{
	int n = 0;

	for (int s = 0; s < w->operands; s++)
		for (int i = 0; i < w->length[s]; i++)
			n += w->letter[s][i] == letter;
	return n;
}

/* The letters that stand once among the operands, in the order of the alphabet, capitals first. */
static void result_of(const written *w, bool dots, char *out)
{
	int n = 0;

	if (dots && w->dots)
		out[n++] = '.';
	for (int c = 'A'; c <= 'z'; c++)
		if (is_letter((char)c) && times(w, (char)c) == 1)
			out[n++] = (char)c;
	out[n] = '\0';
}

/* Letters in the place of dots: those that nobody uses. */
static int dots_of(const written *w, int count, char *out)
{
	int n = 0;

	for (const char *c = "zyxwvutsrqponmlkjihgfedcbaZYXWVUTSRQPONMLKJIHGFEDCBA"; *c && n < count; c++)
		if (times(w, *c) == 0)
			out[n++] = *c;
	for (int i = 0; i < n / 2; i++) {
		char swapped = out[i];
		out[i] = out[n - 1 - i];
		out[n - 1 - i] = swapped;
	}
	return n;
}

/* So many dimensions stand behind the dots of an operand; where its rank is not known, one. */
static int behind_dots(const written *w, int side, const int *rank)
{
	for (int i = 0; i < w->length[side]; i++)
		if (w->letter[side][i] < 0)
			return rank == NULL || side > 1 ? 1 : rank[side] - w->length[side] + 1;
	return 0;
}

/* Dots are lined up at their right ends. */
static void add_side(const written *w, const signed char *letter, int length, const char *dots, int most, int mine,
	sw_text *out)
{
	(void)w;
	for (int i = 0; i < length; i++)
		if (letter[i] >= 0)
			sw_text_add_char(out, letter[i]);
		else
			sw_text_add_str(out, (sw_str){dots + most - mine, (size_t)mine});
}

bool sw_equation_meant(sw_str text, const int *rank, sw_text *out)
{
	written w;
	char dots[64], result[64];
	int most = 0, count[MOST_OPERANDS];

	if (!write_down(text, &w) || (w.arrow && !w.dots))
		return false;
	for (int s = 0; s < w.operands; s++) {
		count[s] = behind_dots(&w, s, rank);
		if (count[s] < 0 || count[s] > SW_MAX_DIMS)
			return false;
		most = count[s] > most ? count[s] : most;
	}
	most = dots_of(&w, most, dots);
	for (int s = 0; s < w.operands; s++) {
		if (s > 0)
			sw_text_add_char(out, ',');
		if (count[s] > most)
			return false;
		add_side(&w, w.letter[s], w.length[s], dots, most, count[s], out);
	}
	sw_text_add(out, "->");
	result_of(&w, true, result);
	for (const char *c = result; !w.arrow && *c; c++)
		if (*c == '.')
			sw_text_add_str(out, (sw_str){dots, (size_t)most});
		else
			sw_text_add_char(out, *c);
	if (w.arrow)
		add_side(&w, w.letter[MOST_OPERANDS], w.length[MOST_OPERANDS], dots, most, most, out);
	return true;
}

/* Adds what was meant to a refusal. */
static bool refuse_short(reader *r, sw_span at, const char *message, const char *expected)
{
	sw_text meant = {0};

	sw_diag_set(r->diag, SW_A02, at, "%s", message);
	sw_diag_expected(r->diag, "%s", expected);
	if (sw_equation_meant(r->text, NULL, &meant))
		sw_diag_hint(r->diag, "write it out: %s", sw_text_get(&meant));
	sw_text_free(&meant);
	return false;
}

static sw_span dots_in(sw_str text)
{
	for (size_t at = 0; at < text.length; at++)
		if (text.at[at] == '.') {
			size_t end = at;
			while (end < text.length && text.at[end] == '.')
				end++;
			return (sw_span){at, end};
		}
	return (sw_span){0, 0};
}

int sw_equation_operands(sw_str text)
{
	int count = 1;

	for (size_t at = 0; at < text.length && !sw_str_starts(sw_str_behind(text, at), "->"); at++)
		count += text.at[at] == ',';
	return count;
}

static bool refuse_operands(reader *r, int count)
{
	sw_diag_set(r->diag, SW_A02, (sw_span){0, r->text.length}, "a product has two operands, this equation %d", count);
	sw_diag_expected(r->diag, "one comma before the arrow");
	sw_diag_found(r->diag, "%d operand%s", count, count == 1 ? "" : "s");
	sw_diag_hint(r->diag,
		count == 1 ? "an equation looks like ij,jk->ik" : "multiply two of them first, then the result by the next");
	return false;
}

static bool read_equation(reader *r)
{
	sw_span dots = dots_in(r->text);
	int operands = sw_equation_operands(r->text);

	if (dots.end > 0)
		return refuse_short(r, dots,
			"dots stand for dimensions without "
			"letters",
			"a letter for each dimension");
	if (operands != 2 && r->text.length > 0)
		return refuse_operands(r, operands);
	if (!read_side(r, SW_EQUATION_A))
		return false;
	if (r->at == r->text.length || r->text.at[r->at] != ',')
		return refuse_here(r, "a letter or a comma");
	r->at++;
	if (!read_side(r, SW_EQUATION_B))
		return false;
	if (r->at == r->text.length)
		return refuse_short(r, (sw_span){r->at, r->at}, "the equation has no arrow",
			"-> and the letters of the result");
	if (!at_arrow(r))
		return refuse_here(r, "a letter or ->");
	r->at += 2;
	if (!read_side(r, SW_EQUATION_RESULT))
		return false;
	return r->at == r->text.length || refuse_here(r, "a letter or the end");
}

bool sw_equation_parse(sw_str text, sw_equation *equation, sw_diag *diag)
{
	sw_equation out = {0};
	reader r = {.text = text, .out = &out, .diag = diag};

	if (!read_equation(&r)) {
		if (diag != NULL)
			diag->rule = SW_RULE_EQUATION;
		return false;
	}
	*equation = out;
	return true;
}

void sw_equation_print(const sw_equation *equation, sw_text *text)
{
	static const char *const before[] = {"", ",", "->"};

	for (int side = 0; side < SW_EQUATION_SIDES; side++) {
		sw_text_add(text, before[side]);
		sw_text_add_str(text, (sw_str){equation->letter[side], (size_t)equation->rank[side]});
	}
}

bool sw_equation_complete(sw_str text, int rank_a, int rank_b, sw_text *out)
{
	const int rank[] = {rank_a, rank_b};

	return sw_equation_meant(text, rank, out);
}

/* ---- three operands ---- */

/* Sizes of letters in three operands; false where they do not fit the equation. */
static bool sizes_of(const written *w, const sw_type operand[3], double size[128])
{
	for (int s = 0; s < 3; s++) {
		if (w->length[s] != operand[s].rank)
			return false;
		for (int i = 0; i < w->length[s]; i++) {
			int c = w->letter[s][i];

			if (c < 0 || (size[c] > 0 && size[c] != (double)operand[s].global[i]))
				return false;
			size[c] = (double)operand[s].global[i];
		}
	}
	return true;
}

static bool has(const written *w, int side, int letter)
{
	for (int i = 0; i < w->length[side]; i++)
		if (w->letter[side][i] == letter)
			return true;
	return false;
}

/* Flops of operands `a` and `b` first, then of their product with the third; the letters of their product into `kept`. */
static double flops_of(const written *w, int a, int b, const double size[128], char *kept)
{
	double first = 2, second = 2;
	int third = 3 - a - b, n = 0;

	for (int c = 'A'; c <= 'z'; c++) {
		bool either = has(w, a, c) || has(w, b, c), later = has(w, third, c) || has(w, MOST_OPERANDS, c);

		first *= either ? size[c] : 1;
		second *= (either && later) || has(w, third, c) ? size[c] : 1;
		if (either && later)
			kept[n++] = (char)c;
	}
	kept[n] = '\0';
	return first + second;
}

static void add_letters(const written *w, int side, sw_text *out)
{
	for (int i = 0; i < w->length[side]; i++)
		sw_text_add_char(out, w->letter[side][i]);
}

bool sw_equation_in_two(sw_str text, const sw_type operand[3], sw_text *out)
{
	static const int pairs[][2] = {{0, 1}, {1, 2}, {0, 2}};
	double size[128] = {0}, least = 0;
	char kept[64], best_kept[64] = "";
	int best = -1;
	written w;

	if (!write_down(text, &w) || w.operands != 3 || !w.arrow || w.dots || !sizes_of(&w, operand, size))
		return false;
	for (int k = 0; k < 3; k++) {
		double flops = flops_of(&w, pairs[k][0], pairs[k][1], size, kept);

		if (best >= 0 && flops >= least)
			continue;
		best = k;
		least = flops;
		memcpy(best_kept, kept, sizeof kept);
	}
	add_letters(&w, pairs[best][0], out);
	sw_text_add_char(out, ',');
	add_letters(&w, pairs[best][1], out);
	sw_text_addf(out, "->%s, then %s,", best_kept, best_kept);
	add_letters(&w, 3 - pairs[best][0] - pairs[best][1], out);
	sw_text_add(out, "->");
	add_letters(&w, MOST_OPERANDS, out);
	return true;
}
