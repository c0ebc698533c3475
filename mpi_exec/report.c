/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records that plans and programs share.
 */
#define _GNU_SOURCE
#include "report.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <shardwalk/json.h>

#include "requests.h"
#include "sha256.h"

bool ex_report_transport(const ex_report *j, ex_transport *transport, ex_fault *fault)
{
	*transport = j->options->transport == EX_MESSAGES || j->options->collectives ? EX_MESSAGES : EX_SHARED;
	if (*transport == EX_SHARED && !j->team->flags) {
		*transport = EX_MESSAGES;
		if (j->options->transport == EX_SHARED) {
			*fault = j->team->no_flags;
			return false;
		}
	}
	return true;
}

/* The processors that every rank may use, as one text where all are alike. */
static sw_list binding(ex_team *team, sw_arena *arena)
{
	enum { TEXT = 64 };
	char mine[TEXT] = "", *all = SW_NEW(arena, char, TEXT * team->ranks);
	const char **texts = SW_NEW(arena, const char *, team->ranks);
	cpu_set_t set;
	if (!all || !texts)
		return (sw_list){NULL, 0};
	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		for (int cpu = 0, used = 0; cpu < CPU_SETSIZE && used < TEXT - 8; cpu++)
			if (CPU_ISSET(cpu, &set))
				used += snprintf(mine + used, (size_t)(TEXT - used), "%s%d", used ? "," : "", cpu);
	ex_allgather(team->world, mine, TEXT, all);
	bool alike = true;
	for (int i = 0; i < team->ranks; i++) {
		texts[i] = all + i * TEXT;
		alike = alike && strcmp(texts[0], texts[i]) == 0;
	}
	return (sw_list){texts, alike ? 1 : team->ranks};
}

/* Nothing takes no time: 0 is what was not measured. */
static sw_probe measured(const ex_probe *probe)
{
	return (sw_probe){probe->hop > 0 ? probe->hop : NAN, probe->bandwidth > 0 ? probe->bandwidth : NAN};
}

void ex_report_start(const ex_report *j, ex_transport transport, const ex_probe *at_first, sw_record *more)
{
	ex_team *team = j->team;
	char digest[65], host[64] = "", library[MPI_MAX_LIBRARY_VERSION_STRING];
	const sw_probe probe = measured(at_first);
	sw_record record;
	sw_record_start(SW_RECORD_START, &record);
	if (more) {
		record.library = more->library;
		record.library_threads = more->library_threads;
		record.library_rate = more->library_rate;
		record.library_hint = more->library_hint;
		record.throttle = more->throttle;
	}
	record.binding = binding(team, j->arena);
	ex_sha256(sw_text_get(j->text), j->text->length, digest);
	gethostname(host, sizeof(host) - 1);
	ex_mpi_library(library);
	record.plan = j->name;
	record.file = j->file;
	record.digest = digest;
	record.program = sw_written_by();
	record.host = host;
	record.hosts = team->hosts;
	record.cores = team->cores;
	record.ranks = team->ranks;
	record.mpi = library;
	record.yield = team->yields;
	record.transport = ex_transport_name(transport);
	record.collectives = j->options->collectives;
	record.reps = j->options->reps;
	record.warmup = j->options->warmup;
	record.launch = j->options->launch;
	record.vectors = ex_copy_kind();
	record.probe = &probe;
	ex_result_write(j->result, &record);
}

void ex_report_times(sw_record *record, const ex_timed *timed, int64_t bytes)
{
	bool beside = timed->reference_sample != NULL;
	record->seconds = &timed->step;
	record->bytes = bytes;
	record->reps = timed->reps;
	record->course = (sw_list){timed->course, timed->courses};
	if (!beside)
		return;
	record->reference = &timed->reference;
	record->reference_store = timed->reference_store == EX_STREAM ? "stream" : "plain";
	record->share = timed->step.median > 0 ? timed->reference.median / timed->step.median : 0;
}

void ex_report_samples(const ex_report *j, const char *what, int step, const ex_timed *timed)
{
	char reference[32];
	snprintf(reference, sizeof(reference), "%s_reference", what);
	for (int i = 0; i < timed->reps; i++)
		ex_result_sample(j->result, j->name, what, step, i, timed->step_sample[i]);
	for (int i = 0; i < timed->reps && timed->reference_sample; i++)
		ex_result_sample(j->result, j->name, reference, step, i, timed->reference_sample[i]);
}

void ex_report_machine(const ex_report *j)
{
	ex_probe taken;
	ex_usage now;
	sw_record record;
	ex_usage_take(&now);
	sw_record_start(SW_RECORD_MACHINE, &record);
	record.others = ex_usage_of_others(j->team, &j->usage, &now);
	record.busy = record.others > 0.05;
	ex_probe_take(j->team, &taken);
	const sw_probe probe = measured(&taken);
	record.probe = &probe;
	ex_result_write(j->result, &record);
}

void ex_report_complete(const ex_report *j, bool right)
{
	sw_record record;
	sw_record_start(SW_RECORD_COMPLETE, &record);
	record.status = right ? 0 : 1;
	ex_result_write(j->result, &record);
}

bool ex_report_written(const ex_report *j, ex_fault *fault)
{
	ex_result_flush_samples(j->result);
	if (j->result->failed)
		*fault = j->result->fault;
	return ex_agree(j->team, !j->result->failed, fault);
}

int ex_report_fault(const ex_report *j, const ex_fault *fault)
{
	if (j->team->rank == 0) {
		ex_fault_print(fault, j->file);
		ex_result_error(j->result, j->name, fault);
	}
	return fault->status;
}
