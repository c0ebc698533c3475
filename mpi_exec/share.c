/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One anonymous file per host.  The first rank makes it; the others open it through /proc.
 */
#define _GNU_SOURCE
#include "share.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "requests.h"

static int make_file(int64_t bytes)
{
	int file = memfd_create("shardwalk", MFD_CLOEXEC);
	if (file >= 0 && ftruncate(file, bytes) != 0) {
		close(file);
		file = -1;
	}
	return file;
}

static int open_file(const int *where)
{
	char path[64];
	if (where[1] < 0)
		return -1;
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", where[0], where[1]);
	return open(path, O_RDWR | O_CLOEXEC);
}

bool ex_share_open(ex_share *share, MPI_Comm local, int64_t bytes, ex_fault *fault)
{
	int rank, where[2] = {(int)getpid(), -1};
	MPI_Comm_rank(local, &rank);
	*share = (ex_share){.bytes = bytes, .file = -1};
	if (rank == 0)
		where[1] = share->file = make_file(bytes);
	ex_bcast(local, where, sizeof(where), 0);
	if (rank != 0)
		share->file = open_file(where);
	void *at = share->file < 0 ? MAP_FAILED
	    : mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, share->file, 0);
	int error = errno;
	ex_barrier(local);
	if (at == MAP_FAILED) {
		ex_share_close(share);
		return ex_fault_set(fault, EX_LACKS, "E01", "cannot share %lld bytes between the ranks of a host: %s",
		    (long long)bytes, strerror(error));
	}
	share->at = at;
	return true;
}

bool ex_share_reserve(ex_share *share, int64_t offset, int64_t bytes, ex_fault *fault)
{
	int error;
	do
		error = bytes ? posix_fallocate(share->file, offset, bytes) : 0;
	while (error == EINTR);
	if (error == 0)
		return true;
	return ex_fault_set(fault, EX_LACKS, "E01", "cannot reserve %lld bytes of shared memory: %s", (long long)bytes,
	    strerror(error));
}

void ex_share_close(ex_share *share)
{
	if (share->at)
		munmap(share->at, (size_t)share->bytes);
	if (share->file >= 0)
		close(share->file);
	*share = (ex_share){.file = -1};
}
