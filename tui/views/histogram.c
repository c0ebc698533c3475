/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Costs over many problems, as ratios to one strategy's: their geometric mean, their extremes, and how they are distributed.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "canvas/table.h"
#include "views/draw.h"

/* A bin holds the ratios above the end of the one before, up to its own end. */
static const struct bin {
	double end;
	const char *label;
} bins[] = {{0.5, "to 0.5"}, {0.8, "to 0.8"}, {1 - 1e-9, "below 1"}, {1 + 1e-9, "1"}, {1.25, "to 1.25"},
	{1.5, "to 1.5"}, {2, "to 2"}, {3, "to 3"}, {5, "to 5"}, {10, "to 10"}, {INFINITY, "above 10"}};
enum { BINS = sizeof(bins) / sizeof(*bins), LABEL = 10 };

static double mean_of(const struct ratios *r)
{
	double sum = 0;
	for (int i = 0; i < r->count; i++)
		sum += log(r->ratio[i] > 0 ? r->ratio[i] : 1);
	return r->count ? exp(sum / r->count) : 0;
}

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

static const struct column columns[] = {
	{.head = "strategy", .role = ROLE_TEXT, .fit = CELL_CUT},
	{.head = "mean", .right = true, .role = ROLE_NUMBER, .least = 6, .drops = 8},
	{.head = "least", .right = true, .role = ROLE_NUMBER, .least = 6, .drops = 7},
	{.head = "median", .right = true, .role = ROLE_NUMBER, .least = 6, .drops = 6},
	{.head = "most", .right = true, .role = ROLE_NUMBER, .least = 6, .drops = 5},
	{.head = "count", .right = true, .role = ROLE_NUMBER, .least = 5, .drops = 4},
	{.head = "above", .right = true, .role = ROLE_NUMBER, .least = 5, .drops = 3},
	{.head = "no plan", .right = true, .role = ROLE_NUMBER, .least = 5, .drops = 2},
	{.head = "vs 0", .right = true, .role = ROLE_NUMBER, .least = 5, .drops = 1},
	{0},
};

static void add_ratio(struct table *table, double ratio, bool known)
{
	if (known)
		table_add(table, ratio < 999.995 ? "%.2f" : ratio < 999999.5 ? "%.0f" : "%.1e", ratio);
	else
		table_add(table, "-");
}

static int table_of_ratios(const struct view_input *in, struct canvas *out, int y)
{
	struct table table;
	table_start(&table, columns);
	for (int i = 0; i < in->ratio_count; i++) {
		const struct ratios *r = &in->ratios[i];
		int last = r->count - 1;
		table_add(&table, "%s", r->name);
		add_ratio(&table, mean_of(r), r->count);
		add_ratio(&table, r->count ? r->ratio[0] : 0, r->count);
		add_ratio(&table, r->count ? r->ratio[r->count / 2] : 0, r->count);
		add_ratio(&table, r->count ? r->ratio[last] : 0, r->count);
		table_add(&table, "%d", r->count);
		table_add(&table, "%d", r->over);
		table_add(&table, "%d", r->missing);
		table_add(&table, "%d", r->infinite);
	}
	table_fit(&table, out->width);
	y = table_draw_ruled_heads(&table, out, y, out->width);
	for (int i = 0; i < in->ratio_count; i++)
		y = table_draw_row(&table, out, y, i);
	table_free(&table);
	return y;
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
	for (int b = first; b <= last; b++, y++) {
		char count[24];
		snprintf(count, sizeof(count), "%d", filled[b]);
		canvas_put_right(out, 0, y, LABEL, b == 3 ? ROLE_CURRENT : ROLE_LABEL, bins[b].label);
		canvas_put_right(out, LABEL + 1, y, 6, ROLE_NUMBER, count);
		int room = out->width - LABEL - 9;
		if (room >= 4)
			canvas_bar(out, LABEL + 9, y, room < 60 ? room : 60, ROLE_BAR, filled[b], r->count);
	}
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
	y = table_of_ratios(in, out, y) + 1;
	for (int i = 0; i < in->ratio_count; i++)
		if (differs(&in->ratios[i]))
			y = picture_draw(&in->ratios[i], out, y);
	draw_note(out, 0, y, ROLE_NOTE,
		"mean: geometric. count: problems with a ratio; above: plans above a bound; "
		"vs 0: a cost against 0, left out. Two costs of 0 count 1.");
	return true;
}
