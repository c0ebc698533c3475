/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of the table of `compare` as the schedule of the session: `schedule owner`, `einsum`, `best` and `own`; algorithms are taken by
 * their own command (command/programs/algorithm.h).
 */
#ifndef SHARDWALK_COMMAND_TAKEN_H
#define SHARDWALK_COMMAND_TAKEN_H

#include "command/command.h"

/* The n-th name, from 0, and a sentence about it; NULL behind the last. */
const char *taken_name(int n, const char **about);

/* Does a text begin with the name of a row that is no algorithm? */
bool taken_begins(sw_str text);

/* Before a row is taken: the schedule that is there, where it is one's own, is what `schedule own` brings back.  E01. */
bool taken_set_own_aside(struct session *session, sw_diag *diag);

/* After that: the schedule is that of a row, until it gets another command. */
void taken_is_row(struct session *session);

/* Takes the row, which may leave no schedule: *schedule tells whether it does.  Errors: L04 behind its name, L07 where it is not there; those
 * of contest_best, product_ways_find and of statements. */
bool taken_take(struct invocation *run, sw_str text, bool *schedule, sw_diag *diag);

#endif
