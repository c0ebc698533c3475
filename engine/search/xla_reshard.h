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

#include "search/xla_tiling.h"

#define SW_XLA_STEPS 64

typedef struct sw_xla_step {
	sw_op op;
	sw_tiling after;      /* of the whole array */
	const char *pattern;  /* its name, and one sentence why it applies */
	const char *why;
	int uneven;           /* the dimension that has to be padded for this step; -1: none */
	bool scattered;       /* tiles are no boxes of the array: only where one dimension is seen as two */
} sw_xla_step;

typedef struct sw_xla_plan {
	int count;
	sw_xla_step step[SW_XLA_STEPS];
	bool rematerializes;  /* it warns "Involuntary full rematerialization" */
	bool crashes;         /* the partitioner itself ends in a fatal error; the steps up to there */
	bool complete;        /* false: so many steps or patterns within patterns that it was given up */
} sw_xla_plan;

/* Fills the plan; `room` says whether memory sufficed. */
void sw_xla_reshard(sw_order_room *room, const sw_problem *problem, sw_xla_plan *plan);

#endif
