/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Advice: what to write in one's own program so that a system reshards as cheaply as it can.
 *
 * Advice is a sequence of types to pass through (waypoints).  Each hop between two of them is planned as
 * the system itself would plan it, so that what is promised is what it will really do.
 */
#ifndef SHARDWALK_ADVISE_H
#define SHARDWALK_ADVISE_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/plan.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

/* The systems: identifier, name, the strategy that plans as they do, and what they are. */
#define SW_ADVISE_TARGETS(X) \
	X(JAX, "jax", SW_XLA, "JAX: sharding constraints, which XLA's partitioner carries out one by one") \
	X(DTENSOR, "dtensor", SW_DTENSOR, "PyTorch DTensor: one redistribute call a waypoint") \
	X(SHARDY, "shardy", SW_SHARDY, "Shardy: sharding constraints, which its own pass carries out one by one")

typedef enum sw_advise_target {
#define X(id, name, strategy, about) SW_ADVISE_##id,
	SW_ADVISE_TARGETS(X)
#undef X
		SW_ADVISE_COUNT
} sw_advise_target;

const char *sw_advise_name(sw_advise_target target);
const char *sw_advise_about(sw_advise_target target);
sw_strategy sw_advise_strategy(sw_advise_target target);
bool sw_advise_parse(sw_str name, sw_advise_target *target, sw_diag *diag); /* L02 with the nearest name */

typedef struct sw_advise_options {
	sw_advise_target target;
	int64_t budget;        /* bound on the height, in elements; 0: the larger localsize of both ends */
	sw_unit unit;          /* in which messages tell of it */
	unsigned without;      /* bit 1 << sw_op: operations that no hop may use */
	bool several;          /* jax: also hops that rely on XLA merging all-to-alls into one */
	const sw_pulse *pulse; /* may be NULL */
} sw_advise_options;

typedef struct sw_advice {
	sw_advise_target target;
	sw_problem problem;          /* on the mesh of the advice: the user's, or a finer one */
	bool finer;                  /* it is a finer one of the same devices, numbered as before */
	bool meshes;                 /* it is the user's, and no finer one says all types: each needs one that does */
	int via_count;               /* waypoints; 0: nothing is to be written */
	const sw_type **via;         /* in the order of passing through, on problem.mesh */
	bool gains;                  /* false: nothing better is known than no advice; via_count is 0 */
	const char *why;             /* one sentence: what is gained, or why nothing is */
	bool has_now;                /* false: without advice the system fails, and `why` says how */
	sw_plan now;                 /* what the system does by itself, on the user's mesh; valid where has_now */
	sw_plan *hop;                /* what it does from waypoint to waypoint: via_count + 1 plans, on problem.mesh */
	bool written;                /* the program has the steps themselves: via_count is 0, and *hop is their plan */
	int64_t budget;              /* the bound on the height */
	sw_unit unit;                /* in which it was typed */
	int64_t cost_now, cost_then; /* sums under the model paper; cost_now is -1 without `now` */
	int64_t height_now, height_then;  /* the largest tile on the way */
	int64_t collectives[SW_OP_COUNT]; /* of each kind, that one should then see */
	bool complete;                    /* the search for waypoints ran to its end */
	bool warns_now;                   /* jax: XLA warns of an involuntary full rematerialization without advice */
} sw_advice;

/* Looks for the cheapest advice within the bound; among equally cheap ones for fewer waypoints, then fewer
 * steps.  Never worse than no advice.  Everything in `advice` lives in `arena`.  Errors: T09; S01 where the
 * bound is below one of the ends; S02 where neither the system by itself nor any way with waypoints ends
 * within what is allowed; S03 stopped; S09; E01. */
bool sw_advise(const sw_problem *problem, const sw_advise_options *options, sw_arena *arena, sw_advice *advice,
	sw_diag *diag);

/* The same where the program writes the steps of `plan` itself and leaves the system no choice: what they come to
 * against what the system does.  There are no waypoints, and nothing is looked for; `gains`: they cost less. */
bool sw_advise_steps(const sw_plan *plan, const sw_advise_options *options, sw_arena *arena, sw_advice *advice,
	sw_diag *diag);

#pragma GCC visibility pop

#endif
