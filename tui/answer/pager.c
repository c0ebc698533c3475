/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether an answer is longer than the screen, and the program that scrolls it.
 */
#define _GNU_SOURCE
#include "answer/pager.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "host/paths.h"
#include "host/piped.h"
#include "host/safe.h"

/* Colours, no other screen, an end where all fits; and a prompt that says how one gets out: its words end at the dollar. */
#define LESS_OPTIONS "FRXPsq leaves  Space continues  / searches?e  (the end):?pB  (%pB\\%)..$"

#define STATUS_NOT_STARTED 126 /* by the shell: cannot be executed; 127: not found */

static bool can_scroll(void)
{
	const char *term = getenv("TERM");
	return term && *term && strcmp(term, "dumb") != 0 && strcmp(term, "unknown") != 0;
}

bool pager_possible(const struct console *console)
{
	return console->in_terminal && console->out_terminal && console->height > 0 && console->out == stdout &&
		!console->taker && !safe_is_on() && can_scroll() && pager_program();
}

/* Bytes that take no column: escape sequences of colours, and all but the first byte of a letter. */
static size_t skip_colours(const char *text, size_t length)
{
	size_t at = 2;
	if (length < 2 || text[0] != '\033' || text[1] != '[')
		return ((unsigned char)*text & 0xC0) == 0x80 ? 1 : 0;
	while (at < length && !(text[at] >= '@' && text[at] <= '~'))
		at++;
	return at < length ? at + 1 : at;
}

static bool is_longer(const char *text, size_t length, int width, int height)
{
	int rows = 1, column = 0;
	for (size_t at = 0; at < length && rows <= height;) {
		size_t skip = skip_colours(text + at, length - at);
		at += skip ? skip : 1;
		if (skip)
			continue;
		bool newline = text[at - 1] == '\n';
		if (!newline && column == width)
			rows++;
		column = newline ? 0 : column == width ? 1 : column + 1;
		rows += newline;
	}
	return rows > height;
}

static bool start(struct piped *piped, const char *program)
{
	bool set = !getenv("LESS") && setenv("LESS", LESS_OPTIONS, 1) == 0;
	bool started = piped_start(piped, program);
	if (set)
		unsetenv("LESS");
	return started;
}

static bool page(const char *program, const char *text, size_t length)
{
	struct piped piped;
	if (!start(&piped, program))
		return false;
	fwrite(text, 1, length, piped.in); /* who leaves the pager has seen enough */
	int status = piped_end(&piped);
	return !WIFEXITED(status) || WEXITSTATUS(status) < STATUS_NOT_STARTED;
}

void pager_show(struct console *console, const char *text, size_t length)
{
	fflush(console->out);
	if (pager_possible(console) && is_longer(text, length, console->width, console->height) &&
		page(pager_program(), text, length))
		return;
	fwrite(text, 1, length, console->out);
}
