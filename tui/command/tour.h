/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tour: a newcomer's first minutes, one short step at a time.
 *
 * Its steps are rows of a table.  The screens press the keys of a step, the prompt runs its lines; both say its
 * sentence.  session->tour is the step that was shown last: the prompt goes on with an empty line and leaves with `q`,
 * in between every command works.  Where nobody is there who could press Enter, the steps follow each other.
 */
#ifndef SHARDWALK_COMMAND_TOUR_H
#define SHARDWALK_COMMAND_TOUR_H

#include "session/session.h"

#define TOUR_MOST 32 /* steps */
#define TOUR_ROWS 22 /* that a step prints at most, of 80 columns */

struct tour_step {
	const char *sentence; /* at most two rows of 56 columns; words that it uses were explained, or are now */
	const char *typed;    /* in the screens: a line for the prompt, before the keys; NULL: none */
	bool answers;         /* what the line answers is worth a row; else the picture shows it */
	const char *keys;     /* in the screens: names of keys with blanks between them */
	const char *lines;    /* at the prompt: what runs instead, a line each */
	int tail;             /* rows of the last answer's end that stay where it is too long */
};

/* How many steps there are; one of them, from 1, NULL after the last. */
int tour_length(void);
const struct tour_step *tour_step(int n);

#endif
