/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Answers: what commands give back, as tables and lines of text, or as JSON.
 */
#ifndef SHARDWALK_COMMAND_ANSWER_H
#define SHARDWALK_COMMAND_ANSWER_H

#include <shardwalk/diag.h>
#include <shardwalk/json.h>
#include <shardwalk/walk.h>

#include "language/line.h"
#include "session/session.h"

/* Prints shardwalk.error/1 on standard output; `name` is that of the problem, or NULL. */
void answer_error(struct session *session, const struct place *place, const sw_diag *diag, const char *name);

/* A line of text, a newline added. */
bool answer_line(struct session *session, sw_diag *diag, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* What a command printed as text, as JSON: {"schema": "shardwalk.text/1", "command": "path", "text": "..."}. */
bool answer_text(struct session *session, const char *command, sw_str printed, sw_diag *diag);

/* ---- tables: cells are added row by row, widths follow from them ---- */

#define TABLE_COLUMNS 10

struct column {
	const char *head;
	bool right; /* numbers stand to the right */
	enum role role;
};

struct table {
	sw_arena *arena;
	const struct column *column; /* ended by a head of NULL */
	int columns, cells, room;
	char **cell;
	bool failed;
};

/* Starts a table in `arena`. */
struct table table_start(sw_arena *arena, const struct column *column);

/* Adds the next cell. */
void table_add(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_add_if(struct table *table, bool there, int64_t number); /* an empty cell where it is not */
void table_add_text(struct table *table, sw_text *text);            /* and forgets the text */

/* Prints it; the last column is wrapped into what is left of the width. */
bool table_print(const struct table *table, struct session *session, sw_diag *diag);

/* ---- pieces ---- */

/* A move as the language writes it: "alltoall(0, 1, 2)". */
void answer_move(const sw_move *move, sw_text *text);

/* "1 permute", "3 steps". */
const char *plural(int64_t n, const char *one, const char *many);

#endif
