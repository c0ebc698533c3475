/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reduction programs as plans: operations and groups, to be written, checked, verified and run like any other.
 */
#ifndef SHARDWALK_REDUCTION_PLAN_H
#define SHARDWALK_REDUCTION_PLAN_H

#include <shardwalk/cost.h>
#include <shardwalk/plan.h>
#include <shardwalk/reduction.h>
#include <shardwalk/summing.h>

#pragma GCC visibility push(default)

/* What a reduction program is a plan of. */
typedef struct sw_reduction_problem {
	const sw_problem *problem; /* its mesh is the axes, and `order` that of the placement */
	const sw_ports *ports;     /* of the same placement; the axes that `problem` sums */
	sw_model model;            /* under which its seconds are */
	const char *machine;       /* of that model, kept alive by the caller: under `ports` the system as text */
	double best;               /* seconds of the fastest program of any length; below 0: not known */
} sw_reduction_problem;

/* The type that is left when `problem` has summed the axes of these ports, and nothing else.  Errors: T, M codes of a type. */
bool sw_reduction_ends_on(const sw_reduction_problem *of, sw_type *type, sw_diag *diag);

/* Steps by the names of their groups, with seconds, as a plan of the problem: on pieces, as many as a sum has terms.  They have a type
 * where one says what devices hold then.  Everything lives in `arena`.  Errors: P07 where `to` is another type than they end on, S08
 * where devices are too many to be followed, P05, S09, E01. */
bool sw_reduction_plan(const sw_reduction_problem *of, const sw_plan *named, sw_arena *arena, sw_plan *plan,
	sw_diag *diag);

/* Steps of a sum as a plan over the devices that are followed, to be executed: an array that is summed once for each sum, with one number
 * for each piece.  Everything lives in `arena`.  Errors: P05 with the premise that fails, E01. */
bool sw_summing_plan(const sw_summing *summing, const sw_step *steps, int count, sw_arena *arena, sw_plan *plan,
	sw_diag *diag);

/* The system over whose devices a plan was priced, of which a file has the text.  P03: it says none; those of sw_system_parse. */
bool sw_plan_system(const sw_plan *plan, sw_system *system, sw_diag *diag);

/* A mesh on a system: its axes are those of the placement. */
typedef struct sw_placed_mesh {
	const sw_system *system;
	const sw_placement *placement;
	const sw_mesh *mesh;
} sw_placed_mesh;

/* The machine of the model `ports` for plans over a placed mesh.  It lives in `arena`, `name` with the caller.  Errors: S08 above
 * SW_MAX_DEALT devices, E01. */
bool sw_ports_machine(const sw_placed_mesh *on, sw_allreduce_way way, const char *name, sw_arena *arena,
	sw_machine *machine, sw_diag *diag);

/* A sum over some axes of a placed mesh as sw_ports_make has it, priced by a machine of the model `latency` instead: an all-reduce is a
 * ring.  `on`, what it points to, and the machine are kept alive by the caller.  S08 as there. */
typedef struct sw_priced_mesh {
	sw_placed_mesh on;
	const sw_machine *machine;
} sw_priced_mesh;
bool sw_ports_of_latency(const sw_priced_mesh *priced, uint32_t summed, sw_ports *ports, sw_diag *diag);

/* What is needed to weigh reduction programs against steps of types. */
typedef struct sw_mixing {
	const sw_ports *ports;       /* of all axes that are summed on the way, with prices of the plan's model */
	const sw_contexts *contexts; /* of as many factors */
	const char *machine;         /* as in sw_reduction_problem */
} sw_mixing;

/* Puts a plan that takes less time in the place of `plan`, where there is one: a reduction program for the sums, then steps of types;
 * steps of types, then the program; or the program alone, which is a plan of its steps.  In the others it is inside of an all-reduce.
 * `options` are those by which `plan` was found.  It lives in `arena`.  Where something fails `plan` stays as it is. */
void sw_plan_mix(const sw_mixing *mixing, const sw_plan_options *options, sw_arena *arena, sw_plan *plan);

#pragma GCC visibility pop

#endif
