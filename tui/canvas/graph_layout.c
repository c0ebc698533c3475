/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Placing a graph: as a tree where that fits, else in rows; and the ways of a tree's edges.
 */
#include "canvas/graph_layout.h"

#include <stdlib.h>
#include <string.h>

static void layout_clear(struct graph_layout *layout)
{
	free(layout->strip);
	free(layout->cell);
	layout->strip = NULL;
	layout->cell = NULL;
	layout->strips = 0;
}

void graph_layout_free(struct graph_layout *layout)
{
	layout_clear(layout);
	free(layout->place);
	free(layout->node);
	*layout = (struct graph_layout){0};
}

static bool layout_reserve(struct graph_layout *layout, int count)
{
	int room = layout->room ? layout->room : 64;
	while (room < count)
		room *= 2;
	if (room == layout->room)
		return true;
	struct graph_node *node = realloc(layout->node, (size_t)room * sizeof(*node));
	layout->node = node ? node : layout->node;
	struct graph_place *place = node ? realloc(layout->place, (size_t)room * sizeof(*place)) : NULL;
	layout->place = place ? place : layout->place;
	layout->room = node && place ? room : layout->room;
	return node && place;
}

static bool layout_begin(struct graph_layout *layout, const struct graph_node *nodes, int count, int width,
	int height)
{
	layout_clear(layout);
	layout->width = width;
	layout->height = height;
	layout->count = count;
	layout->tree = layout->full = false;
	if (!layout_reserve(layout, count))
		return false;
	memcpy(layout->node, nodes, (size_t)count * sizeof(*nodes));
	for (int i = 0; i < count; i++)
		layout->place[i] = (struct graph_place){.y = -1, .bus = -1};
	return true;
}

/* ---- levels ---- */

static int by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x < y) - (x > y);
}

int graph_levels(const struct graph_node *nodes, int count, int64_t **sizes)
{
	int levels = 0;
	*sizes = malloc(((size_t)count + 1) * sizeof(**sizes));
	if (!*sizes)
		return -1;
	for (int i = 0; i < count; i++)
		(*sizes)[i] = nodes[i].size;
	qsort(*sizes, (size_t)count, sizeof(**sizes), by_size);
	for (int i = 0; i < count; i++)
		if (!i || (*sizes)[i] != (*sizes)[levels - 1])
			(*sizes)[levels++] = (*sizes)[i];
	return levels;
}

int graph_strip_of(const struct graph_layout *layout, int64_t size)
{
	int low = 0, high = layout->strips - 1;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (layout->strip[middle].least > size)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ---- ways ---- */

static void trace_across(int y, int from, int to, unsigned first, unsigned last, graph_ink *ink, void *context)
{
	int step = from < to ? 1 : -1;
	unsigned ahead = step > 0 ? LINE_RIGHT : LINE_LEFT, back = step > 0 ? LINE_LEFT : LINE_RIGHT;
	if (from == to) {
		ink(context, from, y, first | last);
		return;
	}
	ink(context, from, y, first | ahead);
	for (int x = from + step; x != to; x += step)
		ink(context, x, y, back | ahead);
	ink(context, to, y, back | last);
}

void graph_way_trace(const struct graph_layout *layout, int node, graph_ink *ink, void *context)
{
	const struct graph_place *to = &layout->place[node];
	if (to->way == GRAPH_NO_WAY)
		return;
	const struct graph_place *from = &layout->place[layout->node[node].parent];
	bool up = to->way == GRAPH_UP, list = to->way == GRAPH_LIST;
	int x = list ? to->x - 1 : to->x, step = up ? -1 : 1, y = from->y + step;
	unsigned ahead = up ? LINE_UP : LINE_DOWN, back = up ? LINE_DOWN : LINE_UP;
	if (to->bus >= 0) {
		trace_across(y, to->port, x, back, ahead, ink, context);
		y += step;
	}
	for (; y != to->y; y += step)
		ink(context, x, y, back | ahead);
	if (list)
		ink(context, x, y, back | LINE_RIGHT);
}

/* Who draws on which cell. */
struct cells {
	const struct graph_layout *layout;
	int *owner; /* 0: nobody; n + 1: the edges of parent n; -n - 1: the name of node n */
	int now, crossings;
};

static int *cell_of(const struct cells *cells, int x, int y)
{
	const struct graph_layout *layout = cells->layout;
	if (x < 0 || y < 0 || x >= layout->width || y >= layout->used)
		return NULL;
	return &cells->owner[(size_t)y * (size_t)layout->width + (size_t)x];
}

static void cell_take(void *context, int x, int y, unsigned directions)
{
	struct cells *cells = context;
	int *owner = cell_of(cells, x, y);
	(void)directions;
	if (!owner)
		return;
	cells->crossings += *owner != 0 && *owner != cells->now;
	*owner = cells->now;
}

static int short_name(const struct graph_layout *layout, int i)
{
	const struct graph_node *node = &layout->node[i];
	return layout->full || node->whole ? node->full : node->name;
}

static bool cells_fill(struct cells *cells)
{
	const struct graph_layout *layout = cells->layout;
	cells->owner = calloc((size_t)layout->width * (size_t)layout->used + 1, sizeof(*cells->owner));
	if (!cells->owner)
		return false;
	for (int i = 0; i < layout->count; i++) {
		cells->now = -i - 1;
		for (int x = 0; x < short_name(layout, i); x++)
			cell_take(cells, layout->place[i].x + x, layout->place[i].y, 0);
	}
	for (int i = 0; i < layout->count; i++) {
		cells->now = layout->node[i].parent + 1;
		graph_way_trace(layout, i, cell_take, cells);
	}
	return true;
}

int graph_layout_crossings(const struct graph_layout *layout)
{
	struct cells cells = {.layout = layout};
	if (!layout->tree || !cells_fill(&cells))
		return 0;
	free(cells.owner);
	return cells.crossings;
}

/* Names of a list are all in full, or none is. */
static bool lists_even(struct graph_layout *layout)
{
	bool *tight = calloc((size_t)layout->width * (size_t)(layout->strips + 1), 1);
	for (int i = 0; tight && i < layout->count; i++) {
		const struct graph_place *place = &layout->place[i];
		if (place->way == GRAPH_LIST && place->room < layout->node[i].full)
			tight[place->strip * layout->width + place->x] = true;
	}
	for (int i = 0; tight && i < layout->count; i++) {
		struct graph_place *place = &layout->place[i];
		if (place->way == GRAPH_LIST && tight[place->strip * layout->width + place->x] && !layout->node[i].whole)
			place->room = layout->node[i].name;
	}
	free(tight);
	return tight != NULL;
}

/* How far the name of a node may go; a column stays free before what stands there. */
static bool rooms_measure(struct graph_layout *layout)
{
	struct cells cells = {.layout = layout};
	if (!cells_fill(&cells))
		return false;
	for (int i = 0; i < layout->count; i++) {
		struct graph_place *place = &layout->place[i];
		int x = place->x + short_name(layout, i);
		while (x < layout->width && *cell_of(&cells, x, place->y) == 0)
			x++;
		place->room = x < layout->width ? x - place->x - 1 : x - place->x;
	}
	free(cells.owner);
	return lists_even(layout);
}

/* ---- all of it ---- */

bool graph_layout_make(struct graph_layout *layout, const struct graph_node *nodes, int count, int width, int height)
{
	if (!layout_begin(layout, nodes, count, width, height))
		return false;
	enum graph_fit fit = graph_tree_place(layout);
	if (fit == GRAPH_FITS)
		return rooms_measure(layout);
	return fit == GRAPH_TOO_LARGE && graph_rows_place(layout, false);
}

bool graph_layout_rows(struct graph_layout *layout, const struct graph_node *nodes, int count, int width, int height)
{
	return layout_begin(layout, nodes, count, width, height) && graph_rows_place(layout, true);
}

bool graph_layout_add(struct graph_layout *layout, const struct graph_node *node)
{
	if (!layout_reserve(layout, layout->count + 1))
		return false;
	layout->node[layout->count] = *node;
	layout->place[layout->count] = (struct graph_place){.y = -1, .bus = -1};
	graph_rows_take(layout, layout->count++);
	return true;
}

void graph_layout_drop(struct graph_layout *layout, int count)
{
	while (layout->count > count)
		graph_rows_leave(layout, --layout->count);
}
