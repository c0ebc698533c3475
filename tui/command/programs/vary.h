/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Both times of the first ways of a product over the size of one letter.
 */
#ifndef SHARDWALK_COMMAND_VARY_H
#define SHARDWALK_COMMAND_VARY_H

#include <shardwalk/ways.h>

#include "command/command.h"

/* Answers with the times of the first three ways, which have seconds, over the sizes that `word` says, `b=64..8192`: each twice
 * the one before, those left out that the cuts do not divide.  Errors: L02 at the word, S11 without seconds, those of ways. */
bool vary_answer(const struct invocation *run, const sw_ways *ways, const struct word *word,
	const sw_ways_options *options, sw_diag *diag);

#endif
