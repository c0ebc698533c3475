/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drawing a graph: levels, edges with ways of their own, names, and then the edges that have to find a way.
 */
#include "canvas/graph_draw.h"

#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "canvas/glyphs.h"
#include "canvas/graph_route.h"

struct drawing {
	struct graph_picture *picture;
	const struct graph_layout *layout;
	const struct graph_source *source;
	struct canvas *out;
	int left, top;
	int *owner; /* of each cell: 0, or the parent whose edges go through it, and 1 */
	int *width; /* of each node's name as it was drawn */
	int net;    /* that is drawn now */
	bool heavy;
};

static bool look_at(const struct drawing *drawing, int node, struct graph_look *look)
{
	return node >= 0 && drawing->source->look(drawing->source->context, node, look);
}

static int column_of(const struct drawing *drawing, int node)
{
	return drawing->left + drawing->layout->place[node].x;
}

static int row_of(const struct drawing *drawing, int node)
{
	return drawing->top + drawing->layout->place[node].y;
}

static bool has_place(const struct drawing *drawing, int node)
{
	return node >= 0 && node < drawing->layout->count && drawing->layout->place[node].y >= 0;
}

/* ---- levels ---- */

static void strip_label(const struct drawing *drawing, const struct graph_strip *strip)
{
	sw_text text = {0};
	bool folded = strip->most != strip->least;
	if (folded)
		sw_text_add(&text, "…");
	else
		drawing->source->size(drawing->source->context, strip->most, &text);
	canvas_put_right(drawing->out, 0, drawing->top + strip->y, drawing->picture->label,
		folded ? ROLE_DIM : ROLE_NUMBER, sw_text_get(&text));
	sw_text_free(&text);
}

static void levels_draw(const struct drawing *drawing)
{
	const struct graph_layout *layout = drawing->layout;
	int rows = layout->height > layout->used && !layout->tree ? layout->height : layout->used;
	for (int y = 0; y < rows; y++)
		canvas_lines(drawing->out, drawing->picture->label + 1, drawing->top + y, ROLE_BORDER, LINE_UP | LINE_DOWN);
	for (int i = 0; i < layout->strips; i++) {
		canvas_lines(drawing->out, drawing->picture->label + 1, drawing->top + layout->strip[i].y, ROLE_BORDER,
			LINE_LEFT);
		strip_label(drawing, &layout->strip[i]);
	}
}

/* ---- edges that have their way ---- */

static bool goes_down(unsigned lines)
{
	return (lines & 15) == (LINE_UP | LINE_DOWN);
}

/* Where edges cross, one goes on and the other ends on both sides: the heavy one, else the one that goes down. */
static void ink(void *context, int x, int y, unsigned directions)
{
	struct drawing *drawing = context;
	int *owner = &drawing->owner[y * drawing->layout->width + x];
	int column = drawing->left + x, row = drawing->top + y;
	if (*owner && *owner != drawing->net) {
		if (!drawing->heavy && !goes_down(directions))
			return;
		canvas_put_glyph(drawing->out, column, row, ROLE_BORDER, ' ');
	}
	*owner = drawing->net;
	canvas_lines(drawing->out, column, row, drawing->heavy ? ROLE_PATH : ROLE_BORDER,
		directions | (drawing->heavy ? LINE_HEAVY : LINE_ROUND));
}

static bool on_its_way(const struct drawing *drawing, int node, const struct graph_look *look)
{
	return drawing->layout->tree && look->parent >= 0 && look->parent == drawing->layout->node[node].parent;
}

static void ways_draw(struct drawing *drawing, bool heavy)
{
	const struct graph_layout *layout = drawing->layout;
	struct graph_look look;
	drawing->heavy = heavy;
	for (int i = 0; layout->tree && i < layout->count; i++) {
		if (!look_at(drawing, i, &look) || look.path != heavy || !on_its_way(drawing, i, &look))
			continue;
		drawing->net = look.parent + 1;
		graph_way_trace(layout, i, ink, drawing);
	}
}

/* ---- edges of nodes in rows ---- */

/* The node at a place of the rows; -1: none. */
static int node_at(const struct graph_layout *layout, int x, int y)
{
	int cells = (layout->width - 1) / layout->pitch;
	cells = cells > 0 ? cells : 1;
	return y < 0 || y >= layout->used ? -1 : layout->cell[y * cells + (x - layout->gutter) / layout->pitch];
}

/* The parent to which a bracket leads from a node; -1: none does. */
static int bracket_parent(const struct drawing *drawing, int node, struct graph_look *look)
{
	return has_place(drawing, node) && look_at(drawing, node, look) ? look->parent : -1;
}

/* Is the node in the next row, up or down, a child of the same parent? */
static bool bracket_goes_on(const struct drawing *drawing, int node, int parent, int step)
{
	const struct graph_place *place = &drawing->layout->place[node];
	struct graph_look look;
	int other = node_at(drawing->layout, place->x, place->y + step);
	return other >= 0 && bracket_parent(drawing, other, &look) == parent;
}

/* From the first child of a column down to a node of the best path. */
static void bracket_heavy(const struct drawing *drawing, int node, int parent)
{
	int x = column_of(drawing, node) - 1, y = row_of(drawing, node);
	bool above = bracket_goes_on(drawing, node, parent, -1);
	canvas_lines(drawing->out, x, y, ROLE_PATH, LINE_RIGHT | LINE_HEAVY | (above ? LINE_UP : LINE_LEFT));
	while (above) {
		node = node_at(drawing->layout, drawing->layout->place[node].x, drawing->layout->place[node].y - 1);
		above = bracket_goes_on(drawing, node, parent, -1);
		canvas_lines(drawing->out, x, --y, ROLE_PATH, LINE_DOWN | LINE_HEAVY | (above ? LINE_UP : LINE_LEFT));
	}
}

/* Its parent's name before the first child of a column, and a line from there to each. */
static void bracket_draw(const struct drawing *drawing, int node, bool heavy)
{
	struct graph_look look;
	sw_text name = {0};
	int parent = bracket_parent(drawing, node, &look), x = column_of(drawing, node) - 1, y = row_of(drawing, node);
	if (parent < 0 || (heavy && !look.path))
		return;
	bool above = bracket_goes_on(drawing, node, parent, -1), below = bracket_goes_on(drawing, node, parent, 1);
	if (heavy) {
		bracket_heavy(drawing, node, parent);
		return;
	}
	canvas_lines(drawing->out, x, y, ROLE_BORDER,
		LINE_ROUND | LINE_RIGHT | (above ? LINE_UP : LINE_LEFT) | (below ? LINE_DOWN : 0));
	if (!above) {
		int room = drawing->layout->gutter - 1;
		drawing->source->name(drawing->source->context, parent, false, &name);
		bool fits = canvas_text_width(sw_text_get(&name)) <= room;
		canvas_put_right(drawing->out, x - room, y, room, look.path ? ROLE_PATH : ROLE_DIM,
			fits ? sw_text_get(&name) : "…");
	}
	sw_text_free(&name);
}

static void brackets_draw(const struct drawing *drawing)
{
	for (int heavy = 0; heavy < 2 && !drawing->layout->tree && drawing->layout->gutter > 1; heavy++)
		for (int i = 0; i < drawing->layout->count; i++)
			if (has_place(drawing, i))
				bracket_draw(drawing, i, heavy);
}

/* ---- names ---- */

static void spot_add(struct graph_picture *picture, int node, int x, int y, int width)
{
	if (picture->spots && picture->spot_count < picture->spot_room)
		picture->spots[picture->spot_count++] = (struct graph_spot){node, x, y, width};
}

/* Are `width` columns from (x, y) on free of text, and of lines too? */
static bool is_blank(const struct drawing *drawing, int x, int y, int width, bool lines)
{
	if (x < drawing->left || x + width > drawing->left + drawing->layout->width || y < drawing->top)
		return false;
	for (int i = 0; i < width; i++) {
		const struct cell *cell = canvas_cell_at(drawing->out, x + i, y);
		if (cell->glyph || (lines && cell->lines))
			return false;
	}
	return true;
}

static int name_draw(struct drawing *drawing, int node, const struct graph_look *look, int x, int y, bool full)
{
	sw_text name = {0};
	bool cursor = node == drawing->picture->cursor;
	drawing->source->name(drawing->source->context, node, full, &name);
	if (cursor && x > 0)
		canvas_put_glyph(drawing->out, x - 1, y, ROLE_CURRENT, GLYPH_CURRENT);
	canvas_put_glyph(drawing->out, x, y, cursor ? ROLE_CURRENT : look->role, look->sign);
	int end = canvas_put_cut(drawing->out, x + 1, y, drawing->out->width - x - 1, cursor ? ROLE_CURRENT : look->role,
		sw_text_get(&name));
	sw_text_free(&name);
	drawing->width[node] = end - x;
	return end - x;
}

static bool is_kept(const struct drawing *drawing, int node)
{
	const struct graph_picture *picture = drawing->picture;
	return drawing->layout->node[node].whole || node == picture->cursor;
}

static void node_draw(struct drawing *drawing, int node)
{
	const struct graph_layout *layout = drawing->layout;
	struct graph_look look;
	if (!has_place(drawing, node) || !look_at(drawing, node, &look))
		return;
	int x = column_of(drawing, node), y = row_of(drawing, node);
	bool full = layout->node[node].full <= layout->place[node].room;
	int width = name_draw(drawing, node, &look, x, y, full);
	spot_add(drawing->picture, node, x, y, width);
}

/* What a full name has more than the short one. */
static void rest_of_name(const struct drawing *drawing, int node, sw_text *rest)
{
	sw_text full = {0}, name = {0};
	drawing->source->name(drawing->source->context, node, true, &full);
	drawing->source->name(drawing->source->context, node, false, &name);
	sw_text_add(rest, sw_text_get(&full) + name.length + (sw_text_get(&full)[name.length] == ' '));
	sw_text_free(&full);
	sw_text_free(&name);
}

static bool rest_put_at(struct drawing *drawing, int x, int y, enum role role, const char *rest, bool lines)
{
	if (!is_blank(drawing, x - 1, y, canvas_text_width(rest) + 2, lines))
		return false;
	canvas_put(drawing->out, x, y, role, rest);
	return true;
}

/* Puts the rest of a name left of the node, or in the row below or above it. */
static bool rest_put(struct drawing *drawing, int node, enum role role, const char *rest, bool lines)
{
	static const int rows[] = {1, -1};
	int x = column_of(drawing, node), y = row_of(drawing, node), width = canvas_text_width(rest);
	if (rest_put_at(drawing, x - 2 - width, y, role, rest, lines))
		return true;
	for (int i = 0; i < 2; i++) {
		for (int at = x; at >= x - 1 - width; at--)
			if (rest_put_at(drawing, at, y + rows[i], role, rest, lines))
				return true;
		if (rest_put_at(drawing, x + 2, y + rows[i], role, rest, lines))
			return true;
	}
	return false;
}

/* The full name of a node whose place is too small for it: to its right where that is free, else nearby, else over
 * lines. */
static void name_complete(struct drawing *drawing, int node)
{
	const struct graph_layout *layout = drawing->layout;
	struct graph_look look;
	sw_text rest = {0};
	if (!has_place(drawing, node) || !look_at(drawing, node, &look) ||
		layout->node[node].full <= layout->place[node].room)
		return;
	int more = layout->node[node].full - layout->node[node].name;
	int x = column_of(drawing, node) + layout->node[node].name, y = row_of(drawing, node);
	int end = drawing->left + layout->width;
	enum role role = node == drawing->picture->cursor ? ROLE_CURRENT : look.role;
	rest_of_name(drawing, node, &rest);
	for (int lines = 1, done = false; lines >= 0 && !done; lines--) {
		done = is_blank(drawing, x, y, more + (x + more < end), lines);
		if (done)
			name_draw(drawing, node, &look, x - layout->node[node].name, y, true);
		else
			done = rest_put(drawing, node, role, sw_text_get(&rest), lines);
	}
	sw_text_free(&rest);
}

/* The nodes of a row of places. */
static void cells_draw(struct drawing *drawing)
{
	const struct graph_layout *layout = drawing->layout;
	int cells = (layout->width - 1) / layout->pitch;
	cells = cells > 0 ? cells : 1;
	for (int i = 0; i < cells * layout->used; i++)
		if (layout->cell[i] >= 0)
			node_draw(drawing, layout->cell[i]);
}

static void names_draw(struct drawing *drawing)
{
	const struct graph_picture *picture = drawing->picture;
	for (int i = 0; drawing->layout->tree && i < drawing->layout->count; i++)
		node_draw(drawing, i);
	if (!drawing->layout->tree)
		cells_draw(drawing);
	for (int i = 0; i < picture->kept_count; i++)
		if (picture->kept[i] < drawing->layout->count && picture->kept[i] != picture->cursor &&
			is_kept(drawing, picture->kept[i]))
			name_complete(drawing, picture->kept[i]);
	if (picture->cursor >= 0)
		name_complete(drawing, picture->cursor);
}

/* ---- what has no place ---- */

/* How many nodes of a strip have no place stands at its end; returns the columns that takes. */
static int hidden_draw(struct drawing *drawing, int hidden, int end, int y)
{
	sw_text text = {0};
	sw_text_add_char(&text, '+');
	sw_print_count(&text, hidden);
	int width = canvas_text_width(sw_text_get(&text));
	if (end - width > drawing->left)
		canvas_put(drawing->out, end - width, y, ROLE_DIM, sw_text_get(&text));
	sw_text_free(&text);
	return width;
}

static bool is_guest(const struct drawing *drawing, int node, int s)
{
	struct graph_look look;
	return node >= 0 && node < drawing->layout->count && drawing->layout->place[node].y < 0 &&
		drawing->layout->place[node].strip == s && look_at(drawing, node, &look);
}

/* The name of its parent before a node without a place, where all of both fits before column `end`; returns the columns that
 * takes. */
static int guest_parent_draw(const struct drawing *drawing, const struct graph_look *look, int x, int y, int width,
	int end)
{
	sw_text name = {0};
	if (look->parent < 0 || drawing->layout->gutter < 2)
		return 0;
	drawing->source->name(drawing->source->context, look->parent, false, &name);
	int taken = canvas_text_width(sw_text_get(&name));
	bool fits = x + taken + 1 + width < end;
	if (fits)
		canvas_put(drawing->out, x, y, look->path ? ROLE_PATH : ROLE_DIM, sw_text_get(&name));
	if (fits)
		canvas_lines(drawing->out, x + taken, y, look->path ? ROLE_PATH : ROLE_BORDER,
			LINE_LEFT | LINE_RIGHT | (look->path ? LINE_HEAVY : 0));
	sw_text_free(&name);
	return fits ? taken : 0;
}

/* Draws a node that has no place before column `end`, or over what stands there where it must be seen; returns the column
 * after it. */
static int guest_draw(struct drawing *drawing, int node, int x, int y, int end)
{
	const struct graph_node *shape = &drawing->layout->node[node];
	struct graph_look look;
	bool cursor = node == drawing->picture->cursor, full = is_kept(drawing, node) && x + 1 + shape->full < end;
	if (x + 1 + shape->name >= end && !cursor)
		return x;
	if (x + 1 + shape->name >= end)
		x = drawing->left;
	look_at(drawing, node, &look);
	x += guest_parent_draw(drawing, &look, x, y, full ? shape->full : shape->name, end);
	int width = name_draw(drawing, node, &look, x + 1, y, full);
	spot_add(drawing->picture, node, x + 1, y, width);
	return x + width + 2;
}

/* The first column from x on that is behind all names of its row, a blank between. */
static int behind_names(const struct drawing *drawing, int x, int y, int end)
{
	for (int i = x - 1; i < end; i++)
		if (canvas_cell_at(drawing->out, i, y)->glyph)
			x = i + 2;
	return x;
}

/* Nodes without a place that must be in sight stand at the end of their strip, before how many there are. */
static void guests_draw(struct drawing *drawing, int s)
{
	const struct graph_layout *layout = drawing->layout;
	const struct graph_strip *strip = &layout->strip[s];
	const struct graph_picture *picture = drawing->picture;
	int y = drawing->top + strip->y + (strip->rows - 1) * (1 + layout->drop), hidden = strip->nodes - strip->shown;
	int end = drawing->left + layout->width, x = end - strip->spare + 1;
	if (hidden <= 0 || !strip->spare)
		return;
	x = behind_names(drawing, x, y, end);
	end -= hidden_draw(drawing, hidden, end, y);
	if (is_guest(drawing, picture->cursor, s))
		x = guest_draw(drawing, picture->cursor, x, y, end);
	for (int i = 0; i < picture->kept_count; i++)
		if (picture->kept[i] != picture->cursor && is_guest(drawing, picture->kept[i], s))
			x = guest_draw(drawing, picture->kept[i], x, y, end);
}

/* ---- edges that find a way ---- */

static struct route_end end_of(const struct drawing *drawing, int node)
{
	int width = drawing->width[node] ? drawing->width[node] : 1;
	return (struct route_end){column_of(drawing, node), row_of(drawing, node), width};
}

static struct route_map *ways_from(const struct drawing *drawing, int node, const struct route_end *only)
{
	const struct graph_layout *layout = drawing->layout;
	struct route_end from = end_of(drawing, node);
	int rows = layout->height > layout->used ? layout->height : layout->used;
	return route_map_new(drawing->out, drawing->left, drawing->top, layout->width, rows, &from, only);
}

/* The edge from its parent to a node that has no way of its own. */
static void way_find(struct drawing *drawing, int node)
{
	struct graph_look look;
	if (!has_place(drawing, node) || !look_at(drawing, node, &look) || !has_place(drawing, look.parent) ||
		on_its_way(drawing, node, &look))
		return;
	struct route_end to = end_of(drawing, node);
	struct route_map *map = ways_from(drawing, look.parent, &to);
	if (map)
		route_draw(map, &to, drawing->out, look.path ? ROLE_PATH : ROLE_BORDER, look.path ? LINE_HEAVY : LINE_ROUND);
	route_map_free(map);
}

/* In a tree, edges to parents that are not the last ones; in rows, the best path and the edge to the cursor. */
static void strays_draw(struct drawing *drawing)
{
	const struct graph_picture *picture = drawing->picture;
	struct graph_look look;
	for (int i = 0; i < picture->kept_count; i++)
		if (picture->kept[i] < drawing->layout->count && look_at(drawing, picture->kept[i], &look) && look.path)
			way_find(drawing, picture->kept[i]);
	for (int i = 0; drawing->layout->tree && i < drawing->layout->count; i++)
		if (look_at(drawing, i, &look) && !look.path)
			way_find(drawing, i);
	if (!drawing->layout->tree && look_at(drawing, picture->cursor, &look) && !look.path)
		way_find(drawing, picture->cursor);
}

static void unseen_draw(struct drawing *drawing, int node)
{
	struct graph_look look;
	if (!look_at(drawing, node, &look))
		canvas_put_glyph(drawing->out, column_of(drawing, node), row_of(drawing, node), ROLE_UNSEEN, GLYPH_UNSEEN);
}

/* Is that edge drawn already, as one of the tree? */
static bool is_drawn(const struct drawing *drawing, int node)
{
	struct graph_look look;
	return look_at(drawing, node, &look) && look.parent == drawing->picture->cursor &&
		on_its_way(drawing, node, &look);
}

static void edges_draw(struct drawing *drawing)
{
	struct graph_picture *picture = drawing->picture;
	if (!has_place(drawing, picture->cursor) || !picture->edge_count)
		return;
	for (int i = 0; i < picture->edge_count; i++)
		if (has_place(drawing, picture->edges[i].node))
			unseen_draw(drawing, picture->edges[i].node);
	struct route_map *map = ways_from(drawing, picture->cursor, NULL);
	for (int i = 0; map && i < picture->edge_count; i++) {
		const struct graph_edge *edge = &picture->edges[i];
		struct route_end to = {edge->column, drawing->top, 0};
		if (edge->node >= 0 && (!has_place(drawing, edge->node) || is_drawn(drawing, edge->node)))
			continue;
		if (edge->node >= 0)
			to = end_of(drawing, edge->node);
		route_draw(map, &to, drawing->out, edge->role, edge->refused ? LINE_DASHED : LINE_DOTTED | LINE_ROUND);
	}
	route_map_free(map);
}

/* ---- what edges and nodes are ---- */

#define WAYS_NAMED 200 /* nodes of a graph whose edges have names */

static bool is_free(const struct drawing *drawing, int x, int y, int width)
{
	const struct graph_layout *layout = drawing->layout;
	int rows = layout->height > layout->used ? layout->height : layout->used;
	bool free = y >= drawing->top && y < drawing->top + rows && x + width <= drawing->left + layout->width;
	for (int i = 0; free && i < width; i++) {
		const struct cell *cell = canvas_cell_at(drawing->out, x + i, y);
		free = !cell->lines && (cell->glyph == 0 || cell->glyph == ' ');
	}
	return free;
}

/* Beside the end of the edge to a node, where there is room. */
static void way_name(struct drawing *drawing, int node)
{
	struct graph_look look;
	sw_text text = {0};
	if (!has_place(drawing, node) || !look_at(drawing, node, &look) || !on_its_way(drawing, node, &look) ||
		drawing->layout->place[node].way == GRAPH_LIST)
		return;
	int x = column_of(drawing, node) + 2, y = row_of(drawing, node);
	y += drawing->layout->place[node].way == GRAPH_UP ? 1 : -1;
	drawing->source->way(drawing->source->context, node, &text);
	int width = canvas_text_width(sw_text_get(&text));
	if (width > 0 && is_free(drawing, x - 1, y, width + 2))
		canvas_put(drawing->out, x, y, look.path ? ROLE_OP : ROLE_DIM, sw_text_get(&text));
	sw_text_free(&text);
}

/* Below a node whose name is short the rest of it, where there is room. */
static void name_below(struct drawing *drawing, int node)
{
	struct graph_look look;
	sw_text text = {0};
	if (!has_place(drawing, node) || !look_at(drawing, node, &look))
		return;
	drawing->source->name(drawing->source->context, node, true, &text);
	const char *rest = strchr(sw_text_get(&text), ' ');
	int x = column_of(drawing, node) + 1, y = row_of(drawing, node) + 1, width = rest ? canvas_text_width(rest) : 0;
	bool whole = drawing->width[node] > canvas_text_width(sw_text_get(&text));
	if (width > 0 && !whole && is_free(drawing, x, y, width + 1))
		canvas_put(drawing->out, x, y, look.role, rest);
	sw_text_free(&text);
}

static void ways_name(struct drawing *drawing)
{
	const struct graph_layout *layout = drawing->layout;
	for (int i = 0; layout->tree && layout->count <= WAYS_NAMED && i < layout->count; i++)
		name_below(drawing, i);
	for (int i = 0; drawing->source->way && layout->tree && layout->count <= WAYS_NAMED && i < layout->count; i++)
		way_name(drawing, i);
}

static void all_draw(struct drawing *drawing)
{
	const struct graph_layout *layout = drawing->layout;
	levels_draw(drawing);
	ways_draw(drawing, false);
	ways_draw(drawing, true);
	brackets_draw(drawing);
	names_draw(drawing);
	for (int s = 0; !layout->tree && s < layout->strips; s++)
		guests_draw(drawing, s);
	ways_name(drawing);
	strays_draw(drawing);
	edges_draw(drawing);
}

void graph_draw(struct graph_picture *picture, struct canvas *out)
{
	const struct graph_layout *layout = picture->layout;
	struct drawing drawing = {.picture = picture, .layout = layout, .source = picture->source, .out = out};
	drawing.left = picture->label + 3;
	drawing.top = picture->top;
	drawing.owner = calloc((size_t)layout->width * (size_t)layout->used + 1, sizeof(*drawing.owner));
	drawing.width = calloc((size_t)layout->count + 1, sizeof(*drawing.width));
	if (drawing.owner && drawing.width)
		all_draw(&drawing);
	else
		out->failed = true;
	free(drawing.owner);
	free(drawing.width);
}
