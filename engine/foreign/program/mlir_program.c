/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A function of StableHLO as a program: products, operations of the language and what moves values between them.
 */
#define _GNU_SOURCE
#include "foreign/program/build.h"

#include <stdlib.h>
#include <string.h>

#include "foreign/module/mlir_walk.h"
#include "array/open_dims.h"
#include "foreign/program/operand.h"
#include "program/ops.h"

#define DIALECT "stablehlo."
#define BEAT 1024        /* operations */
#define SPREADS 16       /* broadcasts through which a constant is followed */
#define UNSAID INT32_MAX /* no value of the program yet */

typedef struct mlir_reader {
	operand_text of;
	graph_module m;
	build b;
	build_ref *ref; /* of values */
	int *uses;      /* how often each is an operand */
	sw_program_import *import;
	int left_room, deep;
	sw_names left_names;
	bool *reading;                  /* functions that are being read */
	const graph_instruction *outer; /* the call in the function that is the program; NULL: none is being read */
	int64_t made;                   /* operations that were read */
	const sw_pulse *pulse;
	bool named; /* the mesh is one of the module */
} mlir_reader;

/* The statement, as far as its first line goes. */
static sw_str line_of(const mlir_reader *r, const graph_instruction *op)
{
	const char *begin = r->of.text.at + op->at, *last = op->attributes.at + op->attributes.length;
	const char *end = memchr(begin, '\n', (size_t)(last - begin));
	return sw_str_trim((sw_str){begin, (size_t)((end ? end : last) - begin)});
}

static sw_span name_span(const mlir_reader *r, sw_str name)
{
	return operand_span(&r->of, name);
}

/* ---- the mesh ---- */

/* The first mesh of the module that has axes. */
static const graph_mesh *mesh_of(const graph_module *m)
{
	for (int i = 0; i < m->meshes; i++)
		if (memchr(m->mesh[i].text.at, '"', m->mesh[i].text.length))
			return &m->mesh[i];
	return NULL;
}

static void set_back(sw_span *at, size_t bytes)
{
	at->begin = at->begin > bytes ? at->begin - bytes : 0;
	at->end = at->end > bytes ? at->end - bytes : 0;
}

/* `<["x"=4]>` */
static bool read_mesh(mlir_reader *r, const graph_mesh *from, sw_mesh *mesh)
{
	sw_text text = {0};
	sw_sharding *s = SW_NEW_ZERO(r->of.arena, sw_sharding, 1);
	sw_text_add(&text, "sdy.mesh @mesh = ");
	size_t before = text.length;
	sw_text_add_str(&text, from->text);
	char *copy = s && !text.failed ? sw_arena_copy(r->of.arena, sw_text_get(&text), text.length) : NULL;
	size_t length = text.length;
	sw_text_free(&text);
	if (!copy)
		return sw_diag_memory(r->of.diag);
	if (sw_sharding_parse((sw_str){copy, length}, NULL, r->of.arena, s, r->of.diag)) {
		*mesh = s->mesh;
		return true;
	}
	if (r->of.diag) {
		set_back(&r->of.diag->at, before);
		set_back(&r->of.diag->also, before);
	}
	return operand_blame(&r->of, from->text);
}

static bool refuse_mesh(const mlir_reader *r)
{
	sw_diag_set(r->of.diag, SW_N03, (sw_span){0, 0}, "the module has no mesh");
	sw_diag_expected(r->of.diag, "a line such as sdy.mesh @mesh = <[\"x\"=4, \"y\"=2]>");
	sw_diag_hint(r->of.diag, "or define one first by `mesh {x: 4, y: 2}`");
	return false;
}

/* The mesh that a sharding names has to be that of the program. */
static bool check_name(const mlir_reader *r, sw_str text)
{
	size_t begin = 0, length = 0;
	const char *sign = memmem(text.at, text.length, "<@", 2);
	if (!sign || !r->named)
		return true;
	begin = (size_t)(sign - text.at) + 2;
	while (begin + length < text.length && !strchr(",> ", text.at[begin + length]))
		length++;
	sw_str name = {text.at + begin, length};
	const graph_mesh *own = mesh_of(&r->m), *there = mlir_mesh_named(&r->m, name);
	if (there && sw_str_equal(there->text, own->text))
		return true;
	sw_diag_set(r->of.diag, there ? SW_N05 : SW_N03, operand_span(&r->of, name),
		there ? "mesh '%.*s' differs from '%.*s'" : "the module has no mesh '%.*s', but '%.*s'", (int)length, name.at,
		(int)own->name.length, own->name.at);
	sw_diag_expected(r->of.diag, "one mesh for all values");
	return false;
}

/* ---- types ---- */

/* The whole array; false: it is none that types can say. */
static bool shape_of(const mlir_reader *r, int value, sw_type *shape)
{
	mlir_shape read;
	sw_dtype dtype;
	if (value < 0 || !mlir_shape_read(r->m.value[value].type, &read) || read.rank > SW_MAX_DIMS ||
		!mlir_dtype_read(read.dtype, &dtype) || !sw_type_replicated(dtype, read.rank, read.dim, shape, NULL))
		return false;
	shape->dtype_given = true;
	return true;
}

/* A text in which all is left to the compiler says nothing. */
static bool says_nothing(sw_str text)
{
	return !text.length || (memchr(text.at, '?', text.length) && !memchr(text.at, '"', text.length));
}

/* What a sharding text says of a value whose whole array is `type`; *open: it leaves the cuts of a dimension to the compiler, or is
 * empty. */
static bool type_of(const mlir_reader *r, sw_str sharding, sw_type *type, bool *open)
{
	sw_type whole = *type;
	*open = !sharding.length || memchr(sharding.at, '?', sharding.length);
	return *open || (check_name(r, sharding) && operand_sharded(&r->of, sharding, &whole, type));
}

/* The sharding that an operation says of its result; empty: none. */
static sw_str sharding_of(const graph_instruction *op)
{
	sw_str found = mlir_sharding_in(op->attributes, "sdy.sharding = #sdy.sharding_per_value<[");
	if (!found.length)
		found = mlir_sharding_in(op->attributes, "sdy.sharding = ");
	return found.length ? found : mlir_sharding_in(op->attributes, "mhlo.sharding = ");
}

/* ---- values ---- */

static bool is_tensor(const mlir_reader *r, int value)
{
	sw_type shape;
	return shape_of(r, value, &shape) && shape.rank > 0;
}

/* A value of the program, an input where it is none yet. */
static bool use(mlir_reader *r, int value, build_ref *ref)
{
	const graph_value *v = &r->m.value[value];
	sw_type type = {.rank = 0};
	bool open;
	if (r->ref[value] != UNSAID) {
		*ref = r->ref[value];
		return true;
	}
	shape_of(r, value, &type);
	sw_str sharding = v->op < 0 ? v->sharding : sharding_of(&r->m.instruction[v->op]);
	if (!type_of(r, sharding, &type, &open) || !build_input(&r->b, v->name, &type, open, name_span(r, v->name), ref))
		return false;
	r->ref[value] = *ref;
	return true;
}

/* A statement that makes the one result of an operation. */
static bool add(mlir_reader *r, const graph_instruction *op, build_statement *statement, sw_str sharding)
{
	int result = op->first_result;
	const graph_value *v = &r->m.value[result];
	sw_type type = {.rank = 0};
	bool open;
	for (int k = 0; k < statement->count; k++)
		if (!use(r, statement->operand[k], &statement->operand[k]))
			return false;
	shape_of(r, result, &type);
	statement->value.name = v->name;
	statement->value.at = name_span(r, v->name);
	statement->at = operand_span(&r->of, line_of(r, op));
	return type_of(r, sharding, &type, &open) &&
		build_add(&r->b, statement, open ? NULL : &type, false, &r->ref[result]);
}

/* ---- operations ---- */

static const graph_instruction *maker_of(const graph_module *m, int value)
{
	return value >= 0 && m->value[value].op >= 0 ? &m->instruction[m->value[value].op] : NULL;
}

/* The number that fills a constant, perhaps after it was spread over a shape. */
static bool splat(const graph_module *m, int value, double *number)
{
	const graph_instruction *op = maker_of(m, value);
	for (int k = 0; k < SPREADS && op && op->op == HLO_BROADCAST; k++)
		op = maker_of(m, graph_operand_of(m, op, 0));
	const char *at = op && op->op == HLO_CONSTANT ? memmem(op->attributes.at, op->attributes.length, "dense<", 6) :
													NULL;
	char digits[48];
	size_t length = 0;
	if (!at)
		return false;
	at += 6;
	while (
		at + length < op->attributes.at + op->attributes.length && length + 1 < sizeof(digits) && at[length] != '>')
		length++;
	memcpy(digits, at, length);
	digits[length] = '\0';
	char *end;
	*number = strtod(digits, &end);
	return length > 0 && *end == '\0';
}

/* `x OP NUMBER`, in either order; the other operand, or -1. */
static int beside(const graph_module *m, const graph_instruction *op, double wanted)
{
	double number;
	for (int k = 0; k < 2; k++)
		if (splat(m, graph_operand_of(m, op, k), &number) && number == wanted)
			return graph_operand_of(m, op, !k);
	return -1;
}

/* The operand of an operation that is this one with its constant; -1: it is another. */
static int folded(const mlir_reader *r, const graph_instruction *op, const sw_words *words)
{
	return words->constant && op->operands == 2 ? beside(&r->m, op, strtod(words->constant, NULL)) : -1;
}

/* An operation of the language, element by element; false: it is none. */
static bool as_element_wise(const mlir_reader *r, const graph_instruction *op, build_statement *statement)
{
	bool plain = false;
	if (op->results != 1 || !sw_str_starts(op->word, DIALECT))
		return false;
	for (int at = SW_COLLECTIVES; at < SW_OP_COUNT; at++) {
		const sw_operation *row = sw_operation_of((sw_op)at);
		if (!row->words.mlir || !sw_str_is(sw_str_behind(op->word, strlen(DIALECT)), row->words.mlir))
			continue;
		int operand = folded(r, op, &row->words);
		if (operand >= 0) {
			*statement = (build_statement){.op = (sw_op)at, .count = 1, .operand = {operand}};
			return true;
		}
		if (row->words.constant || op->operands != row->operands)
			continue;
		plain = true;
		*statement = (build_statement){.op = (sw_op)at, .count = op->operands};
		for (int k = 0; k < op->operands; k++)
			statement->operand[k] = graph_operand_of(&r->m, op, k);
	}
	return plain;
}

static bool becomes(const graph_dims *dims, int into)
{
	for (int d = 0; d < dims->from; d++)
		if (dims->into[d] == into)
			return true;
	return false;
}

/* Letters in the order in which dimensions have them first. */
static void equation_of(const graph_dims side[2], sw_equation *e)
{
	static const char letters[] = "bijklmnopqrstuvwxyzacdefghABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char letter[2 * SW_MAX_DIMS] = {0}; /* of what a dimension becomes */
	int next = becomes(&side[0], 0) && becomes(&side[1], 0) ? 0 : 1;
	*e = (sw_equation){{0}, {{0}}};
	for (int k = 0; k < 2; k++) {
		e->rank[k] = side[k].from;
		for (int d = 0; d < side[k].from; d++) {
			char *own = &letter[side[k].into[d]];
			*own = *own ? *own : letters[next++];
			e->letter[k][d] = *own;
		}
	}
	e->rank[SW_EQUATION_RESULT] = side[0].to;
	memcpy(e->letter[SW_EQUATION_RESULT], letter, (size_t)side[0].to);
}

static bool as_product(const mlir_reader *r, const graph_instruction *op, build_statement *statement)
{
	sw_type shape[3];
	hlo_shape to;
	graph_dims side[2];
	if (op->op != HLO_DOT || op->operands != 2 || op->results != 1)
		return false;
	*statement = (build_statement){.op = SW_EINSUM, .count = 2, .product = true};
	if (!shape_of(r, op->first_result, &shape[2]) || !graph_shape(&r->m, op->first_result, &to))
		return false;
	for (int k = 0; k < 2; k++) {
		statement->operand[k] = graph_operand_of(&r->m, op, k);
		if (!shape_of(r, statement->operand[k], &shape[k]) || shape[k].dtype != shape[2].dtype ||
			!graph_dims_of(&r->m, op, k, &to, &side[k]))
			return false;
	}
	equation_of(side, &statement->equation);
	return true;
}

/* Operations that say another sharding of the same value. */
static bool as_move(const mlir_reader *r, const graph_instruction *op, sw_str *sharding)
{
	hlo_flow flow = hlo_flow_of(op->op);
	bool moves = flow == HLO_FLOW_ASKS || flow == HLO_FLOW_SUMS;
	if (moves)
		*sharding = mlir_sharding_in(op->attributes, op->op == HLO_SHARDING ? "mhlo.sharding = " : "out_sharding=");
	if (moves && !sharding->length && op->op != HLO_SHARDING)
		*sharding = mlir_sharding_in(op->attributes, "");
	return moves && op->operands == 1 && op->results == 1 && is_tensor(r, graph_operand_of(&r->m, op, 0)) &&
		is_tensor(r, op->first_result);
}

/* ---- what is left out ---- */

static bool is_silent(const mlir_reader *r, const graph_instruction *op)
{
	bool any = false;
	for (int k = 0; k < op->results; k++)
		any = any || is_tensor(r, op->first_result + k);
	double number;
	return !any || op->op == HLO_CONSTANT || splat(&r->m, op->first_result, &number);
}

static bool leave_out(mlir_reader *r, const graph_instruction *op)
{
	sw_program_import *import = r->import;
	if (is_silent(r, op))
		return true;
	int known = sw_names_find(&r->left_names, op->word);
	if (known >= 0) {
		import->left[known].count++;
		return true;
	}
	const char *name = sw_arena_copy(r->of.arena, op->word.at, op->word.length);
	if (!name || !SW_GROW(r->of.arena, import->left, import->lefts, r->left_room, 8) ||
		!sw_names_add(&r->left_names, op->word, import->lefts))
		return sw_diag_memory(r->of.diag);
	import->left[import->lefts++] = (sw_program_left){name, op->line, 1};
	return true;
}

/* ---- functions ---- */

static bool read_region(mlir_reader *r, int region);

/* At the call that stands in the program itself. */
static bool refuse_many(const mlir_reader *r, const graph_instruction *op, int64_t makes)
{
	sw_str line = line_of(r, r->outer ? r->outer : op);
	const graph_function *f = makes ? &r->m.function[op->callee] : NULL;
	if (f)
		sw_diag_set(r->of.diag, SW_N09, operand_span(&r->of, line), "'@%.*s' makes %s%lld operations in its calls",
			(int)f->name.length, f->name.at, makes == MLIR_MANY ? "more than " : "", (long long)makes);
	else
		sw_diag_set(r->of.diag, SW_N09, operand_span(&r->of, line), "the module makes more than %d operations",
			SW_PROGRAM_READ_MOST);
	sw_diag_expected(r->of.diag, "at most %d operations", SW_PROGRAM_READ_MOST);
	return false;
}

/* Is it known to be too much, before anything is read? */
static bool is_bounded(const mlir_reader *r, const graph_function *f)
{
	const graph_computation *region = &r->m.computation[f->computation];
	int64_t made = 0;
	for (int i = region->first; i < region->first + region->count; i++) {
		const graph_instruction *op = &r->m.instruction[i];
		int64_t makes = op->computation == f->computation && op->callee >= 0 ? r->m.function[op->callee].makes : 0;
		made += 1 + makes;
		if (made > SW_PROGRAM_READ_MOST)
			return refuse_many(r, op, makes);
	}
	return true;
}

/* What calls itself is counted while it is read. */
static bool has_room(mlir_reader *r, const graph_instruction *op)
{
	if (++r->made > SW_PROGRAM_READ_MOST || r->deep > MLIR_CALLS_DEEP)
		return refuse_many(r, op, 0);
	if (r->made % BEAT == 0 && !sw_pulse_beat(r->pulse, "operations", (long long)r->made, SW_PROGRAM_READ_MOST))
		return sw_diag_set(r->of.diag, SW_S03, operand_span(&r->of, line_of(r, op)), "stopped after %lld operations",
			(long long)r->made);
	return true;
}

/* The arguments of a function are what a call gives it. */
static bool give_arguments(mlir_reader *r, const graph_instruction *op, const graph_function *f)
{
	for (int k = 0; k < f->args; k++) {
		int value = graph_operand_of(&r->m, op, k);
		build_ref ref = UNSAID;
		if (value >= 0 && is_tensor(r, value) && !use(r, value, &ref))
			return false;
		r->ref[f->first_arg + k] = ref;
	}
	return true;
}

/* What it computes stands here; false in *done: it cannot. */
static bool read_call(mlir_reader *r, const graph_instruction *op, bool *done)
{
	const graph_function *f = op->callee >= 0 ? &r->m.function[op->callee] : NULL;
	const graph_instruction *outer = r->outer;
	int last = f ? r->m.computation[f->computation].root : -1;
	*done = f && last >= 0 && !r->reading[op->callee] && f->args == op->operands &&
		r->m.instruction[last].operands == op->results;
	if (!*done)
		return true;
	if (!give_arguments(r, op, f))
		return false;
	r->reading[op->callee] = true;
	r->outer = outer ? outer : op;
	r->deep++;
	bool ok = read_region(r, f->computation);
	r->deep--;
	r->outer = outer;
	r->reading[op->callee] = false;
	for (int k = 0; ok && k < op->results; k++) {
		int value = graph_operand_of(&r->m, &r->m.instruction[last], k);
		r->ref[op->first_result + k] = value >= 0 ? r->ref[value] : UNSAID;
	}
	return ok;
}

static bool have_tensors(const mlir_reader *r, const build_statement *statement, const graph_instruction *op)
{
	bool tensors = is_tensor(r, op->first_result);
	for (int k = 0; k < statement->count; k++)
		tensors = tensors && statement->operand[k] >= 0 && is_tensor(r, statement->operand[k]);
	return tensors;
}

/* `<@mesh, [{"x"}, {?}]>`: is this dimension left to the compiler? */
static bool leaves_open(sw_str sharding, int dim)
{
	const char *list = memchr(sharding.at, '[', sharding.length);
	sw_str rest = sw_str_behind(sharding, list ? (size_t)(list - sharding.at) + 1 : sharding.length);
	const char *end = memchr(rest.at, ']', rest.length);
	sw_str part = mlir_part((sw_str){rest.at, end ? (size_t)(end - rest.at) : 0}, dim);
	return part.length && memchr(part.at, '?', part.length);
}

/* The dimensions whose cuts an operation, or a sharding of Shardy alone (NULL), leaves to the compiler, where there is more to say. */
static uint32_t open_dims(const graph_instruction *op, sw_str sharding, int rank)
{
	int64_t free[SW_MAX_DIMS];
	uint32_t open = 0;
	int count = op && op->op == HLO_SHARDING ? mlir_list(op->attributes, "unspecified_dims=[", free, SW_MAX_DIMS) : 0;
	for (int k = 0; k < count; k++)
		open |= free[k] < rank ? 1u << free[k] : 0;
	for (int d = 0; d < rank; d++)
		open |= leaves_open(sharding, d) ? 1u << d : 0;
	return open;
}

/* As type_of, of a value that is kept as `had` says: *open only where that is open and not all is asked for. */
static bool type_filled(const mlir_reader *r, const graph_instruction *op, sw_str sharding, build_ref had,
	sw_type *type, bool *open)
{
	const build_value *value = build_at(&r->b, had);
	uint32_t free = open_dims(op, sharding, type->rank);
	sw_type whole = *type;
	*open = says_nothing(sharding) || (free && value->open);
	if (*open)
		return true;
	if (!check_name(r, sharding) || !operand_sharded(&r->of, sharding, &whole, type))
		return false;
	if (free)
		sw_fill_open(&value->type, free, type);
	return true;
}

/* Does it ask for what is there, in a sharding that leaves something open? */
static bool keeps_open(const mlir_reader *r, build_ref ref, const sw_type *type, uint32_t open)
{
	const build_value *value = build_at(&r->b, ref);
	return open && !value->open && sw_type_terms(&value->type) == 1 &&
		sw_type_same_map(&r->b.mesh, &value->type, type);
}

/* A statement that brings a value home. */
static bool add_move(mlir_reader *r, const graph_instruction *op, const sw_type *type)
{
	build_statement statement = {.op = SW_REDISTRIBUTE, .count = 1, .operand = {graph_operand_of(&r->m, op, 0)}};
	const graph_value *v = &r->m.value[op->first_result];
	if (!use(r, statement.operand[0], &statement.operand[0]))
		return false;
	statement.value.name = v->name;
	statement.value.at = name_span(r, v->name);
	statement.at = operand_span(&r->of, line_of(r, op));
	return build_add(&r->b, &statement, type, false, &r->ref[op->first_result]);
}

static bool read_move(mlir_reader *r, const graph_instruction *op, sw_str sharding)
{
	int from = graph_operand_of(&r->m, op, 0);
	build_ref *made = &r->ref[op->first_result];
	sw_type type = {.rank = 0};
	bool open;
	if (!use(r, from, made))
		return false;
	shape_of(r, from, &type);
	if (!type_filled(r, op, sharding, *made, &type, &open))
		return false;
	return open || keeps_open(r, *made, &type, open_dims(op, sharding, type.rank)) ||
		build_close(&r->b, *made, &type) || (r->uses[from] == 1 && build_fold(&r->b, *made, &type)) ||
		add_move(r, op, &type);
}

static bool read_op(mlir_reader *r, const graph_instruction *op)
{
	build_statement statement;
	sw_str sharding = {"", 0};
	bool done = false;
	if (!has_room(r, op))
		return false;
	for (int k = 0; k < op->results; k++)
		r->ref[op->first_result + k] = UNSAID;
	if (op->op == HLO_RETURN)
		return true;
	if (op->op == HLO_CALL)
		return read_call(r, op, &done) && (done || leave_out(r, op));
	if (as_move(r, op, &sharding))
		return read_move(r, op, sharding);
	if ((as_element_wise(r, op, &statement) || as_product(r, op, &statement)) && have_tensors(r, &statement, op))
		return add(r, op, &statement, sharding_of(op));
	return leave_out(r, op);
}

static bool read_region(mlir_reader *r, int region)
{
	const graph_computation *at = &r->m.computation[region];
	for (int i = at->first; i < at->first + at->count; i++)
		if (r->m.instruction[i].computation == region && !read_op(r, &r->m.instruction[i]))
			return false;
	return true;
}

/* ---- the whole ---- */

static const graph_function *entry(const graph_module *m)
{
	const graph_function *main = mlir_function_named(m, sw_str_of("main"));
	return main ? main : m->functions ? m->function : NULL;
}

/* The first value of the return that is computed, else what was computed last. */
static int returned(const mlir_reader *r, const graph_instruction *last)
{
	for (int k = 0; last && k < last->operands; k++) {
		int value = graph_operand_of(&r->m, last, k);
		if (value >= 0 && r->ref[value] != UNSAID && r->ref[value] >= 0)
			return k;
	}
	return -1;
}

/* A function that says how its result is cut, of a value that is kept otherwise, moves it. */
static bool move_result(mlir_reader *r, build_ref *ref, const sw_type *type, sw_span at)
{
	const build_value *value = build_at(&r->b, *ref);
	if (value->open || sw_type_same_map(&r->b.mesh, &value->type, type))
		return true;
	build_statement statement = {.op = SW_REDISTRIBUTE, .count = 1, .operand = {*ref}, .at = at};
	statement.value.name = sw_str_of("result");
	statement.value.at = at;
	return build_add(&r->b, &statement, type, false, ref);
}

static bool finish(mlir_reader *r, const graph_function *f, sw_program *program)
{
	int last = r->m.computation[f->computation].root;
	const graph_instruction *op = last >= 0 ? &r->m.instruction[last] : NULL;
	int k = returned(r, op), value = k >= 0 ? graph_operand_of(&r->m, op, k) : -1;
	build_ref ref = k >= 0 ? r->ref[value] : r->b.statements - 1;
	sw_type type = {.rank = 0};
	bool open = true;
	r->import->results = op ? op->operands : 0;
	if (k >= 0) {
		sw_str part = mlir_part(f->results, k), text = mlir_sharding_in(part, "sdy.sharding = ");
		shape_of(r, value, &type);
		text = text.length ? text : mlir_sharding_in(part, "mhlo.sharding = ");
		if (!type_filled(r, NULL, text, ref, &type, &open) ||
			(!open && !move_result(r, &ref, &type, operand_span(&r->of, line_of(r, op)))))
			return false;
	}
	return build_finish(&r->b, f->name, ref, open ? NULL : &type, program);
}

static bool refuse_nothing(const mlir_reader *r)
{
	sw_diag_set(r->of.diag, SW_N07, (sw_span){0, 0},
		"the module computes and moves nothing that a program can express");
	sw_diag_expected(r->of.diag, "dot_general, add, multiply, negate, exponential, maximum with 0, or shardings");
	if (r->import->lefts)
		sw_diag_found(r->of.diag, "%d other operations, the first %s in line %lld", r->import->lefts,
			r->import->left[0].name, (long long)r->import->left[0].line);
	return false;
}

/* A function that stands without a module around it is one, too. */
static sw_span module_span(sw_str text)
{
	sw_span span;
	return mlir_find(text, 0, &span) ? span : (sw_span){0, text.length};
}

static int64_t line_at(sw_str text, size_t at)
{
	int64_t line = 1;
	for (size_t i = 0; i < at; i++)
		line += text.at[i] == '\n';
	return line;
}

static bool start(mlir_reader *r, const sw_mesh *mesh)
{
	sw_span span = module_span(r->of.text);
	sw_mesh *own = SW_NEW_ZERO(r->of.arena, sw_mesh, 1);
	if (!own)
		return sw_diag_memory(r->of.diag);
	if (!mlir_read(r->of.text, span, line_at(r->of.text, span.begin), r->pulse, r->of.arena, &r->m, r->of.diag))
		return false;
	const graph_mesh *named = mesh_of(&r->m);
	r->named = named != NULL;
	if (named ? !read_mesh(r, named, own) : !mesh && !refuse_mesh(r))
		return false;
	*own = named ? *own : *mesh;
	r->of.mesh = own;
	r->ref = SW_NEW(r->of.arena, build_ref, r->m.values + 1);
	r->uses = SW_NEW_ZERO(r->of.arena, int, r->m.values + 1);
	r->reading = SW_NEW_ZERO(r->of.arena, bool, r->m.functions + 1);
	if (!r->ref || !r->uses || !r->reading)
		return sw_diag_memory(r->of.diag);
	sw_names_start(&r->left_names, r->of.arena);
	for (int v = 0; v < r->m.values; v++)
		r->ref[v] = UNSAID;
	for (int k = 0; k < r->m.operands; k++)
		if (r->m.operand[k] >= 0)
			r->uses[r->m.operand[k]]++;
	build_start(&r->b, r->of.text, own, r->import, r->of.arena, r->of.diag);
	r->b.pulse = r->pulse;
	return true;
}

bool sw_program_read_module(sw_str text, const sw_mesh *mesh, const sw_pulse *pulse, sw_arena *arena,
	sw_program *program, sw_program_import *import, sw_diag *diag)
{
	mlir_reader *r = SW_NEW_ZERO(arena, mlir_reader, 1);
	sw_program_import read = {.lefts = 0};
	if (!r)
		return sw_diag_memory(diag);
	r->of = (operand_text){text, NULL, arena, diag};
	r->import = &read;
	r->pulse = pulse;
	if (!start(r, mesh))
		return false;
	const graph_function *f = entry(&r->m);
	if (!f)
		return sw_diag_set(diag, SW_N06, (sw_span){0, 0}, "the module has no function");
	r->reading[f - r->m.function] = true;
	if (!is_bounded(r, f) || !read_region(r, f->computation))
		return false;
	if (!r->b.statements)
		return refuse_nothing(r);
	if (!finish(r, f, program))
		return false;
	*import = read;
	return true;
}

bool sw_program_is_module(sw_str text)
{
	return memmem(text.at, text.length, "func.func ", strlen("func.func ")) != NULL &&
		(memmem(text.at, text.length, DIALECT, strlen(DIALECT)) ||
			memmem(text.at, text.length, "sdy.", strlen("sdy.")));
}
