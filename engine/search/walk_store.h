/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a walk remembers.  Nodes are states of the store; their ids are numbers + 1.
 */
#ifndef SW_SEARCH_WALK_STORE_H
#define SW_SEARCH_WALK_STORE_H

#include "search/store.h"
#include "search/local.h"

struct sw_walk {
	sw_problem problem;
	sw_walk_options options;
	sw_local local;
	sw_arena *arena;
	sw_divisors factors;
	const sw_pulse *pulse; /* asked within a step; NULL: nobody is */
	bool stopped;          /* and said no */
	sw_store store;
	int goal; /* number, -1 while unseen */
};

#endif
