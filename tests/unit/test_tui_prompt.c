/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random keys at the prompt, and at the line under a picture: whatever of the history is edited, thrown away or run, each
 * list of undos has one owner.  Sanitizers and valgrind see the rest.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "host/interrupt.h"
#include "kit/draw.h"
#include "kit/stage.h"
#include "screen/line.h"
#include "screen/waiting.h"
#include "shell/edit.h"
#include "shell/history.h"
#include "shell/prompt.h"

#define SESSIONS 20
#define KEYS 400

#define ENTER "\r"
#define BACKSPACE "\x7f"
#define UP "\x10"   /* Ctrl-P */
#define DOWN "\x0e" /* Ctrl-N */
#define DROP "\x03"
#define UNDO "\x1f"

/* Lines of few letters, so that many are equal; the last keys search. */
static const char *const keys[] = {"a", "b", "a", ENTER, ENTER, BACKSPACE, BACKSPACE, UP, UP, UP, DOWN, DROP, UNDO,
	UNDO, "\x12" /* Ctrl-R */, "\x07" /* Ctrl-G */, "\x15" /* Ctrl-U */, "\x19" /* Ctrl-Y */, "\033<", "\033>"};

static int keyboard; /* what is written here, readline reads */

static void readline_reads_a_pipe(void)
{
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	keyboard = ends[1];
	rl_instream = fdopen(ends[0], "r");
	rl_outstream = fopen("/dev/null", "w");
	assert_non_null(rl_instream);
	assert_non_null(rl_outstream);
	rl_variable_bind("bell-style", "none");
}

/* ---- the prompt ---- */

static enum edit_end feed_all(void)
{
	struct pollfd wait = {fileno(rl_instream), POLLIN, 0};
	enum edit_end end = EDIT_ON;
	while (end == EDIT_ON && poll(&wait, 1, 0) > 0)
		end = edit_feed();
	return end;
}

static enum edit_end press_at_prompt(const char *key)
{
	if (strcmp(key, DROP) == 0) {
		raise(SIGINT);
		return edit_handle_signal();
	}
	assert_int_equal(write(keyboard, key, strlen(key)), strlen(key));
	return feed_all();
}

static void type_at_prompt(struct prompt *prompt, const char *key)
{
	enum edit_end end = press_at_prompt(key);
	char *line = edit_line();
	if (end == EDIT_LINE)
		prompt_take(prompt, line);
	else if (end == EDIT_DROPPED)
		prompt_drop(prompt);
	free(line);
	if (end != EDIT_ON)
		edit_open(prompt_sign(prompt), sw_text_get(&prompt->open), NULL);
}

/* ---- the line under a picture ---- */

/* Lines are typed while a command works, and keys of the picture leave lines in the history. */
static void work(struct screen *screen, draw *from)
{
	switch (draw_below(from, 4)) {
	case 0:
		screen->busy = true;
		break;
	case 1:
		screen->busy = false;
		while (screen->waiting.count)
			line_run_waiting(screen);
		break;
	default:
		history_append(screen->session->console, draw_below(from, 2) ? "a" : "ab");
	}
}

static void type_under_picture(struct prompt *prompt, const char *key)
{
	int pointed, x, y;
	if (*key == '\033') /* by itself it would be the picture's */
		return;
	line_byte(prompt->session->screen, *key, &pointed, &x, &y);
}

/* ---- both ---- */

typedef void typist(struct prompt *prompt, const char *key);

struct stage {
	struct session session;
	struct prompt prompt;
};

static void stage_begin(struct stage *stage, typist *type)
{
	struct screen *screen = stage_open(&stage->session, "");
	stage->prompt = prompt_start(&stage->session, NULL);
	screen->prompt_lines = &stage->prompt;
	screen_capture(screen, true);
	history_start(stage->session.console, false);
	edit_start(&stage->session);
	if (type == type_under_picture)
		line_begin(screen);
	else
		edit_open(prompt_sign(&stage->prompt), "", NULL);
}

static void stage_end(struct stage *stage)
{
	struct screen *screen = stage->session.screen;
	screen->busy = false;
	line_end(screen);
	waiting_free(screen);
	screen->prompt_lines = NULL;
	prompt_end(&stage->prompt);
	stage_close(&stage->session);
}

static void type_by_chance(typist *type, const char *what)
{
	draw from = draw_start(what);
	for (int session = 0; session < SESSIONS; session++) {
		struct stage stage;
		stage_begin(&stage, type);
		for (int key = 0; key < KEYS; key++) {
			type(&stage.prompt, keys[draw_below(&from, COUNT(keys))]);
			if (type == type_under_picture && draw_below(&from, 8) == 0)
				work(stage.session.screen, &from);
		}
		stage_end(&stage);
	}
}

static void random_keys_at_the_prompt(void **state)
{
	(void)state;
	type_by_chance(type_at_prompt, "keys at the prompt");
}

static void random_keys_under_a_picture(void **state)
{
	(void)state;
	type_by_chance(type_under_picture, "keys under a picture");
}

/* ---- what was wrong ---- */

/* Ctrl-C at an edited line of the history left its list of undos to the next line too. */
static void an_edited_line_of_the_history_is_dropped(void **state)
{
	static const char *const dropped[] = {"a", "a", ENTER, UP, BACKSPACE, UP, DROP, UP, BACKSPACE, DROP, DROP, UP,
		BACKSPACE, ENTER};
	struct stage stage;
	(void)state;
	stage_begin(&stage, type_at_prompt);
	for (size_t key = 0; key < COUNT(dropped); key++)
		type_at_prompt(&stage.prompt, dropped[key]);
	stage_end(&stage);
}

/* What a dropped line was edited from stays as it was. */
static void a_dropped_line_changes_no_entry(void **state)
{
	static const char *const dropped[] = {"a", "a", ENTER, UP, DROP, UP, DROP};
	struct stage stage;
	(void)state;
	stage_begin(&stage, type_under_picture);
	for (size_t key = 0; key < COUNT(dropped); key++)
		type_under_picture(&stage.prompt, dropped[key]);
	assert_string_equal(history_entry(1), "aa");
	stage_end(&stage);
}

/* A line that is typed while another begins is none of the history yet. */
static void a_line_typed_meanwhile_changes_no_entry(void **state)
{
	static const char *const meanwhile[] = {"a", "b", ENTER};
	struct stage stage;
	(void)state;
	stage_begin(&stage, type_under_picture);
	stage.session.screen->busy = true;
	history_append(stage.session.console, "show mesh");
	for (size_t key = 0; key < COUNT(meanwhile); key++)
		type_under_picture(&stage.prompt, meanwhile[key]);
	assert_string_equal(history_entry(1), "show mesh");
	stage_end(&stage);
}

int main(void)
{
	static const struct kit_test tests[] = {
		TEST(an_edited_line_of_the_history_is_dropped),
		TEST(a_dropped_line_changes_no_entry),
		TEST(a_line_typed_meanwhile_changes_no_entry),
		TEST(random_keys_at_the_prompt),
		TEST(random_keys_under_a_picture),
	};
	interrupt_install();
	interrupt_patient(true);
	readline_reads_a_pipe();
	int failed = kit_run(tests, COUNT(tests), NULL, NULL);
	rl_clear_history();
	return failed;
}
