/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The strategy xla: step by step what XLA's partitioner really did (jaxlib 0.10.2).  Every plan is checked and
 * executed.
 */
#include <jansson.h>

#include <shardwalk/plan.h>

#include "peers/xla_reshard.h"
#include "kit/cases.h"
#include "kit/problem.h"

static bool follow(sw_arena *arena, const sw_problem *problem, sw_plan *plan, sw_diag *diag)
{
	sw_plan_options options = {.strategy = SW_XLA};

	memset(diag, 0, sizeof *diag);
	return sw_plan_find(problem, &options, arena, plan, diag);
}

/* `alltoall [4, 1]; allgather [4, 4]` */
static const char *steps_text(const sw_plan *plan)
{
	static sw_text text;

	sw_text_clear(&text);
	for (int k = 0; k < plan->program.steps; k++) {
		sw_text_addf(&text, "%s%s ", k > 0 ? "; " : "", sw_collective_of(plan->program.step[k].op)->name);
		sw_type_print_tile(plan->program.value[k + 1].tile, plan->problem.from.rank, &text);
	}
	return sw_text_get(&text);
}

static void check_and_execute(const sw_plan *plan, const char *what)
{
	sw_verify_options options = {.scale = true};
	sw_verdict verdict;
	sw_diag diag = {0};

	if (!sw_plan_check(plan, &diag))
		fail_msg("%s: %s", what, diag.message);
	if (!sw_plan_verify(plan, &options, &verdict, &diag) || !verdict.right)
		fail_msg("%s: not verified (%s)", what, diag.message);
}

/* Does it warn of a full rematerialization? */
static bool warns(sw_arena *arena, const sw_problem *problem)
{
	sw_order_room room = {.arena = arena};
	sw_xla_plan *found = SW_NEW(arena, sw_xla_plan, 1);

	sw_xla_reshard(&room, problem, found);
	assert_false(room.failed || room.too_large);
	return found->rematerializes;
}

/* ---- patterns, one by one: asked of the original ---- */

static const struct known {
	const char *mesh, *problem, *steps;
	bool warns;
} knowns[] = {
	/* the same tiles on other devices */
	{"{a: 2, b: 2}", "[2{a}4, 4] ~> [2{b}4, 4]", "allpermute [2, 4]", false},
	/* one pair of dimensions, two at once, two in turn because they share a dimension */
	{"{x: 4}", "[1{x}4, 4] ~> [4, 1{x}4]", "alltoall [4, 1]", false},
	{"{a: 2, b: 2, c: 2}", "[4, 2{b}4, 4, 2{a}4] ~> [2{a}4, 4, 2{b}4, 4]",
		"alltoall [2, 4, 2, 4]; allpermute [2, 4, 2, 4]", false},
	{"{a: 2, b: 2, c: 2}", "[4{c}8, 8, 2{a,b}8] ~> [2{a,b}8, 4{c}8, 8]", "alltoall [8, 4, 2]; alltoall [2, 4, 8]",
		false},
	{"{x: 4, y: 2, z: 2}", "[4{z}8, 8, 8, 2{y}4, 2{x}8] ~> [2{x}8, 4{y}8, 8, 4, 4{z}8]",
		"alltoall [8, 4, 8, 2, 2]; alltoall [2, 4, 8, 2, 8]; alltoall [2, 4, 8, 4, 4]; allpermute [2, 4, 8, 4, 4]",
		false},
	/* copies cut, as they lie and with another order afterwards */
	{"{a: 2, b: 2}", "[2{a}4, 4] ~> [2{a}4, 2{b}4]", "dynslice [2, 2]", false},
	{"{a: 2, b: 2, c: 2}", "[4, 4, 2{a}4, 2{c}4] ~> [4, 2{a}4, 2{c}4, 2{b}4]",
		"dynslice [4, 2, 2, 2]; allpermute [4, 2, 2, 2]", false},
	/* copies made, the order of devices first, the last dimension first */
	{"{a: 2, b: 2, c: 2}", "[2{b}4, 1{c,a}4] ~> [4, 1{c,a}4]", "allgather [4, 1]", false},
	{"{a: 2, b: 2, c: 2}", "[2{b,a}8, 4{c}8] ~> [4{c}8, 8]", "allpermute [2, 4]; allgather [2, 8]; allgather [4, 8]",
		false},
	/* one dimension further, from copies and to them */
	{"{x: 3, y: 2}", "[6, 2{x}6] ~> [2{x}6, 3{y}6]", "alltoall [2, 6]; dynslice [2, 3]", false},
	{"{x: 3, y: 2}", "[2{x}6, 3{y}6] ~> [6, 2{x}6]", "allgather [2, 6]; alltoall [6, 2]", false},
	/* a dimension seen as two */
	{"{a: 2, b: 2}", "[2{a}4, 2{b}4] ~> [1{b,a}4, 4]", "alltoall [1, 4]", false},
	/* one dimension gathered, all copies cut */
	{"{x: 3, y: 2, z: 2}", "[2{x}6, 4, 3{y}6, 4{z}8] ~> [3{y}6, 4, 2{x}6, 8]",
		"allgather [2, 4, 6, 4]; alltoall [6, 4, 2, 4]; alltoall [3, 4, 2, 8]; allpermute [3, 4, 2, 8]", false},
	{"{a: 2, b: 2, c: 2}", "[4, 4, 1{b,a}4, 4, 4] ~> [4, 2{a}4, 4, 2{b}4, 2{c}4]",
		"dynslice [4, 2, 1, 4, 4]; allgather [4, 2, 4, 4, 4]; dynslice [4, 2, 4, 2, 2]; allpermute [4, 2, 4, 2, 2]",
		true},
	/* nothing fits: all of it, or all of a group */
	{"{a: 2, b: 2, c: 2}", "[4{c}8, 4, 4{a}8] ~> [1{b,c,a}8, 4, 8]",
		"allgather [4, 4, 8]; allgather [8, 4, 8]; dynslice [1, 4, 8]", true},
	{"{a: 2, b: 2, c: 2}", "[1{a,b}4, 4{c}8, 4] ~> [4, 4{a}8, 2{b}4]",
		"allgather [4, 4, 4]; dynslice [4, 4, 2]; allpermute [4, 4, 2]", true},
	{"{p: 2, q: 2, r: 2, s: 2}", "[1{r,s,p,q}16, 80, 64] ~> [8{q}16, 40{r}80, 16{s,p}64]",
		"allgather [8, 80, 64]; dynslice [8, 40, 16]", true},
	/* both ends whole on every device */
	{"{a: 2, b: 2}", "[4, 4] ~> [2{b}4, 2{a}4]", "dynslice [2, 2]", false},
	{"{a: 2, b: 2}", "[2{b}4, 2{a}4] ~> [4, 4]", "allgather [2, 4]; allgather [4, 4]", false},
	{"{a: 2, b: 2}", "[2{a}4, 4] ~> [2{a}4, 4]", "", false},
};

static void patterns_answer(void **state)
{
	const struct known *row = *state;
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;
	sw_diag diag;

	sw_arena_clear(arena);
	read_problem(row->mesh, row->problem, &problem);
	if (!follow(arena, &problem, &plan, &diag))
		fail_msg("%s: %s", row->problem, diag.message);
	assert_string_equal(steps_text(&plan), row->steps);
	check_and_execute(&plan, row->problem);
	assert_int_equal(warns(arena, &problem), row->warns);
	assert_int_equal(plan.note != NULL, row->warns);
	sw_arena_free(arena);
}

/* ---- what no plan can express ---- */

static void refused(const char *mesh, const char *text, const char *words)
{
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;
	sw_diag diag;

	read_problem(mesh, text, &problem);
	assert_false(follow(arena, &problem, &plan, &diag));
	assert_int_equal(diag.code, SW_S02);
	if (strstr(diag.message, words) == NULL)
		fail_msg("%s: '%s' says nothing of '%s'", text, diag.message, words);
	sw_arena_free(arena);
}

/* The original died of a division by zero (merged exchanges), both in the first step and later. */
static void failures_are_told(void **state)
{
	(void)state;
	refused("{x: 3, y: 2, z: 2}", "[20{x}60, 12, 12, 12{y}24, 18{z}36] ~> [30{z}60, 6{y}12, 12, 24, 12{x}36]",
		"fatal error");
	refused("{x: 2, y: 2, z: 2, w: 3}", "[72, 12{w,z}72, 120, 48, 36{x}72] ~> [72, 36{y}72, 20{z,w}120, 24{x}48, 72]",
		"fatal error");
}

/* ---- large meshes stay digits ---- */

static void large_meshes(void **state)
{
	sw_plan_options options = {.strategy = SW_XLA, .sizes_only = true};
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;
	sw_diag diag = {0};

	(void)state;
	read_problem("{a: 1024, b: 1024, c: 1024}", "[1{a}1024, 1{b}1024, 1024] ~> [1024, 1{c}1024, 1{a}1024]", &problem);
	assert_true(sw_plan_find(&problem, &options, arena, &plan, &diag));
	assert_string_equal(steps_text(&plan), "alltoall [1024, 1, 1]; allpermute [1024, 1, 1]");
	assert_true(sw_type_equal(plan.program.value[2].type, &problem.to));
	assert_true(sw_arena_bytes(arena) < 1 << 22);
	sw_arena_free(arena);
}

/* ---- the record ---- */

static const char *text_of(const json_t *line, const char *key)
{
	const char *text = json_string_value(json_object_get(line, key));

	assert_non_null(text);
	return text;
}

static const char *recorded_steps(const json_t *line)
{
	static sw_text text;
	const json_t *step;
	size_t k;

	sw_text_clear(&text);
	json_array_foreach(json_object_get(line, "steps"), k, step)
	{
		const json_t *sizes = json_object_get(step, "localtype"), *size;
		int64_t tile[SW_MAX_DIMS] = {0};
		size_t i;

		assert_true(json_array_size(sizes) <= SW_MAX_DIMS);
		json_array_foreach(sizes, i, size) tile[i] = json_integer_value(size);
		sw_text_addf(&text, "%s%s ", k > 0 ? "; " : "", text_of(step, "op"));
		sw_type_print_tile(tile, (int)json_array_size(sizes), &text);
	}
	return sw_text_get(&text);
}

static bool agrees(sw_arena *arena, const json_t *line)
{
	const char *name = text_of(line, "name"), *mine;
	sw_text text = {0};
	sw_problem problem;
	sw_plan plan;
	sw_diag diag;

	sw_text_addf(&text, "%s ~> %s", text_of(line, "from"), text_of(line, "to"));
	read_problem(text_of(line, "mesh"), sw_text_get(&text), &problem);
	sw_text_free(&text);
	if (follow(arena, &problem, &plan, &diag)) {
		check_and_execute(&plan, name);
		mine = steps_text(&plan);
	} else {
		mine = diag.message;
	}
	if (strcmp(mine, recorded_steps(line)) == 0 &&
		warns(arena, &problem) == json_is_true(json_object_get(line, "warns")))
		return true;
	if (getenv("VERBOSE") != NULL)
		printf("%s: %s\n  xla: %s\n", name, mine, recorded_steps(line));
	return false;
}

static void record_agrees(void **state)
{
	FILE *file = cases_open("xla-plans.jsonl");
	sw_arena *arena = sw_arena_new();
	char *text = NULL;
	size_t size = 0;
	int lines = 0, agreed = 0;

	(void)state;
	while (file != NULL && getline(&text, &size, file) > 0) {
		json_t *line = json_loads(text, 0, NULL);

		assert_non_null(line);
		if (!json_is_true(json_object_get(line, "uneven"))) {
			sw_arena_clear(arena);
			agreed += agrees(arena, line);
			lines++;
		}
		json_decref(line);
	}
	free(text);
	sw_arena_free(arena);
	if (file == NULL)
		skip();
	fclose(file);
	printf("xla: %d of %d recorded plans agree step by step (%.1f %%)\n", agreed, lines, 100.0 * agreed / lines);
	assert_true(agreed * 100 >= lines * 95);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(patterns_answer, knowns, problem),
		TEST(failures_are_told),
		TEST(large_meshes),
		TEST(record_agrees),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}
