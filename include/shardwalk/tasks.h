/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tasks: a formula repeated, whose result becomes its first input, as a graph of tasks.
 *
 * A round is one exchange and then `every` steps without another one, of which each device does its part; the last round may
 * have fewer.  A task is what one device does in a round.  It depends on the tasks of the round before that hold what it needs:
 * on its own too, if that is among them.  Where the result is held otherwise than the input, it moves between rounds, and these
 * arcs count too.  For several steps in a row a device needs the image of the image of what it makes in the end, and computes on
 * the way what others compute as well.
 *
 * Rounds are alike but for the last, so that nothing is listed for steps times devices.
 *
 * Source: seed 002, sections 2.1, 2.2 and 4.3, figure 1.
 */
#ifndef SHARDWALK_TASKS_H
#define SHARDWALK_TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/formula.h>
#include <shardwalk/relation.h>

#pragma GCC visibility push(default)

/* A round of `steps` steps. */
typedef struct sw_round {
	int64_t steps;
	int64_t arcs, messages, elements;
	int64_t recomputed; /* elements that a device computes beside their owner */
	/* Of what is held and what is needed: sw_relation_before says on whom a task depends.  NULL: there is no such round. */
	sw_relation *relation;
} sw_round;

typedef struct sw_tasks {
	int64_t steps, every, rounds;
	int64_t devices;     /* that compute */
	sw_round full, last; /* `last` has steps where they do not come out even */
	sw_round
		move; /* between rounds, of what is made to where it is read, without steps; no relation where that is the same */
	sw_round once; /* before the first round, of all inputs that are constant, without steps and arcs */
	int64_t tasks, arcs, messages, elements, recomputed; /* of all rounds; arcs are those of what changes */
	int64_t all_after; /* steps after which each result depends on all first inputs; -1: not within the steps, or: */
#define SW_TASKS_NOT_COUNTED (-2) /* there are too many pairs of devices to find out */
} sw_tasks;

/* What devices need for `steps` steps in a row, by a rule that points at the need.  A need of one step is that of the formula. */
typedef struct sw_deep_need {
	const sw_need *first, *need; /* the same but of an input that is constant */
	int64_t steps;
	sw_holding_rule rule;
	sw_holding needed;
} sw_deep_need;

void sw_deep_need_of(const sw_need *need, int64_t steps, sw_deep_need *deep);

/* The same of another input, which is constant: all that is needed of it in any of the steps.  `first` is the need of the one that changes. */
void sw_deep_need_of_other(const sw_need *first, const sw_need *other, int64_t steps, sw_deep_need *deep);

/* A formula repeated for so many steps, of which each round does `every`: its left side becomes the array of need[0], and the other needs are
 * of inputs that are constant. */
typedef struct sw_repetition {
	const sw_need *need;
	int needs; /* 1 or more */
	int64_t steps, every;
} sw_repetition;

/* Counts its tasks; what becomes an input has its shape.  Relations live in the arena.  Errors: F17 for another shape, and where
 * several steps in a row are computed elsewhere than the left side is; S03; those of relations. */
bool sw_tasks_count(const sw_repetition *of, const sw_pulse *pulse, sw_arena *arena, sw_tasks *tasks, sw_diag *diag);

#pragma GCC visibility pop

#endif
