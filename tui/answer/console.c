/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing to the outside, and asking the terminal what it can.
 */
#include "answer/console.h"

#include <errno.h>
#include <langinfo.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <curses.h>
#include <term.h>

#include "answer/record.h"
#include "answer/wrap.h"
#include "host/interrupt.h"

#define STATUS_CLOSED_PIPE 141
#define ROWS_AT_ONCE 1024 /* of a picture */

struct console console_of_process(void)
{
	struct console console = {.out = stdout, .width = 80};
	console.in_terminal = isatty(STDIN_FILENO);
	console.out_terminal = isatty(STDOUT_FILENO);
	console.err_terminal = isatty(STDERR_FILENO);
	console_choose(&console, CHOICE_AUTO, CHOICE_AUTO, false, 0);
	return console;
}

static void console_measure(struct console *console, int width)
{
	struct winsize size;
	bool known = console->out_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
	console->width = width ? width : known && size.ws_col ? size.ws_col : 80;
	console->height = known ? size.ws_row : 0;
}

/* What the terminal at `fd` can: colours (0, 8, 16 or 256), and bold. */
static void ask_terminal(int fd, int *colors, bool *bold)
{
	int error = 0;
	const char *term = getenv("TERM");
	*colors = 0;
	*bold = false;
	TERMINAL *before = cur_term; /* that of the picture, where there is one */
	if (!term || !*term || setupterm(NULL, fd, &error) != OK)
		return;
	TERMINAL *ours = cur_term;
	int count = tigetnum("colors");
	char *sequence = tigetstr("bold");
	*colors = count >= 256 ? 256 : count >= 16 ? 16 : count >= 8 ? 8 : 0;
	*bold = sequence && sequence != (char *)-1;
	set_curterm(before);
	del_curterm(ours);
}

static void choose_style(struct canvas_style *style, enum choice color, int fd, bool terminal)
{
	const char *no_color = getenv("NO_COLOR");
	bool wanted = color == CHOICE_ALWAYS || (color == CHOICE_AUTO && terminal && !(no_color && *no_color));
	style->colors = 0;
	style->attributes = false;
	if (color == CHOICE_NEVER || !(wanted || terminal))
		return;
	ask_terminal(fd, &style->colors, &style->attributes);
	if (color == CHOICE_ALWAYS && !style->colors)
		style->colors = 8;
	style->attributes = (style->attributes && terminal) || (wanted && style->colors);
	if (!wanted)
		style->colors = 0;
}

void console_choose(struct console *console, enum choice color, enum choice ascii, bool light, int width)
{
	bool unicode = strcasecmp(nl_langinfo(CODESET), "UTF-8") == 0;
	console_measure(console, width);
	console->style.ascii = console->err_style.ascii = ascii == CHOICE_ALWAYS || (ascii == CHOICE_AUTO && !unicode);
	console->style.light = console->err_style.light = light;
	choose_style(&console->style, color, STDOUT_FILENO, console->out_terminal);
	choose_style(&console->err_style, color, STDERR_FILENO, console->err_terminal);
}

/* A reader that went away ends the program in silence; stdio's buffers are lost with it on purpose. */
static bool console_failed(struct console *console, sw_diag *diag)
{
	if (errno == EPIPE && console->out == stdout)
		_exit(STATUS_CLOSED_PIPE);
	if (errno == EPIPE)
		return true; /* a pager that was left */
	bool before = console->broken;
	console->broken = true;
	clearerr(console->out);
	sw_diag_set(diag, SW_B02, (sw_span){0, 0}, "cannot write to standard output: %s", strerror(errno));
	sw_diag_hint(diag, "is the disk full, or the output closed?");
	return before;
}

/* An answer that goes to a file or a program is not for the picture. */
static bool is_taken(const struct console *console)
{
	return console->taker && console->out == stdout;
}

void console_size(const struct console *console, int *width, int *height)
{
	struct winsize size;
	bool known = console->out_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row;
	*width = known ? size.ws_col : console->width;
	*height = known ? size.ws_row : 0;
}

bool console_write(struct console *console, const sw_text *text, sw_diag *diag)
{
	if (text->failed)
		return sw_diag_memory(diag);
	if (is_taken(console)) {
		console->taker->text(console->taker->context, false, sw_text_get(text), text->length);
		return true;
	}
	if (console->recording && console->out == stdout)
		recording_write(console->recording, sw_text_get(text), text->length);
	errno = 0;
	if (fwrite(sw_text_get(text), 1, text->length, console->out) == text->length)
		return true;
	return console_failed(console, diag);
}

static bool goes_on(sw_diag *diag)
{
	return sw_pulse_beat(interrupt_pulse(), "rows", 0, 0) ||
		sw_diag_set(diag, SW_S03, (sw_span){0, 0}, "stopped before everything was written");
}

/* A long picture is written in parts: a signal ends it. */
bool console_draw(struct console *console, const struct canvas *canvas, sw_diag *diag)
{
	if (canvas->failed)
		return sw_diag_memory(diag);
	if (is_taken(console)) {
		console->taker->canvas(console->taker->context, canvas);
		return true;
	}
	sw_text text = {0};
	bool ok = true;
	for (int y = 0; ok && y < canvas->height; y += ROWS_AT_ONCE) {
		sw_text_clear(&text);
		canvas_print_rows(canvas, y, y + ROWS_AT_ONCE, &console->style, &text);
		ok = (y == 0 || goes_on(diag)) && console_write(console, &text, diag);
	}
	sw_text_free(&text);
	return ok;
}

void console_clear(struct console *console)
{
	if (console->taker)
		console->taker->wipe(console->taker->context);
	else if (console->out_terminal && console->style.attributes)
		fputs("\033[H\033[2J\033[3J", console->out);
}

bool console_flush(struct console *console, sw_diag *diag)
{
	errno = 0;
	return fflush(console->out) == 0 || console_failed(console, diag);
}

/* A terminal breaks long rows inside words; a file gets them whole. */
void console_message(struct console *console, const sw_text *text)
{
	sw_text wrapped = {0};
	fflush(console->out);
	if (console->taker) {
		console->taker->text(console->taker->context, true, sw_text_get(text), text->length);
		return;
	}
	if (console->err_terminal)
		wrap_rows((sw_str){sw_text_get(text), text->length}, console->width, &wrapped);
	const sw_text *shown = wrapped.length && !wrapped.failed ? &wrapped : text;
	if (console->recording)
		recording_write(console->recording, sw_text_get(shown), shown->length);
	fwrite(sw_text_get(shown), 1, shown->length, stderr);
	sw_text_free(&wrapped);
}

void console_beat(struct console *console)
{
	if (console->taker)
		console->taker->beat(console->taker->context);
}

void console_release_terminal(struct console *console, bool released)
{
	if (console->taker)
		console->taker->release_terminal(console->taker->context, released);
}

void console_remark(struct console *console, const char *format, ...)
{
	sw_text text = {0};
	va_list arguments;
	if (console->quiet)
		return;
	va_start(arguments, format);
	sw_text_addv(&text, format, arguments);
	va_end(arguments);
	plain_blanks(&text);
	sw_text_add_char(&text, '\n');
	console_message(console, &text);
	sw_text_free(&text);
}

/* Blanks take the rest of the line before away, and what the terminal shows of a Ctrl-C. */
void console_progress(struct console *console, const char *line)
{
	enum { ECHOED = 4 };
	if (console->taker) {
		console->taker->progress(console->taker->context, line);
		return;
	}
	if (!console->err_terminal || getpgrp() != tcgetpgrp(STDERR_FILENO))
		return;
	int length = (int)strlen(line), room = console->width - 1;
	int most = *line ? console->progress : console->progress + ECHOED;
	fprintf(stderr, "\r%-*.*s%s", most < room ? most : room, room, line, *line ? "" : "\r");
	console->progress = length < room ? length : room;
}
