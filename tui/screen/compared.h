/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was compared last.
 */
#ifndef SHARDWALK_SCREEN_COMPARED_H
#define SHARDWALK_SCREEN_COMPARED_H

#include "screen/model.h"

/* Keeps the table of schedules where the rows of the output from `row` on are one; others are kept as they are answered (screen/output.h). */
void compared_keep(struct screen *screen, int row);

#endif
