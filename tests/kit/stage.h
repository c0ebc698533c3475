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

#define STAGE_FIGURE_13_P1 "mesh {a: 2, b: 2, c: 2}\n[360, 184{c}368, 320] ~> [90{c,a}360, 368, 160{b}320]"
#define STAGE_ONE_LEVEL "mesh {a: 8, b: 16, c: 8}\n[64{a}512, 32{b}512, 16{c}128] ~> [4{c,b}512, 64{a}512, 128]"
#define STAGE_UPWARDS "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [12, 3{x}12]"
#define STAGE_MANY "mesh {a: 12, b: 6}\n[1{a}12, 36, 6{b}36] ~> [12, 3{a}36, 6{b}36]\nbudget 4x"
#define STAGE_DEEP \
	"mesh {a: 1024, b: 1024}\n[1{a}1024, 1024, 1{b}1024, 64] ~> [1024, 1{a}1024, 1{b}1024, 64]\nbudget 1024x"

/* Ten problems from 2 to 2^20 devices. */
static const struct stage_problem {
	const char *name, *lines;
	int by; /* steps of the search at once, so that some dozens are a good part of it */
} stage_problems[] = {
	{"2 devices", "mesh {x: 2}\n[4{x}8, 8] ~> [8, 4{x}8]", 1},
	{"2 devices, a gather", "mesh {x: 2}\n[4{x}8, 8] ~> [8, 8]", 1},
	{"8 devices", STAGE_FIGURE_13_P1, 1},
	{"24 devices", "mesh {x: 4, y: 6}\n[3{x}12, 2{y}12] ~> [2{y}12, 3{x}12]", 1},
	{"24 devices, upwards", STAGE_UPWARDS, 1},
	{"72 devices", STAGE_MANY, 3},
	{"1024 devices", STAGE_ONE_LEVEL, 1},
	{"4096 devices", "mesh {a: 64, b: 64}\n[4{a}256, 4{b}256, 8] ~> [4{b}256, 256, 1{a:(1)8}8]", 10},
	{"2^20 devices", STAGE_DEEP, 40},
	{"2^20 devices, axes of 2",
		"mesh {a: 2, b: 2, c: 2, d: 2, e: 2, f: 2, g: 2, h: 2, i: 2, j: 2, k: 2, l: 2, m: 2, n: 2, o: 2, p: 2, q: 2, r: "
		"2, s: 2, t: 2}\n[1{a,b,c,d,e,f,g,h}256, 16, 4{i,j}16, 8{k}16, 4] ~> [256, 1{a,b,c,d}16, 4{i,j}16, 8{k}16, "
		"1{e,f}4]",
		25},
};

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
