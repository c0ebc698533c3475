/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The programs of others that a run needs: MPICH's launcher and shardwalk-exec.
 */
#ifndef SHARDWALK_HOST_PROGRAMS_H
#define SHARDWALK_HOST_PROGRAMS_H

#include <stdbool.h>
#include <limits.h>

#include <shardwalk/diag.h>
#include <shardwalk/text.h>

struct programs {
	char launcher[PATH_MAX]; /* SHARDWALK_MPIEXEC, else mpiexec.hydra, mpiexec.mpich or mpiexec by PATH */
	char mpi[64];            /* what it says it is, "MPICH 4.0.2"; "" where it does not say */
	char executor[PATH_MAX]; /* SHARDWALK_EXEC, else beside the program, else by PATH */
};

/* Finds both.  Errors: E02, which names what is missing, or the other MPI that is there; E04 where a launcher could not be asked
 * what it is; S03 where a signal came. */
bool programs_find(struct programs *programs, sw_diag *diag);

/* The name of the MPI whose launcher would be taken, also of one that is refused; "" where it does not say it. */
void programs_mpi(char mpi[64]);

/* Adds lines for `info`: what was found, or why not. */
void programs_print(sw_text *text);

#endif
