/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines that are typed while a command works.
 */
#define _GNU_SOURCE
#include "screen/waiting.h"

#include <stdlib.h>
#include <string.h>

bool prompt_hears(const struct screen *screen)
{
	return screen->busy ? screen->ahead : screen->typing;
}

void prompt_focus(struct screen *screen, bool focus)
{
	if (screen->busy)
		screen->ahead = focus;
	else
		screen->typing = focus;
}

void prompt_return(struct screen *screen)
{
	if (screen->busy || screen->ahead)
		return;
	screen->typing = false;
	screen->answered = screen->answer_rows > 1;
}

bool waiting_add(struct screen *screen, const char *line)
{
	struct waiting *waiting = &screen->waiting;
	char *kept = waiting->count < WAITING_MOST ? strdup(line) : NULL;
	if (!kept) {
		screen_say(screen, ROLE_WARN,
			"%d lines are already waiting; this one stays at the "
			"prompt",
			waiting->count);
		return false;
	}
	waiting->line[waiting->count++] = kept;
	screen_say(screen, ROLE_NOTE, "runs when the command has ended: %s", line);
	return true;
}

char *waiting_next(struct screen *screen)
{
	struct waiting *waiting = &screen->waiting;
	char *line = waiting->line[0];
	if (!waiting->count)
		return NULL;
	memmove(waiting->line, waiting->line + 1, (size_t)--waiting->count * sizeof(*waiting->line));
	return line;
}

void waiting_take_back(struct screen *screen, sw_text *text)
{
	for (char *line = waiting_next(screen); line; line = waiting_next(screen)) {
		sw_text_addf(text, "%s%s", text->length ? "\n" : "", line);
		free(line);
	}
}

void waiting_free(struct screen *screen)
{
	for (char *line = waiting_next(screen); line; line = waiting_next(screen))
		free(line);
}
