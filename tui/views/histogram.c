/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Costs over many problems, as ratios to one strategy's: their geometric mean, their extremes, and how they are distributed.
 */
#include "views/histogram.h"
#include "answer/order.h"

#include <math.h>
#include <string.h>

#include "canvas/chart.h"
#include "session/sample.h"
#include "views/draw.h"

/* A bin holds the ratios above the end of the one before, up to its own end. */
static const struct bin {
	double end;
	const char *label;
} bins[] = {{0.5, "to 0.5"}, {0.8, "to 0.8"}, {1 - 1e-9, "below 1"}, {1 + 1e-9, "1"}, {1.25, "to 1.25"},
	{1.5, "to 1.5"}, {2, "to 2"}, {3, "to 3"}, {5, "to 5"}, {10, "to 10"}, {INFINITY, "above 10"}};
enum { BINS = sizeof(bins) / sizeof(*bins), LABEL = 10 };

static void fill_bins(const struct ratios *r, int filled[BINS])
{
	memset(filled, 0, BINS * sizeof(*filled));
	for (int i = 0, b = 0; i < r->count; i++) {
		while (r->ratio[i] > bins[b].end)
			b++;
		filled[b]++;
	}
}

/* ---- the table ---- */

enum figure { FIGURE_MEAN, FIGURE_LEAST, FIGURE_MEDIAN, FIGURE_MOST };

static double figure_of(const struct row_at *at)
{
	const struct ratios *r = at->row;
	if (at->part == FIGURE_MEAN || !r->count)
		return sample_geometric_mean(r->ratio, r->count);
	return r->ratio[at->part == FIGURE_LEAST ? 0 : at->part == FIGURE_MEDIAN ? r->count / 2 : r->count - 1];
}

static void print_figure(const struct row_at *at, sw_text *text)
{
	double ratio = figure_of(at);
	if (((const struct ratios *)at->row)->count)
		sw_text_addf(text, ratio < 999.9995 ? "%.3f" : ratio < 999999.5 ? "%.0f" : "%.1e", ratio);
	else
		sw_text_add_char(text, '-');
}

#define FIGURE(key, heading, which, drop) \
	ROW_BY(key, heading, NUMBER, .number_of = figure_of, .print = print_figure, .part = FIGURE_##which, .round = 6, \
		.as = {.least = 6, .drops = (drop)})
#define COUNTED(key, heading, member, drop, ...) \
	ROW_AT(key, heading, COUNT, struct ratios, member, .as = {.least = 5, .drops = (drop)}, __VA_ARGS__)

static const struct row_column columns[] = {
	ROW_AT("strategy", "strategy", WORD, struct ratios, name, .as = {.fit = CELL_CUT}),
	COUNTED("count", "count", count, 4, .place = 1),
	FIGURE("geometric_mean", "mean", MEAN, 8),
	FIGURE("least", "least", LEAST, 7),
	FIGURE("median", "median", MEDIAN, 6),
	FIGURE("most", "most", MOST, 5),
	COUNTED("against_zero", "vs 0", infinite, 1, .place = 2),
	COUNTED("over_budget", "above", over, 3, .place = 1),
	COUNTED("missing", "no plan", missing, 2, .place = 1),
};

const struct rows ratios_words = ROWS_WORDS(columns);

struct rows ratios_rows(const struct ratios *ratios, int count)
{
	return ROWS_OF(columns, ratios, count);
}

/* ---- the pictures ---- */

static int picture_draw(const struct ratios *r, struct canvas *out, int y)
{
	int filled[BINS], first = 0, last = BINS - 1;
	fill_bins(r, filled);
	while (!filled[first])
		first++;
	while (!filled[last])
		last--;
	canvas_put_cut(out, 0, y++, out->width, ROLE_TITLE, r->name);
	for (int b = first; b <= last; b++)
		y = chart_bin(out, y, LABEL, b == 3 ? ROLE_CURRENT : ROLE_LABEL, bins[b].label, filled[b], r->count);
	return y;
}

/* A strategy all of whose ratios are 1 needs no picture. */
static bool differs(const struct ratios *r)
{
	return r->count && (r->ratio[0] < 1 - 1e-9 || r->ratio[r->count - 1] > 1 + 1e-9);
}

bool view_histogram(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	if (!in->ratio_count)
		return draw_missing(diag, "comparison of many problems", "type: compare FILE");
	if (!draw_begin("histogram", opt, out))
		return true;
	sw_text rest = {0};
	sw_text_addf(&rest, "of every strategy against the %s", in->against);
	int y = draw_title(out, 0, "histogram", sw_text_get(&rest)) + 1;
	sw_text_free(&rest);
	struct rows rows = ratios_rows(in->ratios, in->ratio_count);
	if (!rows_arrange_as(&rows, in->arranged, diag) || !rows_draw(&rows, out, &y, diag))
		return false;
	y++;
	for (int i = 0; i < in->ratio_count; i++)
		if (differs(&in->ratios[i]))
			y = picture_draw(&in->ratios[i], out, y);
	draw_note(out, 0, y, ROLE_NOTE,
		"mean: geometric. count: problems with a ratio; above: plans above a limit; vs 0: a cost against 0, "
		"left out. Two costs of 0 count as 1.");
	return true;
}
