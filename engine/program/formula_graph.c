/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Graphs as files: lists of neighbours, and matrices of Matrix Market.
 */
#include "program/formula.h"

#include <inttypes.h>

#include <shardwalk/number.h>

/* Arcs that are being collected, line by line. */
typedef struct arcs {
	sw_str name;
	sw_arena *arena;
	sw_diag *diag;
	int64_t line; /* from 1 */
	int64_t rows, columns;
	sw_arc *arc;
	int count, room;
} arcs;

static bool refuse(arcs *a, const char *why)
{
	sw_diag_set(a->diag, SW_F12, (sw_span){0, 0}, "%s, line %" PRId64 ": %s", sw_scan_quote(a->name).text, a->line,
		why);
	return false;
}

static bool add_arc(arcs *a, int64_t row, int64_t column)
{
	if (!SW_GROW(a->arena, a->arc, a->count, a->room, 64))
		return sw_diag_memory(a->diag);
	a->arc[a->count++] = (sw_arc){row, column};
	return true;
}

static sw_str next_line(arcs *a, sw_str *rest)
{
	size_t end = 0;

	while (end < rest->length && rest->at[end] != '\n')
		end++;
	sw_str line = {rest->at, end};
	*rest = sw_str_behind(*rest, end + (end < rest->length));
	a->line++;
	return sw_str_trim(line);
}

static bool read_number(arcs *a, sw_str *line, int64_t least, int64_t *number)
{
	sw_str word = sw_str_word(line);

	return (sw_read_int(word, number, NULL) && *number >= least && *number < INT64_C(1) << 40) ||
		refuse(a,
			least > 0 ? "a whole number of at least 1 is missing" :
						"a neighbour is a whole number of at "
						"least 0");
}

/* ---- lists ---- */

static bool read_lists(arcs *a, sw_str text)
{
	while (text.length > 0) {
		sw_str line = next_line(a, &text);
		while (line.length > 0) {
			int64_t column;
			if (!read_number(a, &line, 0, &column) || !add_arc(a, a->line - 1, column))
				return false;
			a->columns = sw_larger(a->columns, column + 1);
		}
		a->rows = a->line;
	}
	return true;
}

/* ---- Matrix Market ---- */

static bool is_market(sw_str text)
{
	return sw_str_starts(text, "%%MatrixMarket");
}

/* The head line says `matrix coordinate FIELD SYMMETRY`. */
static bool read_head(arcs *a, sw_str *text, bool *symmetric)
{
	sw_str line = next_line(a, text);

	sw_str_word(&line);
	if (!sw_str_same_letters(sw_str_word(&line), sw_str_of("matrix")) ||
		!sw_str_same_letters(sw_str_word(&line), sw_str_of("coordinate")))
		return refuse(a, "only `matrix coordinate` lists the elements");
	sw_str_word(&line);
	*symmetric = !sw_str_same_letters(sw_str_word(&line), sw_str_of("general"));
	return true;
}

static bool read_entry(arcs *a, sw_str line, bool symmetric)
{
	int64_t row, column;

	if (!read_number(a, &line, 1, &row) || !read_number(a, &line, 1, &column))
		return false;
	if (row > a->rows || column > a->columns)
		return refuse(a, "the entry is outside of the matrix");
	return add_arc(a, row - 1, column - 1) && (!symmetric || row == column || add_arc(a, column - 1, row - 1));
}

static bool read_market(arcs *a, sw_str text)
{
	int64_t entries = -1, found = 0;
	bool symmetric;

	if (!read_head(a, &text, &symmetric))
		return false;
	while (text.length > 0) {
		sw_str line = next_line(a, &text);
		if (line.length == 0 || *line.at == '%')
			continue;
		if (entries >= 0 && ++found && !read_entry(a, line, symmetric))
			return false;
		if (entries < 0 &&
			(!read_number(a, &line, 1, &a->rows) || !read_number(a, &line, 1, &a->columns) ||
				!read_number(a, &line, 0, &entries)))
			return false;
	}
	if (symmetric && a->rows != a->columns)
		return refuse(a, "a matrix that is not square is not symmetric");
	return found == entries || refuse(a, "the number of entries differs from the header");
}

bool sw_adjacency_parse(sw_str name, sw_str text, sw_arena *arena, sw_adjacency *graph, sw_diag *diag)
{
	arcs a = {.name = name, .arena = arena, .diag = diag};

	if (is_market(text) ? !read_market(&a, text) : !read_lists(&a, text))
		return false;
	graph->name = name;
	return sw_adjacency_of_arcs(a.rows, a.columns, a.count, a.arc, arena, graph) || sw_diag_memory(diag);
}
