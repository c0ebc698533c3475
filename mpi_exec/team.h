/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The team: all ranks, which of them share a host, and how they agree on what happens next.
 */
#ifndef EX_TEAM_H
#define EX_TEAM_H

#include <mpi.h>

#include "flags.h"
#include "fault.h"
#include "share.h"

typedef struct ex_team {
	MPI_Comm world, local; /* everybody, and the ranks of this host */
	int rank, ranks;
	int local_rank, local_ranks;
	int host, hosts;  /* number of this host in the order of its first rank */
	int *host_of;     /* of each rank */
	char others[128]; /* names of the other hosts, as far as there is room */
	int *local_of;    /* number of each rank on this host; -1: on another */
	ex_share flags_share;
	ex_host_flags *flags; /* NULL where the ranks of a host cannot share memory */
	ex_fault no_flags;    /* then: why */
	bool spin;            /* a rank for each core: waiting may spin before it yields */
	bool yields;          /* the MPI library gives up the processor while it waits */
	int cores;            /* of this host */
	unsigned number;      /* of the last step executed, since the launch */
	unsigned reductions;  /* made through the flags */
	double copying_rate;  /* bytes a second that each rank passes on, all at once; 0: not measured yet */
} ex_team;

bool ex_team_open(ex_team *team, ex_fault *fault);
void ex_team_close(ex_team *team);

/* All or nothing: where a rank brings a fault (ok false), everybody gets that of the lowest such rank. */
bool ex_agree(ex_team *team, bool ok, ex_fault *fault);

/* Minimum, maximum or sum over all ranks, into `values` on each.  Few values on one host go through the flags, where
 * waiting ranks sleep. */
void ex_team_reduce(ex_team *team, double *values, int count, MPI_Op op);

/* The ranks of one host, which sleep meanwhile.  Needs the flags. */
void ex_team_local_barrier(const ex_team *team);

/* All ranks start together.  On one host flags in shared memory, on several a barrier of MPI that yields. */
void ex_team_barrier(const ex_team *team);

/* Waits until a rank of this host has set a flag that far. */
void ex_team_wait(const ex_team *team, ex_flag *flag, unsigned value);

#endif
