/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shardings as other systems write them, where the language takes a type.
 */
#ifndef SHARDWALK_COMMAND_FOREIGN_H
#define SHARDWALK_COMMAND_FOREIGN_H

#include <shardwalk/notation.h>

#include "command/command.h"

/* Is it in another notation than the language's own? */
bool is_foreign(sw_str text);

/* Refuses a text in no notation that is read, and lists those that are, with an example each. */
bool refuse_unknown(const struct invocation *run, sw_str text, sw_diag *diag);

/* The array's shape as far as the session knows it; NULL where it does not. */
const sw_type *known_shape(const struct state *state);

/* Does a statement begin with a mesh as another system writes it, `jax.make_mesh(` or `sdy.mesh`? */
bool is_foreign_mesh(sw_str text);

/* A mesh in any notation; the order of its devices lives as long as the statement.  Errors: M01 to M07, N01. */
bool read_any_mesh(const struct invocation *run, sw_str text, sw_mesh *mesh, sw_diag *diag);

/* The mesh that a text brings itself; count 0: it brings none.  N05 where its devices are in an order of their own. */
bool read_own_mesh(const struct invocation *run, sw_str text, sw_mesh *mesh, sw_diag *diag);

/* What a text says, over the session's mesh with its order of devices where it names none itself. */
bool read_sharding(const struct invocation *run, sw_str text, sw_sharding *sharding, sw_diag *diag);

/* Ends of a trace such as `S(0)R->RR-->S(1)R`, whose first arrow was found. */
sw_str trace_first(sw_str left);
sw_str trace_last(sw_str right);

/* A type over the session's mesh, whose words live in the arena, and says what the text was taken for. */
bool read_foreign_type(const struct invocation *run, sw_str text, sw_arena *arena, struct any_type *type,
	sw_diag *diag);

/* `A ~> B` of which one is foreign: the problem, over the session's mesh where that suffices.  *found_mesh: the axes of its
 * mesh have made-up names. */
bool read_foreign_ends(struct invocation *run, sw_str left, sw_str right, sw_problem *problem, bool *found_mesh,
	sw_diag *diag);

/* Is the error of two shardings with this code one that this sharding has by itself, as an array of this shape (NULL: not
 * known) over so many devices (0: not known)?  Else the other one has it, or does not go with this one. */
bool sharding_is_wrong(const sw_sharding *sharding, const sw_type *shape, int64_t devices, sw_arena *arena,
	sw_code code);

/* The same, of two in the session. */
bool is_first_wrong(const struct invocation *run, const sw_sharding *first, const sw_sharding *second, sw_code code);

/* What a text means, or whether two with an arrow between them are the same. */
/* Is it a type of any kind over the session's mesh that is no tile type, or a name of one? */
bool explain_is_type(const struct invocation *run, sw_str text);

bool explain_foreign(struct invocation *run, sw_str text, sw_diag *diag);

#endif
