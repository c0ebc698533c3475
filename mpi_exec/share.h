/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory that the ranks of one host share: an anonymous file without a name, which nobody can leave behind.
 */
#ifndef EX_SHARE_H
#define EX_SHARE_H

#include <stdint.h>

#include <mpi.h>

#include "fault.h"

typedef struct ex_share {
	char *at;
	int64_t bytes;
	int file;
} ex_share;

/* Collective over `local`, the ranks of one host.  The pages exist only once they are reserved or touched.
 * Where it fails on one rank the others may have it: the caller lets all agree. */
bool ex_share_open(ex_share *share, MPI_Comm local, int64_t bytes, ex_fault *fault);

/* Makes the pages of a part exist, so that touching it cannot kill. */
bool ex_share_reserve(ex_share *share, int64_t offset, int64_t bytes, ex_fault *fault);

void ex_share_close(ex_share *share);

#endif
