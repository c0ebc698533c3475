/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Links that are simulated on one host: every unit of every level of a system has ports with so many bytes a second, and who receives
 * a message waits until all ports that it passes have let it through.
 */
#ifndef EX_THROTTLE_H
#define EX_THROTTLE_H

#include <shardwalk/placement.h>
#include <shardwalk/plan.h>

#include "share.h"
#include "team.h"

typedef struct ex_throttle {
	ex_team *team; /* whose messages pass it: set by who makes it */
	bool on;       /* else they go at once */
	sw_system system;
	double factor; /* rates of the system, times this, are those of the simulated ports */
	ex_share share;
	int first[SW_MAX_LEVELS + 1]; /* of the ports of a level: for each unit one out and one in */
} ex_throttle;

/* Reads the system and measures at which rate messages go round all ranks: that becomes the rate of the innermost level.  All ranks
 * call it.  P03 where the system has not as many devices as there are ranks, E01, and where ranks are on several hosts. */
bool ex_throttle_open(ex_throttle *throttle, const sw_plan *plan, ex_fault *fault);
void ex_throttle_close(ex_throttle *throttle);

/* A message on its way. */
typedef struct ex_passage {
	int count;
	MPI_Request request[2]; /* the data, and the moment */
	double moment;          /* at which it has passed all ports; 0: at once */
} ex_passage;

/* Both return at once; data and passage stay until it is complete.  Messages of one tag to one rank come in their order. */
void ex_throttle_send(ex_throttle *throttle, const void *data, int64_t bytes, int to, int tag, ex_passage *passage);
void ex_throttle_receive(const ex_throttle *throttle, void *data, int64_t bytes, int from, int tag,
	ex_passage *passage);

/* Is it complete, and would it have passed by now? */
bool ex_passage_has_come(ex_passage *passage);

/* Waits until it is complete; then, for one that is received, until it would have passed. */
void ex_passage_wait(ex_passage *passage);
void ex_passage_let_through(const ex_passage *passage);

#endif
