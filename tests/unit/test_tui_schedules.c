/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Views of schedules: drawn of all recorded lines, at every step, in many widths and heights; what they say agrees with these lines.
 */
#include <locale.h>
#include <stdlib.h>

#include "kit/kit.h"

#include "kit/arena.h"
#include "kit/cases.h"
#include "kit/schedules.h"
#include "views/held_words.h"
#include "views/views.h"

static const int widths[] = {1, 24, 40, 80, 120, 200};
static const int heights[] = {0, 10, 24, 60};

/* ---- lines ---- */

static int each_lowering(void (*use)(const sw_lowering *lowering, json_t *line))
{
	FILE *in = cases_open("distal-schedules.jsonl");
	char *text = NULL;
	size_t room = 0;
	int lines = 0;

	assert_non_null(in);
	for (; getline(&text, &room, in) > 0; lines++) {
		json_t *line = json_loads(text, 0, NULL);
		sw_schedule_problem problem;
		const sw_schedule *schedule;
		int refused;
		assert_non_null(line);
		assert_true(schedule_problem(line, arena, &problem, NULL));
		schedule = schedule_of(line, &problem, arena, &refused, NULL);
		assert_non_null(schedule);
		use(sw_lowering_of(schedule, arena, NULL), line);
		json_decref(line);
		sw_arena_clear(arena);
	}
	free(text);
	fclose(in);
	return lines;
}

/* ---- pictures ---- */

static void check_rows(const char *text, int width)
{
	for (const char *end; *text != '\0'; text = end + 1) {
		char row[4096];
		end = strchr(text, '\n');
		assert_non_null(end);
		assert_true((size_t)(end - text) < sizeof row);
		memcpy(row, text, (size_t)(end - text));
		row[end - text] = '\0';
		assert_true(canvas_text_width(row) <= width);
	}
}

static void check_ascii(const char *text)
{
	for (; *text != '\0'; text++)
		assert_true(*text == '\n' || (*text >= ' ' && *text <= '~'));
}

static void draw_one(const struct view *view, const struct schedule_look *look, const struct view_options *options)
{
	const struct view_input in = {.mesh = look->schedule->problem->mesh, .schedule = look};
	struct canvas canvas = {0};
	sw_text unicode = {0}, ascii = {0};
	sw_diag diag = {.code = SW_OK};

	if (!view->draw(&in, options, &canvas, &diag))
		fail_msg("%s: %s", view->name, diag.message);
	assert_false(canvas.failed);
	canvas_print(&canvas, &(struct canvas_style){.ascii = false}, &unicode);
	canvas_print(&canvas, &(struct canvas_style){.ascii = true}, &ascii);
	check_rows(sw_text_get(&unicode), options->width);
	check_rows(sw_text_get(&ascii), options->width);
	check_ascii(sw_text_get(&ascii));
	sw_text_free(&unicode);
	sw_text_free(&ascii);
	canvas_free(&canvas);
}

static void draw_line(const sw_lowering *lowering, json_t *line)
{
	static const char *const names[] = {"loops", "holds", "execution", "needs", "traffic"};
	static int turn;
	(void)line;

	assert_non_null(lowering);
	for (size_t v = 0; v < COUNT(names); v++, turn++) {
		const struct schedule_look look = {.schedule = lowering->schedule,
			.lowering = lowering,
			.step = turn % (lowering->steps + 1)};
		struct view_options options = view_options_default(widths[turn % (int)COUNT(widths)]);
		options.height = heights[turn / 2 % (int)COUNT(heights)];
		options.device = turn % 3 == 0 ? 0 : VIEW_ALL;
		if (options.width >= VIEW_MIN_WIDTH)
			draw_one(view_named(sw_str_of(names[v])), &look, &options);
	}
}

static void all_lines_are_drawn(void **state)
{
	(void)state;
	assert_true(each_lowering(draw_line) > 20);
}

/* ---- words ---- */

/* Who receives in a step has a word that arrives, and nobody else has. */
static void check_words(const sw_lowering *lowering, int64_t step)
{
	const struct schedule_look look = {.schedule = lowering->schedule, .lowering = lowering, .step = step + 1};
	struct held_words words;

	assert_true(held_words_of(&look, arena, &words));
	for (int k = 0; k < words.arrays; k++)
		for (int64_t p = 0; p < words.processors; p++) {
			bool comes = false, goes = false;
			for (int64_t n = 0; n < words.messages.count; n++) {
				const sw_schedule_message *message = &words.messages.message[n];
				bool input = words.array[k] > 0 && message->fetch == words.fetch[k];
				bool output = words.array[k] == 0 && message->fetch == words.fetch[k];
				comes = comes || (input && message->to == p);
				goes = goes || (output && message->from == p);
			}
			const struct held_word *word = &words.word[p * words.arrays + k];
			assert_int_equal(word->arrives, comes);
			assert_int_equal(word->leaves, goes);
			assert_int_equal(strstr(word->text, "=>") != NULL, goes);
		}
}

static void check_line(const sw_lowering *lowering, json_t *line)
{
	(void)line;
	for (int64_t step = 0; step < lowering->steps && step < 6; step++)
		check_words(lowering, step);
}

static void words_are_those_of_messages(void **state)
{
	(void)state;
	assert_true(each_lowering(check_line) > 20);
}

/* Before the first step each processor has its homes, and nothing moves. */
static void check_homes(const sw_lowering *lowering, json_t *line)
{
	const struct schedule_look look = {.schedule = lowering->schedule, .lowering = lowering, .step = 0};
	int levels = sw_mesh_levels(lowering->schedule->problem->mesh);
	struct held_words words;
	(void)line;

	assert_true(held_words_of(&look, arena, &words));
	assert_int_equal(words.arrays, lowering->schedule->problem->formula.arrays);
	for (int64_t p = 0; p < words.processors; p++)
		for (int k = 0; k < words.arrays; k++) {
			sw_boxes home;
			sw_lowering_home(lowering, words.array[k], levels, p, &home);
			assert_int_equal(*words.word[p * words.arrays + k].text != '\0', home.count > 0);
			assert_false(words.word[p * words.arrays + k].arrives);
		}
}

static void nothing_is_fetched_before_the_first_step(void **state)
{
	(void)state;
	assert_true(each_lowering(check_homes) > 20);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(all_lines_are_drawn),
		TEST(words_are_those_of_messages),
		TEST(nothing_is_fetched_before_the_first_step),
	};
	if (setlocale(LC_ALL, "C.UTF-8") == NULL)
		return 77;
	return kit_run(tests, COUNT(tests), arena_start, arena_end);
}
