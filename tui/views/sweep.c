/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Predicted times over the size: the line that hops and bytes bend, with its knee, and the figures beside it.
 */
#include "views/sweep.h"

#include <math.h>
#include <stdio.h>

#include <shardwalk/number.h>

#include "canvas/chart.h"
#include "canvas/table.h"
#include "views/draw.h"

enum { KNEES_MOST = 8, ROWS_MOST = 18, CHART_ROWS = 12 };

/* ---- values ---- */

static double seconds_of_bytes(const void *context, double size)
{
	const struct sweep *sweep = context;
	double sum = 0;
	for (int k = 0; k < sweep->count; k++)
		sum += sweep->step[k].bytes * size / sweep->size;
	return sum;
}

static double seconds_of_hops(const void *context, double size)
{
	const struct sweep *sweep = context;
	double sum = 0;
	(void)size;
	for (int k = 0; k < sweep->count; k++)
		sum += sweep->step[k].hops;
	return sum;
}

static sw_roofline bound_at(const struct sweep *sweep, int k, double size)
{
	return (sw_roofline){sweep->step[k].hops, sweep->step[k].bytes * size / sweep->size};
}

static double seconds_at(const void *context, double size)
{
	const struct sweep *sweep = context;
	double sum = 0;
	for (int k = 0; k < sweep->count; k++)
		sum += sw_roofline_seconds(bound_at(sweep, k, size));
	return sum;
}

/* Where the bytes of a step take as long as its hops; 0: nowhere. */
static double knee_of(const struct sweep *sweep, int k)
{
	const sw_roofline *step = &sweep->step[k];
	return step->bytes > 0 && step->hops > 0 ? step->hops / step->bytes * sweep->size : 0;
}

/* ---- words ---- */

static void size_words(double bytes, sw_text *text)
{
	static const struct {
		double unit;
		const char *name;
	} units[] = {{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}};
	int i = 0;
	while (i < 4 && bytes < units[i].unit * 0.9995)
		i++;
	sw_text_addf(text, "%.4g\u00a0%s", bytes / units[i].unit, units[i].name);
}

static void time_words(double seconds, sw_text *text)
{
	words_tick(seconds, "\u00a0", text);
}

static const char *bound_words(const struct sweep *sweep, double size)
{
	bool latency = false, bandwidth = false;
	for (int k = 0; k < sweep->count; k++) {
		sw_roofline bound = bound_at(sweep, k, size);
		latency = latency || (bound.hops >= bound.bytes && bound.hops > 0);
		bandwidth = bandwidth || bound.bytes > bound.hops;
	}
	return latency && bandwidth ? "both" : bandwidth ? "bandwidth" : latency ? "latency" : "nothing";
}

/* ---- the curve ---- */

static int curve_draw(const struct sweep *sweep, int width, struct canvas *out, int y)
{
	static chart_value *const more[] = {seconds_of_hops, seconds_of_bytes, NULL};
	struct chart_mark marks[KNEES_MOST];
	sw_text words[KNEES_MOST] = {{0}};
	double ends[] = {seconds_at(sweep, sweep->least), seconds_at(sweep, sweep->most)};
	double sizes[] = {sweep->least, sweep->most};
	struct chart_curve curve = {.right = chart_axis_of(sizes, 2, 0, size_words),
		.up = chart_axis_of(ends, 2, 0, time_words),
		.right_words = "bytes of the larger end on a device",
		.up_words = "predicted time",
		.value = seconds_at,
		.more = more,
		.context = sweep,
		.marks = marks};
	for (int k = 0; k < sweep->count && curve.mark_count < KNEES_MOST; k++) {
		double knee = knee_of(sweep, k);
		if (knee < sweep->least || knee > sweep->most)
			continue;
		sw_text *text = &words[curve.mark_count];
		sw_text_add(text, "knee");
		if (sweep->count > 1)
			sw_text_addf(text, " of step %d", k + 1);
		marks[curve.mark_count++] = (struct chart_mark){knee, sw_text_get(text), ROLE_WARN};
	}
	y = chart_curve_draw(out, y, width, CHART_ROWS, &curve);
	for (int i = 0; i < KNEES_MOST; i++)
		sw_text_free(&words[i]);
	return y;
}

/* ---- the figures ---- */

static void add_size(struct table *table, const struct sweep *sweep, double size)
{
	double seconds = seconds_at(sweep, size), bytes = seconds_of_bytes(sweep, size);
	sw_text text = {0};
	sw_print_real_bytes(&text, size);
	table_add_text(table, &text);
	table_add(table, "%s", words_seconds(seconds).text);
	table_add(table, "%s", bound_words(sweep, size));
	if (seconds > 0)
		table_add(table, "%.*f\u00a0%%", bytes < 0.1 * seconds ? 1 : 0, 100 * bytes / seconds);
	else
		table_add(table, "-");
}

/* Each size twice the one before, or as many times as leaves few enough rows. */
static int table_of_sizes(const struct sweep *sweep, int width, struct canvas *out, int y)
{
	static const struct column columns[] = {COLUMN_RIGHT("size", ROLE_LABEL), COLUMN_RIGHT("time", ROLE_NUMBER),
		COLUMN_LEFT("bound by", ROLE_TEXT), {.head = "of bandwidth", .right = true, .role = ROLE_NUMBER, .drops = 1},
		{0}};
	struct table table;
	double factor = 2;
	while (log(sweep->most / sweep->least) / log(factor) > ROWS_MOST - 1)
		factor *= 2;
	table_start(&table, columns);
	for (double size = sweep->least; size <= sweep->most * (1 + 1e-9); size *= factor)
		add_size(&table, sweep, size);
	table_fit(&table, width);
	y = table_draw_heads(&table, out, y);
	for (int i = 0; i < table_rows(&table); i++)
		y = table_draw_row(&table, out, y, i);
	table_free(&table);
	return y;
}

/* ---- in words ---- */

static int knee_draw(const struct view_input *in, int k, struct canvas *out, int y)
{
	const struct sweep *sweep = in->sweep;
	double knee = knee_of(sweep, k);
	sw_text text = {0};
	if (knee <= 0)
		return y;
	sw_text_addf(&text, "step %d, ", k + 1);
	sw_plan_print_step(in->plan, k, &text);
	sw_text_addf(&text, ": knee at %s bytes", words_count(sw_nearest(knee)).text);
	if (sweep->members > 0)
		sw_text_addf(&text, ", %s a hop", words_count(sw_nearest(knee / sweep->members)).text);
	sw_text_addf(&text, "; below it the hops take longest, %s", words_seconds(sweep->step[k].hops).text);
	y = draw_note(out, 2, y, ROLE_TEXT, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static void sweep_picture(const struct view_input *in, const struct view_options *opt, struct canvas *out)
{
	const struct sweep *sweep = in->sweep;
	sw_text text = {0};
	sw_text_addf(&text, "of %s, predicted by the model roofline on hardware %s",
		words_plural(sweep->count, "step", "steps").text, in->machine);
	int y = draw_title(out, 0, "times", sw_text_get(&text)) + 1;
	sw_text_free(&text);
	y = curve_draw(sweep, opt->width, out, y) + 1;
	y = table_of_sizes(sweep, opt->width, out, y) + 1;
	for (int k = 0; k < sweep->count; k++)
		y = knee_draw(in, k, out, y);
	y = draw_note(out, 2, y, ROLE_DIM,
		"dotted: the time of hops alone and of bytes alone; of bandwidth: the share of time in which bytes are "
		"on the links");
	if (sweep->measured && sweep->members > 0)
		draw_note(out, 2, y, ROLE_NOTE, "measured elsewhere, not here: %s", sweep->measured);
}

bool sweep_draw(const struct view_input *in, const struct view_options *opt, struct canvas *out)
{
	if (!draw_begin("times", opt, out))
		return true;
	if (in->sweep->count == 0 || seconds_at(in->sweep, in->sweep->most) <= 0)
		draw_note(out, 0, draw_title(out, 0, "times", "predicted") + 1, ROLE_TEXT,
			"the plan sends nothing: it takes no time at any size");
	else
		sweep_picture(in, opt, out);
	return true;
}
