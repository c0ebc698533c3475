/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas repeated: recorded counts of tasks, what several steps in a row need, and what cannot be repeated.
 */
#include <shardwalk/computation.h>
#include <shardwalk/distribution.h>
#include <shardwalk/task_walk.h>
#include <shardwalk/tasks.h>

#include "kit/cases.h"
#include "kit/draw.h"
#include "kit/problem.h"
#include "kit/sets.h"

typedef struct repeated {
	sw_formula formula;
	sw_holding held[2];
	sw_points points;
	sw_need need;
} repeated;

static void hold(const sw_mesh *mesh, const char *text, sw_formula *formula, int array, sw_holding *holding)
{
	sw_distribution *read = SW_NEW(arena, sw_distribution, 1);

	assert_true(sw_distribution_parse(mesh, sw_str_of(text), NULL, arena, read, NULL));
	assert_true(sw_formula_set_array(formula, array, read->type.rank, read->type.global, NULL));
	assert_true(sw_holding_of_distribution(mesh, read, NULL, arena, holding));
}

static void start(const char *mesh_text, const char *text, const char *y, const char *x, repeated *r)
{
	sw_mesh mesh = mesh_of(mesh_text);

	assert_true(sw_formula_parse(sw_str_of(text), NULL, arena, &r->formula, NULL));
	hold(&mesh, y, &r->formula, 0, &r->held[0]);
	hold(&mesh, x, &r->formula, 1, &r->held[1]);
	assert_true(sw_formula_fit(&r->formula, NULL));
	sw_formula_points(&r->formula, &r->held[sw_formula_place(&r->formula)], &r->points);
	assert_true(sw_points_need(&r->points, 1, &r->held[1], arena, &r->need));
}

static int64_t number_at(const json_t *line, const char *key)
{
	const json_t *value = json_object_get(line, key);

	assert_non_null(value);
	return json_is_null(value) ? -1 : json_integer_value(value);
}

static void same_before(sw_relation *relation, const json_t *expected, int64_t devices)
{
	for (int64_t d = 0; d < devices; d++) {
		const json_t *list = json_array_get(expected, (size_t)d);
		int32_t found[64];
		assert_int_equal(sw_relation_before(relation, d, found), json_array_size(list));
		for (size_t k = 0; k < json_array_size(list); k++)
			assert_int_equal(found[k], json_integer_value(json_array_get(list, k)));
	}
}

static void is_graph(const json_t *line)
{
	const char *type = json_string_value(json_object_get(line, "type"));
	repeated r;
	sw_tasks tasks;
	sw_diag diag = {0};

	start(json_string_value(json_object_get(line, "mesh")), json_string_value(json_object_get(line, "kernel")), type,
		type, &r);
	if (!sw_tasks_count(&(sw_repetition){&r.need, 1, number_at(line, "steps"), number_at(line, "every")}, NULL, arena,
			&tasks, &diag))
		fail_msg("%s: %s", json_string_value(json_object_get(line, "name")), diag.message);
	assert_int_equal(tasks.tasks, number_at(line, "tasks"));
	assert_int_equal(tasks.arcs, number_at(line, "edges"));
	assert_int_equal(tasks.rounds, number_at(line, "rounds"));
	assert_int_equal(tasks.messages, number_at(line, "messages"));
	assert_int_equal(tasks.elements, number_at(line, "elements"));
	assert_int_equal(tasks.recomputed, number_at(line, "recomputed"));
	assert_int_equal(tasks.all_after, number_at(line, "all_depend_on_all_after"));
	if (tasks.every == 1)
		same_before(tasks.full.relation, json_object_get(line, "T"), r.held[0].devices);
}

static void recorded_graphs(void **state)
{
	(void)state;
	char line[1 << 14];
	FILE *file = cases_open("imp-graphs.jsonl");
	int count = 0;

	assert_non_null(file);
	while (fgets(line, sizeof line, file) != NULL) {
		json_t *read = json_loads(line, 0, NULL);
		assert_non_null(read);
		sw_arena_clear(arena);
		is_graph(read);
		json_decref(read);
		count++;
	}
	fclose(file);
	assert_true(count >= 6);
}

static const struct counted_row {
	const char *mesh, *formula, *type;
	int64_t steps, every;
	int64_t tasks, arcs, messages, elements, recomputed, all_after;
} counted[] = {
	{"{x: 6}", "y[i] = f(x[i-1], x[i], x[i+1])", "[4{x}24]", 15, 3, 30, 80, 50, 150, 150, 5},
	{"{x: 6}", "y[i] = f(x[i-1], x[i], x[i+1])", "[4{x}24]", 1000000000000, 1, 6000000000000, 16000000000000,
		10000000000000, 10000000000000, 0, 5},
	{"{x: 4}", "y[i] = x[i-1] wrap", "[1{x}4]", 9, 1, 36, 36, 36, 36, 0, -1},
	{"{x: 4}", "y[i] = x[i-1] wrap", "[1{x}4]", 1000000000000, 1, 4000000000000, 4000000000000, 4000000000000,
		4000000000000, 0, -1},
	{"{x: 4}", "y[i] = f(x[i-1], x[i+1]) wrap", "[1{x}4]", 99, 1, 396, 792, 792, 792, 0, -1},
	{"{x: 5}", "y[i] = f(x[i-1], x[i+1]) wrap", "[1{x}5]", 99, 1, 495, 990, 990, 990, 0, 4},
	{"{x: 100000}", "y[i] = f(x[i-1], x[i], x[i+1])", "[4{x}400000]", 1000000, 1, 100000000000, 299998000000,
		199998000000, 199998000000, 0, 99999},
	{"{x: 100000}", "y[i] = f(x[i], x[i+1]) wrap", "[1{x}100000]", 1000000, 1, 100000000000, 200000000000,
		100000000000, 100000000000, 0, 99999},
	{"{x: 100000}", "y[i] = f(x[i-1], x[i])", "[1{x}100000]", 1000000, 1, 100000000000, 199999000000, 99999000000,
		99999000000, 0, -1},
	{"{x: 4}", "y[i] = f(x[:])", "[3{x}12]", 2, 1, 8, 32, 24, 72, 0, 1},
	{"{x: 4}", "y[i] = f(x[i])", "[3{x}12]", 7, 2, 16, 16, 0, 0, 0, -1},
};

static void known_counts(void **state)
{
	const struct counted_row *row = *state;
	repeated r;
	sw_tasks t;

	start(row->mesh, row->formula, row->type, row->type, &r);
	assert_true(sw_tasks_count(&(sw_repetition){&r.need, 1, row->steps, row->every}, NULL, arena, &t, NULL));
	assert_int_equal(t.tasks, row->tasks);
	assert_int_equal(t.arcs, row->arcs);
	assert_int_equal(t.messages, row->messages);
	assert_int_equal(t.elements, row->elements);
	assert_int_equal(t.recomputed, row->recomputed);
	assert_int_equal(t.all_after, row->all_after);
}

static const struct refused_row {
	const char *formula, *y, *x;
	sw_code code;
} refused[] = {
	{"y[i] = f(x[i, :])", "[3{x}12]", "[3{x}12, 5]", SW_F17},
	{"y[i] = f(x[2*i])", "[3{x}12]", "[6{x}24]", SW_F17},
};

static void what_is_not_repeated(void **state)
{
	const struct refused_row *row = *state;
	repeated r;
	sw_tasks t;
	sw_diag diag = {0};

	start("{x: 4}", row->formula, row->y, row->x, &r);
	assert_false(sw_tasks_count(&(sw_repetition){&r.need, 1, 3, 1}, NULL, arena, &t, &diag));
	assert_int_equal(diag.code, row->code);
}

/* Made in tiles, read whole: it is gathered between rounds. */
static void a_move_is_an_arc_too(void **state)
{
	(void)state;
	repeated r;
	sw_tasks t;
	sw_diag diag = {0};

	start("{x: 4}", "y[i] = f(x[i])", "[3{x}12]", "[12]", &r);
	assert_true(sw_tasks_count(&(sw_repetition){&r.need, 1, 3, 1}, NULL, arena, &t, NULL));
	assert_int_equal(t.tasks, 12);
	assert_int_equal(t.arcs, 3 * 16 + 2 * 16);
	assert_int_equal(t.messages, 2 * 12);
	assert_int_equal(t.elements, 2 * 36);
	assert_int_equal(t.all_after, 1);
	start("{x: 4}", "y[i] = f(x[i])", "[3{x}12]", "[3{x}12] shift 3 wrap", &r);
	assert_true(sw_tasks_count(&(sw_repetition){&r.need, 1, 5, 1}, NULL, arena, &t, NULL));
	assert_int_equal(t.arcs, 5 * 4 + 4 * 4);
	assert_int_equal(t.messages, 5 * 4 + 4 * 4);
	assert_int_equal(t.all_after, -1);
	start("{x: 4}", "y[i] = f(x[i], x[i-1]) on x", "[12] on 0", "[3{x}12]", &r);
	assert_true(sw_tasks_count(&(sw_repetition){&r.need, 1, 5, 1}, NULL, arena, &t, NULL));
	assert_int_equal(t.tasks, 20);
	assert_false(sw_tasks_count(&(sw_repetition){&r.need, 1, 5, 2}, NULL, arena, &t, &diag));
	assert_int_equal(diag.code, SW_F17);
}

/* ---- all on all, by tables of who depends on whom ---- */

#define DEVICES_MOST 12

static int64_t steps_until_all(sw_relation *step, int devices, int64_t steps)
{
	bool needs[DEVICES_MOST][DEVICES_MOST] = {{false}}, on[DEVICES_MOST][DEVICES_MOST] = {{false}};
	bool makes[DEVICES_MOST];

	for (int d = 0; d < devices; d++) {
		int32_t list[DEVICES_MOST];
		int64_t count = sw_relation_before(step, d, list);
		on[d][d] = true;
		makes[d] = count > 0;
		for (int64_t k = 0; k < count; k++)
			needs[d][list[k]] = true;
	}
	for (int64_t done = 1; done <= steps; done++) {
		bool next[DEVICES_MOST][DEVICES_MOST] = {{false}}, all = true;
		for (int d = 0; d < devices; d++)
			for (int e = 0; e < devices; e++) {
				for (int f = 0; f < devices; f++)
					next[d][e] = next[d][e] || (needs[d][f] && on[f][e]);
				all = all && (next[d][e] || !makes[d]);
			}
		memcpy(on, next, sizeof on);
		if (all)
			return done;
	}
	return -1;
}

static void all_depends_on_all_as_tables_say(void **state)
{
	draw random = draw_start("all on all");

	(void)state;
	for (int trial = 0; trial < 300; trial++) {
		int devices = 2 + draw_below(&random, DEVICES_MOST - 1), tile = 1 + draw_below(&random, 3);
		char mesh[32], type[48], formula[160];
		repeated r;
		sw_tasks t;

		snprintf(mesh, sizeof mesh, "{x: %d}", devices);
		snprintf(type, sizeof type, "[%d{x}%d]", tile, tile * devices);
		snprintf(formula, sizeof formula, "y[i] = f(x[i%+d], x[i%+d], x[i%+d])%s", draw_below(&random, 9) - 4,
			draw_below(&random, 5) - 2, draw_below(&random, 9) - 4, draw_below(&random, 2) ? " wrap" : "");
		start(mesh, formula, type, type, &r);
		assert_true(sw_tasks_count(&(sw_repetition){&r.need, 1, 200, 1}, NULL, arena, &t, NULL));
		if (t.all_after != steps_until_all(t.full.relation, devices, 200))
			fail_msg("%s on %s: %lld", formula, mesh, (long long)t.all_after);
	}
}

/* ---- several inputs ---- */

static const struct several_row {
	const char *formula, *x, *c;
	int64_t steps, every, once, once_elements, messages, elements;
} several[] = {
	{"y[i] = x[i-1] + c[i+1]", "[4{x}24]", "[4{x}24]", 15, 1, 5, 5, 80, 80},
	{"y[i] = x[i-1] + c[i]", "[4{x}24]", "[4{x}24]", 15, 1, 0, 0, 75, 75},
	{"y[i] = x[i-1] + c[i]", "[4{x}24]", "[24]", 15, 3, 0, 0, 25, 75},
	/* c[i] is needed where steps before the last are computed, too: two elements beside the own ones */
	{"y[i] = x[i-1] + c[i]", "[4{x}24]", "[4{x}24]", 15, 3, 5, 10, 30, 85},
	{"y[i] = x[i-1] + c[i]", "[4{x}24]", "[4{x}24]", 2, 3, 5, 5, 10, 15},
};

static void constants_are_sent_once(void **state)
{
	const struct several_row *row = *state;
	const sw_mesh mesh = mesh_of("{x: 6}");
	const char *const text[] = {"[4{x}24]", row->x, row->c};
	sw_array_type type[3] = {{0}};
	sw_formula formula;
	sw_tasks t;

	assert_true(sw_formula_parse(sw_str_of(row->formula), NULL, arena, &formula, NULL));
	for (int k = 0; k < 3; k++) {
		type[k].known = true;
		assert_true(sw_type_parse_any(&mesh, sw_str_of(text[k]), NULL, arena, &type[k].type, &type[k].words, NULL));
	}
	const sw_computation *c = sw_computation_new(&mesh, &formula, type, NULL, arena, NULL);
	assert_non_null(c);
	assert_true(sw_computation_tasks(c, row->steps, row->every, NULL, arena, &t, NULL));
	assert_int_equal(t.once.messages, row->once);
	assert_int_equal(t.once.elements, row->once_elements);
	assert_int_equal(t.messages, row->messages);
	assert_int_equal(t.elements, row->elements);
	sw_walk *walk = sw_task_walk_new(&t, NULL);
	sw_node node;
	assert_non_null(walk);
	while (sw_walk_step(walk, NULL))
		;
	assert_true(sw_walk_node(walk, (int)t.rounds, &node));
	assert_int_equal(node.distance, t.elements);
	sw_walk_free(walk);
}

/* ---- walked ---- */

static void rounds_are_walked(void **state)
{
	repeated r;
	sw_tasks t;
	sw_node node;
	sw_walk *walk;
	sw_text text = {0};
	sw_diag diag = {0};

	(void)state;
	start("{x: 6}", "y[i] = f(x[i-1], x[i], x[i+1])", "[4{x}24]", "[4{x}24]", &r);
	assert_true(sw_tasks_count(&(sw_repetition){&r.need, 1, 14, 3}, NULL, arena, &t, NULL));
	walk = sw_task_walk_new(&t, NULL);
	assert_non_null(walk);
	assert_int_equal(sw_task_walk_tasks(walk)->rounds, 5);
	for (int number = 1; number <= 5; number++) {
		assert_int_equal(sw_walk_frontier(walk, NULL, 0), 1);
		assert_true(sw_walk_step(walk, NULL));
		assert_int_equal(sw_walk_current(walk), number);
		assert_true(sw_walk_node(walk, number, &node));
		assert_int_equal(node.size, (5 - number + 1) * 6);
	}
	assert_int_equal(node.distance, t.elements);
	assert_true(node.is_goal);
	sw_walk_print_place(walk, node.place, &text);
	assert_string_equal(sw_text_get(&text), "steps 13-14");
	assert_false(sw_walk_step(walk, &diag));
	assert_int_equal(diag.code, SW_S07);
	while (sw_walk_back(walk, NULL))
		;
	assert_int_equal(sw_walk_seen(walk), 1);
	node.place[0] = 6;
	assert_false(sw_walk_node_at(walk, node.place, &node, &diag));
	assert_int_equal(diag.code, SW_S06);
	sw_text_free(&text);
	sw_walk_free(walk);
	t.rounds = INT64_MAX / 8;
	assert_null(sw_task_walk_new(&t, &diag));
	assert_int_equal(diag.code, SW_S08);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(recorded_graphs),
		ROWS(known_counts, counted, formula),
		TEST(a_move_is_an_arc_too),
		ROWS(what_is_not_repeated, refused, formula),
		TEST(all_depends_on_all_as_tables_say),
		ROWS(constants_are_sent_once, several, formula),
		TEST(rounds_are_walked),
	};

	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
