/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What runs of the last formula measured, by its schedule or without one.
 */
#include <assert.h>

#include "command/compare/compare_schedules.h"
#include "session/records.h"
#include "session/schedules.h"

/* Statement, machine and commands; what moves and lives tells placements apart. */
static const char *key_of(const struct contender *c, const char *statement, sw_arena *arena)
{
	sw_text text = {0};
	int commands = c->schedule != NULL ? c->schedule->commands : c->recipe != NULL ? c->recipe->commands : 0;

	sw_text_add(&text, statement);
	for (int axis = 0; axis < c->mesh->count; axis++)
		sw_text_addf(&text, " %lld", (long long)c->mesh->axis[axis].size);
	for (int n = 0; n < commands; n++) {
		sw_str command = c->schedule != NULL ? sw_schedule_command_text(c->schedule, n) :
											   sw_str_of(c->recipe->command[n]);
		sw_text_add_char(&text, '.');
		for (size_t k = 0; k < command.length; k++)
			if (command.at[k] != ' ' && command.at[k] != '\n' && command.at[k] != '\t')
				sw_text_add_char(&text, command.at[k]);
	}
	sw_text_addf(&text, " %lld %lld", (long long)c->volume, (long long)c->peak);
	return sw_text_keep(&text, arena);
}

static double seconds_of(const struct invocation *run, const char *key)
{
	const char *plan;
	const struct kept_run *kept = session_run_of_formula(run->session, key, &plan);
	const struct times *times = kept != NULL ? records_merge(&kept->records, plan) : NULL;

	return times != NULL && times->total.seconds.median > 0 ? times->total.seconds.median : -1;
}

void contest_measure(const struct invocation *run, const struct contest *contest, struct contender *contender)
{
	const char *key = contender->mesh != NULL && contender->measured < 0 ?
		key_of(contender, contest->statement, run->arena) :
		NULL;

	if (key != NULL)
		contender->measured = seconds_of(run, key);
}

/* What was run is the schedule, or else what owners compute. */
static bool find_run(const struct invocation *run, struct contest *contest, sw_diag *diag)
{
	return run->session->state.subject == SUBJECT_SCHEDULE ? contest_add_own(run, contest, diag) :
															 contest_add_owner(run, contest, diag);
}

const char *contest_key(const struct invocation *run)
{
	struct contest *contest = SW_NEW_ZERO(run->arena, struct contest, 1);
	sw_diag why = {.code = SW_OK};

	if (contest == NULL || !schedules_are_present(run->session) || !contest_begin(run, contest, &why) ||
		!find_run(run, contest, &why) || contest->count == 0)
		return NULL;
	return key_of(&contest->contender[0], contest->statement, run->arena);
}

void contest_ran(const struct invocation *run)
{
	const struct kept_run *last = run->session->last_run;
	const char *plan = last != NULL ? records_plan(&last->records, 0) : NULL;
	const char *key = plan != NULL ? contest_key(run) : NULL;

	if (key != NULL)
		session_ran_formula(run->session, key, plan);
}
