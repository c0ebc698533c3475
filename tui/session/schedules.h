/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The schedule of a session: commands over the last formula, and the numbers that have names.
 *
 * Values that never change, in the session's arena: a command makes another one, so that snapshots share them.
 */
#ifndef SHARDWALK_SESSION_SCHEDULES_H
#define SHARDWALK_SESSION_SCHEDULES_H

#include <shardwalk/schedule.h>

#include "session/session.h"

struct kept_schedule {
	const struct kept_formula *formula; /* whose statement it is */
	sw_schedule_problem *problem;       /* of the schedule, whose numbers are those of the session */
	const sw_schedule *schedule;
	const sw_lowering *lowering;         /* NULL: it cannot be lowered; sw_lowering_of says why */
	const struct kept_program **program; /* as it is executed, made when that is asked for; NULL until then */
	const struct step_words **words;     /* of each step, as views find them; NULL: they are too many to be kept */
	int64_t *exact; /* what would move in all steps if only what is touched did; -1 until that is asked for */
};

/* `param NAME = N`. */
struct kept_param {
	const struct kept_param *next; /* older ones; the same name further down is hidden */
	char name[SW_NAME_SIZE];
	int64_t value;
};

/* The schedule of the last formula; NULL: it has none. */
const struct kept_schedule *session_kept_schedule(const struct state *state);

/* The same, or L07 with what to type. */
const struct kept_schedule *session_schedule(const struct session *session, sw_diag *diag);

/* The same; a formula without one gets that of its loops alone, which lives in the session's arena and is not kept.  Errors: L07; F15 where the
 * formula is no statement of schedules; E01. */
const struct kept_schedule *session_schedule_begun(struct session *session, sw_diag *diag);

/* Keeps what commands made of `begun`, the schedule that was there before: `undo` takes each of them back by itself.  Then it is the subject, and its
 * steps are walked.  Errors: D35, D36, S08, E01. */
bool session_take_schedule(struct session *session, const struct kept_schedule *begun, const sw_schedule *schedule,
	sw_diag *diag);

/* Takes the commands of a text, which may be of several lines.  Errors: those of session_schedule_begun, sw_schedule_read and
 * session_take_schedule; places are in the text. */
bool session_read_schedule(struct session *session, sw_str text, sw_diag *diag);

/* The step that the walk is at, from 1; 0: before the first. */
int64_t session_schedule_step(const struct session *session);
int64_t session_step_of(const struct state *state);

/* Names a number.  Error: E01. */
bool session_name_param(struct session *session, sw_str name, int64_t value, sw_diag *diag);

/* The newest number of this name; NULL: there is none. */
const struct kept_param *session_param(const struct state *state, sw_str name);

#endif
