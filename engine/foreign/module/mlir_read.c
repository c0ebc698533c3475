/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads StableHLO statement by statement: one that ends in `{` opens a region, one that begins with `}` closes it.  Regions
 * that are no function's, no loop's, no branch and no manual computation are passed over.
 */
#define _GNU_SOURCE
#include "foreign/module/mlir.h"
#include "base/room.h"

#include <string.h>

#include <shardwalk/number.h>

#define REGIONS_DEEP 256
#define BEAT ((size_t)1 << 18) /* bytes */
#define TYPE_LEAST 2           /* bytes of one */

/* What an open brace is. */
typedef enum mlir_opener {
	MLIR_IN_MODULE,
	MLIR_IN_FUNCTION,
	MLIR_IN_CONDITION,
	MLIR_IN_BODY,
	MLIR_IN_BLOCK, /* a branch, or a manual computation */
	MLIR_IN_OTHER  /* passed over */
} mlir_opener;

typedef struct level {
	mlir_opener opener;
	int region; /* -1: none */
	int op;     /* that it belongs to, or -1 */
	int undone; /* names that are undone where it ends begin here */
} level;

typedef struct naming {
	sw_str name;
	int value;
} naming;

/* A name that meant something else before. */
typedef struct undo {
	int slot, value;
} undo;

typedef struct reader {
	graph_module *module;
	sw_arena *arena;
	sw_diag *diag;
	int op_room, value_room, operand_room, region_room, function_room, mesh_room, undo_room;
	naming *named;
	int named_room, names;
	undo *undone;
	int undos;
	level level[REGIONS_DEEP];
	int levels;
	int waiting; /* a loop whose regions follow, or -1 */
	int64_t line;
	size_t at, begin, end; /* of the line, and of all of them */
} reader;

/* ---- names ---- */

static int slot_of(const reader *r, sw_str name)
{
	uint32_t hash = 2166136261u;
	for (size_t i = 0; i < name.length; i++)
		hash = (hash ^ (unsigned char)name.at[i]) * 16777619u;
	for (uint32_t i = hash ^ hash >> 15;; i++) {
		int slot = (int)(i & (uint32_t)(r->named_room - 1));
		if (!r->named[slot].name.at || sw_str_equal(r->named[slot].name, name))
			return slot;
	}
}

/* Twice as many slots; what is to be undone is found again by its names. */
static bool more_names(reader *r)
{
	naming *old = r->named;
	int room = r->named_room, k = 0;
	int *moved = SW_NEW(r->arena, int, room + 1);
	r->named_room = room ? 2 * room : 1024;
	r->named = SW_NEW_ZERO(r->arena, naming, r->named_room);
	if (!r->named || !moved)
		return sw_diag_memory(r->diag);
	for (k = 0; k < room; k++) {
		moved[k] = old[k].name.at ? slot_of(r, old[k].name) : -1;
		if (moved[k] >= 0)
			r->named[moved[k]] = old[k];
	}
	for (k = 0; k < r->undos; k++)
		r->undone[k].slot = moved[r->undone[k].slot];
	return true;
}

static bool name_value(reader *r, sw_str name, int value)
{
	if (2 * (r->names + 1) > r->named_room && !more_names(r))
		return false;
	int slot = slot_of(r, name);
	bool known = r->named[slot].name.at != NULL;
	if (!SW_GROW(r->arena, r->undone, r->undos, r->undo_room, 64))
		return sw_diag_memory(r->diag);
	r->undone[r->undos++] = (undo){slot, known ? r->named[slot].value : -1};
	r->named[slot] = (naming){name, value};
	r->names += !known;
	return true;
}

static int value_named(const reader *r, sw_str name)
{
	const naming *named = r->named_room ? &r->named[slot_of(r, name)] : NULL;
	return named && named->name.at ? named->value : -1;
}

static void undo_names(reader *r, int down_to)
{
	while (r->undos > down_to) {
		undo last = r->undone[--r->undos];
		r->named[last.slot].value = last.value;
	}
}

/* ---- words ---- */

/* `%name` at the start, without its sign; empty: none. */
static sw_str value_name(sw_str text)
{
	size_t length = 1;
	if (!sw_str_starts(text, "%"))
		return (sw_str){"", 0};
	while (length < text.length && mlir_is_name(text.at[length]))
		length++;
	return (sw_str){text.at + 1, length - 1};
}

/* `#2` behind a name, or 0. */
static int result_number(sw_str *rest)
{
	int64_t number = 0;
	if (!sw_str_starts(*rest, "#"))
		return 0;
	sw_str digits = sw_str_behind(*rest, 1);
	digits.length = sw_str_digits(digits);
	bool ok = sw_read_int(digits, &number, NULL) && number < INT32_MAX;
	*rest = sw_str_behind(*rest, digits.length + 1);
	return ok ? (int)number : 0;
}

/* The last ` : ` outside of brackets and strings: where the types begin; the end where there are none. */
static size_t types_begin(sw_str text)
{
	size_t found = text.length;
	int depth = 0;
	for (size_t at = 0; at < text.length; at = sw_str_step(text, at, SW_NESTING_MLIR, &depth))
		if (text.at[at] == ':' && depth == 0 && at > 0 && (text.at[at - 1] == ' ' || text.at[at - 1] == '\n'))
			found = at;
	return found;
}

/* The types of the results in what follows the colon: behind the arrow, or all of them. */
static sw_str result_types(sw_str types)
{
	const char *arrow = NULL;
	for (size_t i = 0; i + 1 < types.length; i++)
		arrow = types.at[i] == '-' && types.at[i + 1] == '>' ? types.at + i : arrow;
	sw_str rest = sw_str_trim(arrow ? sw_str_behind(types, (size_t)(arrow - types.at) + 2) : types);
	size_t end = sw_str_starts(rest, "(") ? sw_str_balanced(rest, 0, SW_NESTING_MLIR) : 0;
	return end > 1 ? (sw_str){rest.at + 1, end - 2} : rest;
}

/* The line without `loc(...)` at its end. */
static sw_str take_loc(sw_str line, sw_str *loc)
{
	const char *found = NULL;
	*loc = (sw_str){"", 0};
	for (size_t i = line.length; i >= 5 && !found; i--)
		if (line.at[i - 5] == ' ' && memcmp(line.at + i - 4, "loc(", 4) == 0)
			found = line.at + i - 5;
	if (!found || line.at[line.length - 1] != ')')
		return line;
	*loc = (sw_str){found + 5, line.length - (size_t)(found + 5 - line.at) - 1};
	return sw_str_trim((sw_str){line.at, (size_t)(found - line.at)});
}

/* ---- values and regions ---- */

static bool add_value(reader *r, graph_value value)
{
	graph_module *m = r->module;
	if (!SW_GROW(r->arena, m->value, m->values, r->value_room, 64))
		return sw_diag_memory(r->diag);
	m->value[m->values++] = value;
	return true;
}

static int inside(const reader *r)
{
	return r->levels ? r->level[r->levels - 1].region : -1;
}

static int add_region(reader *r)
{
	graph_module *m = r->module;
	if (!SW_GROW(r->arena, m->computation, m->computations, r->region_room, 64)) {
		sw_diag_memory(r->diag);
		return -1;
	}
	m->computation[m->computations] =
		(graph_computation){.first = m->instructions, .root = -1, .next = -1, .loop = -1};
	if (inside(r) >= 0)
		m->computation[m->computations].name = m->computation[inside(r)].name;
	return m->computations++;
}

static bool push(reader *r, mlir_opener opener, int op)
{
	int region = -1;
	if (r->levels == REGIONS_DEEP) {
		sw_diag_set(r->diag, SW_N06, (sw_span){r->at, r->at + 1}, "regions are more than %d deep", REGIONS_DEEP);
		return false;
	}
	if (opener != MLIR_IN_MODULE && opener != MLIR_IN_OTHER) {
		region = add_region(r);
		if (region < 0)
			return false;
	}
	SW_ROOM(r->level, r->levels);
	r->level[r->levels++] = (level){opener, region, op, r->undos};
	return true;
}

static void pop(reader *r)
{
	if (!r->levels)
		return;
	const level *top = &r->level[--r->levels];
	undo_names(r, top->undone);
	if (top->region >= 0)
		r->module->computation[top->region].count = r->module->instructions -
			r->module->computation[top->region].first;
}

/* ---- functions ---- */

static bool add_argument(reader *r, sw_str part, int index)
{
	sw_str name = value_name(part), rest = sw_str_trim(sw_str_behind(part, name.length + 1));
	if (!name.length || !sw_str_starts(rest, ":"))
		return true;
	rest = sw_str_trim(sw_str_behind(rest, 1));
	size_t type = sw_str_starts(rest, "tensor<") ? sw_str_balanced(rest, strlen("tensor"), SW_NESTING_MLIR) : 0;
	sw_str sharding = mlir_sharding_in(rest, "sdy.sharding = ");
	if (!sharding.length)
		sharding = mlir_sharding_in(rest, "mhlo.sharding = ");
	return add_value(r, (graph_value){name, {rest.at, type}, sharding, -1, index, -1}) &&
		name_value(r, name, r->module->values - 1);
}

/* `%a: tensor<2xf32>, %b: ...` */
static bool add_arguments(reader *r, sw_str list)
{
	sw_str part;
	size_t at = 0;
	for (int k = 0; (part = sw_str_split(list, &at, SW_NESTING_MLIR)).length; k++)
		if (!add_argument(r, part, k))
			return false;
	return true;
}

/* Of several with one name the first is found. */
static bool remember(sw_names *names, sw_str name, int is)
{
	return sw_names_find(names, name) >= 0 || sw_names_add(names, name, is);
}

/* `func.func public @main(%arg0: ..., ...) -> (...) {` */
static bool open_function(reader *r, sw_str line)
{
	graph_module *m = r->module;
	const char *sign = memchr(line.at, '@', line.length),
			   *open = sign ? memchr(sign, '(', (size_t)(line.at + line.length - sign)) : NULL;
	if (line.at[line.length - 1] != '{' || !open)
		return line.at[line.length - 1] != '{' || push(r, MLIR_IN_OTHER, -1);
	size_t close = sw_str_balanced(line, (size_t)(open - line.at), SW_NESTING_MLIR);
	if (!close || !push(r, MLIR_IN_FUNCTION, -1))
		return r->diag->code == SW_OK;
	if (!SW_GROW(r->arena, m->function, m->functions, r->function_room, 64))
		return sw_diag_memory(r->diag);
	graph_function *f = &m->function[m->functions++];
	sw_str arguments = {open + 1, (size_t)(line.at + close - 1 - (open + 1))},
		   rest = sw_str_trim(sw_str_behind(line, close));
	sw_str name = {sign + 1, (size_t)(open - sign - 1)};
	if (!remember(&m->names, name, m->functions - 1))
		return sw_diag_memory(r->diag);
	m->computation[inside(r)].name = name;
	*f = (graph_function){.name = name,
		.computation = inside(r),
		.first_arg = m->values,
		.at = r->at,
		.line = r->line};
	if (!add_arguments(r, arguments))
		return false;
	f = &m->function[m->functions - 1];
	f->args = m->values - f->first_arg;
	rest = sw_str_starts(rest, "->") ? sw_str_trim(sw_str_behind(rest, 2)) : (sw_str){"", 0};
	size_t end = sw_str_starts(rest, "(") ? sw_str_balanced(rest, 0, SW_NESTING_MLIR) : 0;
	f->results = end ? (sw_str){rest.at + 1, end - 2} : rest;
	return true;
}

/* ---- operations ---- */

/* The operation's name at the start, perhaps in quotes. */
static sw_str op_name(sw_str text)
{
	size_t begin = sw_str_starts(text, "\""), length = 0;
	while (begin + length < text.length && mlir_is_name(text.at[begin + length]))
		length++;
	return (sw_str){text.at + begin, length};
}

/* `@Sharding` behind the name of a custom call; empty: something else stands there. */
static sw_str target_of(sw_str text, sw_str name)
{
	sw_str rest = sw_str_trim(sw_str_behind(text, (size_t)(name.at - text.at) + name.length));
	size_t length = 1;
	if (!sw_str_starts(rest, "@"))
		return (sw_str){"", 0};
	while (length < rest.length && mlir_is_name(rest.at[length]))
		length++;
	return (sw_str){rest.at, length};
}

static bool add_operand(reader *r, graph_instruction *op, int value)
{
	graph_module *m = r->module;
	if (!SW_GROW(r->arena, m->operand, m->operands, r->operand_room, 64))
		return sw_diag_memory(r->diag);
	m->operand[m->operands++] = value;
	if (value >= 0 && m->value[value].op >= 0)
		m->instruction[m->value[value].op].users++;
	op->operands++;
	return true;
}

/* How many values have the name of this one. */
static int results_of(const reader *r, int value)
{
	int op = value >= 0 ? r->module->value[value].op : -1;
	return value < 0 ? 0 : op < 0 ? 1 : r->module->instruction[op].results;
}

/* `%a`, `%b#1`; in a loop `%arg = %a`, where the first one is what its regions see. */
static bool read_operands(reader *r, graph_instruction *op, sw_str text)
{
	op->first = r->module->operands;
	for (sw_str rest = text; rest.length;) {
		const char *sign = memchr(rest.at, '%', rest.length);
		if (!sign)
			return true;
		rest = sw_str_behind(rest, (size_t)(sign - rest.at));
		sw_str name = value_name(rest);
		rest = sw_str_behind(rest, name.length + 1);
		if (op->op == HLO_WHILE && sw_str_starts(rest, " = ")) {
			op->first_arg = op->args++ ? op->first_arg : r->module->values;
			if (!add_value(r, (graph_value){.name = name, .op = -1, .loop = r->module->instructions}))
				return false;
			continue;
		}
		int value = value_named(r, name), number = result_number(&rest);
		if (!add_operand(r, op, number < results_of(r, value) ? value + number : -1))
			return false;
	}
	return true;
}

/* A result has a type, which has letters. */
static bool has_letters(const reader *r, int64_t count)
{
	int64_t most = (int64_t)(r->end - r->begin) / TYPE_LEAST + 64;
	if (r->module->values + count <= most)
		return true;
	sw_diag_set(r->diag, SW_N06, (sw_span){r->at, r->at + 1}, "%lld results are more than the text has types for",
		(long long)count);
	return false;
}

static bool add_results(reader *r, graph_instruction *op, sw_str name, int count, sw_str types)
{
	graph_module *m = r->module;
	if (count > 1 && !has_letters(r, count))
		return false;
	size_t at = 0;
	op->first_result = m->values;
	op->results = count;
	for (int k = 0; k < count; k++) {
		sw_str type = sw_str_split(types, &at, SW_NESTING_MLIR);
		if (!add_value(r, (graph_value){.name = name, .type = type, .op = m->instructions, .index = k, .loop = -1}))
			return false;
	}
	return !count || name_value(r, name, op->first_result);
}

/* What follows `%name` or `%name:4` and ` = `; *count: how many results. */
static sw_str take_results(sw_str line, sw_str *name, int *count)
{
	int64_t number = 1;
	*name = value_name(line);
	*count = 0;
	if (!name->length)
		return line;
	sw_str rest = sw_str_behind(line, name->length + 1);
	if (sw_str_starts(rest, ":")) {
		size_t length = sw_str_digits(sw_str_behind(rest, 1));
		if (!sw_read_int((sw_str){rest.at + 1, length}, &number, NULL) || number > 65536)
			number = 1;
		rest = sw_str_behind(rest, length + 1);
	}
	*count = (int)number;
	rest = sw_str_trim(rest);
	return sw_str_starts(rest, "=") ? sw_str_trim(sw_str_behind(rest, 1)) : rest;
}

/* Types that stand once for operands and results: the last one is that of a single result. */
static sw_str own_types(sw_str types, int count)
{
	sw_str own = result_types(types), part, last = own;
	size_t at = 0;
	while (count == 1 && (part = sw_str_split(own, &at, SW_NESTING_MLIR)).length)
		last = part;
	return count == 1 ? last : own;
}

/* The next region of an operation. */
static bool open_block(reader *r, int op)
{
	graph_module *m = r->module;
	if (!push(r, MLIR_IN_BLOCK, op))
		return false;
	int *last = &m->instruction[op].child[0];
	if (m->instruction[op].children++)
		last = &m->computation[m->instruction[op].child[1]].next;
	*last = m->instruction[op].child[1] = inside(r);
	return true;
}

/* Of `(%a) in_shardings=[...] ... manual_axes={"x"} (%b: tensor<...>) {` what its region sees is given the names in it. */
static bool open_manual(reader *r, sw_str text, int op)
{
	sw_str rest;
	bool said = sw_str_after(text, "manual_axes={", &rest);
	size_t close = said ? sw_str_balanced(text, (size_t)(rest.at - text.at) - 1, SW_NESTING_MLIR) : 0;
	rest = sw_str_trim(sw_str_behind(text, close ? close : text.length));
	size_t end = sw_str_starts(rest, "(") ? sw_str_balanced(rest, 0, SW_NESTING_MLIR) : 0;
	return open_block(r, op) && add_arguments(r, sw_str_inner((sw_str){rest.at, end}));
}

/* Where its operands are said: of a manual computation in the first parentheses. */
static size_t operands_end(hlo_op op, sw_str text, size_t types)
{
	const char *open = op == HLO_MANUAL ? memchr(text.at, '(', text.length) : NULL;
	size_t close = open ? sw_str_balanced(text, (size_t)(open - text.at), SW_NESTING_MLIR) : 0;
	return close ? close : types;
}

static bool read_op(reader *r, sw_str line, size_t at)
{
	graph_module *m = r->module;
	graph_instruction op = {.at = at, .line = r->line, .computation = inside(r), .child = {-1, -1}};
	sw_str name, rest = take_loc(line, &op.loc);
	int count;
	rest = take_results(rest, &name, &count);
	bool opens = rest.length && rest.at[rest.length - 1] == '{';
	op.word = op_name(rest);
	op.op = hlo_op_in_mlir(op.word, target_of(rest, op.word));
	op.attributes = rest;
	if (op.computation < 0 || !op.word.length)
		return !opens || push(r, MLIR_IN_OTHER, -1);
	size_t types = types_begin(rest);
	if (!read_operands(r, &op, (sw_str){rest.at, operands_end(op.op, rest, types)}))
		return false;
	if (!SW_GROW(r->arena, m->instruction, m->instructions, r->op_room, 64))
		return sw_diag_memory(r->diag);
	sw_str typed = types < rest.length ? sw_str_trim(sw_str_behind(rest, types + 1)) : (sw_str){"", 0};
	const char *attributes = op.op == HLO_WHILE ? memmem(typed.at, typed.length, " attributes {", 13) : NULL;
	typed.length = attributes ? (size_t)(attributes - typed.at) : typed.length;
	if (!add_results(r, &op, name, count, own_types(typed, count)))
		return false;
	m->instruction[m->instructions] = op;
	if (op.op == HLO_RETURN)
		m->computation[op.computation].root = m->instructions;
	r->waiting = op.op == HLO_WHILE ? m->instructions : -1;
	m->instructions++;
	if (opens && op.op == HLO_MANUAL)
		return open_manual(r, rest, m->instructions - 1);
	if (opens && op.op == HLO_CONDITIONAL)
		return open_block(r, m->instructions - 1);
	return !opens || push(r, MLIR_IN_OTHER, m->instructions - 1);
}

/* A region of the loop that waits for it: it sees the loop's values. */
static bool open_loop(reader *r, mlir_opener opener, int op)
{
	graph_module *m = r->module;
	if (!push(r, opener, op))
		return false;
	graph_instruction *loop = &m->instruction[op];
	m->computation[inside(r)].loop = op;
	loop->child[opener == MLIR_IN_BODY] = inside(r);
	loop->children = 1 + (opener == MLIR_IN_BODY);
	for (int k = 0; k < loop->args; k++) {
		graph_value *value = &m->value[loop->first_arg + k];
		value->index = k;
		if (k < loop->results)
			value->type = m->value[loop->first_result + k].type;
		if (!name_value(r, value->name, loop->first_arg + k))
			return false;
	}
	return true;
}

/* `} : (tensor<...>) -> tensor<...>`: the types of what its operation gives. */
static void take_types(reader *r, sw_str line, int op)
{
	graph_module *m = r->module;
	while (line.length && strchr("})", *line.at))
		line = sw_str_behind(line, 1);
	size_t colon = types_begin(line);
	if (op < 0 || colon >= line.length)
		return;
	sw_str types = own_types(sw_str_trim(sw_str_behind(line, colon + 1)), m->instruction[op].results);
	size_t at = 0;
	for (int k = 0; k < m->instruction[op].results; k++)
		m->value[m->instruction[op].first_result + k].type = sw_str_split(types, &at, SW_NESTING_MLIR);
}

static bool close_brace(reader *r, sw_str line)
{
	level top = r->levels ? r->level[r->levels - 1] : (level){MLIR_IN_OTHER, -1, -1, 0};
	sw_str loc, rest = take_loc(line, &loc);
	bool opens = rest.at[rest.length - 1] == '{';
	pop(r);
	if (top.opener == MLIR_IN_CONDITION && opens && sw_str_starts(sw_str_trim(sw_str_behind(rest, 1)), "do"))
		return open_loop(r, MLIR_IN_BODY, top.op);
	if (opens && top.opener == MLIR_IN_BLOCK)
		return open_block(r, top.op);
	if (opens)
		return push(r, MLIR_IN_OTHER, top.op);
	take_types(r, rest, top.op);
	if (top.op >= 0 && loc.length)
		r->module->instruction[top.op].loc = loc;
	return true;
}

/* ---- statements ---- */

static bool add_mesh(reader *r, sw_str line)
{
	graph_module *m = r->module;
	const char *sign = memchr(line.at, '@', line.length),
			   *open = sign ? memchr(sign, '<', (size_t)(line.at + line.length - sign)) : NULL;
	size_t end = open ? sw_str_balanced(line, (size_t)(open - line.at), SW_NESTING_MLIR) : 0, length = 1;
	if (!end)
		return true;
	while (mlir_is_name(sign[length]))
		length++;
	sw_str name = {sign + 1, length - 1};
	if (!SW_GROW(r->arena, m->mesh, m->meshes, r->mesh_room, 64) || !remember(&m->mesh_names, name, m->meshes))
		return sw_diag_memory(r->diag);
	m->mesh[m->meshes++] = (graph_mesh){name, {open, (size_t)(line.at + end - open)}};
	return true;
}

static void read_header(reader *r, sw_str line)
{
	const char *sign = memchr(line.at, '@', line.length);
	size_t length = 1;
	while (sign && sign + length < line.at + line.length && mlir_is_name(sign[length]))
		length++;
	if (sign)
		r->module->name = (sw_str){sign + 1, length - 1};
	graph_header_number(line, "num_partitions = ", &r->module->partitions);
	graph_header_number(line, "num_replicas = ", &r->module->replicas);
}

static bool read_statement(reader *r, sw_str line)
{
	bool opens = line.length && line.at[line.length - 1] == '{';
	bool passed = r->levels && r->level[r->levels - 1].opener == MLIR_IN_OTHER;
	if (*line.at == '#')
		return true;
	if (*line.at == '}')
		return close_brace(r, line);
	if (passed || sw_str_starts(line, "reducer(") || *line.at == '^')
		return !opens || push(r, MLIR_IN_OTHER, -1);
	if (sw_str_starts(line, "module")) {
		read_header(r, line);
		return !opens || push(r, MLIR_IN_MODULE, -1);
	}
	if (sw_str_starts(line, "sdy.mesh "))
		return add_mesh(r, line);
	if (sw_str_starts(line, "func.func "))
		return open_function(r, line);
	if (r->waiting >= 0 && opens && sw_str_starts(line, "cond"))
		return open_loop(r, MLIR_IN_CONDITION, r->waiting);
	return read_op(r, line, r->at);
}

/* To the statement that begins at this byte. */
static void go_on_to(reader *r, sw_str text, size_t at)
{
	for (; r->at < at; r->at++)
		r->line += text.at[r->at] == '\n';
}

bool mlir_read(sw_str text, sw_span span, int64_t line, const sw_pulse *pulse, sw_arena *arena, graph_module *module,
	sw_diag *diag)
{
	reader r = {.module = module,
		.arena = arena,
		.diag = diag,
		.waiting = -1,
		.line = line,
		.begin = span.begin,
		.end = span.end};
	sw_str statement, whole = {text.at, span.end};
	size_t at = span.begin, beat = at;
	*module = (graph_module){.around = text, .partitions = 1, .replicas = 1, .arena = arena};
	sw_names_start(&module->names, arena);
	sw_names_start(&module->mesh_names, arena);
	for (r.at = at; mlir_statement(whole, &at, &statement);) {
		go_on_to(&r, text, (size_t)(statement.at - text.at));
		if (!read_statement(&r, statement))
			return false;
		if (at - beat < BEAT)
			continue;
		beat = at;
		if (!sw_pulse_beat(pulse, "bytes", (long long)at, (long long)text.length))
			return sw_diag_set(diag, SW_S03, (sw_span){at, at}, "stopped after %zu of %zu bytes", at, text.length);
	}
	if (r.levels)
		module->cut_line = r.line;
	while (r.levels)
		pop(&r);
	return mlir_calls_find(module) || sw_diag_memory(diag);
}
