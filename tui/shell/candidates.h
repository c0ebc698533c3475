/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What may stand at a position of a statement, by its kind.
 */
#ifndef SHARDWALK_SHELL_CANDIDATES_H
#define SHARDWALK_SHELL_CANDIDATES_H

#include "command/command.h"
#include "shell/offered.h"

/* The position of the word that is completed. */
struct spot {
	struct session *session;
	struct candidates *out;        /* `begin` is where the word starts, and may be moved on */
	sw_str text;                   /* all up to the cursor */
	const struct command *command; /* NULL: it is its name that is looked for */
	int index;                     /* of the argument */
	enum option option;            /* whose value it is; OPTION_COUNT: it is an argument */
	sw_str argument;               /* the argument so far, up to the cursor */
	sw_str first;                  /* the command's first argument, where this is a later one */
};

typedef void spot_function(struct spot *spot);

/* By kind; NULL where nothing can be said. */
extern spot_function *const candidates_of[KIND_END];

spot_function offer_commands, offer_options;

#endif
