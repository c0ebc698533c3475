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
	enum kind kind;                /* what may stand there */
	enum option option;            /* whose value it is; OPTION_COUNT: it is an argument */
	sw_str argument;               /* the argument so far, up to the cursor */
	sw_str first;                  /* the command's first argument, where this is a later one */
};

typedef void spot_function(struct spot *spot);

/* What kinds have; offer_options has any command. */
spot_function offer_options, offer_arrays, offer_call, offer_choices, offer_codes, offer_columns, offer_commands,
	offer_compared, offer_definition, offer_elements, offer_exported, offer_files, offer_fixes, offer_formula,
	offer_live, offer_mesh, offer_levels, offer_nodes, offer_number, offer_operations, offer_pairs, offer_placements,
	offer_reductions, offer_planned, offer_product, offer_redistribution, offer_result, offer_rivals, offer_schedule,
	offer_setting_value, offer_settings, offer_several_strategies, offer_sizes, offer_statements, offer_summed,
	offer_type_argument, offer_verified;

#endif
