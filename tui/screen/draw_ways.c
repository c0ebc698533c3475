/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The views of ways and of placements: lists as they were answered, with a row under the cursor.
 */
#include <stdio.h>

#include "screen/enter.h"
#include "screen/heads.h"
#include "screen/listed.h"
#include "screen/panes.h"
#include "session/placing.h"

static bool draw_list(struct screen *screen, int view, int width, struct canvas *out, struct frame *frame,
	sw_diag *diag)
{
	struct listing *listing = listed_of(screen, view);

	bool drawn = listing != NULL && listing_draw(listing, width, out, frame, diag);
	if (drawn) {
		heads_find(out, pane_rows[view].name, frame);
		heads_keep_list(out, listing, frame);
	}
	return drawn;
}

static bool move_list(struct screen *screen, int view, int by)
{
	struct listing *listing = listed_of(screen, view);
	bool moved = listing != NULL && listing_move(listing, by);

	if (moved && listing->chosen == 0)
		screen->viewpoint.top[view] = 0;
	return moved;
}

/* ---- ways ---- */

/* What the star says that some have. */
static void name_way(const struct listing *listing, struct frame *frame)
{
	if (frame->of == 0)
		snprintf(frame->object, sizeof frame->object, "Down chooses one; * no other is better in all numbers");
	else
		snprintf(frame->object, sizeof frame->object, "way %d; Enter makes it the program", listing_number(listing));
}

bool draw_ways(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame, sw_diag *diag)
{
	(void)height;
	if (listed_of(screen, PANE_WAYS) == NULL) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "no ways of a product listed yet");
		sw_diag_hint(diag, "einsum ij,jk->ik [4, 6], [6, 8] as [4, 8] lists them; W again shows them here");
		return false;
	}
	bool drawn = draw_list(screen, PANE_WAYS, width, out, frame, diag);
	if (drawn)
		name_way(listed_of(screen, PANE_WAYS), frame);
	return drawn;
}

bool makes_ways(struct screen *screen)
{
	const struct kept_product *product = screen->session->state.product;
	const struct listing *listing = listed_of(screen, PANE_WAYS);

	return product != NULL && (listing == NULL || listing->of != product);
}

bool move_ways(struct screen *screen, int across, int down)
{
	return move_list(screen, PANE_WAYS, across + down);
}

void open_ways(struct screen *screen)
{
	const struct listing *listing = listed_of(screen, PANE_WAYS);

	if (listing == NULL)
		screen_say(screen, ROLE_NOTE, "there are no ways to choose from; at the prompt: einsum");
	else if (listing->chosen == 0)
		screen_say(screen, ROLE_NOTE, "choose a way first: Down");
	else
		screen_do(screen, false, "ways %d%s", listing_number(listing), listing->options);
}

/* ---- placements ---- */

bool draw_placements(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame,
	sw_diag *diag)
{
	(void)height;
	if (listed_of(screen, PANE_PLACEMENTS) == NULL) {
		sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "no placements listed yet");
		sw_diag_hint(diag, "system p2-a100 4, then axes {data: 8, shard: 8}; F5 again lists them here");
		return false;
	}
	bool drawn = draw_list(screen, PANE_PLACEMENTS, width, out, frame, diag);
	if (drawn && frame->of > 0)
		snprintf(frame->object, sizeof frame->object, "row %d; Enter places the axes like this",
			listing_number(listed_of(screen, PANE_PLACEMENTS)));
	else if (drawn)
		snprintf(frame->object, sizeof frame->object, "Down chooses one");
	return drawn;
}

bool makes_placements(struct screen *screen)
{
	const struct placing *placing = screen->session->state.placing;

	return placing != NULL && placing->has_axes && listed_of(screen, PANE_PLACEMENTS) == NULL;
}

bool move_placements(struct screen *screen, int across, int down)
{
	return move_list(screen, PANE_PLACEMENTS, across + down);
}

void open_placements(struct screen *screen)
{
	const struct listing *listing = listed_of(screen, PANE_PLACEMENTS);

	if (listing == NULL)
		screen_say(screen, ROLE_NOTE, "there are no placements to choose from; at the prompt: system, axes");
	else if (listing->chosen == 0)
		screen_say(screen, ROLE_NOTE, "choose a placement first: Down");
	else
		screen_do(screen, false, "place %d", listing_number(listing));
}
