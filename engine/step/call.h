/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls while they are read and checked: what each argument's place in the text was.
 */
#ifndef SHARDWALK_MOVE_CALL_H
#define SHARDWALK_MOVE_CALL_H

#include <shardwalk/collective.h>

/* Where the text says what: all empty for a call that was not read. */
typedef struct sw_call_places {
	sw_span op;
	sw_span gather_dim[SW_MAX_DIMS], gather_factor[SW_MAX_DIMS];
	sw_span split_dim[SW_MAX_DIMS], split_factor[SW_MAX_DIMS];
	sw_span pushed[SW_MAX_PARTS];
	sw_span target;
} sw_call_places;

/* As sw_call_apply, with the places for a refusal. */
bool sw_call_check(const sw_mesh *mesh, const sw_type *before, const sw_call *call, const sw_call_places *places,
	sw_type *after, sw_diag *diag);

/* Is there a dimension with this number? (C03) */
bool sw_call_has_dim(const sw_type *before, int64_t dim, sw_span at, sw_diag *diag);

/* Refuses to gather from a dimension that has no parts (C06). */
bool sw_call_refuse_whole(const sw_type *before, int dim, sw_span at, sw_diag *diag);

#endif
