/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graph of what devices can hold on the way to a sum, walked step by step.
 *
 * A node is a context: for each device, up to symmetry, which chunks it holds and whose shares are in them.  An edge is a step
 * in all its groups at once, with its seconds in the model `ports`.  Contexts are visited in the order of the seconds that the
 * fastest way to them takes, and, with `goal_directed`, of these and the seconds that are still missing, which is what the
 * proof over programs of any length knows of every context; those from which the sum cannot be reached are then left out.
 *
 * Two runs show the same walk on every machine: among equal seconds fewer steps leave first, then what was seen first.
 */
#ifndef SHARDWALK_CONTEXT_WALK_H
#define SHARDWALK_CONTEXT_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/mesh.h>
#include <shardwalk/placement.h>
#include <shardwalk/reduction.h>
#include <shardwalk/text.h>
#include <shardwalk/walk.h>

#pragma GCC visibility push(default)

/* The sum that is walked.  `contexts` stays the caller's and outlives the walk; the rest is copied. */
typedef struct sw_context_sum {
	const sw_contexts *contexts; /* for as many factors as levels are summed over */
	const sw_system *system;
	const sw_placement *placement;
	const sw_mesh *axes; /* names of the placement's axes */
	uint32_t summed;     /* bit i: axis i is summed over */
	double bytes;        /* on each device */
	sw_allreduce_way way;
	bool goal_directed;
} sw_context_sum;

/* A walk before its first step: the start is the frontier.  It is walked as any other (walk.h): the place of a node is the number
 * of its context in the graph, its size how many terms still have to be added to every value, where most of them are added
 * already; costs and distances are picoseconds; steps go on behind the goal.  NULL: L07 where axes of size 1 are summed over or a
 * level has no bandwidth; S08 where too many levels are, or not those of the graph; E01. */
sw_walk *sw_context_walk_new(const sw_context_sum *sum, sw_diag *diag);

/* The seconds that are walked; NULL: something else is.  The step that a move of this walk is. */
const sw_ports *sw_context_walk_ports(const sw_walk *walk);
const sw_step *sw_context_walk_step_of(const sw_walk *walk, const sw_move *move);

#pragma GCC visibility pop

#endif
