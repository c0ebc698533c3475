/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The warning of XLA that the session's problem is from, or is the whole of.
 */
#ifndef SHARDWALK_COMMAND_WARNED_H
#define SHARDWALK_COMMAND_WARNED_H

#include <shardwalk/json.h>
#include <shardwalk/notation.h>
#include <shardwalk/whole.h>

#include "command/command.h"
#include "views/group.h"

/* The mesh that the user has given. */
struct warned_program {
	bool known;
	sw_mesh mesh;
};
struct warned_program warned_program(const struct state *state);

/* Is the value made while differentiating, by names of JAX that only such values have? */
bool warned_is_gradient(const sw_log_pair *pair);

/* Is it made where a program is differentiated: a gradient, or a forward value that has one? */
bool warned_is_differentiated(const sw_log_pair *pair);

/* The same of the value that the session's problem is of, where it was taken from a warning. */
bool warned_gradient_now(const struct state *state);

/* Does the program say the sharding that the value has: is it a constraint, or a parameter? */
bool warned_is_said(const sw_log_pair *pair);

/* Is there a mesh whose axes a text may name?  Those that were found from a warning have made-up names. */
bool warned_has_axes(const struct state *state);

/* Is a pair of a log of one group of devices?  `more`: other warnings speak of so many, 0: of no more; `mesh` is the
 * program's, NULL: it is not known. */
struct group warned_group(const sw_log_pair *pair, int64_t more, const sw_mesh *mesh);

/* The same of the session's problem. */
struct group warned_group_now(const struct state *state);

/* A row of an import that is taken; see struct warning. */
struct warned_row {
	const sw_log_pair *pair;
	int64_t more;
	int back, others;
	bool chosen;
};

/* The problem was taken from the warning (ENDS_OF_WARNING), or is its whole. */
bool warned_take(struct session *session, const struct warned_row *row, const struct warned_program *program,
	enum ends_of ends, sw_diag *diag);

/* The session gets another mesh: ends of a warning are over it, or are dropped.  Then what is missing is said. */
bool warned_new_mesh(struct session *session, const sw_mesh *mesh, sw_diag *diag);
void warned_say_missing(struct session *session);

/* New ends are about to be read: over the program's mesh, not that of a group. */
void warned_before_ends(struct session *session);

/* New ends are there: says whether they are the whole of the warning. */
bool warned_after_ends(struct session *session, sw_arena *arena, sw_diag *diag);

/* The shape with which two shardings are the whole of the warning; false: there is none, or it is not known. */
bool warned_shape(const struct invocation *run, const sw_sharding *from, const sw_sharding *to, sw_type *shape);

/* Whether the session's problem is the whole of its warning; false: there is none, or an error in `diag`. */
bool warned_whole(const struct session *session, sw_arena *arena, sw_whole *whole, sw_diag *diag);

/* "%copy, made of %sin.2 (jit(f)/sin)" */
void warned_value(const sw_log_pair *pair, sw_text *text);

/* The lines that the user has to type so that the whole is known; how many. */
enum { WARNED_LINES = 2 };
int warned_lines(const struct group *group, const char *line[WARNED_LINES]);

/* Adds the key "group": how far the devices of a warning are known to be all.  `pair` NULL: it is null; `whole` NULL:
 * nothing was checked. */
void warned_fields(struct fields *in, const sw_log_pair *pair, const struct group *group, const sw_whole *whole);

#endif
