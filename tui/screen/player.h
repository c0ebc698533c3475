/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tour in the screens: it types the lines and presses the keys of its steps (command/tour.h), with the pace that
 * is set, and says their sentences above the bar.
 *
 * session->tour is the step that one is at; where it changes, the player follows.
 */
#ifndef SHARDWALK_SCREEN_PLAYER_H
#define SHARDWALK_SCREEN_PLAYER_H

#include "screen/model.h"

/* Goes to the step that session->tour says, or leaves: the session is as it was before the tour then. */
void player_follow(struct screen *screen);

/* Is there something to type or to press by itself?  The next of it. */
bool player_drives(const struct screen *screen);
void player_tick(struct screen *screen);

/* Enter, b, Space, Esc and Ctrl-C on the tour.  false: the key is for the picture. */
bool player_key(struct screen *screen, int key);

/* ---- where it stands ---- */

/* Keeps the session and where one looks, as they are before a step; comes back to that. */
void player_keep(struct screen *screen, int step);
void player_return(struct screen *screen, int step);
void player_free(struct screen *screen);

/* Is all of its step typed and pressed? */
bool player_done(const struct player *player);

/* ---- what is said above the bar ---- */

#define STRIP_ROWS 3   /* a line, and two rows of words */
#define STRIP_LEAST 14 /* rows of a screen from which they have a place of their own */

struct strip_key {
	const char *key, *label, *about; /* about: for the help, or NULL */
};

struct strip {
	char left[96], right[96];     /* of the line: where one is, and what is pressed */
	const char *words;            /* at most two rows */
	const char *line;             /* as it stands at the prompt; NULL: none */
	const struct strip_key *keys; /* of the bar; ended by one without a key */
};

/* false: nothing is said. */
bool player_strip(const struct screen *screen, struct strip *strip);

/* The keys of the tour, for the help. */
extern const struct strip_key player_keys[];

#endif
