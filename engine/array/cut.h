/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cuts: how the devices of a mesh share the indices of one dimension, in blocks that may come round again, or in pieces.
 *
 *     3{x}12    2{x,..}13    2{x@1,..}13    2{x,..3,y}24    5+4+3+1{x}13    {x}13 by balanced
 *
 * The number of a block, or of a piece, is one of digits: of the device, or of rounds, of which each device has all.
 */
#ifndef SHARDWALK_ARRAY_CUT_H
#define SHARDWALK_ARRAY_CUT_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/arena.h>
#include <shardwalk/mesh.h>
#include <shardwalk/region.h>
#include <shardwalk/text.h>
#include <shardwalk/type.h>
#include <shardwalk/uneven.h>

/* What stands between braces. */
typedef struct sw_cut_entry {
	sw_part part;  /* of an axis; SW_ROUNDS in its place: `size` rounds, or 0, as many as there are */
	int64_t first; /* `@`: the coordinate that has the first block */
} sw_cut_entry;

#define SW_ROUNDS (-1)

static inline bool sw_is_rounds(sw_part part)
{
	return part.axis == SW_ROUNDS;
}

typedef struct sw_cut_digit {
	int64_t size;
	int64_t stride; /* of devices; 0: rounds */
	int64_t weight; /* what one more of it adds: indices, or pieces */
	int64_t first;  /* the coordinate that counts as 0 */
} sw_cut_digit;

typedef struct sw_cut {
	int64_t size;            /* of the dimension */
	int64_t tile;            /* as written: the indices of a block; 0: pieces */
	const sw_uneven *uneven; /* pieces by a rule; NULL: as stated */
	sw_uneven_rule rule;     /* which */
	const int64_t *begin;    /* of stated pieces: where each begins, and the size; NULL: none are stated */
	int entries;             /* minor to major, as written */
	const sw_cut_entry *entry;
	int64_t block; /* as it is counted: blocks of one device that lie side by side are one */
	int digits;    /* minor to major */
	const sw_cut_digit *digit;
} sw_cut;

/* Counts the digits of what was written.  false: no memory. */
bool sw_cut_count(const sw_mesh *mesh, sw_cut *cut, sw_arena *arena);

/* How many rounds inside of rounds a type may have: so many families may make up what one device has of a dimension. */
#define SW_MOST_ROUNDS (1 << 12)

/* How many families an index set of it is made of, about: the rounds inside of rounds. */
int64_t sw_cut_families(const sw_cut *cut);

/* The indices of the device with this number in the mesh.  false: no memory. */
bool sw_cut_indices(const sw_cut *cut, int64_t device, sw_arena *arena, sw_indices *indices);

/* Are all tiles equal, and none comes twice: is it a dimension of a tile type?  Its parts, minor to major, and how many. */
bool sw_cut_tiles(const sw_cut *cut, sw_part *parts, int *count);

/* Adds an entry, and a whole dimension, as they are written. */
void sw_cut_entry_print(const sw_mesh *mesh, const sw_cut_entry *entry, sw_text *text);
void sw_cut_print(const sw_mesh *mesh, const sw_cut *cut, sw_text *text);

#endif
