/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a statement to the view that shows it.
 */
#include "screen/played.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/number.h>

#include "command/command.h"
#include "screen/output.h"
#include "screen/panes.h"
#include "screen/visit.h"
#include "session/schedules.h"

static const struct strip_key keys_played[] = {{"Space", "pause", NULL}, {"C-c", "stop", NULL}, {NULL, NULL, NULL}};
static const struct strip_key keys_held[] = {{"Space", "go on", NULL}, {"C-c", "stop", NULL}, {NULL, NULL, NULL}};

static const struct {
	const char *command;
	int view;
} views_of[] = {{"mesh", PANE_MESH}, {"from", PANE_TYPE}, {"to", PANE_TILES}, {"redistribute", PANE_TILES},
	{"plan", PANE_PLAN}, {"replace", PANE_PLAN}, {"step", PANE_GRAPH}, {"back", PANE_GRAPH}, {"finish", PANE_GRAPH},
	{"goto", PANE_GRAPH}, {"path", PANE_GRAPH}, {"frontier", PANE_GRAPH}, {"edges", PANE_EDGES}};

/* The number behind `--step`, or alone; -1: none is there. */
static int step_of(sw_str statement)
{
	char text[256];
	int64_t step;
	snprintf(text, sizeof(text), "%.*s", (int)statement.length, statement.at);
	const char *option = strstr(text, "--step "), *last = strrchr(text, ' ');
	const char *word = option ? option + 7 : last ? last + 1 : "";
	return sw_read_int((sw_str){word, strcspn(word, " ")}, &step, NULL) && step < 1 << 20 ? (int)step : -1;
}

/* `show tiles --step 1`: that view at that step; `show devices` is the other side of tiles. */
static int view_shown(struct screen *screen, sw_str statement)
{
	sw_str rest = sw_str_trim((sw_str){statement.at + 4, statement.length - 4}), name = line_first(rest);
	const sw_plan *plan = screen_plan(screen);
	int step = step_of(statement), view = -1;
	bool devices = sw_str_is(name, "devices");
	for (int i = 0; i < PANE_COUNT; i++)
		if (sw_str_is(devices ? sw_str_of("tiles") : name, pane_rows[i].name))
			view = i;
	if (view == PANE_TILES)
		screen->viewpoint.by_device = devices;
	screen->viewpoint.step = step >= 0 ? step : plan ? plan->program.steps : 0;
	return view;
}

static int view_for(struct screen *screen, sw_str statement)
{
	const struct command *command = command_named(line_first(statement), NULL);
	const char *name = command ? command->name : line_arrow(statement).length ? "redistribute" : "";
	if (strcmp(name, "show") == 0)
		return view_shown(screen, statement);
	for (size_t i = 0; i < sizeof(views_of) / sizeof(*views_of); i++)
		if (strcmp(name, views_of[i].command) == 0)
			return views_of[i].view == PANE_GRAPH && screen->session->state.walked == SW_WALK_STEPS ?
				(session_kept_schedule(&screen->session->state) ? PANE_HOLDS : PANE_TASKS) :
				views_of[i].view;
	return command && command->view ? pane_named(command->view) : -1;
}

/* Without a plan the views beside would say only that there is none.  What has no view of its own is read among the answers. */
static void look_at(struct screen *screen, const struct film_moment *moment)
{
	int view = view_for(screen, moment->statement);
	screen->viewpoint.top[PANE_OUTPUT] = screen->answer_at;
	screen->zoomed = !screen_plan(screen);
	screen_visit(screen, view >= 0 ? view : PANE_OUTPUT);
}

/* Comments behind the last statement stand among the answers; a row of them would be torn out. */
static void end(struct screen *screen)
{
	struct played *played = &screen->played;
	if (played->on && !screen->answer_bad)
		snprintf(screen->answer_line, sizeof(screen->answer_line), "played to the end: %s", played->place);
	screen->zoomed = played->on ? played->zoomed : screen->zoomed;
	played->on = played->held = false;
}

void played_moment(struct screen *screen, const struct film_moment *moment)
{
	struct played *played = &screen->played;
	if (!moment) {
		end(screen);
		return;
	}
	played->zoomed = played->on ? played->zoomed : screen->zoomed;
	played->on = true;
	const char *file = moment->file ? moment->file : "script", *folder = strrchr(file, '/');
	screen->typing = false;
	snprintf(played->place, sizeof(played->place), "%.60s, line %d", folder ? folder + 1 : file, moment->line);
	snprintf(played->words, sizeof(played->words), "%s", moment->words);
	snprintf(played->line, sizeof(played->line), "%.*s",
		(int)(moment->statement.length < 200 ? moment->statement.length : 200), moment->statement.at);
	if (moment->done)
		look_at(screen, moment);
	if (screen->paint)
		screen->paint(screen);
}

bool played_strip(const struct screen *screen, struct strip *strip)
{
	const struct played *played = &screen->played;
	if (!played->on)
		return false;
	*strip =
		(struct strip){.words = played->words, .line = played->line, .keys = played->held ? keys_held : keys_played};
	snprintf(strip->left, sizeof(strip->left), "%s", played->place);
	snprintf(strip->right, sizeof(strip->right), "%s", played->held ? "paused" : "");
	return true;
}

bool played_key(struct screen *screen, int key)
{
	if (!screen->played.on || key != KEY_SPACE)
		return false;
	screen->played.held = !screen->played.held;
	return true;
}
