/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The prompt, on readline's callback interface: one loop that waits for keys and for signals.
 *
 * Readline's callback carries no value of ours, so that the line it hands over waits in a variable of this file.
 */
#include "shell/prompt.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "command/command.h"
#include "output/file.h"
#include "shell/interrupt.h"

#define PROMPT "shardwalk> "
#define PROMPT_MORE "      ...> "

static struct {
	char *line;
	bool ready, ended;
} handed;

static void line_ready(char *line)
{
	handed.line = line;
	handed.ready = line != NULL;
	handed.ended = line == NULL;
	rl_callback_handler_remove();
}

static void drop_line(void)
{
	interrupt_clear();
	rl_callback_sigcleanup();
	rl_callback_handler_remove();
	fputs("^C\n", stdout);
}

/* Waits for a whole line; false at the end of the input or for a signal that ends the program.  *dropped: Ctrl-C. */
static bool edit_line(const char *prompt, bool *dropped)
{
	handed.ready = handed.ended = false;
	*dropped = false;
	rl_callback_handler_install(prompt, line_ready);
	while (!handed.ready && !handed.ended) {
		struct pollfd wait[2] = {{STDIN_FILENO, POLLIN, 0}, {interrupt_wake(), POLLIN, 0}};
		poll(wait, interrupt_wake() >= 0 ? 2 : 1, -1);
		if (interrupt_signal() && interrupt_signal() != SIGINT) {
			rl_callback_handler_remove();
			return false;
		}
		if (interrupt_signal()) {
			drop_line();
			*dropped = true;
			return true;
		}
		if (wait[0].revents)
			rl_callback_read_char();
	}
	return handed.ready;
}

/* Adds the line to what is open; runs it when it is whole. */
static void take_line(struct session *session, sw_text *open, int *number, const char *line)
{
	if (open->length)
		sw_text_add_char(open, '\n');
	sw_text_add(open, line);
	struct place place = {.line = *number, .text = {sw_text_get(open), open->length}};
	if (!command_run_line(session, &place))
		return;
	*number += 1;
	if (open->length)
		add_history(sw_text_get(open));
	sw_text_clear(open);
	if (interrupt_signal() == SIGINT)
		interrupt_clear();
}

static void run_edited(struct session *session)
{
	sw_text open = {0};
	int number = 1;
	bool dropped;
	rl_readline_name = "shardwalk";
	rl_catch_signals = 0;
	rl_change_environment = 0;
	while (!session->leaving && edit_line(open.length ? PROMPT_MORE : PROMPT, &dropped)) {
		if (dropped) {
			sw_text_clear(&open);
			continue;
		}
		take_line(session, &open, &number, handed.line);
		free(handed.line);
	}
	if (!session->leaving)
		fputc('\n', stdout);
	sw_text_free(&open);
}

/* -i without a terminal: the prompt without editing. */
static void run_plain(struct session *session)
{
	sw_text open = {0};
	char *line = NULL;
	size_t room = 0;
	int number = 1;
	while (!session->leaving) {
		fputs(open.length ? PROMPT_MORE : PROMPT, stdout);
		fflush(stdout);
		if (file_line(stdin, &line, &room) < 0)
			break;
		take_line(session, &open, &number, line);
	}
	fputc('\n', stdout);
	free(line);
	sw_text_free(&open);
}

void prompt_run(struct session *session)
{
	bool was = session->interactive;
	session->interactive = true;
	interrupt_patient(true);
	if (session->console.in_terminal && session->console.out_terminal)
		run_edited(session);
	else
		run_plain(session);
	interrupt_patient(false);
	session->interactive = was;
}
