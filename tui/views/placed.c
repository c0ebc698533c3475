/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A system in levels with its ports and their load, and the axes of parallelism on its devices.
 */
#include "views/draw.h"
#include "views/summed.h"
#include "views/tower.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "canvas/table.h"

#define LABEL_ROOM 22   /* columns beside the tree */
#define TREE_ROWS 3     /* of a level in the tree */
#define CELLS_SHOWN 256 /* devices; more are folded */
#define FOLDED_ROWS 12

static bool need_look(const struct view_input *in, sw_diag *diag)
{
	return (in->look != NULL && in->look->placing != NULL) ||
		draw_missing(diag, "system", "type: system {node: 4 @ 8GB/s, gpu: 16 @ 270GB/s}");
}

/* ---- the ports ---- */

/* "8 GB/s shared" */
static struct words rate_words(const sw_port_load *load)
{
	struct words words = {"no bandwidth given"};

	if (load->bandwidth > 0)
		snprintf(words.text, sizeof words.text, "%g GB/s%s", load->bandwidth / 1e9, load->shared ? " shared" : "");
	return words;
}

static struct words bytes_words(double bytes)
{
	struct words words;

	snprintf(words.text, sizeof words.text, "%s", sw_size_bytes(sw_nearest(bytes), 1, SW_UNIT_BINARY).text);
	return words;
}

/* The ports of a system, the outermost first, and what a step loads the busiest of each kind with. */
struct ports {
	int count; /* -1: no memory */
	bool loaded;
	double most;   /* seconds of the busiest */
	double passed; /* this part of them has passed */
	sw_port_load load[SW_MAX_PORT_KINDS];
};

static struct ports ports_of(const struct sum_look *look, double passed)
{
	struct ports ports = {.passed = passed,
		.loaded = look->ports != NULL && look->step != NULL && look->brought != NULL};

	ports.count = ports.loaded ? sw_ports_loads(look->ports, look->step, look->brought, ports.load) :
								 sw_system_ports(&look->placing->system, ports.load);
	for (int k = 0; k < ports.count; k++)
		ports.most = ports.load[k].seconds > ports.most ? ports.load[k].seconds : ports.most;
	return ports;
}

/* ---- beside the tree ---- */

/* The row of the tree whose lines go to ports of a kind: that of the level, the last for a ring, -1 for none. */
static int row_of_port(const struct tower *tower, const sw_port_load *load)
{
	for (int l = 0; l < tower->levels; l++)
		if (strcmp(tower->name[l], load->name) == 0)
			return l;
	return tower->ring ? tower->levels : -1;
}

static bool is_busiest(const struct ports *ports, int k)
{
	return ports->loaded && ports->most > 0 && ports->load[k].seconds >= ports->most;
}

/* A line is heavy where the step waits for it, and dotted where nothing passes. */
static void lines_of(const struct tower *tower, const struct ports *ports, struct tower_lines lines[TOWER_LEVELS + 1])
{
	for (int l = 0; l <= tower->levels; l++)
		lines[l] = (struct tower_lines){ROLE_BORDER, 0};
	for (int k = 0; k < ports->count && ports->loaded; k++) {
		int row = row_of_port(tower, &ports->load[k]);
		if (row >= 0)
			lines[row] = is_busiest(ports, k) ? (struct tower_lines){ROLE_WARN, LINE_HEAVY} :
				ports->load[k].seconds > 0    ? (struct tower_lines){ROLE_BAR, 0} :
												(struct tower_lines){ROLE_DIM, LINE_DOTTED};
	}
}

/* Whose port, its rate, and its load as numbers and as a bar. */
static void draw_port(const struct ports *ports, int k, int y, struct canvas *out)
{
	const sw_port_load *load = &ports->load[k];
	enum role role = is_busiest(ports, k) ? ROLE_WARN : ROLE_BAR;

	int x = canvas_putf(out, 0, y, ROLE_LABEL, "%s", load->name);
	canvas_putf(out, x + 1, y, ROLE_DIM, "%s", words_plural(load->ports, "port", "ports").text);
	canvas_put_cut(out, 0, y + 1, LABEL_ROOM - 1, ROLE_NUMBER, rate_words(load).text);
	if (!ports->loaded)
		return;
	if (load->seconds > 0)
		x = canvas_putf(out, 0, y + 2, role, "%s, %s", bytes_words(load->bytes).text,
			words_seconds(load->seconds).text);
	else
		x = canvas_put(out, 0, y + 2, ROLE_DIM, "no load");
	canvas_bar(out, x + 1, y + 2, LABEL_ROOM - 2 - x, role, load->seconds * ports->passed, ports->most);
}

/* The same as a table, for a pane with no room beside the tree. */
static int draw_ports(const struct ports *ports, int y, struct canvas *out)
{
	static const struct column columns[] = {COLUMN_LEFT("port of", ROLE_TEXT), COLUMN_RIGHT("ports", ROLE_NUMBER),
		COLUMN_LEFT("bandwidth", ROLE_NUMBER), COLUMN_RIGHT("load", ROLE_NUMBER), COLUMN_RIGHT("time", ROLE_NUMBER),
		{0}};
	struct table table;

	table_start(&table, columns);
	table.column[3].optional = table.column[4].optional = !ports->loaded;
	for (int k = 0; k < ports->count; k++) {
		const sw_port_load *load = &ports->load[k];
		table_add(&table, "%s", load->name);
		table_add_count(&table, load->ports);
		table_add(&table, "%s", rate_words(load).text);
		table_add(&table, "%s", ports->loaded ? bytes_words(load->bytes).text : "");
		table_add(&table, "%s", ports->loaded ? words_seconds(load->seconds).text : "");
		if (is_busiest(ports, k))
			table_paint(&table, ROLE_WARN);
	}
	table_fit(&table, out->width);
	y = table_draw_ruled_heads(&table, out, y, out->width);
	for (int row = 0; row < table_rows(&table); row++)
		y = table_draw_row(&table, out, y, row);
	table_free(&table);
	return y;
}

/* The tree with its ports beside it, where there is room for both; else one above the other. */
static int draw_tower(const struct sum_look *look, const struct ports *ports, int y, struct canvas *out)
{
	struct tower *tower = malloc(sizeof *tower);
	struct tower_lines lines[TOWER_LEVELS + 1];
	bool beside = false;

	out->failed |= tower == NULL;
	if (tower != NULL && tower_make(&look->placing->system, out->width - LABEL_ROOM, tower)) {
		beside = true;
		lines_of(tower, ports, lines);
		for (int k = 0; k < ports->count; k++)
			if (row_of_port(tower, &ports->load[k]) >= 0)
				draw_port(ports, k, y + TREE_ROWS * row_of_port(tower, &ports->load[k]), out);
		y = tower_draw(tower, LABEL_ROOM, y, TREE_ROWS, lines, out) + tower->ring;
	} else if (tower != NULL && tower_make(&look->placing->system, out->width, tower)) {
		lines_of(tower, ports, lines);
		y = tower_draw(tower, 0, y, 2, lines, out);
	}
	free(tower);
	return beside ? y + 1 : draw_ports(ports, y, out);
}

bool ports_known(const struct sum_look *look)
{
	return look != NULL && look->placing != NULL && look->ports != NULL && look->step != NULL && look->number > 0;
}

int ports_draw(const struct sum_look *look, double passed, struct canvas *out, int y)
{
	struct ports ports = ports_of(look, passed);

	assert(ports_known(look) && passed >= 0 && passed <= 1);
	out->failed |= ports.count < 0;
	return draw_tower(look, &ports, y, out);
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
	int y = draw_title(out, 0, "system", sw_text_get(&text)) + 1;
	sw_text_clear(&text);
	struct ports ports = ports_of(look, 1);
	out->failed |= ports.count < 0;
	y = draw_tower(look, &ports, y, out);
	if (look->ports != NULL && look->step != NULL) {
		say_step(look, &text);
		y = draw_note(out, 0, y, ROLE_NOTE,
			"%s: bytes and seconds of the busiest port of each kind; heavy: the step waits for it, dotted: no load",
			sw_text_get(&text));
	}
	sw_text_free(&text);
	if (look->placing->system.topology == SW_TOPOLOGY_V100)
		y = draw_note(out, 0, y, ROLE_NOTE,
			"ring: NVLink between neighbours of a node; pair: the PCIe switch of two devices, for everything "
			"else; node: the port %s",
			look->placing->system.node.measured ? "to other nodes; a ring of all eight goes both ways at once" :
												  "between halves of a node and to others");
	if (look->placing->system.node.copying > 0)
		draw_note(out, 0, y, ROLE_NOTE, "each step also reads and writes a device's own memory, at %.0f GB/s",
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
	return role_of_owner((int)(number % CANVAS_HUES), (int)(number / CANVAS_HUES % CANVAS_LIGHTS));
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

/* A marker in the middle of its cell, on the ground of its colour. */
static void draw_device(const struct grid *grid, int k, int y, enum role role, const char *marker, struct canvas *out)
{
	int x = grid->label + 2 + k * grid->cell;

	for (int i = 0; i < grid->cell - 1; i++)
		canvas_put_glyph(out, x + i, y, role, ' ');
	canvas_put_center(out, x, y, grid->cell - 1, role, marker);
}

/* Is the device of this column summed together with the next one? */
static bool joins_next(const struct grid *grid, int64_t row, const struct stretch *across, int count, int k)
{
	int64_t first = row * grid->columns;

	return grid->look->has_sum && k + 1 < count && !stretch_folded(across[k]) && !stretch_folded(across[k + 1]) &&
		colour_of(grid->look, first + across[k].from) == colour_of(grid->look, first + across[k + 1].from);
}

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
		if (joins_next(grid, row, across, count, k))
			canvas_lines(out, grid->label + 1 + (k + 1) * grid->cell, y, ROLE_BORDER, LINE_LEFT | LINE_RIGHT);
		draw_device(grid, k, y, folded ? ROLE_DIM : role_of_number(colour_of(grid->look, device)), sw_text_get(&text),
			out);
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

/* What devices of one colour have in common: all coordinates that are not summed over. */
static int say_colours(const struct sum_look *look, const struct view_options *opt, int y, struct canvas *out)
{
	const sw_mesh *axes = &look->placing->axes;
	sw_text text = {0};

	if (!look->has_sum && opt->letters)
		return y;
	if (!look->has_sum)
		return draw_note(out, 0, y, ROLE_NOTE, "one colour: the same %s; 32 colours take turns", axes->axis[0].name);
	for (int i = 0; i < axes->count; i++)
		if (!(look->summed >> i & 1))
			sw_text_addf(&text, "%s%s", text.length ? " and " : " of the same ", axes->axis[i].name);
	y = draw_note(out, 0, y, ROLE_NOTE, "all devices%s are summed together%s%s", sw_text_get(&text),
		opt->letters ? "" : ": they have one colour (32 take turns)",
		look->placing->system.devices > 1 ? ", and a line joins neighbours" : "");
	sw_text_free(&text);
	return y;
}

static int draw_legend(const struct sum_look *look, const struct view_options *opt, int y, struct canvas *out)
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
	return say_colours(look, opt, y, out);
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
	grid.cell = marker_width(placing) + 3;
	sw_system_print_device(&placing->system, (grid.rows - 1) * grid.columns, &text);
	grid.label = (int)text.length;
	sw_text_clear(&text);
	say_axes(placing, &text);
	int y = draw_title(out, 0, "placement", sw_text_get(&text)) + 1;
	sw_text_free(&text);
	y = draw_grid(&grid, y, out) + 1;
	y = draw_legend(in->look, opt, y, out);
	explain_folds(&grid, y, out);
	return true;
}
