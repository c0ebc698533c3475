/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statements that a command makes of what it was told.
 */
#include "command/programs/within.h"

bool statement_within(const struct invocation *run, sw_str statement, sw_diag *diag)
{
	struct session *session = run->session;
	const char *copy = sw_arena_copy(run->arena, statement.at, statement.length);
	struct position *position = SW_NEW_ZERO(run->arena, struct position, 1);
	struct position elsewhere = {0};
	struct document answer, *before = session->answer;
	bool ok;

	if (copy == NULL || position == NULL)
		return sw_diag_memory(diag);
	position->text = (sw_str){copy, statement.length};
	struct invocation inner = {.session = session,
		.position = position,
		.statement = position->text,
		.arena = run->arena,
		.answer = &answer,
		.elsewhere = &elsewhere};
	document_start(&answer, run->answer->width);
	session->answer = &answer;
	ok = invocation_read(&inner, diag) && invocation_run(&inner, diag);
	session->answer = before;
	document_clear(&answer);
	return ok;
}
