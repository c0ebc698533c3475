/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What completion offers: rows, and how they are shown.
 */
#ifndef SHARDWALK_SHELL_OFFERED_H
#define SHARDWALK_SHELL_OFFERED_H

#include <stdbool.h>
#include <stddef.h>

#include <shardwalk/arena.h>
#include <shardwalk/text.h>

struct candidate {
	const char *text;  /* what the word would be */
	const char *about; /* a few words, or "" */
	bool more;         /* something has to follow at once: no blank after it */
};

struct candidates {
	sw_arena *arena;
	size_t begin; /* where the word starts in the text */
	int count, room;
	struct candidate *row; /* in the order in which they are shown */
};

void candidates_free(struct candidates *candidates);

/* Adds them as lines with their meanings, or side by side where none has one; what is above `rows` is counted. */
void candidates_print(const struct candidates *candidates, int width, int rows, sw_text *text);

#endif
