/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The view of rewritings: one after the other, from what one would write without thinking to the normal form.
 */
#include <stdio.h>

#include "command/rewriting.h"
#include "screen/panes.h"

int rewriting_count(const struct screen *screen)
{
	sw_film *film = session_film(screen->session, NULL);
	int count = film ? sw_film_count(film) : 0;
	sw_film_free(film);
	return count;
}

/* From 1; 0 where there is none. */
static int rewriting_of(const struct screen *screen, int count)
{
	int now = screen->viewpoint.rewriting;
	return now < 1 ? count > 0 : now > count ? count : now;
}

int rewriting_now(const struct screen *screen)
{
	return rewriting_of(screen, rewriting_count(screen));
}

static void frame_rewriting(const sw_film *film, int now, struct frame *frame)
{
	snprintf(frame->object, sizeof(frame->object), "%s",
		now ? sw_lemma_name(sw_film_rewrite(film, now)->lemma) : "nothing to rewrite");
	frame->at = now;
	frame->of = sw_film_count(film);
	frame->row = -1;
}

bool draw_rewriting(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame,
	sw_diag *diag)
{
	sw_film *film = session_film(screen->session, diag);
	struct view_options options = view_options_default(width);
	struct view_input in = {.film = film};
	options.room = height;
	if (!film)
		return false;
	int now = rewriting_of(screen, sw_film_count(film));
	options.step = now;
	frame_rewriting(film, now, frame);
	bool ok = view_rewriting(&in, &options, out, diag);
	sw_film_free(film);
	return ok;
}

void rewriting_choose(struct screen *screen, int number)
{
	int count = rewriting_count(screen);
	if (number < 1 || number > count) {
		screen_say(screen, ROLE_NOTE, number < 1 ? "this is the first rewriting" : "this is the last rewriting");
		return;
	}
	screen->viewpoint.rewriting = number;
	screen_echo(screen, true, "show rewriting --step %d", number);
}

bool move_rewriting(struct screen *screen, int across, int down)
{
	if (!across || down)
		return false;
	rewriting_choose(screen, rewriting_now(screen) + (across > 0 ? 1 : -1));
	return true;
}
