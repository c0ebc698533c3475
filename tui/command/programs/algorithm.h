/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Published algorithms as the schedule of the session.
 */
#ifndef SHARDWALK_COMMAND_ALGORITHM_H
#define SHARDWALK_COMMAND_ALGORITHM_H

#include "command/command.h"

/* Does a text begin with the name of an algorithm? */
bool algorithm_begins(sw_str text);

/* `cannon m=9 n=9 k=9`: types, statement and commands for the present mesh, or for the nearest machine that does, which is said.  Errors: D40 to
 * D42, L02, L07, with places in the line. */
bool algorithm_take(struct invocation *run, sw_str text, sw_diag *diag);

#endif
