/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A script that is played on the screens: each statement opens the view that shows what it does.
 */
#ifndef SHARDWALK_SCREEN_PLAYED_H
#define SHARDWALK_SCREEN_PLAYED_H

#include "screen/player.h"

/* A statement that is about to run, or has run; NULL: the script is over. */
void played_moment(struct screen *screen, const struct film_moment *moment);

/* What is said above the bar meanwhile; false: nothing is played. */
bool played_strip(const struct screen *screen, struct strip *strip);

/* Space, which pauses.  false: the key is for the picture. */
bool played_key(struct screen *screen, int key);

#endif
