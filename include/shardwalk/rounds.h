/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A collective hop by hop: what the members of a group hold of each piece, and send to their neighbours.
 *
 * The members stand in a ring or a line, in the order of their groups.  A gather passes pieces on until all have them; a
 * reduction passes sums on that grow by a term at every member; an alltoall passes on what is for members farther off.  On
 * a ring the piece of the opposite member of an even number goes half each way.
 */
#ifndef SHARDWALK_ROUNDS_H
#define SHARDWALK_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/cost.h>
#include <shardwalk/diag.h>
#include <shardwalk/plan.h>

#pragma GCC visibility push(default)

typedef enum sw_rounds_kind { SW_ROUNDS_GATHER, SW_ROUNDS_SUM, SW_ROUNDS_SUM_GATHER, SW_ROUNDS_SWAP } sw_rounds_kind;

typedef struct sw_rounds {
	sw_rounds_kind kind;
	int64_t members, groups;
	const int32_t *member; /* the slots of the first group; NULL: their numbers are not known */
	int64_t hops;
	bool closed;            /* a ring */
	bool one_way;           /* over one direction of each link */
	bool by_switch;         /* the hardware has no such links: a ring is only the order in which members send */
	int axes;               /* that the group goes over */
	int64_t shared;         /* groups that share a link */
	double piece;           /* elements of a piece; of an alltoall, of what one member has for another */
	double link;            /* elements that cross the busiest link in one direction, in all hops */
	double hops_s, bytes_s; /* seconds of all hops, and of all bytes: it takes the longer of the two */
} sw_rounds;

/* The rounds of step `k` (0-based) of a plan on a machine of the model `roofline`.  Lives as long as the plan.  L07 where its
 * devices do not work in groups, or one way alone would not reach all. */
bool sw_rounds_of(const sw_plan *plan, int k, const sw_machine *machine, bool one_way, sw_rounds *rounds,
	sw_diag *diag);

/* Elements that have crossed the busiest link after so many hops, and seconds by then. */
double sw_rounds_crossed(const sw_rounds *rounds, int64_t hops);
double sw_rounds_seconds(const sw_rounds *rounds, int64_t hops);

/* What member `m` holds of piece `p` after so many hops: of a sum, how many terms; else 1 or 0.  The pieces of an alltoall are
 * those that it gets, by the member that they are from. */
int64_t sw_rounds_held(const sw_rounds *rounds, int64_t hops, int64_t m, int64_t p);

/* What member `m` sends in a hop, counted from 1. */
typedef struct sw_rounds_send {
	int64_t piece; /* its number; of an alltoall the member that all of it is from */
	double amount; /* in pieces; 0: nothing */
	int64_t terms; /* of a sum, how many are in it; else 0 */
} sw_rounds_send;

/* To the next member (`up`), or to the one before it. */
sw_rounds_send sw_rounds_sent(const sw_rounds *rounds, int64_t hop, int64_t m, bool up);

#pragma GCC visibility pop

#endif
