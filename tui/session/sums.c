/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sum over axes of a placement that the present problem asks for, and the graph of its programs.
 */
#include "session/sums.h"

#include <assert.h>

#include "host/interrupt.h"

/* ---- what is there ---- */

bool need_system(const struct session *session, sw_diag *diag)
{
	if (session->state.placing != NULL)
		return true;
	sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "no system is defined");
	sw_diag_hint(diag, "for instance: system {node: 4 @ 8GB/s shared, gpu: 16 @ 270GB/s}");
	return false;
}

bool need_axes(const struct session *session, sw_diag *diag)
{
	if (!need_system(session, diag))
		return false;
	if (session->state.placing->has_axes)
		return true;
	sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "no axes of parallelism are defined");
	sw_diag_hint(diag, "for instance: axes {data: %lld}", (long long)session->state.placing->system.devices);
	return false;
}

bool need_placement(const struct session *session, sw_diag *diag)
{
	if (!need_axes(session, diag))
		return false;
	if (session->state.placing->placed)
		return true;
	sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "the axes are not placed yet");
	sw_diag_hint(diag, "`placements` lists the ways, `place 1` takes the first");
	return false;
}

/* ---- what is summed ---- */

static uint32_t axes_of_sums(const sw_type *type)
{
	sw_part parts[SW_MAX_PARTS];
	int count = sw_type_sums(type, parts);
	uint32_t axes = 0;

	for (int i = 0; i < count; i++)
		axes |= (uint32_t)1 << parts[i].axis;
	return axes;
}

uint32_t axes_summed(const sw_type *from, const sw_type *to)
{
	return axes_of_sums(from) & ~axes_of_sums(to);
}

int present_sum(const struct session *session, struct sum *sum)
{
	assert(session->state.placing != NULL);
	const struct state *state = &session->state;

	if (!state->placing->has_axes || !state->has[DEFINED_FROM] || !state->has[DEFINED_TO])
		return 0;
	sum->axes = axes_summed(&state->from, &state->to);
	sum->bytes = (double)sw_type_localsize(&state->from) * sw_dtype_bytes(state->from.dtype);
	return sum->axes != 0;
}

bool need_sum(const struct session *session, struct sum *sum, sw_diag *diag)
{
	if (present_sum(session, sum) == 1)
		return true;
	sw_diag_set(diag, SW_L07, (sw_span){0, 0}, "there is no sum yet");
	sw_diag_hint(diag, "for instance: reduce {%s} f32[%lld]", session->state.mesh.axis[0].name,
		(long long)session->state.mesh.devices * 1024);
	return false;
}

/* ---- settings ---- */

sw_allreduce_way allreduce_asked(const struct session *session)
{
	return setting_is(&session->state.settings, SETTING_ALLREDUCE, "tree") ? SW_ALLREDUCE_TREE : SW_ALLREDUCE_RING;
}

sw_hierarchy_kind hierarchy_asked(const struct session *session)
{
	const char *letter = session->state.settings.value[SETTING_HIERARCHY].text;
	int kind = 0;

	while (kind + 1 < SW_HIERARCHY_COUNT && *sw_hierarchy_letter((sw_hierarchy_kind)kind) != *letter)
		kind++;
	return (sw_hierarchy_kind)kind;
}

int64_t memory_of_searches(const struct session *session)
{
	return session->state.settings.value[SETTING_PLAN_MEMORY].size.count;
}

/* A graph that is complete serves under any bound. */
static const sw_contexts *find_contexts(const struct session *session, int factors, bool all_masters)
{
	for (const struct kept_contexts *kept = session->contexts; kept != NULL; kept = kept->before)
		if (kept->factors == factors && kept->all_masters == all_masters &&
			(sw_contexts_complete(kept->contexts) || kept->memory == memory_of_searches(session)))
			return kept->contexts;
	return NULL;
}

const sw_contexts *contexts_for(struct session *session, int factors, bool all_masters, sw_diag *diag)
{
	int64_t memory = memory_of_searches(session);
	const sw_contexts *found = find_contexts(session, factors, all_masters);
	struct kept_contexts *kept;

	if (found != NULL)
		return found;
	kept = SW_NEW(session->arena, struct kept_contexts, 1);
	sw_contexts *made = kept != NULL ? sw_contexts_new(factors, all_masters, memory, interrupt_pulse(), diag) : NULL;
	if (made == NULL) {
		if (kept == NULL)
			sw_diag_memory(diag);
		return NULL;
	}
	*kept = (struct kept_contexts){session->contexts, factors, all_masters, memory, made};
	session->contexts = kept;
	return made;
}

const sw_contexts *contexts_asked(struct session *session, int factors, sw_diag *diag)
{
	return contexts_for(session, factors, setting_is(&session->state.settings, SETTING_MASTERS, "all"), diag);
}
