/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Partitioned HLO modules: what XLA's compiler really emitted, as plans.
 *
 * A module is read as it is dumped after the SPMD partitioning pass.  Collectives that only move or sum one value
 * (all-gather, all-to-all, collective-permute, dynamic-slice, all-reduce and reduce-scatter that add, with reshapes, transposes
 * and copies between them) make a chain, and a chain is a plan.  What comes before a sum holds terms over the groups of the
 * sum.  The rest of the program is passed over.
 */
#ifndef SHARDWALK_HLO_H
#define SHARDWALK_HLO_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/plan.h>
#include <shardwalk/text.h>
#include <shardwalk/traffic.h>

#pragma GCC visibility push(default)

/* How the sharding of the value before the chain is known. */
typedef enum sw_hlo_ends {
	SW_HLO_ANNOTATED, /* the value says it: `sharding={...}` */
	SW_HLO_IMPLIED,   /* what the groups and offsets of the chain need, and nothing more */
	SW_HLO_DERIVED    /* it follows from annotated values, by the operations that lead to it */
} sw_hlo_ends;

/* What people look for in sums.  Identifier, name, in words. */
#define SW_HLO_FINDINGS(X) \
	X(SCATTER, "reduce-scatter", \
		"a slice after an all-reduce leaves each device of a group a different piece: a reduce-scatter would be enough") \
	X(AT_ONCE, "at-once", "the result of an all-reduce is gathered or sliced at once: sum fewer elements") \
	X(TWICE, "twice", \
		"successive all-reduces over different axes: use one over all of them, or a reduce-scatter between") \
	X(APART, "apart", "an all-gather follows a reduce-scatter, but together they are not an all-reduce") \
	X(FEWER, "fewer-axes", "the result of an all-reduce is needed on fewer axes than it is sent to") \
	X(COPIES, "copies", "devices hold copies of what is summed: each could sum a part")

typedef enum sw_hlo_finding {
#define X(id, name, words) SW_HLO_FOUND_##id,
	SW_HLO_FINDINGS(X)
#undef X
		SW_HLO_FINDING_COUNT
} sw_hlo_finding;

const char *sw_hlo_finding_name(sw_hlo_finding finding);
const char *sw_hlo_finding_words(sw_hlo_finding finding);

/* One chain.  The strategy of its plan is xla, its origin `hlo`; the name is that of the last instruction. */
typedef struct sw_hlo_chain {
	sw_plan plan;
	sw_hlo_ends ends;
	const char *first, *last; /* the instructions of its first and last step, without `%` */
	const char *computation;  /* where they stand */
	/* `FILE:LINE` of the user's program that the metadata of its collectives say, of the one that moves most; where they say none that
	 * of its value, or of the first instruction on its way that has one; NULL: none. */
	const char *source;
	const char *op_name;        /* `op_name` of the same metadata; NULL: none */
	const char *const *sources; /* lines of all its collectives, each once, in the order of the steps */
	int source_count;
	int64_t line;  /* of the first step, from 1 */
	int64_t count; /* chains with the same problem, the same steps and the same lines; this is the first of them */
	int64_t
		runs; /* how often they run in all while the module runs once: loops multiply, of branches the dearer counts, at most SW_RUNS_MOST of log.h */
	int64_t loop; /* line of the innermost loop around the first of them, from 1; 0: none */
	bool open;    /* a loop around one of them does not tell how often it runs, and counts once */
	bool untaken; /* all are in branches that are not counted, as others move more */
	/* Another plan saves what it saves or less: the ends are implied, or derived where devices hold copies and a part of the program may
	 * be written device by device, so that they need be none. */
	bool at_most;
	unsigned found;         /* bits 1 << sw_hlo_finding */
	bool constrained;       /* the program constrains the sharding on the way, not only at the ends ... */
	const char *constraint; /* ... first in this `FILE:LINE`; NULL: not said */
	const char *remark;     /* what had to be done, or what to know, in words; NULL: nothing */
} sw_hlo_chain;

/* Collectives that became no plan, by their reason. */
typedef struct sw_hlo_left {
	const char *reason; /* in words: "it combines by maximum, and only sums are planned" */
	const char *first;  /* the first instruction that it is about, without `%` */
	int64_t line;       /* of that instruction, from 1 */
	int64_t count;      /* instructions */
} sw_hlo_left;

typedef struct sw_hlo_import {
	const char *name;   /* of the module */
	int64_t partitions; /* devices that shardings are over */
	int64_t devices;    /* all: partitions, times replicas */
	int64_t computations, instructions;
	int64_t collectives; /* all of them, slices by device among them: in plans and left out */
	int64_t left_out;    /* those that are in no plan */
	int count;
	sw_hlo_chain *chains; /* in the order of the text, each once */
	int lefts;
	sw_hlo_left *left;  /* in the order of the text */
	sw_traffic traffic; /* of all collectives, those that are in no plan too */
	const sw_diag *cut; /* N06: where the text is cut off or damaged, and nothing more is read; NULL: it is not */
} sw_hlo_import;

/* Does it look like a module: "HloModule ...", perhaps after comments and blanks? */
bool sw_hlo_is_module(sw_str text);

/* Reads a module.  Everything in `result` lives in `arena`.  The pulse is asked now and then with the bytes that are
 * read.  Of a text that is cut off or damaged it is what was read before; computations that what is missing would call
 * count once.  Errors: N06 where it is no module, or more than one, or no collective is in it before it is cut off, with the position;
 * S08 above 2^16 devices; S03, E01. */
bool sw_hlo_read_module(sw_str text, const sw_pulse *pulse, sw_arena *arena, sw_hlo_import *result, sw_diag *diag);

#pragma GCC visibility pop

#endif
