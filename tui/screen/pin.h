/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is pinned in a film: an element, a tile or a device, whose way all pictures show; and the views that one goes into from there.
 */
#ifndef SHARDWALK_SCREEN_PIN_H
#define SHARDWALK_SCREEN_PIN_H

#include "screen/model.h"

/* A click at a cell of the picture. */
void pin_click(struct screen *screen, int x, int y);

/* Pins the tile of the element that is pinned, then the device that has it, then an element again. */
void pin_widen(struct screen *screen);

/* Moves the pinned element by a block, a tile by its size, down (side 0) or across; false: none is pinned. */
bool pin_move(struct screen *screen, int side, int by);

/* The next index along the dimensions that are not drawn. */
void pin_other(struct screen *screen);

/* Back to the film; false: one did not come from there. */
bool pin_out(struct screen *screen);

#endif
