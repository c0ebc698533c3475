/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Costs of whatever is walked, in words.
 */
#ifndef SHARDWALK_VIEWS_WALK_WORDS_H
#define SHARDWALK_VIEWS_WALK_WORDS_H

#include <shardwalk/walk.h>

#include "views/draw.h"

/* A cost or a distance: counted, or as seconds. */
struct words words_cost(const sw_walk *walk, int64_t cost);

/* What is known of a node, and of an edge. */
const char *words_node(sw_node_state state);
const char *words_edge(sw_edge_state state);

#endif
