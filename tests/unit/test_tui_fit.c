/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Answers in a window of another width: sentences read as if they had been answered there, in a narrower one and in a wider one; tables stay.
 */
#include "kit/stage.h"

#include <locale.h>

#include "screen/output.h"

#define NARROW 60
#define WIDE 98

static const struct fit_row {
	const char *name, *lines;
} rows[] = {
	{"a sentence", "about"},
	{"sentences of a topic", "explain T04"},
	{"sentences of a collective", "explain alltoall"},
	{"a message", "mesh {x: 4}\nmesh {x: 4 y}"},
};

/* The rows of what was answered at one width, shown at another. */
static void fitted(const char *lines, int answered, int shown, sw_text *text)
{
	struct session session;
	struct screen *screen = stage_open(&session, "");
	struct canvas out = {0};
	int at = 0;
	look(screen, answered, 24, NULL);
	type_lines(screen, lines);
	output_fit(screen, 0, shown, &out, &at);
	canvas_print(&out, &(struct canvas_style){0}, text);
	canvas_free(&out);
	stage_close(&session);
}

static void check_fit(void **state)
{
	const struct fit_row *row = *state;
	static const int widths[][2] = {{NARROW, WIDE}, {WIDE, NARROW}};
	for (int i = 0; i < 2; i++) {
		sw_text there = {0}, here = {0};
		fitted(row->lines, widths[i][0], widths[i][1], &there);
		fitted(row->lines, widths[i][1], widths[i][1], &here);
		assert_true(here.length > 0);
		assert_string_equal(sw_text_get(&there), sw_text_get(&here));
		sw_text_free(&there);
		sw_text_free(&here);
	}
}

/* Without a change of the window nothing changes, and the row of an answer stays its own. */
static void check_row_of_answer(void **state)
{
	struct session session;
	struct screen *screen = stage_open(&session, "");
	struct canvas out = {0};
	(void)state;
	look(screen, NARROW, 24, NULL);
	type_lines(screen, "explain allgather\nexplain alltoall");
	int at = screen->answer_at;
	output_fit(screen, 0, NARROW, &out, &at);
	assert_int_equal(at, screen->answer_at);
	assert_int_equal(out.height, screen->output.height);
	at = screen->answer_at;
	output_fit(screen, 0, WIDE, &out, &at);
	assert_true(at < screen->answer_at && at > 0);
	assert_int_equal(canvas_glyph_at(&out, 0, at, false), '>');
	canvas_free(&out);
	stage_close(&session);
}

int main(void)
{
	enum { ROWS_MANY = sizeof(rows) / sizeof(*rows) };
	struct CMUnitTest tests[ROWS_MANY + 1];
	setlocale(LC_ALL, "C.UTF-8");
	for (int k = 0; k < ROWS_MANY; k++)
		tests[k] =
			(struct CMUnitTest){.name = rows[k].name, .test_func = check_fit, .initial_state = (void *)&rows[k]};
	tests[ROWS_MANY] = (struct CMUnitTest)cmocka_unit_test(check_row_of_answer);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
