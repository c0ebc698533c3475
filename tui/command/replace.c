/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A step of the plan replaced by hand: the steps before it, another operation in its place, and as many of the steps
 * after it as are still possible; what is not says why.
 */
#include "command/plan.h"

#include <string.h>

/* A step of a plan as one applies it by hand: groups that are no lines of the mesh are chosen anew. */
static bool push_step(struct session *session, const sw_plan *plan, int k, sw_diag *diag)
{
	struct state *state = &session->state;
	sw_call call;
	sw_type before = hand_type(state), after;
	sw_plan_call(plan, k, &call);
	if (!call.sums)
		memset(call.count, 0, sizeof(call.count));
	return sw_call_apply(&state->mesh, &before, &call, &after, diag) && hand_push(session, &call, &after, diag);
}

static void say_rest(const struct invocation *run, const sw_plan *plan, int from)
{
	struct state *state = &run->session->state;
	sw_diag why = {.code = SW_OK};
	int k = from;
	while (k < plan->program.steps && push_step(run->session, plan, k, &why))
		k++;
	sw_text type = {0};
	sw_type now = hand_type(state);
	sw_type_print(&state->mesh, &now, false, &type);
	bool there = state->has[DEFINED_TO] && sw_type_same_map(&state->mesh, &now, &state->to);
	if (k < plan->program.steps)
		document_line(run->answer, "step %d, %s, is now impossible: %s", k + 1,
			sw_collective_of(plan->program.step[k].op)->name, why.message);
	if (k < plan->program.steps && *why.hint)
		document_line(run->answer, "  %s", why.hint);
	document_line(run->answer, "%s %s%s", there ? "it still ends with `to`," : "it ends with", sw_text_get(&type),
		there ? "" : ", which is not `to`; `apply` continues, `undo` takes it back");
	sw_text_free(&type);
}

/* The steps before the one that is replaced, then the other operation. */
static bool push_first(struct invocation *run, const sw_plan *plan, int64_t number, sw_diag *diag)
{
	struct session *session = run->session;
	struct state *state = &session->state;
	sw_str text = argument(run, 1)->raw;
	sw_call call;
	sw_type after;
	for (int k = 0; k + 1 < number; k++)
		if (!push_step(session, plan, k, diag))
			return false;
	sw_type before = hand_type(state);
	if (!sw_call_read(&state->mesh, &before, state->has[DEFINED_TO] ? &state->to : NULL, text, &call, &after, diag))
		return refuse_at(run, text, diag);
	return hand_push(session, &call, &after, diag);
}

/* The plan stays as it is while its steps are read: the session holds it as a result as well. */
bool command_replace(struct invocation *run, sw_diag *diag)
{
	struct session *session = run->session;
	const sw_plan *plan;
	int64_t number;
	if (!session_need(session, DEFINED_FROM, diag) || !session_plan(session, &plan, diag) ||
		!plan_on_tiles(plan, diag) || !read_count(run, argument(run, 0), 1, plan->program.steps, &number, diag))
		return false;
	session->state.hand = NULL;
	if (!push_first(run, plan, number, diag))
		return false;
	say_rest(run, plan, (int)number);
	hand_as_plan(session);
	return true;
}
