/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Costs over many problems, as ratios to one strategy's: their geometric mean, their extremes, and how they are distributed.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

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

static int name_width(const struct view_input *in)
{
	int width = 8;
	for (int i = 0; i < in->ratio_count; i++) {
		int own = canvas_text_width(in->ratios[i].name);
		width = own > width ? own : width;
	}
	return width;
}

/* ---- the table ---- */

static const char *const heads[] = {"mean", "least", "median", "most", "count", "above", "no plan", "vs 0"};
enum { COLUMNS = sizeof(heads) / sizeof(*heads), RATIOS = 4 };

static void cell(const struct ratios *r, int column, char *text, size_t size)
{
	const double numbers[] = {mean_of(r), r->count ? r->ratio[0] : 0, r->count ? r->ratio[r->count / 2] : 0,
		r->count ? r->ratio[r->count - 1] : 0};
	const int counts[] = {r->count, r->over, r->missing, r->infinite};
	if (column < RATIOS)
		snprintf(text, size,
			!r->count                      ? "-" :
				numbers[column] < 999.995  ? "%.2f" :
				numbers[column] < 999999.5 ? "%.0f" :
											 "%.1e",
			numbers[column]);
	else
		snprintf(text, size, "%d", counts[column - RATIOS]);
}

static int row_draw(struct canvas *out, int y, int x, const struct ratios *r)
{
	char text[32];
	for (int i = 0; i < COLUMNS; i++) {
		int least = i < RATIOS ? 6 : 5, own = (int)strlen(heads[i]), width = own > least ? own : least;
		if (x + 2 + width > out->width)
			break;
		if (r)
			cell(r, i, text, sizeof(text));
		canvas_put_right(out, x + 2, y, width, r ? ROLE_NUMBER : ROLE_LABEL, r ? text : heads[i]);
		x += 2 + width;
	}
	return y + 1;
}

static int table_draw(const struct view_input *in, struct canvas *out, int y, int names)
{
	canvas_put(out, 0, y, ROLE_LABEL, "strategy");
	y = row_draw(out, y, names, NULL);
	canvas_hline(out, 0, y++, out->width, ROLE_BORDER, 0);
	for (int i = 0; i < in->ratio_count; i++) {
		canvas_put_cut(out, 0, y, names, ROLE_TEXT, in->ratios[i].name);
		y = row_draw(out, y, names, &in->ratios[i]);
	}
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
	y = table_draw(in, out, y, name_width(in)) + 1;
	for (int i = 0; i < in->ratio_count; i++)
		if (differs(&in->ratios[i]))
			y = picture_draw(&in->ratios[i], out, y);
	draw_note(out, 0, y, ROLE_NOTE,
		"mean: geometric. count: problems with a ratio; above: plans above a bound; "
		"vs 0: a cost against 0, left out. Two costs of 0 count 1.");
	return true;
}
