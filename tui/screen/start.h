/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the screens offer where nothing is defined: the tour, and problems to open.
 */
#ifndef SHARDWALK_SCREEN_START_H
#define SHARDWALK_SCREEN_START_H

#include "screen/model.h"

/* Goes to the offer, where there is no problem, plan or table of imports to look at. */
void start_offer(struct screen *screen);

/* Leaves the offer for the search graph once a problem was typed. */
void start_follow(struct screen *screen);

/* How many rows there are, of which the first is the tour. */
int start_count(void);

#endif
