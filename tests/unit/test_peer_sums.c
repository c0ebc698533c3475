/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums as XLA, Shardy and DTensor plan them: step by step and at the cost of what they really did (jaxlib 0.10.2, torch 2.13.0).
 * Every plan is checked and executed.
 */
#include "kit/follow.h"
#include "kit/kit.h"

/* ---- what is recorded ---- */

/* XLA places zeros without a collective, and its all-reduce that a slice makes a reduce-scatter is two steps in its module. */
static const char *recorded_of(const json_t *line, bool begins)
{
	static sw_text text;
	const json_t *step;
	bool scatters = false;
	size_t k;

	sw_text_clear(&text);
	json_array_foreach(json_object_get(line, "steps"), k, step)
	{
		const char *op = follow_text_of(step, "op"), *how = json_string_value(json_object_get(step, "scatters"));
		int64_t cost = json_integer_value(json_object_get(step, "cost"));

		if (scatters) { /* the slice is in it */
			scatters = false;
			continue;
		}
		scatters = how != NULL && strcmp(how, "yes") == 0;
		sw_text_addf(&text, "%s%s %lld", text.length > 0 ? "; " : "", scatters ? "reducescatter" : op,
			(long long)(scatters ? cost / 2 : cost));
	}
	if (begins && json_array_size(json_object_get(line, "other")) > 0)
		sw_text_addf(&text, "%szeros 0", text.length > 0 ? "; " : "");
	return sw_text_get(&text);
}

static const char *steps_of(const sw_plan *plan)
{
	static sw_text text;

	sw_text_clear(&text);
	for (int k = 0; k < plan->program.steps; k++)
		sw_text_addf(&text, "%s%s %lld", k > 0 ? "; " : "", sw_collective_of(plan->program.step[k].op)->name,
			(long long)plan->program.step[k].cost);
	return sw_text_get(&text);
}

static void check_line(sw_arena *arena, const json_t *line, sw_strategy strategy)
{
	sw_text text = {0};
	sw_problem problem;
	sw_plan plan;
	sw_diag diag;

	sw_text_addf(&text, "%s%s ~> %s", follow_text_of(line, "dtype"), follow_text_of(line, "from"),
		follow_text_of(line, "to"));
	read_problem(follow_text_of(line, "mesh"), sw_text_get(&text), &problem);
	bool found = follow_find(arena, &problem, strategy, &plan, &diag);
	if (json_object_get(line, "error") != NULL) {
		if (found || diag.code != SW_S02)
			fail_msg("%s is not refused as the original does", sw_text_get(&text));
	} else if (!found) {
		fail_msg("%s: %s", sw_text_get(&text), diag.message);
	} else {
		bool begins = sw_type_terms(&problem.to) > 1 && plan.program.steps > 0;
		const char *recorded = recorded_of(line, begins), *mine = steps_of(&plan);
		bool padded = strcmp(mine, "pad 0") == 0 && strcmp(recorded, "zeros 0") == 0;

		if (strcmp(mine, recorded) != 0 && !padded)
			fail_msg("%s on %s: %s, not %s", sw_text_get(&text), follow_text_of(line, "mesh"), mine, recorded);
		follow_prove(&plan, sw_text_get(&text));
		follow_write_and_read(arena, &plan);
	}
	sw_text_free(&text);
}

/* DTensor got a mesh with parts of axes as axes. */
static bool has_parts(const json_t *line)
{
	return strstr(follow_text_of(line, "from"), ":(") != NULL || strstr(follow_text_of(line, "to"), ":(") != NULL;
}

static void check_record(const char *name, sw_strategy strategy)
{
	FILE *file = cases_open(name);
	sw_arena *arena = sw_arena_new();
	char *text = NULL;
	size_t size = 0;
	int lines = 0;

	assert_non_null(file);
	while (getline(&text, &size, file) > 0) {
		json_t *line = json_loads(text, 0, NULL);

		assert_non_null(line);
		bool ours = strcmp(follow_text_of(line, "planner"), sw_strategy_name(strategy)) == 0;
		bool even = !json_is_true(json_object_get(line, "uneven"));
		if (ours && even && !((strategy == SW_DTENSOR || strategy == SW_DTENSOR_MIN_COST) && has_parts(line))) {
			sw_arena_clear(arena);
			check_line(arena, line, strategy);
			lines++;
		}
		json_decref(line);
	}
	free(text);
	fclose(file);
	sw_arena_free(arena);
	assert_true(lines >= 10);
}

static void records_agree(void **state)
{
	(void)state;
	check_record("xla-sums.jsonl", SW_XLA);
	check_record("shardy-sums.jsonl", SW_SHARDY);
	check_record("dtensor-sums.jsonl", SW_DTENSOR);
	check_record("dtensor-sums.jsonl", SW_DTENSOR_MIN_COST);
}

/* ---- one problem each ---- */

static const follow_known xla[] = {
	{"{x: 2, y: 2}", "[8{x}16, 12]+{y} ~> [8{x}16, 6{y}12]", "reducescatter [8, 6]",
		"XLA's module has an all-reduce"},
	{"{x: 2, y: 2}", "[16, 12]+{x,y} ~> [8{x}16, 6{y}12]", "allreduce [16, 12]; dynslice [8, 6]", NULL},
	{"{x: 2, y: 2}", "[16, 12]+{x,y} ~> [4{x,y}16, 12]", "allreduce [16, 12]; dynslice [4, 12]", NULL},
	{"{x: 2, y: 2}", "[16, 12]+{x,y} ~> [4{y,x}16, 12]", "reducescatter [4, 12]", "XLA's module has an all-reduce"},
	{"{x: 2, y: 2}", "[8{x}16, 12] ~> [16, 6{y}12]+{x}", "dynslice [8, 6]; pad [16, 6]", NULL},
	{"{x: 2, y: 2}", "[8{x}16, 12] ~> [16, 12]+{y}", "allgather [16, 12]; zeros [16, 12]", NULL},
	{"{a: 2, b: 2, c: 2}", "[24{a}48, 6{b,c}24, 48] ~> [48, 12{b}24, 24{c}48]+{a}",
		"alltoall [24, 12, 24]; allpermute [24, 12, 24]; pad [48, 12, 24]", NULL},
	{"{a: 2, b: 4}", "[16{a}32, 12{b}48, 16] ~> [32, 48, 16]+{a}", "allgather [16, 48, 16]; pad [32, 48, 16]", NULL},
};

static const follow_known shardy[] = {
	{"{x: 2, y: 2}", "[16, 12]+{x,y} ~> [8{x}16, 6{y}12]", "reducescatter [8, 6]", NULL},
	{"{x: 2, y: 2}", "[16, 12]+{y} ~> [16, 3{x,y}12]", "reducescatter [16, 6]; dynslice [16, 3]", NULL},
	{"{x: 2, y: 2}", "[16, 12]+{y} ~> [16, 3{y,x}12]", "allreduce [16, 12]; dynslice [16, 3]", NULL},
	{"{x: 2, y: 2}", "[8{x}16, 12] ~> [8{x}16, 12]+{y}", "zeros [8, 12]", NULL},
	{"{a: 2, b: 4}", "[8{b}32] ~> [32]+{a,b}", "zeros [8]; pad [32]", NULL},
	{"{a: 4, b: 2}", "[16{a:(1)2}32] ~> [32]+{a}", "zeros [16]; pad [32]", NULL},
	{"{a: 2, b: 2, c: 2}", "[12{c}24, 16{b}32] ~> [24, 32]+{a,b}", "allgather [24, 16]; zeros [24, 16]; pad [24, 32]",
		NULL},
	{"{a: 2, b: 2, c: 2}", "[6{a,c}24] ~> [24]+{a,b}", "allgather [24]; zeros [24]", NULL},
	{"{a: 2, b: 2, c: 2}", "[2{b,a}8, 24{c}48] ~> [4{b}8, 48]+{a,c}",
		"allpermute [2, 24]; allgather [4, 24]; zeros [4, 24]; pad [4, 48]", NULL},
};

static const follow_known dtensor[] = {
	{"{x: 2, y: 2}", "[16, 12]+{x,y} ~> [16, 12]", "allreduce [16, 12]; allreduce [16, 12]", NULL},
	{"{x: 2, y: 2}", "[8{x}16, 12]+{y} ~> [16, 6{y}12]", "reducescatter [8, 6]; allgather [16, 6]", NULL},
	{"{x: 2, y: 2}", "[16, 12] ~> [16, 12]+{y}", "zeros [16, 12]",
		"when terms begin, DTensor divides by the number of devices"},
};

static void problems_answer(void **state)
{
	(void)state;
	follow_answers(SW_XLA, xla, COUNT(xla));
	follow_answers(SW_SHARDY, shardy, COUNT(shardy));
	follow_answers(SW_DTENSOR, dtensor, COUNT(dtensor));
}

static void failures_are_told(void **state)
{
	static const char *const both[] = {"failed check", NULL}, *const once[] = {"Shard(0) to Partial()", "'x'", NULL};

	(void)state;
	follow_refused(SW_XLA, "{x: 2, y: 2}", "[8, 8]+{x} ~> [8, 8]+{y}", both);
	follow_refused(SW_SHARDY, "{x: 2, y: 2}", "[8, 8]+{x} ~> [8, 8]+{y}", both);
	follow_refused(SW_DTENSOR, "{x: 2, y: 2}", "[4{x}8, 8] ~> [8, 8]+{x}", once);
}

int main(void)
{
	static const struct kit_test tests[] = {TEST(problems_answer), TEST(failures_are_told), TEST(records_agree)};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}
