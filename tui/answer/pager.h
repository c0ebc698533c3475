/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pager: an answer that is longer than the screen goes through a program that scrolls.
 *
 * SHARDWALK_PAGER names it, else PAGER, else it is less, with LESS=FRX unless LESS is set; an empty name or `cat` is
 * none.
 */
#ifndef SHARDWALK_ANSWER_PAGER_H
#define SHARDWALK_ANSWER_PAGER_H

#include "answer/console.h"

/* May an answer go through it?  Only on a terminal that can move its cursor, and that nobody else has. */
bool pager_possible(const struct console *console);

/* Shows an answer, with the pager where it is longer than the screen. */
void pager_show(struct console *console, const char *text, size_t length);

#endif
