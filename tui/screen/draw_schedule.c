/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Panes of schedules: what processors hold, processors against time, the loops; and those of other things that show schedules too.
 */
#include "screen/panes.h"

#include <stdio.h>

#include "command/programs/moments.h"
#include "command/programs/schedule.h"
#include "screen/opens.h"
#include "session/schedules.h"
#include "views/scheduled.h"

bool pane_of_schedule(const struct screen *screen, int view)
{
	const struct view *is = view_named(sw_str_of(pane_rows[view].name));

	return is != NULL && is->draws_schedule && schedule_is_subject(&screen->session->state);
}

bool need_schedule(struct screen *screen)
{
	sw_diag ignored;

	return session_schedule(screen->session, &ignored) != NULL;
}

#define ROOMY 44 /* rows from which pictures of other things are fitted into their pane; in a lower one they scroll */

/* Where an element or a tile is pinned the step is that of the film. */
static void follow(struct screen *screen, struct view_input *in, struct view_options *options)
{
	struct view_options film = *options;
	sw_diag ignored;

	if (!film_follow(screen, in, &film, &ignored))
		return;
	if (film.element != NULL && options->step != 0)
		options->step = film.step;
	options->element = film.element;
	options->tile = film.tile;
	options->array = film.array;
}

static bool draw_it(struct screen *screen, const struct view *view, const struct canvas_area *room,
	struct canvas *out, struct frame *frame, sw_diag *diag)
{
	const struct kept_formula *kept = screen->session->state.formula;
	struct view_options options = view_options_default(room->width);
	struct schedule_look look;
	struct view_input in = {.mesh = &screen->session->state.mesh,
		.schedule = &look,
		.formula = kept != NULL ? kept->computation : NULL};

	if (session_schedule(screen->session, diag) == NULL || !session_schedule_look(screen->session, &look, diag))
		return false;
	options.room = view->of == OF_SCHEDULE ? room->height : 0;
	options.height = view->of == OF_SCHEDULE || room->height >= ROOMY ? room->height : 0;
	options.device = screen->viewpoint.device;
	options.letters = screen_letters(screen);
	options.step = view->takes_total && screen->viewpoint.total ? 0 : VIEW_ALL;
	if (view->follows_program)
		follow(screen, &in, &options);
	snprintf(frame->object, sizeof frame->object, "%s",
		look.step < look.lowering->steps ? "schedule" : "schedule, all steps done");
	frame->row = -1;
	frame->at = options.element != NULL ? film_now(screen) : look.step;
	frame->of = look.lowering->steps;
	return view->draw(&in, &options, out, diag);
}

/* Views of one redistribution say, of a program, how to get to one. */
static void say_program(const struct screen *screen, int view, sw_diag *diag)
{
	static const int views[] = {PANE_GRAPH, PANE_EDGES, PANE_TILES, PANE_HEIGHTS, PANE_PLAN, PANE_TRAFFIC,
		PANE_REWRITING, PANE_ROUNDS, PANE_PARETO, PANE_TYPE, PANE_SETS, PANE_RELATION};
	const struct state *state = &screen->session->state;

	for (size_t i = 0; i < sizeof views / sizeof *views; i++)
		if (views[i] == view && !state->has[DEFINED_FROM] && moments_are_subject(state)) {
			sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "this view is of one redistribution, and there is a program");
			sw_diag_hint(diag, "V shows the film of all of it; in O, Enter takes one of its redistributions");
		}
}

bool pane_draw_view(struct screen *screen, int view, const struct canvas_area *room, struct canvas *out,
	struct frame *frame, sw_diag *diag)
{
	if (pane_of_schedule(screen, view))
		return draw_it(screen, view_named(sw_str_of(pane_rows[view].name)), room, out, frame, diag);
	if (pane_rows[view].draw(screen, room->width, room->height, out, frame, diag))
		return true;
	say_program(screen, view, diag);
	return false;
}

bool pane_has(struct screen *screen, int view, sw_diag *diag)
{
	pane_need *need = pane_of_schedule(screen, view) ? need_schedule : pane_rows[view].need;
	struct canvas canvas = {0};
	struct frame frame = {.row = -1};

	if (opens_with(screen, view) != NULL || (need != NULL && need(screen)))
		return true;
	canvas_reset(&canvas, screen->width);
	bool there = pane_draw_view(screen, view, &(struct canvas_area){0, 0, screen->width, screen->height}, &canvas,
		&frame, diag);
	canvas_free(&canvas);
	return there;
}

#define DRAW(name) \
	bool draw_##name(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame, \
		sw_diag *diag) \
	{ \
		const struct canvas_area room = {0, 0, width, height}; \
		return draw_it(screen, view_named(sw_str_of(#name)), &room, out, frame, diag); \
	}
DRAW(holds)
DRAW(execution)
DRAW(loops)
