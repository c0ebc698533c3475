/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests of the strategies share that follow another system: hand-written problems, refusals, the record.
 */
#ifndef TESTS_KIT_FOLLOW_H
#define TESTS_KIT_FOLLOW_H

#include <jansson.h>

#include <shardwalk/plan.h>

#include "kit/cases.h"
#include "kit/problem.h"

static inline bool follow_find(sw_arena *arena, const sw_problem *problem, sw_strategy strategy, sw_plan *plan,
	sw_diag *diag)
{
	sw_plan_options options = {.strategy = strategy};

	memset(diag, 0, sizeof *diag);
	return sw_plan_find(problem, &options, arena, plan, diag);
}

/* `alltoall [4, 1]; allgather [4, 4]` */
static inline const char *follow_steps(const sw_plan *plan)
{
	static sw_text text;

	sw_text_clear(&text);
	for (int k = 0; k < plan->program.steps; k++) {
		sw_text_addf(&text, "%s%s ", k > 0 ? "; " : "", sw_collective_of(plan->program.step[k].op)->name);
		sw_type_print_tile(plan->program.value[k + 1].tile, plan->problem.from.rank, &text);
	}
	return sw_text_get(&text);
}

/* Every step ends on a type, and the plan is right: executed, or checked by its maps where that would take much
 * memory. */
static inline void follow_prove(const sw_plan *plan, const char *what)
{
	sw_verify_options options = {.scale = true, .memory = 8 << 20};
	sw_verdict verdict;
	sw_diag diag = {0};

	for (int k = 0; k < plan->program.steps; k++)
		if (plan->program.value[k + 1].type == NULL)
			fail_msg("%s: step %d ends on no type", what, k + 1);
	if (!sw_plan_check(plan, &diag))
		fail_msg("%s: %s", what, diag.message);
	if (!sw_plan_verify(plan, &options, &verdict, &diag) || !verdict.right)
		fail_msg("%s: not verified (%s)", what, diag.message);
}

/* The note comes back from the plan file. */
static inline void follow_write_and_read(sw_arena *arena, const sw_plan *plan)
{
	sw_text text = {0};
	sw_plan again;
	sw_diag diag = {0};

	assert_true(sw_plan_write(plan, 0, &text, &diag));
	if (!sw_plan_read(sw_str_of(sw_text_get(&text)), arena, &again, &diag))
		fail_msg("%s", diag.message);
	assert_int_equal(again.note != NULL, plan->note != NULL);
	if (plan->note != NULL)
		assert_string_equal(again.note, plan->note);
	sw_text_free(&text);
}

/* What the original answers to a problem. */
typedef struct follow_known {
	const char *mesh, *problem, *steps;
	const char *note; /* how plan.note begins; NULL: there is none */
} follow_known;

static inline void follow_answers(sw_strategy strategy, const follow_known *knowns, size_t count)
{
	sw_arena *arena = sw_arena_new();

	for (size_t k = 0; k < count; k++) {
		sw_problem problem;
		sw_plan plan;
		sw_diag diag;

		sw_arena_clear(arena);
		read_problem(knowns[k].mesh, knowns[k].problem, &problem);
		if (!follow_find(arena, &problem, strategy, &plan, &diag))
			fail_msg("%s: %s", knowns[k].problem, diag.message);
		if (strcmp(follow_steps(&plan), knowns[k].steps) != 0)
			fail_msg("%s: %s, not %s", knowns[k].problem, follow_steps(&plan), knowns[k].steps);
		assert_int_equal(plan.note != NULL, knowns[k].note != NULL);
		if (plan.note != NULL && strncmp(plan.note, knowns[k].note, strlen(knowns[k].note)) != 0)
			fail_msg("%s: '%s'", knowns[k].problem, plan.note);
		follow_prove(&plan, knowns[k].problem);
		follow_write_and_read(arena, &plan);
	}
	sw_arena_free(arena);
}

/* The message holds every one of the words, which a NULL ends. */
static inline void follow_refused(sw_strategy strategy, const char *mesh, const char *text, const char *const *words)
{
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;
	sw_diag diag;

	read_problem(mesh, text, &problem);
	assert_false(follow_find(arena, &problem, strategy, &plan, &diag));
	assert_int_equal(diag.code, SW_S02);
	for (; *words != NULL; words++)
		if (strstr(diag.message, *words) == NULL)
			fail_msg("%s: '%s' says nothing of '%s'", text, diag.message, *words);
	sw_arena_free(arena);
}

/* ---- the record ---- */

static inline const char *follow_text_of(const json_t *line, const char *key)
{
	const char *text = json_string_value(json_object_get(line, key));

	assert_non_null(text);
	return text;
}

/* The recorded steps, without those that gather or split axes of size 1 only. */
static inline const char *follow_recorded(const json_t *line, const sw_problem *problem)
{
	static sw_text text;
	int64_t before[SW_MAX_DIMS];
	const json_t *step;
	size_t k;

	sw_text_clear(&text);
	memcpy(before, problem->from.tile, sizeof before);
	json_array_foreach(json_object_get(line, "steps"), k, step)
	{
		const json_t *sizes = json_object_get(step, "localtype"), *size;
		int64_t tile[SW_MAX_DIMS] = {0};
		size_t i;

		assert_true(json_array_size(sizes) <= SW_MAX_DIMS);
		json_array_foreach(sizes, i, size) tile[i] = json_integer_value(size);
		if (strcmp(follow_text_of(step, "op"), "allpermute") != 0 && memcmp(tile, before, i * sizeof *tile) == 0)
			continue;
		memcpy(before, tile, sizeof before);
		sw_text_addf(&text, "%s%s ", text.length > 0 ? "; " : "", follow_text_of(step, "op"));
		sw_type_print_tile(tile, (int)json_array_size(sizes), &text);
	}
	return sw_text_get(&text);
}

/* Where the original passes through uneven tiles the strategy has to say so. */
static inline bool follow_agrees(sw_arena *arena, const json_t *line, sw_strategy strategy, bool uneven)
{
	const char *name = follow_text_of(line, "name"), *mine;
	sw_text text = {0};
	sw_problem problem;
	sw_plan plan;
	sw_diag diag;
	bool agree;

	sw_text_addf(&text, "%s%s ~> %s", follow_text_of(line, "dtype"), follow_text_of(line, "from"),
		follow_text_of(line, "to"));
	read_problem(follow_text_of(line, "mesh"), sw_text_get(&text), &problem);
	sw_text_free(&text);
	if (follow_find(arena, &problem, strategy, &plan, &diag)) {
		follow_prove(&plan, name);
		mine = follow_steps(&plan);
		agree = !uneven && strcmp(mine, follow_recorded(line, &problem)) == 0;
	} else {
		mine = diag.message;
		agree = uneven && diag.code == SW_S02 && strstr(mine, "would pad") != NULL;
	}
	if (!agree && getenv("VERBOSE") != NULL)
		printf("%s: %s\n  original: %s\n", name, mine, follow_recorded(line, &problem));
	return agree;
}

static inline FILE *follow_open(const char *file)
{
	const char *other = getenv("FOLLOW");

	return other != NULL ? fopen(other, "r") : cases_open(file);
}

/* Compares with every line of the record that this planner wrote; `goal` is in percent.  FOLLOW names another file
 * of the same form. */
static inline void follow_record(const char *file_name, sw_strategy strategy, int goal)
{
	const char *planner = sw_strategy_name(strategy);
	FILE *file = follow_open(file_name);
	sw_arena *arena = sw_arena_new();
	char *text = NULL;
	size_t size = 0;
	int lines[2] = {0}, agreed[2] = {0};

	while (file != NULL && getline(&text, &size, file) > 0) {
		json_t *line = json_loads(text, 0, NULL);
		bool uneven = json_is_true(json_object_get(line, "uneven"));

		assert_non_null(line);
		if (strcmp(follow_text_of(line, "planner"), planner) == 0) {
			sw_arena_clear(arena);
			agreed[uneven] += follow_agrees(arena, line, strategy, uneven);
			lines[uneven]++;
		}
		json_decref(line);
	}
	free(text);
	sw_arena_free(arena);
	if (file == NULL)
		skip();
	fclose(file);
	printf("%s: %d of %d recorded plans agree step by step (%.1f %%), %d of %d uneven ones are refused\n", planner,
		agreed[0], lines[0], lines[0] > 0 ? 100.0 * agreed[0] / lines[0] : 100.0, agreed[1], lines[1]);
	assert_true(agreed[0] * 100 >= lines[0] * goal && agreed[1] * 100 >= lines[1] * goal);
}

#endif
