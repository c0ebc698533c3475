/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sizes that do not divide, as XLA's partitioner (jaxlib 0.10.2) brings them from one sharding to another: what reaches a
 * device, and whether it warns, line by line as recorded.
 */
#include <jansson.h>
#include <math.h>

#include <shardwalk/plan.h>
#include <shardwalk/uneven.h>

#include "kit/kit.h"
#include "peers/xla_padding.h"
#include "peers/xla_reshard.h"

static sw_problem problem_of(const json_t *line)
{
	const char *const ends[] = {"from", "to"};
	sw_problem problem = {0};
	sw_diag diag = {0};

	assert_true(sw_mesh_parse(sw_str_of(json_string_value(json_object_get(line, "mesh"))), &problem.mesh, &diag));
	for (int k = 0; k < 2; k++) {
		sw_type *type = k ? &problem.to : &problem.from;
		const char *text = json_string_value(json_object_get(line, ends[k]));

		if (!sw_type_parse_as(&problem.mesh, sw_str_of(text), true, type, &diag))
			fail_msg("%s: %s", text, diag.message);
	}
	sw_type_agree(&problem.from, &problem.to);
	return problem;
}

/* The bytes, counted by a program that was written apart from this one, of a program that asks for both shardings. */
static void check_line(sw_arena *arena, const json_t *line)
{
	const char *name = json_string_value(json_object_get(line, "name"));
	sw_order_room room = {.arena = arena};
	sw_xla_plan *found = SW_NEW(arena, sw_xla_plan, 1);
	sw_plan_options options = {.strategy = SW_XLA};
	sw_problem problem = problem_of(line);
	sw_diag diag = {0};
	sw_plan plan;
	double bytes = json_number_value(json_object_get(line, "bytes"));

	sw_xla_reshard(&room, &problem, found);
	assert_false(room.failed || room.too_large || !found->complete);
	if (fabs(found->received * 4 - bytes) > 0.5)
		fail_msg("%s: %.0f bytes, XLA %.0f", name, found->received * 4, bytes);
	if (found->rematerializes != json_is_true(json_object_get(line, "warns")))
		fail_msg("%s: %s", name, found->rematerializes ? "it does not warn" : "it warns");
	if (!sw_plan_find(&problem, &options, arena, &plan, &diag)) {
		assert_int_equal(diag.code, SW_S02);
		return;
	}
	if (fabs(sw_plan_volume(&plan) * 4 - bytes) > 0.5)
		fail_msg("%s: the plan brings %.0f bytes, XLA %.0f", name, sw_plan_volume(&plan) * 4, bytes);
}

static void record_agrees(void **state)
{
	FILE *file = fopen("tests/cases/xla-uneven.jsonl", "r");
	sw_arena *arena = sw_arena_new();
	char *text = NULL;
	size_t size = 0;
	int lines = 0;

	(void)state;
	assert_non_null(file);
	while (getline(&text, &size, file) > 0) {
		json_t *line = json_loads(text, 0, NULL);

		assert_non_null(line);
		sw_arena_clear(arena);
		check_line(arena, line);
		json_decref(line);
		lines++;
	}
	free(text);
	fclose(file);
	sw_arena_free(arena);
	assert_true(lines >= 100);
}

/* What divides is counted as everywhere: parts that others have, whole tiles. */
static void even_sizes(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_order_room room = {.arena = arena};
	sw_mesh mesh;
	sw_type type;
	sw_tiling before, after;
	int64_t size[] = {8, 16}, one[] = {1, 1};
	sw_diag diag = {0};

	(void)state;
	assert_true(sw_mesh_parse(sw_str_of("{x: 4, y: 2}"), &mesh, &diag));
	assert_true(sw_type_parse(&mesh, sw_str_of("[2{x}8, 8{y}16]"), &type, &diag));
	sw_tiling_of_type(&room, &mesh, &type, &before);
	assert_true(sw_type_parse(&mesh, sw_str_of("[4{y}8, 4{x}16]"), &type, &diag));
	sw_tiling_of_type(&room, &mesh, &type, &after);
	assert_true(fabs(sw_xla_received(size, &before, &before) - 16) < 1e-9);
	assert_true(fabs(sw_xla_received(size, &before, &after) - 8) < 1e-9);
	assert_true(fabs(sw_xla_gathered(size, &before, one) - (16 * 1 + 32 * 3)) < 1e-9);
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(record_agrees),
		TEST(even_sizes),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}
