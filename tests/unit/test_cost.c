/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models in seconds: what a step takes, which axes count, hardware by name, and plans that follow.
 */
#include <math.h>

#include <shardwalk/cost.h>
#include <shardwalk/hardware.h>
#include <shardwalk/transfers.h>
#include <shardwalk/walk.h>

#include "cost/reach.h"
#include "kit/problem.h"
#include "kit/kit.h"
#include "kit/machine.h"

static void near(double a, double b)
{
	if (fabs(a - b) > 1e-9 * fabs(b))
		fail_msg("%.12g is not %.12g", a, b);
}

/* ---- steps ---- */

/* 64 elements of 4 bytes; half of them stay where they are. */
static void a_step_takes_rounds_bytes_and_packing(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;

	(void)state;
	read_problem("{x: 2}", "[8{x}16, 8] ~> [16, 4{x}8]", &problem);
	find(&problem, &(sw_plan_options){.strategy = SW_FUSED, .model = SW_MODEL_LATENCY}, arena, &plan);
	assert_int_equal(plan.program.steps, 1);
	assert_int_equal(plan.program.step[0].op, SW_ALLTOALL);
	near(plan.model_cost, 5e-6 + 128 / 10e9 + 1e-6 + 128 / 10e9); /* the source has gaps, the destination has none */
	near(plan.model_cost, sw_predict_seconds(&plan, -1, sw_machine_default()));
	assert_int_equal(plan.cost, 64);
	near(sw_plan_volume(&plan), 32);
	assert_string_equal(plan.machine, "default");
	sw_arena_free(arena);
}

static const struct the_slowest_axis_counts_row {
	const char *ends;
	double alpha, bandwidth;
} the_slowest_axis_counts_rows[] = {
	{"[16, 4{core}16] ~> [4{core}16, 16]", 1e-6, 40e9},
	{"[16, 8{node}16] ~> [8{node}16, 16]", 20e-6, 10e9},
};

static void the_slowest_axis_counts(void **state)
{
	const struct the_slowest_axis_counts_row *row = *state;
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;
	sw_load load;

	read_problem("{node: 2 @ 10GB/s 20us, core: 4 @ 40GB/s 1us}", row->ends, &problem);
	find(&problem, &(sw_plan_options){.strategy = SW_NAIVE, .model = SW_MODEL_LATENCY}, arena, &plan);
	sw_step_load(&plan, 0, &load);
	near(plan.program.step[0].model_cost,
		row->alpha * (double)load.rounds + load.bytes / row->bandwidth + (double)load.passes * 1e-6 +
			load.packed / 10e9);
	sw_arena_free(arena);
}

/* The axis that is used to move data beside the one that has to move is the fast one. */
static void the_search_prefers_fast_axes(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan, paper;

	(void)state;
	read_problem("{node: 2 @ 10GB/s 20us, core: 4 @ 40GB/s 1us}",
		"[2{node}4, {core}16, 16] ~> [{node}4, 16, {core}16]", &problem);
	find(&problem, &(sw_plan_options){.strategy = SW_FUSED, .model = SW_MODEL_LATENCY}, arena, &plan);
	find(&problem, &(sw_plan_options){.strategy = SW_PAPER, .model = SW_MODEL_LATENCY}, arena, &paper);
	assert_true(plan.model_cost <= paper.model_cost);
	assert_true(plan.model_cost < 20e-6);
	sw_arena_free(arena);
}

/* A permute that leaves every tile where it is costs nothing but in the paper; whether its pairs are known or not. */
static void what_stays_costs_nothing(void **state)
{
	sw_plan_options options = {.strategy = SW_SHARDY, .model = SW_MODEL_LATENCY};
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;
	sw_diag diag;

	(void)state;
	read_problem("{x: 3, y: 2, z: 2}", "[1936{x}5808, 1104{z,y}4416] ~> [2904{y}5808, 736{z,x}4416]", &problem);
	for (int k = 0; k < 2; k++) {
		options.sizes_only = k == 1;
		assert_true(sw_plan_find(&problem, &options, arena, &plan, &diag));
		assert_int_equal(plan.program.step[0].op, SW_ALLPERMUTE);
		assert_true(plan.program.step[0].model_cost <= 0 && plan.program.step[2].model_cost > 0);
		near(plan.model_cost, sw_predict_seconds(&plan, -1, sw_machine_default()));
		near(sw_plan_volume(&plan), 2137344 * (2. / 3 + 1 + 1. / 2));
	}
	assert_int_equal(plan.cost, 4 * 2137344);
	sw_arena_free(arena);
}

/* ---- short runs ---- */

/* What lies in short runs takes longer: on its worse side, and as the table says between two lengths. */
static const struct short_runs_take_longer_row {
	const char *ends;
	double times;
} short_runs_take_longer_rows[] = {
	{"f32[256{x}512, 2] ~> f32[512, 1{x}2]", 2},                   /* runs of 4 bytes in the source */
	{"f32[512, 1{x}2] ~> f32[256{x}512, 2]", 4},                   /* in the target */
	{"f32[8, 1{x}2, 2, 1] ~> f32[8, 2, 1{x}2, 1]", 7},             /* on both sides, where it begins as many runs */
	{"f32[8, 1{x}2, 2, 16] ~> f32[8, 2, 1{x}2, 16]", 2},           /* a whole line: gaps in the target only count */
	{"f32[256{x}512, 64] ~> f32[512, 32{x}64]", 1},                /* longer lines than were measured */
	{"f32[256{x}512, 10] ~> f32[512, 5{x}10]", 2.864233148783854}, /* 20 bytes: between 12 and 100, no power of two */
	{"f32[1{x}2, 2, 512] ~> f32[2, 1{x}2, 512]", 1},               /* one run */
	{"f32[512, 2] ~> f32[512, 1{x}2]", 3},                         /* a slice: nobody reads the rest */
	{"f32[512, 8] ~> f32[512, 1{x,y,z}8]", 12},                    /* one run of eight is wanted */
	{"f32[512, 4] ~> f32[512, 1{x,y}4]", 6},                       /* one of four: half way from two to eight */
	{"f32[512, 2, 2] ~> f32[512, 1{x}2, 1{y}2]", 6},   /* one of four too: what lies between is read on the way */
	{"f32[2, 2048, 2] ~> f32[1{x}2, 2048, 1{y}2]", 3}, /* one of two: the other half of the array lies far away */
	{"f32[64, 2, 512, 1{x}2] ~> f32[64, 1{x}2, 512, 2]", 4}, /* target runs of 4, source runs of 2048 */
	{"f32[64, 1{x}2, 2, 2] ~> f32[64, 2, 2, 1{x}2]",
		6.727171322029717},                     /* runs of 4 from, of 8 into: one after the other */
	{"f32[64, 2]+{x} ~> f32[64, 1{x}2]", 5},    /* what is added has a time of its own: runs of 4 bytes */
	{"f32[64, 32]+{x} ~> f32[64, 16{x}32]", 2}, /* of 64 */
	{"f32[64, 32]+{x} ~> f32[32{x}64, 32]", 1}, /* one run */
};

static void short_runs_take_longer(void **state)
{
	const struct short_runs_take_longer_row *row = *state;
	static const sw_rate rates[] = {{SW_ALLTOALL, 0, 0, 0, 1e9, 0}, {SW_DYNSLICE, 0, 0, 0, 0, 1e9},
		{SW_REDUCESCATTER, 0, 0, 0, 1e9, 0}};
	static const sw_run_rate runs[] = {{4, 2, 2, 4, 7, 3, 5, 0}, {64, 2, 1, 2, 3, 1, 2, 0}, {12, 2, 4, 8, 9, 5, 6, 0},
		{100, 2, 1, 1, 2, 1, 1, 0}, {4, 8, 8, 8, 8, 12, 20, 0}};
	sw_machine machine = {.count = 3, .rate = rates, .runs = 5, .run = runs};
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;

	/* Idle axes would cut a sum among copies first. */
	read_problem(strchr(row->ends, '+') != NULL ? "{x: 2}" : "{x: 2, y: 2, z: 2}", row->ends, &problem);
	find(&problem, &(sw_plan_options){.strategy = SW_FUSED}, arena, &plan);
	assert_int_equal(plan.program.steps, 1);
	sw_load load;
	sw_step_load(&plan, 0, &load);
	near(sw_predict_seconds(&plan, 0, &machine), row->times * (load.bytes > 0 ? load.bytes : load.packed) / 1e9);
	sw_arena_free(arena);
}

/* What was not measured is no bargain: without a rate an operation is not planned, and where nothing does without it that is said. */
static void what_has_no_rate_is_not_planned(void **state)
{
	static const sw_rate rates[] = {{SW_ALLGATHER, 2, 0, 1, 1e9, 1e9}, {SW_DYNSLICE, 2, 0, 1, 1e9, 1e9},
		{SW_ALLREDUCE, 2, 0, 100, 1e6, 1e6}};
	sw_machine machine = {.count = 3, .rate = rates};
	const sw_plan_options options = {.strategy = SW_FUSED, .model = SW_MODEL_CALIBRATED, .machine = &machine};
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;
	sw_diag diag = {.code = SW_OK};

	(void)state;
	read_problem("{x: 2}", "f32[16]+{x} ~> f32[16]", &problem);
	find(&problem, &options, arena, &plan);
	assert_int_equal(plan.program.steps, 1);
	assert_int_equal(plan.program.step[0].op, SW_ALLREDUCE);
	assert_true(plan.model_cost > 100);
	machine.count = 2;
	assert_false(sw_plan_find(&problem, &options, arena, &plan, &diag));
	assert_int_equal(diag.code, SW_S10);
	assert_non_null(strstr(diag.message, "allreduce was not measured on this machine"));
	sw_arena_free(arena);
}

/* What a cache holds and what it does not are measured apart: between two sizes of tiles as the table says, outside of them as
 * at the next. */
static const struct runs_in_small_tiles_take_their_own_time_row {
	const char *ends;
	double times;
} runs_in_small_tiles_take_their_own_time_rows[] = {
	{"f32[128{x}256, 2] ~> f32[256, 1{x}2]", 1},          /* tiles of 1 KiB */
	{"f32[8192{x}16384, 2] ~> f32[16384, 1{x}2]", 9},     /* of 64 KiB */
	{"f32[1024{x}2048, 2] ~> f32[2048, 1{x}2]", 3},       /* of 8 KiB: half way */
	{"f32[16{x}32, 2] ~> f32[32, 1{x}2]", 1},             /* of 128 bytes */
	{"f32[131072{x}262144, 2] ~> f32[262144, 1{x}2]", 9}, /* of 1 MiB */
	{"f32[128, 1{x}2] ~> f32[128, 2]", 2},                /* what is gathered counts, not what it is made of: 1 KiB */
};

static void runs_in_small_tiles_take_their_own_time(void **state)
{
	const struct runs_in_small_tiles_take_their_own_time_row *row = *state;
	static const sw_rate rates[] = {{SW_ALLTOALL, 0, 0, 0, 1e9, 0}, {SW_ALLGATHER, 0, 0, 0, 1e9, 0}};
	static const sw_run_rate runs[] =
		{{.bytes = 4, .parts = 2, .source = 9, .target = 8, .both = 9, .slice = 9, .tile = 65536},
			{.bytes = 4, .parts = 2, .source = 1, .target = 2, .both = 2, .slice = 1, .tile = 1024}};
	sw_machine machine = {.count = 2, .rate = rates, .runs = 2, .run = runs};
	sw_arena *arena = sw_arena_new();

	sw_problem problem;
	sw_plan plan;

	read_problem("{x: 2}", row->ends, &problem);
	find(&problem, &(sw_plan_options){.strategy = SW_FUSED}, arena, &plan);
	assert_int_equal(plan.program.steps, 1);
	near(sw_predict_seconds(&plan, 0, &machine),
		row->times * (double)plan.program.value[1].localsize * 4 * 0.5 / 1e9);
	sw_arena_free(arena);
}

/* ---- sums ---- */

/* By rates of their own, each at the bytes that it sends: of 4 KiB tiles half in groups of 2, twice that for an allreduce, whose
 * rounds count twice.  Rates of other groups and amounts are made up so that taking one of them shows. */
static const struct sums_go_by_rates_of_adding_row {
	const char *ends;
	sw_op op;
	double seconds;
} sums_go_by_rates_of_adding_rows[] = {
	{"f32[1024]+{x} ~> f32[512{x}1024]", SW_REDUCESCATTER, 1e-6 + 2048 / 1e8},
	{"f32[2, 512]+{x,y} ~> f32[2, 128{x,y}512]", SW_REDUCESCATTER, 3 * 5e-7 + 3072 / 4e8},
	{"f32[2{y}4, 512]+{x} ~> f32[2{y}4, 512]", SW_ALLREDUCE, 2 * 2e-6 + 4096 / 5e7},
	{"f32[1024] ~> f32[1024]+{x}", SW_ZEROS, 3e-6 + 4096 / 8e9},
	{"f32[512{x}1024] ~> f32[1024]+{x}", SW_PAD, 4e-6 + 4096 / 2e9},
};

static void sums_go_by_rates_of_adding(void **state)
{
	static const sw_rate rates[] = {{SW_ALLTOALL, 2, 0, 1, 1, 0}, {SW_ALLGATHER, 2, 0, 1, 1, 0},
		{SW_DYNSLICE, 2, 0, 1, 0, 1}, {SW_ALLPERMUTE, 2, 0, 1, 1, 0}, {SW_EXCHANGE, 2, 0, 1, 1, 0},
		{SW_REDUCESCATTER, 2, 2048, 1e-6, 1e8, 0}, {SW_REDUCESCATTER, 4, 3072, 5e-7, 4e8, 0},
		{SW_ALLREDUCE, 2, 4096, 2e-6, 5e7, 0}, {SW_ZEROS, 2, 4096, 3e-6, 0, 8e9}, {SW_PAD, 2, 4096, 4e-6, 0, 2e9}};
	const struct sums_go_by_rates_of_adding_row *row = *state;
	sw_machine machine = {.count = COUNT(rates), .rate = rates};
	sw_arena *arena = sw_arena_new();
	sw_plan_options options = {.strategy = SW_FUSED, .model = SW_MODEL_CALIBRATED, .machine = &machine};
	sw_problem problem;
	sw_plan plan;

	read_problem("{x: 2, y: 2}", row->ends, &problem);
	find(&problem, &options, arena, &plan);
	assert_int_equal(plan.program.steps, 1);
	assert_int_equal(plan.program.step[0].op, row->op);
	near(plan.model_cost, row->seconds);
	near(sw_predict_seconds(&plan, 0, &machine), row->seconds);
	sw_arena_free(arena);
}

/* ---- figure 13 ---- */

/* Small arrays: one gather and a slice are faster than the published method's three collectives; large ones: slower. */
static void small_transfers_gather_and_slice(void **state)
{
	static const char *const small[] = {"[8, 8{c}16, 8] ~> [2{c,a}8, 16, 4{b}8]",
		"[8, 8, 4{c}8] ~> [2{b,c}8, 4{a}8, 8]", "[16, 8{c}16, 8, 8] ~> [8{b}16, 16, 4{c}8, 8]"};
	static const char *const large[] = {"[360, 184{c}368, 320] ~> [90{c,a}360, 368, 160{b}320]",
		"[296, 360, 156{c}312] ~> [74{b,c}296, 180{a}360, 312]",
		"[80, 40{c}80, 72, 64] ~> [40{b}80, 80, 36{c}72, 64]"};
	sw_arena *arena = sw_arena_new();

	(void)state;
	for (int k = 0; k < 3; k++) {
		sw_plan_options naive = {.strategy = SW_NAIVE, .model = SW_MODEL_LATENCY};
		sw_plan_options paper = {.strategy = SW_PAPER, .model = SW_MODEL_LATENCY};
		sw_problem problem;
		sw_plan gather, published;

		read_problem("{a: 2, b: 2, c: 2}", small[k], &problem);
		find(&problem, &naive, arena, &gather);
		find(&problem, &paper, arena, &published);
		if (k < 2) /* P2's naive plan slices twice */
			assert_true(gather.model_cost < published.model_cost);
		assert_true(gather.cost > published.cost || k == 2);
		read_problem("{a: 2, b: 2, c: 2}", large[k], &problem);
		find(&problem, &naive, arena, &gather);
		find(&problem, &paper, arena, &published);
		assert_true(gather.model_cost > published.model_cost);
	}
	sw_arena_free(arena);
}

/* And it is planned where the budget allows it. */
static void the_budget_decides(void **state)
{
	sw_plan_options options = {.strategy = SW_FUSED, .model = SW_MODEL_LATENCY};
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan tight, roomy;

	(void)state;
	read_problem("{a: 2, c: 2}", "[4, 2{c}4, 4, 4] ~> [4, 4, 2{a}4, 2{c}4]", &problem);
	find(&problem, &options, arena, &tight);
	options.budget = 256;
	find(&problem, &options, arena, &roomy);
	assert_true(tight.height <= 128 && tight.normal_form);
	assert_int_equal(roomy.program.steps, 2);
	assert_int_equal(roomy.program.step[0].op, SW_ALLGATHER);
	assert_int_equal(roomy.program.step[1].op, SW_DYNSLICE);
	assert_false(roomy.normal_form);
	assert_true(roomy.model_cost < tight.model_cost);
	read_problem("{a: 2, c: 2}", "[4, 200{c}400, 400, 4] ~> [4, 400, 200{a}400, 2{c}4]", &problem);
	options.budget = 4 * 400 * 400 * 4;
	find(&problem, &options, arena, &roomy);
	assert_true(roomy.height < options.budget);
	sw_arena_free(arena);
}

/* ---- random problems ---- */

static void strategies_keep_their_order(void **state)
{
	static const int64_t meshes[][3] = {{2, 2, 2}, {2, 3, 2}, {4, 2, 2}, {3, 3, 1}};
	draw random = draw_start("timed");
	sw_arena *arena = sw_arena_new();

	(void)state;
	for (int k = 0; k < 60; k++) {
		sw_plan_options options = {.model = SW_MODEL_LATENCY, .live_budget = 0};
		sw_plan plans[SW_STRATEGY_COUNT];
		sw_problem problem;

		draw_problem(&random, meshes[k % 4], 3, 1 + k % 3, &problem);
		if (k % 3 == 0) {
			problem.mesh.axis[0].bandwidth = 1e9;
			problem.mesh.axis[0].latency = 1e-4;
		}
		sw_arena_clear(arena);
		for (int s = SW_NAIVE; s <= SW_FUSED; s++) {
			options.strategy = (sw_strategy)s;
			find(&problem, &options, arena, &plans[s]);
			near(plans[s].model_cost, sw_predict_seconds(&plans[s], -1, sw_machine_default()));
		}
		assert_true(plans[SW_FUSED].model_cost <= plans[SW_EXACT].model_cost * (1 + 1e-12));
		assert_true(plans[SW_EXACT].model_cost <= plans[SW_PAPER].model_cost * (1 + 1e-12));
		assert_true(plans[SW_FUSED].model_bound <= plans[SW_FUSED].model_cost);
		assert_true(plans[SW_FUSED].height <= plans[SW_FUSED].budget);
		assert_true(plans[SW_FUSED].lower_bound <= plans[SW_FUSED].cost);
		options.strategy = SW_FUSED;
		options.budget = sw_type_globalsize(&problem.from);
		find(&problem, &options, arena, &plans[SW_NAIVE]);
		assert_true(plans[SW_NAIVE].model_cost <= plans[SW_FUSED].model_cost * (1 + 1e-12));
	}
	sw_arena_free(arena);
}

static void a_walk_counts_nanoseconds(void **state)
{
	sw_walk_options options = {.model = SW_MODEL_LATENCY};
	sw_problem problem;
	int64_t distance[2];
	sw_diag diag;

	(void)state;
	read_problem("{x: 4, y: 6}", "[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]", &problem);
	for (int k = 0; k < 2; k++) {
		sw_node goal;

		options.goal_directed = k == 1;
		sw_walk *walk = sw_walk_new(&problem, &options, &diag);
		assert_non_null(walk);
		assert_true(sw_walk_finish(walk, NULL, &diag));
		assert_true(sw_walk_node(walk, sw_walk_goal(walk), &goal));
		distance[k] = goal.distance;
		sw_walk_free(walk);
	}
	assert_int_equal(distance[0], distance[1]);
	assert_in_range(distance[0], 15000, 15100); /* three rounds, and a few bytes */
}

/* ---- files ---- */

static void the_machine_is_kept_in_files(void **state)
{
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan, again;
	sw_text text = {0};
	sw_diag diag;

	(void)state;
	read_problem("{x: 2}", "[8{x}16, 8] ~> [16, 4{x}8]", &problem);
	find(&problem, &(sw_plan_options){.strategy = SW_FUSED, .model = SW_MODEL_LATENCY}, arena, &plan);
	assert_true(sw_plan_write(&plan, 0, &text, &diag));
	assert_true(sw_plan_read((sw_str){text.data, text.length}, arena, &again, &diag));
	assert_int_equal(again.model, SW_MODEL_LATENCY);
	assert_string_equal(again.machine, "default");
	near(again.model_cost, plan.model_cost);
	sw_text_free(&text);
	sw_arena_free(arena);
}

static void what_was_not_measured_is_refused(void **state)
{
	sw_plan_options options = {.strategy = SW_FUSED, .model = SW_MODEL_CALIBRATED};
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;
	sw_diag diag;

	(void)state;
	read_problem("{x: 2}", "[8{x}16, 8] ~> [16, 4{x}8]", &problem);
	assert_false(sw_plan_find(&problem, &options, arena, &plan, &diag));
	assert_int_equal(diag.code, SW_S10);
	options.machine = sw_machine_default();
	assert_true(sw_plan_find(&problem, &options, arena, &plan, &diag));
	sw_arena_free(arena);
}

/* ---- hardware ---- */

static void hardware_has_sources(void **state)
{
	sw_arena *arena = sw_arena_new();

	(void)state;
	for (int n = 0; sw_hardware_at(n); n++) {
		const sw_hardware *row = sw_hardware_at(n);
		sw_machine machine;

		assert_ptr_equal(sw_hardware_named(sw_str_of(row->name)), row);
		assert_true(strlen(row->source) > 20 && strlen(row->about) > 10);
		assert_true(sw_hardware_machine(row, arena, &machine));
		assert_string_equal(machine.name, row->name);
		assert_true(row->bandwidth > 0 && row->latency > 0 && row->copy > 0 && (row->node == 0 || row->network > 0));
	}
	assert_null(sw_hardware_named(sw_str_of("nothing")));
	sw_arena_free(arena);
}

static sw_machine machine_of(const char *name, sw_arena *arena)
{
	sw_machine machine;

	assert_true(sw_hardware_machine(sw_hardware_named(sw_str_of(name)), arena, &machine));
	return machine;
}

/* The plan of one step, with the latency and the bandwidth by which it is priced. */
static void single_step(const char *hardware, const char *mesh, const char *ends, sw_arena *arena, double *alpha,
	double *bandwidth)
{
	sw_machine machine = machine_of(hardware, arena);
	sw_problem problem;
	sw_plan plan;
	sw_load load;

	read_problem(mesh, ends, &problem);
	find(&problem, &(sw_plan_options){.strategy = SW_FUSED}, arena, &plan);
	assert_int_equal(plan.program.steps, 1);
	sw_step_load(&plan, 0, &load);
	double start = machine.start * (double)load.passes + load.packed / machine.hardware->copy;
	double all = sw_predict_seconds(&plan, 0, &machine) - start;
	plan.problem.from.dtype = plan.problem.to.dtype = SW_F64; /* twice the bytes, the same rounds */
	double twice = sw_predict_seconds(&plan, 0, &machine) - start - load.packed / machine.hardware->copy;
	*bandwidth = load.bytes / (twice - all);
	*alpha = (all - (twice - all)) / (double)load.rounds;
}

static void close_to(double a, double b)
{
	if (fabs(a - b) > 1e-6 * fabs(b))
		fail_msg("%.12g is not %.12g", a, b);
}

#define TALL "4194304"

/* Gathers of V bytes take V / 1.8e11 on a ring of v5p, alltoalls a quarter of that; on a line twice as long.  Only a whole
 * axis closes, and a group of every h-th place shares its links. */
static const struct rings_close_at_multiples_row {
	const char *hardware, *mesh, *ends;
	double hops, links;
} rings_close_at_multiples_rows[] = {
	{"v5p", "{x: 16}", "[262144{x}" TALL ", 16] ~> [" TALL ", 16]", 8, 2},
	{"v5p", "{x: 16}", "[262144{x}" TALL ", 16] ~> [" TALL ", 1{x}16]", 8, 2 * 4 * 15. / 256},
	{"v5p", "{x: 2}", "[2097152{x}" TALL ", 16] ~> [" TALL ", 16]", 1, 1},
	{"v5p", "{x: 2}", "[2097152{x}" TALL ", 16] ~> [" TALL ", 8{x}16]", 1, 1},
	{"v5e", "{x: 8}", "[524288{x}" TALL ", 16] ~> [" TALL ", 16]", 7, 1},
	{"v5e", "{x: 16}", "[262144{x}" TALL ", 16] ~> [" TALL ", 16]", 8, 2},
	{"v4p", "{x: 18}", "[233016{x}4194288, 16] ~> [4194288, 16]", 17, 1},
	{"v4p", "{x: 20}", "[209715{x}4194300, 16] ~> [4194300, 16]", 10, 2},
	{"v4p", "{x: 8}", "[524288{x}" TALL ", 16] ~> [2097152{x:(1)2}" TALL ", 16]", 3, 1}, /* neighbours on a line */
	{"v4p", "{x: 8}", "[1048576{x:(1)4}" TALL ", 16] ~> [2097152{x:(1)2}" TALL ", 16]", 2,
		1 / 2.},                                                                     /* 0 and 2, 1 and 3 */
	{"v4p", "{x: 8}", "[2097152{x:(1)2}" TALL ", 16] ~> [" TALL ", 16]", 4, 2 / 4.}, /* 0 and 4: both ways round */
	{"v4p", "{x: 4, y: 4}", "[1048576{x}" TALL ", 16] ~> [" TALL ", 16]", 2, 2},
	{"v4p", "{x: 4, y: 4}", "[262144{x,y}" TALL ", 16] ~> [" TALL ", 16]", 8, 2},
	{"v4p", "{x: 2, y: 4}", "[524288{x,y}" TALL ", 16] ~> [" TALL ", 16]", 7, 1},
	{"v5e", "{x: 16, y: 16}", "[16384{x,y}" TALL ", 16] ~> [16384{y,x}" TALL ", 16]", 8,
		1 / 2.}, /* tiles change places */
	{"v5e", "{x: 8, y: 8}", "[65536{x,y}" TALL ", 16] ~> [65536{y,x}" TALL ", 16]", 7, 1 / 2.},
	{"v5e", "{x: 2, y: 2}", "[1048576{x,y}" TALL ", 16] ~> [1048576{y,x}" TALL ", 16]", 1, 1},
	{"v4p", "{x: 1, y: 4}", "[1048576{x,y}" TALL ", 16] ~> [" TALL ", 16]", 2, 2},
};

static void rings_close_at_multiples(void **state)
{
	const struct rings_close_at_multiples_row *one = *state;
	sw_arena *arena = sw_arena_new();

	const sw_hardware *row = sw_hardware_named(sw_str_of(one->hardware));
	double alpha, bandwidth, f;
	sw_problem problem;
	sw_plan plan;

	single_step(one->hardware, one->mesh, one->ends, arena, &alpha, &bandwidth);
	read_problem(one->mesh, one->ends, &problem);
	find(&problem, &(sw_plan_options){.strategy = SW_FUSED}, arena, &plan);
	f = plan.program.step[0].group_size > 0 ? (double)plan.program.step[0].group_size : 2;
	close_to(alpha * (f - 1), one->hops * row->latency);
	close_to(bandwidth, one->links * row->bandwidth);
	sw_arena_free(arena);
}

/* What a group uses depends on where its devices are, not on how many they are. */
static const struct nodes_are_left_by_number_row {
	const char *mesh, *ends;
	bool leaves;
} nodes_are_left_by_number_rows[] = {
	{"{n: 2, g: 8}", "[2097152{n}" TALL ", 16] ~> [" TALL ", 8{n}16]", true},
	{"{n: 2, g: 8}", "[524288{g}" TALL ", 16] ~> [" TALL ", 2{g}16]", false},
	{"{n: 2, g: 8}", "[2097152{n}" TALL ", 16] ~> [" TALL ", 16]", true},
	{"{g: 8, n: 2}", "[2097152{n}" TALL ", 16] ~> [" TALL ", 16]", false},
	{"{g: 16}", "[2097152{g:(1)2}" TALL ", 16] ~> [" TALL ", 16]", true},
	{"{g: 16}", "[1048576{g:(1)4}" TALL ", 16] ~> [2097152{g:(1)2}" TALL ", 16]", false},
	{"{x: 3, y: 4}", "[1048576{y}" TALL ", 16] ~> [" TALL ", 16]", false},
	{"{x: 3, y: 6}", "[699050{y}4194300, 16] ~> [4194300, 16]", true}, /* the second six are 6 to 11 */
	{"{x: 6}", "[699050{x}4194300, 16] ~> [4194300, 16]", false},
};

static void nodes_are_left_by_number(void **state)
{
	const struct nodes_are_left_by_number_row *row = *state;
	sw_arena *arena = sw_arena_new();
	double alpha, bandwidth;

	single_step("h100", row->mesh, row->ends, arena, &alpha, &bandwidth);
	close_to(bandwidth, row->leaves ? 50e9 : 450e9);
	close_to(alpha, row->leaves ? 2.7e-6 : 0.6e-6);
	sw_arena_free(arena);
}

/* The same links, by hardware and by the mesh, make the same plan at the same price. */
static void nodes_are_links_of_the_mesh(void **state)
{
	sw_hardware by_node = {.name = "a"}, by_mesh = {.name = "b"};
	sw_plan_options options = {.strategy = SW_FUSED, .model = SW_MODEL_LATENCY};
	sw_arena *arena = sw_arena_new();
	sw_machine machine[2];
	sw_problem problem;
	sw_plan plan[2];
	sw_diag diag;

	(void)state;
	assert_true(
		sw_hardware_parse(sw_str_of("450GB/s 0.6us node 8 50GB/s 2.7us copy 1TB/s start 1us"), &by_node, &diag));
	assert_true(sw_hardware_parse(sw_str_of("1GB/s 1us copy 1TB/s start 1us"), &by_mesh, &diag));
	assert_true(
		sw_hardware_machine(&by_node, arena, &machine[0]) && sw_hardware_machine(&by_mesh, arena, &machine[1]));
	for (int k = 0; k < 2; k++) {
		read_problem(k == 0 ? "{n: 2, g: 8}" : "{n: 2 @ 50GB/s 2.7us, g: 8 @ 450GB/s 0.6us}",
			"[32768{n}65536, 1024] ~> [65536, 512{n}1024]", &problem);
		options.machine = &machine[k];
		find(&problem, &options, arena, &plan[k]);
	}
	near(plan[0].model_cost, plan[1].model_cost);
	assert_int_equal(plan[0].program.steps, plan[1].program.steps);
	assert_true(plan[0].model_cost > 4194304 * 4 / 50e9); /* an eighth of the tile has to cross, at least */
	sw_arena_free(arena);
}

/* Of every step: does a group or a pair leave its node, looked at device by device? */
static bool leaves_node(const sw_plan *plan, const sw_step *step, int64_t node)
{
	for (int64_t d = 0; d < plan->problem.mesh.devices; d++) {
		int64_t one = step->source ? d : step->groups[d];
		int64_t other = step->source ? step->source[d] : step->groups[d - d % step->group_size];

		if (one / node != other / node)
			return true;
	}
	return false;
}

/* Pairs, and groups between maps that are no types, may stay in nodes that the axes that they cross leave. */
static void check_node(const sw_plan *plan, int k, int64_t node)
{
	const sw_step *step = &plan->program.step[k];
	bool dear = step->model_cost > 90e-6;
	sw_load load;

	sw_step_load(plan, k, &load);
	if (load.rounds == 0 || step->op == SW_EXCHANGE)
		return;
	if (step->op == SW_ALLPERMUTE || plan->program.value[k + 1].type == NULL || plan->program.value[k].type == NULL)
		assert_true(dear || !leaves_node(plan, step, node));
	else
		assert_int_equal(dear, leaves_node(plan, step, node));
}

static void nodes_hold_for_random_plans(void **state)
{
	static const int64_t meshes[][3] = {{2, 2, 4}, {2, 3, 2}, {4, 2, 3}, {3, 3, 2}, {2, 8, 1}};
	draw random = draw_start("nodes");
	sw_arena *arena = sw_arena_new();
	sw_hardware row = {.name = "nodes"};
	sw_diag diag;

	(void)state;
	assert_true(sw_hardware_parse(sw_str_of("100GB/s 1us node 4 10GB/s 100us copy 1000TB/s"), &row, &diag));
	for (int k = 0; k < 60; k++) {
		sw_machine machine;
		sw_problem problem;
		sw_plan plan;

		draw_problem(&random, meshes[k % 5], 3, 1 + k % 3, &problem);
		sw_arena_clear(arena);
		assert_true(sw_hardware_machine(&row, arena, &machine));
		for (int strategy = 0; strategy < SW_STRATEGY_COUNT; strategy++) {
			sw_plan_options options = {.strategy = (sw_strategy)strategy,
				.model = SW_MODEL_LATENCY,
				.machine = &machine};

			if (!sw_plan_find(&problem, &options, arena, &plan, &diag))
				continue; /* Shardy would pad */
			near(plan.model_cost, sw_predict_seconds(&plan, -1, &machine));
			for (int s = 0; s < plan.program.steps; s++)
				check_node(&plan, s, 4);
		}
	}
	sw_arena_free(arena);
}

/* A permute inside of nodes that also changes over to devices of other nodes leaves them. */
static void other_devices_are_in_other_nodes(void **state)
{
	static const int64_t after[] = {8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7};
	sw_arena *arena = sw_arena_new();
	sw_machine machine = machine_of("h100", arena);
	sw_plan_options options = {.strategy = SW_PAPER, .model = SW_MODEL_LATENCY, .machine = &machine};
	double bytes = 524288. * 16 * 4;
	sw_problem problem;
	sw_plan plan;
	sw_diag diag;

	(void)state;
	read_problem("{n: 2, a: 2, b: 4}", "[524288{a,b}" TALL ", 16] ~> [524288{b,a}" TALL ", 16]", &problem);
	find(&problem, &options, arena, &plan);
	assert_int_equal(plan.program.steps, 1);
	near(plan.model_cost, bytes / 450e9 + 0.6e-6);
	assert_true(reorder(&plan, NULL, after, &options, arena, &diag));
	assert_int_equal(plan.program.steps, 1);
	near(plan.model_cost, bytes / 50e9 + 2.7e-6);
	near(plan.model_cost, sw_predict_seconds(&plan, -1, &machine));
	sw_arena_free(arena);
}

/* Without lists of groups the types say the same. */
static void types_reach_what_groups_reach(void **state)
{
	static const int64_t meshes[][3] = {{2, 2, 4}, {2, 6, 2}, {4, 2, 3}, {3, 9, 1}};
	draw random = draw_start("reach");
	sw_arena *arena = sw_arena_new();

	(void)state;
	for (int k = 0; k < 100; k++) {
		sw_problem problem;
		sw_plan plan;

		draw_problem(&random, meshes[k % 4], 3, 1 + k % 3, &problem);
		sw_arena_clear(arena);
		find(&problem, &(sw_plan_options){.strategy = SW_EXACT}, arena, &plan);
		for (int s = 0; s < plan.program.steps; s++) {
			sw_reach listed, typed;

			if (plan.program.step[s].groups == NULL || plan.program.value[s + 1].type == NULL)
				continue;
			sw_reach_step(&plan, s, &listed);
			plan.program.step[s].groups = NULL;
			sw_reach_step(&plan, s, &typed);
			for (int axis = 0; axis < 3; axis++) {
				assert_int_equal(listed.block[axis], typed.block[axis]);
				assert_int_equal(listed.count[axis], typed.count[axis]);
			}
		}
	}
	sw_arena_free(arena);
}

static void own_hardware_is_read(void **state)
{
	static const char *const bad[] = {"", "50GB/s", "50GB/s 0us", "-50GB/s 1us", "nan 1us", "1e9B/s 1us", "50GB 1us",
		"50GB/s 2us x", "50GB/s 2us node", "50GB/s 2us node 1 1GB/s 1us", "50GB/s 2us ring 0",
		"50GB/s 2us copy -1GB/s", "50GB/s 2us start"};
	sw_hardware row = {.name = "mine"};
	sw_diag diag;

	(void)state;
	assert_true(sw_hardware_parse(sw_str_of("50GB/s 2us node 4 5GB/s 10us copy 1TB/s start 0.5us"), &row, &diag));
	near(row.bandwidth, 50e9);
	near(row.network_latency, 10e-6);
	near(row.copy, 1e12);
	near(row.start, 0.5e-6);
	assert_int_equal(row.node, 4);
	assert_string_equal(row.name, "mine");
	for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
		sw_hardware other = row;

		if (sw_hardware_parse(sw_str_of(bad[k]), &other, &diag))
			fail_msg("'%s' was read", bad[k]);
		assert_int_equal(diag.code, SW_L11);
		assert_true(diag.at.end <= strlen(bad[k]) && diag.at.begin <= diag.at.end);
	}
}

/* ---- the same messages have the same price ---- */

enum { MOST_SENDING = 16 };

struct sent {
	double elements[MOST_SENDING][MOST_SENDING];
};

static void note_flow(void *user, const sw_flow *flow)
{
	struct sent *sent = user;

	for (int64_t i = 0; i < flow->froms; i++)
		for (int64_t k = 0; k < flow->tos; k++)
			if (flow->from[i] != flow->to[k])
				sent->elements[flow->from[i]][flow->to[k]] += flow->elements;
}

static bool send_the_same(const sw_plan *a, const sw_plan *b)
{
	struct sent one = {{{0}}}, other = {{{0}}};
	bool same = true;

	assert_true(sw_plan_flows(a, 0, note_flow, &one, NULL) && sw_plan_flows(b, 0, note_flow, &other, NULL));
	for (int d = 0; d < MOST_SENDING; d++)
		for (int e = 0; e < MOST_SENDING; e++)
			same = same && fabs(one.elements[d][e] - other.elements[d][e]) < 0.5;
	return same;
}

static void have_the_same_price(const sw_plan *a, const sw_plan *b, const sw_machine *machine)
{
	double one = sw_predict_seconds(a, -1, machine), other = sw_predict_seconds(b, -1, machine);

	if (fabs(one - other) > 1e-9 * fabs(one))
		fail_msg("%s, %s%s: %g s, as %s %g s", a->name, machine->name, machine->roofline ? ", roofline" : "", one,
			sw_collective_of(b->program.step[0].op)->name, other);
}

static void compare_machines(const sw_plan *a, const sw_plan *b, draw *random, sw_arena *arena)
{
	sw_machine machine;
	sw_rate rates[4];
	sw_run_rate runs[4];
	const sw_hardware *row;

	for (int n = 0; (row = sw_hardware_at(n)) != NULL; n++) {
		assert_true(sw_hardware_machine(row, arena, &machine));
		have_the_same_price(a, b, &machine);
		assert_true(sw_hardware_roofline(row, arena, &machine));
		have_the_same_price(a, b, &machine);
	}
	draw_machine(random, rates, runs, &machine);
	have_the_same_price(a, b, &machine);
}

/* Of one step as an exchange and as the collective that it is; true where both send the same. */
static bool compare_step(const sw_problem *problem, sw_op op, draw *random, sw_arena *arena)
{
	sw_plan plan, exchange;
	sw_diag diag;

	if (!sw_plan_one_step(problem, op, arena, &plan, &diag) ||
		!sw_plan_one_step(problem, SW_EXCHANGE, arena, &exchange, &diag) || !send_the_same(&exchange, &plan))
		return false;
	exchange.name = sw_collective_of(op)->name;
	compare_machines(&exchange, &plan, random, arena);
	if (op != SW_DYNSLICE)
		assert_int_equal(exchange.cost, plan.cost);
	if (op != SW_ALLPERMUTE)
		near(sw_plan_volume(&exchange), sw_plan_volume(&plan));
	return true;
}

static const struct price_row {
	const char *mesh, *ends;
	sw_op op;
} price_rows[] = {
	{"{x: 4}", "[4{x}16, 16] ~> [16, 4{x}16]", SW_ALLTOALL},
	{"{x: 5}", "[5{x}25, 5] ~> [25, 1{x}5]", SW_ALLTOALL},
	{"{x: 2 @ 1GB/s 1us, y: 3}", "[2{x,y}12, 6] ~> [12, 1{x,y}6]", SW_ALLTOALL},
	{"{x: 4}", "[4{x}16, 16] ~> [16, 16]", SW_ALLGATHER},
	{"{x: 2, y: 3}", "[2{x,y}12, 6] ~> [12, 6]", SW_ALLGATHER},
	{"{x: 2, y: 3}", "[2{x,y}12, 6] ~> [2{y,x}12, 6]", SW_ALLPERMUTE},
	{"{x: 4}", "[16]+{x} ~> [4{x}16]", SW_REDUCESCATTER},
	{"{x: 8}", "[8]+{x} ~> [1{x}8]", SW_REDUCESCATTER},
};

static void the_same_messages_cost_the_same(void **state)
{
	const struct price_row *row = *state;
	draw random = draw_start("prices");
	sw_arena *arena = sw_arena_new();
	sw_problem problem;

	read_problem(row->mesh, row->ends, &problem);
	assert_true(compare_step(&problem, row->op, &random, arena));
	sw_arena_free(arena);
}

static void steps_of_plans_cost_what_exchanges_do(void **state)
{
	static const int64_t meshes[][3] = {{2, 2, 2}, {2, 3, 1}, {4, 2, 1}, {3, 3, 1}, {8, 1, 1}};
	draw random = draw_start("exchanges");
	sw_arena *arena = sw_arena_new();
	int same = 0;

	(void)state;
	for (int k = 0; k < 400; k++) {
		sw_problem problem;
		sw_plan plan;

		sw_arena_clear(arena);
		draw_problem(&random, meshes[k % 5], 3, 1 + k % 3, &problem);
		find(&problem, &(sw_plan_options){.strategy = k % 2 ? SW_EXACT : SW_NAIVE}, arena, &plan);
		for (int s = 0; s < plan.program.steps; s++) {
			sw_problem step = {.mesh = problem.mesh};

			if (plan.program.value[s].type == NULL || plan.program.value[s + 1].type == NULL)
				continue;
			step.from = *plan.program.value[s].type;
			step.to = *plan.program.value[s + 1].type;
			same += compare_step(&step, plan.program.step[s].op, &random, arena);
		}
	}
	assert_true(same >= 40);
	sw_arena_free(arena);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(a_step_takes_rounds_bytes_and_packing),
		ROWS(the_slowest_axis_counts, the_slowest_axis_counts_rows, ends),
		TEST(what_stays_costs_nothing),
		ROWS(short_runs_take_longer, short_runs_take_longer_rows, ends),
		TEST(what_has_no_rate_is_not_planned),
		ROWS(runs_in_small_tiles_take_their_own_time, runs_in_small_tiles_take_their_own_time_rows, ends),
		ROWS(sums_go_by_rates_of_adding, sums_go_by_rates_of_adding_rows, ends),
		TEST(the_search_prefers_fast_axes),
		TEST(small_transfers_gather_and_slice),
		TEST(the_budget_decides),
		TEST(strategies_keep_their_order),
		TEST(a_walk_counts_nanoseconds),
		TEST(the_machine_is_kept_in_files),
		TEST(what_was_not_measured_is_refused),
		TEST(hardware_has_sources),
		ROWS(rings_close_at_multiples, rings_close_at_multiples_rows, ends),
		ROWS(nodes_are_left_by_number, nodes_are_left_by_number_rows, ends),
		TEST(nodes_are_links_of_the_mesh),
		TEST(nodes_hold_for_random_plans),
		TEST(other_devices_are_in_other_nodes),
		TEST(types_reach_what_groups_reach),
		TEST(own_hardware_is_read),
		ROWS(the_same_messages_cost_the_same, price_rows, ends),
		TEST(steps_of_plans_cost_what_exchanges_do),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}
