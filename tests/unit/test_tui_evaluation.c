/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Charts and the pictures of an evaluation: as in tests/views/evaluation.txt (UPDATE=1 writes it anew) in several widths, both
 * alphabets and colours; samples and what is said of them.
 */
#include <locale.h>
#include <math.h>

#include "canvas/chart.h"
#include "kit/kit.h"
#include "session/sample.h"
#include "views/draw.h"
#include "views/evaluation.h"

/* ---- samples ---- */

static const struct correlation_row {
	const char *name;
	double xs[6], ys[6];
	int count;
	double value;
} correlations[] = {
	{"the same order", {1, 2, 3, 4}, {10, 100, 1000, 1001}, 4, 1},
	{"the reverse", {1, 2, 3, 4}, {4, 3, 2, 1}, 4, -1},
	{"one exchanged", {1, 2, 3, 4}, {1, 2, 4, 3}, 4, 0.8},
	{"equal values", {1, 2, 2, 3}, {1, 2, 3, 4}, 4, 0.948683298050514},
	{"none", {1, 2, 3, 4}, {1, -1, -1, 1}, 4, 0},
};

static void correlation_is_of_ranks(void **state)
{
	const struct correlation_row *row = *state;
	assert_true(fabs(sample_rank_correlation(row->xs, row->ys, row->count) - row->value) < 1e-12);
	assert_true(fabs(sample_rank_correlation(row->ys, row->xs, row->count) - row->value) < 1e-12);
}

static void test_samples(void **state)
{
	(void)state;
	const double same[] = {3, 3, 3}, one[] = {2, 8};
	struct sample sample = {.count = 0};
	assert_true(isnan(sample_rank_correlation(same, same, 3)));
	assert_true(isnan(sample_rank_correlation(one, one, 1)));
	assert_true(fabs(sample_geometric_mean(one, 2) - 4) < 1e-12);
	assert_true(sample_geometric_mean(one, 0) <= 0);
	for (int i = 1000; i > 0; i--)
		assert_true(sample_add(&sample, i));
	sample_sort(&sample);
	assert_int_equal(sample.count, 1000);
	assert_true(fabs(sample_quantile(sample.value, sample.count, 0.5) - 501) < 0.5);
	assert_true(fabs(sample_quantile(sample.value, sample.count, 1) - 1000) < 0.5);
	sample_free(&sample);
}

/* ---- charts ---- */

static void plain(double value, sw_text *text)
{
	sw_text_addf(text, "%g", value);
}

static const struct axis_row {
	const char *name;
	double values[4], with;
	int count;
	double least, most;
} axes[] = {
	{"both ends", {4, 1, 16}, 0, 3, 1, 16},
	{"what has no logarithm is left out", {0, -1, 3, 12}, 0, 4, 3, 12},
	{"what it is to have", {4, 16}, 1, 2, 1, 16},
	{"an octave at least", {8, 8}, 0, 2, 8 / 1.4142135623730951, 8 * 1.4142135623730951},
	{"nothing", {0}, 0, 1, 1 / 1.4142135623730951, 1.4142135623730951},
};

static void axis_has_all_values(void **state)
{
	const struct axis_row *row = *state;
	struct chart_axis axis = chart_axis_of(row->values, row->count, row->with, plain);
	assert_true(fabs(axis.least - row->least) < 1e-9 && fabs(axis.most - row->most) < 1e-9);
}

/* Every value stands in exactly one bar or point, whatever the room. */
static void test_charts_fit(void **state)
{
	(void)state;
	const double xs[] = {1, 10, 100, 1000, 0}, ys[] = {1, 20, 50, 1000, 7};
	const struct chart_axis axis = chart_axis_of(xs, 5, 0, plain);
	const struct chart_scatter scatter = {axis, xs, ys, 5, "right", "up"};
	const struct chart_distribution distribution = {axis, xs, 5, NULL, 0};
	for (int width = 1; width < 90; width++) {
		struct canvas canvas = {0};
		canvas_reset(&canvas, width);
		int points = 0, y = chart_scatter_draw(&canvas, 0, width, 6, &scatter);
		for (int i = 0; i < canvas.width * canvas.height; i++) {
			uint32_t glyph = canvas.cells[i].glyph;
			points += glyph == 0x25cb || glyph == 0x25cf;
		}
		assert_int_equal(y > 0, width >= CHART_LEAST);
		if (width >= CHART_LEAST)
			assert_in_range(points, 3, 4);
		assert_true(chart_distribution_draw(&canvas, y, width, 4, &distribution) >= y);
		assert_false(canvas.failed);
		canvas_free(&canvas);
	}
}

/* ---- an evaluation ---- */

enum { PROBLEMS = 200 };

static double firsts[PROBLEMS], seconds[PROBLEMS], ratio[PROBLEMS], ones[PROBLEMS], searched[PROBLEMS];

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

/* Numbers of every size; a third of the pairs are equal, a few the other way round. */
static void fill(void)
{
	for (int i = 0; i < PROBLEMS; i++) {
		seconds[i] = 2e6 * pow(1.021, i);
		firsts[i] = seconds[i] * (i % 3 == 0 ? 1 : i % 17 == 0 ? 0.8 : 1 + (i % 7) / 2.0);
		ratio[i] = firsts[i] / seconds[i];
		ones[i] = 1;
		searched[i] = 1e-6 * pow(1.03, (i * 37) % PROBLEMS);
	}
	firsts[5] = seconds[5] = 0;
	qsort(ratio, PROBLEMS, sizeof *ratio, by_value);
	qsort(searched, PROBLEMS, sizeof *searched, by_value);
}

static const struct evaluation_search searches[] = {{"paper", searched, PROBLEMS, 0}, {"fused", searched, 150, 50},
	{"none", NULL, 0, 200}};
static const struct ratios ratios[] = {{"paper", PROBLEMS, ratio, 1, 2, 3}, {"fused", PROBLEMS, ones, 0, 0, 0}};
static const struct evaluation_class classes[] = {{1e6, 2e7, 100, 200, 0.875, 60, 59},
	{2e7, 3e8, 100, 200, NAN, 0, 0}, {1e6, -1, 200, 400, -0.25, 60, 59}};
static const struct evaluation_case worst[] = {
	{4, 417, 162000000, "{a: 2, b: 2, c: 2}", "f32[360, 184{c}368, 320]", "f32[90{c,a}360, 368, 160{b}320]",
		"evaluate --take 417"},
	{1.5, 7, 64000000, "{a: 2, b: 2, c: 2}", "f32[8{c}16, 16, 16, 8{a}16, 16, 8{b}16]",
		"f32[16, 16, 16, 16, 16, 8{a}16]", "evaluate --take 7"},
};
static const struct evaluation_cases cases[] = {{"paper", "fused", 120, worst, 2}, {"fused", "paper", 0, NULL, 0}};

static void amount(double value, sw_text *text)
{
	sw_text_add(text, words_amount(value).text);
}

static void time_of(double value, sw_text *text)
{
	sw_text_add(text, words_seconds_to(value * 1e-9, 1).text);
}

static struct evaluation_picture picture(void)
{
	fill();
	return (struct evaluation_picture){.about = "200 problems of a table",
		.search = searches,
		.seconds = searched,
		.searches = COUNT(searches),
		.seconds_count = PROBLEMS,
		.first = "paper",
		.second = "fused",
		.cost = {firsts, seconds, PROBLEMS, ratios, 2, amount, "cost", "elements per device, model paper"},
		.time = {firsts, seconds, 10, ratios, 2, time_of, "time", "of 10 problems that were run"},
		.classes = classes,
		.class_count = COUNT(classes),
		.times = "time: predicted on hardware default",
		.cases = cases,
		.cases_count = 2};
}

static void draw(const struct evaluation_picture *in, int width, const struct canvas_style *style, sw_text *text)
{
	for (int i = 0; i < evaluation_part_count; i++) {
		struct canvas canvas = {0};
		if (!evaluation_parts[i].has(in))
			continue;
		evaluation_parts[i].draw(in, width, &canvas);
		assert_false(canvas.failed);
		assert_int_equal(canvas.width, width);
		canvas_print(&canvas, style, text);
		canvas_free(&canvas);
	}
}

static void test_pictures_are_as_before(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int width;
		struct canvas_style style;
	} styles[] = {{"80 columns", 80, {0}}, {"80 columns, ASCII", 80, {.ascii = true}},
		{"80 columns, 256 colours", 80, {.colors = 256}}, {"40 columns", 40, {0}}, {"200 columns", 200, {0}},
		{"20 columns", 20, {0}}};
	struct evaluation_picture in = picture();
	sw_text found = {0}, expected = {0};
	char path[4096], line[8192];
	snprintf(path, sizeof path, "%s/tests/views/evaluation.txt", getenv("SRC") ? getenv("SRC") : ".");
	for (size_t i = 0; i < COUNT(styles); i++) {
		sw_text_addf(&found, "== %s\n", styles[i].name);
		draw(&in, styles[i].width, &styles[i].style, &found);
	}
	FILE *file = fopen(path, getenv("UPDATE") ? "w+" : "r");
	if (!file)
		fail_msg("cannot open %s (UPDATE=1 writes it)", path);
	if (getenv("UPDATE")) {
		fputs(sw_text_get(&found), file);
		rewind(file);
	}
	while (fgets(line, sizeof line, file))
		sw_text_add(&expected, line);
	fclose(file);
	assert_string_equal(sw_text_get(&found), sw_text_get(&expected));
	sw_text_free(&found);
	sw_text_free(&expected);
}

/* No row is wider than asked for, and ASCII is ASCII. */
static void test_pictures_fit(void **state)
{
	(void)state;
	static const struct canvas_style styles[] = {{0}, {.ascii = true}};
	struct evaluation_picture in = picture();
	for (int width = 1; width < 130; width++)
		for (size_t s = 0; s < COUNT(styles); s++) {
			sw_text text = {0};
			draw(&in, width, &styles[s], &text);
			for (const char *at = sw_text_get(&text); *at;) {
				char row[4096];
				size_t length = strcspn(at, "\n");
				snprintf(row, sizeof row, "%.*s", (int)length, at);
				assert_true(canvas_text_width(row) <= width);
				for (size_t i = 0; i < length && s; i++)
					assert_in_range((unsigned char)row[i], ' ', '~');
				at += length + (at[length] == '\n');
			}
			sw_text_free(&text);
		}
}

/* One strategy has search times, and nothing to stand against. */
static void test_parts_without_numbers(void **state)
{
	(void)state;
	struct evaluation_picture in = picture();
	in.second = NULL;
	in.class_count = in.cases_count = 0;
	int parts = 0;
	for (int i = 0; i < evaluation_part_count; i++)
		parts += evaluation_parts[i].has(&in);
	assert_int_equal(parts, 1);
}

int main(void)
{
	static const struct kit_test tests[] = {
		ROWS(correlation_is_of_ranks, correlations, name),
		TEST(test_samples),
		ROWS(axis_has_all_values, axes, name),
		TEST(test_charts_fit),
		TEST(test_pictures_are_as_before),
		TEST(test_pictures_fit),
		TEST(test_parts_without_numbers),
	};
	if (!setlocale(LC_ALL, "C.UTF-8"))
		return 77;
	return kit_run(tests, COUNT(tests), NULL, NULL);
}
