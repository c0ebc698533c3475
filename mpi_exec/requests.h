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

/* Bytes for each rank, and where they begin. */
#if MPI_VERSION >= 4
typedef MPI_Count ex_count;
typedef MPI_Aint ex_place;
#else
typedef int ex_count, ex_place;
#endif

/* The calls that count so. */
#if MPI_VERSION >= 4
#define EX_COUNTED(name) name##_c
#else
#define EX_COUNTED(name) name
#endif

/* What goes to each rank, or comes of it, in a buffer. */
typedef struct ex_parts {
	const ex_count *count; /* of its type */
	const ex_place *at;    /* in bytes */
	const MPI_Datatype *type;
} ex_parts;

/* The type of elements that are sent as they are. */
MPI_Datatype ex_element_type(sw_dtype dtype);

/* Collectives with a count for each rank, which wait for their end. */
void ex_alltoallv(MPI_Comm comm, const void *data, const ex_count *out, const ex_place *out_at, void *all,
	const ex_count *in, const ex_place *in_at);
void ex_alltoallw(MPI_Comm comm, const void *data, const ex_parts *out, void *all, const ex_parts *in);
void ex_allgatherv(MPI_Comm comm, const void *data, ex_count bytes, void *all, const ex_count *in,
	const ex_place *in_at);
void ex_gatherv(MPI_Comm comm, const void *data, ex_count bytes, void *all, const ex_count *in, const ex_place *in_at,
	int root);
void ex_scatterv(MPI_Comm comm, const void *data, const ex_count *out, const ex_place *out_at, void *mine,
	ex_count bytes, int root);
void ex_bcast_bytes(MPI_Comm comm, void *data, int64_t bytes, int root);

/* The same of sums, of so many bytes, or of so many elements for each rank. */
void ex_reduce(MPI_Comm comm, const void *data, void *sum, int64_t bytes, sw_dtype dtype, int root);
void ex_reduce_scatter(MPI_Comm comm, const void *data, void *mine, const ex_count *elements, sw_dtype dtype);

/* Sums of elements: `bytes` of the sum stay on each rank, or all of it.  The type is one that has a row in add.h. */
void ex_ireduce_scatter(MPI_Comm comm, const void *data, void *mine, int64_t bytes, sw_dtype dtype,
	MPI_Request *request);
void ex_iallreduce(MPI_Comm comm, const void *data, void *all, int64_t bytes, sw_dtype dtype, MPI_Request *request);

#endif
