/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ways through a drawn picture: from one place around all text to others, with few bends, across lines only straight.
 */
#ifndef SHARDWALK_CANVAS_GRAPH_ROUTE_H
#define SHARDWALK_CANVAS_GRAPH_ROUTE_H

#include "canvas/canvas.h"

/* A name in the picture, which ways begin at and end at; `width` 0: the cell above (x, y), from below. */
struct route_end {
	int x, y, width;
};

struct route_map;

/* All ways from `from` within these columns and rows of the picture as it is now; with `only`, no further than there.
 * NULL: no memory. */
struct route_map *route_map_new(const struct canvas *canvas, int left, int top, int width, int height,
	const struct route_end *from, const struct route_end *only);
void route_map_free(struct route_map *map);

/* Draws the way to `to`, in this role and these styles (line_bits); where it crosses lines these stay.  false: there
 * is none. */
bool route_draw(const struct route_map *map, const struct route_end *to, struct canvas *out, enum role role,
	unsigned style);

#endif
