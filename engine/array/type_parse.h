/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading a tile type and keeping where its sizes stand, for those who have more to say about them.
 */
#ifndef SHARDWALK_ARRAY_TYPE_PARSE_H
#define SHARDWALK_ARRAY_TYPE_PARSE_H

#include <shardwalk/diag.h>
#include <shardwalk/distribution.h>
#include <shardwalk/type.h>

#include "array/bracket_parse.h"

/* As sw_type_parse_as; `type` and `positions` change only where it succeeds. */
bool sw_type_read(const sw_mesh *mesh, sw_str text, bool pads, sw_type *type, sw_type_positions *positions,
	sw_diag *diag);

/* As sw_type_parse_any; with an arena of NULL as sw_type_read. */
bool sw_type_read_any(const sw_mesh *mesh, sw_str text, bool pads, const sw_distribution_names *names,
	sw_arena *arena, sw_type *type, const sw_distribution **words, sw_type_positions *positions, sw_diag *diag);

#endif
