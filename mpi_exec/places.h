/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a step of a schedule fetches inside of a host need not be copied: where it is one box of an input of a rank of the same host, it is read
 * there.  Inputs stay as they are while a program is executed, so that nobody waits for that.
 */
#ifndef EX_PLACES_H
#define EX_PLACES_H

#include <shardwalk/program.h>

#include "team.h"

/* A box in an input of a rank of the same host. */
typedef struct ex_reading {
	int rank, input;
	int64_t at;                /* its first element there */
	int64_t step[SW_MAX_DIMS]; /* elements from one index to the next; the last is 1 */
	int64_t size[SW_MAX_DIMS];
	int dims;
	bool any; /* else the rank has nothing of it */
} ex_reading;

typedef struct ex_places {
	ex_reading **of; /* of each value, and of each rank where all of them read it in place; else NULL */
	int64_t messages, in_place;
} ex_places;

/* Which values of a program are read in place; none with `off`, and messages are counted then, too.  Small things live in `arena`. */
bool ex_places_find(const sw_program *program, const ex_team *team, bool off, sw_arena *arena, ex_places *places,
	ex_fault *fault);

#endif
