/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words of other libraries that `explain` leads from to what the program has for them.
 */
#ifndef SHARDWALK_COMMAND_ELSEWHERE_H
#define SHARDWALK_COMMAND_ELSEWHERE_H

#include "command/explain/topic.h"

extern const struct elsewhere {
	const char *others; /* more words that lead there, with blanks between them, capitals or not */
	struct topic topic;
	const char *says; /* how a message of theirs begins, or NULL */
} elsewhere_topics[];
extern const int elsewhere_topic_count;

#endif
