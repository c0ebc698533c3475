/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layouts by name: which views stand together, side by side where the screen is wide, stacked where it is narrow.
 */
#ifndef SHARDWALK_SCREEN_LAYOUT_H
#define SHARDWALK_SCREEN_LAYOUT_H

#include "screen/model.h"

struct layout {
	const char *name;
	const char *about;
	int views[PANES_MOST]; /* -1: the one with the focus; ended by PANE_COUNT where there are fewer */
	int share;             /* of the first, in percent */
	int stacked;           /* the same on a narrow screen, of its rows; 0: there only the view with the focus is */
};
extern const struct layout layouts[];
extern const int layout_count;

/* Divides the rows 0 to `height` - 1 among the panes of the layout. */
void layout_place(struct screen *screen, int width, int height);

bool layout_shows(const struct layout *layout, int view);
int layout_of_view(int view); /* the one that is usual for it */

#endif
