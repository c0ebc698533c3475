/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An evaluation in pictures, as section 8 of the first paper asks: RQ1 search times, RQ2 ratios (figure 14), RQ3 cost and time, and
 * the worst cases (figure 13).
 */
#include "views/evaluation.h"
#include "answer/order.h"

#include <stdio.h>

#include <shardwalk/number.h>

#include "session/sample.h"
#include "views/draw.h"
#include "views/histogram.h"

enum { CHART_WIDEST = 100, BARS_HIGH = 8, SCATTER_HIGH = 18, SCATTER_WIDEST = 72 };

static int chart_width(const struct canvas *out)
{
	return out->width < CHART_WIDEST ? out->width : CHART_WIDEST;
}

static void seconds_words(double seconds, sw_text *text)
{
	sw_text_add(text, words_seconds_to(seconds, 1).text);
}

static void ratio_words(double ratio, sw_text *text)
{
	sw_text_addf(text, "%g", ratio);
}

/* The title in row *y, and the row after it. */
static bool start(int width, const char *name, const char *rest, struct canvas *out, int *y)
{
	struct view_options options = view_options_default(width);
	if (!draw_begin(name, &options, out))
		return false;
	*y = draw_title(out, *y, name, rest);
	return true;
}

/* A table that cannot be ordered is as it comes. */
static void draw_arranged(const struct evaluation_picture *picture, struct rows *rows, struct canvas *out, int *y)
{
	rows_arrange_as(rows, picture->arranged, NULL);
	rows_draw(rows, out, y, NULL);
}

/* ---- RQ1 ---- */

static double quantile_of(const struct row_at *at)
{
	const struct evaluation_search *row = at->row;
	return at->part < 100 ? sample_quantile(row->seconds, row->count, at->part / 100.0) :
		row->count        ? row->seconds[row->count - 1] :
							0;
}

static void print_quantile(const struct row_at *at, sw_text *text)
{
	bool any = ((const struct evaluation_search *)at->row)->count > 0;
	sw_text_add(text, words_seconds(any ? quantile_of(at) : -1).text);
}

#define QUANTILE(key, heading, which, drop) \
	ROW_BY(key, heading, SECONDS, .number_of = quantile_of, .print = print_quantile, .part = (which), .round = 6, \
		.as = {.least = 8, .drops = (drop)})

static const struct row_column search_columns[] = {
	ROW_AT("strategy", "strategy", WORD, struct evaluation_search, strategy, .as = {.fit = CELL_CUT, .gives = 6}),
	ROW_AT("plans", "plans", LARGE, struct evaluation_search, count, .place = 1, .as = {.least = 6, .drops = 2}),
	ROW_AT("missing", "no plan", LARGE, struct evaluation_search, missing, .place = 1, .as = {.drops = 1}),
	QUANTILE("median_s", "median", 50, 0),
	QUANTILE("p99_s", "99 %", 99, 4),
	QUANTILE("most_s", "most", 100, 3),
};

const struct rows evaluation_search_words = ROWS_WORDS(search_columns);

struct rows evaluation_search_rows(const struct evaluation_search *search, int count)
{
	return ROWS_OF(search_columns, search, count, .rises = true);
}

static void search_chart(const struct evaluation_picture *picture, struct canvas *out, int y)
{
	int count = picture->seconds_count;
	double median = sample_quantile(picture->seconds, count, 0.5), most = picture->seconds[count - 1];
	struct words words[] = {words_seconds(median), words_seconds(most)};
	char says[2][128];
	snprintf(says[0], sizeof(says[0]), "median, %s", words[0].text);
	snprintf(says[1], sizeof(says[1]), "the longest, %s", words[1].text);
	const struct chart_mark marks[] = {{median, says[0], ROLE_GOAL}, {most, says[1], ROLE_NOTE}};
	const struct chart_distribution chart = {chart_axis_of(picture->seconds, count, 0, seconds_words),
		picture->seconds, count, marks, 2};
	y = draw_note(out, 0, y, ROLE_NOTE, "up: how many of all %s", words_plural(count, "plan", "plans").text);
	chart_distribution_draw(out, y, chart_width(out), BARS_HIGH, &chart);
}

static bool has_search(const struct evaluation_picture *picture)
{
	return picture->searches > 0;
}

static void draw_search(const struct evaluation_picture *picture, int width, struct canvas *out)
{
	int y = 0, count = picture->seconds_count;
	if (!start(width, "evaluate", picture->about, out, &y))
		return;
	struct rows rows = evaluation_search_rows(picture->search, picture->searches);
	y = draw_title(out, y + 1, "RQ1:", "how long the search takes");
	y++;
	draw_arranged(picture, &rows, out, &y);
	y++;
	if (count)
		search_chart(picture, out, y);
}

/* ---- RQ2 ---- */

/* How many pairs have none above 0, so that no logarithm tells of them. */
static int without_place(const struct evaluation_pair *pair)
{
	int count = 0;
	for (int i = 0; i < pair->count; i++)
		count += !(pair->first[i] > 0 && pair->second[i] > 0);
	return count;
}

static int scatter(const struct evaluation_picture *picture, const struct evaluation_pair *pair, struct canvas *out,
	int y)
{
	struct chart_axis first = chart_axis_of(pair->first, pair->count, 0, pair->words),
					  second = chart_axis_of(pair->second, pair->count, 0, pair->words);
	sw_text right = {0}, up = {0};
	int width = chart_width(out) < SCATTER_WIDEST ? chart_width(out) : SCATTER_WIDEST;
	sw_text_addf(&right, "%s of %s \u2192", pair->what, picture->first);
	sw_text_addf(&up, "%s of %s \u2191", pair->what, picture->second);
	const struct chart_scatter chart = {chart_axis_join(&first, &second), pair->first, pair->second, pair->count,
		sw_text_get(&right), sw_text_get(&up)};
	y = chart_scatter_draw(out, y, width, SCATTER_HIGH, &chart);
	sw_text_free(&right);
	sw_text_free(&up);
	y = draw_note(out, 0, y, ROLE_NOTE,
		"figure 14a: \u25cb one problem, \u25cf %d or more, \u2605 %d or more; below the diagonal %s is the better one",
		CHART_FEW, CHART_MANY, picture->second);
	int left = without_place(pair);
	if (left)
		y = draw_note(out, 0, y, ROLE_NOTE, "left out: %s in which one of the two is 0",
			words_plural(left, "problem", "problems").text);
	return y;
}

static int distribution(const struct evaluation_picture *picture, const struct evaluation_pair *pair,
	struct canvas *out, int y)
{
	const struct ratios *r = &pair->ratios[0];
	double mean = sample_geometric_mean(r->ratio, r->count);
	char says[2][96];
	int above = 0, below = 0;
	for (int i = 0; i < r->count; i++) {
		above += r->ratio[i] > 1 + 1e-9;
		below += r->ratio[i] < 1 - 1e-9;
	}
	if (!r->count)
		return y;
	snprintf(says[0], sizeof(says[0]), "1: equal");
	snprintf(says[1], sizeof(says[1]), "%.3f: the geometric mean", mean);
	const struct chart_mark marks[] = {{1, says[0], ROLE_LABEL}, {mean, says[1], ROLE_GOAL}};
	const struct chart_distribution chart = {chart_axis_of(r->ratio, r->count, 1, ratio_words), r->ratio, r->count,
		marks, 2};
	y = draw_note(out, 0, y, ROLE_NOTE, "figure 14b: to the right %s of %s divided by that of %s, up how many of %s",
		pair->what, picture->first, picture->second, words_plural(r->count, "problem", "problems").text);
	y = chart_distribution_draw(out, y, chart_width(out), BARS_HIGH, &chart);
	return draw_note(out, 0, y, ROLE_TEXT, "%s is better in %s, %s in %d; they are equal in %d", picture->second,
		words_plural(above, "problem", "problems").text, picture->first, below, r->count - above - below);
}

static void draw_pair(const struct evaluation_picture *picture, const struct evaluation_pair *pair, int width,
	struct canvas *out)
{
	sw_text rest = {0};
	int y = 1;
	sw_text_addf(&rest, "%s of %s against %s; %s", pair->what, picture->first, picture->second, pair->of);
	bool room = start(width, "RQ2:", sw_text_get(&rest), out, &y);
	sw_text_free(&rest);
	if (!room)
		return;
	struct rows rows = ratios_rows(pair->ratios, pair->ratio_count);
	y++;
	draw_arranged(picture, &rows, out, &y);
	y = draw_note(out, 0, y, ROLE_NOTE, "%s of each strategy divided by that of %s; mean: geometric", pair->what,
		picture->second);
	y = scatter(picture, pair, out, y + 1);
	distribution(picture, pair, out, y + 1);
}

static bool has_cost(const struct evaluation_picture *picture)
{
	return picture->second && picture->cost.count;
}

static void draw_cost(const struct evaluation_picture *picture, int width, struct canvas *out)
{
	draw_pair(picture, &picture->cost, width, out);
}

static bool has_time(const struct evaluation_picture *picture)
{
	return picture->second && picture->time.count;
}

static void draw_time(const struct evaluation_picture *picture, int width, struct canvas *out)
{
	draw_pair(picture, &picture->time, width, out);
}

/* ---- RQ3 ---- */

static void print_moved(const struct row_at *at, sw_text *text)
{
	const struct evaluation_class *row = at->row;
	if (row->most < 0) {
		sw_text_add(text, "all");
		return;
	}
	sw_print_real_bytes(text, row->least);
	sw_text_add(text, " to ");
	sw_print_real_bytes(text, row->most);
}

static void print_share(const struct row_at *at, sw_text *text)
{
	const struct evaluation_class *row = at->row;
	if (row->pairs)
		sw_text_addf(text, "%.1f %%", 100.0 * row->faster / row->pairs);
	else
		sw_text_add_char(text, '-');
}

static double bytes_of(const struct row_at *at)
{
	const struct evaluation_class *row = at->row;
	return row->most < 0 ? -1 : at->part ? row->most : row->least;
}

static const struct row_column class_columns[] = {
	ROW_BY(NULL, "a device moves", TEXT, .print = print_moved),
	ROW_BY("least_bytes", NULL, NUMBER, .number_of = bytes_of, .sparse = true),
	ROW_BY("most_bytes", NULL, NUMBER, .number_of = bytes_of, .part = 1, .sparse = true),
	ROW_AT("problems", "problems", LARGE, struct evaluation_class, problems, .as = {.drops = 2}),
	ROW_AT("plans", "plans", LARGE, struct evaluation_class, plans, .as = {.drops = 1}),
	ROW_AT("rank_correlation", "correlation", NUMBER, struct evaluation_class, correlation, .any = true, .digits = 3,
		.missing = "-"),
	ROW_AT("pairs", "pairs", LARGE, struct evaluation_class, pairs, .as = {.drops = 3}),
	ROW_AT("cheaper_is_faster", "cheaper is faster", COUNT, struct evaluation_class, faster, .print = print_share),
};

const struct rows evaluation_class_words = ROWS_WORDS(class_columns);

struct rows evaluation_class_rows(const struct evaluation_class *classes, int count)
{
	return ROWS_OF(class_columns, classes, count);
}

static bool has_order(const struct evaluation_picture *picture)
{
	return picture->class_count > 0;
}

static void draw_order(const struct evaluation_picture *picture, int width, struct canvas *out)
{
	struct rows rows = evaluation_class_rows(picture->classes, picture->class_count);
	int y = 1;
	if (!start(width, "RQ3:", "how well cost predicts the order of times", out, &y))
		return;
	y++;
	draw_arranged(picture, &rows, out, &y);
	y = draw_note(out, 0, y, ROLE_NOTE, "%s", picture->times);
	draw_note(out, 0, y, ROLE_NOTE,
		"correlation: of the ranks of cost and time over all plans; pairs: plans of one problem that differ in cost");
}

/* ---- the worst cases ---- */

enum { SLOWDOWN = 8, SIZE = 10, TYPES = SLOWDOWN + 2 + SIZE + 2 };

static int draw_case(const struct evaluation_case *row, struct canvas *out, int y)
{
	sw_text size = {0};
	char slowdown[32];
	int room = out->width - TYPES > 12 ? out->width - TYPES : 12;
	snprintf(slowdown, sizeof(slowdown), "%.2f", row->slowdown);
	sw_print_bytes(&size, row->bytes);
	canvas_put_right(out, 0, y, SLOWDOWN, ROLE_NUMBER, slowdown);
	canvas_put_right(out, SLOWDOWN + 2, y, SIZE, ROLE_NUMBER, sw_text_get(&size));
	sw_text_free(&size);
	y = canvas_put_wrapped(out, TYPES, y, room, 1, ROLE_TYPE, row->from);
	y = canvas_put_wrapped(out, TYPES, y, room, 1, ROLE_TYPE, row->to);
	return canvas_put_wrapped(out, TYPES, y, room, 1, ROLE_OP, row->open);
}

static int draw_cases(const struct evaluation_cases *cases, const char *what, struct canvas *out, int y)
{
	if (!cases->count)
		return draw_note(out, 0, y, ROLE_TEXT,
			"there is no problem for which %s has the greater "
			"%s",
			cases->slow, what);
	y = draw_note(out, 0, y, ROLE_TEXT,
		"%s for which %s has the greater %s; the most:", words_plural(cases->above, "problem", "problems").text,
		cases->slow, what);
	canvas_put_right(out, 0, y, SLOWDOWN, ROLE_LABEL, "slowdown");
	canvas_put_right(out, SLOWDOWN + 2, y, SIZE, ROLE_LABEL, "size");
	canvas_put(out, TYPES, y++, ROLE_LABEL, "source, target, and the line that opens it");
	canvas_hline(out, 0, y++, out->width, ROLE_BORDER, 0);
	for (int i = 0; i < cases->count; i++)
		y = draw_case(&cases->row[i], out, y);
	return y;
}

static bool has_worst(const struct evaluation_picture *picture)
{
	return picture->cases_count > 0;
}

static void draw_worst(const struct evaluation_picture *picture, int width, struct canvas *out)
{
	const char *what = picture->time.count ? picture->time.what : picture->cost.what;
	sw_text rest = {0};
	int y = 1;
	sw_text_addf(&rest, "by %s, of %s and %s", what, picture->first, picture->second);
	bool room = start(width, "worst cases", sw_text_get(&rest), out, &y);
	sw_text_free(&rest);
	for (int i = 0; i < picture->cases_count && room; i++)
		y = draw_cases(&picture->cases[i], what, out, y + 1);
}

/* ---- the parts ---- */

const struct evaluation_part evaluation_parts[] = {
	{has_search, draw_search},
	{has_cost, draw_cost},
	{has_time, draw_time},
	{has_order, draw_order},
	{has_worst, draw_worst},
};
const int evaluation_part_count = sizeof(evaluation_parts) / sizeof(*evaluation_parts);
