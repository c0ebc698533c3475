/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The strategy shardy: step by step what Shardy's pass really did (jaxlib 0.10.2).  Every plan is checked and executed.
 */
#include "kit/follow.h"
#include "kit/kit.h"

/* ---- patterns, one by one: asked of the original ---- */

static const follow_known knowns[] = {
	/* slices: where they are wanted, at the source of an all-to-all to come, where there is room */
	{"{x: 4, y: 2}", "[8, 8] ~> [2{x}8, 4{y}8]", "dynslice [2, 4]", NULL},
	{"{x: 2, y: 2, z: 2, w: 2}", "[2{w}4, 4{x}8, 32] ~> [2{w}4, 8, 4{z,y,x}32]",
		"dynslice [2, 1, 32]; alltoall [2, 8, 4]", NULL},
	{"{x: 2, y: 2, z: 2}", "[4{y}8, 8] ~> [8, 2{y,x}8]", "dynslice [4, 4]; alltoall [8, 2]", NULL},
	{"{x: 2, y: 2, z: 2}", "[2{x}4, 2{y}4, 4] ~> [4, 2{y}4, 2{z}4]", "dynslice [2, 2, 2]; allgather [4, 2, 2]", NULL},
	/* permutes: other axes in place of these, parts of an axis, an order that an all-to-all can take along */
	{"{a: 2, b: 2}", "[2{a}4, 4] ~> [2{b}4, 4]", "allpermute [2, 4]", NULL},
	{"{x: 2, y: 2}", "[2{x}4, 2{y}4] ~> [2{y}4, 2{x}4]", "allpermute [2, 2]", NULL},
	{"{x: 4, y: 2}", "[4{y}8, 8] ~> [2{x}8, 8]", "dynslice [2, 8]; allpermute [2, 8]", NULL},
	{"{x: 4, y: 2}", "[2{x}8, 8] ~> [4{y}8, 8]", "allpermute [2, 8]; allgather [4, 8]", NULL},
	{"{x: 2, y: 2, z: 2}", "[2{x,y,z}16, 16, 8] ~> [16, 8{y}16, 2{z,x}8]",
		"allpermute [2, 16, 8]; alltoall [8, 16, 2]; alltoall [16, 8, 2]", NULL},
	{"{x: 2, y: 2}", "[2{y,x}8, 8] ~> [8, 4{x}8]", "allpermute [2, 8]; alltoall [4, 4]; allgather [8, 4]", NULL},
	{"{x: 3, y: 2, z: 2}", "[1936{x}5808, 1104{z,y}4416] ~> [2904{y}5808, 736{z,x}4416]",
		"allpermute [1936, 1104]; alltoall [5808, 368]; allpermute [5808, 368]; alltoall [2904, 736]",
		"Shardy asks for step 1 although"},
	/* all-to-alls, in order and not; a second round */
	{"{x: 2, y: 2}", "[4{x}8, 4{y}8, 8] ~> [8, 8, 2{y,x}8]", "alltoall [8, 4, 4]; alltoall [8, 8, 2]", NULL},
	{"{x: 2, y: 3}", "[36{x}72, 12{y}36] ~> [24{y}72, 18{x}36]",
		"alltoall [72, 6]; allpermute [72, 6]; alltoall [24, 18]", NULL},
	{"{x: 2, y: 2}", "[4{x}8, 4{y}8] ~> [8, 8]", "allgather [8, 8]", NULL},
	/* axes of size 1 move nothing, but they stand in the way */
	{"{x: 1, y: 2}", "[2{x,y}4, 4] ~> [4, 2{y,x}4]", "allpermute [2, 4]; alltoall [4, 2]",
		"Shardy asks for step 1 although"},
	{"{x: 2}", "[2{x}4] ~> [2{x}4]", "", NULL},
};

static void patterns_answer(void **state)
{
	(void)state;
	follow_answers(SW_SHARDY, knowns, sizeof knowns / sizeof *knowns);
}

/* ---- what no plan can express ---- */

static void refused(const char *mesh, const char *problem, const char *first, const char *second)
{
	follow_refused(SW_SHARDY, mesh, problem, (const char *const[]){first, second, NULL});
}

/* The original pads, ends in an error of its own (wrong numbers of tiles, sub-axes that overlap), or on another sharding. */
static void failures_are_told(void **state)
{
	(void)state;
	refused("{x: 4, y: 6}", "[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]", "would pad dimension 1", "step 1 (alltoall");
	refused("{x: 6, y: 4, z: 2}", "[9{y}36, 64{x}384, 60{z}120] ~> [6{x}36, 192{z}384, 30{y}120]", "ends in an error",
		"number of tiles of dimension 0 to 2");
	refused("{x: 10, y: 15, z: 6}", "[8{y,z}720, 48] ~> [72{x}720, 8{z}48]", "two rounds end here",
		"a type other than");
	refused("{x: 6}", "[2{x:(2)3}6, 6] ~> [6, 2{x:(1)3}6]", "splits an axis in two ways", "step 1 (");
}

/* ---- large meshes ---- */

static void large_meshes(void **state)
{
	sw_plan_options options = {.strategy = SW_SHARDY, .sizes_only = true};
	sw_arena *arena = sw_arena_new();
	sw_problem problem;
	sw_plan plan;
	sw_diag diag = {0};

	(void)state;
	read_problem("{a: 1024, b: 1024, c: 1024}", "[1{a}1024, 1{b}1024, 1024] ~> [1024, 1{c}1024, 1{a}1024]", &problem);
	assert_true(sw_plan_find(&problem, &options, arena, &plan, &diag));
	assert_string_equal(follow_steps(&plan), "dynslice [1, 1, 1]; allpermute [1, 1, 1]; allgather [1024, 1, 1]");
	assert_true(sw_type_equal(plan.program.value[3].type, &problem.to));
	sw_arena_free(arena);
}

static void record_agrees(void **state)
{
	(void)state;
	follow_record("shardy-plans.jsonl", SW_SHARDY, 98);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(patterns_answer),
		TEST(failures_are_told),
		TEST(large_meshes),
		TEST(record_agrees),
	};

	return kit_run(tests, COUNT(tests), NULL, NULL);
}
