/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sequences of collectives as heights: a row a type, its size as a bar.
 */
#ifndef SHARDWALK_VIEWS_SEQUENCE_H
#define SHARDWALK_VIEWS_SEQUENCE_H

#include <shardwalk/sequence.h>

#include "canvas/canvas.h"

/* The largest tile of a sequence, to which bars are drawn: those of two sequences side by side have one measure. */
int64_t sequence_height(const sw_sequence *sequence);

/* Draws it from row `y` on, steps first .. first + count - 1 (0-based) marked; returns the row after it. */
int sequence_draw(const sw_sequence *sequence, int first, int count, int64_t most, struct canvas *out, int y);

/* Adds "height 36, cost 144, 3 steps, normal form". */
void sequence_measure_text(const sw_measure *measure, sw_text *text);

#endif
