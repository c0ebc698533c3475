/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The help of the screens, from the tables that the dispatcher reads; with a legend of signs and colours.
 */
#include <stdio.h>
#include <string.h>

#include "screen/actions.h"
#include "screen/layout.h"
#include "screen/panes.h"
#include "screen/player.h"
#include "views/draw.h"

#define KEYS_WIDTH 16

static int line_draw(struct canvas *out, int y, int room, enum role role, const char *name, const char *about)
{
	canvas_put_cut(out, 2, y, room, role, name);
	return canvas_put_wrapped(out, room + 3, y, out->width - room - 3, 0, ROLE_TEXT, about);
}

static int action_draw(const struct screen *screen, struct canvas *out, int y, const struct action *action)
{
	sw_text keys = {0}, about = {0};
	const char *refused = action_refused(screen, action);
	action_keys(screen, action, true, &keys);
	sw_text_addf(&about, "%s (%s)", action->about, action->name);
	canvas_put_cut(out, 2, y, KEYS_WIDTH, refused ? ROLE_DIM : ROLE_OP, sw_text_get(&keys));
	y = canvas_put_wrapped(out, KEYS_WIDTH + 3, y, out->width - KEYS_WIDTH - 3, 0, refused ? ROLE_DIM : ROLE_TEXT,
		sw_text_get(&about));
	sw_text_free(&keys);
	sw_text_free(&about);
	return y;
}

static int keys_draw(const struct screen *screen, struct canvas *out, int y)
{
	const char *group = "";
	for (int i = 0; i < action_count; i++) {
		if (strcmp(group, actions[i].group) != 0) {
			group = actions[i].group;
			canvas_putf(out, 0, ++y, ROLE_TITLE, "%s", group);
			y++;
		}
		y = action_draw(screen, out, y, &actions[i]);
	}
	return y;
}

/* On the tour some keys are its own. */
static int tour_draw(struct canvas *out, int y)
{
	canvas_put(out, 0, ++y, ROLE_TITLE, "on the tour");
	y++;
	for (const struct strip_key *row = player_keys; row->key; row++)
		y = line_draw(out, y, KEYS_WIDTH, ROLE_OP, row->key, row->about);
	return y;
}

static int bindings_draw(const struct screen *screen, struct canvas *out, int y)
{
	for (int i = 0; i < screen->bindings.count; i++) {
		const struct binding *row = &screen->bindings.row[i];
		sw_text key = {0};
		if (i == 0)
			canvas_put(out, 0, ++y, ROLE_TITLE, "bound by `bind`");
		key_print(row->key, &key);
		y = line_draw(out, y + (i == 0), KEYS_WIDTH, ROLE_OP, sw_text_get(&key), row->line);
		sw_text_free(&key);
	}
	return y;
}

static const struct {
	const char *sign;
	enum role role;
	const char *about;
} signs[] = {
	{"●", ROLE_SETTLED, "visited: its distance is final"},
	{"○", ROLE_FRONTIER, "node reached; its distance may fall"},
	{"◌", ROLE_UNSEEN, "node at the end of an edge, not seen by the search yet"},
	{"▶", ROLE_CURRENT, "the selection"},
	{"★", ROLE_GOAL, "the goal"},
	{"┃", ROLE_PATH, "the best path to the goal, or to the selection until the goal is seen"},
	{"│", ROLE_BORDER, "the best way to a node, from its parent"},
	{"4┬", ROLE_BORDER, "the same without room for lines: node 4 is the parent of the node after the bracket"},
	{"┊", ROLE_DIM, "the ends of the other edges out of the chosen node"},
	{"╎", ROLE_WALL, "the ends of its refused edges"},
	{"█", ROLE_WALL, "above the memory budget: no nodes here"},
	{"+9", ROLE_DIM, "9 more are folded"},
	{"*", ROLE_TITLE, "above a pane: it has the focus; in tiles: held by the followed device"},
	{"a", ROLE_OWNER11, "in tiles: an element that device 0 held first, b: device 1; on large meshes its number"},
	{"=", ROLE_KEPT, "tile that receives nothing"},
	{"▒", ROLE_LIVE, "live memory: source and destination together"},
	{"!", ROLE_BAD, "above the budget"},
};

/* Shades that stand for the same are listed once. */
static bool line_is_new(int role)
{
	return !role || strcmp(role_about((enum role)role), role_about((enum role)(role - 1))) != 0;
}

static int legend_draw(struct canvas *out, int y)
{
	canvas_put(out, 0, ++y, ROLE_TITLE, "signs");
	y++;
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		y = line_draw(out, y, 4, signs[i].role, signs[i].sign, signs[i].about);
	canvas_put(out, 0, ++y, ROLE_TITLE, "colours; a sign, a number or a position always says the same");
	y++;
	for (int role = 0; role < ROLE_COUNT; role++)
		y = line_is_new(role) ?
			line_draw(out, y, KEYS_WIDTH, (enum role)role, role_name((enum role)role), role_about((enum role)role)) :
			y;
	return y;
}

static int layouts_draw(struct canvas *out, int y)
{
	canvas_put(out, 0, ++y, ROLE_TITLE, "layouts");
	y++;
	for (int i = 0; i < layout_count; i++)
		y = line_draw(out, y, KEYS_WIDTH, ROLE_OP, layouts[i].name, layouts[i].about);
	canvas_put(out, 0, ++y, ROLE_TITLE, "views");
	y++;
	for (int i = 0; i < PANE_COUNT; i++) {
		sw_text about = {0};
		sw_text_addf(&about, "%s; arrows choose %s", pane_rows[i].about, pane_rows[i].moves);
		y = line_draw(out, y, KEYS_WIDTH, ROLE_OP, pane_rows[i].name, sw_text_get(&about));
		sw_text_free(&about);
	}
	return y;
}

bool draw_help(struct screen *screen, int width, int height, struct canvas *out, struct frame *frame, sw_diag *diag)
{
	(void)height, (void)diag;
	canvas_reset(out, width);
	int y = canvas_put_wrapped(out, 0, 0, width, 0, ROLE_NOTE,
		"Every key runs a command or an action; `bind KEY COMMAND` changes it. At the prompt, `help` lists the "
		"commands. Keys that do nothing now are dim.");
	y = bindings_draw(screen, out, y);
	y = keys_draw(screen, out, y);
	y = tour_draw(out, y);
	y = legend_draw(out, y);
	layouts_draw(out, y);
	snprintf(frame->object, sizeof(frame->object), "keys and signs; / searches, & filters, Esc goes back");
	return true;
}
