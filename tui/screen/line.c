/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Readline under the picture.  It gets its bytes one by one and leaves the terminal alone; what it would show is
 * kept for the next picture.  A lone Esc is ours, Esc with a key is readline's.
 */
#include "screen/line.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/readline.h>

#include "screen/enter.h"
#include "screen/runs.h"
#include "screen/opens.h"
#include "screen/terminal.h"
#include "screen/waiting.h"
#include "shell/edit.h"
#include "answer/show.h"
#include "host/background.h"
#include "host/interrupt.h"

#define BYTE_ESCAPE 27
#define ESCAPE_MILLISECONDS 25
#define SEQUENCE_MOST 32 /* bytes of one that readline may know */

static struct {
	struct screen *screen;
	int byte; /* waits to be read, or -1 */
} line;

/* ---- readline's hooks ---- */

/* The prompt as readline would show it, which while it searches is its own; \001 and \002 are marks of width. */
static void take_prompt(struct screen *screen)
{
	size_t length = 0;
	for (const char *at = rl_display_prompt; at && *at && length + 1 < sizeof(screen->prompt); at++)
		if (*at != '\001' && *at != '\002')
			screen->prompt[length++] = *at;
	screen->prompt[length] = '\0';
	screen->searching = RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH);
}

static void draw_line(void)
{
	take_prompt(line.screen);
	line.screen->line = rl_line_buffer;
	line.screen->line_point = rl_point;
}

static int next_byte(FILE *in)
{
	int byte = line.byte;
	(void)in;
	line.byte = -1;
	while (byte < 0 && !interrupt_signal())
		byte = terminal_byte(1000);
	return byte < 0 ? EOF : byte;
}

static void list_several(const struct candidates *several)
{
	struct screen *screen = line.screen;
	sw_text text = {0};
	canvas_reset(&screen->listed, screen->width);
	candidates_print(several, screen->width, screen->height / 3 - 1, &text);
	for (const char *at = sw_text_get(&text); *at;) {
		size_t length = strcspn(at, "\n");
		canvas_putf(&screen->listed, 0, screen->listed.height, ROLE_NOTE, "%.*s ", (int)length, at);
		at += length + (at[length] == '\n');
	}
	sw_text_free(&text);
}

static const struct edit_face face = {draw_line, next_byte, list_several};

/* ---- the line ---- */

static void line_open(struct screen *screen)
{
	struct prompt *prompt = screen->prompt_lines;
	edit_open(prompt_sign(prompt), sw_text_get(&prompt->open), &face);
	draw_line();
}

void line_begin(struct screen *screen)
{
	line.screen = screen;
	line.byte = -1;
	line_open(screen);
}

void line_end(struct screen *screen)
{
	edit_close();
	screen->line = NULL;
	line.screen = NULL;
}

/* Did the line do what it says?  Then the focus goes back to where it came from; who has typed on keeps it. */
static bool goes_back(const struct screen *screen, const char *text, long long failures)
{
	return text[strspn(text, " \t\n")] != '\0' && screen->session->failures == failures && *rl_line_buffer == '\0' &&
		setting_is(&screen->session->state.settings, SETTING_FOCUS, "return");
}

/* The prompt is there while the line runs; what is typed into it meanwhile stays. */
static void line_now(struct screen *screen, const char *text)
{
	long long failures = screen->session->failures;
	struct made before = opens_now(screen);
	line_open(screen);
	bool whole = screen_take_line(screen, text);
	opens_film(screen, &before);
	if (whole && goes_back(screen, text, failures))
		prompt_return(screen);
	char *typed = *rl_line_buffer ? strdup(rl_line_buffer) : NULL;
	edit_close();
	screen->line = NULL;
	if (!screen->session->leaving)
		line_open(screen);
	if (typed && screen->line)
		line_insert(screen, typed);
	free(typed);
}

static void line_later(struct screen *screen, const char *text)
{
	bool empty = !*text, kept = !empty && waiting_add(screen, text);
	line_open(screen);
	if (!kept && !empty)
		line_insert(screen, text);
}

/* Ctrl-D. */
static void line_ended(struct screen *screen)
{
	if (screen->busy) {
		prompt_focus(screen, false);
		line_open(screen);
		runs_ask_leave(screen, true);
	} else {
		screen->session->leaving = true;
	}
}

static void line_done(struct screen *screen, enum edit_end end)
{
	char *text = edit_line();
	screen->line = NULL;
	if (end == EDIT_LINE && text && screen->busy)
		line_later(screen, text);
	else if (end == EDIT_LINE && text)
		line_now(screen, text);
	else if (end == EDIT_ENDED)
		line_ended(screen);
	free(text);
}

static void line_drop(struct screen *screen)
{
	bool empty = rl_end == 0 && !RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH);
	bool open = screen->prompt_lines->open.length && !screen->busy;
	edit_close();
	if (empty && open)
		prompt_drop(screen->prompt_lines);
	else if (empty)
		prompt_focus(screen, false);
	line_open(screen);
}

static void line_feed(struct screen *screen, int byte)
{
	line.byte = byte;
	enum edit_end end = edit_feed();
	if (end != EDIT_ON)
		line_done(screen, end);
}

static int answered_byte(void)
{
	return terminal_byte(ESCAPE_MILLISECONDS);
}

/* What begins with ESC [ is for readline where it means something there, and else for nobody. */
static void take_control(struct screen *screen, int first)
{
	char bytes[SEQUENCE_MOST] = {BYTE_ESCAPE, '['};
	size_t count = 2;
	for (int byte = first; byte >= 0 && count < sizeof(bytes); byte = answered_byte()) {
		bytes[count++] = (char)byte;
		if (byte < 0x20 || byte >= 0x40)
			break;
	}
	int kind;
	bool means = count < sizeof(bytes) && rl_function_of_keyseq_len(bytes, count, NULL, &kind) != NULL;
	for (size_t i = 0; (means || first < 0) && i < count; i++)
		line_feed(screen, bytes[i]);
}

/* Texts of a terminal, which begin with a digit; else both are keys. */
static void take_text(struct screen *screen, int next)
{
	int digit = answered_byte();
	if (digit >= '0' && digit <= '9') {
		sequence_text(answered_byte);
		return;
	}
	line_feed(screen, BYTE_ESCAPE);
	line_feed(screen, next);
	if (digit >= 0)
		line_feed(screen, digit);
}

/* Bytes that began with ESC: an answer of the terminal, what the mouse did (`pointed`), keys of readline, or nothing. */
static void take_apart(struct screen *screen, int next, int *pointed, int *x, int *y)
{
	if (next == ']' && background_awaited()) {
		if (background_read(answered_byte))
			answer_dress(screen->session);
		return;
	}
	int kind = next == '[' ? terminal_byte(ESCAPE_MILLISECONDS) : -1;
	if (kind == 'M' || kind == '<') {
		*pointed = terminal_report(kind, x, y);
	} else if (next == '[') {
		take_control(screen, kind);
	} else if (strchr("]P_^", next)) {
		take_text(screen, next);
	} else {
		line_feed(screen, BYTE_ESCAPE);
		line_feed(screen, next);
	}
}

void line_byte(struct screen *screen, int byte, int *pointed, int *x, int *y)
{
	*pointed = -1;
	canvas_reset(&screen->listed, 1);
	if (byte == KEY_CONTROL('c') && screen->busy) {
		*pointed = byte;
		return;
	}
	if (byte == KEY_CONTROL('c')) {
		line_drop(screen);
		screen_say(screen, ROLE_NOTE, "Esc goes back to the picture");
		screen->typing = true;
		return;
	}
	if (byte == KEY_CONTROL('z')) {
		screen->suspend = true;
		return;
	}
	if (byte == KEY_CONTROL('l')) {
		screen->redraw = true;
		return;
	}
	if (byte != BYTE_ESCAPE) {
		line_feed(screen, byte);
		return;
	}
	int next = terminal_byte(ESCAPE_MILLISECONDS);
	if (next < 0 || next == BYTE_ESCAPE) {
		line_drop(screen);
		if (next == BYTE_ESCAPE && prompt_hears(screen))
			line_drop(screen);
		return;
	}
	take_apart(screen, next, pointed, x, y);
}

void line_paste(struct screen *screen)
{
	for (const char *at = "\033[200~"; *at; at++)
		line_feed(screen, *at);
}

void line_insert(struct screen *screen, const char *text)
{
	(void)screen;
	rl_insert_text(text);
	draw_line();
}

/* Work that was stopped takes along what waited for its end: that stands at the prompt again, in front of what is typed there. */
static void line_give_back(struct screen *screen)
{
	sw_text text = {0};
	int count = screen->waiting.count;
	waiting_take_back(screen, &text);
	if (rl_end)
		sw_text_add_char(&text, '\n');
	rl_point = 0;
	line_insert(screen, sw_text_get(&text));
	rl_point = rl_end;
	draw_line();
	prompt_focus(screen, true);
	screen_say(screen, ROLE_NOTE, "stopped; waiting lines did not run and are back at the prompt: %d %s", count,
		count == 1 ? "line" : "lines");
	sw_text_free(&text);
}

void line_run_waiting(struct screen *screen)
{
	if (screen->stops) {
		line_give_back(screen);
		return;
	}
	char *line = waiting_next(screen);
	char *typed = rl_end ? strdup(rl_line_buffer) : NULL;
	edit_close();
	line_now(screen, line);
	if (typed && screen->line) {
		prompt_focus(screen, true); /* somebody types there */
		line_insert(screen, typed);
	}
	free(typed);
	free(line);
}
