/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `calibrate` measured on this machine: kept in a file, read where times are predicted.
 */
#ifndef SHARDWALK_SESSION_CALIBRATION_H
#define SHARDWALK_SESSION_CALIBRATION_H

#include <stdbool.h>

#include <shardwalk/arena.h>
#include <shardwalk/cost.h>
#include <shardwalk/diag.h>
#include <shardwalk/text.h>

#define CALIBRATION_SCHEMA "shardwalk.calibration/1"

enum transport { TRANSPORT_SHARED, TRANSPORT_MESSAGES, TRANSPORT_COUNT };
extern const char *const transport_names[TRANSPORT_COUNT];

struct calibration {
	bool there;
	char strange[200]; /* why it is none of this machine, or cannot be read; "" where all is well */
	const char *host, *date, *mpi;
	int ranks, cores;
	double hop, bandwidth; /* the regime: what the machine's probe found; 0: not measured */
	int count[TRANSPORT_COUNT];
	sw_rate *rate[TRANSPORT_COUNT];
	int runs[TRANSPORT_COUNT];
	sw_run_rate *run[TRANSPORT_COUNT];
	int kernels; /* 0: products were not measured, as in files of before */
	sw_kernel_rate *kernel;
	const char *library; /* that multiplied meanwhile; NULL: not known */
};

/* Reads the file; where there is none, `there` is false.  A damaged one is moved aside, and `warning` says so, as it does of one
 * that cannot be read.  One of another host, another number of cores or another MPI is read, and `strange` says what differs. */
void calibration_load(sw_arena *arena, struct calibration *calibration, sw_text *warning);

/* Adds it as JSON. */
bool calibration_write(const struct calibration *calibration, sw_text *text, sw_diag *diag);

/* Writes it, with the folders that its path needs.  Errors: B02. */
bool calibration_store(const struct calibration *calibration, sw_diag *diag);

/* The machine for so many ranks, by this calibration where it is of this machine, else the default one.  `messages`: how the
 * ranks exchange.  Returns the name of the model. */
const char *calibration_machine(const struct calibration *calibration, bool messages, int64_t ranks, sw_arena *arena,
	sw_machine *machine);

/* The rate at the largest amount of bytes in the largest groups, what a large step reaches; NULL: there is none. */
const sw_rate *calibration_largest(const struct calibration *calibration, int transport, sw_op op);

/* Adds lines for `info`. */
void calibration_print(const struct calibration *calibration, sw_text *text);

#endif
