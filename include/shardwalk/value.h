/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values: an array as devices hold it at one moment, before or after a step.
 *
 * A value belongs to whoever made it, with all that it points to.  Sizes count elements unless a name says bytes.
 */
#ifndef SHARDWALK_VALUE_H
#define SHARDWALK_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/diag.h>
#include <shardwalk/pieces.h>
#include <shardwalk/text.h>
#include <shardwalk/type.h>

#pragma GCC visibility push(default)

typedef struct sw_value {
	sw_str name; /* empty: it has none */
	sw_span at;  /* its name in the text */
	const sw_type *
		type; /* what slots hold; where it is open the whole array, of which sizes and element type count; NULL where no type
	                        says that ... */
	const int64_t *map; /* ... then their base offsets, devices x rank, row-major; or NULL ... */
	const sw_pieces
		*pieces; /* ... then which pieces they have of the tiles that the last type says, in terms of that */
	const sw_type
		*blocks; /* with pieces: the type that says them, where each slot has a block of its tile; NULL: none does */
	const struct sw_distribution
		*words;                /* ... where the type is no tile type: it says the array alone then; else NULL */
	int64_t tile[SW_MAX_DIMS]; /* of every device: the local type */
	int64_t localsize;         /* the elements that a device has, at most; of a text 0 until it has plans */
	int64_t bytes;             /* the same in bytes */
	int64_t on_all; /* with pieces: the elements that all devices have together; 0: they were not counted */
	int last;       /* the last step that reads it, `steps` for what is returned, -1: none; until there are plans 0 */
	bool open;      /* `?`: its type is not chosen yet */
	bool constant;  /* with plans: it is the same in all rounds (sw_program_constants) */
	bool given;     /* `as TYPE` stands there, or the type was assigned */
} sw_value;

#pragma GCC visibility pop

#endif
