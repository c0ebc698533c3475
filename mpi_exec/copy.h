/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Copies of boxes between row-major arrays, reduced to runs of consecutive bytes, with plain or streaming
 * stores chosen for the processor at run time.
 */
#ifndef EX_COPY_H
#define EX_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include <shardwalk/local.h>

#include "rows.h"

/* Runs of `run` bytes that are consecutive on both sides; loops around them, innermost first, in bytes. */
typedef struct ex_shape {
	int64_t run;
	int64_t runs; /* product of the counts */
	int loops;
	int64_t count[SW_LOOPS];
	int64_t from[SW_LOOPS]; /* strides on the side that is read */
	int64_t into[SW_LOOPS]; /* strides on the side that is written */
} ex_shape;

/* The shape of a box of `extent` elements between two row-major arrays of sizes `from` and `into`. */
void ex_shape_set(ex_shape *shape, int rank, int64_t element, const int64_t *extent, const int64_t *from,
	const int64_t *into);

/* The shape of elements in loops. */
void ex_shape_of(ex_shape *shape, int64_t element, const sw_loops *loops);

/* Is the box consecutive on that side? */
bool ex_shape_from_whole(const ex_shape *shape);
bool ex_shape_into_whole(const ex_shape *shape);

/* The same runs with one side packed without gaps. */
void ex_shape_pack(const ex_shape *shape, ex_shape *packed);
void ex_shape_unpack(const ex_shape *shape, ex_shape *packed);

/* Walks over the runs `first` to `first + count - 1`. */
typedef struct ex_cursor {
	const ex_shape *shape;
	int64_t at[SW_LOOPS];
	int64_t from, into;
	int64_t left;
} ex_cursor;
void ex_cursor_start(ex_cursor *cursor, const ex_shape *shape, int64_t first, int64_t count);
void ex_cursor_skip(ex_cursor *cursor, int64_t rows);

/* Copies `count` runs from number `first` on; the pointers are those of the box's first element.
 * Streaming stores are complete when it returns. */
void ex_copy(const ex_shape *shape, char *into, const char *from, int64_t first, int64_t count, ex_store store);
void ex_copy_bytes(char *into, const char *from, int64_t bytes, ex_store store);

/* What the processor offers: "avx512", "avx2", "sse2" or "plain". */
const char *ex_copy_kind(void);

#endif
