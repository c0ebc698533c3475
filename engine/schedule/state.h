/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How names of loops became others, and schedules while commands change them.
 */
#ifndef SW_SCHEDULE_STATE_H
#define SW_SCHEDULE_STATE_H

#include <shardwalk/schedule.h>

#define SW_MAX_VARIABLES 192 /* names of loops, of those that are no more, too */

/* What a name stands for. */
typedef enum sw_variable_kind {
	SW_VARIABLE_LOOP,   /* a loop that is there */
	SW_VARIABLE_CUT,    /* outer * extent(inner) + inner */
	SW_VARIABLE_FIRST,  /* fused div extent(second) */
	SW_VARIABLE_SECOND, /* fused mod its extent */
	SW_VARIABLE_TURNED  /* (rotated + sum of by) mod its extent */
} sw_variable_kind;

typedef struct sw_variable {
	sw_str name;
	int64_t extent;
	sw_variable_kind kind;
	int of, inner; /* outer and inner, fused, or rotated */
	int bys;
	const int *by;
	bool distributed, threads, reduces, leaf;
	bool turns;        /* a rotation made it, or uses it */
	bool communicates; /* something is communicated under it */
	bool summed;       /* it comes from a letter that is summed */
} sw_variable;

/* A product of factors of one term that is computed first, in elements of these letters. */
typedef struct sw_workspace {
	sw_str name;
	uint32_t letters;
} sw_workspace;

struct sw_schedule_state {
	int variables; /* the first are the letters of the formula */
	const sw_variable *variable;
	int relations;
	const sw_str *relation; /* as the notation has them */
	int workspaces;
	const sw_workspace *workspace;
};

/* A command as it was read. */
#define SW_MAX_ARGUMENTS 64
typedef struct sw_command {
	sw_schedule_word word;
	sw_str text, name; /* the whole, and its word */
	int arguments;
	sw_str argument[SW_MAX_ARGUMENTS];
} sw_command;

/* A schedule that commands change. */
typedef struct sw_draft {
	const sw_schedule_problem *problem;
	sw_arena *arena;
	sw_str text; /* where places count from */
	sw_diag *diag;
	int variables, variable_room, loops, loop_room, relations, relation_room, communicates, communicate_room,
		workspaces, workspace_room, numbers, number_room;
	sw_variable *variable;
	int *loop; /* outer first, variables */
	sw_str *relation;
	sw_schedule_communicate *communicate;
	sw_workspace *workspace;
	sw_schedule_number *number; /* names of numbers in the command at hand */
	const sw_schedule_kernel *kernel;
} sw_draft;

/* A list of variables. */
typedef struct sw_names {
	int count;
	sw_str name[SW_MAX_ARGUMENTS];
	int variable[SW_MAX_ARGUMENTS];
} sw_names;

/* One row a command: what the public table says, and who carries it out. */
typedef struct sw_command_rule {
	sw_schedule_command_row row;
	int least, most; /* arguments */
	bool (*apply)(sw_draft *draft, const sw_command *command);
} sw_command_rule;

extern const sw_command_rule sw_command_rules[SW_SCHEDULE_WORD_COUNT];

/* ---- refusals (refuse.c) ---- */

/* Refuses `what`, a part of the text; false. */
bool sw_draft_refuse(sw_draft *draft, sw_code code, sw_str what, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* "i, j, k": the loops in their order. */
const char *sw_draft_loops(sw_draft *draft);

/* Those that are in time; those outside of one of them.  In words where there is none. */
const char *sw_draft_in_time(sw_draft *draft);
const char *sw_draft_outside(sw_draft *draft, int variable);

/* Where the variable of this name is; -1: nowhere. */
int sw_draft_find(const sw_draft *draft, sw_str name);

/* The place of a variable among the loops; -1: it is none. */
int sw_draft_place(const sw_draft *draft, int variable);

/* The variable of a loop that is there; -1: refused (D14, D15). */
int sw_draft_loop(sw_draft *draft, sw_str name);

/* Is the name free for something new?  D16, D13. */
bool sw_draft_free(sw_draft *draft, sw_str name);

/* Reads `{a, b}`, or one word.  D11. */
bool sw_draft_list(sw_draft *draft, sw_str text, sw_names *names);

/* The same, and all are loops that are there, each once.  D14, D15, D18. */
bool sw_draft_loop_list(sw_draft *draft, sw_str text, sw_names *names);

/* Reads a number, or a name that stands for one, and takes that down.  D13, E01. */
bool sw_draft_number(sw_draft *draft, sw_str text, int64_t *number);

/* Refuses to cut, fuse or rotate a loop: `verb` says which.  D20, D21, D24, D26, D31. */
bool sw_draft_may_change(sw_draft *draft, int variable, sw_str where, const char *verb);

/* ---- changes (draft.c) ---- */

bool sw_draft_of(const sw_schedule *schedule, sw_arena *arena, sw_draft *draft);

/* A new variable of this name, a loop that stands nowhere yet; -1: refused (D13, E01). */
int sw_draft_add(sw_draft *draft, sw_str name, int64_t extent, bool summed);

/* Puts loops in the place of one, or of `old` that follow each other. */
bool sw_draft_replace(sw_draft *draft, int at, int old, const int *variable, int count);

/* Adds a relation of the notation. */
bool sw_draft_relate(sw_draft *draft, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The schedule that it is now, after `before`. */
const sw_schedule *sw_draft_schedule(const sw_draft *draft, const sw_schedule *before, sw_str command);

/* ---- commands (cut.c, place.c, compute.c) ---- */

bool sw_apply_divide(sw_draft *draft, const sw_command *command);
bool sw_apply_split(sw_draft *draft, const sw_command *command);
bool sw_apply_collapse(sw_draft *draft, const sw_command *command);
bool sw_apply_reorder(sw_draft *draft, const sw_command *command);
bool sw_apply_distribute(sw_draft *draft, const sw_command *command);
bool sw_apply_communicate(sw_draft *draft, const sw_command *command);
bool sw_apply_rotate(sw_draft *draft, const sw_command *command);
bool sw_apply_parallelize(sw_draft *draft, const sw_command *command);
bool sw_apply_precompute(sw_draft *draft, const sw_command *command);
bool sw_apply_substitute(sw_draft *draft, const sw_command *command);

/* Cuts a loop in parts, or in pieces of this size, and says so. */
bool sw_draft_cut(sw_draft *draft, bool parts, int variable, const sw_str names[2], int64_t number);

/* Puts loops, which are listed, in this order into the places that they have, and says so.  D23, D31. */
bool sw_draft_reorder(sw_draft *draft, const sw_names *names);

#define SW_STR_ARGS(str) (int)(str).length, (str).at /* of "%.*s" */

#endif
