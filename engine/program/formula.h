/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What reading a formula takes beside its text.
 */
#ifndef SW_PROGRAM_FORMULA_H
#define SW_PROGRAM_FORMULA_H

#include <shardwalk/formula.h>

#include "base/scan.h"
#include "index/adjacency.h"

/* Reads lists of neighbours, line i those of i, from 0, or a matrix in the coordinates of Matrix Market.  `name` is that of the
 * file.  Errors: F12, without a place in the text of the formula; the line is in the message. */
bool sw_adjacency_parse(sw_str name, sw_str text, sw_arena *arena, sw_adjacency *graph, sw_diag *diag);

/* The number of the letter; -1: it is none. */
int sw_formula_letter(const sw_formula *formula, char letter);

/* Do letters alone make all indices of the access? */
bool sw_formula_is_plain(const sw_formula *formula, const sw_formula_access *access);

/* Refuses a letter that has no size (F09); false. */
bool sw_formula_refuse_size(const sw_formula *formula, int letter, sw_diag *diag);

/* An access with the sizes of its array. */
sw_access sw_formula_access_of(const sw_formula *formula, const sw_formula_access *access);

/* The summed letters that a term lacks, a bit each: it counts where these are 0. */
uint32_t sw_formula_lacks(const sw_formula *formula, int term);

/* What is read of the array of a need where these elements of the left side are made. */
bool sw_need_image(const sw_need *need, const sw_region *made, sw_arena *arena, sw_region *read);

/* Adds to `waiting` those of the points `all` at which something of `missing` is read. */
bool sw_need_waiting(const sw_need *need, const sw_region *all, const sw_region *missing, sw_arena *arena,
	sw_region *waiting);

#endif
