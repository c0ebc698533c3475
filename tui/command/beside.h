/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plan that is laid beside another one in its film.
 */
#ifndef SHARDWALK_COMMAND_BESIDE_H
#define SHARDWALK_COMMAND_BESIDE_H

#include "session/session.h"

/* The plan of another strategy for the problem of `plan`, under its model and its budget, in `arena`: what it costs there is comparable.
 * NULL: errors as those of `plan`. */
const sw_plan *beside_find(const struct session *session, const sw_plan *plan, sw_strategy strategy, sw_arena *arena,
	sw_diag *diag);

#endif
