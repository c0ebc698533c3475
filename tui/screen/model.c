/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The screen's state: made, spoken to, and going from view to view.
 */
#include "screen/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screen/layout.h"
#include "screen/output.h"
#include "screen/panes.h"
#include "shell/history.h"

static struct viewpoint viewpoint_at_first(void)
{
	struct viewpoint viewpoint = {.view = PANE_GRAPH, .device = VIEW_ALL, .fold = true, .dims = {VIEW_ALL, VIEW_ALL}};
	viewpoint.layout = layout_named(sw_str_of(pane_rows[viewpoint.view].layout), NULL);
	return viewpoint;
}

struct screen *screen_of(struct session *session)
{
	struct screen *screen = session->screen;
	if (screen)
		return screen;
	screen = session->screen = calloc(1, sizeof(*screen));
	if (!screen)
		return NULL;
	screen->session = session;
	session->print_screen = screen_print;
	screen->viewpoint = viewpoint_at_first();
	screen->trail[0] = screen->viewpoint;
	screen->trail_count = 1;
	screen->repeat = 's';
	screen->width = 80;
	screen->height = 24;
	snprintf(screen->prompt, sizeof(screen->prompt), "shardwalk> ");
	output_begin(screen);
	return screen;
}

void screen_free(struct session *session)
{
	struct screen *screen = session->screen;
	if (!screen)
		return;
	session->screen = NULL;
	session->print_screen = NULL;
	for (int i = 0; i < PANES_MOST; i++)
		canvas_free(&screen->panes[i].picture);
	canvas_free(&screen->output);
	canvas_free(&screen->listed);
	canvas_free(&screen->answer);
	canvas_free(&screen->compare);
	sw_text_free(&screen->echo);
	sw_text_free(&screen->script);
	sw_text_free(&screen->copied);
	sw_arena_free(screen->edges.arena);
	graph_forget(&screen->graph);
	free(screen);
}

void screen_say(struct screen *screen, enum role role, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(screen->message, sizeof(screen->message), format, arguments);
	va_end(arguments);
	screen->message_role = role;
}

/* ---- what is there to look at ---- */

sw_walk *screen_walk(const struct screen *screen)
{
	const struct held_walk *held = screen->session->state.walk;
	return held ? held->walk : NULL;
}

const sw_plan *screen_plan(const struct screen *screen)
{
	const struct held_plan *held = screen->session->state.plan;
	return held ? &held->plan : NULL;
}

bool screen_node(const struct screen *screen, sw_node *node)
{
	const struct state *state = &screen->session->state;
	const sw_walk *walk = screen_walk(screen);
	if (!walk)
		return false;
	if (state->has_focus && sw_walk_node_at(walk, state->focus, node, NULL))
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
	if (screen->prompt_lines)
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

/* What the session answered in one line is the message. */
static void say_answer(struct screen *screen)
{
	if (*screen->answer_line)
		screen_say(screen, screen->answer_bad ? ROLE_BAD : ROLE_TEXT, "%s%s", screen->answer_line,
			screen->answer_rows > 1 && screen->viewpoint.view != PANE_OUTPUT ? "  (8: all of it)" : "");
}

bool screen_do(struct screen *screen, bool moves, const char *format, ...)
{
	sw_text line = {0};
	va_list arguments;
	va_start(arguments, format);
	sw_text_addv(&line, format, arguments);
	va_end(arguments);
	long long failures = screen->session->failures;
	output_open(screen, sw_text_get(&line), !moves);
	struct position position = {.line = 1, .text = {sw_text_get(&line), line.length}};
	statement_run_line(screen->session, &position);
	output_close(screen);
	bool ok = screen->session->failures == failures;
	if (ok)
		echo_take(screen, moves, sw_text_get(&line));
	say_answer(screen);
	sw_text_free(&line);
	return ok;
}

bool screen_take_line(struct screen *screen, const char *line)
{
	bool whole = true;
	screen_flush_echo(screen);
	output_open(screen, line, true);
	if (screen->prompt_lines) {
		whole = prompt_take(screen->prompt_lines, line);
	} else {
		struct position position = {.line = 1, .text = sw_str_of(line)};
		whole = statement_run_line(screen->session, &position);
	}
	output_close(screen);
	say_answer(screen);
	return whole;
}

/* ---- from view to view ---- */

static void trail_keep(struct screen *screen)
{
	const struct state *state = &screen->session->state;
	screen->viewpoint.has_node = state->has_focus;
	memcpy(screen->viewpoint.node, state->focus, sizeof(screen->viewpoint.node));
	screen->trail[screen->trail_at] = screen->viewpoint;
}

static void trail_push(struct screen *screen)
{
	if (screen->trail_at + 1 == TRAIL_MOST) {
		memmove(screen->trail, screen->trail + 1, (TRAIL_MOST - 1) * sizeof(*screen->trail));
		screen->trail_at--;
	}
	screen->trail[++screen->trail_at] = screen->viewpoint;
	screen->trail_count = screen->trail_at + 1;
}

void screen_visit(struct screen *screen, int view)
{
	if (view == screen->viewpoint.view)
		return;
	trail_keep(screen);
	if (!layout_shows(&layouts[screen->viewpoint.layout], view)) {
		int layout = layout_named(sw_str_of(pane_rows[view].layout), NULL);
		screen->viewpoint.layout = layout < 0 ? 0 : layout;
	}
	screen->viewpoint.view = view;
	trail_push(screen);
}

void screen_layout_set(struct screen *screen, int layout)
{
	trail_keep(screen);
	screen->viewpoint.layout = layout;
	screen->zoomed = false;
	if (layouts[layout].views[0] >= 0 && !layout_shows(&layouts[layout], screen->viewpoint.view))
		screen->viewpoint.view = layouts[layout].views[0];
	trail_push(screen);
}

/* The view before or after, as it was left; the node that was chosen there is chosen again. */
void screen_trail(struct screen *screen, int direction)
{
	int to = screen->trail_at + direction;
	sw_node node;
	if (to < 0 || to >= screen->trail_count)
		return;
	trail_keep(screen);
	screen->trail_at = to;
	screen->viewpoint = screen->trail[to];
	screen_echo(screen, true, "focus %s", pane_rows[screen->viewpoint.view].name);
	const sw_walk *walk = screen_walk(screen);
	if (screen->viewpoint.has_node && walk && !screen->busy &&
		sw_walk_node_at(walk, screen->viewpoint.node, &node, NULL) && node.id)
		screen_do(screen, true, "goto %d", node.id);
}
