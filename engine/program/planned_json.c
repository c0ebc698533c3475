/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs with plans as JSON, schema shardwalk.plan/2.
 *
 * The text of the program says what is computed; values and steps follow from it, and are written for who reads no programs.  A
 * reader derives them again and compares.  What does not follow is the plan inside of each redistribution, a document of the same
 * schema.  Steps have the keys of those of plans; what was written as `operation` and `plan` before goes on being read.
 */
#include <shardwalk/planned.h>

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/computation.h>
#include <shardwalk/json.h>
#include <shardwalk/json_read.h>
#include <shardwalk/number.h>
#include <shardwalk/schedule_program.h>

#include "index/adjacency.h"
#include "plan/inside.h"

#define SCHEMA "shardwalk.plan/2"

/* ---- out ---- */

static void write_string(sw_json *json, const char *key, sw_str value)
{
	sw_json_key(json, key);
	sw_json_str(json, value);
}

static void type_text(const sw_program *program, int value, sw_text *text)
{
	const sw_value *of = &program->value[value];
	if (of->words)
		sw_type_print_any(&program->mesh, of->type, of->words, true, text);
	else
		sw_type_print(&program->mesh, of->type, true, text);
}

static void write_value(sw_json *json, const sw_program *program, int value)
{
	sw_json_open(json, '{', false);
	write_string(json, "name", program->value[value].name);
	sw_json_key(json, "type");
	size_t begin = sw_json_text_begin(json);
	type_text(program, value, json->text);
	sw_json_text_end(json, begin);
	sw_json_key(json, "bytes");
	sw_json_int(json, program->value[value].bytes);
	sw_json_close(json);
}

static void write_operands(sw_json *json, const sw_program *program, int s)
{
	const sw_step *step = &program->step[s];
	int64_t operand[SW_MAX_OPERANDS];
	for (int i = 0; i < step->operands; i++)
		operand[i] = step->operand[i];
	sw_json_key(json, "operands");
	sw_json_ints(json, operand, step->operands);
	sw_json_key(json, "result");
	sw_json_int(json, sw_program_value_of(program, s));
}

static bool write_plan(sw_json *json, const sw_plan *plan, unsigned flags, sw_diag *diag)
{
	sw_text text = {0};
	bool ok = sw_plan_write(plan, flags | SW_JSON_LINE, &text, diag);
	sw_json_key(json, "inside");
	sw_json_raw(json, sw_str_trim((sw_str){sw_text_get(&text), text.length}));
	sw_text_free(&text);
	return ok;
}

static bool write_step(sw_json *json, const sw_program *program, int s, unsigned flags, sw_diag *diag)
{
	const sw_step *step = &program->step[s];
	bool ok = true;
	sw_json_open(json, '{', false);
	write_string(json, "op", sw_str_of(sw_op_name(step->op)));
	if (step->formula) {
		sw_json_key(json, "formula");
		size_t begin = sw_json_text_begin(json);
		sw_formula_print(&step->formula->formula, json->text);
		sw_json_text_end(json, begin);
	}
	if (step->equation) {
		sw_json_key(json, "equation");
		size_t begin = sw_json_text_begin(json);
		sw_equation_print(step->equation, json->text);
		sw_json_text_end(json, begin);
	}
	write_operands(json, program, s);
	if (step->iteration && sw_program_sends(program, s))
		write_string(json, "sender", sw_str_of(sw_sender_rule_name(step->iteration->lowering->senders)));
	if (step->inside)
		ok = write_plan(json, step->inside, flags, diag);
	sw_json_close(json);
	return ok;
}

/* ---- graphs ---- */

/* The next graph that a formula of the program names; NULL: there is none. */
typedef struct graphs {
	const sw_program *program;
	int step, access, dim;
} graphs;

static const sw_adjacency *next_graph(graphs *g)
{
	for (; g->step < g->program->steps; g->step++, g->access = 0) {
		const sw_computation *c = g->program->step[g->step].formula;
		for (; c && g->access < c->formula.accesses; g->access++, g->dim = 0) {
			const sw_formula_access *access = &c->formula.access[g->access];
			while (g->dim < c->formula.array[access->array].rank) {
				const sw_adjacency *graph = access->index[g->dim++].graph;
				if (graph)
					return graph;
			}
		}
	}
	return NULL;
}

/* Line i has the neighbours of i. */
static void write_graph(sw_json *json, const sw_adjacency *graph)
{
	sw_text text = {0};
	for (int64_t row = 0, arc = 0; row < graph->rows; row++) {
		for (; arc < graph->arcs && graph->arc[arc].from == row; arc++)
			sw_text_addf(&text, "%lld ", (long long)graph->arc[arc].to);
		sw_text_add_char(&text, '\n');
	}
	sw_json_open(json, '{', false);
	write_string(json, "name", graph->name);
	write_string(json, "lists", (sw_str){sw_text_get(&text), text.length});
	sw_json_close(json);
	sw_text_free(&text);
}

/* So that who reads the text needs no files. */
static void write_graphs(sw_json *json, const sw_program *program)
{
	graphs g = {.program = program};
	const sw_adjacency *graph = next_graph(&g);
	if (!graph)
		return;
	sw_json_key(json, "graphs");
	sw_json_open(json, '[', true);
	for (; graph; graph = next_graph(&g))
		write_graph(json, graph);
	sw_json_close(json);
}

static void write_text(sw_json *json, const sw_program *program)
{
	sw_text text = {0};
	sw_program_print(program, &text);
	write_string(json, "text", (sw_str){sw_text_get(&text), text.length});
	sw_text_free(&text);
}

bool sw_program_write(const sw_program *program, unsigned flags, sw_text *text, sw_diag *diag)
{
	size_t begin = text->length;
	bool ok = true;
	sw_json json;
	sw_json_start(&json, text, flags & SW_JSON_LINE);
	sw_json_open(&json, '{', true);
	write_string(&json, "schema", sw_str_of(SCHEMA));
	write_string(&json, "program", sw_str_of(sw_written_by()));
	write_string(&json, "function", program->name);
	write_text(&json, program);
	write_graphs(&json, program);
	sw_json_key(&json, "values");
	sw_json_open(&json, '[', true);
	for (int i = 0; i < program->values; i++)
		write_value(&json, program, i);
	sw_json_close(&json);
	sw_json_key(&json, "steps");
	sw_json_open(&json, '[', true);
	for (int i = 0; ok && i < program->steps; i++)
		ok = write_step(&json, program, i, flags & ~(unsigned)SW_JSON_LINE, diag);
	sw_json_close(&json);
	sw_json_key(&json, "returned");
	sw_json_int(&json, program->returned);
	sw_json_close(&json);
	sw_text_add_char(text, '\n');
	if (ok && !text->failed)
		return true;
	if (text->failed)
		return sw_diag_memory(diag);
	text->length = begin;
	text->data[begin] = '\0';
	return false;
}

/* ---- in ---- */

bool sw_program_is_file(sw_str text)
{
	json_t *root = sw_json_parse(text, "", NULL);
	bool is = json_is_object(root) && json_is_string(json_object_get(root, "text")) &&
		json_is_array(json_object_get(root, "values"));
	json_decref(root);
	return is;
}

typedef struct reader {
	sw_json_in in;
	sw_program *planned;
	const sw_program *program; /* of the text */
	const sw_plan **plan;      /* of each redistribution */
} reader;

/* A graph of the text, out of the same document. */
typedef struct graphs_read {
	const reader *r;
	json_t *list;
} graphs_read;

static bool read_graph(void *context, sw_str name, sw_str *text, sw_diag *diag)
{
	const graphs_read *g = context;
	const char *kept;
	size_t n;
	json_t *graph;
	json_array_foreach(g->list, n, graph)
	{
		const char *is = json_string_value(json_object_get(graph, "name"));
		json_t *lists = json_object_get(graph, "lists");
		if (!is || !sw_str_is(name, is) || !json_is_string(lists))
			continue;
		*text = (sw_str){json_string_value(lists), json_string_length(lists)};
		if (!sw_json_keep(&g->r->in, *text, &kept))
			return false;
		text->at = kept;
		return true;
	}
	return sw_diag_set(diag, SW_P01, (sw_span){0, 0}, "the document has no graph of this name");
}

static bool read_program(reader *r, json_t *root)
{
	graphs_read graphs = {r, json_object_get(root, "graphs")};
	const sw_file_reader files = {read_graph, &graphs};
	sw_str text = {0};
	const char *kept;
	sw_program *program = SW_NEW_ZERO(r->in.arena, sw_program, 1);
	if (!program)
		return sw_diag_memory(r->in.diag);
	if (!sw_json_read_string(&r->in, root, "text", SW_REQUIRED, &text) || !sw_json_keep(&r->in, text, &kept))
		return false;
	r->program = program;
	return sw_program_parse_with((sw_str){kept, text.length}, &files, NULL, r->in.arena, program, r->in.diag) ||
		sw_json_refuse_shifted(&r->in, "text");
}

/* The key by which an object has a value: its own, or the one of before. */
static const char *key_of(json_t *object, const char *key, const char *before)
{
	return json_object_get(object, key) == NULL && json_object_get(object, before) ? before : key;
}

static const char *op_key(json_t *step)
{
	return key_of(step, "op", "operation");
}

static const char *inside_key(json_t *step)
{
	return key_of(step, "inside", "plan");
}

static bool is_redistribution(json_t *step)
{
	const char *operation = json_string_value(json_object_get(step, op_key(step)));
	return operation && strcmp(operation, sw_op_name(SW_REDISTRIBUTE)) == 0;
}

/* The plan is read where it stands, so that what is wrong there has its position in the file. */
static bool read_plan(const reader *r, int step, const char *key, const sw_plan **out)
{
	char path[SW_WHERE_SIZE];
	sw_plan *plan = SW_NEW_ZERO(r->in.arena, sw_plan, 1);
	snprintf(path, sizeof path, "steps[%d].%s", step, key);
	sw_span at = sw_json_locate(r->in.text, path);
	if (!plan)
		return sw_diag_memory(r->in.diag);
	if (!sw_plan_read((sw_str){r->in.text.at + at.begin, at.end - at.begin}, r->in.arena, plan, r->in.diag)) {
		sw_diag_shift(r->in.diag, at.begin);
		return false;
	}
	*out = plan;
	return true;
}

static bool read_plans(reader *r, json_t *steps)
{
	int count = (int)json_array_size(steps), plans = 0;
	r->plan = SW_NEW_ZERO(r->in.arena, const sw_plan *, count + 1);
	if (!r->plan)
		return sw_diag_memory(r->in.diag);
	for (int k = 0; k < count; k++) {
		snprintf(r->in.where, sizeof r->in.where, "steps[%d].", k);
		json_t *step = json_array_get(steps, (size_t)k);
		if (!sw_json_is(&r->in, step, "", SW_KIND_OBJECT))
			return false;
		if (!is_redistribution(step))
			continue;
		const char *key = inside_key(step);
		if (!sw_json_is(&r->in, json_object_get(step, key), key, SW_KIND_OBJECT) ||
			!read_plan(r, k, key, &r->plan[plans++]))
			return false;
	}
	r->in.where[0] = '\0';
	return true;
}

/* ---- comparing with what follows from the text ---- */

static bool refuse(const reader *r, const char *key, const char *follows)
{
	sw_json_refuse(&r->in, SW_P03, key, "does not follow from the text of the program");
	sw_diag_expected(r->in.diag, "%s", follows);
	return false;
}

static bool same_text(const reader *r, json_t *object, const char *key, const char *follows)
{
	const char *said = json_string_value(json_object_get(object, key));
	return (said && strcmp(said, follows) == 0) || refuse(r, key, follows);
}

static bool same_number(const reader *r, json_t *object, const char *key, int64_t follows)
{
	char text[32];
	json_t *said = json_object_get(object, key);
	snprintf(text, sizeof text, "%lld", (long long)follows);
	return (json_is_integer(said) && json_integer_value(said) == follows) || refuse(r, key, text);
}

static bool check_value(const reader *r, int value, json_t *object)
{
	sw_text text = {0};
	sw_text_add_str(&text, r->planned->value[value].name);
	bool ok = same_text(r, object, "name", sw_text_get(&text));
	sw_text_clear(&text);
	type_text(r->planned, value, &text);
	ok = ok && same_text(r, object, "type", sw_text_get(&text));
	sw_text_free(&text);
	return ok && same_number(r, object, "bytes", r->planned->value[value].bytes);
}

static bool check_step(const reader *r, int s, json_t *object)
{
	const sw_step *step = &r->planned->step[s];
	const char *name = sw_op_name(step->op);
	json_t *operands = json_object_get(object, "operands");
	bool ok = same_text(r, object, op_key(object), name) &&
		same_number(r, object, "result", sw_program_value_of(r->planned, s));
	if (ok && json_array_size(operands) != (size_t)step->operands)
		return refuse(r, "operands", name);
	for (int i = 0; ok && i < step->operands; i++)
		ok = json_integer_value(json_array_get(operands, (size_t)i)) == step->operand[i] ||
			refuse(r, "operands", name);
	return ok;
}

static bool check_plan(const reader *r, int s, const char *key)
{
	char path[2 * SW_WHERE_SIZE];
	const sw_step *step = &r->planned->step[s];
	sw_problem of;
	sw_program_problem(r->planned, s, &of);
	if (!sw_mesh_equal(&step->inside->problem.mesh, &of.mesh))
		return refuse(r, key, "a plan over the mesh of the program");
	if (sw_inside_fits(step, s, &of, r->in.diag))
		return true;
	snprintf(path, sizeof path, "%s%s", r->in.where, key);
	if (r->in.diag)
		r->in.diag->at = sw_json_locate(r->in.text, path);
	return false;
}

static bool check_counts(const reader *r, json_t *root)
{
	char text[64];
	const sw_program *planned = r->planned;
	snprintf(text, sizeof text, "%d values", planned->values);
	if (json_array_size(json_object_get(root, "values")) != (size_t)planned->values)
		return refuse(r, "values", text);
	snprintf(text, sizeof text, "%d steps", planned->steps);
	if (json_array_size(json_object_get(root, "steps")) != (size_t)planned->steps)
		return refuse(r, "steps", text);
	return same_number(r, root, "returned", planned->returned);
}

static bool check(reader *r, json_t *root)
{
	const sw_program *planned = r->planned;
	bool ok = check_counts(r, root);
	for (int i = 0; ok && i < planned->values; i++) {
		snprintf(r->in.where, sizeof r->in.where, "values[%d].", i);
		ok = check_value(r, i, json_array_get(json_object_get(root, "values"), (size_t)i));
	}
	for (int i = 0; ok && i < planned->steps; i++) {
		snprintf(r->in.where, sizeof r->in.where, "steps[%d].", i);
		json_t *step = json_array_get(json_object_get(root, "steps"), (size_t)i);
		ok = check_step(r, i, step) && (!planned->step[i].inside || check_plan(r, i, inside_key(step)));
	}
	return ok;
}

/* As many plans as the text has redistributions, so that none is looked for. */
static bool count_plans(reader *r)
{
	int plans = 0;
	while (r->plan[plans])
		plans++;
	return sw_program_moves(r->program) == plans || refuse(r, "steps", "a step with a plan for each redistribution");
}

static bool read_parsed(reader *r, json_t *root)
{
	sw_str schema = {0};
	bool ok;
	const sw_plan_options none = {.strategy = SW_FUSED};
	if (!sw_json_is(&r->in, root, "", SW_KIND_OBJECT) ||
		!sw_json_read_string(&r->in, root, "schema", SW_REQUIRED, &schema))
		return false;
	if (!sw_str_is(schema, SCHEMA))
		return sw_json_refuse(&r->in, SW_P02, "schema", "is not that of a program and its plans");
	json_t *steps = sw_json_read_value(&r->in, root, "steps", SW_KIND_LIST, SW_REQUIRED, &ok);
	return ok && read_program(r, root) && read_plans(r, steps) && count_plans(r) &&
		sw_program_plan(r->program, r->plan, &none, r->in.arena, r->planned, r->in.diag) && check(r, root);
}

bool sw_program_read(sw_str text, sw_arena *arena, sw_program *program, sw_diag *diag)
{
	reader r = {.in = {text, arena, diag, "", SW_P01}, .planned = program};
	json_t *root = sw_json_parse(text, "this is not JSON: ", diag);
	if (!root) {
		sw_diag_hint(diag, "files of programs are JSON of the schema shardwalk.plan/2, as `save` writes them");
		return false;
	}
	bool done = read_parsed(&r, root);
	json_decref(root);
	program->claimed = done;
	return done;
}
