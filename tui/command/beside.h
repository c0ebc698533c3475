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

/* The moments of way `number` (from 1) of the present product, in `arena`; the session is as it was.  NULL: L07 where there is no product, errors
 * of `ways`. */
const struct sw_moments *beside_way(struct session *session, int number, sw_arena *arena, sw_diag *diag);

/* Program `number` (from 1) of the list of the present reduction program, which `reductions` counts, in `arena`; the session is as it was.  NULL: L07
 * where that is the present one, errors of `reductions`. */
const sw_plan *beside_program(struct session *session, int number, sw_arena *arena, sw_diag *diag);

/* Is the present program a way of a product? */
bool beside_has_ways(const struct state *state);

#endif
