/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command import: what JAX says of two meshes that is no pair of shardings.
 *
 * The error of values on different devices is explained.  `device_put(x, SHARDING)` says where x goes; where it comes from is the present
 * `from`, and both are a pair.
 */
#define _GNU_SOURCE
#include "command/import/import.h"

#include <stdlib.h>
#include <string.h>

#include "command/foreign.h"

/* ---- different devices ---- */

static void add_ids(const sw_log_device_end *end, sw_text *text)
{
	enum { SHOWN = 16 };
	for (int64_t i = 0; i < end->devices && i < SHOWN; i++)
		sw_text_addf(text, "%s%lld", i ? ", " : "", (long long)end->id[i]);
	if (end->devices > SHOWN)
		sw_text_addf(text, ", ... %lld", (long long)end->id[end->devices - 1]);
}

static int compare_ids(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
	return left < right ? -1 : left > right;
}

/* How many devices of the first are also the second's; -1: no memory. */
static int64_t count_common(const sw_log_devices *devices, sw_arena *arena)
{
	const sw_log_device_end *a = &devices->end[0], *b = &devices->end[1];
	int64_t common = 0, *sorted = SW_NEW(arena, int64_t, b->devices);
	if (!sorted)
		return -1;
	memcpy(sorted, b->id, (size_t)b->devices * sizeof *sorted);
	qsort(sorted, (size_t)b->devices, sizeof *sorted, compare_ids);
	for (int64_t i = 0; i < a->devices; i++)
		common += bsearch(&a->id[i], sorted, (size_t)b->devices, sizeof *sorted, compare_ids) != NULL;
	return common;
}

static bool is_same_order(const sw_log_devices *devices)
{
	const sw_log_device_end *a = &devices->end[0], *b = &devices->end[1];
	return a->devices == b->devices && memcmp(a->id, b->id, (size_t)a->devices * sizeof *a->id) == 0;
}

static const char *reason_of(const sw_log_devices *devices, int64_t common)
{
	const sw_log_device_end *a = &devices->end[0], *b = &devices->end[1];
	if (is_same_order(devices))
		return "both list the same devices in the same order: the platforms differ";
	if (common == a->devices && common == b->devices)
		return "these are the same devices in two orders, but a jitted function has one order";
	if (common == 0)
		return "they have no device in common, but a jitted function runs on one set of devices";
	return "they have only some devices in common, but a jitted function runs on one set of devices";
}

static void answer_end(const sw_log_device_end *end, const char *label, struct document *document)
{
	sw_text ids = {0};
	add_ids(end, &ids);
	document_line(document, "%s  %.*s%s%.*s: %lld %s, %s", label, (int)end->what.length, end->what.at,
		end->shape.length ? ", " : "", (int)end->shape.length, end->shape.at, (long long)end->devices,
		plural(end->devices, "device", "devices"), sw_text_get(&ids));
	sw_text_free(&ids);
}

static void answer_fields(const sw_log_devices *devices, int64_t common, struct fields *fields)
{
	struct fields *list = field_list(fields, "ends");
	for (int k = 0; k < 2; k++) {
		const sw_log_device_end *end = &devices->end[k];
		struct fields *one = field_object(list, NULL);
		field_str(one, "what", end->what);
		field_str(one, "shape", end->shape);
		field_int(one, "devices", end->devices);
	}
	field_int(fields, "common", common);
	field_text(fields, "reason", reason_of(devices, common));
}

bool import_devices(struct import *import, bool *taken, sw_diag *diag)
{
	struct document *document = import->run->answer;
	sw_log_devices devices;
	*taken = sw_log_is_devices(import->text);
	if (!*taken)
		return true;
	if (!sw_log_read_devices(import->text, import->arena, &devices, diag))
		return import_refuse(import, diag);
	int64_t common = count_common(&devices, import->arena);
	if (common < 0)
		return sw_diag_memory(diag);
	answer_remark(import->run->session, "read as JAX's error about values on different devices");
	struct fields *fields = document_fields(document, "shardwalk.devices/1");
	if (fields)
		answer_fields(&devices, common, fields);
	answer_end(&devices.end[0], "first ", document);
	answer_end(&devices.end[1], "second", document);
	document_line(document, "both    %lld %s: %s", (long long)common, plural(common, "device", "devices"),
		reason_of(&devices, common));
	document_line(document,
		"write   jax.device_put(x, NamedSharding(mesh, spec)) outside the jitted function: it moves x to the "
		"devices of the other mesh");
	document_line(document,
		"type    `A ~> B` with both shardings, their meshes as Mesh(device_ids=array([...]), axis_names=(...)) "
		"to see what that moves");
	return true;
}

/* ---- device_put ---- */

/* The sharding in `device_put(x, SHARDING)` or `device_put[ ... devices=(SHARDING,)`; empty: there is none. */
static sw_str put_target(sw_str text)
{
	static const char *const calls[] = {"device_put(", "device_put["};
	const char *call = NULL;
	bool jaxpr = sw_str_starts(sw_str_trim(text), "{ lambda");
	if (!jaxpr && memchr(text.at, '\n', sw_str_trim(text).length))
		return (sw_str){text.at, 0};
	for (size_t i = 0; !call && i < sizeof(calls) / sizeof(*calls); i++)
		call = memmem(text.at, text.length, calls[i], strlen(calls[i]));
	if (!call)
		return (sw_str){text.at, 0};
	sw_str rest = sw_str_behind(text, (size_t)(call - text.at));
	const char *named = memmem(rest.at, rest.length, "NamedSharding(", strlen("NamedSharding("));
	if (!named)
		return (sw_str){text.at, 0};
	sw_str sharding = sw_str_behind(rest, (size_t)(named - rest.at));
	size_t end = sw_str_balanced(sharding, strlen("NamedSharding"), SW_NESTING_PYTHON);
	return (sw_str){sharding.at, end};
}

/* What a call says of where a value goes. */
struct put {
	const char *call;
	sw_str to; /* empty: it is none */
	sw_notation notation;
	const char *from; /* as an example */
};

/* A call of JAX or PyTorch that moves a value. */
static struct put put_of(sw_str text)
{
	bool moves = false;
	sw_str to = put_target(text), placed = to.length ? (sw_str){text.at, 0} : sw_notation_call(text, &moves);
	struct put put = {.call = "device_put",
		.to = to,
		.notation = SW_NOTATION_JAX,
		.from =
			"mesh {x: 4}; shape f32[16,16]; from NamedSharding(mesh=Mesh('x': 4), spec=P('x')), x.sharding as JAX prints it"};
	if (moves && placed.length && !line_arrow(text).length)
		put = (struct put){.call = "redistribute",
			.to = placed,
			.notation = SW_NOTATION_DTENSOR,
			.from =
				"mesh {dp: 2, tp: 4}; shape f32[16,16]; from (Shard(0), Shard(1)), x.placements as PyTorch prints them"};
	return put;
}

static bool refuse_unsaid(const struct import *import, const struct put *put, sw_diag *diag)
{
	size_t at = (size_t)(put->to.at - import->text.at);
	sw_diag_set(diag, SW_N03, (sw_span){at, at + put->to.length}, "%s says where an array goes, but not where it is",
		put->call);
	sw_diag_expected(diag, "`from`, the sharding that it has");
	sw_diag_hint(diag, "for instance: %s", put->from);
	return import_refuse(import, diag);
}

/* `from` in the notation, JAX's with its mesh, and the shape in front. */
static bool write_from(const struct import *import, sw_notation notation, sw_text *text, sw_diag *diag)
{
	const struct state *state = &import->run->session->state;
	sw_sharding *from = SW_NEW(import->arena, sw_sharding, 1);
	const sw_notation_context context = {.mesh = &state->mesh, .rank = state->from.rank};
	sw_text type = {0};
	if (!from)
		return sw_diag_memory(diag);
	sw_type_print(&state->mesh, &state->from, true, &type);
	sw_text_addf(text, "%s[", sw_dtype_name(state->from.dtype));
	for (int d = 0; d < state->from.rank; d++)
		sw_text_addf(text, "%s%lld", d ? "," : "", (long long)state->from.global[d]);
	sw_text_add(text, "] ");
	bool ok = sw_sharding_parse((sw_str){sw_text_get(&type), type.length}, &context, import->arena, from, diag);
	from->notation = notation;
	from->own_mesh = from->named = from->named || notation == SW_NOTATION_JAX;
	ok = ok && sw_sharding_print(from, notation, import->arena, text, diag);
	sw_text_free(&type);
	return ok;
}

/* Placements that a call writes are of this tensor. */
static bool check_target(const struct import *import, const struct put *put, sw_diag *diag)
{
	const struct state *state = &import->run->session->state;
	const sw_notation_context context = {.mesh = &state->mesh, .rank = state->from.rank, .shape = &state->from};
	sw_sharding *to = SW_NEW(import->arena, sw_sharding, 1);
	size_t at = (size_t)(put->to.at - import->text.at);
	if (!to)
		return sw_diag_memory(diag);
	if (!sw_sharding_parse(put->to, &context, import->arena, to, diag)) {
		sw_diag_shift(diag, at);
		return import_refuse(import, diag);
	}
	if (to->rank <= state->from.rank)
		return true;
	sw_diag_set(diag, SW_C03, (sw_span){at, at + put->to.length},
		"the tensor has %d dimensions, and dimension %d is cut", state->from.rank, to->rank - 1);
	return import_refuse(import, diag);
}

bool import_put(struct import *import, bool *taken, sw_diag *diag)
{
	const struct state *state = &import->run->session->state;
	const struct put put = put_of(import->text);
	sw_text text = {0};
	*taken = put.to.length > 0;
	if (!*taken)
		return true;
	if (!state->has[DEFINED_FROM] || state->from_words || !state->has[DEFINED_MESH])
		return refuse_unsaid(import, &put, diag);
	if (put.notation == SW_NOTATION_DTENSOR && !check_target(import, &put, diag))
		return false;
	if (!write_from(import, put.notation, &text, diag)) {
		sw_text_free(&text);
		return import_refuse(import, diag);
	}
	sw_text_add(&text, " -> ");
	sw_text_add_str(&text, put.to);
	const char *pair = text.failed ? NULL : sw_arena_copy(import->run->arena, sw_text_get(&text), text.length);
	import->text = (sw_str){pair, text.length};
	import->from_file = true;
	import->file = import->file.text.length ? import->file : *argument(import->run, 0);
	sw_text_free(&text);
	answer_remark(import->run->session, "read as %s: from the present `from`", put.call);
	return pair || sw_diag_memory(diag);
}
