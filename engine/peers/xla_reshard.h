/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What XLA's SPMD partitioner does to bring an array from one sharding to another (jaxlib 0.10.2, 2026): patterns,
 * tried in a fixed order, and where none matches the whole array on every device.
 */
#ifndef SW_SEARCH_XLA_RESHARD_H
#define SW_SEARCH_XLA_RESHARD_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/collective.h>
#include <shardwalk/type.h>

#include "peers/xla_tiling.h"

#define SW_XLA_STEPS 64
#define SW_XLA_WARNINGS 4

typedef struct sw_xla_step {
	sw_op op;
	sw_tiling after;     /* of the whole array */
	const char *pattern; /* its name, and one sentence why it applies */
	const char *why;
	int uneven;     /* the dimension that has to be padded for this step; -1: none */
	bool scattered; /* tiles are no boxes of the array: only where one dimension is seen as two */
} sw_xla_step;

/* What it names when it warns: a group of devices where dimensions that stay were split off, and in the order of
 * devices that it has got there. */
typedef struct sw_xla_warning {
	int steps;                    /* taken before */
	sw_tiling from, to;           /* within a group */
	int64_t size[SW_TILING_DIMS]; /* of the array of a group */
	int of[SW_TILING_DIMS];       /* the dimension of the whole array that each of the group's is, or is a part of */
	sw_tiling now;                /* `from`, as the whole array sees it ... */
	int64_t stays[SW_MAX_DIMS];   /* ... and how many parts of its dimensions, the major ones, tell groups apart */
} sw_xla_warning;

typedef struct sw_xla_plan {
	int count;
	sw_xla_step step[SW_XLA_STEPS];
	double received;     /* elements that reach a device, with the padding that XLA adds to each tiling by itself */
	bool rematerializes; /* it warns "Involuntary full rematerialization" */
	int warnings;        /* the first of them */
	sw_xla_warning warning[SW_XLA_WARNINGS];
	bool crashes;  /* the partitioner itself ends in a fatal error; the steps up to there */
	bool complete; /* false: so many steps or patterns within patterns that it was given up */
} sw_xla_plan;

/* Fills the plan; `room` says whether memory sufficed. */
void sw_xla_reshard(sw_order_room *room, const sw_problem *problem, sw_xla_plan *plan);

/* The same where the slots of the mesh are devices before[place], and in the end after[place]; NULL: their numbers. */
void sw_xla_reshard_on(sw_order_room *room, const sw_problem *problem, const int64_t *before, const int64_t *after,
	sw_xla_plan *plan);

/* The same between two tilings of an array with these sizes, which need not be types of a mesh. */
void sw_xla_reshard_tilings(sw_order_room *room, const int64_t *size, const sw_tiling *from, const sw_tiling *to,
	sw_xla_plan *plan);

#endif
