/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The present program: what was read or assigned, plans chosen for its redistributions, and the one that is entered.
 *
 * Programs live in the session's arena and never change, so that snapshots share them.
 */
#ifndef SHARDWALK_SESSION_PRESENT_H
#define SHARDWALK_SESSION_PRESENT_H

#include <shardwalk/program.h>

#include "session/session.h"

struct kept_program {
	sw_program program;
	const char *source;                 /* the file; NULL: it came otherwise */
	int moves;                          /* its redistributions, in order */
	const int *move;                    /* the step of each */
	const struct kept_formula *formula; /* whose only statement it is; NULL: it came otherwise */
};

/* The types of the arrays of a formula, in the arena; NULL: no memory. */
struct sw_computation;
const struct sw_array_type *session_array_types(const struct sw_computation *computation, sw_arena *arena);

/* The schedule that is executed as the present program; NULL: it is another one. */
struct kept_schedule;
const struct kept_schedule *session_runs_schedule(const struct state *state);

/* A plan that was chosen for redistribution `move` (from 0) of the present program; an earlier one for the same is hidden. */
struct chosen_plan {
	const struct chosen_plan *before;
	int move;
	struct kept_plan *plan; /* held until the session ends */
};

/* Makes a program the present one; all that it points to lives in the session's arena, or longer.  What was entered is left.
 * Error: E01. */
bool session_keep_program(struct session *session, const sw_program *program, const char *source, sw_diag *diag);

/* The same of the one statement that a formula is, which becomes the last formula. */
bool session_keep_formula(struct session *session, const struct kept_formula *formula, const sw_program *program,
	sw_diag *diag);

/* The machine of the model latency on the hardware that is set, on which plans take their time whose model counts elements; NULL: that
 * is not known. */
const sw_machine *session_timing(const struct session *session);

/* The present program, or L07. */
bool session_program(const struct session *session, const struct kept_program **program, sw_diag *diag);

/* The plan that was chosen for redistribution `move` (from 0), or NULL. */
const sw_plan *session_chosen(const struct session *session, int move);

/* A problem becomes the present one; what there was waits for session_leave.  `entered` as in the state.  Error: E01. */
bool session_enter_problem(struct session *session, int entered, const sw_problem *problem, sw_diag *diag);

/* Redistribution `move` (from 0) of the present program becomes the problem, with the plan that was chosen for it.  Error: E01. */
bool session_enter(struct session *session, int move, sw_diag *diag);

/* What moves of an array of the last formula becomes the problem: of one that is read from what is held to what is needed, of the left
 * side from what is made to where it is kept.  Errors: L08 for an array of which nothing moves, T17 where no type says what is needed,
 * E01. */
bool session_enter_array(struct session *session, int array, sw_diag *diag);

/* `alpha`, `beta` and `gamma` of the last formula: of its one input, or of the array that is entered.  false: it is none of these. */
bool session_formula_type(const struct session *session, sw_str name, struct any_type *type);

/* Gives back the problem, walk and plan that stood there before; the plan that is there now is chosen for what was entered,
 * where it is a plan of it.  *chose tells that.  Error: L07, E01. */
bool session_leave(struct session *session, bool *chose, sw_diag *diag);

#endif
