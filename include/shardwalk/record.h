/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records of runs, schema shardwalk.run/1: what shardwalk-exec writes of a plan, one line of JSON each, and what others
 * read of it.  A plan that ran gives start, a step for each step, total, machine, memory, check and complete.
 *
 * Members that the kind of a record does not have are not looked at.  What is not known is NULL, a number that is not
 * finite, or below the least; times are in seconds, rates in bytes per second.
 */
#ifndef SHARDWALK_RECORD_H
#define SHARDWALK_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/json_read.h>
#include <shardwalk/text.h>

#pragma GCC visibility push(default)

#define SW_RECORD_SCHEMA "shardwalk.run/1"

typedef enum sw_record_kind {
	SW_RECORD_START,
	SW_RECORD_STEP,
	SW_RECORD_TOTAL,
	SW_RECORD_MACHINE,
	SW_RECORD_MEMORY,
	SW_RECORD_CHECK,
	SW_RECORD_COMPLETE,
	SW_RECORD_ERROR,
	SW_RECORD_KINDS
} sw_record_kind;

/* Seconds of many repetitions. */
typedef struct sw_spread {
	double median, p10, p90, max;
} sw_spread;

/* What the machine is like: a cache line from core to core, copies on two cores at once. */
typedef struct sw_probe {
	double hop, bandwidth;
} sw_probe;
extern const sw_fields sw_probe_fields;

/* An element that is not what it should be. */
typedef struct sw_record_origin {
	sw_list index; /* int64_t */
	int device;    /* that held it at first; -1: none */
} sw_record_origin;

typedef struct sw_record_wrong {
	int device;
	sw_list position, index; /* int64_t: in the tile of the device, and in the array */
	const char *expected, *found;
	const sw_record_origin *belongs; /* where the value found belongs */
	bool belongs_known;
} sw_record_wrong;

typedef struct sw_record_error {
	const char *code, *message, *hint;
	int status;
} sw_record_error;

typedef struct sw_record {
	sw_record_kind kind; /* SW_RECORD_KINDS: one that this version does not know */

	/* START; ERROR has `plan` too */
	const char *plan, *file, *digest, *program, *host, *mpi, *vectors;
	int hosts, cores, ranks, reps, warmup, launch; /* reps -1: none was given.  STEP and TOTAL have `reps` too */
	bool yield, collectives;
	sw_list binding;       /* const char *: the processors of all ranks, or of each */
	const sw_probe *probe; /* MACHINE has it too */
	const char *library;   /* that multiplies matrices, in a program; NULL: there are no products */
	const char *
		library_file; /* the path of the file that its products are in, for ScaLAPACK of those that it takes; NULL, "": none is known */
	const char *pdgemm_file;  /* where ScaLAPACK multiplies, the path of its file; else NULL */
	const char *library_hint; /* what to do for a faster one */
	int library_threads;
	double
		library_rate; /* operations per second of all ranks at once in such products, in the type that most is multiplied in */
	const char *overlap; /* "yes": formulas are computed while messages travel; else why not; NULL: there are none */
	int64_t messages,
		in_place; /* of a schedule: between ranks, and those of them that are read where they begin; -1: it is none */
	const char *predicted_by; /* the model, where who passes the record on predicts */
	double throttle;          /* rates of the plan's system, times this, are those of the simulated links */

	/* STEP; TOTAL has times, bytes and prediction too */
	int step; /* from 1 */
	const char *op, *direction, *store, *reference_store, *label;
	const char *transport; /* START has it too */
	int64_t block;
	const sw_spread *seconds, *reference; /* seconds NULL: it was not timed */
	const char *collective;               /* of the library, that sent what the exchange sends */
	const sw_spread *exchange;            /* beside it: the exchange in turns with that; NULL: it was not timed */
	sw_list course;           /* double: times in their order, medians of stretches where there are many */
	double share;             /* of the reference */
	int64_t bytes;            /* that land in destination tiles, on all ranks */
	double landing, crossing; /* "algorithm bandwidth" and "bus bandwidth" */
	double predicted;
	double flops;  /* of a device, where the step computes; 0: it does not */
	sw_list parts; /* TOTAL: double, the seconds of each step */

	/* MACHINE */
	double others; /* the share of the processors that others used; -1: not known */
	bool busy;

	/* MEMORY, in bytes; predicted: of tiles, by the plan, and of the buffers that messages need */
	int64_t predicted_bytes, tile_bytes, buffer_bytes, process_bytes;
	sw_list padding; /* int64_t: at first and in the end, where the array was padded */

	/* CHECK */
	bool verified;
	const sw_record_wrong *wrong;
	const char *data_digest;
	int64_t checksum; /* of a schedule: the sum of value * (1 + r mod 97) of its result, over row-major indices r */
	double largest_difference, difference_bound; /* where results are rounded, so that bits need not be equal */

	/* COMPLETE */
	int status;

	/* ERROR */
	const sw_record_error *error;
} sw_record;

/* Makes it a record of this kind that knows nothing. */
void sw_record_start(sw_record_kind kind, sw_record *record);

/* Adds it as one line without its end. */
void sw_record_write(const sw_record *record, sw_text *text);

/* Reads one.  Keys that are new are passed over.  P01 where it is none or a value cannot be, P02 of another version, B04;
 * with the position in the line. */
bool sw_record_read(sw_str line, sw_arena *arena, sw_record *record, sw_diag *diag);

/* How often a run repeats what takes so many seconds, where nobody says how often; `messages`: ranks exchange messages. */
int sw_run_repetitions(double seconds, bool messages);

/* Does the line say that it is a record, of this version or another? */
bool sw_record_is(sw_str line);

#pragma GCC visibility pop

#endif
