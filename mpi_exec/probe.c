/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measuring the machine.
 */
#define _GNU_SOURCE
#include "probe.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "copy.h"
#include "requests.h"
#include "watch.h"

enum { BATCHES = 10, HOPS = 200, BUFFER = 8 << 20 };
static const double HOP_LIMIT = 20e-3, COPY_TIME = 8e-3;

/* Pins the rank to the n-th core it may use; false where there are not two. */
static bool pin(int n, cpu_set_t *before)
{
	cpu_set_t one;
	if (sched_getaffinity(0, sizeof(*before), before) != 0 || CPU_COUNT(before) < 2)
		return false;
	CPU_ZERO(&one);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, before) && n-- == 0)
			CPU_SET(cpu, &one);
	return sched_setaffinity(0, sizeof(one), &one) == 0;
}

/* Two ranks pass a number to and fro, from `n` to `last`; false where that takes too long. */
static bool pass_ball(atomic_uint *ball, unsigned n, unsigned last, double deadline)
{
	while (n < last) {
		unsigned seen = atomic_load_explicit(ball, memory_order_acquire);
		if (seen == UINT32_MAX)
			return false;
		if (seen == n) {
			atomic_store_explicit(ball, seen + 1, memory_order_release);
			n += 2;
		} else if (ex_now() > deadline) {
			atomic_store(ball, UINT32_MAX);
			return false;
		}
	}
	return true;
}

/* The fastest batch counts: in the others a rank was late, or somebody else was on its core. */
static double measure_hop(ex_host_flags *flags, int me)
{
	double deadline = ex_now() + HOP_LIMIT, least = 0;
	for (unsigned b = 0; b < BATCHES; b++) {
		double begin = ex_now();
		if (!pass_ball(&flags->ball, 2 * HOPS * b + (unsigned)me, 2 * HOPS * (b + 1), deadline))
			break;
		double hop = (ex_now() - begin) / (2 * HOPS);
		least = b == 0 || hop < least ? hop : least;
	}
	return least;
}

static double measure_copy(void)
{
	char *from = malloc(BUFFER), *into = malloc(BUFFER);
	double bytes = 0, begin, rate = 0;
	if (from && into) {
		memset(from, 1, BUFFER);
		memset(into, 2, BUFFER);
		begin = ex_now();
		do {
			ex_copy_bytes(into, from, BUFFER, EX_STREAM);
			bytes += BUFFER;
		} while (ex_now() - begin < COPY_TIME);
		rate = bytes / (ex_now() - begin);
	}
	free(from);
	free(into);
	return rate;
}

void ex_probe_take(ex_team *team, ex_probe *probe)
{
	double sums[2] = {0, 0};
	cpu_set_t before;
	bool two = team->host == 0 && team->local_ranks > 1 && team->flags && team->local_rank < 2;
	if (team->flags)
		atomic_store(&team->flags->ball, 0);
	ex_team_barrier(team);
	if (two && pin(team->local_rank, &before)) {
		double hop = measure_hop(team->flags, team->local_rank);
		sums[0] = team->local_rank ? 0 : hop;
		sums[1] = measure_copy();
		sched_setaffinity(0, sizeof(before), &before);
	} else if (team->rank == 0 && !two) {
		sums[1] = measure_copy();
	}
	if (team->flags)
		ex_team_local_barrier(team);
	ex_team_reduce(team, sums, 2, MPI_SUM);
	*probe = (ex_probe){.hop = sums[0], .bandwidth = sums[1]};
}

/* Busy time of all cores, from the first line of /proc/stat: all but idle and waiting for disks. */
static double all_busy(void)
{
	unsigned long long t[8] = {0};
	FILE *file = fopen("/proc/stat", "r");
	int n = file ? fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &t[0], &t[1], &t[2], &t[3], &t[4],
					   &t[5], &t[6], &t[7]) :
				   0;
	if (file)
		fclose(file);
	if (n < 7)
		return -1;
	return (double)(t[0] + t[1] + t[2] + t[5] + t[6] + t[7]) / (double)sysconf(_SC_CLK_TCK);
}

void ex_usage_take(ex_usage *usage)
{
	struct rusage mine;
	getrusage(RUSAGE_SELF, &mine);
	usage->wall = ex_now();
	usage->all = all_busy();
	usage->mine = (double)mine.ru_utime.tv_sec + 1e-6 * (double)mine.ru_utime.tv_usec + (double)mine.ru_stime.tv_sec +
		1e-6 * (double)mine.ru_stime.tv_usec;
}

double ex_usage_of_others(ex_team *team, const ex_usage *before, const ex_usage *after)
{
	bool speaks = team->local_rank == 0;
	double sums[4] = {speaks ? after->all - before->all : 0, after->mine - before->mine,
		speaks ? (after->wall - before->wall) * (double)sysconf(_SC_NPROCESSORS_ONLN) : 0, after->all < 0};
	ex_team_reduce(team, sums, 4, MPI_SUM);
	if (sums[3] > 0 || sums[2] <= 0)
		return -1;
	double share = (sums[0] - sums[1]) / sums[2];
	return share > 0 ? share : 0;
}
