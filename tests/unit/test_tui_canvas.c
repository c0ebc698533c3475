/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The canvas: widths of text, lines that join, bars, both alphabets, every colour scheme.
 */
#include <locale.h>
#include <math.h>

#include "canvas/canvas.h"
#include "kit/kit.h"

static const struct canvas_style unicode = {0}, ascii = {.ascii = true};

static void assert_prints(const struct canvas *canvas, const struct canvas_style *style, const char *expected)
{
	sw_text text = {0};
	canvas_print(canvas, style, &text);
	assert_string_equal(sw_text_get(&text), expected);
	sw_text_free(&text);
}

static struct canvas canvas_of(int width)
{
	struct canvas canvas = {0};
	canvas_reset(&canvas, width);
	return canvas;
}

static const struct width_row {
	const char *text;
	int width;
} widths[] = {{"", 0}, {"abc", 3}, {"größe", 5}, {"日本", 4}, {"e\xcc\x81", 1}, {"\xcc\x81", 1}, {"a\tb", 3},
	{"\xff\xfe", 2}, {"\xe2\x80\xae", 1}, {"\xc0\xaf", 2}, {"\xed\xa0\x80", 3}, {"\xf0\x9f\x98\x80", 2},
	{"\xe2\x82", 2}};

static void text_knows_its_width(void **state)
{
	const struct width_row *row = *state;
	assert_int_equal(canvas_text_width(row->text), row->width);
}

static void text_is_cut_with_an_ellipsis(void **state)
{
	(void)state;
	struct canvas canvas = canvas_of(20);
	assert_int_equal(canvas_put_cut(&canvas, 0, 0, 5, ROLE_TEXT, "rotation"), 5);
	canvas_put_cut(&canvas, 0, 1, 5, ROLE_TEXT, "日本語文");
	canvas_put_cut(&canvas, 0, 2, 8, ROLE_TEXT, "rotation");
	canvas_put_right(&canvas, 0, 3, 6, ROLE_TEXT, "42");
	canvas_put_right(&canvas, 0, 4, 3, ROLE_TEXT, "12345");
	assert_int_equal(canvas_put_end(&canvas, 0, 5, 5, ROLE_TEXT, "rotation"), 5);
	canvas_put_end(&canvas, 0, 6, 6, ROLE_TEXT, "日本語文");
	canvas_put_end(&canvas, 0, 7, 8, ROLE_TEXT, "rotation");
	assert_int_equal(canvas_put_end(&canvas, 3, 8, 0, ROLE_TEXT, "rotation"), 3);
	assert_prints(&canvas, &unicode, "rota…\n日本…\nrotation\n    42\n12…\n…tion\n…語文\nrotation\n");
	assert_prints(&canvas, &ascii, "rota~\n? ? ~\nrotation\n    42\n12~\n~tion\n~? ?\nrotation\n");
	canvas_free(&canvas);
}

static void text_is_clipped_at_every_edge(void **state)
{
	(void)state;
	struct canvas canvas = canvas_of(4);
	canvas_put(&canvas, -2, 0, ROLE_TEXT, "abcdefgh");
	canvas_put(&canvas, 0, -1, ROLE_TEXT, "no");
	canvas_put(&canvas, 3, 1, ROLE_TEXT, "日");
	canvas_put(&canvas, 2, 2, ROLE_TEXT, "日");
	assert_prints(&canvas, &unicode, "cdef\n\n  日\n");
	canvas_put(&canvas, 3, 2, ROLE_TEXT, "x");
	assert_prints(&canvas, &unicode, "cdef\n\n   x\n");
	canvas_free(&canvas);
}

static void text_wraps_at_blanks_that_break(void **state)
{
	(void)state;
	struct canvas canvas = canvas_of(10);
	int y = canvas_put_wrapped(&canvas, 0, 0, 10, 2, ROLE_TEXT, "cost 28\u00a0672 values, abcdefghijkl");
	assert_int_equal(y, 5);
	assert_prints(&canvas, &unicode, "cost\n  28 672\n  values,\n  abcdefgh\n  ijkl\n");
	canvas_free(&canvas);
}

static void lines_join_where_they_meet(void **state)
{
	(void)state;
	struct canvas canvas = canvas_of(9);
	canvas_box(&canvas, 0, 0, 5, 3, ROLE_BORDER, 0);
	canvas_box(&canvas, 4, 0, 5, 3, ROLE_BORDER, 0);
	canvas_hline(&canvas, 0, 1, 5, ROLE_BORDER, 0);
	canvas_vline(&canvas, 2, 0, 3, ROLE_BORDER, 0);
	assert_prints(&canvas, &unicode, "┌─┬─┬───┐\n├─┼─┤   │\n└─┴─┴───┘\n");
	assert_prints(&canvas, &ascii, "+-+-+---+\n+-+-+   |\n+-+-+---+\n");
	canvas_free(&canvas);
}

static void lines_have_weights(void **state)
{
	(void)state;
	struct canvas canvas = canvas_of(5);
	canvas_hline(&canvas, 0, 0, 5, ROLE_WALL, LINE_HEAVY);
	canvas_hline(&canvas, 0, 1, 5, ROLE_BUDGET, LINE_DASHED);
	canvas_vline(&canvas, 2, 2, 2, ROLE_BUDGET, LINE_DASHED);
	canvas_vline(&canvas, 4, 2, 2, ROLE_BUDGET, LINE_HEAVY);
	assert_prints(&canvas, &unicode, "━━━━━\n╌╌╌╌╌\n  ╎ ┃\n  ╎ ┃\n");
	assert_prints(&canvas, &ascii, "=====\n:::::\n  : H\n  : H\n");
	canvas_hline(&canvas, 0, 2, 5, ROLE_BORDER, 0);
	assert_prints(&canvas, &unicode, "━━━━━\n╌╌╌╌╌\n──┬─┒\n  ╎ ┃\n");
	assert_prints(&canvas, &ascii, "=====\n:::::\n--+-H\n  : H\n");
	canvas_hline(&canvas, 0, 1, 5, ROLE_BUDGET, LINE_DOTTED);
	assert_prints(&canvas, &ascii, "=====\n.....\n--+-H\n  : H\n");
	canvas_free(&canvas);
}

static void bars_have_eighths(void **state)
{
	(void)state;
	struct canvas canvas = canvas_of(4);
	canvas_bar(&canvas, 0, 0, 4, ROLE_BAR, 5, 8);
	canvas_bar(&canvas, 0, 1, 4, ROLE_BAR, 0, 8);
	canvas_bar(&canvas, 0, 2, 4, ROLE_BAR, 1e-9, 8);
	canvas_bar(&canvas, 0, 3, 4, ROLE_BAR, 99, 8);
	assert_prints(&canvas, &unicode, "██▌\n\n▏\n████\n");
	assert_prints(&canvas, &ascii, "##=\n\n-\n####\n");
	canvas_reset(&canvas, 4);
	canvas_bar_up(&canvas, 0, 1, 2, ROLE_BAR, 3, 4);
	canvas_bar_up(&canvas, 1, 1, 2, ROLE_BAR, 4, 4);
	assert_prints(&canvas, &unicode, "▄█\n██\n");
	canvas_free(&canvas);
}

static void copies_stay_inside(void **state)
{
	(void)state;
	struct canvas from = canvas_of(6), to = canvas_of(5);
	canvas_put(&from, 0, 0, ROLE_TEXT, "abcdef");
	canvas_put(&from, 0, 1, ROLE_TEXT, "ghijkl");
	canvas_copy_area(&to, 1, 0, &from, &(struct canvas_area){2, 0, 100, 100});
	assert_prints(&to, &unicode, " cdef\n ijkl\n");
	canvas_free(&from);
	canvas_free(&to);
}

static void colours_are_escape_sequences(void **state)
{
	(void)state;
	struct canvas canvas = canvas_of(12);
	canvas_put(&canvas, 0, 0, ROLE_AXIS1, "x");
	canvas_put(&canvas, 2, 0, ROLE_AXIS1, "x");
	canvas_put(&canvas, 4, 0, ROLE_TEXT, "t");
	assert_prints(&canvas, &unicode, "x x t\n");
	assert_prints(&canvas, &(struct canvas_style){.colors = 256}, "\033[0;38;5;74mx x \033[0mt\n");
	assert_prints(&canvas, &(struct canvas_style){.colors = 8}, "\033[0;36mx x \033[0mt\n");
	assert_prints(&canvas, &(struct canvas_style){.colors = 256, .light = true},
		"\033[0;38;5;16;48;5;74mx\033[0m \033[0;38;5;16;48;5;74mx\033[0m t\n");
	canvas_free(&canvas);
}

static bool looks_alike(struct canvas_look a, struct canvas_look b)
{
	return a.foreground == b.foreground && a.background == b.background && a.bold == b.bold && a.faint == b.faint &&
		a.underline == b.underline && a.reverse == b.reverse;
}

/* Seven axes are seven looks, with any number of colours and on any background. */
static void axes_differ_in_every_scheme(void **state)
{
	(void)state;
	static const int colors[] = {0, 8, 16, 256};
	for (int scheme = 0; scheme < 8; scheme++) {
		struct canvas_style style = {.colors = colors[scheme / 2], .light = scheme % 2, .attributes = true};
		for (int a = 0; a < 7; a++)
			for (int b = 0; b < a; b++)
				assert_false(
					looks_alike(canvas_look_of(role_of_axis(a), &style), canvas_look_of(role_of_axis(b), &style)));
	}
	assert_int_equal(role_of_axis(7), role_of_axis(0));
}

/* A scheme uses no colour that its terminal does not have. */
static void schemes_keep_to_their_colours(void **state)
{
	(void)state;
	static const int colors[] = {0, 8, 16, 256};
	for (int scheme = 0; scheme < 8; scheme++) {
		struct canvas_style style = {.colors = colors[scheme / 2], .light = scheme % 2, .attributes = true};
		for (int role = 0; role < ROLE_COUNT; role++) {
			struct canvas_look look = canvas_look_of(role, &style);
			assert_true(look.foreground < style.colors || look.foreground == -1);
			assert_true(look.background < style.colors || look.background == -1);
			assert_true(role_name(role)[0] && role_about(role));
		}
	}
}

/* ---- contrast ---- */

/* How bright one of the 256 colours above the first 16 is, by the definition of WCAG. */
static double luminance(int color)
{
	static const int steps[] = {0, 95, 135, 175, 215, 255};
	static const double weights[] = {0.2126, 0.7152, 0.0722};
	int cube = color - 16, grey = 8 + 10 * (color - 232);
	const int parts[] = {color < 232 ? steps[cube / 36] : grey, color < 232 ? steps[cube / 6 % 6] : grey,
		color < 232 ? steps[cube % 6] : grey};
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		double part = parts[i] / 255.0;
		sum += weights[i] * (part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
	}
	return sum;
}

/* Whatever has a colour is read on black, on white, and on the ground that it brings along. */
static void colours_can_be_read(void **state)
{
	(void)state;
	for (int light = 0; light < 2; light++) {
		const struct canvas_style style = {.colors = 256, .light = light, .attributes = true};
		for (int role = 0; role < ROLE_COUNT; role++) {
			struct canvas_look look = canvas_look_of(role, &style);
			if (look.foreground < 16 || role == ROLE_UNLIT) /* on that nothing is written */
				continue;
			double a = luminance(look.foreground), b = look.background >= 16 ? luminance(look.background) : light;
			double contrast = a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
			if (contrast < 2.9)
				fail_msg("%s on %s: %d, contrast %.2f", role_name(role), light ? "white" : "black", look.foreground,
					contrast);
		}
	}
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(text_knows_its_width, widths, text),
		TEST(text_is_cut_with_an_ellipsis),
		TEST(text_is_clipped_at_every_edge),
		TEST(text_wraps_at_blanks_that_break),
		TEST(lines_join_where_they_meet),
		TEST(lines_have_weights),
		TEST(bars_have_eighths),
		TEST(copies_stay_inside),
		TEST(colours_are_escape_sequences),
		TEST(axes_differ_in_every_scheme),
		TEST(schemes_keep_to_their_colours),
		TEST(colours_can_be_read),
	};
	if (!setlocale(LC_ALL, "C.UTF-8"))
		return 77;
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
