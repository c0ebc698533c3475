/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reduction programs as plans: made, written, read, checked, executed with numbers; and what is wrong in one is found.
 */
#include <stdio.h>
#include <string.h>

#include <shardwalk/reduction_plan.h>

#include "kit/arena.h"
#include "kit/draw.h"
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
	*s = (struct setting){0};
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
	s->contexts = sw_contexts_new(s->ports.hierarchy.count, all_masters, 0, NULL, &diag);
	assert_non_null(s->contexts);
	s->of = (sw_reduction_problem){&s->problem, &s->ports, SW_MODEL_PORTS, "here", -1};
}

static int64_t list(struct setting *s, int limit, sw_plan **programs)
{
	const sw_reduction_bounds bounds = {.limit = limit};
	sw_reduction_listed listed;

	assert_true(sw_reduction_list(s->contexts, &s->ports, 4096, &bounds, arena, &listed, NULL));
	*programs = SW_NEW(arena, sw_plan, listed.count);
	for (int64_t i = 0; i < listed.count; i++) {
		sw_plan *plan = &(*programs)[i];

		assert_true(sw_context_path_plan(s->contexts, &listed.path[i], arena, plan));
		assert_true(plan->model_cost == listed.path[i].seconds);
		assert_true(sw_reduction_price(&s->ports, 4096, plan) && plan->model_cost == listed.path[i].seconds);
	}
	return listed.count;
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
	read.program.claimed = false;
	assert_true(sw_plan_write(&read, SW_JSON_LINE, &second, &diag));
	assert_string_equal(sw_text_get(&first), sw_text_get(&second));
	assert_true(sw_plan_verify(&read, NULL, &verdict, &diag) && verdict.right);
	assert_true(sw_plan_reaches(&read, &diag));
	sw_text_free(&first);
	sw_text_free(&second);
}

static bool stop_at_once(void *context, const char *what, long long done, long long total)
{
	(void)context, (void)what, (void)done, (void)total;
	return false;
}

static void all_programs(struct setting *s, int64_t expected)
{
	sw_plan *programs;
	int64_t count = list(s, 5, &programs);
	sw_diag diag;

	assert_int_equal(count, expected);
	for (int64_t i = 0; i < count; i++) {
		sw_arena_mark mark = sw_arena_here(arena);
		sw_verdict verdict;
		sw_plan plan;

		if (!sw_reduction_plan(&s->of, &programs[i], arena, &plan, &diag))
			fail_msg("%d: %s", (int)i, diag.message);
		if (!sw_plan_check(&plan, &diag))
			fail_msg("%d: %s", (int)i, diag.message);
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

/* The type of the blocks that devices have after one step, or "". */
static void assert_pieces_type(const char *array, const char *words, const char *expected)
{
	sw_step step = {0};
	sw_plan program = {.program.step = &step, .program.steps = 1};
	char from[32];
	sw_text text = {0};
	struct setting s;
	sw_plan plan;
	sw_diag diag;

	snprintf(from, sizeof from, "%s+{u}", array);
	set_up(&s, "{a: 2 @ 8GB/s, b: 2 @ 20GB/s}", "{u: 4}", 0, 1, from, array, false);
	assert_true(sw_step_parse(sw_str_of(words), &s.system, &s.ports.hierarchy, &step, &diag));
	if (!sw_reduction_plan(&s.of, &program, arena, &plan, &diag))
		fail_msg("%s", diag.message);
	const sw_type *type = plan.program.value[1].blocks;
	if (type != NULL)
		sw_type_print(&s.problem.mesh, type, false, &text);
	assert_string_equal(sw_text_get(&text), expected);
	sw_text_free(&text);
	sw_contexts_free(s.contexts);
}

/* Whatever is still to be summed; pieces that are not of one size, or that a root has alone, have none. */
static void blocks_of_pieces_have_a_type(void **state)
{
	(void)state;
	assert_pieces_type("f32[8]", "reducescatter inside root", "[2{u}8]");
	assert_pieces_type("f32[8]", "reducescatter inside a", "[4{u:(2)2}8]+{u:(1)2}");
	assert_pieces_type("f32[8]", "reducescatter across a", "[4{u:(1)2}8]+{u:(2)2}");
	assert_pieces_type("f32[2, 6]", "reducescatter inside root", "[1{u:(1)2}2, 3{u:(2)2}6]");
	assert_pieces_type("f32[6]", "reducescatter inside root", "");
	assert_pieces_type("f32[8]", "reduce inside root", "");
}

/* One number goes the way of each chunk, or every element, of chunks that are not of one size, too; it hears who stops it. */
static void executed_by_chunk_or_by_element(void **state)
{
	sw_verify_options full = {.full = true}, stopped = {.full = true, .pulse = &(sw_pulse){stop_at_once, NULL}};
	sw_plan *programs;
	struct setting s;
	sw_verdict verdict;
	sw_plan plan;
	sw_diag diag;

	(void)state;
	set_up(&s, "{node: 2 @ 8GB/s, gpu: 4 @ 270GB/s}", "{data: 8}", 0, 1, "f32[1003]+{data}", "f32[1003]", false);
	assert_true(list(&s, 5, &programs) > 0);
	assert_true(sw_reduction_plan(&s.of, &programs[0], arena, &plan, &diag));
	assert_true(sw_plan_verify(&plan, NULL, &verdict, &diag) && verdict.right);
	assert_true(verdict.elements == 64 && verdict.pieces == 8);
	assert_true(sw_plan_verify(&plan, &full, &verdict, &diag) && verdict.right);
	assert_true(verdict.elements == 8024 && verdict.pieces == 0);
	assert_false(sw_plan_verify(&plan, &stopped, &verdict, &diag));
	assert_int_equal(diag.code, SW_S03);
	sw_contexts_free(s.contexts);
}

/* ---- what is wrong ---- */

static void program_of(struct setting *s, const char *text, sw_plan *program)
{
	sw_diag diag;
	char words[128], *save = NULL;

	*program = (sw_plan){.program.step = SW_NEW_ZERO(arena, sw_step, SW_MAX_REDUCTION_STEPS)};
	snprintf(words, sizeof words, "%s", text);
	for (char *one = strtok_r(words, ";", &save); one != NULL; one = strtok_r(NULL, ";", &save))
		if (!sw_step_parse(sw_str_trim(sw_str_of(one)), &s->system, &s->ports.hierarchy,
				&program->program.step[program->program.steps++], &diag))
			fail_msg("%s", diag.message);
}

static const struct wrong {
	const char *steps, *says;
} wrong_programs[] = {
	{"reducescatter inside node; allreduce inside node", "would add different chunks"},
	{"allreduce inside node; allreduce inside root", "both hold the share of"},
	{"reduce inside node; allgather inside node", "takes equally many from each"},
	{"reduce inside node; reduce inside node", "would add different chunks"},
	{"broadcast inside node", "would lose them"},
	{"allreduce inside root; broadcast inside root", "would bring nothing new"},
	{"allgather inside node", "gathers different chunks"},
	{"allreduce inside node", "no type says"},
};

static void premises_that_fail_are_said(void **state)
{
	const struct wrong *row = *state;
	struct setting s;
	sw_plan program;
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
	sw_plan *programs;
	sw_plan plan, changed;
	int32_t groups[8];
	sw_diag diag;

	(void)state;
	set_up(&s, "{node: 2 @ 8GB/s, gpu: 4 @ 270GB/s}", "{data: 8}", 0, 1, "f32[64]+{data}", "f32[64]", false);
	assert_true(list(&s, 5, &programs) > 0);
	assert_true(sw_reduction_plan(&s.of, &programs[0], arena, &plan, &diag));
	for (int what = 0; what < 7; what++) {
		changed = plan;
		assert_true(sw_plan_own(&changed, 0, arena));
		memcpy(groups, plan.program.step[0].groups, sizeof groups);
		changed.program.step[0].groups = groups;
		changed.cost += what == 0;
		changed.program.step[1].cost += what == 1;
		if (what == 2)
			groups[1] = groups[0];
		if (what == 3)
			changed.program.value[1].type = &plan.problem.to;
		changed.program.step[0].group_size += what == 4;
		changed.program.value[1].localsize *= what == 5 ? 2 : 1;
		if (what == 6)
			changed.program.value[plan.program.steps].type = NULL;
		assert_false(sw_plan_check(&changed, &diag));
		assert_int_equal(diag.code, what == 2 || what == 4 ? SW_P05 : SW_P03);
	}
	sw_contexts_free(s.contexts);
}

/* What takes no part costs nothing, and lives beside what does. */
static void devices_outside_of_groups_are_not_counted(void **state)
{
	static const int64_t costs[] = {128, 64, 32, 64, 64};
	sw_plan program;
	struct setting s;
	sw_plan plan;
	sw_diag diag;

	(void)state;
	set_up(&s, "{a: 2 @ 8GB/s, b: 2 @ 20GB/s, c: 2 @ 50GB/s}", "{u: 8}", 0, 1, "f32[8, 8]+{u}", "f32[8, 8]", true);
	program_of(&s,
		"allreduce inside b; reducescatter masters b; allgather masters b in a; allgather masters a; broadcast inside a",
		&program);
	assert_true(sw_reduction_plan(&s.of, &program, arena, &plan, &diag));
	for (int k = 0; k < plan.program.steps; k++)
		assert_int_equal(plan.program.step[k].cost, costs[k]);
	assert_int_equal(plan.live_peak, 128);
	assert_true(sw_plan_check(&plan, &diag));
	sw_contexts_free(s.contexts);
}

/* Copies of an array along axes that are not summed add up for themselves. */
static void groups_across_copies_are_refused(void **state)
{
	struct setting s;
	sw_plan program;
	sw_plan plan;
	sw_diag diag;

	(void)state;
	set_up(&s, "{node: 2 @ 8GB/s, gpu: 2 @ 270GB/s}", "{data: 2, copy: 2}", 0, 1, "f32[8]+{data}", "f32[8]", false);
	program_of(&s, "allreduce inside root", &program);
	assert_true(sw_reduction_plan(&s.of, &program, arena, &plan, &diag));
	int32_t groups[] = {0, 3, 1, 2};
	plan.program.step[0].groups = groups;
	assert_false(sw_plan_check(&plan, &diag));
	assert_int_equal(diag.code, SW_P05);
	sw_contexts_free(s.contexts);
}

static void an_end_elsewhere_is_refused(void **state)
{
	struct setting s;
	sw_plan *programs;
	sw_plan plan;
	sw_diag diag;

	(void)state;
	set_up(&s, "{node: 2 @ 8GB/s, gpu: 4 @ 270GB/s}", "{data: 8}", 0, 1, "f32[64]+{data}", "f32[8{data}64]", false);
	assert_true(list(&s, 5, &programs) > 0);
	assert_false(sw_reduction_plan(&s.of, &programs[0], arena, &plan, &diag));
	assert_int_equal(diag.code, SW_P07);
	sw_contexts_free(s.contexts);
}

/* ---- what others do ---- */

static double one_of(draw *random, const double *of, int count)
{
	return of[draw_below(random, count)];
}

/* A system of one to four levels, and all its devices as one axis. */
static void draw_system(draw *random, sw_system *system, sw_placement *placement)
{
	static const double rates[] = {1e8, 1e9, 8e9, 9e9, 1e11, 2.7e11};

	*system = (sw_system){.count = 1 + (int)draw_below(random, 4), .devices = 1};
	*placement = (sw_placement){.axes = 2, .levels = system->count};
	for (int j = 0; j < system->count; j++) {
		sw_level *level = &system->level[j];

		placement->factor[0][j] = 1 + (int64_t)draw_below(random, 6);
		placement->factor[1][j] = 1 + (int64_t)draw_below(random, 3);
		level->size = placement->factor[0][j] * placement->factor[1][j];
		level->bandwidth = one_of(random, rates, COUNT(rates));
		level->shared = draw_below(random, 2) == 0;
		system->devices *= level->size;
	}
}

/* Under each setting of how one all-reduce runs: bound <= best <= every published algorithm. */
static void best_is_between(const sw_system *system, const sw_placement *placement, const sw_contexts *const *graphs)
{
	sw_diag diag;

	for (int way = 0; way < 2; way++) {
		sw_context_path best, other;
		sw_plan plan;
		sw_ports ports;

		assert_true(sw_ports_make(system, placement, 1, (sw_allreduce_way)way, &ports, &diag));
		int h = ports.hierarchy.count;
		if (h == 0)
			return;
		assert_true(sw_reduction_best(graphs[h], &ports, 1e9, 0, &best));
		assert_true(sw_ports_bound(&ports, 1e9) <= best.seconds * (1 + 1e-9));
		assert_true(sw_reduction_best(graphs[h], &ports, 1e9, 5, &other));
		assert_true(best.seconds <= other.seconds * (1 + 1e-9));
		for (int a = 0; a < SW_ALGORITHM_COUNT; a++) {
			assert_true(sw_algorithm_plan((sw_algorithm)a, h, arena, &plan));
			if (!sw_algorithm_is((sw_algorithm)a, (sw_allreduce_way)way))
				continue;
			assert_true(sw_reduction_price(&ports, 1e9, &plan));
			assert_true(best.seconds <= plan.model_cost * (1 + 1e-9));
		}
	}
}

static void the_best_is_between_the_bound_and_all_others(void **state)
{
	draw random = draw_start("systems");
	sw_contexts *graphs[5] = {NULL};
	sw_diag diag;

	(void)state;
	for (int h = 1; h < 5; h++)
		assert_non_null(graphs[h] = sw_contexts_new(h, false, 0, NULL, &diag));
	for (int i = 0; i < 200; i++) {
		sw_system system;
		sw_placement placement;

		draw_system(&random, &system, &placement);
		best_is_between(&system, &placement, (const sw_contexts *const *)graphs);
	}
	for (int h = 1; h < 5; h++)
		sw_contexts_free(graphs[h]);
}

/* ---- the model `ports` for plans over types ---- */

/* The seconds of a plan, against those of the same as a reduction step. */
static void steps_over_types_cost_the_same(void **state)
{
	struct setting s;
	sw_machine machine;
	sw_plan plan;
	sw_diag diag;

	(void)state;
	for (int way = 0; way < 2; way++) {
		set_up(&s, "{node: 4 @ 8GB/s 20us shared, gpu: 4 @ 270GB/s 2us}", "{a: 2, data: 8}", 0, 2, "f32[64]+{data}",
			"f32[64]", false);
		assert_true(sw_ports_make(&s.system, &s.placement, 2, (sw_allreduce_way)way, &s.ports, &diag));
		const sw_placed_mesh on = {&s.system, &s.placement, &s.problem.mesh};
		assert_true(sw_ports_machine(&on, (sw_allreduce_way)way, "here", arena, &machine, &diag));
		assert_true(sw_plan_one_step(&s.problem, SW_ALLREDUCE, arena, &plan, &diag));
		assert_float_equal(sw_predict_seconds(&plan, -1, &machine), sw_ports_allreduce(&s.ports, 256), 1e-12);
		sw_contexts_free(s.contexts);
	}
}

/* Pieces go straight to their receivers: of 4 pieces of an alltoall over two nodes of two, two cross in each direction a device. */
static void pieces_go_straight(void **state)
{
	struct setting s;
	sw_machine machine;
	sw_plan plan;
	sw_diag diag;

	(void)state;
	set_up(&s, "{node: 2 @ 1GB/s 5us, gpu: 2 @ 10GB/s}", "{x: 4}", 0, 1, "f32[1{x}4, 1000]", "f32[4, 250{x}1000]",
		false);
	const sw_placed_mesh on = {&s.system, &s.placement, &s.problem.mesh};
	assert_true(sw_ports_machine(&on, SW_ALLREDUCE_RING, "here", arena, &machine, &diag));
	assert_true(sw_plan_one_step(&s.problem, SW_ALLTOALL, arena, &plan, &diag));
	assert_float_equal(sw_predict_seconds(&plan, -1, &machine), 4 * 1000 / 1e9 + 3 * 5e-6, 1e-15);
	assert_true(sw_plan_one_step(&s.problem, SW_EXCHANGE, arena, &plan, &diag));
	assert_float_equal(sw_predict_seconds(&plan, -1, &machine), 4 * 1000 / 1e9 + 3 * 5e-6, 1e-15);
	sw_contexts_free(s.contexts);
}

/* ---- groups of others ---- */

/* The groups of every instruction are those of it, or of another that has the same. */
static void groups_are_recognised(void **state)
{
	struct setting s;
	sw_hierarchy h, other;
	int64_t groups, size, again, each;

	(void)state;
	set_up(&s, "{node: 2 @ 8GB/s, cpu: 2 @ 9GB/s, gpu: 4 @ 90GB/s}", "{a: 4, data: 4}", 2, 2, "f32[8]+{data}",
		"f32[8]", false);
	for (uint32_t axes = 1; axes < 4; axes++) {
		sw_hierarchy_make(&s.placement, SW_HIERARCHY_SUMMED_LEVELS, axes, true, &h);
		for (int slice = 0; slice < h.count; slice++)
			for (int ancestor = 0; ancestor <= slice; ancestor++) {
				sw_group_name name = {ancestor == slice ? SW_FORM_INSIDE : SW_FORM_ACROSS, slice,
					ancestor == slice ? 0 : ancestor, NULL};
				sw_group_name found;
				uint32_t summed;
				int64_t *list = sw_named_groups(&h, &name, arena, &groups, &size);

				assert_true(sw_group_name_find(&s.placement, list, groups * size, size, arena, &summed, &found));
				sw_hierarchy_make(&s.placement, SW_HIERARCHY_SUMMED_LEVELS, summed, true, &other);
				int64_t *same = sw_named_groups(&other, &found, arena, &again, &each);
				assert_true(again == groups && each == size);
				assert_memory_equal(list, same, sizeof *list * (size_t)(groups * size));
				list[0] = list[groups * size - 1];
			}
	}
	int64_t odd[] = {0, 3, 1, 2};
	uint32_t summed;
	sw_group_name found;
	assert_false(sw_group_name_find(&s.placement, odd, 4, 2, arena, &summed, &found));
	sw_contexts_free(s.contexts);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(every_program_is_a_plan),
		TEST(blocks_of_pieces_have_a_type),
		TEST(executed_by_chunk_or_by_element),
		ROWS(premises_that_fail_are_said, wrong_programs, steps),
		TEST(changed_plans_are_refused),
		TEST(devices_outside_of_groups_are_not_counted),
		TEST(groups_across_copies_are_refused),
		TEST(an_end_elsewhere_is_refused),
		TEST(the_best_is_between_the_bound_and_all_others),
		TEST(steps_over_types_cost_the_same),
		TEST(pieces_go_straight),
		TEST(groups_are_recognised),
	};

	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
