/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The screen's state: what there is to look at, what is said, and what goes to the history.
 */
#include "screen/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "answer/words.h"
#include "session/walks.h"
#include "shell/history.h"

void screen_say(struct screen *screen, enum role role, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(screen->message, sizeof(screen->message), format, arguments);
	va_end(arguments);
	screen->message_role = role;
}

void screen_say_device(struct screen *screen, const sw_mesh *mesh)
{
	screen_say(screen, ROLE_NOTE, "device %s of %s to %s; Esc follows none",
		words_device_first(mesh, screen->viewpoint.device).text, words_device(mesh, 0).text,
		words_device(mesh, mesh->devices - 1).text);
}

/* ---- what is there to look at ---- */

sw_walk *screen_walked(const struct screen *screen)
{
	const struct kept_walk *kept = session_begun(screen->session);
	return kept ? kept->walk : NULL;
}

sw_walk *screen_walk(const struct screen *screen)
{
	sw_walk *walk = screen_walked(screen);
	return walk && sw_walk_problem(walk) ? walk : NULL;
}

int screen_walk_number(const struct screen *screen)
{
	return session_begun(screen->session)->number;
}

const sw_plan *screen_plan(const struct screen *screen)
{
	const struct kept_plan *kept = screen->session->state.plan;
	return kept && sw_plan_first_pieces(&kept->plan) < 0 ? &kept->plan : NULL;
}

const sw_plan *screen_steps(const struct screen *screen)
{
	const struct kept_plan *kept = screen->session->state.plan;
	return kept ? &kept->plan : NULL;
}

bool screen_node(const struct screen *screen, sw_node *node)
{
	const struct state *state = &screen->session->state;
	sw_walk *walk = screen_walked(screen);
	if (!walk)
		return false;
	if (state->has_focus && session_begun(screen->session)->kind == state->walked &&
		sw_walk_node_at(walk, state->focus, node, NULL))
		return true;
	return sw_walk_node(walk, sw_walk_current(walk) ? sw_walk_current(walk) : sw_walk_start(walk), node);
}

/* ---- the history ---- */

/* The command and its first word after it: `show tiles`, `goto`. */
static size_t kind_length(const char *line)
{
	size_t length = strcspn(line, " ");
	if (strncmp(line, "show ", 5) == 0)
		length += 1 + strcspn(line + length + 1, " ");
	return length;
}

void screen_flush_echo(struct screen *screen)
{
	if (!screen->echo.length)
		return;
	if (screen->prompt_lines && !screen->player.driving)
		history_append(screen->session->console, sw_text_get(&screen->echo));
	sw_text_add_str(&screen->script, (sw_str){sw_text_get(&screen->echo), screen->echo.length});
	sw_text_add_char(&screen->script, '\n');
	sw_text_clear(&screen->echo);
}

static void echo_take(struct screen *screen, bool moves, const char *line)
{
	const char *waiting = sw_text_get(&screen->echo);
	size_t kind = kind_length(line);
	if (!moves || kind != kind_length(waiting) || strncmp(line, waiting, kind) != 0)
		screen_flush_echo(screen);
	sw_text_clear(&screen->echo);
	sw_text_add(&screen->echo, line);
	if (!moves)
		screen_flush_echo(screen);
}

void screen_echo(struct screen *screen, bool moves, const char *format, ...)
{
	sw_text line = {0};
	va_list arguments;
	va_start(arguments, format);
	sw_text_addv(&line, format, arguments);
	va_end(arguments);
	echo_take(screen, moves, sw_text_get(&line));
	sw_text_free(&line);
}
