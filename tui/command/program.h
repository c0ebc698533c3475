/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program's own options: one row each.
 */
#ifndef SHARDWALK_COMMAND_PROGRAM_H
#define SHARDWALK_COMMAND_PROGRAM_H

#include <shardwalk/text.h>

/* Identifier, letter or 0, name or NULL, value or NULL, meaning. */
#define PROGRAM_OPTIONS(X) \
	X(TEXT, 'c', NULL, "TEXT", "run TEXT as a script") \
	X(FILE, 'f', NULL, "FILE", "run a script; - is standard input") \
	X(INTERACTIVE, 'i', NULL, NULL, "prompt for commands, even after scripts") \
	X(BAIL, 0, "bail", NULL, "stop a script at its first failure") \
	X(ECHO, 0, "echo", NULL, "echo a script's statements and comments on standard error") \
	X(QUIET, 0, "quiet", NULL, "no remarks, errors only") \
	X(NO_INIT, 0, "no-init", NULL, "do not read the configuration") \
	X(NO_HISTORY, 0, "no-history", NULL, "read and keep no history of lines") \
	X(COLOR, 0, "color", "auto|always|never", "colours; always when no value is given with =") \
	X(ASCII, 0, "ascii", NULL, "ASCII instead of Unicode") \
	X(SAFE, 0, "safe", NULL, "read-only: run nothing, write nothing and start no program, whatever a script says") \
	X(TUI, 0, "tui", NULL, "open the screens, after any scripts") \
	X(JSON, 0, "json", NULL, "answer in JSON if a command can, and report errors as JSON, too") \
	X(VERSION, 'V', "version", NULL, "print the version, compiler and libraries") \
	X(HELP, 'h', "help", NULL, "print this help")

enum program_option {
#define X(id, letter, name, value, about) PROGRAM_##id,
	PROGRAM_OPTIONS(X)
#undef X
		PROGRAM_OPTION_COUNT
};

struct program_option_row {
	char letter;
	const char *name;
	const char *value;
	const char *about;
};
extern const struct program_option_row program_options[PROGRAM_OPTION_COUNT];

/* Adds "-c TEXT", "-h, --help". */
void program_option_print(int option, sw_text *text);

#endif
