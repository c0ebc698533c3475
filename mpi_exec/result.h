/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results: records of schema shardwalk.run/1, one line of JSON each, written out as they come.  Rank 0 writes.
 */
#ifndef EX_RESULT_H
#define EX_RESULT_H

#include <stdio.h>

#include <shardwalk/record.h>

#include "fault.h"

typedef struct ex_result {
	FILE *file, *samples; /* NULL on other ranks; no samples asked for: NULL */
	const char *name, *samples_name;
	bool failed;    /* a line could not be written ... */
	ex_fault fault; /* ... for this reason */
} ex_result;

/* Opens the files, NULL names: standard output, no samples. */
bool ex_result_open(ex_result *result, const char *output, const char *samples, ex_fault *fault);
bool ex_result_close(ex_result *result, ex_fault *fault);

/* For what is printed besides: did all of it get out? */
bool ex_result_flush_output(ex_fault *fault);

/* Writes it out; where that cannot be the result has failed. */
void ex_result_write(ex_result *result, const sw_record *record);

/* A line of the samples: plan, what, step, repetition, seconds.  They are written out by the second; where that cannot be the
 * result has failed. */
void ex_result_sample(ex_result *result, const char *plan, const char *what, int step, int repetition,
	double seconds);
void ex_result_flush_samples(ex_result *result);

void ex_result_error(ex_result *result, const char *plan, const ex_fault *fault);

#endif
