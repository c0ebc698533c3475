/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How often the parts of a program run while it runs once: calls add up, loops multiply, and of the branches of a conditional
 * that which moves most counts.  A part is a computation of HLO, or a region of StableHLO with the shardings that it has where it
 * is called.
 */
#ifndef SW_FOREIGN_RUNS_H
#define SW_FOREIGN_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>

typedef struct runs_part {
	double weight; /* bytes that a device gets while it runs once; with those of what it calls, once it is settled */
	int64_t count; /* how often; a loop that tells no number counts once */
	int64_t loop;  /* line of the innermost loop around it, as it is called first; 0: none */
	bool open;     /* there is a loop around it that tells no number */
	bool untaken;  /* only branches lead to it that are not counted */
	int first;     /* its last call, or -1 */
	int callers;   /* calls of it that are not counted yet */
} runs_part;

typedef struct runs_call {
	int from, to;  /* parts */
	int64_t times; /* -1: nobody tells */
	int64_t loop;  /* line of the loop whose body or condition is called; 0: of none */
	int choice;    /* calls in a row of one choice are branches; -1: it is none */
	int next;      /* the call before it by the same part, or -1 */
	bool dropped;  /* another branch moves more */
} runs_call;

typedef struct runs {
	sw_arena *arena;
	int parts, calls, part_room, call_room;
	runs_part *part;
	runs_call *call;
	int64_t branches; /* conditionals of which only the dearer branch counts */
} runs;

/* A part that nobody calls; -1: no memory. */
int runs_add_part(runs *all);

/* false: no memory. */
bool runs_add_call(runs *all, runs_call call);

/* Once everything is added.  What calls itself counts once, and is open.  false: no memory. */
bool runs_settle(runs *all);

/* count + more * times, at most SW_RUNS_MOST. */
int64_t runs_add(int64_t count, int64_t more, int64_t times);

#endif
