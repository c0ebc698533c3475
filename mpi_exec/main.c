/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shardwalk-exec: carries out redistribution plans on MPI ranks, proves every element, and times the steps.
 *
 * The path of one plan through the program, with the files that serve each stage:
 *
 *     options.c      the command line, rows of a table
 *     dry.c          --dry-run: what each rank would copy, without MPI
 *     team.c         the ranks, their hosts, and how they agree on a fault
 *     read.c         plan files
 *     job.c          one plan, or one program of values, from its file to its complete record; what differs is in work.h:
 *     job_values.c   a program of values:
 *       values.c       values in one region, and the steps that make them; kernels/blas.c: products
 *       schedule.c     what a rank copies in the steps of a schedule
 *       overlap.c      computing a formula while its operands arrive, fetches.c: a step of a schedule while the next one's do
 *       places.c       what it reads in place of others on the host
 *       trial.c        the same product by ScaLAPACK, in the blocks that are best, kernels/scalapack.c
 *       proof.c        the whole arrays beside the tiles
 *     job_chain.c    a plan, which is a chain:
 *       program.c      from the plan's maps to the copies of this rank
 *       room.c         what a process may use, memory.c what a host has, before anything is allocated
 *       run.c          tiles in memory; a step: copies inside the host ...
 *       messages.c     ... messages for the rest, packed and unpacked here
 *       collectives.c  or the library's own collectives (--collectives) ...
 *       patterns.c     ... also of an exchange whose pattern is that of one
 *       subarrays.c    on derived types of parts of tiles, where that was asked for
 *       rings.c        or pieces of tiles that are passed on, round rings and along chains, tree.c: up trees and down;
 *       throttle.c     links that are simulated
 *       data.c         makes every element from its index, and proves it; numbers.c: floats of any value
 *       timing.c       repeats steps beside a reference copy; tries out how to copy
 *       probe.c        what the machine is like meanwhile, pace.c: how fast all ranks multiply
 *       compare.c      what is wrong; terms that are still to be summed, of both
 *       result.c       records, one line of JSON each
 *
 * Underneath: flags.c (flags in memory of one host), copy.c and rows.c (box copies), sum.c and add.c (box sums),
 * half.h (elements of 16 bits), fault.c (faults as values), journal.c (names of shared memory), requests.c (MPI calls
 * that yield), sha256.c, share.c (memory of one host), version.c, watch.c (who hangs), yield.c (makes MPICH yield).
 *
 * A file includes only those before it in an order that tests/layers.sh has and checks.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "dry.h"
#include "job.h"
#include "journal.h"
#include "requests.h"
#include "room.h"
#include "version.h"
#include "watch.h"

/* Rank 0's result, for last words when the run is ended from inside a wait. */
static ex_result result;

static void last_words(const char *message, const char *hint)
{
	ex_fault fault;
	ex_fault_set(&fault, EX_LACKS, "", "%s", message);
	ex_fault_hint(&fault, "%s", hint);
	if (result.file)
		ex_result_error(&result, "", &fault);
}

static int run_plans(ex_team *team, const ex_options *options)
{
	ex_fault fault = {0};
	int status = EX_DONE;
	bool open = team->rank || ex_result_open(&result, options->output, options->samples, &fault);
	open = ex_agree(team, open, &fault);
	bool lost = false; /* which its plan has told of */
	for (int i = 0; open && !lost && i < options->plans; i++) {
		int one = ex_job(team, options, &result, options->plan[i]);
		status = one > status ? one : status;
		lost = !ex_agree(team, !result.failed, &result.fault);
	}
	bool closed = open && !lost && ex_agree(team, ex_result_close(&result, &fault), &fault);
	if (!closed && !lost && team->rank == 0)
		ex_fault_print(&fault, NULL);
	return closed ? status : EX_LACKS;
}

/* 0 where nobody says. */
static int rank_before_mpi(void)
{
	const char *rank = getenv("PMI_RANK");
	return rank ? atoi(rank) : 0;
}

/* Without the process of the launcher that started it a rank is of no use, and its results reach nobody. */
static void end_with_parent(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static int run_with_mpi(int count, char **words, const ex_options *options)
{
	ex_team team;
	ex_fault fault = {0};
	int status = EX_LACKS;
	bool calls = options->collectives || options->alltoallv || options->alltoallw;
	if (!ex_room_allow_mpi(calls ? EX_MESSAGES : options->transport, &fault)) {
		if (ex_room_first())
			ex_fault_print(&fault, NULL);
		return EX_LACKS;
	}
	setenv("HWLOC_COMPONENTS", "-pci,-linuxio,-opencl,-cuda", 0);
	ex_watch_start(options->timeout, rank_before_mpi());
	end_with_parent();
	if (strcmp(options->fault, "hold") == 0 && options->fault_rank == rank_before_mpi())
		ex_journal_hold(options->fault_step);
	MPI_Init(&count, &words);
	if (ex_team_open(&team, &fault)) {
		ex_watch_join(team.flags, team.local_rank, team.rank, team.others, team.rank ? NULL : last_words);
		status = run_plans(&team, options);
		ex_collective_forget();
		ex_barrier(team.world);
		ex_watch_leave();
		ex_team_close(&team);
	}
	MPI_Finalize();
	return status;
}

static int dry_run(const ex_options *options)
{
	int status = EX_DONE;
	for (int i = 0; i < options->plans; i++) {
		int one = ex_dry_run(options, options->plan[i]);
		status = one > status ? one : status;
	}
	return status;
}

static void print_version(void)
{
	char library[MPI_MAX_LIBRARY_VERSION_STRING];
	ex_mpi_library(library);
	printf("shardwalk-exec %s\ncompiled with %s, %s\n%s\n", ex_version, __VERSION__, ex_flags, library);
}

/* What needs no ranks. */
static int print(const ex_options *options)
{
	ex_fault fault;
	int status = EX_DONE;
	if (options->help)
		ex_options_help();
	else if (options->version)
		print_version();
	else
		status = dry_run(options);
	if (ex_result_flush_output(&fault))
		return status;
	ex_fault_print(&fault, NULL);
	return EX_LACKS;
}

int main(int count, char **words)
{
	ex_options options;
	ex_fault fault;
	signal(SIGPIPE, SIG_IGN); /* what cannot be written is a fault with a message */
	signal(SIGXFSZ, SIG_IGN);
	if (!ex_options_read(count, words, &options, &fault)) {
		const char *rank = getenv("PMI_RANK");
		if (!rank || strcmp(rank, "0") == 0)
			ex_fault_print(&fault, NULL);
		return fault.status;
	}
	return options.help || options.version || options.dry_run ? print(&options) :
																run_with_mpi(count, words, &options);
}
