/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas as commands.
 */
#ifndef SHARDWALK_COMMAND_COMPUTE_H
#define SHARDWALK_COMMAND_COMPUTE_H

#include <shardwalk/formula.h>

#include "command/command.h"

/* Reads the file of `graph FILE`, for sw_file_reader; the context is the arena in which it stays. */
bool compute_file(void *arena, sw_str name, sw_str *text, sw_diag *diag);

/* Makes it the present program, repeated; where it is no statement of one, that is said, and there is none.  Where it cannot be repeated
 * the one that is there stays. */
bool compute_keep(const struct invocation *run, const struct kept_formula *kept, int64_t steps, int64_t every,
	sw_diag *diag);

/* Is a formula looked at, or one of its arrays? */
bool compute_is_subject(const struct state *state);

/* What moves of the array of this name, or of the only one that is not local, becomes the problem.  And says that it was left. */
bool compute_enter(struct invocation *run, const struct word *word, sw_diag *diag);
bool compute_left(const struct invocation *run, int entered);

#endif
