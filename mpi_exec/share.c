/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One anonymous file per host.  The first rank makes it; the others open it through /proc.
 */
#define _GNU_SOURCE
#include "share.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "requests.h"

enum { PAGE = 4096, HUGE_PAGE = 2 << 20 };

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

/* Maps the file where its huge pages, if it gets any, are huge pages of this process too. */
static char *map_file(int file, int64_t bytes)
{
	size_t room = (size_t)bytes + HUGE_PAGE;
	char *at = mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		return NULL;
	char *begin = (char *)(((uintptr_t)at + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
	char *end = begin + (bytes + PAGE - 1) / PAGE * PAGE;
	bool right = mmap(begin, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
	if (begin > at)
		munmap(at, (size_t)(begin - at));
	if (end < at + room)
		munmap(end, (size_t)(at + room - end));
	if (!right)
		munmap(begin, (size_t)(end - begin));
	return right ? begin : NULL;
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
	share->at = share->file < 0 ? NULL : map_file(share->file, bytes);
	int error = errno;
	ex_barrier(local);
	if (!share->at) {
		ex_share_close(share);
		return ex_fault_set(fault, EX_LACKS, "E01", "cannot share %lld bytes between the ranks of a host: %s",
			(long long)bytes, strerror(error));
	}
	return true;
}

bool ex_share_reserve(ex_share *share, int64_t offset, int64_t bytes, ex_fault *fault)
{
	assert(offset >= 0 && bytes >= 0 && offset + bytes <= share->bytes);
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
