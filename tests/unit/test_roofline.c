/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model `roofline`: recorded seconds of single collectives, what links carry, and plans that follow.
 */
#include <math.h>

#include <jansson.h>

#include <shardwalk/cost.h>
#include <shardwalk/hardware.h>

#include "cost/roofline.h"
#include "kit/cases.h"
#include "kit/problem.h"

static void near(double a, double b, const char *what)
{
	if (fabs(a - b) > 1e-9 * fabs(b))
		fail_msg("%s: %.12g is not %.12g", what, a, b);
}

static sw_machine machine_named(const char *name, sw_arena *arena)
{
	sw_machine machine;

	assert_true(sw_hardware_roofline(sw_hardware_named(sw_str_of(name)), arena, &machine));
	return machine;
}

static sw_machine machine_of_rates(const char *rates, sw_arena *arena)
{
	sw_hardware hardware = {.name = "drawn"};
	sw_machine machine;

	assert_true(sw_hardware_parse(sw_str_of(rates), &hardware, NULL));
	assert_true(sw_hardware_roofline(&hardware, arena, &machine));
	return machine;
}

/* ---- recorded lines ---- */

static const char *text_at(json_t *line, const char *key)
{
	return json_string_value(json_object_get(line, key));
}

static void one_line(json_t *line)
{
	sw_op op = sw_op_named(sw_str_of(text_at(line, "op")));
	sw_arena *arena = sw_arena_new();
	sw_machine machine = machine_named(text_at(line, "hardware"), arena);
	sw_problem problem;
	sw_plan plan;
	sw_diag diag;
	char ends[400];

	assert_true(op != SW_OP_COUNT);
	snprintf(ends, sizeof ends, "%s%s ~> %s%s", text_at(line, "dtype"), text_at(line, "from"), text_at(line, "dtype"),
		text_at(line, "to"));
	read_problem(text_at(line, "mesh"), ends, &problem);
	if (!sw_plan_one_step(&problem, op, arena, &plan, &diag))
		fail_msg("%s: %s", text_at(line, "name"), diag.message);
	sw_roofline bound = sw_predict_roofline(&plan, 0, &machine);
	near(sw_roofline_seconds(bound), json_number_value(json_object_get(line, "seconds")), text_at(line, "name"));
	near(sw_predict_seconds(&plan, -1, &machine), sw_roofline_seconds(bound), text_at(line, "name"));
	assert_string_equal(sw_roofline_bound(bound), text_at(line, "bound"));
	sw_arena_free(arena);
}

static void recorded_seconds_are_met(void **state)
{
	FILE *file = cases_open("programs-times.jsonl");
	int count = 0;
	char text[4096];

	(void)state;
	assert_non_null(file);
	for (; fgets(text, sizeof text, file); count++) {
		json_t *line = json_loads(text, 0, NULL);

		assert_non_null(line);
		one_line(line);
		json_decref(line);
	}
	fclose(file);
	assert_int_equal(count, 81);
}

/* ---- by hand: 1000 bytes a second, a second a hop ---- */

static const struct step_row {
	const char *name, *rates, *mesh, *ends;
	sw_op op;
	double hops, bytes;
} step_rows[] = {
	{"a ring", "1kB/s 1s ring 8", "{x: 8}", "i8[1000{x}8000] ~> i8[8000]", SW_ALLGATHER, 4, 4},
	{"a ring of an odd size", "1kB/s 1s ring 5", "{x: 5}", "i8[1000{x}5000] ~> i8[5000]", SW_ALLGATHER, 2, 2.5},
	{"a line", "1kB/s 1s ring 16", "{x: 8}", "i8[1000{x}8000] ~> i8[8000]", SW_ALLGATHER, 7, 7},
	{"a switch", "1kB/s 1s", "{x: 8}", "i8[1000{x}8000] ~> i8[8000]", SW_ALLGATHER, 1, 7},
	{"neighbours of a part", "1kB/s 1s ring 8", "{x: 8}", "i8[2000{x:(4)2}4000] ~> i8[4000]", SW_ALLGATHER, 1, 2},
	{"groups that are between each other's devices", "1kB/s 1s ring 8", "{x: 8}", "i8[2000{x:(1)2}4000] ~> i8[4000]",
		SW_ALLGATHER, 4, 8},
	{"a part in the middle", "1kB/s 1s ring 8", "{x: 8}", "i8[2000{x:(2)2}4000] ~> i8[4000]", SW_ALLGATHER, 2, 4},
	{"pieces over a part", "1kB/s 1s ring 8", "{x: 8}", "i8[2000{x:(1)2}4000, 2] ~> i8[4000, 1{x:(1)2}2]",
		SW_ALLTOALL, 4, 8},
	{"pieces on a ring", "1kB/s 1s ring 8", "{x: 8}", "i8[1000{x}8000, 8] ~> i8[8000, 1{x}8]", SW_ALLTOALL, 4, 8},
	{"pieces on a line", "1kB/s 1s ring 3", "{x: 8}", "i8[1000{x}8000, 8] ~> i8[8000, 1{x}8]", SW_ALLTOALL, 7, 16},
	{"pieces through a switch", "1kB/s 1s", "{x: 8}", "i8[1000{x}8000, 8] ~> i8[8000, 1{x}8]", SW_ALLTOALL, 1, 7},
	/* a corner gets 15 of 16 kB: two links of the ring and one of the line */
	{"a ring and a line", "1kB/s 1s ring 4", "{x: 8, y: 2}", "i8[1000{x,y}16000] ~> i8[16000]", SW_ALLGATHER, 5, 5},
	{"two rings", "1kB/s 1s ring 4", "{x: 8, y: 4}", "i8[1000{x,y}32000] ~> i8[32000]", SW_ALLGATHER, 6, 8},
	{"two lines", "1kB/s 1s ring 16", "{x: 4, y: 4}", "i8[1000{x,y}16000] ~> i8[16000]", SW_ALLGATHER, 6, 7.5},
	{"two lines of other bandwidths", "1kB/s 1s ring 16", "{x: 2 @ 3kB/s, y: 2}", "i8[1000{x,y}4000] ~> i8[4000]",
		SW_ALLGATHER, 2, 1},
	{"a sum over two lines", "1kB/s 1s ring 16", "{x: 2, y: 2}", "i8[4000]+{x,y} ~> i8[4000]", SW_ALLREDUCE, 4, 3},
	{"a part and a line", "1kB/s 1s ring 16", "{x: 8, y: 2}", "i8[1000{x:(2)2,y}4000] ~> i8[4000]", SW_ALLGATHER, 3,
		2},
	{"two switches", "1kB/s 1s", "{x: 8, y: 2}", "i8[1000{x,y}16000] ~> i8[16000]", SW_ALLGATHER, 2, 7.5},
	{"links of the mesh", "1kB/s 1s ring 4", "{x: 8 @ 2kB/s 3s}", "i8[1000{x}8000] ~> i8[8000]", SW_ALLGATHER, 12, 2},
	{"nodes", "1kB/s 1s node 2 500B/s 5s", "{x: 2, y: 2}", "i8[1000{x}2000, 2{y}4] ~> i8[2000, 2{y}4]", SW_ALLGATHER,
		5, 4},
	{"inside a node", "1kB/s 1s node 2 500B/s 5s", "{x: 2, y: 2}", "i8[2{x}4, 1000{y}2000] ~> i8[2{x}4, 2000]",
		SW_ALLGATHER, 1, 2},
	{"a slice", "1kB/s 1s ring 8", "{x: 8}", "i8[8000] ~> i8[1000{x}8000]", SW_DYNSLICE, 0, 0},
	{"a permute that moves nothing", "1kB/s 1s ring 8", "{x: 8}", "i8[1000{x}8000] ~> i8[1000{x}8000]", SW_ALLPERMUTE,
		0, 0},
	/* 1 and 2 of 4 change places: a hop each, one tile each way */
	{"a permute of neighbours", "1kB/s 1s ring 8", "{x: 4}", "i8[1000{x:(1)2,x:(2)2}4000] ~> i8[1000{x}4000]",
		SW_ALLPERMUTE, 1, 1},
	/* along x everyone to the other end of y and back: (0, 1) to (1, 0) by (1, 1) */
	{"a permute of two axes", "1kB/s 1s ring 8", "{x: 2, y: 2}", "i8[1000{x,y}4000] ~> i8[1000{y,x}4000]",
		SW_ALLPERMUTE, 2, 1},
	{"a permute through switches", "1kB/s 1s", "{x: 2, y: 2}", "i8[1000{x,y}4000] ~> i8[1000{y,x}4000]",
		SW_ALLPERMUTE, 2, 1},
};

static void steps_take_hops_or_bytes(void **state)
{
	const struct step_row *row = *state;
	sw_arena *arena = sw_arena_new();
	sw_machine machine = machine_of_rates(row->rates, arena);
	sw_problem problem;
	sw_plan plan;
	sw_diag diag;

	read_problem(row->mesh, row->ends, &problem);
	if (!sw_plan_one_step(&problem, row->op, arena, &plan, &diag))
		fail_msg("%s: %s", row->ends, diag.message);
	sw_roofline bound = sw_predict_roofline(&plan, 0, &machine);
	near(bound.hops, row->hops, "hops");
	near(bound.bytes, row->bytes, "bytes");
	sw_arena_free(arena);
}

/* ---- formulas against links ---- */

static const struct links_row {
	const char *name, *rates, *mesh;
	double hops, share; /* of a tile */
} links_rows[] = {
	{"a ring of 4", "1kB/s 1s ring 4", "{x: 4}", 2, 4.0 / 8},
	{"a ring of 8", "1kB/s 1s ring 4", "{x: 8}", 4, 8.0 / 8},
	{"a line of 6", "1kB/s 1s ring 4", "{x: 6}", 5, 6.0 / 4},
	{"a switch", "1kB/s 1s", "{x: 6}", 1, 5.0 / 6},
	{"a torus of 4 by 8", "1kB/s 1s ring 4", "{x: 4, y: 8}", 6, 8.0 / 8},
	{"a ring and a line", "1kB/s 1s ring 8", "{x: 8, y: 6}", 9, 6.0 / 4},
};

/* Pieces of every device for every other, each followed over its links, are what the formula of an alltoall says. */
static void links_carry_what_formulas_say(void **state)
{
	const struct links_row *row = *state;
	sw_arena *arena = sw_arena_new();
	sw_machine machine = machine_of_rates(row->rates, arena);
	sw_mesh mesh = mesh_of(row->mesh);
	sw_routes *routes = sw_routes_new(&machine, &mesh);
	sw_reach reach;

	assert_non_null(routes);
	for (int axis = 0; axis < mesh.count; axis++)
		reach.count[axis] = reach.block[axis] = mesh.axis[axis].size;
	for (int64_t d = 0; d < mesh.devices; d++)
		for (int64_t to = 0; to < mesh.devices; to++)
			sw_routes_send(routes, d, to, 1000.0 / (double)mesh.devices);
	sw_roofline walked = sw_routes_bound(routes),
				said = sw_roofline_step(&machine, SW_ALLTOALL, mesh.devices, 1000, &mesh, &reach);
	near(walked.hops, row->hops, "hops");
	near(walked.bytes, row->share, "bytes");
	near(said.hops, row->hops, "hops of the formula");
	near(said.bytes, row->share, "bytes of the formula");
	sw_routes_free(routes);
	sw_arena_free(arena);
}

/* ---- hardware ---- */

static void hardware_has_rates_of_its_own(void **state)
{
	sw_hardware row = {.name = "mine"};
	sw_diag diag;

	(void)state;
	assert_true(sw_hardware_parse(sw_str_of("90GB/s 1us ring 4 flops 4.59e14 memory 2.8TB/s"), &row, &diag));
	near(row.flops, 4.59e14, "flops");
	near(row.memory, 2.8e12, "memory");
	near(sw_hardware_named(sw_str_of("v5p"))->flops, 4.59e14, "flops of the table");
	near(sw_hardware_named(sw_str_of("h100"))->memory, 3.35e12, "memory of the table");
	assert_false(sw_hardware_parse(sw_str_of("90GB/s 1us flops 4.59e14B"), &row, &diag));
	assert_int_equal(diag.code, SW_L11);
	assert_int_equal(diag.at.begin, 17);
	assert_false(sw_hardware_parse(sw_str_of("90GB/s 1us flops"), &row, &diag));
	assert_false(sw_hardware_parse(sw_str_of("90GB/s 1us flops 0"), &row, &diag));
	assert_false(sw_hardware_parse(sw_str_of("90GB/s 1us flops 1e999"), &row, &diag));
	assert_false(sw_hardware_parse(sw_str_of("90GB/s 1us memory 3us"), &row, &diag));
}

/* Without hardware the model has the first row of the table. */
static void plans_follow(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;

	(void)state;
	read_problem("{x: 4}", "f32[250{x}1000, 25] ~> f32[1000, 25]", &problem);
	find(&problem, &(sw_plan_options){.strategy = SW_FUSED, .model = SW_MODEL_ROOFLINE}, arena, &plan);
	assert_string_equal(plan.machine, "default");
	near(plan.model_cost, 100e3 * 3 / (4 * 10e9), "a switch");
	assert_true(plan.optimal);
	sw_machine machine = machine_named("v4p", arena);
	find(&problem, &(sw_plan_options){.strategy = SW_FUSED, .model = SW_MODEL_ROOFLINE, .machine = &machine}, arena,
		&plan);
	near(plan.model_cost, 2e-6, "a ring, bound by its hops");
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(recorded_seconds_are_met),
		ROWS(steps_take_hops_or_bytes, step_rows, name),
		ROWS(links_carry_what_formulas_say, links_rows, name),
		TEST(hardware_has_rates_of_its_own),
		TEST(plans_follow),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}
