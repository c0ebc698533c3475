/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is asked of a graph of instructions while it is read, whichever front end filled it: numbers, groups, and what collectives
 * move.
 */
#ifndef SW_FOREIGN_READING_H
#define SW_FOREIGN_READING_H

#include "foreign/module/graph.h"
#include "foreign/module/runs.h"
#include "foreign/module/traffic.h"

#define DEVICES_MOST ((int64_t)1 << 16)

/* Groups, or pairs, of one attribute. */
typedef struct graph_groups {
	sw_str text;
	bool pairs;
	bool right; /* every device stands in one group, and all have `size` */
	int64_t size;
	int32_t *member;     /* devices, group after group; of pairs: the source of every device */
	traffic_groups come; /* whatever they are */
} graph_groups;

/* Small whole numbers that a program computes: the same on all devices, or each its own. */
typedef struct graph_scalar {
	int64_t count; /* 0: not known */
	bool own;
	bool elided;    /* it comes from a table that the text leaves out: constant({...}) */
	int64_t *value; /* devices x count where they have their own, else count */
} graph_scalar;

typedef struct hlo_link hlo_link;
typedef struct hlo_value hlo_value;

typedef struct graph_reading {
	graph_module *module;
	const sw_pulse *pulse;
	sw_arena *arena; /* of the result */
	sw_arena *work;  /* of everything else */
	sw_arena *brief; /* cleared after every chain */
	sw_diag *diag;
	int64_t devices;
	hlo_link *link;
	graph_scalar *scalar;
	uint8_t *asked;           /* of scalars: 1 being computed, 2 done */
	const hlo_value **value;  /* NULL: not known */
	const hlo_value ***tuple; /* of tuples: their elements */
	uint8_t *judged;          /* of steps: 1 in a plan, 2 left out */
	runs runs;                /* HLO: its parts are the computations */
	sw_traffic_row *traffic;  /* of collectives: what each moves; NULL: not asked yet */
	struct groups_cache *cache;
	const struct hlo_sources *sources;
	bool failed; /* memory ran out */
} graph_reading;

/* ---- groups.c ---- */

bool graph_groups_start(graph_reading *r);
int64_t graph_all_devices(const graph_reading *r); /* partitions times replicas */
const graph_groups *graph_groups_of(graph_reading *r, const graph_instruction *at);
const graph_groups *graph_pairs_of(graph_reading *r, const graph_instruction *at);

/* ---- graph_scalar.c ---- */

/* Room for the numbers of all values.  false: no memory. */
bool graph_scalars_start(graph_reading *r);

/* The numbers that a value is; NULL where they are not known before the program runs. */
const graph_scalar *graph_scalar_of(graph_reading *r, int value);

/* Is it a slice of an array whose place differs by device? */
bool hlo_slices_by_device(graph_reading *r, int i);

/* Would it be one, had the text the tables that say the place? */
bool hlo_slice_elided(graph_reading *r, int i);

#endif
