/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Advice: never worse than none, through hops that join, on meshes of the same devices; and the problems
 * whose costs are known.
 */
#include <jansson.h>

#include <shardwalk/advise.h>
#include <shardwalk/number.h>

#include "advise/finer.h"
#include "advise/grid.h"
#include "kit/problem.h"
#include "kit/cases.h"

static bool advise(sw_arena *arena, const sw_problem *problem, sw_advise_target target, sw_advice *advice,
	sw_diag *diag)
{
	sw_advise_options options = {.target = target};

	memset(diag, 0, sizeof *diag);
	return sw_advise(problem, &options, arena, advice, diag);
}

/* `[8{b}16, 4{a}16, 16]; ...` */
static const char *via_text(const sw_advice *advice)
{
	static sw_text text;

	sw_text_clear(&text);
	for (int k = 0; k < advice->via_count; k++) {
		sw_text_add(&text, k > 0 ? "; " : "");
		sw_type_print(&advice->problem.mesh, advice->via[k], false, &text);
	}
	return sw_text_get(&text);
}

/* ---- what holds for all advice ---- */

static void check_sums(const sw_advice *advice)
{
	int64_t cost = 0, height = 0, count[SW_COLLECTIVES] = {0};

	for (int k = 0; k <= advice->via_count; k++) {
		const sw_plan *hop = &advice->hop[k];

		cost += hop->cost;
		height = hop->height > height ? hop->height : height;
		for (int s = 0; s < hop->program.steps; s++)
			count[hop->program.step[s].op]++;
		assert_int_equal(hop->strategy, sw_advise_strategy(advice->target));
	}
	assert_int_equal(cost, advice->cost_then);
	assert_int_equal(height, advice->height_then);
	assert_memory_equal(count, advice->collectives, sizeof count);
}

static void check_joins(const sw_advice *advice)
{
	const sw_mesh *mesh = &advice->problem.mesh;

	for (int k = 0; k <= advice->via_count; k++) {
		const sw_problem *hop = &advice->hop[k].problem;

		assert_true(sw_mesh_equal(&hop->mesh, mesh));
		assert_true(sw_type_equal(&hop->from, k > 0 ? advice->via[k - 1] : &advice->problem.from));
		assert_true(sw_type_equal(&hop->to, k < advice->via_count ? advice->via[k] : &advice->problem.to));
	}
}

/* The ends mean what they meant, device by device. */
static void check_mesh(const sw_problem *problem, const sw_advice *advice)
{
	int64_t was[SW_MAX_DIMS], is[SW_MAX_DIMS];

	assert_int_equal(problem->mesh.devices, advice->problem.mesh.devices);
	assert_int_equal(advice->finer, !sw_mesh_equal(&problem->mesh, &advice->problem.mesh));
	for (int64_t d = 0; d < problem->mesh.devices; d++)
		for (int end = 0; end < 2; end++) {
			sw_type_offset(&problem->mesh, end == 0 ? &problem->from : &problem->to, d, was);
			sw_type_offset(&advice->problem.mesh, end == 0 ? &advice->problem.from : &advice->problem.to, d, is);
			assert_memory_equal(was, is, (size_t)problem->from.rank * sizeof *was);
		}
}

static bool whole_axes(const sw_advice *advice)
{
	for (int k = 0; k < advice->via_count; k++)
		for (int p = 0; p < advice->via[k]->first[advice->via[k]->rank]; p++) {
			sw_part part = sw_type_part(advice->via[k], p);

			if (part.size != advice->problem.mesh.axis[part.axis].size)
				return false;
		}
	return true;
}

static void check_gain(const sw_advice *advice)
{
	assert_non_null(advice->why);
	assert_int_equal(advice->gains, advice->via_count > 0);
	if (!advice->has_now) {
		assert_true(advice->gains);
		return;
	}
	assert_int_equal(advice->cost_now, advice->now.cost);
	assert_true(advice->cost_then <= advice->cost_now);
	assert_true(advice->height_then <= advice->height_now);
	if (advice->gains) {
		assert_true(advice->height_then <= advice->budget);
		assert_true(advice->cost_then < advice->cost_now || advice->height_then < advice->height_now);
	} else {
		assert_int_equal(advice->cost_then, advice->cost_now);
		assert_non_null(strstr(advice->why, "nothing"));
	}
}

static void check_warnings(const sw_advice *advice)
{
	for (int k = 0; k <= advice->via_count && advice->gains && advice->target == SW_ADVISE_JAX; k++)
		assert_null(advice->hop[k].note);
	if (advice->warns_now)
		assert_true(advice->gains || !advice->complete);
}

static void check_advice(const sw_problem *problem, const sw_advice *advice)
{
	check_sums(advice);
	check_joins(advice);
	check_mesh(problem, advice);
	check_gain(advice);
	check_warnings(advice);
	assert_true(advice->target == SW_ADVISE_SHARDY || advice->meshes || whole_axes(advice));
}

/* No advice only where the system by itself fails, too. */
static void check_fails(sw_arena *arena, const sw_problem *problem, sw_advise_target target, const sw_diag *diag)
{
	sw_plan_options options = {.strategy = sw_advise_strategy(target), .sizes_only = true};
	sw_plan plan;

	assert_int_equal(diag->code, SW_S02);
	assert_false(sw_plan_find(problem, &options, arena, &plan, NULL));
}

static void check_random(draw *random, const int64_t *axes, int count, sw_advise_target target)
{
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_advice advice;
	sw_diag diag;

	draw_problem(random, axes, count, 1 + draw_below(random, 5), &problem);
	if (advise(arena, &problem, target, &advice, &diag))
		check_advice(&problem, &advice);
	else
		check_fails(arena, &problem, target, &diag);
	sw_arena_free(arena);
}

/* Bounds and forbidden operations are kept, whatever they are. */
static void check_options(draw *random, const int64_t *axes, int count, sw_advise_target target)
{
	sw_arena *arena = sw_arena_new();
	sw_advise_options options = {.target = target,
		.without = (unsigned)draw_below(random, 16),
		.several = draw_below(random, 2) == 0};
	sw_problem problem;
	sw_advice advice;
	sw_diag diag;

	draw_problem(random, axes, count, 1 + draw_below(random, 5), &problem);
	if (draw_below(random, 2) == 0)
		options.budget = 1 + draw_below(random, (int)sw_type_globalsize(&problem.from) % 100000);
	if (!sw_advise(&problem, &options, arena, &advice, &diag)) {
		assert_true(diag.code == SW_S01 || diag.code == SW_S02);
	} else {
		check_sums(&advice);
		check_joins(&advice);
		check_mesh(&problem, &advice);
		for (int op = 0; op < SW_COLLECTIVES; op++)
			assert_true(advice.collectives[op] == 0 || (options.without >> op & 1) == 0);
		assert_true(!advice.gains || advice.height_then <= advice.budget);
	}
	sw_arena_free(arena);
}

static void test_random(void **state)
{
	static const struct {
		int64_t axes[4];
		int count;
	} meshes[] = {{{2, 2, 2}, 3}, {{3, 2, 2}, 3}, {{4, 2, 2}, 3}, {{4, 4}, 2}, {{8}, 1}, {{6, 2}, 2}, {{1, 4, 1}, 3}};
	draw random = draw_start("advice");

	(void)state;
	for (int n = 0; n < 210; n++) {
		int m = n % 7;

		check_random(&random, meshes[m].axes, meshes[m].count, (sw_advise_target)(n / 7 % SW_ADVISE_COUNT));
		check_options(&random, meshes[m].axes, meshes[m].count, (sw_advise_target)(n / 7 % SW_ADVISE_COUNT));
	}
}

/* ---- single problems ---- */

/* xla#15207: a warning, and every device gets the whole array. */
static void test_acceptance_1(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_advice advice;
	sw_diag diag;

	(void)state;
	read_problem("{x: 4, y: 2}", "f32[8{y}16, 16, 4{x}16] ~> [16, 2{y,x}16, 16]", &problem);
	assert_true(advise(arena, &problem, SW_ADVISE_JAX, &advice, &diag));
	check_advice(&problem, &advice);
	assert_true(advice.gains && advice.warns_now && advice.complete && !advice.finer);
	assert_string_equal(via_text(&advice), "[8{y}16, 4{x}16, 16]");
	assert_int_equal(advice.cost_now, 6144);
	assert_int_equal(advice.height_now, 4096);
	assert_int_equal(advice.cost_then, 1024);
	assert_int_equal(advice.height_then, 512);
	assert_int_equal(advice.collectives[SW_ALLTOALL], 2);
	sw_arena_free(arena);
}

static const struct test_nothing_to_gain_row {
	const char *mesh, *problem, *why;
} test_nothing_to_gain_rows[] = {
	{"{x: 4}", "[3{x}12, 12] ~> [3{x}12, 12]", "both ends are the same"},
	{"{x: 4}", "[12, 12] ~> [3{x}12, 12]", "moves nothing"},
	{"{x: 4}", "[3{x}12, 12] ~> [12, 3{x}12]", "no waypoints make XLA cheaper"},
	{"{x: 1}", "[12] ~> [12]", "both ends are the same"},
	{"{p: 1024, x: 1024, y: 1024}", "[{x}1048576, {y}1048576, {p}1024] ~> [{y}1048576, {p}1048576, {x}1024]",
		"as well as the strategy exact"},
};

static void test_nothing_to_gain(void **state)
{
	const struct test_nothing_to_gain_row *row = *state;
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_advice advice;
	sw_diag diag;

	read_problem(row->mesh, row->problem, &problem);
	assert_true(advise(arena, &problem, SW_ADVISE_JAX, &advice, &diag));
	assert_false(advice.gains);
	assert_non_null(strstr(advice.why, row->why));
	sw_arena_free(arena);
}

/* The partitioner itself would end in a fatal error: any way through is a gain. */
static void test_crash(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_advice advice;
	sw_diag diag;

	(void)state;
	read_problem("{x: 4, y: 2, z: 2}", "[108, 6{x}24, 4{z}8, 30{y}60, 112] ~> [54{z}108, 24, 2{x}8, 60, 56{y}112]",
		&problem);
	assert_true(advise(arena, &problem, SW_ADVISE_JAX, &advice, &diag));
	check_advice(&problem, &advice);
	assert_false(advice.has_now);
	assert_int_equal(advice.cost_now, -1);
	assert_non_null(strstr(advice.why, "fatal error"));
	sw_arena_free(arena);
}

static void test_finer(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_advice advice;
	sw_diag diag;
	sw_text mesh = {0};

	(void)state;
	read_problem("{x: 4, y: 4}", "[12150, 42{x}168, 18{y}72] ~> [12150, 168, 72]", &problem);
	assert_true(advise(arena, &problem, SW_ADVISE_JAX, &advice, &diag));
	check_advice(&problem, &advice);
	assert_true(advice.finer);
	sw_mesh_print(&advice.problem.mesh, &mesh);
	assert_string_equal(sw_text_get(&mesh), "{x: 4, y0: 2, y1: 2}");
	sw_text_free(&mesh);
	sw_arena_free(arena);
}

/* Ends that cut an axis in two ways that no one mesh has. */
/* Ends that cut an axis in two orders: the waypoints are said on several meshes, each type on one. */
static const struct test_no_one_mesh_row {
	const char *mesh, *text;
	int64_t cost; /* of a route whose hops are one all-to-all each */
} test_no_one_mesh_rows[] = {
	{"{a: 6}", "[3{a:(1)2}6, 2{a:(2)3}6] ~> [2{a:(1)3}6, 3{a:(3)2}6]", 12},
	{"{a: 12}", "[6{a:(1)2}12, 2{a:(2)6}12] ~> [4{a:(1)3}12, 3{a:(3)4}12]", 24},
	{"{a: 6, b: 2}", "[6{a:(1)2}12, 4{a:(2)3}12] ~> [4{a:(1)3}12, 6{a:(3)2}12]", 48},
};

static void test_no_one_mesh(void **state)
{
	const struct test_no_one_mesh_row *row = *state;
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_advice advice;
	sw_diag diag;

	read_problem(row->mesh, row->text, &problem);
	assert_true(advise(arena, &problem, SW_ADVISE_JAX, &advice, &diag));
	check_advice(&problem, &advice);
	assert_true(advice.warns_now && advice.gains && advice.meshes && !advice.finer);
	assert_int_equal(advice.cost_then, row->cost);
	sw_arena_free(arena);
}

/* Names of pieces never meet names that are there, and links go along. */
static void test_finer_names(void **state)
{
	sw_mesh mesh, fine;
	sw_type type, same;
	const sw_type *types[] = {&type};
	sw_text text = {0};
	bool finer;

	(void)state;
	assert_true(sw_mesh_parse(sw_str_of("{x: 12 @ 10GB/s, x0: 4, n: 1}"), &mesh, NULL));
	assert_true(sw_type_parse(&mesh, sw_str_of("[{x:(2)3}6, {x0:(2)2,x:(1)2}8]"), &type, NULL));
	assert_true(sw_finer_mesh(&mesh, types, 1, &fine, &finer));
	assert_true(finer);
	sw_mesh_print(&fine, &text);
	assert_string_equal(sw_text_get(&text),
		"{x_0: 2 @ 10GB/s, x1: 3 @ 10GB/s, x2: 2 @ 10GB/s, x0_0: 2, x0_1: 2, n: 1}");
	assert_true(sw_finer_type(&mesh, &fine, &type, &same));
	for (int64_t d = 0; d < mesh.devices; d++) {
		int64_t was[SW_MAX_DIMS], is[SW_MAX_DIMS];

		sw_type_offset(&mesh, &type, d, was);
		sw_type_offset(&fine, &same, d, is);
		assert_memory_equal(was, is, 2 * sizeof *was);
	}
	sw_text_free(&text);
}

static void test_refusals(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_advise_options options = {.target = SW_ADVISE_JAX, .budget = 3};
	sw_advise_target target;
	sw_advice advice;
	sw_diag diag = {0};

	(void)state;
	read_problem("{x: 4}", "[3{x}12, 12] ~> [12, 3{x}12]", &problem);
	assert_false(sw_advise(&problem, &options, arena, &advice, &diag));
	assert_int_equal(diag.code, SW_S01);
	options = (sw_advise_options){.target = SW_ADVISE_JAX, .without = 1u << SW_ALLTOALL | 1u << SW_ALLGATHER};
	assert_false(sw_advise(&problem, &options, arena, &advice, &diag));
	assert_int_equal(diag.code, SW_S02);
	assert_false(sw_advise_parse(sw_str_of("shardi"), &target, &diag));
	assert_int_equal(diag.code, SW_L02);
	assert_non_null(strstr(diag.hint, "'shardy'"));
	for (int k = 0; k < SW_ADVISE_COUNT; k++) {
		assert_true(sw_advise_parse(sw_str_of(sw_advise_name((sw_advise_target)k)), &target, NULL));
		assert_int_equal(target, k);
		assert_true(strlen(sw_advise_about(target)) > 0);
	}
	sw_arena_free(arena);
}

static bool stop(void *context, const char *what, long long done, long long total)
{
	(void)context, (void)what, (void)done, (void)total;
	return false;
}

static void test_stopped(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_pulse pulse = {stop, NULL};
	sw_advise_options options = {.target = SW_ADVISE_JAX, .pulse = &pulse};
	sw_problem problem;
	sw_advice advice;
	sw_diag diag = {0};

	(void)state;
	read_problem("{a: 2, b: 2, c: 2}", "[8, 8{c}16, 64] ~> [2{c,a}8, 16, 32{b}64]", &problem);
	if (sw_advise(&problem, &options, arena, &advice, &diag))
		assert_false(advice.complete);
	else
		assert_int_equal(diag.code, SW_S03);
	sw_arena_free(arena);
}

/* ---- the grid ---- */

struct count {
	const sw_grid *grid;
	int32_t from;
	int seen[SW_COLLECTIVES];
};

static void count_step(void *context, sw_op op, int64_t factor, int32_t other)
{
	struct count *count = context;
	const sw_grid_state *a = &count->grid->states[count->from], *b = &count->grid->states[other];

	count->seen[op]++;
	if (op == SW_ALLTOALL || op == SW_ALLPERMUTE)
		assert_int_equal(a->size, b->size);
	if (op == SW_ALLTOALL)
		assert_true(factor > 1);
	if (op == SW_DYNSLICE)
		assert_true(b->size < a->size);
	if (op == SW_ALLGATHER)
		assert_true(b->size > a->size);
}

static void test_grid(void **state)
{
	sw_problem problem;
	sw_prime_parts atoms;
	sw_grid grid;

	(void)state;
	read_problem("{a: 2, b: 2, c: 2}", "[4{a}8, 4{b}8] ~> [8, 8]", &problem);
	sw_prime_parts_default(&problem.mesh, &atoms);
	assert_true(sw_grid_init(&grid, &problem, &atoms, 64, 0, false));
	struct count count = {&grid, grid.from, {0}};
	sw_grid_steps(&grid, grid.from, false, count_step, &count);
	assert_int_equal(count.seen[SW_DYNSLICE], 2); /* c, in either dimension */
	assert_int_equal(count.seen[SW_ALLGATHER], 2);
	assert_int_equal(count.seen[SW_ALLTOALL], 4); /* either way, with the own axis or with c */
	assert_int_equal(count.seen[SW_ALLPERMUTE], 5);
	assert_true(sw_grid_measure(&grid, INT64_MAX));
	assert_int_equal(grid.states[grid.from].home, 8 + 64); /* slice, bring all into one dimension, gather that */
	sw_grid_end(&grid);
}

/* ---- problems with known costs ---- */

struct tally {
	int warned, known, exact, silent, gained;
};

static void check_line(json_t *line, json_t *costs, struct tally *tally)
{
	sw_arena *arena = sw_arena_new();
	char text[1024];
	json_t *cost = json_object_get(costs, json_string_value(json_object_get(line, "name")));
	sw_problem problem;
	sw_advice advice;
	sw_diag diag;

	snprintf(text, sizeof text, "%s ~> %s", json_string_value(json_object_get(line, "from")),
		json_string_value(json_object_get(line, "to")));
	read_problem(json_string_value(json_object_get(line, "mesh")), text, &problem);
	assert_true(advise(arena, &problem, SW_ADVISE_JAX, &advice, &diag));
	check_advice(&problem, &advice);
	assert_int_equal(advice.warns_now, json_is_true(json_object_get(line, "warns")));
	assert_int_equal(advice.cost_now, json_integer_value(json_object_get(line, "cost")));
	if (advice.warns_now) {
		assert_true(advice.gains && advice.height_then <= advice.budget);
		tally->known += cost != NULL;
		tally->exact += cost != NULL && advice.cost_then == json_integer_value(cost);
	}
	tally->warned += advice.warns_now;
	tally->silent += !advice.warns_now;
	tally->gained += !advice.warns_now && advice.gains;
	sw_arena_free(arena);
}

static json_t *read_costs(FILE *file)
{
	json_t *costs = json_object();
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, file) > 0) {
		json_t *object = json_loads(line, 0, NULL);

		json_object_set(costs, json_string_value(json_object_get(object, "name")),
			json_object_get(object, "exact_cost"));
		json_decref(object);
	}
	free(line);
	return costs;
}

static void check_lines(FILE *file, json_t *costs, struct tally *tally)
{
	char *text = NULL;
	size_t room = 0;

	while (getline(&text, &room, file) > 0) {
		json_t *line = json_loads(text, 0, NULL);

		check_line(line, costs, tally);
		json_decref(line);
	}
	free(text);
}

static void test_known(void **state)
{
	FILE *plans = cases_open("xla-plans.jsonl"), *known = cases_open("paper-like.jsonl");
	struct tally tally = {0};

	(void)state;
	if (plans != NULL && known != NULL) {
		json_t *costs = read_costs(known);

		check_lines(plans, costs, &tally);
		json_decref(costs);
	}
	if (plans != NULL)
		fclose(plans);
	if (known != NULL)
		fclose(known);
	if (tally.warned == 0) {
		print_message("no ../shared/cases\n");
		skip();
	}
	print_message("%d warned, all cured; %d of %d at the cost of exact; %d of %d others gain\n", tally.warned,
		tally.exact, tally.known, tally.gained, tally.silent);
	assert_true(tally.exact * 10 >= tally.known * 9);
	assert_true(tally.gained * 10 >= tally.silent * 2);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(test_acceptance_1),
		ROWS(test_nothing_to_gain, test_nothing_to_gain_rows, problem),
		TEST(test_crash),
		TEST(test_finer),
		ROWS(test_no_one_mesh, test_no_one_mesh_rows, text),
		TEST(test_finer_names),
		TEST(test_refusals),
		TEST(test_stopped),
		TEST(test_grid),
		TEST(test_random),
		TEST(test_known),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}
