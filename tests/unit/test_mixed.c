/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mixed plans: reduction programs and steps of types in one plan, against all programs of the three forms.
 */
#include <math.h>
#include <string.h>

#include <shardwalk/reduction_plan.h>

#include "kit/arena.h"
#include "kit/draw.h"
#include "kit/kit.h"

/* A problem over axes that lie on a system, and how steps are priced. */
struct setting {
	sw_system system;
	sw_placement placement;
	sw_problem problem;
	sw_ports ports;
	sw_contexts *contexts;
	sw_machine machine;
	sw_priced_mesh priced;
	sw_plan_options options;
	uint32_t summed;
};

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

/* The axes lie in the first placement but `skip`; below 0: as devices count. */
static void place(struct setting *s, const char *system, const char *axes, int skip)
{
	int64_t size[SW_MAX_AXES];
	sw_diag diag;

	memset(s, 0, sizeof *s);
	assert_true(sw_system_parse(sw_str_of(system), &s->system, &diag));
	assert_true(sw_mesh_parse(sw_str_of(axes), &s->problem.mesh, &diag));
	for (int i = 0; i < s->problem.mesh.count; i++)
		size[i] = s->problem.mesh.axis[i].size;
	int straddles;
	if (skip < 0)
		assert_true(sw_placement_row_major(&s->system, size, s->problem.mesh.count, &s->placement, &straddles));
	else
		assert_true(sw_placement_first(&s->system, size, s->problem.mesh.count, &s->placement));
	while (skip-- > 0 && sw_placement_next(&s->system, &s->placement))
		;
	s->problem.mesh.order = order_of(&s->problem.mesh, &s->placement);
}

/* Which sums are left to a program, and how to price a step. */
static void price(struct setting *s, sw_model model)
{
	const sw_placed_mesh on = {&s->system, &s->placement, &s->problem.mesh};
	sw_diag diag;

	s->priced = (sw_priced_mesh){on, &s->machine};
	s->options = (sw_plan_options){.strategy = SW_FUSED, .model = model, .machine = &s->machine};
	if (model == SW_MODEL_PORTS) {
		assert_true(sw_ports_machine(&on, SW_ALLREDUCE_RING, "here", arena, &s->machine, &diag));
		assert_true(sw_ports_make(&s->system, &s->placement, s->summed, SW_ALLREDUCE_RING, &s->ports, &diag));
	} else {
		s->machine = *sw_machine_default();
		assert_true(sw_ports_of_latency(&s->priced, s->summed, &s->ports, &diag));
	}
	s->contexts = sw_contexts_new(s->ports.hierarchy.count, true, 0, NULL, &diag);
	assert_non_null(s->contexts);
}

/* Where each axis is in a type: a dimension, or SUMMED, or NOWHERE. */
enum { SUMMED = -2, NOWHERE = -1, DIMS = 2 };
static const int64_t size[DIMS] = {48, 3 << 9};

static sw_type type_of(const sw_mesh *mesh, const int *where)
{
	sw_type type;
	sw_diag diag;

	assert_true(sw_type_replicated(SW_F32, DIMS, size, &type, &diag));
	for (int dim = 0; dim < DIMS; dim++) {
		sw_part part[SW_MAX_AXES];
		int count = 0;

		for (int axis = 0; axis < mesh->count; axis++)
			if (where[axis] == dim) {
				part[count++] = (sw_part){axis, 1, mesh->axis[axis].size};
				type.tile[dim] /= mesh->axis[axis].size;
			}
		sw_type_put(&type, dim, part, count);
	}
	sw_part part[SW_MAX_AXES];
	int count = 0;
	for (int axis = 0; axis < mesh->count; axis++)
		if (where[axis] == SUMMED)
			part[count++] = (sw_part){axis, 1, mesh->axis[axis].size};
	assert_true(sw_type_set_sums(mesh, &type, part, count, &diag));
	return type;
}

/* ---- all programs of the three forms ---- */

static double seconds_of(const struct setting *s, const sw_type *from, const sw_type *to, sw_strategy strategy)
{
	sw_problem problem = s->problem;
	sw_plan_options options = s->options;
	sw_plan plan;
	sw_diag diag;

	problem.from = *from;
	problem.to = *to;
	options.strategy = strategy;
	options.budget = sw_type_localsize(&s->problem.from);
	if (options.budget < sw_type_localsize(&s->problem.to))
		options.budget = sw_type_localsize(&s->problem.to);
	return sw_plan_find(&problem, &options, arena, &plan, &diag) ? plan.model_cost : INFINITY;
}

/* All of at most so many steps, each by itself. */
static double least_program(const struct setting *s, const sw_type *from)
{
	const sw_reduction_bounds bounds = {.limit = 6};
	double least = INFINITY, bytes = (double)sw_type_localsize(from) * 4;
	sw_reduction_listed listed;

	assert_true(sw_reduction_list(s->contexts, &s->ports, bytes, &bounds, arena, &listed, NULL));
	for (int64_t i = 0; i < listed.count; i++) {
		sw_plan program;

		assert_true(sw_context_path_plan(s->contexts, &listed.path[i], arena, &program));
		assert_true(sw_reduction_price(&s->ports, bytes, &program));
		least = program.model_cost < least ? program.model_cost : least;
	}
	return least;
}

static double least_of_all(const struct setting *s, const int *from, const int *to)
{
	const sw_mesh *mesh = &s->problem.mesh;
	int between[SW_MAX_AXES];
	bool fits = true;

	for (int axis = 0; axis < mesh->count; axis++)
		between[axis] = s->summed >> axis & 1 ? NOWHERE : from[axis];
	sw_type summed = type_of(mesh, between);
	double least = seconds_of(s, &s->problem.from, &s->problem.to, SW_FUSED);
	double other = least_program(s, &s->problem.from) + seconds_of(s, &summed, &s->problem.to, SW_FUSED);
	least = other < least ? other : least;
	for (int axis = 0; axis < mesh->count; axis++) {
		bool left = s->summed >> axis & 1;

		fits = fits && (!left || to[axis] == NOWHERE);
		between[axis] = left ? SUMMED : to[axis];
	}
	sw_type moved = fits ? type_of(mesh, between) : summed;
	other = fits ? seconds_of(s, &s->problem.from, &moved, SW_FUSED) + least_program(s, &moved) : INFINITY;
	return other < least ? other : least;
}

/* ---- what is found ---- */

/* Checked, executed, written and read again. */
static void is_right(const sw_plan *plan)
{
	sw_text first = {0}, second = {0};
	sw_verdict verdict;
	sw_plan read;
	sw_diag diag;

	if (!sw_plan_check(plan, &diag))
		fail_msg("%s", diag.message);
	assert_true(sw_plan_verify(plan, NULL, &verdict, &diag) && verdict.right);
	assert_true(sw_plan_reaches(plan, &diag));
	assert_true(sw_plan_write(plan, SW_JSON_LINE, &first, &diag));
	if (!sw_plan_read((sw_str){sw_text_get(&first), first.length}, arena, &read, &diag))
		fail_msg("%s\n%s", diag.message, sw_text_get(&first));
	read.program.claimed = false;
	assert_true(sw_plan_write(&read, SW_JSON_LINE, &second, &diag));
	assert_string_equal(sw_text_get(&first), sw_text_get(&second));
	assert_true(sw_plan_verify(&read, NULL, &verdict, &diag) && verdict.right);
	sw_text_free(&first);
	sw_text_free(&second);
}

static const struct where {
	const char *system, *axes;
} places[] = {
	{"{node: 2 @ 8GB/s shared, gpu: 4 @ 270GB/s}", "{x: 2, y: 4}"},
	{"{node: 2 @ 8GB/s shared, gpu: 4 @ 270GB/s}", "{x: 2, y: 2, z: 2}"},
	{"{node: 2 @ 1GB/s 9us, gpu: 4 @ 4GB/s 3us}", "{x: 4, y: 2}"},
	{"{rack: 2 @ 1GB/s, node: 2 @ 9GB/s shared, gpu: 2 @ 90GB/s}", "{x: 2, y: 2, z: 2}"},
	{"{node: 2 @ 3GB/s shared, gpu: 3 @ 9GB/s}", "{x: 2, y: 3}"},
	{"{node: 3 @ 3GB/s, gpu: 2 @ 9GB/s}", "{x: 6}"},
};

static bool draw_ends(struct setting *s, draw *from, int *before, int *after)
{
	const sw_mesh *mesh = &s->problem.mesh;

	s->summed = 0;
	for (int axis = 0; axis < mesh->count; axis++) {
		before[axis] = draw_below(from, DIMS + 2) + SUMMED;
		after[axis] = draw_below(from, DIMS + 1) + NOWHERE;
		if (before[axis] == SUMMED && draw_below(from, 6) == 0)
			after[axis] = SUMMED;
		if (before[axis] == SUMMED && after[axis] != SUMMED)
			s->summed |= 1u << axis;
	}
	return s->summed != 0;
}

static int mixed_seen;

static void found_is_least(struct setting *s, sw_model model, const int *from, const int *to)
{
	sw_plan plan;
	sw_diag diag;

	price(s, model);
	const sw_mixing mixing = {&s->ports, s->contexts, s->machine.name};
	assert_true(sw_plan_find(&s->problem, &s->options, arena, &plan, &diag));
	sw_plan_mix(&mixing, &s->options, arena, &plan);
	double least = least_of_all(s, from, to);
	if (!(plan.model_cost <= least * (1 + 1e-8)) || !(plan.model_cost >= least * (1 - 1e-8)))
		fail_msg("%.9g, but the least of all is %.9g", plan.model_cost, least);
	assert_true(plan.model_cost <= seconds_of(s, &s->problem.from, &s->problem.to, SW_SUM_FIRST) * (1 + 1e-8));
	mixed_seen += plan.origin != NULL && strcmp(plan.origin, "mixed") == 0;
	is_right(&plan);
	sw_contexts_free(s->contexts);
}

static void is_least(void **state)
{
	const struct where *row = *state;
	draw from = draw_start("mixed plans");

	mixed_seen = 0;
	for (int n = 0; n < 60; n++) {
		sw_arena_mark mark = sw_arena_here(arena);
		int before[SW_MAX_AXES], after[SW_MAX_AXES];
		struct setting s;

		place(&s, row->system, row->axes, draw_below(&from, 4));
		if (!draw_ends(&s, &from, before, after))
			continue;
		s.problem.from = type_of(&s.problem.mesh, before);
		s.problem.to = type_of(&s.problem.mesh, after);
		found_is_least(&s, SW_MODEL_PORTS, before, after);
		found_is_least(&s, SW_MODEL_LATENCY, before, after);
		sw_arena_back(arena, mark);
	}
	printf("%d mixed plans\n", mixed_seen);
}

/* ---- one that is known ---- */

/* x and y, over both levels, are summed. */
static void make_known(struct setting *s, const char *from, const char *to, sw_plan *plan)
{
	sw_diag diag;

	place(s, places[1].system, places[1].axes, -1);
	s->summed = 3;
	assert_true(sw_type_parse(&s->problem.mesh, sw_str_of(from), &s->problem.from, &diag));
	assert_true(sw_type_parse(&s->problem.mesh, sw_str_of(to), &s->problem.to, &diag));
	price(s, SW_MODEL_PORTS);
	const sw_mixing mixing = {&s->ports, s->contexts, "here"};
	assert_true(sw_plan_find(&s->problem, &s->options, arena, plan, &diag));
	sw_plan_mix(&mixing, &s->options, arena, plan);
	assert_true(plan->origin != NULL && strcmp(plan->origin, "mixed") == 0);
	sw_contexts_free(s->contexts);
}

/* z moves from one dimension to the other. */
#define MOVED "f32[80{z}160, 64]+{x,y}", "f32[160, 32{z}64]"

/* Tiles of half the size are summed in half the time. */
static void steps_of_types_come_first(void **state)
{
	struct setting s;
	sw_plan plan;

	(void)state;
	make_known(&s, "f32[322, 67]+{x,y}", "f32[161{z}322, 67]", &plan);
	assert_int_equal(plan.program.steps, 2);
	assert_int_equal(plan.program.step[0].op, SW_DYNSLICE);
	assert_non_null(plan.program.step[1].inside);
	assert_int_equal(plan.program.step[1].inside->program.steps, 3);
	is_right(&plan);
}

static void the_program_comes_first(void **state)
{
	struct setting s;
	sw_plan plan;

	(void)state;
	make_known(&s, "f32[161{z}322, 67]+{x,y}", "f32[322, 67]", &plan);
	assert_int_equal(plan.program.steps, 2);
	assert_int_equal(plan.program.step[1].op, SW_ALLGATHER);
	assert_non_null(plan.program.step[0].inside);
	is_right(&plan);
}

static const struct change {
	const char *old, *new;
	sw_code code;
} changes[] = {
	{"\"type\": \"[80{z}160, 64]\"", "\"type\": \"[80{z}160, 64]+{x}\"", SW_P03},
	{"\"op\": \"broadcast\"", "\"op\": \"reduce\"", SW_P05},
	{"\"chunks\": 4", "\"chunks\": 2", SW_P03},
	{"\"groups\": [[0", "\"groups\": [[1", SW_P05},
};

/* Puts the second text into the place of the first one that begins inside, else anywhere. */
static char *changed(const char *text, const struct change *change)
{
	const char *inside = strstr(text, "\"inside\""), *at = strstr(inside, change->old);
	char *result = SW_NEW(arena, char, strlen(text) + strlen(change->new) + 1);

	at = at != NULL ? at : strstr(text, change->old);
	if (at == NULL)
		fail_msg("no %s in %s", change->old, text);
	memcpy(result, text, (size_t)(at - text));
	strcpy(result + (at - text), change->new);
	strcat(result, at + strlen(change->old));
	return result;
}

static void what_is_inside_makes_what_the_step_says(void **state)
{
	const struct change *change = *state;
	struct setting s;
	sw_plan plan, read;
	sw_text text = {0};
	sw_diag diag;

	make_known(&s, MOVED, &plan);
	is_right(&plan);
	assert_true(sw_plan_write(&plan, SW_JSON_LINE, &text, &diag));
	assert_false(sw_plan_read(sw_str_of(changed(sw_text_get(&text), change)), arena, &read, &diag));
	assert_int_equal(diag.code, change->code);
	sw_text_free(&text);
}

/* A step whose inside is of other values is refused with both. */
static void both_values_are_said(void **state)
{
	struct setting s;
	sw_plan plan, inside;
	sw_diag diag;

	(void)state;
	make_known(&s, MOVED, &plan);
	int at = plan.program.step[0].inside != NULL ? 0 : 1;
	inside = *plan.program.step[at].inside;
	inside.problem.to = inside.problem.from;
	assert_true(sw_plan_own(&plan, 0, arena));
	plan.program.step[at].inside = &inside;
	assert_false(sw_plan_check(&plan, &diag));
	assert_int_equal(diag.code, SW_P03);
	assert_non_null(strstr(diag.expected, "~> [80{z}160, 64]"));
	assert_non_null(strstr(diag.found, "~> [80{z}160, 64]+{x,y}"));
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(is_least, places, axes),
		TEST(steps_of_types_come_first),
		TEST(the_program_comes_first),
		ROWS(what_is_inside_makes_what_the_step_says, changes, old),
		TEST(both_values_are_said),
	};

	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
