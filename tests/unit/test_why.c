/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why each step of a plan is there: known sentences, and those of random plans read back against the types.
 */
#define _GNU_SOURCE
#include <shardwalk/plan.h>

#include "kit/draw.h"
#include "kit/problem.h"
#include "kit/kit.h"

/* ---- known sentences ---- */

typedef struct known {
	const char *mesh, *ends;
	sw_strategy strategy;
	const char *why; /* of all steps, one a line */
} known;

static const known rows[] = {
	{"{x: 4}", "[3{x}12, 8] ~> [12, 2{x}8]", SW_FUSED,
		"x leaves dimension 0 and cuts dimension 1: groups of 4 devices swap pieces of their tiles\n"},
	{"{x: 4}", "[3{x}12] ~> [12]", SW_FUSED, "x leaves dimension 0: groups of 4 devices join their tiles\n"},
	{"{x: 4, y: 2}", "[{x}12] ~> [{y}12]", SW_NAIVE,
		"x leaves dimension 0: groups of 4 devices join their tiles\n"
		"y cuts dimension 0: each device keeps a part of its tile, and nothing is sent\n"},
	{"{x: 2, y: 3}", "[{x,y}12] ~> [{y,x}12]", SW_FUSED,
		"dimension 0 is cut by x, then y: whole tiles go to other devices\n"},
	{"{x: 2, y: 2}", "[{x}8] ~> [{y}8]", SW_FUSED,
		"x leaves dimension 0; y cuts dimension 0: whole tiles go to other devices\n"},
	{"{x: 4, y: 2}", "[{y}16, 16, {x}16] ~> [16, {y,x}16, 16]", SW_FUSED,
		"x leaves dimension 2 and cuts dimension 1 outside y; y leaves dimension 0 and cuts dimension 1 inside x: "
		"groups of 8 devices swap pieces of their tiles\n"},
	{"{x: 4, y: 6}", "[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]", SW_PAPER,
		"y:(2)3 leaves dimension 1 and cuts dimension 0 inside x: groups of 3 devices swap pieces of their tiles\n"
		"y:(1)2 leaves dimension 1 and cuts dimension 0; x:(1)2 leaves dimension 0 and cuts dimension 1; "
		"dimension 0 is cut by y, then x:(2)2: whole tiles go to other devices\n"
		"x:(2)2 leaves dimension 0 and cuts dimension 1 inside x:(1)2: groups of 2 devices swap pieces of their tiles\n"},
	{"{x: 6}", "[{x:(1)2}12] ~> [{x:(1)3}12]", SW_NAIVE,
		"x:(1)2 leaves dimension 0 for now: groups of 2 devices join their tiles\n"
		"x:(1)3 cuts dimension 0: each device keeps a part of its tile, and nothing is sent\n"},
	{"{x: 2, y: 2}", "[{x}8, {y}8] ~> [{y}8, {x}8]", SW_DIRECT,
		"y leaves dimension 1 and cuts dimension 0; x leaves dimension 0 and cuts dimension 1: each device receives what it "
		"lacks from a device that has it\n"},
	{"{x: 2, y: 2, z: 2}", "[{z,y,x}8, 8] ~> [{z}8, {x,y}8]", SW_NAIVE,
		"x, y and z leave dimension 0 for now: groups of 8 devices join their tiles\n"
		"z cuts dimension 0: each device keeps a part of its tile, and nothing is sent\n"
		"y and x cut dimension 1, outermost first: each device keeps a part of its tile, and nothing is sent\n"},
	{"{a: 4, c: 3}", "[12] ~> [{a:(2)2,c,a:(1)2}12]", SW_NAIVE,
		"a:(1)2, c and a:(2)2 cut dimension 0, outermost first: each device keeps a part of its tile, and nothing is "
		"sent\n"},
};

static void why_all(const sw_plan *plan, sw_text *text)
{
	for (int k = 0; k < plan->program.steps; k++) {
		sw_plan_why(plan, k, text);
		sw_text_add_char(text, '\n');
	}
}

static void find_as(const sw_problem *problem, sw_strategy strategy, sw_arena *arena, sw_plan *plan)
{
	sw_plan_options options = {.strategy = strategy};
	find(problem, &options, arena, plan);
}

static void known_sentences(void **state)
{
	const known *row = *state;
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;
	sw_text text = {0};
	read_problem(row->mesh, row->ends, &problem);
	find_as(&problem, row->strategy, arena, &plan);
	why_all(&plan, &text);
	assert_string_equal(sw_text_get(&text), row->why);
	sw_text_free(&text);
	sw_arena_free(arena);
}

/* ---- sentences read back ---- */

typedef struct reader {
	const sw_plan *plan;
	const sw_type *before, *after;
	int64_t leaves[SW_MAX_DIMS],
		comes[SW_MAX_DIMS]; /* product of the parts that leave a dimension, and that come to it */
} reader;

static sw_part part_named(const sw_mesh *mesh, const char *name)
{
	int axis = name[0] - 'a';
	long pre = 1, size = axis >= 0 && axis < mesh->count ? (long)mesh->axis[axis].size : 0;
	assert_true(size > 0);
	assert_true(!name[1] || sscanf(name + 1, ":(%ld)%ld", &pre, &size) == 2);
	return (sw_part){axis, pre, size};
}

/* The whole part does, by itself or as pieces in some order. */
static bool cuts(const sw_type *type, int dim, sw_part part)
{
	int64_t covered = 1;
	for (int i = type->first[dim]; i < type->first[dim + 1]; i++) {
		sw_part own = sw_type_part(type, i);
		int64_t low = own.pre > part.pre ? own.pre : part.pre;
		int64_t high = own.pre * own.size < part.pre * part.size ? own.pre * own.size : part.pre * part.size;
		if (own.axis == part.axis && low < high)
			covered *= high / low;
	}
	return covered == part.size;
}

static void read_part(reader *r, const char *name, int from, int to)
{
	sw_part part = part_named(&r->plan->problem.mesh, name);
	for (int dim = 0; dim < r->after->rank; dim++) {
		assert_true(cuts(r->before, dim, part) == (dim == from));
		assert_true(cuts(r->after, dim, part) == (dim == to));
	}
	if (from >= 0)
		r->leaves[from] *= part.size;
	if (to >= 0)
		r->comes[to] *= part.size;
}

static int number_after(const char *clause, const char *words)
{
	const char *at = strstr(clause, words);
	return at ? atoi(at + strlen(words)) : -1;
}

/* "a, b:(2)3 and c leave dimension 0 and cut dimension 1 ..." */
static void read_clause(reader *r, char *clause)
{
	int from = number_after(clause, " leave dimension "), to = number_after(clause, " cut dimension ");
	from = from < 0 ? number_after(clause, " leaves dimension ") : from;
	to = to < 0 ? number_after(clause, " cuts dimension ") : to;
	if (strncmp(clause, "dimension ", 10) == 0)
		return;
	assert_true(from >= 0 || to >= 0);
	char *verb = strstr(clause, from >= 0 ? " leave" : " cut");
	*verb = '\0';
	for (char *word = strtok(clause, ", "); word; word = strtok(NULL, ", "))
		if (strcmp(word, "and") != 0)
			read_part(r, word, from, to);
}

static void read_sentence(reader *r, char *sentence)
{
	char *end = strstr(sentence, ": ");
	assert_non_null(end);
	*end = '\0';
	for (char *clause = sentence; clause;) {
		char *next = strstr(clause, "; ");
		if (next)
			*next = '\0';
		read_clause(r, clause);
		clause = next ? next + 2 : NULL;
	}
}

static void read_step(const sw_plan *plan, int k, char *sentence)
{
	reader r = {.plan = plan, .before = plan->program.value[k].type, .after = plan->program.value[k + 1].type};
	if (!r.before || !r.after)
		return;
	for (int dim = 0; dim < r.after->rank; dim++)
		r.leaves[dim] = r.comes[dim] = 1;
	read_sentence(&r, sentence);
	for (int dim = 0; dim < r.after->rank; dim++)
		assert_int_equal(r.before->global[dim] / r.before->tile[dim] * r.comes[dim],
			r.after->global[dim] / r.after->tile[dim] * r.leaves[dim]);
}

static void random_sentences(void **state)
{
	(void)state;
	static const sw_strategy strategies[] = {SW_NAIVE, SW_PAPER, SW_EXACT, SW_FUSED, SW_XLA, SW_DTENSOR, SW_DIRECT};
	static const int64_t axes[][3] = {{2, 3, 4}, {4, 6, 2}, {12, 2, 3}, {6, 6, 2}};
	draw random = draw_start("random_sentences");
	int steps = 0;
	for (int n = 0; n < 1400; n++) {
		sw_arena *arena = sw_arena_new();
		sw_problem problem;
		sw_plan plan;
		sw_diag diag;
		sw_plan_options options = {.strategy = strategies[n % 7]};
		draw_problem(&random, axes[draw_below(&random, 4)], 3, 1 + draw_below(&random, 3), &problem);
		bool found = sw_plan_find(&problem, &options, arena, &plan, &diag);
		for (int k = 0; found && k < plan.program.steps; k++, steps++) {
			sw_text text = {0};
			sw_plan_why(&plan, k, &text);
			read_step(&plan, k, text.data);
			sw_text_free(&text);
		}
		sw_arena_free(arena);
	}
	assert_true(steps > 1000);
}

/* ---- steps that axes do not tell ---- */

static void without_types(void **state)
{
	(void)state;
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;
	sw_text text = {0};
	int64_t map[4 * 2] = {0, 0, 0, 2, 2, 0, 2, 2};
	read_problem("{x: 4}", "[1{x}4, 4] ~> [4, 1{x}4]", &problem);
	find_as(&problem, SW_FUSED, arena, &plan);
	plan.program.value[1].type = NULL;
	plan.program.value[1].map = map;
	sw_plan_why(&plan, 0, &text);
	assert_string_equal(sw_text_get(&text),
		"dimension 0 is put together from 4 pieces; dimension 1 is cut into 4; what devices "
		"then hold does not follow axes: groups of 4 devices swap pieces of their tiles");
	sw_text_free(&text);
	sw_arena_free(arena);
}

static void other_devices(void **state)
{
	(void)state;
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;
	sw_diag diag;
	sw_text text = {0};
	static const int64_t before[] = {0, 1, 2, 3}, after[] = {3, 2, 1, 0};
	sw_plan_options options = {.strategy = SW_FUSED};
	read_problem("{x: 4}", "[1{x}4] ~> [1{x}4]", &problem);
	find_as(&problem, SW_FUSED, arena, &plan);
	assert_true(reorder(&plan, before, after, &options, arena, &diag));
	assert_int_equal(plan.program.steps, 1);
	sw_plan_why(&plan, 0, &text);
	assert_string_equal(sw_text_get(&text),
		"from here on, the slots of the mesh are on other devices: whole tiles go to other devices");
	sw_text_free(&text);
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(known_sentences, rows, ends),
		TEST(random_sentences),
		TEST(without_types),
		TEST(other_devices),
	};
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
