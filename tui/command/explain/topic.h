/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A word that `explain` explains at length.
 */
#ifndef SHARDWALK_COMMAND_TOPIC_H
#define SHARDWALK_COMMAND_TOPIC_H

#define TOPIC_PARTS 9

struct topic {
	enum { TOPIC_STRATEGY, TOPIC_MODEL, TOPIC_WORD } kind;
	int id;           /* of a strategy or a model */
	const char *name; /* of a word; else NULL */
	const char *about;
	struct {
		const char *head, *words;
	} part[TOPIC_PARTS]; /* ended by a head of NULL */
	const char *example; /* or NULL */
};

#endif
