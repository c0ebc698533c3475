/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs as figure 2 of the paper on schedules writes them: parameters, a machine, placements, tensors, a statement and its chain of commands.
 *
 *     Param gx, gy, n;  Machine m(Grid(gx, gy));
 *     Distribution tiles(m, {0, 1}, Memory::GPU_MEM);  Format f({Dense, Dense}, tiles);
 *     Tensor<double> A({n, n}, f), B({n, n}, f), C({n, n}, f);
 *     A(i, j) = B(i, k) * C(k, j);
 *     A.schedule().divide(i, io, ii, m.x) ... .substitute({ii, ji, ki}, CuBLAS::GeMM);
 *
 * Each becomes a statement of the language.  Source: seed 003, figure 2.
 */
#define _GNU_SOURCE
#include "command/import/import.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include <shardwalk/formula.h>
#include <shardwalk/number.h>

#include "command/programs/within.h"
#include "session/schedules.h"

#define NAMES_MOST 64

/* Something that was declared: a placement, a format by its placement, a tensor. */
struct declared {
	sw_str name, places; /* the text behind it: `xy->xy` */
};

struct distal_program {
	struct import *import;
	char *text; /* the program without comments, as long as it is */
	sw_str machine;
	struct declared placement[NAMES_MOST];
	sw_str tensor[NAMES_MOST];
	int placements, tensors;
	bool renamed; /* a name was found without its case */
	sw_diag *diag;
};

/* ---- cutting ---- */

static sw_str whole(const struct distal_program *p)
{
	return (sw_str){p->text, p->import->text.length};
}

static bool refuse(struct distal_program *p, sw_str at, const char *what, const char *hint)
{
	sw_diag_set(p->diag, SW_L02, (sw_span){0, 0}, "%s", what);
	if (hint != NULL)
		sw_diag_hint(p->diag, "%s", hint);
	p->diag->at = (sw_span){(size_t)(at.at - p->text), (size_t)(at.at - p->text) + at.length};
	return false;
}

/* Comments become blanks, so that places stay; a comment may stand as a formatter left it, \ensuremath{//}. */
static void blank_comments(char *text, size_t length)
{
	static const char left[] = "\\ensuremath{//}";

	for (char *at; (at = memmem(text, length, left, sizeof left - 1)) != NULL;) {
		memset(at, ' ', sizeof left - 1);
		at[0] = at[1] = '/';
	}
	for (size_t i = 0; i + 1 < length; i++)
		if (text[i] == '/' && text[i + 1] == '/')
			for (; i < length && text[i] != '\n'; i++)
				text[i] = ' ';
}

/* The next statement, up to a `;` outside of brackets. */
static bool next_statement(sw_str *rest, sw_str *statement)
{
	size_t end = sw_str_outside(*rest, 0, SW_NESTING_PLAIN, ";");

	*statement = sw_str_trim((sw_str){rest->at, end});
	*rest = sw_str_behind(*rest, end + (end < rest->length));
	return statement->length > 0 || rest->length > 0;
}

static size_t name_length(sw_str text)
{
	size_t length = 0;

	while (length < text.length && (isalnum((unsigned char)text.at[length]) || text.at[length] == '_'))
		length++;
	return length;
}

/* What stands between the brackets that begin the text; *behind is what follows.  false: there are none. */
static bool bracketed(sw_str text, sw_str *inside, sw_str *behind)
{
	int depth = 0;
	size_t i = 0;

	for (; i < text.length; i++) {
		depth += strchr("({[", text.at[i]) != NULL;
		depth -= strchr(")}]", text.at[i]) != NULL;
		if (depth == 0)
			break;
	}
	if (i == 0 || i == text.length)
		return false;
	*inside = (sw_str){text.at + 1, i - 1};
	*behind = sw_str_trim(sw_str_behind(text, i + 1));
	return true;
}

/* `NAME(ARGUMENTS)` at the start, and what follows. */
static bool called(sw_str text, sw_str *name, sw_str *arguments, sw_str *behind)
{
	size_t length = name_length(text);

	*name = (sw_str){text.at, length};
	return length > 0 && bracketed(sw_str_trim(sw_str_behind(text, length)), arguments, behind);
}

static sw_str argument_at(sw_str arguments, int n)
{
	size_t at = 0;
	sw_str part = {arguments.at, 0};

	for (int k = 0; k <= n && at < arguments.length; k++)
		part = sw_str_trim(sw_str_split(arguments, &at, SW_NESTING_PLAIN));
	return part;
}

static int arguments_of(sw_str arguments)
{
	size_t at = 0;
	int count = 0;

	while (at < arguments.length) {
		sw_str_split(arguments, &at, SW_NESTING_PLAIN);
		count++;
	}
	return count;
}

/* ---- numbers ---- */

static bool read_number(struct distal_program *p, sw_str text, int64_t *number)
{
	const struct kept_param *param = session_param(&p->import->run->session->state, text);
	char hint[SW_NAME_SIZE + 40];

	if (sw_read_int(text, number, NULL))
		return true;
	if (param == NULL) {
		snprintf(hint, sizeof hint, "param %.*s = 2", AS_SHOWN(text));
		refuse(p, text, "this is neither a number nor the name of one", hint);
		return false;
	}
	*number = param->value;
	return true;
}

static bool run(struct distal_program *p, sw_str at, sw_text *text)
{
	bool ok = !text->failed ? statement_within(p->import->run, (sw_str){sw_text_get(text), text->length}, p->diag) :
							  sw_diag_memory(p->diag);

	sw_text_free(text);
	if (!ok && p->diag->code != SW_E01)
		p->diag->at = (sw_span){(size_t)(at.at - p->text), (size_t)(at.at - p->text) + at.length};
	if (!ok)
		p->diag->also = (sw_span){0, 0};
	return ok;
}

/* ---- declarations ---- */

/* Each has to have a value: param NAME = N. */
static bool read_params(struct distal_program *p, sw_str rest)
{
	int64_t number;

	for (int k = 0; k < arguments_of(rest); k++)
		if (!read_number(p, argument_at(rest, k), &number))
			return false;
	return true;
}

/* `m(Grid(gx, gy))`, or one Grid a level. */
static bool read_machine(struct distal_program *p, sw_str rest)
{
	static const char names[] = "xyzwuvst";
	sw_str grids, behind, sizes, name;
	sw_text text = {0};
	int axis = 0;

	if (!called(rest, &p->machine, &grids, &behind))
		return refuse(p, rest, "this is not a machine", "Machine m(Grid(gx, gy));");
	sw_text_add(&text, "mesh {");
	for (int level = 0; level < arguments_of(grids); level++) {
		sw_str grid = argument_at(grids, level);
		if (!called(grid, &name, &sizes, &behind) || !sw_str_is(name, "Grid")) {
			sw_text_free(&text);
			return refuse(p, grid, "this is not a grid", "Machine m(Grid(gx, gy));");
		}
		for (int k = 0; k < arguments_of(sizes) && names[axis] != '\0'; k++, axis++) {
			int64_t size;
			if (!read_number(p, argument_at(sizes, k), &size)) {
				sw_text_free(&text);
				return false;
			}
			sw_text_addf(&text, "%s%c: %lld", axis == 0 ? "" : k == 0 ? "; " : ", ", names[axis], (long long)size);
		}
	}
	sw_text_add_char(&text, '}');
	return run(p, rest, &text);
}

static const struct declared *placement_named(const struct distal_program *p, sw_str name)
{
	for (int k = p->placements - 1; k >= 0; k--)
		if (sw_str_equal(p->placement[k].name, name))
			return &p->placement[k];
	return NULL;
}

static bool add_placement(struct distal_program *p, sw_str name, sw_str places)
{
	if (p->placements == NAMES_MOST)
		return refuse(p, name, "these are too many names", NULL);
	p->placement[p->placements++] = (struct declared){name, places};
	return true;
}

/* `tiles(m, {0, 1}, Memory::GPU_MEM)`: the dimension that each axis of the machine cuts; or a text, `tiles(m, "xy->x0")`. */
static bool read_distribution(struct distal_program *p, sw_str rest)
{
	sw_str name, arguments, behind, places;

	if (!called(rest, &name, &arguments, &behind) || arguments_of(arguments) < 2)
		return refuse(p, rest, "this is not a placement", "Distribution tiles(m, {0, 1});");
	if (!sw_str_equal(argument_at(arguments, 0), p->machine))
		return refuse(p, argument_at(arguments, 0), "there is no such machine", NULL);
	if (arguments_of(arguments) > 2)
		answer_remark(p->import->run->session, "%.*s: memories of a processor are ignored here",
			AS_SHOWN(argument_at(arguments, 2)));
	places = argument_at(arguments, 1);
	return add_placement(p, name, places);
}

/* `f({Dense, Dense}, tiles)`: the placement by another name. */
static bool read_format(struct distal_program *p, sw_str rest)
{
	sw_str name, arguments, behind, kinds;
	const struct declared *placement;

	if (!called(rest, &name, &arguments, &behind) || arguments_of(arguments) < 2 ||
		!bracketed(argument_at(arguments, 0), &kinds, &behind))
		return refuse(p, rest, "this is not a format", "Format f({Dense, Dense}, tiles);");
	for (int k = 0; k < arguments_of(kinds); k++)
		if (!sw_str_is(argument_at(kinds, k), "Dense"))
			return refuse(p, argument_at(kinds, k), "arrays here are dense", "Format f({Dense, Dense}, tiles);");
	placement = placement_named(p, argument_at(arguments, 1));
	if (placement == NULL)
		return refuse(p, argument_at(arguments, 1), "there is no such placement", NULL);
	return add_placement(p, name, placement->places);
}

/* `{0, 1}` of an array of so many dimensions, as the notation has it: xy->xy. */
static bool print_places(struct distal_program *p, sw_str places, int rank, sw_text *text)
{
	static const char names[] = "xyzwuvst";
	sw_str list, behind;

	if (places.length > 1 && *places.at == '"') {
		sw_text_add_str(text, sw_str_inner(places));
		return true;
	}
	if (!bracketed(places, &list, &behind))
		return refuse(p, places, "this does not say which axis cuts which dimension",
			"{0, 1}, or a text: \"xy->x0\"");
	for (int d = 0; d < rank && names[d] != '\0'; d++)
		sw_text_add_char(text, names[d]);
	sw_text_add(text, "->");
	for (int k = 0; k < arguments_of(list); k++) {
		int64_t dim;
		if (!read_number(p, argument_at(list, k), &dim))
			return false;
		if (dim < 0 || dim >= rank)
			return refuse(p, argument_at(list, k), "the array has no such dimension", NULL);
		sw_text_add_char(text, names[dim]);
	}
	return true;
}

static const char *dtype_of(sw_str word)
{
	static const char *const names[][2] = {{"<double>", "f64"}, {"<float>", "f32"}, {"<int>", "i32"},
		{"<int32_t>", "i32"}, {"<int64_t>", "i64"}};

	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		if (sw_str_starts(word, names[k][0]))
			return names[k][1];
	return NULL;
}

/* `A({n, n}, f)`: a type with this name. */
static bool read_tensor(struct distal_program *p, sw_str tensor, const char *dtype)
{
	sw_str name, arguments, sizes, behind;
	const struct declared *placement;
	sw_text text = {0};
	bool ok = true;

	if (!called(tensor, &name, &arguments, &behind) || !bracketed(argument_at(arguments, 0), &sizes, &behind))
		return refuse(p, tensor, "this is not a tensor", "Tensor<double> A({n, n}, f);");
	placement = placement_named(p, argument_at(arguments, 1));
	if (placement == NULL)
		return refuse(p, argument_at(arguments, 1), "there is no such format", NULL);
	if (p->tensors == NAMES_MOST)
		return refuse(p, name, "these are too many names", NULL);
	p->tensor[p->tensors++] = name;
	sw_text_addf(&text, "type %.*s = %s[", (int)name.length, name.at, dtype);
	for (int k = 0; k < arguments_of(sizes) && ok; k++) {
		int64_t size = 0;
		ok = read_number(p, argument_at(sizes, k), &size);
		sw_text_addf(&text, "%s%lld", k > 0 ? ", " : "", (long long)size);
	}
	sw_text_add(&text, "] ");
	ok = ok && print_places(p, placement->places, arguments_of(sizes), &text);
	if (ok)
		return run(p, tensor, &text);
	sw_text_free(&text);
	return false;
}

static bool read_tensors(struct distal_program *p, sw_str rest)
{
	const char *dtype = dtype_of(rest);
	const char *end = memchr(rest.at, '>', rest.length);

	if (dtype == NULL || end == NULL)
		return refuse(p, rest, "tensors are of double, float, int, int32_t or int64_t",
			"Tensor<double> A({n, n}, f);");
	rest = sw_str_behind(rest, (size_t)(end + 1 - rest.at));
	for (int k = 0; k < arguments_of(rest); k++)
		if (!read_tensor(p, argument_at(rest, k), dtype))
			return false;
	return true;
}

/* ---- the statement and its chain ---- */

static bool read_statement(struct distal_program *p, sw_str statement)
{
	sw_text text = {0};

	sw_text_add(&text, "compute ");
	for (size_t i = 0; i < statement.length; i++)
		sw_text_add_char(&text, statement.at[i] == '\n' ? ' ' : statement.at[i]);
	return run(p, statement, &text);
}

/* The tensor that a name means which is that of none as it is written. */
static const sw_str *tensor_without_case(const struct distal_program *p, sw_str name)
{
	const sw_str *found = NULL;

	for (int k = 0; k < p->tensors; k++) {
		if (sw_str_equal(p->tensor[k], name))
			return NULL;
		if (p->tensor[k].length == name.length && strncasecmp(p->tensor[k].at, name.at, name.length) == 0)
			found = &p->tensor[k];
	}
	return found;
}

/* In what is communicated or computed first, names of tensors count as they are written, and then without case. */
static void find_tensors(struct distal_program *p, char *at, const char *end)
{
	while (at < end) {
		size_t length = name_length((sw_str){at, (size_t)(end - at)});
		const sw_str *tensor = length > 0 ? tensor_without_case(p, (sw_str){at, length}) : NULL;
		if (tensor != NULL) {
			if (!p->renamed)
				answer_remark(p->import->run->session,
					"'%.*s' is read as '%.*s': case is ignored if no name matches exactly", (int)length, at,
					AS_SHOWN(*tensor));
			p->renamed = true;
			memcpy(at, tensor->at, length);
		}
		at += length > 0 ? length : 1;
	}
}

static void find_all_tensors(struct distal_program *p, sw_str chain)
{
	static const char *const commands[] = {"communicate", "precompute"};
	sw_str inside, behind;

	for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
		for (size_t at = 0; at < chain.length; at++) {
			sw_str rest = sw_str_behind(chain, at);
			if (!sw_str_starts(rest, commands[k]))
				continue;
			rest = sw_str_trim(sw_str_behind(rest, strlen(commands[k])));
			if (!bracketed(rest, &inside, &behind))
				continue;
			inside = argument_at(inside, 0);
			find_tensors(p, p->text + (inside.at - p->text), inside.at + inside.length);
		}
}

/* Takes so many letters out of a word, and puts blanks behind it. */
static void move_left(char *at, size_t length)
{
	size_t name = name_length((sw_str){at + length, strlen(at + length)});

	memmove(at, at + length, name);
	memset(at + name, ' ', length);
}

/* `m.x` is the size of axis x. */
static void find_axes(const struct distal_program *p, sw_str chain)
{
	char *at = p->text + (chain.at - p->text);

	for (size_t i = 0; p->machine.length > 0 && i + p->machine.length + 1 < chain.length; i++) {
		bool word = i == 0 || !(isalnum((unsigned char)at[i - 1]) || at[i - 1] == '_' || at[i - 1] == ')');
		if (word && memcmp(at + i, p->machine.at, p->machine.length) == 0 && at[i + p->machine.length] == '.')
			move_left(at + i, p->machine.length + 1);
	}
}

static bool read_chain(struct distal_program *p, sw_str statement, sw_str mark)
{
	sw_str chain = sw_str_trim(sw_str_behind(statement, (size_t)(mark.at + mark.length - statement.at)));

	find_axes(p, chain);
	find_all_tensors(p, chain);
	if (session_read_schedule(p->import->run->session, chain, p->diag))
		return true;
	size_t begin = (size_t)(chain.at - p->text);
	p->diag->at = (sw_span){p->diag->at.begin + begin, p->diag->at.end + begin};
	if (p->diag->also.end > 0)
		p->diag->also = (sw_span){p->diag->also.begin + begin, p->diag->also.end + begin};
	return false;
}

/* ---- all of it ---- */

static const struct {
	const char *word;
	bool (*read)(struct distal_program *p, sw_str rest);
} rows[] = {
	{"Param", read_params},
	{"Machine", read_machine},
	{"Distribution", read_distribution},
	{"Format", read_format},
	{"Tensor", read_tensors},
	{"IndexVar", NULL},
};

static sw_str find_mark(sw_str text)
{
	static const char mark[] = ".schedule()";
	const char *at = memmem(text.at, text.length, mark, sizeof mark - 1);

	return at != NULL ? (sw_str){at, sizeof mark - 1} : (sw_str){text.at, 0};
}

static bool read_any(struct distal_program *p, sw_str statement)
{
	size_t length = name_length(statement);
	sw_str mark = find_mark(statement);

	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
		if (sw_str_is((sw_str){statement.at, length}, rows[k].word))
			return rows[k].read == NULL || rows[k].read(p, sw_str_trim(sw_str_behind(statement, length)));
	if (mark.length > 0)
		return read_chain(p, statement, mark);
	if (sw_formula_begins(statement))
		return read_statement(p, statement);
	return refuse(p, (sw_str){statement.at, length > 0 ? length : 1}, "there is no such statement in a program",
		"Param, Machine, Distribution, Format, Tensor, IndexVar, a statement, and A.schedule() with its commands");
}

static bool is_program(sw_str text)
{
	return find_mark(text).length > 0 && memmem(text.at, text.length, "Machine", 7) != NULL;
}

bool import_distal(struct import *import, bool *taken, sw_diag *diag)
{
	struct distal_program p = {.import = import, .diag = diag};
	sw_str rest, statement;

	*taken = is_program(import->text);
	if (!*taken)
		return true;
	p.text = sw_arena_copy(import->run->session->arena, import->text.at, import->text.length);
	if (p.text == NULL)
		return sw_diag_memory(diag);
	blank_comments(p.text, import->text.length);
	rest = whole(&p);
	while (next_statement(&rest, &statement))
		if (statement.length > 0 && !read_any(&p, statement))
			return import_refuse(import, diag);
	document_line(import->run->answer, "a program with a schedule: `schedule` and `show loops` show it");
	return true;
}
