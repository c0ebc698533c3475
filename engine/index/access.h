/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading one index of an access.
 */
#ifndef SHARDWALK_INDEX_ACCESS_H
#define SHARDWALK_INDEX_ACCESS_H

#include <shardwalk/access.h>

#include "base/scan.h"

/* Reads `:`, what is affine in one letter (`i`, `5`, `2*i-1`, `-i+23`), that in brackets divided by a whole number, `(i+1)/2`, or
 * `i/2`.  Which letters there are the caller knows.  *at is the place of the index, or, where it has a letter, *letter that of
 * the letter.  Errors: the scan's code. */
bool sw_index_scan(sw_scan *scan, sw_index *index, sw_span *at, sw_span *letter);

/* Refuses a letter that is no dimension of a type with `rank` of them: `i`, `j` for two. */
bool sw_index_check_dimension(sw_scan *scan, const sw_index *index, sw_span letter, int rank);

#endif
