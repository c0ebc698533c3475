/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which part of the array each device holds: a row for each run of neighbours that hold the same, before and after.
 */
#include <stdio.h>

#include <shardwalk/number.h>

#include "views/beside.h"
#include "views/draw.h"
#include "views/general.h"
#include "views/tiles.h"

#define ROWS_MOST 64 /* where no height is asked for */

struct ranges {
	const struct holding *shown;
	int count;
	int64_t run; /* devices in a row */
	int devices; /* columns of the first column, */
	int slot;    /* of the coordinates, 0 where they do not fit or change, */
	int range;   /* and of each range */
};

static void coordinates_text(const sw_mesh *mesh, int64_t device, sw_text *text)
{
	bool any = false;
	for (int i = 0; i < mesh->count; i++) {
		if (mesh->axis[i].size == 1)
			continue;
		sw_text_addf(text, "%s%lld", any ? "," : "", (long long)sw_mesh_coordinate(mesh, device, i));
		any = true;
	}
}

static void run_text(const struct ranges *table, struct stretch stretch, sw_text *text)
{
	int64_t from = stretch.from * table->run, to = stretch.to * table->run + table->run - 1;
	sw_mesh_print_device(table->shown->mesh, from, text);
	if (from < to)
		sw_text_addf(text, "-%s", words_device(table->shown->mesh, to).text);
}

/* The longest texts of each column over the rows that are shown. */
static void table_measure(struct ranges *table, const struct stretch *stretches, int n)
{
	sw_text text = {0};
	int range = 0;
	table->devices = 7;
	for (int k = 0; k < n; k++) {
		int64_t offset[SW_MAX_DIMS], device = stretches[k].from * table->run;
		sw_text_clear(&text);
		run_text(table, stretches[k], &text);
		table->devices = (int)text.length > table->devices ? (int)text.length : table->devices;
		for (int i = 0; i < table->count && !stretch_folded(stretches[k]); i++) {
			sw_text_clear(&text);
			holding_offset(&table->shown[i], device, offset);
			holding_range_text(&table->shown[i], offset, &text);
			holding_term_text(&table->shown[i], device, &text);
			range = (int)text.length > range ? (int)text.length : range;
		}
	}
	table->range = range > 12 ? range : 12;
	sw_text_free(&text);
}

static void table_layout(struct ranges *table, int width)
{
	const sw_mesh *mesh = table->shown->mesh;
	sw_text text = {0};
	coordinates_text(mesh, mesh->devices - 1, &text);
	int rest = width - table->devices - 2, ranges = table->count * (table->range + 2) + 4;
	int slot = (int)text.length > 6 ? (int)text.length : 6;
	bool stays = table->count == 1 || sw_device_order_equal(table->shown[0].ids, table->shown[1].ids, mesh->devices);
	table->slot = table->run == 1 && stays && rest - slot - 2 >= ranges ? slot : 0;
	rest -= table->slot ? table->slot + 2 : 0;
	if (rest < ranges)
		table->range = (rest - 4) / table->count - 2;
	sw_text_free(&text);
}

static int range_column(const struct ranges *table, int i)
{
	return table->devices + 2 + (table->slot ? table->slot + 2 : 0) + i * (table->range + 2);
}

/* One holding of one row, in as many lines as it takes; returns the line after. */
static int range_draw(const struct ranges *table, struct canvas *out, int y, int i, int64_t device)
{
	int64_t offset[SW_MAX_DIMS];
	sw_text text = {0};
	bool kept = i && holding_kept(&table->shown[0], &table->shown[1], device);
	holding_offset(&table->shown[i], device, offset);
	holding_range_text(&table->shown[i], offset, &text);
	holding_term_text(&table->shown[i], device, &text);
	enum role role = !i ? ROLE_NUMBER : kept ? ROLE_KEPT : ROLE_MOVED;
	y = canvas_put_wrapped(out, range_column(table, i), y, table->range, 1, role, sw_text_get(&text));
	if (kept)
		canvas_put(out, range_column(table, i) + table->range + 1, y - 1, role, "=");
	sw_text_free(&text);
	return y;
}

static int row_draw(const struct ranges *table, struct canvas *out, int y, struct stretch stretch, int64_t mark)
{
	int64_t device = stretch.from * table->run;
	bool marked = mark >= device && mark < device + table->run && !stretch_folded(stretch);
	sw_text text = {0};
	if (stretch_folded(stretch)) {
		run_text(table, stretch, &text);
		canvas_put_right(out, 0, y, table->devices, ROLE_DIM, sw_text_get(&text));
		int64_t rows = stretch.to - stretch.from + 1;
		canvas_putf(out, range_column(table, 0), y, ROLE_DIM, "… %s", words_plural(rows, "row", "rows").text);
		sw_text_free(&text);
		return y + 1;
	}
	run_text(table, stretch, &text);
	canvas_put_right(out, 0, y, table->devices, marked ? ROLE_CURRENT : ROLE_LABEL, sw_text_get(&text));
	if (marked)
		canvas_put(out, table->devices, y, ROLE_CURRENT, "*");
	if (table->slot) {
		sw_text_clear(&text);
		const sw_mesh *mesh = table->shown->mesh;
		coordinates_text(mesh, holding_slot(table->shown->ids, mesh->devices, device), &text);
		canvas_put(out, table->devices + 2, y, ROLE_DIM, sw_text_get(&text));
	}
	sw_text_free(&text);
	int end = y + 1;
	for (int i = 0; i < table->count; i++) {
		int next = range_draw(table, out, y, i, device);
		end = next > end ? next : end;
	}
	return end;
}

static bool kept_any(const struct ranges *table, const struct stretch *rows, int n)
{
	for (int k = 0; k < n && table->count == 2; k++)
		if (!stretch_folded(rows[k]) && holding_kept(&table->shown[0], &table->shown[1], rows[k].from * table->run))
			return true;
	return false;
}

static void heading_text(const struct holding *holding, int i, int count, char text[40])
{
	if (holding->step >= 0)
		snprintf(text, 40, holding->step ? "step %d" : "before", holding->step);
	else if (holding->name)
		snprintf(text, 40, "%.39s", holding->name);
	else
		snprintf(text, 40, "%s", count == 1 ? "holds" : i ? "after" : "before");
}

static int heading_draw(const struct ranges *table, struct canvas *out, int y)
{
	canvas_put_right(out, 0, y, table->devices, ROLE_LABEL, "device");
	if (table->slot)
		canvas_put(out, table->devices + 2, y, ROLE_LABEL, "slot");
	for (int i = 0; i < table->count; i++) {
		char text[40];
		heading_text(&table->shown[i], i, table->count, text);
		canvas_put_cut(out, range_column(table, i), y, table->range, ROLE_LABEL, text);
	}
	canvas_hline(out, 0, y + 1, range_column(table, table->count - 1) + table->range + 2, ROLE_BORDER, 0);
	return y + 2;
}

/* The devices in their mesh, before and after.  false: there is no room. */
static bool pictures_draw(const struct tiles *tiles, const struct ranges *table, const int64_t unit[2], int width,
	struct canvas pictures[2])
{
	for (int i = 0; i < table->count; i++) {
		struct tiles one = *tiles;
		one.now = &table->shown[i];
		one.before = i ? &table->shown[0] : NULL;
		struct owners owners = owners_in(tiles->owners, one.now);
		one.owners = &owners;
		canvas_reset(&pictures[i], width);
		if (!slots_draw(&one, unit, &pictures[i], tiles_draw_head(&one, &pictures[i], 0), width))
			return false;
	}
	return true;
}

/* The row after the pictures; 0: there is no room for any. */
static int slots_show(const struct view_input *in, const struct ranges *table, const struct view_options *opt,
	struct canvas *out, int y)
{
	struct owners owners = owners_of(in, table->shown, table->count);
	struct signs_used used = {0};
	struct tiles tiles = {.now = table->shown, .opt = opt, .owners = &owners, .used = &used};
	struct canvas pictures[2] = {{0}, {0}};
	int64_t unit[2];
	tiles_dims(table->shown, table->count, opt, tiles.dims);
	bool drawn = scale_units(&tiles, in, table->shown, table->count, unit) &&
		((table->count == 2 && pictures_draw(&tiles, table, unit, (opt->width - 2) / 2, pictures)) ||
			pictures_draw(&tiles, table, unit, opt->width, pictures));
	if (drawn) {
		y = tiles_beside(out, slots_note(table->shown->mesh, out, y) + 1, pictures, table->count);
		y = owners_note(&owners, opt, out, y);
		if (unit[0] > 1 || unit[1] > 1)
			y = draw_note(out, 0, y, ROLE_NOTE, "a cell is a block of %s by %s", words_count(unit[0]).text,
				words_plural(unit[1], "element", "elements").text);
		y = tiles_legend(table->shown->mesh, &used, opt, out, y);
	}
	canvas_free(&pictures[0]);
	canvas_free(&pictures[1]);
	return drawn ? y : 0;
}

static int types_draw(const struct ranges *table, struct canvas *out, int y)
{
	const struct holding *first = table->shown;
	for (int i = 0; i < table->count; i++)
		if (table->shown[i].type)
			y = draw_type_rows(out, 0, y, out->width, first->mesh, table->shown[i].type, false);
	return y;
}

bool view_devices(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	if (is_general(in))
		return general_devices(in, opt, out, diag);
	struct holding shown[2];
	struct stretch stretches[STRETCHES_MAX];
	int count = holding_choose(in, opt, shown, diag);
	if (!count)
		return false;
	if (!draw_begin("devices", opt, out))
		return true;
	struct ranges table = {.shown = shown, .count = count, .run = holding_run(&shown[0])};
	if (count == 2)
		table.run = sw_gcd(table.run, holding_run(&shown[1]));
	int64_t keep = opt->device >= 0 && opt->device < shown[0].mesh->devices ? opt->device / table.run : -1;
	int room = opt->height > 10 ? opt->height - 6 : opt->height ? 5 : ROWS_MOST;
	int n = fold_stretches(shown[0].mesh->devices / table.run, room, keep, stretches);
	table_measure(&table, stretches, n);
	table_layout(&table, opt->width);
	bool moves = count == 2 || !in->type;
	int y = holding_title(shown, count, "devices", out), below = moves ? slots_show(in, &table, opt, out, y) : 0;
	y = heading_draw(&table, out, (below ? below : types_draw(&table, out, y)) + 1);
	for (int k = 0; k < n; k++)
		y = row_draw(&table, out, y, stretches[k], opt->device);
	y = draw_note(out, 0, y, ROLE_NOTE, "2:4 are the elements 2 and 3 of a dimension, : all of them");
	y = holding_note_order(shown, count, out, y);
	y = holding_note(&shown[0], out, y);
	if (!below && kept_any(&table, stretches, n))
		draw_note(out, 0, y, ROLE_NOTE, "=: nothing arrives there; its devices held it before");
	return true;
}
