/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times: what a run measured against what was predicted, and against a plain copy of the same bytes.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "session/live.h"
#include "session/sample.h"
#include "canvas/chart.h"
#include "canvas/table.h"
#include "views/draw.h"
#include "views/sweep.h"

/* ---- rows: the steps of one plan and their sum, or one row a plan ---- */

struct row {
	const char *label;
	const struct timed *timed;
	const struct times *times;
	int number;  /* of the step or plan; 0: the total */
	bool so_far; /* the steps that were measured, of a plan that runs */
};

#define ROWS_MAX 256

struct chart {
	const struct view_options *opt;
	struct row row[ROWS_MAX];
	int count, left_out, before; /* rows; beyond the last one, before the first one there are so many more */
	int present;                 /* row of the plan that runs, from 1; 0: none does */
	int place;                   /* of the fastest plan among the predictions, from 1; 0: not known */
	bool several;                /* one row a plan */
	const struct times *first;
	struct table table;
};

/* What launches of the plan came to; where none was complete, how far the last one came. */
static const struct times *times_of(const struct records *records, const char *plan)
{
	const struct times *best = records_merge(records, plan);
	for (int i = records->count - 1; i >= 0 && !best; i--)
		if (records->times[i].plan && strcmp(records->times[i].plan, plan) == 0 && records->times[i].count)
			best = &records->times[i];
	return best;
}

static void add_row(struct chart *chart, const char *label, const struct timed *timed, const struct times *times,
	int number)
{
	if (chart->count == ROWS_MAX)
		chart->left_out++;
	else
		chart->row[chart->count++] =
			(struct row){.label = label ? label : "?", .timed = timed, .times = times, .number = number};
}

static void add_spread(sw_spread *sum, const sw_spread *one)
{
	sum->median += one->median;
	sum->p10 += one->p10;
	sum->p90 += one->p90;
}

/* While a plan runs, its row has the sum of the steps that were measured. */
static void sum_steps(struct row *row, sw_arena *arena)
{
	const struct times *times = row->times;
	struct timed *sum = SW_NEW(arena, struct timed, 1);
	if (!sum)
		return;
	*sum = times->total;
	for (int k = 0; k < times->count; k++) {
		add_spread(&sum->seconds, &times->step[k].seconds);
		add_spread(&sum->reference, &times->step[k].reference);
	}
	row->timed = sum;
	row->so_far = true;
}

/* What was measured of a run that goes on, and which row it is at. */
static void mark_present(struct chart *chart, const struct records *records)
{
	const struct times *last = records->count ? &records->times[records->count - 1] : NULL;
	for (int i = 0; chart->several && i < chart->count; i++) {
		struct row *row = &chart->row[i];
		if (row->timed->seconds.median <= 0)
			sum_steps(row, records->arena);
		if (last && !last->complete && last->plan && strcmp(last->plan, row->label) == 0)
			chart->present = i + 1;
	}
}

/* Of more rows than there is room for, those around the plan that runs are shown. */
static void fit_rows(struct chart *chart, int most)
{
	int over = chart->count - most, at = chart->present ? chart->present : chart->count;
	if (over <= 0)
		return;
	chart->before = at > most ? at - most : 0;
	chart->left_out += over - chart->before;
	chart->count = most;
	memmove(chart->row, chart->row + chart->before, (size_t)most * sizeof(*chart->row));
	chart->present -= chart->present ? chart->before : 0;
}

static void add_steps(struct chart *chart, const struct times *times)
{
	for (int k = 0; k < times->count; k++)
		add_row(chart, times->step[k].label, &times->step[k], times, k + 1);
	if (times->total.seconds.median > 0)
		add_row(chart, "all steps", &times->total, times, 0);
}

static void chart_rows(struct chart *chart, const struct records *records, const struct live_run *live)
{
	const char *plan;
	chart->place = records_place(records);
	chart->several = records_plan(records, 1) || (live && live->plans > 1);
	for (int i = 0; (plan = records_plan(records, i)); i++) {
		const struct times *times = times_of(records, plan);
		if (!times)
			continue;
		chart->first = chart->first ? chart->first : times;
		if (chart->several)
			add_row(chart, plan, &times->total, times, i + 1);
		else
			add_steps(chart, times);
	}
}

/* ---- figures ---- */

static void seconds_text(double seconds, sw_text *text)
{
	static const struct {
		double least, factor;
		const char *unit;
	} units[] = {{1, 1, "s"}, {1e-3, 1e3, "ms"}, {1e-6, 1e6, "us"}, {0, 1e9, "ns"}};
	int i = 0;
	if (seconds <= 0)
		return;
	while (seconds < units[i].least * 0.9995)
		i++;
	double n = seconds * units[i].factor;
	sw_text_addf(text, "%.*f\u00a0%s", n < 9.995 ? 2 : n < 99.95 ? 1 : 0, n, units[i].unit);
}

static void rate_text(double bytes_per_second, sw_text *text)
{
	double n = 1e-9 * bytes_per_second;
	if (n > 0)
		sw_text_addf(text, "%.*f", n < 9.995 ? 2 : n < 99.95 ? 1 : 0, n);
}

enum { COLUMN_LABEL = 1, COLUMN_MEDIAN, COLUMN_P10, COLUMN_P90 };

static const struct column columns[] = {
	{.head = "#", .right = true, .role = ROLE_LABEL, .least = 3, .most = 3},
	{.head = "step", .role = ROLE_OP, .fit = CELL_CUT, .gap = 1, .gives = 4},
	{.head = "median", .right = true, .role = ROLE_NUMBER, .optional = true},
	{.head = "p10", .right = true, .role = ROLE_NUMBER, .optional = true, .drops = 3},
	{.head = "p90", .right = true, .role = ROLE_NUMBER, .optional = true, .drops = 4},
	{.head = "bytes", .right = true, .role = ROLE_NUMBER, .optional = true, .drops = 5},
	{.head = "GB/s", .right = true, .role = ROLE_NUMBER, .optional = true, .drops = 6},
	{.head = "alg", .right = true, .role = ROLE_NUMBER, .optional = true, .drops = 2},
	{.head = "bus", .right = true, .role = ROLE_NUMBER, .optional = true, .drops = 1},
	{.head = "of copy", .right = true, .role = ROLE_NUMBER, .optional = true, .drops = 7},
	{.head = "predicted", .right = true, .role = ROLE_NUMBER, .optional = true},
	{0},
};

static void add_seconds(struct table *table, double seconds)
{
	sw_text text = {0};
	seconds_text(seconds, &text);
	table_add_text(table, &text);
}

static void add_rate(struct table *table, double rate)
{
	sw_text text = {0};
	rate_text(rate, &text);
	table_add_text(table, &text);
}

static void add_bytes(struct table *table, int64_t bytes)
{
	sw_text text = {0};
	sw_print_bytes(&text, bytes);
	table_add_text(table, &text);
}

static void add_cells(struct table *table, const struct chart *chart, const struct row *row)
{
	const struct timed *timed = row->timed;
	const double seconds = timed->seconds.median;
	if (row->number)
		table_add(table, "%d", row->number);
	else
		table_add(table, "%s", "");
	if ((row->number && row->number == chart->opt->step) ||
		(chart->present && row == &chart->row[chart->present - 1]))
		table_paint(table, ROLE_CURRENT);
	table_add(table, "%s", row->label);
	if (!row->number)
		table_paint(table, ROLE_TITLE);
	add_seconds(table, seconds);
	add_seconds(table, timed->seconds.p10);
	add_seconds(table, timed->seconds.p90);
	add_bytes(table, timed->bytes);
	add_rate(table, seconds > 0 ? (double)timed->bytes / seconds : 0);
	add_rate(table, timed->landing);
	add_rate(table, timed->crossing);
	if (seconds > 0 && timed->reference.median > 0)
		table_add(table, "%.0f\u00a0%%", 100 * timed->reference.median / seconds);
	else
		table_add(table, "%s", "");
	add_seconds(table, timed->predicted);
}

/* ---- the table ---- */

static void lay_out_times(struct chart *chart)
{
	struct table *table = &chart->table;
	table_start(table, columns);
	if (chart->first && chart->first->launches > 1) {
		table->column[COLUMN_P10].head = "least";
		table->column[COLUMN_P90].head = "most";
	}
	if (chart->several)
		table->column[COLUMN_LABEL].head = "plan";
	for (int i = 0; i < chart->count; i++)
		add_cells(table, chart, &chart->row[i]);
	table_fit(table, chart->opt->width);
}

static int table_of_times(struct chart *chart, struct canvas *out, int y)
{
	lay_out_times(chart);
	y = table_draw_heads(&chart->table, out, y);
	for (int i = 0; i < chart->count; i++)
		y = table_draw_row(&chart->table, out, y, i);
	return y;
}

/* ---- bars ---- */

#define SO_FAR "+" /* behind the sum of the steps that were measured until now */
enum { MEDIAN = 8, BARS_GAP = 2, COURSE_MOST = 16, COURSE_LEAST = 6 };

/* Where the parts of the chart are, and what is in it. */
struct bars {
	double most;
	int x, room;        /* of the bars */
	int course;         /* columns of repetitions in order, 0: none */
	bool beside, known; /* a plain copy, a prediction */
};

static double greater(double a, double b)
{
	return a > b ? a : b;
}

/* A prediction that is far beyond what was measured would leave the bars no room: it stands in the table. */
static void measure_bars(const struct chart *chart, struct bars *bars)
{
	double predicted = 0;
	int course = 0;
	for (int i = 0; i < chart->count; i++) {
		const struct timed *timed = chart->row[i].timed;
		bars->most = greater(bars->most, greater(timed->seconds.median, timed->seconds.p90));
		bars->most = greater(bars->most, timed->reference.median);
		bars->beside |= timed->reference.median > 0;
		predicted = greater(predicted, timed->predicted);
		course = timed->courses > course ? timed->courses : course;
	}
	if (predicted <= 2 * bars->most)
		bars->most = greater(bars->most, predicted);
	for (int i = 0; i < chart->count; i++)
		bars->known |= chart->row[i].timed->predicted > 0 && chart->row[i].timed->predicted <= bars->most;
	bars->course = course > COURSE_MOST ? COURSE_MOST : course;
}

static void place_bars(const struct chart *chart, struct bars *bars)
{
	int room = chart->opt->width - table_at(&chart->table, COLUMN_MEDIAN) - MEDIAN - BARS_GAP;
	bars->x = chart->opt->width - room;
	if (bars->course && room - bars->course - BARS_GAP < 2 * CHART_SPAN_LEAST)
		bars->course = room >= 2 * CHART_SPAN_LEAST + COURSE_LEAST + BARS_GAP ? COURSE_LEAST : 0;
	bars->room = bars->course ? room - bars->course - BARS_GAP : room;
}

static struct chart_span span_of(const struct timed *timed)
{
	const sw_spread *seconds = &timed->seconds;
	bool spread = seconds->p10 > 0 && seconds->p90 > 0;
	return (struct chart_span){.low = spread ? seconds->p10 : seconds->median,
		.middle = seconds->median,
		.high = spread ? seconds->p90 : seconds->median,
		.beside = timed->reference.median,
		.expected = timed->predicted > 0 ? timed->predicted : 0};
}

static void bar_draw(const struct chart *chart, const struct bars *bars, struct canvas *out, int y, int i)
{
	const struct timed *timed = chart->row[i].timed;
	struct chart_span span = span_of(timed);
	sw_text text = {0};
	table_draw_part(&chart->table, out, y, i, COLUMN_MEDIAN);
	seconds_text(timed->seconds.median, &text);
	canvas_put_right(out, bars->x - MEDIAN - BARS_GAP, y, MEDIAN, ROLE_NUMBER, sw_text_get(&text));
	if (chart->row[i].so_far && text.length)
		canvas_put(out, bars->x - BARS_GAP, y, ROLE_LIVE, SO_FAR);
	sw_text_free(&text);
	chart_span_draw(out, bars->x, y, bars->room, bars->most, &span);
	if (bars->course)
		chart_course(out, chart->opt->width - bars->course, y, bars->course, timed->course, timed->courses);
}

static int scale_draw(const struct bars *bars, struct canvas *out, int y)
{
	static const struct {
		double least, unit;
		const char *name;
	} units[] = {{2, 1, "s"}, {2e-3, 1e-3, "ms"}, {2e-6, 1e-6, "us"}, {0, 1e-9, "ns"}};
	int i = 0;
	while (bars->most < units[i].least)
		i++;
	return chart_scale(out, bars->x, y, bars->room, bars->most, units[i].unit, units[i].name);
}

/* ---- what the signs of bars are ---- */

struct legend {
	struct canvas *out;
	int x, y, width;
};

/* A sign as it is drawn, and its words; a new row where it does not fit. */
static void legend_add(struct legend *legend, enum role role, const char *sign, const char *words)
{
	int room = canvas_text_width(sign) + 1 + canvas_text_width(words);
	if (legend->x > 2 && legend->x + room > legend->width) {
		legend->x = 2;
		legend->y++;
	}
	int x = canvas_put(legend->out, legend->x, legend->y, role, sign);
	legend->x = canvas_put_cut(legend->out, x + 1, legend->y, legend->width - x - 1, ROLE_DIM, words) + 2;
}

static int legend_draw(const struct chart *chart, const struct bars *bars, struct canvas *out, int y)
{
	struct legend legend = {out, 2, y, chart->opt->width};
	bool several = chart->first && chart->first->launches > 1, so_far = false;
	for (int i = 0; i < chart->count; i++)
		so_far |= chart->row[i].so_far;
	if (bars->room < CHART_SPAN_LEAST)
		return y;
	legend_add(&legend, ROLE_BAR, "\u2588", several ? "to the least" : "to 10 %");
	legend_add(&legend, ROLE_TEXT, CHART_SPAN_SIGN,
		several ? "least, median, most of the launches" : "10 %, median, 90 %");
	if (so_far)
		legend_add(&legend, ROLE_LIVE, SO_FAR, "steps so far");
	if (bars->beside)
		legend_add(&legend, ROLE_WARN, CHART_BESIDE_SIGN,
			chart->first->library ? "the product alone" : "plain copy of the same bytes");
	if (bars->known)
		legend_add(&legend, ROLE_LIVE, CHART_EXPECTED_SIGN, "predicted");
	if (bars->course)
		legend_add(&legend, ROLE_BAR, "\u2581\u2588", "repetitions in order: least, twice that or more");
	return legend.y + 1;
}

static int bars_draw(const struct chart *chart, struct canvas *out, int y)
{
	struct bars bars = {.most = 0};
	measure_bars(chart, &bars);
	place_bars(chart, &bars);
	if (bars.most <= 0)
		return y;
	for (int i = 0; i < chart->count; i++)
		bar_draw(chart, &bars, out, y++, i);
	return legend_draw(chart, &bars, out, scale_draw(&bars, out, y));
}

/* ---- what stands beside the times ---- */

static int note_probe(const struct times *times, struct canvas *out, int y)
{
	sw_text text = {0};
	if (times->hop <= 0 && times->bandwidth <= 0)
		return y;
	records_print_probe(times->hop, times->bandwidth, &text);
	y = draw_note(out, 2, y, ROLE_DIM, "probe: %s", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int note_machine(const struct times *times, struct canvas *out, int y)
{
	const char *turns = times->ranks > times->cores && times->cores > 0 ? ", in turns" : "";
	struct words hosts = words_plural(times->hosts, "host", "hosts");
	y = draw_note(out, 2, y, ROLE_TEXT, "%s on %s%s, %s; transport %s",
		words_plural(times->ranks, "rank", "ranks").text, words_plural(times->cores, "core", "cores").text, turns,
		times->hosts > 1 || !times->host ? hosts.text : times->host, times->transport ? times->transport : "?");
	if (times->binding && *times->binding)
		y = draw_note(out, 2, y, ROLE_TEXT, "bound to processors %s", times->binding);
	y = note_probe(times, out, y);
	if (times->others > 0.05)
		y = draw_note(out, 2, y, ROLE_WARN,
			"other programs used %.0f %% of the processors meanwhile: times "
			"are too long",
			100 * times->others);
	return y;
}

static int note_memory(const struct times *times, struct canvas *out, int y)
{
	sw_text text = {0};
	if (times->tile_bytes < 0)
		return y;
	sw_text_add(&text, "memory of a rank: ");
	sw_print_bytes(&text, times->tile_bytes);
	sw_text_add(&text, " for tiles, ");
	sw_print_bytes(&text, times->buffer_bytes > 0 ? times->buffer_bytes : 0);
	sw_text_add(&text, " for buffers; predicted ");
	sw_print_bytes(&text, times->predicted_bytes > 0 ? times->predicted_bytes : 0);
	if (times->process_bytes > 0) {
		sw_text_add(&text, "; the process ");
		sw_print_bytes(&text, times->process_bytes);
	}
	y = draw_note(out, 2, y, ROLE_TEXT, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int note_padding(const struct times *times, struct canvas *out, int y)
{
	sw_text text = {0};
	if (!times->padded)
		return y;
	sw_text_add(&text, "padding travels as data: ");
	sw_print_bytes(&text, times->padding_bytes[0]);
	sw_text_add(&text, " over all ranks at first, ");
	sw_print_bytes(&text, times->padding_bytes[1]);
	sw_text_add(&text, " at last");
	y = draw_note(out, 2, y, ROLE_WARN, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int note_model(const struct times *times, struct canvas *out, int y)
{
	if (!times->model)
		return y;
	bool measured = strcmp(times->model, "calibrated") == 0;
	if (strcmp(times->model, TIMES_PROBED) == 0)
		return draw_note(out, 2, y, ROLE_NOTE,
			"predicted by these rates; `compare` predicts by those of its hardware");
	if (times->throttle > 0)
		return draw_note(out, 2, y, ROLE_NOTE,
			"predicted by the model %s: the ports of the system at %.4g of their rates", times->model,
			times->throttle);
	return draw_note(out, 2, y, ROLE_NOTE, "predicted by the model %s%s", times->model,
		measured ? "" : ", which knows nothing of this machine: calibrate measures it");
}

/* A plan of one step has two rows of the same work. */
static int note_apart(const struct chart *chart, struct canvas *out, int y)
{
	if (chart->several || chart->count != 2 || chart->row[1].number)
		return y;
	return draw_note(out, 2, y, ROLE_DIM,
		"all steps: the same work as the only step, timed separately; any difference is chance");
}

/* "MPI_Gatherv of the pattern: 139 us; the exchange, in turns with it: 411 us". */
static int note_collective(const struct chart *chart, struct canvas *out, int y)
{
	for (int i = 0; i < chart->count; i++) {
		const struct timed *timed = chart->row[i].timed;
		if (timed->collective && timed->seconds.median > 0 && timed->exchange.median > 0)
			y = draw_note(out, 2, y, ROLE_TEXT,
				"%s: %s sends what the pattern says in %s; the exchange, in turns with it, takes "
				"%s",
				chart->row[i].label, timed->collective, words_seconds(timed->seconds.median).text,
				words_seconds(timed->exchange.median).text);
	}
	return y;
}

static int note_end(const struct chart *chart, struct canvas *out, int y)
{
	bool right = true, complete = true;
	for (int i = 0; i < chart->count; i++) {
		right &= chart->row[i].times->right;
		complete &= chart->row[i].times->complete;
	}
	if (!complete)
		return draw_note(out, 2, y, ROLE_BAD, "the run did not finish: these are the results so far");
	const struct times *times = chart->first;
	if (right && !times->verified)
		return draw_note(out, 2, y, ROLE_NOTE,
			"no data are exact here: the largest difference is %.3g, and rounding allows %.3g", times->difference,
			times->bound);
	return draw_note(out, 2, y, right ? ROLE_GOOD : ROLE_BAD, "%s",
		right ? "every element of every rank was right" : "elements were wrong: the times mean nothing");
}

/* Who multiplied. */
static int note_library(const struct times *times, struct canvas *out, int y)
{
	if (!times->library)
		return y;
	y = draw_note(out, 2, y, ROLE_TEXT, "products by %s, %s a rank%s%s%s", times->library,
		words_plural(times->library_threads, "thread", "threads").text, times->library_rate > 0 ? ", " : "",
		times->library_rate > 0 ? words_amount(times->library_rate).text : "",
		times->library_rate > 0 ? " flops a second on all ranks at once" : "");
	return times->library_hint ? draw_note(out, 2, y, ROLE_WARN, "%s", times->library_hint) : y;
}

/* Whether formulas were computed while messages travelled. */
static int note_in_place(const struct times *times, struct canvas *out, int y)
{
	if (times->messages < 1)
		return y;
	return draw_note(out, 2, y, ROLE_TEXT, "%lld of %lld messages were read in place, without a copy",
		(long long)(times->in_place > 0 ? times->in_place : 0), (long long)times->messages);
}

static int note_overlap(const struct times *times, struct canvas *out, int y)
{
	if (!times->overlap)
		return y;
	if (strcmp(times->overlap, "yes") == 0)
		return draw_note(out, 2, y, ROLE_TEXT, "computed while messages travelled");
	return draw_note(out, 2, y, ROLE_TEXT, "nothing was computed while messages travelled: %s", times->overlap);
}

/* Random data, whose sum depends on the order of adding. */
static int note_error(const struct times *times, struct canvas *out, int y)
{
	if (!times->verified || !(times->bound > 0))
		return y;
	return draw_note(out, 2, y, ROLE_NOTE,
		"random data: the sums are off by at most %.2g; the order of adding may change them by %.2g",
		times->difference, times->bound);
}

/* Where the plan that was fastest stands among the predictions, and how these order the plans. */
static int note_ranking(const struct chart *chart, struct canvas *out, int y)
{
	double measured[ROWS_MAX], predicted[ROWS_MAX];
	int count = 0, rank = chart->place;
	for (int i = 0; i < chart->count && count < ROWS_MAX; i++) {
		const struct timed *timed = chart->row[i].timed;
		if (!(timed->predicted > 0) || !(timed->seconds.median > 0))
			continue;
		measured[count] = timed->seconds.median;
		predicted[count++] = timed->predicted;
	}
	if (!chart->several || rank == 0)
		return y;
	double correlation = sample_rank_correlation(measured, predicted, count);
	struct words also = {""};
	if (!isnan(correlation))
		snprintf(also.text, sizeof(also.text), "; rank correlation %.2f", correlation);
	y = draw_note(out, 2, y, ROLE_NOTE,
		"the fastest is number %d of the predictions: in the top 1 %s, top 5 %s, top 10 %s%s", rank,
		rank <= 1 ? "yes" : "no", rank <= 5 ? "yes" : "no", rank <= 10 ? "yes" : "no", also.text);
	return y;
}

/* Whether the result is right and on what it was measured, then what is unusual; `explain times` says what columns count. */
static int notes_draw(const struct chart *chart, struct canvas *out, int y)
{
	const struct times *times = chart->first;
	if (chart->left_out)
		y = draw_note(out, 2, y, ROLE_DIM, "%d more rows are left out", chart->left_out);
	y = note_end(chart, out, y);
	y = note_apart(chart, out, y);
	y = note_machine(times, out, y);
	y = note_library(times, out, y);
	y = note_overlap(times, out, y);
	y = note_in_place(times, out, y);
	y = note_padding(times, out, y);
	if (!chart->several)
		y = note_memory(times, out, y);
	y = note_model(times, out, y);
	y = note_ranking(chart, out, y);
	y = note_error(times, out, y);
	return note_collective(chart, out, y);
}

/* ---- the whole ---- */

static void title_text(const struct view_input *in, const struct chart *chart, sw_text *text)
{
	const struct times *times = chart->first;
	if (in->times_number)
		sw_text_addf(text, "result $%d: ", in->times_number);
	if (chart->several)
		sw_text_addf(text, "%d plans", chart->count + chart->left_out);
	else
		sw_text_add(text, times->plan ? times->plan : "a plan");
	if (times->launches > 1)
		sw_text_addf(text, ", medians of %d launches", times->launches);
	if (times->mpi)
		sw_text_addf(text, ", %.*s", (int)strcspn(times->mpi, "\t\n"), times->mpi);
	if (times->mpi && strchr(times->mpi, '\t'))
		sw_text_addf(text, " %.*s", (int)strcspn(strchr(times->mpi, '\t') + 1, "\t\n"), strchr(times->mpi, '\t') + 1);
}

/* Beside what it says of the run, where there is room, the keys. */
static int live_title(const struct view_input *in, const struct chart *chart, struct canvas *out)
{
	static const char keys[] = "a adds a strategy, C-c stops", stop[] = "C-c stops";
	const char *hint = in->live->takes ? keys : stop;
	sw_text rest = {0};
	live_print(in->live, in->now, &rest);
	int room = chart->opt->width - 2 * BARS_GAP - canvas_text_width("times") - canvas_text_width(sw_text_get(&rest));
	int y = draw_title(out, 0, "times", sw_text_get(&rest));
	if (y == 1 && room > canvas_text_width(hint))
		canvas_put_right(out, 0, 0, chart->opt->width, ROLE_DIM, hint);
	sw_text_free(&rest);
	return y;
}

/* What is measured now, which may have no bar yet; before a step was measured predicted times alone say how long it takes. */
static int live_present(const struct view_input *in, bool any, struct canvas *out, int y)
{
	sw_text present = {0};
	live_print_present(in->live, &present);
	if (present.length)
		y = draw_note(out, 2, y, ROLE_LIVE, "under way: %s", sw_text_get(&present));
	else if (!any)
		y = draw_note(out, 2, y, ROLE_LIVE, "the ranks start");
	sw_text_free(&present);
	if (any)
		return y;
	bool known = live_left(in->live, in->now) >= 0;
	return draw_note(out, 2, y, ROLE_DIM, "%.0f s so far; the first times%s come when a step was measured",
		in->now - in->live->begun, known ? "" : " and the time left");
}

/* Bars that grow, without what is only known in the end. */
static void live_draw(const struct view_input *in, struct chart *chart, struct canvas *out)
{
	enum { BESIDE = 7, LEAST = 4, ANY = ROWS_MAX };
	int height = chart->opt->height;
	int y = live_title(in, chart, out);
	fit_rows(chart, !height ? ANY : height > BESIDE + LEAST ? height - BESIDE : LEAST);
	lay_out_times(chart);
	y = bars_draw(chart, out, live_present(in, chart->count > 0, out, y));
	if (chart->before || chart->left_out)
		draw_note(out, 2, y, ROLE_DIM, "%d more rows are left out", chart->before + chart->left_out);
}

static void chart_draw(const struct view_input *in, struct chart *chart, struct canvas *out)
{
	sw_text rest = {0};
	title_text(in, chart, &rest);
	int y = draw_title(out, 0, "times", sw_text_get(&rest)) + 1;
	sw_text_free(&rest);
	if (chart->count)
		y = bars_draw(chart, out, table_of_times(chart, out, y) + 1) + 1;
	else
		y = draw_note(out, 2, y, ROLE_TEXT, "the plan has no steps: there was nothing to move") + 1;
	notes_draw(chart, out, y);
}

/* What is merged for the picture is forgotten after it. */
bool view_times(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	if (in->sweep)
		return sweep_draw(in, opt, out);
	struct chart chart = {.opt = opt};
	sw_arena_mark mark = {0};
	if (in->times) {
		mark = sw_arena_here(in->times->arena);
		chart_rows(&chart, in->times, in->live);
	}
	if (in->live)
		mark_present(&chart, in->times);
	if ((chart.first || in->live) && draw_begin("times", opt, out))
		(in->live ? live_draw : chart_draw)(in, &chart, out);
	table_free(&chart.table);
	if (in->times)
		sw_arena_back(in->times->arena, mark);
	return chart.first || in->live || draw_missing(diag, "result of a run", "type: run; or open FILE reads a result");
}
