/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A system in levels with its ports and their load, and the axes of parallelism on its devices.
 */
#include "views/draw.h"
#include "views/summed.h"

#include <stdio.h>
#include <string.h>

#include <shardwalk/number.h>

#define UNITS_SHOWN 5   /* of one level in the tree */
#define CELLS_SHOWN 256 /* devices; more are folded */
#define FOLDED_ROWS 12
#define BAR_ROOM 20

static bool need_look(const struct view_input *in, sw_diag *diag)
{
	return (in->look != NULL && in->look->placing != NULL) ||
		draw_missing(diag, "system", "type: system {node: 4 @ 8GB/s, gpu: 16 @ 270GB/s}");
}

/* ---- the tree ---- */

static struct words rate_words(double bandwidth)
{
	struct words words = {"no bandwidth given"};

	if (bandwidth > 0)
		snprintf(words.text, sizeof words.text, "%g GB/s", bandwidth / 1e9);
	return words;
}

static const char *port_words(bool shared)
{
	return shared ? "both ways together" : "each way";
}

/* The devices of one unit of the innermost level but one, in a row. */
static int draw_leaves(const sw_system *system, int64_t first, int x, int y, struct canvas *out)
{
	int64_t size = system->level[system->count - 1].size;
	struct stretch stretches[STRETCHES_MAX];
	int n = fold_stretches(size, (out->width - x - 5) / 6, -1, stretches);

	for (int k = 0; k < n; k++) {
		sw_text text = {0};

		if (stretch_folded(stretches[k]))
			sw_text_addf(&text, "… %lld more", (long long)(stretches[k].to - stretches[k].from + 1));
		else
			sw_system_print_device(system, first + stretches[k].from, &text);
		x = canvas_put(out, x, y, stretch_folded(stretches[k]) ? ROLE_DIM : ROLE_NUMBER, sw_text_get(&text)) + 1;
		sw_text_free(&text);
	}
	return y + 1;
}

static int draw_units(const sw_system *system, int level, int64_t first, int y, struct canvas *out)
{
	struct stretch stretches[STRETCHES_MAX];
	int64_t unit = sw_system_unit(system, level);
	int n = fold_stretches(system->level[level].size, UNITS_SHOWN, -1, stretches), x = 2 + 3 * level;

	if (level + 1 == system->count)
		return draw_leaves(system, first, x, y, out);
	for (int k = 0; k < n; k++) {
		canvas_put(out, x, y, ROLE_BORDER, k + 1 < n ? "├" : "└");
		if (stretch_folded(stretches[k])) {
			canvas_putf(out, x + 2, y++, ROLE_DIM, "… %lld more",
				(long long)(stretches[k].to - stretches[k].from + 1));
			continue;
		}
		canvas_putf(out, x + 2, y++, role_of_axis(level), "%s %lld", system->level[level].name,
			(long long)stretches[k].from);
		int below = y;
		y = draw_units(system, level + 1, first + stretches[k].from * unit, y, out);
		for (int row = below; row < y && k + 1 < n; row++)
			canvas_put(out, x, row, ROLE_BORDER, "│");
	}
	return y;
}

/* ---- the ports ---- */

static int draw_load(const sw_port_load *load, double most, int x, int y, struct canvas *out)
{
	int64_t bytes = load->bytes < 9e18 ? (int64_t)load->bytes : INT64_MAX;

	canvas_putf(out, x, y, ROLE_NUMBER, "%10s  %9s", sw_size_bytes(bytes, 1, SW_UNIT_DECIMAL).text,
		words_seconds(load->seconds).text);
	canvas_bar(out, x + 23, y, sw_smaller(BAR_ROOM, out->width - x - 23), load->seconds < most ? ROLE_BAR : ROLE_WARN,
		load->seconds, most);
	return y + 1;
}

/* The first columns, a row for each kind; where they end. */
static int draw_port_names(const sw_port_load *load, int count, int y, struct canvas *out)
{
	int end = canvas_put(out, 0, y, ROLE_LABEL, "port of    how many  bandwidth");

	for (int k = 0; k < count; k++) {
		canvas_put(out, 0, ++y, ROLE_TEXT, load[k].name);
		canvas_put_right(out, 10, y, 9, ROLE_NUMBER, words_count(load[k].ports).text);
		int x = canvas_put(out, 21, y, ROLE_NUMBER, rate_words(load[k].bandwidth).text);
		if (load[k].bandwidth > 0)
			x = canvas_put(out, x + 1, y, ROLE_DIM, port_words(load[k].shared));
		end = x > end ? x : end;
	}
	return end;
}

static int draw_ports(const struct sum_look *look, int y, struct canvas *out)
{
	sw_port_load load[SW_MAX_PORT_KINDS];
	bool loaded = look->ports != NULL && look->step != NULL && look->brought != NULL;
	int count = loaded ? sw_ports_loads(look->ports, look->step, look->brought, load) :
						 sw_system_ports(&look->placing->system, load);
	double most = 0;

	out->failed |= count < 0;
	for (int k = 0; k < count; k++)
		most = load[k].seconds > most ? load[k].seconds : most;
	int at = draw_port_names(load, count, y++, out) + 2;
	if (!loaded || at + 22 > out->width)
		return y + count;
	canvas_put(out, at, y - 1, ROLE_LABEL, "   busiest: load, time");
	for (int k = 0; k < count; k++)
		y = draw_load(&load[k], most, at, y, out);
	return y;
}

static void say_step(const struct sum_look *look, sw_text *text)
{
	sw_text_add(text, "load of `");
	sw_step_print(&look->placing->system, &look->ports->hierarchy, look->step, text);
	sw_text_add(text, "`");
	if (look->number > 0)
		sw_text_addf(text, ", step %d", look->number);
}

static void say_levels(const sw_system *system, sw_text *text)
{
	for (int j = 0; j < system->count; j++)
		sw_text_addf(text, "%s%s %lld", j > 0 ? ", " : "", system->level[j].name, (long long)system->level[j].size);
	sw_text_addf(text, ": %s", words_plural(system->devices, "device", "devices").text);
}

bool view_system(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	const struct sum_look *look = in->look;
	sw_text text = {0};

	if (!need_look(in, diag))
		return false;
	if (!draw_begin("system", opt, out))
		return true;
	say_levels(&look->placing->system, &text);
	int y = draw_title(out, 0, "system", sw_text_get(&text));
	sw_text_clear(&text);
	y = draw_units(&look->placing->system, 0, 0, y, out) + 1;
	y = draw_ports(look, y, out);
	if (look->ports != NULL && look->step != NULL) {
		say_step(look, &text);
		y = draw_note(out, 0, y, ROLE_NOTE, "%s: bytes and seconds of the busiest port of each kind",
			sw_text_get(&text));
	}
	sw_text_free(&text);
	if (look->placing->system.topology == SW_TOPOLOGY_V100)
		y = draw_note(out, 0, y, ROLE_NOTE,
			"ring: NVLink between neighbours of a node; pair: the PCIe switch of two devices, which all else passes; node: "
			"the port %s",
			look->placing->system.node.measured ? "to other nodes; a ring of all eight goes both ways at once" :
												  "between halves of a node and to others");
	if (look->placing->system.node.copying > 0)
		draw_note(out, 0, y, ROLE_NOTE,
			"each step takes longer by what a device reads and writes of its own memory, at %.0f GB/s",
			look->placing->system.node.copying / 1e9);
	return true;
}

/* ---- the placement ---- */

/* Devices that are summed together have one number; without a sum those with one coordinate along the first axis. */
static int64_t colour_of(const struct sum_look *look, int64_t device)
{
	const struct placing *placing = look->placing;
	int64_t number = 0;

	if (!look->has_sum)
		return sw_placement_coordinate(&placing->placement, device, 0);
	for (int i = 0; i < placing->placement.axes; i++)
		if (!(look->summed >> i & 1))
			number = number * placing->axes.axis[i].size + sw_placement_coordinate(&placing->placement, device, i);
	return number;
}

static enum role role_of_number(int64_t number)
{
	return role_of_axis((int)(number % 7));
}

static void marker_text(const struct placing *placing, int64_t device, sw_text *text)
{
	for (int i = 0; i < placing->placement.axes; i++)
		sw_text_addf(text, "%s%lld", i > 0 ? "/" : "",
			(long long)sw_placement_coordinate(&placing->placement, device, i));
}

static int marker_width(const struct placing *placing)
{
	int width = placing->placement.axes - 1;

	for (int i = 0; i < placing->placement.axes; i++) {
		char digits[24];

		width += snprintf(digits, sizeof digits, "%lld", (long long)placing->axes.axis[i].size - 1);
	}
	return width;
}

struct grid {
	const struct sum_look *look;
	int64_t rows, columns; /* units of the innermost level but one, devices in each */
	int label, cell;       /* columns of the canvas */
};

static void draw_row(const struct grid *grid, int64_t row, const struct stretch *across, int count, int y,
	struct canvas *out)
{
	const struct placing *placing = grid->look->placing;
	sw_text name = {0};

	sw_system_print_device(&placing->system, row * grid->columns, &name);
	canvas_put_right(out, 0, y, grid->label, ROLE_LABEL, sw_text_get(&name));
	sw_text_free(&name);
	for (int k = 0; k < count; k++) {
		int64_t device = row * grid->columns + across[k].from;
		sw_text text = {0};
		bool folded = stretch_folded(across[k]);

		if (folded)
			sw_text_addf(&text, "…%lld", (long long)(across[k].to - across[k].from + 1));
		else
			marker_text(placing, device, &text);
		canvas_put(out, grid->label + 2 + k * grid->cell, y,
			folded ? ROLE_DIM : role_of_number(colour_of(grid->look, device)), sw_text_get(&text));
		sw_text_free(&text);
	}
}

/* Rows of different units of the levels further out stand apart. */
static bool stands_apart(const sw_system *system, int64_t row)
{
	int64_t inner = system->count > 2 ? system->level[system->count - 2].size : 0;

	return inner > 1 && row > 0 && row % inner == 0;
}

static int fold_columns(const struct grid *grid, const struct canvas *out, struct stretch *across)
{
	return fold_stretches(grid->columns, (out->width - grid->label - 2) / grid->cell, -1, across);
}

/* What `…21` in a row stands for, where rows are folded. */
static int explain_folds(const struct grid *grid, int y, struct canvas *out)
{
	struct stretch across[STRETCHES_MAX];
	int columns = fold_columns(grid, out, across);

	for (int k = 0; k < columns; k++)
		if (stretch_folded(across[k]))
			y = draw_note(out, 0, y, ROLE_NOTE, "…%lld: that many more devices in the row",
				(long long)(across[k].to - across[k].from + 1));
	return y;
}

static int draw_grid(const struct grid *grid, int y, struct canvas *out)
{
	struct stretch down[STRETCHES_MAX], across[STRETCHES_MAX];
	const sw_system *system = &grid->look->placing->system;
	int64_t most = system->devices > CELLS_SHOWN ? FOLDED_ROWS : STRETCHES_MAX;
	int columns = fold_columns(grid, out, across);
	int rows = fold_stretches(grid->rows, (int)most, -1, down);

	for (int k = 0; k < rows; k++) {
		y += stands_apart(system, down[k].from);
		if (stretch_folded(down[k]))
			canvas_putf(out, grid->label + 2, y++, ROLE_DIM, "… %lld more rows of %lld devices",
				(long long)(down[k].to - down[k].from + 1), (long long)grid->columns);
		else
			draw_row(grid, down[k].from, across, columns, y++, out);
	}
	return y;
}

static void say_axes(const struct placing *placing, sw_text *text)
{
	for (int i = 0; i < placing->axes.count; i++)
		sw_text_addf(text, "%s%s %lld", i > 0 ? ", " : "", placing->axes.axis[i].name,
			(long long)placing->axes.axis[i].size);
	sw_text_add(text, " by ");
	sw_placement_print(&placing->placement, text);
}

static int draw_legend(const struct sum_look *look, int y, struct canvas *out)
{
	const struct placing *placing = look->placing;
	sw_text text = {0};

	for (int i = 0; i < placing->axes.count; i++) {
		sw_text_addf(&text, "%s%s on ", i > 0 ? ", " : "", placing->axes.axis[i].name);
		sw_placement_print_parts(&placing->system, &placing->placement, i, &text);
	}
	y = draw_note(out, 0, y, ROLE_TEXT, "%s", sw_text_get(&text));
	sw_text_clear(&text);
	for (int i = 0; i < placing->axes.count; i++)
		sw_text_addf(&text, "%s%s", i > 0 ? "/" : "", placing->axes.axis[i].name);
	y = draw_note(out, 0, y, ROLE_NOTE, "a device is marked %s; each row begins with the name of its first device",
		sw_text_get(&text));
	sw_text_free(&text);
	if (look->after != NULL && placing->system.devices <= CELLS_SHOWN)
		y = sum_together_draw(look, y, out);
	return draw_note(out, 0, y, ROLE_NOTE, "%s",
		look->has_sum ? "devices of one colour are summed together; seven colours take turns" :
						"one colour: one coordinate along the first axis; seven colours take turns");
}

bool view_placement(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	sw_text text = {0};

	if (!need_look(in, diag))
		return false;
	if (!in->look->placing->placed)
		return draw_missing(diag, "placement", "type: placements, then place 1");
	if (!draw_begin("placement", opt, out))
		return true;

	const struct placing *placing = in->look->placing;
	struct grid grid = {.look = in->look, .columns = placing->system.level[placing->system.count - 1].size};
	grid.rows = placing->system.devices / grid.columns;
	grid.cell = marker_width(placing) + 2;
	sw_system_print_device(&placing->system, (grid.rows - 1) * grid.columns, &text);
	grid.label = (int)text.length;
	sw_text_clear(&text);
	say_axes(placing, &text);
	int y = draw_title(out, 0, "placement", sw_text_get(&text)) + 1;
	sw_text_free(&text);
	y = draw_grid(&grid, y, out) + 1;
	y = draw_legend(in->look, y, out);
	explain_folds(&grid, y, out);
	return true;
}
