/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding the hosts, setting up their flags, agreeing.
 */
#define _GNU_SOURCE
#include "team.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "requests.h"
#include "watch.h"
#include "yield.h"

static int count_cores(void)
{
	cpu_set_t set;
	return sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
}

/* What ranks of one host have in common: its name, its boot, and the processes they can see. */
typedef struct host {
	char name[64], boot[48], processes[32];
} host;

static void host_find(host *here)
{
	memset(here, 0, sizeof(*here));
	gethostname(here->name, sizeof(here->name) - 1);
	if (readlink("/proc/self/ns/pid", here->processes, sizeof(here->processes) - 1) < 0)
		here->processes[0] = '\0';
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	if (file && !fgets(here->boot, sizeof(here->boot), file))
		here->boot[0] = '\0';
	if (file)
		fclose(file);
}

static void name_other(ex_team *team, const char *name)
{
	size_t used = strlen(team->others);
	snprintf(team->others + used, sizeof(team->others) - used, "%s%s", used ? ", " : "", name);
}

/* Hosts are numbered in the order of their first ranks.  MPI_Comm_split_type would know them too, in ten times the
 * time; on one host no communicator is made at all. */
static void number_hosts(ex_team *team, host *all)
{
	host here;
	host_find(&here);
	ex_allgather(team->world, &here, sizeof(here), all);
	for (int i = 0; i < team->ranks; i++) {
		int first = 0;
		while (memcmp(&all[first], &all[i], sizeof(here)) != 0)
			first++;
		team->host_of[i] = first == i ? team->hosts++ : team->host_of[first];
	}
	team->host = team->host_of[team->rank];
	for (int i = 0, host = 0; i < team->ranks; i++)
		if (team->host_of[i] == host && host++ != team->host)
			name_other(team, all[i].name);
	for (int i = 0; i < team->ranks; i++)
		team->local_of[i] = team->host_of[i] == team->host ? team->local_ranks++ : -1;
	team->local_rank = team->local_of[team->rank];
	team->local = team->world;
	if (team->hosts > 1)
		MPI_Comm_split(team->world, team->host, team->rank, &team->local);
}

/* A host without flags still runs plans, by messages. */
static void set_up_flags(ex_team *team)
{
	int64_t bytes = (int64_t)sizeof(ex_host_flags) + team->local_ranks * (int64_t)sizeof(ex_rank_flags);
	ex_fault fault = {0};
	bool ok = ex_share_open(&team->flags_share, team->local, bytes, &fault) &&
		(team->local_rank || ex_share_reserve(&team->flags_share, 0, bytes, &fault));
	if (ok && team->local_rank == 0)
		((ex_host_flags *)team->flags_share.at)->count = team->local_ranks;
	if (ex_agree(team, ok, &fault))
		team->flags = (ex_host_flags *)team->flags_share.at;
	else
		team->no_flags = fault;
}

bool ex_team_open(ex_team *team, ex_fault *fault)
{
	memset(team, 0, sizeof(*team));
	team->flags_share.file = -1;
	team->world = MPI_COMM_WORLD;
	MPI_Comm_rank(team->world, &team->rank);
	MPI_Comm_size(team->world, &team->ranks);
	team->host_of = calloc((size_t)team->ranks, sizeof(int));
	team->local_of = calloc((size_t)team->ranks, sizeof(int));
	host *all = calloc((size_t)team->ranks, sizeof(host));
	if (!ex_agree(team, team->host_of && team->local_of && all, fault)) {
		free(all);
		return false;
	}
	number_hosts(team, all);
	free(all);
	set_up_flags(team);
	team->cores = count_cores();
	team->spin = team->local_ranks <= team->cores;
	team->yields = ex_yield_called();
	return true;
}

void ex_team_close(ex_team *team)
{
	ex_share_close(&team->flags_share);
	free(team->host_of);
	free(team->local_of);
	if (team->hosts > 1)
		MPI_Comm_free(&team->local);
}

static double reduce_two(double a, double b, MPI_Op op)
{
	if (op == MPI_SUM)
		return a + b;
	return (op == MPI_MIN) == (a < b) ? a : b;
}

/* The next reduction uses the other values, and the one after it cannot begin before all have read these. */
static void flags_reduce(ex_team *team, double *values, int count, MPI_Op op)
{
	ex_host_flags *flags = team->flags;
	int turn = (int)(team->reductions++ % 2);
	memcpy(flags->rank_flags[team->local_rank].value[turn], values, sizeof(double) * (size_t)count);
	ex_team_local_barrier(team);
	memcpy(values, flags->rank_flags[0].value[turn], sizeof(double) * (size_t)count);
	for (int i = 1; i < team->local_ranks; i++)
		for (int v = 0; v < count; v++)
			values[v] = reduce_two(values[v], flags->rank_flags[i].value[turn][v], op);
}

void ex_team_reduce(ex_team *team, double *values, int count, MPI_Op op)
{
	if (team->flags && team->hosts == 1 && count <= EX_VALUES)
		flags_reduce(team, values, count, op);
	else
		ex_allreduce(team->world, values, count, op);
}

bool ex_agree(ex_team *team, bool ok, ex_fault *fault)
{
	double first = ok ? team->ranks : team->rank;
	ex_team_reduce(team, &first, 1, MPI_MIN);
	if ((int)first == team->ranks)
		return true;
	if (!ok && !fault->status)
		ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	ex_bcast(team->world, fault, sizeof(*fault), (int)first);
	return false;
}

void ex_team_wait(const ex_team *team, ex_flag *flag, unsigned value)
{
	if (ex_flag_reached(flag, value))
		return;
	ex_watch_wait();
	while (!ex_flag_wait(flag, value, team->spin))
		ex_watch_look_now();
	ex_watch_work();
}

void ex_team_local_barrier(const ex_team *team)
{
	ex_host_flags *flags = team->flags;
	unsigned turn = atomic_load(&flags->turn.value);
	if (atomic_fetch_add(&flags->arrived, 1) + 1 == (unsigned)team->local_ranks) {
		atomic_store(&flags->arrived, 0);
		ex_flag_set(&flags->turn, turn + 1);
	} else {
		ex_team_wait(team, &flags->turn, turn + 1);
	}
}

void ex_team_barrier(const ex_team *team)
{
	if (team->flags && team->hosts == 1)
		ex_team_local_barrier(team);
	else
		ex_barrier(team->world);
}
