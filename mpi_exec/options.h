/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options of shardwalk-exec: rows of a table, from which --help is made too.
 */
#ifndef EX_OPTIONS_H
#define EX_OPTIONS_H

#include "fault.h"
#include "run.h"

/* Identifier, name, argument (NULL: none), sentence (NULL: for tests, not shown). */
#define EX_OPTION_ROWS(X) \
	X(TRANSPORT, "transport", "auto|shared|messages", "how data moves inside a host (auto: shared memory)") \
	X(COLLECTIVES, "collectives", NULL, \
		"use the collectives of MPI themselves, of an exchange that of its pattern, in turns with it") \
	X(OVERLAP, "overlap", "on|off", "formulas: compute while messages travel (on), or when all are there") \
	X(IN_PLACE, "in-place", "on|off", \
		"schedules: read tiles of a neighbour on the host where they are (on), or copies") \
	X(PDGEMM, "pdgemm", "NAME", "the program of this name by pdgemm of ScaLAPACK, on block-cyclic copies") \
	X(ALLTOALLW, "alltoallw", "NAME", "the plan of this name, one exchange, by MPI_Alltoallw on subarrays of tiles") \
	X(ALLTOALLV, "alltoallv", "NAME", "the plan of this name, one exchange, by MPI_Alltoallv on packed tiles") \
	X(REPS, "reps", "N", "timed repetitions of each step; 0: run once, without times (default 15 to 101)") \
	X(TOTAL, "total", NULL, "time all steps one after another only, and none alone") \
	X(NO_REFERENCE, "no-reference", NULL, "time no reference copies beside the steps") \
	X(WARMUP, "warmup", "N", "repetitions before the timed ones (default 3)") \
	X(THROTTLE, "throttle", NULL, "reduction programs: simulate the links of the plan's system on one host") \
	X(TIMEOUT, "timeout", "S", "seconds without any progress before the run is ended (default 60)") \
	X(MEMORY, "memory", "BYTES", "use at most so much memory on a host") \
	X(OUTPUT, "output", "FILE", "append the records to FILE instead of standard output") \
	X(SAMPLES, "samples", "FILE", "append every single time to FILE, as CSV") \
	X(LAUNCH, "launch", "N", "number of this launch, written into the records (default 1)") \
	X(CHECK_STEPS, "check-steps", NULL, "compare every element after each step, not only at the end") \
	X(DRY_RUN, "dry-run", NULL, "say what each rank would copy and send; no MPI is used") \
	X(VERSION, "version", NULL, "print the version") \
	X(HELP, "help", NULL, "print this help") \
	X(FLIP, "flip", "RANK:BYTE", NULL) \
	X(SWAP, "swap", "RANK:A:B", NULL) \
	X(FAULT, "fault", "KIND:RANK:STEP", NULL)

typedef struct ex_options {
	ex_transport transport;
	bool collectives;
	int reps; /* -1: by how long a step takes */
	bool total, no_reference, throttle, no_overlap, copies;
	int warmup;
	double timeout;
	int64_t memory;
	const char *output, *samples, *pdgemm, *alltoallv, *alltoallw;
	int launch;
	bool check_steps, dry_run, version, help;
	int flip_rank; /* -1: none */
	int64_t flip_byte;
	int swap_rank;          /* -1: none */
	int64_t swap_a, swap_b; /* elements of the last tile */
	char fault[8];          /* "die", "leave", "hang", "stop", "segv", "hold" (before step 1); "": none */
	int fault_rank, fault_step;
	int plans;
	char **plan; /* names of the plan files */
} ex_options;

/* Has the plan of this name to be done by calls of the library? */
ex_calls ex_options_calls(const ex_options *options, const char *name);

bool ex_options_read(int count, char **words, ex_options *options, ex_fault *fault);
void ex_options_help(void);

#endif
