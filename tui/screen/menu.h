/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The menu of views: all that can be seen, with key and sentence; what there is nothing of yet is dim, with the reason.
 *
 * It stands over the panes while a line is asked for, by which its rows are filtered.
 */
#ifndef SHARDWALK_SCREEN_MENU_H
#define SHARDWALK_SCREEN_MENU_H

#include "screen/model.h"

/* Opens it; the keys of views and what opens one are there. */
void menu_begin(struct screen *screen);

/* Draws it over the first `height` rows of the screen. */
void menu_draw(const struct screen *screen, struct canvas *out, int height);

#endif
