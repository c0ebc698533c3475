/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Computations and their tasks as JSON, the keys of schemas shardwalk.compute/1 and shardwalk.tasks/1.
 */
#include <shardwalk/computation.h>

struct writing {
	const sw_computation *c;
	sw_sender_rule rule;
	sw_arena *arena;
	sw_json *json;
};

static void write_str(sw_json *json, const char *key, sw_str value)
{
	sw_json_key(json, key);
	sw_json_str(json, value);
}

static void write_bool(sw_json *json, const char *key, bool value)
{
	sw_json_key(json, key);
	sw_json_bool(json, value);
}

static void write_count(sw_json *json, const char *key, int64_t value)
{
	sw_json_key(json, key);
	if (value >= 0)
		sw_json_int(json, value);
	else
		sw_json_null(json);
}

static void write_type(const struct writing *w, const char *key, const sw_array_type *type)
{
	sw_json_key(w->json, key);
	if (!type->known) {
		sw_json_null(w->json);
		return;
	}
	size_t begin = sw_json_text_begin(w->json);
	sw_type_print_any(&w->c->mesh, &type->type, type->words, type->type.dtype_given, w->json->text);
	sw_json_text_end(w->json, begin);
}

static bool write_held(const struct writing *w, const char *key, const sw_holding *held)
{
	sw_json_key(w->json, key);
	return sw_holding_write(w->json, held);
}

static bool write_relation(const struct writing *w, sw_relation *relation, const sw_type *of)
{
	const sw_relation_question question = {.rule = w->rule,
		.element = sw_dtype_bytes(of->dtype),
		.mesh = &w->c->mesh};

	return sw_relation_write(relation, &question, w->json);
}

/* ---- the question ---- */

static void write_formula(const struct writing *w)
{
	const sw_formula *formula = &w->c->formula;

	sw_json_key(w->json, "kernel");
	size_t begin = sw_json_text_begin(w->json);
	sw_formula_print(formula, w->json->text);
	sw_json_text_end(w->json, begin);
	sw_json_key(w->json, "arrays");
	sw_json_open(w->json, '[', false);
	for (int k = 0; k < formula->arrays; k++) {
		sw_json_open(w->json, '{', false);
		write_str(w->json, "name", formula->array[k].name);
		write_type(w, "type", &w->c->array[k].is);
		sw_json_close(w->json);
	}
	sw_json_close(w->json);
}

/* ---- what follows ---- */

static bool write_split(const struct writing *w, const char *key, bool interior)
{
	bool written = true;

	sw_json_key(w->json, key);
	sw_json_open(w->json, '[', false);
	for (int64_t device = 0; written && device < w->c->mesh.devices; device++) {
		sw_region inside, waits;
		sw_arena_clear(w->arena);
		written = sw_computation_split(w->c, device, w->arena, &inside, &waits);
		if (written && interior)
			sw_json_int(w->json, sw_region_size(&inside));
		else if (written)
			sw_region_write(w->json, &waits);
	}
	sw_json_close(w->json);
	return written;
}

static bool write_input(const struct writing *w, const sw_computed *array)
{
	write_type(w, "beta_type", &array->needed);
	return write_held(w, "alpha", &array->held) && write_held(w, "beta", &array->need->needed) &&
		write_relation(w, array->relation, &array->is.type);
}

/* Of one the object has the keys itself. */
static bool write_inputs(const struct writing *w)
{
	bool written = true;

	if (w->c->inputs == 1)
		return write_input(w, &w->c->array[w->c->first]);
	sw_json_key(w->json, "inputs");
	sw_json_open(w->json, '[', true);
	for (int k = 0; k < w->c->formula.arrays && written; k++) {
		const sw_computed *array = &w->c->array[k];
		if (array->need == NULL)
			continue;
		sw_json_open(w->json, '{', false);
		write_str(w->json, "name", w->c->formula.array[k].name);
		write_bool(w->json, "local", array->local);
		write_bool(w->json, "tight", array->tight);
		written = write_input(w, array);
		sw_json_close(w->json);
	}
	sw_json_close(w->json);
	return written;
}

static bool write_result(const struct writing *w)
{
	const sw_computed *left = &w->c->array[0];
	bool written = true;

	sw_json_key(w->json, "result");
	sw_json_open(w->json, '{', false);
	write_type(w, "from", &w->c->made_type);
	write_type(w, "to", &left->is);
	written = write_relation(w, left->relation, &left->is.type);
	sw_json_close(w->json);
	return written;
}

bool sw_computation_write(const sw_computation *computation, sw_sender_rule rule, sw_json *json)
{
	struct writing w = {computation, rule, sw_arena_new(), json};
	bool written = w.arena != NULL;

	write_formula(&w);
	write_bool(json, "local", computation->local);
	write_bool(json, "tight", computation->tight);
	write_type(&w, "gamma_type", &computation->made_type);
	written = written && write_held(&w, "gamma", &computation->made) && write_split(&w, "interior", true) &&
		write_split(&w, "boundary", false) && write_inputs(&w) &&
		(computation->array[0].relation == NULL || write_result(&w));
	sw_arena_free(w.arena);
	return written;
}

/* ---- tasks ---- */

bool sw_tasks_write(const sw_computation *computation, const sw_tasks *tasks, sw_json *json)
{
	struct writing w = {.c = computation, .json = json};

	write_formula(&w);
	write_count(json, "steps", tasks->steps);
	write_count(json, "every", tasks->every);
	if (!sw_relation_write_before(computation->array[computation->first].relation, json))
		return false;
	write_count(json, "tasks", tasks->tasks);
	write_count(json, "edges", tasks->arcs);
	write_count(json, "rounds", tasks->rounds);
	write_count(json, "messages", tasks->messages);
	write_count(json, "elements", tasks->elements);
	write_count(json, "recomputed", tasks->recomputed);
	write_count(json, "all_depend_on_all_after", tasks->all_after);
	return true;
}
