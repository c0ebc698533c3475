/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Advice as a table: each hop with what the system does there, and what it comes to without and with
 * waypoints.
 */
#include "views/advice.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#include "canvas/table.h"
#include "views/draw.h"

const char *advice_system(sw_advise_target target)
{
	assert((unsigned)target < SW_ADVISE_COUNT);
	static const char *const systems[] =
		{[SW_ADVISE_JAX] = "XLA", [SW_ADVISE_DTENSOR] = "DTensor", [SW_ADVISE_SHARDY] = "Shardy"};
	return systems[target];
}

void advice_count_text(const int64_t count[SW_COLLECTIVES], sw_text *text)
{
	size_t begin = text->length;
	for (int op = 0; op < SW_COLLECTIVES; op++)
		if (count[op])
			sw_text_addf(text, "%s%lld %s", text->length > begin ? ", " : "", (long long)count[op],
				sw_collective_of((sw_op)op)->name);
	if (text->length == begin)
		sw_text_add(text, "none");
}

/* ---- hops ---- */

enum { FIRST = 5 };

enum { COLUMN_STEPS = 1, COLUMN_COST, COLUMN_PEAK };

static const struct column columns[] = {
	{.head = "hop", .right = true, .role = ROLE_LABEL, .least = 3},
	{.head = "", .role = ROLE_OP, .fit = CELL_WRAP, .indent = 2, .least = 12, .takes = 12},
	{.head = "cost", .right = true, .role = ROLE_NUMBER, .least = 8},
	{.head = "peak", .right = true, .role = ROLE_NUMBER, .least = 8},
	{0},
};

static void add_hop(struct table *table, const sw_advice *advice, int k)
{
	const sw_plan *hop = &advice->hop[k];
	sw_text steps = {0};
	table_add(table, "%d", k + 1);
	words_steps(hop, "nothing", &steps);
	table_add_text(table, &steps);
	table_add_count(table, hop->cost);
	table_add_count(table, hop->height);
	if (hop->height > advice->budget)
		table_paint(table, ROLE_BAD);
}

/* Both figures have columns of one width. */
static void fit_hops(struct table *table, int width)
{
	table_fit(table, width);
	int cost = table->width[COLUMN_COST], peak = table->width[COLUMN_PEAK];
	table->column[COLUMN_COST].least = table->column[COLUMN_PEAK].least = cost > peak ? cost : peak;
	table_fit(table, width);
}

static int hop_draw(const struct table *table, const sw_advice *advice, struct canvas *out, int y, int k)
{
	y = table_draw_row(table, out, y, k);
	canvas_put(out, FIRST, y, ROLE_LABEL, k < advice->via_count ? "via" : "to");
	return draw_type_rows(out, FIRST + 4, y, out->width - FIRST - 4, &advice->problem.mesh,
		&advice->hop[k].problem.to, false);
}

static int hops_draw(const sw_advice *advice, struct canvas *out, int y)
{
	struct table table;
	canvas_put(out, 0, y, ROLE_LABEL, "from");
	y = draw_type_rows(out, FIRST + 4, y, out->width - FIRST - 4, &advice->problem.mesh, &advice->problem.from, true);
	table_start(&table, columns);
	for (int k = 0; k <= advice->via_count; k++)
		add_hop(&table, advice, k);
	fit_hops(&table, out->width);
	canvas_putf(out, FIRST, y, ROLE_LABEL, "what %s does",
		advice->written ? "the program" : advice_system(advice->target));
	y = table_draw_ruled_heads(&table, out, y, table_width(&table));
	for (int k = 0; k <= advice->via_count; k++)
		y = hop_draw(&table, advice, out, y, k);
	table_free(&table);
	return y + 1;
}

/* ---- without and with ---- */

enum { LABEL_ROOM = 12 };

static int figure_room(const struct canvas *out)
{
	int room = (out->width - LABEL_ROOM - 2) / 2;
	return room < 34 ? room : 34;
}

static int pair_draw(struct canvas *out, int y, const char *label, const char *now, const char *then)
{
	int room = figure_room(out), x = LABEL_ROOM;
	canvas_put(out, 2, y, ROLE_LABEL, label);
	int left = canvas_put_wrapped(out, x, y, room, 0, ROLE_NUMBER, now);
	int right = canvas_put_wrapped(out, x + room + 2, y, room, 0, ROLE_NUMBER, then);
	return left > right ? left : right;
}

static struct words elements(bool known, int64_t count, sw_dtype dtype)
{
	struct words words = {"-"};
	struct words bytes = words_bytes(count, dtype);
	if (known)
		snprintf(words.text, sizeof(words.text), "%.40s (%.40s)", words_count(count).text, bytes.text);
	return words;
}

static struct words volume(bool known, double count, sw_dtype dtype)
{
	bool fits = known && count < 9e18 / sw_dtype_bytes(dtype);
	return fits ? words_bytes((int64_t)(count + 0.5), dtype) : (struct words){"-"};
}

static int counts_draw(const struct advice_picture *of, struct canvas *out, int y)
{
	sw_text now = {0}, then = {0};
	if (of->advice->has_now)
		advice_count_text(of->now.count, &now);
	else
		sw_text_add(&now, "-");
	advice_count_text(of->then.count, &then);
	y = pair_draw(out, y, "steps", sw_text_get(&now), sw_text_get(&then));
	sw_text_free(&now);
	sw_text_free(&then);
	return y;
}

static int sums_draw(const struct advice_picture *of, struct canvas *out, int y)
{
	const sw_advice *a = of->advice;
	sw_dtype dtype = a->problem.from.dtype;
	bool known = a->has_now;
	int room = figure_room(out);
	canvas_put(out, LABEL_ROOM, y, ROLE_LABEL, "without");
	canvas_put(out, LABEL_ROOM + room + 2, y, ROLE_LABEL,
		a->written   ? "with the steps" :
			a->gains ? "with advice" :
					   "the same");
	y = pair_draw(out, y + 1, "cost", elements(known, a->cost_now, dtype).text,
		elements(true, a->cost_then, dtype).text);
	y = pair_draw(out, y, "received", volume(known, of->now.volume, dtype).text,
		volume(true, of->then.volume, dtype).text);
	y = pair_draw(out, y, "peak", elements(known, a->height_now, dtype).text,
		elements(true, a->height_then, dtype).text);
	if (of->machine)
		y = pair_draw(out, y, "time", words_seconds(of->now.seconds).text, words_seconds(of->then.seconds).text);
	y = counts_draw(of, out, y);
	if (of->machine)
		y = draw_note(out, 2, y, ROLE_DIM, "time as predicted on hardware %s", of->machine);
	return y;
}

static int gain_draw(const struct advice_picture *of, struct canvas *out, int y)
{
	const sw_advice *advice = of->advice;
	y = draw_note(out, 2, y, advice->gains ? ROLE_GOOD : ROLE_TEXT, "%s", advice->why);
	if (advice->has_now && advice->warns_now)
		y = draw_note(out, 2, y, ROLE_WARN, "XLA warns: [SPMD] Involuntary full rematerialization%s",
			advice->written || !advice->gains ? "" :
				of->gradient || of->chosen    ? "; compile again to see whether it still does" :
												"; with these waypoints it does not");
	if (advice->finer && (advice->via_count || advice->written))
		y = draw_note(out, 2, y, ROLE_NOTE, "the %s need a finer mesh of the same devices, in the same order",
			advice->written ? "steps" : "waypoints");
	if (advice->meshes)
		y = draw_note(out, 2, y, ROLE_NOTE,
			"no single mesh has axes for all types: the lines make several meshes of the same devices, in the "
			"same order");
	if (!advice->complete && advice->gains)
		y = draw_note(out, 2, y, ROLE_NOTE, "not every way was tried: there may be a cheaper one");
	return y;
}

/* How far the problem is known to be the one that a warning is about. */
static int warning_draw(const struct advice_picture *of, struct canvas *out, int y)
{
	sw_text text = {0};
	if (of->whole)
		y = draw_note(out, 2, y, of->whole->is ? ROLE_NOTE : ROLE_WARN,
			"this is %sthe problem that the warning is about: %s", of->whole->is ? "" : "not ", of->whole->words);
	group_print(of->group, &text);
	if (of->group->is != GROUP_NONE)
		y = draw_note(out, 2, y, ROLE_WARN, "%s: %s", sw_text_get(&text), group_lacks);
	sw_text_free(&text);
	return y;
}

static int mesh_draw(const sw_advice *advice, struct canvas *out, int y)
{
	sw_text text = {0};
	sw_mesh_print(&advice->problem.mesh, &text);
	canvas_put(out, 0, y, ROLE_LABEL, "mesh");
	y = canvas_put_wrapped(out, FIRST + 4, y, out->width - FIRST - 4, 2, ROLE_TEXT, sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

bool view_advice(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	const struct advice_picture *of = in->advice;
	if (!of)
		return draw_missing(diag, "advice", "after mesh and redistribute, type: advise");
	if (!draw_begin("advice", opt, out))
		return true;
	sw_text rest = {0};
	sw_text_addf(&rest, "for %s, %s", sw_advise_name(of->advice->target),
		of->advice->written ? "the steps themselves" :
							  words_plural(of->advice->via_count, "waypoint", "waypoints").text);
	int y = draw_title(out, 0, "advice", sw_text_get(&rest));
	sw_text_free(&rest);
	y = gain_draw(of, out, y);
	y = warning_draw(of, out, y) + 1;
	y = mesh_draw(of->advice, out, y);
	y = hops_draw(of->advice, out, y);
	sums_draw(of, out, y);
	return true;
}
