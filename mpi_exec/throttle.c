/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ports in memory that the ranks share: each says until when it is taken.
 *
 * Data goes at once, and with it the moment at which it would have passed: what the ranks do with it meanwhile takes no time of the
 * links.
 */
#define _GNU_SOURCE
#include "throttle.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include <shardwalk/reduction_plan.h>

#include "requests.h"
#include "watch.h"

enum { PROBE_BYTES = 1 << 20, PROBES = 7 };

struct ports {
	atomic_flag busy;
	_Alignas(64) double taken[]; /* until this moment */
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_until(double moment)
{
	struct timespec t = {(time_t)moment, (long)((moment - (double)(time_t)moment) * 1e9)};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

/* ---- what this machine can do ---- */

static void shift(const ex_team *team, char *out, char *in)
{
	MPI_Request request[2];

	ex_irecv(team->world, in, PROBE_BYTES, (team->rank + team->ranks - 1) % team->ranks, 0, &request[0]);
	ex_isend(team->world, out, PROBE_BYTES, (team->rank + 1) % team->ranks, 0, &request[1]);
	ex_wait_all(2, request);
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Bytes a second that each rank passes on and puts into their place, all at once: of some tries the median. */
static double copying_rate(ex_team *team, char *room)
{
	double rate[PROBES];

	memset(room, 1, 2 * PROBE_BYTES);
	for (int i = 0; i < PROBES; i++) {
		ex_team_barrier(team);
		double begin = now();
		shift(team, room, room + PROBE_BYTES);
		memcpy(room, room + PROBE_BYTES, PROBE_BYTES);
		rate[i] = PROBE_BYTES / (now() - begin);
		ex_team_reduce(team, &rate[i], 1, MPI_MIN);
	}
	qsort(rate, PROBES, sizeof *rate, ascending);
	return rate[PROBES / 2];
}

/* ---- ports ---- */

static bool read_system(ex_throttle *t, const ex_team *team, const sw_plan *plan, ex_fault *fault)
{
	sw_diag diag = {0};

	if (team->hosts > 1)
		return ex_fault_set(fault, EX_NO, "L13", "--throttle simulates links on one host, and ranks are on %d",
			team->hosts);
	if (!sw_plan_system(plan, &t->system, &diag))
		return ex_fault_set(fault, EX_NO, "P03", "--throttle wants a plan that says its system: %s", diag.message);
	if (t->system.devices != team->ranks)
		return ex_fault_set(fault, EX_NO, "P03", "the system has %lld devices, and %d ranks run",
			(long long)t->system.devices, team->ranks);
	for (int j = 0; j < t->system.count; j++)
		if (!(t->system.level[j].bandwidth > 0))
			return ex_fault_set(fault, EX_NO, "P03", "level '%s' of the system has no bandwidth",
				t->system.level[j].name);
	return true;
}

bool ex_throttle_open(ex_throttle *t, const sw_plan *plan, ex_fault *fault)
{
	ex_team *team = t->team;
	char *room = NULL;
	bool ok = read_system(t, team, plan, fault);

	if (!ex_agree(team, ok, fault))
		return false;
	for (int j = 0; j < t->system.count; j++)
		t->first[j + 1] = t->first[j] + 2 * (int)(t->system.devices / sw_system_unit(&t->system, j));
	int64_t bytes = (int64_t)(sizeof(struct ports) + sizeof(double) * (size_t)t->first[t->system.count]);
	ok = ex_share_open(&t->share, team->local, bytes, fault) && ex_share_reserve(&t->share, 0, bytes, fault);
	room = ok ? malloc(2 * PROBE_BYTES) : NULL;
	if (ok && room == NULL)
		ok = ex_fault_set(fault, EX_LACKS, "E01", "out of memory");
	if (!ex_agree(team, ok, fault)) {
		free(room);
		return false;
	}
	if (!(team->copying_rate > 0)) /* once in a launch, so that all its plans go over the same links */
		team->copying_rate = copying_rate(team, room);
	t->factor = team->copying_rate / t->system.level[t->system.count - 1].bandwidth;
	free(room);
	prctl(PR_SET_TIMERSLACK, 1000UL); /* who sleeps is late by microseconds, not by fifty */
	return t->on = true;
}

void ex_throttle_close(ex_throttle *t)
{
	if (t->share.at != NULL)
		ex_share_close(&t->share);
	t->share.at = NULL;
}

/* The moment at which the port is free again, with this message behind what it has already. */
static double take(struct ports *ports, int port, double begin, double seconds)
{
	double from = ports->taken[port] > begin ? ports->taken[port] : begin;

	return ports->taken[port] = from + seconds;
}

static double take_ports(ex_throttle *t, struct ports *ports, int from, int to, int64_t bytes)
{
	double begin = now(), end = begin;
	int level = 0;

	while (from / sw_system_unit(&t->system, level) == to / sw_system_unit(&t->system, level))
		level++;
	for (int j = level; j < t->system.count; j++) {
		int64_t unit = sw_system_unit(&t->system, j);
		double seconds = (double)bytes / (t->system.level[j].bandwidth * t->factor);
		int out = t->first[j] + 2 * (int)(from / unit), in = t->first[j] + 2 * (int)(to / unit);
		double sent = take(ports, out, begin, seconds);
		double received = take(ports, t->system.level[j].shared ? in : in + 1, begin, seconds);

		end = sent > end ? sent : end;
		end = received > end ? received : end;
	}
	return end;
}

/* The moment at which so many bytes from one rank to another have passed. */
static double passed_at(ex_throttle *t, int from, int to, int64_t bytes)
{
	struct ports *ports = (struct ports *)(void *)t->share.at;

	if (!t->on || from == to || bytes == 0)
		return 0;
	while (atomic_flag_test_and_set_explicit(&ports->busy, memory_order_acquire))
		sched_yield();
	double end = take_ports(t, ports, from, to, bytes);
	atomic_flag_clear_explicit(&ports->busy, memory_order_release);
	return end;
}

/* ---- messages ---- */

enum { DATA, MOMENT, TAGS };

void ex_throttle_send(ex_throttle *t, const void *data, int64_t bytes, int to, int tag, ex_passage *passage)
{
	*passage = (ex_passage){.count = t->on ? 2 : 1};
	ex_isend(t->team->world, data, bytes, to, TAGS * tag + DATA, &passage->request[DATA]);
	if (!t->on)
		return;
	passage->moment = passed_at(t, t->team->rank, to, bytes);
	ex_isend(t->team->world, &passage->moment, sizeof passage->moment, to, TAGS * tag + MOMENT,
		&passage->request[MOMENT]);
}

void ex_throttle_receive(const ex_throttle *t, void *data, int64_t bytes, int from, int tag, ex_passage *passage)
{
	*passage = (ex_passage){.count = t->on ? 2 : 1};
	ex_irecv(t->team->world, data, bytes, from, TAGS * tag + DATA, &passage->request[DATA]);
	if (t->on)
		ex_irecv(t->team->world, &passage->moment, sizeof passage->moment, from, TAGS * tag + MOMENT,
			&passage->request[MOMENT]);
}

bool ex_passage_has_come(ex_passage *passage)
{
	int flag = 1;

	for (int i = 0; i < passage->count && flag; i++)
		MPI_Test(&passage->request[i], &flag, MPI_STATUS_IGNORE);
	return flag && (passage->moment <= 0 || now() >= passage->moment);
}

void ex_passage_wait(ex_passage *passage)
{
	ex_wait_all(passage->count, passage->request);
}

void ex_passage_let_through(const ex_passage *passage)
{
	if (passage->moment <= 0)
		return;
	ex_watch_work();
	sleep_until(passage->moment);
	ex_watch_work();
}
