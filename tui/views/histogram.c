/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Costs over many problems, as ratios to one strategy's: their geometric mean, their extremes, and how they are distributed.
 */
#include "views/histogram.h"

#include <math.h>
#include <string.h>

#include "canvas/chart.h"
#include "canvas/table.h"
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
		table_add(table, ratio < 999.9995 ? "%.3f" : ratio < 999999.5 ? "%.0f" : "%.1e", ratio);
	else
		table_add(table, "-");
}

int ratios_table_draw(const struct ratios *ratios, int count, struct canvas *out, int y)
{
	struct table table;
	table_start(&table, columns);
	for (int i = 0; i < count; i++) {
		const struct ratios *r = &ratios[i];
		int last = r->count - 1;
		table_add(&table, "%s", r->name);
		add_ratio(&table, sample_geometric_mean(r->ratio, r->count), r->count);
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
	for (int i = 0; i < count; i++)
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
	y = ratios_table_draw(in->ratios, in->ratio_count, out, y) + 1;
	for (int i = 0; i < in->ratio_count; i++)
		if (differs(&in->ratios[i]))
			y = picture_draw(&in->ratios[i], out, y);
	draw_note(out, 0, y, ROLE_NOTE,
		"mean: geometric. count: problems with a ratio; above: plans above a bound; "
		"vs 0: a cost against 0, left out. Two costs of 0 count 1.");
	return true;
}
