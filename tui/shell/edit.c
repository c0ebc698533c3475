/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Readline, key by key.  Words to complete are found by our own grammar, so readline is told that the whole line up to
 * the cursor is one word, and each candidate is given to it as that line with the word replaced.
 */
#include "shell/edit.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "answer/show.h"
#include "host/background.h"
#include "host/interrupt.h"

static struct {
	struct session *session;
	const struct edit_face *face;
	sw_text before; /* what earlier lines left open */
	struct candidates candidates;
	char *line;
	enum edit_end end;
	bool open;
} edit;

/* ---- completion ---- */

/* What readline looks at: the line up to the cursor. */
static sw_text line_to_cursor(void)
{
	sw_text text = {0};
	sw_text_add(&text, sw_text_get(&edit.before));
	sw_text_add_str(&text, (sw_str){rl_line_buffer, (size_t)rl_point});
	return text;
}

/* The line up to the cursor with its last word replaced. */
static char *line_with(size_t begin, const char *word)
{
	sw_text line = {0};
	sw_text_add_str(&line, (sw_str){rl_line_buffer, begin});
	sw_text_add(&line, word);
	return line.failed ? NULL : line.data;
}

static size_t common_length(const char *a, const char *b)
{
	size_t length = 0;
	while (a[length] && a[length] == b[length])
		length++;
	while (length && ((unsigned char)a[length] & 0xC0) == 0x80)
		length--; /* not inside a letter */
	return length;
}

/* The first entry is what all have in common, the rest are they; all are freed by readline. */
static char **line_matches(const struct candidates *found, size_t begin)
{
	char **lines = calloc((size_t)found->count + 2, sizeof(*lines));
	int count = 0;
	for (int i = 0; lines && i < found->count; i++) {
		char *line = line_with(begin, found->row[i].text);
		if (line)
			lines[1 + count++] = line;
	}
	if (!count) {
		free(lines);
		return NULL;
	}
	lines[0] = strdup(lines[1]);
	for (int i = 2; lines[0] && i <= count; i++)
		lines[0][common_length(lines[0], lines[i])] = '\0';
	if (count == 1) {
		free(lines[1]);
		lines[1] = NULL;
	}
	return lines;
}

static char **attempt(const char *word, int start, int end)
{
	(void)word;
	(void)start;
	(void)end;
	struct candidates *found = &edit.candidates;
	rl_attempted_completion_over = 1;
	candidates_free(found);
	sw_text text = line_to_cursor();
	complete(edit.session, (sw_str){sw_text_get(&text), text.length}, found);
	sw_text_free(&text);
	if (!found->count || found->begin < edit.before.length)
		return NULL;
	rl_completion_append_character = found->count == 1 && found->row[0].more ? '\0' : ' ';
	return line_matches(found, found->begin - edit.before.length);
}

static void list_candidates(char **matches, int count, int longest)
{
	(void)matches;
	(void)count;
	(void)longest;
	int rows = 24, columns = 80;
	sw_text text = {0};
	if (edit.face) {
		edit.face->list(&edit.candidates);
		return;
	}
	rl_get_screen_size(&rows, &columns);
	candidates_print(&edit.candidates, columns, rows > 4 ? rows - 3 : 1, &text);
	rl_crlf();
	fwrite(sw_text_get(&text), 1, text.length, rl_outstream);
	sw_text_free(&text);
	rl_forced_update_display();
}

static char *whole_line(void)
{
	return "";
}

/* ---- lines ---- */

static void line_ready(char *line)
{
	rl_callback_handler_remove();
	edit.open = false;
	edit.line = line;
	edit.end = line ? EDIT_LINE : EDIT_ENDED;
}

/* ---- what the terminal says ---- */

static int answered_byte(void)
{
	return rl_read_key();
}

/* The terminal's answer, which begins like a key. */
static int hear_background(int count, int key)
{
	(void)count;
	(void)key;
	if (background_awaited() && background_read(answered_byte))
		answer_dress(edit.session);
	return 0;
}

/* A user's inputrc is read after these, and may say otherwise. */
static void prefer(void)
{
	static const char *const requests[][2] = {{"show-all-if-ambiguous", "on"}, {"enable-bracketed-paste", "on"}};
	for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++)
		rl_variable_bind(requests[i][0], requests[i][1]);
}

void edit_start(struct session *session)
{
	edit.session = session;
	rl_readline_name = "shardwalk";
	rl_catch_signals = 0;
	rl_catch_sigwinch = 0;
	rl_change_environment = 0;
	rl_attempted_completion_function = attempt;
	rl_completion_display_matches_hook = list_candidates;
	rl_completion_word_break_hook = whole_line;
	rl_sort_completion_matches = 0;
	rl_bind_keyseq("\\e]", hear_background);
	prefer();
}

static void leave_terminal(void)
{
}

static void keep_terminal(int meta)
{
	(void)meta;
}

static void wear(const struct edit_face *face)
{
	edit.face = face;
	rl_redisplay_function = face ? face->draw : rl_redisplay;
	rl_getc_function = face ? face->key : rl_getc;
	rl_prep_term_function = face ? keep_terminal : rl_prep_terminal;
	rl_deprep_term_function = face ? leave_terminal : rl_deprep_terminal;
}

/* ---- the window ---- */

#define NARROWEST 8

void edit_fit(int height, int width)
{
	rl_set_screen_size(height, width < NARROWEST ? NARROWEST : width);
}

static void widen(void)
{
	int height, width;

	rl_get_screen_size(&height, &width);
	if (width < NARROWEST)
		edit_fit(height, width);
}

/* Readline draws at once in the width that it is told or finds: it never learns of one that is too narrow for it. */
static void follow_window(void)
{
	struct winsize size;
	bool narrow = ioctl(fileno(rl_instream), TIOCGWINSZ, &size) == 0 && size.ws_col < NARROWEST;

	if (!narrow) {
		rl_resize_terminal();
		return;
	}
	edit_fit(size.ws_row, size.ws_col);
	rl_forced_update_display();
}

void edit_open(const char *sign, const char *before, const struct edit_face *face)
{
	wear(face);
	sw_text_clear(&edit.before);
	sw_text_add(&edit.before, before);
	if (*before)
		sw_text_add_char(&edit.before, '\n');
	edit.end = EDIT_ON;
	edit.open = true;
	if (!face)
		interrupt_hold_stop(true);
	rl_callback_handler_install(sign, line_ready);
	if (!face)
		widen();
	answer_ask_background(edit.session);
}

/* Readline takes what it knows of the line for that of the next one: searches go on, and the list of undos, which the
 * history has too, is freed with either. */
static void forget_line(void)
{
	rl_callback_sigcleanup();
	rl_free_line_state();
}

void edit_close(void)
{
	if (edit.open) {
		forget_line();
		rl_callback_handler_remove();
	}
	edit.open = false;
	interrupt_hold_stop(false);
}

void edit_restart(void)
{
	if (!edit.open)
		return;
	char *sign = strdup(rl_prompt), *text = strdup(rl_line_buffer);
	int point = rl_point;
	forget_line();
	rl_callback_handler_install(sign ? sign : "", line_ready);
	if (text && *text) {
		rl_insert_text(text);
		rl_point = point;
	}
	free(sign);
	free(text);
}

static enum edit_end edit_finish(enum edit_end end)
{
	if (end != EDIT_ON)
		edit_close();
	return end;
}

enum edit_end edit_feed(void)
{
	rl_callback_read_char();
	return edit_finish(edit.end);
}

char *edit_line(void)
{
	char *line = edit.line;
	edit.line = NULL;
	return line;
}

/* ---- signals ---- */

static enum edit_end drop_line(void)
{
	interrupt_clear();
	forget_line();
	fputs("^C", rl_outstream);
	fflush(rl_outstream);
	edit_close();
	fputc('\n', rl_outstream);
	fflush(rl_outstream);
	return EDIT_DROPPED;
}

static void draw_again(void)
{
	rl_deprep_terminal();
	rl_prep_terminal(1);
	follow_window();
	rl_on_new_line();
	rl_redisplay();
}

enum edit_end edit_handle_signal(void)
{
	if (interrupt_signal() == SIGINT)
		return drop_line();
	if (interrupt_signal())
		return edit_finish(EDIT_ENDED);
	unsigned events = interrupt_events();
	if (events & INTERRUPT_STOP) {
		rl_deprep_terminal();
		interrupt_suspend();
		events |= interrupt_events() | INTERRUPT_CONTINUE;
	}
	if (events & INTERRUPT_CONTINUE)
		draw_again();
	else if (events & INTERRUPT_RESIZE)
		follow_window();
	if (events)
		answer_dress(edit.session);
	return EDIT_ON;
}
