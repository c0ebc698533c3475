/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pieces of tiles: which of them each device has while a sum is made, and of which of its terms each is the sum.
 *
 * Source: seed 001, sections 2.3 to 3.3, figure 8.
 *
 * A tile is cut, row-major, into runs of elements that are as equal as can be.  What a group may do with them, and what its members
 * have then, is a column of the table of collectives.
 */
#ifndef SHARDWALK_PIECES_H
#define SHARDWALK_PIECES_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/collective.h>
#include <shardwalk/diag.h>
#include <shardwalk/text.h>

#pragma GCC visibility push(default)

/* Pieces that follow one another and are sums of the same terms: [first, end). */
typedef struct sw_pieces_run {
	int first, end;
	const uint64_t *terms; /* a bit for each */
} sw_pieces_run;

/* What a device has, in the order of the pieces: runs that touch differ in their terms.  It never changes, so that devices may share
 * it. */
typedef struct sw_pieces_list {
	int runs;
	sw_pieces_run run[];
} sw_pieces_list;

typedef struct sw_pieces {
	int64_t devices, terms;
	int count, words;            /* pieces of a tile; words of 64 bits that have a bit for each term */
	const sw_pieces_list **list; /* of each device */
	const uint64_t *none;        /* no term */
	struct sw_pieces_room *room; /* where lists and sums are put together */
	sw_arena *arena;             /* where they are kept */
} sw_pieces;

/* A premise that a group breaks, and which members do: by numbers in the group, from 0, and of which piece and term, where these
 * say more. */
typedef struct sw_breach {
	sw_premise premise; /* SW_PREMISE_HOLDS: nobody breaks one */
	const int32_t *member;
	int64_t size;
	int64_t a, b;
	int piece;
	int64_t term;
} sw_breach;

/* The element of a tile of `size` elements, cut into `count` pieces, with which a piece begins; of `count`, where the tile ends. */
int64_t sw_piece_begin(int64_t size, int count, int piece);

/* No device has any.  What is made of them later is kept in `arena` too.  Errors: S08 above SW_PIECES_MEMORY, were there a row of bits for
 * each piece of each device; E01. */
#define SW_PIECES_MEMORY ((int64_t)1 << 29)
bool sw_pieces_make(sw_pieces *pieces, int64_t devices, int count, int64_t terms, sw_arena *arena, sw_diag *diag);

/* Every device has every piece, its own term alone: its number, or term[d].  Errors as above. */
bool sw_pieces_start(sw_pieces *pieces, int64_t devices, int count, int64_t terms, const int32_t *term,
	sw_arena *arena, sw_diag *diag);

/* The same pieces, to be changed apart from the first ones, in memory of their own; or of lists that live no longer than those of the
 * first.  E01. */
bool sw_pieces_copy(const sw_pieces *from, sw_arena *arena, sw_pieces *to, sw_diag *diag);
bool sw_pieces_share(const sw_pieces *from, sw_arena *arena, sw_pieces *to, sw_diag *diag);

/* The bits of the terms that are added in a piece of a device: none where it has not got the piece. */
const uint64_t *sw_pieces_terms(const sw_pieces *pieces, int64_t device, int piece);

/* The same of all pieces of a device, one after the other; and such bits become what it has.  false: no memory. */
void sw_pieces_get(const sw_pieces *pieces, int64_t device, uint64_t *bits);
bool sw_pieces_put(const sw_pieces *pieces, int64_t device, const uint64_t *bits);

/* Are these the terms of all pieces [first, end) of a device? */
bool sw_pieces_are(const sw_pieces *pieces, int64_t device, int first, int end, const uint64_t *terms);

/* Has a device a piece, and how many has it? */
bool sw_pieces_has(const sw_pieces *pieces, int64_t device, int piece);
int sw_pieces_held(const sw_pieces *pieces, int64_t device);

/* Has every device every piece, summed of all terms? */
bool sw_pieces_done(const sw_pieces *pieces);

/* Adds `chunks 0-1`, `chunk 2`, `no chunk`: what a device has. */
void sw_pieces_print(const sw_pieces *pieces, int64_t device, sw_text *text);

/* One step in all its groups of `size` devices each, `grouped` in all, one after the other: or in none, where a premise fails.  The
 * operation is one of sw_chunk_ops.  false: no memory; the pieces are of no more use. */
bool sw_pieces_step(sw_pieces *pieces, sw_op op, const int32_t *member, int64_t grouped, int64_t size,
	sw_breach *breach);

#pragma GCC visibility pop

#endif
