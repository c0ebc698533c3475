/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Systems, placements and sums over them, on the screens: the pictures that `show` draws.
 */
#include "command/placement/sum_look.h"
#include "screen/panes.h"

/* Of a program the step with the cursor; of steps by hand the last. */
static bool draw_look(struct screen *screen, const char *name, int width, struct canvas *out, sw_diag *diag)
{
	const struct view *view = view_named(sw_str_of(name));
	const sw_plan *plan = screen_steps(screen);
	int step = plan && sum_look_steps(screen->session) == plan->program.steps ? plan_step(screen) : VIEW_ALL;
	sw_arena *arena = sw_arena_new();
	struct view_options options = view_options_default(width);
	struct view_input in = {0};

	if (arena == NULL)
		return sw_diag_memory(diag);
	in.look = sum_look_of(screen->session, view, step, (sw_str){"", 0}, arena, diag);
	bool drawn = in.look != NULL && view->draw(&in, &options, out, diag);
	sw_arena_free(arena);
	return drawn;
}

#define DRAW(name) \
	bool draw_##name(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame, \
		sw_diag *diag) \
	{ \
		(void)height; \
		frame->row = -1; \
		return draw_look(screen, #name, width, out, diag); \
	}
DRAW(system)
DRAW(placement)
DRAW(groups)
DRAW(state)
DRAW(hierarchies)
DRAW(reductions)
