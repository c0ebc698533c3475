/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The prompt: one loop that waits for keys and for signals, and what becomes of a line.
 */
#define _GNU_SOURCE
#include "shell/prompt.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/command.h"
#include "command/tour.h"
#include "host/file.h"
#include "shell/edit.h"
#include "shell/history.h"
#include "host/interrupt.h"
#include "host/version.h"

#define SIGN "shardwalk> "
#define SIGN_MORE "      ...> "

/* ---- its pieces ---- */

struct prompt prompt_start(struct session *session, const struct prompt_picture *picture)
{
	return (struct prompt){.session = session, .picture = picture, .number = 1};
}

void prompt_end(struct prompt *prompt)
{
	sw_text_free(&prompt->open);
	sw_text_free(&prompt->sign);
	sw_text_free(&prompt->repeat);
}

void prompt_drop(struct prompt *prompt)
{
	sw_text_clear(&prompt->open);
	sw_text_clear(&prompt->repeat);
	*prompt->session->repair = '\0';
}

const char *prompt_sign(struct prompt *prompt)
{
	sw_text_clear(&prompt->sign);
	if (prompt->open.length)
		sw_text_add(&prompt->sign, SIGN_MORE);
	else if (prompt->session->tour && !prompt->session->console->taker)
		sw_text_addf(&prompt->sign, "tour %d/%d> ", prompt->session->tour, tour_length());
	else
		sw_text_add(&prompt->sign, SIGN);
	return sw_text_get(&prompt->sign);
}

static bool is_blank_line(sw_str line)
{
	return sw_str_trim(line).length == 0;
}

/* The last statement of a line, where its command is one that an empty line repeats. */
static void remember_repeat(struct prompt *prompt)
{
	sw_str text = {sw_text_get(&prompt->open), prompt->open.length}, rest = text, statement, last = {"", 0};
	sw_diag diag;
	while (line_next(text, &rest, command_is_raw, &statement, &diag) == LINE_STATEMENT)
		last = statement;
	const struct command *command = last.length ? command_named(line_first(last), NULL) : NULL;
	sw_text_clear(&prompt->repeat);
	if (command && command->repeats)
		sw_text_add_str(&prompt->repeat, last);
}

/* What a line stands for that is empty, or says `q` on a tour; NULL: itself. */
static const char *stand_in(struct prompt *prompt, sw_str line)
{
	if (prompt->session->tour && sw_str_is(sw_str_trim(line), "q"))
		return "tour 0";
	if (!is_blank_line(line))
		return NULL;
	return prompt->session->tour ? "tour" :
		*prompt->session->repair ? prompt->session->repair :
								   sw_text_get(&prompt->repeat);
}

/* A text of others that ends within a bracket goes on in the next line, up to an empty one: the `repr` of an object.  That
 * of a compiler's warning, whose brackets may be cut off, does not. */
static bool raw_is_open(const struct prompt *prompt)
{
	static const char warning[] = "nvoluntary";
	sw_str text = {sw_text_get(&prompt->open), prompt->open.length}, rest = text, statement, last = {"", 0};
	sw_diag diag;
	enum line_end end = LINE_STATEMENT;
	while (line_next(text, &rest, command_is_raw, &statement, &diag) == LINE_STATEMENT)
		last = statement;
	if (!last.length || !command_is_raw(line_first(last)) || memmem(last.at, last.length, warning, strlen(warning)))
		return false;
	rest = last;
	while (end == LINE_STATEMENT)
		end = line_next(last, &rest, NULL, &statement, &diag);
	return end == LINE_OPEN && strchr("([{", last.at[diag.at.begin]);
}

/* Runs what is open, when it is whole, or when an empty line ends it; what was typed goes into the history first. */
static bool run_open(struct prompt *prompt, bool ended, bool typed)
{
	struct session *session = prompt->session;
	struct position position = {.line = prompt->number, .text = {sw_text_get(&prompt->open), prompt->open.length}};
	bool whole = !command_line_is_open(session, &position) && (ended || !raw_is_open(prompt));
	if (whole && typed)
		history_append(session->console, position.text.at);
	if (whole)
		remember_repeat(prompt);
	return whole && statement_run_line(session, &position);
}

const char *prompt_command(const char *line)
{
	const char *at = line + strspn(line, " \t");
	return *at == ':' ? at + strspn(at, ": \t") : line;
}

/* Adds the line to what is open; runs it when it is whole. */
static void take_line(struct prompt *prompt, sw_str line)
{
	const char *instead = prompt->open.length ? NULL : stand_in(prompt, line);
	bool ended = prompt->open.length && is_blank_line(line), repaired = instead == prompt->session->repair;
	if (prompt->open.length)
		sw_text_add_char(&prompt->open, raw_is_open(prompt) ? ' ' : '\n');
	if (instead)
		sw_text_add(&prompt->open, instead);
	else
		sw_text_add_str(&prompt->open, line);
	if (repaired)
		console_remark(prompt->session->console, "> %s", instead);
	*prompt->session->repair = '\0';
	if (run_open(prompt, ended, !instead || repaired)) {
		prompt->number++;
		sw_text_clear(&prompt->open);
	}
}

static bool take_lines(struct prompt *prompt, const char *lines)
{
	struct session *session = prompt->session;
	bool several = strchr(lines, '\n') != NULL;
	for (const char *end; !session->leaving && !interrupt_signal(); lines = end + 1) {
		end = lines + strcspn(lines, "\n");
		if (!several || end > lines || raw_is_open(prompt))
			take_line(prompt, (sw_str){lines, (size_t)(end - lines)});
		if (!*end || !end[1])
			break;
	}
	if (interrupt_signal() == SIGINT) {
		interrupt_clear();
		sw_text_clear(&prompt->open);
	}
	return prompt->open.length == 0;
}

/* A warning of a compiler is imported, whether `import` stands before it or not; what a terminal wrapped comes as
 * several lines when it is pasted. */
bool prompt_take(struct prompt *prompt, const char *lines)
{
	sw_text joined = {0};
	lines = prompt->open.length ? lines : prompt_command(lines);
	bool one = import_joins(sw_str_of(lines), &joined);
	bool complete = take_lines(prompt, one ? sw_text_get(&joined) : lines);
	sw_text_free(&joined);
	return complete;
}

/* ---- with a terminal ---- */

static enum edit_end wait_line(struct prompt *prompt)
{
	enum edit_end end = EDIT_ON;
	edit_open(prompt_sign(prompt), sw_text_get(&prompt->open), NULL);
	while (end == EDIT_ON) {
		struct pollfd wait[2] = {{STDIN_FILENO, POLLIN, 0}, {interrupt_wake(), POLLIN, 0}};
		poll(wait, interrupt_wake() >= 0 ? 2 : 1, -1);
		end = edit_handle_signal();
		if (end == EDIT_ON && wait[0].revents)
			end = edit_feed();
	}
	return end;
}

static void greet(const struct session *session)
{
	if (session->console->quiet)
		return;
	printf("shardwalk %s plans how to move a distributed array between device layouts\n"
		   "`tour` shows it in %d short steps, `help` lists the commands, Tab completes\n",
		version_number(), tour_length());
}

static void open_picture(struct prompt *prompt)
{
	sw_diag diag = {.code = SW_OK};
	prompt->session->picture = false;
	if (!prompt->picture->run(prompt, &diag))
		command_report(prompt->session, NULL, &diag, false);
}

static void run_edited(struct session *session, const struct prompt_picture *picture)
{
	struct prompt prompt = prompt_start(session, picture);
	enum edit_end end = EDIT_LINE;
	edit_start(session);
	interrupt_listen();
	greet(session);
	picture->prepare(session);
	while (!session->leaving && end != EDIT_ENDED) {
		if (session->picture)
			open_picture(&prompt);
		end = session->leaving ? EDIT_ENDED : wait_line(&prompt);
		char *line = edit_line();
		if (end == EDIT_LINE)
			prompt_take(&prompt, line);
		else if (end == EDIT_DROPPED)
			prompt_drop(&prompt);
		free(line);
	}
	if (!session->leaving)
		fputc('\n', stdout);
	prompt_end(&prompt);
}

/* ---- without ---- */

/* -i without a terminal: the prompt without editing. */
static void run_plain(struct session *session)
{
	struct prompt prompt = prompt_start(session, NULL);
	char *line = NULL;
	size_t room = 0;
	while (!session->leaving) {
		fputs(prompt_sign(&prompt), stdout);
		fflush(stdout);
		if (file_line(stdin, &line, &room) < 0)
			break;
		prompt_take(&prompt, line);
	}
	fputc('\n', stdout);
	free(line);
	prompt_end(&prompt);
}

void prompt_run(struct session *session, const struct prompt_picture *picture, bool history)
{
	bool was = session->interactive;
	bool edited = session->console->in_terminal && session->console->out_terminal;
	session->interactive = true;
	interrupt_patient(true);
	history_start(session->console, history && edited);
	if (edited)
		run_edited(session, picture);
	else
		run_plain(session);
	interrupt_patient(false);
	session->interactive = was;
}
