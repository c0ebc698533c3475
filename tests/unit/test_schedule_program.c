/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules as programs: printed, written and read back, executed in this process, with the checksums of a reference that was written apart.
 */
#include "kit.h"

#include <string.h>

#include <shardwalk/distribution.h>
#include <shardwalk/planned.h>
#include <shardwalk/schedule_program.h>
#include <shardwalk/simulate.h>

#include "arena.h"
#include "cases.h"
#include "schedules.h"

/* ---- a line as a program ---- */

/* A single value is had where a device is defined. */
static bool home_region(const void *of, int64_t device, sw_arena *in, sw_region *region)
{
	return sw_holding_region(of, device, in, region);
}

static bool home_defined(const void *of, int64_t device)
{
	const sw_holding *home = of;

	return home->rank > 0 || sw_holding_size(home, device) > 0;
}

static void type_of_home(const sw_schedule_problem *problem, int k, sw_array_type *type)
{
	const sw_formula_array *array = &problem->formula.array[k];
	sw_type plain = {.dtype = SW_F64, .dtype_given = true, .rank = array->rank};
	const sw_holding_rule rule = {home_region, home_defined, problem->home[k], NULL};
	sw_holding home;
	sw_diag diag = {0};

	sw_holding_of_rule(problem->mesh->devices, array->rank, array->size, &rule, &home);
	memcpy(plain.global, array->size, sizeof plain.global);
	memcpy(plain.tile, array->size, sizeof plain.tile);
	*type = (sw_array_type){.known = false};
	if (!sw_array_type_of(problem->mesh, &home, &plain, arena, type, &diag))
		fail_msg("%s", diag.message);
	type->type.dtype = SW_F64;
	type->type.dtype_given = true;
}

static const sw_schedule *schedule_of_line(json_t *line, sw_schedule_problem *problem)
{
	const char *name = json_string_value(json_object_get(line, "name"));
	sw_diag diag = {0};
	int refused = 0;

	if (!schedule_problem(line, arena, problem, &diag))
		fail_msg("%s: %s", name, diag.message);
	const sw_schedule *schedule = schedule_of(line, problem, arena, &refused, &diag);
	if (schedule == NULL)
		fail_msg("%s: %s", name, diag.message);
	return schedule;
}

static void program_of_line(json_t *line, sw_program *planned)
{
	const char *name = json_string_value(json_object_get(line, "name"));
	sw_schedule_problem *problem = sw_arena_zero(arena, 1, sizeof *problem);
	const sw_schedule *schedule = schedule_of_line(line, problem);
	sw_array_type *type = sw_arena_zero(arena, (size_t)problem->formula.arrays, sizeof *type);
	const sw_plan_options none = {.strategy = SW_DIRECT};
	sw_program program;
	sw_diag diag = {0};

	for (int k = 0; k < problem->formula.arrays; k++)
		type_of_home(problem, k, &type[k]);
	if (!sw_program_of_schedule(schedule, type, arena, &program, &diag) ||
		!sw_program_plan(&program, NULL, &none, arena, planned, &diag))
		fail_msg("%s: %s", name, diag.message);
}

typedef void (*use_line)(json_t *line, const sw_program *program);

/* Small lines; large ones have no walk. */
static void each_line(use_line use)
{
	FILE *in = cases_open("distal-schedules.jsonl");
	char *text = NULL;
	size_t room = 0;

	assert_non_null(in);
	while (getline(&text, &room, in) > 0) {
		json_t *line = json_loads(text, 0, NULL);
		sw_program program;
		assert_non_null(line);
		if (json_object_get(line, "checksum") != NULL) {
			program_of_line(line, &program);
			use(line, &program);
		}
		json_decref(line);
		sw_arena_clear(arena);
	}
	free(text);
	fclose(in);
}

/* ---- executed ---- */

static void simulate(json_t *line, const sw_program *program)
{
	const char *name = json_string_value(json_object_get(line, "name"));
	sw_simulated result;
	sw_diag diag = {0};

	if (!sw_simulate(program, NULL, &result, &diag))
		fail_msg("%s: %s", name, diag.message);
	if (!result.right)
		fail_msg("%s: step %d device %d: %g, not %g", name, result.wrong.step, (int)result.wrong.device,
			result.wrong.found, result.wrong.expected);
	assert_true(result.exact);
	if (result.checksum != json_integer_value(json_object_get(line, "checksum")))
		fail_msg("%s: the checksum is %lld", name, (long long)result.checksum);
}

static void each_line_is_executed(void **state)
{
	(void)state;
	each_line(simulate);
}

/* ---- written and read ---- */

static void read_back(json_t *line, const sw_program *program)
{
	const char *name = json_string_value(json_object_get(line, "name"));
	sw_text first = {0}, second = {0};
	sw_program read;
	sw_diag diag = {0};

	if (!sw_program_write(program, 0, &first, &diag) ||
		!sw_program_read((sw_str){sw_text_get(&first), first.length}, arena, &read, &diag) ||
		!sw_program_write(&read, 0, &second, &diag))
		fail_msg("%s: %s\n%s", name, diag.message, sw_text_get(&first));
	assert_string_equal(sw_text_get(&first), sw_text_get(&second));
	sw_text_free(&first);
	sw_text_free(&second);
}

static void each_line_is_read_back(void **state)
{
	(void)state;
	each_line(read_back);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(each_line_is_executed),
		TEST(each_line_is_read_back),
	};
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
