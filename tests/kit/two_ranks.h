/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * As much of MPI as exported programs call, for two ranks in one process.  Every call of a step is made twice by each rank:
 * first all that is sent is kept, then what was kept is received.
 */
#ifndef SHARDWALK_TESTS_TWO_RANKS_H
#define SHARDWALK_TESTS_TWO_RANKS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int MPI_Comm;
typedef int MPI_Request;
typedef int MPI_Datatype; /* bytes of an element */

#define MPI_COMM_WORLD 0
#define MPI_STATUS_IGNORE NULL
#define MPI_UNDEFINED (-1)

#define RANKS_BYTES 256

static struct ranks {
	int me;
	size_t bytes[2][2];
	char sent[2][2][RANKS_BYTES]; /* from, to */
} ranks;

static inline void ranks_send(int to, const void *from, size_t bytes)
{
	ranks.bytes[ranks.me][to] = bytes;
	memcpy(ranks.sent[ranks.me][to], from, bytes);
}

static inline void ranks_receive(int from, void *to, size_t bytes)
{
	if (ranks.bytes[from][ranks.me] == bytes)
		memcpy(to, ranks.sent[from][ranks.me], bytes);
}

static inline int MPI_Abort(MPI_Comm comm, int status)
{
	exit(comm + status);
}

static inline int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *group)
{
	*group = comm + color + key;
	return 0;
}

static inline int MPI_Comm_free(MPI_Comm *group)
{
	*group = 0;
	return 0;
}

static inline int MPI_Allgather(const void *from, int count, MPI_Datatype type, void *to, int more, MPI_Datatype its,
	MPI_Comm group)
{
	for (int rank = 0; rank < 2; rank++) {
		ranks_send(rank, from, (size_t)(count * type));
		ranks_receive(rank, (char *)to + rank * more * its, (size_t)(more * its));
	}
	return group;
}

static inline int MPI_Alltoall(const void *from, int count, MPI_Datatype type, void *to, int more, MPI_Datatype its,
	MPI_Comm group)
{
	for (int rank = 0; rank < 2; rank++) {
		ranks_send(rank, (const char *)from + rank * count * type, (size_t)(count * type));
		ranks_receive(rank, (char *)to + rank * more * its, (size_t)(more * its));
	}
	return group;
}

static inline int MPI_Alltoallv(const void *from, const int *count, const int *at, MPI_Datatype type, void *to,
	const int *more, const int *into, MPI_Datatype its, MPI_Comm group)
{
	for (int rank = 0; rank < 2; rank++) {
		ranks_send(rank, (const char *)from + at[rank] * type, (size_t)(count[rank] * type));
		ranks_receive(rank, (char *)to + into[rank] * its, (size_t)(more[rank] * its));
	}
	return group;
}

static inline int MPI_Isend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
	MPI_Request *request)
{
	ranks_send(to, from, (size_t)(count * type));
	*request = tag;
	return comm;
}

static inline int MPI_Irecv(void *to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
	MPI_Request *request)
{
	memset(to, 0, (size_t)(count * type));
	ranks_receive(from, to, (size_t)(count * type));
	*request = tag;
	return comm;
}

static inline int MPI_Wait(MPI_Request *request, void *status)
{
	return status ? 1 : *request;
}

static inline int MPI_Sendrecv(const void *from, int count, MPI_Datatype type, int to, int tag, void *into, int more,
	MPI_Datatype its, int source, int other, MPI_Comm comm, void *status)
{
	ranks_send(to, from, (size_t)(count * type));
	ranks_receive(source, into, (size_t)(more * its));
	return status ? 1 : comm + tag - other;
}

#endif
