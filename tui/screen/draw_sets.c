/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What devices hold, who needs what of whom, what a formula needs, and its tasks, on the screens: the pictures that `show` draws.
 */
#include <stdio.h>

#include <shardwalk/number.h>

#include "screen/enter.h"
#include "screen/panes.h"
#include "session/walks.h"
#include "views/computed.h"
#include "views/sets.h"

static struct view_options options_for(const struct screen *screen, int width, int height)
{
	struct view_options options = view_options_default(width);
	options.height = height;
	options.device = screen->viewpoint.device;
	return options;
}

static void frame_device(const struct screen *screen, const char *what, struct frame *frame)
{
	if (screen->viewpoint.device == VIEW_ALL)
		snprintf(frame->object, sizeof(frame->object), "%s", what);
	else
		snprintf(frame->object, sizeof(frame->object), "%s, device %lld", what, (long long)screen->viewpoint.device);
	frame->row = -1;
}

/* ---- types of any kind ---- */

/* After a step of the plan the end that it leads to. */
static bool set_end(const struct screen *screen, struct any_type *end)
{
	const struct state *state = &screen->session->state;
	bool to = plan_step(screen) > 0 && session_any_end(state, DEFINED_TO, end);
	if (!to && !session_any_end(state, DEFINED_FROM, end))
		return false;
	return to;
}

static bool draw_sets_in(struct screen *screen, const struct view_options *options, sw_arena *arena,
	struct canvas *out, struct frame *frame, sw_diag *diag)
{
	const struct state *state = &screen->session->state;
	struct sets_look look;
	struct any_type end;
	struct view_input in = {.sets = &look};
	struct view_options own = *options;
	bool to = set_end(screen, &end);
	if (!session_has_end(state, DEFINED_FROM))
		return session_need(screen->session, DEFINED_FROM, diag);
	if (!sets_look_at(&state->mesh, &end, to ? state->to_order : state->mesh.order, arena, &look, diag))
		return false;
	own.element = screen->viewpoint.has_element ? screen->viewpoint.element : NULL;
	frame_device(screen, to ? "to" : "from", frame);
	return view_sets(&in, &own, out, diag);
}

static bool draw_relation_in(struct screen *screen, const struct view_options *options, sw_arena *arena,
	struct canvas *out, struct frame *frame, sw_diag *diag)
{
	sw_problem problem;
	struct relation_look look;
	struct view_input in = {.relation = &look};
	frame_device(screen, "both ends", frame);
	return session_any_problem(screen->session, &problem, diag) && relation_look_at(&problem, arena, &look, diag) &&
		view_relation(&in, options, out, diag);
}

/* ---- formulas ---- */

static bool draw_needs_in(struct screen *screen, const struct view_options *options, sw_arena *arena,
	struct canvas *out, struct frame *frame, sw_diag *diag)
{
	const struct kept_formula *kept = screen->session->state.formula;
	struct view_input in = {.formula = kept ? kept->computation : NULL};
	(void)arena;
	frame_device(screen, "the formula", frame);
	return view_needs(&in, options, out, diag);
}

/* The layer that may start. */
static int row_ready(const struct canvas *canvas)
{
	for (int y = 0; y < canvas->height; y++)
		for (int x = 0; x < canvas->width; x++)
			if (canvas_cell_at(canvas, x, y)->role == ROLE_GOOD && canvas_cell_at(canvas, x, y)->glyph)
				return y;
	return -1;
}

static bool draw_tasks_in(struct screen *screen, const struct view_options *options, sw_arena *arena,
	struct canvas *out, struct frame *frame, sw_diag *diag)
{
	struct tasks_look look;
	struct view_input in = {.tasks = &look};
	(void)arena;
	if (!session_tasks_look(screen->session, &look, diag) || !view_tasks(&in, options, out, diag))
		return false;
	frame_device(screen, look.done < look.tasks->rounds ? "tasks" : "tasks, all done", frame);
	frame->row = row_ready(out);
	frame->at = look.done;
	frame->of = look.tasks->rounds;
	return true;
}

/* ---- panes ---- */

#define DRAW(name) \
	bool draw_##name(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame, \
		sw_diag *diag) \
	{ \
		struct view_options options = options_for(screen, width, height); \
		sw_arena *arena = sw_arena_new(); \
		bool drawn = arena != NULL ? draw_##name##_in(screen, &options, arena, out, frame, diag) : \
									 sw_diag_memory(diag); \
		sw_arena_free(arena); \
		return drawn; \
	}
DRAW(sets)
DRAW(relation)
DRAW(needs)
DRAW(tasks)

/* How many devices there are to choose from. */
static int64_t devices_of(const struct screen *screen)
{
	const struct state *state = &screen->session->state;
	bool of_formula = screen->viewpoint.view == PANE_NEEDS || screen->viewpoint.view == PANE_TASKS;
	if (of_formula)
		return state->formula ? state->formula->computation->mesh.devices : 0;
	return state->has[DEFINED_MESH] ? state->mesh.devices : 0;
}

bool move_among(struct screen *screen, int across, int down)
{
	int64_t devices = devices_of(screen), device = screen->viewpoint.device;
	if (devices == 0 || down || !across)
		return false;
	device = device == VIEW_ALL ? (across > 0 ? 0 : devices - 1) : device + across;
	screen->viewpoint.device = device < 0 ? devices - 1 : device >= devices ? 0 : device;
	screen_say(screen, ROLE_NOTE, "device %lld of 0 to %lld; Esc follows none", (long long)screen->viewpoint.device,
		(long long)devices - 1);
	screen_echo(screen, true, "show %s --device %lld", pane_rows[screen->viewpoint.view].name,
		(long long)screen->viewpoint.device);
	return true;
}
