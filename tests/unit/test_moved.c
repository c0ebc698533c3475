/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What moves in steps of schedules as problems of their own, and the nearest of several holders.
 */
#include "kit/kit.h"

#include <shardwalk/relation.h>
#include <shardwalk/schedule_program.h>

#include "kit/arena.h"
#include "kit/cases.h"
#include "kit/schedules.h"

/* ---- the ends of a step ---- */

/* Elements of the messages of a fetch; of the left side those behind the last step, where there are some. */
static int64_t recorded(const sw_lowering *lowering, int fetch, const sw_schedule_messages *list)
{
	bool left = lowering->fetch[fetch].array == 0, behind = false;
	int64_t volume = 0;

	for (int64_t k = 0; k < list->count; k++)
		behind = behind || (left && list->message[k].behind && list->message[k].fetch == fetch);
	for (int64_t k = 0; k < list->count; k++)
		if (list->message[k].fetch == fetch && list->message[k].behind == behind)
			volume += list->message[k].elements;
	return volume;
}

static int64_t moved(const sw_mesh *mesh, const sw_array_type end[2])
{
	const sw_problem problem = {.mesh = *mesh,
		.from = end[0].type,
		.to = end[1].type,
		.from_words = end[0].words,
		.to_words = end[1].words};
	sw_diag diag = {.code = SW_OK};
	sw_relation *relation = sw_problem_relation(&problem, arena, &diag);
	sw_tally *tally = SW_NEW(arena, sw_tally, mesh->devices);
	int64_t volume = 0;

	if (relation == NULL)
		fail_msg("%s", diag.message);
	assert_true(sw_relation_tally(relation, SW_SENDER_NEAREST, tally));
	for (int64_t d = 0; d < mesh->devices; d++) {
		assert_int_equal(tally[d].missing, 0);
		volume += tally[d].in;
	}
	return volume;
}

/* Does an array have copies in nodes?  What is in them costs nothing, and is on a processor here. */
static bool has_copies(const sw_lowering *lowering, int fetch)
{
	int count = 0;

	for (int f = 0; f < lowering->fetches; f++)
		count += lowering->fetch[f].array == lowering->fetch[fetch].array;
	return count > 1;
}

static void check_fetch(const sw_lowering *lowering, int fetch, int64_t step)
{
	const sw_formula_array *is = &lowering->schedule->problem->formula.array[lowering->fetch[fetch].array];
	sw_schedule_messages list;
	sw_array_type end[2];
	sw_diag diag = {.code = SW_OK};
	sw_type type;

	assert_true(sw_type_replicated(SW_F64, is->rank, is->size, &type, NULL));
	assert_true(sw_lowering_messages(lowering, step, arena, &list));
	int64_t volume = recorded(lowering, fetch, &list);
	if (!sw_lowering_ends(lowering, fetch, step, &type, arena, end, &diag)) {
		if (diag.code != SW_L08 && (diag.code != SW_T11 || !has_copies(lowering, fetch)))
			fail_msg("%s", diag.message);
		assert_true(volume == 0 || has_copies(lowering, fetch));
		return;
	}
	int64_t found = moved(lowering->schedule->problem->mesh, end);
	if (!has_copies(lowering, fetch))
		assert_int_equal(found, volume);
}

static int check_line(json_t *line)
{
	enum { STEPS = 4, DEVICES = 64 };
	sw_schedule_problem problem;
	const sw_schedule *schedule;
	int refused;

	assert_true(schedule_problem(line, arena, &problem, NULL));
	schedule = schedule_of(line, &problem, arena, &refused, NULL);
	assert_non_null(schedule);
	const sw_lowering *lowering = sw_lowering_of(schedule, arena, NULL);
	assert_non_null(lowering);
	assert_int_equal(lowering->senders, SW_SENDER_NEAREST);
	if (problem.mesh->devices > DEVICES)
		return 0;
	for (int64_t step = 0; step < lowering->steps; step += step < STEPS ? 1 : (lowering->steps - step + 1) / 2)
		for (int fetch = 0; fetch < lowering->fetches; fetch++)
			check_fetch(lowering, fetch, step);
	return 1;
}

static void ends_move_what_is_recorded(void **state)
{
	(void)state;
	assert_true(schedules_each("distal-schedules.jsonl", arena, check_line) > 10);
}

/* ---- the nearest ---- */

static const struct nearest {
	const char *name, *mesh, *problem;
	int receiver, sender;
} nearest[] = {
	{"the right neighbour of two", "{x: 5}", "[5] on 0,2 ~> [5] on 1", 1, 2},
	{"around the end", "{x: 6}", "[6] on 0,3 ~> [6] on 5", 5, 0},
	{"along any axis", "{x: 3, y: 3}", "[9] on 0,4 ~> [9] on 6", 6, 0},
	{"not by number", "{x: 2, y: 4}", "[8] on 0,6 ~> [8] on 3", 3, 0},
	{"one alone", "{x: 4}", "[4] on 3 ~> [4] on 1", 1, 3},
};

static void the_nearest_sends(void **state)
{
	const struct nearest *row = *state;
	sw_mesh mesh;
	sw_problem problem;
	sw_messages messages;
	sw_diag diag = {.code = SW_OK};

	assert_true(sw_mesh_parse(sw_str_of(row->mesh), &mesh, NULL));
	if (!sw_problem_parse_any(&mesh, sw_str_of(row->problem), false, NULL, arena, &problem, &diag))
		fail_msg("%s", diag.message);
	sw_relation *relation = sw_problem_relation(&problem, arena, NULL);
	assert_non_null(relation);
	assert_true(sw_relation_messages(relation, SW_SENDER_NEAREST, arena, &messages));
	assert_int_equal(messages.count, 1);
	assert_int_equal(messages.message[0].receiver, row->receiver);
	assert_int_equal(messages.message[0].sender, row->sender);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(ends_move_what_is_recorded),
		ROWS(the_nearest_sends, nearest, name),
	};
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
