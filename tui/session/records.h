/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of runs: records of schema shardwalk.run/1, read line by line, from a running executor or from a file.
 */
#ifndef SHARDWALK_SESSION_RECORDS_H
#define SHARDWALK_SESSION_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/diag.h>
#include <shardwalk/record.h>
#include <shardwalk/text.h>

#define TIMES_PROBED "probe" /* what the ranks measured at first */

/* A step, or all of them. */
struct timed {
	const char *label; /* "alltoall(0, 1, 2)", or the operation alone */
	const char *transport;
	sw_spread seconds, reference; /* all 0: not known */
	int64_t bytes;                /* that land in destination tiles, on all ranks */
	double landing,
		crossing;     /* bytes per second and rank: of all that lands ("algorithm bandwidth"), and of what crosses
	                           * between ranks ("bus bandwidth"); 0: not known */
	double predicted; /* seconds; < 0: not known */
	int courses;      /* times in the order in which they were taken, medians of stretches; 0: not known */
	const double *course;
	double part;            /* seconds that this step has of all; 0: not known */
	int64_t block;          /* of a block-cyclic product, or of copies; < 1: there is none */
	const char *collective; /* of the library, that sent what the exchange sends; NULL: none did */
	sw_spread exchange;     /* in turns with it; all 0: not known */
};

/* One plan in one launch; or several launches merged, then p10 and p90 are the least and the largest median. */
struct times {
	const char *plan, *host, *mpi, *transport, *binding;
	int launch, launches, ranks, hosts, cores, reps, warmup;
	double hop, bandwidth; /* of the machine's probe: seconds, bytes per second; 0: not known */
	double others;         /* share of the processors that others used; < 0: not known */
	int count;
	struct timed *step;
	struct timed total; /* its median is 0 where there is none */
	bool padded;        /* the array was padded: bytes of padding over all ranks, at first and at last */
	int64_t padding_bytes[2];
	int64_t predicted_bytes, tile_bytes, buffer_bytes, process_bytes; /* -1: not known */
	bool checked, verified, complete;
	bool right; /* verified; or rounded, and within the bound: */
	double difference,
		bound; /* the largest difference of rounded data, and what rounding may make; 0: none was rounded */
	const char *library,
		*library_hint; /* that multiplied, and how to get a faster one; NULL: nothing was multiplied, not known */
	const char
		*overlap; /* "yes": formulas were computed while messages travelled; else why not; NULL: there were none */
	const char *library_file; /* whose products they are; NULL, "": not known */
	const char *pdgemm_file;  /* where ScaLAPACK multiplied, its file; else NULL */
	int64_t messages,
		in_place; /* of a schedule: between ranks, and read where they begin; < 1: there are none, or not known */
	double library_rate; /* operations per second of all ranks at once; 0: not known */
	int library_threads;
	const char *model; /* that predicted, TIMES_PROBED: the ranks; NULL: none, or not known */
	double throttle;   /* rates of the system times this are those of simulated links; 0: there are none */
	struct {
		const char *code, *message, *hint; /* message NULL: no error */
		int status;
	} error;
};

struct records {
	sw_arena *arena;
	int count, room;
	struct times *times; /* in the order in which they started */
};

/* Starts records that live in `arena`. */
struct records records_start(sw_arena *arena);

/* Takes one record.  Error: E01. */
bool records_take(struct records *records, const sw_record *record, sw_diag *diag);

/* Takes a whole file of them, one a line.  Errors: P01, P02, B04, with the position in `text`. */
bool records_take_text(struct records *records, sw_str text, sw_diag *diag);

/* Does the text look like such a file? */
bool records_are_in(sw_str text);

/* How many plans ran to their end. */
int records_complete(const struct records *records);

/* What the launches of a plan come to: medians of the launches' medians.  Only complete ones count; NULL where there is
 * none. */
const struct times *records_merge(const struct records *records, const char *plan);

/* The place that the plan which took least has among the predictions, from 1; 0: fewer than three plans have both times. */
int records_place(const struct records *records);

/* Adds what the machine's probe found, in words: what it did not measure is named, and never 0. */
void records_print_probe(double hop, double bandwidth, sw_text *text);

/* The i-th plan's name in order of appearance, NULL after the last. */
const char *records_plan(const struct records *records, int i);

#endif
