/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command import: DTensor's error of an operation for which it found no sharding.
 *
 * It is told which operand has which type, and what the sentence before it says.  Where that sentence names a dimension that must not be
 * cut, or nothing but the placements of two equal arrays differs, the redistribution that goes on is told, and is the problem where it is
 * the only one.
 */
#define _GNU_SOURCE
#include "command/import/import.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/distribution.h>

#include "command/foreign.h"

/* An operand, and its placements one by one; count 0: they cannot be taken apart. */
struct operand {
	sw_str text;
	size_t begin, end; /* of the placements in it */
	bool tuple;        /* they have commas between them, and long names */
	int count;
	sw_str placement[SW_MAX_AXES];
	const sw_sharding *sharding; /* NULL: see `why` */
	struct any_type type;
	sw_diag why;
};

struct failure {
	const struct import *import;
	sw_log_failed failed;
	struct operand operand[SW_LOG_OPERANDS];
	struct operand to[SW_LOG_OPERANDS]; /* where it goes; sharding NULL: nowhere */
	int pairs;
};

/* ---- placements ---- */

static void split_letters(sw_str text, struct operand *operand)
{
	for (size_t i = 0; i < text.length && operand->count < SW_MAX_AXES;) {
		size_t end = i + 1 + (text.at[i] == '_');
		while (end < text.length && !strchr("SRP_", text.at[end])) {
			size_t closed = text.at[end] == '(' ? sw_str_balanced(text, end, SW_NESTING_PYTHON) : 0;
			end = closed ? closed : end + 1;
		}
		operand->placement[operand->count++] = (sw_str){text.at + i, end - i};
		i = end;
	}
}

static void split_tuple(sw_str text, struct operand *operand)
{
	for (size_t at = 0; at <= text.length && operand->count < SW_MAX_AXES;) {
		sw_str item = sw_str_split(text, &at, SW_NESTING_PYTHON);
		if (item.length)
			operand->placement[operand->count++] = item;
	}
}

/* `Spec(f32[16, 32](S(0)R))`, `Spec(S(0)R on (16, 32))`, `Spec((Shard(dim=0), Replicate()) on (16, 32))` */
static void split_placements(struct operand *operand)
{
	sw_str text = operand->text;
	const char *square = memmem(text.at, text.length, "](", 2), *on = memmem(text.at, text.length, " on ", 4);
	operand->count = 0;
	if (!sw_str_starts(text, "Spec(") || (!square && !on))
		return;
	size_t open = square ? (size_t)(square - text.at) + 1 : strlen("Spec(");
	size_t end = square ? sw_str_balanced(text, open, SW_NESTING_PYTHON) : (size_t)(on - text.at);
	operand->tuple = !square && text.at[open] == '(';
	bool inside = square || operand->tuple;
	if (end < open + 2 * inside)
		return;
	operand->begin = open + inside;
	operand->end = end - inside;
	sw_str list = {text.at + operand->begin, operand->end - operand->begin};
	(operand->tuple ? split_tuple : split_letters)(list, operand);
}

/* The dimension that it cuts; -1: none. */
static int cut_dim(sw_str placement)
{
	const char *open = *placement.at == 'S' ? memchr(placement.at, '(', placement.length) : NULL;
	size_t at = open ? (size_t)(open - placement.at) + 1 : placement.length;
	sw_str rest = sw_str_behind(placement, at);
	rest = sw_str_behind(rest, sw_str_starts(rest, "dim=") ? 4 : 0);
	return rest.length && *rest.at >= '0' && *rest.at <= '9' ? *rest.at - '0' : -1;
}

static bool same_placements(const struct operand *a, const struct operand *b)
{
	bool same = a->count == b->count;
	for (int i = 0; same && i < a->count; i++)
		same = sw_str_equal(a->placement[i], b->placement[i]);
	return same;
}

/* ---- types ---- */

/* `Spec(... on (16, 32) [2, 4])`, `Spec(...) on DeviceMesh(...)`; DTensorSpec says its mesh itself. */
static void add_with_mesh(sw_str operand, sw_str mesh, sw_text *text)
{
	bool sizes = sw_str_starts(mesh, "(") && mesh.length > 1 && operand.length;
	sw_text_add_str(text, sizes ? (sw_str){operand.at, operand.length - 1} : operand);
	if (sizes)
		sw_text_addf(text, " [%.*s])", (int)mesh.length - 2, mesh.at + 1);
	else if (mesh.length && !memmem(operand.at, operand.length, "mesh=", strlen("mesh=")))
		sw_text_addf(text, " on %.*s", (int)mesh.length, mesh.at);
}

/* Over the mesh that the error names. */
static bool read_operand(struct failure *f, struct operand *operand, sw_diag *diag)
{
	const struct import *import = f->import;
	sw_arena *arena = import->run->session->arena;
	sw_sharding *sharding = SW_NEW(import->run->arena, sw_sharding, 1);
	const sw_notation_context context = {.mesh = import->mesh_before,
		.rank = -1,
		.pads = session_pads(import->run->session)};
	sw_text text = {0};
	operand->sharding = NULL;
	operand->why = (sw_diag){.code = SW_OK};
	add_with_mesh(operand->text, f->failed.mesh, &text);
	char *copy = text.failed || !sharding ? NULL : sw_arena_copy(import->run->arena, sw_text_get(&text), text.length);
	bool ok = copy &&
		sw_sharding_parse((sw_str){copy, text.length}, &context, import->run->arena, sharding, &operand->why) &&
		sw_sharding_any(sharding, &sharding->mesh, NULL, arena, &operand->type.type, &operand->type.words,
			&operand->why);
	sw_text_free(&text);
	operand->sharding = ok ? sharding : NULL;
	return copy || sw_diag_memory(diag);
}

/* ---- where to go on ---- */

/* The text of an operand with other placements. */
static bool write_placements(const struct import *import, const struct operand *from, struct operand *to)
{
	sw_text text = {0};
	sw_text_add_str(&text, (sw_str){from->text.at, from->begin});
	for (int i = 0; i < to->count; i++) {
		sw_text_add(&text, i && from->tuple ? ", " : "");
		sw_text_add_str(&text, to->placement[i]);
	}
	sw_text_add(&text, from->tuple && to->count == 1 ? "," : "");
	sw_text_add_str(&text, sw_str_behind(from->text, from->end));
	char *copy = text.failed ? NULL : sw_arena_copy(import->run->arena, sw_text_get(&text), text.length);
	to->text = (sw_str){copy ? copy : "", copy ? text.length : 0};
	sw_text_free(&text);
	return copy != NULL;
}

/* Placements with all that the sentence forbids replicated; false: it forbids none of these. */
static bool without_cut(const sw_log_failed *failed, const struct operand *from, struct operand *to)
{
	bool any = false;
	to->count = from->count;
	for (int i = 0; i < from->count; i++) {
		bool cuts = cut_dim(from->placement[i]) >= 0 && strchr("S", *from->placement[i].at);
		bool forbidden = cuts &&
			(failed->axis == i || (failed->dim >= 0 && cut_dim(from->placement[i]) == failed->dim));
		const char *order = cuts && failed->axis >= 0 ?
			memchr(from->placement[i].at, '[', from->placement[i].length) :
			NULL;
		to->placement[i] = from->placement[i];
		if (order)
			to->placement[i].length = (size_t)(order - from->placement[i].at);
		if (forbidden)
			to->placement[i] = sw_str_of(from->tuple ? "Replicate()" : "R");
		any = any || forbidden;
	}
	return any;
}

/* The array of the first operand with other placements, where nothing says what is wrong. */
static bool as_first(const struct failure *f, int k, struct operand *to)
{
	const struct operand *first = &f->operand[0], *from = &f->operand[k];
	if (!k || f->failed.reason.length || !first->sharding || !first->count || first->tuple != from->tuple ||
		first->type.type.rank != from->type.type.rank || same_placements(first, from))
		return false;
	for (int d = 0; d < from->type.type.rank; d++)
		if (first->type.type.global[d] != from->type.type.global[d])
			return false;
	to->count = first->count;
	memcpy(to->placement, first->placement, sizeof to->placement);
	return true;
}

static bool find_pair(struct failure *f, int k, sw_diag *diag)
{
	struct operand *from = &f->operand[k], *to = &f->to[k];
	bool says = f->failed.dim >= 0 || f->failed.axis >= 0;
	if (!from->sharding || !from->count || (says && k))
		return true;
	if (says ? !without_cut(&f->failed, from, to) : !as_first(f, k, to))
		return true;
	if (!write_placements(f->import, from, to))
		return sw_diag_memory(diag);
	if (!read_operand(f, to, diag))
		return false;
	if (to->sharding &&
		(!sw_type_agree_any(&from->type.type, from->type.words, &to->type.type, to->type.words, &to->why) ||
			!sw_type_redistributable(&from->type.type, &to->type.type, &to->why)))
		to->sharding = NULL;
	f->pairs += to->sharding != NULL;
	return true;
}

/* ---- the answer ---- */

static void add_type(const struct operand *operand, sw_text *text)
{
	sw_type_print_any(&operand->sharding->mesh, &operand->type.type, operand->type.words,
		operand->type.type.dtype_given, text);
}

/* `x.redistribute(placements=[Shard(0), Replicate()])`; nothing where it has others. */
static void add_call(const struct operand *to, sw_text *text)
{
	for (int i = 0; i < to->count; i++)
		if (!strchr("SR", *to->placement[i].at) || memchr(to->placement[i].at, '[', to->placement[i].length))
			return;
	sw_text_add(text, "x.redistribute(placements=[");
	for (int i = 0; i < to->count; i++)
		if (*to->placement[i].at == 'S')
			sw_text_addf(text, "%sShard(%d)", i ? ", " : "", cut_dim(to->placement[i]));
		else
			sw_text_addf(text, "%sReplicate()", i ? ", " : "");
	sw_text_add(text, "])");
}

static void answer_operand(const struct operand *operand, int number, struct document *document)
{
	sw_text type = {0};
	if (operand->sharding)
		add_type(operand, &type);
	else
		sw_text_addf(&type,
			"%.*s is not a type over this mesh: "
			"%s",
			(int)operand->text.length, operand->text.at, operand->why.message);
	document_line(document, "operand %d  %s", number, sw_text_get(&type));
	sw_text_free(&type);
}

static void answer_pair(const struct failure *f, int k, struct document *document)
{
	sw_text call = {0}, pair = {0};
	add_call(&f->to[k], &call);
	add_type(&f->operand[k], &pair);
	sw_text_add(&pair, " ~> ");
	add_type(&f->to[k], &pair);
	if (call.length)
		document_line(document, "write      %s of operand %d, before the operation", sw_text_get(&call), k + 1);
	document_line(document, "type       %s", sw_text_get(&pair));
	sw_text_free(&call);
	sw_text_free(&pair);
}

static void fill_type(struct fields *fields, const char *name, const struct operand *operand)
{
	sw_text type = {0};
	add_type(operand, &type);
	field_text(fields, name, sw_text_get(&type));
	sw_text_free(&type);
}

static void fill(const struct failure *f, struct fields *fields)
{
	field_str(fields, "op", f->failed.op);
	field_str(fields, "mesh", f->failed.mesh);
	field_str(fields, "reason", f->failed.reason);
	struct fields *list = field_list(fields, "operands");
	for (int k = 0; k < f->failed.operands; k++) {
		struct fields *one = field_object(list, NULL);
		field_str(one, "text", f->operand[k].text);
		if (f->operand[k].sharding)
			fill_type(one, "type", &f->operand[k]);
		else
			field_text(one, "why", f->operand[k].why.message);
		if (f->to[k].sharding)
			fill_type(one, "to", &f->to[k]);
	}
}

static void answer(const struct failure *f, struct document *document)
{
	const sw_log_failed *failed = &f->failed;
	document_line(document, "operation  %.*s", (int)failed->op.length, failed->op.at);
	document_line(document, "mesh       %.*s", (int)failed->mesh.length, failed->mesh.at);
	for (int k = 0; k < failed->operands; k++)
		answer_operand(&f->operand[k], k + 1, document);
	if (failed->reason.length)
		document_line(document, "reason     %.*s", (int)failed->reason.length, failed->reason.at);
	for (int k = 0; k < failed->operands; k++)
		if (f->to[k].sharding)
			answer_pair(f, k, document);
	if (!f->pairs)
		document_line(document,
			"write      the text does not say; with Replicate() on each axis an operation runs as on one device");
}

/* The only pair becomes the problem; without one the mesh becomes that of the session, where it has none. */
static bool take(const struct failure *f, sw_diag *diag)
{
	struct invocation *run = f->import->run;
	for (int k = 0; k < f->failed.operands; k++) {
		const struct operand *from = &f->operand[k], *to = &f->to[k];
		if (f->pairs == 1 && to->sharding) {
			sw_problem *problem = SW_NEW(run->arena, sw_problem, 1);
			if (!problem)
				return sw_diag_memory(diag);
			*problem = (sw_problem){.mesh = from->sharding->mesh,
				.from = from->type.type,
				.to = to->type.type,
				.from_words = from->type.words,
				.to_words = to->type.words};
			answer_remark(run->session, "the redistribution is now the problem: `plan` plans it");
			return problem_take(run, problem, !from->sharding->named, diag);
		}
		if (f->pairs != 1 && !f->import->mesh_before && from->sharding) {
			problem_take_mesh(run->session, &from->sharding->mesh);
			return true;
		}
	}
	return true;
}

bool import_failed(struct import *import, bool *taken, sw_diag *diag)
{
	*taken = sw_log_is_failed(import->text);
	if (!*taken)
		return true;
	struct failure *f = SW_NEW_ZERO(import->run->arena, struct failure, 1);
	if (!f)
		return sw_diag_memory(diag);
	f->import = import;
	if (!import_mesh_before(import, diag))
		return false;
	if (!sw_log_read_failed(import->text, &f->failed, diag))
		return import_refuse(import, diag);
	for (int k = 0; k < f->failed.operands; k++) {
		f->operand[k].text = f->failed.operand[k];
		split_placements(&f->operand[k]);
		if (!read_operand(f, &f->operand[k], diag))
			return false;
	}
	for (int k = 0; k < f->failed.operands; k++)
		if (!find_pair(f, k, diag))
			return false;
	answer_remark(import->run->session, "read as DTensor's error about an operation without a sharding");
	struct fields *fields = document_fields(import->run->answer, "shardwalk.failed/1");
	if (fields)
		fill(f, fields);
	answer(f, import->run->answer);
	return take(f, diag);
}
