/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words behind a type, one row each: how they are read and written, of which devices they speak, what they make of indices.
 */
#ifndef SHARDWALK_ARRAY_WORDS_H
#define SHARDWALK_ARRAY_WORDS_H

#include <shardwalk/access.h>
#include <shardwalk/mesh.h>
#include <shardwalk/region.h>

#include "array/stretch.h"
#include "base/scan.h"

/* Devices with a coordinate from `low` to `high` along an axis. */
typedef struct sw_coordinates {
	int axis;
	int64_t size, stride, low, high;
} sw_coordinates;

typedef struct sw_word {
	const struct sw_word_row *row;
	int rank; /* of the array behind it, and its sizes */
	const int64_t *size;
	int rank_before; /* the same of the array before it */
	const int64_t *before;

	sw_indices devices; /* on: these, or, where axes are said, */
	int axes;           /* those with all of these coordinates */
	const sw_coordinates *coordinates;

	const sw_family *slice; /* only, crop: of each dimension, one run or runs of one index; an empty one has run 0 */
	const int64_t *by;      /* shift: along each dimension */
	bool wrap;
	const sw_index *index; /* through: of each dimension of the array behind it */
} sw_word;

/* What a word stands behind. */
typedef struct sw_word_place {
	const sw_mesh *mesh; /* NULL: united types have several */
	int64_t devices;
	int rank; /* of the array before it, and its sizes */
	const int64_t *size;
	sw_arena *arena;
	sw_span at; /* the word */
} sw_word_place;

typedef struct sw_word_row {
	const char *word;

	/* What stands behind the word; the array stays the same unless it says another. */
	bool (*read)(sw_scan *scan, const sw_word_place *place, sw_word *word);
	void (*print)(const sw_mesh *mesh, const sw_word *word, sw_text *text);

	bool (*has)(const sw_word *word, int64_t device); /* NULL: it speaks of all devices */

	/* Changes the indices of each dimension; NULL: they stay.  false: no memory. */
	bool (*act)(const sw_word *word, sw_arena *arena, sw_indices *set);

	/* Ends the stretch of a device that it speaks of where it does no longer the same. */
	void (*stretch)(const sw_word *word, int64_t device, sw_stretch *stretch);
} sw_word_row;

/* The row of a word, and of a number; NULL: there is none. */
const sw_word_row *sw_word_named(sw_str name);
const sw_word_row *sw_word_row_at(int n);

/* Reads digits alone, a number from 0 to `most`.  Error: T16. */
bool sw_word_number(sw_scan *scan, const char *what, int64_t most, int64_t *number);

/* Adds devices, `0,2-3`. */
void sw_word_print_devices(const sw_indices *devices, sw_text *text);

#endif
