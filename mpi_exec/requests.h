/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MPI calls that yield the processor while they wait, whatever the library does: nonblocking calls, tests and
 * sched_yield.  Waiting is watched (watch.h).
 */
#ifndef EX_REQUESTS_H
#define EX_REQUESTS_H

#include <stdint.h>

#include <mpi.h>

#include <shardwalk/type.h>

/* The first line of what the library says about itself, in MPI_MAX_LIBRARY_VERSION_STRING bytes. */
void ex_mpi_library(char *name);

void ex_wait(MPI_Request *request);

/* Waits until at least one of the requests is complete; returns its index, or -1 where none is active. */
int ex_wait_any(int count, MPI_Request *requests);

/* The same without waiting; -1: none is complete. */
int ex_look_any(int count, MPI_Request *requests);
void ex_wait_all(int count, MPI_Request *requests);

void ex_barrier(MPI_Comm comm);
void ex_bcast(MPI_Comm comm, void *data, int bytes, int root);
void ex_gather(MPI_Comm comm, const void *mine, int bytes, void *all); /* to rank 0 */
void ex_allgather(MPI_Comm comm, const void *mine, int bytes, void *all);
void ex_allreduce(MPI_Comm comm, double *values, int count, MPI_Op op);

/* Messages of any length. */
void ex_isend(MPI_Comm comm, const void *data, int64_t bytes, int to, int tag, MPI_Request *request);
void ex_irecv(MPI_Comm comm, void *data, int64_t bytes, int from, int tag, MPI_Request *request);
void ex_ialltoall(MPI_Comm comm, const void *data, void *all, int64_t bytes, MPI_Request *request);
void ex_iallgather(MPI_Comm comm, const void *data, void *all, int64_t bytes, MPI_Request *request);

/* Sums of elements: `bytes` of the sum stay on each rank, or all of it.  The type is one that has a row in add.h. */
void ex_ireduce_scatter(MPI_Comm comm, const void *data, void *mine, int64_t bytes, sw_dtype dtype,
	MPI_Request *request);
void ex_iallreduce(MPI_Comm comm, const void *data, void *all, int64_t bytes, sw_dtype dtype, MPI_Request *request);

#endif
