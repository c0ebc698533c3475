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
#include <shardwalk/cost.h>
#include <shardwalk/diag.h>
#include <shardwalk/plan.h>
#include <shardwalk/type.h>
#include <shardwalk/ways.h>

#pragma GCC visibility push(default)

/* The systems: identifier, name, the strategy that plans as they do, and what they are. */
#define SW_ADVISE_TARGETS(X) \
	X(JAX, "jax", SW_XLA, "JAX: sharding constraints, which XLA's partitioner executes one by one") \
	X(DTENSOR, "dtensor", SW_DTENSOR, "PyTorch DTensor: one redistribute call for each waypoint") \
	X(SHARDY, "shardy", SW_SHARDY, "Shardy: sharding constraints, which its own pass executes one by one")

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
	int64_t budget;            /* bound on the height, in elements; 0: the larger localsize of both ends */
	sw_unit unit;              /* in which messages tell of it */
	unsigned without;          /* bit 1 << sw_op: operations that no hop may use */
	bool several;              /* jax: also hops that rely on XLA merging all-to-alls into one */
	const sw_machine *machine; /* for predicted time; may be NULL */
	const sw_pulse *pulse;     /* may be NULL */
} sw_advise_options;

/* What changes: elements that a device receives, elements of the largest tile, predicted seconds. */
typedef enum sw_weighed { SW_WEIGHED_RECEIVED, SW_WEIGHED_PEAK, SW_WEIGHED_TIME, SW_WEIGHED_COUNT } sw_weighed;

typedef struct sw_advice_weight {
	double now[SW_WEIGHED_COUNT], then[SW_WEIGHED_COUNT]; /* below 0: not known */
	unsigned falls, rises;                                /* bit 1 << sw_weighed; what is not known does neither */
} sw_advice_weight;

/* DTensor carries out neighbouring collectives of one kind as one where the program has made their mesh dimensions into
 * one, `mesh["dp", "tp"]._flatten()`. */
typedef struct sw_flattened {
	int count;                  /* mesh dimensions to be made; 0: there is nothing to flatten */
	unsigned axes[SW_MAX_AXES]; /* of each, bit 1 << axis of the problem's mesh */
	int plans;                  /* what DTensor does then, one plan after the other */
	const sw_plan *plan;
	sw_advice_weight weight; /* against what it does without */
} sw_flattened;

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
	int64_t height_now, height_then;     /* the largest tile on the way */
	int64_t collectives[SW_COLLECTIVES]; /* of each kind, that one should then see */
	bool complete;                       /* the search for waypoints ran to its end */
	bool warns_now;                      /* jax: XLA warns of an involuntary full rematerialization without advice */
	sw_advice_weight weight;             /* of the waypoints, or of the steps, against `now` */
	sw_flattened flattened;              /* dtensor; else count is 0 */
} sw_advice;

/* Is there something that falls, and nothing that rises?  Then whoever writes it is better off in any case; without it advice is an
 * offer, for what falls against what rises.  So is advice without `now`, of which there is nothing to compare. */
bool sw_advice_is_better(const sw_advice *advice);

/* Looks for the cheapest advice within the bound; among equally cheap ones for fewer waypoints, then fewer
 * steps.  Never worse than no advice by its cost, and, with a machine, none where neither received elements nor the largest tile nor
 * predicted seconds fall, unless the system by itself warns, or does what is not allowed.  Everything in `advice` lives in `arena`.  Errors: T09; S01 where the
 * bound is below one of the ends; S02 where neither the system by itself nor any way with waypoints ends
 * within what is allowed; S03 stopped; S09; E01. */
bool sw_advise(const sw_problem *problem, const sw_advise_options *options, sw_arena *arena, sw_advice *advice,
	sw_diag *diag);

/* The same where the program writes the steps of `plan` itself and leaves the system no choice: what they come to
 * against what the system does.  There are no waypoints, and nothing is looked for; `gains`: they cost less. */
bool sw_advise_steps(const sw_plan *plan, const sw_advise_options *options, sw_arena *arena, sw_advice *advice,
	sw_diag *diag);

/* Advice for a product: the types that the program asks for before it and behind it, so that the system multiplies where that
 * costs least. */
typedef struct sw_product_advice {
	bool known;            /* what the system does by itself; false: `why` says why not */
	const char *why;       /* a sentence, or NULL */
	sw_xla_product now;    /* jax, where it is known */
	bool gains;            /* constraints make it cheaper, or, where nothing is known, possible */
	bool constrained[3];   /* A, B, the product */
	sw_type type[3];       /* what they are asked for in: where not constrained, as they are */
	sw_type multiplied[3]; /* where it then happens: A', B' and C' */
	int64_t cost, flops;   /* then, elements a device; reductions as the system does them */
	double seconds;        /* of communication; -1: no machine, or no rate for it */
	sw_advice_weight
		weight; /* of the constraints against `now`: the cost, the largest tile, and seconds of communication and product */
} sw_product_advice;

/* As sw_advice_is_better, of constraints around a product; where seconds are not known more multiplications are worse, too.  Of a product that
 * the system refuses by itself they are better; not of one of which it is not known what it does. */
bool sw_product_advice_is_better(const sw_product_advice *advice, sw_advise_target target);

typedef struct sw_product_advice_options {
	sw_advise_target target;
	const sw_machine *machine; /* for seconds; may be NULL */
	const sw_pulse *pulse;     /* may be NULL */
} sw_product_advice_options;

/* Looks through the ways of the product, which is wanted in a type, for the one that costs the system least, with a machine in
 * seconds of communication and product; both operands and
 * the product are asked for as they are multiplied, so that nothing is left to choose.  Of DTensor and Shardy it is not known what they do by themselves.  Everything lives in `arena`.
 * Errors: those of sw_ways_find. */
bool sw_advise_product(const sw_product *product, const sw_product_advice_options *options, sw_arena *arena,
	sw_product_advice *advice, sw_diag *diag);

/* ---- between two meshes of different devices ---- */

/* How an array goes there in JAX without going through the memory of a host. */
typedef enum sw_meshes_way {
	SW_MESHES_PUT,    /* jax.device_put alone: every tile is one of the first end, or cut on its only device */
	SW_MESHES_BEFORE, /* the devices of the first end have the tiles of the second first */
	SW_MESHES_BEHIND, /* those of the second have the tiles of the first first */
	SW_MESHES_HOST,   /* there is none: the numbers of devices do not allow it, or an end has no tiles */
	SW_MESHES_WAYS
} sw_meshes_way;

typedef struct sw_meshes_end {
	int64_t devices, most;     /* that the end is defined on; the most elements of one */
	int64_t tiles;             /* all different ones; 0: what devices have are no tiles of one size, or terms */
	int64_t cuts[SW_MAX_DIMS]; /* into so many parts each dimension is cut, where there are tiles */
} sw_meshes_end;

typedef struct sw_meshes_advice {
	sw_meshes_end end[2];
	int64_t common;   /* devices of both ends */
	int64_t received; /* by one exchange: the most elements that a device gets from others */
	int64_t whole; /* elements of the array, which a host holds where tiles differ; -1: 64 bits do not count them */
	sw_meshes_way way;
	/* jax, of the jit that changes the tiles on one mesh; SW_MESHES_BEFORE and BEHIND only */
	struct {
		bool known, warns;         /* what XLA does is known; it says "Involuntary full rematerialization" */
		bool stops;                /* it does not where it stops in between, in tiles of an array ... */
		int64_t cuts[SW_MAX_DIMS]; /* ... that is cut into so many parts along each dimension */
		double received;           /* elements that reach a device, with the stop where there is one */
	} jit;
} sw_meshes_advice;

/* Are the ends on different devices: does one of them say nothing of a device of the other?  Then no compiler moves the array: a program
 * runs on one set of devices. */
bool sw_advise_between_meshes(const sw_problem *problem);

/* What is to be done then.  Everything is in `advice`; the arena is for what is made on the way.  Errors: S02 where something is needed
 * that nobody has; S08, T11, E01. */
bool sw_advise_meshes(const sw_problem *problem, sw_arena *arena, sw_meshes_advice *advice, sw_diag *diag);

#pragma GCC visibility pop

#endif
