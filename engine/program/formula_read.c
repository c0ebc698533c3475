/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading formulas.  Letters and arrays are checked as far as was read, so that the first that contradicts is refused.
 */
#include "program/formula.h"

#include <string.h>

#include "index/access.h"

enum { MOST_DEPTH = 32 };

static const sw_span nowhere = {0, 0};

typedef struct reader {
	sw_scan scan;
	const sw_file_reader *files;
	sw_arena *arena;
	sw_formula *out;
	sw_formula_access *access;
	int array_room, access_room;
	int term;  /* of the sum; -1: the left side */
	int depth; /* how many functions are open */
} reader;

static bool memory(reader *r)
{
	return sw_diag_memory(r->scan.diag);
}

static sw_quote quote_at(const reader *r, sw_span at)
{
	return sw_scan_quote((sw_str){r->scan.text.at + at.begin, at.end - at.begin});
}

/* ---- names of arrays ---- */

static bool refuse_indices(reader *r, const sw_formula_array *array, sw_span at, int rank)
{
	sw_diag_set(r->scan.diag, SW_F03, at, "%s has %d ind%s here and %d elsewhere", sw_scan_quote(array->name).text,
		rank, rank == 1 ? "ex" : "ices", array->rank);
	sw_diag_also(r->scan.diag, array->at, "the other access");
	return false;
}

static bool refuse_letter(reader *r, sw_str name, sw_span at, int letter)
{
	sw_diag_set(r->scan.diag, SW_F10, at, "%s is a letter, not an array", sw_scan_quote(name).text);
	sw_diag_also(r->scan.diag, r->out->letter_at[letter], "the letter");
	sw_diag_expected(r->scan.diag, "a number, an access, or a function");
	return false;
}

static bool refuse_both_sides(reader *r, const sw_formula_array *array, sw_span at)
{
	sw_diag_set(r->scan.diag, SW_F06, at, "%s is on both sides", sw_scan_quote(array->name).text);
	sw_diag_also(r->scan.diag, array->at, "it is computed here");
	sw_diag_expected(r->scan.diag, "another array");
	sw_diag_hint(r->scan.diag, "+= adds to what an array holds");
	return false;
}

/* The number of the array that an access is to, a new one where it has another name; -1: refused. */
static int array_of(reader *r, sw_str name, sw_span at, int rank)
{
	sw_formula *out = r->out;
	int found = sw_formula_find(out, name);
	int letter = rank == 0 && name.length == 1 ? sw_formula_letter(out, *name.at) : -1;

	if (letter >= 0)
		return refuse_letter(r, name, at, letter) - 1;
	if (found < 0) {
		if (!SW_GROW(r->arena, out->array, out->arrays, r->array_room, 4))
			return memory(r) - 1;
		out->array[out->arrays] = (sw_formula_array){.name = name, .at = at, .rank = rank};
		return out->arrays++;
	}
	if (found == 0)
		return refuse_both_sides(r, &out->array[0], at) - 1;
	if (out->array[found].rank != rank)
		return refuse_indices(r, &out->array[found], at, rank) - 1;
	return found;
}

/* ---- indices ---- */

/* What is read of an access. */
typedef struct indices {
	int rank;
	sw_index index[SW_MAX_DIMS];
	sw_span at[SW_MAX_DIMS], letter[SW_MAX_DIMS];
} indices;

static bool refuse_left(reader *r, sw_span at)
{
	sw_diag_set(r->scan.diag, SW_F08, at, "%s on the left is not a single letter", quote_at(r, at).text);
	sw_diag_expected(r->scan.diag, "a letter");
	sw_diag_hint(r->scan.diag, "move the offset to the right: y[i] = x[i-1] instead of y[i+1] = x[i]");
	return false;
}

static bool refuse_twice(reader *r, char letter, sw_span at, sw_span first)
{
	bool left = r->term < 0;

	sw_diag_set(r->scan.diag, SW_F05, at, "letter '%c' appears twice %s", letter,
		left ? "on the left" : "in one access");
	sw_diag_also(r->scan.diag, first, "it is here too");
	sw_diag_expected(r->scan.diag, "another letter");
	if (!left)
		sw_diag_hint(r->scan.diag, "a diagonal is not a product of index sets");
	return false;
}

static bool refuse_alone(reader *r, sw_span at, const char *what)
{
	sw_diag_set(r->scan.diag, SW_F11, at, "%s is outside of a function", what);
	sw_diag_expected(r->scan.diag, "a letter");
	sw_diag_hint(r->scan.diag, "a function makes one value from many: f(x[:])");
	return false;
}

/* Takes a letter down where it is new. */
static bool take_letter(reader *r, char letter, sw_span at)
{
	sw_formula *out = r->out;

	if (sw_formula_letter(out, letter) >= 0)
		return true;
	if (out->letters == SW_MAX_LETTERS)
		return sw_diag_set(r->scan.diag, SW_F14, at, "more than %d letters", SW_MAX_LETTERS);
	out->letter[out->letters] = letter;
	out->letter_at[out->letters++] = at;
	out->kept += r->term < 0;
	return true;
}

static bool check_index(reader *r, const indices *all, int d)
{
	const sw_index *index = &all->index[d];

	if (r->term < 0 && !sw_index_is_letter(index))
		return refuse_left(r, all->at[d]);
	if (index->whole && r->depth == 0)
		return refuse_alone(r, all->at[d], "':'");
	if (index->letter == 0)
		return true;
	for (int e = 0; e < d; e++)
		if (all->index[e].letter == index->letter)
			return refuse_twice(r, index->letter, all->letter[d], all->letter[e]);
	return take_letter(r, index->letter, all->letter[d]);
}

/* ---- graphs ---- */

static bool scan_file(reader *r, sw_str *name, sw_span *at)
{
	sw_scan *scan = &r->scan;
	int next = sw_scan_peek(scan);

	if (next == '"' || next == '\'')
		return sw_scan_name(scan, "the name of a file", nowhere, name, at);
	size_t begin = scan->at;
	while (scan->at < scan->text.length && strchr(" \t\r\n,])", scan->text.at[scan->at]) == NULL)
		scan->at++;
	*at = (sw_span){begin, scan->at};
	*name = (sw_str){scan->text.at + begin, scan->at - begin};
	return name->length > 0 || sw_scan_unexpected(scan, "the name of a file", nowhere);
}

static bool read_graph(reader *r, sw_str name, sw_span at, sw_adjacency *graph)
{
	sw_diag *diag = r->scan.diag;
	sw_str text;

	if (r->files == NULL) {
		sw_diag_set(diag, SW_F12, at, "no files are read here");
		return false;
	}
	if (r->files->read(r->files->context, name, &text, diag) && sw_adjacency_parse(name, text, r->arena, graph, diag))
		return true;
	if (diag != NULL)
		diag->at = at;
	return false;
}

/* Line i of a file is what is needed for letter i of the left side: that of the same dimension, or the first. */
static bool scan_graph(reader *r, sw_index *index, int d, sw_span *at)
{
	sw_adjacency *graph = SW_NEW(r->arena, sw_adjacency, 1);
	sw_str name;

	if (graph == NULL)
		return memory(r);
	if (!scan_file(r, &name, at))
		return false;
	if (r->depth == 0)
		return refuse_alone(r, *at, "a graph");
	if (r->out->kept == 0)
		return sw_diag_set(r->scan.diag, SW_F12, *at, "the left side has no letter for the graph");
	*index = (sw_index){.letter = r->out->letter[d < r->out->kept ? d : 0], .divisor = 1, .width = 1, .graph = graph};
	return read_graph(r, name, *at, graph);
}

/* Is the word that comes next this one?  Then it is stepped over. */
static bool take_word(sw_scan *scan, const char *word)
{
	sw_span at;
	size_t here;

	sw_scan_peek(scan);
	here = scan->at;
	if (sw_str_is(sw_scan_bare(scan, &at), word))
		return true;
	scan->at = here;
	return false;
}

/* An index that is no graph. */
static bool scan_affine(reader *r, indices *all, int d)
{
	r->scan.syntax = SW_F07;
	bool read = sw_index_scan(&r->scan, &all->index[d], &all->at[d], &all->letter[d]);
	r->scan.syntax = SW_F01;
	return read;
}

static bool scan_index(reader *r, indices *all)
{
	int d = all->rank;

	if (d == SW_MAX_DIMS)
		return sw_diag_set(r->scan.diag, SW_F14, sw_scan_next_span(&r->scan), "more than %d indices", SW_MAX_DIMS);
	if (take_word(&r->scan, "graph") ? !scan_graph(r, &all->index[d], d, &all->at[d]) : !scan_affine(r, all, d))
		return false;
	all->letter[d] = all->index[d].graph != NULL ? all->at[d] : all->letter[d];
	all->rank++;
	return check_index(r, all, d);
}

static bool scan_indices(reader *r, indices *all)
{
	char opened = r->scan.text.at[r->scan.at];
	sw_span open = {r->scan.at, r->scan.at + 1};
	bool more = true;

	r->scan.at++;
	while (more)
		if (!scan_index(r, all) ||
			!sw_scan_list(&r->scan, opened == '[' ? ']' : ')', "a comma, or the closing bracket", open, &more))
			return false;
	return true;
}

/* ---- accesses ---- */

static bool keep_access(reader *r, int array, const indices *all, sw_span at)
{
	sw_index *index = SW_NEW(r->arena, sw_index, all->rank);
	sw_span *places = SW_NEW(r->arena, sw_span, all->rank);

	if (index == NULL || places == NULL || !SW_GROW(r->arena, r->access, r->out->accesses, r->access_room, 8))
		return memory(r);
	memcpy(index, all->index, (size_t)all->rank * sizeof *index);
	memcpy(places, all->at, (size_t)all->rank * sizeof *places);
	r->access[r->out->accesses++] = (sw_formula_access){array, r->term, index, at, places};
	return true;
}

/* An access to `name`, whose indices come next where it has some. */
static bool scan_access(reader *r, sw_str name, sw_span at)
{
	indices all = {.rank = 0};
	int next = sw_scan_peek(&r->scan);

	if ((next == '[' || next == '(') && !scan_indices(r, &all))
		return false;
	at.end = all.rank > 0 ? r->scan.at : at.end;
	int array = array_of(r, name, at, all.rank);
	return array >= 0 && keep_access(r, array, &all, at);
}

/* Does the bracket that opens here have an access in it: another bracket behind a name, or a name of several letters? */
static bool holds_access(const reader *r)
{
	sw_scan scan = r->scan;
	size_t end = sw_str_balanced(scan.text, scan.at, SW_NESTING_TYPES);
	sw_span at;

	if (end == 0)
		return false;
	scan.text.length = end - 1;
	while (scan.at < scan.text.length) {
		sw_str name = sw_scan_bare(&scan, &at);
		if (sw_str_is(name, "graph"))
			return false;
		int next = sw_scan_peek(&scan);
		if (name.length > 1 || (name.length == 1 && (next == '(' || next == '[')))
			return true;
		scan.at += name.length == 0;
	}
	return false;
}

/* ---- sums ---- */

static bool scan_sum(reader *r, sw_formula_sum *sum);

static bool scan_number(reader *r, sw_formula_factor *factor)
{
	sw_scan *scan = &r->scan;
	const char *at = scan->text.at;
	size_t begin = scan->at, end = begin, length = scan->text.length;

	while (end < length && at[end] >= '0' && at[end] <= '9')
		end++;
	if (end + 1 < length && at[end] == '.' && at[end + 1] >= '0' && at[end + 1] <= '9')
		for (end++; end < length && at[end] >= '0' && at[end] <= '9';)
			end++;
	scan->at = end;
	factor->kind = SW_FACTOR_NUMBER;
	factor->word = (sw_str){at + begin, end - begin};
	int next = end < length ? at[end] : ' ';
	if (strchr(" \t\r\n*+-,)", next) == NULL)
		return sw_scan_unexpected(scan, "a sign after the number: *, + or -", nowhere);
	return true;
}

static bool scan_function(reader *r, sw_str name, sw_formula_factor *factor)
{
	sw_span open = {r->scan.at, r->scan.at + 1};
	sw_formula_sum *argument = NULL;
	int room = 0;
	bool more = true;

	if (r->depth == MOST_DEPTH)
		return sw_diag_set(r->scan.diag, SW_F14, open, "more than %d nested functions", MOST_DEPTH);
	r->scan.at++;
	r->depth++;
	*factor = (sw_formula_factor){.kind = SW_FACTOR_FUNCTION, .word = name};
	while (more) {
		if (!SW_GROW(r->arena, argument, factor->arguments, room, 4))
			return memory(r);
		if (!scan_sum(r, &argument[factor->arguments++]) ||
			!sw_scan_list(&r->scan, ')', "a comma, or the closing bracket", open, &more))
			return false;
	}
	r->depth--;
	factor->argument = argument;
	return true;
}

static bool scan_factor(reader *r, sw_formula_factor *factor)
{
	sw_scan *scan = &r->scan;
	int next = sw_scan_peek(scan);
	sw_span at;

	if (next >= '0' && next <= '9')
		return scan_number(r, factor);
	sw_str name = sw_scan_bare(scan, &at);
	if (name.length == 0)
		return sw_scan_unexpected(scan, "a number, an access such as x[i-1], or a function of some", nowhere);
	if (sw_scan_peek(scan) == '(' && holds_access(r))
		return scan_function(r, name, factor);
	*factor = (sw_formula_factor){.kind = SW_FACTOR_ACCESS, .access = r->out->accesses};
	return scan_access(r, name, at);
}

static bool scan_term(reader *r, sw_formula_term *term)
{
	sw_formula_factor *factor = NULL;
	int room = 0;

	do {
		if (!SW_GROW(r->arena, factor, term->factors, room, 2))
			return memory(r);
		factor[term->factors] = (sw_formula_factor){0};
		if (!scan_factor(r, &factor[term->factors++]))
			return false;
	} while (sw_scan_take(&r->scan, '*'));
	term->factor = factor;
	return true;
}

static bool scan_sum(reader *r, sw_formula_sum *sum)
{
	sw_formula_term *term = NULL;
	int room = 0;
	bool minus = sw_scan_take(&r->scan, '-'), more = true;

	*sum = (sw_formula_sum){0};
	while (more) {
		if (!SW_GROW(r->arena, term, sum->terms, room, 2))
			return memory(r);
		term[sum->terms] = (sw_formula_term){.minus = minus};
		if (r->depth == 0)
			r->term = sum->terms;
		if (!scan_term(r, &term[sum->terms++]))
			return false;
		minus = sw_scan_take(&r->scan, '-');
		more = minus || sw_scan_take(&r->scan, '+');
	}
	sum->term = term;
	return true;
}

/* ---- the whole ---- */

static bool scan_left(reader *r)
{
	sw_span at;
	sw_str name = sw_scan_bare(&r->scan, &at);

	r->term = -1;
	if (name.length > 0 && sw_scan_take(&r->scan, ':')) {
		r->out->name = name;
		name = sw_scan_bare(&r->scan, &at);
	}
	if (name.length == 0)
		return sw_scan_unexpected(&r->scan, "the name of the array that is computed", nowhere);
	return scan_access(r, name, at);
}

static bool scan_equals(reader *r)
{
	r->out->adds = sw_scan_take(&r->scan, '+');
	return sw_scan_expect(&r->scan, '=', "= or +=", nowhere);
}

static bool refuse_place(reader *r, sw_str name, sw_span at, int array)
{
	sw_quote quote = sw_scan_quote(name);

	if (array < 0)
		sw_diag_set(r->scan.diag, SW_F13, at, "%s is not an array of the formula", quote.text);
	else
		sw_diag_set(r->scan.diag, SW_F13, at, "no access of %s has single letters as indices", quote.text);
	sw_diag_expected(r->scan.diag, "an array with an access of single letters");
	if (array >= 0)
		sw_diag_also(r->scan.diag, r->out->array[array].at, "its access");
	return false;
}

/* `on NAME`: some access says at which points an element of it is read. */
static bool scan_place(reader *r)
{
	sw_span at;
	sw_str name = sw_scan_bare(&r->scan, &at);

	if (name.length == 0)
		return sw_scan_unexpected(&r->scan, "the name of an array", nowhere);
	int array = sw_formula_find(r->out, name);
	for (int k = 0; k < r->out->accesses; k++)
		if (r->access[k].array == array && sw_formula_is_plain(r->out, &r->access[k])) {
			r->out->on = array;
			return true;
		}
	return refuse_place(r, name, at, array);
}

static bool stands_alone(const reader *r, char letter)
{
	for (int k = 0; k < r->out->accesses; k++)
		for (int d = 0; d < r->out->array[r->access[k].array].rank; d++)
			if (r->access[k].index[d].letter == letter && sw_index_is_letter(&r->access[k].index[d]))
				return true;
	return false;
}

static bool check_summed(const reader *r)
{
	for (int letter = r->out->kept; letter < r->out->letters; letter++)
		if (!stands_alone(r, r->out->letter[letter]))
			return sw_formula_refuse_size(r->out, letter, r->scan.diag);
	return true;
}

static bool read_formula(reader *r)
{
	if (!scan_left(r) || !scan_equals(r) || !scan_sum(r, &r->out->sum))
		return false;
	r->out->wrap = take_word(&r->scan, "wrap");
	if (take_word(&r->scan, "on") && !scan_place(r))
		return false;
	return sw_scan_finish(&r->scan, "formula") && check_summed(r);
}

bool sw_formula_parse(sw_str text, const sw_file_reader *files, sw_arena *arena, sw_formula *formula, sw_diag *diag)
{
	sw_formula out = {.on = -1};
	reader r = {.scan = {text, 0, SW_F01, diag}, .files = files, .arena = arena, .out = &out};

	if (!read_formula(&r))
		return false;
	out.access = r.access;
	*formula = out;
	return true;
}

/* ---- lines with formulas ---- */

bool sw_formula_begins(sw_str line)
{
	sw_scan scan = {.text = line};
	sw_span at;

	if (sw_scan_bare(&scan, &at).length == 0)
		return false;
	int next = sw_scan_peek(&scan);
	if (next == '[' || next == '(')
		scan.at = sw_str_balanced(line, scan.at, SW_NESTING_TYPES);
	if (scan.at == 0)
		return false;
	sw_scan_take(&scan, '+');
	return sw_scan_take(&scan, '=');
}

size_t sw_formula_length(sw_str text)
{
	for (size_t at = 0; at + 1 < text.length; at++)
		if (text.at[at] == '-' && text.at[at + 1] == '-' && (at == 0 || strchr(" \t", text.at[at - 1]) != NULL))
			return at;
	return text.length;
}
