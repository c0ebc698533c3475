/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Links that are simulated on one host: every unit of every level of a system has ports with so many bytes a second, and a message
 * waits until all ports that it passes have let it through.
 */
#ifndef EX_THROTTLE_H
#define EX_THROTTLE_H

#include <shardwalk/placement.h>

#include "share.h"
#include "team.h"

typedef struct ex_throttle {
	bool on;
	sw_system system;
	double factor; /* rates of the system, times this, are those of the simulated ports */
	ex_share share;
	int first[SW_MAX_LEVELS + 1]; /* of the ports of a level: for each unit one out and one in */
} ex_throttle;

/* Reads the system and measures at which rate messages go round all ranks: that becomes the rate of the innermost level.  All ranks
 * call it.  P03 where the system has not as many devices as there are ranks, E01, and where ranks are on several hosts. */
bool ex_throttle_open(ex_throttle *throttle, ex_team *team, const char *system, ex_fault *fault);
void ex_throttle_close(ex_throttle *throttle);

/* Returns when so many bytes from one rank to another have passed. */
void ex_throttle_pass(ex_throttle *throttle, int from, int to, int64_t bytes);

#endif
