/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands under the picture: from keys, and from its prompt.
 */
#ifndef SHARDWALK_SCREEN_ENTER_H
#define SHARDWALK_SCREEN_ENTER_H

#include "screen/model.h"

/* Runs a command as if it had been typed, and adds it to the history.  `moves`: it only says where one looks,
 * so that the next such command of its kind replaces it there. */
bool screen_do(struct screen *screen, bool moves, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A line from the prompt under the picture.  false: it is open. */
bool screen_take_line(struct screen *screen, const char *line);

#endif
