/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * File descriptors: counted before anything is started, because launchers and MPI libraries have many words for their lack.
 */
#define _GNU_SOURCE
#include "host/limits.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* MPICH's launcher opens 14, and 4 for each rank; a rank of MPICH over UCX 26, and 2 for each of the first eight.  Measured. */
enum { FEW = 16, PER_RANK = 4, OF_RANK = 28, PER_PEER = 2, PEERS = 8, WANTED = 4096 };

static long long most_files(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_max == RLIM_INFINITY || limit.rlim_max > 1u << 30)
		return 1 << 30;
	return (long long)limit.rlim_max;
}

static bool refuse_few(long long need, const char *who, sw_diag *diag)
{
	sw_diag_set(diag, SW_E04, (sw_span){0, 0},
		"%s about %lld file descriptors, but a process may open only "
		"%lld here",
		who, need, most_files());
	sw_diag_hint(diag,
		"run `ulimit -n 1024` in the shell before starting the program to allow more; fewer ranks need fewer");
	return false;
}

bool limits_allow_ranks(int ranks, sw_diag *diag)
{
	char who[40];
	int launcher = FEW + PER_RANK * ranks, rank = OF_RANK + PER_PEER * (ranks < PEERS ? ranks : PEERS);
	int need = launcher > rank ? launcher : rank;
	snprintf(who, sizeof(who), "%d ranks need", ranks);
	return most_files() >= need || refuse_few(need, ranks > 1 ? who : "a rank needs", diag);
}

void limits_raise(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= WANTED)
		return;
	limit.rlim_cur = limit.rlim_max < WANTED ? limit.rlim_max : WANTED;
	setrlimit(RLIMIT_NOFILE, &limit);
}

bool limits_are_why(const char *program, int error, sw_diag *diag)
{
	if (error != EMFILE && error != ENFILE)
		return false;
	sw_diag_set(diag, SW_E04, (sw_span){0, 0}, "cannot start '%s': no file descriptor is left (%s)", program,
		strerror(error));
	sw_diag_hint(diag, "run `ulimit -n 1024` in the shell before starting the program to allow more");
	return true;
}
