/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the bodies of programs.
 *
 *     body = "(" [NAME ":" TILE {"," NAME ":" TILE}] ")" "{" {NAME "=" call} "return" call "}"
 *     call = NAME | "(" call ")" | (matmul | OP) NAME [NAME] [":" TILE]
 */
#include "program/parse.h"

#include <string.h>

#include "base/room.h"
#include "program/body.h"
#include "program/ops.h"
#include "program/rules.h"

static const sw_size_words body_size_words = {"size of a tile", SW_T05, SW_L12, INT64_MAX};

typedef struct body_reader {
	sw_program_reader *program;
	const sw_program_statement *statement;
	sw_names names;
	sw_local *local;
	int count, room;
} body_reader;

/* ---- tiles ---- */

static bool body_refuse_rank(sw_scan *scan)
{
	sw_diag_set(scan->diag, SW_T06, sw_scan_next_span(scan), "the tile has more than %d dimensions", SW_MAX_DIMS);
	sw_diag_expected(scan->diag, "at most %d dimensions", SW_MAX_DIMS);
	return false;
}

/* Reads `[8, 1024]` into the tile of `local`. */
static bool body_read_tile(sw_scan *scan, sw_local *local, sw_span *at)
{
	sw_span open = sw_scan_next_span(scan), sized;
	if (!sw_scan_expect(scan, '[', "a tile such as [8, 1024]", (sw_span){0, 0}))
		return false;
	bool more = !sw_scan_take(scan, ']');
	local->rank = 0;
	while (more) {
		if (local->rank == SW_MAX_DIMS)
			return body_refuse_rank(scan);
		if (!sw_scan_size(scan, body_size_words, open, &local->tile[local->rank++], &sized) ||
			!sw_scan_list(scan, ']', "',' or ']' after a size", open, &more))
			return false;
	}
	*at = (sw_span){open.begin, scan->at};
	return true;
}

/* ---- parameters ---- */

static bool body_add(body_reader *reader, const sw_local *local)
{
	sw_program_reader *program = reader->program;
	if (!SW_GROW(program->arena, reader->local, reader->count, reader->room, 8))
		return sw_diag_memory(program->scan.diag);
	reader->local[reader->count++] = *local;
	return true;
}

static bool body_name(body_reader *reader, sw_str name, int local, sw_span at)
{
	return sw_names_add_at(&reader->names, name, local, at) || sw_diag_memory(reader->program->scan.diag);
}

static bool body_refuse_number(body_reader *reader, sw_span at)
{
	sw_diag *diag = reader->program->scan.diag;
	int operands = reader->statement->count;
	bool more = reader->count >= operands;
	sw_diag_set(diag, SW_A11, at,
		more ? "the body has more parameters than the %d operand%s" :
			   "the body has fewer parameters than the %d operand%s",
		operands, operands == 1 ? "" : "s");
	sw_diag_expected(diag, "%d, one for each operand", operands);
	sw_diag_found(diag, more ? "one more" : "%d", reader->count);
	return sw_rule_name(diag, SW_RULE_ARGS);
}

static bool body_read_parameter(body_reader *reader, sw_span open)
{
	sw_program_reader *program = reader->program;
	sw_scan *scan = &program->scan;
	sw_local local = {.op = SW_DO_COUNT, .uses = 1u << (reader->count & 31)};
	sw_span tile;
	if (!sw_reader_new(program, &reader->names, "the name of a parameter", &local.name, &local.at))
		return false;
	if (reader->count == reader->statement->count)
		return body_refuse_number(reader, local.at);
	if (!sw_scan_expect(scan, ':', "':' and the tile of the parameter", open) || !body_read_tile(scan, &local, &tile))
		return false;
	const sw_program_value *value = &program->program.value[reader->statement->operand[reader->count]];
	if (!sw_body_check_parameter(&program->program.mesh, &value->home, value->open, &local, scan->diag))
		return sw_reader_at(program, tile);
	return body_name(reader, local.name, reader->count, local.at) && body_add(reader, &local);
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
	return reader->count == reader->statement->count || body_refuse_number(reader, (sw_span){scan->at - 1, scan->at});
}

/* ---- calls ---- */

static bool body_refuse_tile(body_reader *reader, const sw_local *written, const sw_local *made, sw_span at)
{
	sw_diag *diag = reader->program->scan.diag;
	sw_text text[2] = {{0}, {0}};
	sw_type_print_tile(written->tile, written->rank, &text[0]);
	sw_type_print_tile(made->tile, made->rank, &text[1]);
	sw_diag_set(diag, SW_A14, at, "%s is written, %s computed", sw_text_get(&text[0]), sw_text_get(&text[1]));
	sw_diag_expected(diag, "%s", sw_text_get(&text[1]));
	sw_diag_found(diag, "%s", sw_text_get(&text[0]));
	sw_text_free(&text[0]);
	sw_text_free(&text[1]);
	return sw_rule_name(diag, SW_RULE_ASCRIBE);
}

/* What follows the word of an operation. */
static bool body_read_operation(body_reader *reader, sw_local *call)
{
	sw_program_reader *program = reader->program;
	sw_scan *scan = &program->scan;
	sw_local written = {0};
	sw_span at;
	for (int i = 0; i < sw_program_op_operands(call->op); i++)
		if (!sw_reader_known(program, &reader->names, &call->operand[i], &at))
			return false;
	call->at.end = scan->at;
	if (!sw_body_compute(reader->local, call, scan->diag))
		return sw_reader_at(program, call->at);
	if (!sw_scan_take(scan, ':'))
		return true;
	if (!body_read_tile(scan, &written, &at))
		return false;
	bool same = written.rank == call->rank &&
		memcmp(written.tile, call->tile, (size_t)call->rank * sizeof(*call->tile)) == 0;
	return same || body_refuse_tile(reader, &written, call, at);
}

static bool body_refuse_operation(body_reader *reader, sw_program_op op)
{
	sw_scan *scan = &reader->program->scan;
	sw_scan_unexpected(scan, "a parameter, an earlier name, or matmul, relu, exp, neg, scale, add, mul",
		(sw_span){0, 0});
	if (sw_program_op_multiplies(op))
		sw_diag_hint(scan->diag, "in a body tiles are multiplied by matmul; einsum is a statement of the program");
	return false;
}

/* Reads a call; `*is`: the local that it is, a new one where it is no name. */
static bool body_read_call(body_reader *reader, int *is)
{
	sw_program_reader *program = reader->program;
	sw_scan *scan = &program->scan;
	sw_span at, open = {0, 0};
	int depth = 0;
	while (sw_scan_peek(scan) == '(') {
		open = sw_scan_next_span(scan);
		sw_scan_take(scan, '(');
		depth++;
	}
	sw_program_op op = sw_program_op_named(sw_reader_peek(program));
	sw_local call = {.op = op, .at = sw_scan_next_span(scan)};
	if (op == SW_DO_COUNT) {
		if (!sw_reader_known(program, &reader->names, is, &at))
			return false;
	} else {
		if (!sw_program_op_local(op))
			return body_refuse_operation(reader, op);
		sw_scan_word(scan, &at);
		*is = reader->count;
		if (!body_read_operation(reader, &call) || !body_add(reader, &call))
			return false;
	}
	while (depth-- > 0)
		if (!sw_scan_expect(scan, ')', "')' after the call", open))
			return false;
	return true;
}

static bool body_read_assignment(body_reader *reader)
{
	sw_program_reader *program = reader->program;
	sw_str name;
	sw_span at;
	int is = 0, before = reader->count;
	if (!sw_reader_new(program, &reader->names, "a name, or return", &name, &at) ||
		!sw_scan_expect(&program->scan, '=', "'=' and a call", (sw_span){0, 0}) || !body_read_call(reader, &is))
		return false;
	if (reader->count > before)
		reader->local[is].name = name;
	return body_name(reader, name, is, at);
}

bool sw_reader_body(sw_program_reader *program, const sw_program_statement *statement, sw_body *body)
{
	body_reader reader = {.program = program, .statement = statement};
	sw_scan *scan = &program->scan;
	sw_names_start(&reader.names, program->arena);
	if (!body_read_parameters(&reader))
		return false;
	sw_span open = sw_scan_next_span(scan);
	if (!sw_scan_expect(scan, '{', "'{' and the body", (sw_span){0, 0}))
		return false;
	while (!sw_reader_take(program, "return"))
		if (!body_read_assignment(&reader))
			return false;
	if (!body_read_call(&reader, &body->returned) || !sw_scan_expect(scan, '}', "'}' after what is returned", open))
		return false;
	body->parameters = statement->count;
	body->count = reader.count;
	body->local = reader.local;
	return true;
}
