/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tour from step to step: its lines are typed, its keys pressed.
 */
#include <string.h>

#include "screen/enter.h"
#include "screen/player.h"
#include "screen/visit.h"
#include "screen/waiting.h"

#define LEFT "you left the tour; your session is back (U: the tour's)"

/* ---- driving ---- */

/* A key that stands in the table.  What it says is seen; what the line before has answered stays. */
static void press(struct screen *screen)
{
	struct player *player = &screen->player;
	char said[sizeof(screen->message)];
	enum role role = screen->message_role;
	size_t length = strcspn(player->keys, " ");
	int key = key_named((sw_str){player->keys, length});
	player->keys += length + (player->keys[length] == ' ');
	memcpy(said, screen->message, sizeof(said));
	screen_press(screen, key);
	if (screen->message_role != ROLE_BAD) {
		memcpy(screen->message, said, sizeof(said));
		screen->message_role = role;
	}
}

static void run_typed(struct screen *screen, const char *line)
{
	bool ok = screen_do(screen, false, "%s", line);
	if (ok && !tour_step(screen->player.step)->answers)
		*screen->message = '\0';
}

/* The next line or key; a line is seen before it runs. */
static void drive(struct screen *screen, bool in_sight)
{
	struct player *player = &screen->player;
	const char *line = player->typed;
	player->driving = true;
	if (line && in_sight && !player->in_sight) {
		*screen->message = '\0';
	} else if (line) {
		player->typed = NULL;
		run_typed(screen, line);
	} else if (*player->keys) {
		press(screen);
	}
	player->in_sight |= line != NULL;
	player->driving = false;
	if (player_done(player))
		player_keep(screen, player->step + 1);
}

static void drive_to_end(struct screen *screen)
{
	while (!player_done(&screen->player) && !screen->session->leaving)
		drive(screen, false);
}

bool player_drives(const struct screen *screen)
{
	const struct player *player = &screen->player;
	return player->step && !player->paused && !player_done(player) && !prompt_hears(screen) && !screen->ask.row &&
		!screen->busy;
}

void player_tick(struct screen *screen)
{
	if (player_drives(screen))
		drive(screen, true);
}

/* ---- from step to step ---- */

static void step_begin(struct screen *screen, int step)
{
	struct player *player = &screen->player;
	player_return(screen, step);
	*screen->message = '\0';
	player->step = screen->session->tour = step;
	player->typed = tour_step(step)->typed;
	player->keys = tour_step(step)->keys;
	player->in_sight = player->paused = false;
}

/* As it was when its last key was pressed. */
static void step_show(struct screen *screen, int step)
{
	step_begin(screen, step);
	player_return(screen, step + 1);
	screen->player.typed = NULL;
	screen->player.keys = "";
	screen->player.in_sight = true;
}

/* The session that was kept aside comes back; where it had nothing, what is offered does too. */
static void leave(struct screen *screen, const char *words)
{
	player_return(screen, 0);
	player_free(screen);
	screen->session->tour = 0;
	screen->offers = screen->viewpoint.view == PANE_START;
	screen_say(screen, ROLE_NOTE, "%s", words);
}

static void begin(struct screen *screen)
{
	player_keep(screen, 0);
	screen->viewpoint = viewpoint_at_first();
	screen->zoomed = false;
	player_keep(screen, 1);
}

/* The steps before, as far as they were not there yet, are done unseen. */
static void go_to(struct screen *screen, int step)
{
	int from = step;
	if (!screen->player.before[1])
		begin(screen);
	screen->typing = false;
	while (from > 1 && !screen->player.before[from])
		from--;
	for (; from < step; from++) {
		step_begin(screen, from);
		drive_to_end(screen);
	}
	step_begin(screen, step);
}

void player_follow(struct screen *screen)
{
	int step = screen->session->tour;
	if (screen->player.driving || step == screen->player.step)
		return;
	if (tour_step(step))
		go_to(screen, step);
	else
		leave(screen, LEFT);
}

static void next(struct screen *screen)
{
	int step = screen->player.step;
	if (!player_done(&screen->player)) {
		screen->player.paused = false;
		drive_to_end(screen);
	} else if (tour_step(step + 1)) {
		go_to(screen, step + 1);
	} else {
		leave(screen, "the tour ends here; your session is back (U: the tour's)");
	}
}

static void back(struct screen *screen)
{
	int step = screen->player.step;
	if (step > 1) {
		step_show(screen, step - 1);
		return;
	}
	leave(screen, LEFT);
}

static void pause(struct screen *screen)
{
	if (player_done(&screen->player))
		screen_say(screen, ROLE_NOTE, "all keys of this step are pressed; Enter continues");
	else
		screen->player.paused = !screen->player.paused;
}

/* Ctrl-C stops the keys; where none are left it leaves. */
static void interrupt(struct screen *screen)
{
	if (player_drives(screen))
		pause(screen);
	else
		leave(screen, LEFT);
}

bool player_key(struct screen *screen, int key)
{
	if (!screen->player.step || screen->player.driving || screen->busy)
		return false;
	if (key == KEY_ENTERED)
		next(screen);
	else if (key == 'b')
		back(screen);
	else if (key == KEY_SPACE)
		pause(screen);
	else if (key == KEY_CONTROL('c'))
		interrupt(screen);
	else if (key == KEY_ESC)
		leave(screen, LEFT);
	else
		return false;
	return true;
}
