/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The legend of the search graph: the signs that are in the picture, and only those.
 */
#include <assert.h>
#include <stdio.h>

#include "views/search_graph.h"

enum { LEVELS = 1, LANES = 2, BOTH = 3 };

/* A sign is there where a cell has its glyph, or its kind of line, or a bar or a plain line of its role. */
static const struct sign {
	unsigned drawing;
	uint32_t glyph;
	unsigned lines;
	enum role role;
	const char *sign, *words;
} signs[] = {
	{BOTH, GLYPH_SETTLED, 0, ROLE_SETTLED, "●", "visited"},
	{BOTH, GLYPH_FRONTIER, 0, ROLE_FRONTIER, "○", "frontier"},
	{BOTH, GLYPH_UNSEEN, 0, ROLE_UNSEEN, "◌", "not seen yet"},
	{BOTH, GLYPH_CURRENT, 0, ROLE_CURRENT, "▶", "current"},
	{BOTH, GLYPH_STAR, 0, ROLE_GOAL, "★", "goal"},
	{BOTH, 0, 0, ROLE_PATH, "━", "best path"},
	{LEVELS, 0, 0, ROLE_BORDER, "─", "from its parent"},
	{LANES, 0, 0, ROLE_BORDER, "│", "from a node to its children"},
	{LEVELS, 0, LINE_DOTTED, ROLE_DIM, "┈", "other edges of ▶"},
	{LEVELS, 0, LINE_DASHED, ROLE_WALL, "╎", "refused"},
	{LEVELS, GLYPH_FULL, 0, ROLE_WALL, "█", "above budget"},
	{LANES, 0, 0, ROLE_BAR, "█", "its tile, whole at the budget"},
};
static const struct sign folded = {LEVELS, 0, 0, ROLE_DIM, "+9", "more nodes"};
static const struct sign bracket = {LEVELS, 0, 0, ROLE_BORDER, "4┬", "child of node 4"};
static const struct sign distance = {LANES, 0, 0, ROLE_NUMBER, "number:", "distance"};

#define SIGNS (sizeof(signs) / sizeof(*signs))
#define REST 8 /* columns of how many signs a legend leaves out */

struct legend {
	const struct sign *sign[SIGNS + 3];
	int count;
};

static bool is_sign(const struct sign *sign, const struct cell *cell)
{
	const unsigned styles = LINE_DOTTED | LINE_DASHED;
	if (sign->role == ROLE_BAR)
		return cell->role == ROLE_BAR && cell->glyph;
	if (sign->glyph || cell->glyph)
		return sign->glyph && cell->glyph == sign->glyph;
	if (!(cell->lines & (LINE_UP | LINE_DOWN | LINE_LEFT | LINE_RIGHT)))
		return false;
	return sign->lines ? cell->lines & sign->lines : !(cell->lines & styles) && cell->role == sign->role;
}

/* From column `first` on: what is left of it is the axis of levels. */
static bool is_drawn(const struct sign *sign, const struct canvas *out, int first)
{
	for (int y = 0; y < out->height; y++)
		for (int x = sign->glyph ? 0 : first; x < out->width; x++)
			if (is_sign(sign, canvas_cell_at(out, x, y)))
				return true;
	return false;
}

static void legend_read(const struct search_graph *graph, bool lanes, const struct canvas *out, struct legend *legend)
{
	bool brackets = !lanes && sw_walk_seen(graph->walk) > 1 && search_graph_brackets(graph);
	int first = lanes ? 0 : search_graph_first(graph, out->width);
	for (size_t i = 0; i < SIGNS; i++) {
		bool named = brackets && signs[i].role == ROLE_BORDER;
		if (signs[i].drawing & (lanes ? LANES : LEVELS) && !named && is_drawn(&signs[i], out, first))
			legend->sign[legend->count++] = &signs[i];
	}
	if (brackets)
		legend->sign[legend->count++] = &bracket;
	if (!lanes && search_graph_hides(graph))
		legend->sign[legend->count++] = &folded;
	if (lanes)
		legend->sign[legend->count++] = &distance;
	assert(legend->count <= (int)SIGNS + 3);
}

static int sign_width(const struct sign *sign)
{
	return canvas_text_width(sign->sign) + 1 + canvas_text_width(sign->words);
}

int search_signs_rows(int width)
{
	int taken = 0;
	for (size_t i = 0; i < SIGNS; i++)
		taken += signs[i].drawing & LEVELS ? sign_width(&signs[i]) + 2 : 0;
	return taken > width ? 2 : 1;
}

int search_signs_draw(const struct search_graph *graph, bool lanes, int most, struct canvas *out, int y)
{
	struct legend legend = {.count = 0};
	int x = 0, rows = 1;
	legend_read(graph, lanes, out, &legend);
	for (int i = 0; i < legend.count; i++) {
		const struct sign *sign = legend.sign[i];
		bool last = rows == most && i + 1 < legend.count;
		bool fits = x + sign_width(sign) + (last ? REST : 0) <= out->width;
		if (!fits && rows == most) {
			canvas_putf(out, x, y, ROLE_NOTE, "+%d: ?", legend.count - i);
			break;
		}
		if (!fits && x > 0) {
			x = 0, y++, rows++;
		}
		x = canvas_put(out, x, y, sign->role, sign->sign) + 1;
		x = canvas_put(out, x, y, ROLE_NOTE, sign->words) + 2;
	}
	return y + 1;
}
