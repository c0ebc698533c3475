/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of the whole of a warning: what XLA says of a problem (jaxlib 0.10.2 printed the warnings here), what stays, what
 * differs, and the sizes that follow.
 */
#include <jansson.h>

#include <shardwalk/whole.h>

#include "kit/arena.h"
#include "kit/cases.h"
#include "kit/kit.h"

static sw_problem problem_of(const char *mesh_text, const char *text)
{
	sw_mesh mesh;
	sw_problem problem = {0};
	sw_diag diag = {.code = SW_OK};
	if (!sw_mesh_parse(sw_str_of(mesh_text), &mesh, &diag) ||
		!sw_problem_parse(&mesh, sw_str_of(text), &problem, &diag))
		fail_msg("%s: %s", text, diag.message);
	return problem;
}

static const sw_log_pair *pair_of(const char *text)
{
	sw_log log;
	sw_diag diag = {.code = SW_OK};
	if (!sw_log_read(sw_str_of(text), NULL, arena, &log, &diag) || log.count != 1)
		fail_msg("%.60s: %s", text, diag.message);
	return log.pairs;
}

/* A warning as jaxlib 0.10.2 prints it. */
static const sw_log_pair *warning_of(const char *from, const char *to, const char *value)
{
	char text[1600];
	snprintf(text, sizeof text,
		"[SPMD] Involuntary full rematerialization. The compiler cannot go from sharding %s to %s "
		"efficiently for HLO operation %s. As the last resort, SPMD will replicate the tensor",
		from, to, value);
	return pair_of(text);
}

static sw_whole check(const sw_log_pair *warning, const sw_problem *problem)
{
	sw_whole whole;
	sw_diag diag = {.code = SW_OK};
	if (!sw_whole_check(warning, problem, arena, &whole, &diag))
		fail_msg("%s", diag.message);
	assert_true(*whole.words != '\0');
	return whole;
}

/* The same cuts, of sizes that say nothing of the array. */
static sw_problem any_sizes(const sw_problem *problem)
{
	sw_problem any = *problem;
	sw_type *type[] = {&any.from, &any.to};
	for (int e = 0; e < 2; e++)
		for (int d = 0; d < any.from.rank; d++) {
			type[e]->tile[d] = problem->mesh.devices / (type[e]->global[d] / type[e]->tile[d]);
			type[e]->global[d] = problem->mesh.devices;
		}
	return any;
}

static void expect_shape(const sw_log_pair *warning, const sw_problem *problem)
{
	sw_problem any = any_sizes(problem);
	int64_t global[SW_MAX_DIMS];
	assert_true(sw_whole_shape(warning, &any, arena, global));
	for (int d = 0; d < problem->from.rank; d++)
		assert_int_equal(global[d], problem->from.global[d]);
}

/* ---- one by one ---- */

#define A4 "{devices=[4,1,1,1,1]<=[4]}"

static const struct known {
	const char *mesh, *problem, *from, *to, *value, *words;
} knowns[] = {
	{"{x: 2, y: 2}", "[8, 6{x}12, 10{y}20] ~> [2{y,x}8, 12, 20]", "{devices=[1,2,2]<=[4]}", "{devices=[4,1,1]<=[4]}",
		"%get-tuple-element = f32[8,6,10]{2,1,0} get-tuple-element(%tuple), index=0", "all 4 devices are in it"},
	{"{a: 2, b: 2, c: 2}", "[4{a,b}16, 27, 36{c}72, 53, 24] ~> [16, 27, 36{a}72, 53, 12{b}24]", A4,
		"{devices=[1,1,1,1,2,2]<=[4] last_tile_dim_replicate}", "%copy = f32[4,27,36,53,24]{4,3,2,1,0} copy(%a)",
		"it is about one group of 4 of the 8 devices: dimension 2 stays in 2 parts (axis c, in the end a)"},
	{"{a: 2, b: 2, c: 2}", "[90, 10{a}20, 80, 54, 2{c,b}8] ~> [45{b}90, 10{a}20, 80, 27{c}54, 8]",
		"{devices=[1,1,1,1,4]<=[4]}", "{devices=[2,1,1,2,1]<=[4]}", "%copy = f32[90,10,80,54,2]{4,3,2,1,0} copy(%a)",
		"it is about one group of 4 of the 8 devices: dimension 1 stays in 2 parts (axis a)"},
	{"{a: 2, b: 2, c: 2}", "[5, 10, 6{b,a}24, 48, 52, 34] ~> [5, 5{a}10, 24, 48, 26{b}52, 17{c}34]",
		"{devices=[1,1,4,1,1,1]<=[4]}", "{devices=[1,1,1,1,2,2]<=[4]}",
		"%copy = f32[5,5,6,48,52,34]{5,4,3,2,1,0} copy(%dynamic-slice.3)",
		"it is about one group of 4 of the 8 devices: dimension 1 stays in 2 parts (axis c, in the end a); XLA does "
		"dynslice first"},
	{"{a: 2, b: 2, c: 2}", "[160, 176, 38, 4{c,b,a}32] ~> [80{c}160, 88{b}176, 38, 16{a}32]",
		"{devices=[1,1,1,1,4]<=[4]}", "{devices=[2,2,1,1,1]0,2,1,3}",
		"%copy = f32[160,176,38,1,4]{4,3,2,1,0} copy(%reshape)",
		"it is about one group of 4 of the 8 devices: dimension 3 stays in 2 parts (axis a); dimension 3 is seen as two there"},
};

static void test_known(void **state)
{
	const struct known *known = *state;
	sw_problem problem = problem_of(known->mesh, known->problem);
	const sw_log_pair *warning = warning_of(known->from, known->to, known->value);
	sw_whole whole = check(warning, &problem);
	assert_string_equal(whole.words, known->words);
	assert_true(whole.is);
	expect_shape(warning, &problem);
}

static void test_stays(void **state)
{
	(void)state;
	sw_problem problem = problem_of(knowns[1].mesh, knowns[1].problem);
	sw_whole whole = check(warning_of(knowns[1].from, knowns[1].to, knowns[1].value), &problem);
	assert_int_equal(whole.devices, 8);
	assert_int_equal(whole.group, 4);
	assert_int_equal(whole.stays, 1);
	assert_int_equal(whole.stay[0].dim, 2);
	assert_int_equal(whole.stay[0].parts, 2);
	assert_string_equal(whole.stay[0].axes, "c");
	assert_string_equal(whole.stay[0].after, "a");
	assert_int_equal(whole.split, -1);
}

/* What holds no shape is compared by its shardings. */
static void test_without_shape(void **state)
{
	(void)state;
	sw_problem problem = problem_of(knowns[1].mesh, knowns[1].problem);
	const sw_log_pair *warning = pair_of(
		"[spmd] Involuntary full rematerialization. The compiler was not able to go from "
		"sharding " A4
		" to {devices=[1,1,1,1,2,2]<=[4] last_tile_dim_replicate} without doing a full rematerialization");
	int64_t global[SW_MAX_DIMS];
	assert_true(check(warning, &problem).is);
	assert_false(sw_whole_shape(warning, &problem, arena, global));
}

/* Inside of shard_map the devices of an axis that is manual see their own array each. */
static void test_axes_left_out(void **state)
{
	(void)state;
	const sw_log_pair *warning = warning_of(knowns[0].from, knowns[0].to, knowns[0].value);
	sw_problem problem = problem_of("{x: 2, data: 3, y: 2}", "[8, 6{x}12, 10{y}20] ~> [2{y,x}8, 12, 20]");
	sw_whole whole = check(warning, &problem);
	assert_string_equal(whole.words,
		"it is about one group of 4 of the 12 devices: axis data cuts nothing at either end");
	assert_true(whole.is);
	expect_shape(warning, &problem);
	problem = problem_of("{x: 2, data: 3, y: 2}", "[8, 6{x}12, 10{y}20] ~> [2{x,y}8, 12, 20]");
	assert_false(check(warning, &problem).is);
}

/* ---- what differs ---- */

static const struct other {
	int known;
	const char *mesh, *problem, *words;
} others[] = {
	{1, "{a: 3, b: 2}", "[4{b}8] ~> [8]", "there are 6 devices here, but the warning is about 4"},
	{1, "{a: 2, b: 2, c: 2}", "bf16[4{a,b}16, 27, 36{c}72, 53, 24] ~> bf16[16, 27, 36{a}72, 53, 12{b}24]",
		"the elements are bf16 here, but f32 in the warning"},
	{1, "{a: 2, b: 2, c: 2}", "[4{a,b}16, 27, 72, 53, 24] ~> [16, 27, 72, 53, 24]",
		"XLA has steps for this problem and does not warn"},
	{1, "{a: 2, b: 2, c: 2}", "[4{a,b}16, 27, 18{c}36, 53, 24] ~> [16, 27, 18{a}36, 53, 12{b}24]",
		"one device would hold f32[4,27,18,53,24] here, but in the warning it holds f32[4,27,36,53,24]"},
	{1, "{a: 2, b: 2, c: 2}", "[16, 27, 36{c}72, 53, 6{a,b}24] ~> [8{b}16, 27, 36{a}72, 53, 24]",
		"before it, XLA would have dimension 0 whole here, and the warning has it in 4 parts"},
	{1, "{a: 2, b: 2, c: 2}", "[4{a,b}16, 27, 36{c}72, 24] ~> [16, 27, 36{a}72, 12{b}24]",
		"the array has 4 dimensions here, but 5 in the warning"},
	{0, "{x: 2, y: 2}", "[8, 6{x}12, 10{y}20] ~> [2{x,y}8, 12, 20]",
		"the tiles would be on other devices than in the warning"},
};

static void test_others(void **state)
{
	const struct other *row = *state;
	const struct known *known = &knowns[row->known];
	sw_problem problem = problem_of(row->mesh, row->problem);
	sw_whole whole = check(warning_of(known->from, known->to, known->value), &problem);
	assert_string_equal(whole.words, row->words);
	assert_false(whole.is);
}

/* ---- places that are other devices ---- */

static void test_places(void **state)
{
	(void)state;
	static const int64_t turned[] = {3, 2, 1, 0};
	const sw_log_pair *warning = warning_of("{devices=[1,2,2]3,2,1,0}", "{devices=[4,1,1]3,2,1,0}", knowns[0].value);
	sw_problem problem = problem_of(knowns[0].mesh, knowns[0].problem);
	sw_whole whole;
	sw_diag diag = {.code = SW_OK};
	problem.mesh.order = turned;
	assert_true(sw_whole_check(warning, &problem, arena, &whole, &diag));
	assert_string_equal(whole.words, "all 4 devices are in it");
	assert_true(whole.is);
	problem.mesh.order = NULL;
	assert_false(check(warning, &problem).is);
}

/* ---- what XLA printed for the recorded problems ---- */

struct recorded {
	char *text;
	size_t size;
};

static struct recorded read_shared(const char *name)
{
	struct recorded file = {NULL, 0};
	char path[1024];
	snprintf(path, sizeof path, "%s/%s", cases_folder(), name);
	FILE *stream = fopen(path, "r");
	if (!stream)
		return file;
	if (getdelim(&file.text, &file.size, '\0', stream) < 0)
		free(file.text), file.text = NULL;
	fclose(stream);
	return file;
}

/* Exactly one of the warnings is about it. */
static void check_recorded(json_t *row, const sw_log *log, bool *found)
{
	char text[512];
	int count = 0;
	snprintf(text, sizeof text, "%s ~> %s", json_string_value(json_object_get(row, "from")),
		json_string_value(json_object_get(row, "to")));
	sw_problem problem = problem_of(json_string_value(json_object_get(row, "mesh")), text);
	for (int i = 0; i < log->count; i++) {
		sw_arena_mark mark = sw_arena_here(arena);
		if (problem.mesh.devices % log->pairs[i].devices == 0 && check(&log->pairs[i], &problem).is) {
			expect_shape(&log->pairs[i], &problem);
			found[i] = true;
			count++;
		}
		sw_arena_back(arena, mark);
	}
	if (count != 1)
		fail_msg("%s: %d warnings", json_string_value(json_object_get(row, "name")), count);
}

static void test_recorded(void **state)
{
	(void)state;
	struct recorded plans = read_shared("xla-plans.jsonl"), text = read_shared("logs/xla-warnings.log");
	sw_log log = {.count = 0};
	sw_diag diag = {.code = SW_OK};
	if (!plans.text || !text.text) {
		free(plans.text);
		free(text.text);
		skip();
	}
	assert_true(sw_log_read(sw_str_of(text.text), NULL, arena, &log, &diag));
	int rows = 0;
	bool *found = calloc((size_t)log.count, sizeof *found);
	assert_non_null(found);
	for (char *line = plans.text; *line; line += strcspn(line, "\n") + 1) {
		json_t *row = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);
		if (json_is_true(json_object_get(row, "warns")))
			check_recorded(row, &log, found), rows++;
		json_decref(row);
	}
	assert_true(rows > 5);
	for (int i = 0; i < log.count; i++)
		if (!found[i] && rows == log.warnings) /* the selection has the whole log, and some of the problems */
			fail_msg("line %d: no problem is its whole", (int)log.pairs[i].line);
	free(found);
	free(plans.text);
	free(text.text);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(test_known, knowns, value),
		TEST(test_stays),
		TEST(test_without_shape),
		TEST(test_axes_left_out),
		ROWS(test_others, others, words),
		TEST(test_places),
		TEST(test_recorded),
	};
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
