/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs from the screens: begun, widened and left by keys.
 */
#ifndef SHARDWALK_SCREEN_RUNS_H
#define SHARDWALK_SCREEN_RUNS_H

#include "screen/model.h"

/* Is there a problem of any types, a plan, a program or a product that ranks can run? */
bool runs_possible(const struct screen *screen);

/* Runs what is present, and shows how its times come. */
void runs_begin(struct screen *screen);

/* Asks for a strategy that runs beside those of the last run, or of the one that goes on. */
void runs_ask_strategy(struct screen *screen);

/* Asks whether the command that works is to be stopped, and leaves the picture then; with `quit` the program too. */
void runs_ask_leave(struct screen *screen, bool quit);

/* Why nothing else can be done while a command works. */
const char *runs_refusal(const struct screen *screen);

#endif
