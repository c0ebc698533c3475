/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two pictures in one.
 */
#include "views/beside.h"

#define GAP 2 /* columns between two pictures */

static int used_width(const struct canvas *canvas)
{
	int width = 0;
	for (int y = 0; y < canvas->height; y++)
		for (int x = width; x < canvas->width; x++)
			if (canvas_glyph_at(canvas, x, y, false) != ' ')
				width = x + 1;
	return width;
}

/* Two grids: side by side where there is room, else one below the other. */
int tiles_beside(struct canvas *out, int y, const struct canvas grids[2], int count)
{
	int left = used_width(&grids[0]);
	canvas_copy(out, 0, y, &grids[0]);
	if (count == 1)
		return y + grids[0].height;
	if (left + GAP + used_width(&grids[1]) <= out->width) {
		canvas_copy(out, left + GAP, y, &grids[1]);
		return y + (grids[0].height > grids[1].height ? grids[0].height : grids[1].height);
	}
	canvas_copy(out, 0, y + grids[0].height + 1, &grids[1]);
	return y + grids[0].height + 1 + grids[1].height;
}
