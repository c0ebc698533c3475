/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a batch that ask how to multiply two matrices on so many processors: all algorithms side by side, or, within a bound of live
 * memory, the grid that moves least.
 *
 *     {"m": 8192, "n": 8192, "k": 8192, "processors": 64}
 *     {"m": 8192, "n": 8192, "k": 8192, "processors": 64, "memory": 4000000}
 */
#include "command/batch/lines.h"

#include <shardwalk/algorithm.h>
#include <shardwalk/choice.h>

#include "command/compare/contender.h"

#define MATRICES 3 /* letters of a product: m, n, k */

bool schedules_line_asked(json_t *line)
{
	return json_object_get(line, "processors") != NULL && json_object_get(line, "m") != NULL &&
		json_object_get(line, "n") != NULL && json_object_get(line, "k") != NULL;
}

struct asked {
	struct problem_json *of;
	int64_t size[MATRICES], processors;
	int64_t memory; /* -1: no bound is named */
	sw_diag *diag;
};

static bool read_number(const struct asked *a, const char *key, int64_t *number)
{
	json_t *value = json_object_get(a->of->json, key);

	if (!json_is_integer(value) || json_integer_value(value) < 1)
		return sw_json_refuse(&a->of->in, SW_B03, key, "is not a whole number above 0");
	*number = json_integer_value(value);
	return true;
}

static bool read_asked(struct asked *a)
{
	static const char *const keys[MATRICES] = {"m", "n", "k"};

	for (int k = 0; k < MATRICES; k++)
		if (!read_number(a, keys[k], &a->size[k]))
			return false;
	return read_number(a, "processors", &a->processors) &&
		(json_object_get(a->of->json, "memory") == NULL || read_number(a, "memory", &a->memory));
}

static void tell_question(const struct asked *a, struct fields *out)
{
	field_int(out, "m", a->size[0]);
	field_int(out, "n", a->size[1]);
	field_int(out, "k", a->size[2]);
	field_int(out, "processors", a->processors);
}

static sw_recipe_question question_of(const struct asked *a)
{
	sw_recipe_question question = {.processors = a->processors};

	for (int k = 0; k < MATRICES; k++)
		question.size[k] = a->size[k];
	return question;
}

static bool tell_contender(const struct contender *contender, struct fields *in, sw_diag *diag)
{
	const struct rows rows = contenders_rows(contender, 1, 0);

	return rows_members(&rows, in, diag);
}

/* ---- all of them ---- */

static bool compare_algorithm(const struct asked *a, const sw_schedule_algorithm *algorithm, struct fields *in,
	struct fields *left_out)
{
	const sw_recipe_question question = question_of(a);
	struct contender contender;
	sw_recipe *recipe = SW_NEW(a->of->arena, sw_recipe, 1);
	sw_diag why;

	if (recipe == NULL)
		return sw_diag_memory(a->diag);
	if (!sw_recipe_of(algorithm, &question, a->of->arena, recipe, &why)) {
		if (why.code != SW_D40)
			*a->diag = why;
		field_text(left_out, algorithm->name, why.message);
		return why.code == SW_D40;
	}
	if (!contender_of_recipe(recipe, a->processors, a->of->arena, &contender, a->diag))
		return false;
	if (in == NULL)
		problem_words(a->of, "%s: %lld steps, %lld elements, live %lld", contender.name, (long long)contender.steps,
			(long long)contender.volume, (long long)contender.peak);
	return tell_contender(&contender, field_object(in, algorithm->name), a->diag);
}

static bool compare_all(const struct asked *a, struct fields *out)
{
	struct fields *in = field_object(out, "algorithms"), *left_out = field_object(out, "left_out");
	const sw_schedule_algorithm *algorithm, *product = sw_schedule_algorithm_at(0);

	for (int n = 0; (algorithm = sw_schedule_algorithm_at(n)) != NULL; n++)
		if (sw_str_is(sw_str_of(algorithm->statement), product->statement) &&
			sw_schedule_algorithm_named(sw_str_of(algorithm->name)) == algorithm &&
			!compare_algorithm(a, algorithm, in, left_out))
			return false;
	return true;
}

/* ---- the best grid ---- */

static bool tell_best(const struct asked *a, const sw_grid_choice *choice, struct fields *out)
{
	const sw_scheme *scheme = &choice->scheme;
	sw_recipe_question question = question_of(a);
	struct contender contender;
	sw_recipe recipe;

	question.axes = scheme->axes;
	question.steps = scheme->steps;
	for (int axis = 0; axis < scheme->axes; axis++)
		question.extent[axis] = scheme->extent[axis];
	if (out == NULL)
		problem_words(a->of, "%lld x %lld x %lld, %lld steps, %lld elements, live %lld", (long long)scheme->extent[0],
			(long long)scheme->extent[1], (long long)scheme->extent[2], (long long)scheme->steps,
			(long long)choice->volume, (long long)choice->peak);
	field_ints(out, "grid", scheme->extent, scheme->axes);
	field_int(out, "peak", choice->peak);
	if (a->processors > SW_MAX_MAP_DEVICES) {
		field_int(out, "steps", scheme->steps);
		field_int(out, "volume", choice->volume);
		return true;
	}
	return sw_recipe_of(sw_schedule_algorithm_named(sw_str_of("cosma-balanced")), &question, a->of->arena, &recipe,
			   a->diag) &&
		contender_of_recipe(&recipe, a->processors, a->of->arena, &contender, a->diag) &&
		tell_contender(&contender, out, a->diag);
}

static bool choose(const struct asked *a, struct fields *out)
{
	sw_scheme scheme;
	const sw_grid_question question = {.scheme = &scheme,
		.times = 1 << (MATRICES - 1),
		.processors = a->processors,
		.memory = a->memory};
	sw_grid_choice choice;
	int64_t smallest = 0;

	field_int(out, "memory", a->memory);
	sw_matrices_scheme(a->size[0], a->size[1], a->size[2], &scheme);
	if (sw_grid_choose(&question, &choice, 1, &smallest, a->diag) > 0)
		return tell_best(a, &choice, out);
	if (a->diag->code != SW_S01)
		return false;
	if (out == NULL)
		problem_words(a->of, "at least %lld elements of live memory are needed", (long long)smallest);
	field_text(out, "error", "memory");
	field_int(out, "smallest", smallest);
	*a->diag = (sw_diag){.code = SW_OK};
	return true;
}

bool schedules_line(struct problem_json *of, sw_diag *diag)
{
	struct asked a = {.of = of, .memory = -1, .diag = diag};

	if (!read_asked(&a))
		return false;
	struct fields *out = problem_fields(of, "shardwalk.schedule/1");
	tell_question(&a, out);
	return a.memory < 0 ? compare_all(&a, out) : choose(&a, out);
}
