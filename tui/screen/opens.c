/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A new plan opens its film, and views are made when they open.
 */
#include "screen/opens.h"

#include <stddef.h>

#include "screen/panes.h"
#include "screen/visit.h"
#include "session/schedules.h"
#include "session/settings.h"

struct made opens_now(const struct screen *screen)
{
	const struct state *state = &screen->session->state;
	return (struct made){state->plan ? state->plan->number : 0, state->program, session_kept_schedule(state)};
}

/* Views in which one does not see plans. */
static bool sees_no_plan(const struct screen *screen)
{
	static const int views[] = {PANE_GRAPH, PANE_EDGES, PANE_START, PANE_OUTPUT, PANE_HELP};
	for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++)
		if (screen->viewpoint.view == views[i])
			return true;
	return false;
}

void opens_film(struct screen *screen, const struct made *before)
{
	struct made now = opens_now(screen);
	bool shown = screen->player.step || screen->played.on || !sees_no_plan(screen) ||
		!setting_is(&screen->session->state.settings, SETTING_OPENS, "film");
	bool program = now.program != before->program || now.schedule != before->schedule;
	if (shown || film_count(screen) < 0 || (now.plan == before->plan && !program))
		return;
	screen->viewpoint.step = 0;
	screen->viewpoint.passed = 0;
	screen_visit(screen, PANE_FILM);
	screen_echo(screen, true, "focus film");
}

const char *opens_with(struct screen *screen, int view)
{
	pane_makes *makes = pane_rows[view].makes;
	return makes != NULL && !screen->busy && makes(screen) ? pane_rows[view].name : NULL;
}
