/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a session is about, and the strategies that were compared for it.
 */
#include "session/subject.h"

#include <assert.h>
#include <string.h>

#include <shardwalk/arena.h>

#include "session/placing.h"

void session_axes_subject(const struct session *session, sw_text *text)
{
	const struct state *state = &session->state;

	assert(text != NULL);
	if (state->has[DEFINED_FROM])
		sw_type_print(&state->mesh, &state->from, true, text);
	sw_text_add_char(text, ';');
	if (state->has[DEFINED_TO])
		sw_type_print(&state->mesh, &state->to, true, text);
	sw_text_add_char(text, ';');
	if (state->placing != NULL) {
		sw_system_print(&state->placing->system, text);
		sw_mesh_print(&state->placing->axes, text);
	}
}

void session_subject(const struct session *session, sw_text *text)
{
	const struct state *state = &session->state;

	session_axes_subject(session, text);
	sw_text_add_char(text, ';');
	if (state->has[DEFINED_MESH])
		sw_mesh_print(&state->mesh, text);
	if (state->placing != NULL && state->placing->placed)
		sw_placement_print(&state->placing->placement, text);
	sw_text_addf(text, ";%d", state->entered);
}

bool session_is_about(const struct session *session, session_subject_function *subject, const char *before)
{
	sw_text now = {0};

	assert(before != NULL);
	subject(session, &now);
	bool same = strcmp(sw_text_get(&now), before) == 0;
	sw_text_free(&now);
	return same;
}

/* ---- what was compared ---- */

void session_keep_compared(struct session *session, sw_arena *arena, const struct view_input *shown)
{
	struct kept_compared *kept = SW_NEW(arena, struct kept_compared, 1);
	sw_text text = {0};

	assert(shown != NULL);
	session_subject(session, &text);
	const char *subject = sw_text_keep(&text, arena);
	const char *statement = sw_arena_copy(arena, session->running, strlen(session->running));
	if (kept == NULL || subject == NULL || statement == NULL) {
		sw_arena_free(arena);
		return;
	}
	*kept = (struct kept_compared){.arena = arena,
		.number = ++session->compared_count,
		.subject = subject,
		.statement = statement,
		.shown = shown};
	if (session->compared != NULL)
		sw_arena_free(session->compared->arena);
	session->compared = kept;
}

const struct kept_compared *session_compared(const struct session *session)
{
	const struct kept_compared *kept = session->compared;

	return kept != NULL && session_is_about(session, session_subject, kept->subject) ? kept : NULL;
}
