/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Costs and moves of whatever is walked, in words.
 */
#ifndef SHARDWALK_VIEWS_WALK_WORDS_H
#define SHARDWALK_VIEWS_WALK_WORDS_H

#include "session/walked.h"
#include "views/draw.h"

/* A cost or a distance: counted, or as seconds. */
struct words words_cost(const struct walked *walk, int64_t cost);

/* Adds a move: `alltoall(0, 1, 2)`, `reducescatter inside node`. */
void walk_move_text(const struct walked *walk, const sw_move *move, sw_text *text);

#endif
