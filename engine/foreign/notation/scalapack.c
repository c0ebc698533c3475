/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Descriptors of ScaLAPACK, and calls of p?gemr2d, which moves a submatrix from one to the other.
 *
 *     DESC = (1, 0, 9, 9, 2, 2, 0, 0, 5) on 2 x 3                  DTYPE, CTXT, M, N, MB, NB, RSRC, CSRC, LLD
 *     int desca[9] = {1, ictxt, 9, 9, 2, 2, 0, 0, 5}; // on 2 x 3 column-major
 *     CALL DESCINIT(DESCA, 9, 9, 2, 2, 0, 0, ICTXT, 5, INFO) on 2 x 3
 *     CALL PDGEMR2D(9, 9, A, 1, 1, DESCA, B, 1, 1, DESCB, ICTXT)
 *
 * Source: ScaLAPACK Users' Guide, section 4.3; redist/SRC/pdgemr2d.c.
 */
#include "foreign/notation/read.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include <shardwalk/distribution.h>
#include <shardwalk/number.h>

static const sw_span nowhere = {0, 0};

enum entry { DTYPE, CTXT, M, N, MB, NB, RSRC, CSRC, LLD, ENTRIES };

static const char *const entry_names[ENTRIES] = {"DTYPE", "CTXT", "M", "N", "MB", "NB", "RSRC", "CSRC", "LLD"};

typedef struct descriptor {
	int64_t entry[ENTRIES];
	sw_span at[ENTRIES], whole;
	sw_grid grid; /* count 0: not said */
} descriptor;

/* ---- entries ---- */

/* A number, or the name of a variable, which can stand for the context only. */
static bool read_entry(sw_reader *reader, descriptor *d, int i)
{
	sw_scan *scan = &reader->scan;
	sw_span at = sw_scan_next_span(scan);

	if (sw_read_signed(reader, &d->entry[i])) {
		d->at[i] = (sw_span){at.begin, scan->at};
		return true;
	}
	d->at[i] = at;
	if (i == CTXT && sw_scan_bare(scan, &at).length > 0)
		return true;
	scan->at = d->at[i].begin;
	sw_read_refuse(reader, "a whole number");
	sw_diag_hint(scan->diag, "entry %d of a descriptor is %s", i + 1, entry_names[i]);
	return false;
}

static bool refuse_band(sw_reader *reader, const descriptor *d)
{
	sw_diag *diag = reader->scan.diag;

	sw_diag_set(diag, SW_N01, d->at[DTYPE], "DTYPE is %" PRId64 ": this is no descriptor of a dense matrix",
		d->entry[DTYPE]);
	sw_diag_expected(diag, "DTYPE 1, a dense matrix in block-cyclic order");
	sw_diag_found(diag, "%" PRId64 "%s", d->entry[DTYPE],
		d->entry[DTYPE] == 501 || d->entry[DTYPE] == 502 ? ", a band matrix" : "");
	return false;
}

static bool refuse_length(sw_reader *reader, const descriptor *d, int count)
{
	sw_diag *diag = reader->scan.diag;

	sw_diag_set(diag, SW_N01, d->whole, "a descriptor has 9 entries");
	sw_diag_expected(diag, "9: DTYPE, CTXT, M, N, MB, NB, RSRC, CSRC, LLD");
	sw_diag_found(diag, count > ENTRIES ? "more" : "%d", count);
	return false;
}

/* The bracket that closes the one at the reader, 0: none opens; and slashes inside of it, as Fortran has them. */
static char open_entries(sw_reader *reader, bool *slashes)
{
	static const char opening[] = "([{", closing[] = ")]}";
	int c = sw_scan_peek(&reader->scan);
	const char *opens = c > 0 ? strchr(opening, c) : NULL;

	reader->scan.at += opens != NULL;
	*slashes = sw_read_sign(reader, "/");
	return opens != NULL ? closing[opens - opening] : '\0';
}

static bool close_entries(sw_reader *reader, char bracket, bool slashes, sw_span open)
{
	if (slashes && !sw_scan_expect(&reader->scan, '/', "a comma, or '/'", open))
		return false;
	return bracket == '\0' || sw_scan_expect(&reader->scan, bracket, "a comma, or the closing bracket", open);
}

/* `(1, 0, 9, ...)`, with brackets of any kind, or between slashes. */
static bool read_entries(sw_reader *reader, descriptor *d)
{
	sw_scan *scan = &reader->scan;
	sw_span open = sw_scan_next_span(scan);
	bool slashes;
	char bracket = open_entries(reader, &slashes);
	descriptor *beyond = SW_NEW(reader->arena, descriptor, 1);
	int count = 0;

	if (beyond == NULL)
		return sw_diag_memory(scan->diag);
	if (bracket == '\0' && !slashes)
		return sw_read_refuse(reader, "the entries of the descriptor, in brackets");
	do {
		bool room = count < ENTRIES;
		if (!read_entry(reader, room ? d : beyond, room ? count : (int)CTXT))
			return false;
		count += count <= ENTRIES;
	} while (sw_scan_take(scan, ','));
	if (!close_entries(reader, bracket, slashes, open))
		return false;
	d->whole = sw_scan_since(scan, open.begin);
	if (d->entry[DTYPE] != 1)
		return refuse_band(reader, d);
	return count == ENTRIES || refuse_length(reader, d, count);
}

/* ---- what entries may be ---- */

static bool refuse_entry(sw_reader *reader, const descriptor *d, int i, int64_t low, int64_t high, const char *why)
{
	sw_diag *diag = reader->scan.diag;

	sw_diag_set(diag, SW_N01, d->at[i], "%s is %" PRId64 "%s%s", entry_names[i], d->entry[i], *why ? ": " : "", why);
	if (high == INT64_MAX)
		sw_diag_expected(diag, "%s of at least %" PRId64, entry_names[i], low);
	else
		sw_diag_expected(diag, "%s of %" PRId64 " to %" PRId64, entry_names[i], low, high);
	sw_diag_found(diag, "%" PRId64, d->entry[i]);
	return false;
}

/* The most rows that a process row has, which is the one that has the first block. */
static int64_t most_rows(const descriptor *d)
{
	int64_t block = d->entry[MB], blocks = d->entry[M] / block, rows = d->grid.size[0];

	if (blocks % rows > 0)
		return (blocks / rows + 1) * block;
	return blocks / rows * block + d->entry[M] % block;
}

static bool check_entries(sw_reader *reader, const descriptor *d)
{
	for (int i = M; i <= NB; i++)
		if (d->entry[i] < 1)
			return refuse_entry(reader, d, i, 1, INT64_MAX, "");
	for (int i = RSRC; i <= CSRC; i++)
		if (d->entry[i] < 0 || d->entry[i] >= d->grid.size[i - RSRC])
			return refuse_entry(reader, d, i, 0, d->grid.size[i - RSRC] - 1,
				i == RSRC ? "there is no such process row" : "there is no such process column");
	return d->entry[LLD] >= most_rows(d) ||
		refuse_entry(reader, d, LLD, most_rows(d), INT64_MAX, "a process row has more rows");
}

/* ---- grids ---- */

/* The mesh that is known, where it has two axes. */
static void grid_of_mesh(const sw_reader *reader, sw_grid *grid)
{
	const sw_mesh *mesh = reader->context != NULL ? reader->context->mesh : NULL;

	if (mesh == NULL || mesh->count != 2)
		return;
	grid->count = 2;
	for (int axis = 0; axis < 2; axis++)
		grid->size[axis] = mesh->axis[axis].size;
}

static bool need_grid(sw_reader *reader, descriptor *d)
{
	sw_diag *diag = reader->scan.diag;

	if (d->grid.count == 0)
		grid_of_mesh(reader, &d->grid);
	if (d->grid.count == 2)
		return true;
	sw_diag_set(diag, SW_N03, d->whole, "the grid of processes is unknown");
	sw_diag_expected(diag, "two sizes after it, such as `on 2 x 3`, or a mesh of two axes");
	return false;
}

/* `on 2 x 3`, perhaps as a comment. */
static bool read_grid(sw_reader *reader, descriptor *d)
{
	size_t before = reader->scan.at;

	sw_read_pass(reader, ";!/*#");
	if (!sw_read_on_grid(reader, &d->grid))
		return false;
	if (d->grid.count == 0)
		reader->scan.at = before;
	return true;
}

/* ---- as a type ---- */

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void add_dimension(const descriptor *d, int dim, sw_text *type)
{
	int64_t size = d->entry[M + dim], first = d->entry[RSRC + dim];

	sw_text_addf(type, "%" PRId64 "{%s", least(d->entry[MB + dim], size), d->grid.name[dim]);
	if (first > 0)
		sw_text_addf(type, "@%" PRId64, first);
	sw_text_addf(type, ",..}%" PRId64, size);
}

/* The whole matrix over its grid; `dtype` may be empty. */
static bool add_type(sw_reader *reader, descriptor *d, const char *dtype, sw_text *type)
{
	if (!need_grid(reader, d) || !check_entries(reader, d) || !sw_read_take_grid(reader, &d->grid, d->whole))
		return false;
	sw_text_addf(type, "%s[", dtype);
	add_dimension(d, 0, type);
	sw_text_add(type, ", ");
	add_dimension(d, 1, type);
	sw_text_add_char(type, ']');
	return true;
}

/* ---- statements ---- */

static bool same_word(sw_str word, const char *name)
{
	return sw_str_same_letters(word, sw_str_of(name));
}

/* The arguments of DESCINIT behind its name: M, N, MB, NB, RSRC, CSRC, CTXT, LLD. */
static bool read_descinit(sw_reader *reader, descriptor *d)
{
	static const enum entry order[] = {M, N, MB, NB, RSRC, CSRC, CTXT, LLD};
	sw_scan *scan = &reader->scan;
	size_t begin = (sw_scan_peek(scan), scan->at);

	d->entry[DTYPE] = 1;
	if (!sw_scan_expect(scan, '(', "'(' and the name of the descriptor", nowhere))
		return false;
	sw_py_value(&reader->scan);
	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		if (!sw_scan_expect(scan, ',', "a comma and the next argument", nowhere))
			return false;
		sw_read_pass(reader, "&");
		if (!read_entry(reader, d, (int)order[i]))
			return false;
	}
	while (sw_scan_take(scan, ','))
		sw_py_value(&reader->scan);
	d->whole = sw_scan_since(scan, begin);
	return sw_scan_expect(scan, ')', "')'", (sw_span){begin, begin + 1});
}

/* `DESC =`, `int desca[9] =`, `DATA DESCA` before the entries. */
static bool read_name(sw_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_span at;
	int64_t size;

	for (int words = 0; words < 3; words++) {
		size_t before = scan->at;
		if (sw_scan_bare(scan, &at).length == 0) {
			scan->at = before;
			break;
		}
	}
	if (sw_read_sign(reader, "[") && !(sw_read_digits(reader, &size) && sw_scan_take(scan, ']')))
		return sw_read_refuse(reader, "']'");
	sw_read_sign(reader, ":");
	sw_read_sign(reader, "=");
	return true;
}

static bool read_descriptor(sw_reader *reader, descriptor *d)
{
	size_t before = reader->scan.at;
	sw_span at;
	sw_str word = sw_scan_bare(&reader->scan, &at);

	if (same_word(word, "CALL"))
		word = sw_scan_bare(&reader->scan, &at);
	if (same_word(word, "DESCINIT") || same_word(word, "descinit_"))
		return read_descinit(reader, d) && read_grid(reader, d);
	reader->scan.at = before;
	return read_name(reader) && read_entries(reader, d) && read_grid(reader, d);
}

bool sw_read_scalapack(sw_reader *reader)
{
	descriptor d = {.grid = {0}};
	sw_text type = {0};

	reader->out->notation = SW_NOTATION_SCALAPACK;
	if (!read_descriptor(reader, &d) || !add_type(reader, &d, "", &type)) {
		sw_text_free(&type);
		return false;
	}
	sw_read_pass(reader, ";");
	return sw_read_words(reader, &type, d.whole);
}

/* ---- p?gemr2d ---- */

static const char gemr2d[] = "gemr2d";

/* The place of the name of the routine; the length: there is none. */
static size_t find_call(sw_str text)
{
	size_t length = strlen(gemr2d);

	for (size_t i = 2; i + length <= text.length; i++)
		if (sw_str_same_letters((sw_str){text.at + i, length}, sw_str_of(gemr2d)))
			return i;
	return text.length;
}

bool sw_notation_is_gemr2d(sw_str text)
{
	size_t at = find_call(text);

	return at < text.length && memchr(text.at + at, '(', text.length - at) != NULL;
}

enum argument { MOVED_M, MOVED_N, A, IA, JA, DESCA, B, IB, JB, DESCB, ICTXT, ARGUMENTS };

static const char *const argument_names[ARGUMENTS] = {"M", "N", "A", "IA", "JA", "DESCA", "B", "IB", "JB", "DESCB",
	"ICTXT"};

typedef struct call {
	sw_reader *reader;
	const char *dtype;
	sw_str argument[ARGUMENTS];
	int64_t number[ARGUMENTS];
	descriptor desc[2];
	size_t begin; /* of the statement with the call */
} call;

static sw_span span_of(const call *c, sw_str part)
{
	size_t begin = (size_t)(part.at - c->reader->scan.text.at);

	return (sw_span){begin, begin + part.length};
}

/* The element type that the letter before the name says. */
static const char *dtype_of(char letter)
{
	static const struct {
		char letter;
		const char *dtype;
	} rows[] = {{'d', "f64"}, {'s', "f32"}, {'c', "c64"}, {'z', "c128"}, {'i', "i32"}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (tolower((unsigned char)letter) == rows[i].letter)
			return rows[i].dtype;
	return NULL;
}

/* Is the word at this place, and does none of its letters stand before or behind it? */
static bool is_word_at(sw_str text, size_t at, sw_str word)
{
	bool before = at > 0 && (isalnum((unsigned char)text.at[at - 1]) || text.at[at - 1] == '_');
	size_t end = at + word.length;

	return end <= text.length && !before && sw_str_same_letters((sw_str){text.at + at, word.length}, word) &&
		(end == text.length || !(isalnum((unsigned char)text.at[end]) || text.at[end] == '_'));
}

/* The reader, behind the name and `=` of its last value before the call; false: it has none. */
static bool find_value(const call *c, sw_str name)
{
	sw_scan *scan = &c->reader->scan;
	size_t found = 0;

	for (size_t at = 0; at + name.length < c->begin; at++) {
		if (!is_word_at(scan->text, at, name))
			continue;
		scan->at = at + name.length;
		int64_t size;
		if (sw_read_sign(c->reader, "[") && (!sw_read_digits(c->reader, &size) || !sw_read_sign(c->reader, "]")))
			continue;
		if (sw_read_sign(c->reader, "=") || sw_read_sees(c->reader, "/"))
			found = scan->at;
	}
	scan->at = found;
	return found > 0;
}

/* Is it DESCINIT(NAME, ...) that says it?  Then the reader is behind the word. */
static bool find_descinit(const call *c, sw_str name)
{
	sw_scan *scan = &c->reader->scan;
	static const char *const words[] = {"DESCINIT", "descinit_"};

	for (size_t at = 0; at < c->begin; at++)
		for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
			if (!is_word_at(scan->text, at, sw_str_of(words[w])))
				continue;
			sw_span where;
			size_t behind = at + strlen(words[w]);
			scan->at = behind;
			bool opens = sw_scan_take(scan, '(');
			bool this_one = opens && sw_str_same_letters(sw_scan_bare(scan, &where), name);
			scan->at = behind;
			if (this_one)
				return true;
		}
	return false;
}

static bool refuse_argument(const call *c, int i, const char *expected)
{
	sw_diag *diag = c->reader->scan.diag;

	sw_diag_set(diag, SW_N03, span_of(c, c->argument[i]), "%s is unknown", argument_names[i]);
	sw_diag_expected(diag, "%s", expected);
	sw_diag_found(diag, "%s", sw_scan_quote(c->argument[i]).text);
	return false;
}

/* A number, or a variable that has one before the call; `&` in front is that of C. */
static bool read_argument_number(call *c, int i)
{
	sw_str text = c->argument[i];
	sw_scan *scan = &c->reader->scan;

	while (text.length > 0 && *text.at == '&')
		text = sw_str_trim(sw_str_behind(text, 1));
	c->argument[i] = text;
	if (sw_read_int(text, &c->number[i], NULL))
		return true;
	size_t before = scan->at;
	bool found = sw_scan_is_bare(text) && find_value(c, text) && sw_read_signed(c->reader, &c->number[i]);
	scan->at = before;
	return found || refuse_argument(c, i, "a whole number, or a variable with a value before the call");
}

static bool read_argument_descriptor(call *c, int i)
{
	sw_reader *reader = c->reader;
	sw_str text = c->argument[i];
	descriptor *d = &c->desc[i == DESCB];

	*d = (descriptor){.grid = {0}};
	if (sw_scan_is_bare(text)) {
		if (find_descinit(c, text))
			return read_descinit(reader, d) && read_grid(reader, d);
		return (find_value(c, text) || refuse_argument(c, i, "its entries, here or before the call")) &&
			read_entries(reader, d) && read_grid(reader, d);
	}
	reader->scan.at = span_of(c, text).begin;
	return read_descriptor(reader, d);
}

/* What stands between the commas of the call; a grid behind a descriptor belongs to it. */
static bool cut_arguments(call *c, size_t open)
{
	sw_diag *diag = c->reader->scan.diag;
	sw_str text = c->reader->scan.text;
	size_t end = sw_str_balanced(text, open, SW_NESTING_PLAIN), at = 0;
	int count = 0;

	if (end == 0) {
		sw_diag_set(diag, SW_N01, (sw_span){open, open + 1}, "the bracket is never closed");
		sw_diag_expected(diag, "')' after the arguments");
		return false;
	}
	sw_str list = {text.at + open + 1, end - open - 2};
	while (at <= list.length && count <= ARGUMENTS) {
		sw_str item = sw_str_split(list, &at, SW_NESTING_PLAIN);
		if (count < ARGUMENTS)
			c->argument[count] = item;
		count++;
	}
	c->reader->scan.at = end;
	if (count == ARGUMENTS)
		return true;
	sw_diag_set(diag, SW_N01, (sw_span){open, end}, "the routine has 11 arguments");
	sw_diag_expected(diag, "M, N, A, IA, JA, DESCA, B, IB, JB, DESCB, ICTXT");
	sw_diag_found(diag, count > ARGUMENTS ? "more" : "%d", count);
	return false;
}

static bool read_call(call *c)
{
	sw_str text = c->reader->scan.text;
	size_t name = find_call(text), open = name;

	c->dtype = dtype_of(text.at[name - 1]);
	if (c->dtype == NULL || tolower((unsigned char)text.at[name - 2]) != 'p') {
		sw_diag_set(c->reader->scan.diag, SW_N01, (sw_span){name - 2, name + strlen(gemr2d)},
			"there is no such routine");
		sw_diag_expected(c->reader->scan.diag, "psgemr2d, pdgemr2d, pcgemr2d, pzgemr2d or pigemr2d");
		return false;
	}
	while (open < text.length && text.at[open] != '(')
		open++;
	c->begin = name;
	if (!cut_arguments(c, open))
		return false;
	for (int i = 0; i < ARGUMENTS; i++) {
		bool descriptor = i == DESCA || i == DESCB, other = i == A || i == B || i == ICTXT;
		if (!other && !(descriptor ? read_argument_descriptor(c, i) : read_argument_number(c, i)))
			return false;
	}
	return true;
}

static bool refuse_origin(const call *c, int i, int64_t least_value, const char *why)
{
	sw_diag *diag = c->reader->scan.diag;

	sw_diag_set(diag, SW_N01, span_of(c, c->argument[i]), "%s is %" PRId64 "%s%s", argument_names[i], c->number[i],
		*why ? ": " : "", why);
	sw_diag_expected(diag, "%s of at least %" PRId64, argument_names[i], least_value);
	sw_diag_found(diag, "%" PRId64, c->number[i]);
	return false;
}

static bool refuse_past(const call *c, int end, int dim, int64_t last)
{
	sw_diag *diag = c->reader->scan.diag;
	const descriptor *d = &c->desc[end];
	int origin = (end ? IB : IA) + dim;
	const char *size = entry_names[M + dim];

	sw_diag_set(diag, SW_N01, span_of(c, c->argument[origin]),
		"%s is %" PRId64 ", so that the submatrix goes to %" PRId64 ", past %s of %s, %" PRId64,
		argument_names[origin], c->number[origin], last, size, argument_names[end ? DESCB : DESCA],
		d->entry[M + dim]);
	sw_diag_also(diag, d->at[M + dim], "%s", size);
	sw_diag_expected(diag, "%s of %s of at least %" PRId64 ", or %s of at most %" PRId64, size,
		argument_names[end ? DESCB : DESCA], last, argument_names[origin],
		d->entry[M + dim] - c->number[MOVED_M + dim] + 1);
	sw_diag_found(diag, "%" PRId64, c->number[origin]);
	return false;
}

static bool check_origins(const call *c)
{
	for (int dim = 0; dim < 2; dim++) {
		if (c->number[MOVED_M + dim] < 1)
			return refuse_origin(c, MOVED_M + dim, 1, "");
		for (int end = 0; end < 2; end++) {
			int origin = (end ? IB : IA) + dim;
			int64_t last;
			if (c->number[origin] < 1)
				return refuse_origin(c, origin, 1, "rows and columns count from 1");
			if (!sw_add(c->number[origin] - 1, c->number[MOVED_M + dim], &last) || last > c->desc[end].entry[M + dim])
				return refuse_past(c, end, dim, last);
		}
	}
	return true;
}

/* Is all that both descriptors have of rows or columns moved? */
static bool is_whole(const call *c, int dim)
{
	return c->number[MOVED_M + dim] == c->desc[0].entry[M + dim] &&
		c->number[MOVED_M + dim] == c->desc[1].entry[M + dim];
}

static bool same_place(const call *c)
{
	bool same = true;

	for (int dim = 0; dim < 2; dim++)
		same = same && c->desc[0].entry[M + dim] == c->desc[1].entry[M + dim] &&
			c->number[IA + dim] == c->number[IB + dim];
	return same;
}

static void add_submatrix(const call *c, int end, sw_text *type)
{
	if (is_whole(c, 0) && is_whole(c, 1))
		return;
	sw_text_add(type, same_place(c) ? " only " : " crop ");
	for (int dim = 0; dim < 2; dim++) {
		int64_t origin = c->number[(end ? IB : IA) + dim] - 1;
		sw_text_addf(type, "%s%" PRId64 ":%" PRId64, dim > 0 ? ", " : "", origin, origin + c->number[MOVED_M + dim]);
	}
}

static bool take_end(call *c, int end, sw_sharding *out)
{
	sw_text type = {0};

	c->reader->out = out;
	out->notation = SW_NOTATION_SCALAPACK;
	if (!add_type(c->reader, &c->desc[end], c->dtype, &type)) {
		sw_text_free(&type);
		return false;
	}
	add_submatrix(c, end, &type);
	return sw_read_words(c->reader, &type, c->desc[end].whole);
}

bool sw_gemr2d_parse(sw_str text, const sw_notation_context *context, sw_arena *arena, sw_sharding *from,
	sw_sharding *to, sw_diag *diag)
{
	sw_reader *reader = SW_NEW_ZERO(arena, sw_reader, 1);
	call *c = SW_NEW_ZERO(arena, call, 1);

	if (reader == NULL || c == NULL)
		return sw_diag_memory(diag);
	memset(from, 0, sizeof *from);
	memset(to, 0, sizeof *to);
	*reader = (sw_reader){.scan = {text, 0, SW_N01, diag}, .arena = arena, .context = context, .out = from};
	c->reader = reader;
	if (!read_call(c))
		return false;
	for (int end = 0; end < 2; end++)
		if (!need_grid(reader, &c->desc[end]) || !check_entries(reader, &c->desc[end]))
			return false;
	return check_origins(c) && take_end(c, 0, from) && take_end(c, 1, to);
}

/* ---- printing ---- */

/* The smallest LLD that all processes can have. */
static void print_descriptor(const sw_block_cyclic *of, sw_text *text)
{
	descriptor d = {.entry = {1, 0, of->size[0], of->size[1], of->block[0], of->block[1], of->first[0], of->first[1],
						0},
		.grid = {.count = 2, .size = {of->grid[0], of->grid[1]}}};

	d.entry[LLD] = most_rows(&d);
	sw_text_add(text, "DESC = (");
	for (int i = 0; i < ENTRIES; i++)
		sw_text_addf(text, "%s%" PRId64, i > 0 ? ", " : "", d.entry[i]);
	sw_text_addf(text, ") on %" PRId64 " x %" PRId64 "%s", of->grid[0], of->grid[1],
		of->turned ? " column-major" : "");
}

bool sw_print_scalapack(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	const sw_distribution *words;
	sw_block_cyclic says;
	sw_type type;
	const char *why_not = NULL;

	if (s->kind != SW_SHARDING_WORDS)
		return sw_print_refuse(diag, SW_NOTATION_SCALAPACK, "it is written for types with words");
	if (!sw_sharding_any(s, &s->mesh, &s->shape, arena, &type, &words, diag))
		return false;
	if (!sw_block_cyclic_of(&s->mesh, &type, words, arena, &says, &why_not))
		return why_not != NULL ? sw_print_refuse(diag, SW_NOTATION_SCALAPACK, why_not) : sw_diag_memory(diag);
	if (says.part)
		return sw_print_refuse(diag, SW_NOTATION_SCALAPACK,
			"a descriptor describes a whole matrix; the call that moves it names the part");
	print_descriptor(&says, text);
	return true;
}

bool sw_print_only_read(const sw_sharding *s, sw_arena *arena, sw_text *text, sw_diag *diag)
{
	(void)s, (void)arena, (void)text;
	sw_diag_set(diag, SW_N02, nowhere, "this notation cannot express this: it is read but not written");
	return false;
}
