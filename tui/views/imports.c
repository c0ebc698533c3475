/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was imported, as a table: how often, what moves now and what would with a plan, what is held at most; and below
 * each row the pair itself.
 */
#include "views/imports.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/number.h>
#include <shardwalk/uneven.h>

#include "answer/order.h"
#include "canvas/table.h"
#include "views/collectives.h"
#include "views/draw.h"

/* ---- plans ---- */

/* Each text ends with a zero byte. */
static const char *texts_of(const sw_plan *plan, sw_arena *arena)
{
	sw_text text = {0};
	for (int k = 0; k < plan->program.steps; k++) {
		sw_text_add(&text, sw_collective_of(plan->program.step[k].op)->name);
		sw_text_add_char(&text, '\0');
		sw_plan_print_step(plan, k, &text);
		sw_text_add_char(&text, '\0');
		sw_plan_why(plan, k, &text);
		sw_text_add_char(&text, '\0');
	}
	return sw_text_keep(&text, arena);
}

static int64_t bytes_of(const sw_plan *plan, int64_t elements)
{
	int64_t bytes = sw_dtype_bytes(plan->problem.from.dtype);
	return elements > INT64_MAX / bytes ? INT64_MAX : elements * bytes;
}

const struct import_plan *import_plan_of(const sw_plan *plan, sw_arena *arena)
{
	struct import_plan *shown = SW_NEW(arena, struct import_plan, 1);
	int64_t bytes = sw_dtype_bytes(plan->problem.from.dtype);
	if (!shown)
		return NULL;
	*shown = (struct import_plan){.bytes = sw_nearest(sw_plan_volume(plan) * (double)bytes),
		.peak = bytes_of(plan, plan->height),
		.live = bytes_of(plan, plan->live_peak),
		.budget = bytes_of(plan, plan->budget),
		.live_budget = bytes_of(plan, plan->live_budget),
		.cost = plan->cost,
		.count = plan->program.steps,
		.texts = texts_of(plan, arena)};
	return shown->texts ? shown : NULL;
}

const char *import_step(const struct import_plan *plan, int k, enum import_text which)
{
	assert(k >= 0 && k < plan->count);
	const char *text = plan->texts;
	for (int i = k * IMPORT_TEXTS + (int)which; i > 0; i--)
		text += strlen(text) + 1;
	return text;
}

int64_t import_bytes(const struct import_plan *plan)
{
	return plan ? plan->bytes : -1;
}

int64_t import_peak(const struct import_plan *plan)
{
	return plan ? plan->peak : -1;
}

int64_t import_live(const struct import_plan *plan)
{
	return plan ? plan->live : -1;
}

/* ---- sums ---- */

const sw_problem *import_problem(const struct import_row *row, sw_problem *room)
{
	if (row->own || !row->pair || !row->pair->problem)
		return row->own;
	*room = sw_log_problem_of(row->pair);
	return room;
}

/* Its source alone, which needs no room. */
static const sw_type *type_of(const struct import_row *row)
{
	return row->own ? &row->own->from : row->pair && row->pair->problem ? &row->pair->problem->from : NULL;
}

bool import_keeps(const struct import_row *row)
{
	return row->now && row->planned == row->now;
}

struct import_over import_over(const struct import_row *row)
{
	const struct import_plan *now = row->now, *planned = row->planned;
	if (now && planned && now->peak > planned->budget)
		return (struct import_over){"largest tile", now->peak, planned->peak};
	if (now && planned && planned->live_budget > 0 && now->live > planned->live_budget)
		return (struct import_over){"peak memory", now->live, planned->live};
	return (struct import_over){0};
}

double import_saving(const struct import_row *row)
{
	double saved = row->now && row->planned ? (double)(import_bytes(row->now) - import_bytes(row->planned)) : 0;
	return saved > 0 ? saved * (double)row->runs : 0;
}

double import_in_all(const struct import_row *row)
{
	int64_t bytes = import_bytes(row->now ? row->now : row->planned);
	return bytes < 0 ? -1 : (double)bytes * (double)row->runs;
}

void imports_weigh(struct imports *imports)
{
	double sum = 0;
	for (int i = 0; i < imports->count; i++)
		sum += imports->row[i].now ? import_in_all(&imports->row[i]) : 0;
	imports->whole = imports->chains && imports->traffic && imports->traffic->bytes > sum ? imports->traffic->bytes :
																							sum;
}

double import_seconds(const struct import_row *row, double once)
{
	return once > 0 ? once * (double)row->runs : 0;
}

struct import_total import_sum(const struct imports *imports)
{
	struct import_total total = {0};
	for (int i = 0; i < imports->count; i++) {
		const struct import_row *row = &imports->row[i];
		bool open = row->at_most && import_saving(row) > 0;
		const struct import_plan *then = open ? row->now : row->planned;
		int64_t now = import_peak(row->now), planned = import_peak(then);
		total.occurrences += row->count;
		total.runs += row->runs;
		total.open += row->open;
		total.planned += row->planned != NULL;
		total.failed += row->planned == NULL;
		if (!row->now || !row->planned)
			continue;
		*(row->at_most ? &total.at_most : &total.saved) += import_saving(row);
		total.bytes_now += (double)import_bytes(row->now) * (double)row->runs;
		total.bytes_planned += (double)import_bytes(then) * (double)row->runs;
		total.seconds_now += import_seconds(row, row->seconds_now);
		total.seconds_planned += import_seconds(row, open ? row->seconds_now : row->seconds_planned);
		total.peak_now = now > total.peak_now ? now : total.peak_now;
		total.peak_planned = planned > total.peak_planned ? planned : total.peak_planned;
	}
	return total;
}

/* ---- cells ---- */

enum { SHAPE_LIKED = 20 }; /* columns that the shape has before the line gives way */

static struct words size_words(int64_t bytes)
{
	return bytes < 0 ? (struct words){"-"} : words_bytes(bytes, SW_I8);
}

static void shape_text(const struct import_row *row, sw_text *text)
{
	const sw_type *type = type_of(row);
	int64_t real[SW_MAX_DIMS];
	if (!type) {
		sw_text_add(text, "-");
		return;
	}
	sw_type_real(type, real);
	sw_text_addf(text, "%s%s[", row->group.is == GROUP_CERTAIN ? "a group's " : "", sw_dtype_name(type->dtype));
	for (int i = 0; i < type->rank; i++)
		sw_text_addf(text, "%s%lld", i ? "," : "", (long long)real[i]);
	sw_text_add(text, row->assumed ? "] assumed" : "]");
}

/* The operations of a plan one after the other. */
static void steps_text(const struct import_plan *plan, sw_text *text)
{
	for (int k = 0; k < plan->count; k++)
		sw_text_addf(text, "%s%s", k ? ", " : "", import_step(plan, k, IMPORT_OPERATION));
	if (!plan->count)
		sw_text_add(text, "nothing to do");
}

/* ---- rows ---- */

enum { FOLDED = 1, BY_LINE = 2, BY_LOOP = 4, BY_KIND = 8, BY_TIME = 16 };

static double in_all_of(const struct row_at *at)
{
	return import_in_all(at->row);
}

static double planned_in_all_of(const struct row_at *at)
{
	const struct import_row *row = at->row;
	return row->planned ? (double)import_bytes(row->planned) * (double)row->runs : -1;
}

static double share_of(const struct row_at *at)
{
	const struct imports *imports = at->of;
	const struct import_row *row = at->row;
	return imports->whole > 0 && row->now ? import_in_all(row) / imports->whole : -1;
}

static double saving_of(const struct row_at *at)
{
	return import_saving(at->row);
}

static double time_of(const struct row_at *at)
{
	const struct import_row *row = at->row;
	return row->seconds_now < 0 ? -1 : import_seconds(row, row->seconds_now);
}

static int64_t now_of(const struct row_at *at)
{
	return import_bytes(((const struct import_row *)at->row)->now);
}

static int64_t planned_of(const struct row_at *at)
{
	return import_bytes(((const struct import_row *)at->row)->planned);
}

static int64_t tile_now_of(const struct row_at *at)
{
	return import_peak(((const struct import_row *)at->row)->now);
}

static int64_t tile_of(const struct row_at *at)
{
	return import_peak(((const struct import_row *)at->row)->planned);
}

static enum role paint_bytes(const struct row_at *at)
{
	return import_saving(at->row) > 0 ? ROLE_GOOD : ROLE_COUNT;
}

static enum role paint_tile(const struct row_at *at)
{
	const struct import_row *row = at->row;
	return row->now && row->planned && tile_of(at) < tile_now_of(at) ? ROLE_GOOD : ROLE_COUNT;
}

static void print_row_number(const struct row_at *at, sw_text *text)
{
	const struct imports *imports = at->of;
	const struct import_row *row = at->row;
	sw_text_addf(text, row->number == imports->chosen ? ">%d" : "%d", row->number);
}

static void print_shape(const struct row_at *at, sw_text *text)
{
	shape_text(at->row, text);
}

static void print_place(const struct row_at *at, sw_text *text)
{
	const struct import_row *row = at->row;
	if (row->source)
		sw_text_add(text, row->source);
	else
		sw_text_addf(text, "line %lld", (long long)row->line);
}

static void print_loop(const struct row_at *at, sw_text *text)
{
	const struct import_row *row = at->row;
	sw_text_addf(text, row->loop ? "line %lld" : "none", (long long)row->loop);
}

static void print_kind(const struct row_at *at, sw_text *text)
{
	const struct import_row *row = at->row;
	if (row->now)
		steps_text(row->now, text);
	else
		sw_text_add(text, "not known");
}

static const char *runs_named(const void *of, int part)
{
	const struct imports *imports = of;
	(void)part;
	return imports->chains || imports->program ? "runs" : "count";
}

static bool fill_members(const struct row_at *at, struct fields *in)
{
	const struct import_row *row = at->fold.row;
	for (int64_t k = 0; k < at->fold.count; k++)
		field_int(in, NULL, row[at->fold.index[k]].number);
	return true;
}

static bool fill_more(const struct row_at *at, struct fields *in)
{
	const struct imports *imports = at->of;
	return !imports->fill || imports->fill(imports, at->row, in, at->diag);
}

static const struct row_column columns[] = {
	ROW_BY("place", "line", TEXT, .print = print_place, .order = "line", .folds = true, .when = BY_LINE,
		.as = {.fit = CELL_WRAP, .gives = 16}),
	ROW_AT("row", "#", COUNT, struct import_row, number, .print = print_row_number, .first = true, .rises = true,
		.role = ROLE_LABEL, .as = {.least = 2}),
	ROW_BY("rows", "rows", FOLDED, .when = FOLDED),
	ROW_BY("members", NULL, LIST, .fill = fill_members, .first = true, .when = FOLDED),
	ROW_AT("count", NULL, COUNT, struct import_row, count, .adds = true),
	ROW_AT("runs", NULL, COUNT, struct import_row, runs, .adds = true),
	ROW_BY("bytes_saved", NULL, NUMBER, .number_of = saving_of, .adds = true, .order = "saved"),
	ROW_AT(NULL, NULL, WORD, struct import_row, source, .order = "line"),
	ROW_AT("line", NULL, COUNT, struct import_row, line, .rises = true, .order = "line"),
	ROW_BY("bytes_in_all", NULL, NUMBER, .number_of = in_all_of, .adds = true, .order = "bytes"),
	ROW_BY("planned_in_all", NULL, NUMBER, .number_of = planned_in_all_of, .adds = true),
	ROW_AT("untaken", NULL, FLAG, struct import_row, untaken, .unless = FOLDED),
	ROW_AT(NULL, "", LARGE, struct import_row, runs, .adds = true, .named = runs_named, .click = "runs",
		.as = {.drops = 4}),
	ROW_AT(NULL, "line", LARGE, struct import_row, line, .click = "line", .unless = FOLDED, .as = {.drops = 1}),
	ROW_BY("share", "share", SHARE, .number_of = share_of, .adds = true, .round = 6, .click = "bytes",
		.as = {.drops = 3}),
	ROW_BY(NULL, "saves", AMOUNT, .number_of = saving_of, .adds = true, .click = "saved", .when = FOLDED, .place = 1),
	ROW_BY(NULL, "bytes now", AMOUNT, .number_of = in_all_of, .adds = true, .click = "bytes", .when = FOLDED),
	ROW_BY(NULL, "planned", AMOUNT, .number_of = planned_in_all_of, .adds = true, .click = "planned_in_all",
		.when = FOLDED, .as = {.drops = 1}),
	ROW_BY(NULL, "time", SECONDS, .number_of = time_of, .adds = true, .order = "time", .missing = "-",
		.when = BY_TIME),
	ROW_BY(NULL, "bytes now", BYTES, .count_of = now_of, .missing = "-", .click = "bytes", .unless = FOLDED,
		.as = {.drops = 5}),
	ROW_BY(NULL, "planned", BYTES, .count_of = planned_of, .missing = "-", .paint = paint_bytes, .click = "saved",
		.unless = FOLDED),
	ROW_BY(NULL, NULL, BYTES, .count_of = tile_now_of, .order = "tile"),
	ROW_BY(NULL, "tile now", BYTES, .count_of = tile_now_of, .missing = "-", .click = "tile", .unless = FOLDED,
		.as = {.drops = 2}),
	ROW_BY(NULL, "planned", BYTES, .count_of = tile_of, .missing = "-", .paint = paint_tile, .click = "tile",
		.unless = FOLDED, .as = {.drops = 3}),
	ROW_BY(NULL, "shape", TEXT, .print = print_shape, .unless = FOLDED, .role = ROLE_TYPE,
		.as = {.fit = CELL_CUT, .takes = 8}),
	ROW_BY("loop", "in loop", TEXT, .print = print_loop, .order = "loop", .folds = true, .when = BY_LOOP, .place = 2),
	ROW_BY("kind", "operations", TEXT, .print = print_kind, .order = "kind", .folds = true, .when = BY_KIND,
		.role = ROLE_OP, .place = 2),
	ROW_BY("", NULL, OBJECT, .fill = fill_more, .unless = FOLDED),
};

bool imports_rows(const struct imports *imports, sw_arena *arena, struct rows *rows, sw_diag *diag)
{
	static const struct {
		const char *word;
		unsigned is;
	} folds[] = {{"line", BY_LINE}, {"loop", BY_LOOP}, {"kind", BY_KIND}};
	const char *by = imports->by ? imports->by : "bytes";
	*rows = ROWS_OF(columns, imports->row, imports->count, .of = imports);
	rows->is = (imports->fold ? FOLDED : 0) | (strcmp(by, "time") == 0 ? BY_TIME : 0);
	for (size_t k = 0; imports->fold && k < sizeof(folds) / sizeof(*folds); k++)
		rows->is |= strcmp(folds[k].word, imports->fold) == 0 ? folds[k].is : 0;
	bool usual = strcmp(by, "bytes") == 0 && !imports->fold;
	bool ok = rows_order(rows, sw_str_of("bytes"), arena, diag) &&
		(!imports->fold || rows_fold(rows, sw_str_of(imports->fold), arena, diag)) &&
		(usual || rows_order(rows, sw_str_of(by), arena, diag));
	return ok && (!imports->turned || rows_turn(rows, arena, diag));
}

const struct rows imports_words = ROWS_WORDS(columns);

/* The column with this head; -1: there is none. */
static int column_of(const struct table *table, const char *head, int from)
{
	for (int c = from; c < table->columns; c++)
		if (strcmp(table->column[c].head, head) == 0)
			return c;
	return -1;
}

/* "planned" stands beside "now"; alone it says what is planned. */
static void name_columns(struct table *table)
{
	int now = column_of(table, "bytes now", 0), tile = column_of(table, "tile now", 0);
	if (now >= 0 && !table->width[now])
		table->column[column_of(table, "planned", now)].head = "bytes";
	if (tile >= 0 && !table->width[tile])
		table->column[column_of(table, "planned", tile)].head = "tile";
}

/* The shape has its place before columns that tell less. */
static void fit(struct table *table, int width)
{
	static const char *const give_way[] = {"line", "tile now"};
	int shape = column_of(table, "shape", 0);
	table_fit(table, TABLE_WIDEST);
	for (size_t k = 0; shape >= 0 && k < sizeof(give_way) / sizeof(*give_way); k++) {
		int c = column_of(table, give_way[k], 0);
		table_fit(table, TABLE_WIDEST);
		if (c >= 0 && table_width(table) - table->width[shape] + SHAPE_LIKED > width)
			table_leave_out(table, c);
	}
	table_fit(table, width);
	name_columns(table);
}

static bool fill_rows(const struct rows *rows, int width, struct table *table, sw_diag *diag)
{
	if (!rows_fill_table(rows, table, diag)) {
		table_free(table);
		return false;
	}
	fit(table, width);
	return true;
}

static bool fill(const struct imports *imports, int width, sw_arena *arena, struct table *table, struct rows *rows,
	sw_diag *diag)
{
	return imports_rows(imports, arena, rows, diag) && fill_rows(rows, width, table, diag);
}

#define SOURCE_MOST 40 /* bytes of FILE:LINE that are shown with their folders */
#define END_MOST 240   /* bytes of an end that are shown: lists of devices are long */

static void end_text(const struct import_row *row, bool to, sw_text *text)
{
	const char *written = to ? row->to : row->from;
	sw_problem room;
	const sw_problem *problem = written ? NULL : import_problem(row, &room);
	if (written && strlen(written) > END_MOST)
		sw_text_addf(text, "%.*s... (%zu bytes)", END_MOST - 20, written, strlen(written));
	else if (written)
		sw_text_add(text, written);
	else if (problem)
		sw_type_print(&problem->mesh, to ? &problem->to : &problem->from, false, text);
	else
		sw_text_add(text, "?");
	if (problem && to) {
		sw_text_add(text, " over ");
		sw_mesh_print(&problem->mesh, text);
	}
}

void import_row_text(const struct import_row *row, sw_text *text)
{
	if (row->planned)
		sw_text_addf(text, "now %s, planned %s, ", size_words(import_bytes(row->now)).text,
			size_words(import_bytes(row->planned)).text);
	if (row->planned)
		shape_text(row, text);
	else
		sw_text_addf(text, "not planned: %s", row->why ? row->why->message : "");
	sw_text_add(text, row->planned ? ": " : "; ");
	end_text(row, false, text);
	sw_text_add(text, " -> ");
	end_text(row, true, text);
}

/* The pair on one row where it fits, else each end in rows of its own. */
static int pair_draw(const struct table *table, struct canvas *out, int y, const struct import_row *row)
{
	int x = table->width[0] + 2, room = out->width - x;
	sw_text from = {0}, to = {0};
	end_text(row, false, &from);
	end_text(row, true, &to);
	sw_text_add(&from, " ->");
	if (canvas_text_width(sw_text_get(&from)) + canvas_text_width(sw_text_get(&to)) + 1 <= room) {
		sw_text_addf(&from, " %s", sw_text_get(&to));
		canvas_put(out, x, y++, ROLE_DIM, sw_text_get(&from));
	} else {
		y = canvas_put_wrapped(out, x, y, room, 2, ROLE_DIM, sw_text_get(&from));
		y = canvas_put_wrapped(out, x, y, room, 2, ROLE_DIM, sw_text_get(&to));
	}
	sw_text_free(&from);
	sw_text_free(&to);
	return y;
}

/* The end of a long path: its file's name. */
static const char *source_text(const struct import_row *row)
{
	const char *name = strrchr(row->source, '/');
	return strlen(row->source) > SOURCE_MOST && name ? name + 1 : row->source;
}

void import_row_steps(const struct import_row *row, sw_text *text)
{
	if (row->now)
		steps_text(row->now, text);
	if (import_keeps(row)) {
		sw_text_add(text, "; nothing can be gained");
	} else if (row->planned) {
		sw_text_add(text, "; planned: ");
		steps_text(row->planned, text);
	}
}

static int chain_draw(const struct table *table, struct canvas *out, int y, const struct import_row *row)
{
	sw_text text = {0};
	int x = table->width[0] + 2;
	if (row->name)
		sw_text_addf(&text, row->source ? "%%%s, %s: " : "%%%s: ", row->name, row->source ? source_text(row) : "");
	import_row_steps(row, &text);
	y = canvas_put_wrapped(out, x, y, out->width - x, 2, ROLE_OP, sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

/* The value, and the line of the program. */
static int value_draw(const struct table *table, struct canvas *out, int y, const struct import_row *row)
{
	int x = table->width[0] + 2;
	sw_text text = {0};
	sw_text_addf(&text, "%%%s%s%s", row->name, row->maker ? ", made by " : "", row->maker ? row->maker : "");
	sw_text_addf(&text, row->source ? ", %s" : "%s", row->source ? source_text(row) : "");
	y = canvas_put_wrapped(out, x, y, out->width - x, 2, ROLE_OP, sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

/* More bytes are planned where the compiler's plan is above a bound. */
static int more_draw(const struct import_row *row, int x, struct canvas *out, int y)
{
	struct import_over over = import_over(row);
	if (!over.what || import_bytes(row->planned) <= import_bytes(row->now))
		return y;
	return draw_note(out, x, y, ROLE_NOTE,
		"more is moved, %s instead of %s, because the %s is then %s, not %s, which is above the limit",
		size_words(import_bytes(row->planned)).text, size_words(import_bytes(row->now)).text, over.what,
		size_words(over.planned).text, size_words(over.now).text);
}

/* What stands below the figures of a row. */
static int details_draw(const struct table *table, const struct imports *imports, const struct import_row *row,
	struct canvas *out, int y)
{
	int x = table->width[0] + 2;
	if (row->pair && row->pair->entry)
		y = canvas_put_wrapped(out, x, y, out->width - x, 2, ROLE_OP, row->name);
	y = pair_draw(table, out, y, row);
	if (imports->chains)
		y = chain_draw(table, out, y, row);
	else if (imports->program && row->name)
		y = value_draw(table, out, y, row);
	if (row->why)
		y = draw_note(out, x, y, ROLE_BAD, "not planned: %s", row->why->message);
	if (row->why_now)
		y = draw_note(out, x, y, ROLE_WARN,
			"it is not known what the compiler does: "
			"%s",
			row->why_now->message);
	if (import_keeps(row) && !imports->chains)
		y = draw_note(out, x, y, ROLE_NOTE, "nothing can be gained");
	y = more_draw(row, x, out, y);
	if (row->means)
		y = draw_note(out, x, y, ROLE_NOTE, "%s", row->means);
	if (row->remark)
		y = draw_note(out, x, y, ROLE_NOTE, "%s", row->remark);
	if (row->open)
		y = draw_note(out, x, y, ROLE_NOTE,
			"a loop around it does not say how often it runs, so it counts "
			"once");
	if (row->untaken)
		y = draw_note(out, x, y, ROLE_NOTE, "in a branch that is not counted, because another one moves more");
	return y;
}

/* ---- totals ---- */

static struct words large_words(double bytes)
{
	return bytes < 9e18 ? words_bytes(sw_nearest(bytes), SW_I8) : (struct words){"huge"};
}

static int total_draw(const struct imports *imports, struct canvas *out, int y)
{
	struct import_total t = import_sum(imports);
	sw_text text = {0};
	if (t.failed && t.failed == imports->count && t.bytes_now <= 0)
		return draw_note(out, 0, y, ROLE_TEXT, "%s planned.",
			words_plural(t.failed, "row is not", "rows are not").text);
	const char *often = imports->chains || imports->program ? "run in one run of the module" : "occur";
	if (imports->times > 1)
		sw_text_addf(&text, "In all, %s times as often as they %s, ", words_count(imports->times).text, often);
	else
		sw_text_addf(&text, "In all, as often as they %s, ", often);
	sw_text_addf(&text, "each device receives %s now and %s planned", large_words(t.bytes_now).text,
		large_words(t.bytes_planned).text);
	if (t.bytes_planned > 0 && t.bytes_now > 1.05 * t.bytes_planned)
		sw_text_addf(&text, ", %.1f times less", t.bytes_now / t.bytes_planned);
	sw_text_addf(&text, "; its largest tile is %s now and %s planned.", size_words(t.peak_now).text,
		size_words(t.peak_planned).text);
	if (t.saved > 0)
		sw_text_addf(&text, " The savings of all plans add up to %s.", large_words(t.saved).text);
	if (t.at_most > 0)
		sw_text_addf(&text, " Rows that say \"this or less\" save at most %s%s.", large_words(t.at_most).text,
			t.saved > 0 ? " more" : "");
	if (imports->times > 1 && imports->machine)
		sw_text_addf(&text, " On hardware %s that takes %s now and %s planned.", imports->machine,
			words_seconds(t.seconds_now).text, words_seconds(t.seconds_planned).text);
	if (t.failed)
		sw_text_addf(&text, " %s not planned.", words_plural(t.failed, "row is", "rows are").text);
	y = draw_note(out, 0, y, ROLE_TEXT, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

#define PART_ROWS 4096 /* of a long picture that is given away in parts */

/* All rows of the table, from row *y of the canvas on; of those that are folded no more than their figures. */
static bool draw_rows(const struct table *table, const struct imports *imports, const struct rows *rows,
	const struct view_parts *parts, struct canvas **out, int *y, sw_diag *diag)
{
	for (int64_t i = 0; i < rows_shown(rows); i++) {
		*y = table_draw_row(table, *out, *y, (int)i);
		if (!imports->fold)
			*y = details_draw(table, imports, rows_at(rows, i, NULL).row, *out, *y);
		if (!parts || *y < PART_ROWS)
			continue;
		if (!parts->next(parts->context, out, diag))
			return false;
		*y = 0;
	}
	return true;
}

/* "24 MiB of 31 MiB are one all-reduce, moe.py:41" */
static void most_text(const struct imports *imports, sw_text *text)
{
	const struct import_row *most = imports->row;
	if (imports->traffic && imports->traffic->count && (imports->chains || !imports->count))
		collectives_most(imports->traffic, text);
	for (int i = 1; i < imports->count; i++)
		most = import_in_all(&imports->row[i]) > import_in_all(most) ? &imports->row[i] : most;
	/* A size that nobody says is not said to be the most. */
	if (imports->chains || imports->count < 2 || !most->now || most->assumed ||
		2 * import_in_all(most) <= imports->whole || import_in_all(most) >= imports->whole)
		return;
	sw_text_addf(text, "%s of %s are row %d, ", large_words(import_in_all(most)).text,
		large_words(imports->whole).text, most->number);
	if (most->source)
		sw_text_add(text, source_text(most));
	else
		sw_text_addf(text, "line %lld", (long long)most->line);
}

static int most_draw(const struct imports *imports, struct canvas *out, int y)
{
	sw_text text = {0};
	most_text(imports, &text);
	if (text.length)
		y = draw_note(out, 0, y, ROLE_TEXT, "%s.", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int head_draw(const struct imports *imports, struct canvas *out)
{
	sw_text text = {0};
	sw_text_addf(&text, "%s, %s%s",
		imports->chains      ? "chains of collectives" :
			imports->program ? "shardings that the program asks for" :
							   "pairs of shardings",
		imports_order_words(imports->by), imports->turned ? ", in reverse order" : "");
	if (imports->fold)
		sw_text_addf(&text, ", merged by %s", imports->fold);
	int y = draw_title(out, 0, "import", sw_text_get(&text));
	sw_text_free(&text);
	return most_draw(imports, out, y) + 1;
}

const char *imports_order_words(const char *by)
{
	static const struct {
		const char *word, *words;
	} orders[] = {{"bytes", "by bytes as often as they run"}, {"saved", "by what a plan saves"}, {"time", "by time"},
		{"line", "by source line"}, {"tile", "by the largest tile"}, {"runs", "by how often they run"}};
	for (size_t k = 0; by && k < sizeof(orders) / sizeof(*orders); k++)
		if (strcmp(by, orders[k].word) == 0)
			return orders[k].words;
	return orders[0].words;
}

static bool draw_all(const struct imports *imports, const struct view_parts *parts, sw_arena *arena,
	struct canvas *out, sw_diag *diag)
{
	struct table table;
	struct rows rows;
	if (!arena)
		return sw_diag_memory(diag);
	if (!fill(imports, out->width, arena, &table, &rows, diag))
		return false;
	int y = head_draw(imports, out);
	y = table_draw_ruled_heads(&table, out, y, out->width);
	bool ok = draw_rows(&table, imports, &rows, parts, &out, &y, diag);
	table_free(&table);
	if (!ok)
		return false;
	y = total_draw(imports, out, y + 1);
	draw_note(out, 0, y, ROLE_NOTE,
		"Bytes are those that a device receives, tile is its largest tile. `import FILE N` takes the row with "
		"# N, however rows are sorted.");
	return true;
}

bool view_imports(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	if (!in->imports || !in->imports->count)
		return draw_missing(diag, "imported pair of shardings", "import a log or a module: import FILE");
	if (!draw_begin("import", opt, out))
		return true;
	sw_arena *arena = sw_arena_new();
	bool ok = draw_all(in->imports, opt->parts, arena, out, diag);
	sw_arena_free(arena);
	return ok;
}

/* ---- as a list ---- */

#define ROWS_LEAST 3 /* of the list, before what stands below it is cut */

/* The collectives that are in no row, as far as there is room. */
static int others_draw(const struct imports *imports, struct canvas *out, int y, sw_arena *arena, sw_diag *diag)
{
	struct rows others;
	sw_text text = {0};
	if (!imports->traffic || imports->traffic->bytes <= 0)
		return y;
	collectives_total(imports->traffic, !imports->chains, imports->count > 0, &text);
	y = canvas_put_wrapped(out, 0, y, out->width, 2, ROLE_TEXT, sw_text_get(&text));
	sw_text_free(&text);
	if (collectives_others(imports->traffic, imports->by, imports->fold, arena, &others, diag) && others.count)
		rows_draw(&others, out, &y, diag);
	return y;
}

static void list_foot(const struct table *table, const struct imports *imports, const struct import_row *chosen,
	struct canvas *foot)
{
	canvas_hline(foot, 0, 0, foot->width, ROLE_DIM, 0);
	int y = imports->fold ? 1 : details_draw(table, imports, chosen, foot, 1);
	total_draw(imports, foot, y);
}

static void spot_heads(const struct rows *rows, int chosen, const struct table *table, int y,
	struct import_heads *heads)
{
	if (!heads)
		return;
	heads->y = y;
	heads->shown = rows_shown(rows);
	heads->chosen = chosen;
	heads->row = rows_at(rows, chosen, NULL).row;
	heads->count = rows_heads(rows, table, heads->spot);
}

#define PAGE_ROWS 256 /* of which the widths of a list's columns are those */

/* The page of the chosen one, with the neighbours that a screen of so many lines shows beside it; *first: its first row. */
static struct rows page_of(const struct rows *rows, int chosen, int height, struct row_order *order, int64_t *first)
{
	int64_t count = rows_shown(rows), from = chosen / PAGE_ROWS * PAGE_ROWS - height,
			to = chosen / PAGE_ROWS * PAGE_ROWS + PAGE_ROWS + height;
	struct rows page = *rows;
	*first = from < 0 ? 0 : from;
	*order = *rows->order;
	order->first += *first;
	order->count = (to < count ? to : count) - *first;
	page.order = order;
	return page;
}

/* The rows around the chosen one, from line *y on, above what stands below them; both count in the table. */
static void window_draw(int count, const struct table *table, int chosen, int room, struct canvas *out, int *y)
{
	room = room < ROWS_LEAST ? ROWS_LEAST : room;
	int shown = count < room ? count : room, first = chosen - shown / 2;
	first = first > count - shown ? count - shown : first;
	first = first < 0 ? 0 : first;
	for (int i = first; i < first + shown; i++)
		*y = table_draw_row(table, out, *y, i);
}

/* A row of the list is one line. */
static void keep_to_lines(struct table *table)
{
	for (int c = 0; c < table->columns; c++)
		if (table->column[c].fit == CELL_WRAP)
			table->column[c].fit = CELL_END;
}

static bool list_draw(const struct imports *imports, int chosen, int height, sw_arena *arena, struct canvas *out,
	struct import_heads *heads, sw_diag *diag)
{
	struct imports marked = *imports;
	struct table table;
	struct canvas foot = {0};
	struct rows rows;
	if (!imports_rows(&marked, arena, &rows, diag))
		return false;
	chosen = chosen < rows_shown(&rows) ? chosen : (int)rows_shown(&rows) - 1;
	const struct import_row *row = rows_at(&rows, chosen, NULL).row;
	struct row_order order;
	int64_t first;
	marked.chosen = row->number;
	struct rows page = page_of(&rows, chosen, height, &order, &first);
	if (!fill_rows(&page, out->width, &table, diag))
		return false;
	keep_to_lines(&table);
	canvas_reset(&foot, out->width);
	list_foot(&table, &marked, row, &foot);
	int y = most_draw(&marked, out, 0);
	spot_heads(&rows, chosen, &table, y, heads);
	y = table_draw_ruled_heads(&table, out, y, out->width);
	window_draw((int)rows_shown(&page), &table, chosen - (int)first, height - y - foot.height, out, &y);
	canvas_copy(out, 0, y, &foot);
	y += foot.height;
	if (y + 1 < height)
		others_draw(&marked, out, y + 1, arena, diag);
	canvas_free(&foot);
	table_free(&table);
	return true;
}

bool imports_draw_list(const struct imports *imports, int chosen, int height, struct canvas *out,
	struct import_heads *heads, sw_diag *diag)
{
	sw_arena *arena = sw_arena_new();
	bool ok = arena || sw_diag_memory(diag);
	if (ok && imports->count)
		ok = list_draw(imports, chosen, height, arena, out, heads, diag);
	else if (ok)
		others_draw(imports, out, most_draw(imports, out, 0), arena, diag);
	sw_arena_free(arena);
	return ok;
}
