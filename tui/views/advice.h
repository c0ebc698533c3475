/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Advice as view_advice shows it.
 */
#ifndef SHARDWALK_VIEWS_ADVICE_H
#define SHARDWALK_VIEWS_ADVICE_H

#include <shardwalk/advise.h>
#include <shardwalk/whole.h>

#include "views/group.h"

/* Sums over what a system does. */
struct advice_sum {
	double volume;                 /* elements that arrive from other devices */
	double seconds;                /* predicted; negative: not known */
	int64_t count[SW_COLLECTIVES]; /* steps of each kind */
};

struct advise_back;

struct advice_picture {
	const sw_advice *advice;
	const char *machine; /* that times are predicted for; NULL: not known */
	struct advice_sum now, then;
	const struct group *group; /* of a warning that the problem is from */
	bool gradient;             /* the value is one: a constraint on the forward value is transposed */
	bool product;              /* of a warning: XLA has the dimensions of a product in its own order */
	int64_t alike;             /* of a warning: how often it came, of values alike; 0: it is of none */
	int others;                /* of a warning: what else uses its value in the module; -1: not known */
	bool said;                 /* of a warning: the program says the sharding that its value has before */
	bool chosen;               /* of a warning: the partitioner chose where the value goes, and may choose again */
	const struct advise_back *back; /* what the lines do to the gradient, or to the value of one; NULL: not known */
	const sw_whole *whole;          /* whether it is the one that a warning is about; NULL: none was imported */
};

/* "1 alltoall, 2 allgather"; "none" where there are no steps. */
void advice_count_text(const int64_t count[SW_COLLECTIVES], sw_text *text);

/* "jax" as its users say it, and the planner that does the work: "XLA". */
const char *advice_system(sw_advise_target target);

#endif
