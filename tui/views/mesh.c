/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A mesh: its axes as a table, and device numbers as a grid over two of them.
 */
#include <stdio.h>

#include <shardwalk/number.h>

#include "canvas/glyphs.h"
#include "views/draw.h"
#include "views/followed.h"
#include "views/holding.h"
#include "views/together.h"

#define ROWS_MOST 32 /* of the grid, where no height is asked for */

/* ---- the axes ---- */

static void factors_text(int64_t size, sw_text *text)
{
	int64_t primes[63];
	int count = sw_prime_factors(size, primes);
	for (int i = 0; i < count; i++)
		sw_text_addf(text, "%s%lld", i ? "×" : "", (long long)primes[i]);
	if (!count)
		sw_text_add(text, "-");
}

static void link_text(const sw_axis *axis, sw_text *text)
{
	if (axis->bandwidth > 0)
		sw_text_addf(text, "%sB/s", words_amount(axis->bandwidth).text);
	if (axis->latency > 0)
		sw_text_addf(text, "%s%.3g us", axis->bandwidth > 0 ? " " : "", axis->latency * 1e6);
}

/* Columns of the table of axes. */
enum { AXIS_NAME, AXIS_SIZE, AXIS_LEVEL, AXIS_FACTORS, AXIS_STRIDE, AXIS_LINK, AXIS_COLUMNS };

static const char *const axis_heads[AXIS_COLUMNS] = {"axis", "size", "level", "factors", "stride", "link"};

static void axis_cell(const sw_mesh *mesh, int axis, int column, sw_text *text)
{
	const sw_axis *a = &mesh->axis[axis];
	sw_text_clear(text);
	switch (column) {
	case AXIS_NAME:
		sw_mesh_print_name(a->name, text);
		break;
	case AXIS_SIZE:
		sw_print_count(text, a->size);
		break;
	case AXIS_LEVEL:
		if (sw_mesh_levels(mesh) > 1)
			sw_print_count(text, a->level);
		break;
	case AXIS_FACTORS:
		factors_text(a->size, text);
		break;
	case AXIS_STRIDE:
		sw_print_count(text, a->stride);
		break;
	default:
		link_text(a, text);
	}
}

static int column_width(const sw_mesh *mesh, int column)
{
	sw_text text = {0};
	int width = 0;
	for (int i = 0; i < mesh->count; i++) {
		axis_cell(mesh, i, column, &text);
		int here = canvas_text_width(sw_text_get(&text));
		width = here > width ? here : width;
	}
	sw_text_free(&text);
	int head = canvas_text_width(axis_heads[column]);
	return !width ? 0 : width > head ? width : head;
}

/* How wide the columns are in `room`: the name gives way first, then the last columns vanish. */
static void columns_fit(const sw_mesh *mesh, int room, int width[AXIS_COLUMNS])
{
	int total = 0;
	for (int i = 0; i < AXIS_COLUMNS; i++) {
		width[i] = column_width(mesh, i);
		total += width[i] ? width[i] + 2 : 0;
	}
	int name = width[AXIS_NAME] < 8 ? width[AXIS_NAME] : 8;
	for (int i = AXIS_COLUMNS - 1; i > AXIS_SIZE && total - width[AXIS_NAME] + name > room; i--) {
		total -= width[i] ? width[i] + 2 : 0;
		width[i] = 0;
	}
	if (total > room)
		width[AXIS_NAME] -= total - room;
}

static int axes_draw(const sw_mesh *mesh, struct canvas *out, int y)
{
	int width[AXIS_COLUMNS], x = 2;
	sw_text text = {0};
	columns_fit(mesh, out->width - 2, width);
	for (int column = 0; column < AXIS_COLUMNS; column++) {
		if (width[column] <= 0)
			continue;
		for (int i = -1; i < mesh->count; i++) {
			enum role role = i < 0 ? ROLE_LABEL : column == AXIS_NAME ? role_of_axis(i) : ROLE_NUMBER;
			if (i >= 0)
				axis_cell(mesh, i, column, &text);
			const char *word = i < 0 ? axis_heads[column] : sw_text_get(&text);
			if (column == AXIS_SIZE || column == AXIS_LEVEL || column == AXIS_STRIDE)
				canvas_put_right(out, x, y + 1 + i, width[column], role, word);
			else
				canvas_put_cut(out, x, y + 1 + i, width[column], role, word);
		}
		x += width[column] + 2;
	}
	sw_text_free(&text);
	return y + mesh->count + 1;
}

/* ---- the grid ---- */

struct sheet {
	const sw_mesh *mesh;
	const int64_t *ids;              /* the device in each slot; NULL: its number */
	int axes[2];                     /* down and across; VIEW_ALL: none */
	const struct together *together; /* of the step that is looked at; NULL: of none */
	const struct holding *holding;   /* after that step */
	const int64_t *element;          /* who holds it is marked; NULL: none is followed */
	const struct followed *followed; /* in the step */
	const struct view_input *in;
	const struct view_options *opt;
	int moment;   /* after this step; 0: before the first */
	int64_t base; /* slot at its corner */
	struct stretch row[STRETCHES_MAX], column[STRETCHES_MAX];
	int rows, columns, label, cell;
	int drop;  /* rows between those of devices, for the lines that join them */
	int block; /* rows of a device: its number stands in the middle one */
};

/* The last axes with more than one device, the last of all across. */
static void axes_choose(const sw_mesh *mesh, const struct view_options *opt, int axes[2])
{
	for (int i = 0; i < 2; i++)
		axes[i] = opt->axes[i] >= 0 && opt->axes[i] < mesh->count ? opt->axes[i] : VIEW_ALL;
	if (axes[0] == axes[1])
		axes[0] = VIEW_ALL;
	for (int side = 1; side >= 0; side--)
		for (int i = mesh->count - 1; i >= 0 && axes[side] == VIEW_ALL; i--)
			if (i != axes[1 - side] && mesh->axis[i].size > 1)
				axes[side] = i;
}

static int64_t side_size(const struct sheet *sheet, int side)
{
	return sheet->axes[side] == VIEW_ALL ? 1 : sheet->mesh->axis[sheet->axes[side]].size;
}

static int64_t side_stride(const struct sheet *sheet, int side)
{
	return sheet->axes[side] == VIEW_ALL ? 0 : sheet->mesh->axis[sheet->axes[side]].stride;
}

static int digits_of(int64_t n)
{
	return snprintf(NULL, 0, "%lld", (long long)n);
}

static int64_t clamp(int64_t at, int64_t size)
{
	return at < 0 ? 0 : at < size ? at : size - 1;
}

/* Columns behind a device's number: for its group, or for a star where its tile comes from another. */
static int sheet_signs(const struct sheet *sheet)
{
	const struct together *together = sheet->together;
	return together && (together_letter(together, 0) || together->shown.source);
}

static void sheet_layout(struct sheet *sheet, const struct view_options *opt)
{
	const sw_mesh *mesh = sheet->mesh;
	int height = opt->height - mesh->count - 8;
	axes_choose(mesh, opt, sheet->axes);
	for (int i = 0; i < mesh->count; i++)
		if (i != sheet->axes[0] && i != sheet->axes[1])
			sheet->base += clamp(opt->coordinate[i], mesh->axis[i].size) * mesh->axis[i].stride;
	sheet->label = digits_of(side_size(sheet, 0)) + 1;
	sheet->cell = words_device_room(mesh);
	sheet->cell += sheet_signs(sheet);
	sheet->cell = sheet->cell > digits_of(side_size(sheet, 1)) + 1 ? sheet->cell : digits_of(side_size(sheet, 1)) + 1;
	int fit = (opt->width - sheet->label - 6) / (sheet->cell + 1);
	int64_t keep[2] = {-1, -1};
	for (int side = 0; side < 2 && opt->device >= 0 && opt->device < mesh->devices; side++)
		if (sheet->axes[side] != VIEW_ALL)
			keep[side] = sw_mesh_coordinate(mesh, holding_slot(sheet->ids, mesh->devices, opt->device),
				sheet->axes[side]);
	sheet->columns = fold_stretches(side_size(sheet, 1), fit, keep[1], sheet->column);
	int rows = !opt->height ? ROWS_MOST : height < 3 ? 3 : height;
	sheet->rows = fold_stretches(side_size(sheet, 0), rows, keep[0], sheet->row);
}

static void edge_draw(const struct sheet *sheet, struct canvas *out, int x, int y, int room, struct stretch stretch,
	int side)
{
	char text[32];
	if (sheet->axes[side] == VIEW_ALL)
		return;
	snprintf(text, sizeof(text), stretch_folded(stretch) ? "+%lld" : "%lld",
		(long long)(stretch_folded(stretch) ? stretch.to - stretch.from + 1 : stretch.from));
	canvas_put_right(out, x, y, room, stretch_folded(stretch) ? ROLE_DIM : role_of_axis(sheet->axes[side]), text);
}

static int64_t sheet_device(const struct sheet *sheet, int r, int c)
{
	int64_t slot = sheet->base + sheet->row[r].from * side_stride(sheet, 0) +
		sheet->column[c].from * side_stride(sheet, 1);
	return sw_device_at(sheet->ids, slot);
}

/* Is the device to the right, or below, one of the same group? */
static bool sheet_joins(const struct sheet *sheet, int r, int c, bool down)
{
	int r2 = r + down, c2 = c + !down;
	return sheet->together && r2 < sheet->rows && c2 < sheet->columns && !stretch_folded(sheet->row[r]) &&
		!stretch_folded(sheet->column[c]) && !stretch_folded(sheet->row[r2]) && !stretch_folded(sheet->column[c2]) &&
		together_same(sheet->together, sheet_device(sheet, r, c), sheet_device(sheet, r2, c2));
}

static bool sheet_joins_any(const struct sheet *sheet, bool down)
{
	for (int r = 0; r < sheet->rows; r++)
		for (int c = 0; c < sheet->columns; c++)
			if (sheet_joins(sheet, r, c, down))
				return true;
	return false;
}

#define APART_MOST 4    /* columns that a device has more where there is room */
#define APART_BLOCK 12  /* where it has several rows */
#define APART_ROWS 3    /* and rows below it */
#define DROPPED_MOST 16 /* rows of devices with room between them, where no height is known */

/* Lines from row to row need room between the rows.  In a pane devices stand apart as far as there is some, in every
 * step alike. */
static void sheet_space(struct sheet *sheet, const struct view_options *opt)
{
	int left = opt->room - sheet->mesh->count - 14 - sheet->rows, drop = left < 0 ? 0 : left / sheet->rows;
	if (opt->room)
		sheet->drop = drop < APART_ROWS ? drop : APART_ROWS;
	else
		sheet->drop = sheet->rows <= DROPPED_MOST && sheet_joins_any(sheet, true);
	sheet->block = sheet->drop > 1 ? sheet->drop : 1;
	sheet->drop -= sheet->block - 1;
	int most = (opt->width - sheet->label - 6) / sheet->columns - 1;
	int roomy = sheet->cell + (sheet->block > 1 ? APART_BLOCK : APART_MOST);
	roomy = roomy < most ? roomy : most;
	if (opt->room && roomy > sheet->cell)
		sheet->cell = roomy;
}

/* The letter of its group stands behind a device, and a line between neighbours of one group. */
static void sheet_draw_group(const struct sheet *sheet, struct canvas *out, int x, int y, int r, int c)
{
	const struct together *together = sheet->together;
	int64_t device = sheet_device(sheet, r, c);
	enum role role = together_role(together, device);
	char letter = together_letter(together, device);
	letter = letter ? letter : role == ROLE_MOVED ? '*' : ' ';
	int top = y - sheet->block / 2;
	for (int row = top; row < top + sheet->block && together->group; row++) {
		for (int i = 0; i < sheet->cell; i++)
			if (!canvas_cell_at(out, x + i, row)->glyph)
				canvas_put_glyph(out, x + i, row, ROLE_TEXT, ' ');
		canvas_paint(out, x, row, sheet->cell, role);
	}
	canvas_paint(out, x, y, sheet->cell, role);
	if (sheet_signs(sheet))
		canvas_putf(out, x + sheet->cell - 1, y, role, "%c", letter);
	if (sheet_joins(sheet, r, c, false))
		canvas_lines(out, x + sheet->cell, y, ROLE_BORDER, LINE_LEFT | LINE_RIGHT);
	if (sheet->drop && sheet_joins(sheet, r, c, true))
		canvas_vline(out, x + sheet->cell - 1 - sheet_signs(sheet), top + sheet->block, sheet->drop, ROLE_BORDER, 0);
}

static bool sheet_holds(const struct sheet *sheet, int64_t device)
{
	if (sheet->followed->has)
		return sheet->followed->has[device];
	return sheet->element &&
		holding_has(sheet->holding, holding_slot(sheet->holding->ids, sheet->mesh->devices, device), sheet->element);
}

/* 0: the device has no part in what is followed. */
static uint32_t sheet_sign(const struct sheet *sheet, int64_t device)
{
	const struct followed *followed = sheet->followed;
	if (sheet_holds(sheet, device))
		return GLYPH_HOLDS;
	if (!followed->arena)
		return 0;
	if (followed->device == VIEW_ALL)
		return followed->sends[device] ? GLYPH_CURRENT : 0;
	if (device == followed->device)
		return GLYPH_STAR;
	return followed->sends[device] && followed->gets[device] ? GLYPH_SETTLED :
		followed->sends[device]                              ? GLYPH_CURRENT :
		followed->gets[device]                               ? GLYPH_HOLDS :
															   0;
}

/* A sign behind the devices that hold or send the element, or exchange something with the device, that is followed. */
static void sheet_draw_mark(const struct sheet *sheet, struct canvas *out, int x, int y, int64_t device)
{
	uint32_t sign = sheet_sign(sheet, device);
	if (!sign)
		return;
	canvas_paint(out, x, y, sheet->cell, ROLE_CURRENT);
	canvas_put_glyph(out, x + sheet->cell, y, ROLE_CURRENT, sign);
}

static void sheet_draw_row(const struct sheet *sheet, struct canvas *out, int x, int y, int r, int64_t mark)
{
	for (int c = 0; c < sheet->columns; c++) {
		char text[32] = "…";
		enum role role = ROLE_DIM;
		if (!stretch_folded(sheet->row[r]) && !stretch_folded(sheet->column[c])) {
			int64_t device = sheet_device(sheet, r, c);
			role = device == mark ? ROLE_CURRENT : ROLE_NUMBER;
			snprintf(text, sizeof(text), "%.31s", words_device(sheet->mesh, device).text);
		}
		canvas_put_right(out, x + c * (sheet->cell + 1), y, sheet->cell - sheet_signs(sheet), role, text);
		if (sheet->together && role != ROLE_DIM && role != ROLE_CURRENT)
			sheet_draw_group(sheet, out, x + c * (sheet->cell + 1), y, r, c);
		if (role != ROLE_DIM)
			sheet_draw_mark(sheet, out, x + c * (sheet->cell + 1), y, sheet_device(sheet, r, c));
	}
}

static int sheet_draw(const struct sheet *sheet, struct canvas *out, int y, int64_t mark)
{
	int x = sheet->label + 4;
	int width = sheet->columns * (sheet->cell + 1) + 1;
	for (int c = 0; c < sheet->columns; c++)
		edge_draw(sheet, out, x + 1 + c * (sheet->cell + 1), y, sheet->cell, sheet->column[c], 1);
	int step = sheet->block + sheet->drop, height = (sheet->rows - 1) * step + sheet->block;
	canvas_box(out, x, y + 1, width + 1, height + 2, ROLE_BORDER, 0);
	for (int r = 0; r < sheet->rows; r++) {
		int middle = y + 2 + r * step + sheet->block / 2;
		edge_draw(sheet, out, 2, middle, sheet->label + 1, sheet->row[r], 0);
		sheet_draw_row(sheet, out, x + 1, middle, r, mark);
	}
	return y + height + 3;
}

static int note_axis(const sw_mesh *mesh, struct canvas *out, int y, int axis, const char *where)
{
	int x = canvas_put(out, 2, y, ROLE_LABEL, where);
	sw_text text = {0};
	part_text(mesh, (sw_part){axis, 1, mesh->axis[axis].size}, &text);
	canvas_put_cut(out, x + 1, y, out->width - x - 1, role_of_axis(axis), sw_text_get(&text));
	sw_text_free(&text);
	return y + 1;
}

/* What the grid does not show: the other axes and where they stand. */
static int note_others(const struct sheet *sheet, const struct view_options *opt, struct canvas *out, int y)
{
	int64_t others = sheet->mesh->devices / (side_size(sheet, 0) * side_size(sheet, 1));
	if (others == 1)
		return y;
	if (sheet->base == 0 && sheet->mesh->count > 6)
		return draw_note(out, 2, y, ROLE_NOTE, "one of %s like this: all other axes are at 0",
			words_plural(others, "sheet", "sheets").text);
	sw_text text = {0};
	for (int i = 0; i < sheet->mesh->count; i++) {
		const sw_axis *axis = &sheet->mesh->axis[i];
		if (i == sheet->axes[0] || i == sheet->axes[1] || axis->size == 1)
			continue;
		sw_text_add(&text, text.length ? ", " : "");
		sw_mesh_print_name(axis->name, &text);
		sw_text_addf(&text, " = %lld of %lld", (long long)clamp(opt->coordinate[i], axis->size),
			(long long)axis->size);
	}
	y = draw_note(out, 2, y, ROLE_NOTE, "one of %s like this: %s", words_plural(others, "sheet", "sheets").text,
		sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

/* The first or last step (from 1) that brings slots to other devices; 0: none does. */
static int step_of_change(const sw_plan *plan, bool last)
{
	int found = 0;
	for (int k = 0; plan && k < plan->program.steps; k++)
		if (plan->program.step[k].order && (last || !found))
			found = k + 1;
	return found;
}

static int sheet_head(const struct view_input *in, bool after, struct canvas *out, int y)
{
	int step = step_of_change(in->plan, after);
	if (step)
		return draw_note(out, 2, y, ROLE_LABEL, "%s step %d:", after ? "after" : "before", step);
	return draw_note(out, 2, y, ROLE_LABEL, "%s:", after ? "to" : "from");
}

static bool any_sign(const struct sheet *sheet, uint32_t sign)
{
	for (int64_t device = 0; device < sheet->mesh->devices; device++)
		if (sheet_sign(sheet, device) == sign)
			return true;
	return false;
}

/* Of the signs that are there. */
static int note_device(const struct sheet *sheet, struct canvas *out, int y)
{
	static const struct {
		uint32_t sign;
		const char *words;
	} signs[] = {
		{GLYPH_CURRENT, "  ▶ sends to it"},
		{GLYPH_HOLDS, "  ◀ gets from it"},
		{GLYPH_SETTLED, "  ● both sends and gets"},
	};
	sw_text text = {0};
	sw_text_addf(&text, "★ device %lld", (long long)sheet->followed->device);
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		sw_text_add(&text, any_sign(sheet, signs[i].sign) ? signs[i].words : "");
	sw_text_add(&text, sheet->followed->pieces ? " in this step" : " sends and gets nothing in this step");
	y = draw_note(out, 2, y, ROLE_NOTE, "%s", sw_text_get(&text));
	sw_text_free(&text);
	return y;
}

static int note_element(const struct sheet *sheet, struct canvas *out, int y)
{
	sw_text text = {0};
	if (!sheet->element && !sheet->followed->has)
		return sheet->followed->arena && sheet->followed->device >= 0 ? note_device(sheet, out, y) : y;
	followed_print(sheet->in, sheet->opt, &text);
	bool sent = sheet->followed->arena && any_sign(sheet, GLYPH_CURRENT);
	y = draw_note(out, 2, y, ROLE_NOTE, "◀ holds %s%s%s%s", sheet->opt->tile.of ? "some of " : "", sw_text_get(&text),
		sheet->moment ? "" : " before the first step",
		!sent                   ? "" :
			sheet->opt->tile.of ? "  ▶ sent some of it in this step" :
								  "  ▶ sent it in this step");
	sw_text_free(&text);
	return y;
}

/* The device in each slot; twice where a plan brings the slots to other devices. */
static void sheets_draw(const struct view_input *in, const struct view_options *opt, struct sheet *sheet,
	struct canvas *out, int y)
{
	const int64_t *before = holding_order(in, false), *after = holding_order(in, true);
	if (sw_device_order_equal(before, after, sheet->mesh->devices)) {
		note_element(sheet, out, sheet_draw(sheet, out, y, opt->device));
		return;
	}
	y = sheet_draw(sheet, out, sheet_head(in, false, out, y), opt->device) + 1;
	sheet->ids = after;
	sheet_draw(sheet, out, sheet_head(in, true, out, y), opt->device);
}

/* What is followed after the step, or at the end where no step is asked for. */
static void sheet_follow(struct sheet *sheet, struct holding *holding, struct followed *followed)
{
	const struct view_input *in = sheet->in;
	const struct view_options *opt = sheet->opt;
	int steps = followed_steps(in);
	bool of_step = opt->step > 0 && opt->step <= steps;
	sheet->moment = of_step ? opt->step : opt->step == VIEW_ALL ? steps : 0;
	if (in->plan && opt->element)
		*holding = holding_of_step(in->plan, sheet->moment);
	sheet->holding = holding;
	sheet->element = in->plan && opt->element && !opt->tile.of && holding_known(holding) ? opt->element : NULL;
	sheet->followed = followed;
	if ((in->plan || in->moments) && (of_step || in->moments || opt->tile.of))
		followed_new(followed, in, of_step ? opt->step : sheet->moment, opt);
}

bool view_mesh(const struct view_input *in, const struct view_options *opt, struct canvas *out, sw_diag *diag)
{
	const sw_mesh *mesh = in->mesh ? in->mesh : in->plan ? &in->plan->problem.mesh : NULL;
	if (!mesh)
		return draw_missing(diag, "mesh", "type, for instance: mesh {x: 4, y: 6}");
	if (!draw_begin("mesh", opt, out))
		return true;
	struct sheet sheet = {.mesh = mesh, .ids = holding_order(in, false), .in = in, .opt = opt};
	struct together together = {0};
	struct followed followed = {0};
	bool of_step = in->plan && opt->step > 0 && opt->step <= in->plan->program.steps;
	struct holding holding = {0};
	sheet_follow(&sheet, &holding, &followed);
	if (of_step && together_new(&together, in->plan, opt->step - 1)) {
		sheet.together = &together;
		sheet.ids = sw_plan_order(in->plan, opt->step - 1);
	}
	struct words axes = words_plural(mesh->count, "axis", "axes");
	char rest[256];
	snprintf(rest, sizeof(rest), "%s, %s", words_plural(mesh->devices, "device", "devices").text, axes.text);
	sheet_layout(&sheet, opt);
	sheet_space(&sheet, opt);
	int y = axes_draw(mesh, out, draw_title(out, 0, "mesh", rest) + 1) + 1;
	if (sheet.axes[0] != VIEW_ALL)
		y = note_axis(mesh, out, y, sheet.axes[0], "devices, down");
	if (sheet.axes[1] != VIEW_ALL)
		y = note_axis(mesh, out, y, sheet.axes[1], sheet.axes[0] != VIEW_ALL ? "       across" : "devices, across");
	y = note_others(&sheet, opt, out, y);
	if (sheet.together)
		note_element(&sheet, out,
			together_note(&together, opt,
				sheet_joins_any(&sheet, false) || (sheet.drop && sheet_joins_any(&sheet, true)), out,
				sheet_draw(&sheet, out, y, opt->device)));
	else
		sheets_draw(in, opt, &sheet, out, y);
	together_free(&together);
	followed_free(&followed);
	return true;
}
