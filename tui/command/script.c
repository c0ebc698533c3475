/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scripts are read as they run, so that a pipe may feed statements one by one.
 */
#include "command/script.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <shardwalk/program.h>

#include "command/command.h"
#include "host/file.h"
#include "host/interrupt.h"
#include "host/safe.h"

/* A script is read to its end as a script, also where a person started it. */
static bool enter(struct session *session)
{
	bool interactive = session->interactive;
	session->interactive = false;
	session->depth++;
	return interactive;
}

static void leave(struct session *session, bool interactive)
{
	session->depth--;
	session->interactive = interactive;
	if (interactive && interrupt_signal() == SIGINT)
		session->leaving = false; /* it ends the script, not the session */
	if (interactive)
		memset(session->state.failed, 0, sizeof(session->state.failed));
}

static bool is_binary(struct session *session, const struct position *position)
{
	if (!memchr(position->text.at, '\0', position->text.length))
		return false;
	sw_diag diag;
	line_is_text(position->text, &diag);
	command_report(session, position, &diag, session->json);
	return true;
}

static void refuse_line(struct session *session, struct position *position, long long why)
{
	sw_diag diag;
	position->text = (sw_str){"", 0};
	if (why == -2)
		sw_diag_set(&diag, SW_L10, (sw_span){0, 0}, "this line is longer than %zu MiB", FILE_MOST_LINE >> 20);
	else
		sw_diag_set(&diag, SW_B01, (sw_span){0, 0}, "cannot read '%s': %s", position->file, strerror(errno));
	sw_diag_hint(&diag, "the rest of the script was not run");
	command_report(session, position, &diag, session->json);
}

/* ---- statements of several lines ---- */

#define MOST_LINES 1000 /* of one statement */

/* What is unfinished, and where it began. */
struct unfinished {
	sw_text text;
	long long line;
	int lines;
};

/* It was never finished: each line is taken by itself, and the one that opened it says so. */
static void run_apart(struct session *session, const char *name, struct unfinished *open)
{
	struct position position = {.file = name, .line = (int)open->line};
	sw_str rest = {sw_text_get(&open->text), open->text.length};
	for (int i = 0; i < open->lines && !session->leaving; i++, position.line++) {
		const char *end = memchr(rest.at, '\n', rest.length);
		position.text = (sw_str){rest.at, end ? (size_t)(end - rest.at) : rest.length};
		statement_run_line(session, &position);
		size_t taken = position.text.length + (end != NULL);
		rest = (sw_str){rest.at + taken, rest.length - taken};
	}
	sw_text_clear(&open->text);
	open->lines = 0;
}

static void add_line(struct unfinished *open, const struct position *position)
{
	if (open->lines++)
		sw_text_add_char(&open->text, '\n');
	else
		open->line = position->line;
	sw_text_add_str(&open->text, position->text);
}

/* Runs the line, alone or with those before it, or waits for the rest of its statement: up to an empty line. */
static void take_line(struct session *session, const struct position *position, struct unfinished *open)
{
	bool empty = sw_str_trim(position->text).length == 0;
	if (open->lines && (empty || open->lines == MOST_LINES))
		run_apart(session, position->file, open);
	if (!open->lines && (empty || command_line_end(position->text) != LINE_OPEN)) {
		statement_run_line(session, position);
		return;
	}
	add_line(open, position);
	struct position whole = {.file = position->file,
		.line = (int)open->line,
		.text = {sw_text_get(&open->text), open->text.length}};
	enum line_end end = command_line_end(whole.text);
	if (end == LINE_BAD)
		run_apart(session, position->file, open);
	else if (end == LINE_END) {
		statement_run_line(session, &whole);
		sw_text_clear(&open->text);
		open->lines = 0;
	}
}

static void finish(struct session *session, const char *name, struct unfinished *open)
{
	run_apart(session, name, open);
	sw_text_free(&open->text);
}

static void run_lines(struct session *session, FILE *file, const char *name)
{
	struct position position = {.file = name};
	struct unfinished open = {0};
	char *line = NULL;
	size_t room = 0;
	while (!session->leaving) {
		long long length = file_line(file, &line, &room);
		position.line++;
		if (length == -1 || (length == -3 && interrupt_signal()))
			break;
		if (length < 0) {
			refuse_line(session, &position, length);
			break;
		}
		position.text = (sw_str){line, (size_t)length};
		if (position.line == 1 && length >= 3 && memcmp(line, "\xEF\xBB\xBF", 3) == 0)
			position.text = (sw_str){line + 3, (size_t)length - 3};
		if (is_binary(session, &position))
			break;
		take_line(session, &position, &open);
	}
	finish(session, name, &open);
	free(line);
}

/* What somebody else may have written had better be read only. */
static void offer_safety(struct session *session, const char *name, bool standard)
{
	const char *why = standard || safe_is_on() ? NULL : safe_elsewhere(name);
	if (why)
		answer_remark(session,
			"'%s' runs without restrictions, and %s: after `set safe on`, or with --safe, a script runs, "
			"writes and starts nothing",
			name, why);
}

/* A file that can be read twice, and is a program rather than statements. */
static bool is_program(FILE *file)
{
	char head[8192];
	if (file == stdin || fseek(file, 0, SEEK_SET) != 0)
		return false;
	size_t length = fread(head, 1, sizeof(head), file);
	rewind(file);
	return sw_program_is((sw_str){head, length});
}

static void run_program(struct session *session, const char *name)
{
	sw_text line = {0};
	sw_text_add(&line, "program ");
	line_print_word(sw_str_of(name), &line);
	script_run_text(session, name, sw_text_get(&line));
	sw_text_free(&line);
}

bool script_run_file(struct session *session, const char *name, sw_diag *diag)
{
	FILE *file = file_open(name, diag);
	if (!file)
		return false;
	if (is_program(file)) {
		file_close(file);
		run_program(session, name);
		return true;
	}
	offer_safety(session, name, file == stdin);
	bool interactive = enter(session);
	run_lines(session, file, file == stdin ? "stdin" : name);
	leave(session, interactive);
	file_close(file);
	return true;
}

void script_run_text(struct session *session, const char *name, const char *text)
{
	struct position position = {.file = name};
	struct unfinished open = {0};
	bool interactive = enter(session);
	while (!session->leaving) {
		size_t length = strcspn(text, "\n");
		position.line++;
		position.text = (sw_str){text, length};
		take_line(session, &position, &open);
		if (!text[length])
			break;
		text += length + 1;
	}
	finish(session, name, &open);
	leave(session, interactive);
}
