/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a key to what it does.
 */
#include "screen/actions.h"

#include "command/programs/moments.h"
#include "screen/enter.h"
#include "screen/panes.h"
#include "screen/runs.h"
#include "screen/played.h"
#include "screen/player.h"

static void say_nothing_bound(struct screen *screen, int key)
{
	sw_text name = {0};
	key_print(key, &name);
	screen_say(screen, ROLE_WARN, "%s means nothing here; ? lists the keys", sw_text_get(&name));
	sw_text_free(&name);
}

/* Is it the problem that is missing, and not a search or a view that was visited, with nothing else to look at? */
static bool problem_missing(const struct screen *screen, const struct action *action, sw_diag *diag)
{
	static const enum need others[] = {NEED_NOTHING, NEED_FINDING, NEED_PAST, NEED_FUTURE};
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (action->need == others[i])
			return false;
	if (screen->busy || screen_walked(screen) || moments_are_subject(&screen->session->state))
		return false;
	return !session_problem(screen->session, &(sw_problem){0}, diag) && diag->code == SW_L07;
}

static void say_refused(struct screen *screen, int key, const struct action *action, const char *refused)
{
	sw_diag diag;
	sw_text name = {0};
	key_print(key, &name);
	if (problem_missing(screen, action, &diag))
		screen_say(screen, ROLE_WARN, "%s: %s; %s", sw_text_get(&name), diag.message, diag.hint);
	else
		screen_say(screen, ROLE_WARN, "%s (%s): %s", sw_text_get(&name), action->label, refused);
	sw_text_free(&name);
}

static void run_action(struct screen *screen, int key, const struct action *action)
{
	const char *refused = action_refused(screen, action);
	if (refused)
		say_refused(screen, key, action, refused);
	else
		action->run(screen, action->argument);
}

void screen_press(struct screen *screen, int key)
{
	for (int i = 0; i < key_row_count; i++)
		if (key_rows[i].key == key)
			run_action(screen, key, action_named(sw_str_of(key_rows[i].action)));
}

void screen_key(struct screen *screen, int key)
{
	const char *line;
	screen->answered = false;
	if (ask_key(screen, key) || played_key(screen, key) || player_key(screen, key))
		return;
	*screen->message = '\0';
	screen->found = false;
	screen->message_role = ROLE_TEXT;
	const struct action *action = action_of(screen, key, &line);
	if (line && screen->busy)
		screen_say(screen, ROLE_WARN, "%s", runs_refusal(screen));
	else if (line)
		screen_do(screen, false, "%s", line);
	else if (action)
		run_action(screen, key, action);
	else
		say_nothing_bound(screen, key);
}
