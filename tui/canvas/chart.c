/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Charts on logarithmic axes.
 */
#include "canvas/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "canvas/glyphs.h"

enum { MARGIN = 8, WIDEST_BAR = 60, TICK_GAP = 2 };

/* ---- axes ---- */

struct chart_axis chart_axis_of(const double *values, int count, double with, chart_words *words)
{
	struct chart_axis axis = {with, with, words};
	for (int i = 0; i < count; i++) {
		if (!(values[i] > 0))
			continue;
		axis.least = axis.least <= 0 || values[i] < axis.least ? values[i] : axis.least;
		axis.most = values[i] > axis.most ? values[i] : axis.most;
	}
	if (axis.most <= 0)
		axis.least = axis.most = 1;
	double room = 2 / (axis.most / axis.least);
	if (room > 1) {
		axis.least /= sqrt(room);
		axis.most *= sqrt(room);
	}
	return axis;
}

struct chart_axis chart_axis_join(const struct chart_axis *a, const struct chart_axis *b)
{
	return (struct chart_axis){a->least < b->least ? a->least : b->least, a->most > b->most ? a->most : b->most,
		a->words};
}

/* The cell of a value among `cells`, -1: it has none. */
static int cell_of(const struct chart_axis *axis, double value, int cells)
{
	if (!(value > 0) || value < axis->least || value > axis->most)
		return -1;
	double share = log(value / axis->least) / log(axis->most / axis->least);
	int cell = (int)(share * (cells - 1) + 0.5);
	return cell < cells ? cell : cells - 1;
}

/* ---- ticks ---- */

/* 1, 2, 5, 10, ... where the axis is short, else 1, 10, 100, ... */
static double next_tick(double tick, bool dense)
{
	double power = pow(10, floor(log10(tick) + 1e-9)), lead = tick / power;
	return !dense ? power * 10 : lead < 1.5 ? power * 2 : lead < 3 ? power * 5 : power * 10;
}

typedef void tick_place(void *context, int cell, const char *words);

static void visit_ticks(const struct chart_axis *axis, int cells, tick_place *place, void *context)
{
	bool dense = axis->most / axis->least < 200;
	double tick = pow(10, floor(log10(axis->least)));
	for (; tick <= axis->most; tick = next_tick(tick, dense)) {
		int cell = cell_of(axis, tick, cells);
		sw_text text = {0};
		if (cell < 0)
			continue;
		axis->words(tick, &text);
		place(context, cell, sw_text_get(&text));
		sw_text_free(&text);
	}
}

struct ticks {
	struct canvas *canvas;
	int x, y, end; /* of the last label */
};

static void place_below(void *context, int cell, const char *words)
{
	struct ticks *ticks = context;
	int width = canvas_text_width(words), at = ticks->x + cell - width / 2;
	canvas_lines(ticks->canvas, ticks->x + cell, ticks->y, ROLE_BORDER, LINE_DOWN);
	at = at + width > ticks->canvas->width ? ticks->canvas->width - width : at;
	if (at < ticks->end + TICK_GAP)
		return;
	ticks->end = canvas_put(ticks->canvas, at, ticks->y + 1, ROLE_LABEL, words);
}

static void place_beside(void *context, int cell, const char *words)
{
	struct ticks *ticks = context;
	int y = ticks->y - cell;
	if (y > ticks->end - 2)
		return;
	canvas_put_right(ticks->canvas, 0, y, ticks->x - 1, ROLE_LABEL, words);
	canvas_lines(ticks->canvas, ticks->x, y, ROLE_BORDER, LINE_LEFT | LINE_UP | LINE_DOWN);
	ticks->end = y;
}

/* The axis in row y, its ticks in the row after it. */
static void draw_right(struct canvas *canvas, int x, int y, const struct chart_axis *axis, int cells)
{
	struct ticks ticks = {canvas, x, y, -TICK_GAP};
	canvas_hline(canvas, x - 1, y, cells + 1, ROLE_BORDER, 0);
	visit_ticks(axis, cells, place_below, &ticks);
}

/* ---- a distribution ---- */

static int count_bins(const struct chart_axis *axis, const double *values, int count, int *bins, int cells)
{
	int most = 0;
	for (int i = 0; i < count; i++) {
		int cell = cell_of(axis, values[i], cells);
		if (cell >= 0 && ++bins[cell] > most)
			most = bins[cell];
	}
	return most;
}

static void draw_mark_lines(struct canvas *canvas, int y, int rows, const struct chart_axis *axis, int cells,
	const struct chart_mark *marks, int count)
{
	for (int i = 0; i < count; i++) {
		int cell = cell_of(axis, marks[i].at, cells);
		if (cell >= 0)
			canvas_vline(canvas, MARGIN + cell, y, rows, marks[i].role, LINE_DASHED);
	}
}

static int draw_marks(struct canvas *canvas, int y, const struct chart_axis *axis, int cells,
	const struct chart_mark *marks, int count)
{
	for (int i = 0; i < count; i++) {
		int cell = cell_of(axis, marks[i].at, cells), width = canvas_text_width(marks[i].words), x = MARGIN + cell;
		if (cell < 0)
			continue;
		bool before = x + 2 + width > canvas->width && x > width;
		canvas_put_glyph(canvas, x, y, marks[i].role, GLYPH_ARROW_UP);
		canvas_put(canvas, before ? x - 1 - width : x + 2, y++, marks[i].role, marks[i].words);
	}
	return y;
}

int chart_distribution_draw(struct canvas *canvas, int y, int width, int rows, const struct chart_distribution *chart)
{
	const struct chart_axis *axis = &chart->axis;
	int cells = width - MARGIN;
	if (width < CHART_LEAST)
		return y;
	int *bins = calloc((size_t)cells, sizeof(*bins));
	if (!bins) {
		canvas->failed = true;
		return y;
	}
	int most = count_bins(axis, chart->values, chart->count, bins, cells);
	char label[24];
	snprintf(label, sizeof(label), "%d", most);
	canvas_put_right(canvas, 0, y, MARGIN - 2, ROLE_LABEL, label);
	canvas_put_right(canvas, 0, y + rows - 1, MARGIN - 2, ROLE_LABEL, "0");
	canvas_vline(canvas, MARGIN - 1, y, rows + 1, ROLE_BORDER, 0);
	draw_mark_lines(canvas, y, rows, axis, cells, chart->marks, chart->mark_count);
	for (int i = 0; i < cells; i++)
		if (bins[i])
			canvas_bar_up(canvas, MARGIN + i, y + rows - 1, rows, ROLE_BAR, bins[i], most);
	free(bins);
	draw_right(canvas, MARGIN, y + rows, axis, cells);
	return draw_marks(canvas, y + rows + 2, axis, cells, chart->marks, chart->mark_count);
}

/* ---- pairs ---- */

static void draw_diagonal(struct canvas *canvas, int x, int y, int cells, int rows)
{
	for (int i = 0; i < cells; i++) {
		int row = (int)((double)i / (cells - 1) * (rows - 1) + 0.5);
		canvas_put_glyph(canvas, x + i, y + rows - 1 - row, ROLE_DIM, GLYPH_DOT);
	}
}

static bool is_same(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

/* How many points a cell has, and how many more of them are above the diagonal than below. */
struct cell_points {
	int count, above, below;
};

static void count_points(const struct chart_scatter *chart, struct cell_points *points, int cells, int rows)
{
	for (int i = 0; i < chart->count; i++) {
		double x = chart->right[i], y = chart->up[i];
		int column = cell_of(&chart->axis, x, cells), row = cell_of(&chart->axis, y, rows);
		if (column < 0 || row < 0)
			continue;
		struct cell_points *at = &points[row * cells + column];
		at->count++;
		at->above += !is_same(x, y) && y > x;
		at->below += !is_same(x, y) && y < x;
	}
}

static void draw_points(struct canvas *canvas, int x, int y, const struct cell_points *points, int cells, int rows)
{
	for (int i = 0; i < cells * rows; i++) {
		const struct cell_points *at = &points[i];
		uint32_t sign = at->count >= CHART_MANY ? GLYPH_STAR :
			at->count >= CHART_FEW              ? GLYPH_SETTLED :
												  GLYPH_FRONTIER;
		enum role role = at->above > at->below ? ROLE_WARN : at->below > at->above ? ROLE_GOOD : ROLE_BAR;
		if (at->count)
			canvas_put_glyph(canvas, x + i % cells, y + rows - 1 - i / cells, role, sign);
	}
}

int chart_scatter_draw(struct canvas *canvas, int y, int width, int rows, const struct chart_scatter *chart)
{
	int cells = width - MARGIN;
	if (width < CHART_LEAST)
		return y;
	struct cell_points *points = calloc((size_t)cells * (size_t)rows, sizeof(*points));
	if (!points) {
		canvas->failed = true;
		return y;
	}
	canvas_put_cut(canvas, 0, y++, width, ROLE_LABEL, chart->up_words);
	canvas_vline(canvas, MARGIN - 1, y, rows + 1, ROLE_BORDER, 0);
	struct ticks ticks = {canvas, MARGIN - 1, y + rows - 1, y + rows + 2};
	visit_ticks(&chart->axis, rows, place_beside, &ticks);
	draw_diagonal(canvas, MARGIN, y, cells, rows);
	count_points(chart, points, cells, rows);
	draw_points(canvas, MARGIN, y, points, cells, rows);
	free(points);
	draw_right(canvas, MARGIN, y + rows, &chart->axis, cells);
	canvas_put_right(canvas, 0, y + rows + 2, width, ROLE_LABEL, chart->right_words);
	return y + rows + 3;
}

/* ---- a curve ---- */

static double value_at(const struct chart_axis *axis, int i, int cells)
{
	return axis->least * pow(axis->most / axis->least, (double)i / (cells - 1));
}

/* From row `from` at the left of a cell to row `to` at its right, counted upwards. */
static void curve_cell(struct canvas *canvas, int x, int bottom, int from, int to, enum role role)
{
	int low = from < to ? from : to, high = from < to ? to : from;
	if (from == to) {
		canvas_lines(canvas, x, bottom - from, role, LINE_LEFT | LINE_RIGHT);
		return;
	}
	canvas_lines(canvas, x, bottom - from, role, LINE_LEFT | (from < to ? LINE_UP : LINE_DOWN) | LINE_ROUND);
	for (int row = low + 1; row < high; row++)
		canvas_lines(canvas, x, bottom - row, role, LINE_UP | LINE_DOWN);
	canvas_lines(canvas, x, bottom - to, role, LINE_RIGHT | (from < to ? LINE_DOWN : LINE_UP) | LINE_ROUND);
}

static int curve_row(const struct chart_curve *curve, chart_value *value, int i, int cells, int rows)
{
	double at = value_at(&curve->right, i, cells);
	return cell_of(&curve->up, value(curve->context, at), rows);
}

static void curve_dots(struct canvas *canvas, int y, int cells, int rows, const struct chart_curve *curve,
	chart_value *value)
{
	for (int i = 0; i < cells; i++) {
		int row = curve_row(curve, value, i, cells, rows);
		if (row >= 0)
			canvas_put_glyph(canvas, MARGIN + i, y + rows - 1 - row, ROLE_DIM, GLYPH_DOT);
	}
}

static void curve_line(struct canvas *canvas, int y, int cells, int rows, const struct chart_curve *curve)
{
	int before = curve_row(curve, curve->value, 0, cells, rows);
	for (int i = 0; i < cells; i++) {
		int row = curve_row(curve, curve->value, i, cells, rows);
		if (row < 0)
			continue;
		for (int clear = before < row ? before : row; before >= 0 && clear <= before + row; clear++)
			if (clear >= 0 && clear <= (before > row ? before : row))
				canvas_put_glyph(canvas, MARGIN + i, y + rows - 1 - clear, ROLE_BAR, 0);
		curve_cell(canvas, MARGIN + i, y + rows - 1, before < 0 ? row : before, row, ROLE_BAR);
		before = row;
	}
}

int chart_curve_draw(struct canvas *canvas, int y, int width, int rows, const struct chart_curve *curve)
{
	int cells = width - MARGIN;
	if (width < CHART_LEAST)
		return y;
	canvas_put_cut(canvas, 0, y++, width, ROLE_LABEL, curve->up_words);
	canvas_vline(canvas, MARGIN - 1, y, rows + 1, ROLE_BORDER, 0);
	struct ticks ticks = {canvas, MARGIN - 1, y + rows - 1, y + rows + 2};
	visit_ticks(&curve->up, rows, place_beside, &ticks);
	draw_mark_lines(canvas, y, rows, &curve->right, cells, curve->marks, curve->mark_count);
	for (int i = 0; curve->more && curve->more[i]; i++)
		curve_dots(canvas, y, cells, rows, curve, curve->more[i]);
	curve_line(canvas, y, cells, rows, curve);
	draw_right(canvas, MARGIN, y + rows, &curve->right, cells);
	y = draw_marks(canvas, y + rows + 2, &curve->right, cells, curve->marks, curve->mark_count);
	canvas_put_right(canvas, 0, y, width, ROLE_LABEL, curve->right_words);
	return y + 1;
}

/* ---- bins ---- */

int chart_bin(struct canvas *canvas, int y, int label, enum role role, const char *words, int many, int most)
{
	enum { COUNT = 6, GAP = 2 };
	char count[24];
	int x = label + 1 + COUNT + GAP, room = canvas->width - x;
	snprintf(count, sizeof(count), "%d", many);
	canvas_put_right(canvas, 0, y, label, role, words);
	canvas_put_right(canvas, label + 1, y, COUNT, ROLE_NUMBER, count);
	if (room >= 4)
		canvas_bar(canvas, x, y, room < WIDEST_BAR ? room : WIDEST_BAR, ROLE_BAR, many, most);
	return y + 1;
}

/* ---- times ---- */

/* The column of a value among `room`, at most the last. */
static int column_of(double value, double most, int room)
{
	double share = value > 0 && most > 0 ? value / most : 0;
	return share < 1 ? (int)(share * (room - 1) + 0.5) : room - 1;
}

/* Where a bar is drawn, and the value at its end. */
struct bar {
	struct canvas *canvas;
	int x, y, room;
	double most;
};

/* A sign that is on the bar; one beyond its end is not drawn. */
static void put_sign(const struct bar *bar, double value, enum role role, uint32_t glyph)
{
	if (value > 0 && value <= bar->most)
		canvas_put_glyph(bar->canvas, bar->x + column_of(value, bar->most, bar->room), bar->y, role, glyph);
}

void chart_span_draw(struct canvas *canvas, int x, int y, int room, double most, const struct chart_span *span)
{
	const struct bar bar = {canvas, x, y, room, most};
	int low = column_of(span->low, most, room), high = column_of(span->high, most, room);
	if (room < CHART_SPAN_LEAST || !(span->middle > 0) || !(most > 0))
		return;
	for (int i = 0; i < low; i++)
		canvas_put_glyph(canvas, x + i, y, ROLE_BAR, GLYPH_FULL);
	for (int i = low + 1; i < high; i++)
		canvas_put_glyph(canvas, x + i, y, ROLE_TEXT, glyph_line(LINE_LEFT | LINE_RIGHT));
	put_sign(&bar, span->high, ROLE_TEXT, glyph_line(LINE_UP | LINE_DOWN | LINE_LEFT));
	put_sign(&bar, span->low, ROLE_TEXT, glyph_line(LINE_UP | LINE_DOWN | LINE_RIGHT));
	put_sign(&bar, span->expected, ROLE_LIVE, GLYPH_FRONTIER);
	put_sign(&bar, span->beside, ROLE_WARN, glyph_line(LINE_UP | LINE_DOWN | LINE_DASHED));
	unsigned heavy = (LINE_UP | LINE_DOWN) << LINE_HEAVY_SHIFT;
	put_sign(&bar, span->middle, ROLE_TITLE, glyph_line(LINE_UP | LINE_DOWN | heavy));
}

/* 1, 2 or 5 times a power of ten, so that figures have some columns each. */
static double scale_step(double most, int room)
{
	enum { COLUMNS_EACH = 10 };
	double least = most * COLUMNS_EACH / room, power = pow(10, floor(log10(least)));
	double lead = least / power;
	return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

int chart_scale(struct canvas *canvas, int x, int y, int room, double most, double unit, const char *name)
{
	double top = most / unit;
	if (room < CHART_SPAN_LEAST || !(top > 0) || top > 1e15)
		return y;
	double step = scale_step(top, room);
	for (int i = 0; i * step <= top; i++) {
		char label[48];
		bool last = (i + 1) * step > top;
		int at = x + column_of(i * step, top, room);
		snprintf(label, sizeof(label), "%.6g%s%s", i * step, last ? " " : "", last ? name : "");
		int width = canvas_text_width(label);
		canvas_put(canvas, at + width > canvas->width ? canvas->width - width : at, y, ROLE_LABEL, label);
	}
	return y + 1;
}

static double mean_of(const double *values, int count)
{
	double sum = 0;
	for (int i = 0; i < count; i++)
		sum += values[i] > 0 ? values[i] : 0;
	return sum / count;
}

void chart_course(struct canvas *canvas, int x, int y, int room, const double *values, int count)
{
	int columns = count < room ? count : room;
	double least = INFINITY, most = 0;
	for (int i = 0; i < count; i++) {
		least = values[i] > 0 && values[i] < least ? values[i] : least;
		most = values[i] > most ? values[i] : most;
	}
	most = most > 2 * least ? most : 2 * least;
	for (int i = 0; i < columns && most > 0 && most > least; i++) {
		int from = (int)((int64_t)i * count / columns), to = (int)((int64_t)(i + 1) * count / columns);
		double share = (mean_of(values + from, to - from) - least) / (most - least);
		int eighths = share < 0 ? 1 : 1 + (int)(share * 7 + 0.5);
		canvas_put_glyph(canvas, x + i, y, ROLE_BAR, glyph_bar_up(eighths < 8 ? eighths : 8));
	}
}
