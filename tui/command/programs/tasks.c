/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command tasks: a formula repeated, whose rounds are walked from then on.
 */
#include "answer/watch.h"
#include "command/command.h"
#include "command/programs/compute.h"
#include "session/walks.h"
#include "views/computed.h"

static bool refuse_no_formula(sw_diag *diag)
{
	sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "there is no formula yet");
	sw_diag_hint(diag, "for instance: compute y[i] = x[i-1] + x[i+1], after types of x and y");
	return false;
}

static bool answer_tasks(const struct invocation *run, const sw_computation *computation, const sw_tasks *tasks,
	sw_diag *diag)
{
	struct fields *fields = document_fields(run->answer, "shardwalk.tasks/1");

	if (fields == NULL)
		return tasks_answer(computation, tasks, run->answer, diag);
	field_mesh(fields, "mesh", &computation->mesh);
	return tasks_fields(computation, tasks, fields, diag);
}

/* The same once more goes on where it is. */
static bool is_kept(const struct state *state, int64_t steps, int64_t every)
{
	const struct kept_tasks *kept = state->tasks;

	return kept != NULL && kept->formula == state->formula && kept->steps == steps && kept->every == every;
}

static bool keep_tasks(struct session *session, int64_t steps, int64_t every, sw_diag *diag)
{
	const struct kept_formula *formula = session->state.formula;
	struct kept_tasks *kept = SW_NEW(session->arena, struct kept_tasks, 1);
	struct watch watch;

	if (kept == NULL)
		return sw_diag_memory(diag);
	*kept = (struct kept_tasks){formula, steps, every, {0}};
	watch_start(&watch, session->console);
	sw_computation_pulse(formula->computation, &watch.pulse);
	bool counted = sw_computation_tasks(formula->computation, steps, every, &watch.pulse, session->arena, &kept->of,
		diag);
	sw_computation_pulse(formula->computation, NULL);
	watch_end(&watch);
	if (!counted) {
		diag->at = diag->also = (sw_span){0, 0};
		return false;
	}
	session->state.tasks = kept;
	session_drop_walk(session, SW_WALK_STEPS);
	return true;
}

bool command_tasks(struct invocation *run, sw_diag *diag)
{
	struct session *session = run->session;
	int64_t steps = argument_number(run, 0, 1), every = option_number(run, OPTION_EVERY, 1);

	if (session->state.formula == NULL)
		return refuse_no_formula(diag);
	if (!is_kept(&session->state, steps, every) && !keep_tasks(session, steps, every, diag))
		return false;
	if (session->state.entered == 0 && !compute_keep(run, session->state.formula, steps, every, diag))
		return false;
	session_walk_on(session, SW_WALK_STEPS);
	if (!answer_tasks(run, session->state.formula->computation, &session->state.tasks->of, diag))
		return false;
	answer_remark(session, "`step`, `back`, `goto N` and `continue` walk through it; `show tasks` draws it");
	return true;
}
