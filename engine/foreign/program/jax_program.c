/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of JAX as a program.
 *
 * The text is read from a copy of equal length in which comments are blanks, and so are line breaks within brackets: every line
 * of it is then a statement, and positions are those of the text.
 */
#define _GNU_SOURCE
#include "base/python.h"
#include "foreign/program/build.h"
#include "foreign/program/operand.h"
#include "program/ops.h"

#include <string.h>

#include <shardwalk/number.h>

#define BEAT 256            /* lines between questions to the pulse */
#define PARENTHESES_MOST 64 /* around one value */

typedef struct jax_reader {
	operand_text of; /* the copy */
	build b;
	sw_names names; /* what they are now: a build_ref of `ref` */
	int refs, ref_room;
	build_ref *ref;
	sw_str name;  /* of the function */
	sw_str spec;  /* the function that makes shardings of its arguments; empty: none */
	bool in_spec; /* its body comes next */
	const sw_pulse *pulse;
	long long lines;
	bool returned;
	build_ref result;
} jax_reader;

/* ---- the copy ---- */

/* The end of the quoted string that opens at `at`: behind the quote, or the end of its line. */
static size_t string_end(const char *text, size_t length, size_t at)
{
	char quote = text[at++];
	while (at < length && text[at] != quote && text[at] != '\n')
		at++;
	return at < length && text[at] == quote ? at + 1 : at;
}

static void flatten(char *text, size_t length)
{
	int depth = 0;
	for (size_t at = 0; at < length;) {
		char c = text[at];
		if (c == '\'' || c == '"') {
			at = string_end(text, length, at);
			continue;
		}
		depth += c == '(' || c == '[' || c == '{';
		depth -= depth > 0 && (c == ')' || c == ']' || c == '}');
		if (c == '#')
			while (at < length && text[at] != '\n')
				text[at++] = ' ';
		else if ((c == '\n' && depth > 0) || c == '\r' || c == '\t' || (c == '\\' && text[at + 1] == '\n'))
			text[at++] = ' ';
		else
			at++;
	}
}

/* ---- names ---- */

static bool name_value(jax_reader *r, sw_str name, build_ref ref)
{
	if (!SW_GROW(r->of.arena, r->ref, r->refs, r->ref_room, 16))
		return sw_diag_memory(r->of.diag);
	r->ref[r->refs] = ref;
	return sw_names_add(&r->names, name, r->refs++) || sw_diag_memory(r->of.diag);
}

/* `x: f32[8,2048] P('x', None)` */
static bool declare(jax_reader *r, sw_str item, build_ref *ref)
{
	size_t colon = sw_str_outside(item, 0, SW_NESTING_PYTHON, ":");
	sw_str name = sw_str_trim((sw_str){item.at, colon});
	sw_type type;
	if (!sw_scan_is_bare(name))
		return operand_refuse(&r->of, item, "NAME: DTYPE[SIZES] P(AXES)");
	return jax_operand(&r->of, item, &type) &&
		build_input(&r->b, name, &type, false, operand_span(&r->of, name), ref) && name_value(r, name, *ref);
}

static bool unknown_name(const jax_reader *r, sw_str name)
{
	sw_str near = sw_names_nearest(&r->names, name);
	sw_diag_set(r->of.diag, SW_N03, operand_span(&r->of, name), "the type of '%.*s' is unknown",
		(int)(name.length < 40 ? name.length : 40), name.at);
	sw_diag_expected(r->of.diag, "a name that comes before, or NAME: DTYPE[SIZES] P(AXES)");
	if (near.length > 0)
		sw_diag_hint(r->of.diag, "did you mean '%.*s'?", (int)near.length, near.at);
	return false;
}

static bool use(jax_reader *r, sw_str item, build_ref *ref)
{
	item = sw_str_trim(item);
	if (!sw_scan_is_bare(item))
		return declare(r, item, ref);
	int found = sw_names_find(&r->names, item);
	if (found < 0)
		return unknown_name(r, item);
	*ref = r->ref[found];
	return true;
}

/* ---- statements ---- */

/* Without the name of the function that makes a sharding of the entries behind it. */
static sw_str entries_of(const jax_reader *r, sw_str text)
{
	size_t length = r->spec.length;
	bool made = length > 0 && text.length > length && text.at[length] == '(' &&
		sw_str_equal((sw_str){text.at, length}, r->spec);
	return made && !sw_str_is(r->spec, "P") ? sw_str_behind(text, length) : text;
}

/* The sharding that a result is asked for in; its shape is that of the statement. */
static bool asked(const jax_reader *r, sw_str text, const sw_type *shape, sw_type *home)
{
	sw_type whole;
	return sw_type_replicated(shape->dtype, shape->rank, shape->global, &whole, r->of.diag) &&
		operand_sharded(&r->of, entries_of(r, text), &whole, home);
}

static bool add_product(jax_reader *r, sw_str target, const jax_call *call, sw_str all, build_ref *ref)
{
	build_statement s = {.op = SW_EINSUM, .count = 2, .product = true, .at = operand_span(&r->of, all)};
	sw_product product = {.wanted = false};
	sw_type result, home;
	bool wanted = call->out.length > 0 && !sw_str_is(call->out, "None");
	s.value = (build_value){.name = target, .at = operand_span(&r->of, target)};
	if (!use(r, call->operand[0], &s.operand[0]) || !use(r, call->operand[1], &s.operand[1]))
		return false;
	product.a = build_at(&r->b, s.operand[0])->type;
	product.b = build_at(&r->b, s.operand[1])->type;
	bool ok = call->equation.at ?
		sw_equation_parse(call->equation, &s.equation, r->of.diag) || operand_blame(&r->of, call->equation) :
		jax_contraction(&r->of, call->name, &product.a, &product.b, &s.equation);
	product.equation = s.equation;
	return ok && operand_shape(&r->of, all, &product, &result) && (!wanted || asked(r, call->out, &result, &home)) &&
		build_add(&r->b, &s, wanted ? &home : NULL, false, ref);
}

/* What a call of this word computes, the word behind the last dot; SW_OP_COUNT: nothing of the language. */
static sw_op called(sw_str word)
{
	int op = SW_COLLECTIVES;
	if (sw_str_is(word, "with_sharding_constraint"))
		return SW_REDISTRIBUTE;
	for (; op < SW_OP_COUNT; op++) {
		const char *jax = sw_operation_of((sw_op)op)->words.jax;
		if (jax && sw_str_is(word, jax))
			break;
	}
	return (sw_op)op;
}

/* What `jax.nn.relu(...)` computes, and what stands in its brackets; SW_OP_COUNT: it is no such call. */
static sw_op call_of(sw_str text, sw_str *list)
{
	sw_str function;
	return sw_py_call(text, &function, list) ? called(function) : SW_OP_COUNT;
}

/* The next item of a list; its end where there is none. */
static sw_str next_of(sw_str *list)
{
	sw_py_item item;
	return sw_py_take(list, &item) ? item.text : *list;
}

static bool add_call(jax_reader *r, sw_str target, sw_op op, sw_str list, build_ref *ref)
{
	build_statement s = {.op = op, .count = sw_operation_of(op)->operands, .at = operand_span(&r->of, list)};
	bool moves = !sw_op_computes(op);
	sw_type home;
	s.value = (build_value){.name = target, .at = operand_span(&r->of, target)};
	for (int k = 0; k < s.count; k++)
		if (!use(r, next_of(&list), &s.operand[k]))
			return false;
	sw_str spec = moves ? next_of(&list) : list;
	if (moves && spec.length == 0)
		return operand_refuse(&r->of, spec, "the sharding, such as P('x', None)");
	list = sw_str_trim(list);
	if (list.length > 0)
		return operand_refuse(&r->of, list, "nothing more");
	return (!moves || asked(r, spec, &build_at(&r->b, s.operand[0])->type, &home)) &&
		build_add(&r->b, &s, moves ? &home : NULL, !moves, ref);
}

static bool read_value(jax_reader *r, sw_str target, sw_str text, build_ref *ref)
{
	sw_str list;
	jax_call call;
	for (int depth = 0; depth < PARENTHESES_MOST; depth++)
		text = sw_py_inside(text, "(");
	sw_op op = call_of(text, &list);
	if (sw_scan_is_bare(text))
		return use(r, text, ref);
	if (op != SW_OP_COUNT)
		return add_call(r, target, op, list, ref);
	return jax_call_read(&r->of, text, &call) && add_product(r, target, &call, text, ref);
}

/* ---- functions without a name: `jax.jit(lambda A, B: EXPRESSION, out_shardings=P('x'))(a, b)` ---- */

#define LAMBDA_NAMES 16

typedef struct jax_lambda {
	sw_str body, out; /* out: of the result, or empty */
	int count;
	sw_py_item name[LAMBDA_NAMES], given[LAMBDA_NAMES];
	int before[LAMBDA_NAMES]; /* what the name was outside, or -1 */
} jax_lambda;

/* The items of a list; -1: there are too many. */
static int items_of(sw_str list, sw_py_item *item)
{
	int count = 0;
	for (sw_py_item next; sw_py_take(&list, &next); count++) {
		if (count == LAMBDA_NAMES)
			return -1;
		item[count] = next;
	}
	return count;
}

static bool is_jitted(sw_str text)
{
	return sw_str_starts(text, "jax.jit(") || sw_str_starts(text, "jit(");
}

static bool read_lambda(const jax_reader *r, sw_str text, jax_lambda *lambda)
{
	const char *open = memchr(text.at, '(', text.length);
	size_t end = sw_str_balanced(text, (size_t)(open - text.at), SW_NESTING_PYTHON);
	sw_str function, list, rest = sw_str_trim(sw_str_behind(text, end)), given = sw_py_inside(rest, "(");
	if (!sw_py_call((sw_str){text.at, end}, &function, &list) || given.length == rest.length)
		return operand_refuse(&r->of, text, "jax.jit(lambda NAMES: EXPRESSION)(NAMES)");
	list = sw_str_trim(list);
	size_t colon = sw_str_outside(list, 0, SW_NESTING_PYTHON, ":");
	if (!sw_str_starts(list, "lambda ") || colon == list.length)
		return operand_refuse(&r->of, list, "lambda NAMES: EXPRESSION");
	lambda->count = items_of((sw_str){list.at + 7, colon - 7}, lambda->name);
	if (lambda->count < 0 || items_of(given, lambda->given) != lambda->count)
		return operand_refuse(&r->of, given, "a value for each name after `lambda`");
	list = sw_str_behind(list, colon + 1);
	lambda->body = next_of(&list);
	lambda->out = (sw_str){list.at, 0};
	for (sw_py_item item; sw_py_take(&list, &item);)
		lambda->out = sw_str_is(item.key, "out_shardings") ? item.value : lambda->out;
	return true;
}

/* Its names are what it is called with. */
static bool enter(jax_reader *r, jax_lambda *lambda)
{
	build_ref value[LAMBDA_NAMES];
	for (int i = 0; i < lambda->count; i++) {
		if (!sw_scan_is_bare(lambda->name[i].text))
			return operand_refuse(&r->of, lambda->name[i].text, "a name");
		if (!use(r, lambda->given[i].text, &value[i]))
			return false;
		lambda->before[i] = sw_names_find(&r->names, lambda->name[i].text);
	}
	for (int i = 0; i < lambda->count; i++)
		if (!name_value(r, lambda->name[i].text, value[i]))
			return false;
	return true;
}

static bool leave(jax_reader *r, const jax_lambda *lambda)
{
	for (int i = 0; i < lambda->count; i++)
		if (lambda->before[i] >= 0 && !name_value(r, lambda->name[i].text, r->ref[lambda->before[i]]))
			return false;
	return true;
}

static bool move_to(jax_reader *r, sw_str target, sw_str spec, build_ref *ref)
{
	build_statement s = {.op = SW_REDISTRIBUTE, .count = 1, .operand = {*ref}, .at = operand_span(&r->of, spec)};
	sw_type home;
	s.value = (build_value){.name = target, .at = operand_span(&r->of, target)};
	return asked(r, spec, &build_at(&r->b, *ref)->type, &home) && build_add(&r->b, &s, &home, false, ref);
}

static bool read_jitted(jax_reader *r, sw_str target, sw_str text, build_ref *ref)
{
	jax_lambda lambda;
	jax_call call;
	sw_str list;
	if (!read_lambda(r, text, &lambda) || !enter(r, &lambda))
		return false;
	bool product = !sw_scan_is_bare(lambda.body) && !call_of(lambda.body, &list);
	if (product && !jax_call_read(&r->of, lambda.body, &call))
		return false;
	if (product && call.out.length == 0)
		call.out = lambda.out;
	bool ok = product ? add_product(r, target, &call, lambda.body, ref) : read_value(r, target, lambda.body, ref);
	bool moves = lambda.out.length > 0 && !sw_str_is(lambda.out, "None") &&
		!(product && call.out.at == lambda.out.at);
	return ok && (!moves || move_to(r, target, lambda.out, ref)) && leave(r, &lambda);
}

/* ---- arrays that are made: `jnp.zeros((8, 2048), dtype=jnp.bfloat16, device=P('x', None))` ---- */

static bool makes_array(sw_str text, sw_str *list)
{
	sw_str function;
	return sw_str_starts(text, "jnp.") && sw_py_call(text, &function, list) &&
		(sw_str_is(function, "zeros") || sw_str_is(function, "ones") || sw_str_is(function, "empty"));
}

static bool read_sizes(const jax_reader *r, sw_str text, int64_t *size, int *rank)
{
	sw_py_item item[LAMBDA_NAMES];
	*rank = items_of(sw_py_inside(text, "(["), item);
	for (int d = 0; d < *rank && d < SW_MAX_DIMS; d++)
		if (!sw_read_int(item[d].text, &size[d], NULL) || size[d] < 1)
			return operand_refuse(&r->of, item[d].text, "the size of a dimension");
	return (*rank >= 0 && *rank <= SW_MAX_DIMS) || operand_refuse(&r->of, text, "the sizes of an array");
}

/* `jnp.bfloat16` or `'bfloat16'`; none is float32. */
static bool read_dtype(const jax_reader *r, sw_str text, sw_dtype *dtype)
{
	sw_scan scan = {.text = sw_str_unquoted(text)};
	sw_span at;
	sw_str word = sw_py_word(&scan, &at);
	word = sw_scan_peek(&scan) < 0 ? word : scan.text;
	*dtype = SW_F32;
	return text.length == 0 || sw_dtype_parse(word, dtype, r->of.diag) || operand_blame(&r->of, word);
}

/* What follows the sizes: the element type, as a keyword or not, and the sharding. */
static bool take_array_item(const jax_reader *r, const sw_py_item *item, bool first, sw_str *dtype, sw_str *spec)
{
	bool typed = sw_str_is(item->key, "dtype") || (first && item->key.length == 0);
	if (!typed && !sw_str_is(item->key, "device") && !sw_str_is(item->key, "out_sharding"))
		return operand_refuse(&r->of, item->text, "dtype=..., or device=P(...)");
	*(typed ? dtype : spec) = item->value;
	return true;
}

/* It is an input: what is in it matters to nobody here. */
static bool make_array(jax_reader *r, sw_str target, sw_str list, build_ref *ref)
{
	sw_str word = {list.at + list.length, 0}, spec = word;
	sw_py_item item[LAMBDA_NAMES];
	int64_t size[SW_MAX_DIMS];
	int rank, count = items_of(list, item);
	sw_dtype dtype;
	sw_type type;
	if (count < 1)
		return operand_refuse(&r->of, list, "the sizes of an array");
	for (int i = 1; i < count; i++)
		if (!take_array_item(r, &item[i], i == 1, &word, &spec))
			return false;
	if (!read_sizes(r, sw_str_is(item[0].key, "shape") ? item[0].value : item[0].text, size, &rank) ||
		!read_dtype(r, word, &dtype) || !sw_type_replicated(dtype, rank, size, &type, r->of.diag))
		return false;
	type.dtype_given = true;
	return (spec.length == 0 || sw_str_is(spec, "None") || asked(r, spec, &type, &type)) &&
		build_input(&r->b, target, &type, false, operand_span(&r->of, target), ref);
}

static bool read_expression(jax_reader *r, sw_str target, sw_str text, build_ref *ref)
{
	sw_str list;
	if (is_jitted(text))
		return read_jitted(r, target, text, ref);
	if (makes_array(text, &list))
		return make_array(r, target, list, ref);
	return read_value(r, target, text, ref);
}

/* ---- the mesh ---- */

static bool makes_mesh(sw_str text)
{
	static const char *const makers[] = {"make_mesh", "Mesh", "AbstractMesh"};
	sw_scan scan = {.text = text};
	sw_span at;
	sw_str word = sw_py_word(&scan, &at);
	for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
		if (sw_str_is(word, makers[i]))
			return sw_scan_peek(&scan) == '(';
	return false;
}

/* The program is over one mesh: a second one is refused. */
static bool take_mesh(jax_reader *r, sw_str text)
{
	sw_sharding *sharding = SW_NEW(r->of.arena, sw_sharding, 1);
	if (!sharding)
		return sw_diag_memory(r->of.diag);
	if (!sw_sharding_parse(text, NULL, r->of.arena, sharding, r->of.diag))
		return operand_blame(&r->of, text);
	if (sharding->kind != SW_SHARDING_MESH || sharding->mesh.count == 0)
		return operand_refuse(&r->of, text, "a mesh with its axes, such as jax.make_mesh((4, 2), ('x', 'y'))");
	if (r->b.inputs + r->b.statements > 0 && !sw_mesh_equal(&sharding->mesh, r->of.mesh)) {
		sw_diag_set(r->of.diag, SW_N05, operand_span(&r->of, text),
			"this mesh differs from that of the lines "
			"before");
		sw_diag_expected(r->of.diag, "one mesh for the whole program");
		return false;
	}
	r->of.mesh = &sharding->mesh;
	r->b.mesh = sharding->mesh;
	return true;
}

static bool has_mesh(const jax_reader *r, sw_str line)
{
	if (r->of.mesh)
		return true;
	sw_diag_set(r->of.diag, SW_N03, operand_span(&r->of, line), "the mesh of the program is unknown");
	sw_diag_expected(r->of.diag, "a mesh with its axes, such as mesh {x: 4, y: 2}");
	return false;
}

/* ---- lines ---- */

/* `def P(*args): return jax.NamedSharding(mesh, jax.sharding.PartitionSpec(*args))`: what it makes is a sharding. */
static bool is_spec_head(sw_str line, sw_str *name)
{
	const char *open = memchr(line.at, '(', line.length);
	if (!sw_str_starts(line, "def ") || !open || open + 1 == line.at + line.length || open[1] != '*')
		return false;
	*name = sw_str_trim((sw_str){line.at + 4, (size_t)(open - line.at) - 4});
	return sw_scan_is_bare(*name);
}

static bool is_spec_body(sw_str line)
{
	return sw_str_starts(line, "return ") && memmem(line.at, line.length, "(*", 2) != NULL;
}

/* The head, and the body in its line or behind it. */
static bool read_spec(jax_reader *r, sw_str line, bool *is)
{
	sw_str name;
	*is = is_spec_head(line, &name);
	if (*is) {
		sw_str rest = sw_str_trim(sw_str_behind(line, sw_str_outside(line, 0, SW_NESTING_PYTHON, ":")));
		r->spec = name;
		r->in_spec = rest.length < 2;
		return r->in_spec || is_spec_body(sw_str_trim(sw_str_behind(rest, 1))) ||
			operand_refuse(&r->of, line, "return NamedSharding(mesh, PartitionSpec(*args))");
	}
	*is = r->in_spec;
	r->in_spec = false;
	return !*is || is_spec_body(line) ||
		operand_refuse(&r->of, line, "return NamedSharding(mesh, PartitionSpec(*args))");
}

/* `def f(x: TYPE, y: TYPE) -> ...:` */
static bool read_head(jax_reader *r, sw_str line)
{
	const char *open = memchr(line.at, '(', line.length);
	size_t end = open ? sw_str_balanced(line, (size_t)(open - line.at), SW_NESTING_PYTHON) : 0;
	if (end == 0)
		return operand_refuse(&r->of, line, "def NAME(x: TYPE, ...):");
	r->name = sw_str_trim((sw_str){line.at + 4, (size_t)(open - line.at) - 4});
	sw_str list = {open + 1, end - (size_t)(open - line.at) - 2};
	for (sw_py_item item; sw_py_take(&list, &item);) {
		build_ref ref;
		if (item.text.length > 0 && !sw_scan_is_bare(item.text) && !declare(r, item.text, &ref))
			return false;
	}
	return true;
}

static bool read_assignment(jax_reader *r, sw_str line, size_t equal)
{
	sw_str target = sw_str_trim((sw_str){line.at, equal});
	build_ref ref;
	sw_str value = sw_str_trim(sw_str_behind(line, equal + 1));
	if (!sw_scan_is_bare(target))
		return operand_refuse(&r->of, target, "a name before '='");
	if (makes_mesh(value))
		return take_mesh(r, value);
	return has_mesh(r, line) && read_expression(r, target, value, &ref) && name_value(r, target, ref);
}

static bool is_passed_over(sw_str line)
{
	static const char *const begins[] = {"import ", "from ", "assert ", "@", "```"};
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (sw_str_starts(line, begins[i]))
			return true;
	return line.length == 0;
}

static bool read_line(jax_reader *r, sw_str line)
{
	size_t equal = sw_str_outside(line, 0, SW_NESTING_PYTHON, "="),
		   colon = sw_str_outside(line, 0, SW_NESTING_PYTHON, ":");
	build_ref ref;
	bool spec;
	if (is_passed_over(line))
		return true;
	if (r->returned)
		return operand_refuse(&r->of, line, "nothing after `return`");
	if (!read_spec(r, line, &spec))
		return false;
	if (spec)
		return true;
	if (equal < line.length && !sw_str_starts(line, "def ") && !sw_str_starts(line, "return "))
		return read_assignment(r, line, equal);
	if (!has_mesh(r, line))
		return false;
	if (sw_str_starts(line, "def "))
		return read_head(r, line);
	if (sw_str_starts(line, "return ")) {
		r->returned = true;
		return read_expression(r, sw_str_of("result"), sw_str_trim(sw_str_behind(line, 7)), &r->result);
	}
	if (colon < line.length && sw_scan_is_bare(sw_str_trim((sw_str){line.at, colon})) &&
		sw_str_outside(line, 0, SW_NESTING_PYTHON, "@") == line.length)
		return declare(r, line, &ref);
	return operand_refuse(&r->of, line, "NAME = jnp.einsum(...), jnp.dot(...), A @ B, or return NAME");
}

/* A program has a bound, and who reads it may be stopped. */
static bool go_on(jax_reader *r, sw_str line)
{
	if (r->b.statements > SW_PROGRAM_READ_MOST) {
		sw_diag_set(r->of.diag, SW_N09, operand_span(&r->of, line), "the program has more than %d operations",
			SW_PROGRAM_READ_MOST);
		sw_diag_expected(r->of.diag, "at most %d operations", SW_PROGRAM_READ_MOST);
		return false;
	}
	if (++r->lines % BEAT == 0 && !sw_pulse_beat(r->pulse, "lines", r->lines, 0))
		return sw_diag_set(r->of.diag, SW_S03, operand_span(&r->of, line), "stopped after %lld lines", r->lines);
	return true;
}

static bool read_lines(jax_reader *r)
{
	for (size_t at = 0; at < r->of.text.length;) {
		const char *from = r->of.text.at + at, *end = memchr(from, '\n', r->of.text.length - at);
		size_t length = end ? (size_t)(end - from) : r->of.text.length - at;
		sw_str line = sw_str_trim((sw_str){from, length});
		if (!go_on(r, line) || !read_line(r, line))
			return false;
		at += length + 1;
	}
	return r->b.statements > 0 ||
		operand_refuse(&r->of, (sw_str){r->of.text.at + r->of.text.length, 0}, "a product assigned to a name");
}

bool sw_program_read_jax(sw_str text, const sw_mesh *mesh, const sw_pulse *pulse, sw_arena *arena,
	sw_program *program, sw_program_import *import, sw_diag *diag)
{
	static const sw_mesh none = {0};
	jax_reader *r = SW_NEW_ZERO(arena, jax_reader, 1);
	char *copy = sw_arena_copy(arena, text.at, text.length);
	if (!r || !copy)
		return sw_diag_memory(diag);
	flatten(copy, text.length);
	*r = (jax_reader){.of = {{copy, text.length}, mesh, arena, diag}, .name = sw_str_of("main"), .pulse = pulse};
	*import = (sw_program_import){.results = 1};
	build_start(&r->b, text, mesh ? mesh : &none, import, arena, diag);
	r->b.pulse = pulse;
	sw_names_start(&r->names, arena);
	if (!read_lines(r))
		return false;
	return build_finish(&r->b, r->name, r->returned ? r->result : r->b.statements - 1, NULL, program);
}

/* ---- is it such a text? ---- */

bool sw_program_is_jax(sw_str text)
{
	static const char *const calls[] = {"jnp.", " @ ", "jax."};
	bool called = false, assigned = false;
	const char *end = memchr(text.at, '\n', text.length);
	if (!end || memmem(text.at, text.length, "ENTRY ", 6) || memmem(text.at, text.length, "func.func", 9))
		return false;
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		called = called || memmem(text.at, text.length, calls[i], strlen(calls[i]));
	for (size_t at = 0; at < text.length && !assigned;) {
		const char *from = text.at + at, *stop = memchr(from, '\n', text.length - at);
		size_t length = stop ? (size_t)(stop - from) : text.length - at;
		sw_str line = sw_str_trim((sw_str){from, length});
		sw_scan scan = {.text = line};
		sw_span span;
		sw_str word = sw_scan_bare(&scan, &span), rest = sw_str_trim(sw_str_behind(line, word.length));
		assigned = word.length > 0 &&
			((sw_str_starts(rest, "=") &&
				 (sw_str_starts(sw_str_trim(sw_str_behind(rest, 1)), "jnp.") ||
					 memmem(rest.at, rest.length, " @ ", 3))) ||
				(sw_str_is(word, "return") && memmem(rest.at, rest.length, " @ ", 3)));
		at += length + 1;
	}
	return called && assigned;
}
