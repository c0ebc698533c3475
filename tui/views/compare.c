/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Several plans side by side.  Columns that do not fit beside the others stand in a table of their own below.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "views/draw.h"

enum {
	COLUMN_STRATEGY,
	COLUMN_COST,
	COLUMN_VOLUME,
	COLUMN_HEIGHT,
	COLUMN_LIVE,
	COLUMN_STEPS,
	COLUMN_PERMUTES,
	COLUMN_TIME,
	COLUMN_MEASURED,
	COLUMN_MODEL,
	COLUMNS
};

static const char *const heads[COLUMNS] = {"strategy", "cost", "volume", "height", "live", "steps", "permutes",
	"time", "measured", "model"};

enum { GAP = 2, LEAST_NAME = 4 };

/* Widths of columns, 0: left out; and the table, from 0, in which each stands. */
struct layout {
	int width[COLUMNS], table[COLUMNS];
	int tables;
};

static const char *name_of(const sw_plan *plan)
{
	return plan->origin ? plan->origin : sw_strategy_name(plan->strategy);
}

/* ---- cells ---- */

/* Elements, grouped; what is no whole number with one digit more. */
static void elements_text(double n, sw_text *text)
{
	double tenths = rint(n * 10);
	if (n < 0 || n > 9e17) {
		sw_text_addf(text, "%.4g", n);
		return;
	}
	sw_text_add(text, words_count((int64_t)(tenths / 10)).text);
	if (fmod(tenths, 10) > 0)
		sw_text_addf(text, ".%d", (int)fmod(tenths, 10));
}

static void facts_text(const struct plan_facts *facts, int column, sw_text *text)
{
	if (!facts)
		return;
	if (column == COLUMN_VOLUME)
		elements_text(facts->volume, text);
	else
		sw_text_add(text, words_seconds(column == COLUMN_TIME ? facts->predicted : facts->measured).text);
}

static void model_text(const sw_plan *plan, sw_text *text)
{
	if (sw_model_is_timed(plan->model))
		sw_text_add(text, words_seconds(plan->model_cost).text);
	else
		elements_text(plan->model_cost, text);
}

static bool is_high(const sw_plan *plan)
{
	return plan->budget > 0 && plan->height > plan->budget;
}

static bool is_high_live(const sw_plan *plan)
{
	return plan->live_budget > 0 && plan->live_peak > plan->live_budget;
}

static void count_text(const sw_plan *plan, int column, sw_text *text)
{
	const int64_t numbers[COLUMNS] = {
		[COLUMN_COST] = plan->cost,
		[COLUMN_HEIGHT] = plan->height,
		[COLUMN_LIVE] = plan->live_peak,
		[COLUMN_STEPS] = plan->count,
		[COLUMN_PERMUTES] = plan->permutes,
	};
	sw_text_add(text, words_count(numbers[column]).text);
	if ((column == COLUMN_HEIGHT && is_high(plan)) || (column == COLUMN_LIVE && is_high_live(plan)))
		sw_text_add(text, "!");
}

/* Row k from 0; -1: the heading. */
static void cell_text(const struct view_input *in, int k, int column, sw_text *text)
{
	sw_text_clear(text);
	if (k < 0)
		sw_text_add(text, heads[column]);
	else if (column == COLUMN_STRATEGY)
		sw_text_add(text, name_of(in->plans[k]));
	else if (column == COLUMN_VOLUME || column == COLUMN_TIME || column == COLUMN_MEASURED)
		facts_text(in->facts ? &in->facts[k] : NULL, column, text);
	else if (column == COLUMN_MODEL)
		model_text(in->plans[k], text);
	else
		count_text(in->plans[k], column, text);
}

/* ---- columns ---- */

/* The model's cost is the cost, the volume or the time where those are there; measured is what was run. */
static void leave_out(const struct view_input *in, int width[COLUMNS])
{
	bool predicted = false, measured = false;
	for (int k = 0; k < in->plan_count && in->facts; k++) {
		predicted |= in->facts[k].predicted >= 0;
		measured |= in->facts[k].measured >= 0;
	}
	if (in->facts || in->plans[0]->model == SW_MODEL_PAPER)
		width[COLUMN_MODEL] = 0;
	if (!measured)
		width[COLUMN_MEASURED] = 0;
	if (!predicted)
		width[COLUMN_TIME] = 0;
	if (!in->facts)
		width[COLUMN_VOLUME] = 0;
}

static void measure(const struct view_input *in, int width[COLUMNS])
{
	sw_text text = {0};
	for (int i = 0; i < COLUMNS; i++) {
		width[i] = 0;
		for (int k = -1; k < in->plan_count; k++) {
			cell_text(in, k, i, &text);
			int own = canvas_text_width(sw_text_get(&text));
			width[i] = own > width[i] ? own : width[i];
		}
	}
	sw_text_free(&text);
	leave_out(in, width);
}

/* Names are cut where the widest column would not fit beside them. */
static void cut_names(int room, int width[COLUMNS])
{
	int widest = 0;
	for (int i = 1; i < COLUMNS; i++)
		widest = width[i] > widest ? width[i] : widest;
	int left = room - widest - GAP;
	if (width[COLUMN_STRATEGY] > left)
		width[COLUMN_STRATEGY] = left > LEAST_NAME ? left : LEAST_NAME;
}

static struct layout lay_out(const struct view_input *in, int room)
{
	struct layout l = {.tables = 1};
	measure(in, l.width);
	cut_names(room, l.width);
	int x = l.width[COLUMN_STRATEGY];
	for (int i = 1; i < COLUMNS; i++) {
		if (!l.width[i])
			continue;
		if (x + GAP + l.width[i] > room && x > l.width[COLUMN_STRATEGY]) {
			l.tables++;
			x = l.width[COLUMN_STRATEGY];
		}
		l.table[i] = l.tables - 1;
		x += GAP + l.width[i];
	}
	return l;
}

/* ---- rows ---- */

/* At the end of a row, where there is room: its cost against the dearest. */
static void cost_bar(const struct view_input *in, struct canvas *out, int x, int y, int k)
{
	int64_t most = 1;
	for (int i = 0; i < in->plan_count; i++)
		most = in->plans[i]->cost > most ? in->plans[i]->cost : most;
	int room = out->width - x < 40 ? out->width - x : 40;
	if (room >= 8)
		canvas_bar(out, x, y, room, ROLE_BAR, (double)in->plans[k]->cost, (double)most);
}

static int row_draw(const struct view_input *in, const struct layout *l, int table, struct canvas *out, int y, int k,
	bool marked)
{
	sw_text text = {0};
	int x = l->width[COLUMN_STRATEGY];
	cell_text(in, k, COLUMN_STRATEGY, &text);
	canvas_put_cut(out, 0, y, x, k < 0 ? ROLE_LABEL : marked ? ROLE_CURRENT : ROLE_NUMBER, sw_text_get(&text));
	for (int i = 1; i < COLUMNS; i++) {
		if (!l->width[i] || l->table[i] != table)
			continue;
		cell_text(in, k, i, &text);
		canvas_put_right(out, x + GAP, y, l->width[i], k < 0 ? ROLE_LABEL : ROLE_NUMBER, sw_text_get(&text));
		x += GAP + l->width[i];
	}
	sw_text_free(&text);
	if (k >= 0 && l->tables == 1)
		cost_bar(in, out, x + GAP, y, k);
	return y + 1;
}

static int table_draw(const struct view_input *in, const struct layout *l, int table, struct canvas *out, int y,
	const struct view_options *opt)
{
	y = row_draw(in, l, table, out, y, -1, false);
	canvas_hline(out, 0, y++, out->width, ROLE_BORDER, 0);
	for (int k = 0; k < in->plan_count; k++)
		y = row_draw(in, l, table, out, y, k, opt->step == k);
	return y;
}

/* ---- what is said below ---- */

static void name_add(const char *name, sw_text *names)
{
	sw_text_addf(names, "%s%s", names->length ? ", " : "", name);
}

static int proofs_draw(const struct view_input *in, struct canvas *out, int y)
{
	sw_text proved = {0}, open = {0};
	for (int k = 0; k < in->plan_count; k++)
		if (in->plans[k]->has_bound)
			name_add(name_of(in->plans[k]), in->plans[k]->optimal ? &proved : &open);
	if (proved.length)
		y = draw_note(out, 0, y, ROLE_NOTE, "proved optimal of their kind: %s", sw_text_get(&proved));
	if (open.length)
		y = draw_note(out, 0, y, ROLE_NOTE, "not proved optimal: %s", sw_text_get(&open));
	sw_text_free(&proved);
	sw_text_free(&open);
	return y;
}

/* Those that have no plan for the same reason are told of together, where the first of them is. */
static int refusals_draw(const struct view_input *in, struct canvas *out, int y)
{
	for (int i = 0; i < in->refusal_count; i++) {
		sw_text names = {0};
		bool told = false;
		for (int j = 0; j < in->refusal_count; j++) {
			if (strcmp(in->refusals[j].reason, in->refusals[i].reason) != 0)
				continue;
			told |= j < i;
			name_add(in->refusals[j].name, &names);
		}
		if (!told)
			y = draw_note(out, 0, y, ROLE_WARN, "no plan by %s: %s", sw_text_get(&names), in->refusals[i].reason);
		sw_text_free(&names);
	}
	return y;
}

static int budgets_draw(const struct view_input *in, struct canvas *out, int y)
{
	bool high = false, live = false;
	sw_dtype dtype = in->plan_count ? in->plans[0]->problem.from.dtype : SW_F32;
	for (int k = 0; k < in->plan_count; k++) {
		high |= is_high(in->plans[k]);
		live |= is_high_live(in->plans[k]);
	}
	if (high)
		y = draw_note(out, 0, y, ROLE_NOTE, "height!: above the budget of %s",
			words_size(in->plans[0]->budget, dtype, in->plans[0]->unit).text);
	if (live)
		y = draw_note(out, 0, y, ROLE_NOTE, "live!: above the bound on live memory, %s",
			words_size(in->plans[0]->live_budget, dtype, in->plans[0]->unit).text);
	return y;
}

static int units_draw(const struct view_input *in, const struct layout *l, struct canvas *out, int y)
{
	const char *unlike = l->width[COLUMN_MEASURED] ? in->unlike : NULL;
	y = draw_note(out, 0, y, ROLE_NOTE,
		in->facts ? "cost, volume, height and live memory in elements per device" :
					"cost, height and live memory in elements per device");
	if (l->width[COLUMN_TIME] && in->machine)
		y = draw_note(out, 0, y, ROLE_NOTE, "time: predicted on hardware %s%s%s", in->machine, unlike ? ", " : "",
			unlike ? unlike : "");
	if (l->width[COLUMN_MEASURED])
		y = draw_note(out, 0, y, ROLE_NOTE, "measured: the last run of these steps");
	return y;
}

bool view_compare(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	if (!in->plan_count)
		return draw_missing(diag, "plan to compare", "after mesh and redistribute, type: compare");
	if (!draw_begin("compare", opt, out))
		return true;
	struct words count = words_plural(in->plan_count, "plan, best first", "plans, best first");
	int y = draw_title(out, 0, "compare", count.text);
	struct layout layout = lay_out(in, opt->width);
	for (int i = 0; i < layout.tables; i++)
		y = table_draw(in, &layout, i, out, y + 1, opt);
	if (in->why)
		y = draw_note(out, 0, y, ROLE_TEXT, "%s", in->why);
	y = refusals_draw(in, out, y);
	y = units_draw(in, &layout, out, y);
	y = budgets_draw(in, out, y);
	proofs_draw(in, out, y);
	return true;
}
