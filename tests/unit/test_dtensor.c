/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The strategies dtensor and dtensor-min-cost: step by step what PyTorch DTensor's planners really did (torch 2.13.0).
 * Every plan is checked and executed.
 */
#include "kit/follow.h"
#include "kit/kit.h"

#define SEQUENTIAL "DTensor warns: 2 sequential all_gather operations"

/* ---- both planners, problem by problem: asked of the original ---- */

static const follow_known greedy[] = {
	{"{x: 4}", "[1{x}4, 4] ~> [4, 1{x}4]", "alltoall [4, 1]", NULL},
	{"{x: 2, y: 2}", "[2{y,x}8, 8] ~> [4{y}8, 8]", "allgather [4, 8]; allgather [8, 8]; dynslice [4, 8]", SEQUENTIAL},
	{"{x: 2, y: 2}", "[2{y,x}8, 8] ~> [8, 2{y,x}8]", "allgather [4, 8]; alltoall [8, 4]; dynslice [8, 2]", NULL},
	{"{x: 2, y: 2}", "[2{y,x}8, 8] ~> [8, 8]", "allgather [4, 8]; allgather [8, 8]", SEQUENTIAL},
	{"{x: 2, y: 2}", "[4{x}8, 4{y}8] ~> [8, 8]", "allgather [4, 8]; allgather [8, 8]", NULL},
	{"{a: 2, b: 2}", "[2{a}4, 4] ~> [2{b}4, 4]", "allgather [4, 4]; dynslice [2, 4]", NULL},
	{"{a: 2, b: 2}", "[4, 4] ~> [2{b}4, 2{a}4]", "dynslice [4, 2]; dynslice [2, 2]", NULL},
	{"{x: 2, y: 2}", "[2{x}4, 2{y}4] ~> [2{y}4, 2{x}4]", "allgather [2, 4]; alltoall [4, 2]; dynslice [2, 2]", NULL},
	{"{x: 4, y: 2}", "[512{x}2048, 2048{y}4096] ~> [1024{y}2048, 1024{x}4096]",
		"allgather [512, 4096]; alltoall [2048, 1024]; dynslice [1024, 1024]", NULL},
	{"{x: 2, y: 2, z: 2}", "[1{z,y,x}8, 8, 8] ~> [8, 1{z,y,x}8, 8]",
		"allgather [2, 8, 8]; allgather [4, 8, 8]; alltoall [8, 4, 8]; dynslice [8, 2, 8]; dynslice [8, 1, 8]",
		SEQUENTIAL},
	{"{x: 4, y: 6}", "[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]", "allgather [3, 12]; alltoall [12, 3]; dynslice [2, 3]",
		NULL},
	/* other orders than that of the mesh: its search */
	{"{x: 2, y: 2}", "[2{y,x}8, 8] ~> [2{x,y}8, 8]",
		"allgather [4, 8]; allgather [8, 8]; dynslice [4, 8]; dynslice [2, 8]", SEQUENTIAL},
	{"{x: 4, y: 2}", "[16{x,y}128, 64] ~> [128, 8{y,x}64]",
		"allgather [64, 64]; dynslice [64, 16]; allgather [128, 16]; dynslice [128, 8]", NULL},
	{"{x: 1, y: 2}", "[2{x,y}4, 4] ~> [4, 2{y,x}4]", "allgather [4, 4]; dynslice [4, 2]", NULL},
	{"{x: 2}", "[2{x}4] ~> [2{x}4]", "", NULL},
};

static const follow_known searched[] = {
	/* what is small is gathered: latency counts */
	{"{x: 4}", "[1{x}4, 4] ~> [4, 1{x}4]", "allgather [4, 4]; dynslice [4, 1]", NULL},
	{"{x: 2, y: 2}", "[2{y,x}8, 8] ~> [4{y}8, 8]", "allgather [4, 8]; allgather [8, 8]; dynslice [4, 8]", SEQUENTIAL},
	{"{x: 2, y: 2}", "[2{x}4, 2{y}4] ~> [2{y}4, 2{x}4]",
		"allgather [4, 2]; allgather [4, 4]; dynslice [4, 2]; dynslice [2, 2]", NULL},
	{"{x: 2, y: 2, z: 2}", "[1{z,y,x}8, 8, 8] ~> [8, 1{z,y,x}8, 8]",
		"allgather [2, 8, 8]; allgather [4, 8, 8]; allgather [8, 8, 8]; dynslice [8, 4, 8]; dynslice [8, 2, 8]; "
		"dynslice [8, 1, 8]",
		"DTensor warns: 3 sequential"},
	{"{x: 4, y: 6}", "[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]",
		"allgather [12, 2]; allgather [12, 12]; dynslice [12, 3]; dynslice [2, 3]", NULL},
	/* what is large goes by way of other dimensions */
	{"{x: 2, y: 2, z: 2}", "[128{z,y,x}1024, 1024, 64] ~> [1024, 128{z,y,x}1024, 64]",
		"alltoall [256, 1024, 32]; alltoall [512, 1024, 16]; alltoall [1024, 512, 16]; alltoall [1024, 256, 32]; "
		"alltoall [1024, 128, 64]",
		NULL},
	{"{a: 2, b: 2, c: 2}", "[152, 144, 88{a}176, 9{c}18] ~> [152, 72{a}144, 88{c}176, 9{b}18]",
		"dynslice [76, 144, 88, 9]; alltoall [76, 72, 176, 9]; alltoall [76, 72, 88, 18]; alltoall [152, 72, 88, 9]",
		NULL},
	{"{a: 2, b: 2}", "[4, 4] ~> [2{b}4, 2{a}4]", "dynslice [4, 2]; dynslice [2, 2]", NULL},
	{"{x: 2}", "[2{x}4] ~> [2{x}4]", "", NULL},
};

static void problems_answer(void **state)
{
	(void)state;
	follow_answers(SW_DTENSOR, greedy, sizeof greedy / sizeof *greedy);
	follow_answers(SW_DTENSOR_MIN_COST, searched, sizeof searched / sizeof *searched);
}

/* ---- what no plan can express ---- */

static void failures_are_told(void **state)
{
	static const char *const part[] = {"no placement for 'to'", "a part of an axis", NULL};
	static const char *const padded[] = {"would pad dimension 0", "step 2 (alltoall", "26 elements into 4 tiles",
		NULL};

	(void)state;
	follow_refused(SW_DTENSOR, "{x: 4}", "[8, 8] ~> [4{x:(1)2}8, 8]", part);
	follow_refused(SW_DTENSOR_MIN_COST, "{a: 2, b: 2, c: 2}",
		"[26, 7, 23, 18{b}36, 47, 3{c,a}12] ~> [13{b}26, 7, 23, 36, 47, 6{c}12]", padded);
}

/* A million devices are no more states than eight; the pulse ends a search. */
static bool never(void *context, const char *what, long long done, long long total)
{
	(void)context;
	(void)what;
	(void)done;
	(void)total;
	return false;
}

static void large_meshes(void **state)
{
	sw_plan_options options = {.strategy = SW_DTENSOR_MIN_COST, .sizes_only = true};
	sw_pulse pulse = {never, NULL};
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;
	sw_diag diag = {0};

	(void)state;
	read_problem("{a: 1024, b: 1024, c: 16}", "[8{a}8192, 8{b}8192, 256] ~> [8192, 8{a}8192, 16{c}256]", &problem);
	if (!sw_plan_find(&problem, &options, arena, &plan, &diag))
		fail_msg("%s", diag.message);
	assert_string_equal(follow_steps(&plan), "dynslice [8, 8, 16]; allgather [8, 8192, 16]; alltoall [8192, 8, 16]");
	read_problem("{a: 2, b: 2, c: 2, d: 2, e: 2, f: 2}",
		"[128{a,b,c,d,e,f}8192, 8192, 8192] ~> [8192, 8192, 128{a,b,c,d,e,f}8192]", &problem);
	options.pulse = &pulse;
	assert_false(sw_plan_find(&problem, &options, arena, &plan, &diag));
	assert_int_equal(diag.code, SW_S03);
	sw_arena_free(arena);
}

static void record_agrees(void **state)
{
	(void)state;
	follow_record("dtensor-plans.jsonl", SW_DTENSOR, 98);
}

static void record_of_the_search_agrees(void **state)
{
	(void)state;
	follow_record("dtensor-plans.jsonl", SW_DTENSOR_MIN_COST, 95);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(problems_answer),
		TEST(failures_are_told),
		TEST(large_meshes),
		TEST(record_agrees),
		TEST(record_of_the_search_agrees),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}
