/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What MPICH over UCX needs before it starts: where it lacks something it dies with many words, or waits for ever.
 */
#ifndef EX_ROOM_H
#define EX_ROOM_H

#include "fault.h"
#include "run.h"

/* Before MPI_Init: file descriptors, address space, and shared memory with a name.  By messages the library is told to do
 * without the last where there is too little.  What one rank of a host lacks its first one lacks too. */
bool ex_room_allow_mpi(ex_transport transport, ex_fault *fault);

/* Is this the first rank of its host, which tells a fault before MPI has started? */
bool ex_room_first(void);

/* Before a run maps its tiles: does the address space of every rank suffice, also for what the library maps of its peers?
 * `messages` is what the same plan would need by messages; NULL where these are its needs.  All ranks call it; all get the
 * same answer. */
bool ex_room_allow_run(ex_team *team, const ex_need *need, const ex_need *messages, ex_fault *fault);

#endif
