/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Redirection: a file gets the answer when it is whole; a program gets it as it comes.
 */
#define _GNU_SOURCE
#include "command/redirect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/arena.h>

#include "host/file.h"
#include "host/safe.h"
#include "answer/show.h"

/* The first sign counts that stands as a word of its own. */
static void find_sign(const struct word *words, int count, sw_str statement, struct redirect *redirect)
{
	for (int i = 1; i < count && !redirect->sign; i++) {
		if (!sw_str_is(words[i].raw, ">") && !sw_str_is(words[i].raw, "|"))
			continue;
		const char *after = words[i].raw.at + 1;
		redirect->sign = *words[i].raw.at;
		redirect->sign_at = words[i].raw;
		redirect->target = sw_str_trim((sw_str){after, (size_t)(statement.at + statement.length - after)});
	}
}

bool redirect_find(const struct session *session, const struct position *position, sw_str *statement,
	struct redirect *redirect, sw_diag *diag)
{
	*redirect = (struct redirect){0};
	sw_arena *arena = session->interactive ? sw_arena_new() : NULL;
	struct word *words;
	if (!arena)
		return true;
	int count = line_words(*statement, arena, &words);
	find_sign(words, count, *statement, redirect);
	sw_arena_free(arena);
	if (!redirect->sign)
		return true;
	statement->length = (size_t)(redirect->sign_at.at - statement->at);
	*statement = sw_str_trim(*statement);
	if (redirect->target.length)
		return true;
	sw_diag_set(diag, SW_L03, line_span(position->text, redirect->sign_at), "'%c' needs %s", redirect->sign,
		redirect->sign == '>' ? "the name of a file" : "a program");
	return false;
}

static FILE *start_program(struct redirect *redirect)
{
	char *line = strndup(redirect->target.at, redirect->target.length);
	bool started = line && piped_start(&redirect->program, line);
	free(line);
	return started ? redirect->program.in : NULL;
}

bool redirect_begin(struct session *session, struct redirect *redirect, sw_diag *diag)
{
	struct console *console = session->console;
	if (!redirect->sign)
		return true;
	if (safe_refuses(diag, redirect->sign == '|' ? "'%.*s' would be started" : "'%.*s' would be written",
			(int)(redirect->target.length < 80 ? redirect->target.length : 80), redirect->target.at)) {
		redirect->sign = 0;
		return false;
	}
	fflush(console->out);
	if (redirect->sign == '|')
		console_release_terminal(console, true);
	FILE *out = redirect->sign == '|' ? start_program(redirect) :
										open_memstream(&redirect->buffer, &redirect->length);
	if (!out) {
		if (redirect->sign == '|')
			console_release_terminal(console, false);
		redirect->sign = 0;
		return sw_diag_set(diag, SW_E02, (sw_span){0, 0}, "cannot start '%.*s': %s", (int)redirect->target.length,
			redirect->target.at, strerror(errno));
	}
	redirect->before = console->out;
	console->out = out;
	console->style.colors = 0;
	console->style.attributes = false;
	return true;
}

static bool write_target(const struct redirect *redirect, sw_diag *diag)
{
	sw_arena *arena = sw_arena_new();
	if (!arena)
		return sw_diag_memory(diag);
	sw_text text = {.data = redirect->buffer, .length = redirect->length};
	sw_str name = line_unquote(redirect->target, arena);
	char *path = sw_arena_copy(arena, name.at, name.length);
	bool ok = path ? file_write(path, &text, diag) : sw_diag_memory(diag);
	sw_arena_free(arena);
	return ok;
}

bool redirect_end(struct session *session, struct redirect *redirect, bool ok, sw_diag *diag)
{
	if (!redirect->sign)
		return ok;
	FILE *out = session->console->out;
	session->console->out = redirect->before;
	answer_dress(session);
	if (redirect->sign == '|') {
		piped_end(&redirect->program);
		console_release_terminal(session->console, false);
		return ok;
	}
	fclose(out);
	ok = ok && write_target(redirect, diag);
	free(redirect->buffer);
	return ok;
}
