/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Panes of schedules: what processors hold, processors against time, the loops.
 */
#include "screen/panes.h"

#include <stdio.h>

#include "session/schedules.h"
#include "views/scheduled.h"

static bool draw_it(struct screen *screen, view_function *draw, const struct canvas_area *room, struct canvas *out,
	struct frame *frame, sw_diag *diag)
{
	struct view_options options = view_options_default(room->width);
	struct schedule_look look;
	const struct view_input in = {.mesh = &screen->session->state.mesh, .schedule = &look};

	if (session_schedule(screen->session, diag) == NULL || !session_schedule_look(screen->session, &look, diag))
		return false;
	options.height = room->height;
	options.device = screen->viewpoint.device;
	snprintf(frame->object, sizeof frame->object, "%s",
		look.step < look.lowering->steps ? "schedule" : "schedule, all steps done");
	frame->row = -1;
	frame->at = look.step;
	frame->of = look.lowering->steps;
	return draw(&in, &options, out, diag);
}

#define DRAW(name, view) \
	bool draw_##name(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame, \
		sw_diag *diag) \
	{ \
		return draw_it(screen, view, &(struct canvas_area){0, 0, width, height}, out, frame, diag); \
	}
DRAW(holds, view_holds)
DRAW(execution, view_execution)
DRAW(loops, view_loops)
