/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A module before partitioning: which of its values is the one that a warning is about.
 */
#define _GNU_SOURCE
#include <shardwalk/before.h>

#include <string.h>

#include "foreign/module/hlo_parts.h"

struct sw_hlo_before {
	graph_module module;
	graph_reading *tables; /* of source lines */
};

const sw_hlo_before *sw_hlo_read_before(sw_str text, const sw_pulse *pulse, sw_arena *arena, sw_diag *diag)
{
	sw_hlo_before *before = SW_NEW(arena, sw_hlo_before, 1);
	if (!before) {
		sw_diag_memory(diag);
		return NULL;
	}
	before->tables = SW_NEW_ZERO(arena, graph_reading, 1);
	if (!before->tables) {
		sw_diag_memory(diag);
		return NULL;
	}
	before->tables->module = &before->module;
	before->tables->work = arena;
	return hlo_module_read(text, pulse, arena, &before->module, diag) ? before : NULL;
}

const sw_diag *sw_hlo_before_cut(const sw_hlo_before *before)
{
	return before->module.cut;
}

/* What stands in `{{...}, {...}}`. */
static sw_str elements_of(sw_str text)
{
	size_t close = sw_str_balanced(text, 0, SW_NESTING_HLO);
	return (sw_str){text.at + 1, close ? close - 2 : 0};
}

/* Element k of it. */
static bool element_of(sw_str text, int k, sw_str *element)
{
	sw_str list = elements_of(text);
	for (size_t at = 0; k >= 0 && at <= list.length; k--)
		*element = hlo_tuple_item(list, &at);
	return k < 0 && element->length;
}

/* What an instruction asks of its operands, one after the other: a tuple of each its own. */
typedef struct asking {
	sw_str sharding; /* of all; empty: it asks for none */
	bool tuple;
	size_t at; /* of a tuple: the next operand's */
} asking;

static asking asking_of(const graph_instruction *user)
{
	asking a = {.sharding = {"", 0}};
	if (!hlo_attribute(user->attributes, "sharding", &a.sharding) || user->op != HLO_TUPLE)
		return a;
	a.tuple = true;
	a.sharding = sw_str_starts(a.sharding, "{{") ? elements_of(a.sharding) : (sw_str){"", 0};
	return a;
}

/* Of the next operand; empty: nothing. */
static sw_str next_asked(asking *a)
{
	if (!a->tuple)
		return a->sharding;
	return a->at < a->sharding.length ? hlo_tuple_item(a->sharding, &a->at) : (sw_str){"", 0};
}

/* How operand `source` lies: of a tuple, the element that `user` gets. */
static bool sharding_before(const graph_instruction *source, const graph_instruction *user, sw_str *sharding)
{
	int64_t number = user->op == HLO_ELEMENT ? hlo_element_index(user) : -1;
	if (!hlo_attribute(source->attributes, "sharding", sharding))
		return false;
	if (user->op != HLO_ELEMENT)
		return true;
	return number >= 0 && number <= INT32_MAX && element_of(*sharding, (int)number, sharding);
}

static bool shape_of(const graph_instruction *source, const graph_instruction *user, sw_type *type)
{
	hlo_shape before, after;
	if (!hlo_shape_read(user->op == HLO_TUPLE ? source->shape : user->shape, &after) || after.rank > SW_MAX_DIMS)
		return false;
	if (user->op == HLO_ELEMENT || !hlo_shape_read(source->shape, &before))
		before = after;
	if (before.rank != after.rank || memcmp(before.dim, after.dim, sizeof(*before.dim) * (size_t)after.rank) != 0 ||
		!before.typed || !sw_type_replicated(before.dtype, after.rank, after.dim, type, NULL))
		return false;
	return type->dtype_given = true;
}

static bool over_mesh(const sw_sharding *from, const sw_sharding *to, const sw_type *shape, const sw_mesh *mesh,
	sw_arena *arena, sw_reading *reading)
{
	if (!mesh)
		return false;
	*reading = (sw_reading){.problem = {.mesh = *mesh}};
	return sw_sharding_over(from, mesh, shape, arena, &reading->problem.from, NULL) &&
		sw_sharding_over(to, mesh, shape, arena, &reading->problem.to, NULL);
}

/* Is a value of this shape, with these shardings, what XLA would say just this of? */
static bool is_said(const sw_sharding *from, const sw_sharding *to, const sw_type *shape, const sw_log_pair *warning,
	const sw_mesh *mesh, sw_arena *arena, sw_hlo_found *found)
{
	if (!over_mesh(from, to, shape, mesh, arena, &found->reading) &&
		!sw_sharding_problem(from, to, shape, arena, &found->reading, NULL))
		return false;
	return sw_whole_check(warning, &found->reading.problem, arena, &found->whole, NULL) && found->whole.is;
}

/* `after`: what `user` asks for. */
static bool is_it(const graph_instruction *source, const graph_instruction *user, sw_str after,
	const sw_log_pair *warning, const sw_mesh *mesh, sw_arena *arena, sw_hlo_found *found)
{
	sw_str before;
	sw_type shape;
	sw_sharding *from = SW_NEW(arena, sw_sharding, 2), *to = from + 1;
	if (!from || !after.length || !sharding_before(source, user, &before) || !shape_of(source, user, &shape) ||
		shape.dtype != warning->dtype ||
		(before.length == after.length && memcmp(before.at, after.at, after.length) == 0) ||
		!sw_sharding_parse(before, NULL, arena, from, NULL) || !sw_sharding_parse(after, NULL, arena, to, NULL))
		return false;
	return is_said(from, to, &shape, warning, mesh, arena, found);
}

/* The name without the number that makes it the only one. */
static sw_str base_of(sw_str name)
{
	size_t length = name.length;
	while (length > 0 && name.at[length - 1] >= '0' && name.at[length - 1] <= '9')
		length--;
	return length > 0 && name.at[length - 1] == '.' ? (sw_str){name.at, length - 1} : name;
}

static bool same_base(sw_str name, const char *other)
{
	sw_str a = base_of(name), b = other ? base_of(sw_str_of(other)) : (sw_str){"", 0};
	return other && a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

/* Does the warning name this value, or what is made of it? */
static bool is_named(const graph_instruction *source, const graph_instruction *user, const sw_log_pair *warning)
{
	const char *op = warning->op_name;
	return same_base(source->name, warning->operand) ||
		(warning->names && same_base(source->name, warning->name[0])) ||
		(op && memmem(user->attributes.at, user->attributes.length, op, strlen(op)));
}

/* Has it the name of the warning's first value, with its number? */
static bool is_value(const graph_instruction *at, const sw_log_pair *warning)
{
	return warning->names > 0 && sw_str_is(at->name, warning->name[0]);
}

static bool is_made_there(const graph_instruction *at, const sw_log_pair *warning)
{
	if (!warning->op_name || warning->frame < 1)
		return false;
	sw_text name = {0};
	sw_str metadata;
	bool same = hlo_attribute(at->attributes, "metadata", &metadata) &&
		hlo_number_after(metadata, "stack_frame_id=") == warning->frame &&
		hlo_quoted(metadata, "op_name=\"", &name) && strcmp(sw_text_get(&name), warning->op_name) == 0;
	sw_text_free(&name);
	return same;
}

static bool set_value(const graph_instruction *value, sw_hlo_found *found)
{
	found->value = value->name;
	found->line = value->line;
	found->others = value->users > 1 ? value->users - 1 : 0;
	return true;
}

/* A value that is used in a sharding that the module asks for. */
static bool find_asked(const sw_hlo_before *before, const sw_log_pair *warning, const sw_mesh *mesh, sw_arena *arena,
	sw_hlo_found *found)
{
	const graph_module *module = &before->module;
	for (int by_name = 1; by_name >= 0; by_name--)
		for (int i = 0; i < module->instructions; i++) {
			const graph_instruction *user = &module->instruction[i];
			asking asked = asking_of(user);
			for (int k = 0; k < user->operands && asked.sharding.length; k++) {
				int source = graph_operand(module, i, k);
				sw_str after = next_asked(&asked);
				sw_arena_mark mark = sw_arena_here(arena);
				if (source < 0 || is_named(&module->instruction[source], user, warning) != (by_name != 0))
					continue;
				if (is_it(&module->instruction[source], user, after, warning, mesh, arena, found))
					return set_value(&module->instruction[source], found);
				sw_arena_back(arena, mark);
			}
		}
	return false;
}

/* Has this value the shape and the sharding that XLA goes from, on all devices of the module? */
static bool is_chosen(const graph_instruction *value, const sw_log_pair *warning, const sw_mesh *mesh,
	sw_arena *arena, sw_hlo_found *found)
{
	sw_str before;
	sw_type shape;
	sw_sharding *from = SW_NEW(arena, sw_sharding, 1);
	return from && warning->ends[1] && (is_made_there(value, warning) || is_value(value, warning)) &&
		sharding_before(value, value, &before) && shape_of(value, value, &shape) && shape.dtype == warning->dtype &&
		sw_sharding_parse(before, NULL, arena, from, NULL) &&
		is_said(from, warning->ends[1], &shape, warning, mesh, arena, found);
}

/* A value that the warning is about, where nothing asks for what XLA goes to. */
static bool find_chosen(const sw_hlo_before *before, const sw_log_pair *warning, const sw_mesh *mesh, sw_arena *arena,
	sw_hlo_found *found)
{
	const graph_module *module = &before->module;
	for (int i = 0; i < module->instructions; i++) {
		sw_arena_mark mark = sw_arena_here(arena);
		if (is_chosen(&module->instruction[i], warning, mesh, arena, found))
			return found->chosen = set_value(&module->instruction[i], found);
		sw_arena_back(arena, mark);
	}
	return false;
}

bool sw_hlo_find_whole(const sw_hlo_before *before, const sw_log_pair *warning, const sw_mesh *mesh, sw_arena *arena,
	sw_hlo_found *found)
{
	found->chosen = false;
	return find_asked(before, warning, mesh, arena, found) || find_chosen(before, warning, mesh, arena, found);
}

const char *sw_hlo_before_source(const sw_hlo_before *before, const sw_log_pair *warning, sw_arena *arena,
	sw_diag *diag)
{
	const graph_module *module = &before->module;
	const char *source = NULL;
	sw_text text = {0};
	int at = 0;
	if (!warning->op_name || warning->frame < 1)
		return NULL;
	while (at < module->instructions && !is_made_there(&module->instruction[at], warning))
		at++;
	bool found = at < module->instructions && hlo_frame_add(before->tables, warning->frame, &text);
	if (found)
		source = sw_arena_copy(arena, sw_text_get(&text), text.length);
	if (before->tables->failed || text.failed || (found && !source))
		sw_diag_memory(diag);
	sw_text_free(&text);
	return source;
}
