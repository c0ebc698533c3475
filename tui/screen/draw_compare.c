/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The view of what was compared: strategies as they were drawn, or a list of ways to compute a formula, of which one is taken.
 */
#include <stdio.h>
#include <string.h>

#include "screen/enter.h"
#include "screen/heads.h"
#include "screen/listed.h"
#include "screen/panes.h"

bool draw_compare(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame,
	sw_diag *diag)
{
	struct listing *listing = listed_of(screen, PANE_COMPARE);
	const struct canvas *compare = &screen->compare;
	(void)height;

	if (listing == NULL && !compare->height) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "nothing was compared yet");
		sw_diag_hint(diag, "Enter, or: compare");
		return false;
	}
	if (listing == NULL) {
		canvas_reset(out, compare->width);
		canvas_copy(out, 0, 0, compare);
		heads_find(out, "compare", frame);
		snprintf(frame->object, sizeof frame->object, "strategies side by side; Enter plans again");
		return true;
	}
	bool drawn = listing_draw(listing, width, out, frame, diag);
	heads_find(out, "compare", frame);
	if (frame->of > 0)
		snprintf(frame->object, sizeof frame->object, "%.40s; Enter takes it",
			table_text(listing_table(listing), listing->chosen - 1, 0));
	else
		snprintf(frame->object, sizeof frame->object, "schedules side by side; Down chooses one");
	return drawn;
}

bool move_compare(struct screen *screen, int across, int down)
{
	struct listing *listing = listed_of(screen, PANE_COMPARE);
	bool moved = listing != NULL && listing_move(listing, across + down);

	if (moved && listing->chosen == 0)
		screen->viewpoint.top[PANE_COMPARE] = 0;
	return moved;
}

void open_compare(struct screen *screen)
{
	const struct listing *listing = listed_of(screen, PANE_COMPARE);

	if (listing == NULL || listing->chosen == 0)
		screen_do(screen, false, "compare");
	else
		screen_do(screen, false, "schedule %s", table_text(listing_table(listing), listing->chosen - 1, 0));
}
