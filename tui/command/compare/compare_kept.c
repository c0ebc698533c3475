/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was compared stays in the session, so that it is drawn again at any width, and a row of it can be taken.
 */
#include <assert.h>
#include <string.h>

#include "command/compare/compare.h"
#include "session/pareto_set.h"
#include "session/subject.h"

static const char *words_copy(const char *words, sw_arena *arena, bool *failed)
{
	const char *copy = words ? sw_arena_copy(arena, words, strlen(words)) : NULL;
	*failed |= words && !copy;
	return copy;
}

static void plans_copy(struct view_input *in, sw_arena *arena, bool *failed)
{
	const sw_plan **plan = SW_NEW(arena, const sw_plan *, in->plan_count);
	struct plan_facts *facts = SW_NEW(arena, struct plan_facts, in->plan_count);
	*failed |= !plan || !facts;
	for (int k = 0; k < in->plan_count && !*failed; k++) {
		plan[k] = plan_copy(in->plans[k], arena);
		facts[k] = in->facts[k];
		*failed |= !plan[k];
	}
	in->plans = plan;
	in->facts = facts;
	in->mesh = *failed ? NULL : &plan[0]->problem.mesh;
}

static void refusals_copy(struct view_input *in, sw_arena *arena, bool *failed)
{
	struct plan_refusal *refusal = SW_NEW_ZERO(arena, struct plan_refusal, in->refusal_count + 1);
	*failed |= !refusal;
	for (int k = 0; k < in->refusal_count && !*failed; k++) {
		refusal[k].name = words_copy(in->refusals[k].name, arena, failed);
		refusal[k].reason = words_copy(in->refusals[k].reason, arena, failed);
	}
	in->refusals = refusal;
}

void compare_keep(struct session *session, const struct view_input *shown)
{
	sw_arena *arena = sw_arena_new();
	struct view_input *in = arena ? SW_NEW(arena, struct view_input, 1) : NULL;
	bool failed = !in;
	assert(shown->plan_count > 0 && shown->facts != NULL);
	if (in) {
		*in = *shown;
		plans_copy(in, arena, &failed);
		refusals_copy(in, arena, &failed);
		in->order = words_copy(in->order, arena, &failed);
		in->machine = words_copy(in->machine, arena, &failed);
		in->unlike = words_copy(in->unlike, arena, &failed);
		in->why = words_copy(in->why, arena, &failed);
		in->not_taken = words_copy(in->not_taken, arena, &failed);
	}
	if (failed)
		sw_arena_free(arena);
	else
		session_keep_compared(session, arena, in);
}
