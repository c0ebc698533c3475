/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A graph in rows: each level has as many rows of places as it needs, or, where all levels together do not fit, as
 * there are; then what has no place is counted.  Where there are more levels than rows some are folded.
 *
 * Nodes that are all known stand in the order of their parents' columns, spread over their level.
 */
#define _GNU_SOURCE /* qsort_r */
#include "canvas/graph_layout.h"

#include <stdlib.h>
#include <string.h>

#define ROWS_MOST 60 /* where no height is asked for */
#define GAP 2        /* columns between names: a mark, and a line that goes by */

struct level {
	int64_t size;
	int nodes, rows;
	bool kept; /* a node that must have a place is there */
};

struct rows {
	struct graph_layout *layout;
	struct level *level;
	int levels, height;
	bool more; /* nodes will come */
	int *key;  /* of each node: the column it should have */
	int *order;
};

/* ---- how many rows each level has ---- */

static bool levels_read(struct rows *rows)
{
	const struct graph_layout *layout = rows->layout;
	int64_t *sizes;
	rows->levels = graph_levels(layout->node, layout->count, &sizes);
	rows->level = rows->levels < 0 ? NULL : calloc((size_t)rows->levels + 1, sizeof(*rows->level));
	for (int i = 0; rows->level && i < rows->levels; i++)
		rows->level[i].size = sizes[i];
	free(sizes);
	for (int i = 0; rows->level && i < layout->count; i++) {
		int low = 0, high = rows->levels - 1;
		while (low < high) {
			int middle = (low + high) / 2;
			if (rows->level[middle].size > layout->node[i].size)
				low = middle + 1;
			else
				high = middle;
		}
		rows->level[low].nodes++;
		rows->level[low].kept |= layout->node[i].whole || layout->node[i].straight;
	}
	return rows->level != NULL;
}

static int cells_of(const struct graph_layout *layout)
{
	int cells = (layout->width - 1) / layout->pitch;
	return cells > 0 ? cells : 1;
}

static int rows_wanted(const struct rows *rows, const struct level *level)
{
	int cells = cells_of(rows->layout);
	return (level->nodes + cells - 1) / cells;
}

static int64_t rows_of_all(const struct rows *rows)
{
	int64_t all = 0;
	for (int i = 0; i < rows->levels; i++)
		all += rows_wanted(rows, &rows->level[i]);
	return all;
}

/* The longest name decides how wide a place is: all names in full where that fits. */
static bool pitch_choose(struct rows *rows)
{
	struct graph_layout *layout = rows->layout;
	int name = 2, full = 2;
	for (int i = 0; i < layout->count; i++) {
		const struct graph_node *node = &layout->node[i];
		name = node->name > name ? node->name : name;
		full = node->full > full ? node->full : full;
	}
	layout->pitch = full + GAP;
	if (!rows->more && full + GAP < layout->width && rows_of_all(rows) <= rows->height)
		return true;
	layout->pitch = name + GAP;
	return rows_of_all(rows) <= rows->height;
}

/* Rows that are left go where most nodes wait for one. */
static void rows_deal(struct rows *rows, int left)
{
	for (; left > 0; left--) {
		int most = -1;
		for (int i = 0; i < rows->levels; i++) {
			const struct level *level = &rows->level[i], *best = most < 0 ? NULL : &rows->level[most];
			bool wants = level->rows && (rows->more || level->rows < rows_wanted(rows, level));
			if (wants && (!best || (int64_t)level->nodes * best->rows > (int64_t)best->nodes * level->rows))
				most = i;
		}
		if (most < 0)
			return;
		rows->level[most].rows++;
	}
}

/* How many strips there are when levels without rows are folded into their neighbours. */
static int strips_count(const struct rows *rows)
{
	int strips = 0;
	for (int i = 0; i < rows->levels; i++)
		strips += rows->level[i].rows > 0 || i == 0 || rows->level[i - 1].rows > 0;
	return strips;
}

/* Levels that must be there get a row, then the others from the top, as long as that fits. */
static void levels_choose(struct rows *rows)
{
	for (int kept = 1; kept >= 0; kept--) {
		for (int i = 0; i < rows->levels; i++) {
			struct level *level = &rows->level[i];
			if (level->rows || level->kept != kept)
				continue;
			level->rows = 1;
			level->rows = strips_count(rows) <= rows->height ? 1 : 0;
		}
	}
}

static void rows_divide(struct rows *rows, bool fits)
{
	for (int i = 0; fits && i < rows->levels; i++)
		rows->level[i].rows = rows_wanted(rows, &rows->level[i]);
	if (!fits)
		levels_choose(rows);
	int used = 0;
	for (int i = 0; i < rows->levels; i++)
		used += rows->level[i].rows;
	int folded = strips_count(rows);
	for (int i = 0; i < rows->levels; i++)
		folded -= rows->level[i].rows > 0;
	if (!fits || rows->more)
		rows_deal(rows, rows->height - used - folded);
}

/* ---- strips ---- */

static void strip_take(struct rows *rows, struct graph_strip *strip, const struct level *level)
{
	strip->most = strip->nodes ? strip->most : level->size;
	strip->least = level->size;
	strip->nodes += level->nodes;
	strip->rows = level->rows;
	strip->cells = level->rows ? cells_of(rows->layout) : 0;
	bool spares = !level->rows || rows->more || level->rows < rows_wanted(rows, level);
	strip->spare = spares ? rows->layout->width / 3 : 0;
}

static bool strips_make(struct rows *rows, bool fits)
{
	struct graph_layout *layout = rows->layout;
	int y = 0, all = (int)rows_of_all(rows);
	int spread = fits && all && !rows->more && layout->height ? rows->height / all - 1 : 0;
	layout->drop = spread > 2 ? 2 : spread;
	layout->strip = calloc((size_t)rows->levels + 1, sizeof(*layout->strip));
	for (int i = 0; layout->strip && i < rows->levels; i++) {
		bool folds = !rows->level[i].rows && i > 0 && !rows->level[i - 1].rows;
		if (!folds)
			layout->strips++;
		strip_take(rows, &layout->strip[layout->strips - 1], &rows->level[i]);
	}
	for (int i = 0; i < layout->strips; i++) {
		layout->strip[i].y = y;
		y += layout->strip[i].cells ? layout->strip[i].rows * (1 + layout->drop) : 1;
		layout->strip[i].rows = layout->strip[i].cells ? layout->strip[i].rows : 1;
	}
	layout->used = y;
	size_t places = (size_t)(y + 1) * (size_t)cells_of(layout);
	layout->cell = malloc(places * sizeof(*layout->cell));
	for (size_t i = 0; layout->cell && i < places; i++)
		layout->cell[i] = -1;
	return layout->strip && layout->cell;
}

/* ---- places ---- */

static int *cell_at(const struct graph_layout *layout, int y, int cell)
{
	return &layout->cell[(size_t)y * (size_t)cells_of(layout) + (size_t)cell];
}

/* Places in a row of a strip; the last row leaves room for what has none. */
static int cells_in_row(const struct graph_layout *layout, const struct graph_strip *strip, int row)
{
	int cells = row + 1 < strip->rows ? strip->cells : (layout->width - 1 - strip->spare) / layout->pitch;
	return cells < strip->cells ? cells : strip->cells;
}

static void node_put(struct graph_layout *layout, int node, int s, int row, int cell)
{
	struct graph_strip *strip = &layout->strip[s];
	int y = strip->y + row * (1 + layout->drop);
	*cell_at(layout, y, cell) = node;
	layout->place[node] = (struct graph_place){.x = 1 + cell * layout->pitch,
		.y = y,
		.room = layout->pitch - GAP,
		.strip = s,
		.bus = -1};
	strip->shown++;
}

static bool cell_free(const struct graph_layout *layout, const struct graph_strip *strip, int row, int cell)
{
	return cell >= 0 && cell < cells_in_row(layout, strip, row) &&
		*cell_at(layout, strip->y + row * (1 + layout->drop), cell) < 0;
}

/* The column next to which a node is to stand. */
static int column_wanted(const struct graph_layout *layout, int node)
{
	int parent = layout->node[node].parent;
	if (parent >= 0 && parent < node && layout->place[parent].y >= 0)
		return layout->place[parent].x;
	return layout->width / 2;
}

void graph_rows_take(struct graph_layout *layout, int node)
{
	int s = graph_strip_of(layout, layout->node[node].size), near = (column_wanted(layout, node) - 1) / layout->pitch;
	struct graph_strip *strip = &layout->strip[s];
	layout->place[node].strip = s;
	strip->nodes++;
	if (!strip->cells || layout->node[node].size > strip->most || layout->node[node].size < strip->least)
		return;
	for (int away = 0; away <= strip->cells; away++) {
		for (int row = 0; row < strip->rows; row++) {
			int cell = cell_free(layout, strip, row, near + away) ? near + away : near - away;
			if (cell_free(layout, strip, row, cell)) {
				node_put(layout, node, s, row, cell);
				return;
			}
		}
	}
}

void graph_rows_leave(struct graph_layout *layout, int node)
{
	const struct graph_place *place = &layout->place[node];
	struct graph_strip *strip = &layout->strip[place->strip];
	strip->nodes--;
	if (place->y < 0)
		return;
	strip->shown--;
	*cell_at(layout, place->y, (place->x - 1) / layout->pitch) = -1;
}

/* ---- nodes that are all known ---- */

static int by_key(const void *a, const void *b, void *context)
{
	const struct rows *rows = context;
	int x = *(const int *)a, y = *(const int *)b;
	if (rows->key[x] != rows->key[y])
		return rows->key[x] < rows->key[y] ? -1 : 1;
	return x < y ? -1 : 1;
}

/* The column of the first node on the way back that is in another level and has its place. */
static int barycentre(const struct rows *rows, int node)
{
	const struct graph_layout *layout = rows->layout;
	int at = node;
	while (layout->node[at].parent >= 0 && layout->node[at].size == layout->node[node].size)
		at = layout->node[at].parent;
	if (layout->node[at].size != layout->node[node].size && layout->place[at].y >= 0)
		return layout->place[at].x;
	return (int)((int64_t)node * layout->width / layout->count);
}

/* Where not all have a place, those that must have one come first, then those that were seen first. */
static int strip_choose(const struct rows *rows, const struct graph_strip *strip, int *order, int count)
{
	const struct graph_layout *layout = rows->layout;
	int room = 0, kept = 0;
	for (int row = 0; row < strip->rows; row++)
		room += cells_in_row(layout, strip, row);
	if (count <= room)
		return count;
	for (int k = 0; k < count; k++) {
		int node = order[k];
		if (!layout->node[node].whole && !layout->node[node].straight)
			continue;
		memmove(order + kept + 1, order + kept, (size_t)(k - kept) * sizeof(*order));
		order[kept++] = node;
	}
	return room;
}

static void strip_fill(struct rows *rows, int s, int *order, int count)
{
	struct graph_layout *layout = rows->layout;
	const struct graph_strip *strip = &layout->strip[s];
	if (!strip->cells)
		return;
	bool spread = count <= strip->cells * strip->rows && !strip->spare;
	count = strip_choose(rows, strip, order, count);
	for (int k = 0; k < count; k++)
		rows->key[order[k]] = barycentre(rows, order[k]);
	qsort_r(order, (size_t)count, sizeof(*order), by_key, rows);
	int columns = (count + strip->rows - 1) / strip->rows;
	for (int k = 0, row = 0, cell = 0; k < count; k++) {
		if (spread)
			node_put(layout, order[k], s, k % strip->rows, k / strip->rows * strip->cells / columns);
		else
			node_put(layout, order[k], s, row, cell);
		if (!spread && ++cell == cells_in_row(layout, strip, row)) {
			cell = 0;
			row++;
		}
	}
}

static bool nodes_place(struct rows *rows)
{
	struct graph_layout *layout = rows->layout;
	rows->key = calloc((size_t)layout->count + 1, sizeof(*rows->key));
	rows->order = calloc((size_t)layout->count + 1, sizeof(*rows->order));
	for (int s = 0; rows->key && rows->order && s < layout->strips; s++) {
		int count = 0;
		for (int i = 0; i < layout->count; i++) {
			if (graph_strip_of(layout, layout->node[i].size) != s)
				continue;
			layout->place[i].strip = s;
			rows->order[count++] = i;
		}
		strip_fill(rows, s, rows->order, count);
	}
	return rows->key && rows->order;
}

bool graph_rows_place(struct graph_layout *layout, bool more)
{
	struct rows rows = {.layout = layout, .more = more, .height = layout->height ? layout->height : ROWS_MOST};
	bool ok = levels_read(&rows);
	if (ok) {
		bool fits = pitch_choose(&rows);
		rows_divide(&rows, fits);
		ok = strips_make(&rows, fits);
	}
	for (int s = 0; ok && more && s < layout->strips; s++)
		layout->strip[s].nodes = 0;
	for (int i = 0; ok && more && i < layout->count; i++)
		graph_rows_take(layout, i);
	ok = ok && (more || nodes_place(&rows));
	free(rows.level);
	free(rows.key);
	free(rows.order);
	return ok;
}
