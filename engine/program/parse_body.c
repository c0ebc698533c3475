/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the bodies of programs.
 *
 *     body = "(" [NAME ":" TILE {"," NAME ":" TILE}] ")" "{" {NAME "=" call} "return" call "}"
 *     call = NAME | "(" call ")" | (matmul | OP) NAME [NAME] [":" TILE]
 */
#include "program/parse.h"

#include <string.h>

#include "program/body.h"
#include "program/ops.h"
#include "program/rules.h"

static const sw_size_words body_size_words = {"size of a tile", SW_T05, SW_L12, INT64_MAX};

typedef struct body_reader {
	sw_program_reader *program;
	const sw_step *step;
	sw_names names;
	sw_program *body;
	sw_typing typing;
} body_reader;

/* ---- tiles ---- */

static bool body_refuse_rank(sw_scan *scan)
{
	sw_diag_set(scan->diag, SW_T06, sw_scan_next_span(scan), "the tile has more than %d dimensions", SW_MAX_DIMS);
	sw_diag_expected(scan->diag, "at most %d dimensions", SW_MAX_DIMS);
	return false;
}

/* Reads `[8, 1024]`. */
static bool body_read_tile(sw_scan *scan, sw_type *tile, sw_span *at)
{
	sw_span open = sw_scan_next_span(scan), sized;
	int64_t size[SW_MAX_DIMS];
	int rank = 0;
	if (!sw_scan_expect(scan, '[', "a tile such as [8, 1024]", (sw_span){0, 0}))
		return false;
	bool more = !sw_scan_take(scan, ']');
	while (more) {
		if (rank == SW_MAX_DIMS)
			return body_refuse_rank(scan);
		if (!sw_scan_size(scan, body_size_words, open, &size[rank++], &sized) ||
			!sw_scan_list(scan, ']', "',' or ']' after a size", open, &more))
			return false;
	}
	*tile = sw_body_tile(size, rank);
	*at = (sw_span){open.begin, scan->at};
	return true;
}

/* ---- parameters ---- */

static bool body_name(body_reader *reader, sw_str name, int value, sw_span at)
{
	return sw_names_add_at(&reader->names, name, value, at) || sw_diag_memory(reader->program->scan.diag);
}

static bool body_refuse_number(body_reader *reader, sw_span at)
{
	sw_diag *diag = reader->program->scan.diag;
	int operands = reader->step->operands;
	bool more = reader->body->inputs >= operands;
	sw_diag_set(diag, SW_A11, at,
		more ? "the body has more parameters than the %d operand%s" :
			   "the body has fewer parameters than the %d operand%s",
		operands, operands == 1 ? "" : "s");
	sw_diag_expected(diag, "%d, one for each operand", operands);
	sw_diag_found(diag, more ? "one more" : "%d", reader->body->inputs);
	return sw_rule_name(diag, SW_RULE_ARGS);
}

static bool body_read_parameter(body_reader *reader, sw_span open)
{
	sw_program_reader *program = reader->program;
	sw_scan *scan = &program->scan;
	int number = reader->body->inputs;
	sw_value parameter = {0};
	sw_type tile;
	sw_span at;
	if (!sw_reader_new(program, &reader->names, "the name of a parameter", &parameter.name, &parameter.at))
		return false;
	if (number == reader->step->operands)
		return body_refuse_number(reader, parameter.at);
	if (!sw_scan_expect(scan, ':', "':' and the tile of the parameter", open) || !body_read_tile(scan, &tile, &at))
		return false;
	parameter.type = &tile;
	const sw_value *value = &program->program.value[reader->step->operand[number]];
	if (!sw_body_check_parameter(&program->program.mesh, value->type, value->open, &parameter, scan->diag))
		return sw_reader_at(program, at);
	return body_name(reader, parameter.name, number, parameter.at) &&
		(sw_typing_input(&reader->typing, &parameter) || sw_diag_memory(scan->diag));
}

static bool body_read_parameters(body_reader *reader)
{
	sw_scan *scan = &reader->program->scan;
	sw_span open = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '(', "'(' and the parameters of the body", (sw_span){0, 0}))
		return false;
	bool more = !sw_scan_take(scan, ')');
	while (more)
		if (!body_read_parameter(reader, open) ||
			!sw_scan_list(scan, ')', "',' or ')' after a parameter", open, &more))
			return false;
	return reader->body->inputs == reader->step->operands ||
		body_refuse_number(reader, (sw_span){scan->at - 1, scan->at});
}

/* ---- calls ---- */

static bool body_refuse_tile(body_reader *reader, const sw_type *written, const sw_type *made, sw_span at)
{
	sw_diag *diag = reader->program->scan.diag;
	sw_text text[2] = {{0}, {0}};
	sw_type_print_tile(written->tile, written->rank, &text[0]);
	sw_type_print_tile(made->tile, made->rank, &text[1]);
	sw_diag_set(diag, SW_A14, at,
		"the text says %s, but the result is "
		"%s",
		sw_text_get(&text[0]), sw_text_get(&text[1]));
	sw_diag_expected(diag, "%s", sw_text_get(&text[1]));
	sw_diag_found(diag, "%s", sw_text_get(&text[0]));
	sw_text_free(&text[0]);
	sw_text_free(&text[1]);
	return sw_rule_name(diag, SW_RULE_ASCRIBE);
}

/* What follows the word of an operation. */
static bool body_read_operation(body_reader *reader, sw_step *call, sw_str name)
{
	sw_program_reader *program = reader->program;
	sw_scan *scan = &program->scan;
	sw_type written;
	sw_span at;
	for (; call->operands < sw_operation_of(call->op)->operands; call->operands++)
		if (!sw_reader_known(program, &reader->names, &call->operand[call->operands], &at))
			return false;
	call->at.end = scan->at;
	int made = sw_body_call(&reader->typing, call, name, scan->diag);
	if (made < 0)
		return sw_reader_at(program, call->at);
	if (!sw_scan_take(scan, ':'))
		return true;
	if (!body_read_tile(scan, &written, &at))
		return false;
	const sw_type *tile = reader->body->value[made].type;
	bool same = written.rank == tile->rank &&
		memcmp(written.tile, tile->tile, (size_t)tile->rank * sizeof(*tile->tile)) == 0;
	return same || body_refuse_tile(reader, &written, tile, at);
}

static bool body_refuse_operation(body_reader *reader, sw_op op)
{
	sw_scan *scan = &reader->program->scan;
	sw_text expected = {0};
	sw_text_add(&expected, "a parameter, an earlier name, or ");
	sw_operations_list(true, &expected);
	sw_scan_unexpected(scan, sw_text_get(&expected), (sw_span){0, 0});
	sw_text_free(&expected);
	if (sw_operation_of(op)->elsewhere)
		sw_diag_hint(scan->diag, "%s", sw_operation_of(op)->elsewhere);
	return false;
}

/* Reads a call; `*is`: the value that it is, a new one where it is no name, which is then called `name`. */
static bool body_read_call(body_reader *reader, sw_str name, int *is)
{
	sw_program_reader *program = reader->program;
	sw_span at, open = {0, 0};
	int depth = 0;
	while (sw_scan_peek(&program->scan) == '(') {
		open = sw_scan_next_span(&program->scan);
		sw_scan_take(&program->scan, '(');
		depth++;
	}
	sw_op op = sw_operation_named(sw_reader_peek(program));
	sw_step call = {.op = op, .equation = sw_operation_of(op)->equation};
	call.at = sw_scan_next_span(&program->scan);
	if (op == SW_OP_COUNT) {
		if (!sw_reader_known(program, &reader->names, is, &at))
			return false;
	} else {
		if (!sw_operation_of(op)->call)
			return body_refuse_operation(reader, op);
		sw_scan_word(&program->scan, &at);
		*is = reader->body->values;
		if (!body_read_operation(reader, &call, name))
			return false;
	}
	while (depth-- > 0)
		if (!sw_scan_expect(&program->scan, ')', "')' after the call", open))
			return false;
	return true;
}

static bool body_read_assignment(body_reader *reader)
{
	sw_program_reader *program = reader->program;
	sw_str name;
	sw_span at;
	int is = 0;
	return sw_reader_new(program, &reader->names, "a name, or return", &name, &at) &&
		sw_scan_expect(&program->scan, '=', "'=' and a call", (sw_span){0, 0}) && body_read_call(reader, name, &is) &&
		body_name(reader, name, is, at);
}

bool sw_reader_body(sw_program_reader *program, const sw_step *step, sw_program *body)
{
	body_reader reader = {.program = program,
		.step = step,
		.body = body,
		.typing = {.program = body, .arena = program->arena, .likely = 8}};
	sw_scan *scan = &program->scan;
	sw_body_start(body);
	sw_names_start(&reader.names, program->arena);
	if (!body_read_parameters(&reader))
		return false;
	sw_span open = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '{', "'{' and the body", (sw_span){0, 0}))
		return false;
	while (!sw_reader_take(program, "return"))
		if (!body_read_assignment(&reader))
			return false;
	return body_read_call(&reader, (sw_str){0}, &body->returned) &&
		sw_scan_expect(scan, '}', "'}' after what is returned", open);
}
