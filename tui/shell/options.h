/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the command line asks for.
 */
#ifndef SHARDWALK_SHELL_OPTIONS_H
#define SHARDWALK_SHELL_OPTIONS_H

#include <stdbool.h>

#include <shardwalk/diag.h>
#include <shardwalk/text.h>

#include "command/command.h"
#include "command/program.h"

/* A script to run, in the order given. */
struct input {
	enum { ERRAND_TEXT, ERRAND_FILE } kind;
	const char *words;
};

struct request {
	bool has[PROGRAM_OPTION_COUNT];
	const char *color;
	struct input *inputs; /* -c, -f and, without a command, files */
	int input_count;
	const struct command *command; /* NULL: there is none */
	const char **statements;       /* words that run before it */
	int statement_count;
	sw_text line; /* the command with its arguments and options, as one statement */
};

/* Reads a command line.  `arguments` keep what the request points to; the request's arrays are freed by
 * request_free. Errors: L01, L02, L03, L05; `position` is the line that their positions speak of. */
bool request_read(int count, char **arguments, struct request *request, sw_text *shown, sw_diag *diag);
void request_free(struct request *request);

/* Adds the answer of --help. */
void request_print_help(sw_text *text);

#endif
