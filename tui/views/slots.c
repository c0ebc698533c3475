/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Devices in their slots of the mesh, each with the elements it holds, to scale and in the colours of their first
 * owners: so one sees rows become columns.
 */
#include "views/draw.h"
#include "views/tiles.h"

#define ROWS_MOST 16 /* of devices; more are folded */

struct slots {
	const struct tiles *tiles;
	int64_t unit[2], size[2]; /* elements of a cell, cells of a tile; down and across */
	int64_t columns;          /* devices along the last axis */
	int across;               /* that axis */
	int cell;                 /* columns of a cell */
	struct stretch row[STRETCHES_MAX];
	int rows;
};

/* The last axis with more than one device, or the last. */
static int axis_across(const sw_mesh *mesh)
{
	int axis = mesh->count - 1;
	while (axis > 0 && mesh->axis[axis].size == 1)
		axis--;
	return axis;
}

static int slots_width(const struct slots *slots)
{
	return (int)(slots->columns * (slots->size[1] * slots->cell + 1)) + 1;
}

static bool slots_fit(struct slots *slots, int width)
{
	const struct tiles *tiles = slots->tiles;
	int sign = owners_sign_width(tiles->owners);
	int digits = words_device_room(tiles->now->mesh);
	for (int side = 0; side < 2; side++) {
		int dim = tiles->dims[side];
		slots->size[side] = dim == VIEW_ALL ? 1 : tiles->now->tile[dim] / slots->unit[side];
		if (slots->size[side] > UNITS_MOST)
			return false;
	}
	slots->cell = sign + 1;
	if (slots->size[1] * slots->cell <= digits)
		slots->cell = (int)((digits + 1 + slots->size[1] - 1) / slots->size[1]);
	if (slots->columns > width)
		return false;
	if (slots_width(slots) > width)
		slots->cell = sign;
	return slots_width(slots) <= width && slots->size[1] * slots->cell >= digits;
}

static int64_t device_at(const struct tiles *tiles, int64_t slot)
{
	return tiles->now->ids ? tiles->now->ids[slot] : slot;
}

static bool is_followed(const struct tiles *tiles, const int64_t *offset)
{
	const int64_t *element = tiles->opt->element;
	for (int i = 0; i < tiles->now->rank && element; i++)
		if (element[i] < offset[i] || element[i] >= offset[i] + tiles->now->tile[i])
			return false;
	tiles->used->element |= element != NULL;
	return element != NULL;
}

static void elements_draw(const struct slots *slots, struct canvas *out, int x, int y, int64_t device,
	const int64_t *offset)
{
	const struct tiles *tiles = slots->tiles;
	int64_t term = tiles->owners->now ? holding_term(tiles->now, device) : 0;
	for (int row = 0; row < slots->size[0]; row++)
		for (int column = 0; column < slots->size[1]; column++) {
			int64_t element[SW_MAX_DIMS];
			for (int i = 0; i < tiles->now->rank; i++)
				element[i] = offset[i];
			if (tiles->dims[0] != VIEW_ALL)
				element[tiles->dims[0]] += row * slots->unit[0];
			if (tiles->dims[1] != VIEW_ALL)
				element[tiles->dims[1]] += column * slots->unit[1];
			int64_t owner = owners_at(tiles->owners, element, term);
			enum role role = owner < 0 ? ROLE_DIM : owners_role(tiles->owners, owner);
			int at = x + column * slots->cell;
			for (int i = 0; i < slots->cell; i++)
				canvas_put_glyph(out, at + i, y + row, role, ' ');
			canvas_put(out, at, y + row, role, owners_sign(tiles->owners, owner).text);
		}
}

static void device_draw(const struct slots *slots, struct canvas *out, int x, int y, int64_t device)
{
	const struct tiles *tiles = slots->tiles;
	int64_t offset[SW_MAX_DIMS];
	holding_offset(tiles->now, device, offset);
	bool kept = tiles->before && holding_kept(tiles->before, tiles->now, device);
	bool marked = device == tiles->opt->device, followed = is_followed(tiles, offset);
	int width = (int)slots->size[1] * slots->cell, height = (int)slots->size[0];
	elements_draw(slots, out, x + 1, y + 1, device, offset);
	if (followed)
		canvas_box(out, x, y, width + 2, height + 2, ROLE_WARN, LINE_HEAVY);
	enum role role = marked ? ROLE_CURRENT : followed ? ROLE_WARN : kept ? ROLE_KEPT : ROLE_NUMBER;
	int end = canvas_put(out, x + 1, y, role, words_device(tiles->now->mesh, device).text);
	if (marked && end <= x + width)
		end = canvas_put(out, end, y, role, "*");
	if (kept && end <= x + width)
		canvas_put(out, end, y, role, "=");
	tiles->used->kept |= kept;
	tiles->used->marked |= marked;
}

/* Devices of which one holds the followed element come last: their lines lie above those of their neighbours. */
static void row_draw(const struct slots *slots, struct canvas *out, int y, int64_t row, bool followed)
{
	for (int64_t column = 0; column < slots->columns; column++) {
		int64_t offset[SW_MAX_DIMS], device = device_at(slots->tiles, row * slots->columns + column);
		holding_offset(slots->tiles->now, device, offset);
		if (is_followed(slots->tiles, offset) == followed)
			device_draw(slots, out, (int)(column * (slots->size[1] * slots->cell + 1)), y, device);
	}
}

static int folded_draw(struct canvas *out, int y, struct stretch stretch)
{
	int64_t rows = stretch.to - stretch.from + 1;
	canvas_putf(out, 2, y + 1, ROLE_DIM, "… %s of devices", words_plural(rows, "more row", "more rows").text);
	return y + 2;
}

static int rows_draw(const struct slots *slots, struct canvas *out, int y, bool followed)
{
	int across = (int)(slots->size[1] * slots->cell + 1), height = (int)slots->size[0] + 1;
	for (int r = 0; r < slots->rows; r++) {
		if (stretch_folded(slots->row[r])) {
			y = folded_draw(out, y, slots->row[r]);
			continue;
		}
		if (!followed) {
			canvas_hline(out, 0, y, slots_width(slots), ROLE_BORDER, 0);
			canvas_hline(out, 0, y + height, slots_width(slots), ROLE_BORDER, 0);
			for (int64_t c = 0; c <= slots->columns; c++)
				canvas_vline(out, (int)c * across, y, height + 1, ROLE_BORDER, 0);
		}
		row_draw(slots, out, y, slots->row[r].from, followed);
		y += height;
	}
	return y + 1;
}

int slots_draw(const struct tiles *tiles, const int64_t unit[2], struct canvas *out, int y, int width)
{
	const sw_mesh *mesh = tiles->now->mesh;
	struct slots slots = {.tiles = tiles, .unit = {unit[0], unit[1]}, .across = axis_across(mesh)};
	int64_t mark = tiles->opt->device >= 0 && tiles->opt->device < mesh->devices ?
		holding_slot(tiles->now->ids, mesh->devices, tiles->opt->device) :
		-1;
	slots.columns = mesh->axis[slots.across].size;
	if (!slots_fit(&slots, width))
		return 0;
	int64_t rows = mesh->devices / slots.columns, cells = ROWS_MOST * slots.columns * slots.size[0] * slots.size[1];
	if (!owners_known(tiles->owners, cells))
		return 0;
	slots.rows = fold_stretches(rows, ROWS_MOST, mark < 0 ? -1 : mark / slots.columns, slots.row);
	rows_draw(&slots, out, y, false);
	return rows_draw(&slots, out, y, true);
}

int slots_note(const sw_mesh *mesh, struct canvas *out, int y)
{
	int across = axis_across(mesh);
	sw_text down = {0};
	for (int i = 0; i < across; i++) {
		if (mesh->axis[i].size == 1)
			continue;
		sw_text_add(&down, down.length ? ", " : "");
		sw_mesh_print_name(mesh->axis[i].name, &down);
	}
	sw_text name = {0};
	sw_mesh_print_name(mesh->axis[across].name, &name);
	y = draw_note(out, 0, y, ROLE_TEXT, "devices in their slots of the mesh, %s%s%s across", sw_text_get(&down),
		down.length ? " down, " : "", sw_text_get(&name));
	sw_text_free(&down);
	sw_text_free(&name);
	return y;
}
