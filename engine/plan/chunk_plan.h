/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans on chunks: reduction programs.  Their steps are collectives of groups that may leave devices out, on chunks of the tiles
 * with which all begin; what devices hold in between is followed chunk by chunk.
 */
#ifndef SW_PLAN_CHUNK_PLAN_H
#define SW_PLAN_CHUNK_PLAN_H

#include <shardwalk/json_read.h>
#include <shardwalk/plan.h>

/* The parts of sw_plan_total, sw_plan_check_at and sw_plan_verify for such a plan.  On failure `where` is the path of the value
 * that is wrong.  Errors: P03, P05, S03, S08, S09, E01. */
bool sw_chunk_plan_total(sw_plan *plan, char where[SW_WHERE_SIZE], sw_diag *diag);
bool sw_chunk_plan_check(const sw_plan *plan, bool prefix, char where[SW_WHERE_SIZE], sw_diag *diag);
bool sw_chunk_plan_verify(const sw_plan *plan, const sw_verify_options *options, sw_verdict *verdict, sw_diag *diag);

/* Gives each step the type that says what devices hold then, where it is one of these: types[set] after the factors of a set (a
 * bit each) were summed; probe[f] is a slot whose term differs from that of slot 0 in factor f alone. */
bool sw_chunk_plan_types(sw_plan *plan, const sw_type *types, const int32_t *probe, int factors, sw_diag *diag);

#endif
