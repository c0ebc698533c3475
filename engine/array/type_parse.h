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

/* How types of any kind are read. */
typedef struct sw_any_reader {
	const sw_mesh *mesh;
	sw_str text;
	bool pads;
	const sw_distribution_names *names; /* that types with words may refer to */
	sw_arena *arena;                    /* for these; NULL: only tile types are read */
	sw_diag *diag;
} sw_any_reader;

/* A type as it was read. */
typedef struct sw_any_read {
	sw_type type;
	const sw_distribution *words;
	sw_type_positions at;
} sw_any_read;

/* As sw_type_parse_any, what stands in the text from `begin` to `end`; positions count in the whole. */
bool sw_type_read_any(const sw_any_reader *reader, size_t begin, size_t end, sw_any_read *read);

#endif
