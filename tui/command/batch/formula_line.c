/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas as lines of a batch, and formulas that are repeated.
 */
#include "command/batch/lines.h"

#include <shardwalk/computation.h>
#include <shardwalk/problem_json.h>

#include "command/programs/compute.h"
#include "views/computed.h"

bool formula_line_asked(json_t *line)
{
	return json_is_string(json_object_get(line, "kernel"));
}

bool tasks_line_asked(json_t *line)
{
	return formula_line_asked(line) && json_object_get(line, "steps") != NULL;
}

/* What the line asks for. */
struct asked {
	struct problem_json *of;
	sw_mesh mesh;
	sw_formula formula;
	sw_array_type *type; /* of each array */
	sw_diag *diag;
};

/* ---- reading ---- */

static bool read_formula(struct asked *a)
{
	const struct problem_json *of = a->of;
	const sw_file_reader files = {compute_file, of->arena};

	if (!sw_formula_parse(problem_text(of, "kernel"), &files, of->arena, &a->formula, a->diag))
		return sw_json_refuse_shifted(&of->in, "kernel");
	a->formula.wrap = a->formula.wrap || json_is_true(json_object_get(of->json, "wrap"));
	a->type = SW_NEW_ZERO(of->arena, sw_array_type, a->formula.arrays);
	return a->type != NULL || sw_diag_memory(a->diag);
}

/* The type of an array stands at its name, or is that of all at `type`. */
static bool read_array(struct asked *a, int array)
{
	const struct problem_json *of = a->of;
	const sw_str name = a->formula.array[array].name;
	sw_array_type *type = &a->type[array];
	const char *key = sw_arena_copy(of->arena, name.at, name.length);

	if (key == NULL)
		return sw_diag_memory(a->diag);
	key = problem_text(of, key).at != NULL ? key : "type";
	type->known = problem_text(of, key).at != NULL;
	if (!type->known)
		return true;
	const sw_distribution_names names = {.pads = of->pads};
	if (!sw_type_parse_any(&a->mesh, problem_text(of, key), &names, of->arena, &type->type, &type->words, a->diag))
		return sw_json_refuse_shifted(&of->in, key);
	return type->type.dtype_given ||
		sw_json_read_dtype(&of->in, of->json, "dtype", &type->type.dtype, &type->type.dtype_given);
}

static const sw_computation *read_computation(struct asked *a)
{
	const struct problem_json *of = a->of;
	const sw_computation *read = NULL;

	if (!sw_json_read_mesh(&of->in, of->json, "mesh", &a->mesh) || !read_formula(a))
		return NULL;
	for (int k = 0; k < a->formula.arrays; k++)
		if (!read_array(a, k))
			return NULL;
	read = sw_computation_new(&a->mesh, &a->formula, a->type, of->pulse, of->arena, a->diag);
	if (read == NULL)
		sw_json_refuse_shifted(&of->in, "kernel");
	return read;
}

static bool read_number(const struct asked *a, const char *key, int64_t *count)
{
	json_t *value = json_object_get(a->of->json, key);

	*count = value != NULL ? json_integer_value(value) : 1;
	return *count >= 1 || sw_json_refuse(&a->of->in, SW_B03, key, "is not a number of at least 1");
}

/* ---- answers ---- */

static void add_question(const struct asked *a, struct fields *out)
{
	field_mesh(out, "mesh", &a->mesh);
}

static bool answer_words(const struct problem_json *of, const sw_computation *computation)
{
	sw_text words = {0};
	bool said = computation->first < 0 || messages_words(computation, computation->first, &words);

	problem_words(of, "%s", computation->first < 0 ? "nothing is read" : sw_text_get(&words));
	sw_text_free(&words);
	return said;
}

bool formula_line(struct problem_json *of, sw_diag *diag)
{
	struct asked a = {.of = of, .diag = diag};
	const sw_computation *computation = read_computation(&a);
	struct fields *out;

	if (computation == NULL)
		return false;
	out = problem_fields(of, "shardwalk.compute/1");
	if (out != NULL) {
		add_question(&a, out);
		return computed_fields(computation, out, diag);
	}
	return answer_words(of, computation) || sw_computation_failed(computation, diag);
}

bool tasks_line(struct problem_json *of, sw_diag *diag)
{
	struct asked a = {.of = of, .diag = diag};
	const sw_computation *computation = read_computation(&a);
	struct fields *out;
	int64_t steps, every;
	sw_tasks tasks;

	if (computation == NULL || !read_number(&a, "steps", &steps) || !read_number(&a, "every", &every) ||
		!sw_computation_tasks(computation, steps, every, of->pulse, of->arena, &tasks, diag))
		return false;
	out = problem_fields(of, "shardwalk.tasks/1");
	if (out != NULL) {
		add_question(&a, out);
		return tasks_fields(computation, &tasks, out, diag);
	}
	problem_words(of, "%lld tasks, %lld arcs, %lld messages, %lld elements", (long long)tasks.tasks,
		(long long)tasks.arcs, (long long)tasks.messages, (long long)tasks.elements);
	return true;
}
