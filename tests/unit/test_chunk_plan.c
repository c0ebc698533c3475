/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reduction programs as plans: made, written, read, checked, executed with numbers; and what is wrong in one is found.
 */
#include <string.h>

#include <shardwalk/reduction_plan.h>

#include "kit/arena.h"
#include "kit/kit.h"

/* What stands for a session: a mesh on a system, and a type to be summed. */
struct setting {
	sw_system system;
	sw_placement placement;
	sw_problem problem;
	sw_ports ports;
	sw_contexts *contexts;
	sw_reduction_problem of;
};

/* The order of devices of a placement. */
static const int64_t *order_of(const sw_mesh *mesh, const sw_placement *placement)
{
	int64_t *order = SW_NEW(arena, int64_t, mesh->devices);

	for (int64_t p = 0; p < mesh->devices; p++) {
		int64_t at[SW_MAX_AXES];

		for (int i = 0; i < mesh->count; i++)
			at[i] = sw_mesh_coordinate(mesh, p, i);
		order[p] = sw_placement_device(placement, at);
	}
	return order;
}

static void set_up(struct setting *s, const char *system, const char *axes, int skip, uint32_t summed,
	const char *from, const char *to, bool all_masters)
{
	int64_t size[SW_MAX_AXES];
	sw_diag diag;

	assert_true(sw_system_parse(sw_str_of(system), &s->system, &diag));
	assert_true(sw_mesh_parse(sw_str_of(axes), &s->problem.mesh, &diag));
	for (int i = 0; i < s->problem.mesh.count; i++)
		size[i] = s->problem.mesh.axis[i].size;
	assert_true(sw_placement_first(&s->system, size, s->problem.mesh.count, &s->placement));
	while (skip-- > 0)
		assert_true(sw_placement_next(&s->system, &s->placement));
	s->problem.mesh.order = order_of(&s->problem.mesh, &s->placement);
	s->problem.to_order = NULL;
	assert_true(sw_type_parse(&s->problem.mesh, sw_str_of(from), &s->problem.from, &diag));
	assert_true(sw_type_parse(&s->problem.mesh, sw_str_of(to), &s->problem.to, &diag));
	assert_true(sw_ports_make(&s->system, &s->placement, summed, SW_ALLREDUCE_RING, &s->ports, &diag));
	s->contexts = sw_contexts_new(s->ports.hierarchy.count, all_masters, NULL, &diag);
	assert_non_null(s->contexts);
	s->of = (sw_reduction_problem){&s->problem, &s->ports, "here", -1};
}

static int64_t list(struct setting *s, int limit, sw_reduction_program **programs)
{
	return sw_reduction_list(s->contexts, &s->ports, 4096, limit, INT64_MAX, arena, programs);
}

/* Written, read and written again it is the same, and what was read is right too. */
static void goes_round(const sw_plan *plan)
{
	sw_text first = {0}, second = {0};
	sw_plan read;
	sw_diag diag;
	sw_verdict verdict;

	assert_true(sw_plan_write(plan, SW_JSON_LINE, &first, &diag));
	if (!sw_plan_read((sw_str){sw_text_get(&first), first.length}, arena, &read, &diag))
		fail_msg("%s\n%s", diag.message, sw_text_get(&first));
	read.claimed = false;
	assert_true(sw_plan_write(&read, SW_JSON_LINE, &second, &diag));
	assert_string_equal(sw_text_get(&first), sw_text_get(&second));
	assert_true(sw_plan_verify(&read, NULL, &verdict, &diag) && verdict.right);
	assert_true(sw_plan_reaches(&read, &diag));
	sw_text_free(&first);
	sw_text_free(&second);
}

static void all_programs(struct setting *s, int64_t expected)
{
	sw_reduction_program *programs;
	int64_t count = list(s, 5, &programs);
	sw_diag diag;

	assert_int_equal(count, expected);
	for (int64_t i = 0; i < count; i++) {
		sw_arena_mark mark = sw_arena_here(arena);
		sw_verdict verdict;
		sw_plan plan;

		if (!sw_reduction_plan(&s->of, &programs[i], arena, &plan, &diag))
			fail_msg("%d: %s", (int)i, diag.message);
		assert_true(sw_plan_check(&plan, &diag));
		assert_true(sw_plan_verify(&plan, NULL, &verdict, &diag) && verdict.right);
		goes_round(&plan);
		sw_arena_back(arena, mark);
	}
	sw_contexts_free(s->contexts);
}

static void every_program_is_a_plan(void **state)
{
	struct setting s;

	(void)state;
	set_up(&s, "{node: 2 @ 8GB/s shared, gpu: 4 @ 270GB/s}", "{data: 8}", 0, 1, "f32[64]+{data}", "f32[64]", false);
	all_programs(&s, 47);
	set_up(&s, "{node: 2 @ 8GB/s, gpu: 6 @ 270GB/s}", "{a: 2, data: 6}", 0, 2, "f32[12, 7{a}14]+{data}",
		"f32[12, 7{a}14]", true);
	all_programs(&s, 93);
	set_up(&s, "{node: 2 @ 8GB/s, gpu: 6 @ 270GB/s}", "{a: 3, data: 4}", 0, 2, "f32[12, 7]+{data}", "f32[12, 7]",
		true);
	all_programs(&s, 93);
	set_up(&s, "{node: 2 @ 8GB/s, gpu: 8 @ 9GB/s}", "{a: 4, b: 2, c: 2}", 0, 5, "f32[3]+{b,c,a}", "f32[3]+{b}",
		false);
	all_programs(&s, 47);
}

/* ---- what is wrong ---- */

static void program_of(struct setting *s, const char *text, sw_reduction_program *program)
{
	sw_diag diag;
	char words[128], *save = NULL;

	memset(program, 0, sizeof *program);
	snprintf(words, sizeof words, "%s", text);
	for (char *one = strtok_r(words, ";", &save); one != NULL; one = strtok_r(NULL, ";", &save))
		if (!sw_reduction_step_parse(sw_str_trim(sw_str_of(one)), &s->system, &s->ports.hierarchy,
				&program->step[program->count++], &diag))
			fail_msg("%s", diag.message);
}

static const struct wrong {
	const char *steps, *says;
} wrong_programs[] = {
	{"reducescatter inside node; allreduce inside node", "hold other chunks"},
	{"allreduce inside node; allreduce inside root", "is in the sum of the others"},
	{"reduce inside node; allgather inside node", "do not hold equally many"},
	{"reduce inside node; reduce inside node", "hold other chunks"},
	{"broadcast inside node", "knows less"},
	{"allreduce inside root; broadcast inside root", "nothing new"},
	{"allgather inside node", "hold the same chunk"},
	{"allreduce inside node", "no type says"},
};

static void premises_that_fail_are_said(void **state)
{
	const struct wrong *row = *state;
	struct setting s;
	sw_reduction_program program;
	sw_diag diag = {.code = SW_OK};
	sw_plan plan;

	set_up(&s, "{node: 2 @ 8GB/s, gpu: 4 @ 270GB/s}", "{data: 8}", 0, 1, "f32[64]+{data}", "f32[64]", false);
	program_of(&s, row->steps, &program);
	bool made = sw_reduction_plan(&s.of, &program, arena, &plan, &diag);
	if (made)
		assert_false(sw_plan_check(&plan, &diag));
	assert_true(strstr(diag.message, row->says) != NULL || diag.code == SW_P03);
	sw_contexts_free(s.contexts);
}

/* A plan whose numbers, types or groups were changed is refused. */
static void changed_plans_are_refused(void **state)
{
	struct setting s;
	sw_reduction_program *programs;
	sw_plan plan, changed;
	sw_step steps[8];
	int32_t groups[8];
	sw_diag diag;

	(void)state;
	set_up(&s, "{node: 2 @ 8GB/s, gpu: 4 @ 270GB/s}", "{data: 8}", 0, 1, "f32[64]+{data}", "f32[64]", false);
	assert_true(list(&s, 5, &programs) > 0);
	assert_true(sw_reduction_plan(&s.of, &programs[0], arena, &plan, &diag));
	for (int what = 0; what < 5; what++) {
		changed = plan;
		memcpy(steps, plan.steps, sizeof *steps * (size_t)plan.count);
		memcpy(groups, plan.steps[0].groups, sizeof groups);
		changed.steps = steps;
		steps[0].groups = groups;
		changed.cost += what == 0;
		steps[1].cost += what == 1;
		if (what == 2)
			groups[1] = groups[0];
		if (what == 3)
			steps[0].type = &plan.problem.to;
		steps[0].group_size += what == 4;
		assert_false(sw_plan_check(&changed, &diag));
		assert_int_equal(diag.code, what == 2 || what == 4 ? SW_P05 : SW_P03);
	}
	sw_contexts_free(s.contexts);
}

static void an_end_elsewhere_is_refused(void **state)
{
	struct setting s;
	sw_reduction_program *programs;
	sw_plan plan;
	sw_diag diag;

	(void)state;
	set_up(&s, "{node: 2 @ 8GB/s, gpu: 4 @ 270GB/s}", "{data: 8}", 0, 1, "f32[64]+{data}", "f32[8{data}64]", false);
	assert_true(list(&s, 5, &programs) > 0);
	assert_false(sw_reduction_plan(&s.of, &programs[0], arena, &plan, &diag));
	assert_int_equal(diag.code, SW_P07);
	sw_contexts_free(s.contexts);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(every_program_is_a_plan),
		ROWS(premises_that_fail_are_said, wrong_programs, steps),
		TEST(changed_plans_are_refused),
		TEST(an_end_elsewhere_is_refused),
	};

	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
