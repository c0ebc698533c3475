/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory per device step by step: the tile as a bar, live memory (source and destination together) beyond it,
 * the budget as a line across.
 */
#include <stdio.h>

#include "canvas/glyphs.h"
#include "views/draw.h"

struct chart {
	const sw_plan *plan;
	const struct view_options *opt;
	bool bytes;         /* instead of elements: as it is set, or as the budget was typed */
	int op, tile, live; /* columns of words and figures; live is 0 where there is no room */
	int x, room;        /* of the bars */
	double most;
};

static int64_t size_after(const sw_plan *plan, int k)
{
	return k ? plan->steps[k - 1].localsize : sw_type_localsize(&plan->problem.from);
}

static int64_t live_at(const sw_plan *plan, int k)
{
	return k ? size_after(plan, k - 1) + size_after(plan, k) : size_after(plan, 0);
}

static struct words size_words(const struct chart *chart, int64_t elements)
{
	return chart->bytes ? words_bytes_in(elements, chart->plan->problem.from.dtype, chart->plan->unit) :
						  words_count(elements);
}

static void chart_op(const struct chart *chart, int k, sw_text *text)
{
	sw_text_clear(text);
	if (k)
		step_text(chart->plan, k - 1, text);
	else
		sw_text_add(text, "from");
}

static void chart_layout(struct chart *chart, int width)
{
	sw_text text = {0};
	chart->op = chart->tile = chart->live = 4;
	for (int k = 0; k <= chart->plan->count; k++) {
		chart_op(chart, k, &text);
		int op = canvas_text_width(sw_text_get(&text));
		int tile = canvas_text_width(size_words(chart, size_after(chart->plan, k)).text);
		int live = canvas_text_width(size_words(chart, live_at(chart->plan, k)).text);
		chart->op = op > chart->op ? op : chart->op;
		chart->tile = tile > chart->tile ? tile : chart->tile;
		chart->live = live > chart->live ? live : chart->live;
	}
	sw_text_free(&text);
	int most = width / 3;
	chart->op = chart->op < most ? chart->op : most;
	if (width - chart->op - chart->tile - chart->live - 12 < 12)
		chart->live = 0;
	chart->x = 4 + chart->op + 2 + chart->tile + 2 + (chart->live ? chart->live + 2 : 0);
	chart->room = width - chart->x - 2;
}

/* What the full width stands for.  A budget far above everything does not flatten the bars. */
static double chart_most(const sw_plan *plan)
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
	int from = chart_column(chart, (double)size_after(chart->plan, k));
	int to = chart_column(chart, (double)live_at(chart->plan, k));
	for (int x = from; x < to; x++)
		if (!canvas_cell_at(out, x, y)->glyph)
			canvas_put_glyph(out, x, y, ROLE_LIVE, GLYPH_SHADE2);
}

static void row_draw(const struct chart *chart, struct canvas *out, int y, int k)
{
	int64_t size = size_after(chart->plan, k), live = live_at(chart->plan, k);
	bool over = size > chart->plan->budget && chart->plan->budget > 0;
	bool live_over = chart->plan->live_budget > 0 && live > chart->plan->live_budget;
	char number[16];
	sw_text text = {0};
	chart_op(chart, k, &text);
	snprintf(number, sizeof(number), "%d", k);
	canvas_put_right(out, 0, y, 3, k == chart->opt->step ? ROLE_CURRENT : ROLE_LABEL, number);
	canvas_put_cut(out, 4, y, chart->op, k ? ROLE_OP : ROLE_TEXT, sw_text_get(&text));
	sw_text_free(&text);
	int x = 4 + chart->op + 2;
	canvas_put_right(out, x, y, chart->tile, over ? ROLE_BAD : ROLE_NUMBER, size_words(chart, size).text);
	if (over)
		canvas_put(out, x + chart->tile, y, ROLE_BAD, "!");
	x += chart->tile + 2;
	if (chart->live)
		canvas_put_right(out, x, y, chart->live, live_over ? ROLE_BAD : ROLE_NUMBER, size_words(chart, live).text);
	if (chart->live && live_over)
		canvas_put(out, x + chart->live, y, ROLE_BAD, "!");
	canvas_bar(out, chart->x, y, chart->room, over ? ROLE_BAD : ROLE_BAR, (double)size, chart->most);
	live_draw(chart, out, y, k);
}

static void budget_draw(const struct chart *chart, struct canvas *out, int y, int64_t budget, unsigned weight)
{
	if (budget <= 0 || (double)budget > chart->most)
		return;
	int column = chart_column(chart, (double)budget);
	canvas_vline(out, column, y, chart->plan->count + 1, ROLE_BUDGET, weight);
}

static void heading_draw(const struct chart *chart, struct canvas *out, int y)
{
	int x = 4 + chart->op + 2;
	canvas_put_right(out, 0, y, 3, ROLE_LABEL, "#");
	canvas_put_cut(out, 4, y, chart->op, ROLE_LABEL, "step");
	canvas_put_right(out, x, y, chart->tile, ROLE_LABEL, "tile");
	if (chart->live)
		canvas_put_right(out, x + chart->tile + 2, y, chart->live, ROLE_LABEL, "live");
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
	y = draw_note(out, 0, y, ROLE_NOTE, "█ tile   ▒ live: source and destination together");
	y = legend_budget(chart, out, y, "╎ budget of a tile", plan->budget, plan->height);
	return legend_budget(chart, out, y, "┃ budget of live memory", plan->live_budget, plan->live_peak);
}

bool view_heights(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	if (!in->plan)
		return draw_missing(diag, "plan", "after mesh and redistribute, type: plan");
	if (!draw_begin("heights", opt, out))
		return true;
	const sw_plan *plan = in->plan;
	struct chart chart = {.plan = plan, .opt = opt, .bytes = opt->bytes || plan->unit != SW_UNIT_ELEMENTS};
	sw_dtype dtype = plan->problem.from.dtype;
	sw_text rest = {0};
	sw_text_addf(&rest, "%s of memory per device; height %s (%s), live peak %s (%s)",
		chart.bytes ? "bytes" : "elements", words_count(plan->height).text,
		words_bytes_in(plan->height, dtype, plan->unit).text, words_count(plan->live_peak).text,
		words_bytes_in(plan->live_peak, dtype, plan->unit).text);
	int y = draw_title(out, 0, "heights", sw_text_get(&rest)) + 1;
	sw_text_free(&rest);
	chart.most = chart_most(plan);
	chart_layout(&chart, opt->width);
	heading_draw(&chart, out, y++);
	for (int k = 0; k <= plan->count; k++)
		row_draw(&chart, out, y + k, k);
	budget_draw(&chart, out, y, plan->budget, LINE_DASHED);
	budget_draw(&chart, out, y, plan->live_budget, LINE_HEAVY);
	legend_draw(&chart, out, y + plan->count + 1);
	return true;
}
