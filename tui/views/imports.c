/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was imported, as a table: how often, what moves now and what would with a plan, what is held at most; and below
 * each row the pair itself.
 */
#include "views/imports.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/uneven.h>

#include "canvas/table.h"
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
	*shown = (struct import_plan){.bytes = (int64_t)(sw_plan_volume(plan) * (double)bytes + 0.5),
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

double import_seconds(const struct import_row *row, double once)
{
	return once > 0 ? once * (double)row->runs : 0;
}

struct import_total import_sum(const struct imports *imports)
{
	struct import_total total = {0};
	for (int i = 0; i < imports->count; i++) {
		const struct import_row *row = &imports->row[i];
		int64_t now = import_peak(row->now), planned = import_peak(row->planned);
		total.occurrences += row->count;
		total.runs += row->runs;
		total.open += row->open;
		total.planned += row->planned != NULL;
		total.failed += row->planned == NULL;
		if (!row->now || !row->planned)
			continue;
		*(row->implied ? &total.implied : &total.saved) += import_saving(row);
		total.bytes_now += (double)import_bytes(row->now) * (double)row->runs;
		total.bytes_planned += (double)import_bytes(row->planned) * (double)row->runs;
		total.seconds_now += import_seconds(row, row->seconds_now);
		total.seconds_planned += import_seconds(row, row->seconds_planned);
		total.peak_now = now > total.peak_now ? now : total.peak_now;
		total.peak_planned = planned > total.peak_planned ? planned : total.peak_planned;
	}
	return total;
}

/* ---- cells ---- */

enum {
	COLUMN_NUMBER,
	COLUMN_COUNT,
	COLUMN_LINE,
	COLUMN_NOW,
	COLUMN_PLANNED,
	COLUMN_PEAK_NOW,
	COLUMN_PEAK,
	COLUMN_SHAPE
};

static const struct column columns[] = {
	{.head = "#", .right = true, .role = ROLE_LABEL, .least = 2},
	{.head = "count", .right = true, .role = ROLE_NUMBER, .drops = 4},
	{.head = "line", .right = true, .role = ROLE_NUMBER, .drops = 1},
	{.head = "bytes now", .right = true, .role = ROLE_NUMBER, .drops = 5},
	{.head = "planned", .right = true, .role = ROLE_NUMBER},
	{.head = "tile now", .right = true, .role = ROLE_NUMBER, .drops = 2},
	{.head = "planned", .right = true, .role = ROLE_NUMBER, .drops = 3},
	{.head = "shape", .role = ROLE_TYPE, .fit = CELL_CUT, .takes = 8},
	{0},
};

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

/* ---- rows ---- */

static void add_size(struct table *table, int64_t bytes, bool saves)
{
	table_add(table, "%s", size_words(bytes).text);
	if (saves)
		table_paint(table, ROLE_GOOD);
}

static void add_row(struct table *table, const struct import_row *row, bool chosen)
{
	int64_t now = import_peak(row->now), planned = import_peak(row->planned);
	bool both = row->now && row->planned;
	sw_text shape = {0};
	table_add(table, chosen ? ">%d" : "%d", row->number);
	table_add_count(table, row->runs);
	table_add_count(table, row->line);
	add_size(table, import_bytes(row->now), false);
	add_size(table, import_bytes(row->planned), both && import_saving(row) > 0);
	add_size(table, now, false);
	add_size(table, planned, both && planned < now);
	shape_text(row, &shape);
	table_add_text(table, &shape);
}

/* "planned" stands beside "now"; alone it says what is planned. */
static void name_columns(const struct imports *imports, struct table *table)
{
	if (imports->chains || imports->program)
		table->column[COLUMN_COUNT].head = "runs";
	if (!table->width[COLUMN_NOW])
		table->column[COLUMN_PLANNED].head = "bytes";
	if (!table->width[COLUMN_PEAK_NOW])
		table->column[COLUMN_PEAK].head = "tile";
}

static void fill(const struct imports *imports, int chosen, int width, struct table *table)
{
	table_start(table, columns);
	for (int i = 0; i < imports->count; i++)
		add_row(table, &imports->row[i], i == chosen);
	table_fit(table, TABLE_WIDEST);
	if (table_width(table) - table->width[COLUMN_SHAPE] + SHAPE_LIKED > width)
		table_leave_out(table, COLUMN_LINE);
	table_fit(table, width);
	name_columns(imports, table);
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

/* The operations of a plan one after the other. */
static void steps_text(const struct import_plan *plan, sw_text *text)
{
	for (int k = 0; k < plan->count; k++)
		sw_text_addf(text, "%s%s", k ? ", " : "", import_step(plan, k, IMPORT_OPERATION));
	if (!plan->count)
		sw_text_add(text, "nothing to do");
}

/* The pair on one row where it fits, else each end in rows of its own. */
static int pair_draw(const struct table *table, struct canvas *out, int y, const struct import_row *row)
{
	int x = table->width[COLUMN_NUMBER] + 2, room = out->width - x;
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
		sw_text_add(text, "; nothing is to be gained");
	} else if (row->planned) {
		sw_text_add(text, "; planned: ");
		steps_text(row->planned, text);
	}
}

static int chain_draw(const struct table *table, struct canvas *out, int y, const struct import_row *row)
{
	sw_text text = {0};
	int x = table->width[COLUMN_NUMBER] + 2;
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
	int x = table->width[COLUMN_NUMBER] + 2;
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
		"more is moved, %s for %s, because the %s is then %s, not %s, which is above the bound",
		size_words(import_bytes(row->planned)).text, size_words(import_bytes(row->now)).text, over.what,
		size_words(over.planned).text, size_words(over.now).text);
}

/* What stands below the figures of a row. */
static int details_draw(const struct table *table, const struct imports *imports, int k, struct canvas *out, int y)
{
	const struct import_row *row = &imports->row[k];
	int x = table->width[COLUMN_NUMBER] + 2;
	y = pair_draw(table, out, y, row);
	if (imports->chains)
		y = chain_draw(table, out, y, row);
	else if (imports->program && row->name)
		y = value_draw(table, out, y, row);
	if (row->why)
		y = draw_note(out, x, y, ROLE_BAD, "not planned: %s", row->why->message);
	if (row->why_now)
		y = draw_note(out, x, y, ROLE_WARN, "what the compiler does is not known: %s", row->why_now->message);
	if (import_keeps(row) && !imports->chains)
		y = draw_note(out, x, y, ROLE_NOTE, "nothing is to be gained");
	y = more_draw(row, x, out, y);
	if (row->means)
		y = draw_note(out, x, y, ROLE_NOTE, "%s", row->means);
	if (row->remark)
		y = draw_note(out, x, y, ROLE_NOTE, "%s", row->remark);
	if (row->open)
		y = draw_note(out, x, y, ROLE_NOTE, "a loop around it does not say how often it runs: it counts once");
	return y;
}

/* ---- totals ---- */

static struct words large_words(double bytes)
{
	return bytes < 9e18 ? words_bytes((int64_t)bytes, SW_I8) : (struct words){"huge"};
}

static int total_draw(const struct imports *imports, struct canvas *out, int y)
{
	struct import_total t = import_sum(imports);
	sw_text text = {0};
	const char *often = imports->chains || imports->program ? "run while the module runs once" : "occur";
	if (imports->times > 1)
		sw_text_addf(&text, "In all, %s times as often as they %s, ", words_count(imports->times).text, often);
	else
		sw_text_addf(&text, "In all, as often as they %s, ", often);
	sw_text_addf(&text, "each device gets %s now and %s planned", large_words(t.bytes_now).text,
		large_words(t.bytes_planned).text);
	if (t.bytes_planned > 0 && t.bytes_now > 1.05 * t.bytes_planned)
		sw_text_addf(&text, ", %.1f times less", t.bytes_now / t.bytes_planned);
	sw_text_addf(&text, "; its largest tile is %s now and %s planned.", size_words(t.peak_now).text,
		size_words(t.peak_planned).text);
	if (t.saved > 0)
		sw_text_addf(&text, " What plans save adds up to %s.", large_words(t.saved).text);
	if (t.implied > 0)
		sw_text_addf(&text, " Chains whose ends nothing annotates save at most %s%s.", large_words(t.implied).text,
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

/* All rows of the table, from row *y of the canvas on. */
static bool rows_draw(const struct table *table, const struct imports *imports, const struct view_parts *parts,
	struct canvas **out, int *y, sw_diag *diag)
{
	for (int i = 0; i < imports->count; i++) {
		*y = details_draw(table, imports, i, *out, table_draw_row(table, *out, *y, i));
		if (!parts || *y < PART_ROWS)
			continue;
		if (!parts->next(parts->context, out, diag))
			return false;
		*y = 0;
	}
	return true;
}

bool view_imports(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	if (!in->imports || !in->imports->count)
		return draw_missing(diag, "pair of shardings that was imported", "import a log or a module: import FILE");
	if (!draw_begin("import", opt, out))
		return true;
	const struct imports *imports = in->imports;
	struct table table;
	fill(imports, -1, out->width, &table);
	int y = draw_title(out, 0, "import",
				imports->chains      ? "chains of collectives, by what a plan saves as often as they run" :
					imports->program ? "shardings that the program asks for, by what a plan saves" :
									   "pairs of shardings, by what a plan saves") +
		1;
	y = table_draw_ruled_heads(&table, out, y, out->width);
	bool ok = rows_draw(&table, imports, opt->parts, &out, &y, diag);
	table_free(&table);
	if (!ok)
		return false;
	y = total_draw(imports, out, y + 1);
	draw_note(out, 0, y, ROLE_NOTE,
		"Bytes are what reaches a device, tile is its largest one. `import FILE N` takes row N.");
	return true;
}

/* ---- as a list ---- */

#define ROWS_LEAST 3 /* of the list, before what stands below it is cut */

static void list_foot(const struct table *table, const struct imports *imports, int chosen, struct canvas *foot)
{
	canvas_hline(foot, 0, 0, foot->width, ROLE_DIM, 0);
	total_draw(imports, foot, details_draw(table, imports, chosen, foot, 1));
}

void imports_draw_list(const struct imports *imports, int chosen, int height, struct canvas *out)
{
	struct table table;
	struct canvas foot = {0};
	fill(imports, chosen, out->width, &table);
	canvas_reset(&foot, out->width);
	list_foot(&table, imports, chosen, &foot);
	int y = table_draw_ruled_heads(&table, out, 0, out->width);
	int room = height - y - foot.height;
	room = room < ROWS_LEAST ? ROWS_LEAST : room;
	int shown = imports->count < room ? imports->count : room, first = chosen - shown / 2;
	first = first > imports->count - shown ? imports->count - shown : first;
	first = first < 0 ? 0 : first;
	for (int i = first; i < first + shown; i++)
		y = table_draw_row(&table, out, y, i);
	canvas_copy(out, 0, y, &foot);
	canvas_free(&foot);
	table_free(&table);
}
