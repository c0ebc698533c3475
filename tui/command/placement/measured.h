/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums over axes of placements whose seconds others measured, each beside what the model `ports` predicts.
 */
#ifndef SHARDWALK_COMMAND_MEASURED_H
#define SHARDWALK_COMMAND_MEASURED_H

#include "command/command.h"

/* On which system seconds are predicted: with the ports that are published, or with rates inside a node that were fitted. */
enum measured_model { BY_PORTS, BY_FIT, MEASURED_MODELS };

/* What a model says of a cell: seconds, and how many programs there are, and are faster than one all-reduce. */
struct predicted {
	bool there;
	double allreduce, optimal;
	int64_t programs, faster;
};

/* A cell of a table that was measured. */
struct measured {
	const char *name, *hardware, *algorithm, *placement, *note;
	const char *
		sum; /* what is summed, whatever its placement: "A100 2x16 [8 4] 0", hardware, levels, axes, and those that are summed */
	uint64_t reduction;                            /* the same for all placements of one sum that runs in one way */
	bool outer;                                    /* the outermost level is crossed */
	bool misprint;                                 /* its times and its speed-up contradict each other */
	int number;                                    /* at the end of its name; -1: there is none */
	double allreduce, optimal, speedup, synthesis; /* synthesis 0: not said */
	int64_t programs, faster;                      /* of all placements of the sum; -1: not said */
	struct predicted by[MEASURED_MODELS];
};

struct table_of_times {
	int count, room;
	struct measured *cell;
	const char *source; /* NULL: not said */
};

double predicted_speedup(const struct predicted *predicted);

/* Appends the cells of lines of JSON, which an error calls `name`. */
bool measured_read(struct invocation *run, const char *name, sw_str lines, struct table_of_times *cells,
	sw_diag *diag);

/* Does the text begin with a line that has the keys allreduce_s and optimal_s? */
bool measured_begin(sw_str lines);

/* Adds the cells that are installed with the samples, as lines of JSON. */
void measured_published(sw_text *text);

#endif
