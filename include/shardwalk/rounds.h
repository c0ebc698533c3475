/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A collective hop by hop: what the members of a group hold of each piece, and send to their neighbours.
 *
 * The members stand on rings and lines, one for each axis of the mesh that the group goes over, and are numbered by their slots.
 * A gather passes pieces on until all have them; a reduction passes sums on that grow by a term at every member; an alltoall passes
 * on what is for members farther off.  On a ring the piece of the opposite member of an even number goes half each way.
 *
 * Over several axes a gather goes along one after the other, and hands on in each hop all that the axes before have brought
 * together; a sum does so backwards.  Every piece is cut into as many shares, each of which begins with another axis, so that all
 * links work at once.  What is held and sent here is so of the first share, which begins with the last axis of the mesh.
 */
#ifndef SHARDWALK_ROUNDS_H
#define SHARDWALK_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/cost.h>
#include <shardwalk/diag.h>
#include <shardwalk/mesh.h>
#include <shardwalk/plan.h>

#pragma GCC visibility push(default)

typedef enum sw_rounds_kind { SW_ROUNDS_GATHER, SW_ROUNDS_SUM, SW_ROUNDS_SUM_GATHER, SW_ROUNDS_SWAP } sw_rounds_kind;

/* A ring or a line of members. */
typedef struct sw_rounds_line {
	int axis; /* of the mesh; -1: the order of a group that no axes make, through a switch */
	int64_t members;
	int64_t apart;  /* numbers of members between neighbours */
	bool closed;    /* a ring */
	int64_t shared; /* groups that share a link */
	double share;   /* of every piece that begins with this line */
	double bandwidth;
} sw_rounds_line;

typedef struct sw_rounds {
	sw_rounds_kind kind;
	int64_t members, groups;
	const int32_t *member; /* the slots of the first group in any order; NULL: their numbers are not known */
	int64_t hops;
	bool closed;    /* rings only */
	bool one_way;   /* over one direction of each link */
	bool by_switch; /* the hardware has no such links: a ring is only the order in which members send */
	int axes;       /* lines */
	sw_rounds_line line[SW_MAX_AXES]; /* in the order in which the first share of a gather goes along them */
	double piece;                     /* elements of a piece; of an alltoall, of what one member has for another */
	double link;                      /* elements that cross the busiest link in one direction, in all hops */
	double hops_s, bytes_s;           /* seconds of all hops, and of all bytes: it takes the longer of the two */
} sw_rounds;

/* The rounds of step `k` (0-based) of a plan on a machine of the model `roofline`.  Lives as long as the plan.  L07 where its
 * devices do not work in groups, its groups are no product of lines of a torus, or one way alone would not reach all. */
bool sw_rounds_of(const sw_plan *plan, int k, const sw_machine *machine, bool one_way, sw_rounds *rounds,
	sw_diag *diag);

/* Elements that have crossed the busiest link after so many hops, and seconds by then. */
double sw_rounds_crossed(const sw_rounds *rounds, int64_t hops);
double sw_rounds_seconds(const sw_rounds *rounds, int64_t hops);

/* The line along which a hop goes, counted from 1. */
int sw_rounds_line_of(const sw_rounds *rounds, int64_t hop);

/* The slot of member `m`, and the member in a slot; -1: it is not in the first group. */
int64_t sw_rounds_slot(const sw_rounds *rounds, int64_t m);
int64_t sw_rounds_member(const sw_rounds *rounds, int64_t slot);

/* What member `m` holds of piece `p` after so many hops: of a sum, how many terms; else 1 or 0.  The pieces of an alltoall are
 * those that it gets, by the member that they are from. */
int64_t sw_rounds_held(const sw_rounds *rounds, int64_t hops, int64_t m, int64_t p);

/* What member `m` sends in a hop, counted from 1. */
typedef struct sw_rounds_send {
	int64_t piece;  /* its number, of several that of the first; of an alltoall the member that all of it is from */
	int64_t pieces; /* so many in a row */
	double amount;  /* in pieces; 0: nothing */
	int64_t terms;  /* of a sum, how many are in it; else 0 */
} sw_rounds_send;

/* To the next member of the line (`up`), or to the one before it. */
sw_rounds_send sw_rounds_sent(const sw_rounds *rounds, int64_t hop, int64_t m, bool up);

#pragma GCC visibility pop

#endif
