/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Several plans side by side.  Columns that do not fit beside the others stand in a table of their own below.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include <shardwalk/number.h>

#include "canvas/table.h"
#include "views/compared.h"
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

enum { GAP = 2, LEAST_NAME = 4, BARS_LEAST = 8, BARS_MOST = 40 };

static const char *name_of(const sw_plan *plan)
{
	return plan->origin ? plan->origin : sw_strategy_name(plan->strategy);
}

static void name_add(const char *name, sw_text *names)
{
	sw_text_addf(names, "%s%s", names->length ? ", " : "", name);
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

static bool is_high(const sw_plan *plan)
{
	return plan->budget > 0 && plan->height > plan->budget;
}

static bool is_high_live(const sw_plan *plan)
{
	return plan->live_budget > 0 && plan->live_peak > plan->live_budget;
}

/* ---- rows ---- */

struct compared compared_of(const sw_plan *plan, const struct plan_facts *facts)
{
	static const struct plan_facts none = {.predicted = -1, .measured = -1};
	facts = facts ? facts : &none;
	return (struct compared){plan, facts->volume, facts->predicted, facts->measured};
}

static bool shares_row(const struct view_input *in, int k)
{
	return in->facts && in->facts[k].same;
}

int compared_at(const struct view_input *in, int row)
{
	int k = 0;
	assert(row >= 0);
	for (; k < in->plan_count; k++)
		if (!shares_row(in, k) && row-- == 0)
			break;
	return k;
}

int compared_count(const struct view_input *in)
{
	int count = 0;
	for (int k = 0; k < in->plan_count; k++)
		count += !shares_row(in, k);
	return count;
}

enum { MODEL_TIMED = 1 };

static void print_volume(const struct row_at *at, sw_text *text)
{
	elements_text(((const struct compared *)at->row)->volume, text);
}

static void print_model(const struct row_at *at, sw_text *text)
{
	elements_text(((const struct compared *)at->row)->plan->model_cost, text);
}

static const char *name_at(const struct row_at *at)
{
	return name_of(((const struct compared *)at->row)->plan);
}

static void print_height(const struct row_at *at, sw_text *text)
{
	const sw_plan *plan = ((const struct compared *)at->row)->plan;
	sw_text_addf(text, "%s%s", words_count(plan->height).text, is_high(plan) ? "!" : "");
}

static void print_live(const struct row_at *at, sw_text *text)
{
	const sw_plan *plan = ((const struct compared *)at->row)->plan;
	sw_text_addf(text, "%s%s", words_count(plan->live_peak).text, is_high_live(plan) ? "!" : "");
}

#define PLANNED(key, heading, is, member, ...) \
	ROW_THROUGH(key, heading, is, struct compared, plan, sw_plan, member, __VA_ARGS__)

/* As the enumeration above has them. */
static const struct row_column compared_columns[] = {
	ROW_BY("strategy", "strategy", WORD, .word_of = name_at, .role = ROLE_NUMBER,
		.as = {.fit = CELL_CUT, .gives = 4}),
	PLANNED("cost", "cost", LARGE, cost),
	ROW_AT("volume", "volume", NUMBER, struct compared, volume, .any = true, .print = print_volume),
	PLANNED("height", "height", LARGE, height, .print = print_height),
	PLANNED("live", "live", LARGE, live_peak, .print = print_live),
	PLANNED("steps", "steps", COUNT, program.steps),
	PLANNED("permutes", "permutes", LARGE, permutes),
	ROW_AT("predicted_s", "time", SECONDS, struct compared, predicted, .missing = "-"),
	ROW_AT("measured_s", "measured", SECONDS, struct compared, measured, .missing = "-"),
	PLANNED("model_cost", "model", SECONDS, model_cost, .any = true, .when = MODEL_TIMED),
	PLANNED("model_cost", "model", NUMBER, model_cost, .any = true, .print = print_model, .unless = MODEL_TIMED),
};

const struct rows compared_words = ROWS_WORDS(compared_columns);

struct rows compared_rows(const struct compared *row, int64_t count)
{
	bool timed = count > 0 && sw_model_is_timed(row->plan->model);
	return ROWS_OF(compared_columns, row, count, .is = timed ? MODEL_TIMED : 0, .rises = true);
}

/* The model's cost is the cost, the volume or the time where those are there; measured is what was run. */
static void leave_out(const struct view_input *in, struct table *table)
{
	bool predicted = false, measured = false;
	for (int k = 0; k < in->plan_count && in->facts; k++) {
		predicted |= in->facts[k].predicted >= 0;
		measured |= in->facts[k].measured >= 0;
	}
	if (in->facts || in->plans[0]->model == SW_MODEL_PAPER)
		table_leave_out(table, COLUMN_MODEL);
	if (!measured)
		table_leave_out(table, COLUMN_MEASURED);
	if (!predicted)
		table_leave_out(table, COLUMN_TIME);
	if (!in->facts)
		table_leave_out(table, COLUMN_VOLUME);
}

/* ---- tables one below the other ---- */

/* Bars are of the last column, where that is a time or a model's cost; else of the cost. */
static int bar_column(const struct table *table)
{
	for (int c = COLUMNS - 1; c >= COLUMN_TIME; c--)
		if (table->width[c])
			return c;
	return COLUMN_COST;
}

static double bar_value(const struct view_input *in, int k, int column)
{
	return column == COLUMN_TIME  ? in->facts[k].predicted :
		column == COLUMN_MEASURED ? in->facts[k].measured :
		column == COLUMN_MODEL    ? in->plans[k]->model_cost :
									(double)in->plans[k]->cost;
}

static bool is_seconds(const struct view_input *in, int column)
{
	return column == COLUMN_TIME || column == COLUMN_MEASURED ||
		(column == COLUMN_MODEL && sw_model_is_timed(in->plans[0]->model));
}

/* Bars at the ends of rows, where there is room. */
struct bars {
	int x, room, column;
	double most;
};

static struct bars bars_of(const struct view_input *in, const struct table *table, int width)
{
	struct bars bars = {.x = table_width(table) + GAP, .column = bar_column(table)};
	for (int k = 0; k < in->plan_count; k++)
		bars.most = fmax(bars.most, bar_value(in, k, bars.column));
	int room = width - bars.x < BARS_MOST ? width - bars.x : BARS_MOST;
	bars.room = room >= BARS_LEAST && bars.most > 0 ? room : 0;
	return bars;
}

/* What they show, and what the longest is, where there is room for that. */
static void bars_head(const struct view_input *in, const struct bars *bars, struct canvas *out, int y)
{
	sw_text text = {0};
	const char *name = compared_columns[bars->column].heading;
	sw_text_addf(&text, "%s, to ", name);
	if (is_seconds(in, bars->column))
		sw_text_add(&text, words_seconds(bars->most).text);
	else
		elements_text(bars->most, &text);
	bool fits = canvas_text_width(sw_text_get(&text)) <= bars->room;
	canvas_put_cut(out, bars->x, y, bars->room, ROLE_LABEL, fits ? sw_text_get(&text) : name);
	sw_text_free(&text);
}

/* Who else takes the steps of a row. */
static int sharers_draw(const struct view_input *in, struct canvas *out, int y, int k)
{
	sw_text names = {0};
	for (int i = k + 1; i < in->plan_count; i++)
		if (shares_row(in, i) && in->facts[i].same == k + 1)
			name_add(name_of(in->plans[i]), &names);
	if (names.length)
		y = draw_note(out, 2, y, ROLE_DIM, "= %s", sw_text_get(&names));
	sw_text_free(&names);
	return y;
}

static int table_rows_draw(const struct view_input *in, const struct table *table, bool first, bool whole,
	struct canvas *out, int y)
{
	struct bars bars = bars_of(in, table, out->width);
	bars.room = whole ? bars.room : 0;
	if (bars.room)
		bars_head(in, &bars, out, y);
	y = table_draw_ruled_heads(table, out, y, out->width);
	for (int k = 0; k < in->plan_count; k++) {
		if (shares_row(in, k))
			continue;
		if (bars.room)
			canvas_bar(out, bars.x, y, bars.room, ROLE_BAR, bar_value(in, k, bars.column), bars.most);
		y = table_draw_row(table, out, y, k);
		y = first ? sharers_draw(in, out, y, k) : y;
	}
	return y;
}

/* Names are cut where the widest column would not fit beside them. */
static void cut_names(struct table *table, int room)
{
	int widest = 0, *name = &table->width[COLUMN_STRATEGY];
	for (int i = 1; i < COLUMNS; i++)
		widest = table->width[i] > widest ? table->width[i] : widest;
	int left = room - widest - GAP;
	if (*name > left)
		*name = left > LEAST_NAME ? left : LEAST_NAME;
}

/* The columns from `from` on that fit beside the names: the first that does not. */
static int next_part(const struct table *whole, int from, int room)
{
	int x = whole->width[COLUMN_STRATEGY], at = from;
	for (; at < COLUMNS; at++) {
		int width = whole->width[at] ? GAP + whole->width[at] : 0;
		if (width && x + width > room && x > whole->width[COLUMN_STRATEGY])
			break;
		x += width;
	}
	return at;
}

static int tables_draw(const struct view_input *in, const struct table *whole, struct canvas *out, int y)
{
	for (int from = 1, to; from < COLUMNS; from = to) {
		struct table part = *whole;
		to = next_part(whole, from, out->width);
		for (int i = 1; i < COLUMNS; i++)
			part.width[i] = i >= from && i < to ? whole->width[i] : 0;
		y = table_rows_draw(in, &part, from == 1, from == 1 && to == COLUMNS, out, y + 1);
	}
	return y;
}

static int marked_row(const struct view_input *in, int marked)
{
	bool there = marked >= 0 && marked < in->plan_count;
	return there && shares_row(in, marked) ? in->facts[marked].same - 1 : marked;
}

static void fill(const struct view_input *in, const struct view_options *opt, sw_arena *arena, struct table *table)
{
	struct compared *row = SW_NEW_ZERO(arena, struct compared, in->plan_count + 1);
	for (int k = 0; row && k < in->plan_count; k++)
		row[k] = compared_of(in->plans[k], in->facts ? &in->facts[k] : NULL);
	struct rows rows = compared_rows(row, row ? in->plan_count : 0);
	rows_fill_table(&rows, table, NULL);
	table_choose(table, marked_row(in, opt->step));
	leave_out(in, table);
	table_fit(table, TABLE_WIDEST);
	cut_names(table, opt->width);
}

/* ---- what is said below ---- */

static void say_proofs(const struct view_input *in, sw_text *text)
{
	sw_text proved = {0}, open = {0};
	for (int k = 0; k < in->plan_count; k++)
		if (in->plans[k]->has_bound)
			name_add(name_of(in->plans[k]), in->plans[k]->optimal ? &proved : &open);
	if (proved.length)
		sw_text_addf(text, "; proved optimal of their kind: %s", sw_text_get(&proved));
	if (open.length)
		sw_text_addf(text, "; not proved optimal: %s", sw_text_get(&open));
	sw_text_free(&proved);
	sw_text_free(&open);
}

/* Those that have no plan for the same reason are told of together, where the first of them is. */
static int refusals_draw(const struct view_input *in, struct canvas *out, int y)
{
	for (int i = 0; i < in->refusal_count; i++) {
		sw_text names = {0};
		bool mentioned = false;
		for (int j = 0; j < in->refusal_count; j++) {
			if (strcmp(in->refusals[j].reason, in->refusals[i].reason) != 0)
				continue;
			mentioned |= j < i;
			name_add(in->refusals[j].name, &names);
		}
		if (!mentioned)
			y = draw_note(out, 0, y, ROLE_WARN, "no plan by %s: %s", sw_text_get(&names), in->refusals[i].reason);
		sw_text_free(&names);
	}
	return y;
}

static void say_budgets(const struct view_input *in, sw_text *text)
{
	bool high = false, live = false;
	sw_dtype dtype = in->plan_count ? in->plans[0]->problem.from.dtype : SW_F32;
	for (int k = 0; k < in->plan_count; k++) {
		high |= is_high(in->plans[k]);
		live |= is_high_live(in->plans[k]);
	}
	if (high)
		sw_text_addf(text, "; height!: above the budget of %s",
			words_size(in->plans[0]->budget, dtype, in->plans[0]->unit).text);
	if (live)
		sw_text_addf(text, "; live!: above the limit on live memory, %s",
			words_size(in->plans[0]->live_budget, dtype, in->plans[0]->unit).text);
}

static void say_times(const struct view_input *in, const struct table *table, sw_text *text)
{
	const char *unlike = table->width[COLUMN_MEASURED] ? in->unlike : NULL;
	if (table->width[COLUMN_TIME] && in->machine)
		sw_text_addf(text, "; time: predicted on %s%s%s%s", *in->machine == '{' ? "" : "hardware ", in->machine,
			unlike ? ", " : "", unlike ? unlike : "");
	if (table->width[COLUMN_MEASURED])
		sw_text_add(text, "; measured: the last run of these steps");
}

/* What columns and signs are, in short; `explain compare` has the rest. */
static int legend_draw(const struct view_input *in, const struct table *table, struct canvas *out, int y)
{
	sw_text text = {0};
	sw_text_add(&text, "sizes in elements per device");
	say_times(in, table, &text);
	y = draw_note(out, 0, y, ROLE_NOTE, "%s", sw_text_get(&text));
	sw_text_clear(&text);
	say_budgets(in, &text);
	say_proofs(in, &text);
	if (text.length)
		y = draw_note(out, 0, y, ROLE_NOTE, "%s", sw_text_get(&text) + strlen("; "));
	sw_text_free(&text);
	return y;
}

bool view_compare(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	if (!in->plan_count)
		return draw_missing(diag, "plan to compare", "after mesh and redistribute, type: compare");
	if (!draw_begin("compare", opt, out))
		return true;
	struct words count = words_plural(in->plan_count, "plan", "plans");
	sw_text title = {0};
	sw_arena *arena = sw_arena_new();
	if (!arena)
		return sw_diag_memory(diag);
	sw_text_addf(&title, "%s, %s%s", count.text, in->order ? "by " : "best first", in->order ? in->order : "");
	int y = draw_title(out, 0, "compare", sw_text_get(&title));
	sw_text_free(&title);
	struct table table;
	fill(in, opt, arena, &table);
	y = tables_draw(in, &table, out, y);
	if (in->why)
		y = draw_note(out, 0, y, ROLE_TEXT, "%s", in->why);
	if (in->not_taken)
		y = draw_note(out, 0, y, ROLE_TEXT, "%s", in->not_taken);
	y = refusals_draw(in, out, y);
	legend_draw(in, &table, out, y);
	table_free(&table);
	sw_arena_free(arena);
	return true;
}
