/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Accesses: which elements of an array a formula reads at a point of its letters, `x[2*i+1, j/2]`.
 *
 * An index is a whole dimension, `:`, or affine in one letter and divided by a whole number, rounded down.  The image of a set of
 * points under an access is again a list of products of families, and so is the set of points that read a set of elements.
 * Neither is found element by element: what takes time are the runs of a family that are placed differently to the factor and
 * to the divisor.
 *
 * Products of a letter and its factor stay below 2^62.  Results live in the arena that the caller passes in.
 *
 * Source: seed 002, sections 2.4 and 5 (the signature function), 3.5 (operations on distributions).
 */
#ifndef SHARDWALK_ACCESS_H
#define SHARDWALK_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/region.h>
#include <shardwalk/text.h>

#pragma GCC visibility push(default)

#define SW_MOST_FACTOR (1 << 20)                /* of a letter, and the largest divisor */
#define SW_DIMENSION_LETTERS "ijklmnopqrstuvwx" /* of the dimensions of a type, where nothing else is said */

struct sw_adjacency;

/* (factor * letter + offset + n) / divisor, rounded down, for all n from 0 to width - 1. */
typedef struct sw_index {
	bool whole;  /* `:`, and nothing else counts */
	char letter; /* 0: there is none, and the factor is 0 */
	int64_t factor, offset, divisor;
	int64_t width; /* 1; more where accesses were joined */
	const struct sw_adjacency
		*graph; /* lists of neighbours of the values of the letter, and no numbers count; NULL: none */
} sw_index;

/* Of an array of these sizes.  Elements past the ends are left out, or counted on from the other end. */
typedef struct sw_access {
	int rank;
	const sw_index *index;
	const int64_t *size;
	bool wrap;
} sw_access;

/* Points: the values of letters, each from 0 to size - 1. */
typedef struct sw_letter_ranges {
	int count;
	const char *letter;
	const int64_t *size;
} sw_letter_ranges;

/* ---- an index ---- */

/* What is read of a dimension of that size where the letter has the values `of`.  false: no memory. */
bool sw_index_image(const sw_index *index, const sw_indices *of, int64_t size, bool wrap, sw_arena *arena,
	sw_indices *image);

/* The values of the letter, below `letters`, for which something of `of` is read. */
bool sw_index_preimage(const sw_index *index, const sw_indices *of, int64_t size, bool wrap, int64_t letters,
	sw_arena *arena, sw_indices *preimage);

/* Adds `:`, `2*i-1`, `i/2`, `(i+1)/2`; of width 1. */
void sw_index_print(const sw_index *index, sw_text *text);

/* ---- an access ---- */

/* Does one letter alone make the index, without factor, offset and divisor? */
bool sw_index_is_letter(const sw_index *index);

/* Do both read the same? */
bool sw_index_equal(const sw_index *a, const sw_index *b);

/* What is read at these points, whose dimensions the letters are, in their order.  No letter is in two indices of the access. */
bool sw_access_image(const sw_access *access, const sw_letter_ranges *letters, const sw_region *of, sw_arena *arena,
	sw_region *image);

/* The points at which something of `of` is read. */
bool sw_access_preimage(const sw_access *access, const sw_letter_ranges *letters, const sw_region *of,
	sw_arena *arena, sw_region *preimage);

/* Joins accesses to one array that differ by consecutive offsets in one dimension: x[i-1], x[i], x[i+1] become one of width 3.
 * Together they read the same.  Returns how many are left, in access[0..); those have new indices in the arena.  -1: no memory. */
int sw_access_join(sw_access *access, int count, sw_arena *arena);

/* Adds `2*i+1, j/2`. */
void sw_access_print(const sw_access *access, sw_text *text);

#pragma GCC visibility pop

#endif
