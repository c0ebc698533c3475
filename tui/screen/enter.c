/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was typed, or a key stands for, is run.
 */
#include "screen/enter.h"

#include <stdarg.h>

#include "screen/output.h"

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
	struct work before = output_open(screen, sw_text_get(&line), !moves);
	struct position position = {.line = 1, .text = {sw_text_get(&line), line.length}};
	statement_run_line(screen->session, &position);
	output_close(screen, &before);
	bool ok = screen->session->failures == failures;
	if (ok)
		screen_echo(screen, moves, "%s", sw_text_get(&line));
	say_answer(screen);
	sw_text_free(&line);
	return ok;
}

bool screen_take_line(struct screen *screen, const char *line)
{
	bool whole = true;
	screen_flush_echo(screen);
	line = screen->prompt_lines && screen->prompt_lines->open.length ? line : prompt_command(line);
	struct work before = output_open(screen, line, true);
	if (screen->prompt_lines) {
		whole = prompt_take(screen->prompt_lines, line);
	} else {
		struct position position = {.line = 1, .text = sw_str_of(line)};
		whole = statement_run_line(screen->session, &position);
	}
	output_close(screen, &before);
	say_answer(screen);
	return whole;
}
