/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From an operation of a StableHLO program that asks for a sharding to a pair of a log.
 */
#define _GNU_SOURCE
#include "foreign/log/parts.h"

#include <inttypes.h>
#include <string.h>

#include "base/lower_bound.h"
#include "foreign/module/mlir_walk.h"

static bool keep(sw_arena *arena, sw_text *text, sw_str *out, sw_diag *diag)
{
	const char *copy = text->failed ? NULL : sw_arena_copy(arena, sw_text_get(text), text->length);
	*out = (sw_str){copy ? copy : "", copy ? text->length : 0};
	sw_text_free(text);
	return copy ? true : sw_diag_memory(diag);
}

/* `#sdy.sharding<mesh<...>, [{"x"}, {}]>` is shown as `[{"x"}, {}]`. */
static sw_str shown(sw_str text)
{
	const char *at = memmem(text.at, text.length, ">, [", 4);
	return at && text.at[0] == '#' ? (sw_str){at + 3, (size_t)(text.at + text.length - at) - 4} : text;
}

static bool print_cuts(const mlir_cuts *cuts, sw_arena *arena, sw_str *whole, sw_str *short_one, sw_diag *diag)
{
	sw_sharding *s = SW_NEW(arena, sw_sharding, 1);
	sw_text text = {0};
	if (!s)
		return sw_diag_memory(diag);
	mlir_cuts_give(cuts, s);
	bool named = s->notation == SW_NOTATION_SHARDY;
	if (!named && !s->first[s->rank])
		sw_text_add(&text, "{replicated}");
	else if (!sw_sharding_print(s, s->notation, arena, &text, diag))
		return false;
	if (!keep(arena, &text, whole, diag))
		return false;
	*short_one = named ? shown(*whole) : *whole;
	return true;
}

/* `tensor<16x32xf32>` as `f32[16,32]`; names of element types are StableHLO's. */
static bool print_shape(sw_str type, sw_arena *arena, sw_str *out, sw_diag *diag)
{
	mlir_shape shape;
	sw_text text = {0};
	if (!mlir_shape_read(type, &shape))
		shape = (mlir_shape){.dtype = {"?", 1}};
	if (sw_str_is(shape.dtype, "i1"))
		shape.dtype = sw_str_of("pred");
	bool integer = shape.dtype.length > 1 && *shape.dtype.at == 'i',
		 whole = shape.dtype.length > 1 && *shape.dtype.at == 'u';
	sw_text_add(&text, integer ? "s" : whole ? "u" : "");
	size_t skip = integer ? 1 : whole ? 2 : 0;
	for (size_t i = skip; i < shape.dtype.length; i++)
		sw_text_add_char(&text,
			shape.dtype.at[i] >= 'A' && shape.dtype.at[i] <= 'Z' ? (char)(shape.dtype.at[i] + 32) :
																   shape.dtype.at[i]);
	sw_text_add_char(&text, '[');
	for (int d = 0; d < shape.rank; d++)
		sw_text_addf(&text, "%s%" PRId64, d ? "," : "", shape.dim[d]);
	sw_text_add_char(&text, ']');
	return keep(arena, &text, out, diag);
}

/* `%4#1` */
static bool print_name(const graph_module *m, int value, sw_arena *arena, sw_str *out, sw_diag *diag)
{
	const graph_value *v = &m->value[value];
	sw_text text = {0};
	sw_text_add_str(&text, v->name);
	if (v->op >= 0 && m->instruction[v->op].results > 1)
		sw_text_addf(&text, "#%d", v->index);
	return keep(arena, &text, out, diag);
}

/* What made it, without its dialect; an argument is one. */
static sw_str maker_of(const graph_module *m, int value)
{
	int op = m->value[value].op;
	sw_str name = op >= 0 ? m->instruction[op].word : sw_str_of("argument");
	const char *dot = memchr(name.at, '.', name.length);
	return dot ? (sw_str){dot + 1, name.length - (size_t)(dot + 1 - name.at)} : name;
}

/* The location of the operation that stands at this byte. */
static sw_str loc_at(const graph_module *m, size_t byte)
{
	int64_t op = SW_LOWER_BOUND(0, m->instructions, m->instruction[at].at < byte);

	return op < m->instructions && m->instruction[op].at == byte ? m->instruction[op].loc : (sw_str){"", 0};
}

static size_t line_length(sw_str text, size_t at)
{
	const char *end = memchr(text.at + at, '\n', text.length - at);
	return end ? (size_t)(end - text.at) - at : text.length - at;
}

bool sw_log_asked(graph_module *m, sw_str whole, const mlir_move *move, sw_arena *arena, sw_log_found *found,
	sw_diag *diag)
{
	sw_text name = {0}, source = {0};
	sw_span at = {move->at, move->at + line_length(whole, move->at)};
	*found = (sw_log_found){.at = at,
		.kind = SW_LOG_ASKED,
		.is_global = true,
		.own_mesh = true,
		.runs = move->times,
		.loop = move->loop,
		.open = move->open,
		.untaken = move->untaken};
	found->from.at = found->to.at = found->shape.at = at;
	found->op = maker_of(m, move->value);
	if (!print_cuts(move->from, arena, &found->from.text, &found->shown[0], diag) ||
		!print_cuts(move->to, arena, &found->to.text, &found->shown[1], diag) ||
		!print_shape(m->value[move->value].type, arena, &found->shape.text, diag) ||
		!print_name(m, move->value, arena, &found->value, diag))
		return false;
	bool ok = mlir_loc_read(m, loc_at(m, move->at), &name, &source);
	ok = keep(arena, &name, &found->op_name, diag) && ok;
	ok = keep(arena, &source, &found->source, diag) && ok;
	return ok || sw_diag_memory(diag);
}
