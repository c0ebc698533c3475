/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `verify lemma 4.6`: statements of the theory, tried on drawn cases.
 */
#ifndef SHARDWALK_COMMAND_THEORY_H
#define SHARDWALK_COMMAND_THEORY_H

#include "command/command.h"

/* Does the first argument say the kind of a statement? */
bool is_statement(const struct invocation *run);

/* Tries it.  P08 where a case refutes it. */
bool verify_statement(struct invocation *run, sw_diag *diag);

#endif
