/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A step of the plan replaced by hand: the steps before it, another operation in its place, and as many of the steps
 * after it as are still possible; what is not says why.
 */
#include "command/plan.h"

#include <string.h>

static bool push(struct session *session, const sw_call *call, const sw_type *after, sw_diag *diag)
{
	struct hand_step *step = SW_NEW_ZERO(session->arena, struct hand_step, 1);
	if (!step)
		return sw_diag_memory(diag);
	step->before = session->state.hand;
	step->count = step->before ? step->before->count + 1 : 1;
	step->call = *call;
	step->after = *after;
	session->state.hand = step;
	return true;
}

static const sw_type *type_now(const struct state *state)
{
	return state->hand ? &state->hand->after : &state->from;
}

/* A step of a plan as one applies it by hand: groups that are no lines of the mesh are chosen anew. */
static bool push_step(struct session *session, const sw_step *step, sw_diag *diag)
{
	struct state *state = &session->state;
	sw_call call = {.op = step->op, .gathers = step->gathers, .splits = step->splits};
	sw_type after;
	memcpy(call.gather, step->gather, sizeof(call.gather));
	memcpy(call.split, step->split, sizeof(call.split));
	call.has_target = step->type && sw_collective_of(step->op)->targets;
	if (call.has_target)
		call.target = *step->type;
	return sw_call_apply(&state->mesh, type_now(state), &call, &after, diag) && push(session, &call, &after, diag);
}

static void say_rest(const struct invocation *run, const sw_plan *plan, int from)
{
	struct state *state = &run->session->state;
	sw_diag why = {.code = SW_OK};
	int k = from;
	while (k < plan->count && push_step(run->session, &plan->steps[k], &why))
		k++;
	sw_text type = {0};
	sw_type_print(&state->mesh, type_now(state), false, &type);
	bool there = state->has[DEFINED_TO] && sw_type_same_map(&state->mesh, type_now(state), &state->to);
	if (k < plan->count)
		document_line(run->answer, "step %d, %s, is impossible now: %s", k + 1,
			sw_collective_of(plan->steps[k].op)->name, why.message);
	if (k < plan->count && *why.hint)
		document_line(run->answer, "  %s", why.hint);
	document_line(run->answer, "%s %s%s", there ? "it still ends with `to`," : "it ends with", sw_text_get(&type),
		there ? "" : ", which is not `to`; `apply` goes on, `undo` takes it back");
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
		if (!push_step(session, &plan->steps[k], diag))
			return false;
	if (!sw_call_read(&state->mesh, type_now(state), state->has[DEFINED_TO] ? &state->to : NULL, text, &call, &after,
			diag))
		return refuse_at(run, text, diag);
	return push(session, &call, &after, diag);
}

/* The plan stays as it is while its steps are read: the session holds it as a result as well. */
bool command_replace(struct invocation *run, sw_diag *diag)
{
	struct session *session = run->session;
	const sw_plan *plan;
	int64_t number;
	if (!session_need(session, DEFINED_FROM, diag) || !session_plan(session, &plan, diag) ||
		!read_count(run, argument(run, 0), 1, plan->count, &number, diag))
		return false;
	session->state.hand = NULL;
	if (!push_first(run, plan, number, diag))
		return false;
	say_rest(run, plan, (int)number);
	hand_as_plan(session);
	return true;
}
