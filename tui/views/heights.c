/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory per device step by step: the tile as a bar, live memory (source and destination together) beyond it,
 * the budget as a line across.
 */
#include <shardwalk/between.h>
#include <shardwalk/number.h>

#include "canvas/glyphs.h"
#include "canvas/table.h"
#include "views/draw.h"

struct chart {
	const sw_plan *plan;
	const struct view_options *opt;
	bool bytes;         /* instead of elements: as it is set, or as the budget was typed */
	struct table table; /* of the words and figures beside the bars */
	int x, room;        /* of the bars */
	int pitch, thick;   /* rows of a step, and of its bars */
	double most;
};

int64_t step_live(const sw_plan *plan, int k)
{
	if (k > 0 && sw_problem_has_words(&plan->problem))
		return plan->live_peak;
	return k ? plan->program.value[k - 1].localsize + plan->program.value[k].localsize :
			   plan->program.value[0].localsize;
}

static struct words size_words(const struct chart *chart, int64_t elements)
{
	return chart->bytes ? words_bytes_in(elements, chart->plan->problem.from.dtype, chart->plan->unit) :
						  words_count(elements);
}

enum { COLUMN_STEP = 1, COLUMN_LIVE = 3, BARS_LEAST = 12 };

static const struct column columns[] = {
	{.head = "#", .right = true, .role = ROLE_LABEL, .least = 3, .most = 3},
	{.head = "step", .role = ROLE_OP, .fit = CELL_CUT, .gap = 1, .least = 4},
	{.head = "tile", .right = true, .role = ROLE_NUMBER, .least = 4},
	{.head = "live", .right = true, .role = ROLE_NUMBER, .least = 4, .drops = 1},
	{0},
};

static void add_size(struct table *table, const struct chart *chart, int64_t size, int64_t budget)
{
	table_add(table, "%s", size_words(chart, size).text);
	if (budget > 0 && size > budget)
		table_mark_over(table);
}

static void add_row(struct table *table, const struct chart *chart, int k)
{
	sw_text op = {0};
	table_add(table, "%d", k);
	if (k == chart->opt->step)
		table_paint(table, ROLE_CURRENT);
	if (k)
		sw_plan_print_step(chart->plan, k - 1, &op);
	else
		sw_text_add(&op, "from");
	table_add_text(table, &op);
	if (!k)
		table_paint(table, ROLE_TEXT);
	add_size(table, chart, chart->plan->program.value[k].localsize, chart->plan->budget);
	add_size(table, chart, step_live(chart->plan, k), chart->plan->live_budget);
}

static void chart_fill(struct chart *chart, int width)
{
	struct table *table = &chart->table;
	table_start(table, columns);
	table->column[COLUMN_STEP].most = width / 3;
	for (int k = 0; k <= chart->plan->program.steps; k++)
		add_row(table, chart, k);
	table_fit(table, width - 4 - BARS_LEAST);
	chart->x = table_width(table) + 2;
	chart->room = width - chart->x - 2;
}

#define PITCH_MOST 4
#define ROWS_BESIDE 11 /* of title, heads and legend */

/* In a pane the bars are as thick as there is room. */
static void chart_space(struct chart *chart)
{
	int pitch = (chart->opt->room - ROWS_BESIDE) / (chart->plan->program.steps + 1);
	chart->pitch = pitch < 1 ? 1 : pitch < PITCH_MOST ? pitch : PITCH_MOST;
	chart->thick = chart->pitch > 1 ? chart->pitch - 1 : 1;
}

double step_memory_most(const sw_plan *plan)
{
	double peak = plan->live_peak > 0 ? (double)plan->live_peak : 1, most = peak;
	const int64_t budgets[] = {plan->budget, plan->live_budget};
	for (int i = 0; i < 2; i++)
		if ((double)budgets[i] > most && (double)budgets[i] <= 3 * peak)
			most = (double)budgets[i];
	return most;
}

/* The column where a size ends. */
static int chart_column(const struct chart *chart, double size)
{
	return chart->x + (int)(size / chart->most * chart->room + 0.5);
}

static void live_draw(const struct chart *chart, struct canvas *out, int y, int k)
{
	int from = chart_column(chart, (double)chart->plan->program.value[k].localsize);
	int to = chart_column(chart, (double)step_live(chart->plan, k));
	for (int x = from; x < to; x++)
		if (!canvas_cell_at(out, x, y)->glyph)
			canvas_put_glyph(out, x, y, ROLE_LIVE, GLYPH_SHADE2);
}

static void row_draw(const struct chart *chart, struct canvas *out, int y, int k)
{
	int64_t size = chart->plan->program.value[k].localsize, budget = chart->plan->budget;
	bool over = budget > 0 && size > budget;
	table_draw_row(&chart->table, out, y + chart->thick / 2, k);
	for (int row = y; row < y + chart->thick; row++) {
		canvas_bar(out, chart->x, row, chart->room, over ? ROLE_BAD : ROLE_BAR, (double)size, chart->most);
		live_draw(chart, out, row, k);
	}
}

static int chart_rows(const struct chart *chart)
{
	return chart->plan->program.steps * chart->pitch + chart->thick;
}

static void budget_draw(const struct chart *chart, struct canvas *out, int y, int64_t budget, unsigned weight)
{
	if (budget <= 0 || (double)budget > chart->most)
		return;
	int column = chart_column(chart, (double)budget);
	canvas_vline(out, column, y, chart_rows(chart), ROLE_BUDGET, weight);
}

static int legend_budget(const struct chart *chart, struct canvas *out, int y, const char *what, int64_t budget,
	int64_t peak)
{
	if (budget <= 0)
		return y;
	const sw_plan *plan = chart->plan;
	sw_dtype dtype = plan->problem.from.dtype;
	struct words size = words_size(budget, dtype, plan->unit), bytes = words_bytes(budget, dtype);
	bool elements = plan->unit == SW_UNIT_ELEMENTS;
	return draw_note(out, 0, y, ROLE_NOTE, "%s: %s%s%s%s%s%s", what, size.text, elements ? " (" : "",
		elements ? bytes.text : "", elements ? ")" : "", (double)budget > chart->most ? ", right of the picture" : "",
		peak > budget ? "; ! above it" : "");
}

static int legend_draw(const struct chart *chart, struct canvas *out, int y)
{
	const sw_plan *plan = chart->plan;
	int end = y;
	y = draw_note(out, 0, y, ROLE_NOTE, "█ tile   ▒ live: source and destination together");
	y = draw_note_ends(out, end, y);
	y = legend_budget(chart, out, y, "╎ budget of a tile", plan->budget, plan->height);
	return legend_budget(chart, out, y, "┃ budget of live memory", plan->live_budget, plan->live_peak);
}

/* ---- what all devices have together ---- */

static int64_t all_tiles(const sw_plan *plan, int k)
{
	return sw_plan_on_all(plan, k);
}

static int64_t all_live(const sw_plan *plan, int k)
{
	int64_t before = k ? sw_plan_on_all(plan, k - 1) : 0, after = sw_plan_on_all(plan, k), all;
	return before >= 0 && after >= 0 && sw_add(before, after, &all) ? all : -1;
}

/* -1: 64 bits do not hold it. */
static int64_t all_at_most(const sw_plan *plan, int64_t (*all)(const sw_plan *plan, int k))
{
	int64_t most = 0;
	for (int k = 0; k <= plan->program.steps && most >= 0; k++)
		most = all(plan, k) < 0 ? -1 : sw_larger(most, all(plan, k));
	return most;
}

/* "height 8 (32 B, 128 B on all 4)" */
static void add_height(const sw_plan *plan, const char *what, int64_t size, int64_t on_all, sw_text *text)
{
	sw_dtype dtype = plan->problem.from.dtype;
	sw_text_addf(text, "%s %s (%s, ", what, words_count(size).text, words_bytes_in(size, dtype, plan->unit).text);
	sw_text_addf(text, "%s on all %s)", words_all(on_all, dtype, plan->unit).text,
		words_count(plan->problem.mesh.devices).text);
}

bool view_heights(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	if (!in->plan)
		return draw_missing(diag, "plan", "after mesh and redistribute, type: plan");
	if (!draw_begin("heights", opt, out))
		return true;
	const sw_plan *plan = in->plan;
	struct chart chart = {.plan = plan, .opt = opt, .bytes = opt->bytes || plan->unit != SW_UNIT_ELEMENTS};
	sw_text rest = {0};
	sw_text_addf(&rest, "%s of memory per device; ", chart.bytes ? "bytes" : "elements");
	add_height(plan, "height", plan->height, all_at_most(plan, all_tiles), &rest);
	sw_text_add(&rest, ", ");
	add_height(plan, "peak memory", plan->live_peak, all_at_most(plan, all_live), &rest);
	int y = draw_title(out, 0, "heights", sw_text_get(&rest)) + 1;
	sw_text_free(&rest);
	chart.most = step_memory_most(plan);
	chart_fill(&chart, opt->width);
	chart_space(&chart);
	y = table_draw_heads(&chart.table, out, y);
	for (int k = 0; k <= plan->program.steps; k++)
		row_draw(&chart, out, y + k * chart.pitch, k);
	budget_draw(&chart, out, y, plan->budget, LINE_DASHED);
	budget_draw(&chart, out, y, plan->live_budget, LINE_HEAVY);
	legend_draw(&chart, out, y + chart_rows(&chart) + (chart.pitch > 1));
	table_free(&chart.table);
	return true;
}
