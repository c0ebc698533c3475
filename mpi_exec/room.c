/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Limits of a process, and room for shared memory, against what MPICH 4 over UCX was measured to use.
 */
#define _GNU_SOURCE
#include "room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <shardwalk/number.h>

#define MIB ((int64_t)1 << 20)
#define KIB ((int64_t)1 << 10)

static const int64_t PEER = 4300 * KIB;   /* that the library maps of each rank it talks to */
static const int64_t AT_START = 50 * MIB; /* of address space, and of so many peers */
enum { PEERS_AT_START = 5, PEERS_FOR_COLLECTIVES = 6 };
static const int64_t NAMED = 4500 * KIB;                                 /* in /dev/shm, for a rank ... */
static const int64_t NAMED_LEAST = 64 * KIB, NAMED_LEAST_RANK = 8 * KIB; /* ... and where UCX does without */
static const int64_t SLACK = 6 * MIB;                                    /* huge pages begin where they begin */

static int local_ranks(void)
{
	const char *ranks = getenv("MPI_LOCALNRANKS");
	int count = ranks ? atoi(ranks) : 1;
	return count > 1 ? count : 1;
}

/* ---- descriptors ---- */

static bool files_suffice(ex_fault *fault)
{
	struct rlimit limit;
	int ranks = local_ranks(), need = ranks == 1 ? 24 : 28 + 2 * (ranks < 8 ? ranks : 8);
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= (rlim_t)need)
		return true;
	limit.rlim_cur = limit.rlim_max < (rlim_t)need ? limit.rlim_max : (rlim_t)need;
	if (setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur == (rlim_t)need)
		return true;
	ex_fault_set(fault, EX_LACKS, "E04", "a rank of MPICH needs about %d file descriptors, and may open %d here",
		need, (int)limit.rlim_max);
	return ex_fault_hint(fault, "`ulimit -n 1024` in the shell allows more, before mpiexec is started");
}

/* ---- address space ---- */

/* What is left of it; INT64_MAX where there is no limit. */
static int64_t address_space_left(void)
{
	struct rlimit limit;
	long long pages = 0;
	FILE *file;
	if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
		return INT64_MAX;
	file = fopen("/proc/self/statm", "re");
	if (file && fscanf(file, "%lld", &pages) != 1)
		pages = 0;
	if (file)
		fclose(file);
	return (int64_t)limit.rlim_cur - pages * sysconf(_SC_PAGESIZE);
}

static bool refuse_space(int64_t need, int64_t left, ex_fault *fault)
{
	return ex_fault_set(fault, EX_LACKS, "E01",
		"a rank needs about %lld MiB more of address space, and may have %lld "
		"(ulimit -v)",
		(long long)((need + MIB - 1) / MIB), (long long)(left > 0 ? left / MIB : 0));
}

static bool space_suffices_for_mpi(ex_fault *fault)
{
	int64_t need = AT_START + PEER * sw_smaller(local_ranks() - 1, PEERS_AT_START), left = address_space_left();
	if (left >= need)
		return true;
	refuse_space(need, left, fault);
	return ex_fault_hint(fault, "`ulimit -v unlimited` in the shell allows all of it; fewer ranks need less");
}

/* Shared tiles are mapped by every rank of the host. */
static int64_t space_for(const ex_team *team, const ex_need *need)
{
	int64_t peers = team->local_ranks - 1, tiles = need->tiles, all;
	if (need->shared && !sw_mul(need->tiles + SLACK / 3, team->local_ranks, &tiles))
		return INT64_MAX;
	peers = need->shared ? sw_smaller(peers, PEERS_FOR_COLLECTIVES) : peers;
	return sw_add(tiles, need->buffers + PEER * peers + SLACK, &all) ? all : INT64_MAX;
}

bool ex_room_allow_run(ex_team *team, const ex_need *need, const ex_need *messages, ex_fault *fault)
{
	int64_t all = space_for(team, need), left = address_space_left();
	bool ok = left == INT64_MAX || left >= all;
	if (!ok) {
		refuse_space(all, left, fault);
		if (messages && left >= space_for(team, messages))
			ex_fault_hint(fault,
				"`--transport messages` needs %lld MiB; `ulimit -v unlimited` in the shell allows all",
				(long long)(space_for(team, messages) / MIB + 1));
		else
			ex_fault_hint(fault, "`ulimit -v unlimited` in the shell allows all of it; a smaller array needs less");
	}
	return ex_agree(team, ok, fault);
}

/* ---- shared memory with a name ---- */

/* Is UCX told to do without the transport that fills /dev/shm? */
static bool does_without(void)
{
	const char *ways = getenv("UCX_TLS");
	if (!ways || !*ways)
		return false;
	bool named = strstr(ways, "posix") || strstr(ways, "sm") || strstr(ways, "shm") || strstr(ways, "mm") ||
		strstr(ways, "all");
	return *ways == '^' ? strstr(ways, "posix") || strstr(ways, "sm") : !named;
}

static bool refuse_named(int64_t need, int64_t has, int ranks, bool would, ex_fault *fault)
{
	ex_fault_set(fault, EX_LACKS, "E01", "/dev/shm has %lld KiB left; %d ranks of MPICH need about %lld KiB there",
		(long long)(has / KIB), ranks, (long long)(need / KIB));
	return ex_fault_hint(fault, "make it larger (docker run --shm-size=...), or use fewer ranks%s",
		would ? ", or `--transport messages`, which needs less of it" : "");
}

/* Rank 0 of a host starts first, and sees what is left before the others use it; they judge by what is there at all. */
static bool named_suffices(ex_transport transport, ex_fault *fault)
{
	struct statvfs room;
	int ranks = local_ranks();
	int64_t need = NAMED * ranks, little = NAMED_LEAST + NAMED_LEAST_RANK * ranks;
	if (ranks < 2 || statvfs("/dev/shm", &room) != 0 || room.f_blocks == 0)
		return true;
	int64_t has = (int64_t)(ex_room_first() ? room.f_bavail : room.f_blocks) * (int64_t)room.f_frsize;
	if (has < need && has >= little && transport == EX_MESSAGES)
		setenv("UCX_TLS", "^posix", 0);
	need = does_without() ? little : need;
	return has >= need || refuse_named(need, has, ranks, has >= little && transport != EX_MESSAGES, fault);
}

bool ex_room_first(void)
{
	const char *rank = getenv("MPI_LOCALRANKID");
	return !rank || strcmp(rank, "0") == 0;
}

bool ex_room_allow_mpi(ex_transport transport, ex_fault *fault)
{
	return files_suffice(fault) && space_suffices_for_mpi(fault) && named_suffices(transport, fault);
}
