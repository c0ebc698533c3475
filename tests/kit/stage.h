/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Screens without a terminal: a session with its screen, on which lines are typed and keys pressed.
 */
#ifndef TESTS_KIT_STAGE_H
#define TESTS_KIT_STAGE_H

#include "kit/kit.h"

#include "screen/actions.h"
#include "screen/enter.h"
#include "screen/layout.h"
#include "screen/panes.h"
#include "screen/visit.h"

static inline void type_lines(struct screen *screen, const char *lines)
{
	char copy[1024], *rest = NULL;
	snprintf(copy, sizeof(copy), "%s", lines);
	for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		screen_take_line(screen, line);
}

static inline struct screen *stage_open(struct session *session, const char *lines)
{
	static struct console console;
	console = console_of_process();
	assert_true(session_init(session, &console));
	session->interactive = true;
	struct screen *screen = screen_of(session);
	assert_non_null(screen);
	type_lines(screen, lines);
	return screen;
}

static inline void stage_close(struct session *session)
{
	screen_capture(session->screen, false);
	screen_free(session);
	session_end(session);
}

static inline void look(struct screen *screen, int width, int height, sw_text *text)
{
	struct canvas canvas = {0};
	struct cursor cursor = screen_compose(screen, width, height, &canvas);
	assert_int_equal(canvas.width, width);
	assert_int_equal(canvas.height, height);
	assert_false(canvas.failed);
	assert_true(!cursor.shown || (cursor.x >= 0 && cursor.x <= width && cursor.y >= 0 && cursor.y < height));
	if (text)
		canvas_print(&canvas, &(struct canvas_style){0}, text);
	canvas_free(&canvas);
}

/* Keys by their names, with blanks between them; the picture is drawn after each. */
static inline void press(struct screen *screen, const char *names)
{
	char copy[512], *rest = NULL;
	snprintf(copy, sizeof(copy), "%s", names);
	for (char *name = strtok_r(copy, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
		int key = key_named(sw_str_of(name));
		assert_true(key >= 0);
		screen_key(screen, key);
		look(screen, 80, 24, NULL);
	}
}

/* A search graph of more than 100 000 nodes, and keys that go through all that a picture of it can show. */
#define STAGE_LARGE \
	"mesh {a: 1024, b: 1024, c: 64}\n" \
	"[1{a}1024, 1024, 1024, 1024, 1024, 1{b}1024] ~> [1024, 1024, 1{b}1024, 1024, 1{a}1024, 1024]\n" \
	"budget 4096x\nstep 4000"
static const char *const stage_keys[] = {"j", "l", "k", "PgDn", "s", "s", "b", "G", "g", "/", "9", "1", "Enter", "n",
	"N", "&", "3", "3", "Esc", "e", "j", "Enter", "u", "1", "s", "r", "s"};

#endif
