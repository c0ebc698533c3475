/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `verify lemma 4.6`: statements of the theory, tried on drawn cases; `verify table 4`: numbers that papers print.
 */
#ifndef SHARDWALK_COMMAND_THEORY_H
#define SHARDWALK_COMMAND_THEORY_H

#include "command/command.h"

/* Does the first argument say the kind of a statement? */
bool is_statement(const struct invocation *run);

/* Tries it.  P08 where a case refutes it. */
bool verify_statement(struct invocation *run, sw_diag *diag);

/* Do the arguments begin like the name of something else that papers number? */
bool is_artefact(const struct invocation *run);

/* Compares what it prints with what is found here.  L08 where it prints no numbers, or is not there. */
bool verify_artefact(const struct invocation *run, sw_diag *diag);

#endif
