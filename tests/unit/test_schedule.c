/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules: statements, commands and loops; what is refused, and where.
 */
#include "kit.h"

#include "arena.h"
#include "cases.h"
#include "schedules.h"

/* ---- cases ---- */

typedef void (*use_line)(json_t *line);

static int each_line(const char *file, use_line use)
{
	FILE *in = cases_open(file);
	char *text = NULL;
	size_t room = 0;
	int lines = 0;

	assert_non_null(in);
	for (; getline(&text, &room, in) > 0; lines++) {
		json_t *line = json_loads(text, 0, NULL);
		assert_non_null(line);
		use(line);
		json_decref(line);
		sw_arena_clear(arena);
	}
	free(text);
	fclose(in);
	return lines;
}

static const char *text_of(json_t *line, const char *key)
{
	return json_string_value(json_object_get(line, key));
}

static void compare_loops(json_t *line, const sw_schedule *schedule)
{
	json_t *loops = json_object_get(line, "loops");

	assert_int_equal(schedule->loops, json_array_size(loops));
	for (int k = 0; k < schedule->loops; k++)
		if (!sw_str_is(schedule->loop[k].name, json_string_value(json_array_get(loops, (size_t)k))))
			fail_msg("%s: loop %d is %.*s", text_of(line, "name"), k, (int)schedule->loop[k].name.length,
				schedule->loop[k].name.at);
}

static void read_line(json_t *line)
{
	sw_schedule_problem problem;
	sw_text text = {0};
	sw_diag diag = {0};
	int refused = -1;

	if (!schedule_problem(line, arena, &problem, &diag))
		fail_msg("%s: %s", text_of(line, "name"), diag.message);
	const sw_schedule *schedule = schedule_of(line, &problem, arena, &refused, &diag);
	if (schedule == NULL)
		fail_msg("%s: command %d: %s", text_of(line, "name"), refused, diag.message);
	compare_loops(line, schedule);
	sw_schedule_print(schedule, &text);
	assert_string_equal(sw_text_get(&text), text_of(line, "notation"));
	sw_text_free(&text);
}

static void loops_and_notation_are_those_of_the_cases(void **state)
{
	(void)state;
	assert_true(each_line("distal-schedules.jsonl", read_line) > 10);
}

/* The code that belongs to the name of an error. */
static sw_code code_of(const char *name, char when)
{
	for (int k = 0; sw_schedule_error_at(k) != NULL; k++)
		if (strcmp(sw_schedule_error_at(k)->name, name) == 0 && sw_schedule_error_at(k)->when == when)
			return sw_schedule_error_at(k)->code;
	fail_msg("no code belongs to %s", name);
	return SW_OK;
}

static void compare_refusal(json_t *line, const char *where, char when, const sw_diag *diag)
{
	const char *name = text_of(line, "name");

	if (strcmp(where, text_of(line, "where")) != 0)
		fail_msg("%s: refused in %s: %s", name, where, diag->message);
	if (diag->code != code_of(text_of(line, "error"), when))
		fail_msg("%s: refused as %s: %s", name, sw_code_info_of(diag->code)->name, diag->message);
	assert_true(diag->expected[0] != '\0' || diag->hint[0] != '\0');
	assert_true(when == 'L' || diag->at.end > diag->at.begin);
}

static void refuse_line(json_t *line)
{
	sw_schedule_problem problem;
	sw_diag diag = {0};
	char where[32];
	int refused = -1;

	if (strncmp(text_of(line, "where"), "distribution", 12) == 0)
		return;
	if (!schedule_problem(line, arena, &problem, &diag)) {
		compare_refusal(line, "statement", 'S', &diag);
		return;
	}
	const sw_schedule *schedule = schedule_of(line, &problem, arena, &refused, &diag);
	if (schedule == NULL) {
		snprintf(where, sizeof where, "schedule %d", refused);
		compare_refusal(line, where, 'C', &diag);
		return;
	}
	assert_null(sw_lowering_of(schedule, arena, &diag));
	compare_refusal(line, "lowering", 'L', &diag);
}

static void what_the_cases_refuse_is_refused(void **state)
{
	(void)state;
	assert_true(each_line("distal-illegal.jsonl", refuse_line) > 10);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(loops_and_notation_are_those_of_the_cases),
		TEST(what_the_cases_refuse_is_refused),
	};
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
