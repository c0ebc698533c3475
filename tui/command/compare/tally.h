/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Costs over many problems, as ratios to those of one strategy: what `compare FILE` and `evaluate` share.
 */
#ifndef SHARDWALK_COMMAND_TALLY_H
#define SHARDWALK_COMMAND_TALLY_H

#include "command/command.h"
#include "session/sample.h"
#include "views/views.h"

struct tally {
	struct ratios ratios; /* whole after tally_finish */
	struct sample sample;
};

/* Adds a cost against another one.  Two of 0 count as 1; one against 0 is left out and counted.  false: memory is short. */
bool tally_add(struct tally *tally, double cost, double against);

/* Sorts the ratios, under this name. */
void tally_finish(struct tally *tally, const char *name);
void tally_free(struct tally *tally);

#endif
