/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One launch of shardwalk-exec: started, followed, and always brought to its end.
 */
#ifndef SHARDWALK_LAUNCH_LAUNCH_H
#define SHARDWALK_LAUNCH_LAUNCH_H

#include "host/programs.h"
#include "session/live.h"
#include "session/records.h"
#include "answer/console.h"

#define LAUNCH_ALLTOALLW "alltoallw"
#define LAUNCH_ALLTOALLV "alltoallv"

struct launch_options {
	int ranks;
	const char *transport; /* NULL: the executor chooses */
	bool both;             /* transports are needed: no advice to take the other */
	bool collectives, throttle;
	const char *in_place;                    /* the same */
	const char *overlap;                     /* "on" or "off"; NULL: nothing is said */
	const char *pdgemm;                      /* the program that ScaLAPACK multiplies; NULL: none is */
	bool rivals;                             /* the plans called as the next two are carried out by these calls */
	int reps, warmup;                        /* -1: the executor chooses */
	bool total;                              /* only all steps together, and no reference beside them */
	double timeout;                          /* seconds without progress */
	const char *hosts, *hostfile, *launcher; /* passed to mpiexec; NULL: left out */
	int each;                                /* ranks on a host, one host after the other; 0: as mpiexec deals them */
	const char *samples;                     /* file for every single time; NULL: none */
	int number;                              /* of this launch */
};

struct launch {
	const struct programs *programs;
	const struct launch_options *options;
	const char *folder;       /* removed where this program dies */
	const char *const *plans; /* files */
	int count;
	struct console *console;
	const struct live_run *live; /* for the line of progress */
	/* Hears of each record before it is taken, and may add to it; false, with a diagnostic: the run is ended.  NULL: nobody. */
	bool (*record)(void *context, sw_record *record, sw_diag *diag);
	void *context;
};

/* Adds the command line that starts it, words with blanks in quotes. */
void launch_print(const struct launch *launch, sw_text *text);

/* Runs it and adds to `records`.  Whatever happens, afterwards nothing of it runs any more, and what was measured until
 * then is in `records`.  Errors: S03 where a signal came; E02, E04, what the executor refused, and what `record` brought. */
bool launch_run(const struct launch *launch, struct records *records, sw_diag *diag);

#endif
