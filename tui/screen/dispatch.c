/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a key to what it does.
 */
#include "screen/actions.h"

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

static void run_action(struct screen *screen, int key, const struct action *action)
{
	const char *refused = action_refused(screen, action);
	sw_text name = {0};
	if (refused) {
		sw_diag diag;
		bool missing = action->need != NEED_NOTHING && !session_problem(screen->session, &(sw_problem){0}, &diag) &&
			diag.code == SW_L07;
		key_print(key, &name);
		screen_say(screen, ROLE_WARN, "%s (%s): %s%s%s", sw_text_get(&name), action->label, refused,
			missing ? "; " : "", missing ? diag.hint : "");
		sw_text_free(&name);
		return;
	}
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
