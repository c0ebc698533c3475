/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Advice where the ends are on different devices: a checkpoint for another mesh, a weight for those that serve.
 */
#ifndef SHARDWALK_COMMAND_ADVISE_MESHES_H
#define SHARDWALK_COMMAND_ADVISE_MESHES_H

#include <shardwalk/advise.h>

#include "command/command.h"

/* Are the ends of the present problem on different devices? */
bool advise_meshes_asked(const struct invocation *run);

/* Answers with the exchange, with what the system does by itself, and with what to write.  Errors: those of sw_advise_meshes. */
bool advise_meshes(struct invocation *run, sw_advise_target target, sw_diag *diag);

#endif
