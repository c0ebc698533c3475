/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Is the background of the terminal light?
 *
 * COLORFGBG says it, or the terminal, which is asked (OSC 11) and never waited for: its answer comes among the keys,
 * or does not.
 */
#ifndef SHARDWALK_HOST_BACKGROUND_H
#define SHARDWALK_HOST_BACKGROUND_H

#include <stdbool.h>

/* What is known so far; dark where nothing is. */
bool background_is_light(void);

/* Asks the terminal, once, if it is one that answers and nothing is known.  Its echo has to be off. */
void background_ask(void);

/* It was asked, and no answer was heard yet. */
bool background_awaited(void);

/* Takes an answer without ESC ] and its end, "11;rgb:ffff/ffff/ffff"; false where it is none. */
bool background_heard(const char *answer);

/* Collects an answer byte by byte, after its ESC ]: `next` is asked for the bytes, and says -1 where none comes.  true: something
 * was heard. */
bool background_read(int (*next)(void));

#endif
