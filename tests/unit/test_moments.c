/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Moments: for random programs, for formulas and for recorded schedules, which devices have an element after each step, in which term, and
 * how much has moved, are those of the transfers carried out one by one, of the tiles of types, and of the boxes of schedules.
 */
#include <string.h>

#include <shardwalk/assign.h>
#include <shardwalk/moments.h>
#include <shardwalk/planned.h>
#include <shardwalk/schedule_program.h>

#include "kit/arena.h"
#include "kit/carried.h"
#include "kit/draw.h"
#include "kit/kit.h"
#include "kit/programs.h"
#include "kit/schedules.h"

/* ---- programs over tiles ---- */

/* Who has an element of a value, by where tiles begin. */
static bool tile_has(const sw_program *program, int value, int64_t slot, const int64_t *index)
{
	const sw_type *type = program->value[value].type;
	int64_t offset[SW_MAX_DIMS];

	sw_type_offset(&program->mesh, type, slot, offset);
	for (int i = 0; i < type->rank; i++)
		if (index[i] < offset[i] || index[i] >= offset[i] + type->tile[i])
			return false;
	return true;
}

static void check_made(const sw_moments *moments, int k, int value)
{
	const sw_owners *owners = moments->owners[moments->array[value]];
	const sw_type *type = moments->program->value[value].type;
	int64_t index[SW_MAX_DIMS], devices = moments->program->mesh.devices;

	for (int64_t e = 0; e < box_size(type->global, type->rank); e++) {
		int64_t first = -1;
		indices_of(e, type->global, type->rank, index);
		for (int64_t d = devices - 1; d >= 0; d--) {
			bool has = tile_has(moments->program, value, d, index);
			assert_int_equal(sw_owners_has(owners, k, d, index), has);
			first = has ? d : first;
		}
		assert_int_not_equal(first, -1);
		if (sw_type_terms(type) == 1)
			assert_int_equal(sw_owners_at(owners, k, index, 0), first);
	}
}

static bool in_tile(const sw_plan *plan, int k, const struct moment *moment, int64_t device, const int64_t *index)
{
	int rank = plan->problem.from.rank;
	const int64_t *at = moment->tiles.at + device * rank, *tile = plan->program.value[k].tile;

	for (int i = 0; i < rank; i++)
		if (index[i] < at[i] || index[i] >= at[i] + tile[i])
			return false;
	return true;
}

/* What is filled with zeros is there, and no term of it.  `told`: terms are those that the plan begins with. */
static void check_carried(const sw_moments *moments, int k, const sw_plan *plan, int inside,
	const struct moment *moment, int array, bool told)
{
	const sw_owners *owners = moments->owners[array];
	const sw_type *type = &plan->problem.from;
	int64_t index[SW_MAX_DIMS], terms = told ? sw_owners_terms(owners) : 0;
	const int64_t *order = sw_plan_order(plan, inside);

	for (int64_t e = 0; e < box_size(type->global, type->rank); e++) {
		int64_t first[64];
		indices_of(e, type->global, type->rank, index);
		memset(first, -1, sizeof first);
		for (int64_t slot = plan->problem.mesh.devices - 1; slot >= 0; slot--) {
			int64_t device = order != NULL ? order[slot] : slot;
			uint64_t on = terms_on(plan, inside, moment, device, index);
			assert_int_equal(sw_owners_has(owners, k, device, index), in_tile(plan, inside, moment, device, index));
			for (int64_t t = 0; t < terms; t++)
				first[t] = on >> t & 1 ? device : first[t];
		}
		for (int64_t t = 0; t < terms; t++)
			assert_int_equal(sw_owners_at(owners, k, index, t), first[t]);
	}
}

static void check_plan(const sw_moments *moments, int k, int s)
{
	const sw_plan *plan = moments->moment[k - 1].plan;
	int array = moments->array[sw_program_value_of(moments->program, s)],
		first = moments->first[array] == moments->program->step[s].operand[0];
	int64_t begun = plan->program.value[0].type != NULL ? sw_type_terms(plan->program.value[0].type) : 0;
	bool told = first && begun == sw_owners_terms(moments->owners[array]);
	struct moment now, next;

	carry_begin(plan, arena, &now);
	for (int i = 0; i < plan->program.steps; i++) {
		int of = moments->array[sw_program_value_of(moments->program, s)];
		carry_out(plan, i, arena, &now, &next);
		now = next;
		check_carried(moments, k + i, plan, i + 1, &now, array, told);
		assert_int_equal(sw_moments_moved(moments, k + i, of, arena), arriving(plan, i, arena));
		assert_true(sw_moments_changes(moments, k + i, of));
		assert_true(sw_moments_flops(moments, k + i) == 0);
	}
}

static int check_program(const sw_program *program)
{
	sw_diag diag = {0};
	const sw_moments *moments = sw_moments_of_program(program, NULL, arena, &diag);

	if (moments == NULL)
		fail_msg("%s", diag.message);
	for (int value = 0; value < program->inputs; value++)
		check_made(moments, 0, value);
	for (int k = 1; k <= moments->count; k++) {
		const sw_moment *moment = &moments->moment[k - 1];
		int value = sw_program_value_of(program, moment->step);
		if (moment->plan == NULL) {
			check_made(moments, k, value);
			assert_true(sw_moments_flops(moments, k) > 0);
			for (int i = 0; i < program->step[moment->step].operands; i++)
				assert_true(sw_moments_about(moments, k, moments->array[program->step[moment->step].operand[i]]));
		} else if (moment->inside == 0) {
			check_plan(moments, k, moment->step);
		}
	}
	return moments->count;
}

static void random_programs(void **state)
{
	draw random = draw_start("moments");
	const sw_plan_options options = {.strategy = SW_EXACT};
	int moments = 0;

	(void)state;
	for (int n = 0; n < 60; n++) {
		sw_program program, assigned, planned;
		sw_assignment assignment;
		sw_text text = {0};

		sw_arena_clear(arena);
		draw_program(&random, &text);
		if (sw_program_parse((sw_str){sw_text_get(&text), text.length}, NULL, arena, &program, NULL) &&
			sw_assign(&program, &(sw_assign_options){0}, arena, &assigned, &assignment, NULL) && assignment.found &&
			sw_program_plan(&assigned, NULL, &options, arena, &planned, NULL))
			moments += check_program(&planned);
		sw_text_free(&text);
	}
	assert_true(moments > 20);
}

static void a_redistribution_without_a_plan_is_one_moment(void **state)
{
	static const char text[] = "mesh {x: 2}\nfn f(a : [4{x}8, 4]) -> [8, 2{x}4] {\n"
							   "b = redistribute a as [8, 2{x}4]\nreturn b\n}\n";
	sw_program program;

	(void)state;
	sw_arena_clear(arena);
	assert_true(sw_program_parse(sw_str_of(text), NULL, arena, &program, NULL));
	const sw_moments *moments = sw_moments_of_program(&program, NULL, arena, NULL);
	assert_non_null(moments);
	assert_int_equal(moments->count, 1);
	assert_int_equal(moments->arrays, 1);
	check_made(moments, 0, 0);
	check_made(moments, 1, 1);
	assert_int_equal(sw_moments_moved(moments, 1, 0, arena), -1);
}

/* ---- schedules ---- */

static bool boxes_have(const sw_boxes *boxes, const int64_t *index)
{
	for (int n = 0; n < boxes->count; n++) {
		bool has = true;
		for (int d = 0; d < boxes->rank; d++) {
			const int64_t *at = boxes->at + 2 * ((int64_t)n * boxes->rank + d);
			has = has && index[d] >= at[0] && index[d] < at[1];
		}
		if (has)
			return true;
	}
	return false;
}

/* An input in a step: its home, and what is kept beside it. */
static void check_kept(const sw_moments *moments, const sw_lowering *lowering, int of, int array, int64_t step)
{
	const sw_formula_array *is = &lowering->schedule->problem->formula.array[of];
	int level = (int)sw_mesh_levels(lowering->schedule->problem->mesh), f = sw_lowering_find(lowering, of, level);
	int64_t index[SW_MAX_DIMS];

	int64_t *beside = SW_NEW(arena, int64_t, box_size(is->size, is->rank) + 1);
	assert_non_null(beside);
	memset(beside, -1, (size_t)box_size(is->size, is->rank) * sizeof *beside);
	for (int64_t d = 0; d < lowering->schedule->problem->mesh->devices; d++) {
		sw_boxes home, kept = {.rank = is->rank};
		sw_lowering_home(lowering, of, level, d, &home);
		if (f >= 0)
			assert_true(sw_lowering_buffer(lowering, f, step, d, arena, &kept));
		for (int64_t e = 0; is->rank > 0 && e < box_size(is->size, is->rank); e++) {
			indices_of(e, is->size, is->rank, index);
			bool has = boxes_have(&home, index) || boxes_have(&kept, index);
			beside[e] = beside[e] < 0 && boxes_have(&kept, index) ? d : beside[e];
			if (has != sw_owners_has(moments->owners[array], (int)step + 1, d, index))
				fail_msg("array %d, step %d, device %d, element %d", of, (int)step, (int)d, (int)e);
		}
	}
	for (int64_t e = 0; is->rank > 0 && e < box_size(is->size, is->rank); e++) {
		indices_of(e, is->size, is->rank, index);
		assert_int_equal(sw_owners_beside(moments->owners[array], (int)step + 1, index), beside[e]);
	}
}

/* The value that a leaf reads of an array of the statement. */
static int array_read(const sw_moments *moments, const sw_step *leaf, int of)
{
	return moments->array[leaf->operand[leaf->iteration->home[of]]];
}

static void check_moved(const sw_moments *moments, const sw_lowering *lowering, int array, int of, int64_t step)
{
	sw_schedule_messages messages;
	int64_t elements = 0;

	assert_true(sw_lowering_messages(lowering, step, arena, &messages));
	for (int64_t n = 0; n < messages.count - messages.outs; n++)
		if (lowering->fetch[messages.message[n].fetch].array == of)
			elements += messages.message[n].elements;
	assert_int_equal(sw_moments_moved(moments, (int)step + 1, array, arena), elements);
}

static void check_schedule(const char *name, const sw_lowering *lowering, const sw_program *program)
{
	sw_diag diag = {0};
	const sw_moments *moments = sw_moments_of_program(program, NULL, arena, &diag);
	int arrays = lowering->schedule->problem->formula.arrays;

	if (moments == NULL)
		fail_msg("%s: %s", name, diag.message);
	assert_int_equal(moments->arrays, arrays);
	assert_in_range(moments->count, lowering->steps, lowering->steps + 1);
	for (int s = 0; s < program->steps; s++) {
		const sw_step *step = &program->step[s];
		if (!sw_step_does(step, SW_DOES_LEAF))
			continue;
		assert_int_equal(moments->at[s], step->iteration->step + 1);
		for (int of = 1; of < arrays; of++) {
			int array = array_read(moments, step, of);
			if (sw_mesh_levels(&program->mesh) > 1)
				continue;
			check_kept(moments, lowering, of, array, step->iteration->step);
			check_moved(moments, lowering, array, of, step->iteration->step);
		}
	}
}

static const sw_array_type *types_of(const sw_schedule_problem *problem)
{
	sw_array_type *type = SW_NEW_ZERO(arena, sw_array_type, problem->formula.arrays);

	for (int k = 0; k < problem->formula.arrays; k++) {
		const sw_formula_array *array = &problem->formula.array[k];
		sw_type plain = {.dtype = SW_F64, .dtype_given = true, .rank = array->rank};
		memcpy(plain.global, array->size, sizeof plain.global);
		memcpy(plain.tile, array->size, sizeof plain.tile);
		if (!sw_array_type_of(problem->mesh, problem->home[k], &plain, arena, &type[k], NULL))
			return NULL;
		type[k].type.dtype = SW_F64;
	}
	return type;
}

static bool small(const sw_schedule_problem *problem)
{
	int64_t most = 1;

	for (int k = 0; k < problem->formula.arrays; k++) {
		const sw_formula_array *array = &problem->formula.array[k];
		int64_t size = box_size(array->size, array->rank);
		most = size > most ? size : most;
	}
	return most * problem->mesh->devices <= 20000;
}

static int check_line(json_t *line)
{
	const char *name = json_string_value(json_object_get(line, "name"));
	sw_schedule_problem *problem = SW_NEW_ZERO(arena, sw_schedule_problem, 1);
	sw_program program;
	sw_diag diag = {0};
	int refused = 0;

	if (json_object_get(line, "checksum") == NULL || !schedule_problem(line, arena, problem, &diag) ||
		!small(problem))
		return 0;
	const sw_schedule *schedule = schedule_of(line, problem, arena, &refused, &diag);
	const sw_array_type *type = types_of(problem);
	if (schedule == NULL || type == NULL || !sw_program_of_schedule(schedule, type, arena, &program, &diag))
		return 0;
	const sw_lowering *lowering = sw_program_lowering(&program);
	assert_non_null(lowering);
	check_schedule(name, lowering, &program);
	return 1;
}

static void recorded_schedules(void **state)
{
	(void)state;
	assert_true(schedules_each("distal-schedules.jsonl", arena, check_line) > 10);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(random_programs),
		TEST(a_redistribution_without_a_plan_is_one_moment),
		TEST(recorded_schedules),
	};

	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
