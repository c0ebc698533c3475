/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A ring of devices, or a line, as such: what each holds after so many hops, and on every link what passes next.
 */
#ifndef SHARDWALK_VIEWS_RING_H
#define SHARDWALK_VIEWS_RING_H

#include "canvas/canvas.h"
#include "views/views.h"

/* Are there few enough members, on one ring or line, to be drawn in this width? */
bool ring_fits(const struct view_input *in, int width);

/* Draws it; where it fits.  Returns the next row. */
int ring_draw(const struct view_input *in, int64_t hops, struct canvas *out, int y);

#endif
