/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines that are typed while a command works: they run when it has ended, in their order.
 */
#ifndef SHARDWALK_SCREEN_WAITING_H
#define SHARDWALK_SCREEN_WAITING_H

#include "screen/model.h"

/* Does the prompt take what is typed: now, or for later while a command works? */
bool prompt_hears(const struct screen *screen);

/* Gives the prompt the focus, or takes it away. */
void prompt_focus(struct screen *screen, bool focus);

/* After a command: the focus is the picture's again, and what was answered stands there up to the next key. */
void prompt_return(struct screen *screen);

/* Keeps a line for later, and says so.  false: too many wait already, which is said. */
bool waiting_add(struct screen *screen, const char *line);

/* The line that is next, for who calls to free; NULL: none waits. */
char *waiting_next(struct screen *screen);

/* All of them as one text, a line each; then none waits. */
void waiting_take_back(struct screen *screen, sw_text *text);

void waiting_free(struct screen *screen);

#endif
