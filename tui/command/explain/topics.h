/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words that `explain` explains at length: strategies, cost models, and what answers are called.  Completion and the manual
 * read the same table.
 */
#ifndef SHARDWALK_COMMAND_TOPICS_H
#define SHARDWALK_COMMAND_TOPICS_H

#include <shardwalk/plan.h>

#include "canvas/canvas.h"
#include "command/explain/topic.h"

/* The n-th, NULL after the last; its name and the line that lists print. */
const struct topic *topic_at(int n);
const char *topic_name(const struct topic *topic);
const char *topic_about(const struct topic *topic);

/* Does a word lead there?  Those of other libraries do in capitals or not. */
bool topic_is(const struct topic *topic, sw_str word);

/* The topic of a strategy or a model. */
const struct topic *topic_of(int kind, int id);

/* Draws all topics of that name, a strategy and a model may share one, from line `y` on; false: there is none. */
bool topics_draw(sw_str name, struct canvas *canvas, int y);

#endif
