/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The present program on MPI ranks.
 */
#include "launch/run_program.h"

#include <shardwalk/number.h>
#include <shardwalk/simulate.h>

#include "command/compare/compare_schedules.h"
#include "command/plan.h"
#include "command/programs/planned.h"

/* Options that speak of plans. */
static const enum option of_plans[] = {OPTION_COMPARE, OPTION_SWEEP, OPTION_COLLECTIVES, OPTION_COUNT};

bool run_planned_fits(const struct invocation *run, const sw_program *planned, sw_diag *diag)
{
	int64_t ranks = planned->mesh.devices, asked = ranks;
	int64_t most = run->session->state.settings.value[SETTING_MAX_RANKS].number;
	const struct word *word = option_given(run, OPTION_RANKS);
	if (!read_count(run, word, 1, SW_MAX_DEVICES, &asked, diag))
		return false;
	if (asked != ranks) {
		sw_diag_set(diag, SW_L13, line_span(run->position->text, word->raw), "the program is for %lld devices",
			(long long)ranks);
		return false;
	}
	return ranks <= most || option_given(run, OPTION_DRY_RUN) || run_refuse_ranks(run, NULL, ranks, most, diag);
}

/* Bytes of the values of one rank, at the worst moment, as simulate counts them. */
static int64_t bytes_of_ranks(const sw_program *planned)
{
	return sw_simulate_bytes(planned);
}

static bool answer_dry_run(struct job *job, const sw_program *planned, sw_diag *diag)
{
	sw_text command = {0};
	int64_t bytes = bytes_of_ranks(planned), ranks = planned->mesh.devices;
	if (bytes < 0)
		return sw_diag_set(diag, SW_L13, (sw_span){0, 0}, "the memory of all ranks overflows");
	job_print(job, &command);
	struct document *answer = job->run->answer;
	struct fields *fields = document_fields(answer, "shardwalk.dry_run/1");
	field_int(fields, "ranks", ranks);
	field_int(fields, "values", planned->values);
	field_int(fields, "steps", planned->steps);
	field_int(fields, "bytes", bytes);
	field_text(fields, "command", sw_text_get(&command));
	document_line(answer, "ranks    %lld, for %d values and %d steps", (long long)ranks, planned->values,
		planned->steps);
	document_line(answer, "memory   %s in all, including the whole arrays for comparison",
		sw_size_bytes(bytes, 1, SW_UNIT_ELEMENTS).text);
	document_line(answer, "command  %s", sw_text_get(&command));
	sw_text_free(&command);
	return true;
}

static bool launch_all(struct job *job, sw_diag *diag)
{
	int64_t launches = option_number(job->run, OPTION_LAUNCHES, 1);
	job_expect(job, (int)launches);
	for (int64_t i = 0; i < launches; i++) {
		job->options.number = (int)i + 1;
		if (!job_launch(job, 0, diag))
			return false;
	}
	return true;
}

static bool answer_times(struct job *job, sw_diag *diag)
{
	const struct kept_run *kept = job_keep(job);
	if (!kept || job->lines)
		return true;
	struct view_input in = {.times = &kept->records, .times_number = kept->number};
	return view_answer(job->run, view_times, &in, NULL, diag);
}

bool run_planned(struct job *job, const sw_program *planned, sw_diag *diag)
{
	sw_data data;
	if (!sw_data_make(planned, job->run->arena, &data, diag) || !run_planned_fits(job->run, planned, diag))
		return false;
	job->options.ranks = (int)planned->mesh.devices;
	if (!job_start(job, "run: a program", diag) || !job_add_program(job, planned, diag))
		return false;
	if (option_given(job->run, OPTION_DRY_RUN))
		return answer_dry_run(job, planned, diag);
	run_name_samples(job);
	bool ok = launch_all(job, diag);
	sw_diag more = {.code = SW_OK};
	bool kept = run_keep_samples(job, ok ? diag : &more);
	bool answered = answer_times(job, ok && kept ? diag : &more);
	return ok && kept && answered;
}

/* Of a formula it is known then how long its schedule takes, or what owners compute. */
static bool remember(struct job *job)
{
	if (!option_given(job->run, OPTION_DRY_RUN))
		contest_ran(job->run);
	return true;
}

bool run_program(struct job *job, sw_diag *diag)
{
	sw_program *planned = SW_NEW(job->run->arena, sw_program, 1);
	if (!planned)
		return sw_diag_memory(diag);
	return options_fit(job->run, of_plans, "for plans, not for programs",
			   "`enter N` makes a redistribution of the program the problem; `run` then executes its "
			   "plan",
			   diag) &&
		planned_present(job->run, job->run->arena, planned, diag) && run_planned(job, planned, diag) && remember(job);
}
