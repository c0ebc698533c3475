/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bodies: what every device runs on its tiles.
 *
 * Source: seed 000, figure 9.  Whether all devices that are to hold a copy compute the same is decided by what they compute
 * from: the tile of an operand differs along the parts that cut it and along its sums, and what is computed from it may.
 */
#include "program/body.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "array/parts.h"
#include "base/room.h"
#include "base/scan.h"
#include "program/ops.h"
#include "program/rules.h"

static const sw_span body_nowhere = {0, 0};

static const char *body_print_tile(const int64_t *tile, int rank, sw_text *text)
{
	sw_text_clear(text);
	sw_type_print_tile(tile, rank, text);
	return sw_text_get(text);
}

static bool body_same_tile(const int64_t *a, int rank_a, const int64_t *b, int rank_b)
{
	return rank_a == rank_b && memcmp(a, b, (size_t)rank_a * sizeof(*a)) == 0;
}

/* ---- tiles as types ---- */

void sw_body_start(sw_program *body)
{
	*body = (sw_program){.mesh = {.devices = 1}};
}

sw_type sw_body_tile(const int64_t *tile, int rank)
{
	assert(rank >= 0 && rank <= SW_MAX_DIMS);
	sw_type type = {.rank = (uint8_t)rank, .dtype = SW_F32};
	memcpy(type.tile, tile, (size_t)rank * sizeof(*tile));
	memcpy(type.global, tile, (size_t)rank * sizeof(*tile));
	return type;
}

/* ---- parameters and calls ---- */

static bool body_divides(const sw_type *operand, const sw_type *parameter)
{
	bool fits = parameter->rank == operand->rank;
	for (int d = 0; fits && d < operand->rank; d++)
		fits = operand->global[d] % parameter->tile[d] == 0;
	return fits;
}

bool sw_body_check_parameter(const sw_mesh *mesh, const sw_type *operand, bool open, const sw_value *parameter,
	sw_diag *diag)
{
	const sw_type *type = parameter->type;
	sw_text written = {0}, local = {0}, whole = {0};
	bool fits = open ? body_divides(operand, type) :
					   body_same_tile(type->tile, type->rank, operand->tile, operand->rank);
	if (fits)
		return true;
	sw_quote name = sw_scan_quote(parameter->name);
	const char *tile = body_print_tile(operand->tile, operand->rank, &local);
	sw_type_print(mesh, operand, operand->dtype_given, &whole);
	sw_diag_set(diag, SW_A12, body_nowhere, "%s is not the tile of its operand", name.text);
	if (open)
		sw_diag_expected(diag, "a tile that divides %s", tile);
	else
		sw_diag_expected(diag, "%s, the local type of %s", tile, sw_text_get(&whole));
	sw_diag_found(diag, "%s", body_print_tile(type->tile, type->rank, &written));
	if (!open)
		sw_diag_hint(diag, "write %.*s : %s", (int)parameter->name.length, parameter->name.at, tile);
	sw_text_free(&written);
	sw_text_free(&local);
	sw_text_free(&whole);
	return sw_rule_name(diag, SW_RULE_TILE);
}

static bool body_fits(const sw_step *call, const sw_type *a, const sw_type *b, sw_type *made)
{
	static const sw_mesh one = {.devices = 1};
	return sw_rule_compute(&one, call->op, call->equation, (const sw_type *const[]){a, b}, made, NULL);
}

static void body_refuse_call(const sw_step *call, const sw_type *a, const sw_type *b, sw_diag *diag)
{
	sw_text text[2] = {{0}, {0}};
	sw_type turned;
	const char *first = body_print_tile(a->tile, a->rank, &text[0]);
	const char *second = body_print_tile(b->tile, b->rank, &text[1]);
	sw_diag_set(diag, SW_A13, body_nowhere, "%s of %s and %s", sw_op_name(call->op), first, second);
	sw_diag_expected(diag, "%s", sw_workings_of(call->op)->tiles);
	sw_diag_found(diag, "%s and %s", first, second);
	if (body_fits(call, b, a, &turned))
		sw_diag_hint(diag, "the other order would fit");
	sw_text_free(&text[0]);
	sw_text_free(&text[1]);
	sw_rule_name(diag, SW_RULE_LOCAL);
}

int sw_body_call(sw_typing *body, const sw_step *call, sw_str name, sw_diag *diag)
{
	assert(call->operands >= 1 && call->operands <= 2);
	const sw_value *value = body->program->value;
	const sw_type *a = value[call->operand[0]].type, *b = value[call->operand[call->operands - 1]].type;
	sw_type made;
	if (!body_fits(call, a, b, &made)) {
		body_refuse_call(call, a, b, diag);
		return -1;
	}
	return sw_typing_step(body, call, &(sw_value){.name = name, .at = call->at}, diag);
}

/* ---- the result ---- */

bool sw_body_check_result(const sw_mesh *mesh, const sw_program *body, sw_diag *diag)
{
	const sw_type *returned = body->value[body->returned].type, *as = body->result;
	sw_text type = {0}, text[2] = {{0}, {0}};
	if (body_same_tile(returned->tile, returned->rank, as->tile, as->rank))
		return true;
	const char *made = body_print_tile(returned->tile, returned->rank, &text[0]);
	const char *local = body_print_tile(as->tile, as->rank, &text[1]);
	sw_type_print(mesh, as, as->dtype_given, &type);
	sw_diag_set(diag, SW_A15, body_nowhere,
		"the body returns %s, which is not a tile of "
		"%s",
		made, sw_text_get(&type));
	sw_diag_expected(diag, "a type whose local type is %s", made);
	sw_diag_found(diag, "%s, the local type of %s", local, sw_text_get(&type));
	sw_text_free(&type);
	sw_text_free(&text[0]);
	sw_text_free(&text[1]);
	return sw_rule_name(diag, SW_RULE_OUT);
}

/* All parts by which a type tells devices apart, cuts and sums, into `parts`; how many. */
static int body_mentions(const sw_type *type, sw_part *parts)
{
	int count = 0;
	for (int d = 0; d <= type->rank; d++)
		count += sw_type_parts(type, d, parts + count);
	return sw_parts_order_sums(parts, count);
}

static bool body_covers(const sw_part *parts, int count, sw_part part)
{
	for (int i = 0; i < count; i++) {
		const sw_part *by = &parts[i];
		if (by->axis == part.axis && part.pre % by->pre == 0 && by->pre * by->size % (part.pre * part.size) == 0)
			return true;
	}
	return part.size == 1;
}

static int64_t body_digit(const sw_mesh *mesh, sw_part part, int64_t coordinate)
{
	return coordinate / (mesh->axis[part.axis].size / (part.pre * part.size)) % part.size;
}

/* Do coordinates `a` and `b` of the axis of `part` hold the same by `parts`, and differ in `part`? */
static bool body_tells(const sw_mesh *mesh, const sw_part *parts, int count, sw_part part, int64_t a, int64_t b)
{
	for (int i = 0; i < count; i++)
		if (parts[i].axis == part.axis && body_digit(mesh, parts[i], a) != body_digit(mesh, parts[i], b))
			return false;
	return body_digit(mesh, part, a) != body_digit(mesh, part, b);
}

#define BODY_TRIED 512 /* coordinates of an axis among which two are looked for */

/* Two coordinates that are told apart by `part` alone; false where none of the first is. */
static bool body_two(const sw_mesh *mesh, const sw_part *parts, int count, sw_part part, int64_t two[2])
{
	int64_t size = mesh->axis[part.axis].size, unit = size / (part.pre * part.size);
	for (int64_t k = 1; k < part.size && k <= BODY_TRIED; k++)
		if (body_tells(mesh, parts, count, part, 0, k * unit)) {
			two[0] = 0;
			two[1] = k * unit;
			return true;
		}
	for (two[0] = 0; two[0] < size && two[0] < BODY_TRIED; two[0]++)
		for (two[1] = two[0] + 1; two[1] < size && two[1] < BODY_TRIED; two[1]++)
			if (body_tells(mesh, parts, count, part, two[0], two[1]))
				return true;
	return false;
}

static bool body_refuse_copies(const sw_mesh *mesh, const sw_program *body, int parameter, sw_part part,
	const sw_part *parts, int count, sw_diag *diag)
{
	sw_text type = {0}, axis = {0};
	int64_t two[2], stride = mesh->axis[part.axis].stride;
	sw_part_print(mesh, part, &axis);
	sw_type_print(mesh, body->result, body->result->dtype_given, &type);
	sw_str name = body->value[parameter].name;
	sw_diag_set(diag, SW_A16, body_nowhere, "the result differs along %s, which %s does not mention",
		sw_text_get(&axis), sw_text_get(&type));
	sw_diag_expected(diag, "a type that is partitioned by %s, or a sum over it", sw_text_get(&axis));
	if (body_two(mesh, parts, count, part, two))
		sw_diag_found(diag,
			"devices %" PRId64 " and %" PRId64 " would hold the same tile, but compute it from two tiles of "
			"'%.*s'",
			two[0] * stride, two[1] * stride, (int)name.length, name.at);
	sw_diag_hint(diag,
		"partition a dimension by %s, or write +{%s} after the type if the tiles are terms of a "
		"sum",
		sw_text_get(&axis), sw_text_get(&axis));
	sw_text_free(&type);
	sw_text_free(&axis);
	return sw_rule_name(diag, SW_RULE_DETERMINED);
}

bool sw_body_check_copies(const sw_mesh *mesh, const sw_program *body, const sw_type *const *operand, sw_diag *diag)
{
	sw_part said[SW_MAX_PARTS], parts[SW_MAX_PARTS];
	int count = body_mentions(body->result, said);
	unsigned uses = sw_program_reads(body);
	for (int p = 0; p < body->inputs; p++) {
		int varies = uses >> p & 1 ? body_mentions(operand[p], parts) : 0;
		for (int i = 0; i < varies; i++)
			if (!body_covers(said, count, parts[i]))
				return body_refuse_copies(mesh, body, p, parts[i], said, count, diag);
	}
	return true;
}

/* ---- what the body is of whole arrays ---- */

int sw_body_of_arrays(const sw_mesh *mesh, const sw_program *body, const sw_type *const *operand, sw_arena *arena,
	const sw_type **types)
{
	sw_type *type = SW_NEW(arena, sw_type, body->values);
	if (!type)
		return -1;
	*types = type;
	for (int p = 0; p < body->inputs; p++)
		type[p] = *operand[p];
	for (int s = 0; s < body->steps; s++) {
		const sw_step *call = &body->step[s];
		const sw_type *use[2] = {&type[call->operand[0]], &type[call->operand[call->operands - 1]]};
		if (!sw_rule_compute(mesh, call->op, call->equation, use, &type[sw_program_value_of(body, s)], NULL))
			return sw_program_value_of(body, s);
	}
	return body->values;
}

static const char *body_note_of(const sw_program *body)
{
	bool product = false;
	for (int s = 0; s < body->steps; s++)
		product |= body->step[s].equation != NULL;
	return product ? "a type of the result, but not of the product of the global arrays" :
					 "a type of the result, but not of the same operations on the global arrays";
}

bool sw_body_note(const sw_mesh *mesh, const sw_program *body, const sw_type *const *operand, sw_arena *arena,
	const char **note)
{
	sw_arena_mark mark = sw_arena_here(arena);
	const sw_type *types;
	int typed = sw_body_of_arrays(mesh, body, operand, arena, &types);
	if (typed < 0)
		return false;
	bool same = false;
	if (typed > body->returned) {
		sw_type type = types[body->returned], as = *body->result;
		sw_type_agree(&type, &as);
		same = sw_type_same_map(mesh, &type, &as);
	}
	*note = same ? NULL : body_note_of(body);
	sw_arena_back(arena, mark);
	return true;
}
