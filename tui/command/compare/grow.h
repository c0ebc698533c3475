/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `compare --grow 1,2,4,8`: the last formula on more and more processors, in sizes that grow so that memory a processor stays.
 */
#ifndef SHARDWALK_COMMAND_GROW_H
#define SHARDWALK_COMMAND_GROW_H

#include "command/command.h"

/* The algorithms on each number of processors, best first, with what does not fit into the memory that the hardware holds.
 * Errors: L07 without a formula; those of contest_begin. */
bool compare_grown(struct invocation *run, sw_diag *diag);

#endif
