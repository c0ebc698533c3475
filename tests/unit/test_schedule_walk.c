/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules lowered and walked: needs, messages, patterns, memory, step by step, as a reference has them that was written apart.
 */
#include "kit.h"

#include "arena.h"
#include "cases.h"
#include "schedules.h"

/* ---- a line ---- */

typedef struct one {
	json_t *line;
	const char *name;
	sw_schedule_problem problem;
	const sw_lowering *lowering;
	const sw_formula *formula;
	int levels;
} one;

typedef void (*use_one)(const one *of);

static void lower_line(json_t *line, use_one use)
{
	one of = {.line = line, .name = json_string_value(json_object_get(line, "name"))};
	sw_diag diag = {0};
	int refused = 0;

	if (!schedule_problem(line, arena, &of.problem, &diag))
		fail_msg("%s: %s", of.name, diag.message);
	const sw_schedule *schedule = schedule_of(line, &of.problem, arena, &refused, &diag);
	of.lowering = schedule != NULL ? sw_lowering_of(schedule, arena, &diag) : NULL;
	if (of.lowering == NULL)
		fail_msg("%s: %s", of.name, diag.message);
	of.formula = &of.problem.formula;
	of.levels = (int)sw_mesh_levels(of.problem.mesh);
	use(&of);
}

static void each_line(use_one use)
{
	FILE *in = cases_open("distal-schedules.jsonl");
	char *text = NULL;
	size_t room = 0;

	assert_non_null(in);
	while (getline(&text, &room, in) > 0) {
		json_t *line = json_loads(text, 0, NULL);
		assert_non_null(line);
		lower_line(line, use);
		json_decref(line);
		sw_arena_clear(arena);
	}
	free(text);
	fclose(in);
}

/* ---- totals ---- */

static void compare_list(const one *of, const char *key, const int64_t *list, int64_t count)
{
	json_t *wanted = json_object_get(of->line, key);

	if (wanted == NULL)
		return;
	assert_int_equal(json_array_size(wanted), count);
	for (int64_t k = 0; k < count; k++)
		if (json_integer_value(json_array_get(wanted, (size_t)k)) != list[k])
			fail_msg("%s: %s of %d is %lld, not %lld", of->name, key, (int)k, (long long)list[k],
				(long long)json_integer_value(json_array_get(wanted, (size_t)k)));
}

static void compare_number(const one *of, const char *key, int64_t number)
{
	int64_t wanted = json_integer_value(json_object_get(of->line, key));

	if (wanted != number)
		fail_msg("%s: %s is %lld, not %lld", of->name, key, (long long)number, (long long)wanted);
}

static void compare_totals(const one *of, const sw_schedule_totals *totals)
{
	json_t *volumes = json_object_get(of->line, "volumes");
	int64_t processors = of->problem.mesh->devices, by_level[2] = {totals->between, totals->inside};
	char name[64];

	compare_number(of, "steps", of->lowering->steps);
	compare_number(of, "volume", totals->volume);
	for (int k = 0; k < of->formula->arrays; k++) {
		snprintf(name, sizeof name, "%.*s", (int)of->formula->array[k].name.length, of->formula->array[k].name.at);
		if (json_integer_value(json_object_get(volumes, name)) != totals->volumes[k])
			fail_msg("%s: volume of %s is %lld", of->name, name, (long long)totals->volumes[k]);
	}
	compare_list(of, "received", totals->received, processors);
	compare_list(of, "held", totals->held, processors);
	compare_list(of, "peak", totals->peak, processors);
	compare_list(of, "peak_overlap", totals->peak_overlap, processors);
	compare_list(of, "flops", totals->flops, processors);
	if (of->levels > 1) {
		compare_list(of, "volume_by_level", by_level, 2);
		compare_list(of, "node_peak", totals->node_peak, sw_schedule_units(of->problem.mesh, 1));
	}
}

static void add_up(const one *of)
{
	sw_schedule_totals totals;
	sw_diag diag = {0};

	assert_true(sw_lowering_totals(of->lowering, false, NULL, arena, &totals, &diag));
	compare_totals(of, &totals);
	assert_true(sw_lowering_totals(of->lowering, true, NULL, arena, &totals, &diag));
	compare_totals(of, &totals);
	compare_list(of, "sent", totals.sent, of->problem.mesh->devices);
}

static void totals_are_those_of_the_cases(void **state)
{
	(void)state;
	each_line(add_up);
}

/* ---- steps ---- */

static void tag_of(const one *of, int fetch, char *tag, size_t size)
{
	const sw_fetch *is = &of->lowering->fetch[fetch];
	sw_str name = of->formula->array[is->array].name;

	if (of->levels > 1)
		snprintf(tag, size, "%.*s@%d", (int)name.length, name.at, is->level);
	else
		snprintf(tag, size, "%.*s", (int)name.length, name.at);
}

static json_t *json_of_box(const int64_t *box, int rank)
{
	json_t *json = json_array();

	for (int d = 0; d < rank; d++)
		json_array_append_new(json, json_pack("[II]", (json_int_t)box[2 * d], (json_int_t)box[2 * d + 1]));
	return json;
}

static json_t *json_of_need(const one *of, int fetch, int64_t step)
{
	json_t *json = json_object();
	int level = of->lowering->fetch[fetch].level;
	char unit_name[32];
	sw_boxes need;

	for (int64_t unit = 0; unit < sw_schedule_units(of->problem.mesh, level); unit++) {
		json_t *list = json_array();
		if (sw_lowering_idle(of->lowering, level, unit)) {
			json_decref(list);
			continue;
		}
		assert_true(sw_lowering_need(of->lowering, fetch, step, unit, arena, &need));
		for (int k = 0; k < need.count; k++)
			json_array_append_new(list, json_of_box(need.at + (int64_t)k * 2 * need.rank, need.rank));
		snprintf(unit_name, sizeof unit_name, "%d", (int)unit);
		json_object_set_new(json, unit_name, list);
	}
	return json;
}

static void expect_json(const one *of, int64_t step, const char *key, json_t *wanted, json_t *found)
{
	if (!json_equal(wanted, found)) {
		char *a = json_dumps(wanted, JSON_COMPACT | JSON_ENCODE_ANY),
			 *b = json_dumps(found, JSON_COMPACT | JSON_ENCODE_ANY);
		fail_msg("%s, step %d, %s:\n%s, not\n%s", of->name, (int)step, key, b, a);
	}
	json_decref(found);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A list with its items in one order, whatever it was. */
static json_t *sorted(json_t *list)
{
	size_t count = json_array_size(list), k;
	char **text = malloc((count + 1) * sizeof *text);
	json_t *out = json_array();

	for (k = 0; k < count; k++)
		text[k] = json_dumps(json_array_get(list, k), JSON_COMPACT);
	qsort(text, count, sizeof *text, by_text);
	for (k = 0; k < count; k++) {
		json_array_append_new(out, json_string(text[k]));
		free(text[k]);
	}
	free(text);
	return out;
}

static json_t *json_of_messages(const one *of, const sw_schedule_message *message, int64_t count)
{
	json_t *json = json_array();
	char tag[80];

	for (int64_t k = 0; k < count; k++) {
		int array = of->lowering->fetch[message[k].fetch].array;
		tag_of(of, message[k].fetch, tag, sizeof tag);
		json_array_append_new(json,
			json_pack("[sIIo]", tag, (json_int_t)message[k].from, (json_int_t)message[k].to,
				json_of_box(message[k].box, of->formula->array[array].rank)));
	}
	return json;
}

static json_t *json_of_patterns(const one *of, const sw_schedule_messages *messages)
{
	json_t *json = json_object();
	sw_schedule_pattern pattern;
	char tag[80];

	for (int fetch = 0; fetch < of->lowering->fetches; fetch++) {
		assert_true(sw_lowering_pattern(of->lowering, fetch, messages, arena, &pattern));
		if (pattern.name == SW_SCHEDULE_PATTERN_NONE)
			continue;
		tag_of(of, fetch, tag, sizeof tag);
		json_t *one = json_pack("{ss}", "pattern", sw_schedule_pattern_word(pattern.name));
		if (pattern.name == SW_SCHEDULE_PATTERN_SHIFT) {
			json_t *offset = json_array();
			for (int axis = 0; axis < pattern.axes; axis++)
				json_array_append_new(offset, json_integer(pattern.offset[axis]));
			json_object_set_new(one, "offset", offset);
		}
		json_object_set_new(json, tag, one);
	}
	return json;
}

static void compare_step(const one *of, int64_t step, json_t *wanted)
{
	json_t *at = json_object(), *needs = json_object();
	sw_schedule_messages messages;
	int64_t value[64];
	char tag[80];

	sw_lowering_at(of->lowering, step, value);
	for (int k = 0; k < of->lowering->times; k++) {
		sw_str name = of->lowering->schedule->loop[of->lowering->time[k]].name;
		snprintf(tag, sizeof tag, "%.*s", (int)name.length, name.at);
		json_object_set_new(at, tag, json_integer(value[k]));
	}
	expect_json(of, step, "at", json_object_get(wanted, "at"), at);
	for (int fetch = 0; fetch < of->lowering->fetches; fetch++)
		if (sw_fetch_begins(&of->lowering->fetch[fetch], step)) {
			tag_of(of, fetch, tag, sizeof tag);
			json_object_set_new(needs, tag, json_of_need(of, fetch, step));
		}
	expect_json(of, step, "need", json_object_get(wanted, "need"), needs);
	assert_true(sw_lowering_messages(of->lowering, step, arena, &messages));
	int64_t ins = messages.count - messages.outs;
	json_t *in = json_of_messages(of, messages.message, ins),
		   *out = json_of_messages(of, ins > 0 ? messages.message + ins : messages.message, messages.outs);
	json_t *wanted_in = sorted(json_object_get(wanted, "in")), *wanted_out = sorted(json_object_get(wanted, "out"));
	expect_json(of, step, "in", wanted_in, sorted(in));
	expect_json(of, step, "out", wanted_out, sorted(out));
	expect_json(of, step, "patterns", json_object_get(wanted, "patterns"), json_of_patterns(of, &messages));
	json_decref(in);
	json_decref(out);
	json_decref(wanted_in);
	json_decref(wanted_out);
}

static void walk(const one *of)
{
	json_t *steps = json_object_get(of->line, "walk");

	if (steps == NULL)
		return;
	assert_int_equal(json_array_size(steps), of->lowering->steps);
	for (int64_t step = 0; step < of->lowering->steps; step++)
		compare_step(of, step, json_array_get(steps, (size_t)step));
}

static void steps_are_those_of_the_cases(void **state)
{
	(void)state;
	each_line(walk);
}

/* ---- runs ---- */

static void compare_result(const one *of, const sw_schedule_result *result)
{
	json_t *first = json_object_get(of->line, "first");

	compare_number(of, "sum", result->sum);
	compare_number(of, "checksum", result->checksum);
	assert_int_equal(json_array_size(first), result->firsts);
	compare_list(of, "first", result->first, result->firsts);
}

static void run_line(const one *of)
{
	sw_schedule_result result;
	sw_diag diag = {0};

	if (json_object_get(of->line, "sum") == NULL)
		return;
	assert_true(sw_schedule_reference(&of->problem, arena, &result, &diag));
	compare_result(of, &result);
	if (!sw_lowering_run(of->lowering, NULL, arena, &result, &diag))
		fail_msg("%s: %s", of->name, diag.message);
	compare_result(of, &result);
}

static void each_run_has_the_result_of_the_cases(void **state)
{
	(void)state;
	each_line(run_line);
}

/* ---- what figures and tables say ---- */

static const sw_lowering *lower_on(const char *axes, const char *chain)
{
	const sw_schedule_problem *problem = schedule_squares(axes, sw_str_of("A(i,j) = B(i,k) * C(k,j)"), arena, NULL);
	sw_diag diag = {0};
	const sw_schedule *schedule = sw_schedule_read(sw_schedule_new(problem, arena), sw_str_of(chain), arena, NULL,
		&diag);
	const sw_lowering *lowering = schedule != NULL ? sw_lowering_of(schedule, arena, &diag) : NULL;

	if (lowering == NULL)
		fail_msg("%s: %s", chain, diag.message);
	return lowering;
}

static const sw_lowering *lower(const char *chain)
{
	return lower_on("{x: 2, y: 2}", chain);
}

#define TILES ".distribute({i,j}, {io,jo}, {ii,ji}, Grid(2,2))"

/* More steps take less memory and move the same. */
static const struct trade {
	const char *chain;
	int64_t steps, volume, live;
} trades[] = {
	{TILES ".split(k, ko, ki, 3).reorder({ko,ii,ji,ki}).communicate(A, jo).communicate({B,C}, ko)", 2, 72, 45},
	{TILES ".split(k, ko, ki, 1).reorder({ko,ii,ji,ki}).communicate(A, jo).communicate({B,C}, ko)", 6, 72, 33},
	{TILES ".communicate({A,B,C}, jo)", 1, 72, 63},
};

static void memory_is_traded_for_messages(void **state)
{
	const struct trade *row = *state;
	const sw_lowering *lowering = lower(row->chain);
	sw_schedule_totals totals;

	assert_true(sw_lowering_totals(lowering, true, NULL, arena, &totals, NULL));
	assert_int_equal(lowering->steps, row->steps);
	assert_int_equal(totals.volume, row->volume);
	assert_int_equal(totals.most_peak, row->live);
	assert_int_equal(totals.idle, 0);
}

#define NINE \
	"# Arrange 9 processors into a grid of 3 x 3.\n" \
	"# Assign a tile of A to each processor.\n" \
	"# Assign a tile of B to each processor.\n" \
	"# Assign a tile of C to each processor.\n" \
	"for all P(io, jo) in parallel:\n"
#define NINTHS ".distribute({i,j}, {io,jo}, {ii,ji}, Grid(3,3))"

static const struct listing {
	const char *chain, *text;
} listings[] = {
	{NINTHS
		".split(k, ko, ki, 2).reorder({ko,ii,ji,ki}).communicate(A, jo).communicate({B,C}, ko).substitute({ii,ji,ki}, gemm)",
		NINE "    for ko in (0, 3):\n"
			 "        broadcast B  # 6 messages, 24 elements\n"
			 "        broadcast C  # 6 messages, 24 elements\n"
			 "        A(i,j) += B(i,k) * C(k,j)  # gemm\n"},
	{NINTHS
		".divide(k, ko, ki, 3).reorder({ko,ii,ji,ki}).rotate(ko, {io,jo}, kos).communicate(A, jo).communicate({B,C}, kos)"
		".substitute({ii,ji,ki}, gemm)",
		NINE "    # First, before this loop:\n"
			 "    permute B  # 6 messages, 24 elements\n"
			 "    permute C  # 6 messages, 24 elements\n"
			 "    for kos in (0, 3):\n"
			 "        ko = (kos + io + jo) mod 3\n"
			 "        shift B 1 space to the left  # 6 messages, 24 elements\n"
			 "        shift C 1 space up  # 6 messages, 24 elements\n"
			 "        A(i,j) += B(i,k) * C(k,j)  # gemm\n"},
	{".distribute({i,k}, {io,ko}, {ii,ki}, Grid(3,3)).communicate({A,B,C}, ko)",
		"# Arrange 9 processors into a grid of 3 x 3.\n"
		"# Assign a tile of A to each processor.\n"
		"# Assign a tile of B to each processor.\n"
		"# Assign a tile of C to each processor.\n"
		"for all P(io, ko) in parallel:\n"
		"    broadcast C  # 24 messages, 96 elements\n"
		"    for j in (0, 6):\n"
		"        for ii in (0, 2):\n"
		"            for ki in (0, 2):\n"
		"                A(i,j) += B(i,k) * C(k,j)\n"
		"    sum reduce A  # 18 messages, 72 elements\n"},
};

static void pseudocode_is_that_of_the_figures(void **state)
{
	const struct listing *row = *state;
	sw_text text = {0};

	assert_true(sw_lowering_print(lower_on("{x: 3, y: 3}", row->chain), arena, &text));
	assert_string_equal(sw_text_get(&text), row->text);
	sw_text_free(&text);
}

/* A loop over the inner part of a cut takes every third row: its bounds are all rows between. */
static void bounds_hold_more_than_what_is_touched(void **state)
{
	const sw_lowering *lowering = lower(
		".divide(i, io, ii, 3).reorder({ii, io}).distribute(ii).communicate({A,B,C}, ii)");
	sw_schedule_totals totals;
	sw_region touched;
	sw_boxes need;
	int fetch = sw_lowering_find(lowering, 1, 1);

	(void)state;
	assert_true(sw_lowering_need(lowering, fetch, 0, 2, arena, &need));
	assert_true(sw_lowering_touched(lowering, fetch, 0, 2, arena, &touched));
	assert_int_equal(sw_boxes_size(&need), 5 * 6);
	assert_int_equal(sw_region_size(&touched), 3 * 6);
	assert_true(sw_lowering_totals(lowering, false, NULL, arena, &totals, NULL));
	assert_true(sw_lowering_exact(lowering, NULL, &totals, NULL));
	assert_true(totals.exact < totals.volume);
	assert_int_equal(totals.idle, 2);
}

/* Processors begin with tiles of 9, and hold two more while they compute, four while the next arrive. */
static void live_memory_is_told_step_by_step(void **state)
{
	const sw_lowering *lowering = lower(TILES
		".divide(k, ko, ki, 2).reorder({ko,ii,ji,ki}).rotate(ko, {io,jo}, kos).communicate(A, jo).communicate({B,C}, kos)");

	(void)state;
	assert_int_equal(sw_lowering_live(lowering, 1, 0, 0, false, arena), 27);
	assert_int_equal(sw_lowering_live(lowering, 1, 0, 0, true, arena), 45);
	assert_int_equal(sw_lowering_live(lowering, 1, 0, 1, true, arena), 45);
	assert_int_equal(sw_lowering_live(lowering, 1, 1, 0, false, arena), 36);
}

/* Schedules that cannot run to their end stop when they are asked to. */
static bool stops(void *context, const char *what, long long done, long long total)
{
	(void)what;
	(void)done;
	(void)total;
	return ++*(int *)context < 2;
}

static void long_work_stops(void **state)
{
	const sw_lowering *lowering = lower(TILES ".communicate({A,B,C}, k)");
	sw_schedule_totals totals;
	sw_schedule_result result;
	sw_diag diag = {0};
	int asked = 0;
	sw_pulse pulse = {stops, &asked};

	(void)state;
	assert_false(sw_lowering_totals(lowering, true, &pulse, arena, &totals, &diag));
	assert_int_equal(diag.code, SW_S03);
	asked = 0;
	assert_false(sw_lowering_run(lowering, &pulse, arena, &result, &diag));
	assert_int_equal(diag.code, SW_S03);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(totals_are_those_of_the_cases),
		TEST(steps_are_those_of_the_cases),
		TEST(each_run_has_the_result_of_the_cases),
		NUMBERED(memory_is_traded_for_messages, trades),
		NUMBERED(pseudocode_is_that_of_the_figures, listings),
		TEST(bounds_hold_more_than_what_is_touched),
		TEST(live_memory_is_told_step_by_step),
		TEST(long_work_stops),
	};
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
