/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lanes: which node has which, and their lines.
 */
#include "canvas/lanes.h"

/* The first free lane right of the parent's, else the first free one; -1: none is. */
static int lane_take(uint64_t *taken, int after, int most)
{
	uint64_t all = ~*taken & (most < LANES_MOST ? ((uint64_t)1 << most) - 1 : ~(uint64_t)0);
	uint64_t right = after + 1 < LANES_MOST ? all & (~(uint64_t)0 << (after + 1)) : 0;
	uint64_t free = right ? right : all;
	if (!free)
		return -1;
	int lane = __builtin_ctzll(free);
	*taken |= (uint64_t)1 << lane;
	return lane;
}

int lanes_lay_out(struct lane_row *rows, int count, int most)
{
	uint64_t taken = 0;
	int lanes = 0;
	for (int i = 0; i < count; i++)
		rows[i].last = i;
	for (int i = 0; i < count; i++)
		if (rows[i].parent >= 0)
			rows[rows[i].parent].last = i;
	for (int i = 0; i < count; i++) {
		struct lane_row *row = &rows[i], *parent = row->parent < 0 ? NULL : &rows[row->parent];
		row->lane = row->last > i ? lane_take(&taken, parent ? parent->lane : -1, most) : -1;
		lanes = row->lane >= lanes ? row->lane + 1 : lanes;
		if (parent && parent->last == i && parent->lane >= 0)
			taken &= ~((uint64_t)1 << parent->lane);
	}
	return lanes;
}

int lanes_column(const struct lane_row *row, int lanes)
{
	return 2 * (row->lane < 0 ? lanes : row->lane);
}

struct pen {
	const struct lane_rows *rows;
	struct canvas *out;
	int x, y, from, to;
};

static void pen_lines(const struct pen *pen, int column, int row, unsigned directions, bool heavy)
{
	if (row >= pen->from && row < pen->to)
		canvas_lines(pen->out, pen->x + column, pen->y + row - pen->from, heavy ? ROLE_PATH : ROLE_BORDER,
			directions | (heavy ? LINE_HEAVY : LINE_ROUND));
}

/* From the lane of its parent across to a node. */
static void pen_across(const struct pen *pen, int row)
{
	const struct lane_row *rows = pen->rows->row;
	int from = 2 * rows[rows[row].parent].lane, to = lanes_column(&rows[row], pen->rows->lanes);
	int step = from < to ? 1 : -1;
	unsigned ahead = step > 0 ? LINE_RIGHT : LINE_LEFT, back = step > 0 ? LINE_LEFT : LINE_RIGHT;
	pen_lines(pen, from, row, LINE_UP | ahead, rows[row].path);
	for (int x = from + step; x != to; x += step)
		pen_lines(pen, x, row, back | ahead, rows[row].path);
}

/* Down the lane of its parent to before a node's row. */
static void pen_down(const struct pen *pen, int row)
{
	const struct lane_row *rows = pen->rows->row, *parent = &rows[rows[row].parent];
	int from = rows[row].parent + 1;
	for (int y = from > pen->from ? from : pen->from; y < row && y < pen->to; y++)
		pen_lines(pen, 2 * parent->lane, y, LINE_UP | LINE_DOWN, rows[row].path);
}

static void pen_draw(const struct pen *pen, int row, bool path)
{
	const struct lane_row *rows = pen->rows->row;
	int parent = rows[row].parent;
	if (parent < 0 || rows[parent].lane < 0 || rows[row].path != path)
		return;
	if (path || rows[parent].last == row)
		pen_down(pen, row);
	pen_across(pen, row);
}

void lanes_draw(const struct lane_rows *rows, int from, int to, struct canvas *out, int x, int y)
{
	const struct pen pen = {rows, out, x, y, from, to};
	for (int path = 0; path < 2; path++)
		for (int i = from; i < rows->count; i++)
			pen_draw(&pen, i, path);
}
