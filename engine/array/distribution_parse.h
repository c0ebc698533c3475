/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading distributions and keeping where their sizes stand.
 */
#ifndef SHARDWALK_ARRAY_DISTRIBUTION_PARSE_H
#define SHARDWALK_ARRAY_DISTRIBUTION_PARSE_H

#include <shardwalk/distribution.h>

#include "array/bracket_parse.h"

/* As sw_distribution_parse; `distribution` and `positions`, those of the first type of a union, change only where it succeeds. */
bool sw_distribution_read(const sw_mesh *mesh, sw_str text, const sw_distribution_names *names, sw_arena *arena,
	sw_distribution *distribution, sw_type_positions *positions, sw_diag *diag);

/* The place of a word outside of brackets and quotes, from `at` on and before the next `union`; the length where there is none. */
size_t sw_type_word(sw_str text, size_t at, const char *word);

#endif
