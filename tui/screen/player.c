/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the tour stands: the places that it comes back to, and what it says above the bar.
 */
#include "screen/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct player_place {
	struct place *session;
	struct viewpoint viewpoint;
	bool zoomed;
};

#define LEAVES "leave; the session is as before"
const struct strip_key player_keys[] = {
	{"Enter", "next", "the rest of the step's keys at once, then the next step"},
	{"b", "back", "the step before; the session is as it was then"},
	{"Space", "pause", "pauses and continues the keys; C-c pauses, too, then leaves"},
	{"Esc", LEAVES, "leaves the tour; the session is as it was before, and U brings back what the tour defined"},
	{NULL, NULL, NULL},
};
static const struct strip_key keys_paused[] = {{"Enter", "next", NULL}, {"b", "back", NULL}, {"Space", "go on", NULL},
	{"Esc", LEAVES, NULL}, {NULL, NULL, NULL}};
static const struct strip_key keys_last[] = {{"Enter", "end", NULL}, {"b", "back", NULL}, {"?", "keys", NULL},
	{":", "prompt", NULL}, {"Esc", LEAVES, NULL}, {NULL, NULL, NULL}};

/* ---- places to come back to ---- */

static void place_free(struct player_place *place)
{
	if (place)
		session_place_free(place->session);
	free(place);
}

void player_keep(struct screen *screen, int step)
{
	struct player_place *place = calloc(1, sizeof(*place));
	if (place && !(place->session = session_place(screen->session))) {
		free(place);
		place = NULL;
	}
	if (place) {
		place->viewpoint = screen->viewpoint;
		place->zoomed = screen->zoomed;
	}
	place_free(screen->player.before[step]);
	screen->player.before[step] = place;
}

/* How the screens look and how fast it goes is not the tour's. */
static void keep_looks(const struct settings *kept, struct settings *settings)
{
	static const enum setting looks[] = {SETTING_PACE, SETTING_COLOR, SETTING_ASCII, SETTING_BACKGROUND,
		SETTING_MOUSE, SETTING_FOCUS, SETTING_OPENS, SETTING_WIDTH, SETTING_SAFE};
	for (size_t i = 0; i < sizeof(looks) / sizeof(*looks); i++)
		settings->value[looks[i]] = kept->value[looks[i]];
}

void player_return(struct screen *screen, int step)
{
	const struct player_place *place = screen->player.before[step];
	struct settings kept = screen->session->state.settings;
	sw_diag diag;
	if (!place)
		return;
	if (!session_return(screen->session, place->session, "tour", &diag))
		screen_say(screen, ROLE_BAD, "%s", diag.message);
	keep_looks(&kept, &screen->session->state.settings);
	screen->viewpoint = place->viewpoint;
	screen->zoomed = place->zoomed;
	screen->running = false;
	*screen->search.text = '\0';
	memset(screen->filter, 0, sizeof(screen->filter));
}

void player_free(struct screen *screen)
{
	for (int i = 0; i < TOUR_MOST + 2; i++)
		place_free(screen->player.before[i]);
	screen->player = (struct player){0};
}

bool player_done(const struct player *player)
{
	return !player->typed && !*player->keys;
}

/* ---- what is said ---- */

/* Of the keys of a step, those that were pressed. */
static void pressed_text(const struct player *player, char *text, size_t size)
{
	const char *all = tour_step(player->step)->keys;
	size_t length = *player->keys ? (size_t)(player->keys - all) : strlen(all);
	const char *state = player->paused ? "paused" : "";
	if (length)
		snprintf(text, size, "%s%spressed: %.*s", state, *state ? ", " : "", (int)(length - (all[length - 1] == ' ')),
			all);
	else
		snprintf(text, size, "%s", state);
}

bool player_strip(const struct screen *screen, struct strip *strip)
{
	const struct player *player = &screen->player;
	if (!player->step)
		return false;
	const struct tour_step *step = tour_step(player->step);
	*strip = (struct strip){.words = step->sentence, .keys = player_keys};
	snprintf(strip->left, sizeof(strip->left), "tour %d of %d", player->step, tour_length());
	pressed_text(player, strip->right, sizeof(strip->right));
	strip->line = player->in_sight ? step->typed : NULL;
	if (player->paused)
		strip->keys = keys_paused;
	else if (player->step == tour_length() && player_done(player))
		strip->keys = keys_last;
	return true;
}
