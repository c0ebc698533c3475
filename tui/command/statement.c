/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running statements: read the invocation, remember the state, call the function of the row, report.
 */
#define _GNU_SOURCE
#include "command/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/film.h"
#include "command/redirect.h"
#include "answer/pager.h"
#include "answer/report.h"
#include "host/interrupt.h"

void command_report(struct session *session, const struct position *position, const sw_diag *diag, bool json)
{
	struct console *console = session->console;
	sw_text text = {0};
	sw_diag ignored;
	if (json)
		answer_error(session, position, diag, NULL);
	console_flush(console, &ignored);
	report_draw(diag, position, console->err_terminal ? console->width : 100, &console->err_style, &text);
	console_message(console, &text);
	sw_text_free(&text);
	session->failures++;
	session->last = diag->code;
}

/* What the rest of a script would build on is marked as failed. */
static void mark_failed(struct invocation *run)
{
	static const struct {
		const char *command;
		enum definition first, last;
	} marks[] = {
		{"mesh", DEFINED_MESH, DEFINED_MESH},
		{"shape", DEFINED_SHAPE, DEFINED_SHAPE},
		{"from", DEFINED_FROM, DEFINED_FROM},
		{"to", DEFINED_TO, DEFINED_TO},
		{"redistribute", DEFINED_FROM, DEFINED_TO},
	};
	struct state *state = &run->session->state;
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		for (int d = marks[i].first; strcmp(run->command->name, marks[i].command) == 0 && d <= (int)marks[i].last;
			 d++)
			state->failed[d] = run->position->line;
	if (strcmp(run->command->name, "type") == 0 && run->count) {
		sw_str words = run->argument[0].raw;
		size_t length = 0;
		while (length < words.length && words.at[length] != ' ' && words.at[length] != '=')
			length++;
		if (length < SW_NAME_SIZE)
			session_name_type(run->session, (sw_str){words.at, length}, NULL, run->position->line, NULL);
	}
}

static bool statement_wants_json(const struct invocation *run)
{
	if (run->session->json)
		return true;
	struct word *words;
	int count = line_words(run->statement, run->arena, &words);
	for (int i = 1; i < count; i++)
		if (sw_str_is(words[i].raw, "--json"))
			return true;
	return false;
}

/* The words of columns, of which the one that the command itself reads is none. */
static sw_str column_given(const struct invocation *run, enum option option)
{
	const struct value *value = option_value(run, option);
	bool is_column = run->command->rows[0] && value && value->number;
	return is_column ? option_given(run, option)->text : (sw_str){"", 0};
}

/* What was asked for, and no row of the answer says. */
static void say_not_arranged(const struct invocation *run, const struct arrangement *asked)
{
	if (asked->by.length && !asked->ordered)
		answer_remark(run->session, "this answer has no column '%.*s': its rows are in their usual order",
			AS_SHOWN(asked->by));
	if (asked->fold.length && !asked->folded)
		answer_remark(run->session,
			"this answer has no column '%.*s': its rows are not "
			"folded",
			AS_SHOWN(asked->fold));
}

bool invocation_run(struct invocation *run, sw_diag *diag)
{
	struct arrangement asked = {column_given(run, OPTION_BY), column_given(run, OPTION_FOLD), run->arena, false,
		false};
	struct arrangement *before = run->answer->arrangement;
	run->answer->arrangement = &asked;
	bool ok = run->command->run(run, diag);
	run->answer->arrangement = before;
	if (ok)
		say_not_arranged(run, &asked);
	return ok;
}

static bool run_plain(struct invocation *run, sw_diag *diag)
{
	struct session *session = run->session;
	bool changes = run->command->changes;
	run->answer->for_programs = wants_json(run);
	if (changes && !session_remember(session, run->statement, diag))
		return false;
	bool ok = invocation_run(run, diag);
	if (changes)
		session_commit(session, ok);
	if (changes && !ok)
		answer_dress(session);
	return ok;
}

/* Under --json standard output holds nothing but JSON: what a command answers as text is a value there. */
static bool is_wrapped(const struct invocation *run)
{
	bool asked = run->command->fields ? run->answer->for_programs : run->session->json;
	return asked && !run->command->bare && !run->command->options.has[OPTION_JSON] && !document_has_json(run->answer);
}

/* What was answered before a failure is shown as well. */
static bool run_with(struct invocation *run, bool paged, sw_diag *diag)
{
	struct session *session = run->session;
	sw_diag later;
	bool ok = run_plain(run, diag);
	sw_diag *into = ok ? diag : &later;
	if (is_wrapped(run) && !answer_wrap(session, run->command->name, into))
		return false;
	return (paged ? answer_page : answer_flush)(session, into) && ok;
}

/* A failure that concerns no part of the line concerns its command. */
static void blame_command(const struct invocation *run, sw_diag *diag)
{
	if (!diag->at.end && !run->elsewhere->file)
		diag->at = line_span(run->position->text, line_first(run->statement));
}

static bool read_and_run(struct invocation *run, sw_diag *diag)
{
	struct redirect redirect;
	if (!run->arena)
		return sw_diag_memory(diag);
	if (!redirect_find(run->session, run->position, &run->statement, &redirect, diag) || !invocation_read(run, diag))
		return false;
	bool paged = !redirect.sign && !run->command->flows && run->session->interactive &&
		pager_possible(run->session->console);
	if (!redirect_begin(run->session, &redirect, diag))
		return false;
	return redirect_end(run->session, &redirect, run_with(run, paged, diag), diag);
}

/* The one word that a hint asks for, in quotes or not; empty where it says more. */
static sw_str word_meant(const char *hint)
{
	static const char asks[] = "did you mean ";
	if (strncmp(hint, asks, strlen(asks)) != 0)
		return (sw_str){"", 0};
	const char *word = hint + strlen(asks) + (hint[strlen(asks)] == '\'');
	size_t length = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
	const char *rest = word + length;
	bool alone = strcmp(rest, "?") == 0 || strcmp(rest, "'?") == 0;
	return (sw_str){word, alone ? length : 0};
}

/* The statement with what was meant in place of what was typed is kept for an empty line, and the hint says so. */
static void offer_repair(struct session *session, const struct position *position, sw_str statement, sw_diag *diag)
{
	sw_span all = line_span(position->text, statement), at = diag->at;
	sw_str meant = word_meant(diag->hint);
	size_t said = strlen(diag->hint);
	if (!session->interactive || !meant.length || at.begin >= at.end || at.begin < all.begin || at.end > all.end)
		return;
	int written = snprintf(session->repair, sizeof(session->repair), "%.*s%.*s%.*s", (int)(at.begin - all.begin),
		statement.at, (int)meant.length, meant.at, (int)(all.end - at.end), position->text.at + at.end);
	if (written < 0 || (size_t)written >= sizeof(session->repair))
		*session->repair = '\0';
	else
		snprintf(diag->hint + said, sizeof(diag->hint) - said, " Enter on an empty line takes it");
}

bool statement_run(struct session *session, const struct position *position, sw_str statement)
{
	sw_diag diag = {.code = SW_OK};
	struct position elsewhere = {0};
	struct document answer;
	struct invocation run = {.session = session,
		.position = position,
		.statement = statement,
		.arena = sw_arena_new(),
		.answer = &answer,
		.elsewhere = &elsewhere};
	struct document *before = session->answer;
	document_start(&answer, session->console->width);
	session->answer = &answer;
	snprintf(session->running, sizeof(session->running), "%.*s",
		(int)(statement.length < 159 ? statement.length : 159), statement.at);
	bool ok = read_and_run(&run, &diag);
	if (ok && run.command->view)
		session->shown = run.command->view;
	*session->running = '\0';
	session->answer = before;
	document_clear(&answer);
	if (!ok) {
		if (run.command && !session->interactive)
			mark_failed(&run);
		blame_command(&run, &diag);
		if (!elsewhere.file)
			offer_repair(session, position, statement, &diag);
		command_report(session, elsewhere.file ? &elsewhere : position, &diag,
			run.arena && statement_wants_json(&run));
	}
	sw_arena_free(run.arena);
	if (interrupt_signal() && !session->interactive)
		session->leaving = true;
	return ok;
}

bool statement_answer(struct session *session, const struct position *position, sw_str statement, sw_arena *arena,
	struct document *answer, sw_diag *diag)
{
	struct position elsewhere = {0};
	struct document *before = session->answer;
	struct invocation run = {.session = session,
		.position = position,
		.statement = statement,
		.arena = arena,
		.answer = answer,
		.elsewhere = &elsewhere};
	session->answer = answer;
	bool ok = invocation_read(&run, diag) && run_plain(&run, diag);
	session->answer = before;
	return ok;
}

/* What is raw only because its words are cut elsewhere: a text of ours, whose brackets have partners. */
static bool is_ours(sw_str first)
{
	const struct command *command = command_named(first, NULL);
	return command && command->raw && command->statement;
}

static bool ends_open(sw_str text)
{
	sw_str rest = text, statement;
	sw_diag diag;
	enum line_end end = LINE_STATEMENT;
	while (end == LINE_STATEMENT)
		end = line_next(text, &rest, NULL, &statement, &diag);
	return end == LINE_OPEN;
}

enum line_end command_line_end(sw_str text)
{
	sw_str rest = text, statement;
	sw_diag diag;
	enum line_end end;
	while ((end = line_next(text, &rest, command_is_raw, &statement, &diag)) == LINE_STATEMENT) {
		size_t before = (size_t)(statement.at - text.at);
		if (is_ours(line_first(statement)) && ends_open(statement) &&
			ends_open((sw_str){statement.at, text.length - before}))
			return LINE_OPEN;
	}
	return end;
}

bool command_line_is_open(const struct session *session, const struct position *position)
{
	return session->interactive && command_line_end(position->text) == LINE_OPEN;
}

/* A script that is echoed shows its comments and empty lines too: they say what the pictures are there for. */
static void echo_comment(struct session *session, sw_str line)
{
	size_t blanks = 0;
	while (blanks < line.length && (line.at[blanks] == ' ' || line.at[blanks] == '\t'))
		blanks++;
	if (blanks == line.length || line.at[blanks] == '#')
		console_remark(session->console, "%.*s", (int)(line.length - blanks), line.at + blanks);
}

/* Of a script that is played a statement is seen before it runs, and its answer stays for a while. */
static bool run_seen(struct session *session, const struct position *position, sw_str statement, bool played)
{
	if (played)
		film_before(session, position, statement);
	bool ok = statement_run(session, position, statement);
	if (played)
		film_after(session, position, statement);
	return ok;
}

bool statement_run_line(struct session *session, const struct position *position)
{
	sw_str rest = position->text, statement;
	sw_diag diag = {.code = SW_OK};
	if (!line_is_text(position->text, &diag)) {
		command_report(session, position, &diag, session->json);
		return true;
	}
	if (command_line_is_open(session, position))
		return false;
	bool played = session->film && !session->interactive, echo = played || (session->echo && !session->interactive);
	if (played)
		film_line(session, position->text);
	if (echo)
		echo_comment(session, position->text);
	while (!session->leaving && !interrupt_signal()) {
		enum line_end end = line_next(position->text, &rest, command_is_raw, &statement, &diag);
		if (end == LINE_END)
			break;
		if (end != LINE_STATEMENT) {
			command_report(session, position, &diag, session->json);
			break;
		}
		if (echo)
			console_remark(session->console, "> %.*s", (int)statement.length, statement.at);
		if (!run_seen(session, position, statement, played) && session->bail)
			session->leaving = true;
	}
	if (session->bail && session->failures)
		session->leaving = true;
	return true;
}
