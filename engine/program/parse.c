/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading programs.
 *
 *     program   = "mesh" MESH "fn" NAME "(" [NAME ":" INPUT {"," NAME ":" INPUT}] ")" "->" (TYPE | "?")
 *                 "{" {statement} ["repeat" ROUNDS] "return" NAME "}"
 *     INPUT     = TYPE | "?" TYPE-WITHOUT-AXES
 *     statement = NAME "=" "spmd_op" {NAME} body "as" TYPE | NAME "=" "redistribute" NAME "as" TYPE
 *               | NAME "=" "einsum" '"' EQ '"' NAME NAME [home] | NAME "=" OP NAME [NAME] [home]
 *               | NAME "=" "compute" '"' FORMULA '"' ["every" STEPS] ["as" TYPE]
 *               | NAME "=" "compute" '"' FORMULA '"' "by" ["home"] [NUMBERS] '"' SCHEDULE '"' "as" TYPE
 *     home      = "as" (TYPE | "?")
 *
 * A type that is no tile type stands in quotes.
 *
 * Source: seed 000, listings 1 to 3.  Rules are checked as far as was read, so that the first broken one counts.
 */
#include "program/parse.h"

#include <limits.h>
#include <string.h>

#include <shardwalk/computation.h>
#include <shardwalk/schedule.h>

#include "program/body.h"
#include "program/ops.h"
#include "program/rules.h"
#include "program/typing.h"

static const sw_span parse_nowhere = {0, 0};

/* ---- words ---- */

sw_str sw_reader_peek(sw_program_reader *reader)
{
	sw_span at;
	size_t here = reader->scan.at;
	sw_str word = sw_scan_word(&reader->scan, &at);
	reader->scan.at = here;
	return word;
}

bool sw_reader_take(sw_program_reader *reader, const char *word)
{
	sw_span at;
	if (!sw_str_is(sw_reader_peek(reader), word))
		return false;
	sw_scan_word(&reader->scan, &at);
	return true;
}

bool sw_reader_expect(sw_program_reader *reader, const char *word, const char *expected)
{
	return sw_reader_take(reader, word) || sw_scan_unexpected(&reader->scan, expected, parse_nowhere);
}

/* A call that is no statement. */
static void parse_hint_elsewhere(sw_str word, sw_diag *diag)
{
	const sw_operation *row = sw_operation_of(sw_operation_named(word));
	if (row->call && !row->statement && row->elsewhere)
		sw_diag_hint(diag, "%s", row->elsewhere);
}

static bool parse_refuse_word(sw_program_reader *reader, sw_str word, sw_span at)
{
	sw_diag *diag = reader->scan.diag;
	sw_diag_set(diag, SW_A01, at, "'%.*s' is a reserved word", (int)word.length, word.at);
	sw_diag_expected(diag, "another name");
	sw_diag_found(diag, "'%.*s'", (int)word.length, word.at);
	parse_hint_elsewhere(word, diag);
	return false;
}

bool sw_reader_name(sw_program_reader *reader, const char *expected, sw_str *name, sw_span *at)
{
	sw_scan *scan = &reader->scan;
	int next = sw_scan_peek(scan);
	sw_str word;
	if (next == '"' || next == '\'')
		return sw_scan_unexpected(scan, expected, parse_nowhere);
	if (!sw_scan_name(scan, expected, parse_nowhere, &word, at))
		return false;
	if (sw_program_reserved(word))
		return parse_refuse_word(reader, word, *at);
	*name = (sw_str){reader->text.at + at->begin, word.length};
	return true;
}

bool sw_reader_new(sw_program_reader *reader, const sw_names *names, const char *expected, sw_str *name, sw_span *at)
{
	sw_diag *diag = reader->scan.diag;
	sw_span first;
	if (!sw_reader_name(reader, expected, name, at))
		return false;
	if (!sw_names_place(names, *name, &first))
		return true;
	sw_diag_set(diag, SW_A19, *at, "%s is defined twice", sw_scan_quote(*name).text);
	sw_diag_also(diag, first, "it is defined here");
	sw_diag_hint(diag, "give one of the two another name");
	return sw_rule_name(diag, SW_RULE_SYNTAX);
}

static bool parse_refuse_name(sw_program_reader *reader, const sw_names *names, sw_str name, sw_span at)
{
	sw_diag *diag = reader->scan.diag;
	sw_quote quote = sw_scan_quote(name);
	sw_str nearest = sw_names_nearest(names, name);
	sw_diag_set(diag, SW_A10, at, "%s is not defined", quote.text);
	sw_diag_expected(diag, "a name that is defined before");
	sw_diag_found(diag, "%s", quote.text);
	if (nearest.length)
		sw_diag_hint(diag, "did you mean %.*s?", (int)(nearest.length > 64 ? 64 : nearest.length), nearest.at);
	return sw_rule_name(diag, SW_RULE_VAR);
}

bool sw_reader_known(sw_program_reader *reader, const sw_names *names, int *is, sw_span *at)
{
	sw_str name;
	if (!sw_reader_name(reader, "a name that is defined before", &name, at))
		return false;
	*is = sw_names_find(names, name);
	return *is >= 0 || parse_refuse_name(reader, names, name, *at);
}

bool sw_reader_at(sw_program_reader *reader, sw_span at)
{
	if (reader->scan.diag && reader->scan.diag->at.end == 0)
		reader->scan.diag->at = at;
	return false;
}

/* What was refused in a part of the text that begins at `offset`: its end is a place, too. */
static bool parse_refuse_part(sw_program_reader *reader, size_t offset)
{
	sw_diag *diag = reader->scan.diag;
	sw_diag_shift(diag, offset);
	if (diag->at.end == 0)
		diag->at = (sw_span){offset, offset};
	return false;
}

/* ---- meshes and types, which stop where their brackets end ---- */

/* Where the bracket at `at` ends, or the end of the text. */
static size_t parse_closed(sw_str text, size_t at)
{
	long depth = 0;
	for (; at < text.length; at++) {
		char c = text.at[at];
		const char *close = c == '"' || c == '\'' ? memchr(text.at + at + 1, c, text.length - at - 1) : NULL;
		if (close)
			at = (size_t)(close - text.at);
		depth += c == '[' || c == '{';
		depth -= c == ']' || c == '}';
		if (depth == 0)
			return at + 1;
	}
	return at;
}

static size_t parse_blanks(sw_str text, size_t at)
{
	while (at < text.length && strchr(" \t\r\n", text.at[at]))
		at++;
	return at;
}

static size_t parse_type_end(sw_program_reader *reader)
{
	sw_scan scan = reader->scan;
	sw_span at;
	sw_scan_word(&scan, &at);
	if (sw_scan_peek(&scan) != '[')
		return sw_scan_next_span(&scan).end;
	size_t end = parse_closed(scan.text, scan.at), plus = parse_blanks(scan.text, end);
	if (plus >= scan.text.length || scan.text.at[plus] != '+')
		return end;
	return plus + 1 < scan.text.length && scan.text.at[plus + 1] == '{' ? parse_closed(scan.text, plus + 1) :
																		  plus + 1;
}

bool sw_reader_type(sw_program_reader *reader, sw_type *type, sw_span *at)
{
	sw_scan *scan = &reader->scan;
	sw_scan_peek(scan);
	*at = (sw_span){scan->at, parse_type_end(reader)};
	sw_str text = {scan->text.at + at->begin, at->end - at->begin};
	if (!sw_type_parse(&reader->program.mesh, text, type, scan->diag))
		return parse_refuse_part(reader, at->begin);
	scan->at = at->end;
	return true;
}

bool sw_reader_any_type(sw_program_reader *reader, sw_type *type, const sw_distribution **words, sw_span *at)
{
	sw_scan *scan = &reader->scan;
	int next = sw_scan_peek(scan);
	sw_str text;
	*words = NULL;
	if (next != '"' && next != '\'')
		return sw_reader_type(reader, type, at);
	return sw_scan_name(scan, "a type", parse_nowhere, &text, at) &&
		(sw_type_parse_any(&reader->program.mesh, text, NULL, reader->arena, type, words, scan->diag) ||
			parse_refuse_part(reader, at->begin + 1));
}

static bool parse_mesh(sw_program_reader *reader)
{
	sw_scan *scan = &reader->scan;
	if (!sw_reader_expect(reader, "mesh", "mesh, with which a program begins"))
		return false;
	int next = sw_scan_peek(scan);
	size_t begin = scan->at, end = next == '{' ? parse_closed(scan->text, begin) : sw_scan_next_span(scan).end;
	sw_str text = {scan->text.at + begin, end - begin};
	if (!sw_mesh_parse(text, &reader->program.mesh, scan->diag))
		return parse_refuse_part(reader, begin);
	scan->at = end;
	return true;
}

/* ---- the signature ---- */

static bool parse_refuse_open(sw_program_reader *reader, sw_span at)
{
	sw_diag *diag = reader->scan.diag;
	sw_diag_set(diag, SW_A01, at, "a type after '?' has no axes");
	sw_diag_expected(diag, "only sizes, such as ?[256, 1024]");
	sw_diag_hint(diag, "'?' leaves the sharding open; remove either it or the axes");
	return false;
}

static bool parse_input(sw_program_reader *reader, sw_span open)
{
	sw_scan *scan = &reader->scan;
	sw_value value = {0};
	sw_type type;
	sw_span at;
	if (!sw_reader_new(reader, &reader->names, "the name of an input", &value.name, &value.at) ||
		!sw_scan_expect(scan, ':', "':' and the type of the input", open))
		return false;
	value.open = sw_scan_take(scan, '?');
	if (!sw_reader_any_type(reader, &type, &value.words, &at))
		return false;
	if (value.open && (type.first[type.rank + 1] > 0 || value.words != NULL))
		return parse_refuse_open(reader, at);
	value.type = &type;
	return (sw_names_add_at(&reader->names, value.name, reader->program.values, value.at) &&
			   sw_typing_input(&reader->typing, &value)) ||
		sw_diag_memory(scan->diag);
}

static bool parse_arrow(sw_scan *scan)
{
	if (sw_scan_peek(scan) == '-' && scan->at + 1 < scan->text.length && scan->text.at[scan->at + 1] == '>') {
		scan->at += 2;
		return true;
	}
	return sw_scan_unexpected(scan, "'->' and the type of the result", parse_nowhere);
}

static bool parse_signature(sw_program_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_program *program = &reader->program;
	sw_span at, open;
	if (!sw_reader_expect(reader, "fn", "fn and the function") ||
		!sw_reader_name(reader, "the name of the function", &program->name, &at))
		return false;
	open = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '(', "'(' and the inputs", parse_nowhere))
		return false;
	bool more = !sw_scan_take(scan, ')');
	while (more)
		if (!parse_input(reader, open) || !sw_scan_list(scan, ')', "',' or ')' after an input", open, &more))
			return false;
	if (!parse_arrow(scan))
		return false;
	program->result_open = sw_scan_take(scan, '?');
	return program->result_open || sw_reader_any_type(reader, &reader->result, &reader->result_words, &at);
}

/* ---- statements ---- */

/* Adds the step that is being read. */
static bool parse_add_step(sw_program_reader *reader, const sw_step *step, const sw_value *value, sw_span at)
{
	return sw_typing_step(&reader->typing, step, value, reader->scan.diag) >= 0 || sw_reader_at(reader, at);
}

/* The type behind `as`. */
static bool parse_home(sw_program_reader *reader)
{
	const sw_distribution *words;
	sw_type type;
	sw_span at;
	return sw_reader_any_type(reader, &type, &words, &at) &&
		(sw_typing_keep(&reader->typing, &type, words, reader->scan.diag) >= 0 || sw_reader_at(reader, at));
}

/* Steps over `as ?`, where it comes next. */
static bool parse_take_open(sw_program_reader *reader)
{
	size_t here = reader->scan.at;
	if (sw_reader_take(reader, "as") && sw_scan_take(&reader->scan, '?'))
		return true;
	reader->scan.at = here;
	return false;
}

/* The operands, and `as ?`: where the home is left open the operands may be redistributed, so that their sizes alone count. */
static bool parse_operands(sw_program_reader *reader, sw_step *step, sw_value *value)
{
	sw_span at, all = sw_scan_next_span(&reader->scan);
	for (; step->operands < sw_operation_of(step->op)->operands; step->operands++)
		if (!sw_reader_known(reader, &reader->names, &step->operand[step->operands], &at))
			return false;
	all.end = reader->scan.at;
	value->open = parse_take_open(reader);
	return parse_add_step(reader, step, value, all);
}

static bool parse_elementwise(sw_program_reader *reader, sw_step *step, sw_value *value)
{
	return parse_operands(reader, step, value) && (!sw_reader_take(reader, "as") || parse_home(reader));
}

static bool parse_einsum(sw_program_reader *reader, sw_step *step, sw_value *value)
{
	sw_equation *equation = SW_NEW(reader->arena, sw_equation, 1);
	sw_scan *scan = &reader->scan;
	int next = sw_scan_peek(scan);
	sw_str text;
	sw_span at;
	if (next != '"' && next != '\'')
		return sw_scan_unexpected(scan, "an equation in quotes, such as \"ij,jk->ik\"", parse_nowhere);
	if (!sw_scan_name(scan, "an equation", parse_nowhere, &text, &at))
		return false;
	if (!equation)
		return sw_diag_memory(scan->diag);
	if (!sw_equation_parse(text, equation, scan->diag))
		return parse_refuse_part(reader, at.begin + 1);
	step->equation = equation;
	return parse_elementwise(reader, step, value);
}

static bool parse_redistribute(sw_program_reader *reader, sw_step *step, sw_value *value)
{
	sw_type type;
	sw_span at;
	step->operands = 1;
	if (!sw_reader_known(reader, &reader->names, &step->operand[0], &at) ||
		!sw_reader_expect(reader, "as", "as and the type of the result") ||
		!sw_reader_any_type(reader, &type, &value->words, &at))
		return false;
	value->type = &type;
	return parse_add_step(reader, step, value, at);
}

static bool parse_refuse_operands(sw_program_reader *reader)
{
	sw_diag *diag = reader->scan.diag;
	sw_diag_set(diag, SW_A11, sw_scan_next_span(&reader->scan), "more than %d operands", SW_MAX_OPERANDS);
	sw_diag_expected(diag, "at most %d", SW_MAX_OPERANDS);
	return sw_rule_name(diag, SW_RULE_ARGS);
}

static bool parse_spmd(sw_program_reader *reader, sw_step *step, sw_value *value)
{
	sw_scan *scan = &reader->scan;
	sw_type as;
	sw_span at;
	while (sw_scan_peek(scan) != '(') {
		if (step->operands == SW_MAX_OPERANDS)
			return parse_refuse_operands(reader);
		if (!sw_reader_known(reader, &reader->names, &step->operand[step->operands], &at))
			return false;
		step->operands++;
	}
	sw_program *body = SW_NEW(reader->arena, sw_program, 1);
	if (!body)
		return sw_diag_memory(scan->diag);
	step->body = body;
	if (!sw_reader_body(reader, step, body) || !sw_reader_expect(reader, "as", "as and the type of the result") ||
		!sw_reader_type(reader, &as, &at))
		return false;
	body->result = sw_typing_share(&reader->typing, &as);
	return body->result ? parse_add_step(reader, step, value, at) : sw_diag_memory(scan->diag);
}

/* ---- formulas ---- */

/* A formula while it is read: its text begins at `begin`. */
typedef struct parse_formula {
	sw_formula formula;
	size_t begin;
	int *of; /* the value of each array; -1: the left side, which is new */
	sw_array_type *type;
	int64_t times; /* in a row */
} parse_formula;

static bool parse_refuse_left(sw_program_reader *reader, const parse_formula *f, sw_str name)
{
	sw_diag *diag = reader->scan.diag;
	const sw_formula_array *left = &f->formula.array[0];
	sw_diag_set(diag, SW_F18, left->at, "the formula makes %s, and the statement %.*s",
		sw_scan_quote(left->name).text, (int)name.length, name.at);
	sw_diag_expected(diag, "one name for both; the left side of `+=` is the old value");
	return parse_refuse_part(reader, f->begin);
}

static bool parse_array(sw_program_reader *reader, parse_formula *f, int k)
{
	const sw_formula_array *array = &f->formula.array[k];
	int is = sw_names_find(&reader->names, array->name);
	const sw_value *value = is >= 0 ? &reader->program.value[is] : NULL;
	f->of[k] = is;
	if (is < 0) {
		parse_refuse_name(reader, &reader->names, array->name, array->at);
		return parse_refuse_part(reader, f->begin);
	}
	if (value->open) {
		sw_diag_set(reader->scan.diag, SW_A10, array->at, "the type of %s is not chosen yet",
			sw_scan_quote(array->name).text);
		sw_diag_hint(reader->scan.diag, "a formula needs given types");
		return parse_refuse_part(reader, f->begin);
	}
	f->type[k] = (sw_array_type){.known = true, .type = *value->type, .words = value->words};
	return true;
}

/* A number of 1 or more behind a word, which may be missing. */
static bool parse_number(sw_program_reader *reader, const char *word, int64_t *number)
{
	return !sw_reader_take(reader, word) || sw_scan_number(&reader->scan, "a number", 1, INT64_MAX, number);
}

/* The arrays of the formula are values that are there; the left side is what the statement makes. */
static bool parse_arrays(sw_program_reader *reader, parse_formula *f, sw_value *value)
{
	f->of = SW_NEW(reader->arena, int, f->formula.arrays);
	f->type = SW_NEW_ZERO(reader->arena, sw_array_type, f->formula.arrays);
	if (!f->of || !f->type)
		return sw_diag_memory(reader->scan.diag);
	f->of[0] = -1;
	if (!f->formula.adds && !sw_str_equal(f->formula.array[0].name, value->name))
		return parse_refuse_left(reader, f, value->name);
	for (int k = f->formula.adds ? 0 : 1; k < f->formula.arrays; k++)
		if (!parse_array(reader, f, k))
			return false;
	return true;
}

/* What stands behind the formula. */
static bool parse_behind(sw_program_reader *reader, parse_formula *f, sw_value *value)
{
	if (!parse_number(reader, "every", &f->times))
		return false;
	value->given = sw_reader_take(reader, "as");
	f->type[0].known |= value->given;
	sw_span at;
	return !value->given || sw_reader_any_type(reader, &f->type[0].type, &f->type[0].words, &at);
}

/* Numbers that the schedule has names for: `{chunk: 3}`. */
static bool parse_schedule_numbers(sw_program_reader *reader, sw_schedule_problem *problem)
{
	sw_scan *scan = &reader->scan;
	sw_schedule_number *number = NULL;
	bool more = sw_scan_take(scan, '{');
	int room = 0;
	sw_span at;
	while (more) {
		if (!SW_GROW(reader->arena, number, problem->numbers, room, 4))
			return sw_diag_memory(scan->diag);
		sw_schedule_number *next = &number[problem->numbers++];
		if (!sw_scan_name(scan, "the name of a number", parse_nowhere, &next->name, &at) ||
			!sw_scan_expect(scan, ':', "':' and a number", parse_nowhere) ||
			!sw_scan_number(scan, "a number", INT64_MIN, INT64_MAX, &next->value) ||
			!sw_scan_list(scan, '}', "',' or '}'", parse_nowhere, &more))
			return false;
	}
	problem->number = number;
	return true;
}

/* The arrays of a schedule, as devices have them. */
static bool parse_schedule_arrays(sw_program_reader *reader, const parse_formula *f, sw_schedule_array **out)
{
	const sw_formula *formula = &f->formula;
	sw_schedule_array *array = SW_NEW_ZERO(reader->arena, sw_schedule_array, formula->arrays);
	sw_holding *home = SW_NEW(reader->arena, sw_holding, formula->arrays);
	if (!array || !home)
		return sw_diag_memory(reader->scan.diag);
	for (int k = 0; k < formula->arrays; k++) {
		const sw_array_type *is = &f->type[k];
		array[k] = (sw_schedule_array){.name = formula->array[k].name, .rank = is->type.rank, .home = &home[k]};
		memcpy(array[k].size, is->type.global, sizeof array[k].size);
		if (!sw_holding_of_any(&reader->program.mesh, &is->type, is->words, NULL, reader->arena, &home[k]))
			return sw_diag_memory(reader->scan.diag);
	}
	*out = array;
	return true;
}

/* The loop of a schedule over the arrays of a formula. */
static const sw_lowering *parse_lowering(sw_program_reader *reader, const parse_formula *f, sw_str text, sw_str chain,
	size_t begin, sw_schedule_problem *problem)
{
	sw_diag *diag = reader->scan.diag;
	sw_schedule_problem read;
	sw_schedule_array *array = NULL;
	sw_mesh *mesh = SW_NEW(reader->arena, sw_mesh, 1);
	if (!mesh || !parse_schedule_arrays(reader, f, &array)) {
		sw_diag_memory(diag);
		return NULL;
	}
	*mesh = reader->program.mesh;
	if (!sw_schedule_problem_of(text, mesh, array, f->formula.arrays, reader->arena, &read, diag)) {
		parse_refuse_part(reader, f->begin);
		return NULL;
	}
	read.numbers = problem->numbers;
	read.number = problem->number;
	read.from_home = problem->from_home;
	*problem = read;
	const sw_schedule *schedule = sw_schedule_new(problem, reader->arena);
	schedule = schedule && chain.length ? sw_schedule_read(schedule, chain, reader->arena, NULL, diag) : schedule;
	const sw_lowering *lowering = schedule ? sw_lowering_of(schedule, reader->arena, diag) : NULL;
	if (!lowering)
		parse_refuse_part(reader, begin);
	return lowering;
}

/* `by ".distribute(i)" as TYPE` behind a formula. */
static bool parse_by_schedule(sw_program_reader *reader, parse_formula *f, sw_str text, sw_value *value)
{
	sw_scan *scan = &reader->scan;
	sw_schedule_problem *problem = SW_NEW_ZERO(reader->arena, sw_schedule_problem, 1);
	sw_str chain;
	sw_span at;
	if (!problem)
		return sw_diag_memory(scan->diag);
	problem->from_home = sw_reader_take(reader, "home");
	if (!parse_schedule_numbers(reader, problem) ||
		!sw_scan_name(scan, "a schedule in quotes, such as \".distribute(i)\"", parse_nowhere, &chain, &at))
		return false;
	size_t begin = at.begin + 1;
	if (!sw_reader_expect(reader, "as", "'as' and the type of the left side") ||
		!sw_reader_any_type(reader, &f->type[0].type, &f->type[0].words, &at))
		return false;
	value->given = true;
	const sw_lowering *lowering = parse_lowering(reader, f, text, chain, begin, problem);
	return lowering &&
		(sw_typing_schedule(&reader->typing, lowering, f->of, at, value, &f->type[0], scan->diag) >= 0 ||
			sw_reader_at(reader, at));
}

static bool parse_compute(sw_program_reader *reader, sw_step *step, sw_value *value)
{
	sw_scan *scan = &reader->scan;
	parse_formula f = {.of = NULL};
	int next = sw_scan_peek(scan);
	sw_str text;
	sw_span at;
	(void)step;
	if (next != '"' && next != '\'')
		return sw_scan_unexpected(scan, "a formula in quotes, such as \"y[i] = x[i-1] + x[i+1]\"", parse_nowhere);
	if (!sw_scan_name(scan, "a formula", parse_nowhere, &text, &at))
		return false;
	f.begin = at.begin + 1;
	if (!sw_formula_parse(text, reader->files, reader->arena, &f.formula, scan->diag))
		return parse_refuse_part(reader, f.begin);
	if (!parse_arrays(reader, &f, value))
		return false;
	if (sw_reader_take(reader, "by"))
		return parse_by_schedule(reader, &f, text, value);
	if (!parse_behind(reader, &f, value))
		return false;
	const sw_computation *computation = sw_computation_new(&reader->program.mesh, &f.formula, f.type, reader->pulse,
		reader->arena, scan->diag);
	if (!computation && !f.type[0].known && scan->diag && scan->diag->code == SW_F02)
		sw_diag_hint(scan->diag,
			"`as TYPE` after the formula gives its type; `on x` in it computes it where x[i] is held");
	if (!computation)
		return parse_refuse_part(reader, f.begin);
	sw_computation_pulse(computation, NULL);
	return sw_typing_formula(&reader->typing, computation, f.times, f.of, at, value, scan->diag) >= 0 ||
		sw_reader_at(reader, at);
}

static bool parse_refuse_operation(sw_program_reader *reader)
{
	sw_str word = sw_reader_peek(reader);
	sw_text expected = {0};
	sw_text_add(&expected, "an operation: ");
	sw_operations_list(false, &expected);
	sw_scan_unexpected(&reader->scan, sw_text_get(&expected), parse_nowhere);
	sw_text_free(&expected);
	parse_hint_elsewhere(word, reader->scan.diag);
	return false;
}

/* Asked now and then, at the statement that comes next. */
static bool parse_goes_on(sw_program_reader *reader)
{
	enum { OFTEN = 1024 };
	sw_scan *scan = &reader->scan;
	if (reader->statements % OFTEN != OFTEN - 1 ||
		sw_pulse_beat(reader->pulse, "bytes", (long long)scan->at, (long long)scan->text.length))
		return true;
	return sw_diag_set(scan->diag, SW_S03, sw_scan_next_span(scan), "stopped after %d statements",
		reader->statements);
}

typedef bool read_operands(sw_program_reader *, sw_step *, sw_value *);

/* What stands behind the word. */
static read_operands *const readers[SW_MAKINGS] = {
	[SW_MADE_BY_PLAN] = parse_redistribute,
	[SW_MADE_BY_BODY] = parse_spmd,
	[SW_MADE_BY_PRODUCT] = parse_einsum,
	[SW_MADE_BY_ELEMENT] = parse_elementwise,
	[SW_MADE_BY_FORMULA] = parse_compute,
};

static bool parse_statement(sw_program_reader *reader)
{
	sw_scan *scan = &reader->scan;
	sw_program *program = &reader->program;
	sw_value value = {0};
	sw_step step = {0};
	sw_span at;
	int first = program->steps;
	if (!sw_reader_new(reader, &reader->names, "a statement, or return", &value.name, &value.at) ||
		!sw_scan_expect(scan, '=', "'=' and an operation", parse_nowhere))
		return false;
	step.op = sw_operation_named(sw_reader_peek(reader));
	if (!sw_operation_of(step.op)->statement)
		return parse_refuse_operation(reader);
	sw_scan_word(scan, &at);
	if (!readers[sw_operation_of(step.op)->made](reader, &step, &value))
		return false;
	for (int s = first; s < program->steps; s++)
		program->step[s].at = (sw_span){value.at.begin, scan->at};
	reader->statements++;
	return sw_names_add_at(&reader->names, value.name, program->values - 1, value.at) || sw_diag_memory(scan->diag);
}

/* `repeat 5`, behind the statements that are.  It is no word of the language: a value may have that name. */
static bool parse_repeats(sw_program_reader *reader)
{
	size_t here = reader->scan.at;
	bool word = sw_reader_take(reader, "repeat");
	int next = sw_scan_peek(&reader->scan);
	reader->scan.at = here;
	return word && next >= '0' && next <= '9';
}

/* What a round brings becomes the first input of the next one. */
static bool parse_check_rounds(const sw_program_reader *reader, sw_span at)
{
	const sw_program *program = &reader->program;
	sw_diag *diag = reader->scan.diag;
	const sw_value *first = &program->value[0], *last = &program->value[sw_program_brings(program)];
	if (!sw_program_repeats(program) ||
		(program->inputs > 0 && !first->open && !last->open &&
			sw_type_same_any(&program->mesh, first->type, first->words, last->type, last->words)))
		return true;
	sw_diag_set(diag, SW_A18, at, "%s becomes the first input of the next round, but has a different type",
		program->loop > 0 ? "the result of the last statement before `repeat`" : "what is returned");
	sw_diag_hint(diag, "redistribute it to the type of the first input%s",
		program->loop > 0 ? "" : ", and return that");
	return sw_rule_name(diag, SW_RULE_RETURN);
}

static bool parse_return(sw_program_reader *reader)
{
	const sw_type *result = reader->program.result_open ? NULL : &reader->result;
	sw_span at;
	int returned;
	if (!sw_reader_known(reader, &reader->names, &returned, &at))
		return false;
	return (sw_typing_return(&reader->typing, returned, result, reader->result_words, false, reader->scan.diag) ||
			   sw_reader_at(reader, at)) &&
		parse_check_rounds(reader, at);
}

/* ---- the whole ---- */

/* The rule of what the readers of meshes and types refuse. */
static const char *parse_rule(const sw_diag *diag, sw_str text)
{
	size_t from = diag->also.end < diag->at.begin ? diag->also.end : diag->at.begin;
	switch (diag->code) {
	case SW_M02:
	case SW_M03:
	case SW_M04:
	case SW_M05:
		return SW_RULE_MESH;
	case SW_T02:
	case SW_T04:
	case SW_T08:
		return SW_RULE_DIM;
	case SW_T03:
		return memchr(text.at + from, '}', diag->at.begin - from) ? SW_RULE_TYPE : SW_RULE_DIM;
	case SW_T10:
		return SW_RULE_TYPE;
	case SW_E01:
	case SW_S03:
		return NULL;
	default:
		return SW_RULE_SYNTAX;
	}
}

/* The statements before `repeat` are its rounds; where others follow, what the last one made is what a round brings. */
static bool parse_rounds(sw_program_reader *reader)
{
	sw_program *program = &reader->program;
	size_t here = reader->scan.at;
	if (!parse_number(reader, "repeat", &program->rounds))
		return false;
	sw_span at = {here, reader->scan.at};
	here = reader->scan.at;
	bool ends = sw_reader_take(reader, "return");
	reader->scan.at = here;
	if (ends || program->steps == 0)
		return true;
	program->loop = program->steps;
	program->brings = program->values - 1;
	return parse_check_rounds(reader, at);
}

static bool parse_statements(sw_program_reader *reader)
{
	bool repeats = false;
	while (!sw_reader_take(reader, "return")) {
		bool rounds = !repeats && parse_repeats(reader);
		if (rounds ? !parse_rounds(reader) : !parse_goes_on(reader) || !parse_statement(reader))
			return false;
		repeats |= rounds;
	}
	return true;
}

static bool parse_all(sw_program_reader *reader)
{
	sw_scan *scan = &reader->scan;
	if (!parse_mesh(reader) || !parse_signature(reader))
		return false;
	sw_span open = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '{', "'{' and the statements", parse_nowhere))
		return false;
	if (!parse_statements(reader))
		return false;
	if (!parse_return(reader) || !sw_scan_expect(scan, '}', "'}' after what is returned", open) ||
		!sw_scan_finish(scan, "program"))
		return false;
	return sw_typing_finish(&reader->typing, scan->diag);
}

/* The text with blanks for comments, which begin at # or // outside quotes and end with the line. */
static char *parse_without_comments(sw_str text, sw_arena *arena)
{
	char *out = sw_arena_copy(arena, text.at, text.length), quote = 0;
	bool comment = false;
	for (size_t i = 0; out && i < text.length; i++) {
		char c = out[i];
		bool begins = c == '#' || (c == '/' && i + 1 < text.length && out[i + 1] == '/');
		if (c == '\n') {
			comment = false;
			quote = 0;
		} else if (comment || (!quote && begins)) {
			comment = true;
			out[i] = ' ';
		} else if (c == '"' || c == '\'') {
			quote = quote == c ? 0 : quote ? quote : c;
		}
	}
	return out;
}

/* Each statement has a sign of its own, and no fewer letters than these. */
static int parse_most_values(sw_str plain)
{
	enum { SHORTEST = 8, FEW = 16 };
	size_t signs = 0, most = plain.length / SHORTEST;
	for (size_t i = 0; i < plain.length; i++)
		signs += plain.at[i] == '=';
	most = signs < most ? signs : most;
	return FEW + (most < INT_MAX / 2 ? (int)most : INT_MAX / 2);
}

bool sw_program_parse(sw_str text, const sw_pulse *pulse, sw_arena *arena, sw_program *program, sw_diag *diag)
{
	return sw_program_parse_with(text, NULL, pulse, arena, program, diag);
}

bool sw_program_parse_with(sw_str text, const sw_file_reader *files, const sw_pulse *pulse, sw_arena *arena,
	sw_program *program, sw_diag *diag)
{
	sw_diag own;
	sw_program_reader reader = {.text = text,
		.arena = arena,
		.pulse = pulse,
		.files = files,
		.typing = {.arena = arena}};
	char *plain = parse_without_comments(text, arena);
	diag = diag ? diag : &own;
	if (!plain)
		return sw_diag_memory(diag);
	reader.scan = (sw_scan){.text = {plain, text.length}, .syntax = SW_A01, .diag = diag};
	sw_names_start(&reader.names, arena);
	reader.typing.program = &reader.program;
	reader.typing.likely = parse_most_values(reader.scan.text);
	reader.program.text = text;
	if (parse_all(&reader)) {
		*program = reader.program;
		return true;
	}
	diag->rule = diag->rule ? diag->rule : parse_rule(diag, text);
	return false;
}

/* ---- is it one? ---- */

/* What is left behind blanks and comments. */
static sw_str parse_behind_comments(sw_str text)
{
	for (;;) {
		text = sw_str_trim(text);
		bool comment = sw_str_starts(text, "#") || sw_str_starts(text, "//");
		const char *end = comment ? memchr(text.at, '\n', text.length) : NULL;
		if (!end)
			return comment ? (sw_str){"", 0} : text;
		text = (sw_str){end, text.length - (size_t)(end - text.at)};
	}
}

static bool parse_starts_word(sw_str text, const char *word)
{
	size_t length = strlen(word);
	return sw_str_starts(text, word) && text.length > length && strchr(" \t\r\n{", text.at[length]);
}

bool sw_program_is(sw_str text)
{
	text = parse_behind_comments(text);
	const char *end = parse_starts_word(text, "mesh") ? memchr(text.at, '}', text.length) : NULL;
	if (!end)
		return false;
	size_t mesh = (size_t)(end + 1 - text.at);
	return parse_starts_word(parse_behind_comments((sw_str){end + 1, text.length - mesh}), "fn");
}
