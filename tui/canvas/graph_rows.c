/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A graph in rows: each level has as many rows of places as it needs, or, where all levels together do not fit, as
 * there are; then what has no place is counted.  Where there are more levels than rows some are folded.
 *
 * Nodes that are all known stand in the order of their parents' columns, spread over their level, those of one parent
 * below each other.
 */
#define _GNU_SOURCE /* qsort_r */
#include "canvas/graph_layout.h"

#include <stdlib.h>
#include <string.h>

#define ROWS_MOST 60 /* where no height is asked for */

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
	int full;  /* the longest full name */
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

/* Room for the longest name of a parent without its sign, and the bracket after it. */
static int gutter_of(const struct graph_layout *layout)
{
	int gutter = 1;
	for (int i = 0; i < layout->count; i++) {
		int parent = layout->node[i].parent;
		if (parent >= 0 && layout->node[parent].name > gutter)
			gutter = layout->node[parent].name;
	}
	return gutter;
}

#define CELLS_LEAST 4 /* in a row, for nodes that come to have room for the names of their parents */

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
	rows->full = full;
	layout->gutter = gutter_of(layout);
	if (rows->more && (layout->gutter + name + 1) * CELLS_LEAST >= layout->width)
		layout->gutter = 1;
	layout->pitch = layout->gutter + full + 1;
	if (!rows->more && layout->pitch < layout->width && rows_of_all(rows) <= rows->height)
		return true;
	layout->pitch = layout->gutter + name + 1;
	return rows_of_all(rows) <= rows->height;
}

/* Rows that are left go where most nodes wait for one. */
static void rows_deal(struct rows *rows, int left)
{
	for (; left > 0; left--) {
		int most = -1;
		for (int i = 0; i < rows->levels; i++) {
			const struct level *level = &rows->level[i], *best = most < 0 ? NULL : &rows->level[most];
			bool wants = level->rows && (rows->more || level->rows < level->nodes);
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
	int left = rows->height - used - folded;
	rows_deal(rows, !fits || rows->more || rows->layout->height || left < used ? left : used);
}

/* Places are as wide as the columns that are needed allow, no wider than the longest name. */
static void pitch_widen(struct rows *rows)
{
	struct graph_layout *layout = rows->layout;
	int columns = 1;
	for (int i = 0; i < rows->levels; i++) {
		const struct level *level = &rows->level[i];
		int needed = level->rows ? (level->nodes + level->rows - 1) / level->rows : 0;
		columns = needed > columns ? needed : columns;
	}
	columns += (layout->width - 1) / (columns + 1) >= layout->pitch;
	int pitch = (layout->width - 1) / columns, most = layout->gutter + rows->full + 1;
	pitch = pitch < most ? pitch : most;
	layout->pitch = pitch > layout->pitch ? pitch : layout->pitch;
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

static bool strips_make(struct rows *rows)
{
	struct graph_layout *layout = rows->layout;
	int y = 0;
	layout->drop = 0;
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

/* How many places to its right the full name of a node covers that always stands there. */
static int cells_covered(const struct graph_layout *layout, int node)
{
	const struct graph_node *shape = &layout->node[node];
	return shape->whole ? (shape->full + layout->gutter) / layout->pitch : 0;
}

#define COVERED (-2) /* in `cell`: by the name to the left */

static void node_put(struct graph_layout *layout, int node, int s, int row, int cell, bool name)
{
	struct graph_strip *strip = &layout->strip[s];
	int y = strip->y + row * (1 + layout->drop), covered = name ? cells_covered(layout, node) : 0;
	*cell_at(layout, y, cell) = node;
	for (int i = 1; i <= covered && cell + i < strip->cells && *cell_at(layout, y, cell + i) == -1; i++)
		*cell_at(layout, y, cell + i) = COVERED;
	layout->place[node] = (struct graph_place){.x = layout->gutter + cell * layout->pitch,
		.y = y,
		.room = layout->pitch - layout->gutter - 1,
		.strip = s,
		.bus = -1};
	strip->shown++;
}

static bool cell_free(const struct graph_layout *layout, const struct graph_strip *strip, int row, int cell)
{
	return cell >= 0 && cell < cells_in_row(layout, strip, row) &&
		*cell_at(layout, strip->y + row * (1 + layout->drop), cell) == -1;
}

/* Can its full name stand there, if it always does? */
static bool node_fits(const struct graph_layout *layout, const struct graph_strip *strip, int node, int row, int cell)
{
	int covered = cells_covered(layout, node), last = cells_in_row(layout, strip, row);
	for (int i = 1; i <= covered && cell + i < last; i++)
		if (!cell_free(layout, strip, row, cell + i))
			return false;
	return layout->gutter + cell * layout->pitch + (covered ? layout->node[node].full : 0) <= layout->width;
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
	int s = graph_strip_of(layout, layout->node[node].size),
		near = (column_wanted(layout, node) - layout->gutter) / layout->pitch;
	struct graph_strip *strip = &layout->strip[s];
	layout->place[node].strip = s;
	strip->nodes++;
	if (!strip->cells || strip->full || layout->node[node].size > strip->most ||
		layout->node[node].size < strip->least)
		return;
	for (int away = 0; away <= strip->cells; away++) {
		for (int row = 0; row < strip->rows; row++) {
			int cell = cell_free(layout, strip, row, near + away) ? near + away : near - away;
			if (cell_free(layout, strip, row, cell)) {
				node_put(layout, node, s, row, cell, true);
				return;
			}
		}
	}
	strip->full = true;
}

void graph_rows_leave(struct graph_layout *layout, int node)
{
	const struct graph_place *place = &layout->place[node];
	struct graph_strip *strip = &layout->strip[place->strip];
	strip->nodes--;
	if (place->y < 0)
		return;
	strip->shown--;
	strip->full = false;
	int cell = (place->x - layout->gutter) / layout->pitch;
	*cell_at(layout, place->y, cell) = -1;
	while (++cell < strip->cells && *cell_at(layout, place->y, cell) == COVERED)
		*cell_at(layout, place->y, cell) = -1;
}

/* ---- nodes that are all known ---- */

static int by_key(const void *a, const void *b, void *context)
{
	const struct rows *rows = context;
	int x = *(const int *)a, y = *(const int *)b;
	int parents = rows->layout->node[x].parent - rows->layout->node[y].parent;
	if (rows->key[x] != rows->key[y])
		return rows->key[x] < rows->key[y] ? -1 : 1;
	return parents ? parents : x - y;
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
	int near = layout->node[node].parent >= 0 ? layout->node[node].parent : node;
	return (int)((int64_t)near * layout->width / layout->count);
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
	for (int k = 0; k < count; k++)
		room -= layout->node[order[k]].whole && room > 1 ? cells_covered(layout, order[k]) : 0;
	room = room < 1 ? 1 : room;
	for (int k = 0; k < count; k++) {
		int node = order[k];
		if (!layout->node[node].whole && !layout->node[node].straight)
			continue;
		memmove(order + kept + 1, order + kept, (size_t)(k - kept) * sizeof(*order));
		order[kept++] = node;
	}
	return room;
}

/* How many of the nodes from `order` on have the parent of the first. */
static int brothers(const struct graph_layout *layout, const int *order, int count)
{
	int k = 1;
	while (k < count && layout->node[order[k]].parent == layout->node[order[0]].parent)
		k++;
	return k;
}

/* Does a column end here, so that the children of one node stay together? */
static bool column_ends(const struct rows *rows, const int *order, int k, int count, int left, int most)
{
	const struct graph_layout *layout = rows->layout;
	bool first = !k || layout->node[order[k]].parent != layout->node[order[k - 1]].parent;
	int group = brothers(layout, order + k, count - k);
	return first && left < most && left < group && group <= most;
}

static void strip_clear(struct graph_layout *layout, int s, const int *order, int count)
{
	struct graph_strip *strip = &layout->strip[s];
	for (int row = 0; row < strip->rows; row++)
		for (int cell = 0; cell < strip->cells; cell++)
			*cell_at(layout, strip->y + row * (1 + layout->drop), cell) = -1;
	for (int k = 0; k < count; k++)
		layout->place[order[k]].y = -1;
	strip->shown = 0;
	strip->full = false;
}

/* How the nodes of a strip are tried to be placed. */
struct flow {
	bool together; /* the children of one node stay in one column */
	bool names;    /* full names that always stand there have room */
};

/* Column by column; returns whether all have a place. */
static bool strip_flow(struct rows *rows, int s, const int *order, int count, struct flow flow, int columns)
{
	struct graph_layout *layout = rows->layout;
	const struct graph_strip *strip = &layout->strip[s];
	int k = 0;
	strip_clear(layout, s, order, count);
	for (int column = 0; column < columns && k < count; column++) {
		int cell = column * strip->cells / columns;
		for (int row = 0; row < strip->rows && k < count; row++) {
			if (flow.together && column_ends(rows, order, k, count, strip->rows - row, strip->rows))
				break;
			bool there = cell_free(layout, strip, row, cell);
			if (there && flow.names && !node_fits(layout, strip, order[k], row, cell))
				return false;
			if (there)
				node_put(layout, order[k++], s, row, cell, flow.names);
		}
	}
	return k == count;
}

static void strip_fill(struct rows *rows, int s, int *order, int count)
{
	static const struct flow flows[] = {{true, true}, {false, true}, {true, false}, {false, false}};
	struct graph_layout *layout = rows->layout;
	const struct graph_strip *strip = &layout->strip[s];
	if (!strip->cells)
		return;
	count = strip_choose(rows, strip, order, count);
	for (int k = 0; k < count; k++)
		rows->key[order[k]] = barycentre(rows, order[k]);
	qsort_r(order, (size_t)count, sizeof(*order), by_key, rows);
	int least = (count + strip->rows - 1) / strip->rows;
	for (size_t i = 0; i < sizeof(flows) / sizeof(*flows); i++)
		for (int columns = strip->spare ? strip->cells : least; columns <= strip->cells; columns++)
			if (strip_flow(rows, s, order, count, flows[i], columns))
				return;
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
		if (fits && !more)
			pitch_widen(&rows);
		ok = strips_make(&rows);
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
